"""An attacker who reads a text and guesses what it is about: at which rank, and with which chance, is what must not show?

All concepts of an ontology are ranked by the chance that they are behind the text (see `chances`). What specializes or
generalizes the entity is no other guess and is left out, and so is what the text names anyway, with all that is above it: that
is read and not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgsan.evaluate.chances import Candidates, evidence
from kgsan.knowledge.information import information
from kgsan.ontology.ontology import Concept
from kgsan.text.document import Document

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.knowledge.knowledge import Term
    from kgsan.sanitize.sanitizer import Sanitizer

#: A concept in fewer contexts is known too little to be guessed.
_LEAST = 5


@dataclass(frozen=True, slots=True)
class Guess:
    """How an entity fares among all that the attacker may guess."""

    entity: str
    rank: int | None  #: None when no source has ever counted it
    among: int
    chance: float | None
    before: float | None  #: the same without having read anything


class InferenceAttacker:
    """A policy's entities among the concepts of an ontology. Made once; then applied to any number of texts."""

    def __init__(self, sanitizer: Sanitizer, place: int = 0) -> None:
        self._detector = sanitizer.detector
        self._place = place
        self._ontology = sanitizer.detector.stack[place]
        self.ontology = self._ontology.name
        sensitive = self._detector.sensitive
        self._topics = [sensitive.topic(index) for index in range(len(sanitizer.policy.protect))]
        sources = sanitizer.knowledge.sources
        self._sources = [next((source for source in sources if information(source, topic)), None) for topic in self._topics]
        self._candidates = [Candidates.among(source, self._ontology, _LEAST) for source in sources]
        self._numbers = [np.array([_number(one) for one in found.terms], dtype=np.int64) for found in self._candidates]
        self._place_of = {id(source): at for at, source in enumerate(sources)}
        self._own = [self._above_and_below(index) for index in range(len(self._topics))]

    def guesses(self, text: str) -> list[Guess]:
        """Rank and chance of every protected entity."""
        every = self._detector.find(Document(text)).every_term
        senses = [sense for term in every if term.mention is not None for sense in term.mention.senses]
        named = {sense.concept.number for sense in senses if sense.ontology == self._place}
        read = named.union(*map(self._ontology.steps_up, named))
        terms = [evidence(found.knowledge, (term.name for term in every)) for found in self._candidates]
        chances = [found.chances(own) for found, own in zip(self._candidates, terms, strict=True)]
        return [self._guess(index, terms, chances, read) for index in range(len(self._topics))]

    def _guess(self, index: int, terms: list[list[str]], chances: list[NDArray[np.float64]], read: set[int]) -> Guess:
        topic, source = self._topics[index], self._sources[index]
        if source is None:
            return Guess(topic.name, None, 0, None, None)
        at = self._place_of[id(source)]
        entity = Candidates.among(source, [topic])
        chance = float(entity.chances(terms[at])[0])
        others = ~np.isin(self._numbers[at], list(read | self._own[index]))
        better = int(np.sum(chances[at][others] > chance))
        return Guess(topic.name, 1 + better, int(others.sum()) + 1, chance, float(entity.counts[0]) / source.contexts)

    def _above_and_below(self, index: int) -> set[int]:
        """The entity's own concepts, and all that generalizes one of them."""
        members = set(self._detector.sensitive.concepts(index)[self._place].tolist())
        return members.union(*map(self._ontology.steps_up, members))


def _number(term: Term) -> int:
    return term.number if isinstance(term, Concept) else -1
