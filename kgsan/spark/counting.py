"""Knowledge counted on many machines, the same to the byte as on one.

Runs of files are counted by the local builder, each on one executor. The pairs of name and context then travel by ranges of
keys to executors that write the columns of a range, once it is known how many contexts come before those of each run.
"""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kgsan.errors import KgsanError, KnowledgeError, OntologyError, Place, Problem
from kgsan.knowledge.build import PHRASES, Builder, fingerprint, keys_of, whole
from kgsan.knowledge.columns import columns_of, joined
from kgsan.knowledge.texts import contexts
from kgsan.ontology.load import load_ontology
from kgsan.sanitize.wordless import unforeseen
from kgsan.sources.files import digest, open_source
from kgsan.spark.executor import WorkStopped
from kgsan.spark.places import knowledge_here, ontology_here
from kgsan.text.mentions import Finder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from pyspark import Broadcast, SparkContext

    from kgsan.ontology.arrays import ArrayFile

    #: A range of keys, the number of a run of files, keys and contexts; after the last range, what is told of the run.
    Piece = tuple[int, tuple[int, bytes, bytes]]

#: Bytes of files that one task counts at least and at most, unless one file is larger; and tasks for each core.
_LEAST, _MOST, _TASKS = 1_000_000, 64_000_000, 3
#: Bytes of files for each range of keys, and how many ranges there may be.
_RANGE, _RANGES = 16_000_000, 1 << 12
#: Contexts are numbered in so many bits.
_CONTEXTS = (1 << 31) - 1
_KINDS: dict[str, type[KgsanError]] = {one.__name__: one for one in (KnowledgeError, OntologyError)}


class Task(NamedTuple):
    """What every executor needs to know of a build."""

    ontologies: tuple[str, ...]
    fingerprint: str
    field: str | None
    words: int | None
    least: int
    ranges: int


class Counted(NamedTuple):
    """What is told of a run of files: its contexts and the SHA-256 of each file, or what went wrong."""

    contexts: int = 0
    digests: tuple[str, ...] = ()
    kind: str = ""
    wrong: tuple[str | int | None, ...] = ()


def build(context: SparkContext, paths: Sequence[Path], task: Task, about: dict[str, Any]) -> ArrayFile:
    """The knowledge file of texts. `about` is told in it, with name and SHA-256 of every source."""
    runs = _runs(paths, context.defaultParallelism)
    sent = context.broadcast(json.dumps(task).encode())
    tasks = [(number, [str(path.absolute()) for path in run]) for number, run in enumerate(runs)]
    counted = context.parallelize(tasks, len(tasks)).flatMap(_counting(sent))
    parted = counted.partitionBy(task.ranges + 1, _as_it_is)
    try:
        # The last partition alone: asking for it counts everything, and what was counted waits where it was.
        told = dict(context.runJob(parted, _told, [task.ranges]))
        found = [_sound(told[number]) for number in range(len(runs))]
        sizes = [one.contexts for one in found]
        if sum(sizes) > _CONTEXTS:
            raise WorkStopped(f"There are {sum(sizes):,} contexts, and a knowledge file holds {_CONTEXTS:,} at most.")
        before = context.broadcast([0, *accumulate(sizes)])
        columns = context.runJob(parted, _writing(sent, before), list(range(task.ranges)))
    except (KgsanError, WorkStopped):
        raise
    except Exception as error:  # of Spark, with pages of its own, which stand in its log
        stopped = WorkStopped(f"Spark stopped the count ({type(error).__name__}); its log says why. Is kgsan on every executor?")
    else:
        shas = [sha for one in found for sha in one.digests]
        named = [{"name": path.name, "sha256": sha} for path, sha in zip(paths, shas, strict=True)]
        return whole(map(_read, columns), {**about, "sources": named}, sum(sizes))
    raise stopped


def ranges_for(paths: Iterable[Path]) -> int:
    """Into how many ranges the keys of texts are parted: a power of two."""
    wanted = sum(path.stat().st_size for path in paths) // _RANGE
    return min(1 << wanted.bit_length(), _RANGES)


