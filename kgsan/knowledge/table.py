"""Counts that somebody else made, as a table: hits of a search engine, figures of a paper, an in-house corpus.

The first row says how many contexts there are, every other row one or more terms and the number of contexts that hold
them all; columns are separated by tabs. A line that begins with # and has no tab is a remark.

    contexts	3500000000
    oncologist	7200000
    oncologist	cancer	3100000

Names are the same when the whole of kgsan takes them for the same. What the table does not list it cannot say. Such
counts need not fit each other: a group that is listed more often than one of its parts is counted like that part.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kgsan.errors import KnowledgeError, Place, Problem, system_says
from kgsan.ontology import names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kgsan.knowledge.knowledge import Term

    Group = tuple[str, ...]

#: More terms are no group that anybody counts.
_LARGEST_GROUP = 8
#: A longer count is a slip of the pen.
_MOST_DIGITS = 18
#: More problems than a person reads.
_TOLD = 100
_FIRST_ROW = "Begin with 'contexts', a tab and the number of contexts."
_ROW = "Write one or more terms and a count, with one tab between them."
_DIGITS = "Write digits only, without signs or separators."


class _Fault(NamedTuple):
    """What is wrong with one row."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True, eq=False)
class CountTable:
    """Counts of terms and groups of terms, as listed; the laws of coherent counting do not hold for them.

    >>> table = CountTable.read("contexts\\t1000\\ncancer\\t100\\noncologist\\t5\\ncancer\\toncologist\\t7\\n")
    >>> table.contexts, table.count("Oncologists"), table.count("cancer", "surgery")
    (1000, 5, None)
    >>> table.count("oncologist", "cancer"), table.capped("oncologist", "cancer")
    (5, True)
    """

    name: str
    contexts: int
    _spellings: Mapping[str, str] = field(repr=False)
    _counts: Mapping[Group, int] = field(repr=False)
    _capped: frozenset[Group] = field(repr=False)

    @classmethod
    def read(cls, source: str | Path) -> CountTable:
        """The table in a file, or in a text, which has a tab. Raises one `KnowledgeError` with everything that is wrong."""
        if isinstance(source, str) and "\t" in source:
            return _read(source, "counts")
        path = Path(source)
        try:
            content = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as failure:
            line = failure.object[: failure.start].count(b"\n") + 1
            raise _error("K102", path, line, "There are bytes here that are not UTF-8.", "Save the table as UTF-8.") from None
        except (OSError, ValueError) as failure:
            reason = system_says(failure) or "unknown reason"
            raise _error("K101", path, None, f"It cannot be opened: {reason}.") from None
        return _read(content, str(path))

    @property
    def digest(self) -> str:
        """A fingerprint of all counts, wherever the table lies and however it is called."""
        rows = sorted((*group, str(count)) for group, count in self._counts.items())
        return hashlib.sha256(json.dumps([self.contexts, rows]).encode()).hexdigest()

    def count(self, *terms: Term) -> int | None:
        """The count that is listed for exactly these terms, at most that of the rarest of them; None when none is listed.

        A concept is counted by the first of its names that is listed.
        """
        group = self._group(terms)
        return self.contexts if group == () else self._counts.get(group) if group else None

    def capped(self, *terms: Term) -> bool:
        """Whether the table lists more contexts for these terms together than for some of them."""
        return self._group(terms) in self._capped

    def _group(self, terms: tuple[Term, ...]) -> Group | None:
        """The terms as the table lists them; None when it does not list one of them."""
        found = set()
        for term in terms:
            spellings = (term,) if isinstance(term, str) else (term.name, *term.synonyms)
            readings = (reading for spelling in spellings for reading in names.readings(spelling))
            listed = next((self._spellings[reading] for reading in readings if reading in self._spellings), None)
            if listed is None:
                return None
            found.add(listed)
        return tuple(sorted(found))


