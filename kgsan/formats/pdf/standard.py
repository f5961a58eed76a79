"""What every PDF viewer knows by heart: the widths of the standard fonts and the usual encodings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from fontTools import agl
from fontTools.encodings.StandardEncoding import StandardEncoding


@dataclass(frozen=True, slots=True)
class Standard:
    """Widths by the name of a glyph, and the names by code where a font has an encoding of its own."""

    widths: dict[str, int]
    names: dict[int, str]


@cache
def standard_fonts() -> dict[str, Standard]:
    """The standard fonts by name; slanted ones are as wide as upright ones."""
    fonts = {}
    for line in files("kgsan.formats.pdf").joinpath("standard.txt").read_text("ascii").splitlines()[1:]:
        name, glyphs = line.split("\t")
        widths, names = {}, {}
        for glyph in glyphs.split(" "):
            left, width = glyph.split("=")
            code, _, called = left.rpartition(":")
            widths[called] = int(width)
            if code:
                names[int(code)] = called
        fonts[name] = Standard(widths, names)
    return fonts


def nearest(name: str) -> Standard:
    """The standard font that a viewer takes for a font that is not in the file.

    >>> nearest("ArialMT") is nearest("Helvetica-Oblique")
    True
    """
    fonts = standard_fonts()
    plain = name.rpartition("+")[2]
    for own in ("Symbol", "ZapfDingbats"):
        if plain.startswith(own):
            return fonts[own]
    if re.search("Cour|Mono|Consol", plain):
        return Standard(dict.fromkeys(fonts["Helvetica"].widths, 600), {})
    bold, slanted = "Bold" in plain, bool(re.search("Ital|Obli", plain))
    if re.search("Times|Serif|Roman|Garamond|Georgia|Cambria", plain):
        return fonts["Times-" + {(0, 0): "Roman", (1, 0): "Bold", (0, 1): "Italic", (1, 1): "BoldItalic"}[bold, slanted]]
    return fonts["Helvetica-Bold" if bold else "Helvetica"]


@lru_cache(maxsize=8)  # files may name any number of encodings
def encoding(name: str) -> dict[int, str]:
    """The names of glyphs by code in one of the encodings that have a name."""
    if name in ("WinAnsiEncoding", "MacRomanEncoding"):
        codec = "cp1252" if name == "WinAnsiEncoding" else "mac_roman"
        names = {}
        for code in range(32, 256):
            letter = bytes([code]).decode(codec, "ignore")
            glyph = agl.UV2AGL.get(ord(letter)) if letter else None
            names[code] = glyph or ("bullet" if codec == "cp1252" else "space")
        return names | ({0xA0: "space", 0xAD: "hyphen"} if codec == "cp1252" else {0xCA: "space", 0xDB: "currency"})
    return {code: glyph for code, glyph in enumerate(StandardEncoding) if glyph != ".notdef"}


def letters_of_glyph(name: str, *, dingbat: bool = False) -> str:
    """The letters that the name of a glyph tells; nothing for a name that tells none.

    >>> letters_of_glyph("eacute"), letters_of_glyph("f_i"), letters_of_glyph("g17")
    ('é', 'fi', '')
    """
    return str(agl.toUnicode(name, isZapfDingbats=dingbat))
