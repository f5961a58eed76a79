"""The files of a run put back as they were, so that one run may go on from the same place again and again."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG

_DESCRIPTORS = Path("/dev/fd")


class Kept:
    """What a folder holds now, and how far the open files were read or written.

    A file comes back as the very file that it was, and not as a copy: whoever has opened it goes on with it.
    """

    def __init__(self, folder: Path, beside: Path) -> None:
        self._folder = folder
        self._beside = beside  #: on the same disk
        self._folders: list[Path] = []
        self._files: dict[Path, tuple[Path, int, bytes]] = {}
        beside.mkdir()
        for number, path in enumerate(sorted(folder.rglob("*"))):
            told = path.lstat()
            if S_ISDIR(told.st_mode):
                self._folders.append(path)
            elif S_ISREG(told.st_mode):
                link = beside / str(number)
                os.link(path, link)
                self._files[path] = link, told.st_ino, path.read_bytes()
        self._offsets = dict(_offsets())

    def put_back(self) -> None:
        """The folder and the open files as they were."""
        for path in sorted(self._folder.rglob("*"), reverse=True):
            if path.is_dir() and path not in self._folders:
                path.rmdir()
            elif path.is_file() and (path not in self._files or path.stat().st_ino != self._files[path][1]):
                path.unlink()
        for path in self._folders:
            path.mkdir(parents=True, exist_ok=True)
        for path, (link, _, content) in self._files.items():
            if not path.exists():
                os.link(link, path)
            if path.read_bytes() != content:
                path.write_bytes(content)
        for descriptor, offset in self._offsets.items():
            with suppress(OSError):
                os.lseek(descriptor, offset, os.SEEK_SET)
        self.forget()

    def forget(self) -> None:
        """Leave it as it is."""
        shutil.rmtree(self._beside)


def _offsets() -> list[tuple[int, int]]:
    found = []
    for name in os.listdir(_DESCRIPTORS):
        with suppress(OSError):  # pipes have no place; and the one that lists them is closed again
            found.append((int(name), os.lseek(int(name), 0, os.SEEK_CUR)))
    return found
