"""What stated relations give away: the part of a thing's relations that leads to the entity."""

from __future__ import annotations

import pytest

from kgsan.knowledge.relations import stated_disclosure
from kgsan.ontology.ontology import Concept, Ontology
from tests.conftest import GOLDEN, taxonomy

DISEASES = ("HIV infection", "influenza", "syphilis", "depression")


def world(*relations: tuple[str, str, str]) -> Ontology:
    records = taxonomy(GOLDEN)
    for subject, kind, target in relations:
        records.relation(records.concept(f"t:{subject}"), kind, records.concept(f"t:{target}"))
    return Ontology.from_records(records)


def revealed(ontology: Ontology, entity: str, term: str, bits: float = 8.0) -> float | None:
    found = stated_disclosure(ontology, ontology[f"t:{entity}"], ontology[f"t:{term}"], bits)
    return found and found[0].revealed


def test_a_drug_with_one_indication_discloses_it_fully() -> None:
    assert revealed(world(("zidovudine", "treats", "HIV infection")), "HIV infection", "zidovudine") == 1


@pytest.mark.parametrize(("bits", "share"), [(8.0, 0.75), (4.0, 0.5), (2.0, 0.0)])
def test_a_drug_with_one_indication_of_four_discloses_all_but_two_bits(bits: float, share: float) -> None:
    ontology = world(*(("zidovudine", "treats", disease) for disease in DISEASES))
    assert revealed(ontology, "HIV infection", "zidovudine", bits) == share


def test_a_relation_to_a_specialization_leads_to_the_entity() -> None:
    ontology = world(("zidovudine", "treats", "AIDS"), ("zidovudine", "treats", "depression"))
    assert revealed(ontology, "viral infection", "zidovudine") == 1 - 1 / 8


def test_a_relation_to_a_generalization_does_not_lead_to_the_entity() -> None:
    assert revealed(world(("zidovudine", "treats", "infection")), "HIV infection", "zidovudine") is None


def test_a_general_term_has_the_relations_of_its_specializations() -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"), ("ibuprofen", "treats", "influenza"))
    assert revealed(ontology, "HIV infection", "drug") == 1 - 1 / 8


def test_a_relation_that_others_state_counts_too() -> None:
    ontology = world(("HIV infection", "is treated by", "zidovudine"), ("influenza", "is treated by", "ibuprofen"))
    assert revealed(ontology, "HIV infection", "zidovudine") == 1


def test_the_most_telling_kind_of_relation_decides_and_is_named() -> None:
    ontology = world(
        ("zidovudine", "treats", "HIV infection"),
        *(("zidovudine", "worsens", disease) for disease in DISEASES),
    )
    found = stated_disclosure(ontology, ontology["t:HIV infection"], ontology["t:zidovudine"], 8.0)
    assert found is not None
    share, relation = found
    assert (share.revealed, share.support, share.contexts_of_terms, relation) == (1, 1, 1, "treats")


def test_a_stated_relation_needs_no_confidence() -> None:
    ontology = world(*(("zidovudine", "treats", disease) for disease in DISEASES))
    found = stated_disclosure(ontology, ontology["t:HIV infection"], ontology["t:zidovudine"], 8.0)
    assert found is not None
    assert found[0].low == found[0].revealed


def test_no_relation_is_no_evidence() -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"))
    assert revealed(ontology, "influenza", "zidovudine") is None
    assert revealed(ontology, "HIV infection", "ibuprofen") is None
    assert revealed(world(), "HIV infection", "zidovudine") is None


@pytest.mark.parametrize("bits", [None, 0.0])
def test_an_entity_without_information_gives_nothing_away(bits: float | None) -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"))
    assert stated_disclosure(ontology, ontology["t:HIV infection"], ontology["t:zidovudine"], bits) is None


def test_a_concept_of_another_ontology_cannot_be_judged() -> None:
    ontology = world(("zidovudine", "treats", "HIV infection"))
    assert stated_disclosure(ontology, Concept("other:1", "HIV infection"), ontology["t:zidovudine"], 8.0) is None
