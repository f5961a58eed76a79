"""Files that appear whole or not at all, and the texts that are read from files as they stand."""

from __future__ import annotations

import errno
import os
import re
import secrets
import sys
from contextlib import nullcontext, suppress
from typing import IO, TYPE_CHECKING

from kgsan.errors import KgsanError, system_says
from kgsan.ontology import drafts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType

#: How files begin that hold text in a way of their own, where words are not what they seem.
_NO_TEXT = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a packed file such as a Word document",
    b"{\\rtf": "an RTF document",
    b"\xd0\xcf\x11\xe0": "an old Word document",
    b"\x1f\x8b": "a packed file",
}
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"
#: How a file is called while it is being written.
_DRAFT = re.compile(r"\.kgsan-[0-9a-f]{16}")
#: What is begun and neither published nor discarded. An interruption can come at any instruction, also in the one that tidies up.
_unfinished: set[Path] = set()


class FileError(KgsanError):
    """A file that a command was given cannot be read, or what it makes cannot be written. Tells no words of it."""

    def __init__(self, name: str, message: str, hint: str | None = None, line: int | None = None) -> None:
        Exception.__init__(self, name, message, hint, line)
        self.problems = ()
        self.told = f"{name}{f':{line}' if line else ''}: {message}{f' {hint}' if hint else ''}"

    def __str__(self) -> str:
        return self.told


# --- reading --------------------------------------------------------------------------------------------------------------


def read_text(source: Path | None) -> str:
    """The text of a file, or of standard input, letter for letter but for a mark of UTF-8 at its beginning."""
    return _decoded(_bytes(source), _name(source))


def read_lines(source: Path | None) -> Iterator[tuple[int, str]]:
    """The lines of a file, or of standard input, that are not empty, with their numbers."""
    name = _name(source)
    try:
        with _opened(source) as stream:
            for number, line in enumerate(stream, 1):
                if not line.isspace():
                    yield number, _decoded(line, name, number)
    except OSError as error:
        raise _unreadable(name, error) from None


def read_bytes(source: Path, at_most: int) -> bytes:
    """The bytes of a small file."""
    try:
        with _opened(source) as stream:
            content = stream.read(at_most + 1)
    except OSError as error:
        raise _unreadable(source.name, error) from None
    if len(content) > at_most:
        raise FileError(source.name, f"The file is larger than the {at_most >> 20} MB that such a file may have.")
    return content


def _bytes(source: Path | None) -> bytes:
    try:
        with _opened(source) as stream:
            return stream.read()
    except OSError as error:
        raise _unreadable(_name(source), error) from None


def _opened(source: Path | None) -> AbstractContextManager[IO[bytes]]:
    if source is None:
        return nullcontext(sys.stdin.buffer)
    if source.is_dir():
        raise FileError(source.name, "This is a folder, not a file.")
    return source.open("rb")


def _name(source: Path | None) -> str:
    return "standard input" if source is None else source.name


def _decoded(content: bytes, name: str, line: int | None = None) -> str:
    kind = next((kind for mark, kind in _NO_TEXT.items() if content.startswith(mark)), None) if line in (None, 1) else None
    if kind is not None:
        raise FileError(name, f"This is {kind}, not plain text.", "Save it as plain text in UTF-8 first.")
    if content.startswith(_WIDE):
        raise FileError(name, "The text is not in UTF-8 but looks like UTF-16.", "Save it as UTF-8 first.")
    try:
        return content.removeprefix(_UTF8_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        found = line or content.count(b"\n", 0, error.start) + 1
        raise FileError(name, "From here on it is not text in UTF-8.", "Save it as plain text in UTF-8 first.", found) from None


def _unreadable(name: str, error: OSError) -> FileError:
    if isinstance(error, FileNotFoundError):
        return FileError(name, "There is no such file.", "Check the spelling of its name and folder.")
    if isinstance(error, PermissionError):
        return FileError(name, "The file may not be read by this user.")
    return FileError(name, f"The file cannot be read: {_told(error)}.")


# --- writing --------------------------------------------------------------------------------------------------------------


class Draft:
    """A file that is being written beside the place where it will stand."""

    def __init__(self, target: Path, *, private: bool) -> None:
        self.name = target.name
        self.target = target.resolve()
        if self.target.exists() and not self.target.is_file():
            raise FileError(self.name, "This is no ordinary file, so nothing is written there.")
        self.place = self.target.with_name(f".kgsan-{secrets.token_hex(8)}")  # as `_DRAFT` says
        _unfinished.add(self.place)
        try:
            self._stream = os.fdopen(drafts.begin(self.place, 0o600 if private else 0o666), "wb")
        except OSError as error:
            _unfinished.discard(self.place)
            raise self._unwritable(error) from None

    def write(self, content: str | bytes) -> None:
        """Add to the file."""
        try:
            self._stream.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        except OSError as error:
            raise self._unwritable(error) from None

    def finish(self) -> None:
        """Bring everything to the disk."""
        try:
            self._stream.flush()
            os.fsync(self._stream.fileno())
            if sys.platform == "win32":  # which moves no open file; elsewhere it must not be taken for abandoned
                self._stream.close()
        except OSError as error:
            raise self._unwritable(error) from None

    def publish(self) -> None:
        """Put the file where it belongs, in one step."""
        try:
            self.place.replace(self.target)
            self._stream.close()
        except OSError as error:
            raise self._unwritable(error) from None

    def discard(self) -> None:
        """Leave nothing behind."""
        try:
            self._stream.close()  # writes what is left, for which there may be no space
        except OSError:
            pass
        finally:
            self.place.unlink(missing_ok=True)
            _unfinished.discard(self.place)

    def _unwritable(self, error: OSError) -> FileError:
        if isinstance(error, FileNotFoundError):
            return FileError(self.name, "There is no such folder to write it to.")
        return FileError(self.name, f"It cannot be written: {_told(error)}.")


class Drafts:
    """Files that appear together when all of them are finished; on any error, and on interruption, none of them does.

    They appear in the order in which they were begun.
    """

    def __init__(self) -> None:
        self._drafts: list[Draft] = []

    def begin(self, target: Path, *, private: bool = False) -> Draft:
        """A file to write to; what is private is readable for its owner only."""
        draft = Draft(target, private=private)
        self._drafts.append(draft)
        return draft

    def __enter__(self) -> Drafts:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None:
                for draft in self._drafts:
                    draft.finish()
                for draft in self._drafts:
                    draft.publish()
        finally:
            for draft in self._drafts:
                draft.discard()


def sweep(folders: Iterable[Path]) -> None:
    """Take away what runs that were killed had begun to write in these folders and nobody will finish."""
    for folder in folders:
        drafts.sweep(folder, _DRAFT)


def drop_unfinished() -> None:
    """Leave nothing half written behind, wherever an interruption came. To be called at the very end of a command."""
    for place in tuple(_unfinished):
        with suppress(OSError):  # a disk that broke takes nothing away either
            place.unlink(missing_ok=True)
        _unfinished.discard(place)


def make_folder(folder: Path, *, private: bool = False) -> None:
    """See that a folder is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
    except OSError as error:
        raise FileError(folder.name, f"The folder cannot be made: {_told(error)}.") from None


def write_out(content: bytes) -> None:
    """Give to standard output, as it stands."""
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileError("standard output", f"It cannot be written: {_told(error)}.") from None


def _told(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "there is no space left on the disk"
    text = system_says(error) or "the disk does not take it"
    return text[0].lower() + text[1:]
