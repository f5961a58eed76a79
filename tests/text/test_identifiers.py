"""Identifiers with structure: the table an expert may extend, check digits, offsets, and time on hostile text."""

import re
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.text.identifiers import (
    KINDS,
    Identifier,
    addresses,
    ages,
    calendar,
    checks,
    contacts,
    dates,
    facilities,
    finding,
    identifiers,
    internet,
    introduced,
    names,
    numbers,
    roles,
)
from kgsan.text.identifiers.choose import choose
from tests.conftest import seconds, within

ROWS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parents[1] / "data" / "identifiers.yaml").read_text(encoding="utf-8"))
MODULES = (addresses, ages, calendar, contacts, dates, facilities, finding, internet, introduced, names, numbers, roles)
HOSTILE = {
    "digits": "1",
    "digits and hyphens": "1-",
    "digits and slashes": "1/",
    "digits and dots": "1.",
    "digits and blanks": "1 ",
    "numbers and blanks": "123 ",
    "telephones": "312-555-0142-",
    "zeros": "020 7946 ",
    "plus signs": "+1",
    "letters and dots": "a.a.",
    "domains": "a.com.",
    "at signs": "@",
    "mail": "a@",
    "long mail": "a" * 64 + "@",
    "titles": "Dr. ",
    "titles in capitals": "DR. ",
    "initials": "A. ",
    "degrees": "A MD ",
    "labels": "Name: ",
    "greetings": "Dear ",
    "closings": "Regards,\n",
    "brackets": "(",
    "blanks": " ",
    "lines": "\n",
    "capitals and blanks": "A ",
    "capitalised words": "Aa ",
    "months": "Mar ",
    "days and months": "1 of ",
    "days": "1, 1 and ",
    "feasts": "on Christmas ",
    "ages": "ninety-",
    "aged": "aged ",
    "states": "Aa, IL ",
    "streets": "1 Aa ",
    "schemes": "http://",
    "punctuated web": "http://a" + ")" * 50,
    "colons": ":",
    "hexadecimal": "a:",
    "pairs": "ab-",
    "cards": "4111 ",
    "introductions": "MRN ",
    "numbered introductions": "ID no. ",
    "masks": "SSN x",
    "values": "MRN a-",
    "facilities": "Aa Hospital ",
    "facilities alone": "Hospital ",
    "facilities of": "Aa of the ",
    "shouted facilities": "AA HOSPITAL ",
    "universities": "University of ",
    "prisons": "HMP Aa ",
    "roles": "told Aa ",
    "statements": "statement of ",
    "invisible": "\u200b",
    "invisible in digits": "1\u200b",
    "Arabic digits": "\u0661",
    "one letter": "a",
    "surrogates": "\ud800",
}


def shown(text: str, found: list[Identifier]) -> list[tuple[str, str]]:
    return [(identifier.kind, text[identifier.start : identifier.end]) for identifier in found]


def all_patterns() -> dict[str, re.Pattern[str]]:
    """Every compiled pattern of the package, those inside rules and recognisers included."""
    found: dict[str, re.Pattern[str]] = {}
    for module in MODULES:
        for name, value in vars(module).items():
            for inner in (value, getattr(value, "pattern", None)):
                if isinstance(inner, re.Pattern):
                    found[f"{module.__name__}.{name}"] = inner
        for word, recognisers in getattr(module, "WORDS", {}).items():
            for place, recognise in enumerate(recognisers):
                if isinstance(inner := getattr(recognise, "pattern", None), re.Pattern):
                    found[f"{module.__name__}.{word}.{place}"] = inner
                for cell in getattr(recognise, "__closure__", None) or ():
                    if isinstance(cell.cell_contents, re.Pattern):
                        found[f"{module.__name__}.{word}.{place}"] = cell.cell_contents
    return {name: pattern for name, pattern in found.items() if pattern is not None}


PATTERNS = {pattern.pattern: pattern for pattern in all_patterns().values()}


