"""At the limits of the law: who is old, who is a child, which digits may stay. The last that stays and the first that goes."""

from __future__ import annotations

import pytest

from kgsan.risk.personal import OF_AGE, SMALL_ZIP_AREAS, _number
from kgsan.text.document import Document
from tests.risk.test_marking import hidden, marker


def rules(kinds: str) -> str:
    return f"policy: toy\nlaw: Toy Act\nidentifiers: [{kinds}]\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He is 89 years old.", []),
        ("He is 90 years old.", ["90 years old"]),
        ("aged eighty-nine", []),
        ("aged ninety", ["ninety"]),
        ("He is 9 years old.", []),
        ("aged nineteen years", []),
        ("She is one hundred and two years old.", ["one hundred and two years old"]),
    ],
)
def test_an_age_of_89_stays_and_one_of_90_goes(text: str, expected: list[str]) -> None:
    assert hidden(rules("{kind: age, above: 89}"), text) == expected


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("0", 0),
        ("7", 7),
        ("zero", None),
        ("one", 1),
        ("nineteen", 19),
        ("twenty", 20),
        ("Ninety-Nine", 99),
        ("a hundred", 100),
        ("hundred and one", 101),
        ("ninety odd", None),
        ("", None),
    ],
)
def test_a_number_is_read_in_figures_and_in_words(words: str, number: int | None) -> None:
    assert _number(words) == number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Maria Lopez, aged {OF_AGE - 1}, was seen.", ["aria", "opez"]),
        (f"Maria Lopez, aged {OF_AGE}, was seen.", []),
        ("Her daughters met Maria Lopez.", ["aria", "opez"]),
        ("The boy saw one or two Maria Lopez.", ["aria", "opez"]),
        ("The boy saw one or two or three Maria Lopez.", []),
        ("Maria Lopez saw him and her and a boy.", []),
        ("The girl left. Maria Lopez came.", []),
        ("Twins: Maria B. Lopez, an infant.", ["aria", "opez"]),
        ("Ellen Marsh came, who is fifty-one.", []),
    ],
)
def test_a_name_is_a_childs_by_an_age_in_the_sentence_or_a_word_near_it(text: str, expected: list[str]) -> None:
    assert hidden(rules("{kind: minor, keep: initials}"), text) == expected


def test_of_a_child_nothing_stays_unless_initials_are_kept() -> None:
    assert hidden(rules("{kind: minor}"), "Maria Lopez, aged 17, was seen.") == ["Maria Lopez"]


def test_the_rule_for_children_goes_before_that_for_names() -> None:
    text = "Maria Lopez, aged 17, was seen. Ellen Marsh left."
    assert hidden(rules("{kind: minor, keep: initials}, name"), text) == ["aria", "opez", "Ellen Marsh"]


@pytest.mark.parametrize(
    ("rule", "text", "expected", "written"),
    [
        ("{kind: zip, keep: first-3}", "Springfield, IL 62704", ["04"], []),
        ("{kind: zip, keep: first-3}", "Springfield, IL 62704-1234", ["04-1234"], []),
        ("{kind: zip, keep: first-3}", "Hanover, NH 03602", ["03602"], ["000"]),
        ("zip", "Hanover, NH 03602", ["03602"], []),
        ("{kind: ssn, keep: last-4}", "SSN 536-22-1234", ["536-22-"], []),
        ("ssn", "SSN 536-22-1234", ["536-22-1234"], []),
        ("{kind: date, keep: year}", "Born 3 March 1957 in May", ["3 March", "May"], []),
        ("{kind: date, keep: year}", "Seen on 3/4/21.", ["3/4/"], []),
    ],
)
def test_what_stays_of_a_number_is_what_the_rule_keeps(rule: str, text: str, expected: list[str], written: list[str]) -> None:
    marks = marker(rules(rule)).mark(marker(rules(rule)).read(Document(text)))
    assert hidden(rules(rule), text) == expected
    assert [mark.write for mark in marks if mark.write is not None] == written


@pytest.mark.parametrize("area", sorted(SMALL_ZIP_AREAS))
def test_of_a_small_area_no_digit_stays(area: str) -> None:
    text = f"Springfield, IL {area}07"
    assert hidden(rules("{kind: zip, keep: first-3}"), text) == [f"{area}07"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Serology: Ellen Marsh", ["Ellen Marsh"]),
        ("J.S. was seen by T. Renn.", ["T. Renn"]),
        ("Hosp. Ellen Marsh", ["Ellen Marsh"]),
        ("Dr. Okafor left.", ["Okafor"]),
    ],
)
def test_initials_alone_labels_and_branches_of_medicine_are_nobodys_name(text: str, expected: list[str]) -> None:
    assert hidden(rules("name"), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("He lives at OX1 2JD.", ["OX1 2JD"]), ("Springfield, IL 62704", ["Springfield"])]
)
def test_a_postcode_that_is_no_zip_code_is_a_place(text: str, expected: list[str]) -> None:
    assert hidden(rules("geography"), text) == expected
