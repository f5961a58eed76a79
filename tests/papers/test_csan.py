"""C-sanitized: the published algorithm on the toy world, its groups, and what it promises in any world."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.knowledge.information import reaches, shared_information
from kgsan.ontology.ontology import Concept
from kgsan.risk.groups import GroupSearch
from kgsan.sanitize.published import Refused, Replacement, candidates, chain_over, combined, rewritten
from kgsan.sanitize.published.csan import disclosed, limits, sanitize, sanitize_groups, utility
from tests.papers.test_groups import ENTITY, admissible, made_world
from tests.papers.toy import WORLD, ContextSets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.knowledge.knowledge import Term

DOCUMENT = ["HIV", "zidovudine", "condom", "weight loss", "fatigue", "ibuprofen", "viral infection", "infection"]


def chain(term: Term) -> Sequence[Term]:
    """The generalizations of a term of the toy world."""
    above = WORLD[str(term)][0] if str(term) in WORLD else ""
    return [above, *chain(above)] if above else []


def replaced(made: dict[Term, Replacement]) -> dict[Term, Term | None]:
    return {term: replacement.by for term, replacement in made.items()}


#: strictness: limit, replacements, bits kept of 40, bits kept by redaction
CHECK = {
    1.0: (6, {"HIV": "viral infection", "zidovudine": "drug"}, 33, 26),
    1.5: (4, {"HIV": "infection", "zidovudine": "drug", "condom": "contraceptive", "viral infection": "infection"}, 30, 16),
    2.0: (
        3,
        {
            "HIV": "disease",
            "zidovudine": "drug",
            "condom": "device",
            "weight loss": "symptom",
            "viral infection": "disease",
            "infection": "disease",
        },
        21,
        8,
    ),
}


@pytest.mark.parametrize("strictness", CHECK)
def test_the_check_is_reproduced(toy: ContextSets, strictness: float) -> None:
    limit, expected, kept, kept_by_redaction = CHECK[strictness]
    entity_limits = limits(toy, ["HIV"], strictness)
    assert entity_limits == {"HIV": limit}
    assert utility(toy, DOCUMENT) == 40
    made = sanitize(toy, DOCUMENT, entity_limits, chain)
    assert replaced(made) == expected
    assert utility(toy, rewritten(DOCUMENT, made)) == kept
    redacted = sanitize(toy, DOCUMENT, entity_limits, chain, redact=True)
    assert replaced(redacted) == dict.fromkeys(expected)
    assert utility(toy, rewritten(DOCUMENT, redacted)) == kept_by_redaction


def test_three_ties_at_one_and_a_half_hide(toy: ContextSets) -> None:
    entity_limits = limits(toy, ["HIV"], 1.5)
    made = sanitize(toy, DOCUMENT, entity_limits, chain)
    assert disclosed(toy, "viral infection", entity_limits) == Refused("viral infection", 4.0, "HIV")
    assert disclosed(toy, "condom", entity_limits) == Refused("condom", 4.0, "HIV")
    assert made["HIV"].refused == (Refused("viral infection", 4.0, "HIV"),)


def test_every_refused_candidate_is_told_with_its_bits(toy: ContextSets) -> None:
    made = sanitize(toy, ["HIV", "zidovudine"], limits(toy, ["HIV"], 2), chain)
    assert [(refused.candidate, refused.bits) for refused in made["HIV"].refused] == [("viral infection", 4), ("infection", 3)]
    assert [(refused.candidate, refused.bits) for refused in made["zidovudine"].refused] == [("antiretroviral", 6)]


def test_a_replacement_is_safe_for_every_entity(toy: ContextSets) -> None:
    # The drug is the kind of zidovudine, but reveals itself when drugs are protected as well.
    made = sanitize(toy, ["zidovudine"], limits(toy, ["HIV", "drug"], 1.5), chain)
    assert made["zidovudine"].by == "entity"
    assert made["zidovudine"].refused[-1] == Refused("drug", 3.0, "drug")


def test_a_candidate_that_was_never_seen_is_no_candidate(toy: ContextSets) -> None:
    made = sanitize(toy, ["HIV"], limits(toy, ["HIV"], 1), lambda term: ["unheard-of", *chain(term)])
    assert made["HIV"] == Replacement("viral infection")


def test_a_candidate_that_says_more_than_the_term_is_no_candidate(toy: ContextSets) -> None:
    made = sanitize(toy, ["viral infection"], limits(toy, ["HIV"], 1.5), lambda _: ["weight loss", "infection"])
    assert made["viral infection"] == Replacement("infection")


def test_a_term_without_any_safe_generalization_is_redacted(toy: ContextSets) -> None:
    made = sanitize(toy, ["HIV"], limits(toy, ["HIV"], 1), lambda _: ["AIDS", "HIV"])
    assert made["HIV"] == Replacement(None, (Refused("HIV", 6.0, "HIV"),))


def test_nothing_is_inferred_about_what_stands_everywhere_or_nowhere(toy: ContextSets) -> None:
    assert limits(toy, ["entity", "unheard-of"], 1.5) == {}


#: The document of the check with the two symptoms in one sentence and every other term in its own.
SENTENCES = [["HIV"], ["zidovudine"], ["condom"], ["weight loss", "fatigue"], ["ibuprofen"], ["viral infection"], ["infection"]]


def test_two_vague_symptoms_lose_the_one_that_says_less(toy: ContextSets) -> None:
    made = sanitize_groups(toy, SENTENCES, limits(toy, ["HIV"], 1.5), chain)
    assert replaced(made) == {**CHECK[1.5][1], "fatigue": "symptom"}
    assert made["fatigue"].refused == ()
    assert utility(toy, rewritten(DOCUMENT, made)) == 28


def test_with_the_usual_support_the_two_symptoms_stay(toy: ContextSets) -> None:
    search = GroupSearch(least_support=3, by_bound=False)
    made = sanitize_groups(toy, SENTENCES, limits(toy, ["HIV"], 1.5), chain, search)
    assert replaced(made) == CHECK[1.5][1]


def test_in_one_context_a_replacement_may_be_part_of_a_group(toy: ContextSets) -> None:
    # What the single terms left: infection beside contraceptive gives 4 bits, beside weight loss 5.
    assert shared_information(toy, "HIV", "infection", "contraceptive") == 4
    assert shared_information(toy, "HIV", "infection", "weight loss") == 5
    search = GroupSearch(least_support=3, by_bound=False)
    made = sanitize_groups(toy, [DOCUMENT], limits(toy, ["HIV"], 1.5), chain, search)
    assert replaced(made) == {**CHECK[1.5][1], "condom": "device", "weight loss": "symptom"}
    assert made["condom"].refused == ()


def test_a_candidate_that_would_be_part_of_a_group_is_refused(toy: ContextSets) -> None:
    # Ibuprofen and a device stand together once, beside HIV: without a least support that says all.
    made = sanitize_groups(toy, [DOCUMENT], limits(toy, ["HIV"], 1.5), chain)
    assert made["condom"] == Replacement("entity", (Refused("device", 6.0, "HIV"),))


def test_symptoms_in_different_contexts_are_no_group(toy: ContextSets) -> None:
    made = sanitize_groups(toy, [["fatigue", "condom"], ["weight loss"]], limits(toy, ["HIV"], 1.5), chain)
    assert replaced(made) == {"condom": "contraceptive"}


def test_occurrences_decide_which_symptom_gives_way(toy: ContextSets) -> None:
    # Two times 2 bits are more than 3.
    contexts = [["fatigue", "weight loss"], ["fatigue"]]
    assert replaced(sanitize_groups(toy, contexts, limits(toy, ["HIV"], 1.5), chain)) == {"weight loss": "symptom"}


def test_a_group_that_cannot_be_generalized_loses_its_least_informative_member(toy: ContextSets) -> None:
    made = sanitize_groups(toy, [["fatigue", "weight loss"]], limits(toy, ["HIV"], 1.5), lambda _: [])
    assert replaced(made) == {"fatigue": None}


def test_a_term_generalized_alone_and_again_in_a_group_is_told_once(toy: ContextSets) -> None:
    first = {"a": Replacement("b", (Refused("x", 1.0),))}
    second = {"b": Replacement("c", (Refused("y", 2.0),))}
    assert combined(first, second) == {
        "a": Replacement("c", (Refused("x", 1.0), Refused("y", 2.0))),
        "b": Replacement("c", (Refused("y", 2.0),)),
    }


def counterexample() -> ContextSets:
    """240 contexts, 19 with the entity, 35 with a, 20 with b; the two meet in 5, in 4 of them beside the entity."""
    sets = {
        "c": frozenset(range(19)),
        "a": frozenset([*range(8), 20, *range(30, 56)]),
        "b": frozenset([*range(4), 8, 9, 20, *range(60, 73)]),
        "root": frozenset(range(240)),
    }
    return ContextSets("made", 240, sets)


def test_stricter_is_not_a_superset() -> None:
    world = counterexample()
    counts = [world.count(*terms) for terms in (("a",), ("b",), ("c", "a"), ("c", "b"), ("a", "b"), ("c", "a", "b"))]
    assert counts == [35, 20, 8, 6, 5, 4]
    hidden = {
        strictness: set(sanitize_groups(world, [["a", "b"]], limits(world, ["c"], strictness), lambda _: ["root"]))
        for strictness in (1.5, 2)
    }
    assert hidden == {1.5: {"a"}, 2: {"b"}}


def test_a_phrase_never_seen_counts_as_its_longest_known_right_part(toy: ContextSets) -> None:
    def shorter(term: Term) -> Sequence[Term]:
        words = str(term).split()
        return [" ".join(words[at:]) for at in range(1, len(words))]

    assert utility(toy, ["chronic viral infection", None], shorter) == 4
    assert utility(toy, ["chronic viral infection"]) == 10
    assert utility(toy, ["unheard-of"], shorter) == 10


def test_concepts_are_terms_as_well_as_names(toy: ContextSets) -> None:
    hiv, infection = Concept("toy:1", "HIV"), Concept("toy:2", "infection")
    made = sanitize(toy, [hiv, hiv, "fatigue"], limits(toy, [hiv], 1.5), lambda _: [infection])
    assert replaced(made) == {hiv: infection}


def test_chains_of_several_bases_follow_each_other_unmixed(toy: ContextSets) -> None:
    both = chain_over(toy, lambda _: ["entity", "infection"], lambda _: ["device", "condom"])
    assert both("HIV") == ["infection", "entity", "condom", "device"]


def test_a_shorter_form_is_tried_before_its_chain() -> None:
    found = candidates("acute viral infection", chain, lambda _: ["viral infection"])
    assert list(found) == ["viral infection", "infection", "disease", "entity"]


def test_nothing_printed_shows_a_word() -> None:
    shown = repr(Replacement("infection", (Refused("viral infection", 4.0, "HIV"),)))
    assert "infection" not in shown
    assert "HIV" not in shown


strictnesses = st.sampled_from([1.0, 1.25, 1.5, 2.0, 3.0])


@settings(max_examples=100)
@given(st.integers(0, 10**6), strictnesses)
def test_what_survives_is_below_every_limit_and_comes_from_the_chain(seed: int, strictness: float) -> None:
    world = made_world(seed)
    entity_limits = limits(world.knowledge, [ENTITY, "class 1"], strictness)
    made = sanitize(world.knowledge, world.document, entity_limits, world.chain)
    assert all(replacement.by is None or replacement.by in world.chain(term) for term, replacement in made.items())
    left = [term for term in rewritten(world.document, made) if term is not None]
    for term in left:
        for entity, limit in entity_limits.items():
            shared = shared_information(world.knowledge, entity, term)
            assert shared is None or not reaches(shared, limit)
    assert not sanitize(world.knowledge, left, entity_limits, world.chain)


@settings(max_examples=50)
@given(st.integers(0, 10**6), strictnesses, st.integers(1, 3))
def test_no_group_survives_and_a_second_time_changes_nothing(seed: int, strictness: float, support: int) -> None:
    world = made_world(seed, leaves=6)
    search = GroupSearch(least_support=support, by_bound=False)
    entity_limits = limits(world.knowledge, [ENTITY], strictness)
    contexts = [world.document[:6], world.document[3:]]
    made = sanitize_groups(world.knowledge, contexts, entity_limits, world.chain, search)
    assert set(made) <= set(world.document)
    assert all(replacement.by is None or replacement.by in world.chain(term) for term, replacement in made.items())
    left = [[term for term in rewritten(context, made) if term is not None] for context in contexts]
    assert all(admissible(world, context, strictness, search) for context in left)
    assert not sanitize_groups(world.knowledge, left, entity_limits, world.chain, search)


@settings(max_examples=100)
@given(st.integers(0, 10**6))
def test_the_single_terms_detected_grow_with_strictness(seed: int) -> None:
    world = made_world(seed, leaves=7)
    terms = list(world.knowledge.sets)
    detected = [
        {term for term in terms if disclosed(world.knowledge, term, limits(world.knowledge, [ENTITY], strictness))}
        for strictness in (1, 1.25, 1.5, 2, 3)
    ]
    assert all(fewer <= more for fewer, more in pairwise(detected))