@pytest.mark.parametrize("row", ROWS, ids=[row["text"][:60] for row in ROWS])
def test_a_sentence_shows_exactly_its_identifiers(row: dict[str, Any]) -> None:
    text, found, expected = row["text"], identifiers(row["text"]), row.get("find", [])
    if expected or "not" not in row:
        assert shown(text, found) == [(one["kind"], one["is"]) for one in expected]
        for one, identifier in zip(expected, found, strict=True):
            assert identifier.certain == one.get("certain", identifier.certain)
            assert one.get("parts", {}).items() <= {name: text[start:end] for name, start, end in identifier.parts}.items()
    for spared in row.get("not", []):
        assert spared in KINDS or spared in text
        assert not [kind for kind, words in shown(text, found) if spared == kind or (spared not in KINDS and spared in words)]


def test_the_table_has_every_kind_and_says_only_what_it_may() -> None:
    assert {one["kind"] for row in ROWS for one in row.get("find", [])} == set(KINDS)
    assert all(set(row) <= {"text", "find", "not"} for row in ROWS)
    assert len(ROWS) >= 150


def test_every_kind_names_its_letter_in_the_law() -> None:
    letters = {re.fullmatch(r".+ \(([A-R])\)", said)[1] for said in KINDS.values()}  # type: ignore[index]
    assert letters == set("ABCDEFGHIJKLMNOR"), "biometric data (P) and photographs (Q) are not text"


def test_a_wrong_digit_breaks_every_check() -> None:
    checked = {
        checks.luhn: "4111111111111111",
        checks.payment_card: "378282246310005",
        checks.provider: "1234567893",
        checks.nhs: "9434765919",
        checks.iban: "GB82WEST12345698765432",
        checks.prescriber: "AB1234563",
        checks.vehicle: "1HGCM82633A004352",
    }
    for check, number in checked.items():
        assert check(number)
        assert not check(number[:-1] + str((int(number[-1]) + 1) % 10))


@pytest.mark.parametrize("never_issued", ["000456789", "666456789", "900456789", "123006789", "123450000", "12345678"])
def test_a_social_security_number_that_was_never_issued_is_none(never_issued: str) -> None:
    assert checks.social_security("123456789")
    assert not checks.social_security(never_issued)


def test_only_the_asked_kinds_are_found() -> None:
    text = "https://example.org/?mail=jane@example.org on March 3, 2021"
    assert [found.kind for found in identifiers(text)] == ["url", "date"]
    assert shown(text, identifiers(text, ["email"]))[0][0] == "email", "a kind nobody asked for must not swallow one that was"
    assert identifiers(text, []) == []


def test_an_unknown_kind_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="shoe_size"):
        identifiers("text", ["shoe_size"])


def test_neither_repr_nor_reason_shows_a_word_of_the_document() -> None:
    for row in ROWS:
        for found in identifiers(row["text"]):
            words = row["text"][found.start : found.end]
            assert len(words) < 4 or words not in repr(found)


def test_the_longer_then_the_surer_then_the_earlier_kind_wins_and_nothing_leaks_at_the_edge() -> None:
    long, short = Identifier(0, 9, "name", "a"), Identifier(5, 13, "date", "b", (("year", 8, 13), ("day", 11, 12)))
    assert choose([short, long], "June March 03") == [long, Identifier(9, 13, "date", "b", (("day", 11, 12),))]
    assert choose([Identifier(0, 10, "name", "a"), Identifier(5, 11, "date", "b")], "June March.") == [
        Identifier(0, 10, "name", "a")
    ]
    sure, guess = Identifier(0, 9, "ssn", "a"), Identifier(0, 9, "phone", "b", certain=False)
    assert choose([guess, sure], "123456789") == [sure]
    assert choose([Identifier(0, 9, "ssn", "a"), Identifier(0, 9, "fax", "b")], "123456789")[0].kind == "fax"


def test_what_cannot_be_seen_does_not_hide_a_number() -> None:
    for hidden in "\u200b\u200d\u2060\ufeff\u00ad\ufe0f":
        text = hidden + hidden.join("SSN 123-45-6789") + hidden + "."
        (found,) = identifiers(text)
        assert text[found.start : found.end].replace(hidden, "") == "123-45-6789"
        assert found.certain
    for hyphen in "\u2010\u2011\u2012\u2013\u2212\uff0d":
        assert shown(f"123{hyphen}45{hyphen}6789", identifiers(f"123{hyphen}45{hyphen}6789")) == [
            ("ssn", f"123{hyphen}45{hyphen}6789")
        ]


