"""Generalizations found on demand: in order, no further than asked for, and only what may be said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kgsan.knowledge.information import information
from kgsan.knowledge.taxonomy import TaxonomyKnowledge
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sanitize.chains import Counts, Generalizations, Unrolled, climbed
from tests.conftest import GOLDEN, taxonomy
from tests.papers.toy import TOY, WORLD, ContextSets

if TYPE_CHECKING:
    from collections.abc import Iterator

DISEASES = Ontology.from_records(taxonomy({term: above for term, (above, _) in WORLD.items()}))
TREE = Ontology.from_records(taxonomy(GOLDEN))


class Asked:
    """Knowledge that remembers what it was asked."""

    name, contexts = "asked", 1024

    def __init__(self) -> None:
        self.terms: list[Any] = []

    def count(self, *terms: Any) -> int | None:
        self.terms.append(terms)
        return TOY.count(*terms)


def test_what_was_counted_once_is_not_counted_again_and_a_concept_may_be_counted_by_its_name() -> None:
    hiv = DISEASES.find("HIV")[0]
    for as_written in (False, True):
        asked: Any = Asked()
        counts = Counts(asked, as_written=as_written)
        assert [counts.count(hiv), counts.count(hiv), counts.count("drug", hiv), counts.count("unheard")] == [16, 16, 8, None]
        assert counts.count("unheard") is None
        said = hiv.name if as_written else hiv
        assert asked.terms == [(said,), ("drug", said), ("unheard",)]
        assert (counts.name, counts.contexts) == ("asked", 1024)


def test_going_up_never_says_more_where_a_taxonomy_counts_concepts() -> None:
    taxonomies = TaxonomyKnowledge(TREE)
    assert Counts(taxonomies).is_coherent is True
    assert Counts(taxonomies, as_written=True).is_coherent is False
    assert Counts(TOY).is_coherent is False
    assert Counts(TOY, as_written=True).is_coherent is False


def counted(found: list[str]) -> Iterator[Any]:
    for word in "abcde":
        found.append(word)
        yield word


@pytest.mark.parametrize(
    ("look", "answer", "looked_at"),
    [
        (lambda terms: bool(terms), True, "a"),
        (lambda terms: terms[0], "a", "a"),
        (lambda terms: (terms[2], terms[1]), ("c", "b"), "abc"),
        (lambda terms: (terms[1], terms[3]), ("b", "d"), "abcd"),
        (lambda terms: terms[-1], "e", "abcde"),
        (lambda terms: terms[1:3], ["b", "c"], "abcde"),
        (lambda terms: len(terms), 5, "abcde"),
        (lambda terms: list(terms), list("abcde"), "abcde"),
        (lambda terms: next(iter(terms)), "a", "a"),
    ],
)
def test_terms_are_found_no_further_than_they_are_looked_at(look: Any, answer: Any, looked_at: str) -> None:
    found: list[str] = []
    terms = Unrolled(counted(found))
    assert look(terms) == answer
    assert "".join(found) == looked_at
    assert look(terms) == answer
    assert not Unrolled(iter(()))


def names(found: Any) -> list[str]:
    return [term.name for term in found]


def test_generalizations_come_by_what_they_say_and_equals_as_the_ontology_has_them() -> None:
    aids = TREE.find("AIDS")[0]
    knowledge = TaxonomyKnowledge(TREE)
    everything = TREE.generalizations(aids)
    expected = sorted(everything, key=lambda one: -(information(knowledge, one) or 0.0))
    assert list(climbed(knowledge, TREE, aids.number, lambda _: True)) == expected
    allowed = [one for one in expected if one.name not in ("HIV infection", "infection")]
    assert list(climbed(knowledge, TREE, aids.number, lambda one: one.name not in ("HIV infection", "infection"))) == allowed
    silent: Any = ContextSets("silent", 1024, {})
    near = names(climbed(silent, TREE, aids.number, lambda one: one.name not in ("HIV infection",)))
    assert len(near) == len(set(near)) == len(everything) - 1
    parents = sorted(("viral infection", "sexually transmitted disease"), key=names(everything).index)
    assert near[0] == parents[0]


def test_what_was_never_counted_says_nothing_and_comes_last() -> None:
    records = taxonomy({"leaf": "left, middle, right", "left": "", "middle": "", "right": ""})
    ontology = Ontology.from_records(records)
    number = ontology.find("leaf")[0].number
    for rare in ("left", "middle", "right"):
        common, unseen = (name for name in ("left", "middle", "right") if name != rare)
        # 3 bits, and less than one
        counts: Any = ContextSets("toy", 8, {rare: frozenset({1}), common: frozenset(range(6))})
        assert names(climbed(counts, ontology, number, lambda _: True)) == [rare, common, unseen]
        counts = ContextSets("toy", 8, {rare: frozenset({1}), unseen: frozenset(range(8))})
        order = names(ontology.generalizations(ontology.find("leaf")[0]))
        assert names(climbed(counts, ontology, number, lambda _: True)) == [rare, *(name for name in order if name != rare)]


def test_what_lies_above_two_concepts_comes_once_and_hides_nothing_beside_it() -> None:
    ontology = Ontology.from_records(
        taxonomy(
            {"leaf": "rare, common", "rare": "middle", "common": "left, middle, right", "left": "", "middle": "", "right": ""}
        )
    )
    counts: Any = ContextSets("toy", 8, {"rare": frozenset({1}), "common": frozenset(range(4))})
    found = names(climbed(counts, ontology, ontology.find("leaf")[0].number, lambda _: True))
    assert found[:2] == ["rare", "common"]
    assert sorted(found[2:]) == ["left", "middle", "right"]


@pytest.mark.parametrize("coherent", [True, False])
def test_the_chains_of_a_term_follow_one_another_by_ontology_without_what_may_not_be_said(coherent: bool) -> None:
    stack = OntologyStack([TREE, DISEASES])
    knowledge: Any = TaxonomyKnowledge(TREE) if coherent else TOY
    made = Generalizations(stack, Counts(knowledge), lambda rung: rung.name != "infection")
    first, second = (ontology.find("AIDS")[0].number for ontology in (TREE, DISEASES))
    found = made.of({1: second, 0: first})
    assert isinstance(found, Unrolled) is coherent
    own = [one for one in TREE.generalizations("t:AIDS") if one.name != "infection"]
    others = [one for one in DISEASES.generalizations("t:AIDS") if one.name != "infection"]
    told = names(found)
    assert sorted(told[: len(own)]) == sorted(names(own))
    assert sorted(told[len(own) :]) == sorted(names(others))
    if not coherent:
        assert told[len(own) :] == ["HIV", "viral infection", "disease", "entity"]
    assert {one.name for one in made.rungs.values()} >= {"infection", "disease"}


def test_a_rung_knows_its_words_its_concept_and_its_ontology() -> None:
    stack = OntologyStack([TREE, DISEASES])
    made = Generalizations(stack, Counts(TOY), lambda rung: True)
    assert names(made.of({1: DISEASES.find("fatigue")[0].number})) == ["symptom", "entity"]
    symptom = DISEASES.find("symptom")[0]
    rung = made.rungs[symptom]
    assert (rung.name, rung.concept, rung.place) == ("symptom", symptom, 1)
