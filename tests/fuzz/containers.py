"""Files of several parts behind checksums, taken apart and put together again so that a changed part is read and not refused."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgsan.app.chain import BEGINNING, Head, _digest, _plain, state_bytes
from kgsan.ontology.arrays import MAGIC

if TYPE_CHECKING:
    from collections.abc import Callable

Parts = dict[str, bytes]
_SIZES = {"|u1": 1, "|i1": 1, "<u2": 2, "<i2": 2, "<u4": 4, "<i4": 4, "<i8": 8, "<u8": 8, "<f8": 8}
#: An unpacked file may not be so large that packing it again is what takes the time.
_LARGEST = 4 << 20


@dataclass(frozen=True, slots=True)
class Container:
    """How a file comes apart, if it does, and together."""

    take: Callable[[bytes], Parts | None]
    put: Callable[[Parts], bytes]


def _unpacked(content: bytes) -> Parts | None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(one.file_size for one in archive.infolist()) > _LARGEST:
                return None
            return {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # whatever the standard library thinks of a spoilt archive
        return None


def _packed(parts: Parts) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return made.getvalue()


def _arrays_of(content: bytes) -> Parts | None:
    """The head without places and sums, and every array."""
    start = len(MAGIC) + 8
    size = int.from_bytes(content[len(MAGIC) : start], "little")
    try:
        head = json.loads(content[start : start + size])
        parts = {"": b""}
        for name, (dtype, length, offset, _) in list(head["arrays"].items()):
            parts[name] = content[offset : offset + length * _SIZES[dtype]]
            head["arrays"][name] = dtype
        parts[""] = json.dumps(head, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return parts


def _array_file(parts: Parts) -> bytes:
    """The file with sums that fit, whatever its parts hold."""
    arrays = {name: content for name, content in parts.items() if name}
    try:
        head = json.loads(parts[""])
        told = head["arrays"]
        known = {name: dtype for name, dtype in told.items() if name in arrays and dtype in _SIZES}
        base = len(parts[""]) + 64 * len(known) + 1024
        offset = base
        for name, dtype in known.items():
            length = len(arrays[name]) // _SIZES[dtype]
            told[name] = [dtype, length, offset, zlib.crc32(arrays[name][: length * _SIZES[dtype]])]
            offset += -(-len(arrays[name]) // 64) * 64
        raw = json.dumps(head, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        known, raw = {}, parts.get("", b"")
    made = MAGIC + len(raw).to_bytes(8, "little") + raw + zlib.crc32(raw).to_bytes(4, "little")
    for name in known:
        made = made.ljust(told[name][2], b"\0") + arrays[name]
    return made


def _lines_of(content: bytes) -> Parts | None:
    """The lines of an audit log without what seals them."""
    parts: Parts = {}
    try:
        for number, line in enumerate(content.split(b"\n\n")[0].splitlines()):
            told = json.loads(line)
            parts[str(number)] = json.dumps({k: v for k, v in told.items() if k not in ("previous", "hash", "number")}).encode()
    except (ValueError, AttributeError, RecursionError):
        return None
    return parts


def _sealed(parts: Parts) -> bytes:
    """The log with hashes that fit, an empty line, and its state file."""
    last, lines = BEGINNING, []
    for number, part in enumerate(parts.values(), 1):
        try:
            told: dict[str, Any] = {"number": number, **json.loads(part), "previous": last}
            last = _digest(_plain(told), None)
            lines.append(_plain({**told, "hash": last}))
        except (ValueError, TypeError, RecursionError):
            lines.append(part.replace(b"\n", b" "))
    return b"\n".join(lines) + b"\n\n" + state_bytes(Head(len(lines), last), None)


ARCHIVE = Container(_unpacked, _packed)
COMPILED = Container(_arrays_of, _array_file)
LOG = Container(_lines_of, _sealed)
