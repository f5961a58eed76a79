"""Names of persons, places and organisations in sentences about people who do not exist."""

from __future__ import annotations

import numpy as np
import pytest

from kgsan.text.proper import KINDS, agreed, proper_names
from kgsan.text.tagger import tag


def names(*sentences: str) -> list[tuple[str, str]]:
    words = " ".join(sentences).split()
    starts = np.cumsum([0, *(len(sentence.split()) for sentence in sentences[:-1])])
    return [(" ".join(words[a:b]), kind) for a, b, kind in proper_names(words, tag(words, starts), starts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mrs. Ellen Marsh moved to Dublin .", [("Ellen Marsh", "person"), ("Dublin", "place")]),
        (
            "Dr. Robert Hale works at the University of Leeds .",
            [("Robert Hale", "person"), ("University of Leeds", "organisation")],
        ),
        ("She was born in New Zealand .", [("New Zealand", "place")]),
        ("Thomas said that Anna Keller was his sister .", [("Thomas", "person"), ("Anna Keller", "person")]),
        ("The patient was given two tablets .", []),
        ("His shoes were wet on Monday .", []),
    ],
)
def test_names_are_found_with_their_kind(text: str, expected: list[tuple[str, str]]) -> None:
    assert names(text) == expected


def test_a_surname_alone_is_a_person_where_the_whole_name_was_given() -> None:
    made = names("Mr. Peter Quillfeather was seen on Monday .", "Quillfeather denied any pain .")
    assert ("Quillfeather", "person") in made


def test_names_in_small_letters_are_found() -> None:
    assert ("ellen marsh", "person") in names("yesterday mrs. ellen marsh was seen by a nurse .")


def test_names_in_capitals_are_found() -> None:
    assert "JOHN SMITH" in {name for name, kind in names("THE PATIENT IS JOHN SMITH FROM LONDON .") if kind == "person"}


@pytest.mark.parametrize("words", [[], ["x"], ["John"] * 5000, ["("] * 5000, ["\ud800", "🙂", "漢字"], ["B" * 100_000]])
def test_odd_texts_have_spans_in_order(words: list[str]) -> None:
    starts = np.arange(min(len(words), 1))
    end = 0
    for first, last, kind in proper_names(words, tag(words, starts), starts):
        assert end <= first < last <= len(words)
        assert kind in KINDS
        end = last


def test_only_capitalised_forms_agree_with_each_other() -> None:
    scores = np.zeros((3, 13), dtype=np.float32)
    scores[0, 1] = 10
    made = agreed(scores, np.array([1, 1, 1]), np.array([True, True, False]))
    assert made[1, 1] == 5
    assert (made[2] == scores[2]).all()
