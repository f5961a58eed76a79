"""What the rules for identifiers keep and hide, part by part: where the last that stays ends, and whose name it is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.policy.policy import IdentifierRule
from kgsan.risk.personal import (
    _is_childs,
    _is_geography,
    _is_nobody,
    _is_old_enough,
    _kept,
    _minors,
    _number,
    _without_initials,
    _without_kept,
    personal,
)
from kgsan.risk.reading import Reading
from kgsan.risk.surroundings import Place
from kgsan.text.document import Document
from kgsan.text.identifiers import Identifier
from kgsan.text.mentions import Finder
from tests.risk.worlds import SaidGuard, ontology, span, stack

FINDER = Finder(stack(ontology({"disease": ""})))


def found(text: str, *rules: str | IdentifierRule, places: tuple[str, ...] = ()) -> list[Any]:
    geography: Any = SimpleNamespace(find=lambda reading, beside: [Place(*span(text, one), "said so") for one in places])
    guard: Any = SaidGuard()
    made = [IdentifierRule(rule) if isinstance(rule, str) else rule for rule in rules]
    return list(personal(Reading(Document(text), FINDER, guard), made, geography))


def hidden(text: str, *rules: str | IdentifierRule, places: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """What is hidden, and as what kind, in the order of the text."""
    return [(text[one.start : one.end], one.kind) for one in sorted(found(text, *rules, places=places))]


def words(text: str, *rules: str | IdentifierRule) -> list[str]:
    return [said for said, _ in hidden(text, *rules)]


# --- parts that stay -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "keep", "expected"),
    [
        ("in Springfield, IL 62704", "zip", None, ["62704"]),
        ("in Springfield, IL 62704", "zip", "first-3", ["04"]),
        ("in Springfield, IL 62704", "zip", "first-2", ["704"]),
        ("in Springfield, IL 62704", "zip", "first-1", ["2704"]),
        ("in Springfield, IL 62704-1234", "zip", "first-3", ["04-1234"]),
        ("Sent to HG2 8PQ.", "zip", "first-3", ["HG2 8PQ"]),  # no ZIP code, so nothing of it is known to be large
        ("SSN 536-22-1234", "ssn", "last-4", ["536-22-"]),
        ("SSN 536-22-1234", "ssn", "last-2", ["536-22-12"]),
        ("phone 036-222-1234", "phone", "last-4", ["036-222-"]),  # begins like a small area, and is none
        ("Born 3 March 1957 in May", "date", "year", ["3 March", "May"]),
        ("Write to j@x.example.org", "email", "domain", ["j@"]),
        ("IP 10.20.30.40", "ip", "network", [".30.40"]),
    ],
)
def test_what_the_rule_keeps_stays_and_the_rest_goes(text: str, kind: str, keep: str | None, expected: list[str]) -> None:
    assert words(text, IdentifierRule(kind, keep=keep)) == expected


@pytest.mark.parametrize(("keep", "write", "few"), [("first-3", "000", True), ("first-2", None, True), (None, None, False)])
def test_of_a_small_area_nothing_stays_and_the_law_writes_three_zeros(keep: str | None, write: str | None, few: bool) -> None:
    text = "He lives in Hanover, NH 03602"
    [one] = found(text, IdentifierRule("zip", keep=keep))
    assert (text[one.start : one.end], one.write) == ("03602", write)
    assert one.because.startswith("a ZIP code or a postcode (B): ")
    assert ("too few people live where it begins so" in one.because) is few


def test_of_what_has_no_part_to_keep_all_goes_for_its_own_reason() -> None:
    [one] = found("Sent to HG2 8PQ.", IdentifierRule("zip", keep="first-3"))
    assert one.write is None
    assert "too few" not in one.because
    [part] = found("SSN 536-22-1234", IdentifierRule("ssn", keep="last-4"))
    assert part.because == "a social security number (G), of which last-4 may stay"


@pytest.mark.parametrize(
    ("keep", "parts", "kept"),
    [
        ("first-3", [("first-3", 2, 5)], (2, 5)),
        ("first-2", [("first-3", 2, 5)], (2, 4)),
        ("first-9", [("first-3", 2, 5)], (2, 5)),  # no more than the part that may stay
        ("last-4", [("area", 0, 2), ("last-4", 4, 8)], (4, 8)),
        ("last-1", [("area", 0, 2), ("last-4", 4, 8)], (7, 8)),
        ("last-9", [("last-4", 4, 8)], (4, 8)),
        ("last-2", [("first-3", 2, 5)], None),
        ("first-2", [("area", 0, 2)], None),
        ("year", [("year", 4, 8), ("day", 0, 1)], (4, 8)),
        ("year", [("day", 0, 1), ("year-of-birth", 2, 3)], None),
        ("year", [], None),
    ],
)
def test_the_part_that_may_stay_is_the_one_asked_for_or_a_piece_of_a_longer_one(
    keep: str, parts: list[tuple[str, int, int]], kept: tuple[int, int] | None
) -> None:
    assert _kept(Document("0123456789"), Identifier(0, 9, "number", "test", tuple(parts)), keep) == kept


def test_blanks_beside_what_stays_stay_too() -> None:
    def gone(text: str, year: str) -> list[str]:
        one = Identifier(0, len(text), "date", "test", (("year", *span(text, year)),))
        made = _without_kept(Document(text), one, IdentifierRule("date", keep="year"))
        return [text[part.start : part.end] for part in made]

    assert gone("3 March   1957", "1957") == ["3 March"]
    assert gone("1957  May 3", "1957") == ["May 3"]
    assert gone("May 1957 on a Monday", "1957") == ["May", "on a Monday"]
    assert gone(" 1957 ", "1957") == []


# --- ages ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [("He is 89 years old.", []), ("He is 90 years old.", ["90 years old"]), ("aged 89 and aged ninety", ["ninety"])],
)
def test_an_age_above_the_limit_goes_and_does_not_depend_on_those_before_it(text: str, expected: list[str]) -> None:
    assert words(text, IdentifierRule("age", above=89)) == expected


@pytest.mark.parametrize(
    ("text", "parts", "above", "expected"),
    [
        ("7 of 90", [("months", 0, 1), ("years", 5, 7)], 89, True),
        ("90 of 7", [("months", 0, 2), ("years", 6, 7)], 89, False),
        ("89", [("years", 0, 2)], 89, False),
        ("90", [("years", 0, 2)], 89, True),
        ("many", [("years", 0, 4)], 89, True),  # what cannot be read may be old
        ("7", [], 89, True),
        ("7", [("years", 0, 1)], None, True),
    ],
)
def test_an_age_is_old_by_its_years(text: str, parts: list[tuple[str, int, int]], above: int | None, expected: bool) -> None:
    one = Identifier(0, len(text), "age", "test", tuple(parts))
    assert _is_old_enough(Document(text), one, IdentifierRule("age", above=above)) is expected


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("92", 92),
        ("0", 0),
        ("twenty", 20),
        ("thirty", 30),
        ("ninety", 90),
        ("ninety-two", 92),
        ("eleven", 11),
        ("nineteen", 19),
        ("a hundred", 100),
        ("hundred", 100),
        ("a hundred and two", 102),
        ("many", None),
        ("ninety or so", None),
        ("", None),
        ("zero", None),  # says nothing
        ("ninety".ljust(36) + "nine", 99),  # no more than forty signs are read
        ("ninety".ljust(40) + "odd", 90),
        ("ninety".ljust(80) + "odd", 90),
    ],
)
def test_a_number_is_read_in_figures_and_in_words(written: str, number: int | None) -> None:
    assert _number(written) == number


# --- names -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "nobody"),
    [
        ("J.S.", True),
        ("J", True),
        ("Jo", False),
        ("J. Renn", False),
        ("T. Jo", False),
        ("Hosp", True),
        ("Hosp.", True),
        ("Hospers", False),
        ("Serology", True),
        ("T. Biology", False),
        ("Renn", False),
        ("Uria", True),
        ("...", True),
    ],
)
def test_initials_labels_and_branches_of_medicine_are_nobody(name: str, nobody: bool) -> None:
    assert _is_nobody(name) is nobody


ADULT, CHILD = "Mr. Tomas Lindqvist called.", "Mr. Tomas Lindqvist and his son called."


@pytest.mark.parametrize(
    ("text", "rules", "expected"),
    [
        (ADULT, ["name"], [("Tomas Lindqvist", "name")]),
        (CHILD, ["name"], [("Tomas Lindqvist", "name")]),
        (ADULT, ["minor"], []),
        (CHILD, ["minor"], [("Tomas Lindqvist", "minor")]),
        (ADULT, ["name", "minor"], [("Tomas Lindqvist", "name")]),
        (CHILD, ["name", "minor"], [("Tomas Lindqvist", "minor")]),
        (ADULT, ["zip"], []),
        (ADULT, [], []),
        ("Mr. Tomas Lindqvist, aged 17, called.", ["minor"], [("Tomas Lindqvist", "minor")]),
        ("Mr. Tomas Lindqvist, aged 18, called.", ["minor"], []),
        ("Mr. Tomas Lindqvist, aged 17, called.", ["name"], [("Tomas Lindqvist", "name")]),
        ("Mr. J.S. saw Mr. Tomas Lindqvist.", ["name"], [("Tomas Lindqvist", "name")]),
    ],
)
def test_a_name_goes_by_the_rule_for_names_and_a_childs_by_its_own(
    text: str, rules: list[str], expected: list[tuple[str, str]]
) -> None:
    assert hidden(text, *rules) == expected


@pytest.mark.parametrize(
    ("kind", "keep", "expected", "because"),
    [
        ("name", None, ["Maria B. Lopez Jo"], "a person's name that the text itself introduces"),
        ("minor", None, ["Maria B. Lopez Jo"], "the name of a child"),
        ("name", "initials", ["aria", "opez", "o"], "a person's name that the text itself introduces"),
        ("minor", "initials", ["aria", "opez", "o"], "the name of a child, of which initials may stay"),
    ],
)
def test_initials_stay_where_the_rule_keeps_them(kind: str, keep: str | None, expected: list[str], because: str) -> None:
    text = "Seen: Maria B. Lopez Jo today"
    made = list(_without_initials(Document(text), *span(text, "Maria B. Lopez Jo"), IdentifierRule(kind, keep=keep)))
    assert [text[one.start : one.end] for one in made] == expected
    assert all(one.because.startswith(because) and one.kind == kind for one in made)


@pytest.mark.parametrize(
    ("text", "is_childs"),
    [
        ("The boy is one two three four Maria", True),  # the sixth word before the name
        ("The boy is one two three four five Maria", False),
        ("Maria is one two three girl", True),  # the fifth word behind it
        ("Maria is one two three four girl", False),
        ("Maria is a girl", True),
        ("Her daughters met Maria", True),
        ("The CHILDREN met Maria", True),
        ("The men met Maria", False),
        ("The girl left. Maria came.", False),
        ("Maria came. Girl left.", False),
        ("Girls left. They saw Maria there.", False),
        ("They left. The girl saw Maria there. All slept.", True),
    ],
)
def test_a_name_is_a_childs_by_a_word_near_it_in_its_sentence(text: str, is_childs: bool) -> None:
    assert _is_childs(Document(text), text.index("Maria"), []) is is_childs


@pytest.mark.parametrize(
    ("ages", "is_childs"),
    [([], False), ([16], True), ([0], False), ([0, 20, 50], True), ([0, 50], False), ([37], False), ([36], True)],
)
def test_a_name_is_a_childs_by_an_age_in_its_sentence(ages: list[int], is_childs: bool) -> None:
    text = "All of us came. Maria Lopez saw them. All slept then."
    assert text[16:37] == "Maria Lopez saw them."
    assert _is_childs(Document(text), 16, ages) is is_childs


def test_a_place_before_every_sentence_belongs_to_none() -> None:
    assert _is_childs(Document("   "), 0, []) is False
    assert _is_childs(Document("   A girl came."), 0, []) is False


def test_ages_below_eighteen_years_are_childrens() -> None:
    text = "17 18 9 5 many 3"
    parts = [("age", "years", 0, 2), ("age", "years", 3, 5), ("age", "years", 6, 7)]
    parts += [("date", "years", 8, 9), ("age", "years", 10, 14), ("age", "months", 15, 16)]
    every = [Identifier(start, end, kind, "test", ((name, start, end),)) for kind, name, start, end in reversed(parts)]
    assert _minors(Document(text), every) == [0, 6, 15]  # three months


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She is 9 months old.", []),
        ("She is 9.5 years old.", []),
        ("She is in her twenties.", []),
        ("She is in her nineties.", ["nineties"]),
        ("She is one hundred years old.", ["one hundred years old"]),
    ],
)
def test_an_age_in_other_words_is_read(text: str, expected: list[str]) -> None:
    assert words(text, IdentifierRule("age", above=89)) == expected


# --- places ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "parts", "expected"),
    [
        ("city", [], True),
        ("zip", [], True),
        ("zip", ["area"], True),
        ("zip", ["first-3"], False),
        ("zip", ["first-3", "plus-4"], False),
        ("street", [], False),
        ("street", ["first-3"], False),
        ("date", ["year"], False),
    ],
)
def test_a_town_and_a_postcode_that_is_no_zip_code_are_places(kind: str, parts: list[str], expected: bool) -> None:
    one = Identifier(0, 9, kind, "test", tuple((name, 0, 3) for name in parts))
    assert _is_geography(one) is expected


TOWN = "In Springfield, IL 62704 or at HG2 8PQ, by way of Quillonby."


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (["geography"], [("Springfield", "geography"), ("HG2 8PQ", "geography"), ("Quillonby", "geography")]),
        (["geography", "city"], [("Springfield", "city"), ("HG2 8PQ", "geography"), ("Quillonby", "geography")]),
        (["city"], [("Springfield", "city")]),
        (["zip"], [("62704", "zip"), ("HG2 8PQ", "zip")]),
        (["date"], []),
    ],
)
def test_a_place_goes_as_its_own_kind_where_that_is_asked_for_and_else_as_a_place(
    rules: list[str], expected: list[tuple[str, str]]
) -> None:
    assert hidden(TOWN, *rules, places=("Quillonby",)) == expected


def test_a_place_says_why_it_is_one() -> None:
    reasons = [one.because for one in found(TOWN, "geography", places=("Quillonby",))]
    assert all(because.startswith("a place smaller than a state, a named facility") for because in reasons)
    assert reasons[-1].endswith(": said so")
