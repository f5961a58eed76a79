"""Marked documents: which tokens a span touches, and what is told when a span does not fit."""

from __future__ import annotations

import pytest

from kgsan.sanitize.greedy.features import tokens_of
from kgsan.sanitize.greedy.marked import _touched, instances_of
from kgsan.sanitize.greedy.problems import USAGE, LearningError, require_packages
from tests.sanitize.greedy.toy import places

#: Where the words stand: Ann 0-3, Lund 4-8, rests 9-14, the point 14-15.
TEXT = "Ann Lund rests."


@pytest.mark.parametrize(
    ("spans", "touched"),
    [
        ([(0, 3)], [0]),
        ([(2, 3)], [0]),
        ([(2, 5)], [0, 1]),
        ([(3, 4)], []),
        ([(3, 5)], [1]),
        ([(0, 4)], [0]),
        ([(0, 15)], [0, 1, 2, 3]),
        ([(14, 15)], [3]),
        ([(0, 3), (9, 10)], [0, 2]),
        ([(0, 8), (4, 8)], [0, 1]),
        ([(0, 8), (0, 3), (4, 5)], [0, 1]),
        ([], []),
    ],
)
def test_a_token_is_sensitive_where_a_span_touches_it(spans: list[tuple[int, int]], touched: list[int]) -> None:
    assert places(_touched(tokens_of(["Other words first.", TEXT]), 1, spans)) == touched


def test_spans_belong_to_their_own_document() -> None:
    found = instances_of([TEXT, "He is well.", TEXT], [[[0, 8]], [], [[9, 14]]])
    assert [found.tokens.words[place] for place in places(found.sensitive)] == ["Ann", "Lund", "rests"]
    assert places(found.sensitive) == [0, 1, 10]
    assert places(found.hidden) == []


@pytest.mark.parametrize("span", [[0, 15], [14, 15], [0, 1]])
def test_a_span_may_reach_both_ends_of_the_text(span: list[int]) -> None:
    assert instances_of([TEXT, "He is well.", "Bo."], [[span], [], []]).sensitive.any()


@pytest.mark.parametrize("span", [[0, 16], [-1, 3], [3, 3], [True, 3], [0], {}, None, ["0", "3"]])
def test_every_span_that_does_not_fit_is_told_with_its_document(span: object) -> None:
    with pytest.raises(LearningError) as caught:
        instances_of(["Bo.", TEXT, TEXT], [[[0, 2]], [[0, 3], span], [span, span]], "notes")  # type: ignore[list-item]
    assert [(one.code, one.place.file, one.place.line) for one in caught.value.problems] == [
        ("E202", "notes", 2),
        ("E202", "notes", 3),
        ("E202", "notes", 3),
    ]
    assert [one.message.split(" is ")[0] for one in caught.value.problems] == ["Span 2", "Span 1", "Span 2"]


def test_no_more_problems_are_told_than_a_person_reads() -> None:
    with pytest.raises(LearningError) as caught:
        instances_of([TEXT], [[[9, 9]] * 50])
    assert len(caught.value.problems) == 20
    assert told([TEXT], []) == ("E202", "There are 1 texts, but lists of spans for 0.")


def told(texts: list[str], spans: list[list[list[int]]]) -> tuple[str, str]:
    with pytest.raises(LearningError) as caught:
        instances_of(texts, spans)
    [problem] = caught.value.problems
    return problem.code, problem.message


def test_too_few_sentences_are_told_and_three_are_enough() -> None:
    assert told([], []) == ("E203", "There is no document to learn from.")
    assert told(["Ann rests. Bo too."], [[[0, 3]]]) == ("E203", "There are fewer than 3 sentences to learn from.")
    assert len(instances_of(["Ann rests. Bo too. We left."], [[[0, 3]]]).tokens.sequences) == 4


def test_one_class_is_told_by_its_name() -> None:
    texts = ["Ann.", "Bo.", "Cy."]
    assert told(texts, [[], [], []]) == ("E204", "Nothing is marked, so there is nothing to tell apart.")
    assert told(texts, [[[0, 4]], [[0, 3]], [[0, 3]]])[1].startswith("Every word is marked")


def test_lists_that_differ_in_number_are_told_with_both_numbers() -> None:
    assert told(["a", "b"], [[]]) == ("E202", "There are 2 texts, but lists of spans for 1.")


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ({"sklearn"}, "The learners need scikit-learn, which is not installed."),
        ({"pycrfsuite"}, "The learners need python-crfsuite, which is not installed."),
        ({"sklearn", "pycrfsuite"}, "The learners need python-crfsuite and scikit-learn, which are not installed."),
    ],
)
def test_what_is_missing_is_told_by_name(monkeypatch: pytest.MonkeyPatch, missing: set[str], said: str) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name in missing else name)
    with pytest.raises(LearningError) as caught:
        require_packages()
    assert (caught.value.problems[0].code, caught.value.problems[0].message) == ("E208", said)
    assert "E208" in USAGE


def test_nothing_is_told_when_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    require_packages()
