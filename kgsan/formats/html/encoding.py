"""How the letters of a text file are written as bytes, as it says itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgsan.report.output import FileError

_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_DECLARED = re.compile(
    rb"""(?:<meta[^>]{0,200}?charset|<\?xml[^>]{0,60}?encoding)[ \t\r\n]{0,9}=[ \t\r\n]{0,9}["']?([\w.:-]{1,40})""", re.I
)
_WHERE = 1024
#: Names under which pages declare an encoding, where Python knows it by another name or reads other letters.
_ALSO = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "utf8": "utf-8",
    "x-sjis": "cp932",
}
_KNOWN = re.compile(
    r"utf-8|cp125\d|windows-125\d|iso-8859-\d{1,2}|koi8-[ru]|gb2312|gbk|gb18030|big5|shift_jis|cp932|euc-jp|euc-kr|macintosh"
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """A codec, and the mark at the beginning of the file."""

    codec: str
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """The bytes of a text; a letter that the encoding lacks is written by its number."""
        return self.mark + text.encode(self.codec, "xmlcharrefreplace")


def known_codec(label: str) -> str | None:
    """The codec for an encoding by one of its names; those that hide letters behind other letters are not known.

    >>> known_codec("ISO-8859-1"), known_codec("utf-7")
    ('cp1252', None)
    """
    codec = _ALSO.get(label.lower(), label.lower())
    return codec if _KNOWN.fullmatch(codec) else None


def decode(content: bytes, name: str, declared: str | None = None) -> tuple[str, Encoding]:
    """The text of a file and how it is written. What does not come back byte for byte is refused."""
    mark = next((mark for mark in _MARKS if content.startswith(mark)), b"")
    if mark:
        codec = _MARKS[mark]
    else:
        found = _DECLARED.search(content[:_WHERE])
        known = known_codec(declared or (found[1].decode("ascii", "replace") if found else "utf-8"))
        if known is None:
            raise FileError(name, "It is written in an encoding that is not read.", "Save it as UTF-8 first.")
        codec = known
    encoding = Encoding(codec, mark)
    try:
        text = content[len(mark) :].decode(codec)
        same = text.encode(codec) == content[len(mark) :]
    except (UnicodeError, LookupError):
        raise FileError(name, "Its letters are not in the encoding that it declares.", "Save it as UTF-8 first.") from None
    if not same or "\0" in text:
        raise FileError(name, "It holds bytes that are no text.", "Save it as UTF-8 first.")
    return text, encoding
