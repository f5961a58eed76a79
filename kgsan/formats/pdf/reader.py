"""A PDF taken apart into its words, and written anew with other words in their places."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar

import pikepdf

from kgsan.errors import KgsanError
from kgsan.formats.pdf.book import Book
from kgsan.formats.pdf.copying import Copier
from kgsan.formats.pdf.editing import cuts_of
from kgsan.formats.pdf.layout import Word, words_of
from kgsan.formats.pdf.limits import Unreadable, bounded
from kgsan.formats.pdf.matrices import SAME
from kgsan.formats.pdf.notes import Note, read_notes, write_notes
from kgsan.formats.pdf.opening import fill_in, left_out, opened
from kgsan.formats.pdf.places import Places
from kgsan.formats.pdf.resources import Resources
from kgsan.formats.pdf.showing import State
from kgsan.formats.pdf.stamps import Stamps
from kgsan.formats.pdf.walk import Walk
from kgsan.formats.woven import BLOCK, Strand
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kgsan.formats.documents import Rules

Made = TypeVar("Made")
_PAGE = "/MediaBox /CropBox /BleedBox /TrimBox /ArtBox /Rotate /UserUnit /Group".split()
_LANGUAGE = re.compile("[a-z]{2}(-[A-Z]{2})?")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The words of one page, and what lies on it."""

    words: tuple[Word, ...] = field(repr=False)
    notes: tuple[Note, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TakenPdf:
    """A PDF taken apart."""

    name: str
    rules: Rules
    sheets: tuple[Sheet, ...] = field(repr=False)
    bookmarks: tuple[str, ...] = field(repr=False)
    removed: tuple[str, ...]  #: what the new file will not have, in words for its owner
    content: bytes = field(repr=False)

    @property
    def strands(self) -> Sequence[Strand]:
        """Every word of the pages, then of links, notes and bookmarks."""
        strands = []
        for sheet in self.sheets:
            strands += _strands(sheet.words)
            for note in sheet.notes:
                strands += [Strand(text, BLOCK) for text in (note.contents, note.address) if text]
                strands += _strands(note.words)
        return [*strands, *(Strand(title, BLOCK) for title in self.bookmarks)]

    def put(self, texts: Sequence[str]) -> bytes:
        """A new file in which nothing is left of the old one but what its pages draw."""
        return _told(self.name, lambda: _written(self, iter(texts)))


def read_pdf(content: bytes, name: str, rules: Rules) -> TakenPdf:
    """Take a PDF apart. One that cannot be read whole is refused."""
    return _told(name, lambda: _read(content, name, rules))


def _told(name: str, work: Callable[[], Made]) -> Made:
    """What work gives, or why there is nothing, without a word of the file."""
    try:
        with bounded():
            return work()
    except KgsanError:
        raise
    except Unreadable as error:
        raise FileError(name, str(error)) from None
    except Exception:
        raise FileError(name, "The PDF is damaged and cannot be read whole.") from None


def _read(content: bytes, name: str, rules: Rules) -> TakenPdf:
    with opened(content) as pdf:
        removed = left_out(pdf)
        fill_in(pdf)
        book = Book(rules)
        sheets = []
        for number, page in enumerate(pdf.pages, 1):
            with _on_page(number):
                walk = Walk(book)
                walk.content(page.obj.get("/Contents", pikepdf.Array()), Resources(page.obj.get("/Resources"), None), State())
                sheets.append(Sheet(tuple(words_of(walk.glyphs)), tuple(read_notes(page.obj, book))))
        titles = tuple(one.title for one in Places(pdf).bookmarks())
        return TakenPdf(name, rules, tuple(sheets), titles, removed, content)


def _written(taken: TakenPdf, texts: Iterator[str]) -> bytes:
    with opened(taken.content) as pdf, pikepdf.new() as target:
        fill_in(pdf)
        copier, stamps = Copier(target), Stamps(target)
        book = Book(taken.rules, copier, stamps)
        places = Places(pdf)
        for page in pdf.pages:
            made = pikepdf.Dictionary(Type=pikepdf.Name.Page)
            for key in _PAGE:
                if key in page.obj:
                    made[key] = copier.inert(page.obj[key])
            target.pages.append(pikepdf.Page(made))
            places.made.append(target.pages[-1].obj)
        for number, (page, sheet) in enumerate(zip(pdf.pages, taken.sheets, strict=True)):
            with _on_page(number + 1):
                walk = Walk(book, cuts_of(sheet.words, [next(texts) for _ in sheet.words]))
                resources = Resources(page.obj.get("/Resources"), copier)
                drawn = walk.content(page.obj.get("/Contents", pikepdf.Array()), resources, State(place=SAME))
                made = places.made[number]
                made["/Contents"], made["/Resources"] = target.make_stream(drawn), resources.made
                notes = write_notes(page.obj, book, list(sheet.notes), texts, places)
                if notes:
                    made["/Annots"] = pikepdf.Array(notes)
        places.write(target, [replace(one, title=next(texts)) for one in places.bookmarks()])
        copier.finish()
        stamps.finish()
        _finish(pdf, target, copier)
        saved = BytesIO()
        target.save(saved, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return saved.getvalue()


def _finish(pdf: pikepdf.Pdf, target: pikepdf.Pdf, copier: Copier) -> None:
    """The language of the file, and which of its layers are seen."""
    language = str(pdf.Root.get("/Lang", ""))
    if _LANGUAGE.fullmatch(language):
        target.Root["/Lang"] = pikepdf.String(language)
    if copier.layers:
        layered: Any = pdf.Root.get("/OCProperties", pikepdf.Dictionary())
        usual = layered.get("/D", pikepdf.Dictionary())
        states: dict[str, Any] = {}
        for state in ("/ON", "/OFF"):
            named = {one.objgen for one in usual.get(state, [])}
            states[state] = pikepdf.Array([made for source, made in copier.layers if source.objgen in named])
        if usual.get("/BaseState") == "/OFF":
            states["/BaseState"] = pikepdf.Name.OFF
        layers = pikepdf.Array([made for _, made in copier.layers])
        target.Root["/OCProperties"] = pikepdf.Dictionary(OCGs=layers, D=pikepdf.Dictionary(states))


class _on_page:
    """What cannot be read is told with the number of its page."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Unreadable) and str(error)[:1].islower():
            raise Unreadable(f"Page {self.number} {error}.") from None


def _strands(words: Sequence[Word]) -> list[Strand]:
    return [Strand(word.text, word.joint) for word in words]
