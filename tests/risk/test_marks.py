"""What a policy hides before anything is inferred, in a small world: by name, by kind, by its own list, and not what it allows."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.policy.policy import Allowed, Denied, IdentifierRule, Policy, ProtectedEntity
from kgsan.risk.disclosures import Rule
from kgsan.risk.marking import Marker
from kgsan.risk.reading import Taken
from kgsan.text.document import Document
from tests.risk.worlds import ontology, stack

if TYPE_CHECKING:
    from pathlib import Path

STACK = stack(
    ontology({"disease": "", "HIV": "disease; =seropositive", "HIV test": "", "syphilis": "disease", "gonorrhea": "disease"}),
    ontology({"places:below-state": "", "Duluth": "places:below-state", "Fargo": "places:below-state", "62704": "Duluth"}),
)


def policy(*entities: str, **settings: Any) -> Policy:
    return Policy("toy", "Toy Act", protect=tuple(map(ProtectedEntity, entities)), **settings)


def marks(text: str, made: Policy) -> list[tuple[str, Rule, str]]:
    marker = Marker(made, STACK)
    found = marker.mark(marker.read(Document(text)))
    [again] = [marker.mark(reading) for reading in marker.read_many([Document(text)])]
    assert found == again == sorted(found, key=lambda mark: (mark.start, mark.end))
    return [(text[mark.start : mark.end], mark.rule, mark.entity) for mark in found]


def words(text: str, made: Policy) -> list[str]:
    return [said for said, _, _ in marks(text, made)]


def test_what_is_named_is_marked_for_every_entity_that_covers_it() -> None:
    text = "An HIV test, seropositive; syphilis."
    assert marks(text, policy("disease", "HIV")) == [
        ("HIV", Rule.NAMING, "HIV"),
        ("HIV", Rule.NAMING, "disease"),
        ("seropositive", Rule.NAMING, "HIV"),
        ("seropositive", Rule.NAMING, "disease"),
        ("syphilis", Rule.NAMING, "disease"),
    ]
    marker = Marker(policy("HIV"), STACK)
    reading = marker.read(Document(text))
    [first, second] = marker.mark(reading)
    assert first.because == "names HIV, which is protected as HIV"
    assert (first.sense is not None and first.sense.concept.name, second.share) == ("HIV", None)
    assert reading.named == {(3, 6), (13, 25)}


def test_many_texts_are_read_as_each_alone() -> None:
    marker = Marker(policy("HIV"), STACK)
    texts = ["An HIV test.", "Nothing.", "seropositive"]
    readings = marker.read_many([Document(text) for text in texts])
    assert [[(mark.start, mark.end) for mark in marker.mark(one)] for one in readings] == [[(3, 6)], [], [(0, 12)]]


def test_without_a_stack_the_ontologies_of_the_policy_are_read(tmp_path: Path) -> None:
    file = tmp_path / "toy.obo"
    terms = "[Term]\nid: T:1\nname: disease\n\n[Term]\nid: T:2\nname: zellbachitis\nis_a: T:1\n"
    file.write_text(f"format-version: 1.2\n\n{terms}", encoding="utf-8")
    made = policy("disease", ontologies=(str(file),))
    marker = Marker(made)
    assert [(mark.start, mark.end) for mark in marker.mark(marker.read(Document("zellbachitis")))] == [(0, 12)]


@pytest.mark.parametrize(("misspellings", "expected"), [("find", ["gonnorrhea"]), ("ignore", [])])
def test_misspelt_names_are_found_where_the_policy_wants_it(misspellings: str, expected: list[str]) -> None:
    assert words("Treated for gonnorrhea.", policy("disease", misspellings=misspellings)) == expected


@pytest.mark.parametrize(("negated", "expected"), [("hide", ["HIV", "syphilis"]), ("keep", ["syphilis"])])
def test_what_the_text_denies_stays_where_the_policy_keeps_it(negated: str, expected: list[str]) -> None:
    assert words("He has no HIV. He has syphilis.", policy("HIV", "syphilis", negated=negated)) == expected


def test_what_is_allowed_stays_by_any_rule_and_nothing_else_does() -> None:
    allow = (Allowed("HIV", "In a title."), Allowed("Ward 7", "A waiver."), Allowed("seropositive syphilis", "Not here."))
    deny = (Denied("Ward 7", "Few patients."), Denied("Ward 9", "Few patients."))
    text = "HIV, seropositive, syphilis on Ward 7 and wards 9"
    assert words(text, policy("HIV", "syphilis", deny=deny, allow=allow)) == ["seropositive", "syphilis", "wards 9"]
    assert words(text, policy("HIV", "syphilis", deny=deny)) == ["HIV", "seropositive", "syphilis", "Ward 7", "wards 9"]


def test_what_is_listed_is_hidden_for_its_entity_and_its_reason() -> None:
    deny = (Denied("Ward 7", "Only these patients.", "HIV"), Denied("blue form", "Used for nothing else."))
    marker = Marker(policy(deny=deny), STACK)
    found = marker.mark(marker.read(Document("A blue form from ward 7.")))
    assert [(mark.start, mark.end, mark.rule, mark.entity, mark.because) for mark in found] == [
        (2, 11, Rule.DENY, "", "Used for nothing else."),
        (17, 23, Rule.DENY, "HIV", "Only these patients."),
    ]
    assert words("A blue form from ward 7.", policy()) == []


ZIP = IdentifierRule("zip")


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # Of what a part may stay the rule for its kind decides, not the place that a ZIP code names.
        ((IdentifierRule("zip", keep="first-3"),), [("04", Rule.IDENTIFIER)]),
        ((ZIP,), [("62704", Rule.IDENTIFIER), ("62704", Rule.NAMING)]),
        ((ZIP, IdentifierRule("date", keep="year")), [("62704", Rule.IDENTIFIER), ("62704", Rule.NAMING)]),
        ((), [("62704", Rule.NAMING)]),
    ],
)
def test_a_part_of_a_zip_code_stays_although_the_code_names_a_protected_place(
    rules: tuple[IdentifierRule, ...], expected: list[tuple[str, Rule]]
) -> None:
    found = marks("Springfield, IL 62704", policy("Duluth", identifiers=rules))
    assert [mark[:2] for mark in found] == expected


def test_a_place_that_is_protected_by_name_is_marked_as_that_alone_and_any_other_as_a_place() -> None:
    rules = (IdentifierRule("geography"),)
    text = "She moved from Duluth to Fargo."
    assert marks(text, policy("Duluth", identifiers=rules)) == [
        ("Duluth", Rule.NAMING, "Duluth"),
        ("Fargo", Rule.IDENTIFIER, "geography"),
    ]
    assert words(text, policy(identifiers=rules)) == ["Duluth", "Fargo"]


def test_the_policy_says_what_is_written_and_otherwise_the_law_does() -> None:
    text = "Springfield, IL 62704 and Hanover, NH 03602; call 555-867-5309."

    def written(*rules: IdentifierRule) -> list[str | None]:
        marker = Marker(policy(identifiers=rules), STACK)
        return [mark.write for mark in marker.mark(marker.read(Document(text)))]

    phone = IdentifierRule("phone")
    assert written(IdentifierRule("zip", keep="first-3", write="00"), phone) == ["00", "00", None]
    assert written(IdentifierRule("zip", keep="first-3"), phone) == [None, "000", None]


def test_spans_are_told_that_hold_another_or_touch_it() -> None:
    spans = list(combinations(range(6), 2))
    for taken in (
        [],
        [(0, 2)],
        [(1, 3)],
        [(1, 3), (2, 4)],
        [(0, 1), (3, 5)],
        [(0, 5), (1, 2)],
        [(3, 4), (0, 2)],
        [(2, 4), (2, 3)],
    ):
        asked = Taken(taken)
        for start, end in spans:
            places = set(range(start, end))
            assert asked.touches(start, end) is any(places & set(range(*one)) for one in taken)
            assert asked.holds(start, end) is any(places <= set(range(*one)) for one in taken)
