"""Bytes from files, folders and archives, whatever packs them, without trusting any of it."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, cast

from kgsan.errors import OntologyError, ontology_error, system_says

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A packed file may grow this many times; beyond `UNPACK_FREELY` bytes more growth is taken for an attack.
UNPACK_RATIO = 250
UNPACK_FREELY = 64 << 20
#: No single file of an ontology is larger than this, packed or not.
LARGEST_FILE = 16 << 30
#: How much of a file a reader sees when it is asked whether the format is its own.
HEAD_BYTES = 1 << 16

Watch = Callable[[int], None]

_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip"}
#: What the library for archives raises when one is damaged, locked or newer than it knows.
_DAMAGED = (zipfile.BadZipFile, KeyError, RuntimeError, ValueError, struct.error)


class SourceFile:
    """One file of a source: its bytes can be read again and again, unpacked, and bounded."""

    def __init__(self, name: str, path: Path, member: str | None = None, watch: Watch | None = None) -> None:
        self.name = name  #: for messages; a member of an archive is named archive/member
        self.path = path
        self.member = member
        self._watch = watch

    def __repr__(self) -> str:
        return f"SourceFile({self.name!r})"

    def open(self) -> IO[bytes]:
        """The unpacked bytes as a stream. Reading past the limits raises an `OntologyError`."""
        stream = self._open()
        return stream if self._watch is None else io.BufferedReader(_Watched(stream, self._watch), 1 << 20)

    def _open(self) -> IO[bytes]:
        try:
            if self.member is not None:
                archive = zipfile.ZipFile(self.path)
                info = archive.getinfo(self.member)
                return _bounded(archive.open(info), self.name, info.compress_size)
            packed = _packing(self.path)
            size = self.path.stat().st_size
            if packed == "gzip":
                return _bounded(cast("IO[bytes]", gzip.open(self.path)), self.name, size)
            if packed == "bzip2":
                return _bounded(cast("IO[bytes]", bz2.open(self.path)), self.name, size)
            if packed == "xz":
                return _bounded(cast("IO[bytes]", lzma.open(self.path)), self.name, size)
            return self.path.open("rb")
        except OntologyError:
            raise
        except (OSError, *_DAMAGED) as error:
            raise _cannot_open(self.name, error) from None

    def read(self) -> bytes:
        """All bytes at once."""
        with self.open() as stream:
            return stream.read()

    def head(self) -> bytes:
        """The first bytes, to recognise the format by."""
        with self._open() as stream:
            return stream.read(HEAD_BYTES)

    def size(self) -> int | None:
        """How many bytes `open` will give, when that is known before reading."""
        if self.member is not None:
            with zipfile.ZipFile(self.path) as archive:
                return archive.getinfo(self.member).file_size
        return None if _packing(self.path) else self.path.stat().st_size

    def text(self) -> str:
        """All of the file as text: UTF-8, with or without a byte order mark."""
        return decode(self.read(), self.name)


class SourceTree:
    """The files of a folder or of a zip archive, by their path inside it."""

    def __init__(self, name: str, files: dict[str, SourceFile]) -> None:
        self.name = name
        self.files = files

    def __repr__(self) -> str:
        return f"SourceTree({self.name!r}, {len(self.files)} files)"

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __getitem__(self, path: str) -> SourceFile:
        return self.files[path]


Source = SourceFile | SourceTree


def open_source(path: str | Path, watch: Watch | None = None) -> Source:
    """The file, folder or archive at a path; a zip with one file in it is that file.

    `watch` is told how many bytes were read, whenever some were.
    """
    path = Path(path)
    try:
        if path.is_dir():
            names = sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())
            return SourceTree(path.name, {name: SourceFile(name, path / name, watch=watch) for name in names})
        if _packing(path) == "zip":
            return _open_zip(path, watch)
    except (OSError, *_DAMAGED) as error:
        raise _cannot_open(path.name, error) from None
    return SourceFile(path.name, path, watch=watch)


def _open_zip(path: Path, watch: Watch | None) -> Source:
    with zipfile.ZipFile(path) as archive:
        listed = archive.infolist()
    if not all(PurePosixPath(info.filename).parts for info in listed):
        raise ontology_error("O105", path.name, "The archive holds a file without a name.")
    infos = [info for info in listed if not info.is_dir()]
    if sum(info.file_size for info in infos) > max(UNPACK_FREELY, UNPACK_RATIO * path.stat().st_size):
        raise _bomb(path.name)
    files: dict[str, SourceFile] = {}
    for info in infos:
        inside = PurePosixPath(info.filename)
        if inside.is_absolute() or ".." in inside.parts or "\\" in info.filename:
            raise ontology_error(
                "O105", path.name, "The archive names a file outside itself.", "Pack it again without '..' or absolute paths."
            )
        if info.filename in files:
            raise ontology_error("O105", path.name, "The archive holds two files of the same name.")
        if inside.parts[0] != "__MACOSX":
            files[info.filename] = SourceFile(f"{path.name}/{info.filename}", path, info.filename, watch)
    if len(files) == 1:
        return next(iter(files.values()))
    return SourceTree(path.name, dict(sorted(files.items())))


def digest(source: Source) -> str:
    """SHA-256 over the bytes of a source as they lie on disk, and over the names of a folder's files."""
    total = hashlib.sha256()
    files = [source] if isinstance(source, SourceFile) else [source[name] for name in source]
    if files and files[0].member is not None:
        files = files[:1]  # every member lies in the one archive
    for file in files:
        if isinstance(source, SourceTree):
            total.update(file.name.encode() + b"\0")
        with file.path.open("rb") as stream:
            total.update(hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()


def decode(data: bytes, name: str) -> str:
    """Bytes as text, or an error that says in which line the encoding breaks."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise ontology_error("O104", name, "The file says it is UTF-16 and is not.", "Save it as UTF-8.") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ontology_error("O104", name, "The text is not UTF-8.", "Save it as UTF-8.", line=line) from None


def _packing(path: Path) -> str | None:
    with path.open("rb") as stream:
        start = stream.read(6)
    return next((kind for magic, kind in _PACKED.items() if start.startswith(magic)), None)


def _cannot_open(name: str, error: Exception) -> OntologyError:
    if isinstance(error, FileNotFoundError):
        return ontology_error("O101", name, "There is no such file or folder.")
    if isinstance(error, _DAMAGED):
        return ontology_error("O105", name, "The archive is damaged, encrypted or packed in an unknown way.")
    reason = system_says(error) or "It cannot be read"
    return ontology_error("O101", name, f"{reason}.")


def _bomb(name: str) -> OntologyError:
    return ontology_error(
        "O105", name, f"The archive grows more than {UNPACK_RATIO} times when unpacked.", "Unpack it yourself if you trust it."
    )


def _bounded(stream: IO[bytes], name: str, packed_size: int) -> IO[bytes]:
    allowed = min(LARGEST_FILE, max(UNPACK_FREELY, UNPACK_RATIO * packed_size))
    return io.BufferedReader(_BoundedRaw(stream, name, allowed), 1 << 18)


class _Watched(io.RawIOBase):
    """A stream that tells how much of it was read."""

    def __init__(self, stream: IO[bytes], watch: Watch) -> None:
        self._stream = stream
        self._watch = watch

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        data = self._stream.read(len(view))
        view[: len(data)] = data
        self._watch(len(data))
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


class _BoundedRaw(io.RawIOBase):
    """A stream that refuses to give more than it may, and speaks of damage in one sentence."""

    def __init__(self, stream: IO[bytes], name: str, allowed: int) -> None:
        self._stream = stream
        self._name = name
        self._left = allowed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        try:
            data = self._stream.read(len(view))
        except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError):
            raise ontology_error("O105", self._name, "The packed file is damaged or cut short.") from None
        self._left -= len(data)
        if self._left < 0:
            raise _bomb(self._name)
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()
