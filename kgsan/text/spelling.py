"""The word that a long misspelt one was meant to be: one letter too many, too few, wrong, or two in the wrong order."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from kgsan.text.everyday import everyday_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.ontology.arrays import Strings

#: In shorter words one letter makes another word too easily.
_LONG = 7


class Speller:
    """Words to correct to, found by what is left when one letter is taken out of either."""

    def __init__(self, words: Strings) -> None:
        self._words = [word for word in words.slice(0, len(words)) if len(word) >= _LONG and word.isalpha()]
        rests, numbers = [], []
        for number, word in enumerate(self._words):
            for rest in _rests(word):
                rests.append(rest)
                numbers.append(number)
        order = np.lexsort((numbers, rests)) if rests else np.zeros(0, dtype=np.int64)
        self._rests = np.asarray(rests, dtype=np.uint32)[order]
        self._numbers = np.asarray(numbers, dtype=np.int32)[order]

    def correct(self, word: str) -> str | None:
        """The word that is meant; None when the word is short, everyday, or like none."""
        if len(word) < _LONG or not word.isalpha() or word in everyday_words():
            return None
        like: set[str] = set()
        for rest in _rests(word):
            # A plain number would make a copy of all rests in a wider type.
            wanted = np.uint32(rest)
            first, last = int(self._rests.searchsorted(wanted)), int(self._rests.searchsorted(wanted, side="right"))
            like.update(self._words[number] for number in self._numbers[first:last].tolist())
        near = [other for other in like if OSA.distance(word, other, score_cutoff=1) == 1]
        return min(near, key=lambda other: (other[0] != word[0], other[-1] != word[-1], other), default=None)


def _rests(word: str) -> Iterator[int]:
    """The word, and what is left of it without one of its letters, as numbers."""
    yield zlib.crc32(word.encode("utf-8", "surrogatepass"))
    for i in range(len(word)):
        yield zlib.crc32((word[:i] + word[i + 1 :]).encode("utf-8", "surrogatepass"))
