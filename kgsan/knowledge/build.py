"""Knowledge from texts: every name of the loaded ontologies, and every word, with the contexts it occurs in.

Pairs of name and context are kept sorted in files while they are collected, so memory stays small however large the corpus;
the finished file is written whole, or not at all.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.knowledge.keys import with_capitals
from kgsan.knowledge.postings import encode
from kgsan.ontology.arrays import ArrayFile
from kgsan.text.document import Document
from kgsan.text.index import first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from kgsan.text.mentions import Finder

    Hashes = NDArray[np.uint64]
    Ints = NDArray[np.int64]

KIND = "knowledge"
VERSION = 1
#: So many characters are read at a time, and so many pairs are held in memory.
_BLOCK = 2_000_000
_PAIRS = 30_000_000
_PARTS = 16
#: A name in more than this share of all contexts keeps its count only: everything occurs with it.
FREQUENT = 0.02


class Builder:
    """Collects contexts; `finish` gives the arrays of the knowledge file."""

    def __init__(self, finder: Finder, watch: Callable[[int], None] | None = None) -> None:
        self._finder = finder
        self._watch = watch
        self.contexts = 0
        self._held: list[tuple[Hashes, Ints]] = []
        self._count = 0
        self._folder = tempfile.TemporaryDirectory(prefix="kgsan-knowledge-")
        self._runs: list[Path] = []
        rows, needed = finder.index.needing
        groups = finder.index.group_of[rows]
        order = np.lexsort((needed[groups >= 0], groups[groups >= 0]))
        self._needing = groups[groups >= 0][order].astype(np.int64)
        self._needed = needed[groups >= 0][order]

    def add(self, contexts: Iterable[str]) -> None:
        """Read contexts, each a paragraph or another window of text."""
        waiting: list[str] = []
        size = 0
        for context in contexts:
            waiting.append(context)
            size += len(context)
            if size >= _BLOCK:
                self._read(waiting)
                waiting, size = [], 0
        self._read(waiting)

    def _read(self, texts: list[str]) -> None:
        if not texts:
            return
        together = "\n\n".join(texts)
        document = Document(together)
        starts = np.cumsum([0, *(len(text) + 2 for text in texts[:-1])])
        names = self._finder.occurrences(document)
        keys = [self._finder.index.hashes[names.groups]]
        where = [names.places]
        # Names that need capitals are counted by themselves where they stand in capitals.
        begin, end = (np.searchsorted(self._needing, names.groups, side=side) for side in ("left", "right"))
        for step in range(int((end - begin).max()) if len(begin) else 0):
            some = np.flatnonzero(end - begin > step)
            needed = self._needed[begin[some] + step]
            written = some[(needed & ~names.capitals[some]) == 0]
            needed = self._needed[begin[written] + step]
            keys.append(with_capitals(self._finder.index.hashes[names.groups[written]], needed))
            where.append(names.places[written])
        keys.append(first(names.classes))
        where.append(names.class_places)
        context = np.searchsorted(starts, np.concatenate(where), side="right") - 1 + self.contexts
        self._hold(np.concatenate(keys), context)
        self.contexts += len(texts)
        if self._watch is not None:
            self._watch(len(together))

    def _hold(self, keys: Hashes, contexts: Ints) -> None:
        order = np.lexsort((contexts, keys))
        keys, contexts = keys[order], contexts[order]
        new = np.ones(len(keys), dtype=bool)
        new[1:] = (keys[1:] != keys[:-1]) | (contexts[1:] != contexts[:-1])
        self._held.append((keys[new], contexts[new].astype(np.int32)))
        self._count += int(new.sum())
        if self._count > _PAIRS:
            self._spill()

    def _spill(self) -> None:
        keys = np.concatenate([keys for keys, _ in self._held])
        contexts = np.concatenate([contexts for _, contexts in self._held])
        order = np.lexsort((contexts, keys))
        path = Path(self._folder.name) / f"{len(self._runs)}.npy"
        with path.open("wb") as stream:
            np.save(stream, keys[order])
            np.save(stream, contexts[order])
        self._runs.append(path)
        self._held, self._count = [], 0

    def finish(self, about: dict[str, Any], *, least: int = 1, shuffle: bool = False) -> ArrayFile:
        """The knowledge file. Names in fewer than `least` contexts are left out; `shuffle` renumbers the contexts."""
        if self._held:
            self._spill()
        renumber = np.random.default_rng(20160601).permutation(self.contexts) if shuffle else np.arange(self.contexts)
        runs = [_load(path) for path in self._runs]
        columns: list[tuple[Hashes, Ints, NDArray[np.uint8], Ints]] = []
        for part in range(_PARTS):
            low, high = (np.uint64(min(i << 60, (1 << 64) - 1)) for i in (part, part + 1))
            pieces = [(keys[a:b], contexts[a:b]) for keys, contexts in runs for a, b in [_between(keys, low, high)]]
            if pieces:
                keys = np.concatenate([piece[0] for piece in pieces])
                contexts = renumber[np.concatenate([piece[1] for piece in pieces])]
                columns.append(self._part(keys, contexts, least))
        self._folder.cleanup()
        shift = np.cumsum([0, *(len(data) for _, _, data, _ in columns)])
        starts = [begins[:-1] + moved for (_, _, _, begins), moved in zip(columns, shift, strict=False)]
        arrays: dict[str, NDArray[Any]] = {
            "keys": np.concatenate([part[0] for part in columns]) if columns else np.zeros(0, dtype=np.uint64),
            "counts": np.concatenate([part[1] for part in columns]).astype(np.uint32) if columns else np.zeros(0, np.uint32),
            "postings": np.concatenate([part[2] for part in columns]) if columns else np.zeros(0, dtype=np.uint8),
            "starts": np.append(np.concatenate(starts), shift[-1]).astype(np.int64) if columns else np.zeros(1, np.int64),
        }
        return ArrayFile(KIND, VERSION, {**about, "contexts": self.contexts, "names": len(arrays["keys"])}, arrays)

    def _part(self, keys: Hashes, contexts: Ints, least: int) -> tuple[Hashes, Ints, NDArray[np.uint8], Ints]:
        order = np.lexsort((contexts, keys))
        keys, contexts = keys[order], contexts[order]
        distinct, owner, counts = np.unique(keys, return_inverse=True, return_counts=True)
        kept = np.flatnonzero(counts >= least)
        place = np.full(len(distinct), -1, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        listed = kept[counts[kept] <= FREQUENT * self.contexts]
        told = np.zeros(len(distinct), dtype=bool)
        told[listed] = True
        rows = np.flatnonzero(told[owner])
        renamed = np.searchsorted(listed, owner[rows])
        data, begins = encode(renamed, contexts[rows])
        sizes = np.zeros(len(kept), dtype=np.int64)
        sizes[place[listed]] = np.diff(begins)
        return distinct[kept], counts[kept], data, np.append(0, np.cumsum(sizes))


def _load(path: Path) -> tuple[Hashes, NDArray[np.int32]]:
    with path.open("rb") as stream:
        return np.load(stream, allow_pickle=False), np.load(stream, allow_pickle=False)


def _between(keys: Hashes, low: np.uint64, high: np.uint64) -> tuple[int, int]:
    last = high == np.uint64((1 << 64) - 1)
    return int(np.searchsorted(keys, low)), len(keys) if last else int(np.searchsorted(keys, high))
