"""What a build has counted so far, kept in a folder beside its output: one that was killed goes on where it stopped.

A run holds pairs of name and context in the order of their keys. It is written whole, then told in the journal with its
checksum; what the journal does not tell, or tells otherwise, was never there. One build at a time has the folder.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
import zlib
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import KnowledgeError, Place, Problem, system_says

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kgsan.ontology.arrays import ArrayFile

    Hashes = NDArray[np.uint64]
    Contexts = NDArray[np.int32]
    Ints = NDArray[np.int64]

FORMAT = 1
_JOURNAL, _LOCK, _WHOLE, _RUN = "journal.json", "lock", "whole", ".run"
#: A run can be read in so many parts, by the first bits of the keys.
_BUCKETS = 1 << 12
_HEAD = 8 * (_BUCKETS + 1)


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run; with those before it, it holds all pairs of the first `contexts` contexts."""

    contexts: int
    pairs: int
    size: int
    crc32: int


class Journal:
    """The runs of one build. Made by `open` or `temporary`; used in a `with` statement, which lets go of the folder."""

    def __init__(self, folder: Path, fingerprint: str, output: Path | None, held: Any) -> None:
        self._folder = folder
        self._fingerprint = fingerprint
        self._output = output
        self._held = held  # the lock, or the temporary folder
        self._runs: list[Run] = []
        self.other = False  #: whether the folder held what another build had counted

    @classmethod
    def open(cls, output: Path, fingerprint: str) -> Journal:
        """The folder beside an output, with what a build of the same fingerprint has left there."""
        with _told(output.name):
            if output.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            folder = output.with_name(f".{output.name}.building")
            journal = cls(folder, fingerprint, output, _locked(folder, output.name))
            try:
                journal._recover()
            except BaseException:
                journal.close()
                raise
        return journal

    @classmethod
    def temporary(cls) -> Journal:
        """A folder that nobody else knows and that is gone afterwards."""
        with _told("the folder for temporary files"):
            held = tempfile.TemporaryDirectory(prefix="kgsan-knowledge-")
        return cls(Path(held.name), "", None, held)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._runs and isinstance(self._held, int):
            self._remove()
        self.close()

    @property
    def contexts(self) -> int:
        """How many contexts need not be counted again."""
        return self._runs[-1].contexts if self._runs else 0

    # --- runs --------------------------------------------------------------------------------------------------------------

    def add(self, keys: Hashes, contexts: Contexts, done: int) -> None:
        """Keep pairs, in the order of their keys; with them the first `done` contexts are whole."""
        inside = np.arange(1, _BUCKETS, dtype=np.uint64) << np.uint64(64 - 12)
        begins = np.concatenate([[0], np.searchsorted(keys, inside), [len(keys)]])
        columns = [
            column.data.cast("B") for column in (begins.astype("<i8"), keys.astype("<u8"), contexts.astype("<i4")) if len(column)
        ]
        checksum = 0
        with self._whole(f"{len(self._runs)}{_RUN}") as stream:
            for column in columns:
                checksum = zlib.crc32(column, checksum)
                stream.write(column)
        self._runs.append(Run(done, len(keys), sum(map(len, columns)), checksum))
        self._tell()

    def parts(self, most: int) -> Iterator[tuple[Hashes, Contexts]]:
        """The pairs of all runs by ranges of keys, at most so many at a time if the keys allow; contexts rise within a run."""
        with _told(self._name):
            begins = [np.fromfile(path, dtype="<i8", count=_BUCKETS + 1) for path in self._paths]
            sizes = np.diff(np.sum(begins, axis=0)) if begins else np.zeros(0, dtype=np.int64)
            first = 0
            while first < len(sizes):
                last = first + max(1, int(np.searchsorted(np.cumsum(sizes[first:]), most, side="right")))
                pieces = [
                    _piece(path, run.pairs, int(at[first]), int(at[last]))
                    for path, run, at in zip(self._paths, self._runs, begins, strict=True)
                ]
                yield np.concatenate([keys for keys, _ in pieces]), np.concatenate([contexts for _, contexts in pieces])
                first = last

    @property
    def _paths(self) -> list[Path]:
        return [self._folder / f"{number}{_RUN}" for number in range(len(self._runs))]

    # --- the folder --------------------------------------------------------------------------------------------------------

    def deliver(self, file: ArrayFile) -> None:
        """Put the finished file in its place and remove the folder."""
        assert self._output is not None
        with _told(self._name):
            # Made in the folder, so that one half written by a killed build is removed with it.
            file.save(self._folder / _WHOLE)
            (self._folder / _WHOLE).replace(self._output)
        self._remove()
        self.close()

    def close(self) -> None:
        """Let go of the folder; a temporary one is removed."""
        if isinstance(self._held, int):
            os.close(self._held)
        elif self._held is not None:
            self._held.cleanup()
        self._held = None

    @property
    def _name(self) -> str:
        return self._output.name if self._output is not None else "the folder for temporary files"

    @contextmanager
    def _whole(self, name: str) -> Iterator[IO[bytes]]:
        """A file of the folder that is there whole or not at all."""
        draft = self._folder / f"{name}.draft"
        with _told(self._name):
            try:
                with draft.open("wb") as stream:
                    yield stream
                    stream.flush()
                    if self._output is not None:
                        os.fsync(stream.fileno())
                draft.replace(self._folder / name)
            except BaseException:
                draft.unlink(missing_ok=True)
                raise

    def _tell(self) -> None:
        if self._output is None:
            return  # nobody will ask
        told = {"format": FORMAT, "fingerprint": self._fingerprint, "contexts": self.contexts, "runs": [*map(asdict, self._runs)]}
        with self._whole(_JOURNAL) as stream:
            stream.write(json.dumps(told, indent=1).encode())

    def _recover(self) -> None:
        try:
            told = json.loads((self._folder / _JOURNAL).read_bytes())
            found = [Run(**run) for run in told["runs"]]
            same = (told["format"], told["fingerprint"]) == (FORMAT, self._fingerprint)
        except (FileNotFoundError, ValueError, KeyError, TypeError, RecursionError):
            found, same = [], False  # killed before the first run, or damaged
        self.other = bool(found) and not same
        for number, run in enumerate(found if same else []):
            if not _is_sound(self._folder / f"{number}{_RUN}", run):
                break  # what comes after it was counted on top of it
            self._runs.append(run)
        self._tell()
        self._remove_all_but({_LOCK, _JOURNAL, *(path.name for path in self._paths)})

    def _remove(self) -> None:
        """The folder is emptied and removed, the lock last: whoever waits for it then makes a folder of its own."""
        try:
            self._remove_all_but({_LOCK})
            (self._folder / _LOCK).unlink(missing_ok=True)
            self._folder.rmdir()
        except OSError:
            pass  # another build has begun, or somebody keeps files there

    def _remove_all_but(self, kept: set[str]) -> None:
        ours = (_RUN, ".draft", _JOURNAL)
        for path in sorted(self._folder.iterdir()):
            if path.name not in kept and (path.name.endswith(ours) or path.name.lstrip(".").startswith(_WHOLE)):
                path.unlink(missing_ok=True)