def _read(content: str, file: str) -> CountTable:
    rows = _rows(content)
    contexts = _contexts(next(rows, None), file)
    counts: dict[Group, int] = {}
    lines: dict[Group, int] = {}
    spellings: dict[str, str] = {}
    faults = (
        Problem(fault.code, Place(file, line), fault.message, fault.hint)
        for line, cells in rows
        if (fault := _enter(cells, contexts, counts, lines, spellings, line))
    )
    _refuse(faults, file)
    # Asked last: a faulty row of a term would make every group of it seem incomplete.
    incomplete = (
        Problem("K107", Place(file, lines[group]), "A term of this group has no count of its own.", "Add a row for it.")
        for group in counts
        if any((part,) not in counts for part in group)
    )
    _refuse(incomplete, file)
    for group in [group for group in counts if len(group) == 1]:
        spellings[group[0]] = group[0]  # what a term is called itself comes before what another may be called
    return CountTable(Path(file).name, contexts, spellings, *_cap(counts))


def _refuse(problems: Iterator[Problem], file: str) -> None:
    """Raise the problems if there are any; of very many only the first are kept."""
    told = list(islice(problems, _TOLD))
    if more := sum(1 for _ in problems):
        told.append(Problem("K108", Place(file), f"There are {more} more problems like these."))
    if told:
        raise KnowledgeError(*told)


def _rows(content: str) -> Iterator[tuple[int, list[str]]]:
    for line, row in enumerate(content.split("\n"), 1):
        if row.strip() and not (row.startswith("#") and "\t" not in row):
            yield line, row.rstrip("\r").split("\t")


def _contexts(first: tuple[int, list[str]] | None, file: str) -> int:
    line, cells = first or (None, [])
    contexts = _whole(cells[1]) if len(cells) == 2 and cells[0].strip() == "contexts" else None
    if not contexts:
        raise _error("K103", file, line, "The table does not begin with the number of its contexts.", _FIRST_ROW)
    return contexts


def _enter(
    cells: list[str], contexts: int, counts: dict[Group, int], lines: dict[Group, int], spellings: dict[str, str], line: int
) -> _Fault | None:
    """Add one row, or say what is wrong with it."""
    if not 2 <= len(cells) <= _LARGEST_GROUP + 1:
        return _Fault("K104", f"The row has {len(cells)} columns and not 2 to {_LARGEST_GROUP + 1}.", _ROW)
    keys = dict(map(names.keys, cells[:-1]))
    group = tuple(sorted(keys))
    if len(group) < len(cells) - 1 or not all(group):
        return _Fault("K104", "A term of the row is empty or stands in it twice.", _ROW)
    count = _whole(cells[-1])
    if count is None:
        return _Fault("K105", "The last column is no whole number.", _DIGITS)
    if count > contexts:
        return _Fault("K105", "The count is larger than the number of contexts.", "Correct the count or the first row.")
    if counts.setdefault(group, count) != count:
        return _Fault("K106", f"Line {lines[group]} has another count for the same terms.", "Keep one of the two.")
    lines.setdefault(group, line)
    if len(group) == 1:
        spellings.setdefault(keys[group[0]], group[0])
    return None


def _cap(counts: dict[Group, int]) -> tuple[dict[Group, int], frozenset[Group]]:
    """The counts, none larger than that of a part, and the groups that were."""
    capped = set()
    for group in sorted((group for group in counts if len(group) > 1), key=len):
        parts = [(part,) for part in group] + [group[:i] + group[i + 1 :] for i in range(len(group))]
        most = min(counts[part] for part in parts if part in counts)
        if counts[group] > most:
            counts[group] = most
            capped.add(group)
    return counts, frozenset(capped)


def _whole(cell: str) -> int | None:
    digits = cell.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else None


def _error(code: str, file: object, line: int | None, message: str, hint: str | None = None) -> KnowledgeError:
    return KnowledgeError(Problem(code, Place(str(file), line), message, hint))
