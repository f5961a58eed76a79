"""The documents that wait for a review: read once, known by keyed hashes, and never written."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.app.audit import LOG
from kgsan.app.problems import refused
from kgsan.report.output import FileError, make_folder, read_bytes, read_text

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

#: A longer text is no page that a person reads.
LARGEST = 1_000_000
_LINES = (".jsonl", ".ndjson")
_KEY_SIZE = 32


@dataclass(frozen=True, slots=True)
class Summary:
    """How far a document is."""

    changes: int
    open: int
    waived: int
    remaining: int


@dataclass(slots=True)
class Waiting:
    """A document of the queue."""

    number: int
    id: str
    path: Path = field(repr=False)
    name: str = field(repr=False)  #: under which it is released
    text: str = field(repr=False)
    content: str = field(repr=False)  #: a keyed hash of the text
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    seen: Summary | None = None  #: how it stood when it was looked at last
    problem: str = ""  #: why it cannot be made safe


def folder_key(folder: Path) -> bytes:
    """The key of a folder of reviews, made when there is none: with it nobody can try texts against the hashes in the log."""
    make_folder(folder, private=True)
    place = folder / "key"
    try:
        with os.fdopen(os.open(place, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as stream:
            if sys.platform != "win32":
                fcntl.flock(stream, fcntl.LOCK_EX)  # another review may be making it
            key = stream.read(_KEY_SIZE + 1)
            if not key and not (folder / LOG).exists():  # new, or a review was killed when it was
                key = secrets.token_bytes(_KEY_SIZE)
                stream.write(key)
                os.fsync(stream.fileno())
    except OSError:
        raise refused("A102", "The folder of the review cannot be written to.", "Choose another --folder.") from None
    if len(key) != _KEY_SIZE:
        raise refused("A102", "The key of the folder is damaged.", "Restore it, or choose another --folder.")
    return key


def given_key(path: Path | None) -> bytes | None:
    """The key with which a log is sealed, from a file of at least 16 bytes."""
    if path is None:
        return None
    try:
        key = read_bytes(path, 1 << 20)
    except FileError as error:
        raise refused("A109", "The file of the key cannot be read.", file=path.name) from error
    if len(key) < 16:
        raise refused("A109", "The file of the key holds fewer than 16 bytes.", file=path.name)
    return key


def keyed(key: bytes, *parts: str) -> str:
    """A hash of some texts that means nothing without the key."""
    content = b"\0".join(part.encode("utf-8", "surrogatepass") for part in parts)
    return hmac.new(key, content, hashlib.sha256).hexdigest()


def queued(paths: Sequence[Path], folder: Path, key: bytes) -> list[Waiting]:
    """The documents, each under a name of its own. Raises what is wrong with the first that cannot be reviewed."""
    made: list[Waiting] = []
    inside = folder.resolve()
    names = Counter(path.name.casefold() for path in paths)
    for path in dict.fromkeys(path.resolve() for path in paths):
        if path.suffix.lower() in _LINES:
            raise refused("A107", "A file of JSON lines holds many documents.", "Give each as a text of its own.", file=path.name)
        if path.is_relative_to(inside):
            hint = "Choose a --folder that holds none of the documents."
            raise refused("A108", "The document lies in the folder that the review writes to.", hint, file=path.name)
        text = read_text(path)
        if len(text) > LARGEST:
            hint = f"At most {LARGEST:,} characters can be read on a page: split it, or use 'kgsan sanitize'."
            raise refused("A107", "The document is too long.", hint, file=path.name)
        known = keyed(key, "path", str(path))[:16]
        name = path.name if names[path.name.casefold()] == 1 else f"{path.stem}-{known[:6]}{path.suffix}"
        made.append(Waiting(len(made) + 1, known, path, name, text, keyed(key, "text", text)))
    return made
