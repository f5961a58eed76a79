"""Names of persons, places and organisations, found by their look, their company and their neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kgsan.text import model
from kgsan.text.phrases import best_path, inside, spans, tags_around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kgsan.text.model import Lexicon, Network

PERSON, PLACE, ORGANISATION = "person", "place", "organisation"
KINDS = (PERSON, PLACE, ORGANISATION)
#: How many tags to either side of a token are looked at.
TAG_REACH = 2


def proper_names(words: Sequence[str], tags: NDArray[np.uint8], sentences: NDArray[np.int64]) -> list[tuple[int, int, str]]:
    """The names: first token, token after the last, and what they name.

    >>> from kgsan.text.tagger import tag
    >>> words, start = "Mrs. Ellen Marsh moved to Dublin .".split(), np.array([0])
    >>> proper_names(words, tag(words, start), start)
    [(1, 3, 'person'), (5, 6, 'place')]
    """
    return found(words, tags, sentences, model.network("names"), model.lexicon())


def found(
    words: Sequence[str], tags: NDArray[np.uint8], sentences: NDArray[np.int64], weights: Network, lexicon: Lexicon
) -> list[tuple[int, int, str]]:
    """The names that given weights find."""
    names: list[tuple[int, int, str]] = []
    for first, last, window in model.windows(words, sentences, lexicon):
        scores = model.scores(weights, lexicon, window, tags_around(tags, sentences, first, last, TAG_REACH))
        capital = np.fromiter((word[:1].isupper() for word in words[first:last]), dtype=bool, count=last - first)
        scores = agreed(scores, window.around[0], capital)
        starts, ends, kinds = spans(best_path(scores, inside(sentences, first, last)))
        names.extend(
            zip((starts + first).tolist(), (ends + first).tolist(), [KINDS[kind] for kind in kinds.tolist()], strict=True)
        )
    return names


def agreed(scores: NDArray[np.float32], forms: NDArray[np.int64], capital: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The scores with each capitalised form drawn half-way to the surest it is in the text: a name is the same name again.

    "Marsh" alone says little; where the text has "Mrs. Ellen Marsh" too, it says much.
    """
    chosen = np.flatnonzero(capital)
    made = scores.copy()
    if len(chosen):
        kinds = scores[chosen, 1:].reshape(len(chosen), -1, 4).max(axis=2) - scores[chosen, :1]
        order = np.argsort(forms[chosen], kind="stable")
        starts = np.flatnonzero(np.diff(forms[chosen][order], prepend=-1))
        surest = np.maximum.reduceat(kinds[order], starts)
        drawn = np.empty_like(kinds)
        drawn[order] = np.repeat(surest, np.diff(np.append(starts, len(order))), axis=0)
        made[chosen, 1:] += np.repeat(np.floor((drawn - kinds) / 2), 4, axis=1)
    return made
