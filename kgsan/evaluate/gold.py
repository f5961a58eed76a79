"""What people say should be hidden in texts, and what should stay: the gold standard, read from what annotators write.

Four formats are told apart by their content: JSON lines in which every document says what it protects; JSON lines with spans,
of one or several annotators; brat's `.txt` and `.ann`; and a list of terms beside a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsan.errors import Place, Problem
from kgsan.evaluate import brat, gold_lines
from kgsan.evaluate.marks import AGREED, GoldDocument, GoldSpan, Marks, read_utf8
from kgsan.evaluate.problems import error, refuse
from kgsan.ontology import names
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Gold", "GoldDocument", "GoldSpan", "read_gold"]


@dataclass(frozen=True, slots=True)
class Gold:
    """Documents with what is marked in them. Shows no words when printed."""

    name: str
    documents: tuple[GoldDocument, ...]

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who marked them, when several did."""
        return tuple(dict.fromkeys(name for document in self.documents for name in document.annotators))


def read_gold(path: Path, text: Path | None = None) -> Gold:
    """The gold in a file or folder. Raises one `EvaluationError` with everything that is wrong."""
    problems: list[Problem] = []
    documents = list(_documents(path, text, problems))
    refuse(problems)
    if not documents:
        raise error("E107", path.name, "There is no document in it.")
    if not any(document.spans or document.disputed for document in documents):
        raise error("E108", path.name, "Nothing is marked in any of its documents.", "Mark at least one span.")
    return Gold(path.name, tuple(documents))


def _documents(path: Path, text: Path | None, problems: list[Problem]) -> Iterator[GoldDocument]:
    if not path.exists():
        raise error("E101", path.name, "There is no such file or folder.", "Check the spelling of its name and folder.")
    if path.is_dir() or path.with_suffix(".ann").is_file():
        yield from brat.read(path, problems)
        return
    content = read_utf8(path)
    if content.lstrip().startswith("{"):
        yield from gold_lines.read(content, path.name, problems)
    elif content.strip():
        yield _terms(content, path.name, text, problems)


def _terms(content: str, file: str, text: Path | None, problems: list[Problem]) -> GoldDocument:
    """A text in which every occurrence of some terms is marked; inflection does not matter."""
    rows = [(line, row.rstrip("\r").split("\t")) for line, row in enumerate(content.split("\n"), 1) if row.strip()]
    if text is None:
        if any(len(cells) > 1 for _, cells in rows):
            raise error("E111", file, "A list of terms needs the text that it was made for.", "Give it with --text FILE.")
        raise error("E102", file, "This is no gold that kgsan reads.", "It reads JSON lines, brat and lists of terms.")
    wanted: dict[tuple[str, ...], str] = {}
    for line, cells in rows:
        key = tuple(names.key(cells[0]).split())
        if not key or len(cells) > 2:
            problems.append(_wrong_row(file, line))
            continue
        wanted[key] = cells[1].strip() if len(cells) > 1 and cells[1].strip() else AGREED
    document = Document(read_utf8(text))
    marks = Marks(document.text, Place(file), problems)
    if marks.are_words(list(wanted.values())):  # shown as names of classes they would show the text
        marks.skip()
        marks.wrong("E106", "is labelled with words of the text, as are most", "The second column is for names of classes.")
    return GoldDocument(text.name, document.text, tuple(_occurrences(document, wanted)))


def _wrong_row(file: str, line: int) -> Problem:
    return Problem("E103", Place(file, line), "The row is not a term and a label.", "Put one tab between them.")


def _occurrences(document: Document, wanted: dict[tuple[str, ...], str]) -> Iterator[GoldSpan]:
    """Where terms stand, the longest first; what lies inside another is not told."""
    starts, ends = document.token_starts.tolist(), document.token_ends.tolist()
    read = [(key, number) for number, word in enumerate(document.words) for key in names.key(word).split()]
    sizes: dict[str, list[int]] = {}
    for key in wanted:
        found = sizes.setdefault(key[0], [])
        if len(key) not in found:
            found.append(len(key))
    keys = [key for key, _ in read]
    at = 0
    while at < len(keys):
        step = 1
        for size in sorted(sizes.get(keys[at], ()), reverse=True):
            if (label := wanted.get(tuple(keys[at : at + size]))) is not None:
                yield GoldSpan(starts[read[at][1]], ends[read[at + size - 1][1]], label)
                step = size
                break
        at += step
