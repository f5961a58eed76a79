"""What lies below a concept, listed number by number where it is not one interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kgsan.ontology.arrays import ArrayFile

    Columns = Mapping[str, NDArray[Any]] | ArrayFile
    Ints = NDArray[np.int64]

#: Longer lists are put together when asked for: at the size of SNOMED CT the shorter ones are an eighth of the file,
#: all would be a third.
_LONGEST = 1024
_CONCEPTS_AT_ONCE = 1 << 12


class Subtrees:
    """The specializations of every concept, by number; what is stored is not copied."""

    __slots__ = ("_below", "_file", "_lists", "_places")

    def __init__(self, file: ArrayFile) -> None:
        self._file = file
        self._places, self._lists, self._below = map(file.view, ("special_at", "special", "below"))

    def numbers(self, number: int) -> Sequence[int]:
        """The specializations of one concept."""
        place = self._places[number]
        if place > 0:
            return range(number + 1, place)
        if place < 0:
            first = ~place
            return self._lists[first : first + self._below[number]]
        first, last = self._file["extra_start"][number : number + 2].tolist()
        starts, stops = np.empty((2, last - first + 1), np.int64)
        starts[0], stops[0] = number + 1, self._file["end"][number]
        starts[1:], stops[1:] = self._file["extra"][first:last], self._file["extra_end"][first:last]
        return numbers_within(starts, stops).data


def places(columns: Columns) -> Ints:
    """For each concept where its interval ends, if that is all below it; else ~ the place of its list; 0 without a list."""
    is_listed = _are_listed(columns)
    lengths = np.where(is_listed, columns["below"], 0).astype(np.int64)
    rest = np.where(is_listed, ~(np.cumsum(lengths) - lengths), 0)
    found: Ints = np.where(np.diff(columns["extra_start"]) > 0, rest, columns["end"])
    return found


def lists(columns: Columns) -> Ints:
    """All lists one after the other."""
    return _numbers_below(columns, np.flatnonzero(_are_listed(columns)))


def are_lists(columns: Columns, numbers: NDArray[Any]) -> bool:
    """Whether these are the lists, compared few at a time to keep the working memory small."""
    concepts = np.flatnonzero(_are_listed(columns))
    ends = np.cumsum(columns["below"][concepts], dtype=np.int64)
    start = 0
    for first in range(0, len(concepts), _CONCEPTS_AT_ONCE):
        some = concepts[first : first + _CONCEPTS_AT_ONCE]
        stop = int(ends[first + len(some) - 1])
        if not np.array_equal(numbers[start:stop], _numbers_below(columns, some)):
            return False
        start = stop
    return start == len(numbers)


def _are_listed(columns: Columns) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (np.diff(columns["extra_start"]) > 0) & (columns["below"] <= _LONGEST)
    return found


def _numbers_below(columns: Columns, concepts: Ints) -> Ints:
    """The specializations of concepts that are no intervals, one concept after the other, its own interval first."""
    begins = columns["extra_start"][concepts].astype(np.int64)
    ranges = columns["extra_start"][concepts + 1] - begins + 1
    own = np.cumsum(ranges) - ranges
    # The rows of the further intervals, those of each concept behind a place for its own interval.
    rows = np.repeat(begins - own - 1, ranges) + np.arange(ranges.sum())
    rows[own] = 0
    starts, stops = columns["extra"][rows].astype(np.int64), columns["extra_end"][rows].astype(np.int64)
    starts[own], stops[own] = concepts + 1, columns["end"][concepts]
    return numbers_within(starts, stops)


def numbers_within(starts: Ints, stops: Ints) -> Ints:
    """The numbers of all ranges, one range after the other."""
    lengths = stops - starts
    found: Ints = (stops - lengths.cumsum()).repeat(lengths)
    found += np.arange(len(found))
    return found
