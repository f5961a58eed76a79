"""The laws of coherent counting, in random worlds: taxonomies, corpora over taxonomies, and texts.

One law carries all others: a context that holds a concept holds whatever generalizes it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.knowledge.build import KIND, VERSION, Builder
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import disclosure, disclosure_risk, information, shared_information
from kgsan.knowledge.keys import key_of
from kgsan.knowledge.knowledge import Topic
from kgsan.knowledge.postings import encode
from kgsan.knowledge.taxonomy import TaxonomyKnowledge
from kgsan.ontology.arrays import ArrayFile
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sources.records import Scope
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kgsan.knowledge.knowledge import Knowledge
    from kgsan.ontology.ontology import Concept


@dataclass(frozen=True, slots=True)
class World:
    """Knowledge and the ontology whose concepts it counts."""

    knowledge: Knowledge
    ontology: Ontology

    @property
    def seen(self) -> list[Concept]:
        return [concept for concept in self.ontology if self.knowledge.count(concept)]

    def generalized(self) -> list[tuple[Concept, Concept]]:
        return [(special, general) for special in self.seen for general in self.ontology.generalizations(special)]


# --- worlds --------------------------------------------------------------------------------------------------------------


def random_ontology(seed: int) -> Ontology:
    """Up to fourteen concepts with any number of parents, some related, some with names that may mean something else."""
    dice = random.Random(seed)
    names = [f"c{i:02}" for i in range(dice.randint(2, 14))]
    parents = {name: ", ".join(set(dice.sample(names[:i], min(i, dice.choice([0, 1, 1, 2, 3]))))) for i, name in enumerate(names)}
    records = taxonomy(parents)
    for name in dice.sample(names, dice.randint(0, len(names))):
        records.name(records.concept(f"t:{name}"), dice.choice(["alias", "byname", "nickname"]), dice.choice(list(Scope)))
    for _ in range(dice.choice([0, 4, 20])):
        subject, target = (records.concept(f"t:{dice.choice(names)}") for _ in range(2))
        records.relation(subject, dice.choice(["treats", "causes"]), target)
    return Ontology.from_records(records)


def of_taxonomy(seed: int) -> World:
    ontology = random_ontology(seed)
    return World(TaxonomyKnowledge(ontology), ontology)


def of_corpus(seed: int) -> World:
    """Contexts that hold any names, written down without a text."""
    ontology = random_ontology(seed)
    dice = random.Random(seed)
    contexts = dice.randint(1, 40)
    found = defaultdict(list)
    for name in sorted(set(ontology.name_texts())):
        found[key_of(name)] = sorted(dice.sample(range(contexts), dice.randint(1, contexts)))
    keys = sorted(found)
    arrays: dict[str, NDArray[Any]] = {
        "keys": np.array(keys, dtype=np.uint64),
        "counts": np.array([len(found[key]) for key in keys], dtype=np.uint32),
        "postings": encode(
            np.repeat(np.arange(len(keys)), [len(found[key]) for key in keys]),
            np.array([context for key in keys for context in found[key]]),
            contexts,
        ),
    }
    file = ArrayFile(KIND, VERSION, {"name": "random", "contexts": contexts, "names": len(keys)}, arrays)
    return World(CorpusKnowledge(file, OntologyStack([ontology])), ontology)


@cache
def golden() -> tuple[OntologyStack, Finder]:
    records = taxonomy(GOLDEN)
    records.name(records.concept("t:zidovudine"), "AZT", Scope.EXACT)
    records.name(records.concept("t:syphilis"), "pox", Scope.AMBIGUOUS)
    stack = OntologyStack([Ontology.from_records(records)])
    return stack, Finder(stack)


def of_texts(seed: int) -> World:
    """Texts in which names stand in one another and beside one another; a dozen, since reading takes its time."""
    return _of_texts(seed % 12)


@cache
def _of_texts(seed: int) -> World:
    stack, finder = golden()
    dice = random.Random(seed)
    words = [*GOLDEN, "pox", "AZT", "nothing"]
    builder = Builder(finder)
    builder.add([", ".join(dice.choices(words, k=dice.randint(1, 5))) for _ in range(dice.randint(1, 25))])
    return World(CorpusKnowledge(builder.finish({"name": "texts"}), stack), stack[0])


in_every_world = pytest.mark.parametrize("world", [of_taxonomy, of_corpus, of_texts], ids=["taxonomy", "corpus", "texts"])
seeds = st.integers(0, 100_000)
some = settings(max_examples=40)


# --- the laws ------------------------------------------------------------------------------------------------------------


@in_every_world
@given(seed=seeds)
@some
def test_adding_a_term_never_raises_a_count(world: Callable[[int], World], seed: int) -> None:
    made = world(seed)
    dice = random.Random(seed)
    for _ in range(10 if made.seen else 0):
        terms = [dice.choice(made.seen) for _ in range(4)]
        counts = [made.knowledge.count(*terms[:size]) or 0 for size in range(5)]
        assert counts == sorted(counts, reverse=True)


@in_every_world
@given(seed=seeds)
@some
def test_the_order_of_terms_does_not_matter_and_a_term_twice_is_the_term(world: Callable[[int], World], seed: int) -> None:
    made = world(seed)
    dice = random.Random(seed)
    for _ in range(10 if made.seen else 0):
        terms = [dice.choice(made.seen) for _ in range(3)]
        assert made.knowledge.count(*terms) == made.knowledge.count(*reversed(terms)) == made.knowledge.count(*terms, terms[0])


@in_every_world
@given(seed=seeds)
@some
def test_a_generalization_stands_at_least_as_often_and_says_no_more(world: Callable[[int], World], seed: int) -> None:
    made = world(seed)
    for special, general in made.generalized():
        below, above = made.knowledge.count(special), made.knowledge.count(general)
        assert above is not None
        assert below is not None
        assert above >= below == made.knowledge.count(general, special)
        assert (information(made.knowledge, general) or 0) <= (information(made.knowledge, special) or 0)


@in_every_world
@given(seed=seeds)
@some
def test_a_specialization_gives_all_away_and_a_generalization_what_it_says_itself(
    world: Callable[[int], World], seed: int
) -> None:
    made = world(seed)
    for special, general in made.generalized():
        assert shared_information(made.knowledge, general, special) == information(made.knowledge, general)
        assert shared_information(made.knowledge, special, general) == information(made.knowledge, general)


@in_every_world
@given(seed=seeds)
@some
def test_what_two_terms_share_is_symmetric_and_no_more_than_the_whole(world: Callable[[int], World], seed: int) -> None:
    made = world(seed)
    for one, other in combinations_with_replacement(made.ontology, 2):
        assert shared_information(made.knowledge, one, other) == shared_information(made.knowledge, other, one)
        found = disclosure(made.knowledge, one, other)
        if found is not None:
            assert found.low <= found.revealed <= 1
            assert found.bits == pytest.approx(shared_information(made.knowledge, one, other), abs=1e-9)


@in_every_world
@given(seed=seeds)
@some
def test_the_risk_from_three_probabilities_is_that_from_five(world: Callable[[int], World], seed: int) -> None:
    made = world(seed)
    knowledge = made.knowledge
    for sensitive, neighbor in product(made.seen, repeat=2):
        for replacement in made.ontology.generalizations(sensitive)[:3]:
            risk = disclosure_risk(knowledge, sensitive, neighbor, replacement)  # CORR eq. 16
            alone = shared_information(knowledge, sensitive, neighbor)
            if alone is None:
                assert risk is None
                continue
            told, known = information(knowledge, replacement), shared_information(knowledge, replacement, neighbor)
            assert told is not None
            assert known is not None
            assert risk == pytest.approx(alone + told - known, abs=1e-9)  # CORR eq. 6
            assert risk == shared_information(knowledge, sensitive, replacement, neighbor)


@in_every_world
@given(seed=seeds)
@some
def test_a_topic_of_a_concept_and_all_below_it_is_counted_like_the_concept(world: Callable[[int], World], seed: int) -> None:
    made = world(seed)
    stack = made.knowledge.stack if isinstance(made.knowledge, CorpusKnowledge) else OntologyStack([made.ontology])
    for concept in made.ontology:
        members = np.array(sorted({concept.number, *made.ontology.specialization_numbers(concept.number)}))
        topic = Topic(concept.name, stack, (members,))
        assert made.knowledge.count(topic) == made.knowledge.count(concept)
        for other in made.seen:
            assert made.knowledge.count(topic, other) == made.knowledge.count(concept, other)


# --- of taxonomies alone -------------------------------------------------------------------------------------------------


def written_out(ontology: Ontology) -> list[set[str]]:
    """The contexts of a taxonomy by their definition, one by one."""
    ends = [(relation.subject, relation.object) for concept in ontology for relation in ontology.relations(concept)]
    busy = {concept.id for pair in ends for concept in pair}
    ends += [(concept, concept) for concept in ontology if concept.id not in busy]
    made = [{c.id for end in pair for c in (end, *ontology.generalizations(end))} for pair in ends]
    return made + [set()] * (len(ontology.roots) > 1)


@given(seeds)
def test_counts_of_a_taxonomy_are_those_of_its_contexts_written_out(seed: int) -> None:
    ontology = random_ontology(seed)
    knowledge, contexts = TaxonomyKnowledge(ontology), written_out(ontology)
    assert knowledge.contexts == len(contexts)
    dice = random.Random(seed)
    for size in (1, 2, 2, 3, 3, 4):
        terms = [dice.choice(list(ontology)) for _ in range(size)]
        assert knowledge.count(*terms) == sum({term.id for term in terms} <= context for context in contexts)


@given(seeds)
def test_every_concept_of_a_taxonomy_stands_somewhere(seed: int) -> None:
    ontology = random_ontology(seed)
    knowledge = TaxonomyKnowledge(ontology)
    assert all(0 < (knowledge.count(concept) or 0) <= knowledge.contexts for concept in ontology)
