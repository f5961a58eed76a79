"""The compiled ontology: what it answers, and that it answers the same for ever."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from threading import Thread

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.errors import OntologyError
from kgsan.ontology.compile import merge, subset
from kgsan.ontology.ontology import Concept, Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sources.records import Records, Scope
from tests.conftest import GOLDEN, taxonomy
from tests.ontology.test_information import random_records


def names(concepts: object) -> list[str]:
    return [concept.name for concept in concepts]  # type: ignore[attr-defined]


def test_generalizations_are_all_parents_of_all_paths_most_specific_first(golden: Ontology) -> None:
    assert names(golden.generalizations("t:AIDS")) == [
        "HIV infection",
        "viral infection",
        "sexually transmitted disease",
        "infection",
        "disease",
        "entity",
    ]


def test_a_concept_is_neither_its_own_generalization_nor_its_own_specialization(golden: Ontology) -> None:
    for concept in golden:
        assert concept not in golden.generalizations(concept)
        assert concept not in golden.specializations(concept)
        assert not golden.generalizes(concept, concept)


def test_specializations_reach_through_every_parent(golden: Ontology) -> None:
    assert set(names(golden.specializations("t:sexually transmitted disease"))) == {"HIV infection", "AIDS", "syphilis"}
    assert set(names(golden.specializations("t:viral infection"))) == {"HIV infection", "AIDS", "influenza"}


@given(st.integers(0, 10_000))
def test_the_graph_is_what_networkx_says_it_is(seed: int) -> None:
    ontology = Ontology.from_records(random_records(seed))
    graph = networkx.DiGraph(ontology.to_networkx())
    for concept in ontology:
        above = set(networkx.descendants(graph, concept.id))  # edges lead upwards
        below = set(networkx.ancestors(graph, concept.id))
        special = ontology.specializations(concept)
        assert {c.id for c in ontology.generalizations(concept)} == above
        assert set(special.ids()) == below
        assert len(special) == len(below)
        assert [special[i] for i in range(len(special))] == list(special)
        assert special[1:-1] == tuple(special)[1:-1]
        assert [ontology.concept(number) for number in special.numbers] == list(special)
        for other in ontology:
            assert ontology.generalizes(concept, other) == (other.id in below)
            assert (other in special) == (other.id in below)
        assert {c.id for c in ontology.children(concept)} == set(graph.predecessors(concept.id))


@pytest.mark.parametrize("longest", [0, 3, 1024])
def test_a_subtree_is_the_same_stored_as_a_list_or_put_together(
    longest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {seed: Ontology.from_records(random_records(seed)) for seed in range(30)}
    monkeypatch.setattr("kgsan.ontology.subtrees._LONGEST", longest)
    for seed, ontology in expected.items():
        Ontology.from_records(random_records(seed)).save(tmp_path / "a.kgo")
        opened = Ontology.open(tmp_path / "a.kgo")
        for number in range(len(opened)):
            listed = list(opened.specialization_numbers(number))
            assert listed == list(ontology.specialization_numbers(number))
            assert sorted([number, *listed]) == sorted(n for span in opened.ranges(number) for n in range(*span))


def test_a_place_below_a_concept_that_is_not_there_is_an_index_error(golden: Ontology) -> None:
    for name in ("infection", "sexually transmitted disease", "AIDS"):
        below = golden.specializations(f"t:{name}")
        for place in (len(below), -len(below) - 1):
            with pytest.raises(IndexError):
                below[place]


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(seed: int, chance: random.Random) -> None:
    records = random_records(seed)
    shuffled = Records("test")
    ids = list(records.ids)
    chance.shuffle(ids)
    for identifier in ids:
        shuffled.name(shuffled.concept(identifier), identifier[2:], Scope.PREFERRED)
    edges = list(zip(records.parent_child, records.parent_parent, strict=True))
    chance.shuffle(edges)
    for child, parent in edges:
        shuffled.parent(shuffled.concept(records.ids[child]), shuffled.concept(records.ids[parent]))
    assert Ontology.from_records(shuffled).fingerprint == Ontology.from_records(records).fingerprint


def test_the_same_content_gives_the_same_bytes_on_every_hash_seed(tmp_path: Path) -> None:
    script = (
        "import sys; from tests.conftest import *\n"
        "records = taxonomy(GOLDEN); records.relation(11, 'is treated with', 13); records.aliases['t:x'] = 3\n"
        "Ontology.from_records(records).save(sys.argv[1])"
    )
    for seed in ("0", "1", "12345"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / f"{seed}.kgo")],
            check=True,
            env=environment,
            cwd=Path(__file__).parents[2],
        )
    assert len({path.read_bytes() for path in tmp_path.glob("*.kgo")}) == 1


def test_a_saved_ontology_answers_like_the_one_in_memory(golden: Ontology, tmp_path: Path) -> None:
    golden.save(tmp_path / "g.kgo")
    opened = Ontology.open(tmp_path / "g.kgo")
    assert opened.fingerprint == golden.fingerprint
    assert list(opened) == list(golden)
    assert names(opened.generalizations("t:syphilis")) == names(golden.generalizations("t:syphilis"))


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_an_error_and_never_an_answer(golden: Ontology, tmp_path: Path, seed: int) -> None:
    path = tmp_path / "g.kgo"
    golden.save(path)
    data = bytearray(path.read_bytes())
    chance = random.Random(seed)
    if seed % 2:
        data = data[: chance.randrange(len(data))]
    else:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    try:
        opened = Ontology.open(path)
        answers = [(c, opened.generalizations(c), list(opened.specializations(c)), opened.names(c)) for c in opened]
        found = opened.find("AIDS")
    except OntologyError as error:
        assert error.problems[0].code == "O112"
    else:  # the flipped bit lay in a gap between arrays, or in a column nobody asked for
        assert answers == [(c, golden.generalizations(c), list(golden.specializations(c)), golden.names(c)) for c in golden]
        assert found == golden.find("AIDS")


def test_a_file_of_another_version_says_so(golden: Ontology, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    golden.save(tmp_path / "g.kgo")
    monkeypatch.setattr("kgsan.ontology.ontology.VERSION", 0)
    with pytest.raises(OntologyError, match="format version"):
        Ontology.open(tmp_path / "g.kgo")


def test_an_id_that_does_not_exist_is_an_error_with_its_name(golden: Ontology) -> None:
    with pytest.raises(OntologyError, match="t:nothing"):
        golden.generalizations("t:nothing")
    assert "t:nothing" not in golden


def test_a_concept_of_another_ontology_is_found_by_its_id(golden: Ontology) -> None:
    small = Ontology.from_records(taxonomy({"entity": "", "AIDS": "entity"}))
    assert names(golden.generalizations(small["t:AIDS"]))[0] == "HIV infection"


def test_a_copy_of_a_concept_is_found_by_its_id_wherever_it_stood(golden: Ontology) -> None:
    aids = golden["t:AIDS"]
    for made in (pickle.loads(pickle.dumps(aids)), copy.copy(aids), copy.deepcopy(aids), Concept(**asdict(aids))):
        assert made == aids
        assert golden.number(made) == aids.number
    assert golden.number(replace(aids, number=0)) == aids.number
    assert golden.number(replace(aids, id="t:syphilis")) == golden["t:syphilis"].number
    assert replace(aids, id="t:nothing") not in golden


def test_threads_may_share_an_ontology(golden: Ontology, tmp_path: Path) -> None:
    golden.save(tmp_path / "g.kgo")
    opened = Ontology.open(tmp_path / "g.kgo")
    expected = [names(golden.generalizations(c)) for c in golden]
    answers: list[object] = []

    def ask() -> None:
        answers.append([names(opened.generalizations(c)) for c in opened])

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 8


# --- circles and extremes -------------------------------------------------------------------------------------------


def test_a_circle_is_reported_and_cut_and_nobody_loses_the_way_to_the_root() -> None:
    ontology = Ontology.from_records(taxonomy({"top": "", "a": "top, c", "b": "a", "c": "b", "leaf": "c"}))
    [told] = ontology.problems
    assert told.code == "O202"
    assert "a -> c -> b -> a" in told.message
    assert names(ontology.generalizations("t:leaf")) == ["c", "b", "a", "top"]


def test_a_circle_without_a_way_in_is_cut_at_its_smallest_id() -> None:
    ontology = Ontology.from_records(taxonomy({"x": "z", "y": "x", "z": "y"}))
    assert names(ontology.roots) == ["x"]
    assert names(ontology.generalizations("t:z")) == ["y", "x"]


def test_a_concept_that_is_its_own_parent_is_a_circle_too() -> None:
    ontology = Ontology.from_records(taxonomy({"a": "a", "b": "a"}))
    assert "a -> a" in ontology.problems[0].message


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30))
def test_any_tangle_is_cut_to_an_acyclic_graph_in_which_reachable_roots_stay_reachable(edges: list[tuple[int, int]]) -> None:
    records = Records("test")
    for i in range(9):
        records.name(records.concept(f"t:{i}"), f"c{i}", Scope.PREFERRED)
    for child, parent in edges:
        records.parent(child, parent)
    before = networkx.DiGraph(edges)
    before.add_nodes_from(range(9))
    after = networkx.DiGraph(Ontology.from_records(records).to_networkx())
    assert networkx.is_directed_acyclic_graph(after)
    roots = {n for n in before if not before.out_degree(n)}
    for n in before:
        for root in roots & (networkx.descendants(before, n) | {n}):
            assert f"t:{root}" in networkx.descendants(after, f"t:{n}") | {f"t:{n}"}


def wide_and_deep(kind: str, count: int) -> Records:
    records = Records("test")
    records.ids = [f"t:{i:07}" for i in range(count)]
    records.parent_child = list(range(1, count))
    records.parent_parent = list(range(count - 1)) if kind == "deep" else [0] * (count - 1)
    if kind == "circle":
        records.parent_child, records.parent_parent = list(range(count)), [*range(1, count), 0]
    return records


@pytest.mark.parametrize("kind", ["deep", "wide", "circle"])
def test_a_hundred_thousand_concepts_in_a_row_or_side_by_side_are_no_problem(kind: str) -> None:
    ontology = Ontology.from_records(wide_and_deep(kind, 100_000))
    top = ontology.roots[0]
    assert len(ontology.specializations(top)) == 99_999
    last = "t:0099999" if kind != "circle" else ontology.concept(99_999)
    assert len(ontology.generalizations(last)) == (1 if kind == "wide" else 99_999)


def test_a_ladder_of_diamonds_is_measured_without_walking_its_paths() -> None:
    parents = {"n0": ""}
    for i in range(500):
        parents |= {f"l{i}": f"n{i}", f"r{i}": f"n{i}", f"n{i + 1}": f"l{i}, r{i}"}
    ontology = Ontology.from_records(taxonomy(parents))
    assert len(ontology.generalizations("t:n500")) == 1500


def test_too_many_ancestors_to_hold_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgsan.ontology.graph.MOST_PAIRS", 10)
    with pytest.raises(OntologyError, match="O110"):
        Ontology.from_records(taxonomy(GOLDEN))


def test_two_concepts_with_one_id_are_refused() -> None:
    records = Records("test", ids=["t:a", "t:b", "t:a"])
    with pytest.raises(OntologyError, match="O108"):
        Ontology.from_records(records)


# --- merging, parts, stacks, suggestions --------------------------------------------------------------------------------


def test_sources_with_the_same_ids_become_one_ontology() -> None:
    extension = taxonomy({"AIDS": "", "late AIDS": "AIDS"})
    extension.name(0, "full-blown AIDS")
    merged = Ontology.from_records(merge([taxonomy(GOLDEN), extension]))
    assert merged["t:AIDS"].synonyms == ("full-blown AIDS",)
    assert names(merged.generalizations("t:late AIDS"))[:2] == ["AIDS", "HIV infection"]


def test_a_part_of_an_ontology_can_be_taken() -> None:
    part = Ontology.from_records(subset(taxonomy(GOLDEN), "t:infection", "test"))
    assert set(names(part)) == {
        "infection",
        "viral infection",
        "bacterial infection",
        "HIV infection",
        "influenza",
        "syphilis",
        "AIDS",
    }
    with pytest.raises(OntologyError, match="O113"):
        subset(taxonomy(GOLDEN), "t:nothing", "test")


def test_the_first_ontology_that_knows_a_term_gives_the_chain_and_the_next_follows() -> None:
    first = Ontology.from_records(taxonomy({"illness": "", "flu": "illness"}, "a"))
    second = Ontology.from_records(taxonomy({"thing": "", "flu": "thing", "oak": "thing"}, "b"))
    stack = OntologyStack([first, second])
    assert [concept.id for concept in stack.find("flu")] == ["a:flu"]
    assert [names(chain) for _, chain in stack.chains("flu")] == [["illness"], ["thing"]]
    assert [concept.id for concept in stack.find("oak")] == ["b:oak"]
    assert names(stack.generalizations("b:oak")) == ["thing"]
    assert stack.find("elm") == ()


def test_a_misspelt_name_is_answered_with_the_nearest_ones(golden: Ontology) -> None:
    assert golden.suggest("influensa")[0] == "influenza"
    assert golden.suggest("sexualy transmited diseases")[0] == "sexually transmitted disease"
    assert golden.suggest("HIVV infection")[0] == "HIV infection"
    assert golden.suggest("zzzzzz") == ()
    assert golden.suggest("") == ()


def test_sense_order_decides_which_meaning_comes_first() -> None:
    records = Records("test")
    for number, (name, rank) in enumerate([("low spirits", 1), ("hollow", 0), ("slump", 2)]):
        records.concept(f"t:{number}")
        records.name(number, name, Scope.PREFERRED)
        records.name(number, "depression", Scope.EXACT, rank)
    assert names(Ontology.from_records(records).find("depressions")) == ["hollow", "low spirits", "slump"]


def test_a_repr_shows_counts_not_content(golden: Ontology) -> None:
    assert repr(golden) == "<Ontology test: 15 concepts, 15 names>"
    assert repr(golden.specializations("t:disease")) == "<10 concepts>"
    assert Concept("t:a", "a") == Concept("t:a", "a", ("b",), 7)
