"""Examples of a policy, tried against a sanitizer that hides the places it is told to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.errors import Place, Problem
from kgsan.policy.policy import Example
from kgsan.sanitize.examples import Outcome, _places, _shows, try_example
from kgsan.sanitize.result import NotSafe

TEXT = "He has HIV and food."
HIV, FOOD = (7, 10), (15, 19)


def hiding(*spans: tuple[int, int]) -> Any:
    decisions = [SimpleNamespace(start=start, end=end) for start, end in spans]
    return SimpleNamespace(sanitize=lambda _: SimpleNamespace(decisions=decisions))


@pytest.mark.parametrize(
    ("text", "words", "places"),
    [
        ("HIV and HIV", "HIV", [(0, 3), (8, 11)]),
        ("HIV x", "HIV", [(0, 3)]),
        ("x HIV", "HIV", [(2, 5)]),
        ("xHIV", "HIV", []),
        ("HIVs", "HIV", []),
        ("1HIV HIV2 HIV", "HIV", [(10, 13)]),
        ("x(HIV", "(HIV", [(1, 5)]),
        ("HIV)x", "HIV)", [(0, 4)]),
        ("----", "---", [(0, 3), (1, 4)]),
        ("AIDS", "HIV", []),
    ],
)
def test_words_are_found_where_they_are_words_of_their_own(text: str, words: str, places: list[tuple[int, int]]) -> None:
    assert list(_places(text, words)) == places


@pytest.mark.parametrize(
    ("spans", "shows"),
    [
        ([], True),
        ([(4, 9)], False),
        ([(0, 20)], False),
        ([(5, 9)], True),
        ([(4, 8)], True),
        ([(4, 6), (7, 9)], False),
        ([(4, 6), (8, 9)], True),
        ([(0, 4), (9, 12)], True),
    ],
)
def test_a_place_shows_while_one_letter_of_it_is_not_hidden(spans: list[tuple[int, int]], shows: bool) -> None:
    assert _shows("He, A1-B2, too", (4, 9), spans) is shows


@pytest.mark.parametrize(
    ("example", "spans", "wrong"),
    [
        (Example(TEXT, must_hide=("HIV",), must_keep=("food",)), [HIV], []),
        (Example(TEXT, must_hide=("HIV",)), [FOOD], ["'HIV' is not hidden"]),
        (Example("HIV, HIV", must_hide=("HIV",)), [(0, 3)], ["'HIV' is not hidden"]),
        (Example(TEXT, must_hide=("AIDS",)), [HIV], ["'AIDS' is to be hidden, but the text does not hold it"]),
        (Example(TEXT, must_keep=("AIDS",)), [HIV], ["'AIDS' is to be kept, but the text does not hold it"]),
        (Example(TEXT, must_keep=("food",)), [HIV, (18, 19)], ["'food' is not kept"]),
        (Example(TEXT, must_keep=("food",)), [(7, 16)], ["'food' is not kept"]),
        (Example(TEXT, must_keep=("food",)), [(7, 15)], []),
        (Example(TEXT, must_keep=("food",)), [(19, 20)], []),
        (Example(TEXT, unchanged=True), [], []),
        (Example(TEXT, unchanged=True), [HIV, FOOD], ["the text is to stay as it is, but 2 places are hidden"]),
        (Example(TEXT), [HIV], []),
        (Example(TEXT, must_hide=("HIV", "food"), must_keep=("HIV",)), [HIV], ["'food' is not hidden", "'HIV' is not kept"]),
    ],
)
def test_what_is_wrong_is_told_in_sentences_and_a_known_gap_is_none(
    example: Example, spans: list[tuple[int, int]], wrong: list[str]
) -> None:
    tried = try_example(example, hiding(*spans))
    assert (tried.outcome, tried.wrong) == (Outcome.FAILED if wrong else Outcome.PASSED, tuple(wrong))
    gap = Example(example.text, example.must_hide, example.must_keep, example.unchanged, known_gap=True)
    tried = try_example(gap, hiding(*spans))
    assert (tried.outcome, tried.wrong) == (Outcome.GAP if wrong else Outcome.CLOSED, tuple(wrong))


def test_a_text_that_cannot_be_made_safe_fails_its_example() -> None:
    def sanitize(_: str) -> None:
        raise NotSafe(Problem("S101", Place("toy"), "It cannot."))

    tried = try_example(Example(TEXT), SimpleNamespace(sanitize=sanitize))  # type: ignore[arg-type]
    assert (tried.outcome, tried.wrong) == (Outcome.FAILED, ("the text cannot be made safe",))
