"""In which contexts each name occurs: rising numbers in little more room than they need (Elias 1974, Fano 1971).

A list of n numbers below a bound keeps the low bits of each as they are and marks the high bits in one row of bits, about
2 + log2(bound / n) bits a number. Where a list stands follows from how long the lists before it are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bytes = NDArray[np.uint8]


def starts(counts: Ints, bound: int) -> Ints:
    """Where the bytes of each list begin and, last, where the last one ends, from the lengths of the lists."""
    low = _low_bits(counts, bound)
    sizes = (counts * low + counts + (bound >> low) + 7) // 8
    return np.append(0, np.cumsum(sizes))


def encode(owners: Ints, numbers: Ints, bound: int) -> Bytes:
    """The bytes of all lists one after the other.

    `owners` are 0, 0, 0, 1, 1, ... without a gap; the numbers of each rise and are below the bound.

    >>> data = encode(np.array([0, 0, 1]), np.array([5, 300, 7]), 1000)
    >>> begins = starts(np.array([2, 1]), 1000)
    >>> decode(data[begins[0] : begins[1]], 2, 1000).tolist(), decode(data[begins[1] :], 1, 1000).tolist()
    ([5, 300], [7])
    """
    counts = np.bincount(owners)
    low = _low_bits(counts, bound)
    begins = starts(counts, bound)
    bits = np.zeros(int(begins[-1]) * 8, dtype=np.uint8)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    begin, width = begins[owners] * 8, low[owners]
    for step in range(int(low.max(initial=0))):
        some = np.flatnonzero(width > step)
        bits[begin[some] + within[some] * width[some] + step] = (numbers[some] >> step) & 1
    bits[begin + counts[owners] * width + (numbers >> width) + within] = 1
    return np.packbits(bits, bitorder="little")


def decode(data: Bytes, count: int, bound: int) -> Ints:
    """The numbers of one list. Raises `ValueError` for bytes that are none of so many."""
    width = int(_low_bits(np.array([count]), bound)[0])
    bits = np.unpackbits(data, bitorder="little")
    high = np.flatnonzero(bits[count * width :])
    if len(high) != count:
        raise ValueError("the bytes hold another number of numbers")
    found: Ints = (high - np.arange(len(high))) << width
    for step in range(width):
        found |= bits[step : count * width : width].astype(np.int64) << step
    return found


def _low_bits(counts: Ints, bound: int) -> Ints:
    """How many low bits are kept as they are: the whole part of log2(bound / count)."""
    ratio = np.maximum(bound // np.maximum(counts, 1), 1)
    whole: Ints = np.frexp(ratio.astype(np.float64))[1].astype(np.int64) - 1
    return whole
