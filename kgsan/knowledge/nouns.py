"""Phrases that are counted although no loaded ontology has them: what may be a noun phrase, or a part of one, by its words.

An ontology loaded later may name things that none of today does. So every run of up to five words that may stand in a noun
phrase, none a word of grammar and the last one able to be its head, is counted where it is frequent enough. Telling
by the words alone takes a tenth of the time of reading the grammar of each sentence; a verb taken for a noun costs a little room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.keys import with_capitals
from kgsan.ontology import names
from kgsan.text import tagger
from kgsan.text.everyday import everyday_words
from kgsan.text.index import capitals_needed, class_hash, first, further, word_class
from kgsan.text.scan import Reading, Scanner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kgsan.text.document import Document

    Hashes = NDArray[np.uint64]
    Ints = NDArray[np.int64]

#: How many words of a phrase are counted at most.
LONGEST = 5
_INSIDE, _HEAD = 1, 2
_HEADS = frozenset("NN NNS NNP NNPS FW".split())
_INSIDES = frozenset("JJ JJR JJS VBN VBG CD".split())


class PhraseReader:
    """Finds such runs of words. Made once; safe to share between threads."""

    def __init__(self) -> None:
        everyday = list(everyday_words())
        tags = tagger.tag(everyday, np.arange(len(everyday)))
        named = [tagger.TAGS[tag] for tag in tags.tolist()]
        self._roles = {word: _role(tag) for word, tag in zip(everyday, named, strict=True)}
        self._scanner = Scanner(self._read)

    def keys(self, document: Document) -> tuple[Hashes, Ints]:
        """The keys of all phrases of a text, and where in the text as it is read each begins."""
        words = self._scanner.words(document.plain)
        broken = words.parted | words.crossed
        inside, heads = (words.others & np.uint64(_INSIDE)) > 0, (words.others & np.uint64(_HEAD)) > 0
        shouted = words.capitals.astype(np.uint64)
        keys, where = [np.zeros(0, dtype=np.uint64)], [np.zeros(0, dtype=np.int64)]
        begins = np.flatnonzero(inside)
        with np.errstate(over="ignore"):
            made, needed = first(words.classes[begins]), shouted[begins]
            for length in range(1, LONGEST + 1):
                whole = heads[begins + length - 1]
                keys.append(with_capitals(made[whole], needed[whole]))
                where.append(words.starts[begins[whole]])
                goes_on = np.flatnonzero(begins + length < len(broken))
                after = begins[goes_on] + length
                goes_on = goes_on[inside[after] & ~broken[after]]
                begins, made, needed = begins[goes_on], made[goes_on], needed[goes_on]
                made = further(made, words.classes[begins + length])
                needed = needed | (shouted[begins + length] << np.uint64(length))
        places = np.concatenate(where)
        return np.concatenate(keys), document.spans(places, places + 1)[0]

    def _read(self, written: Sequence[str]) -> list[Reading]:
        return [self._reading(found[0]) if len(found := names.words(word)) == 1 else Reading() for word in written]

    def _reading(self, word: str) -> Reading:
        role = _INSIDE | _HEAD if names.is_acronym(word) else self._roles.get(word.lower(), _INSIDE | _HEAD)
        return Reading(class_hash(word_class(word)), role, bool(capitals_needed([word])))


def _role(tag: str) -> int:
    return _INSIDE | _HEAD if tag in _HEADS else _INSIDE if tag in _INSIDES else 0
