"""Counting what occurs together: terms with an entity, over 200,000 short documents."""

from __future__ import annotations

import itertools
import os
import random
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
from pyroaring import BitMap

import kgsan
from benchmarks.contest import OURS, Contest
from benchmarks.mentions import english
from kgsan.knowledge.build import Builder
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.texts import contexts
from kgsan.sources.records import Scope
from kgsan.text.mentions import Finder

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.ontology.ontology import Concept

    Query = tuple[str | Concept, ...]

DOCUMENTS = 200_000
WORDS = 25
QUERIES = 500
TERMS, ENTITIES = 100, 20
#: Megabytes of text a second on one core that a build must reach.
WANTED = 2.0
#: A process that opens a knowledge file, and asks: how long that takes and how much memory it adds.
_OPEN = """
import sys, time
import kgsan
from kgsan.knowledge.corpus import CorpusKnowledge
def resident():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS")) / 1024
stack = kgsan.load_ontology()
before, started = resident(), time.perf_counter()
known = CorpusKnowledge.open(sys.argv[1], stack)
opened = time.perf_counter()
known.count(sys.argv[2])
first = time.perf_counter()
known.count(sys.argv[2], sys.argv[3])
print(f"  opened in {(opened - started) * 1e3:.1f} ms, first count {(first - opened) * 1e3:.1f} ms, first count of two "
      f"{(time.perf_counter() - first) * 1e3:.1f} ms, {resident() - before:.0f} MB")
"""


def run(folder: Path) -> bool:
    """Build knowledge from the documents, then ask it and others the same."""
    texts = documents()
    path = folder / "bench.kgk"
    stack = kgsan.load_ontology()
    fast = _build(texts, Finder(stack), path)
    known = CorpusKnowledge.open(path, stack)
    terms, entities = _terms(known), _entities(known)
    print(f"  {len(terms)} terms, {len(entities)} entities with {sum(len(_names(known, e)) for e in entities):,} names")
    if os.path.exists("/proc/self/status"):
        subprocess.run([sys.executable, "-c", _OPEN, str(path), terms[0], terms[1]], check=True)
    dice = random.Random(3)
    pairs: list[Query] = dice.sample(list(itertools.product(terms, entities)), QUERIES)
    groups: list[Query] = [(*dice.sample(terms, 2), dice.choice(entities)) for _ in range(QUERIES)]
    every: list[str | Concept] = [*terms, *entities]
    search = _Search(texts, {term: _names(known, term) for term in every})
    search.keep({term: known.bitmap(term) or BitMap() for term in every})
    met = _contest("counts of a term with an entity", known, pairs, search)
    return fast & met & _contest("counts of two terms with an entity", known, groups, search)


def documents() -> list[str]:
    """Short documents out of the text that KGSAN_BENCH_TEXT names, else out of the shipped definitions, some then alike."""
    if path := os.environ.get("KGSAN_BENCH_TEXT"):
        found = list(itertools.islice(contexts([path], words=WORDS), DOCUMENTS))
        if len(found) == DOCUMENTS:
            return found
    words = english().split()
    dice = random.Random(1)
    places = (dice.randrange(len(words) - WORDS) for _ in range(DOCUMENTS))
    return [" ".join(words[place : place + WORDS]) for place in places]


def _build(texts: list[str], finder: Finder, path: Path) -> bool:
    size = sum(map(len, texts)) / 1e6
    started = time.process_time()
    builder = Builder(finder)
    builder.add(texts)
    builder.finish({"name": "bench"}).save(path)
    speed = size / (time.process_time() - started)
    print(f"\nKnowledge from {len(texts):,} documents, {size:.0f} MB: {speed:.1f} MB/s on one core, wanted {WANTED:g}: ", end="")
    print("met" if speed >= WANTED else "MISSED", f"({path.stat().st_size / 1e6:.1f} MB on disk)")
    return speed >= WANTED


def _terms(known: CorpusKnowledge) -> list[str]:
    """The most frequent names that are in no more than a fiftieth of all documents."""
    counts = {name: known.count(name) or 0 for ontology in known.stack[:2] for name in ontology.name_texts()}
    usual = [name for name in sorted(counts, key=lambda name: (-counts[name], name)) if counts[name] <= known.contexts / 50]
    once = {frozenset(known.bitmap(name) or ()): name for name in usual[: 3 * TERMS]}
    return list(once.values())[:TERMS]


def _entities(known: CorpusKnowledge) -> list[Concept]:
    """The most frequent concepts that several, but not very many, others specialize."""
    ontology = known.stack[0]
    some = [concept for concept in ontology if 5 <= len(ontology.specializations(concept)) <= 200]
    return sorted(some, key=lambda concept: (-(known.count(concept) or 0), concept.id))[:ENTITIES]


