"""The field: sentences in, the classes of their tokens out; what is hidden is context and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgsan.sanitize.greedy import crf
from kgsan.sanitize.greedy.crf import Field, _sentences, learn_field
from tests.sanitize.greedy.toy import flags, instances, places, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

LESSON = tokens(["Ann went home", "he went home", "Bo slept", "she slept", "Cy went out", "we slept"])
NAMES = [0, 6, 10]
SIZE = len(LESSON)


def everywhere(size: int = SIZE) -> NDArray[np.bool_]:
    return flags(size, range(size))


def learned(hidden: Iterable[int] = (), where: NDArray[np.bool_] | None = None) -> Field:
    return learn_field(instances(LESSON, NAMES, hidden), everywhere() if where is None else where)


def test_a_sentence_is_asked_for_by_its_first_token() -> None:
    made = instances(tokens(["a b", "c", "d e"]))
    assert _sentences(made, flags(5, [0, 1, 2, 3, 4])) == [(0, 2), (2, 3), (3, 5)]
    assert _sentences(made, flags(5, [0, 4])) == [(0, 2)]
    assert _sentences(made, flags(5, [2, 3])) == [(2, 3), (3, 5)]
    assert _sentences(instances(tokens()), flags(0)) == []


def test_names_never_seen_are_marked_and_their_scores_are_chances() -> None:
    fresh = tokens(["Zoe went home", "they slept"])
    told = learned().predict(instances(fresh), everywhere(5))
    assert places(told.marked) == [0]
    assert all(0 <= score <= 1 for score in told.scores)
    assert told.scores[0] > 0.5 > max(told.scores[1:])
    assert min(told.scores) > 0


def test_sentences_that_are_not_asked_for_are_not_looked_at() -> None:
    fresh = tokens(["Zoe went home", "Eva slept"])
    told = learned().predict(instances(fresh), flags(5, [3, 4]))
    assert places(told.marked) == [3]
    assert told.scores[:3].tolist() == [0, 0, 0]


def test_what_is_hidden_is_never_marked_and_has_no_score() -> None:
    fresh = tokens(["Zoe went home", "Eva"])
    told = learned().predict(instances(fresh, hidden=[0, 3]), everywhere(4))
    assert places(told.marked) == []
    assert told.scores[[0, 3]].tolist() == [0, 0]
    assert told.scores[1] > 0


def test_a_sentence_that_is_hidden_does_not_end_the_reading() -> None:
    fresh = tokens(["Eva", "Zoe went home"])
    assert places(learned().predict(instances(fresh, hidden=[0]), everywhere(4)).marked) == [1]


def test_what_is_hidden_is_an_example_of_neither_class() -> None:
    """A name that is hidden in the lessons leaves no trace of its letters; a field that saw it has one."""
    assert b"w=bo" in learned().content
    assert b"w=bo" not in learned(hidden=[6]).content
    assert b"hidden" not in learned().content
    assert b"hidden" in learned(hidden=[6]).content


def test_sentences_that_are_hidden_whole_are_no_lessons() -> None:
    kept = learned(where=flags(SIZE, [at for at in range(SIZE) if at not in (6, 7)]))
    assert learned(hidden=[6, 7]).content == kept.content
    assert kept.content != learned().content


def test_a_field_learns_from_the_sentences_that_are_asked_for() -> None:
    assert b"slept" not in learned(where=flags(SIZE, [0, 1, 2, 3, 4, 5])).content


def test_the_same_lessons_make_the_same_field() -> None:
    assert learned() == learned()
    assert "home" not in repr(learned())


def test_what_was_learned_is_told_with_confidence() -> None:
    told = learned().predict(instances(LESSON, NAMES), everywhere())
    assert min(told.scores[NAMES]) > 0.85
    assert max(score for at, score in enumerate(told.scores) if at not in NAMES) < 0.15


def test_a_field_keeps_only_what_tells_the_classes_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less than half of what it would keep if weights cost nothing by their number."""
    sparse = learned()
    monkeypatch.setitem(crf._SETTINGS, "c1", 0.0)
    assert len(sparse.content) < len(learned().content) / 2


def test_nothing_is_printed_while_a_field_learns(capfd: pytest.CaptureFixture[str]) -> None:
    learned()
    assert tuple(capfd.readouterr()) == ("", "")


@pytest.mark.parametrize("hidden", [[], [0]])
def test_what_the_field_read_is_what_it_learned(hidden: list[int]) -> None:
    told = learned(hidden).predict(instances(LESSON, NAMES, hidden), everywhere())
    assert places(told.marked) == [at for at in NAMES if at not in hidden]
