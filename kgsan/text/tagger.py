"""The part of speech of every token, in the tags of the Penn Treebank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kgsan.text import model

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_NAMES = """
    $ '' , -LRB- -RRB- . : ADD AFX CC CD DT EX FW GW HYPH IN JJ JJR JJS LS MD NFP NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP
    SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB ``
"""
#: As in the treebanks GUM and EWT; the order is that of the shipped weights.
TAGS: tuple[str, ...] = tuple(_NAMES.split())


def tag(words: Sequence[str], sentences: NDArray[np.int64], stretches: Iterable[model.Stretch] = ()) -> NDArray[np.uint8]:
    """The Penn tag of every token, as a number into TAGS. `sentences` holds the index of the first token of each sentence.

    `stretches` are the windows of the words, where these are at hand.

    >>> [TAGS[number] for number in tag("The patient 's mother has asthma .".split(), np.array([0]))]
    ['DT', 'NN', 'POS', 'NN', 'VBZ', 'NN', '.']
    """
    tags = np.zeros(len(words), dtype=np.uint8)
    for first, last, window in stretches or model.windows(words, sentences, model.lexicon()):
        tags[first:last] = model.scores(model.network("tagger"), model.lexicon(), window).argmax(axis=1)
    return tags
