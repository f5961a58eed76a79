"""What says more than anything may: in bits, by the first source, and by the rarest known part of what was never seen."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.knowledge.table import CountTable
from kgsan.policy.policy import Policy
from kgsan.risk.disclosures import Rule
from kgsan.risk.specificity import Specificity
from kgsan.risk.terms import Term
from kgsan.text.index import LONGEST
from tests.risk.worlds import ontology, stack

#: Of 1024 contexts, a term in 1 says 10 bits, one in 2 says 9, and so on.
COUNTS = "contexts\t1024\nthing\t1024\nsymptom\t256\ncough\t64\ndry cough\t16\nrash\t8\nlupus\t4\nporphyria\t1\nOslo\t32"
#: A second source to which everything is common. It is never asked.
COMMON = "contexts\t1024\nporphyria\t512\ncough\t512\nnowhere else\t1\nBergen\t3"
STACK = stack(ontology({"symptom": "", "cough": "symptom; =tussis", "rash": "symptom"}))
KNOWLEDGE = CombinedKnowledge(STACK, [CountTable.read(COUNTS), CountTable.read(COMMON)])


def limit(above: object = None, unknown: str = "keep") -> Specificity:
    return Specificity(Policy("toy", "Toy Act", too_specific_above=above, unknown_names=unknown), KNOWLEDGE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("porphyria", 10),
        ("cough", 4),
        ("dry cough", 6),  # as it stands, not as its parts
        ("symptom", 2),
        ("thing", 0),
        ("severe cough", 4),  # never seen, so its last word
        ("rash everywhere", 7),  # or its first
        ("bad dry cough today", 6),  # or two in the middle
        ("cough and rash and symptom", 7),  # the rarest of several
        ("everything unheard of", None),
        ("nowhere else", None),  # only the first source is asked
        ("", None),
    ],
)
def test_a_term_says_what_its_rarest_known_part_says(name: str, bits: int | None) -> None:
    assert limit(5).said(name) == bits


def test_of_a_very_long_name_the_last_words_are_looked_at() -> None:
    filler = ["thing"] * (LONGEST - 1)
    assert limit(5).said(" ".join(["rash", *filler])) == 7
    assert limit(5).said(" ".join(["rash", *filler, "thing"])) == 0


@pytest.mark.parametrize(
    ("above", "allowed"),
    [
        (None, ["porphyria", "rash", "cough", "thing", "unheard of"]),
        (Fraction(11), ["porphyria", "rash", "cough", "thing"]),
        (Fraction(8), ["rash", "cough", "thing"]),
        (Fraction(7), ["cough", "thing"]),  # what reaches the limit is too much
        (Fraction(4), ["thing"]),
        ("rash", ["rash", "cough", "thing"]),  # a term as the limit is the last that may stay
        ("cough", ["cough", "thing"]),
    ],
)
def test_a_name_may_be_written_that_says_less_than_the_limit(above: object, allowed: list[str]) -> None:
    asked = ["porphyria", "rash", "cough", "thing", "unheard of"]
    rule = limit(above)
    assert [name for name in asked if rule.allows(name)] == allowed
    assert {rule.allows(name) for name in asked} <= {True, False}


def test_the_synonyms_of_the_limit_may_stay_and_say_nothing_inside_a_longer_name() -> None:
    rule = limit("cough")
    assert [rule.allows(name) for name in ("Coughs", "tussis", "dry cough")] == [True, True, False]
    assert rule.said("severe cough") is None
    assert rule.said("severe cough symptom") == 2
    assert not limit(Fraction(4)).allows("tussis")


def found(rule: Specificity, text: str, terms: list[str], proper: list[str] | None = None) -> list[Any]:
    names = [SimpleNamespace(start=text.index(name), end=text.index(name) + len(name), kind="place") for name in proper or ()]
    reading: Any = SimpleNamespace(document=SimpleNamespace(text=text, proper_names=names))
    return list(rule.find(reading, [Term(text.index(name), text.index(name) + len(name), name) for name in terms]))


def test_what_says_too_much_is_told_with_its_bits_and_what_is_unheard_of_is_not() -> None:
    text = "A cough, a rash, porphyria and an unheard of thing."
    terms = ["cough", "rash", "porphyria", "unheard of"]
    marks = found(limit(Fraction(7)), text, terms)
    assert [(text[one.start : one.end], one.rule, one.because) for one in marks] == [
        ("rash", Rule.SPECIFICITY, "says 7.0 bits, and 7.0 are too many"),
        ("porphyria", Rule.SPECIFICITY, "says 10.0 bits, and 7.0 are too many"),
    ]
    assert found(limit(), text, terms) == []


@pytest.mark.parametrize(
    ("above", "unknown", "expected"),
    [
        (None, "keep", []),
        (None, "redact", ["Zellbach"]),
        (Fraction(11), "keep", ["Zellbach"]),  # where anything is too specific, so is what nobody has heard of
        ("rash", "redact", ["Zellbach"]),
    ],
)
def test_a_proper_name_of_which_nothing_is_known_goes_where_the_policy_says_so(
    above: object, unknown: str, expected: list[str]
) -> None:
    text = "From Oslo to Zellbach by train."
    marks = found(limit(above, unknown), text, [], ["Oslo", "Zellbach"])
    assert [text[one.start : one.end] for one in marks] == expected
    assert [one.because for one in marks] == ["is the name of a place that nothing is known of"] * len(expected)
