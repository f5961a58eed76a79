"""The headers of a mail: which stay, what they say, and how words that are not plain ASCII are written in them."""

from __future__ import annotations

import base64
import binascii
import quopri
import re

from kgsan.formats.html.encoding import known_codec
from kgsan.report.output import FileError

#: Headers that say something to the reader of a mail, and those that its structure needs. All others are traces and go.
SAID = frozenset(
    "from to cc reply-to sender subject date comments keywords organization "
    "content-description content-id content-location".split()
)
STRUCTURAL = frozenset("mime-version content-type content-transfer-encoding content-disposition".split())
_PLAIN_VALUES = {
    "importance": frozenset("low normal high".split()),
    "priority": frozenset("non-urgent normal urgent".split()),
    "x-priority": frozenset("1 2 3 4 5".split()),
}
_STRUCTURE = {
    "mime-version": re.compile(r"1\.0"),
    "content-type": re.compile(r"(?<![(\w])[\w.+-]{1,40}/[\w.+-]{1,100}"),
    "content-disposition": re.compile(r"(?<![(\w])(?i:inline|attachment)(?!\w)"),
    "content-transfer-encoding": re.compile(r"(?<![(\w])[\w-]{1,40}"),
}
_OTHERWISE = {
    "mime-version": "1.0",
    "content-type": "text/plain",
    "content-disposition": "attachment",
    "content-transfer-encoding": "7bit",
}
_PARAMETER_VALUES = {
    "charset": re.compile(r"[a-z0-9_.:-]{2,20}"),
    "format": re.compile("flowed|fixed"),
    "delsp": re.compile("yes|no"),
}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\n(?![ \t])")
_FOLD = re.compile(r"\r?\n(?=[ \t])")
_ENCODED = re.compile(r"=\?([\w.:*-]{1,40})\?([bBqQ])\?([^?\s]*+)\?=")
_BETWEEN = re.compile(r"(\?=)[ \t]++(?==\?[\w.:*-]{1,40}\?[bBqQ]\?)")
_SPACES = re.compile(r"[\t\r\n\f\v]")
_PARTS = re.compile(r"(<[^<>]*+>|[,;])")
_PIECE = 30  # letters; as UTF-8 in base64 they fit into an encoded word


def is_plain(name: str, value: str) -> bool:
    """Whether a header holds one of few words that say nothing about anybody."""
    return value.strip().lower() in _PLAIN_VALUES.get(name, ())


def is_broken(raw: str) -> bool:
    """Whether a header holds signs that some programs take for the end of a line."""
    return _CONTROL.search(raw) is not None


def spoken(raw: str, name: str) -> str:
    """What a header says.

    >>> spoken("=?utf-8?q?Caf=C3=A9?= =?utf-8?b?cw==?=\\r\\n today", "mail.eml")
    'Cafés today'
    """
    text = _FOLD.sub("", raw)
    if not text.isascii():
        try:
            text = text.encode("ascii", "surrogateescape").decode("utf-8")
        except UnicodeError:
            raise FileError(name, "A header holds letters in an encoding that it does not declare.") from None
    text = _BETWEEN.sub(r"\1", text)
    return _SPACES.sub(" ", _ENCODED.sub(lambda word: _decoded(word, name), text)).strip(" ")


def _decoded(word: re.Match[str], name: str) -> str:
    charset, kind, held = word[1].partition("*")[0], word[2].lower(), word[3]
    try:
        if kind == "b":
            letters = base64.b64decode(held + "=" * (-len(held) % 4), validate=True)
        else:
            letters = quopri.decodestring(held.replace("_", " ").encode("ascii"), header=False)
        return letters.decode(known_codec(charset) or "unknown")
    except (binascii.Error, UnicodeError, LookupError, ValueError):
        raise FileError(name, "A header holds letters that cannot be read.") from None


def written(text: str) -> str:
    """A header that says this. Addresses stay as they are, so that they still are addresses."""
    text = text.strip(" ")
    if text.isascii() and "=?" not in text:
        return text
    parts = []
    for part in _PARTS.split(text):
        core = part.strip(" ")
        if core.isascii() and "=?" not in core:
            parts.append(part)
            continue
        pieces = [core[at : at + _PIECE] for at in range(0, len(core), _PIECE)]
        words = " ".join(f"=?utf-8?b?{base64.b64encode(piece.encode()).decode()}?=" for piece in pieces)
        parts.append(part.replace(core, words))
    return "".join(parts)


def parameter(said: object, name: str) -> str:
    """What a parameter of a header says; in RFC 2231 it brings its letters along."""
    if not isinstance(said, tuple):
        return spoken(str(said), name)
    charset, _, value = said
    try:
        return str(value).encode("latin-1").decode(known_codec(charset or "ascii") or "unknown")
    except (UnicodeError, LookupError):
        raise FileError(name, "The name of an attachment cannot be read.") from None


def structure(name: str, raw: str) -> str:
    """A header that says how a part is built, without remarks in it."""
    first, mark, rest = raw.partition(";")
    usual = _STRUCTURE.get(name)
    if usual is None:
        return raw
    found = usual.search(first)
    return (found[0] if found else _OTHERWISE[name]) + (mark + rest if name in ("content-type", "content-disposition") else "")


def is_usual(parameter: str, value: object) -> bool:
    """Whether the value of a parameter is one of those that it may have."""
    allowed = _PARAMETER_VALUES.get(parameter)
    return allowed is None or (isinstance(value, str) and allowed.fullmatch(value.strip().lower()) is not None)