def _names(known: CorpusKnowledge, term: str | Concept) -> list[str]:
    if isinstance(term, str):
        return [term]
    ontology = known.stack[0]
    members = [term, *ontology.specializations(term)]
    return list(dict.fromkeys(name.text for concept in members for name in ontology.names(concept) if name.scope <= Scope.EXACT))


def _contest(title: str, known: CorpusKnowledge, queries: list[Query], search: _Search) -> bool:
    contest = Contest(f"{len(queries)} {title}", {"python sets": 1, "SQLite, cached lists": 10, "SQLite FTS5": 500})
    ours = contest.run(OURS, lambda: [known.count(*query) or 0 for query in queries], repeat=5)
    bitmaps = {term: known.bitmap(term) or BitMap() for query in queries for term in query}
    contest.run("kgsan, bitmaps at hand", lambda: [_common([bitmaps[term] for term in query]) for query in queries], repeat=5)
    lists = {term: np.array(bitmap, dtype=np.int64) for term, bitmap in bitmaps.items()}
    bitsets = {term: _bitset(contexts, known.contexts) for term, contexts in lists.items()}
    contest.run("numpy bitsets", lambda: [_common_bits([bitsets[term] for term in query]) for query in queries])
    sets = {term: set(contexts.tolist()) for term, contexts in lists.items()}
    contest.run("python sets", lambda: [len(set.intersection(*sorted((sets[t] for t in q), key=len))) for q in queries])
    contest.run("SQLite, cached lists", lambda: [search.from_lists(query) for query in queries])
    phrases: list[int] = []
    contest.run("SQLite FTS5", lambda: phrases.extend(map(search.from_phrases, queries)), repeat=1)
    met = contest.report()
    alike = sum(a == b for a, b in zip(ours, phrases, strict=True)) / len(queries)
    print(
        f"  {contest.seconds[OURS] / len(queries) * 1e6:.1f} µs each; FTS5, which stems words and knows no ambiguous names, agrees in {alike:.0%}"
    )
    return met


def _common(bitmaps: list[BitMap]) -> int:
    first, *others, last = sorted(bitmaps, key=len)
    for other in others:
        first = first & other
    return first.intersection_cardinality(last)


def _bitset(contexts: np.ndarray[tuple[int], np.dtype[np.int64]], bound: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    bits = np.zeros(-(-bound // 64) * 64, dtype=np.uint8)
    bits[contexts] = 1
    return np.packbits(bits).view(np.uint64)


def _common_bits(bitsets: list[np.ndarray[tuple[int], np.dtype[np.uint64]]]) -> int:
    first, *others = bitsets
    for other in others:
        first = first & other
    return int(np.bitwise_count(first).sum())


class _Search:
    """A full-text index that is asked for phrases, and a table of the documents of every term."""

    def __init__(self, texts: list[str], names: dict[str | Concept, list[str]]) -> None:
        self._phrases = {term: " OR ".join('"' + name.replace('"', "") + '"' for name in own) for term, own in names.items()}
        self._numbers = {term: number for number, term in enumerate(names)}
        self._base = sqlite3.connect(":memory:")
        self._base.execute("CREATE VIRTUAL TABLE texts USING fts5(words, content='', tokenize='porter unicode61')")
        self._base.executemany("INSERT INTO texts(rowid, words) VALUES (?, ?)", enumerate(texts))
        self._base.execute("INSERT INTO texts(texts) VALUES ('optimize')")
        self._base.execute("CREATE TABLE lists (term INTEGER, text INTEGER, PRIMARY KEY (term, text)) WITHOUT ROWID")

    def keep(self, lists: dict[str | Concept, BitMap]) -> None:
        for term, texts in lists.items():
            rows = ((self._numbers[term], text) for text in texts)
            self._base.executemany("INSERT INTO lists VALUES (?, ?)", rows)

    def from_phrases(self, query: Query) -> int:
        match = " AND ".join(f"({self._phrases[term]})" for term in query)
        return self._one("SELECT count(*) FROM texts WHERE texts MATCH ?", (match,))

    def from_lists(self, query: Query) -> int:
        first, *others = range(len(query))
        joins = " ".join(f"JOIN lists l{i} ON l{i}.text = l{first}.text AND l{i}.term = ?" for i in others)
        numbers = [self._numbers[term] for term in query]
        return self._one(f"SELECT count(*) FROM lists l{first} {joins} WHERE l{first}.term = ?", (*numbers[1:], numbers[0]))

    def _one(self, query: str, given: tuple[object, ...]) -> int:
        return int(self._base.execute(query, given).fetchone()[0])
