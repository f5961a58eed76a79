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
    >>> decode(data, np.array([2, 1]), 1000).tolist()
    [5, 300, 7]
    """
    counts = np.bincount(owners)
    low = _low_bits(counts, bound)
    begins = starts(counts, bound)
    bits = np.zeros(int(begins[-1]) * 8, dtype=np.uint8)
    within = rising(counts)
    begin, width = begins[owners] * 8, low[owners]
    for step in range(int(low.max(initial=0))):
        some = np.flatnonzero(width > step)
        bits[begin[some] + within[some] * width[some] + step] = (numbers[some] >> step) & 1
    bits[begin + counts[owners] * width + (numbers >> width) + within] = 1
    return np.packbits(bits, bitorder="little")


def decode(data: Bytes, counts: Ints, bound: int) -> Ints:
    """The numbers of lists of such lengths, one list after the other. Raises `ValueError` for bytes that do not hold so many."""
    width = _low_bits(counts, bound)
    ends = 8 * starts(counts, bound)
    if 8 * len(data) != ends[-1]:
        raise ValueError("the bytes are too many or too few")
    begins, marks = ends[:-1], ends[:-1] + counts * width
    parts = np.stack([marks - begins, ends[1:] - marks], axis=1).ravel()  # the low bits of each list, and the high ones
    is_high = np.repeat(np.tile(np.array([0, 1], dtype=np.uint8), len(counts)), parts)
    high = np.flatnonzero(np.unpackbits(data, bitorder="little") & is_high)
    begins, marks, ends, width = (np.repeat(one, counts) for one in (begins, marks, ends[1:], width))
    within = rising(counts)
    if len(high) != len(within) or (high < marks).any() or (high >= ends).any():
        raise ValueError("the bytes hold another number of numbers")
    found: Ints = ((high - marks - within) << width) | _low(data, begins + within * width, width)
    return found


def decode_one(data: Bytes, count: int, bound: int) -> Ints:
    """The same for one list.

    >>> decode_one(encode(np.array([0, 0]), np.array([5, 300]), 1000), 2, 1000).tolist()
    [5, 300]
    """
    width = max(bound // count, 1).bit_length() - 1
    if len(data) != (count * width + count + (bound >> width) + 7) // 8:
        raise ValueError("the bytes are too many or too few")
    high = np.flatnonzero(np.unpackbits(data[count * width // 8 :], bitorder="little")[count * width % 8 :])
    if len(high) != count:
        raise ValueError("the bytes hold another number of numbers")
    within = np.arange(count)
    found: Ints = ((high - within) << width) | _low(data, within * width, width)
    return found


def _low(data: Bytes, at: Ints, width: Ints | int) -> Ints:
    """So many bits from each of some places on: they lie in the eight bytes from the one in which they begin."""
    padded = np.append(data, np.zeros(8, np.uint8))
    eights = np.ndarray((len(data) + 1,), "<u8", padded, strides=(1,))
    found: Ints = (eights[at >> 3] >> (at & 7).astype(np.uint64)).astype(np.int64) & ((1 << width) - 1)
    return found


def decode_few(data: bytes, count: int, bound: int) -> list[int]:
    """The same for one short list, of which there are very many: without the cost that arrays have, however short they are.

    >>> decode_few(encode(np.array([0, 0]), np.array([5, 300]), 1000).tobytes(), 2, 1000)
    [5, 300]
    """
    width = max(bound // count, 1).bit_length() - 1
    bits = int.from_bytes(data, "little")
    marks = bin(bits >> count * width)[:1:-1]
    if marks.count("1") != count:
        raise ValueError("the bytes hold another number of numbers")
    mask, at, found = (1 << width) - 1, -1, []
    for within in range(count):
        at = marks.index("1", at + 1)
        found.append((at - within) << width | (bits >> within * width) & mask)
    return found


def rising(sizes: Ints) -> Ints:
    """0, 1, 2, ... anew for each size.

    >>> rising(np.array([2, 0, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    ends = np.cumsum(sizes)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)


def _low_bits(counts: Ints, bound: int) -> Ints:
    """How many low bits are kept as they are: the whole part of log2(bound / count)."""
    ratio = np.maximum(bound // np.maximum(counts, 1), 1)
    whole: Ints = np.frexp(ratio.astype(np.float64))[1].astype(np.int64) - 1
    return whole
