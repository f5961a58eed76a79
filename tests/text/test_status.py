"""How a mention is meant, read from a table that a clinician can extend."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kgsan.text.cues import Status, phrase_table
from kgsan.text.document import Document
from kgsan.text.status import statuses
from tests.conftest import seconds

ROWS = yaml.safe_load((Path(__file__).parents[1] / "data" / "status.yaml").read_text("utf-8"))


def status_of(text: str, *terms: str) -> list[Status]:
    places = sorted((text.index(term), text.index(term) + len(term)) for term in terms)
    return statuses(Document(text), [start for start, _ in places], [end for _, end in places])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['term']} in {row['text'][:50]!r}")
def test_a_mention_is_meant_as_a_clinician_reads_it(row: dict[str, str]) -> None:
    assert status_of(row["text"], row["term"]) == [Status(row["status"])]


def test_the_table_has_enough_of_every_status() -> None:
    assert len(ROWS) >= 120
    counts = Counter(row["status"] for row in ROWS)
    assert all(counts[status.value] >= 10 for status in Status)


def test_the_first_of_several_statuses_is_told() -> None:
    """Family before negated, hypothetical, uncertain, past and present."""
    assert [status.value for status in Status] == ["family", "negated", "hypothetical", "uncertain", "past", "present"]
    assert status_of("Mother never had possible prior lupus.", "lupus") == [Status.FAMILY]
    assert status_of("Father has no history of gout.", "gout") == [Status.FAMILY]
    assert status_of("Denies possible history of gout.", "gout") == [Status.NEGATED]
    assert status_of("If he has a possible history of gout, call.", "gout") == [Status.HYPOTHETICAL]
    assert status_of("Possible history of gout.", "gout") == [Status.UNCERTAIN]


def test_many_mentions_of_one_text_are_told_apart() -> None:
    text = "Mother had lupus but she has asthma. Denies fever or rash; reports cough. Possible gout."
    told = status_of(text, "lupus", "asthma", "fever", "rash", "cough", "gout")
    assert [status.value for status in told] == ["family", "present", "negated", "negated", "present", "uncertain"]


def test_the_order_in_which_spans_are_asked_for_does_not_matter() -> None:
    document = Document("No fever but cough.")
    assert statuses(document, [13, 3], [18, 8]) == [Status.PRESENT, Status.NEGATED]


def test_accents_and_hidden_marks_move_no_status() -> None:
    text = "Sœur Ågot: la fièvre. De\u200bnies fe\u00advèr, chills."
    assert status_of(text, "fièvre", "fe\u00advèr", "chills") == [Status.PRESENT, Status.NEGATED, Status.NEGATED]


def test_a_phrase_within_a_name_says_nothing_of_others() -> None:
    text = "Diabetes mellitus without complication, asthma."
    assert status_of(text, "Diabetes mellitus without complication", "asthma") == [Status.PRESENT, Status.PRESENT]


def test_a_name_that_begins_with_a_phrase_says_its_own_status() -> None:
    assert status_of("Family history of lupus, gout.", "Family history of lupus", "gout") == [Status.FAMILY, Status.FAMILY]
    assert status_of("No history of lupus noted.", "No history of lupus") == [Status.PRESENT]


def test_a_reach_is_bounded_within_a_very_long_list() -> None:
    text = "Denies fever, " + "item, " * 200 + "gout"
    assert status_of(text, "fever", "gout") == [Status.NEGATED, Status.PRESENT]


def test_a_new_paragraph_ends_a_section() -> None:
    assert status_of("Family history: gout.\n\nSeen for asthma.", "gout", "asthma") == [Status.FAMILY, Status.PRESENT]


def test_spans_without_a_word_are_present() -> None:
    assert statuses(Document("no   fever"), [2, 3, 5, 10, 50], [5, 3, 2, 10, 60]) == [Status.PRESENT] * 5
    assert statuses(Document(""), [0], [0]) == [Status.PRESENT]
    assert statuses(Document("no fever"), [], []) == []


def test_a_span_over_several_sentences_has_the_status_of_its_begin() -> None:
    assert statuses(Document("Denies fever. Has gout."), [7], [23]) == [Status.NEGATED]


def test_no_phrase_says_two_things_at_once() -> None:
    """A phrase stands under one status for each direction, so that lines of the table do not contradict each other."""
    nodes = [((), phrase_table().phrases)]
    twice = []
    while nodes:
        words, node = nodes.pop()
        nodes.extend(((*words, word), following) for word, following in node.further.items())
        for cues in (node.entry.before, node.entry.behind) if node.entry else ():
            if len({cue.status for cue in cues}) > 1:
                twice.append(" ".join(words))
    assert twice == []


PHRASES = st.sampled_from(
    "no|denies|mother had|her father|family history of|FHx:|PMH:|\n|\n\n|if|possible|?|vs.|history of|but|,|and|;|negative|was ruled out|(|)|gout|HIV|fever|é\u0301|\u200b|.|^|$|:|<relative>".split(
        "|"
    )
)
TEXTS = st.text(max_size=60) | st.lists(PHRASES, max_size=25).map(" ".join)


@given(TEXTS, st.lists(st.tuples(st.integers(-5, 300), st.integers(-5, 300)), max_size=12))
def test_any_text_and_any_spans_have_one_status_each(text: str, spans: list[tuple[int, int]]) -> None:
    starts, ends = [start for start, _ in sorted(spans)], [end for _, end in sorted(spans)]
    told = statuses(Document(text), starts, ends)
    assert len(told) == len(spans)
    assert all(isinstance(status, Status) for status in told)
    assert statuses(Document(text), starts, ends) == told


@pytest.mark.parametrize(
    "piece",
    [
        "Denies fever, cough. Mother had gout.\n\n",
        "no fever, cough and ",
        "mother no if ",
        "no ",
        "( fever ) ",
        "PMH:\n",
        ": no , fever ",
    ],
)
def test_time_grows_with_the_text_and_not_faster(piece: str) -> None:
    def taken(count: int) -> float:
        document = Document(piece * count + "fever")
        spans = document.tokens  # every word is a mention
        return seconds(statuses, document, [span.start for span in spans], [span.end for span in spans])

    phrase_table()
    assert taken(5_000) < 10 * 4 * taken(500) + 0.1
