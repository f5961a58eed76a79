"""Tables as text (.csv, .tsv): every row is a document; what is not changed stays byte for byte."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from kgsan.formats.known import as_words, known_kind
from kgsan.formats.problems import FormatError
from kgsan.formats.records import Record, glue
from kgsan.formats.woven import Strand

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.formats.records import Asked

_CHUNK = 1 << 16
#: A row beyond this is one in which a quote was opened and never closed.
_LARGEST_ROW = 1 << 27
_DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*+(?:""[^"]*+)*+"')


@dataclass(frozen=True, slots=True)
class _Dialect:
    delimiter: str
    end: str  #: what a row ends with at least: "\n", which "\r" may precede, or "\r" alone
    encoding: str
    plain: re.Pattern[str] = field(repr=False)  #: a cell without quotes around it


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: tuple[str, ...] = field(repr=False)  #: as they are written, with their quotes
    end: str


def read_table(stream: IO[bytes], name: str, asked: Asked) -> Iterator[Record]:
    """The heading, then every row. Without `fields` every column is read; else what is neither sanitized nor kept is left out."""
    source = _Source(stream, name)
    dialect = source.dialect(is_tabbed=name.lower().endswith((".tsv", ".tab")))
    rows = _rows(source, dialect, name)
    heading = next(rows, None)
    if heading is None:
        yield glue(source.mark)
        return
    columns = _Columns([_value(cell) for cell in heading.cells], name, asked)
    yield glue(source.mark + columns.written(heading, heading.cells, dialect))
    for row in rows:
        if row.cells == ("",) and len(columns.headings) != 1:
            yield glue(row.end.encode(dialect.encoding))
            continue
        if len(row.cells) != len(columns.headings):
            count = len(row.cells)
            told = f"The row has {count} cell{'s' * (count != 1)} and the heading {len(columns.headings)}."
            raise FormatError("F105", name, told, "Put quotes around a cell that holds a separator.", row.line)
        yield columns.record(row, dialect)


class _Columns:
    """Which columns are sanitized, taken over or left out."""

    def __init__(self, headings: Sequence[str], name: str, asked: Asked) -> None:
        self.headings = headings
        read, kept = chosen(headings, name, asked)
        self.read, self.kept = read, kept
        self.written_ones = sorted({*read, *kept})
        self.known = tuple((place, kind) for place, at in enumerate(read) if (kind := known_kind(headings[at])))

    def record(self, row: _Row, dialect: _Dialect) -> Record:
        values = [_value(row.cells[at]) for at in self.read]

        def put(texts: Sequence[str]) -> bytes:
            cells = list(row.cells)
            for at, old, new in zip(self.read, values, texts, strict=True):
                if new != old:
                    cells[at] = _quoted(new, dialect, row.cells[at].startswith('"'))
            return self.written(row, cells, dialect)

        kept = {self.headings[at]: _value(row.cells[at]) for at in self.kept}
        return Record(tuple(map(Strand, values)), put, row.line, kept, self.known)

    def written(self, row: _Row, cells: Sequence[str], dialect: _Dialect) -> bytes:
        """A row with the columns that are wanted."""
        text = dialect.delimiter.join([cells[at] for at in self.written_ones]) + row.end
        return text.encode(dialect.encoding, "surrogatepass")


def chosen(headings: Sequence[str], name: str, asked: Asked) -> tuple[list[int], list[int]]:
    """The places of the columns that are sanitized, and of those that are taken over. Refuses a heading that discloses."""
    for wanted in (*asked.fields, *asked.keep):
        if wanted not in headings:
            raise FormatError("F106", name, f"The table has no column '{wanted}'.", "Headings are compared letter for letter.")
    kept = [at for at, heading in enumerate(headings) if heading in asked.keep]
    read = [
        at for at, heading in enumerate(headings) if heading not in asked.keep and (not asked.fields or heading in asked.fields)
    ]
    for at in read:
        if asked.discloses(as_words(headings[at])):
            hint = "Call it otherwise, or take it over as it is with --keep."
            raise FormatError("F107", name, f"The heading of column {at + 1} discloses by itself.", hint, 1)
    return read, kept


# --- rows -----------------------------------------------------------------------------------------------------------------


class _Source:
    """Text from a stream, as much of it as is needed at a time."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self._name = stream, name
        first = stream.read(_CHUNK)
        marks = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
        self.mark = next((mark for mark in marks if first.startswith(mark)), b"")
        self.encoding = marks.get(self.mark, "utf-8")
        self._decoder = codecs.getincrementaldecoder(self.encoding)()
        self.is_ended = not first
        self.lines = 1  #: the number of the line that is read next
        self.text = self._decoded(first[len(self.mark) :])

    def more(self, count: int) -> str:
        """The next letters, about so many."""
        content = self._stream.read(count)
        self.is_ended = not content
        return self._decoded(content)

    def _decoded(self, content: bytes) -> str:
        try:
            return self._decoder.decode(content, self.is_ended)
        except UnicodeDecodeError:
            told = f"After this line there is something that is no {self.encoding.upper()}."
            raise FormatError("F104", self._name, told, "Save it as UTF-8 first.", self.lines) from None

    def dialect(self, *, is_tabbed: bool) -> _Dialect:
        """How the table is written, by its heading: of the separators that stand in it the most frequent is meant."""
        head = _QUOTED.sub("", self.text)
        newline, single = head.find("\n"), head.find("\r")
        end = "\r" if single >= 0 and (newline < 0 or single + 1 < newline) else "\n"
        line = head.partition(end)[0]
        delimiter = "\t" if is_tabbed else max(_DELIMITERS, key=line.count)
        return _Dialect(delimiter, end, self.encoding, re.compile(f"[^{re.escape(delimiter)}{end}]*+"))


