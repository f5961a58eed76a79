"""Hand-made tables of concepts: CSV or TSV with a header such as `id,name,parent,synonyms`."""

from __future__ import annotations

import csv
import difflib
import io
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.errors import OntologyError, Place, Problem, ontology_error
from kgsan.sources.files import SourceFile
from kgsan.sources.outline import Slugs, id_prefix
from kgsan.sources.records import Options, Records, Scope, duplicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.sources.files import Source

_COLUMNS = ("id", "name", "parent", "synonyms", "definition")
_RELATION = "relation:"
_LONGEST_CELL = 1 << 24
_MOST_COLUMNS = 1000
#: After so many wrong rows the rest is not listed any more.
_MOST_PROBLEMS = 20
#: Looking for the nearest spelling among more names than these, or more often, takes too long.
_SPELLINGS = 20_000
_GUESSES = 20


def recognises(source: Source) -> bool:
    """Whether the first line is a header with `name`, and with `parent` or `id`."""
    if not isinstance(source, SourceFile):
        return False
    head = source.head()
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")
    first = next((line for line in text.splitlines() if line.strip()), "")
    if "\0" in first or first.lstrip().startswith(("<", "{", "[")):
        return False
    cells = _header(first)[1]
    return "name" in cells and ("parent" in cells or "id" in cells)


def read(source: Source, options: Options) -> Records:
    """The concepts in the order of the rows; rows with the same id and name are one concept."""
    assert isinstance(source, SourceFile)
    text = source.text()
    if (nul := text.find("\0")) >= 0:
        raise ontology_error("O103", source.name, "The table holds a NUL byte.", line=text.count("\n", 0, nul) + 1)
    table = _Table(source.name, options)
    table.read(text)
    return table.records


def _header(line: str) -> tuple[str, list[str]]:
    """The separator of a table and the names of its columns."""
    candidates = []
    for separator in (",", "\t", ";"):
        try:
            cells = next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            continue
        names = [" ".join(cell.split()).casefold() for cell in cells]
        names = [re.sub(rf"^{_RELATION[:-1]}\s*:\s*", _RELATION, name) for name in names]
        candidates.append((sum(name in _COLUMNS for name in names), len(names), separator, names))
    _, _, separator, names = max(candidates, key=lambda found: found[:2], default=(0, 0, ",", []))
    return separator, names


@dataclass(slots=True)
class _Row:
    """One row: the cells by column, and the line it starts in."""

    line: int
    cells: dict[str, str]


