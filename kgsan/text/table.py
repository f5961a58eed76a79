"""A table from hashes to places in it, filled once and asked by arrays: one or two looks per question, whatever its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

#: The table is at most this full.
_FULL = 0.6
#: Which bits of a hash tell its place.
_BITS = np.uint64(20)
_ONE = np.uint64(1)


def room_for(count: int) -> tuple[Hashes, NDArray[np.int32]]:
    """An empty table for so many hashes: a hash for each place (0: none), and the number of that hash."""
    size = 1 << max(4, int(np.ceil(np.log2(max(count, 1) / _FULL))))
    return np.zeros(size, dtype=np.uint64), np.full(size, -1, dtype=np.int32)


def insert(keys: Hashes, numbers: NDArray[np.int32], hashes: Hashes, first: int = 0) -> None:
    """Put in hashes, none of them 0, twice, or there already; they are numbered from `first` on.

    A hash goes to the place that its bits tell, or, if that is taken, to the next free one. Its number is written
    before it, so that whoever asks meanwhile finds both or nothing.
    """
    mask = np.uint64(len(keys) - 1)
    rest, at = np.arange(len(hashes)), (hashes >> _BITS) & mask
    while len(rest):
        free = np.flatnonzero(keys[at[rest]] == 0)
        _, winners = np.unique(at[rest[free]], return_index=True)  # of several that want one place the first gets it
        won = rest[free[winners]]
        numbers[at[won]] = won + first
        keys[at[won]] = hashes[won]
        rest = rest[keys[at[rest]] != hashes[rest]]
        at[rest] = (at[rest] + _ONE) & mask


def fill(hashes: Hashes) -> tuple[Hashes, NDArray[np.int32]]:
    """The table of these hashes."""
    keys, numbers = room_for(len(hashes))
    insert(keys, numbers, hashes)
    return keys, numbers


def look(keys: Hashes, hashes: Hashes) -> NDArray[np.int64]:
    """The place of each hash in the table; -1 where it is not in it.

    >>> keys, numbers = fill(np.array([5 << 20, 7 << 20, 23 << 20], dtype=np.uint64))
    >>> numbers[look(keys, np.array([23 << 20, 7 << 20], dtype=np.uint64))].tolist(), look(keys, np.array([9], dtype=np.uint64))
    ([2, 1], array([-1]))
    """
    mask = np.uint64(len(keys) - 1)
    at = ((hashes >> _BITS) & mask).astype(np.int64)
    there = keys[at]
    different = there != hashes
    rest = np.flatnonzero(different)
    if len(rest):
        at[rest] = _look_further(keys, hashes[rest], at[rest], there[rest])
    return at


def _look_further(keys: Hashes, hashes: Hashes, at: NDArray[np.int64], there: Hashes) -> NDArray[np.int64]:
    places = np.full(len(hashes), -1, dtype=np.int64)
    rest = np.flatnonzero(there != 0)
    last = len(keys) - 1
    while len(rest):
        at[rest] = (at[rest] + 1) & last
        there = keys[at[rest]]
        found = there == hashes[rest]
        places[rest[found]] = at[rest[found]]
        rest = rest[~found & (there != 0)]
    return places
