"""The names most like a misspelt one, found by its words and ranked by its letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.ontology.arrays import Strings

if TYPE_CHECKING:
    from kgsan.ontology.arrays import ArrayFile

#: How unlike a word may be, as a share of its letters, and how many like words are followed up.
_WORD_CUTOFF = 0.6
_LIKE_WORDS = 12
#: How many names are compared letter by letter.
_CANDIDATES = 2000
_NAME_CUTOFF = 55.0


class Suggester:
    """Answers in milliseconds over a million names: few words are like a misspelt one, and few names hold them."""

    def __init__(self, file: ArrayFile, texts: Strings) -> None:
        self._file = file
        self._texts = texts

    @cached_property
    def _words(self) -> list[str]:
        words = Strings(self._file["words"], self._file["words_at"], self._file.name)
        return words.slice(0, len(words))

    def suggest(self, name: str, most: int) -> tuple[str, ...]:
        """At most so many names, the most alike first."""
        typed = [word.casefold() for word in names.words(name)]
        rows = self._candidates(typed)
        texts = [self._texts[row] for row in rows]
        scored = process.extract(
            " ".join(typed),
            texts,
            scorer=fuzz.ratio,
            processor=lambda t: t.casefold().replace("-", " "),
            limit=None,
            score_cutoff=_NAME_CUTOFF,
        )
        ranked = sorted(scored, key=lambda row: (-row[1], len(row[0]), row[0]))
        return tuple(dict.fromkeys(text for text, _, _ in ranked))[:most]

    def _candidates(self, typed: list[str]) -> list[int]:
        """Names that share the most, and the rarest, of the words that are like those typed."""
        starts, rows = self._file["word_names_start"], self._file["word_names"]
        found: list[np.ndarray[tuple[int], np.dtype[np.int32]]] = []
        weights: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = []
        for word in typed[:16]:
            like = process.extract(
                word, self._words, scorer=OSA.normalized_similarity, limit=_LIKE_WORDS, score_cutoff=_WORD_CUTOFF
            )
            for _, similarity, index in like:
                first, last = int(starts[index]), int(starts[index + 1])
                rarity = np.log2(1 + len(self._texts) / (last - first))
                found.append(rows[first:last])
                weights.append(np.full(last - first, similarity * rarity))
        if not found:
            return []
        every, where = np.unique(np.concatenate(found), return_inverse=True)
        weight = np.bincount(where, weights=np.concatenate(weights))
        if len(every) > _CANDIDATES:
            lengths = np.diff(self._file["names_at"])[every]
            best = np.lexsort((every, lengths, -weight))[:_CANDIDATES]
            every = every[best]
        chosen: list[int] = every.tolist()
        return chosen
