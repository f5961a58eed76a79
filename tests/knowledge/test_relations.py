"""What stated relations give away: the part of a thing's relations that leads to the entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from kgsan.knowledge.relations import stated_disclosure
from kgsan.ontology.ontology import Ontology
from tests.conftest import GOLDEN, taxonomy

if TYPE_CHECKING:
    from kgsan.knowledge.information import Share

DISEASES = ("HIV infection", "influenza", "syphilis", "depression")


def world(*relations: tuple[str, str, str]) -> Ontology:
    records = taxonomy({**GOLDEN, "tablet": "zidovudine", "blue tablet": "tablet"})
    for subject, kind, target in relations:
        records.relation(records.concept(f"t:{subject}"), kind, records.concept(f"t:{target}"))
    return Ontology.from_records(records)


def told(ontology: Ontology, entity: str, term: str, bits: float | None = 8.0) -> Share | None:
    concept = ontology[f"t:{entity}"]
    members = np.array(sorted((concept.number, *ontology.specialization_numbers(concept.number))))
    return stated_disclosure(ontology, members, ontology[f"t:{term}"].number, bits)


def revealed(ontology: Ontology, entity: str, term: str, bits: float = 8.0) -> float | None:
    found = told(ontology, entity, term, bits)
    return None if found is None else found.revealed


# --- what a term states itself ---------------------------------------------------------------------------------------------


def test_a_drug_with_one_indication_discloses_it_fully() -> None:
    assert revealed(world(("zidovudine", "treats", "HIV infection")), "HIV infection", "zidovudine") == 1


@pytest.mark.parametrize(("bits", "share"), [(8.0, 0.75), (4.0, 0.5), (2.0, 0.0)])
def test_a_drug_with_one_indication_of_four_discloses_all_but_two_bits(bits: float, share: float) -> None:
    ontology = world(*(("zidovudine", "treats", disease) for disease in DISEASES))
    assert revealed(ontology, "HIV infection", "zidovudine", bits) == share


def test_a_relation_that_is_stated_twice_counts_once() -> None:
    ontology = world(*(("zidovudine", "treats", disease) for disease in ("HIV infection", "HIV infection", "influenza")))
    assert revealed(ontology, "HIV infection", "zidovudine") == 1 - 1 / 8


def test_a_relation_to_a_specialization_leads_to_the_entity() -> None:
    ontology = world(("zidovudine", "treats", "AIDS"), ("zidovudine", "treats", "depression"))
    assert revealed(ontology, "viral infection", "zidovudine") == 1 - 1 / 8


def test_a_relation_to_a_generalization_does_not_lead_to_the_entity() -> None:
    assert revealed(world(("zidovudine", "treats", "infection")), "HIV infection", "zidovudine") is None


def test_what_the_policy_excepts_does_not_lead_to_the_entity() -> None:
    ontology = world(("zidovudine", "treats", "AIDS"))
    only = np.array([ontology["t:HIV infection"].number])
    assert stated_disclosure(ontology, only, ontology["t:zidovudine"].number, 8.0) is None


def test_a_relation_that_others_state_counts_too() -> None:
    ontology = world(("HIV infection", "is treated by", "zidovudine"), ("influenza", "is treated by", "ibuprofen"))
    assert revealed(ontology, "HIV infection", "zidovudine") == 1


def test_the_most_telling_kind_of_relation_decides_and_is_named() -> None:
    ontology = world(
        ("zidovudine", "treats", "HIV infection"),
        *(("zidovudine", "worsens", disease) for disease in DISEASES),
    )
    found = told(ontology, "HIV infection", "zidovudine")
    assert found is not None
    assert (found.revealed, found.support, found.contexts_of_terms, found.source) == (1, 1, 1, "test: treats")


# --- how sure it is --------------------------------------------------------------------------------------------------------


def test_a_stated_relation_needs_no_confidence() -> None:
    found = told(world(*(("zidovudine", "treats", disease) for disease in DISEASES)), "HIV infection", "zidovudine")
    assert found is not None
    assert found.stated
    assert found.low == found.revealed


@pytest.mark.parametrize("loose", ["symptom of", "Symptom Of", "complication of", "risk factor for"])
def test_what_an_ontology_lists_of_its_own_field_only_is_a_sample_and_needs_confidence(loose: str) -> None:
    found = told(world(("zidovudine", loose, "HIV infection")), "HIV infection", "zidovudine")
    assert found is not None
    assert found.stated
    assert found.revealed == 1
    assert found.low == pytest.approx(0.764, abs=1e-3)  # one of one, for 8 bits


def test_an_exact_relation_decides_over_a_sample_that_seems_to_tell_more() -> None:
    ontology = world(
        ("zidovudine", "symptom of", "HIV infection"),
        ("zidovudine", "treats", "HIV infection"),
        ("zidovudine", "treats", "influenza"),
    )
    found = told(ontology, "HIV infection", "zidovudine")
    assert found is not None
    assert (found.source, found.low) == ("test: treats", 1 - 1 / 8)


# --- what is stated above and below ----------------------------------------------------------------------------------------


def test_a_term_that_states_nothing_has_what_the_nearest_thing_above_it_states() -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"), *(("drug", "treats", disease) for disease in DISEASES))
    assert revealed(ontology, "HIV infection", "tablet") == 1
    assert revealed(ontology, "HIV infection", "blue tablet") == 1
    assert revealed(ontology, "HIV infection", "ibuprofen") == 0.75


def test_a_term_that_states_anything_has_nothing_from_above() -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"), ("tablet", "treats", "influenza"))
    assert revealed(ontology, "HIV infection", "tablet") is None
    assert revealed(ontology, "HIV infection", "blue tablet") is None


def test_what_others_state_of_a_thing_is_not_said_of_what_lies_below_it() -> None:
    ontology = world(("HIV infection", "is treated by", "drug"))
    assert revealed(ontology, "HIV infection", "drug") == 1
    assert revealed(ontology, "HIV infection", "ibuprofen") is None


def test_a_general_term_has_nothing_from_what_lies_below_it() -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"), ("ibuprofen", "treats", "HIV infection"))
    assert revealed(ontology, "HIV infection", "drug") is None


# --- no evidence -----------------------------------------------------------------------------------------------------------


def test_no_relation_is_no_evidence() -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"))
    assert revealed(ontology, "influenza", "zidovudine") is None
    assert revealed(ontology, "HIV infection", "ibuprofen") is None
    assert revealed(world(), "HIV infection", "zidovudine") is None


@pytest.mark.parametrize("bits", [None, 0.0])
def test_an_entity_without_information_gives_nothing_away(bits: float | None) -> None:
    assert told(world(("zidovudine", "treats", "HIV infection")), "HIV infection", "zidovudine", bits) is None


def test_an_entity_without_concepts_in_an_ontology_is_not_told_by_it() -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"))
    assert stated_disclosure(ontology, np.zeros(0, dtype=np.int64), ontology["t:zidovudine"].number, 8.0) is None
