"""Precision, recall and F on texts whose figures can be counted by hand; and agreement of annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.evaluate.agreement import agreements, kappa
from kgsan.evaluate.marks import GoldDocument, GoldSpan, agreed
from kgsan.evaluate.scores import Counts, Measure, Scores
from kgsan.text.document import Document
from tests.conftest import seconds, within

if TYPE_CHECKING:
    from kgsan.evaluate.scores import Places

#: 0: Anna, 5: has, 9: gout, 14: and, 18: gout, 23: hurts
TEXT = "Anna has gout and gout hurts"


def _measure(*changed: tuple[int, int]) -> Measure:
    return Measure(Document(TEXT), changed)


def test_half_of_the_letters_is_enough_to_be_hidden() -> None:
    assert _measure((9, 11)).is_hidden(9, 13)
    assert not _measure((9, 10)).is_hidden(9, 13)
    assert _measure((0, 2), (2, 4)).is_hidden(0, 4)


def test_blanks_and_signs_do_not_count_as_letters() -> None:
    measure = Measure(Document("a --- b"), [(1, 6)])
    assert not measure.is_hidden(0, 7)
    assert measure.is_hidden(2, 5)  # it has no letters, and all of it is changed


def test_each_level_counts_in_its_own_way() -> None:
    scores = _measure((0, 4), (9, 13), (23, 28)).scores([(0, 8), (9, 13), (18, 22)])
    assert scores.span == Counts(found=2, missed=1, right=2, wrong=1)
    assert scores.token == Counts(found=2, missed=2, right=2, wrong=1)  # "has" and the second gout are missed
    assert scores.term == Counts(found=2, missed=0, right=2, wrong=1)  # of gout, half of the occurrences is enough


def test_a_term_is_missed_when_most_of_its_occurrences_show() -> None:
    text = "gout, gout, gout"
    assert Measure(Document(text), [(0, 4)]).scores([(0, 4), (6, 10), (12, 16)]).term == Counts(0, 1, 1, 0)


def test_a_string_is_right_if_one_of_its_occurrences_is_marked() -> None:
    scores = _measure((9, 13), (18, 22)).scores([(9, 13)])
    assert (scores.span.right, scores.span.wrong) == (1, 1)
    assert (scores.term.right, scores.term.wrong) == (1, 0)


def test_what_touches_only_what_is_set_aside_is_neither_right_nor_wrong() -> None:
    scores = _measure((0, 4), (23, 28)).scores([(9, 13)], aside=[(0, 4)])
    assert (scores.span.right, scores.span.wrong, scores.token.wrong) == (0, 1, 1)


def test_only_changes_made_for_an_entity_count_against_it() -> None:
    scores = _measure((0, 4), (23, 28)).scores([(9, 13)], only=[(23, 28)])
    assert (scores.span.wrong, scores.token.wrong, scores.term.wrong) == (1, 1, 1)


def test_figures_that_nothing_says_are_none() -> None:
    nothing = _measure().scores([(0, 4)])
    assert (nothing.span.precision, nothing.span.recall, nothing.span.f) == (None, 0.0, None)
    assert _measure((0, 4)).scores([]).span.recall is None
    assert Counts(0, 1, 0, 1).f == 0.0


@given(st.lists(st.tuples(st.integers(0, 27), st.integers(1, 6)).map(lambda p: (p[0], min(28, p[0] + p[1]))), max_size=6))
def test_hiding_exactly_what_is_marked_is_perfect(spans: list[tuple[int, int]]) -> None:
    marked: Places = spans
    scores = Measure(Document(TEXT), marked).scores(marked)
    for level in (scores.span, scores.term):
        assert level.missed == level.wrong == 0
    assert scores + Scores() == scores


def test_long_texts_take_time_in_proportion() -> None:
    def work(size: int) -> None:
        text = "gout and " * size
        spans = [(at, at + 4) for at in range(0, len(text), 9)]
        Measure(Document(text), spans[::2]).scores(spans)

    assert within(12 * seconds(work, 2_000) + 0.5, work, 8_000)


@pytest.mark.parametrize(
    ("table", "wanted"), [((20, 5, 10, 15), 0.4), ((5, 0, 0, 5), 1.0), ((0, 5, 5, 0), -1.0), ((25, 25, 25, 25), 0.0)]
)
def test_kappa_is_agreement_beyond_chance(table: tuple[int, int, int, int], wanted: float) -> None:
    assert kappa(*table) == pytest.approx(wanted)


def test_kappa_says_nothing_when_everything_or_nothing_is_marked() -> None:
    assert kappa(9, 0, 0, 0) is kappa(0, 0, 0, 9) is kappa(0, 0, 0, 0) is None


def test_annotators_are_compared_word_by_word() -> None:
    marked = {"Ada": (GoldSpan(9, 13), GoldSpan(0, 4)), "Ben": (GoldSpan(9, 13), GoldSpan(18, 22)), "Cyd": ()}
    document = GoldDocument("d", TEXT, (), annotators=marked)
    first, *others = agreements([document, document])
    assert (first.first, first.second, first.words, first.both, first.only_first, first.only_second) == (
        "Ada",
        "Ben",
        12,
        2,
        2,
        2,
    )
    assert first.f == 0.5
    assert first.kappa == pytest.approx((8 * 12 - (16 + 64)) / (144 - (16 + 64)))
    assert [other.f for other in others] == [None, None]


def test_most_of_three_annotators_decide() -> None:
    by = {"a": [GoldSpan(0, 4)], "b": [GoldSpan(0, 4), GoldSpan(9, 13)], "c": [GoldSpan(0, 8)]}
    most, fewer = agreed(by)
    assert [(span.start, span.end) for span in most] == [(0, 8)]  # two marked half of it
    assert [(span.start, span.end) for span in fewer] == [(9, 13)]
