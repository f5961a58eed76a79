"""How often names and concepts occur in a corpus, alone and together.

A concept occurs wherever one of its names, or a name of what specializes it, occurs (Resnik). An ambiguous name counts for a
concept only where an unambiguous name of its family stands in the same context; that is decided once per name and
concept, whoever asks, so every context that holds a concept holds what generalizes it.
"""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from pyroaring import BitMap

from kgsan.knowledge.build import KIND, VERSION
from kgsan.knowledge.keys import key_of, row_keys
from kgsan.knowledge.postings import decode
from kgsan.ontology.arrays import ArrayFile
from kgsan.sources.records import Scope
from kgsan.text.index import load_index

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.ontology.ontology import Concept
    from kgsan.ontology.stack import OntologyStack

#: Levels of a taxonomy whose concepts say too little to vouch for an ambiguous name.
_TOP = 3


class CorpusKnowledge:
    """Counts over the contexts of a knowledge file, for the names and concepts of a stack. Safe to share between threads."""

    def __init__(self, file: ArrayFile, stack: OntologyStack) -> None:
        self._file = file
        self.stack = stack
        self.contexts = int(file.about["contexts"])
        self.name = str(file.about.get("name", "corpus"))
        self._names: dict[int, BitMap | None] = {}
        self._concepts: dict[tuple[int, int], BitMap] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: str | Path, stack: OntologyStack) -> CorpusKnowledge:
        """A knowledge file, mapped into memory."""
        return cls(ArrayFile.open(Path(path), KIND, VERSION), stack)

    def __repr__(self) -> str:
        return f"<CorpusKnowledge {self.name}: {self.contexts:,} contexts, {self._file.about['names']:,} names>"

    def count(self, *terms: str | Concept) -> int | None:
        """In how many contexts all of the terms occur; None when a term is unknown, or too frequent to say with others."""
        if len(terms) == 1 and isinstance(terms[0], str):
            row = self._row(key_of(terms[0]))
            return None if row is None else int(self._file["counts"][row])
        found = [self._bitmap(term) for term in terms]
        if any(bitmap is None for bitmap in found):
            return None
        first, *others = sorted((bitmap for bitmap in found if bitmap is not None), key=len)
        if not len(first):
            return None
        if not others:
            return len(first)
        *rest, last = others
        for bitmap in rest:
            first = first & bitmap
        return int(first.intersection_cardinality(last))

    # --- names -------------------------------------------------------------------------------------------------------------

    def _bitmap(self, term: str | Concept) -> BitMap | None:
        if isinstance(term, str):
            row = self._row(key_of(term))
            return None if row is None else self._listed(row)
        place = next(i for i, ontology in enumerate(self.stack) if term in ontology)
        return self.concept(place, self.stack[place].number(term))

    def _row(self, key: int) -> int | None:
        keys = self._file["keys"]
        at = int(np.searchsorted(keys, np.uint64(key)))
        return at if at < len(keys) and int(keys[at]) == key else None

    def _listed(self, row: int) -> BitMap | None:
        """The contexts of a name; None for one so frequent that only its count is kept."""
        if row not in self._names:
            start, stop = self._file["starts"][row : row + 2].tolist()
            listed = BitMap(decode(self._file["postings"][start:stop]).astype(np.uint32)) if stop > start else None
            self._names[row] = listed
        return self._names[row]

    # --- concepts ----------------------------------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> list[NDArray[np.int64]]:
        """For each ontology and each of its names the row of the name in the knowledge file; -1 where it is not there."""
        keys = row_keys(load_index(self.stack))
        known = self._file["keys"]
        at = np.minimum(np.searchsorted(known, keys), max(len(known) - 1, 0))
        rows = np.where(known[at] == keys, at, -1) if len(known) else np.full(len(keys), -1)
        return np.split(rows, np.cumsum([ontology.name_count for ontology in self.stack])[:-1])

    def concept(self, place: int, number: int) -> BitMap:
        """The contexts in which a concept, or what specializes it, occurs."""
        found = self._concepts.get((place, number))
        if found is None:
            ontology = self.stack[place]
            members = np.concatenate([np.arange(start, stop) for start, stop in ontology.ranges(number)])
            sure, doubtful = self._sure_and_doubtful(place, members)
            found = self._union(sure)
            for member, row in doubtful:
                found = found | self._vouched(place, member, row)
            self._concepts[place, number] = found
        return found

    def _sure_and_doubtful(self, place: int, members: NDArray[np.int64]) -> tuple[list[int], list[tuple[int, int]]]:
        """The rows of unambiguous names of concepts, and their ambiguous ones with the concept they belong to."""
        start, scopes, ranks = (self.stack[place].columns(c) for c in ("names_start", "name_scope", "name_rank"))
        sizes = (start[members + 1] - start[members]).astype(np.int64)
        names = np.repeat(start[members].astype(np.int64), sizes) + _within(sizes)
        owners = np.repeat(members, sizes)
        rows = self._rows[place][names]
        known = rows >= 0
        sure = (scopes[names] <= Scope.EXACT) & (ranks[names] == 0)
        doubtful = zip(owners[known & ~sure].tolist(), rows[known & ~sure].tolist(), strict=True)
        return np.unique(rows[known & sure]).tolist(), list(doubtful)

    def _union(self, rows: list[int]) -> BitMap:
        listed = [bitmap for row in rows if (bitmap := self._listed(row)) is not None]
        return BitMap.union(*listed) if listed else BitMap()

    def _vouched(self, place: int, number: int, row: int) -> BitMap:
        """The contexts of an ambiguous name in which its family stands too."""
        own = self._listed(row)
        return BitMap() if own is None else own & self._family(place, number)

    def _family(self, place: int, number: int) -> BitMap:
        """The contexts of unambiguous names of a concept, of what generalizes and specializes it and of what is related to it."""
        key = (-1 - place, number)
        if key not in self._concepts:
            ontology = self.stack[place]
            members = {number, *ontology.specializations_of(number), *(other for _, other in ontology.related_numbers(number))}
            depth = ontology.columns("depth")
            members.update(g for g in ontology.generalization_numbers(number) if int(depth[g]) > _TOP)
            rows, _ = self._sure_and_doubtful(place, np.array(sorted(members), dtype=np.int64))
            self._concepts[key] = self._union(rows)
        return self._concepts[key]


def _within(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, 2, ... anew for each size."""
    ends = np.cumsum(sizes)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
