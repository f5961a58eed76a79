"""Which words keep the same company in running text: small classes, so that a name never seen is like names that were."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from kgsan.text import model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

#: How many classes there are, coarse and fine.
SIZES = (48, 400)
_TURNS = 6
_SAMPLE = 8000


def company(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The classes of words, and how often running text gives them a capital; nothing of those that it does not know.

    Told from plain text alone: no marked document had a say.

    >>> company(["Boston", "qqxzz"])[1]
    ('unknown',)
    """
    if not words:
        return []
    lexicon = model.lexicon()
    rows = model.forms(list(words), lexicon).rows
    classes = [_classes(size)[rows].tolist() for size in SIZES]
    capitals = lexicon.capitals[rows].tolist()
    return [
        (*(f"k{size}={found}" for size, found in zip(SIZES, each, strict=True)), f"c={often}") if row else ("unknown",)
        for row, often, *each in zip(rows.tolist(), capitals, *classes, strict=True)
    ]


@cache
def _classes(size: int) -> NDArray[np.int64]:
    """The class of every word of the lexicon: the nearest of so many middles, which settle in a few turns."""
    vectors = model.lexicon().vectors.astype(np.float64)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1.0)
    known = vectors[1:]
    sample = known[np.linspace(0, len(known) - 1, _SAMPLE).astype(np.int64)]
    middles = sample[np.linspace(0, _SAMPLE - 1, size).astype(np.int64)]
    for _ in range(_TURNS):
        nearest = (sample @ middles.T).argmax(axis=1)
        sums = np.zeros_like(middles)
        np.add.at(sums, nearest, sample)
        middles = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    made: NDArray[np.int64] = np.concatenate([(part @ middles.T).argmax(axis=1) for part in np.array_split(vectors, 10)])
    return made
