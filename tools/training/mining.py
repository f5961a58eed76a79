"""What running text mostly names with a word: a model of names reads the corpus, and what it says of each form is counted.

A rare surname says little by itself; over a large corpus its contexts say what it is (self-training).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kgsan.text import model, phrases, proper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.text.model import Lexicon, Network
    from training.vectors import Text

#: Every so many-th stretch of the corpus is read, each so long.
EVERY, STRETCH = 3, 1 << 15
#: Seen as a name at least so often, and in at least this share of all cases.
LEAST, SHARES = 4, (0.25, 0.5, 0.8)
_ENDS = frozenset({".", "!", "?", "\n"})


def with_names(lexicon: Lexicon, text: Text, tagger: Network, names: Network) -> Lexicon:
    """The lexicon with what a model of names says of the words of a corpus."""
    counts = np.zeros((len(text.forms), 1 + len(proper.KINDS)), dtype=np.int64)
    ends = np.array([form in _ENDS for form in text.forms])
    for first in range(0, len(text.numbers), EVERY * STRETCH):
        stretch = text.numbers[first : first + STRETCH]
        stretch = stretch[stretch != 0]
        starts = np.union1d([0], np.flatnonzero(ends[stretch[:-1]]) + 1)
        kinds = _read([text.forms[number] for number in stretch.tolist()], starts, lexicon, tagger, names)
        np.add.at(counts, (stretch, kinds), 1)
    keys, codes = _codes(text.forms, counts)
    return replace(lexicon, named_keys=keys, named=codes)


def _read(words: list[str], starts: NDArray[np.int64], lexicon: Lexicon, tagger: Network, names: Network) -> NDArray[np.int64]:
    """What each token is part of: 0 nothing, from 1 the kinds of names."""
    kinds = np.zeros(len(words), dtype=np.int64)
    for first, last, window in model.windows(words, starts, lexicon):
        tags = model.scores(tagger, lexicon, window).argmax(axis=1).astype(np.uint8)
        sentences = phrases.inside(starts, first, last)
        extras = phrases.tags_around(tags, sentences, 0, len(tags), proper.TAG_REACH)
        path = phrases.best_path(model.scores(names, lexicon, window, extras), sentences)
        kinds[first:last] = (path.astype(np.int64) + 3) // 4
    return kinds


def _codes(forms: list[str], counts: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """For each capitalised form that is often a name: the kind it mostly is, and how mostly, in one number from 1."""
    kind = counts[:, 1:].argmax(axis=1)
    share = counts[:, 1:].max(axis=1) / np.maximum(counts.sum(axis=1), 1)
    level = np.searchsorted(SHARES, share, side="right")
    chosen = [
        number
        for number in np.flatnonzero((counts[:, 1:].sum(axis=1) >= LEAST) & (level > 0)).tolist()
        if forms[number][:1].isupper()
    ]
    keys = np.array([model.key(forms[number], 0) for number in chosen], dtype=np.uint32)
    codes = (kind * len(SHARES) + level)[chosen].astype(np.uint8)
    keys, first = np.unique(keys, return_index=True)
    return keys, codes[first]
