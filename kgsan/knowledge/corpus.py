"""How often names and concepts occur in a corpus, alone and together.

A concept occurs wherever one of its names, or a name of what specializes it, occurs (Resnik). An ambiguous name counts for a
concept only where an unambiguous name of its family stands in the same context; that is decided once per name and
concept, whoever asks, so every context that holds a concept holds what generalizes it.
"""

from __future__ import annotations

import hashlib
from array import array
from functools import lru_cache, reduce
from math import log2
from operator import and_
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from pyroaring import BitMap

from kgsan.knowledge.information import share
from kgsan.knowledge.kept import Kept
from kgsan.knowledge.keys import key_of, row_keys
from kgsan.knowledge.knowledge import Topic
from kgsan.knowledge.opened import begins_of, contexts_of, contexts_of_one, in_portions, open_counts
from kgsan.knowledge.postings import rising
from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.sources.records import Scope
from kgsan.text.index import load_index, word_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kgsan.knowledge.information import Share
    from kgsan.knowledge.knowledge import Term
    from kgsan.ontology.arrays import ArrayFile
    from kgsan.ontology.ontology import Concept
    from kgsan.ontology.stack import OntologyStack
    from kgsan.text.index import NameIndex

    _Beside = tuple[BitMap | None, BitMap | None]

#: Levels of a taxonomy whose concepts say too little to vouch for an ambiguous name.
_TOP = 3
#: Bytes of contexts that are kept: of names, of concepts, of their families, and of names beside an entity.
_KEPT_NAMES, _KEPT_CONCEPTS, _KEPT_FAMILIES, _KEPT_BESIDE = 48 << 20, 8 << 20, 16 << 20, 40 << 20
#: And of what groups of them are counted by.
_KEPT_MARKS, _KEPT_TOGETHER = 8 << 20, 4 << 20
#: So many names are kept with their place in the file.
_KEPT_ROWS = 1 << 14
#: So many names are few, and a name in so many contexts is a frequent one.
_FEW, _OFTEN = 64, 512
#: Bytes of a set of contexts besides those of its contexts.
_EACH = 256


