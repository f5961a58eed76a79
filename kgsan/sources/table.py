"""Tables of concepts, made by hand or shipped with kgsan: CSV or TSV with a header such as `id,name,parent,synonyms`.

    id                    any text without a line break; "prefix:" is put before it when it has none
    name                  the preferred name
    parent                ids or names of the more general concepts
    synonyms              names that mean the same
    narrow, related, broad, ambiguous    names that mean something else as well; see `Scope`
    senses                which sense of each name the concept is (0 = first): a number for `name`, then for each of
                          `synonyms`, `narrow`, `related`, `broad` and `ambiguous` in this order; 0 where none is left
    definition            a sentence
    references, aliases   ids of the concept in other vocabularies; other ids of it in this one
    relation:treats       ids or names of the concepts that stand in the relation "treats"

Several values in one cell are separated by '|' (or ';', when the cells are not); '\\|' is the sign itself.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.errors import OntologyError, Place, Problem, ontology_error
from kgsan.sources.files import SourceFile
from kgsan.sources.records import Options, Records, Scope, duplicate
from kgsan.sources.slugs import Slugs, id_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.sources.files import Source

#: The columns with further names, in the order in which `senses` speaks of them.
_NAMES = {
    "synonyms": Scope.EXACT,
    "narrow": Scope.NARROW,
    "related": Scope.RELATED,
    "broad": Scope.BROAD,
    "ambiguous": Scope.AMBIGUOUS,
}
_COLUMNS = ("id", "name", "parent", *_NAMES, "senses", "definition", "references", "aliases")
_RELATION = "relation:"
_LONGEST_CELL = 1 << 24
_MOST_COLUMNS = 1000
#: After so many wrong rows the rest is not listed any more.
_MOST_PROBLEMS = 20
#: Looking for the nearest spelling among more names than these, or more often, takes too long.
_SPELLINGS = 20_000
_GUESSES = 20
_SENSES = re.compile(r"\s*(?:[0-9]{1,4}\s*(?:\|\s*[0-9]{1,4}\s*)*)?")
#: What a table holds that no program of ours wrote: quotes, escapes, other separators, white space to be tidied.
_UNTIDY = ('"', "\\", ";", "\r", "  ", " \t", " \n", " |", "\t ", "\n ", "| ", "\n\n")
_ODD_SPACE = re.compile(r"[^\S \t\n]")
#: For a small table there is nothing to gain.
_SMALL = 10_000
_BREAK = re.compile("\r\n|\r|\n")


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


def _is_relation(column: str) -> bool:
    return column.startswith(_RELATION) and column != _RELATION


def _tidy(text: str) -> str:
    return " ".join(text.split())


@dataclass(slots=True)
class _Table:
    """The records of a table while its rows come in."""

    file: str
    options: Options
    records: Records = field(init=False)
    prefix: str = field(init=False)
    separator: str = ","
    #: Where each column stands, the columns with names and those with targets; -1 for a column that is not there.
    at: dict[str, int] = field(default_factory=dict)
    at_names: list[tuple[int, Scope]] = field(default_factory=list)
    at_links: list[tuple[int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    line_of: list[int] = field(default_factory=list)
    name_of: list[str] = field(default_factory=list)
    by_name: dict[str, list[int]] = field(default_factory=dict)
    named_from: list[int] = field(default_factory=list)  #: where the names of each concept's first row start
    again: dict[int, set[str]] = field(default_factory=dict)  #: the names of a concept that has more than one row
    slugs: Slugs = field(default_factory=Slugs)
    links: list[tuple[int, str, str, int]] = field(default_factory=list)  #: concept, column, target as written, line
    aliases: list[tuple[str, int, int]] = field(default_factory=list)  #: id, concept, line
    unknown: int = 0

    def __post_init__(self) -> None:
        self.records = Records("table")
        self.prefix = id_prefix(self.file, self.options)

    def read(self, text: str) -> None:
        blank = re.match(r"(?:[^\S\r\n]*(?:\r\n|\r|\n))*", text)
        skipped = 0 if blank is None else len(_BREAK.findall(blank[0]))
        body = text if blank is None else text[blank.end() :]
        self.separator, columns = _header(_BREAK.split(body, maxsplit=1)[0])
        self._check_header(columns, skipped + 1)
        self.at = {column: columns.index(column) if column in columns else -1 for column in _COLUMNS}
        self.at_names = [(self.at[column], scope) for column, scope in _NAMES.items() if column in columns]
        self.at_links = [(at, column) for at, column in enumerate(columns) if column == "parent" or _is_relation(column)]
        if (made := self._read_tidy(body, len(columns))) is not None:
            self.records = made
            return
        for line, cells in self._rows(body, len(columns), skipped):
            self._add(line, cells)
            if len(self.problems) >= _MOST_PROBLEMS:
                break
        if not self.records.ids and not self.problems:
            raise ontology_error("O109", self.file, "The table has a header and no rows.", line=1)
        if not self.problems:
            self._alias()
        if not self.problems:
            self._link()
        if self.problems:
            raise OntologyError(*self.problems)

    def _read_tidy(self, body: str, width: int) -> Records | None:
        """The records of a table as a program writes it, all at once; None when anything in it needs a closer look."""
        if len(body) < _SMALL or self.separator != "\t" or any(sign in body for sign in _UNTIDY) or _ODD_SPACE.search(body):
            return None
        lines = body.rstrip("\n").split("\n")
        if self.at["id"] < 0 or any(line.count(self.separator) != width - 1 for line in lines):
            return None
        cells = self.separator.join(lines[1:]).split(self.separator)
        columns = [cells[at::width] for at in range(width)]  # no list per row: those would keep the collector busy
        ids = columns[self.at["id"]]
        numbers = dict(zip(ids, range(len(ids)), strict=True))
        if len(numbers) < len(ids) or not all(":" in identifier for identifier in ids):
            return None
        made = Records("table", ids, numbers=numbers, problems=self.records.problems)
        complete = self._tidy_names(made, columns) and self._tidy_links(made, columns) and self._tidy_texts(made, columns)
        return made if complete else None

    def _tidy_names(self, made: Records, columns: list[list[str]]) -> bool:
        further = [(columns[at], int(scope)) for at, scope in self.at_names]
        senses = columns[self.at["senses"]] if self.at["senses"] >= 0 else [""] * len(made.ids)
        concepts: list[int] = []
        texts: list[str] = []
        scopes: list[int] = []
        ranks: list[int] = []
        for concept, name in enumerate(columns[self.at["name"]]):
            own = [name]
            scopes.append(0)
            for column, scope in further:
                if column[concept]:
                    found = column[concept].split("|")
                    own += found
                    scopes += [scope] * len(found)
            count = len(own)
            if "" in own or (count > 1 and len(set(own)) < count):
                return False
            texts += own
            concepts += [concept] * count
            if order := senses[concept]:
                if not _SENSES.fullmatch(order):
                    return False
                own_ranks = list(map(int, order.split("|")))
                if len(own_ranks) > count:
                    return False
                ranks += own_ranks
                count -= len(own_ranks)
            ranks += [0] * count
        made.name_concept, made.name_text, made.name_scope, made.name_rank = concepts, texts, scopes, ranks
        return True

    def _tidy_links(self, made: Records, columns: list[list[str]]) -> bool:
        for at, column in self.at_links:
            subjects: list[int] = []
            targets: list[int | None] = []
            for concept, cell in enumerate(columns[at]):
                if cell:
                    found = [made.numbers.get(target) for target in cell.split("|")]
                    if len(set(found)) < len(found) or concept in found:
                        return False
                    targets += found
                    subjects += [concept] * len(found)
            if None in targets:
                return False
            if column == "parent":
                made.parent_child, made.parent_parent = subjects, targets  # type: ignore[assignment]
            elif subjects:
                made.relation_names.append(column.removeprefix(_RELATION))
                made.relation_subject += subjects
                made.relation_object += targets  # type: ignore[operator]
                made.relation_kind += [len(made.relation_names) - 1] * len(subjects)
        return True

    def _tidy_texts(self, made: Records, columns: list[list[str]]) -> bool:
        if self.at["definition"] >= 0:
            made.definitions = {concept: text for concept, text in enumerate(columns[self.at["definition"]]) if text}
        if self.at["references"] >= 0:
            cells = enumerate(columns[self.at["references"]])
            made.references = [(concept, text) for concept, cell in cells if cell for text in cell.split("|") if text]
        if self.at["aliases"] >= 0:
            cells = enumerate(columns[self.at["aliases"]])
            aliases = [(alias, concept) for concept, cell in cells if cell for alias in cell.split("|")]
            made.aliases = dict(aliases)
            return len(made.aliases) == len(aliases) and not any(
                ":" not in alias or alias in made.numbers for alias in made.aliases
            )
        return True

    def _wrong(self, line: int, message: str, hint: str | None = None) -> None:
        self.problems.append(Problem("O103", Place(self.file, line), message, hint))

    def _rows(self, body: str, width: int, skipped: int) -> Iterator[tuple[int, list[str]]]:
        """The line that each row starts in, and its cells; rows of empty cells are passed over."""
        lines = self._quoted(body, skipped) if '"' in body else self._plain(body, skipped)
        for line, cells in lines:
            if len(cells) > width and any(cell.strip() for cell in cells[width:]):
                self._wrong(
                    line,
                    f"The row has {len(cells)} cells, the header {width}.",
                    "Put a cell that holds the separator in double quotes.",
                )
            elif not any(map(str.strip, cells)):
                continue
            yield line, cells

    def _plain(self, body: str, skipped: int) -> Iterator[tuple[int, list[str]]]:
        """The rows after the header of a table without quotes: one in each line."""
        lines = _BREAK.split(body) if "\r" in body else body.split("\n")
        separator = self.separator
        for number in range(1, len(lines)):
            line = lines[number]
            if len(line) > _LONGEST_CELL:
                for cell in line.split(separator):
                    if len(cell) > _LONGEST_CELL:
                        raise self._unreadable(f"field larger than field limit ({_LONGEST_CELL})", skipped + number + 1)
            yield skipped + number + 1, line.split(separator)

    def _quoted(self, body: str, skipped: int) -> Iterator[tuple[int, list[str]]]:
        """The rows after the header of any table."""
        reader = csv.reader(io.StringIO(body, newline=""), delimiter=self.separator, strict=True)
        limit = csv.field_size_limit()
        line = skipped
        try:
            csv.field_size_limit(max(limit, _LONGEST_CELL))
            next(reader, None)
            line = skipped + reader.line_num
            for cells in reader:
                start, line = line + 1, skipped + reader.line_num
                yield start, cells
        except csv.Error as error:
            raise self._unreadable(str(error), line + 1) from None
        finally:
            csv.field_size_limit(limit)

    def _unreadable(self, why: str, line: int) -> OntologyError:
        return ontology_error("O103", self.file, f"The row cannot be read: {why}.", "A double quote may be missing.", line=line)

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
            if column not in _COLUMNS and not _is_relation(column):
                close = difflib.get_close_matches(column[:40], [*_COLUMNS, _RELATION], 1)
                what = f"The column '{column[:40]}'" if column else f"Column {number}, which has no name,"
                self.records.notice(
                    "O206", self.file, f"{what} was passed over.", f"Did you mean '{close[0]}'?" if close else None, line=line
                )

    def _add(self, line: int, cells: list[str]) -> None:
        at, width = self.at, len(cells)
        name = _tidy(cells[at["name"]]) if at["name"] < width else ""
        if not name:
            self._wrong(line, "The row has no name.")
            return
        written = ""
        if 0 <= at["id"] < width:
            written = _tidy(cells[at["id"]])
            if not written:
                self._wrong(line, "The row has no id.", "Give every row an id, or leave out the column.")
                return
        records = self.records
        before = len(records.ids)
        concept = self._concept(written or self.slugs.id(name), name, line)
        if concept is None:
            return
        self._add_names(concept, name, concept == before, cells, line)
        if 0 <= at["definition"] < width and (definition := _tidy(cells[at["definition"]])):
            records.definitions.setdefault(concept, definition)
        if 0 <= at["references"] < width:
            records.references += [(concept, reference) for reference in self._split(cells[at["references"]])]
        if 0 <= at["aliases"] < width:
            self.aliases += [(self._identifier(alias), concept, line) for alias in self._split(cells[at["aliases"]])]
        for index, column in self.at_links:
            if index < width and cells[index]:
                self.links += [(concept, column, target, line) for target in self._split(cells[index])]

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
        self.named_from.append(len(self.records.name_text))
        self.by_name.setdefault(name, []).append(concept)
        return concept

    def _identifier(self, written: str) -> str:
        return written if ":" in written else f"{self.prefix}:{written}"

    def _add_names(self, concept: int, name: str, is_new: bool, cells: list[str], line: int) -> None:
        width = len(cells)
        texts, scopes = [name], [int(Scope.PREFERRED)]
        for index, scope in self.at_names:
            if index < width and cells[index]:
                found = self._split(cells[index])
                texts += found
                scopes += [int(scope)] * len(found)
        ranks = [0] * len(texts)
        if 0 <= self.at["senses"] < width and cells[self.at["senses"]]:
            senses = self._senses(cells[self.at["senses"]], len(texts), line)
            ranks[: len(senses)] = senses
        if not is_new or len(set(texts)) < len(texts):
            seen: set[str] = set()
            if not is_new:
                seen = self.again.setdefault(concept, set()) or self._first_names(concept)
                self.again[concept] = seen
            new = [i for i, text in enumerate(texts) if text not in seen and text not in texts[:i]]
            seen.update(texts)
            texts, scopes, ranks = [texts[i] for i in new], [scopes[i] for i in new], [ranks[i] for i in new]
        records = self.records
        records.name_text += texts
        records.name_scope += scopes
        records.name_rank += ranks
        records.name_concept += [concept] * len(texts)

    def _first_names(self, concept: int) -> set[str]:
        """The names that the first row of a concept gave it; second rows are rare, so nothing is kept for them."""
        first = last = self.named_from[concept]
        owner = self.records.name_concept
        while last < len(owner) and owner[last] == concept:
            last += 1
        return set(self.records.name_text[first:last])

    def _senses(self, cell: str, most: int, line: int) -> list[int]:
        if not _SENSES.fullmatch(cell):
            self._wrong(line, "The column 'senses' holds something that is no sense number.", "Write 0 for a first sense.")
            return []
        senses = list(map(int, cell.split("|")))
        if len(senses) > most:
            self._wrong(line, f"The column 'senses' has {len(senses)} numbers for {most} names.")
            return []
        return senses

    def _split(self, cell: str) -> list[str]:
        if "\\" in cell:
            ends = "|" if self.separator == ";" else "|;"
            found = re.findall(rf"((?:\\[|;\\]|[^{ends}])*)(?:[{ends}]|\Z)", cell)
            parts = [re.sub(r"\\([|;\\])", r"\1", part) for part in found]
        elif ";" in cell and self.separator != ";":
            parts = re.split("[|;]", cell)
        elif "|" in cell:
            parts = cell.split("|")
        else:
            parts = [cell]
        return [spoken for part in parts if (spoken := " ".join(part.split()))]

    def _alias(self) -> None:
        for alias, concept, line in self.aliases:
            other = self.records.numbers.get(alias, self.records.aliases.get(alias, concept))
            if other != concept:
                error = duplicate(alias, self.file, line, self.line_of[other])
                assert isinstance(error, OntologyError)
                self.problems.extend(error.problems)
            elif alias not in self.records.numbers:
                self.records.aliases[alias] = concept

    def _link(self) -> None:
        records = self.records
        seen: set[tuple[int, str, int]] = set()
        for concept, column, written, line in self.links:
            target = records.numbers.get(written)
            if target is None:
                target = self._target(written, column, line)
                if len(self.problems) >= _MOST_PROBLEMS:
                    break
            if target is None or (concept, column, target) in seen:
                continue
            seen.add((concept, column, target))
            if column != "parent":
                records.relation(concept, column.removeprefix(_RELATION), target)
            elif target == concept:
                records.notice("O202", self.file, "A concept is named as its own parent; that was left out.", line=line)
            else:
                records.parent(concept, target)
        if self.unknown > _GUESSES:
            records.notice("O203", self.file, f"{self.unknown - _GUESSES} more targets are not in the table.")

    def _target(self, written: str, column: str, line: int) -> int | None:
        """The concept that a cell names by its id without prefix, its alias or its name."""
        identifier = self._identifier(written)
        number = self.records.numbers.get(identifier, self.records.aliases.get(identifier))
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
