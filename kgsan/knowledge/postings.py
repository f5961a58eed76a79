"""In which contexts each name occurs: gaps between context numbers, seven bits to a byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bytes = NDArray[np.uint8]


def encode(owners: Ints, contexts: Ints) -> tuple[Bytes, Ints]:
    """The bytes of all lists one after the other, and where each list begins (and, last, where the last one ends).

    `owners` are 0, 0, 0, 1, 1, ... without a gap; the contexts of each rise.

    >>> data, starts = encode(np.array([0, 0, 1]), np.array([5, 300, 7]))
    >>> data.tolist(), starts.tolist()
    ([5, 167, 2, 7], [0, 3, 4])
    """
    gaps = np.diff(contexts, prepend=0)
    firsts = np.flatnonzero(np.diff(owners, prepend=-1))
    gaps[firsts] = contexts[firsts]
    size = np.ones(len(gaps), dtype=np.int64)
    for bits in (7, 14, 21, 28):
        size += gaps >= 1 << bits
    ends = np.cumsum(size)
    data = np.zeros(int(ends[-1]) if len(ends) else 0, dtype=np.uint8)
    begins = ends - size
    for step in range(5):
        rows = np.flatnonzero(size > step)
        if not len(rows):
            break
        more = (size[rows] > step + 1).astype(np.int64) << 7
        data[begins[rows] + step] = ((gaps[rows] >> (7 * step)) & 127) | more
    return data, np.append(begins[firsts], len(data))


def decode(data: Bytes) -> Ints:
    """The contexts of one list.

    >>> decode(np.array([5, 167, 2], dtype=np.uint8)).tolist()
    [5, 300]
    """
    if not len(data):
        return np.zeros(0, dtype=np.int64)
    last = np.flatnonzero(data < 128)
    first = np.append(0, last[:-1] + 1)
    gaps = (data[first] & 127).astype(np.int64)
    for step in range(1, 5):
        rows = np.flatnonzero(last - first >= step)
        if not len(rows):
            break
        gaps[rows] |= (data[first[rows] + step] & 127).astype(np.int64) << (7 * step)
    found: Ints = np.cumsum(gaps)
    return found


def decode_all(data: Bytes, starts: Ints) -> tuple[Ints, Ints]:
    """All lists at once: for each context the number of its list, and the context.

    >>> owners, contexts = decode_all(*encode(np.array([0, 0, 1]), np.array([5, 300, 7])))
    >>> owners.tolist(), contexts.tolist()
    ([0, 0, 1], [5, 300, 7])
    """
    if not len(data):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    sums = decode(data)
    last = np.flatnonzero(data < 128)
    owners = np.searchsorted(starts, last, side="right") - 1
    firsts = np.flatnonzero(np.diff(owners, prepend=-1))
    before = np.append(0, sums)[firsts]
    return owners, sums - np.repeat(before, np.diff(np.append(firsts, len(owners))))
