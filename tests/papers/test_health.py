"""Healthcare documents: thresholds from a law's terms, the two steps, and names counted beside what generalizes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.knowledge.information import information, reaches
from kgsan.knowledge.table import CountTable
from kgsan.sanitize.published import Refused, Replacement, rewritten
from kgsan.sanitize.published.corr import Touched
from kgsan.sanitize.published.health import Counting, Threshold, correlated, generalized, risk_of, sanitize, threshold
from tests.papers.test_csan import chain, replaced
from tests.papers.test_groups import ENTITY, made_world

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.knowledge.knowledge import Term
    from tests.papers.toy import ContextSets

SENSITIVE = ["HIV", "AIDS"]
DOCUMENT: list[Term] = ["HIV", "AIDS", "zidovudine", "condom", "weight loss", "fatigue", "ibuprofen", "HIV"]
RISKS = {
    "zidovudine": 6,
    "antiretroviral": 6,
    "drug": 4,
    "ibuprofen": 3,
    "condom": 6,
    "contraceptive": 6,
    "device": 4,
    "weight loss": 6,
    "fatigue": 4,
    "symptom": 4,
}
STEP_1 = {"HIV": "viral infection", "AIDS": "viral infection"}
STEP_2 = {"zidovudine": "drug", "condom": "device", "weight loss": "symptom"}


def part(term: Term) -> Term | None:
    return next((sensitive for sensitive in SENSITIVE if sensitive in str(term).split()), None)


@pytest.mark.parametrize("counting", Counting)
def test_the_most_general_sensitive_term_sets_the_threshold(toy: ContextSets, counting: Counting) -> None:
    assert threshold(toy, reversed(SENSITIVE), chain, counting) == Threshold(6.0, "HIV")


def test_terms_never_seen_set_no_threshold(toy: ContextSets) -> None:
    assert threshold(toy, ["unheard-of"], chain) is None
    assert threshold(toy, ["unheard-of", "AIDS"], chain) == Threshold(7.0, "AIDS")


@pytest.mark.parametrize("counting", Counting)
@pytest.mark.parametrize("neighbor", RISKS)
def test_the_risks_of_the_check_are_the_same_in_every_way_of_counting(
    toy: ContextSets, neighbor: str, counting: Counting
) -> None:
    assert risk_of(toy, "HIV", neighbor, "viral infection", counting) == RISKS[neighbor]


@pytest.mark.parametrize("counting", Counting)
def test_both_steps_are_those_of_the_check(toy: ContextSets, counting: Counting) -> None:
    made = sanitize(toy, DOCUMENT, part, Threshold(6.0, "HIV"), chain, counting=counting)
    assert replaced(made) == STEP_1 | STEP_2
    assert made["AIDS"].refused == (Refused("HIV", 6.0),)
    assert made["condom"].refused == (Refused("contraceptive", 6.0, "HIV"),)


def test_the_first_step_alone_touches_only_what_the_law_names(toy: ContextSets) -> None:
    assert replaced(sanitize(toy, DOCUMENT, part, Threshold(6.0, "HIV"), chain, both_steps=False)) == STEP_1


def test_removal_removes_what_generalization_replaces(toy: ContextSets) -> None:
    made = sanitize(toy, DOCUMENT, part, Threshold(6.0, "HIV"), chain, redact=True)
    assert replaced(made) == dict.fromkeys(STEP_1 | STEP_2)


def test_a_phrase_that_no_base_knows_takes_the_chain_of_the_sensitive_term_in_it(toy: ContextSets) -> None:
    made = generalized(toy, ["positive HIV screen"], part, Threshold(6.0, "HIV"), chain)
    assert made == {"positive HIV screen": Replacement("viral infection")}


def test_a_phrase_never_seen_is_guarded_by_the_sensitive_term_in_it(toy: ContextSets) -> None:
    made = sanitize(toy, ["positive HIV screen", "zidovudine"], part, Threshold(6.0, "HIV"), chain)
    assert replaced(made) == {"positive HIV screen": "viral infection", "zidovudine": "drug"}


def test_a_neighbor_that_no_base_knows_is_removed(toy: ContextSets) -> None:
    made = correlated(toy, ["zidovudine"], [Touched("HIV", "viral infection")], Threshold(6.0, "HIV"), lambda _: [])
    assert made == {"zidovudine": Replacement(None)}


def test_a_printed_threshold_shows_no_word() -> None:
    assert "HIV" not in repr(Threshold(6.0, "HIV"))


# --- counts of names, one of which has another meaning -----------------------------------------------------------------------


@pytest.fixture
def hits() -> CountTable:
    return CountTable.read(
        "contexts\t1024\n"
        "crabs\t256\nSTD\t32\ndisease\t256\nentity\t1024\nitching\t64\n"
        "crabs\tSTD\t8\ncrabs\tdisease\t64\ncrabs\tentity\t256\n"
        "crabs\titching\t16\nSTD\titching\t4\ncrabs\tSTD\titching\t4\n"
    )


def crabs(term: Term) -> Sequence[Term]:
    return ["STD", "disease", "entity"] if term == "crabs" else []


@pytest.mark.parametrize(("counting", "bits"), [(Counting.PLAIN, 2), (Counting.LITERAL, 2), (Counting.CONTEXTUALIZED, 7)])
def test_an_ambiguous_name_counts_beside_the_parent_that_tells_its_meaning(
    hits: CountTable, counting: Counting, bits: int
) -> None:
    # As printed, neither STD (5 bits) nor disease (2) says less than crabs alone (2): only the root does, which tells nothing.
    assert threshold(hits, ["crabs"], crabs, counting) == Threshold(bits, "crabs")


def test_an_ambiguous_name_may_give_way_to_a_parent_that_is_rarer_than_the_name(hits: CountTable) -> None:
    limit = threshold(hits, ["crabs"], crabs, Counting.CONTEXTUALIZED)
    assert limit is not None
    assert replaced(generalized(hits, ["crabs"], lambda term: term, limit, crabs)) == {"crabs": "STD"}


def test_a_neighbor_is_judged_by_the_meaning_when_names_are_counted_in_context(hits: CountTable) -> None:
    # Plain: 1024·16 / (256·4). In context: 1024·4 / (8·4).
    assert risk_of(hits, "crabs", "itching", "STD") == 4
    assert risk_of(hits, "crabs", "itching", "STD", Counting.CONTEXTUALIZED) == 7
    hidden = [Touched("crabs", "STD")]
    assert not correlated(hits, ["itching"], hidden, Threshold(7.0, "crabs"), crabs)
    assert correlated(hits, ["itching"], hidden, Threshold(7.0, "crabs"), crabs, Counting.CONTEXTUALIZED)


def test_a_removed_name_has_no_parent_beside_it(hits: CountTable) -> None:
    assert risk_of(hits, "crabs", "itching", None, Counting.CONTEXTUALIZED) == 0


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.sampled_from(Counting))
def test_what_survives_is_below_the_threshold_and_a_second_time_changes_nothing(seed: int, counting: Counting) -> None:
    world = made_world(seed, leaves=6)
    limit = threshold(world.knowledge, [ENTITY, "leaf 0"], world.chain, counting)
    assert limit is not None
    document: list[Term] = [ENTITY, *world.document]
    sensitive = {ENTITY, "leaf 0"}
    made = sanitize(
        world.knowledge, document, lambda term: term if term in sensitive else None, limit, world.chain, counting=counting
    )
    assert all(replacement.by is None or replacement.by in world.chain(term) for term, replacement in made.items())
    hidden = [Touched(term, made[term].by) for term in (ENTITY, "leaf 0")]
    for item in hidden:
        bits = None if item.replacement is None else information(world.knowledge, item.replacement)
        assert bits is None or not reaches(bits, limit.bits)
    left = [term for term in rewritten([t for t in document if t not in sensitive], made) if term is not None]
    assert not correlated(world.knowledge, left, hidden, limit, world.chain, counting)
