"""What lies on a page rather than in it: links, and the notes of readers. Their words are judged with those of the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import pikepdf

from kgsan.formats.pdf.editing import cuts_of
from kgsan.formats.pdf.layout import Word, words_of
from kgsan.formats.pdf.opening import notes_on
from kgsan.formats.pdf.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.formats.pdf.book import Book
    from kgsan.formats.pdf.places import Places

_KINDS = frozenset(
    "/Link /Text /FreeText /Line /Square /Circle /Polygon /PolyLine /Highlight /Underline /Squiggly /StrikeOut /Caret /Ink "
    "/Stamp /Watermark".split()
)
_SHAPE = "/Rect /F /C /IC /CA /Border /QuadPoints /InkList /L /LE /Vertices /RD /H /Subtype".split()


@dataclass(frozen=True, slots=True)
class Note:
    """A link or note: what it says, where it leads, and the words of its picture."""

    contents: str = field(repr=False)
    address: str = field(repr=False)
    words: tuple[Word, ...] = field(repr=False)


def read_notes(page: Any, book: Book) -> list[Note]:
    """The links and notes of a page that stay."""
    notes = []
    for source in _kept(page):
        picture = _picture(source)
        words: tuple[Word, ...] = ()
        if picture is not None:
            walk = Walk(book)
            walk.appearance(picture, *_corner(source))
            words = tuple(words_of(walk.glyphs))
        notes.append(Note(_text(source.get("/Contents")), _address(source), words))
    return notes


def write_notes(page: Any, book: Book, notes: list[Note], texts: Iterator[str], places: Places) -> list[Any]:
    """The links and notes of a page with other texts. Their authors and dates are gone."""
    copier = book.copier
    assert copier is not None
    made = []
    for source, note in zip(_kept(page), notes, strict=True):
        copy = pikepdf.Dictionary(Type=pikepdf.Name.Annot)
        for key in _SHAPE:
            if key in source:
                copy[key] = copier.inert(source[key])
        if note.contents:
            copy["/Contents"] = pikepdf.String(next(texts))
        if note.address:
            address = next(texts)
            same = address == note.address
            uri = bytes(source.A.URI) if same else quote(address, safe="/:?#[]@!$&'()*+,;=~").encode("ascii")
            copy["/A"] = pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String(uri))
        elif source.Subtype == "/Link":
            leads = places.explicit(source.get("/Dest", source.get("/A", {}).get("/D")))
            if leads is not None:
                copy["/Dest"] = leads
        picture = _picture(source)
        if picture is not None:
            walk = Walk(book, cuts_of(note.words, [next(texts) for _ in note.words]))
            copy["/AP"] = pikepdf.Dictionary(N=walk.appearance(picture, *_corner(source)))
        made.append(copier.target.make_indirect(copy))
    return made


def _kept(page: Any) -> list[Any]:
    return [one for one in notes_on(page) if one.get("/Subtype") in _KINDS and "/Rect" in one]


def _picture(note: Any) -> Any | None:
    picture = note.get("/AP", {}).get("/N")
    if isinstance(picture, pikepdf.Dictionary) and "/AS" in note:
        picture = picture.get(str(note.AS))
    return picture if isinstance(picture, pikepdf.Stream) else None


def _corner(note: Any) -> tuple[float, float]:
    left, bottom, right, top = (float(side) for side in note.Rect)
    return min(left, right), min(bottom, top)


def _text(value: Any) -> str:
    return str(value) if isinstance(value, pikepdf.String) else ""


def _address(note: Any) -> str:
    action = note.get("/A")
    uri = action.get("/URI") if isinstance(action, pikepdf.Dictionary) and action.get("/S") == "/URI" else None
    if not isinstance(uri, pikepdf.String):
        return ""
    raw = bytes(uri)
    try:
        return unquote(raw.decode("utf-8"), errors="strict")
    except UnicodeDecodeError:
        return unquote(raw.decode("latin-1"), encoding="latin-1")
