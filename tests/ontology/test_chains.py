"""Chains: what is stored is what a walk finds, in the same order, and stays small whatever the graph."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.errors import OntologyError
from kgsan.ontology import chains
from kgsan.ontology.arrays import ArrayFile
from kgsan.ontology.ontology import Ontology
from kgsan.sources.records import Records
from tests.conftest import GOLDEN, taxonomy
from tests.ontology.test_information import random_records

if TYPE_CHECKING:
    from pathlib import Path


def graph(count: int, edges: list[tuple[int, int]], seed: int = 0) -> Ontology:
    """Concepts with ids in no order that follows from the graph."""
    ids = [f"t:{i:05}" for i in range(count)]
    random.Random(seed).shuffle(ids)
    child, parent = [one for one, _ in edges], [other for _, other in edges]
    return Ontology.from_records(Records("test", ids=ids, parent_child=child, parent_parent=parent))


def stored(ontology: Ontology) -> int:
    """How many chains are stored; each is what a walk finds."""
    for number in range(len(ontology)):
        assert list(ontology.generalization_numbers(number)) == chains.walked(ontology._file, number)
    return int((ontology._file["chain_at"] >= 0).sum())


@given(st.integers(0, 10_000))
def test_a_stored_chain_is_what_a_walk_finds(seed: int) -> None:
    ontology = Ontology.from_records(random_records(seed))
    assert stored(ontology) == len(ontology)


@given(st.integers(2, 30), st.integers(1, 4), st.integers(0, 2), st.randoms(use_true_random=False))
def test_so_it_is_with_several_roots_and_with_equals(count: int, most: int, roots: int, chance: random.Random) -> None:
    edges = [
        (i, parent)
        for i in range(1 + roots, count)
        for parent in chance.sample(range(max(0, i - 8), i), min(i, chance.randint(1, most)))
    ]
    stored(graph(count, edges, chance.randrange(1000)))


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 1000))
def test_equals_are_in_the_order_of_steps_and_then_of_ids(width: int, height: int, seed: int) -> None:
    rows = [[0], *([1 + row * width + i for i in range(width)] for row in range(height))]
    edges = [(child, parent) for above, below in pairwise(rows) for child in below for parent in above]
    last = 1 + width * height
    ontology = graph(last + 2, [*edges, *((last, parent) for parent in rows[-1]), (last + 1, last)], seed)
    assert stored(ontology) == last + 2


def test_fewer_steps_come_first_among_those_that_say_as_much() -> None:
    # Both "far" and "near" have one leaf and one concept above them; "far" is two steps above the leaf.
    parents = {"top": "", "far": "top", "near": "top", "beside": "top", "leaf": "near, between", "between": "far"}
    ontology = Ontology.from_records(taxonomy(parents))
    assert [concept.name for concept in ontology.generalizations("t:leaf")] == ["between", "near", "far", "top"]
    assert stored(ontology) == len(ontology)


def test_a_concept_with_one_parent_needs_no_list_of_its_own() -> None:
    ontology = graph(1_002, [(1, 0), *((leaf, 1) for leaf in range(2, 1_002))])
    assert stored(ontology) == 1_002
    assert ontology._file["chain"].tolist() == list(ontology.generalization_numbers(2)) == [1, 0]


@pytest.mark.parametrize(
    ("longest", "listed", "read", "at_once"), [(0, 12, 64, 99), (3, 12, 64, 1), (255, 2, 64, 7), (255, 12, 2, 1)]
)
def test_chains_are_the_same_stored_or_walked(
    longest: int, listed: int, read: int, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {seed: Ontology.from_records(random_records(seed)) for seed in range(30)}
    monkeypatch.setattr(chains, "_LONGEST", longest)
    monkeypatch.setattr(chains, "_MOST_LISTED", listed)
    monkeypatch.setattr(chains, "_MOST_READ", read)
    monkeypatch.setattr(chains, "_NUMBERS_AT_ONCE", at_once)
    kept = 0
    for seed, ontology in expected.items():
        Ontology.from_records(random_records(seed)).save(tmp_path / "a.kgo")
        opened = Ontology.open(tmp_path / "a.kgo")
        kept += stored(opened)
        assert len(opened._file["chain"]) <= listed * len(opened)
        for number in range(len(opened)):
            assert list(opened.generalization_numbers(number)) == list(ontology.generalization_numbers(number))
    assert 0 < kept < sum(map(len, expected.values()))


def test_what_is_very_deep_is_walked_and_the_file_stays_small() -> None:
    count = 100_000
    ontology = Ontology.from_records(
        Records("test", ids=[f"t:{i:07}" for i in range(count)], parent_child=range(1, count), parent_parent=range(count - 1))
    )
    assert len(ontology._file["chain"]) == 256
    for number in (0, 1, 254, 255, 256, 257, 3_000):
        assert list(ontology.generalization_numbers(number)) == list(range(number))[::-1]


def test_in_a_tangle_the_shorter_chains_are_stored() -> None:
    layers = [range(start, start + 60) for start in range(0, 600, 60)]
    edges = [(child, parent) for above, below in pairwise(layers) for child in below for parent in above]
    ontology = graph(600, edges)
    assert stored(ontology) == 120
    assert len(ontology._file["chain"]) <= 12 * 600


def forged(ontology: Ontology, path: Path, **columns: object) -> Ontology:
    """The ontology with other columns and right checksums."""
    file = ontology._file
    arrays = {name: file[name] for name in file.sizes} | {name: np.asarray(one) for name, one in columns.items()}
    ArrayFile(file.kind, file.version, file.about, arrays).save(path)
    return Ontology.open(path)


@pytest.mark.parametrize("column", ["chain", "chain_at"])
def test_a_forged_chain_is_an_error_and_never_an_answer(column: str, golden: Ontology, tmp_path: Path) -> None:
    right = golden._file[column]
    for place in range(len(right)):
        for wrong in {-1, 0, 1, 2, len(golden) - 1} - {int(right[place])}:
            made = right.copy()
            made[place] = wrong
            with pytest.raises(OntologyError, match="O112"):
                forged(golden, tmp_path / "a.kgo", **{column: made}).generalization_numbers(0)
    for made in (right[:-1], np.append(right, 0)):
        with pytest.raises(OntologyError, match="O112"):
            forged(golden, tmp_path / "a.kgo", **{column: made}).generalization_numbers(0)


@pytest.mark.parametrize("column", ["parents", "above", "leaves"])
def test_chains_that_do_not_follow_from_the_graph_are_an_error(column: str, tmp_path: Path) -> None:
    golden = Ontology.from_records(taxonomy(GOLDEN))
    right = golden._file[column]
    expected = [list(golden.generalization_numbers(number)) for number in range(len(golden))]
    for place in range(len(right)):
        for wrong in set(range(len(golden))) - {int(right[place])}:
            made = right.copy()
            made[place] = wrong
            opened = forged(golden, tmp_path / "a.kgo", **{column: made})
            try:
                found = [list(opened.generalization_numbers(number)) for number in range(len(golden))]
            except OntologyError as error:
                assert error.problems[0].code == "O112"
            else:
                assert found == expected == [chains.walked(opened._file, number) for number in range(len(golden))]


def test_what_circles_in_a_forged_file_is_an_error(tmp_path: Path) -> None:
    ontology = graph(4, [(1, 0), (2, 1), (3, 2)])
    start, parents = ontology._file["parents_start"], ontology._file["parents"].copy()
    parents[start[1]] = 2
    with pytest.raises(OntologyError, match="O112"):
        forged(ontology, tmp_path / "a.kgo", parents=parents).generalization_numbers(3)


def test_common_subsumers_are_in_the_order_of_the_first_chain(golden: Ontology) -> None:
    shared = golden.common_subsumers("t:AIDS", "t:syphilis", "t:sexually transmitted disease")
    assert [concept.name for concept in shared] == ["sexually transmitted disease", "disease", "entity"]
    assert golden.common_subsumers("t:AIDS")[0].name == "AIDS"
    assert golden.common_subsumers() == ()