@dataclass(slots=True)
class _Table:
    """The records of a table while its rows come in."""

    file: str
    options: Options
    records: Records = field(init=False)
    prefix: str = field(init=False)
    separator: str = ","
    problems: list[Problem] = field(default_factory=list)
    line_of: list[int] = field(default_factory=list)
    name_of: list[str] = field(default_factory=list)
    by_name: dict[str, list[int]] = field(default_factory=dict)
    names: set[tuple[int, str]] = field(default_factory=set)
    slugs: Slugs = field(default_factory=Slugs)
    links: list[tuple[int, str, str, int]] = field(default_factory=list)  #: concept, column, target as written, line
    unknown: int = 0

    def __post_init__(self) -> None:
        self.records = Records("table")
        self.prefix = id_prefix(self.file, self.options)

    def read(self, text: str) -> None:
        for row in self._rows(text):
            self._add(row)
            if len(self.problems) >= _MOST_PROBLEMS:
                break
        if not self.records.ids and not self.problems:
            raise ontology_error("O109", self.file, "The table has a header and no rows.", line=1)
        if not self.problems:
            self._link()
        if self.problems:
            raise OntologyError(*self.problems)

    def _wrong(self, line: int, message: str, hint: str | None = None) -> None:
        self.problems.append(Problem("O103", Place(self.file, line), message, hint))

    def _rows(self, text: str) -> Iterator[_Row]:
        blank = re.match(r"(?:[^\S\r\n]*(?:\r\n|\r|\n))*", text)
        skipped = 0 if blank is None else len(re.findall("\r\n|\r|\n", blank[0]))
        body = text if blank is None else text[blank.end() :]
        self.separator, columns = _header(re.split("[\r\n]", body, maxsplit=1)[0])
        self._check_header(columns, skipped + 1)
        reader = csv.reader(io.StringIO(body, newline=""), delimiter=self.separator, strict=True)
        limit = csv.field_size_limit()
        line = skipped
        try:
            csv.field_size_limit(max(limit, _LONGEST_CELL))
            next(reader, None)
            line = skipped + reader.line_num
            for cells in reader:
                start, line = line + 1, skipped + reader.line_num
                if any(cell.strip() for cell in cells):
                    if any(cell.strip() for cell in cells[len(columns) :]):
                        self._wrong(
                            start,
                            f"The row has {len(cells)} cells, the header {len(columns)}.",
                            "Put a cell that holds the separator in double quotes.",
                        )
                    yield _Row(start, {column: cell.strip() for column, cell in zip(columns, cells, strict=False)})
        except csv.Error as error:
            raise ontology_error(
                "O103", self.file, f"The row cannot be read: {error}.", "A double quote may be missing.", line=line + 1
            ) from None
        finally:
            csv.field_size_limit(limit)

    def _check_header(self, columns: list[str], line: int) -> None:
        if "name" not in columns or not {"id", "parent"} & set(columns):
            raise ontology_error(
                "O107",
                self.file,
                "The header has no column 'name', or neither 'parent' nor 'id'.",
                "Write 'id,name,parent,synonyms' in the first line.",
                line=line,
            )
        if len(columns) > _MOST_COLUMNS:
            raise ontology_error("O103", self.file, f"The header has more than {_MOST_COLUMNS} columns.", line=line)
        for number, column in enumerate(columns, 1):
            if column and column in columns[: number - 1]:
                raise ontology_error("O103", self.file, f"Column {number} has the name of an earlier column.", line=line)
            if column not in _COLUMNS and not (column.startswith(_RELATION) and column != _RELATION):
                close = difflib.get_close_matches(column[:40], [*_COLUMNS, _RELATION], 1)
                what = f"The column '{column[:40]}'" if column else f"Column {number}, which has no name,"
                self.records.notice(
                    "O206", self.file, f"{what} was passed over.", f"Did you mean '{close[0]}'?" if close else None, line=line
                )

    def _add(self, row: _Row) -> None:
        name = " ".join(row.cells.get("name", "").split())
        if not name:
            self._wrong(row.line, "The row has no name.")
            return
        if "id" in row.cells and not row.cells["id"]:
            self._wrong(row.line, "The row has no id.", "Give every row an id, or leave out the column.")
            return
        written = " ".join(row.cells.get("id", "").split()) or self.slugs.id(name)
        concept = self._concept(written, name, row.line)
        if concept is None:
            return
        for synonym in self._split(row.cells.get("synonyms", "")):
            self._name(concept, synonym, Scope.EXACT)
        if definition := " ".join(row.cells.get("definition", "").split()):
            self.records.definitions.setdefault(concept, definition)
        for column, cell in row.cells.items():
            if cell and (column == "parent" or (column.startswith(_RELATION) and column != _RELATION)):
                self.links.extend((concept, column, target, row.line) for target in self._split(cell))

    def _concept(self, written: str, name: str, line: int) -> int | None:
        identifier = self._identifier(written)
        known = self.records.numbers.get(identifier)
        if known is not None:
            if self.name_of[known] != name:
                error = duplicate(identifier, self.file, line, self.line_of[known])
                assert isinstance(error, OntologyError)
                self.problems.extend(error.problems)
                return None
            return known
        concept = self.records.concept(identifier)
        self.line_of.append(line)
        self.name_of.append(name)
        self.by_name.setdefault(name, []).append(concept)
        self._name(concept, name, Scope.PREFERRED)
        return concept

    def _identifier(self, written: str) -> str:
        return written if ":" in written else f"{self.prefix}:{written}"

    def _name(self, concept: int, name: str, scope: Scope) -> None:
        if (concept, name) not in self.names:
            self.names.add((concept, name))
            self.records.name(concept, name, scope)

    def _split(self, cell: str) -> Iterator[str]:
        for part in re.split(r"\|" if self.separator == ";" else "[|;]", cell):
            if spoken := " ".join(part.split()):
                yield spoken

    def _link(self) -> None:
        seen: set[tuple[int, str, int]] = set()
        for concept, column, written, line in self.links:
            target = self._target(written, column, line)
            if len(self.problems) >= _MOST_PROBLEMS:
                break
            if target is None or (concept, column, target) in seen:
                continue
            seen.add((concept, column, target))
            if column != "parent":
                self.records.relation(concept, column.removeprefix(_RELATION), target)
            elif target == concept:
                self.records.notice("O202", self.file, "A concept is named as its own parent; that was left out.", line=line)
            else:
                self.records.parent(concept, target)
        if self.unknown > _GUESSES:
            self.records.notice("O203", self.file, f"{self.unknown - _GUESSES} more targets are not in the table.")

    def _target(self, written: str, column: str, line: int) -> int | None:
        number = self.records.numbers.get(self._identifier(written))
        if number is not None:
            return number
        named = self.by_name.get(written, [])
        if len(named) == 1:
            return named[0]
        if named:
            self._wrong(
                line,
                f"The name in column '{column[:40]}' belongs to {len(named)} concepts.",
                f"Write the id: {' or '.join(self.records.ids[concept] for concept in named[:3])}.",
            )
            return None
        self.unknown += 1
        if self.unknown <= _GUESSES:
            self.records.notice(
                "O203",
                self.file,
                f"The target '{written[:60]}' in column '{column[:40]}' is not in the table.",
                self._guess(written),
                line=line,
            )
        return None

    def _guess(self, written: str) -> str | None:
        if len(self.name_of) > _SPELLINGS or len(written) > 200:
            return None
        plain_ids = (identifier.partition(":")[2] for identifier in self.records.ids)
        close = difflib.get_close_matches(written, [*self.name_of, *plain_ids], 1)
        return f"Did you mean '{close[0]}'?" if close else None
