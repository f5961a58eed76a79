"""What all sources together say: of the shares that each gives in its own probability space, the largest well-supported one.

Counts of different sources are never added or compared: each source measures a share against what the entity says in that
source. Relations that an ontology states have no counts of their own; they are measured against the first source that
knows the entity.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import disclosure, information
from kgsan.knowledge.relations import stated_disclosure
from kgsan.knowledge.taxonomy import TaxonomyKnowledge
from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.text.index import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgsan.knowledge.information import Share
    from kgsan.knowledge.knowledge import Knowledge, Topic
    from kgsan.ontology.information import Bits
    from kgsan.ontology.ontology import Concept
    from kgsan.ontology.stack import OntologyStack

#: So many contexts must hold the terms and the entity together, for one term and for a group.
LEAST = 2
LEAST_OF_GROUP = 3
#: A corpus knows a name well that it has seen in so many contexts.
WELL_KNOWN = 100


class CombinedKnowledge:
    """Several sources and the ontologies whose relations speak too. Safe to share between threads.

    Without a source, and for an entity that no source knows, the ontologies are the knowledge: each is asked as a taxonomy.
    """

    def __init__(self, stack: OntologyStack, sources: Sequence[Knowledge]) -> None:
        self.stack = stack
        self.given = tuple(sources)

    def __repr__(self) -> str:
        return f"<CombinedKnowledge of {', '.join(source.name for source in self.sources)}>"

    @cached_property
    def taxonomies(self) -> tuple[TaxonomyKnowledge, ...]:
        """The ontologies as knowledge."""
        return tuple(map(TaxonomyKnowledge, self.stack))

    @property
    def sources(self) -> tuple[Knowledge, ...]:
        """Every source that is asked about what occurs together, in order."""
        return self.given or self.taxonomies

    def over(self, stack: OntologyStack) -> CombinedKnowledge:
        """The same sources for the concepts of other ontologies."""
        if stack is self.stack:
            return self
        return CombinedKnowledge(stack, [source.over(stack) if hasattr(source, "over") else source for source in self.given])

    def information(self, topic: Topic) -> tuple[Bits, Knowledge] | None:
        """What an entity says in the first source that knows it; taxonomies are asked last."""
        known = self._first_information(self.given, topic)
        return self._first_information(self.taxonomies, topic) if known is None else known

    @staticmethod
    def _first_information(sources: Iterable[Knowledge], topic: Topic) -> tuple[Bits, Knowledge] | None:
        told = ((information(source, topic), source) for source in sources)
        return next(((bits, source) for bits, source in told if bits), None)

    def is_counted(self, name: str, least: int = 1) -> bool:
        """Whether any source has counted a name, as it stands, so often."""
        return any((source.count(name) or 0) >= least for source in self.given)

    def shares(self, topic: Topic, name: str, senses: Iterable[Concept] = (), *, whole: bool = False) -> Iterator[Share]:
        """What each source says about how much of an entity a name, in some senses, gives away.

        A name that was never seen is counted by its longest known right part, unless it is asked for as a whole.
        """
        for source in self.given:
            part = name if whole else known_part(source, name)
            found = name_share(source, topic, part) if part is not None else None
            if found is not None:
                yield found if part == name else replace(found, counted_as=part)
        meant = tuple(senses)
        says = self.information(topic) if meant else None
        for concept in meant:
            ontology = self.stack.home(concept)
            told = stated_disclosure(ontology, topic.numbers_in(ontology), concept.number, says and says[0])
            if told is not None:
                yield told
            if says is not None and isinstance(says[1], TaxonomyKnowledge):  # no other source knows the entity
                shared = disclosure(self.taxonomies[self.stack.ontologies.index(ontology)], topic, concept)
                if shared is not None:
                    yield replace(shared, low=shared.revealed, stated=True)

    def disclosure(
        self, topic: Topic, name: str, senses: Iterable[Concept] = (), *, whole: bool = False, doubtful: bool = False
    ) -> Share | None:
        """The largest well-supported share; None when no source has evidence.

        What an ontology lists in part only is not asked about a name that a corpus knows well, unless the name is doubtful:
        then what was counted for it was counted for its other meanings.
        """
        told = [share for share in self.shares(topic, name, senses, whole=whole) if share.stated or share.support >= LEAST]
        if not doubtful and any(share.loose for share in told) and self.is_counted(name, WELL_KNOWN):
            told = [share for share in told if not share.loose]
        return max(told, key=lambda share: (share.low, share.revealed, share.source), default=None)


def name_share(source: Knowledge, topic: Topic, name: str) -> Share | None:
    """The share of an entity that a name gives away; in a corpus only where it stands outside of the entity's own names."""
    return source.disclosure(topic, name) if isinstance(source, CorpusKnowledge) else disclosure(source, topic, name)


def concept_share(source: Knowledge, topic: Topic, concept: Concept, limit: float) -> Share | None:
    """The share of an entity that a concept gives away, if it may reach a limit.

    The entity stands in n contexts, so a concept in more than n times 2 to the bits that the limit leaves cannot reach it;
    of a corpus that is told without gathering all contexts of a very general concept.
    """
    whole, count = information(source, topic), source.count(topic)
    if not whole or not count:
        return None
    if isinstance(source, CorpusKnowledge) and source.is_in_more(concept, int(count * 2 ** ((1 - limit) * whole) + 1)):
        return None
    return disclosure(source, topic, concept)


def known_part(knowledge: Knowledge, name: str) -> str | None:
    """The name, or its longest right part that the knowledge has counted: "advanced breast cancer" as "breast cancer"."""
    if knowledge.count(name):
        return name
    words = names.words(name)
    for start in range(max(1, len(words) - LONGEST), len(words)):
        part = " ".join(words[start:])
        if knowledge.count(part):
            return part
    return None
