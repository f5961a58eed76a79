"""An attacker who knows the policy: what does a word tell if it may be a replacement?

Only what discloses is replaced. So whoever takes a word for a replacement learns that one of those terms stood there which the
policy turns into it, and what they say together, which is more than the word says. Terms are judged alone, by the ontology that
knows them; phrases that were shortened and neighbors that make a term give way are not considered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from pyroaring import BitMap

from kgsan.knowledge.combined import concept_share
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import disclosure, information, reaches, share
from kgsan.ontology import names
from kgsan.sanitize.ladder import Rung
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.knowledge.information import Share
    from kgsan.knowledge.knowledge import Knowledge, Topic
    from kgsan.ontology.ontology import Concept, Ontology
    from kgsan.risk.inference import Guarded
    from kgsan.risk.terms import Term
    from kgsan.sanitize.sanitizer import Sanitizer
    from kgsan.text.mentions import Sense

#: A word with more below it is too general to be looked at, and tells little.
_MOST = 5_000


@dataclass(frozen=True, slots=True)
class Tells:
    """What a word tells about an entity to a reader who takes it for a replacement."""

    word: str = field(repr=False)
    entity: str
    places: int  #: how often the word stands in the text
    terms: int  #: how many concepts the policy turns into it
    share: float
    alone: float | None  #: what the word tells by itself
    limit: float

    @property
    def reaches(self) -> bool:
        """Whether the limit is met."""
        return reaches(self.share, self.limit)


class AwareAttacker:
    """A policy as somebody knows it who reads what it released. Made once; then applied to any number of texts."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        self._detector = sanitizer.detector
        self._ladders = sanitizer.ladders
        self._stack = sanitizer.detector.stack
        self._knowledge = sanitizer.knowledge
        self._style = sanitizer.policy.replacement_style
        self._guarded = sanitizer.detector.inference.guarded
        self.turned = lru_cache(maxsize=4096)(self._turned)

    def tells(self, text: str) -> list[Tells]:
        """Every word of a text that may be a replacement, and what it then tells of each entity; most first."""
        standing: dict[str, list[Term]] = {}
        for term in self._detector.find(Document(text)).every_term:
            if term.mention is not None:
                standing.setdefault(names.key(term.name), []).append(term)
        told = [one for terms in standing.values() for one in self._of(terms)]
        if self._style.strip() and "{kind}" not in self._style and (times := text.count(self._style)):
            told += self._removed(times)
        return sorted(told, key=lambda one: (-one.share, one.word, one.entity))

    def _of(self, terms: list[Term]) -> list[Tells]:
        """What a word tells in that of its meanings in which it tells most."""
        best: dict[str, Tells] = {}
        first = terms[0]
        for sense in () if first.mention is None else first.mention.senses:
            for one in self._meant(first.name, sense, len(terms)) if sense.name.rank == 0 else ():
                if one.entity not in best or one.share > best[one.entity].share:
                    best[one.entity] = one
        return list(best.values())

    def _meant(self, word: str, sense: Sense, times: int) -> Iterator[Tells]:
        place, concept = sense.ontology, sense.concept
        below = self.turned(place, concept.number)
        if not below:
            return
        ontology = self._stack[place]
        concepts = [ontology.concept(one) for one in _highest(ontology, below)]
        for guarded in self._guarded:
            source = self._source(guarded.topic)
            together = None if source is None else _union_share(source, guarded, concepts, concept)
            if source is not None and together is not None and together.revealed > 0:
                alone = disclosure(source, guarded.topic, concept)
                plain = None if alone is None else alone.revealed
                yield Tells(word, guarded.entity.entity, times, len(below), together.revealed, plain, guarded.limit)

    def _removed(self, times: int) -> list[Tells]:
        """What a mark of removal tells: that something stood there which the policy protects."""
        told = []
        for guarded in self._guarded:
            source = self._source(guarded.topic)
            if source is None:
                continue
            every = _union(source, [other.topic for other in self._guarded])
            both = source.count(guarded.topic)
            one = share(information(source, guarded.topic), both, max(every, both or 0), source.name)
            if one is not None:
                members = sum(len(numbers) for other in self._guarded for numbers in other.topic.members)
                told.append(Tells(self._style, guarded.entity.entity, times, members, one.revealed, None, guarded.limit))
        return told

    def _source(self, topic: Topic) -> Knowledge | None:
        told = self._knowledge.information(topic)
        return None if told is None else told[1]

    def _turned(self, place: int, number: int) -> tuple[int, ...]:
        """The concepts of an ontology that the policy turns into one that is above them."""
        ontology = self._stack[place]
        below = ontology.specializations(ontology.concept(number))
        if not len(below) or len(below) > _MOST:
            return ()
        word = ontology.concept(number)
        if self._ladders.refusal(Rung(word.name, word, place)) is not None:
            return ()
        return tuple(one for one in below.numbers if self._discloses(place, one) and self._becomes(place, one) == number)

    def _discloses(self, place: int, number: int) -> bool:
        if self._detector.sensitive.entities_of(place, number):
            return True
        concept = self._stack[place].concept(number)
        inference = self._detector.inference
        for index, guarded in enumerate(self._guarded):
            found = [inference.of_name(concept.name, index), inference.stated(index, place, number)]
            if any(one is not None and reaches(one.low, guarded.limit) for one in found):
                return True
            if self._generalizes(place, number, guarded):
                told = [concept_share(source, guarded.topic, concept, guarded.limit) for source in self._knowledge.given]
                if any(one is not None and reaches(one.revealed, guarded.limit) for one in told):
                    return True
        return False

    def _generalizes(self, place: int, number: int, guarded: Guarded) -> bool:
        resolution = next(one for one in self._detector.sensitive.resolutions if one.entity == guarded.entity)
        ontology = self._stack[place]
        return any(
            ontology.generalizes(ontology.concept(number), meaning.concept)
            for meaning in resolution.meanings
            if meaning.ontology == place
        )

    def _becomes(self, place: int, number: int) -> int | None:
        """The first generalization that may be said."""
        for rung in self._ladders.above([(place, number)]):
            if self._ladders.refusal(rung) is None:
                return None if rung.concept is None else rung.concept.number
        return None


def _highest(ontology: Ontology, numbers: Iterable[int]) -> list[int]:
    """Those of some concepts that lie below none of the others: in coherent counting they stand for all."""
    chosen = set(numbers)
    return sorted(one for one in chosen if chosen.isdisjoint(ontology.steps_up(one)))


def _union_share(source: Knowledge, guarded: Guarded, concepts: list[Concept], above: Concept) -> Share | None:
    """The share of an entity that is told by any of some concepts having stood there."""
    total = _union(source, concepts)
    both = _union(source, concepts, guarded.topic)
    if (most := source.count(above)) and not isinstance(source, CorpusKnowledge):
        total = min(total, most)
        both = min(both, source.count(guarded.topic, above) or both)
    return share(information(source, guarded.topic), both, max(total, both), source.name)


def _union(source: Knowledge, terms: Iterable[Concept | Topic], beside: Topic | None = None) -> int:
    """The contexts that hold any of some terms. A source that tells no contexts is taken as if no two stood in one."""
    if not isinstance(source, CorpusKnowledge):
        return sum((source.count(term) if beside is None else source.count(beside, term)) or 0 for term in terms)
    maps = [bitmap for term in terms if (bitmap := source.bitmap(term)) is not None]
    every = BitMap.union(BitMap(), *maps)
    entity = None if beside is None else source.bitmap(beside)
    return len(every) if entity is None else int(every.intersection_cardinality(entity))