def _piece(path: Path, pairs: int, begin: int, end: int) -> tuple[Hashes, Contexts]:
    """Some pairs of a run, read and not mapped: pages that were mapped would count as memory as long as the build runs."""
    keys = np.fromfile(path, dtype="<u8", count=end - begin, offset=_HEAD + 8 * begin)
    return keys, np.fromfile(path, dtype="<i4", count=end - begin, offset=_HEAD + 8 * pairs + 4 * begin)


def _is_sound(path: Path, run: Run) -> bool:
    checksum = size = 0
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                checksum, size = zlib.crc32(block, checksum), size + len(block)
    except FileNotFoundError:
        return False
    return (checksum, size) == (run.crc32, run.size)


def _locked(folder: Path, name: str) -> int:
    """The open lock of a folder, which the system takes back from a process that dies. (Windows has none of the kind.)"""
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            continue  # the build that had the folder has just removed it
        try:
            if sys.platform != "win32":
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.stat(folder / _LOCK), os.fstat(lock)):
                return lock
            os.close(lock)
        except BlockingIOError:
            os.close(lock)
            message = "Another build of this file is running."
            raise KnowledgeError(Problem("K112", Place(name), message, "Wait for it, or write to another file.")) from None
        except FileNotFoundError:
            os.close(lock)
        except BaseException:
            os.close(lock)
            raise


@contextmanager
def _told(name: str) -> Iterator[None]:
    """A disk that is full or must not be written to is told in one sentence."""
    try:
        yield
    except OSError as error:
        raise unwritable(name, error) from None


def unwritable(name: str, error: OSError) -> KnowledgeError:
    """The error for a knowledge file that cannot be written."""
    return KnowledgeError(
        Problem("K113", Place(name), f"It cannot be written: {system_says(error) or 'the disk does not take it'}.")
    )
