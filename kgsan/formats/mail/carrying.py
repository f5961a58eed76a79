"""How the bytes of a part of a mail are carried, and its headers as they stand."""

from __future__ import annotations

import base64
import binascii
import quopri
from email.message import Message
from typing import TYPE_CHECKING

from kgsan.formats.mail import headers
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    Part = Message[str, str]

_AS_IT_STANDS = ("7bit", "8bit", "binary")


def children(part: Part) -> list[Part]:
    """The parts of a part."""
    held = part.get_payload()
    return [one for one in held if isinstance(one, Message)] if isinstance(held, list) else []


def held(part: Part, name: str) -> bytes:
    """What a part holds. Letters that a decoder passes over are gone from it."""
    payload = part._payload  # type: ignore[attr-defined]  # get_payload would guess at letters
    raw = (payload if isinstance(payload, str) else "").encode("ascii", "surrogateescape")
    carried = _carried(part)
    if carried in _AS_IT_STANDS:
        return raw
    if carried == "quoted-printable":
        return quopri.decodestring(raw)
    if carried != "base64":
        raise FileError(name, "A part of it is carried in a way that is not read.")
    try:
        decoded = base64.b64decode(b"".join(raw.split()), validate=True)
    except (binascii.Error, ValueError):
        raise FileError(name, "It is damaged or cut short: a part of it cannot be decoded.") from None
    fill(part, decoded)
    return decoded


def fill(part: Part, content: bytes) -> None:
    """Put other bytes into a part, carried as before where that can be."""
    carried = _carried(part)
    if carried == "7bit" and not content.isascii():
        del part["content-transfer-encoding"]
        part["Content-Transfer-Encoding"] = carried = "quoted-printable"
    if carried == "base64":
        content = base64.encodebytes(content)
    elif carried == "quoted-printable":
        lines = content.replace(b"\r\n", b"\n").split(b"\n")
        content = b"\n".join(map(quopri.encodestring, lines))
    part.set_payload(content.decode("ascii", "surrogateescape"))


def _carried(part: Part) -> str:
    return str(part.get("content-transfer-encoding", "7bit")).strip().lower() or "7bit"


def set_charset(part: Part) -> None:
    """Say that a text is in UTF-8."""
    if "content-type" in part:
        part.set_param("charset", "utf-8")
    else:
        part.add_header("Content-Type", "text/plain", charset="utf-8")


def set_headers(part: Part, kept: Sequence[tuple[str, str]]) -> None:
    """Leave only these headers, letter for letter: the mail library would fold and encode them anew."""
    part._headers = list(kept)  # type: ignore[attr-defined]


def set_header(part: Part, name: str, raw: str, text: str) -> None:
    """Let a header say something else."""
    items = [(one, str(value)) for one, value in part.raw_items()]
    items[items.index((name, raw))] = (name, headers.written(text))
    set_headers(part, items)


def set_parameter(part: Part, parameter: str, header: str, text: str) -> None:
    """Let the name of an attachment be another."""
    part.set_param(parameter, text, header=header, charset=None if text.isascii() else "utf-8", replace=True)
