"""The sensitive terms of a policy: every name of every protected entity and of what specializes it (S in the papers)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kgsan.policy.meaning import meanings_of, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kgsan.ontology.information import Bits
    from kgsan.ontology.ontology import Concept, Ontology
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.meaning import Meaning, Resolution
    from kgsan.policy.policy import Policy, ProtectedEntity
    from kgsan.sources.records import Scope
    from kgsan.text.mentions import Sense

#: Relations that lead from a part to its whole.
_PART_OF = frozenset({"part of", "member of", "substance of", "located in", "is part of", "partOf", "part_of", "BFO:0000050"})


@dataclass(frozen=True, slots=True)
class SensitiveTerm:
    """One name that a policy hides: for which entity, how it comes in, and by which path up to the entity."""

    text: str
    entity: str
    how: str  #: name, synonym, specialization or part
    scope: Scope
    ontology: str
    concept: Concept
    path: tuple[Concept, ...]  #: from the concept up to what the entity stands for


class SensitiveTerms:
    """A policy's entities, closed over the ontologies. Made once; then one look tells whether a sense is protected."""

    def __init__(self, policy: Policy, stack: OntologyStack) -> None:
        self.policy = policy
        self.stack = stack
        self.resolutions: tuple[Resolution, ...] = tuple(resolve(entity, stack) for entity in policy.protect)
        words = -(-max(len(policy.protect), 1) // 64)
        self._owners = [np.zeros((len(ontology), words), dtype=np.uint64) for ontology in stack]
        for number, resolution in enumerate(self.resolutions):
            for place, inside in enumerate(self._members(resolution)):
                self._owners[place][inside, number // 64] |= np.uint64(1 << number % 64)

    def entities(self, sense: Sense) -> tuple[ProtectedEntity, ...]:
        """The protected entities that a sense of a name falls under."""
        return self.entities_of(sense.ontology, sense.concept.number)

    def entities_of(self, place: int, number: int) -> tuple[ProtectedEntity, ...]:
        """The protected entities that a concept of one of the ontologies falls under."""
        bits: list[int] = self._owners[place][number].tolist()
        if not any(bits):
            return ()
        return tuple(entity for i, entity in enumerate(self.policy.protect) if bits[i // 64] >> i % 64 & 1)

    def is_protected(self, sense: Sense) -> bool:
        """Whether a sense of a name falls under any entity."""
        return bool(self._owners[sense.ontology][sense.concept.number].any())

    def concepts(self, index: int) -> list[NDArray[np.int64]]:
        """The numbers of an entity's concepts, for each ontology of the stack."""
        column, bit = index // 64, np.uint64(1 << index % 64)
        return [np.flatnonzero(owners[:, column] & bit) for owners in self._owners]

    def count(self, index: int) -> int:
        """How many names an entity covers."""
        return sum(self.stack[place].name_count_of(numbers) for place, numbers in enumerate(self.concepts(index)))

    def covers(self, wider: int, narrower: int) -> bool:
        """Whether one entity covers everything that another does."""
        pairs = zip(self.concepts(wider), self.concepts(narrower), strict=True)
        return all(np.isin(inner, outer).all() for outer, inner in pairs)

    def was_inside(self, resolution: Resolution, meaning: Meaning) -> bool:
        """Whether a concept would belong to an entity without its exceptions."""
        return any(
            start <= meaning.concept.number < stop
            for root in resolution.meanings
            if root.ontology == meaning.ontology
            for start, stop in self.stack[root.ontology].ranges(root.concept.number)
        )

    def terms(self) -> Iterator[SensitiveTerm]:
        """Every sensitive term, entity by entity, in the order of the ontologies and of their concepts."""
        for index, resolution in enumerate(self.resolutions):
            for place, numbers in enumerate(self.concepts(index)):
                ontology = self.stack[place]
                roots = {m.concept.number: m.concept for m in resolution.meanings if m.ontology == place}
                for number in numbers.tolist():
                    concept = ontology.concept(number)
                    path = _path(ontology, number, roots)
                    for i, name in enumerate(ontology.names(concept)):
                        how = ("name" if i == 0 else "synonym") if number in roots else "specialization" if path else "part"
                        yield SensitiveTerm(
                            name.text, resolution.entity.entity, how, name.scope, ontology.name, concept, path or (concept,)
                        )

    @cached_property
    def threshold(self) -> tuple[Bits, Concept] | None:
        """The least that a sensitive concept says, in bits, and the concept that says it (HEALTH, step 0b: the least of all)."""
        least: tuple[Bits, Concept] | None = None
        for resolution in self.resolutions:
            for meaning in resolution.meanings:
                bits = self.stack[meaning.ontology].intrinsic_information(meaning.concept)
                if least is None or bits < least[0]:
                    least = bits, meaning.concept
        return least

    # --- closing an entity ---------------------------------------------------------------------------------------------

    def _members(self, resolution: Resolution) -> list[NDArray[np.bool_]]:
        """For each ontology the concepts that belong to an entity."""
        entity = resolution.entity
        inside = [np.zeros(len(ontology), dtype=bool) for ontology in self.stack]
        for meaning in resolution.meanings:
            ontology, number = self.stack[meaning.ontology], meaning.concept.number
            if "specializations" in entity.include:
                for start, stop in ontology.ranges(number):
                    inside[meaning.ontology][start:stop] = True
            elif "names" in entity.include:
                inside[meaning.ontology][number] = True
        if "parts" in entity.include:
            for meaning in resolution.meanings:
                _add_parts(self.stack[meaning.ontology], meaning, inside[meaning.ontology])
        for term in entity.exceptions:
            for meaning in meanings_of(term, self.stack):
                for start, stop in self.stack[meaning.ontology].ranges(meaning.concept.number):
                    inside[meaning.ontology][start:stop] = False
        return inside


def _add_parts(ontology: Ontology, whole: Meaning, inside: NDArray[np.bool_]) -> None:
    """Everything that is a part of the whole or of what specializes it, and the parts of those."""
    waiting = [whole.concept.number, *np.flatnonzero(inside).tolist()]
    seen = set(waiting)
    while waiting:
        number = waiting.pop()
        for relation in ontology.relations(ontology.concept(number), incoming=True):
            part = relation.subject.number
            if relation.name in _PART_OF and part not in seen:
                seen.add(part)
                waiting.append(part)
                inside[part] = True


def _path(ontology: Ontology, number: int, roots: dict[int, Concept]) -> tuple[Concept, ...]:
    """The shortest way up from a concept to one of the roots; empty when there is none."""
    before: dict[int, int] = {number: -1}
    frontier = [number]
    while frontier:
        following: list[int] = []
        for at in frontier:
            if at in roots:
                path = []
                while at != -1:
                    path.append(ontology.concept(at))
                    at = before[at]
                return tuple(reversed(path))
            for parent in ontology.parent_numbers(at):
                if parent not in before:
                    before[parent] = at
                    following.append(parent)
        frontier = following
    return ()
