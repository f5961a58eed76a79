"""Files that are being written beside the place where they will stand, and what killed processes have left of such files.

A draft is locked by whoever writes it, and the system takes the lock back from a process that dies. So a draft without a lock
belongs to nobody any more. (Windows has no such lock, but lets nobody remove a file that is open.)
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    import re
    from pathlib import Path


def begin(place: Path, mode: int = 0o666) -> int:
    """A new file, open for writing; a draft as long as it stays open. Raises `OSError`."""
    while True:
        opened = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        try:
            if _locked(opened, place):
                return opened
        except BaseException:
            os.close(opened)
            raise
        os.close(opened)


def _locked(opened: int, place: Path) -> bool:
    """Whether the file is locked and still there: somebody may have taken it for abandoned in the moment before."""
    if sys.platform == "win32":
        return True
    with suppress(OSError):  # some file systems have no locks; there nobody can take it for abandoned
        fcntl.flock(opened, fcntl.LOCK_EX)
    try:
        return os.path.samestat(os.stat(place), os.fstat(opened))
    except FileNotFoundError:
        return False


def sweep(folder: Path, names: re.Pattern[str]) -> None:
    """Take away the drafts in a folder that nobody will finish; what cannot be taken away stays."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if names.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove(entry.path)


def _remove(path: str) -> None:
    if sys.platform == "win32":
        os.unlink(path)
        return
    opened = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while somebody writes it
        os.unlink(path)
    finally:
        os.close(opened)
