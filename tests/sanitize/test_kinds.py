"""What sort of thing a word can mean, and what is nearly always meant by it."""

from __future__ import annotations

import pytest

import kgsan
from kgsan.sanitize.first_meanings import means_the_first
from kgsan.sanitize.kinds import Kinds
from kgsan.sanitize.ladder import _usual_name

KINDS = Kinds(kgsan.load_ontology())


@pytest.mark.parametrize(
    ("word", "general", "may_be"),
    [
        ("burglary", "behavior", True),
        ("kosher kitchen", "behavior", False),
        ("leaflets", "behavior", False),
        ("use of heroin", "behavior", True),  # the use, not the heroin
        ("haematology", "physician", False),
        ("Muslim", "person", True),
        ("Jewish people", "personal characteristic", False),
        ("airway clearance", "equipment", False),
        ("crisis team", "place", True),  # an organization goes by its place
        ("T cells", "laboratory test", True),  # what is measured goes for the test
        ("Creon", "medication", True),  # the king of that name is another matter
        ("vardo", "behavior", True),  # a word that no dictionary has
        ("burglary", "xyzzy", True),
    ],
)
def test_a_word_may_be_what_it_can_mean(word: str, general: str, may_be: bool) -> None:
    assert KINDS.may_be(word, general) is may_be


def test_without_a_dictionary_anything_may_be_anything() -> None:
    assert Kinds(kgsan.load_ontology("mesh")).may_be("kosher kitchen", "behavior")


@pytest.mark.parametrize(("word", "first"), [("mother", True), ("Mother", True), ("screening", False), ("option", False)])
def test_some_words_of_several_meanings_have_the_first_nearly_everywhere(word: str, first: bool) -> None:
    assert means_the_first(word) is first


@pytest.mark.parametrize(
    ("word", "written"),
    [("topographic point", "place"), ("doctor", "doctor"), ("hiding place", "hiding place"), ("Europe", "Europe")],
)
def test_of_the_names_that_a_dictionary_has_for_a_thing_the_one_is_written_that_people_use(word: str, written: str) -> None:
    wordnet = kgsan.load_ontology("wordnet")[0]
    assert _usual_name(wordnet, wordnet.find(word)[0]) == written
