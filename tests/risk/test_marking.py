from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

import kgsan
from kgsan.policy.policy import Example
from kgsan.policy.read import load_policy
from kgsan.risk.examples import Outcome, try_example
from kgsan.risk.marking import Marker
from kgsan.risk.reasons import reasons
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
    for mark in marker(policy).mark(Document(text)):
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


def test_a_misspelt_name_is_hidden_when_the_policy_asks() -> None:
    policy = "policy: toy\nlaw: Toy Act\nprotect: [gonorrhea]\n"
    assert hidden(policy, "treated for gonnorrhea") == []
    assert hidden(policy + "misspellings: find\n", "treated for gonnorrhea") == ["gonnorrhea"]


SAFE_HARBOR = """\
policy: toy
law: Toy Act
identifiers: [all, {kind: zip, keep: first-3}, {kind: date, keep: year}, {kind: ssn, keep: last-4}, {kind: age, above: 89}]
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Born March 3, 1957.", ["March 3, "]),
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


def test_what_says_more_than_a_term_is_hidden_and_the_term_stays() -> None:
    policy = "policy: toy\nlaw: Toy Act\ntoo_specific_above: actor\n"
    assert hidden(policy, "An actor and a comedian, a person who likes food.") == ["comedian"]


def test_a_mark_says_why_without_words_of_the_text() -> None:
    [mark] = marker(HIV).mark(Document("Jane is HIV-positive."))
    assert mark.because == "names HIV-positive status, which is protected as HIV"


@pytest.mark.parametrize(
    ("example", "outcome"),
    [
        (Example("HIV and food.", must_hide=("HIV",), must_keep=("food",)), Outcome.PASSED),
        (Example("Food.", unchanged=True), Outcome.PASSED),
        (Example("HIV.", unchanged=True), Outcome.FAILED),
        (Example("HIV.", must_keep=("HIV",)), Outcome.FAILED),
        (Example("Zidovudine.", must_hide=("Zidovudine",)), Outcome.FAILED),
        (Example("Zidovudine.", must_hide=("Zidovudine",), known_gap=True), Outcome.GAP),
        (Example("HIV.", must_hide=("HIV",), known_gap=True), Outcome.CLOSED),
        (Example("HIV.", must_hide=("AIDS",)), Outcome.FAILED),
    ],
)
def test_an_example_passes_only_when_the_policy_does_what_it_says(example: Example, outcome: Outcome) -> None:
    assert try_example(example, marker(HIV)).outcome is outcome


@pytest.mark.parametrize(
    ("term", "told"),
    [
        ("AIDS", "'AIDS' is hidden as HIV: it names AIDS (AIDS > HIV infection"),
        ("zidovudine", "treats: HIV infection"),
        ("table", "'table' is not hidden by its name"),
        ("qwertz", "no ontology knows it"),
    ],
)
def test_a_term_is_explained_whether_hidden_or_not(term: str, told: str) -> None:
    assert told in " ".join(reasons(term, marker(HIV)))


def test_nothing_that_was_found_shows_words_of_the_text() -> None:
    document = Document("Jane takes zidovudine against AIDS and smoked crack with heroin.")
    mentions = marker(HIV).finder.find(document)
    reader = marker(HIV).guard.read(document, mentions)
    shown = [
        *mentions,
        *(sense for mention in mentions for sense in mention.senses),
        *marker(HIV).mark(document),
        document,
        mentions,
    ]
    shown += [reader.verdict(mention, sense) for mention in mentions for sense in mention.senses]
    shown += [*document.noun_phrases, *document.proper_names]
    told = repr(shown).lower()
    assert not [word for word in ("jane", "zidovudine", "aids", "crack", "cocaine", "heroin") if word in told]
