from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

import kgsan
from kgsan.policy.read import load_policy
from kgsan.risk.marking import Marker
from kgsan.text.document import Document

if TYPE_CHECKING:
    from kgsan.ontology.stack import OntologyStack

HIV = "policy: toy\nlaw: Toy Act\nprotect: [HIV]\n"


@cache
def stack() -> OntologyStack:
    return kgsan.load_ontology()


@cache
def marker(policy: str) -> Marker:
    return Marker(load_policy(policy), stack())


def hidden(policy: str, text: str) -> list[str]:
    """The words that a policy hides, marks that touch or overlap taken together."""
    spans: list[list[int]] = []
    for mark in marker(policy).mark(marker(policy).read(Document(text))):
        if spans and mark.start <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], mark.end)
        else:
            spans.append([mark.start, mark.end])
    return [text[start:end] for start, end in spans]


def test_the_entity_its_synonyms_and_specializations_are_hidden() -> None:
    text = "HIV positive, AIDS since 2009, seropositive; influenza and hearing aids."
    assert hidden(HIV, text) == ["HIV positive", "AIDS", "seropositive"]


def test_a_denied_status_is_hidden_unless_the_policy_keeps_it() -> None:
    text = "He tested negative for syphilis but fears AIDS."
    policy = "policy: toy\nlaw: Toy Act\nprotect: [HIV, syphilis]\n"
    assert hidden(policy, text) == ["syphilis", "AIDS"]
    assert hidden(policy + "negated: keep\n", text) == ["AIDS"]


def test_lists_of_the_policy_are_obeyed() -> None:
    policy = HIV + "allow: [{term: AIDS, because: In a title.}]\ndeny: [{term: Ward 7, because: Only these patients.}]\n"
    assert hidden(policy, "AIDS and HIV on Ward 7, wards 7") == ["HIV", "Ward 7", "wards 7"]


def test_a_misspelt_name_is_hidden_unless_the_policy_ignores_it() -> None:
    policy = "policy: toy\nlaw: Toy Act\nprotect: [gonorrhea]\n"
    assert hidden(policy, "treated for gonnorrhea") == ["gonnorrhea"]
    assert hidden(policy + "misspellings: ignore\n", "treated for gonnorrhea") == []


SAFE_HARBOR = """\
policy: toy
law: Toy Act
identifiers: [all, {kind: zip, keep: first-3}, {kind: date, keep: year}, {kind: ssn, keep: last-4}, {kind: age, above: 89}]
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Born March 3, 1957.", ["March 3,"]),
        ("SSN 536-22-1234", ["536-22-"]),
        ("Springfield, IL 62704", ["Springfield", "04"]),
        ("Hanover, NH 03602", ["Hanover", "03602"]),  # fewer than 20,000 people live where ZIP codes begin with 036
        ("a 92-year-old woman and her son, aged 61", ["92-year-old"]),
        ("ninety-two years old; sixty years old", ["ninety-two years old"]),
        ("Mr. Tomas Lindqvist met Ellen Marsh.", ["Tomas Lindqvist", "Ellen Marsh"]),
        ("He has Parkinson's disease.", []),
    ],
)
def test_parts_of_identifiers_stay_where_the_policy_keeps_them(text: str, expected: list[str]) -> None:
    assert hidden(SAFE_HARBOR, text) == expected


def test_of_a_childs_name_the_initials_stay() -> None:
    policy = "policy: toy\nlaw: Toy Act\nidentifiers: [{kind: minor, keep: initials}]\n"
    assert hidden(policy, "Her daughter Maria Lopez, aged 9, was seen. Dr. Okafor left.") == ["aria", "opez"]


def test_a_place_is_hidden_below_its_state_only() -> None:
    policy = "policy: toy\nlaw: Toy Act\nprotect: [{entity: geography below state level, hide: which}]\n"
    assert hidden(policy, "He moved from Duluth, Minnesota to Cook County, Illinois.") == [
        "Duluth, Minnesota",
        "Cook County, Illinois",
    ]
    assert hidden(policy, "She lives in Minnesota, in the United States.") == []


def test_a_mark_says_why_without_words_of_the_text() -> None:
    [mark] = marker(HIV).mark(marker(HIV).read(Document("Jane is HIV-positive.")))
    assert mark.because == "names HIV-positive status, which is protected as HIV"


def test_nothing_that_was_found_shows_words_of_the_text() -> None:
    document = Document("Jane takes zidovudine against AIDS and smoked crack with heroin.")
    mentions = marker(HIV).finder.find(document)
    reader = marker(HIV).guard.read(document, mentions)
    shown = [
        *mentions,
        *(sense for mention in mentions for sense in mention.senses),
        *marker(HIV).mark(marker(HIV).read(document)),
        document,
        mentions,
    ]
    shown += [reader.verdict(mention, sense) for mention in mentions for sense in mention.senses]
    shown += [*document.noun_phrases, *document.proper_names]
    told = repr(shown).lower()
    assert not [word for word in ("jane", "zidovudine", "aids", "crack", "cocaine", "heroin") if word in told]
