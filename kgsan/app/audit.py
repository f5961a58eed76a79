"""The audit log on the disk: lines are only ever added, each is on the disk before anything else happens, and a crash loses none.

Beside the log lies its state file, with the number of lines and the last hash. It is written after the log; so a log may be ahead
of it when the program was ended in between, but never behind unless lines were taken away.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kgsan.app.chain import Act, Head, check, head_of, line, read_line, read_state, sealed, state_bytes
from kgsan.app.problems import ReviewError, refused
from kgsan.errors import Place, Problem
from kgsan.report.output import Drafts, FileError, make_folder, sweep

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from kgsan.app.chain import Entry

LOG = "audit.jsonl"
STATE = ".state"
_LOCK = "lock"


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class AuditLog:
    """A log that is open for adding; no other review can open it meanwhile."""

    def __init__(self, path: Path, key: bytes | None, clock: Callable[[], str] = now) -> None:
        self.path = path
        self.state = path.with_name(path.name + STATE)
        self._key = key
        self._clock = clock
        self._adding = threading.Lock()
        self._held = _locked(path.parent)
        try:
            sweep([path.parent])
            self.notices: list[Problem] = []
            self.entries = self._resumed()
            self.head = head_of(self.entries)
            self._stream = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            self._size = os.fstat(self._stream).st_size
            _to_disk(path.parent)
            self._remember(self.head)
        except BaseException:
            os.close(self._held)
            raise

    def add(self, acts: Iterable[Act]) -> list[Entry]:
        """Add acts; when this comes back they are on the disk. When they cannot be written, none of them is."""
        with self._adding:
            added: list[Entry] = []
            head = self.head
            for act in acts:
                added.append(sealed(head, self._clock(), act, self._key))
                head = head_of(added)
            if not added:
                return added
            content = b"".join(map(line, added))
            try:
                _write_all(self._stream, content)
                os.fsync(self._stream)
                self._remember(head)
            except (OSError, FileError):
                os.ftruncate(self._stream, self._size)  # half a line would be taken for a crash
                raise FileError(self.path.name, "The audit log cannot be written, so nothing was done.") from None
            self._size += len(content)
            self.head = head
            return added

    def copy(self) -> tuple[bytes, bytes]:
        """The log as it stands, and a state file for the copy."""
        with self._adding:
            return self.path.read_bytes()[: self._size], state_bytes(self.head, self._key)

    def close(self) -> None:
        """Let others open the log."""
        os.close(self._stream)
        os.close(self._held)

    # --- what a crash left -------------------------------------------------------------------------------------------------

    def _resumed(self) -> list[Entry]:
        if not self.path.exists():
            if self.state.exists():
                raise refused("A104", "The audit log is gone, and its state file is there.", "Restore it.", file=self.path.name)
            return []
        content = self.path.read_bytes()
        head = self._remembered(len(content))
        content = self._without_torn(content, head)
        entries, problems = check(content, head, self._key, self.path.name)
        if problems:
            raise ReviewError(*problems)
        return entries

    def _remembered(self, size: int) -> Head:
        if not self.state.exists():
            if not size:
                return Head()  # it ended when the log was made
            raise refused("A105", "The state file of the audit log is gone.", "Restore it.", file=self.state.name)
        found = read_state(self.state.read_bytes(), self._key, self.state.name)
        if isinstance(found, Problem):
            raise ReviewError(found)
        return found

    def _without_torn(self, content: bytes, head: Head) -> bytes:
        """The log without a last line that was being written when the program ended; that is put beside the log."""
        end = content.rfind(b"\n") + 1
        if end == len(content) or content.count(b"\n") < head.count:  # what the state file remembers was written whole
            return content
        number = content.count(b"\n") + 1
        torn = self.path.with_name(f"{self.path.name}.torn-{number}")
        with Drafts() as drafts:
            drafts.begin(torn, private=True).write(content[end:])
        with self.path.open("r+b") as stream:
            stream.truncate(end)
            os.fsync(stream.fileno())
        said = (
            f"The last line was cut off when the program ended. It was set aside in {torn.name}; what it was about is not done."
        )
        self.notices.append(Problem("A106", Place(self.path.name, number), said))
        return content[:end]

    def _remember(self, head: Head) -> None:
        with Drafts() as drafts:
            drafts.begin(self.state, private=True).write(state_bytes(head, self._key))
        _to_disk(self.state.parent)


def check_log(path: Path, key: bytes | None) -> tuple[int, list[Problem], bool]:
    """How many lines a log has, what is wrong with it, and whether a state file says where it ends."""
    try:
        content = path.read_bytes()
        state = path.with_name(path.name + STATE)
        remembered = state.read_bytes() if state.exists() else None
    except OSError:
        raise FileError(path.name, "The audit log cannot be read.", "Check the spelling of its name and folder.") from None
    wrong_key = _wrong_key(content, key, path.name)
    if wrong_key is not None:
        return 0, [wrong_key], False
    head = None if remembered is None else read_state(remembered, key, path.name + STATE)
    told = [head] if isinstance(head, Problem) else []
    entries, problems = check(content, head if isinstance(head, Head) else None, key, path.name)
    return len(entries), [*told, *problems], isinstance(head, Head)


def _wrong_key(content: bytes, key: bytes | None, name: str) -> Problem | None:
    """The first line says whether the log has a key, and which: by a hash that tells nothing of it."""
    try:
        first = read_line(content[: content.find(b"\n") + 1])
    except ValueError:
        return None
    wanted, given = first.act.detail.get("key", ""), key_mark(key)
    if wanted == given:
        return None
    if not given:
        return Problem("A109", Place(name), "The log is sealed with a key.", "Give the file of the key with --key.")
    return Problem("A109", Place(name), "The log is sealed with another key, or with none.")


def key_mark(key: bytes | None) -> str:
    """What the first line of a log tells of its key."""
    return "" if key is None else sealed(Head(), "", Act("key"), key).hash[:16]


def _locked(folder: Path) -> int:
    make_folder(folder, private=True)
    try:
        held = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        raise refused("A102", "The folder of the review cannot be written to.", "Choose another --folder.") from None
    try:
        if sys.platform != "win32":  # which has no lock that a dying process gives back
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise refused("A102", "Another review is at work in this folder.", "End it, or choose another --folder.") from None
    return held


def _write_all(stream: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(stream, rest) :]


def _to_disk(folder: Path) -> None:
    """See that the names in a folder outlive a loss of power."""
    if sys.platform == "win32":
        return
    with suppress(OSError):  # some file systems cannot, and the files themselves are on the disk
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
