"""Pictures in a PDF, freed of what cameras and programs write into them: makers, places, dates, names."""

from __future__ import annotations

from typing import Any

import pikepdf

from kgsan.formats.pdf.limits import Unreadable

#: Segments of a JPEG without which its colours would be wrong: JFIF, colour profile, Adobe's colour transform.
_NEEDED = (0xE0, 0xE2, 0xEE)
_REMARKS = (b"xml ", b"uuid", b"uinf", b"jp2i")


def without_remarks(picture: Any) -> bytes:
    """The packed bytes of a picture; of a photograph, without the remarks in it."""
    raw = bytes(picture.read_raw_bytes())
    packing = picture.get("/Filter")
    names = [str(one) for one in packing] if isinstance(packing, pikepdf.Array) else [str(packing)]
    if names == ["/DCTDecode"]:
        return _jpeg(raw)
    if names == ["/JPXDecode"]:
        return _jpeg_2000(raw)
    if names[-1] in ("/DCTDecode", "/JPXDecode"):
        raise Unreadable("holds a photograph that is packed twice, whose remarks cannot be taken out")
    return raw


def _jpeg(raw: bytes) -> bytes:
    """A JPEG without remarks; what follows its end goes too.

    >>> _jpeg(b"\\xff\\xd8\\xff\\xfe\\x00\\x05Ann\\xff\\xda\\x00\\x02pixels\\xff\\xd9 more")
    b'\\xff\\xd8\\xff\\xda\\x00\\x02pixels\\xff\\xd9'
    """
    if not raw.startswith(b"\xff\xd8"):
        return raw
    kept, at = [raw[:2]], 2
    while at + 4 <= len(raw) and raw[at] == 0xFF:
        marker, length = raw[at + 1], int.from_bytes(raw[at + 2 : at + 4])
        if marker == 0xDA:
            break
        remark = marker == 0xFE or (0xE0 <= marker <= 0xEF and marker not in _NEEDED)
        if not remark:
            kept.append(raw[at : at + 2 + length])
        at += 2 + max(length, 2)
    end = raw.rfind(b"\xff\xd9")
    return b"".join([*kept, raw[at : end + 2] if end > at else raw[at:]])


def _jpeg_2000(raw: bytes) -> bytes:
    if raw[4:8] != b"jP  ":
        return raw
    kept, at = [], 0
    while at + 8 <= len(raw):
        length, kind = int.from_bytes(raw[at : at + 4]), raw[at + 4 : at + 8]
        if length < 8:  # to the end, or with a length of its own
            length = int.from_bytes(raw[at + 8 : at + 16]) if length == 1 else len(raw) - at
        length = max(length, 8)
        if kind not in _REMARKS:
            kept.append(raw[at : at + length])
        at += length
    return b"".join(kept)
