"""Information, shared information and disclosure: edge values, confidence, and the one comparison."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.knowledge.information import (
    assumed_information,
    disclosure,
    disclosure_risk,
    exceeds,
    information,
    lower_bound,
    reaches,
    reaches_exactly,
    share,
    shared_information,
)
from kgsan.knowledge.table import CountTable

TABLE = CountTable.read(
    "\n".join(
        [
            "contexts\t1024",
            "everything\t1024",
            "never\t0",
            "entity\t16",
            "usual\t64",
            "stranger\t64",
            "avoids\t512",
            "entity\tusual\t16",
            "entity\tstranger\t0",
            "entity\tavoids\t4",
            "entity\teverything\t16",
            "usual\teverything\t64",
            "never\tusual\t0",
        ]
    )
)


@pytest.mark.parametrize("term", ["never", "nowhere listed"])
def test_a_term_that_was_never_seen_has_no_information(term: str) -> None:
    assert information(TABLE, term) is None
    assert shared_information(TABLE, "entity", term) is None
    assert disclosure(TABLE, "entity", term) is None
    assert disclosure(TABLE, term, "usual") is None


def test_a_term_in_every_context_says_exactly_nothing() -> None:
    assert str(information(TABLE, "everything")) == "0.0"


def test_never_seen_together_is_no_evidence_and_not_zero() -> None:
    assert TABLE.count("entity", "stranger") == 0
    assert shared_information(TABLE, "entity", "stranger") is None
    assert disclosure(TABLE, "entity", "stranger") is None
    assert disclosure_risk(TABLE, "entity", "stranger", "usual") is None


def test_less_together_than_by_chance_keeps_its_sign() -> None:
    found = disclosure(TABLE, "entity", "avoids")
    assert found is not None
    assert shared_information(TABLE, "entity", "avoids") == -1
    assert found.revealed == pytest.approx(-1 / 6)
    assert not reaches(found.revealed, 0.0)


def test_of_an_entity_that_says_nothing_nothing_is_given_away() -> None:
    assert shared_information(TABLE, "everything", "usual") == 0
    assert disclosure(TABLE, "everything", "usual") is None


def test_for_sums_a_term_never_seen_counts_as_seen_once() -> None:
    assert [assumed_information(TABLE, term) for term in ("never", "nowhere listed", "entity")] == [10, 10, 6]


def test_a_share_tells_the_chance_of_a_right_guess_with_and_without_the_term() -> None:
    found = disclosure(TABLE, "entity", "usual")
    assert found is not None
    assert (found.chance, found.chance_before) == (16 / 64, 16 / 1024)
    assert found.source == TABLE.name


# --- confidence ----------------------------------------------------------------------------------------------------------

#: together, of the terms: share and its lower bound for an entity of 9 bits
BOUNDS = [
    (1, 1, 1.00, 0.79),
    (2, 2, 1.00, 0.86),
    (3, 3, 1.00, 0.90),
    (5, 5, 1.00, 0.93),
    (5, 7, 0.95, 0.86),
    (2, 4, 0.89, 0.73),
    (4, 40, 0.63, 0.51),
    (41, 44, 0.99, 0.97),
]


@pytest.mark.parametrize(("together", "of_terms", "revealed", "low"), BOUNDS)
def test_few_contexts_prove_little(together: int, of_terms: int, revealed: float, low: float) -> None:
    found = share(9.0, together, of_terms, "example")
    assert found is not None
    assert (round(found.revealed, 2), round(found.low, 2)) == (revealed, low)


@given(st.integers(1, 10**12), st.integers(0, 10**12))
def test_the_bound_is_a_chance_below_the_plain_estimate(successes: int, failures: int) -> None:
    trials = successes + failures
    assert 0 < lower_bound(successes, trials) <= successes / trials


@pytest.mark.parametrize(
    ("chance", "chances"),
    [
        (0.1, [1, 0.631, 0.464, 0.316, 0.215]),
        (0.01, [1, 0.398, 0.215, 0.100, 0.046]),
        (0.001, [1, 0.251, 0.100, 0.032, 0.010]),
        (0.0001, [1, 0.158, 0.046, 0.010, 0.002]),
    ],
)
def test_the_chance_at_which_hiding_begins_depends_on_how_rare_the_entity_is(chance: float, chances: list[float]) -> None:
    for strictness, expected in zip((1, 1.25, 1.5, 2, 3), chances, strict=True):
        terms = 10**9
        at_limit = share(-log2(chance), round(terms * chance ** (1 - 1 / strictness)), terms, "example")
        assert at_limit is not None
        assert at_limit.chance == pytest.approx(expected, abs=5e-4)
        assert at_limit.revealed == pytest.approx(1 / strictness, abs=1e-6)


# --- the one comparison -----------------------------------------------------------------------------------------------


def test_a_tie_is_risky_and_rounding_makes_no_difference() -> None:
    assert reaches(0.1 + 0.2, 0.3)
    assert reaches(0.3, 0.1 + 0.2)
    assert not reaches(0.3 - 1e-8, 0.3)


def test_in_the_strict_form_a_tie_is_safe_and_rounding_makes_no_difference() -> None:
    assert not exceeds(0.1 + 0.2, 0.3)
    assert not exceeds(0.3, 0.1 + 0.2)
    assert exceeds(0.3 + 1e-8, 0.3)


worlds = st.integers(2, 10**6).flatmap(
    lambda contexts: st.tuples(st.just(contexts), st.integers(1, contexts - 1), st.integers(1, contexts)).flatmap(
        lambda counts: st.tuples(*map(st.just, counts), st.integers(1, min(counts[1:])))
    )
)


@given(worlds, st.fractions(min_value=1, max_value=5, max_denominator=20))
def test_whole_numbers_decide_as_the_logarithms_do(counts: tuple[int, int, int, int], strictness: Fraction) -> None:
    contexts, of_entity, of_terms, together = counts
    found = share(log2(contexts / of_entity), together, of_terms, "example")
    assert found is not None
    if abs(found.bits - found.entity_information / float(strictness)) > 1e-6:
        assert reaches_exactly(*counts, strictness) == reaches(found.revealed, float(1 / strictness))


def test_whole_numbers_see_what_logarithms_cannot() -> None:
    contexts, of_entity = 10**18, 10**9
    assert reaches_exactly(contexts, of_entity, 10**17, 10**17, Fraction(1))
    assert not reaches_exactly(contexts, of_entity, 10**17, 10**17 - 1, Fraction(1))


def test_a_strictness_from_a_float_is_decided_at_once_and_toward_hiding() -> None:
    # Powers of so large numbers would take hours.
    assert reaches_exactly(1024, 16, 16, 4, Fraction(1.5))
    assert reaches_exactly(1024, 16, 64, 64, Fraction(1.1))
    assert reaches_exactly(1000, 10, 10, 10, Fraction(1.0000000001))
    assert not reaches_exactly(1024, 16, 64, 4, Fraction(1.1))


@pytest.mark.parametrize("counts", [(1024, 0, 4, 0), (1024, 4, 0, 0), (1024, 4, 4, 0)])
def test_without_evidence_no_limit_is_reached(counts: tuple[int, int, int, int]) -> None:
    assert not reaches_exactly(*counts, Fraction(2))
