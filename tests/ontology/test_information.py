"""Intrinsic information: the golden table, digit by digit, and the laws every measure keeps."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.ontology.information import Measure, jiang_conrath, lin, resnik
from kgsan.ontology.ontology import Ontology
from tests.conftest import taxonomy

if TYPE_CHECKING:
    from kgsan.sources.records import Records

# concept: leaves, generalizations and itself, specializations, depth, Sánchez, Seco, Zhou
TABLE = {
    "entity": (6, 1, 14, 1, 0, 0, 0),
    "disease": (4, 2, 10, 2, 1.2224, 0.4475, 0.9794),
    "drug": (2, 2, 2, 2, 1.8074, 2.3219, 1.9167),
    "infection": (3, 3, 6, 3, 1.8074, 1.0995, 1.7475),
    "sexually transmitted disease": (2, 3, 3, 3, 2.0704, 1.9069, 2.1512),
    "mental disorder": (1, 3, 1, 3, 2.3923, 2.9069, 2.6512),
    "viral infection": (2, 4, 3, 4, 2.2224, 1.9069, 2.4648),
    "bacterial infection": (1, 4, 1, 4, 2.4854, 2.9069, 2.9648),
    "HIV infection": (1, 6, 1, 5, 2.5850, 2.9069, 3.2081),
    "influenza": (0, 5, 0, 5, 2.8074, 3.9069, 3.7081),
    "syphilis": (0, 6, 0, 5, 2.8074, 3.9069, 3.7081),
    "AIDS": (0, 7, 0, 6, 2.8074, 3.9069, 3.9069),
    "depression": (0, 4, 0, 4, 2.8074, 3.9069, 3.4648),
    "zidovudine": (0, 3, 0, 3, 2.8074, 3.9069, 3.1512),
    "ibuprofen": (0, 3, 0, 3, 2.8074, 3.9069, 3.1512),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_golden_table_is_reproduced(golden: Ontology, name: str) -> None:
    _, subsumers, below, _, sanchez, seco, zhou = TABLE[name]
    concept = golden[f"t:{name}"]
    assert len(golden.generalizations(concept)) + 1 == subsumers
    assert len(golden.specializations(concept)) == below
    assert golden.intrinsic_information(concept) == pytest.approx(sanchez, abs=5e-5)
    assert golden.intrinsic_information(concept, Measure.SECO) == pytest.approx(seco, abs=5e-5)
    assert golden.intrinsic_information(concept, "zhou") == pytest.approx(zhou, abs=5e-5)


@pytest.mark.parametrize("name", TABLE)
def test_the_golden_counts_are_reproduced(golden: Ontology, name: str) -> None:
    leaves, subsumers, below, depth, *_ = TABLE[name]
    number = golden.number(f"t:{name}")
    columns = [int(golden._file[column][number]) for column in ("leaves", "above", "below", "depth")]
    assert columns == [leaves, subsumers - 1, below, depth]


def random_records(seed: int) -> Records:
    chance = random.Random(seed)
    names = [f"c{i:02}" for i in range(chance.randint(1, 30))]
    return taxonomy(
        {
            name: ", ".join(set(chance.sample(names[:i], min(i, chance.choice([0, 1, 1, 1, 2, 3])))))
            for i, name in enumerate(names)
        }
    )


@given(st.integers(0, 10_000), st.sampled_from(list(Measure)))
def test_information_grows_strictly_from_parent_to_child(seed: int, measure: Measure) -> None:
    ontology = Ontology.from_records(random_records(seed))
    for concept in ontology:
        for parent in ontology.parents(concept):
            assert ontology.intrinsic_information(parent, measure) < ontology.intrinsic_information(concept, measure)


@given(st.integers(0, 10_000))
def test_generalizations_say_less_and_less(seed: int) -> None:
    ontology = Ontology.from_records(random_records(seed))
    for concept in ontology:
        bits = [ontology.intrinsic_information(g) for g in (concept, *ontology.generalizations(concept))]
        assert all(more >= less - 1e-12 for more, less in itertools.pairwise(bits))


def test_a_single_root_says_nothing(golden: Ontology) -> None:
    assert [golden.intrinsic_information("t:entity", measure) for measure in Measure] == [0, 0, 0]


def test_several_roots_get_an_unnamed_one_above_them() -> None:
    forest = Ontology.from_records(taxonomy({"a": "", "a1": "a", "b": "", "b1": "b"}))
    tree = Ontology.from_records(taxonomy({"top": "", "a": "top", "a1": "a", "b": "top", "b1": "b"}))
    for measure in Measure:
        for name in ("a", "a1"):
            assert forest.intrinsic_information(f"t:{name}", measure) == tree.intrinsic_information(f"t:{name}", measure)


def test_similarity_is_that_of_the_most_informative_common_subsumer(golden: Ontology) -> None:
    assert resnik(golden, "t:AIDS", "t:influenza") == pytest.approx(2.2224, abs=5e-5)
    assert lin(golden, "t:AIDS", "t:influenza") == pytest.approx(2 * 2.2224 / (2 * 2.8074), abs=5e-5)
    assert jiang_conrath(golden, "t:AIDS", "t:syphilis") == pytest.approx(2 * (2.8074 - 2.0704), abs=1e-4)


def test_siblings_share_what_is_above_both(golden: Ontology) -> None:
    shared = [concept.name for concept in golden.common_subsumers("t:AIDS", "t:syphilis")]
    assert shared == ["sexually transmitted disease", "infection", "disease", "entity"]
    assert next(c.name for c in golden.common_subsumers("t:AIDS", "t:HIV infection")) == "HIV infection"
