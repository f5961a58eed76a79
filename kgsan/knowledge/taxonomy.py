"""An ontology as knowledge of its own, without any corpus.

Every relation of the ontology is a context that holds its subject and its object; a concept without relations is a
context by itself. A context holds also whatever generalizes what it holds. So a concept is counted with all its
specializations, a drug stands together with what it treats, and unrelated siblings are never seen together. Without
relations the information of a concept is that of Seco, Veale & Hayes (2004) in bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.knowledge import Topic
from kgsan.ontology.ontology import Concept

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.knowledge.knowledge import Term
    from kgsan.ontology.ontology import Ontology

    Ints = NDArray[np.int64]

#: What was found for so many terms is kept, with the contexts themselves where there are few.
_KEPT = 4096
_FEW = 256


@dataclass(frozen=True, slots=True)
class Cover:
    """Concepts by number, as ranges in order that do not touch: what a term stands for with all specializations."""

    starts: Ints
    stops: Ints

    @classmethod
    def of(cls, ontology: Ontology, *numbers: int) -> Cover:
        """These concepts and everything that specializes one of them."""
        ranges = np.array([pair for number in numbers for pair in ontology.ranges(number)], dtype=np.int64)
        ranges = ranges[np.argsort(ranges[:, 0], kind="stable")]
        reach = np.maximum.accumulate(ranges[:, 1])
        first = np.concatenate(([True], ranges[1:, 0] > reach[:-1]))
        last = np.concatenate((first[1:], [True]))
        return cls(ranges[first, 0], reach[last])

    @classmethod
    def exactly(cls, numbers: Ints) -> Cover:
        """These concepts, given in order, and no others."""
        first = np.concatenate(([True], np.diff(numbers) > 1))
        return cls(numbers[first], numbers[np.concatenate((first[1:], [True]))] + 1)

    def holds(self, numbers: Ints) -> NDArray[np.bool_]:
        """Which of these concepts are covered."""
        at = np.searchsorted(self.starts, numbers, side="right") - 1
        inside: NDArray[np.bool_] = (at >= 0) & (numbers < self.stops[at])
        return inside

    def rows(self, begins: Ints) -> Ints:
        """The rows that belong to the covered concepts in a column where concept i has begins[i] up to begins[i + 1]."""
        first = begins[self.starts].astype(np.int64)
        lengths = begins[self.stops] - first
        before = np.cumsum(lengths) - lengths
        return np.repeat(first - before, lengths) + np.arange(int(lengths.sum()))


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """The concepts a term stands for, the number of its contexts, and their subjects and objects where they are few."""

    cover: Cover
    count: int
    ends: Ints | None


class TaxonomyKnowledge:
    """The contexts of an ontology, counted exactly, groups of terms included.

    >>> from kgsan.ontology.ontology import Ontology
    >>> from kgsan.sources.records import Records
    >>> records = Records("example")
    >>> for name in ("drug", "zidovudine", "disease", "HIV infection"):
    ...     records.name(records.concept(f"ex:{name}"), name)
    >>> records.parent(1, 0); records.parent(3, 2); records.relation(1, "treats", 3)
    >>> knowledge = TaxonomyKnowledge(Ontology.from_records(records))
    >>> knowledge.contexts, knowledge.count("drug"), knowledge.count("drug", "disease"), knowledge.count("surgery")
    (4, 2, 1, None)
    """

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._subject, self._object = ontology.columns("relation_subject"), ontology.columns("relation_object")
        self._from_start, self._to_start = ontology.columns("relations_start"), ontology.columns("relations_to_start")
        self._to = ontology.columns("relations_to")
        alone = (np.diff(self._from_start) == 0) & (np.diff(self._to_start) == 0)
        self._alone: Ints = np.flatnonzero(alone)
        self._alone_start: Ints = np.concatenate(([0], np.cumsum(alone)))
        # Several roots: the unnamed one above them is a context that holds nothing with a name.
        unnamed = int(ontology.about["roots"] > 1)
        self._contexts = len(self._subject) + len(self._alone) + unnamed
        # Worked out once for each term; what is kept never changes an answer.
        self._occurrence = lru_cache(maxsize=_KEPT)(self._find)

    def __repr__(self) -> str:
        return f"<TaxonomyKnowledge of {self.name}: {self.contexts} contexts>"

    @property
    def name(self) -> str:
        """The name of the ontology."""
        return self._ontology.name

    @property
    def contexts(self) -> int:
        """How many relations, and concepts without relations, there are."""
        return self._contexts

    def count(self, *terms: Term) -> int | None:
        """In how many contexts all the terms occur; None when the ontology does not know one of them.

        A name with several meanings occurs where any of them does.
        """
        found = []
        for term in dict.fromkeys(terms):
            occurrence = self._occurrence(term)
            if occurrence is None:
                return None
            found.append(occurrence)
        if not found:
            return self._contexts
        rarest, *others = sorted(found, key=lambda occurrence: occurrence.count)
        if not others:
            return rarest.count
        ends = self._ends(rarest.cover) if rarest.ends is None else rarest.ends
        for other in others:
            ends = ends[:, other.cover.holds(ends).any(axis=0)]
        return int(ends.shape[1])

    def _find(self, term: Term) -> _Occurrence | None:
        cover = self._cover(term)
        if cover is None:
            return None
        ends = self._ends(cover)
        count = ends.shape[1]
        return _Occurrence(cover, count, ends if count <= _FEW else None)

    def _cover(self, term: Term) -> Cover | None:
        if isinstance(term, Topic):
            members = term.numbers_in(self._ontology)
            return Cover.exactly(members) if len(members) else None
        if isinstance(term, Concept):
            numbers = [self._ontology.number(term)] if term in self._ontology else []
        else:
            numbers = [concept.number for concept in self._ontology.find(term)]
        return Cover.of(self._ontology, *numbers) if numbers else None

    def _ends(self, cover: Cover) -> Ints:
        """Subject (first row) and object of every context that holds a covered concept; a concept alone is both."""
        stated = cover.rows(self._from_start)
        named = self._to[cover.rows(self._to_start)]
        named = named[~cover.holds(self._subject[named])]  # the others were stated already
        alone = self._alone[cover.rows(self._alone_start)]
        ends = [np.concatenate((column[stated], column[named], alone)) for column in (self._subject, self._object)]
        return np.stack(ends)