def _runs(paths: Sequence[Path], cores: int) -> list[list[Path]]:
    """Files that follow each other, about as much for each task."""
    sizes = [path.stat().st_size for path in paths]
    enough = min(max(sum(sizes) // (cores * _TASKS), _LEAST), _MOST)
    runs: list[list[Path]] = [[]]
    held = 0
    for path, size in zip(paths, sizes, strict=True):
        if runs[-1] and held + size > enough:
            runs.append([])
            held = 0
        runs[-1].append(path)
        held += size
    return runs


# --- on the executors: counting -------------------------------------------------------------------------------------------


def _counting(sent: Broadcast[bytes]) -> Callable[[tuple[int, list[str]]], Iterator[Piece]]:
    return lambda run: _count(sent.value, *run)


def _count(task: bytes, number: int, names: list[str]) -> Iterator[Piece]:
    """What is wrong is told, not raised: it would be tried again, and would come out as pages of Spark's."""
    given = _task(task)
    try:
        paths = [knowledge_here(name) for name in names]
        digests = tuple(digest(open_source(Path(path))) for path in paths)
        builder = Builder(_finder(task))
        builder.add(contexts(paths, field=given.field, words=given.words))
    except (KnowledgeError, OntologyError) as error:
        first = error.problems[0]
        place = first.place
        wrong = (first.code, place.file, place.line, place.column, first.message, first.hint)
        told = Counted(kind=type(error).__name__, wrong=wrong)
    except WorkStopped as error:
        told = Counted(kind=WorkStopped.__name__, wrong=(str(error),))
    except Exception as error:
        told = Counted(kind=WorkStopped.__name__, wrong=(unforeseen(error),))
    else:
        told = Counted(builder.contexts, digests)
        yield from _pieces(builder, number, given.ranges)
    yield given.ranges, (number, json.dumps(told).encode(), b"")


def _pieces(builder: Builder, number: int, ranges: int) -> Iterator[Piece]:
    limits = np.arange(1, ranges, dtype=np.uint64) * np.uint64((1 << 64) // max(ranges, 2))
    for keys, where in builder.pairs():
        cuts = [0, *np.searchsorted(keys, limits).tolist(), len(keys)]
        for at, (begin, end) in enumerate(pairwise(cuts)):
            if begin < end:
                yield at, (number, keys[begin:end].tobytes(), where[begin:end].tobytes())


def _told(rows: Iterable[Piece]) -> Iterator[tuple[int, bytes]]:
    return ((number, data) for _, (number, data, _) in rows)


def _sound(data: bytes) -> Counted:
    found = Counted(*json.loads(data))
    if not found.kind:
        return found
    if found.kind == WorkStopped.__name__:
        raise WorkStopped(*found.wrong)
    code, file, line, column, message, hint = found.wrong
    raise _KINDS[found.kind](Problem(str(code), Place(str(file), line, column), str(message), hint))  # type: ignore[arg-type]


def _task(data: bytes) -> Task:
    return Task(*json.loads(data))


@lru_cache(maxsize=1)
def _finder(task: bytes) -> Finder:
    """The names of the ontologies, exactly as the driver has them."""
    given = _task(task)
    stack = load_ontology(*map(ontology_here, given.ontologies))
    if fingerprint(stack) != given.fingerprint:
        raise WorkStopped("An executor has other ontologies than the driver, or another kgsan: the counts would differ.")
    return Finder(stack)


@lru_cache(maxsize=1)
def _names(task: bytes) -> NDArray[np.uint64]:
    return keys_of(_finder(task))


# --- on the executors: writing --------------------------------------------------------------------------------------------


def _writing(
    sent: Broadcast[bytes], before: Broadcast[list[int]]
) -> Callable[[Iterable[Piece]], Iterator[tuple[bytes, bytes, bytes]]]:
    return lambda pieces: _write(sent.value, before.value, pieces)


def _write(task: bytes, before: Sequence[int], pieces: Iterable[Piece]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The columns of one range of keys."""
    runs = sorted((piece for _, piece in pieces), key=lambda piece: piece[0])
    read = (
        (np.frombuffer(keys, np.uint64), np.frombuffer(where, np.int32) + np.int32(before[number]))
        for number, keys, where in runs
    )
    given = _task(task)
    columns = columns_of(*joined(read), before[-1], _names(task), given.least, max(given.least, PHRASES))
    yield tuple(column.tobytes() for column in columns)  # type: ignore[misc]


def _read(columns: tuple[bytes, bytes, bytes]) -> tuple[Any, Any, Any]:
    keys, counts, postings = columns
    return np.frombuffer(keys, np.uint64), np.frombuffer(counts, np.uint32), np.frombuffer(postings, np.uint8)


def _as_it_is(key: int) -> int:
    return key
