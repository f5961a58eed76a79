"""Knowledge from texts: every name of the loaded ontologies, and every noun phrase, with the contexts it occurs in.

Pairs of name and context are kept sorted in files while they are collected, so memory stays small however large the corpus;
the finished file is written whole, or not at all.
"""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.knowledge.columns import columns_of, in_order, once
from kgsan.knowledge.journal import Journal
from kgsan.knowledge.keys import with_capitals
from kgsan.knowledge.nouns import PhraseReader
from kgsan.ontology.arrays import ArrayFile
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from kgsan.knowledge.columns import Columns
    from kgsan.ontology.stack import OntologyStack
    from kgsan.text.mentions import Finder

    Hashes = NDArray[np.uint64]
    Ints = NDArray[np.int64]
    Contexts = NDArray[np.int32]

KIND = "knowledge"
VERSION = 1
#: So many characters are read at a time, so many pairs are held in memory, and so many are sorted at a time in the end.
_BLOCK = 1_000_000
_PAIRS = 3_000_000
_PART = 1_000_000
#: A longer context is read in pieces, which overlap by more than a name is long.
_LONGEST = 1_000_000
_OVERLAP = 2_000
#: A phrase that is no name of an ontology is kept when it stands in so many contexts.
PHRASES = 8
#: What decides, beside the texts and the names, what is counted.
_CODE = ("knowledge/*.py", "text/**/*", "ontology/letters.py", "ontology/inflection.py", "ontology/names.py")


class Builder:
    """Collects contexts; `finish` gives the arrays of the knowledge file.

    Contexts that the journal has counted already are passed over; without a journal, a temporary one is used.
    """

    def __init__(self, finder: Finder, watch: Callable[[int], None] | None = None, journal: Journal | None = None) -> None:
        self._finder = finder
        self._phrases = PhraseReader()
        self._watch = watch or (lambda _: None)
        self._temporary = journal is None
        self._journal = journal or Journal.temporary()
        self._counted = self._journal.contexts
        self.contexts = 0
        self._held: list[tuple[Hashes, Contexts]] = []
        self._count = 0
        self._needing, self._needed = _in_capitals(finder)

    def add(self, contexts: Iterable[str]) -> None:
        """Read contexts, each a paragraph or another window of text."""
        waiting: list[str] = []
        size = 0
        for context in contexts:
            waiting.append(context)
            size += len(context)
            if size >= _BLOCK:
                self._take(waiting)
                self._watch(size)
                waiting, size = [], 0
        self._take(waiting)
        self._watch(size)

    def _take(self, texts: list[str]) -> None:
        known = min(len(texts), max(0, self._counted - self.contexts))
        self.contexts += known
        short: list[str] = []
        for text in texts[known:]:
            if len(text) <= _LONGEST:
                short.append(text)
                continue
            self._read(short, len(short))
            short = []
            for piece in _pieces(text):
                self._read([piece], 0)
            self.contexts += 1
        self._read(short, len(short))

    def _read(self, texts: list[str], whole: int) -> None:
        """Count what occurs in texts, so many of which are whole contexts."""
        if not texts:
            return
        keys, contexts = self._pairs(texts)
        self.contexts += whole
        self._held.append((keys, contexts))
        self._count += len(keys)
        if self._count > _PAIRS:
            self._spill()

    def _pairs(self, texts: list[str]) -> tuple[Hashes, Contexts]:
        """The keys of what occurs in texts and the contexts, numbered on, in the order of both."""
        document = Document("\n\n".join(texts))
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
        phrases, begins_at = self._phrases.keys(document)
        keys.append(phrases)
        where.append(begins_at)
        contexts = np.searchsorted(starts, np.concatenate(where), side="right") - 1 + self.contexts
        return once(*_sorted(np.concatenate(keys), contexts.astype(np.int32)))

    def _spill(self) -> None:
        # Each of these is sorted, and no context of one comes before those of an earlier one.
        keys = np.concatenate([keys for keys, _ in self._held])
        contexts = np.concatenate([contexts for _, contexts in self._held])
        self._held, self._count = [], 0
        order = np.argsort(keys, kind="stable")
        self._journal.add(keys[order], contexts[order], self.contexts)

    def finish(self, about: dict[str, Any], *, least: int = 1, phrases: int = PHRASES, shuffle: bool = False) -> ArrayFile:
        """The knowledge file.

        Names in fewer than `least` contexts are left out, and phrases that are no names in fewer than `phrases`. `shuffle`
        renumbers the contexts, so that those of one text do not stand together.
        """
        renumber = np.random.default_rng(20160601).permutation(self.contexts) if shuffle else None
        names, enough = keys_of(self._finder), (least, max(least, phrases))
        columns = [columns_of(*pairs, self.contexts, names, *enough, renumber) for pairs in self.pairs()]
        return whole(columns, about, self.contexts)

    def pairs(self) -> Iterator[tuple[Hashes, Contexts]]:
        """All that was counted, by rising ranges of keys: each pair once, in the order of keys and contexts. Asked for once."""
        if self._held:
            self._spill()
        try:
            for keys, contexts in self._journal.parts(_PART):
                yield in_order(keys, contexts)
        finally:
            if self._temporary:
                self._journal.close()