def test_a_date_kept_to_its_year_can_be_told_from_the_original() -> None:
    text = "\u200bborn 3\u200b March 19\u200b57"
    (found,) = identifiers(text)
    assert {name: text[start:end] for name, start, end in found.parts} == {
        "day": "3\u200b",
        "month": "March",
        "year": "19\u200b57",
    }


PIECES = st.sampled_from([row["text"] for row in ROWS] + list(HOSTILE.values()))


@given(st.lists(st.one_of(st.text(st.characters(), max_size=20), PIECES), max_size=8))
@settings(max_examples=400)
def test_any_text_gives_sorted_disjoint_offsets_inside_it_and_twice_the_same(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = identifiers(text)
    assert found == identifiers(text)
    assert all(before.end <= after.start for before, after in pairwise(found))
    for identifier in found:
        assert 0 <= identifier.start < identifier.end <= len(text)
        assert identifier.kind in KINDS
        assert identifier.because
        for _, start, end in identifier.parts:
            assert identifier.start <= start < end <= identifier.end


STRONG = [
    "123-45-6789",
    "(312) 555-0142",
    "312-555-0142",
    "jane.roe@example.org",
    "03/04/1957",
    "March 3, 2021",
    "2021-03-04",
    "4111 1111 1111 1111",
    "1EG4-TE5-MK73",
    "192.168.17.4",
    "https://example.org/x",
    "+44 20 7946 0958",
    "1HGCM82633A004352",
    "123 Main Street",
    "92-year-old",
    "GB82 WEST 1234 5698 7654 32",
]


@given(
    PIECES,
    st.sampled_from([" ", "\n", ", ", " (", "; "]),
    st.sampled_from(STRONG),
    st.sampled_from([" ", ". ", ", ", ")\n", "\n"]),
    PIECES,
)
@settings(max_examples=1500)
def test_whatever_stands_beside_an_identifier_none_of_it_leaks(before: str, gap: str, strong: str, end: str, after: str) -> None:
    text = before + gap + strong + end + after
    hidden = {place for found in identifiers(text) for place in range(found.start, found.end)}
    start = len(before + gap)
    assert all(place in hidden for place in range(start, start + len(strong)) if text[place].isalnum())


@given(st.text(st.characters(categories=["Cs", "Nd", "Zs", "Pd", "Cf", "Lu"]), max_size=60))
@settings(max_examples=400)
def test_lone_surrogates_and_strange_digits_do_not_raise(text: str) -> None:
    identifiers(text)
    identifiers(text.join(["MRN ", " 3 March ", "@", "://", "Dr. "]))


def test_every_repetition_in_every_pattern_is_bounded() -> None:
    assert len(PATTERNS) > 80
    unbounded = re.compile(r"(?<!\\)(?:\\\\)*(?:(?<!\()[*+]|\{[0-9]+,\})")
    for expression in PATTERNS:
        without_classes = re.sub(r"\\.", "_", expression)
        without_classes = re.sub(r"\[[^\]]*\]", "_", without_classes)
        without_possessive = re.sub(r"(?<=[}?])\+", "", without_classes)
        if expression != r"[^\W_]+":
            assert not unbounded.search(without_possessive), expression


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_grows_with_the_length_of_a_hostile_text_and_not_faster(unit: str) -> None:
    size = 20_000 // len(unit)
    assert within(8 * max(seconds(identifiers, unit * size), 0.01), identifiers, unit * size * 4)


def test_no_pattern_is_slow_where_it_begins_on_hostile_text() -> None:
    texts = [
        lead + unit * (20_000 // len(unit))
        for unit in HOSTILE.values()
        for lead in ("", "MRN: ", "Tel ", "3 ", "1 Aa ", "March ")
    ]
    for expression, pattern in PATTERNS.items():
        started = time.process_time()
        for text in texts:
            pattern.match(text)
        # A bounded pattern takes microseconds at one place; only one that tries again and again takes this long.
        assert time.process_time() - started < 0.5, expression
