"""An ontology as knowledge: its contexts by hand; the laws of counting stand in test_laws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgsan.knowledge.information import disclosure, information
from kgsan.knowledge.taxonomy import TaxonomyKnowledge
from kgsan.ontology.information import Measure
from kgsan.ontology.ontology import Concept, Ontology
from tests.conftest import GOLDEN, taxonomy

if TYPE_CHECKING:
    from kgsan.sources.records import Records


def related(records: Records, *relations: tuple[str, str, str]) -> Ontology:
    for subject, kind, target in relations:
        records.relation(records.concept(f"t:{subject}"), kind, records.concept(f"t:{target}"))
    return Ontology.from_records(records)


@pytest.mark.parametrize("name", GOLDEN)
def test_without_relations_information_is_that_of_seco(golden: Ontology, name: str) -> None:
    knowledge = TaxonomyKnowledge(golden)
    assert information(knowledge, golden[f"t:{name}"]) == pytest.approx(golden.intrinsic_information(f"t:{name}", Measure.SECO))


def test_unrelated_siblings_give_no_evidence(golden: Ontology) -> None:
    knowledge = TaxonomyKnowledge(golden)
    assert knowledge.count("influenza", "AIDS") == 0
    assert disclosure(knowledge, "AIDS", "influenza") is None


def test_a_concept_with_two_parents_stands_with_both(golden: Ontology) -> None:
    assert TaxonomyKnowledge(golden).count("bacterial infection", "sexually transmitted disease") == 1
    assert TaxonomyKnowledge(golden).count("infection", "sexually transmitted disease", "disease") == 3


def test_a_relation_is_one_context_of_both_ends_and_everything_above() -> None:
    ontology = related(taxonomy(GOLDEN), ("zidovudine", "treats", "HIV infection"))
    knowledge = TaxonomyKnowledge(ontology)
    assert knowledge.contexts == 14  # 15 concepts, two of which stand in the one relation
    assert knowledge.count("zidovudine") == knowledge.count("zidovudine", "HIV infection", "disease", "drug") == 1
    assert (knowledge.count("HIV infection"), knowledge.count("drug"), knowledge.count("entity")) == (2, 3, 14)
    assert knowledge.count("zidovudine", "AIDS") == 0


def test_a_drug_with_one_indication_gives_it_away() -> None:
    ontology = related(taxonomy(GOLDEN), ("zidovudine", "treats", "HIV infection"))
    found = disclosure(TaxonomyKnowledge(ontology), "HIV infection", "zidovudine")
    assert found is not None
    assert found.revealed == 1


def test_a_drug_with_one_indication_of_four_gives_away_all_but_two_bits() -> None:
    indications = ("HIV infection", "influenza", "syphilis", "depression")
    ontology = related(taxonomy(GOLDEN), *(("zidovudine", "treats", name) for name in indications))
    found = disclosure(TaxonomyKnowledge(ontology), "HIV infection", "zidovudine")
    assert found is not None
    assert found.chance == 1 / 4
    assert found.revealed == pytest.approx(1 - 2 / found.entity_information)


def test_what_a_relation_says_holds_in_both_directions_and_once() -> None:
    ontology = related(
        taxonomy({"a": "", "b": "", "c": "a"}),
        ("c", "causes", "b"),
        ("b", "follows", "c"),
        ("c", "meets", "c"),
        ("a", "has", "c"),
    )
    knowledge = TaxonomyKnowledge(ontology)
    assert knowledge.contexts == 4 + 1  # several roots: the unnamed one above them
    assert [knowledge.count(*terms) for terms in (("a",), ("b",), ("c",), ("a", "b"), ("a", "c"))] == [4, 2, 4, 2, 4]


def test_a_name_with_several_meanings_stands_where_any_of_them_does() -> None:
    records = taxonomy({"top": "", "money": "top", "river": "top", "shore": "river", "loan": "money"})
    records.name(records.concept("t:money"), "bank")
    records.name(records.concept("t:shore"), "bank")
    knowledge = TaxonomyKnowledge(Ontology.from_records(records))
    assert (knowledge.count("bank"), knowledge.count("Banks", "river"), knowledge.count("bank", "loan")) == (3, 1, 1)


def test_a_name_that_means_a_concept_and_its_specialization_counts_no_context_twice(golden: Ontology) -> None:
    records = taxonomy(GOLDEN)
    for name in ("disease", "infection", "AIDS", "drug"):
        records.name(records.concept(f"t:{name}"), "trouble")
    knowledge = TaxonomyKnowledge(Ontology.from_records(records))
    assert knowledge.count("trouble") == 11 + 3


def test_what_the_ontology_does_not_know_it_cannot_say(golden: Ontology) -> None:
    knowledge = TaxonomyKnowledge(golden)
    foreign = Concept("other:1", "disease")
    assert [knowledge.count(*terms) for terms in (("surgery",), (foreign,), ("disease", "surgery"), ("",))] == [None] * 4


def test_no_terms_stand_in_every_context_and_a_term_twice_is_the_term(golden: Ontology) -> None:
    knowledge = TaxonomyKnowledge(golden)
    assert knowledge.count() == knowledge.contexts == 15
    assert knowledge.count("infection", "infection") == knowledge.count("infection") == 7


def test_two_frequent_terms_are_counted_together() -> None:
    names = {f"n{i:03}": ", ".join(["even"] * (i % 2 == 0) + ["third"] * (i % 3 == 0)) for i in range(999)}
    knowledge = TaxonomyKnowledge(Ontology.from_records(taxonomy({"even": "", "third": "", **names})))
    assert [knowledge.count(*terms) for terms in (("even",), ("third",), ("even", "third"))] == [501, 334, 167]


def test_names_and_contexts_stand_in_the_summary(golden: Ontology) -> None:
    assert repr(TaxonomyKnowledge(golden)) == "<TaxonomyKnowledge of test: 15 contexts>"
