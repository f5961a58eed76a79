"""What a name is counted under: the classes of its words, and which of them must stand in capitals.

Counting reads texts with the same eyes as the search for mentions, so what is counted is what is found. A name that is an
everyday word but for its capitals (ART) is counted under a key of its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from kgsan.ontology import names
from kgsan.text.index import capitals_needed, name_hash, word_class

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.text.index import NameIndex

    Hashes = NDArray[np.uint64]

_CAPITALS = np.uint64(0xA0761D6478BD642F)
_ALL_BITS = (1 << 64) - 1


@lru_cache(maxsize=1 << 14)
def key_of(name: str) -> int:
    """The key of a name.

    >>> key_of("HIV infections") == key_of("hiv infection"), key_of("ART") == key_of("art")
    (True, False)
    """
    written = names.words(name)
    return name_hash([word_class(word) for word in written]) ^ (capitals_needed(written) * int(_CAPITALS)) & _ALL_BITS


def with_capitals(hashes: Hashes, needed: Hashes) -> Hashes:
    """The keys of names with these hashes of which these words need capitals."""
    found: Hashes = hashes ^ (needed * _CAPITALS)
    return found


def row_keys(index: NameIndex) -> Hashes:
    """The key of every name of an index, by row; 0 for names that are not looked for."""
    groups = index.group_of
    found = np.where(groups >= 0, index.hashes[np.maximum(groups, 0)], np.uint64(0))
    rows, needed = index.needing
    found[rows] = np.where(groups[rows] >= 0, with_capitals(found[rows], needed), np.uint64(0))
    return found
