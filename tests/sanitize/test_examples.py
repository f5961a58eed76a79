"""Examples of policies, and why terms are hidden, with the ontologies and the knowledge that ship."""

from __future__ import annotations

from functools import cache

import pytest

import kgsan
from kgsan.policy.policy import Example
from kgsan.sanitize.examples import Outcome, try_example
from kgsan.sanitize.reasons import reasons

HIV = "policy: toy\nlaw: Toy Act\nprotect: [HIV]\n"


@cache
def sanitizer() -> kgsan.Sanitizer:
    return kgsan.Sanitizer(kgsan.load_policy(HIV))


@pytest.mark.parametrize(
    ("example", "outcome"),
    [
        (Example("HIV and food.", must_hide=("HIV",), must_keep=("food",)), Outcome.PASSED),
        (Example("Food.", unchanged=True), Outcome.PASSED),
        (Example("HIV.", unchanged=True), Outcome.FAILED),
        (Example("HIV.", must_keep=("HIV",)), Outcome.FAILED),
        (Example("He takes zidovudine.", must_hide=("zidovudine",)), Outcome.PASSED),
        (Example("He takes ibuprofen.", must_hide=("ibuprofen",)), Outcome.FAILED),
        (Example("He takes ibuprofen.", must_hide=("ibuprofen",), known_gap=True), Outcome.GAP),
        (Example("HIV.", must_hide=("HIV",), known_gap=True), Outcome.CLOSED),
        (Example("HIV.", must_hide=("AIDS",)), Outcome.FAILED),
    ],
)
def test_an_example_passes_only_when_the_policy_does_what_it_says(example: Example, outcome: Outcome) -> None:
    assert try_example(example, sanitizer()).outcome is outcome


@pytest.mark.parametrize(
    ("term", "told"),
    [
        ("AIDS", "'AIDS' is hidden as HIV: it names AIDS (AIDS > HIV infection"),
        ("zidovudine", "reveals 100 % of what 'HIV' says"),
        ("zidovudine", "antiretroviral drug: refused, it reveals too much of HIV"),
        ("table", "'table' is not hidden"),
        ("qwertz", "no ontology knows it"),
    ],
)
def test_a_term_is_explained_whether_hidden_or_not(term: str, told: str) -> None:
    assert told in " ".join(reasons(term, sanitizer()))
