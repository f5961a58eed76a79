"""Pairs of name and context, put in order and written as columns: what a knowledge file holds of one range of keys.

A range may be counted by one builder or by many, each in a part of the texts: the columns are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.postings import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]
    Ints = NDArray[np.int64]
    Contexts = NDArray[np.int32]
    #: Keys, in how many contexts each occurs, and in which.
    Columns = tuple[Hashes, NDArray[np.uint32], NDArray[np.uint8]]


def columns_of(
    keys: Hashes, contexts: Contexts, total: int, names: Hashes, least: int, phrases: int, renumber: Ints | None = None
) -> Columns:
    """What the file holds for pairs in order: names in at least so many of all contexts, other phrases in so many."""
    begins = np.flatnonzero(np.diff(keys, prepend=keys[:1] ^ np.uint64(1)))
    counts = np.diff(begins, append=len(keys))
    distinct = keys[begins]
    enough = counts >= np.where(_are_among(names, distinct), least, phrases)
    owners = np.repeat(np.arange(int(enough.sum())), counts[enough])
    numbers = contexts[np.repeat(enough, counts)].astype(np.int64)
    if renumber is not None:
        both = np.sort((owners << 32) | renumber[numbers])
        owners, numbers = both >> 32, both & 0xFFFFFFFF
    return distinct[enough], counts[enough].astype(np.uint32), encode(owners, numbers, total)


def joined(pieces: Iterable[tuple[Hashes, Contexts]]) -> tuple[Hashes, Contexts]:
    """Pairs of one range of keys in order, from pieces no context of which comes before those of an earlier one."""
    keys, contexts = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
    for some, where in pieces:
        keys.append(some)
        contexts.append(where)
    return in_order(np.concatenate(keys), np.concatenate(contexts))


def in_order(keys: Hashes, contexts: Contexts) -> tuple[Hashes, Contexts]:
    """Pairs in order, each once, from runs no context of which comes before those of an earlier one."""
    order = np.argsort(keys, kind="stable")
    return once(keys[order], contexts[order])


def once(keys: Hashes, contexts: Contexts) -> tuple[Hashes, Contexts]:
    """Sorted pairs, each once."""
    new = np.ones(len(keys), dtype=bool)
    new[1:] = (keys[1:] != keys[:-1]) | (contexts[1:] != contexts[:-1])
    return keys[new], contexts[new]


def _are_among(known: Hashes, keys: Hashes) -> NDArray[np.bool_]:
    at = np.minimum(np.searchsorted(known, keys), max(len(known) - 1, 0))
    return known[at] == keys if len(known) else np.zeros(len(keys), dtype=bool)
