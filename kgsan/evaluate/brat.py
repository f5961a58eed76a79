"""Gold as the annotation tool brat writes it: a text in `.txt`, and what is marked in `.ann` beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgsan.errors import Place, Problem
from kgsan.evaluate.marks import GoldDocument, Marks, read_utf8
from kgsan.evaluate.problems import error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgsan.evaluate.marks import GoldSpan

_PLACES = re.compile(r"\d{1,18} \d{1,18}(?:;\d{1,18} \d{1,18})*")
_FORM = "Write an id, a tab, a label with offsets, a tab and the words."


def read(path: Path, problems: list[Problem]) -> Iterator[GoldDocument]:
    """The documents of a folder, or the one that a `.txt` or `.ann` belongs to; notes and relations are passed over."""
    marked = sorted(path.glob("*.ann")) if path.is_dir() else [path.with_suffix(".ann")]
    if not marked:
        raise error("E107", path.name, "The folder holds no .ann file.", "A folder of gold holds .txt and .ann files of brat.")
    for notes in marked:
        beside = notes.with_suffix(".txt")
        if not beside.is_file():
            problems.append(Problem("E101", Place(notes.name), "Its .txt file is not beside it."))
            continue
        text = read_utf8(beside)
        spans: list[GoldSpan] = []
        for line, row in enumerate(read_utf8(notes).split("\n"), 1):
            if row.startswith("T"):
                spans += _spans(row.rstrip("\r"), Marks(text, Place(notes.name, line), problems))
        yield GoldDocument(beside.stem, text, tuple(sorted(set(spans))))


def _spans(row: str, marks: Marks) -> list[GoldSpan]:
    """What one row marks: a span, or the parts of a broken one."""
    _, _, rest = row.partition("\t")
    told, _, words = rest.partition("\t")
    label, _, places = told.partition(" ")
    kind = marks.label(label)
    if not label or kind is None or not _PLACES.fullmatch(places):
        marks.wrong("E103", "is none", _FORM)
        return []
    found: list[GoldSpan] = []
    for part in places.split(";"):
        start, _, end = part.partition(" ")
        found += marks.add(int(start), int(end), kind)
    # brat puts a blank between the parts of a broken span, and for a line break.
    held = " ".join(marks.text[span.start : span.end] for span in found)
    if words and found and held.replace("\n", " ") != words.replace("\n", " "):
        marks.wrong("E105", "does not hold the words it was made for")
        return []
    return found