class CorpusKnowledge:
    """Counts over the contexts of a knowledge file, for the names and concepts of a stack. Safe to share between threads."""

    def __init__(self, file: ArrayFile, stack: OntologyStack) -> None:
        self._file = file
        self.stack = stack
        self.contexts = int(file.about["contexts"])
        self.name = str(file.about.get("name", "corpus"))
        self._row = lru_cache(maxsize=_KEPT_ROWS)(self._find_row)
        self._names: Kept[int, BitMap] = Kept(_KEPT_NAMES, self._bytes)
        self._topics: WeakKeyDictionary[Topic, BitMap] = WeakKeyDictionary()
        self._beside: Kept[tuple[Topic, str], _Beside] = Kept(_KEPT_BESIDE, lambda pair: sum(map(self._bytes, pair)))
        self._marks: Kept[tuple[Topic, str], int] = Kept(_KEPT_MARKS, lambda marks: _EACH + marks.bit_length() // 8)
        self._together_beside: Kept[tuple[Topic, tuple[str, ...]], int] = Kept(_KEPT_TOGETHER, lambda _: _EACH)
        self._parts: WeakKeyDictionary[Topic, dict[tuple[str, ...], list[tuple[int, tuple[str, ...]]]]] = WeakKeyDictionary()
        self._concepts: Kept[tuple[int, int], BitMap] = Kept(_KEPT_CONCEPTS, self._bytes)
        # Packed: tens of thousands of small sets, each in many pieces, would leave the memory between them unusable.
        self._families: Kept[tuple[int, int | tuple[int, ...]], bytes] = Kept(_KEPT_FAMILIES, lambda packed: _EACH + len(packed))

    @classmethod
    def open(cls, path: str | Path, stack: OntologyStack) -> CorpusKnowledge:
        """A knowledge file, mapped into memory."""
        return cls(open_counts(Path(path)), stack)

    def over(self, stack: OntologyStack) -> CorpusKnowledge:
        """The same contexts for the concepts of other ontologies."""
        return CorpusKnowledge(self._file, stack)

    def __repr__(self) -> str:
        return f"<CorpusKnowledge {self.name}: {self.contexts:,} contexts, {self._file.about['names']:,} names>"

    @cached_property
    def digest(self) -> str:
        """A fingerprint of all counts, wherever the file lies and however it is called."""
        total = hashlib.sha256(str(self.contexts).encode())
        for part in ("keys", "counts", "postings"):
            total.update(self._file[part].data)
        return total.hexdigest()

    def count(self, *terms: Term) -> int | None:
        """In how many contexts all of the terms occur; None when one of them was never seen."""
        if len(terms) == 1:
            if isinstance(terms[0], str):
                row = self._row(terms[0])
                return None if row is None else int(self._file["counts"][row])
            return len(self.bitmap(terms[0]) or ()) or None
        if not terms:
            return self.contexts
        found = [self.bitmap(term) for term in terms]
        if any(bitmap is None for bitmap in found):
            return None
        first, *others = sorted((bitmap for bitmap in found if bitmap is not None), key=len)
        if not len(first):
            return None
        *rest, last = others
        for bitmap in rest:
            first = first & bitmap
        return int(first.intersection_cardinality(last))

    def disclosure(self, topic: Topic, name: str) -> Share | None:
        """The share of an entity that a name gives away where it stands by itself, outside of the entity's own names."""
        contexts, both = self.beside(name, topic)
        entity = self.bitmap(topic)
        if contexts is None or both is None or not entity:
            return None
        return share(log2(self.contexts / len(entity)), len(both), len(contexts), self.name)

    def beside(self, name: str, topic: Topic) -> _Beside:
        """The contexts of a name by itself, and those of them that hold an entity; kept for names that are asked again."""
        found = self._beside.get((topic, name))
        if found is None:
            alone = self.apart(name, topic)
            if alone is None:
                return None, None
            entity = self.bitmap(topic)
            found = self._beside.put((topic, name), (alone, None if entity is None else alone & entity))
        return found

    def together_beside(self, called: tuple[str, ...], topic: Topic) -> int | None:
        """In how many contexts names stand by themselves, all of them; kept, since the same ones meet again and again."""
        found = self._together_beside.get((topic, called))
        if found is None:
            alone = [self.beside(name, topic)[0] for name in called]
            known = sorted((contexts for contexts in alone if contexts is not None), key=len)
            if len(known) < len(alone):
                return None
            shared = reduce(and_, known[:-1], known[0])
            found = self._together_beside.put((topic, called), shared.intersection_cardinality(known[-1]))
        return found

    def marks(self, name: str, topic: Topic) -> int:
        """The contexts of a name by itself that hold an entity, as bits, one for each context of the entity: quick to count."""
        found = self._marks.get((topic, name))
        if found is None:
            both = self.beside(name, topic)[1]
            found = 0 if both is None else _marked(self._topic(topic), both)
            self._marks.put((topic, name), found)
        return found

    def apart(self, name: str, topic: Topic) -> BitMap | None:
        """The contexts of a name without those in which a longer name of an entity holds it: "drug" without "drug abuse".

        Those say nothing about the word by itself: it stands there because the entity does.
        """
        contexts = self.bitmap(name)
        if contexts is None:
            return None
        wanted = tuple(word_class(word) for word in names.words(name))
        longer = [row for row, held in self._longer(topic).get(wanted[:1], ()) if _holds(held, wanted)] if wanted else []
        return contexts - self._union(np.array(longer)) if longer else contexts

    def _longer(self, topic: Topic) -> dict[tuple[str, ...], list[tuple[int, tuple[str, ...]]]]:
        """The names of an entity that have several words, by each of their words."""
        found = self._parts.get(topic)
        if found is None:
            found = {}
            for place, ontology in enumerate(self.stack):
                start = ontology.columns("names_start")
                for number in topic.numbers_in(ontology).tolist():
                    for i in range(int(start[number]), int(start[number + 1])):
                        row = int(self._rows[place][i])
                        held = tuple(word_class(word) for word in names.words(ontology.sense(i)[1].text)) if row >= 0 else ()
                        if len(held) > 1:
                            for word in set(held):
                                found.setdefault((word,), []).append((row, held))
            self._parts[topic] = found
        return found

    # --- names -------------------------------------------------------------------------------------------------------------

    def bitmap(self, term: Term) -> BitMap | None:
        """The contexts of a term; None for a name that was never seen, and for a concept of other ontologies."""
        if isinstance(term, str):
            row = self._row(term)
            return None if row is None else self._listed(row)
        if isinstance(term, Topic):
            return self._topic(term)
        place = next((i for i, ontology in enumerate(self.stack) if term in ontology), None)
        return None if place is None else self.concept(place, self.stack[place].number(term))

    def _find_row(self, name: str) -> int | None:
        key, keys = key_of(name), self._file["keys"]
        at = int(keys.searchsorted(np.uint64(key)))
        return at if at < len(keys) and int(keys[at]) == key else None

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return begins_of(self._file)

    def _listed(self, row: int) -> BitMap:
        """The contexts of a name."""
        found = self._names.get(row)
        if found is None:
            found = self._names.put(row, BitMap(contexts_of_one(self._file, self._starts, row)))
        return found

    # --- concepts ----------------------------------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> list[NDArray[np.int64]]:
        """For each ontology and each of its names the row of the name in the knowledge file; -1 where it is not there."""
        keys = row_keys(self._index)
        known = self._file["keys"]
        at = np.minimum(np.searchsorted(known, keys), max(len(known) - 1, 0))
        rows = np.where(known[at] == keys, at, -1) if len(known) else np.full(len(keys), -1)
        return np.split(rows, np.cumsum([ontology.name_count for ontology in self.stack])[:-1])

    @cached_property
    def _index(self) -> NameIndex:
        return load_index(self.stack)

    @cached_property
    def _sure(self) -> list[NDArray[np.bool_]]:
        """For each ontology and each of its names whether it means its concept wherever it stands.

        It does unless its own ontology or an earlier one marks it as ambiguous, or a dictionary that marks none knows
        several meanings.
        """
        groups = self._index.group_of
        sizes = [ontology.name_count for ontology in self.stack]
        doubtful = np.zeros(int(groups.max(initial=-1)) + 2, dtype=bool)  # the last is for names that are not looked for
        for ontology, own in zip(self.stack, np.split(groups, np.cumsum(sizes)[:-1]), strict=True):
            if ontology.is_dictionary and int(ontology.columns("name_scope").max(initial=0)) <= Scope.EXACT:
                told = own >= 0
                pairs = np.unique(own[told].astype(np.int64) * len(ontology) + ontology.columns("name_concept")[told])
                doubtful |= np.bincount(pairs // len(ontology), minlength=len(doubtful)) > 1
        found = []
        for ontology, own in zip(self.stack, np.split(groups, np.cumsum(sizes)[:-1]), strict=True):
            doubtful[own[(ontology.columns("name_scope") > Scope.EXACT) & (own >= 0)]] = True
            found.append(~doubtful[own] & (ontology.columns("name_rank") == 0))
        return found

    def concept(self, place: int, number: int) -> BitMap:
        """The contexts in which a concept, or what specializes it, occurs."""
        found = self._concepts.get((place, number))
        if found is None:
            ontology = self.stack[place]
            members = np.concatenate([np.arange(start, stop) for start, stop in ontology.ranges(number)])
            found = self._concepts.put((place, number), self._together(place, members))
        return found

    def is_in_more(self, concept: Concept, most: int) -> bool:
        """Whether a concept occurs in more than so many contexts, told without gathering all of them."""
        place = next((i for i, ontology in enumerate(self.stack) if concept in ontology), None)
        if place is None:
            return False
        number = self.stack[place].number(concept)
        known = self._concepts.get((place, number))
        if known is not None:
            return len(known) > most
        members = np.concatenate([np.arange(start, stop) for start, stop in self.stack[place].ranges(number)])
        sure = np.unique(self._sure_rows(place, members))
        counts = self._file["counts"][sure].astype(np.int64)
        found = BitMap()
        for row in sure[np.argsort(-counts, kind="stable")].tolist():
            found |= self._listed(row)
            if len(found) > most:
                return True
        return len(self.concept(place, number)) > most

    def _topic(self, topic: Topic) -> BitMap:
        found = self._topics.get(topic)
        if found is None:
            parts = [self._together(place, topic.numbers_in(ontology)) for place, ontology in enumerate(self.stack)]
            found = self._topics[topic] = BitMap.union(*parts)
        return found

    def _together(self, place: int, members: NDArray[np.int64]) -> BitMap:
        """The contexts of concepts by their own names."""
        named = self._names_of(place, members)
        rows, sure = self._rows[place][named], self._sure[place][named]
        found = self._union(rows[(rows >= 0) & sure])
        doubtful = np.flatnonzero((rows >= 0) & ~sure)
        owners = self.stack[place].columns("name_concept")[named[doubtful]]
        for row, owner in zip(rows[doubtful].tolist(), owners.tolist(), strict=True):
            contexts = self._listed(row)
            for vouching in (self._above, self._around):
                if not contexts.issubset(found):
                    found |= contexts & vouching(place, owner)
        return found

    def _names_of(self, place: int, members: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the names of concepts."""
        start = self.stack[place].columns("names_start")
        first = start[members].astype(np.int64)
        sizes = start[members + 1] - first
        return np.repeat(first, sizes) + rising(sizes)

    def _sure_rows(self, place: int, members: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of the unambiguous names of concepts."""
        named = self._names_of(place, members)
        rows = self._rows[place][named]
        return rows[(rows >= 0) & self._sure[place][named]]

    def _union(self, rows: NDArray[np.int64]) -> BitMap:
        """All contexts of names. A continent has tens of thousands, most of them rare: those are read in one go, and not kept."""
        if len(rows) <= _FEW:
            return BitMap.union(BitMap(), *map(self._listed, rows.tolist()))
        rows = np.unique(rows)
        often = self._file["counts"][rows] >= _OFTEN
        found = BitMap.union(BitMap(), *map(self._listed, rows[often].tolist()))
        for some in in_portions(self._starts, rows[~often]):
            found |= BitMap(array("I", contexts_of(self._file, self._starts, some).astype(np.uint32).tobytes()))
        return found

    def _above(self, place: int, number: int) -> BitMap:
        """The contexts of unambiguous names of what generalizes a concept; the same for all towns of a state."""
        ontology = self.stack[place]
        depth = ontology.columns("depth")

        def above() -> NDArray[np.int64]:
            return np.array(sorted(g for g in ontology.steps_up(number) if int(depth[g]) > _TOP), dtype=np.int64)

        return self._vouching(place, tuple(ontology.parent_numbers(number)), above)

    def _around(self, place: int, number: int) -> BitMap:
        """The contexts of unambiguous names of a concept, of what specializes it and of what is related to it."""
        ontology = self.stack[place]

        def around() -> NDArray[np.int64]:
            related = [other for _, other in ontology.related_numbers(number)]
            return np.concatenate([np.array(related, dtype=np.int64), *(np.arange(*span) for span in ontology.ranges(number))])

        return self._vouching(place, number, around)

    def _vouching(self, place: int, asked: int | tuple[int, ...], members: Callable[[], NDArray[np.int64]]) -> BitMap:
        packed = self._families.get((place, asked))
        if packed is None:
            packed = self._families.put((place, asked), self._union(self._sure_rows(place, members())).serialize())
        return BitMap.deserialize(packed)

    def _bytes(self, contexts: BitMap | None) -> int:
        """About how much memory a set of contexts takes: two bytes each, or a bit for every context that there is."""
        return _EACH + (0 if contexts is None else min(2 * len(contexts), self.contexts // 8))


def _marked(every: BitMap, some: BitMap) -> int:
    """Of some whole numbers in order, those that are chosen: a bit for each.

    >>> bin(_marked(BitMap([3, 5, 8, 9]), BitMap([5, 9])))
    '0b1010'
    """
    flags = np.zeros(len(every), dtype=np.uint8)
    flags[np.searchsorted(every.to_array(), some.to_array())] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _holds(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    """Whether words stand among more words, side by side."""
    size = len(shorter)
    return len(longer) > size and any(longer[i : i + size] == shorter for i in range(len(longer) - size + 1))
