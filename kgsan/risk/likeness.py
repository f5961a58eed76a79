"""How well a concept fits a place in a text, by the company that words keep: what may stand there, and what stands around.

A concept is the middle of the names of itself, of its specializations, parents, siblings and related concepts. Names that
may mean something else are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from kgsan.lazy import cached_property
from kgsan.sources.records import Scope
from kgsan.text.expected import COMMON, expectations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kgsan.ontology.ontology import Ontology
    from kgsan.ontology.stack import OntologyStack
    from kgsan.text.expected import Vector

#: What the names of a concept's relatives count beside its own.
_BELOW, _ABOVE, _BESIDE, _RELATED = 0.7, 0.6, 0.5, 0.5
#: At most so many concepts are looked at, and so many names kept; siblings count when there are not too many of them.
_CONCEPTS, _NAMES, _SIBLINGS = 80, 40, 400
#: The length of a concept's vector: whole numbers, so that products are exact.
LENGTH = 1000.0
#: From this cosine on two concepts are of one field.
_ALIKE = 0.5
#: How far around a place words count as its neighbours, and as close to it.
_REACH, _CLOSE = 80, 6


@dataclass(frozen=True, slots=True, eq=False)
class Centre:
    """A concept as a vector, and what is usual for it over all places of all texts."""

    vector: Vector
    usual: float
    spread: float


@dataclass(frozen=True, eq=False)
class Place:
    """A place in a text: what is expected there, and the words around it with their distance."""

    expected: Vector
    length: float
    words: NDArray[np.int64]
    distances: NDArray[np.int64]
    inside: NDArray[np.bool_]  #: of the same sentence

    @cached_property
    def rows(self) -> Vector:
        """The words around as vectors."""
        return expectations().rows(self.words)

    @cached_property
    def _squares(self) -> Vector:
        found: Vector = (self.rows * self.rows).sum(axis=1)
        return found

    @cached_property
    def views(self) -> dict[str, Vector]:
        """The place as vectors of length 1: by what is expected there, by the words close to it, and by its sentence."""
        close = self.distances <= _CLOSE
        near = (self.rows[close] * (self.distances[close].astype(np.float64) ** -0.5)[:, None]).sum(axis=0)
        inside = self.rows[self.inside].sum(axis=0)
        return {"expected": _unit(self.expected), "close": _unit(near), "sentence": _unit(inside)}

    def likenesses(self, centres: Sequence[Centre]) -> Vector:
        """How much each word around is like some concepts, a row for each of these: cosines."""
        vectors = np.array([centre.vector for centre in centres])
        lengths = np.sqrt(self._squares * (vectors * vectors).sum(axis=1)[:, None])
        found: Vector = (vectors @ self.rows.T) / np.maximum(lengths, 1.0)  # of whole numbers, so no sum is rounded
        return found


class Likeness:
    """The concepts of a stack as vectors, made when first asked for. Safe to share between threads."""

    def __init__(self, stack: OntologyStack) -> None:
        self._stack = stack
        self.centre = lru_cache(maxsize=1 << 12)(self._centre)

    def fit(self, place: Place, ontology: int, number: int) -> float | None:
        """How much better a concept fits a place than it fits others, in standard deviations; None when it has no vector."""
        centre = self.centre(ontology, number)
        if centre is None or not place.length:
            return None
        cosine = float(place.expected @ centre.vector) / (place.length * LENGTH)
        return round((cosine - centre.usual) / centre.spread, 6)

    def home(self, name: str, ontology: int, number: int) -> float | None:
        """How much a name is like a concept, wherever it stands."""
        vector, centre = expectations().vector(name), self.centre(ontology, number)
        if vector is None or centre is None:
            return None
        return float(vector @ centre.vector) / (float(np.sqrt(vector @ vector)) * LENGTH)

    def are_alike(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether two concepts are of one field."""
        centres = self.centre(*one), self.centre(*other)
        return None not in centres and float(centres[0].vector @ centres[1].vector) >= _ALIKE * LENGTH**2  # type: ignore[union-attr]

    def _centre(self, place: int, number: int) -> Centre | None:
        ontology = self._stack[place]
        parents = list(ontology.parent_numbers(number))
        siblings = (s for p in parents if ontology.columns("below")[p] < _SIBLINGS for s in ontology.specialization_numbers(p))
        related = (other for _, other in ontology.related_numbers(number))
        seen: set[str] = set()
        total = np.zeros(expectations().dimensions)
        for weight, relatives in (
            (1.0, iter([number])),
            (_BELOW, ontology.specialization_numbers(number)),
            (_ABOVE, iter(parents)),
            (_BESIDE, siblings),
            (_RELATED, related),
        ):
            found = list(islice(_vectors(_names(ontology, islice(relatives, _CONCEPTS), seen)), _NAMES))
            if found:
                # Of one or two names little is known.
                total += np.mean(found, axis=0) * (weight * min(1.0, len(found) / 3) ** 0.5)
        length = float(np.sqrt((total * total).sum()))
        if length < 0.05:
            return None
        vector = np.rint(total * (LENGTH / length))
        usual = float((vector * expectations().mean).sum()) / LENGTH
        spread = float((vector * (expectations().spread * vector).sum(axis=1)).sum()) / LENGTH**2
        return Centre(vector, usual, max(spread, 1e-9) ** 0.5)


def place(numbers: Sequence[int], first: int, last: int, paragraph: tuple[int, int], sentence: tuple[int, int]) -> Place:
    """The place from the word `first` up to the word `last` of a text, whose words are given by their numbers."""
    expected = expectations().at(numbers, first, last, *paragraph)
    own = set(numbers[first : last + 1])
    near = [
        (number, first - i if i < first else i - last, sentence[0] <= i < sentence[1])
        for i in range(max(0, first - _REACH), min(len(numbers), last + _REACH + 1))
        if (number := numbers[i]) >= COMMON and number not in own
    ]
    words, distances, inside = zip(*near, strict=True) if near else ((), (), ())
    length = float(np.sqrt(expected @ expected))
    return Place(expected, length, np.array(words, np.int64), np.array(distances, np.int64), np.array(inside, np.bool_))


def _unit(vector: Vector) -> Vector:
    length = float(np.sqrt((vector * vector).sum()))
    found: Vector = vector / max(length, 1.0)
    return found


def _names(ontology: Ontology, numbers: Iterable[int], seen: set[str]) -> Iterator[str]:
    for number in numbers:
        for name in ontology.names(ontology.concept(number)):
            written = name.text.lower()
            if name.scope <= Scope.EXACT and name.rank == 0 and written not in seen:
                seen.add(written)
                yield written


def _vectors(written: Iterable[str]) -> Iterator[Vector]:
    for name in written:
        vector = expectations().vector(name)
        if vector is not None:
            length = float(np.sqrt((vector * vector).sum()))
            if length:
                yield vector / length
