"""How often an ambiguous name means its concept, as people judged it."""

from __future__ import annotations

from math import log

import pytest

import kgsan
from kgsan.ontology import names
from kgsan.risk.usual import _lines, judged, usually


@pytest.mark.parametrize(
    ("often", "seldom"),
    [
        (("junkie", "drug-use-disorder"), ("user", "drug-use-disorder")),
        (("junkie", "drug-use-disorder"), ("high", "drug-related-disorder")),
    ],
)
def test_what_mostly_means_it_is_told_from_what_hardly_ever_does(often: tuple[str, str], seldom: tuple[str, str]) -> None:
    first, second = (usually(names.key(name), [f"protected:{concept}"]) for name, concept in (often, seldom))
    assert first is not None
    assert second is not None
    assert first > 0 > second


def test_of_several_concepts_the_likeliest_counts_and_of_none_nothing_is_told() -> None:
    both = [f"protected:{one}" for one in ("drug-related-disorder", "mania")]
    assert usually("high", both) == max(filter(None, (usually("high", [one]) for one in both)))
    assert usually("high", []) is None
    assert usually("lighthouse", both) is None


def test_a_share_is_told_as_log_odds() -> None:
    told = {(usually(key, [concept]), digit) for concept in _lines() for key, digit in judged(concept).items()}
    assert {odds for odds, digit in told if digit == 5} == {0.0}
    assert {odds for odds, digit in told if digit == 8} == {round(log(0.88 / 0.12), 6)}


def test_nearly_every_ambiguous_name_that_ships_was_judged() -> None:
    ontology = kgsan.load_ontology("protected")[0]
    asked = {
        (names.key(one.text), concept.id)
        for concept in ontology
        for one in ontology.names(concept)
        if one.scope.name == "AMBIGUOUS"
    }
    assert sum(key in judged(concept) for key, concept in asked) > 0.99 * len(asked)
