"""Whether a word means a concept where it stands: a transformer reads the words around it, and what the concept is.

What it says of a place and of a concept is kept, so that a place is read once for all its meanings. Written by
`tools/train_meaning.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.kept import Kept
from kgsan.ontology.arrays import ArrayFile, Strings
from kgsan.text.pieces import Pieces
from kgsan.text.transformer import linear, transformer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.ontology.ontology import Ontology

    Rows = NDArray[np.float32]

KIND, VERSION = "meant", 1
FILE = Path(__file__).with_name("meant.arrays")
#: So many pieces of words are read before a word and behind it, of itself and of what a concept is.
BEFORE, BEHIND, ITSELF, OF_CONCEPT = 14, 10, 8, 24
#: And they are looked for among so many characters.
_CHARACTERS = 400
#: So many more general concepts say what a concept is.
_GENERAL = 3
#: So many places and concepts are kept.
_KEPT = 1 << 11
#: Steps to a unit of what the head comes to, so that its sum is exact.
_STEPS = 256.0


class Meanings:
    """The transformer with what was learned of words and concepts. Safe to share between threads."""

    def __init__(self, file: ArrayFile) -> None:
        known = Strings(file["pieces"], file["starts"])
        self._pieces = Pieces(known.slice(0, len(known)))
        self._transformer = transformer(file)
        self._hidden = linear(file, "hidden")
        self._out = file["out"].astype(np.int64)
        self._out_steps, self._bias = float(file.about["out steps"]), float(file.about["bias"])
        self._places: Kept[tuple[int, ...], tuple[Rows, Rows]] = Kept(_KEPT, lambda _: 1)
        self._concepts: Kept[str, Rows] = Kept(_KEPT, lambda _: 1)

    def leaning(self, text: str, start: int, end: int, concept: str) -> float:
        """The log-odds that a word of a text means a concept, of which is given what it is."""
        word, whole = self._place(text, start, end)
        meaning = self._concept(concept)
        told = np.concatenate((word, whole, meaning, word * meaning, np.abs(word - meaning), whole * meaning))
        hidden = np.rint(np.maximum(self._hidden(told[None])[0], 0) * np.float32(_STEPS)).astype(np.int64)
        said = float((hidden * self._out).sum())
        return round(said / (_STEPS * self._out_steps) + self._bias, 6)

    def _place(self, text: str, start: int, end: int) -> tuple[Rows, Rows]:
        """What the word means there, and what all of it says."""
        pieces = self._pieces
        before = pieces.of(text[max(0, start - _CHARACTERS) : start])[-BEFORE:]
        itself = pieces.of(text[start:end])[:ITSELF] or [pieces.unknown]
        behind = pieces.of(text[end : end + _CHARACTERS])[:BEHIND]
        read = (len(before), len(itself), *before, *itself, *behind)
        found = self._places.get(read)
        if found is None:
            first = 1 + len(before)
            wanted = [0, *range(first, first + len(itself))]
            rows = self._transformer.read([pieces.begin, *before, *itself, *behind, pieces.end], 0, wanted)
            found = self._places.put(read, (rows[1:].sum(axis=0) / np.float32(len(itself)), rows[0]))
        return found

    def _concept(self, concept: str) -> Rows:
        found = self._concepts.get(concept)
        if found is None:
            pieces = self._pieces
            read = [pieces.begin, *pieces.of(concept)[:OF_CONCEPT], pieces.end]
            found = self._concepts.put(concept, self._transformer.read(read, 1, [0])[0])
        return found


def described(ontology: Ontology, number: int) -> str:
    """What a concept is, in words: its name and those of the next more general ones."""
    general = (ontology.concept(one).name for one in ontology.generalization_numbers(number)[:_GENERAL])
    return f"{ontology.concept(number).name} : {', '.join(general)}"


@cache
def meanings() -> Meanings:
    """What ships."""
    return Meanings(ArrayFile.open(FILE, KIND, VERSION))
