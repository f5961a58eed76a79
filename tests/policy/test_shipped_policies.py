"""The policies that ship: each holds, means what it says, and does what its examples ask."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import jsonschema
import pytest
import yaml

import kgsan
from kgsan.policy.read import load_policy, shipped_policies
from kgsan.policy.schema import policy_schema
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.risk.marking import Marker
from kgsan.sanitize.examples import Outcome, Tried, try_example
from kgsan.text.document import Document

if TYPE_CHECKING:
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.policy import Example

#: Those that the manual speaks of; a policy may be added, but none may go without a word.
PROMISED = {
    "us-hiv",
    "us-42cfr-part2",
    "us-38usc7332",
    "us-mental-health",
    "us-std",
    "hipaa-safe-harbor",
    "eu-gdpr-art9",
    "court-filings",
    "everything-more-specific-than",
}
SHIPPED = sorted(shipped_policies())
FEWEST_EXAMPLES = 8
#: A citation has a number, or names its article.
_CITES = re.compile(r"\d|\bArt\.")


@cache
def stack() -> OntologyStack:
    return kgsan.load_ontology()


@cache
def marker(name: str) -> Marker:
    return Marker(load_policy(name), stack())


def size(terms: SensitiveTerms, number: int) -> int:
    """How many concepts an entity covers."""
    return sum(map(len, terms.concepts(number)))


def ends_with(name: str, outcome: Outcome) -> list[Example]:
    return [each.example for each in tried(name) if each.outcome is outcome]


@cache
def tried(name: str) -> list[Tried]:
    sanitizer = kgsan.Sanitizer(load_policy(name), stack())
    return [try_example(example, sanitizer) for example in sanitizer.policy.examples]


def shown(name: str, text: str) -> str:
    """The text with a dot for every sign that is hidden."""
    signs = list(text)
    for mark in marker(name).mark(marker(name).read(Document(text))):
        signs[mark.start : mark.end] = "." * (mark.end - mark.start)
    return "".join(signs)


def test_the_promised_policies_ship() -> None:
    assert set(SHIPPED) >= PROMISED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_policy_is_called_like_its_file_and_has_an_owner(name: str) -> None:
    policy = load_policy(name)
    assert policy.name == name
    assert policy.version is not None
    assert policy.owner is not None
    assert policy.jurisdiction is not None


@pytest.mark.parametrize("name", SHIPPED)
def test_a_policy_begins_with_what_it_is_for(name: str) -> None:
    lines = shipped_policies()[name].read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# yaml-language-server: $schema=policy.schema.json"
    head = " ".join(line for line in lines[: lines.index(f"policy: {name}")])
    assert "starting point" in head
    assert "counsel" in head


@pytest.mark.parametrize("name", SHIPPED)
def test_every_entity_has_one_meaning(name: str) -> None:
    resolutions = marker(name).sensitive.resolutions
    assert [each.entity.entity for each in resolutions if not each.is_known] == []
    assert [each.entity.entity for each in resolutions if each.rivals] == []
    assert [each.unknown_ids for each in resolutions if each.unknown_ids] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_every_exception_takes_something_away(name: str) -> None:
    policy = marker(name).policy
    for number, entity in enumerate(policy.protect):
        for term in entity.exceptions:
            fewer = replace(entity, exceptions=tuple(other for other in entity.exceptions if other != term))
            wider = SensitiveTerms(replace(policy, protect=(fewer,)), stack())
            assert size(wider, 0) > size(marker(name).sensitive, number), term


@pytest.mark.parametrize("name", SHIPPED)
def test_every_protected_entity_cites_its_law(name: str) -> None:
    silent = [each.entity for each in load_policy(name).protect if not _CITES.search(each.because or "")]
    assert silent == []


@pytest.mark.parametrize("name", SHIPPED)
def test_no_example_fails(name: str) -> None:
    assert [each.wrong for each in tried(name) if each.outcome is Outcome.FAILED] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_a_gap_that_is_closed_is_no_longer_called_one(name: str) -> None:
    assert [example.place.line for example in ends_with(name, Outcome.CLOSED)] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_examples_show_enough_of_what_goes_and_of_what_stays(name: str) -> None:
    passed = ends_with(name, Outcome.PASSED)
    decoys = [example for example in passed if example.unchanged or (example.must_keep and not example.must_hide)]
    assert len(passed) >= FEWEST_EXAMPLES
    assert len(decoys) * 3 >= len(passed)
    assert len(passed) > len(decoys)


# What an example cannot say, because a part of a word stays.


def test_of_a_childs_name_the_initials_stay_in_a_filing() -> None:
    assert shown("court-filings", "The minor child, Rosalind Pike, testified.") == "The minor child, R....... P..., testified."


def test_the_name_of_an_adult_stays_in_a_filing() -> None:
    text = "Plaintiff Edmund Farrow moves to dismiss."
    assert shown("court-filings", text) == text


def test_three_digits_of_a_zip_code_stay_under_safe_harbor() -> None:
    assert shown("hipaa-safe-harbor", "Mail goes to ZIP 10701 now.") == "Mail goes to ZIP 107.. now."


def test_no_digit_of_a_sparsely_populated_zip_area_stays_under_safe_harbor() -> None:
    assert shown("hipaa-safe-harbor", "Mail goes to ZIP 03601 now.") == "Mail goes to ZIP ..... now."


def test_a_place_below_the_state_goes_and_the_state_stays_under_safe_harbor() -> None:
    assert shown("hipaa-safe-harbor", "They left Ohio for Poughkeepsie in 2019") == "They left Ohio for ............ in 2019"


@pytest.mark.parametrize("name", SHIPPED)
def test_the_schema_accepts_every_shipped_policy(name: str) -> None:
    written = yaml.safe_load(shipped_policies()[name].read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(policy_schema()).validate(written)
