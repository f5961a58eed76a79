"""The private ledger of a batch: which files are done, so that a run that was interrupted goes on where it stopped.

It tells neither names nor contents: everything in it is hashed with a key that stands in its first line, so it belongs where the
originals are. A file counts as done when its input is the same and all that was written for it still stands as it was written.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sys
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from kgsan.errors import system_says
from kgsan.formats.problems import FormatError
from kgsan.report.certificate import own_version

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kgsan.cli.jobs import Job

FORMAT = "kgsan-ledger-1"
_BEGINS = b'{"format": "kgsan-ledger-'
_BLOCK = 1 << 20


class OtherSettings(Exception):
    """The ledger was begun with other settings: what is done and what is not would not go together."""


@dataclass(slots=True)
class Ledger:
    """What is done. To be opened with `open_ledger`, and closed."""

    stream: IO[bytes] = field(repr=False)
    key: bytes = field(repr=False)
    done: dict[str, dict[str, Any]] = field(repr=False)

    def is_done(self, job: Job) -> bool:
        """Whether a job was done before, from the same input, and its files are as they were written."""
        noted = self.done.get(self._name(job))
        return noted is not None and noted == self._state(job, self.input_of(job))

    def input_of(self, job: Job) -> str | None:
        """What identifies the input of a job as it is now; to be asked before the job begins, since files change."""
        return self._hash_of(job.source)

    def note(self, job: Job, given: str | None) -> None:
        """A job is done and its files stand in their places. Brought to the disk before this returns."""
        row = json.dumps({"job": self._name(job), **self._state(job, given)}, sort_keys=True)
        self.stream.write(f"{row}\n".encode("ascii"))
        self.stream.flush()
        os.fsync(self.stream.fileno())

    def close(self) -> None:
        """Give the ledger free."""
        self.stream.close()

    def _name(self, job: Job) -> str:
        places = (job.source, job.output, job.certificate, job.record)
        told = "\0".join("" if place is None else str(place.resolve()) for place in places)
        return self._hash(told.encode("utf-8", "surrogateescape"))

    def _state(self, job: Job, given: str | None) -> dict[str, Any]:
        written = (job.output, job.certificate, job.record)
        return {"input": given, "outputs": [self._hash_of(path) for path in written if path is not None]}

    def _hash(self, content: bytes) -> str:
        return hmac.new(self.key, content, hashlib.sha256).hexdigest()

    def _hash_of(self, path: Path | None) -> str | None:
        """The keyed hash of a file, or None where there is none."""
        if path is None:
            return None
        made = hmac.new(self.key, digestmod=hashlib.sha256)
        try:
            with path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    made.update(block)
        except OSError:
            return None
        return made.hexdigest()


def open_ledger(path: Path, settings: Any) -> Ledger:
    """The ledger in a file, begun if it is not there. A last line that was cut off when the program ended is dropped."""
    try:
        stream = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    except OSError as error:
        raise FormatError(
            "F110", path.name, "The ledger cannot be opened.", f"{system_says(error) or 'It is no file'}."
        ) from None
    try:
        return _opened(stream, path, _digest(settings))
    except BaseException:
        stream.close()
        raise


def _opened(stream: IO[bytes], path: Path, settings: str) -> Ledger:
    try:
        if sys.platform != "win32":
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FormatError("F110", path.name, "Another run is at work with this ledger.") from None
    content = stream.read()
    whole = content[: content.rfind(b"\n") + 1]
    rows = _rows(whole, path)
    if not rows:
        if content and not content.startswith(_BEGINS[: len(content)]):
            raise FormatError("F110", path.name, "This is no ledger of kgsan, so nothing is written to it.")
        key = secrets.token_bytes(32)
        head = {"format": FORMAT, "kgsan": own_version(), "key": key.hex(), "settings": settings}
        stream.seek(0)
        stream.truncate()
        stream.write(f"{json.dumps(head)}\n".encode("ascii"))
        stream.flush()
        os.fsync(stream.fileno())
        os.chmod(path, 0o600)
        return Ledger(stream, key, {})
    head, *noted = rows
    try:
        if head["format"] != FORMAT:
            raise FormatError("F110", path.name, "This is no ledger that this kgsan reads.")
        if (head["kgsan"], head["settings"]) != (own_version(), settings):
            raise OtherSettings
        key = bytes.fromhex(head["key"])
        done = {row.pop("job"): row for row in noted}
    except (KeyError, TypeError, ValueError):
        raise FormatError("F110", path.name, "The ledger is damaged.", "Begin anew with another ledger.") from None
    stream.seek(len(whole))
    stream.truncate()
    return Ledger(stream, key, done)


def _rows(content: bytes, path: Path) -> Sequence[Any]:
    try:
        rows = [json.loads(line) for line in content.splitlines()]
    except (ValueError, RecursionError):
        raise FormatError("F110", path.name, "This is no ledger of kgsan, so nothing is written to it.") from None
    if not all(isinstance(row, dict) for row in rows):
        raise FormatError("F110", path.name, "This is no ledger of kgsan, so nothing is written to it.")
    return rows


def _digest(settings: Any) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode()).hexdigest()
