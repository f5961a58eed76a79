"""What is drawn where words were: a bar of the same width, and on it the words that take their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pikepdf

from kgsan.formats.pdf.cmap import written
from kgsan.formats.pdf.fonts import JOINER
from kgsan.formats.pdf.standard import encoding, standard_fonts

#: Words that would have to be smaller than this, in points, or narrower than this part of their height, are there but not seen.
SMALLEST = 3.5
NARROWEST = 0.22
BLANK = "\u00a0"  #: stands where words were, as wide as they were
_BLANK_CODE = 0xA0
_FIRST_RARE = 0x80


@dataclass(frozen=True, slots=True)
class Fitted:
    """How words fit into a gap: the part of the size, the part of the width, and whether they can be read."""

    size: float
    stretch: float
    seen: bool


def fitted(natural: float, room: float, points: float) -> Fitted:
    """Words of a natural width, in parts of the size, in so much room, at so many points."""
    if natural <= 0 or natural * 0.92 <= room:
        return Fitted(0.92, 1.0, points * 0.92 >= SMALLEST)
    share = max(room, 0.0) / natural
    if share < NARROWEST or points * share**0.5 < SMALLEST:
        return Fitted(0.2, max(share / 0.2, 0.0001), False)
    return Fitted(share**0.5, share**0.5, True)


class Stamps:
    """The fonts of the new words, as many as it takes: letters that the standard font lacks show as a question mark."""

    def __init__(self, target: pikepdf.Pdf) -> None:
        self._target = target
        self._widths = standard_fonts()["Helvetica"].widths
        self._rare: list[dict[str, int]] = [{}]
        self._fonts: list[Any] = [target.make_indirect(pikepdf.Dictionary())]

    def words(self, text: str) -> tuple[Any, bytes, float]:
        """The font, the codes and the width of words, in parts of the size."""
        wanted = {letter for letter in text if not _usual(letter) and letter != BLANK}
        if len(wanted) > 100:
            wanted = set()  # beyond what one font holds: the file that is made is then found wanting, and not given out
        if len(self._rare[-1].keys() | wanted) > 100:
            self._rare.append({})
            self._fonts.append(self._target.make_indirect(pikepdf.Dictionary()))
        rare = self._rare[-1]
        for letter in sorted(wanted - rare.keys()):
            rare[letter] = _FIRST_RARE + len(rare) + (len(rare) >= _BLANK_CODE - _FIRST_RARE)
        codes = bytes(ord(letter) if _usual(letter) or letter == BLANK else rare.get(letter, 0x3F) for letter in text)
        return self._fonts[-1], codes, sum(self._width(letter) for letter in text) / 1000

    def finish(self) -> None:
        """Write out what the fonts hold."""
        names = {code: name for code, name in encoding("WinAnsiEncoding").items() if code < 0x7F}
        for font, rare in zip(self._fonts, self._rare, strict=True):
            glyphs = names | {_BLANK_CODE: "space"} | {code: _glyph(letter) for letter, code in rare.items()}
            letters = {code: chr(code) for code in names} | {_BLANK_CODE: BLANK} | {code: letter for letter, code in rare.items()}
            differences: list[Any] = []
            for code, name in sorted(glyphs.items()):
                differences += [code, pikepdf.Name("/" + name)]
            for key, value in {
                "/Type": pikepdf.Name.Font,
                "/Subtype": pikepdf.Name.Type1,
                "/BaseFont": pikepdf.Name.Helvetica,
                "/Encoding": pikepdf.Dictionary(Type=pikepdf.Name.Encoding, Differences=pikepdf.Array(differences)),
                "/ToUnicode": self._target.make_stream(written(letters, 1)),
            }.items():
                font[key] = value

    def _width(self, letter: str) -> int:
        if _usual(letter):
            return self._widths[encoding("WinAnsiEncoding")[ord(letter)]]
        return self._widths[_glyph(letter)]


def _usual(letter: str) -> bool:
    return " " <= letter <= "~"


def _glyph(letter: str) -> str:
    if letter in (JOINER, BLANK):
        return "space"
    widths = standard_fonts()["Helvetica"].widths
    try:
        name = encoding("WinAnsiEncoding")[letter.encode("cp1252")[0]]
    except (UnicodeEncodeError, KeyError):
        return "question"
    return name if name in widths else "question"
