"""The letters and widths behind the codes that a PDF shows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pikepdf
from fontTools.cffLib import CFFFontSet

from kgsan.formats.pdf.cmap import letters_of_codes
from kgsan.formats.pdf.limits import MOST_ENTRIES, Unreadable, unpacked
from kgsan.formats.pdf.standard import encoding, letters_of_glyph, nearest

#: The mark at the end of a line that the next line goes on without a gap.
JOINER = "\u2060"
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00ad": "-", "\u2010": "-"}
_NO_MARK = (0, 9, 10, 13, 32, 160)
_BUILT_IN = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/]+)\s+put")


@dataclass(frozen=True, slots=True)
class Font:
    """A font as far as its words matter. Widths are in parts of the size."""

    letters: dict[int, str] = field(repr=False)
    widths: dict[int, float] = field(repr=False)
    code_length: int = 1
    usual_width: float = 0.0
    em: float = 1.0  #: how tall letters are at size 1: other than 1 only where a font draws its letters with operators

    def codes(self, shown: bytes) -> list[int]:
        """The codes in a shown string."""
        if self.code_length == 1:
            return list(shown)
        return [int.from_bytes(shown[at : at + 2]) for at in range(0, len(shown), 2)]

    def width(self, code: int) -> float:
        """How far a code moves on."""
        return self.widths.get(code, self.usual_width)

    def text(self, code: int) -> str:
        """The letters of a code; a code without letters cannot be judged."""
        text = self.letters.get(code, "")
        if not text or "\ufffd" in text:
            if code in _NO_MARK and not text:
                return " "
            raise Unreadable("shows letters of a font that does not tell which letters they are")
        return text


def read_font(font: Any) -> Font:
    """A font with all it says about its codes: its own map of letters first, then the names of its glyphs."""
    kind = str(font.get("/Subtype", ""))
    told = letters_of_codes(unpacked(font.ToUnicode)) if isinstance(font.get("/ToUnicode"), pikepdf.Stream) else {}
    told = {code: text for code, text in told.items() if text.strip("\0")}
    if kind == "/Type0":
        return _composite(font, told)
    names = _glyph_names(font, kind)
    dingbat = "Dingbat" in str(font.get("/BaseFont", ""))
    letters = {code: letters_of_glyph(name, dingbat=dingbat) for code, name in names.items()} | told
    scale, em, usual = 0.001, 1.0, 0.0
    if kind == "/Type3":
        scale, em = _drawn_scale(font)
    descriptor = font.get("/FontDescriptor", {})
    widths = {}
    if "/Widths" in font:
        first = int(font.get("/FirstChar", 0))
        widths = {first + at: float(width) * scale for at, width in enumerate(list(font.Widths)[:256])}
        usual = float(descriptor.get("/MissingWidth", 0)) * scale
    elif kind != "/Type3":
        known = nearest(str(font.get("/BaseFont", ""))).widths
        widths = {code: known.get(name, 500) / 1000 for code, name in names.items()}
        usual = 0.5
    return Font({code: _plain(text) for code, text in letters.items()}, widths, 1, usual, em)


def _plain(text: str) -> str:
    """Letters as they are typed: ligatures taken apart, every blank and hyphen of one kind, nothing unprintable."""
    text = "".join(_LIGATURES.get(letter, letter) for letter in text)
    if text in (JOINER, "\u00a0"):
        return text
    text = "".join(
        " " if letter.isspace() else letter for letter in text if letter.isprintable() or letter.isspace() or letter > "\u009f"
    )
    return text.replace(JOINER, "")


def _composite(font: Any, told: dict[int, str]) -> Font:
    within = font.DescendantFonts[0]
    coding = font.get("/Encoding", "")
    name = str(coding) if isinstance(coding, pikepdf.Name) else ""
    if name.endswith("-V"):
        raise Unreadable("shows text that runs from top to bottom")
    if name.startswith("/Uni") and re.search("UCS2|UTF16", name):
        told = {code: chr(code) for code in range(32, 0x10000) if not 0xD800 <= code < 0xE000} | told
    elif name != "/Identity-H":
        raise Unreadable("shows letters in a coding of its own")
    widths: dict[int, float] = {}
    entries = list(within.get("/W", []))
    at = 0
    while at + 1 < len(entries) and len(widths) <= MOST_ENTRIES:
        first, second = int(entries[at]), entries[at + 1]
        if isinstance(second, pikepdf.Array):
            widths.update((first + place, float(width) / 1000) for place, width in enumerate(list(second)))
            at += 2
        elif at + 2 < len(entries):
            widths.update(dict.fromkeys(range(first, min(int(second), first + 0xFFFF) + 1), float(entries[at + 2]) / 1000))
            at += 3
        else:
            break
    return Font({code: _plain(text) for code, text in told.items()}, widths, 2, float(within.get("/DW", 1000)) / 1000)


def _drawn_scale(font: Any) -> tuple[float, float]:
    across, upward = abs(float(font.FontMatrix[0])), abs(float(font.FontMatrix[3]))
    box = [float(side) for side in font.get("/FontBBox", [0, 0, 0, 0])]
    tall = abs(box[3] - box[1]) * upward or max((float(width) for width in font.get("/Widths", [])), default=1.0) * across
    return across, tall or 1.0


def _glyph_names(font: Any, kind: str) -> dict[int, str]:
    """The names of glyphs by code. A font that keeps them to itself gives none."""
    coding = font.get("/Encoding")
    base = coding if isinstance(coding, pikepdf.Name) else (coding.get("/BaseEncoding") if coding is not None else None)
    names = dict(encoding(str(base)[1:])) if base is not None else _built_in(font, kind)
    if isinstance(coding, pikepdf.Dictionary):
        code = 0
        for entry in list(coding.get("/Differences", []))[:1024]:
            if isinstance(entry, pikepdf.Name):
                names[code] = str(entry)[1:]
                code += 1
            else:
                code = int(entry)
    return names


def _built_in(font: Any, kind: str) -> dict[int, str]:
    if kind == "/Type3":
        return {}
    descriptor = font.get("/FontDescriptor", {})
    own = nearest(str(font.get("/BaseFont", ""))).names
    if "/FontFile" in descriptor:
        program = unpacked(descriptor.FontFile)
        clear = program[: program.find(b"eexec")]
        found = {int(code): name.decode("latin-1") for code, name in _BUILT_IN.findall(clear)}
        return found or dict(encoding("StandardEncoding"))
    if "/FontFile3" in descriptor and str(descriptor.FontFile3.get("/Subtype")) == "/Type1C":
        fonts = CFFFontSet()
        fonts.decompile(BytesIO(unpacked(descriptor.FontFile3)), None)
        names = fonts[0].Encoding
        return (
            dict(encoding(names))
            if isinstance(names, str)
            else {code: name for code, name in enumerate(names) if name != ".notdef"}
        )
    if "/FontFile2" in descriptor or "/FontFile3" in descriptor:
        symbolic = int(descriptor.get("/Flags", 0)) & 4
        return {} if symbolic or kind != "/TrueType" else dict(encoding("StandardEncoding"))
    return dict(own or encoding("StandardEncoding"))
