"""Where a name is that of a place smaller than a state, told by what stands around it; a table that an expert can extend."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kgsan.text.document import Document
from tests.risk.test_marking import hidden, marker

PLACES = "policy: toy\nlaw: Toy Act\nidentifiers: [geography]\n"

#: What is written in _underscores_ is hidden, and nothing else.
TABLE = {
    "a name that nothing else shares counts wherever it has its capital": [
        "He left _Duluth_.",
        "_Duluth_. He left.",
        "via _Duluth_ to _Fargo_",
        "_Springfield_ residents protested.",
        "He is originally from _Brno_.",
        "He spoke to _Houston_.",
    ],
    "without its capital it counts behind a word that says where": [
        "She was seen in _duluth_.",
        "She was seen near _duluth_.",
        "He comes from _duluth_.",
        "duluth is cold.",
        "He likes duluth.",
        "He was seen in bath.",
    ],
    "a name that is also a word wants a sign": [
        "He was seen in _Bath_.",
        "He lives in _Reading_ with his son.",
        "He was in _Nice_.",
        "Reading is fun.",
        "He was Reading a book.",
        "Nice is nice.",
        "The River rose.",
        "He saw the River Street house.",
    ],
    "a state or a postcode behind it is a sign, and stays": [
        "_Gary_, Indiana",
        "_Gary_, Indiana 46402",
        "He lives in _Gary_, Indiana, with his wife.",
        "_Mobile_, AL 36602",
        "in _Duluth_, Minnesota",
        "_Duluth_, MN",
        "He visited _Paris_, Texas.",
        "patient from _Two Harbors_, Minnesota",
        "Gary is ill.",
    ],
    "a street before it is a sign": ["He lives at 12 Oak Street, _Mobile_.", "12 Oak Street, _Reading_"],
    "what a hyphen joins to a place does not hide it": [
        "She joined a _Manhattan_-based firm.",
        "A _Boston_-area doctor met a _Chicago_-trained chef.",
        "He drank a Manhattan and left.",
    ],
    "parts joined by small words are a place, unless they are a post or a thing": [
        "They live in _Stoke-on-Quill_ near the river.",
        "_Kirkby-in-Thornefell_ voted.",
        "She moved to _Weston-super-Mare_ in May.",
        "He is Writer-in-Residence and Commander-in-Chief.",
        "The Jack-in-the-Box is broken.",
    ],
    "two places joined are places where something stands in both": [
        "The _Dallas_-_Fort Worth_ area grew.",
        "McGraw-Hill and Hewlett-Packard sued.",
    ],
    "where somebody goes is a place, whoever is called so": ["He visited _Paris_ in May.", "Paris called him in May."],
    "what stands in a place tells of it": [
        "The _Duluth_ clinic called.",
        "_Duluth_-based lawyers called.",
        "_Rochester_ police arrested him.",
        "She went to the _Rochester_ area.",
        "A _Manhattan_ apartment burned.",
        "A _Paris_ hotel burned.",
        "He called the _Fargo_ court.",
    ],
    "the name of what stands there goes with it": [
        "He was admitted to _Rochester General Hospital_.",
        "He called _Fargo Crown Court_.",
        "She lives in _Cook County_.",
        "He lives in _New York City_.",
    ],
    "what is only called after a place stays": [
        "Lyme disease was found.",
        "He wore Chelsea boots.",
        "Lima beans were served.",
        "He drank a Manhattan.",
        "He drank two Manhattans.",
        "He works for McGraw-Hill.",
        "He works at Duluth-Hill.",
        "Houghton Mifflin published it.",
        "Lord Howe Island is far.",
    ],
    "states and countries stay": [
        "She moved to Georgia.",
        "He lives in New York.",
        "The New York office called.",
        "NEW YORK",
        "She lives in Minnesota, in the United States.",
    ],
    "four capitals may be an acronym": ["He moved from LIMA to Ohio."],
    "a name that nobody knows is a place where somebody lives or goes": [
        "He moved to _Quillonby_ last year.",
        "He lives in _Quillonby_.",
        "He was born near _Quillonby_.",
        "Lives in _Quillonby_, alone.",
        "Resides in _Zellbach_.",
        "He flew to _Zellbach_ and _Norrvik_.",
        "He returned from _Old Quillonby Green_ in May.",
        "He thought of Quillonby.",
        "He was happy in Abc.",
        "She lives in UKM.",
    ],
    "a number is no name": ["The 55804 area"],
}
ROWS = [pytest.param(row, id=row) for rows in TABLE.values() for row in rows]


@pytest.mark.parametrize("row", ROWS)
def test_a_place_is_told_by_what_stands_around_it(row: str) -> None:
    assert hidden(PLACES, row.replace("_", "")) == row.split("_")[1::2]


@pytest.mark.parametrize("row", ROWS)
def test_what_is_told_of_a_place_does_not_depend_on_what_other_sentences_say(row: str) -> None:
    plain = row.replace("_", "")
    if plain.endswith("."):
        assert hidden(PLACES, f"Nothing was found.\n\n{plain}\n\nNothing was said.") == row.split("_")[1::2]


def test_places_come_in_order_and_each_says_why() -> None:
    text = " ".join(row.replace("_", "") for rows in TABLE.values() for row in rows if row.endswith("."))
    marks = marker(PLACES).mark(marker(PLACES).read(Document(text)))
    assert len(marks) > 25
    assert all(before.start <= after.start for before, after in pairwise(marks))
    reasons = {mark.because for mark in marks}
    assert any("smaller than a state" in reason for reason in reasons)
    assert any("by how it is used" in reason for reason in reasons)
    assert any("stands in an address" in reason for reason in reasons)