def _rows(source: _Source, dialect: _Dialect, name: str) -> Iterator[_Row]:
    text, place = source.text, 0
    chunk = _CHUNK
    while True:
        found = _row(text, place, dialect, name, source)
        if found is not None:
            row, place = found
            chunk = _CHUNK
            yield row
            continue
        if source.is_ended:
            return
        # A row is read again when more of it is there; each time twice as much is fetched, or that would never end.
        text, place = text[place:] + source.more(chunk), 0
        chunk = min(2 * chunk, _LARGEST_ROW)
        if len(text) > 2 * _LARGEST_ROW:
            hint = "A quote may have been opened that is closed nowhere."
            raise FormatError("F108", name, "The row is larger than a row can be.", hint, source.lines)


def _row(text: str, place: int, dialect: _Dialect, name: str, source: _Source) -> tuple[_Row, int] | None:
    """The row that begins at a place, and where the next begins; None when the text does not go to its end yet."""
    line, whole = source.lines, source.is_ended
    if place == len(text):
        return None
    end = text.find(dialect.end, place)
    if end < 0 and not whole:
        return None
    stop = len(text) if end < 0 else end
    if text.find('"', place, stop) < 0:
        source.lines += 1
        ending = text[stop : stop + 1]
        if ending == "\n" and stop > place and text[stop - 1] == "\r":
            stop, ending = stop - 1, "\r\n"
        return _Row(line, tuple(text[place:stop].split(dialect.delimiter)), ending), stop + len(ending)
    return _row_with_quotes(text, place, dialect, name, source)


def _row_with_quotes(text: str, place: int, dialect: _Dialect, name: str, source: _Source) -> tuple[_Row, int] | None:
    cells: list[str] = []
    start, line = place, source.lines
    while True:
        quoted = _QUOTED.match(text, place)
        if quoted is None and text.startswith('"', place):
            if not source.is_ended:
                return None
            raise FormatError("F104", name, "A quote is opened in this row and closed nowhere.", line=line)
        found = quoted or dialect.plain.match(text, place)
        assert found is not None
        cell, place = found[0], found.end()
        if place == len(text) and not source.is_ended:
            return None
        if quoted is None and dialect.end == "\n" and cell.endswith("\r"):
            cell, place = cell[:-1], place - 1
        cells.append(cell)
        if text.startswith(dialect.delimiter, place):
            place += 1
            continue
        ending = "\r\n" if text.startswith("\r\n", place) and dialect.end == "\n" else text[place : place + 1]
        if ending not in ("", "\r\n", dialect.end):
            if place + 1 == len(text) and not source.is_ended:
                return None
            raise FormatError("F104", name, "In this row a cell goes on after its closing quote.", line=line)
        place += len(ending)
        source.lines += text.count(dialect.end, start, place) or 1
        return _Row(line, tuple(cells), ending), place


def _value(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') and len(cell) > 1 else cell


def _quoted(value: str, dialect: _Dialect, always: bool) -> str:
    """A value as a cell that is read back as this value."""
    if always or any(sign in value for sign in (dialect.delimiter, '"', "\r", "\n")):
        return f'"{value.replace(chr(34), chr(34) * 2)}"'
    return value
