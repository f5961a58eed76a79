"""What the words of a policy mean: the concepts of the loaded ontologies that an entity stands for.

The first ontology that knows the entity decides what is meant; what the others call by the same names joins it. A dictionary
knows many meanings of a word: of its senses only those join that share another name with what is meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsan.ontology import names
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from kgsan.ontology.ontology import Concept, Ontology
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.policy import ProtectedEntity


@dataclass(frozen=True, slots=True)
class Meaning:
    """One concept, and the place of its ontology in the stack."""

    ontology: int
    concept: Concept


@dataclass(frozen=True, slots=True)
class Resolution:
    """What an entity stands for, what else its word could mean, and which pinned ids exist nowhere."""

    entity: ProtectedEntity
    meanings: tuple[Meaning, ...] = ()
    rivals: tuple[Meaning, ...] = ()
    doubtful: tuple[Meaning, ...] = ()  #: what an ontology asked earlier has the word for, as one that may mean other things
    unknown_ids: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        return bool(self.meanings)


def resolve(entity: ProtectedEntity, stack: OntologyStack) -> Resolution:
    """What an entity means in a stack of ontologies."""
    if entity.concepts:
        chosen, unknown = _pinned(entity, stack)
        return Resolution(entity, _joined(entity, chosen, stack), unknown_ids=unknown)
    doubtful: list[Meaning] = []
    for place, ontology in enumerate(stack):
        if found := _senses(ontology, entity.entity):
            meant, rivals = _told_apart(ontology, found)
            return Resolution(
                entity,
                _joined(entity, [Meaning(place, concept) for concept in meant], stack),
                tuple(Meaning(place, concept) for concept in rivals),
                tuple(doubtful),
            )
        doubtful += [Meaning(place, concept) for concept, _ in ontology.senses(entity.entity)]
    return Resolution(entity, doubtful=tuple(doubtful))


def meanings_of(term: str, stack: OntologyStack) -> tuple[Meaning, ...]:
    """What a term or an id of a policy stands for in any of the ontologies."""
    found = [Meaning(place, ontology[term]) for place, ontology in enumerate(stack) if ":" in term and term in ontology]
    found += [Meaning(place, concept) for place, ontology in enumerate(stack) for concept in _senses(ontology, term)]
    return tuple(dict.fromkeys(found))


def _pinned(entity: ProtectedEntity, stack: OntologyStack) -> tuple[list[Meaning], tuple[str, ...]]:
    found: list[Meaning] = []
    unknown = []
    for identifier in entity.concepts:
        homes = [Meaning(place, ontology[identifier]) for place, ontology in enumerate(stack) if identifier in ontology]
        found += homes[:1]
        if not homes:
            unknown.append(identifier)
    return found, tuple(unknown)


def _senses(ontology: Ontology, term: str) -> list[Concept]:
    """The concepts that a term names without doubt; in a dictionary each of its senses, the likeliest first."""
    return list(dict.fromkeys(concept for concept, name in ontology.senses(term) if name.scope <= Scope.EXACT))


def _told_apart(ontology: Ontology, found: list[Concept]) -> tuple[list[Concept], list[Concept]]:
    """What is meant, and what else could be: the senses that are not related to the first."""
    chosen: list[Concept] = found[:1]
    rivals: list[Concept] = []
    for concept in found[1:]:
        (chosen if any(_are_related(ontology, concept, other) for other in chosen) else rivals).append(concept)
    return chosen, rivals


def _are_related(ontology: Ontology, one: Concept, other: Concept) -> bool:
    if ontology.generalizes(one, other) or ontology.generalizes(other, one):
        return True
    return any(number == other.number for _, number in ontology.related_numbers(one.number))


def _joined(entity: ProtectedEntity, chosen: list[Meaning], stack: OntologyStack) -> tuple[Meaning, ...]:
    """What is meant, and the same in the other ontologies: by a reference to it, or by its names."""
    found = dict.fromkeys(chosen)
    for meaning in chosen:
        for identifier in stack[meaning.ontology].references(meaning.concept):
            found.update(dict.fromkeys(Meaning(i, o[identifier]) for i, o in enumerate(stack) if identifier in o))
        called = _keys(stack[meaning.ontology], meaning.concept)
        words = dict.fromkeys((*(() if entity.concepts else (entity.entity,)), meaning.concept.name))
        for place, ontology in enumerate(stack):
            if place == meaning.ontology:
                continue
            for word in words:
                for concept in _senses(ontology, word):
                    if not ontology.is_dictionary or len(called & _keys(ontology, concept)) > 1:
                        found.setdefault(Meaning(place, concept))
    return tuple(found)


def _keys(ontology: Ontology, concept: Concept) -> set[str]:
    return {names.key(name.text) for name in ontology.names(concept)}
