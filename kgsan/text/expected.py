"""What kind of word a place in a text asks for: after "she ate" something to eat, after "treated for" an illness.

Every word has a vector by the company it keeps, and the words around a place add up to the vector of what may stand there.
All sums are of whole numbers, so that every machine comes to the same.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from kgsan.ontology.arrays import ArrayFile, Strings
from kgsan.text.everyday import FUNCTION_WORDS
from kgsan.text.model import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

KIND, VERSION = "contexts", 1
#: How many words beside a place are told apart by their side, how many more around it count, and how many at all.
NEAR, WIDE, FAR = 4, 12, 40
#: What a word beside the place counts by its distance, the first as the unit.
NEARNESS = (12, 6, 4, 3)
#: So many of the most frequent words say nothing in the wider text.
COMMON = 150


class Expectations:
    """Vectors of words, and what words add to what is expected beside them. Safe to share between threads."""

    def __init__(self, file: ArrayFile) -> None:
        words = Strings(file["words"], file["starts"])
        self._numbers = {word: number for number, word in enumerate(words.slice(0, len(words)))}
        self.dimensions = len(file["always"])
        self._always = file["always"].astype(np.float64)
        self._vectors = file["vectors"].reshape(-1, self.dimensions)
        names = ("at_left", "near_left", "at_right", "near_right", "wide", "far")
        tables = [file[name].reshape(-1, self.dimensions) for name in names]
        self._left, self._right, self._wide, self._far = tables[:2], tables[2:4], tables[4], tables[5]
        self.mean, self.spread = file["mean"], file["spread"].reshape(self.dimensions, self.dimensions)

    def numbers(self, words: Sequence[str]) -> list[int]:
        """The number of each word; -1 for one that is not known."""
        known = self._numbers
        return [known.get(word.lower(), -1) for word in words]

    def vector(self, name: str) -> Vector | None:
        """What a name of one or several words says; None when too few of them are known."""
        words = name.lower().replace("-", " ").split()
        known = [self._numbers[word] for word in words if word in self._numbers and word not in FUNCTION_WORDS]
        if not known or len(known) < 0.6 * len(words):
            return None
        found: Vector = self._vectors[known].sum(axis=0, dtype=np.float64)
        return found

    def rows(self, numbers: NDArray[np.int64]) -> Vector:
        """The vectors of some words, one below the other."""
        return self._vectors.take(numbers, axis=0).astype(np.float64)

    def at(self, numbers: Sequence[int], first: int, last: int, begin: int, end: int) -> Vector:
        """What is expected from the word `first` up to the word `last`, between the bounds of their paragraph."""
        found = self._always * NEARNESS[0]
        for tables, places in (
            (self._left, range(first - 1, max(begin, first - NEAR) - 1, -1)),
            (self._right, range(last + 1, min(end, last + NEAR + 1))),
        ):
            beside = [(numbers[place], distance) for distance, place in enumerate(places)]
            beside = [(number, distance) for number, distance in beside if 0 <= number < len(tables[0])]
            rows = [tables[distance > 0][number] for number, distance in beside]
            if rows:
                found += np.array([NEARNESS[distance] for _, distance in beside], np.float64) @ np.array(rows, np.float64)
        own = set(numbers[first : last + 1])
        for table, around in (
            (self._wide, (*range(max(begin, first - WIDE), first), *range(last + 1, min(end, last + WIDE + 1)))),
            (self._far, (*range(max(begin, first - FAR), first - WIDE), *range(last + WIDE + 1, min(end, last + FAR + 1)))),
        ):
            rows = [number for place in around if COMMON <= (number := numbers[place]) < len(table) and number not in own]
            if rows:
                # Rounded, so that what is summed up later is whole.
                found += np.rint(table[rows].sum(axis=0, dtype=np.float64) * (NEARNESS[0] / len(rows) ** 0.5))
        return found


@cache
def expectations() -> Expectations:
    """The vectors that ship."""
    return Expectations(ArrayFile.open(WEIGHTS / "contexts.arrays", KIND, VERSION))
