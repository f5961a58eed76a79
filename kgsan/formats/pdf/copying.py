"""Parts of a PDF that show no words of their own, copied into a new file without anything that could carry words unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pikepdf

from kgsan.formats.pdf.cmap import written
from kgsan.formats.pdf.limits import DEEPEST, Unreadable, unpacked
from kgsan.formats.pdf.pictures import without_remarks

if TYPE_CHECKING:
    from kgsan.formats.pdf.fonts import Font

#: All that fonts, colours, shadings, functions and settings need to be drawn. What is called otherwise is not copied.
_NEEDED = frozenset(
    "/Type /Subtype /BaseFont /FirstChar /LastChar /Widths /FontDescriptor /Encoding /DescendantFonts /FontMatrix /FontBBox "
    "/CIDSystemInfo /Supplement /DW /W /CIDToGIDMap /FontName /Flags /ItalicAngle /Ascent /Descent /Leading /CapHeight /XHeight "
    "/StemV /StemH /AvgWidth /MaxWidth /MissingWidth /FontStretch /FontWeight /FontFile /FontFile2 /FontFile3 /Length1 /Length2 "
    "/Length3 /BaseEncoding /Differences /PatternType /Shading /ShadingType /ColorSpace /Background /BBox /AntiAlias /Domain "
    "/Matrix /Function /Coords /Extend /BitsPerCoordinate /BitsPerComponent /BitsPerFlag /Decode /VerticesPerRow /FunctionType "
    "/Range /Size /BitsPerSample /Order /Encode /C0 /C1 /N /Functions /Bounds /Alternate /Gamma /WhitePoint /BlackPoint /LW /LC "
    "/LJ /ML /D /RI /OP /op /OPM /FL /SM /SA /BM /CA /ca /AIS /TK /S /CS /I /K /BC /TR /Predictor /Colors /Columns /EarlyChange "
    "/EndOfLine /EncodedByteAlign /Rows /EndOfBlock /BlackIs1 /ColorTransform /JBIG2Globals".split()
)
_COLLECTIONS = frozenset("Adobe Identity UCS Japan1 GB1 CNS1 Korea1 KR".split())
_PICTURE = (
    "/Type /Subtype /Width /Height /ColorSpace /BitsPerComponent /ImageMask /Mask /SMask /Decode /Interpolate /Intent /Matte "
    "/SMaskInData /Filter /DecodeParms"
).split()
_DRAWING = "/Type /Subtype /BBox /Matrix /Group /PatternType /PaintType /TilingType /XStep /YStep".split()


class Copier:
    """Copies parts of one file into another, each once."""

    def __init__(self, target: pikepdf.Pdf) -> None:
        self.target = target
        self._copies: dict[tuple[int, int], Any] = {}
        self.layers: list[tuple[Any, Any]] = []  #: every layer that was copied, and its copy
        self._fonts: dict[int, tuple[Any, Font, set[int]]] = {}

    def known(self, source: Any) -> Any | None:
        """The copy that was made of a part, if there is one."""
        return self._copies.get(source.objgen) if source.is_indirect else None

    def keep(self, source: Any, copy: Any) -> Any:
        """Remember a copy."""
        indirect = self.target.make_indirect(copy) if not copy.is_indirect else copy
        if source.is_indirect:
            self._copies[source.objgen] = indirect
        return indirect

    def inert(self, source: Any, depth: int = 0) -> Any:
        """A copy without strings. Of lists of colours the string is the colours themselves, so it stays."""
        if depth > DEEPEST:
            raise Unreadable("Parts of the file lie in each other without end.")
        if not isinstance(source, pikepdf.Object):
            return source
        known = self.known(source)
        if known is not None:
            return known
        if isinstance(source, pikepdf.Stream):
            return self._stream(source, depth)
        if isinstance(source, pikepdf.Dictionary):
            copy = self.keep(source, pikepdf.Dictionary()) if source.is_indirect else pikepdf.Dictionary()
            self._fill(copy, source, depth)
            return copy
        if isinstance(source, pikepdf.Array):
            entries = list(source)
            palette = len(entries) == 4 and entries[0] in ("/Indexed", "/I")
            kept = [
                pikepdf.String(bytes(one)[:1024]) if palette and isinstance(one, pikepdf.String) else self.inert(one, depth + 1)
                for one in entries
                if palette or not isinstance(one, pikepdf.String)
            ]
            return pikepdf.Array(kept)
        return None if isinstance(source, pikepdf.String) else source

    def picture(self, source: Any) -> Any:
        """A picture without remarks: its pixels, its colours and its masks."""
        known = self.known(source)
        if known is not None:
            return known
        copy = self.keep(source, pikepdf.Stream(self.target, without_remarks(source)))
        for key in _PICTURE:
            if key in source:
                value = source[key]
                mask = key in ("/SMask", "/Mask") and isinstance(value, pikepdf.Stream)
                copy[key] = self.picture(value) if mask else self.inert(value)
        self._layered(source, copy)
        return copy

    def drawing(self, source: Any, content: bytes, resources: Any) -> Any:
        """A drawing or pattern with other content."""
        copy = pikepdf.Stream(self.target, content)
        for key in _DRAWING:
            if key in source:
                copy[key] = self.inert(source[key])
        copy["/Resources"] = resources
        self._layered(source, copy)
        return copy

    def layer(self, source: Any) -> Any | None:
        """A layer that can be shown or hidden, under a name that tells nothing."""
        known = self.known(source)
        if known is not None:
            return known
        if source.get("/Type") == "/OCG":
            copy = pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name=pikepdf.String(f"Layer {len(self.layers) + 1}"))
            made = self.keep(source, copy)
            self.layers.append((source, made))
            return made
        if source.get("/Type") != "/OCMD":
            return None
        groups = source.get("/OCGs", [])
        members = [self.layer(one) for one in ([groups] if isinstance(groups, pikepdf.Dictionary) else groups)]
        made = pikepdf.Dictionary(Type=pikepdf.Name.OCMD, OCGs=pikepdf.Array([one for one in members if one is not None]))
        if source.get("/P") in ("/AllOn", "/AnyOn", "/AnyOff", "/AllOff"):
            made["/P"] = source.P
        return self.keep(source, made)

    def font(self, source: Any, font: Font, letters: tuple[Any, Any] | None = None) -> tuple[Any, set[int]]:
        """A copy of a font, and the set to which every code that is still shown is to be added."""
        key = id(font)
        if key not in self._fonts:
            copy = self.target.make_indirect(pikepdf.Dictionary())
            self._fill(copy, source, 0)
            if letters is not None:
                copy["/CharProcs"], copy["/Resources"] = letters
            self._fonts[key] = (copy, font, set())
        copy, _, used = self._fonts[key]
        return copy, used

    def finish(self) -> None:
        """Give every font the map of the letters that are still shown: no other, since one code may stand for a whole word."""
        for copy, font, used in self._fonts.values():
            letters = {code: font.letters[code] for code in used if font.letters.get(code)}
            copy["/ToUnicode"] = self.target.make_stream(written(letters, font.code_length))

    def _layered(self, source: Any, copy: Any) -> None:
        layer = self.layer(source.OC) if isinstance(source.get("/OC"), pikepdf.Dictionary) else None
        if layer is not None:
            copy["/OC"] = layer

    def _fill(self, copy: Any, source: Any, depth: int) -> None:
        for key in source.keys():  # noqa: SIM118 - a PDF dictionary is no mapping
            value = source[key]
            if isinstance(value, pikepdf.String):
                told = str(value)
                if key in ("/Registry", "/Ordering") and told in _COLLECTIONS:
                    copy[key] = pikepdf.String(told)
            elif key in _NEEDED and value is not None:
                copy[key] = self.inert(value, depth + 1)

    def _stream(self, source: Any, depth: int) -> Any:
        if (
            source.get("/Subtype") in ("/Form", "/Image")
            or ("/BBox" in source and "/ShadingType" not in source)
            or "/Resources" in source
        ):
            raise Unreadable("A drawing stands where none belongs.")
        copy = self.keep(source, pikepdf.Stream(self.target, unpacked(source)))
        self._fill(copy, source, depth)
        return copy