def keys_of(finder: Finder) -> Hashes:
    """The keys of all names that are looked for, in order."""
    hashes = finder.index.hashes
    needing, needed = _in_capitals(finder)
    return np.unique(np.concatenate([hashes, with_capitals(hashes[needing], needed)]))


def whole(columns: Iterable[Columns], about: dict[str, Any], contexts: int) -> ArrayFile:
    """The file of columns that come by rising ranges of keys."""
    kinds = {"keys": np.uint64, "counts": np.uint32, "postings": np.uint8}
    parts = [*zip(*columns, strict=True)] or [()] * len(kinds)
    arrays: dict[str, NDArray[Any]] = {
        name: np.concatenate([np.zeros(0, kind), *some]) for (name, kind), some in zip(kinds.items(), parts, strict=True)
    }
    return ArrayFile(KIND, VERSION, {**about, "contexts": contexts, "names": len(arrays["keys"])}, arrays)


def fingerprint(stack: OntologyStack, **what: Any) -> str:
    """A hash of all that decides what a build counts: the names of a stack, the code, and `what` else, which JSON can tell."""
    total = hashlib.sha256(json.dumps([VERSION, what], sort_keys=True).encode())
    for ontology in stack:
        total.update(ontology.names_digest)
    package = Path(str(files("kgsan")))
    for path in sorted({path for pattern in _CODE for path in package.glob(pattern) if path.is_file()}):
        if "__pycache__" not in path.parts:
            total.update(path.read_bytes())
    return total.hexdigest()


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that are cut at spaces where there are any, and overlap so that no name is lost."""
    start = 0
    while len(text) - start > _LONGEST:
        end = start + _LONGEST
        cut = max(text.rfind(" ", end - _OVERLAP, end), text.rfind("\n", end - _OVERLAP, end))
        end = cut if cut > start else end
        yield text[start:end]
        again = text.find(" ", max(start + 1, end - _OVERLAP), end)
        start = again if again >= 0 else end
    yield text[start:]


def _in_capitals(finder: Finder) -> tuple[Ints, Hashes]:
    """Which groups of names need capitals, and where, in the order of the groups."""
    rows, needed = finder.index.needing
    groups = finder.index.group_of[rows]
    order = np.lexsort((needed[groups >= 0], groups[groups >= 0]))
    return groups[groups >= 0][order].astype(np.int64), needed[groups >= 0][order]


def _sorted(keys: Hashes, contexts: Contexts) -> tuple[Hashes, Contexts]:
    order = np.lexsort((contexts, keys))
    return keys[order], contexts[order]
