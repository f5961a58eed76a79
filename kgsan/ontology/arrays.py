"""Arrays and strings in one file: memory-mapped, checked before use, the same bytes for the same content.

    kgsan-arrays-1\\n   16 bytes
    length of the head  8 bytes, little endian
    head                JSON: {"kind", "version", "about": {...}, "arrays": {name: [dtype, length, offset, crc32]}}
    crc32 of the head   4 bytes
    arrays              each at a multiple of 64

An array is checked against its sum when it is first asked for, so that opening a large file costs nothing and a flipped
bit is an error, never an answer.
"""

from __future__ import annotations

import itertools
import json
import mmap
import os
import re
import secrets
import sys
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import ontology_error, system_says
from kgsan.ontology import drafts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from kgsan.errors import OntologyError

    #: Whether the columns of a file, each with its kind and length, go with its head; and whether what one holds can be true.
    Fits = Callable[[dict[str, Any], Mapping[str, tuple[str, int]]], bool]
    Holds = Callable[["ArrayFile", str, NDArray[Any]], bool]

MAGIC = b"kgsan-arrays-1\n\0"
_ALIGN = 64
_LONGEST_HEAD = 64 << 20
_DTYPES = {"|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<i8", "<u8", "<f8"}


class ArrayFile:
    """Named arrays, in memory or in a file, that nobody can change."""

    def __init__(self, kind: str, version: int, about: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.kind = kind
        self.version = version
        self.about = about
        self.name = "memory"
        self._arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        for array in self._arrays.values():
            array.flags.writeable = False
        self._unchecked: dict[str, tuple[str, int, int, int]] = {}
        self._data: memoryview = memoryview(b"")
        self._holds: Holds | None = None

    @property
    def sizes(self) -> dict[str, int]:
        """How long each array is."""
        return {name: row[1] for name, row in self._unchecked.items()} | {name: len(one) for name, one in self._arrays.items()}

    def __getitem__(self, name: str) -> NDArray[Any]:
        array = self._arrays.get(name)
        if array is None:
            # Two threads may both check; they come to the same array.
            array = self._arrays[name] = self._checked(name)
        return array

    def view(self, name: str) -> memoryview:
        """An array of whole numbers of which one is had ten times faster than from numpy."""
        array = self[name]
        return np.require(array, array.dtype.newbyteorder("="), "A").data  # as it lies in a file that kgsan wrote

    def _checked(self, name: str) -> NDArray[Any]:
        dtype, length, offset, checksum = self._unchecked[name]
        size = length * np.dtype(dtype).itemsize
        if zlib.crc32(self._data[offset : offset + size]) != checksum:
            raise self._damaged("its content does not match its checksum")
        array: NDArray[Any] = np.frombuffer(self._data, dtype=dtype, count=length, offset=offset)
        if self._holds is not None and not self._holds(self, name, array):
            raise self._damaged("its parts do not fit together")
        return array

    def _damaged(self, what: str) -> OntologyError:
        return _damaged(self.name, what)

    @classmethod
    def open(cls, path: Path, kind: str, version: int, *, fits: Fits | None = None, holds: Holds | None = None) -> ArrayFile:
        """The arrays of a file, mapped into memory. What they must be like is asked where it is known."""
        name = path.name
        try:
            with path.open("rb") as stream:
                size = os.fstat(stream.fileno()).st_size
                if size < len(MAGIC) + 12 or stream.read(len(MAGIC)) != MAGIC:
                    raise _damaged(name, "it is not a compiled file, or only the start of one")
                data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        except OSError as error:
            raise ontology_error("O101", name, f"{system_says(error) or 'It cannot be read'}.") from None
        start = len(MAGIC) + 8
        length = int.from_bytes(data[len(MAGIC) : start], "little")
        if length > min(_LONGEST_HEAD, size - start - 4):
            raise _damaged(name, "it is cut short")
        raw = data[start : start + length]
        if zlib.crc32(raw) != int.from_bytes(data[start + length : start + length + 4], "little"):
            raise _damaged(name, "its head does not match its checksum")
        try:
            made = cls._from_head(json.loads(bytes(raw)), name, data, kind, version)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise _damaged(name, "its head is not in order") from None
        if fits is not None and not fits(made.about, {name: row[:2] for name, row in made._unchecked.items()}):
            raise _damaged(name, "its parts do not fit together")
        made._holds = holds
        return made

    @classmethod
    def _from_head(cls, head: dict[str, Any], name: str, data: memoryview, kind: str, version: int) -> ArrayFile:
        if head["kind"] != kind:
            raise _damaged(name, f"it holds {head['kind']}, not {kind}")
        if head["version"] != version:
            newer = "newer" if head["version"] > version else "older"
            raise ontology_error(
                "O112",
                name,
                f"The file has format version {head['version']}; this kgsan reads version {version}.",
                "Update kgsan." if newer == "newer" else "Compile it again from its sources.",
            )
        made = cls(kind, version, head["about"], {})
        made.name = name
        made._data = data
        for array, (dtype, count, offset, checksum) in head["arrays"].items():
            if type(count) is not int or type(offset) is not int:
                raise TypeError
            if dtype not in _DTYPES or count < 0 or offset < 0 or offset + count * np.dtype(dtype).itemsize > len(data):
                raise _damaged(name, "it is cut short")
            made._unchecked[array] = (dtype, count, offset, checksum)
        return made

    def save(self, path: Path) -> None:
        """Write the file whole or not at all; whoever has the old one open keeps it."""
        table: dict[str, list[Any]] = {}
        arrays = {name: self[name] for name in sorted({*self._arrays, *self._unchecked})}
        offset = 0
        for name, array in arrays.items():
            little = array.astype(array.dtype.newbyteorder("<"), copy=False)
            arrays[name] = little
            table[name] = [little.dtype.str, len(little), offset, zlib.crc32(little.tobytes())]
            offset = _aligned(offset + little.nbytes)
        # Offsets count from the start of the file, whose head grows with them: settle on a size for the head first.
        head_size = _aligned(len(MAGIC) + 12 + len(_head(self, table)) + 16 * len(table))
        for row in table.values():
            row[2] += head_size
        head = _head(self, table)
        drafts.sweep(path.parent, re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{16}}"))
        draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        opened = drafts.begin(draft)
        try:
            with os.fdopen(opened, "wb") as stream:
                stream.write(MAGIC + len(head).to_bytes(8, "little") + head + zlib.crc32(head).to_bytes(4, "little"))
                for name, array in arrays.items():
                    stream.seek(table[name][2])
                    stream.write(array.tobytes())
                stream.truncate(head_size + offset)
                stream.flush()
                os.fsync(stream.fileno())
                if sys.platform != "win32":  # which moves no open file; elsewhere it must not be taken for abandoned
                    draft.replace(path)
            if sys.platform == "win32":
                draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _head(file: ArrayFile, table: dict[str, list[Any]]) -> bytes:
    head = {"kind": file.kind, "version": file.version, "about": file.about, "arrays": table}
    return json.dumps(head, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGN) * _ALIGN


def _damaged(name: str, what: str) -> OntologyError:
    return ontology_error("O112", name, f"The compiled file cannot be used: {what}.", "Compile it again from its sources.")


def pack(texts: Iterable[str]) -> tuple[NDArray[np.uint8], NDArray[np.uint32 | np.int64]]:
    """Strings as one run of bytes and the place where each starts (and, last, where the last one ends)."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    starts = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded)), out=starts[1:])
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), narrow(starts)


def narrow(array: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers in 32 bits where they fit."""
    return array.astype(np.int32) if not len(array) or -(2**31) <= array.min() <= array.max() < 2**31 else array.astype(np.int64)


class Strings:
    """Packed strings, unpacked one at a time."""

    __slots__ = ("_blob", "_file", "_starts")

    def __init__(self, blob: NDArray[Any], starts: NDArray[Any], file: str = "memory") -> None:
        self._blob = blob.data
        self._starts = starts
        self._file = file

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> str:
        if number < 0:
            raise IndexError
        start, stop = self._starts.item(number), self._starts.item(number + 1)
        try:
            return str(self._blob[start:stop], "utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise _damaged(self._file, "it holds something that is no text") from None

    def slice(self, first: int, last: int) -> list[str]:
        """The strings from one number up to, not including, another."""
        if first == last:
            return []
        starts = self._starts[first : last + 1].tolist()
        text = bytes(self._blob[starts[0] : starts[-1]])
        base = starts[0]
        if text.isascii():  # then a character is a byte
            whole = text.decode("ascii")
            return [whole[a - base : b - base] for a, b in itertools.pairwise(starts)]
        try:
            return [text[a - base : b - base].decode("utf-8", "surrogatepass") for a, b in itertools.pairwise(starts)]
        except UnicodeDecodeError:
            raise _damaged(self._file, "it holds something that is no text") from None
