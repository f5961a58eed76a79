"""The packed file that a Word document is: its parts in their order, opened with care and closed always in the same way."""

from __future__ import annotations

import io
import re
import zipfile
import zlib

from kgsan.report.output import FileError

MOST_PARTS = 5_000
MOST_BYTES = 512 << 20
MOST_IN_PART = 128 << 20
MOST_RATIO = 1_200  # deflate cannot pack more tightly than about 1030 to 1
_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NAME = re.compile(r"(?!/)(?!.*(?:^|/)\.\.?(?:/|$))[^\x00-\x1f\\:]{1,255}")
_WHEN = (1980, 1, 1, 0, 0, 0)


def unpack(content: bytes, name: str) -> dict[str, bytes]:
    """The parts of a packed file. What is damaged, locked or far larger than it seems is refused."""
    if content.startswith(_OLD):
        raise FileError(
            name, "It is locked with a password, or an old Word document.", "Save it without a password as .docx first."
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            return _parts(packed, name)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        NotImplementedError,
        OSError,
        UnicodeError,
        IndexError,
        OverflowError,
    ):
        raise FileError(name, "It is damaged, or no Word document.") from None


def _parts(packed: zipfile.ZipFile, name: str) -> dict[str, bytes]:
    entries = [entry for entry in packed.infolist() if not entry.is_dir()]
    if len(entries) > MOST_PARTS:
        raise FileError(name, f"It holds more than {MOST_PARTS} parts.")
    parts: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        if entry.flag_bits & 1:
            raise FileError(name, "It is locked with a password.")
        if not _NAME.fullmatch(entry.filename):
            raise FileError(name, "It holds a part with a name that no Word document has.")
        if entry.filename in parts:
            raise FileError(name, "It holds two parts of the same name.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(name, "It is packed in a way that no Word document is.")
        most = min(left, MOST_IN_PART, MOST_RATIO * max(entry.compress_size, 1_000))
        with packed.open(entry) as part:
            held = part.read(most + 1)
        if len(held) > most:
            raise FileError(name, "It is packed so that it unfolds to more than can be read.")
        left -= len(held)
        parts[entry.filename] = held
    return parts


def pack(parts: dict[str, bytes]) -> bytes:
    """A packed file that tells nothing about when and where it was made."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for part, content in parts.items():
            entry = zipfile.ZipInfo(part, _WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 0
            entry.external_attr = 0
            packed.writestr(entry, content)
    return made.getvalue()
