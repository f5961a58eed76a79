"""How likely each of some things is behind a text, by the one term of the text that tells most of it.

The chance of a thing is the largest part that its contexts make of the contexts of a term, over all terms of the text, with one
context added in which the thing stands as often as anywhere: (n(c,t) + p(c)) / (n(t) + 1). Among the models that were tried on
texts of the shipped policies (naive Bayes with and without prior, the two or three strongest terms, several terms as independent
hints) this ranked about best where names are hidden; where they stand, the largest share alone ranks better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.ontology import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from kgsan.knowledge.knowledge import Knowledge, Term

#: So many terms of a text are asked, the rarest first: these tell most.
_MOST_TERMS = 400


@dataclass(frozen=True, slots=True)
class Candidates:
    """Things that may be behind a text, each with how often it occurs. All of them were counted."""

    knowledge: Knowledge
    terms: tuple[Term, ...]
    counts: NDArray[np.float64]

    @classmethod
    def among(cls, knowledge: Knowledge, terms: Iterable[Term], least: int = 1, most: int | None = None) -> Candidates:
        """Those that occur in so many contexts at least; of very many the most frequent."""
        counted = [(count, term) for term in terms if (count := knowledge.count(term)) and count >= least]
        if most is not None and len(counted) > most:
            counted = sorted(counted, key=lambda pair: -pair[0])[:most]
        return cls(knowledge, tuple(term for _, term in counted), np.array([count for count, _ in counted], dtype=float))

    def __len__(self) -> int:
        return len(self.terms)

    def chances(self, evidence: Sequence[str]) -> NDArray[np.float64]:
        """For each the chance that it is behind a text with these terms; without any, how common it is."""
        prior = self.counts / self.knowledge.contexts
        found = prior.copy()
        for term, together in zip(evidence, self._together(evidence), strict=True):
            np.maximum(found, (together + prior) / ((self.knowledge.count(term) or 0) + 1), out=found)
        return found

    def shared_information(self, evidence: Sequence[str]) -> NDArray[np.float64]:
        """For each what the terms say about it, taken one by one and added up, in bits; smoothed in the same way."""
        prior = self.counts / self.knowledge.contexts
        found = np.zeros(len(self.terms))
        for term, together in zip(evidence, self._together(evidence), strict=True):
            found += np.log2((together + prior) / ((self.knowledge.count(term) or 0) + 1) / prior)
        return found

    def _together(self, evidence: Sequence[str]) -> NDArray[np.float64]:
        """In how many contexts each of them stands with each term: a row for each term. What is gathered for one serves all."""
        if isinstance(self.knowledge, CorpusKnowledge):
            asked = [bitmap for term in evidence if (bitmap := self.knowledge.bitmap(term)) is not None]
            assert len(asked) == len(evidence)
            maps = map(self.knowledge.bitmap, self.terms)
            counts = [[0 if own is None else own.intersection_cardinality(bitmap) for bitmap in asked] for own in maps]
        else:
            counts = [[self.knowledge.count(own, term) or 0 for term in evidence] for own in self.terms]
        return np.array(counts, dtype=float).reshape(len(self.terms), len(evidence)).T


def evidence(knowledge: Knowledge, spoken: Iterable[str]) -> list[str]:
    """The distinct terms that the knowledge has counted, the rarest first."""
    counted: dict[str, tuple[int, str]] = {}
    for name in spoken:
        key = names.key(name)
        if key and key not in counted and (count := knowledge.count(name)):
            counted[key] = (count, name)
    return [name for _, name in sorted(counted.values())[:_MOST_TERMS]]
