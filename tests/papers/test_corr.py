"""Correlated terms: what the neighbors of a hidden term give back, on the toy world and in any world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.knowledge.information import disclosure_risk
from kgsan.sanitize.published import Refused, Replacement
from kgsan.sanitize.published.corr import (
    Strategy,
    Threshold,
    Touched,
    carried_out,
    least_informative_term,
    most_informative_replacement,
    rewritten,
    sanitize,
    sanitize_context,
)
from kgsan.sanitize.published.csan import utility
from tests.papers.test_csan import chain, replaced
from tests.papers.test_groups import ENTITY, made_world
from tests.papers.toy import ContextSets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.knowledge.knowledge import Term
    from kgsan.sanitize.published.corr import Context

NEIGHBORS: list[Term] = ["zidovudine", "ibuprofen", "condom", "weight loss", "fatigue"]
GENERALIZED: Context = [Touched("HIV", "infection"), Touched("viral infection", "infection"), *NEIGHBORS]
REMOVED: Context = [Touched("HIV"), Touched("viral infection"), *NEIGHBORS]
CHECK = {"zidovudine": "drug", "ibuprofen": "drug", "condom": "device", "weight loss": "symptom"}


def test_the_least_informative_term_sets_the_threshold(toy: ContextSets) -> None:
    assert least_informative_term(toy, [GENERALIZED]) == Threshold(4.0, tie_is_risky=True)
    assert least_informative_term(toy, [[Touched("unheard-of")], NEIGHBORS]) is None


def test_the_most_informative_replacement_sets_the_other_threshold(toy: ContextSets) -> None:
    assert most_informative_replacement(toy, [GENERALIZED]) == Threshold(3.0, tie_is_risky=False)
    assert most_informative_replacement(toy, [REMOVED]) is None


def test_neighbors_of_generalized_terms_are_those_of_the_check(toy: ContextSets) -> None:
    made = sanitize(toy, [GENERALIZED], Threshold(4.0), chain)
    assert replaced(made) == CHECK
    assert made["condom"].refused == (Refused("contraceptive", 4.0, "HIV"),)
    assert made["zidovudine"].refused == (Refused("antiretroviral", 6.0, "HIV"),)


def test_one_neighbor_is_risky_for_one_of_two_hidden_terms_only(toy: ContextSets) -> None:
    assert "ibuprofen" not in sanitize(toy, [[Touched("HIV", "infection"), "ibuprofen"]], Threshold(4.0), chain)
    assert "ibuprofen" in sanitize(toy, [[Touched("viral infection", "infection"), "ibuprofen"]], Threshold(4.0), chain)


def test_neighbors_of_removed_terms_are_those_of_the_check(toy: ContextSets) -> None:
    made = sanitize(toy, [REMOVED], Threshold(4.0), chain)
    assert replaced(made) == {"zidovudine": "drug", "condom": "contraceptive"}


def test_by_the_strict_rule_equation_9_gives_what_equation_8_gives(toy: ContextSets) -> None:
    threshold = most_informative_replacement(toy, [GENERALIZED])
    assert threshold is not None
    assert replaced(sanitize(toy, [GENERALIZED], threshold, chain)) == CHECK


def test_by_the_printed_rule_equation_9_leaves_nothing_of_six(toy: ContextSets) -> None:
    # The replacement itself is judged by the one it would become, so it alone finds something safe.
    printed = Threshold(3.0, tie_is_risky=True)
    standing = ["infection", *NEIGHBORS]
    hidden = ("HIV", "viral infection")
    risks = {q: [disclosure_risk(toy, s, q, "infection") for s in hidden] for q in ["entity", *standing]}
    assert all(any(risk is not None and printed.met(risk) for risk in of_one) for of_one in risks.values())
    for neighbor in standing:
        for candidate in chain(neighbor):
            against = [disclosure_risk(toy, s, candidate, "infection") for s in hidden]
            assert any(risk is not None and printed.met(risk) for risk in against)


@pytest.mark.parametrize(
    ("strategy", "kept"), [(Strategy.S1, 27), (Strategy.S2, 33), (Strategy.S3, 13), (Strategy.S4, 21), (Strategy.S5, 20)]
)
def test_the_strategies_keep_what_the_check_says(toy: ContextSets, strategy: Strategy, kept: int) -> None:
    whole = [item.term if isinstance(item, Touched) else item for item in GENERALIZED]
    assert utility(toy, whole) == 37
    assert utility(toy, carried_out(strategy, toy, [GENERALIZED], chain)) == kept


def test_a_replacement_that_leaks_is_made_more_general(toy: ContextSets) -> None:
    # Viral infection says 4 bits of the 4 that are too many; afterwards its successor counts for every later neighbor.
    context: Context = [Touched("HIV", "viral infection"), "fatigue"]
    assert disclosure_risk(toy, "HIV", "fatigue", "viral infection") == 4
    made = sanitize(toy, [context], Threshold(4.0), chain)
    assert made == {"viral infection": Replacement("infection")}


def test_a_replacement_without_any_safe_generalization_is_removed(toy: ContextSets) -> None:
    context: Context = [Touched("HIV", "viral infection"), "viral infection", "fatigue"]
    made = sanitize(toy, [context], Threshold(4.0), lambda _: [])
    assert replaced(made) == {"viral infection": None}
    assert rewritten(context, made) == [Touched("HIV", None), "fatigue"]


def test_a_phrase_that_no_base_knows_is_shortened_from_the_left() -> None:
    sets = {
        "HIV": frozenset(range(16)),
        "daily zidovudine tablet": frozenset(range(4)),
        "zidovudine tablet": frozenset(range(6)),
        "tablet": frozenset([*range(6), *range(100, 200)]),
    }
    world = ContextSets("made", 1024, sets)

    def shorter(term: Term) -> Sequence[Term]:
        words = str(term).split()
        return [" ".join(words[at:]) for at in range(1, len(words))]

    made = sanitize(world, [[Touched("HIV"), "daily zidovudine tablet"]], Threshold(6.0), lambda _: [], shorter)
    found = made["daily zidovudine tablet"]
    assert found.by == "tablet"
    assert [refused.candidate for refused in found.refused] == ["zidovudine tablet"]


def test_a_shorter_form_that_says_too_much_is_looked_up(toy: ContextSets) -> None:
    sets = dict(toy.sets) | {"daily zidovudine": frozenset(range(2))}
    world = ContextSets("made", 1024, sets)
    made = sanitize(world, [[Touched("HIV"), "daily zidovudine"]], Threshold(6.0), chain, lambda _: ["zidovudine"])
    assert made["daily zidovudine"].by == "drug"
    assert [refused.candidate for refused in made["daily zidovudine"].refused] == ["zidovudine", "antiretroviral"]


def test_a_term_of_several_contexts_gets_the_most_general_of_its_replacements(toy: ContextSets) -> None:
    # Beside HIV alone removed, contraceptive will do; beside HIV generalized it says 4 bits.
    contexts: list[Context] = [[Touched("HIV"), "condom"], [Touched("HIV", "infection"), "condom"]]
    alone = sanitize_context(toy, contexts[0], Threshold(4.0), chain)
    assert alone["condom"].by == "contraceptive"
    made = sanitize(toy, contexts, Threshold(4.0), chain)
    assert made == {"condom": Replacement("device", (Refused("contraceptive", 4.0, "HIV"),))}


def test_a_replacement_that_does_not_suit_another_context_is_replaced_again() -> None:
    # In the second context the term itself is harmless, and only what the first context makes of it is not.
    sets = {
        "first": frozenset(range(16)),
        "second": frozenset(range(64, 80)),
        "term": frozenset(range(4)),
        "kind": frozenset([*range(4), *range(64, 80)]),
        "root": frozenset(range(256)),
    }
    world = ContextSets("made", 256, sets)
    contexts: list[Context] = [[Touched("first"), "term"], [Touched("second"), "term"]]
    above = {"term": ["kind", "root"], "kind": ["root"]}
    made = sanitize(world, contexts[:1], Threshold(3.2), lambda term: above.get(str(term), []))
    assert replaced(made) == {"term": "kind"}
    made = sanitize(world, contexts, Threshold(3.2), lambda term: above.get(str(term), []))
    assert replaced(made) == {"term": "root"}


def test_the_same_term_hidden_in_two_ways_counts_in_both(toy: ContextSets) -> None:
    for order in ([Touched("HIV"), Touched("HIV", "infection")], [Touched("HIV", "infection"), Touched("HIV")]):
        assert replaced(sanitize(toy, [[*order, "weight loss"]], Threshold(4.0), chain)) == {"weight loss": "symptom"}


def test_a_neighbor_never_seen_with_the_hidden_term_stays(toy: ContextSets) -> None:
    assert not sanitize(toy, [[Touched("zidovudine"), "fatigue", "unheard-of"]], Threshold(0.0), chain)


def test_nothing_printed_shows_a_hidden_word() -> None:
    assert "HIV" not in repr(Touched("HIV", "infection"))
    assert "infection" not in repr(Touched("HIV", "infection"))


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_a_second_pass_finds_nothing_and_replacements_come_from_the_chain(seed: int, generalized: bool, by_eq_9: bool) -> None:
    world = made_world(seed, leaves=6)
    hidden = Touched(ENTITY, "kind of secret" if generalized else None)
    leaf = Touched("leaf 0", "class 0" if generalized else None)
    contexts: list[Context] = [[hidden, *world.document[:4]], [leaf, *world.document[2:]], [hidden, leaf, "parent 1"]]
    rule = most_informative_replacement if by_eq_9 and generalized else least_informative_term
    threshold = rule(world.knowledge, contexts)
    assert threshold is not None
    made = sanitize(world.knowledge, contexts, threshold, world.chain)
    assert all(replacement.by is None or replacement.by in world.chain(term) for term, replacement in made.items())
    left = [rewritten(context, made) for context in contexts]
    assert not sanitize(world.knowledge, left, threshold, world.chain)
    for context in left:
        for item in (item for item in context if isinstance(item, Touched)):
            for neighbor in (other.replacement if isinstance(other, Touched) else other for other in context):
                risk = None if neighbor is None else disclosure_risk(world.knowledge, item.term, neighbor, item.replacement)
                assert risk is None or not threshold.met(risk)
