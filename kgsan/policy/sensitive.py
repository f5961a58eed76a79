"""The sensitive terms of a policy: every name of every protected entity and of what specializes it (S in the papers)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.knowledge import Topic
from kgsan.lazy import cached_property
from kgsan.policy.meaning import meanings_of, resolve
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kgsan.ontology.information import Bits
    from kgsan.ontology.ontology import Concept, Ontology
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.meaning import Meaning, Resolution
    from kgsan.policy.policy import Policy, ProtectedEntity
    from kgsan.text.mentions import Sense

#: Relations that lead from a part to its whole.
_PART_OF = frozenset({"part of", "member of", "substance of", "located in", "is part of", "partOf", "part_of", "BFO:0000050"})

_NAME, _SYNONYM = "name", "synonym"


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
        self._protected = [owners.any(axis=1).data for owners in self._owners]  # for each concept, whether it has an owner

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
        return bool(self._protected[sense.ontology][sense.concept.number])

    def concepts(self, index: int) -> list[NDArray[np.int64]]:
        """The numbers of an entity's concepts, for each ontology of the stack."""
        column, bit = index // 64, np.uint64(1 << index % 64)
        return [np.flatnonzero(owners[:, column] & bit) for owners in self._owners]

    def topic(self, index: int) -> Topic:
        """An entity as knowledge counts it: with everything that belongs to it, without its exceptions."""
        return Topic(self.policy.protect[index].entity, self.stack, tuple(self.concepts(index)))

    def count(self, index: int) -> int:
        """How many names an entity covers."""
        return sum(self.stack[place].name_count_of(numbers) for place, numbers in enumerate(self.concepts(index)))

    def covers(self, wider: int, narrower: int) -> bool:
        """Whether one entity covers everything that another does."""
        pairs = zip(self.concepts(wider), self.concepts(narrower), strict=True)
        return all(np.isin(inner, outer).all() for outer, inner in pairs)

    def excepted(self, entity: ProtectedEntity) -> frozenset[tuple[int, int]]:
        """What an entity does not cover although it would: ontology and number of each concept under its exceptions."""
        meanings = [meaning for term in entity.exceptions for meaning in meanings_of(term, self.stack)]
        return frozenset(
            (meaning.ontology, number)
            for meaning in meanings
            for start, stop in self.stack[meaning.ontology].ranges(meaning.concept.number)
            for number in range(start, stop)
        )

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
        for entity, ontology, how, path, texts, scopes in self.concept_terms():
            for i, (text, scope) in enumerate(zip(texts, scopes, strict=True)):
                yield SensitiveTerm(text, entity, _SYNONYM if how == _NAME and i else how, Scope(scope), ontology, path[0], path)

    def concept_terms(self) -> Iterator[tuple[str, str, str, tuple[Concept, ...], list[str], list[int]]]:
        """The same, concept by concept: entity, ontology, how, path, names, and how each name stands to the concept."""
        for index, resolution in enumerate(self.resolutions):
            for place, numbers in enumerate(self.concepts(index)):
                if not len(numbers):
                    continue
                ontology = self.stack[place]
                roots = [m.concept.number for m in resolution.meanings if m.ontology == place]
                ways = _Ways(ontology, roots)
                for number in numbers.tolist():
                    path = ways.up(number)
                    how = _NAME if number in roots else "specialization" if len(path) > 1 else "part"
                    yield resolution.entity.entity, ontology.name, how, path, *ontology.scoped_names(number)

    def texts(self) -> dict[str, str]:
        """Every sensitive term with the first entity that brings it in."""
        found: dict[str, str] = {}
        for index, resolution in enumerate(self.resolutions):
            for place, numbers in enumerate(self.concepts(index)):
                found = {**dict.fromkeys(self.stack[place].texts_of(numbers), resolution.entity.entity), **found}
        return found

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

    def _leave_out_what_the_first_places_elsewhere(self, resolution: Resolution, inside: list[NDArray[np.bool_]]) -> None:
        """The first ontology that knows an entity decides against a dictionary what belongs to it.

        WordNet files diabetes under genetic disease; an ontology of diseases that knows both and does not is believed.
        """
        if not resolution.meanings:
            return
        place = resolution.meanings[0].ontology
        roots = [meaning.concept for meaning in resolution.meanings if meaning.ontology == place]
        for later, ontology in enumerate(self.stack):
            if later == place or not ontology.is_dictionary:
                continue
            own = {meaning.concept.number for meaning in resolution.meanings if meaning.ontology == later}
            for number in np.flatnonzero(inside[later]).tolist():
                name = ontology.concept(number).name
                if number not in own and _is_placed_elsewhere(self.stack[place], name, roots, inside[place]):
                    for start, stop in ontology.ranges(number):
                        inside[later][start:stop] = False

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
        self._leave_out_what_the_first_places_elsewhere(resolution, inside)
        for term in entity.exceptions:
            for meaning in meanings_of(term, self.stack):
                for start, stop in self.stack[meaning.ontology].ranges(meaning.concept.number):
                    inside[meaning.ontology][start:stop] = False
        return inside


def _is_placed_elsewhere(first: Ontology, name: str, roots: list[Concept], inside: NDArray[np.bool_]) -> bool:
    """Whether an ontology knows a name, beside its roots under something more special than everything, but not under them."""
    found = [concept for concept, sense in first.senses(name) if sense.scope <= Scope.EXACT]
    if not found or any(inside[concept.number] for concept in found):
        return False
    shared = (general for root in roots for general in first.common_subsumers(root, found[0]))
    return any(first.parent_numbers(general.number) for general in shared)


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


class _Ways:
    """The shortest way up from each concept to one of the roots, found once for all of them."""

    def __init__(self, ontology: Ontology, roots: list[int]) -> None:
        self._ontology = ontology
        self._above: dict[int, int] = dict.fromkeys(roots, -1)
        self._known: dict[int, tuple[Concept, ...]] = {}
        frontier = list(roots)
        while frontier:
            following = []
            for number in frontier:
                for child in ontology.child_numbers(number):
                    if child not in self._above:
                        self._above[child] = number
                        following.append(child)
            frontier = following

    def up(self, number: int) -> tuple[Concept, ...]:
        """The concept, what is above it, and so on to the root; the concept alone when no way leads to one."""
        way = []
        while number != -1 and number not in self._known:
            way.append(number)
            number = self._above.get(number, -1)
        path = self._known.get(number, ())
        for number in reversed(way):
            path = self._known[number] = (self._ontology.concept(number), *path)
        return path
