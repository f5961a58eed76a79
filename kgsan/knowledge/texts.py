"""Contexts from files: paragraphs, or windows of so many words, out of texts, JSON lines and tables, packed or not."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kgsan.errors import KnowledgeError, Place, Problem, system_says
from kgsan.text.sentences import paragraph_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKED = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
_TEXTS = (".txt", ".md", ".text")
_LINES = (".jsonl", ".ndjson")
_TABLES = {".csv": ",", ".tsv": "\t"}
#: Fields that hold the text of a document when none is named.
_USUAL = ("paragraphs", "text", "content", "body", "note")
_LONGEST_CELL = 1 << 27
_WORD = re.compile(r"\S+")


def contexts(sources: Iterable[str | Path], *, field: str | None = None, words: int | None = None) -> Iterator[str]:
    """The contexts of all files, in the order of their names; `words` cuts paragraphs into windows of so many words."""
    for path in files(sources):
        for text in _texts(path, field):
            for start, end in paragraph_spans(text):
                yield from windows(text[start:end], words)


def files(sources: Iterable[str | Path]) -> list[Path]:
    """The files meant: those named, and in folders all whose names end as texts, JSON lines or tables do."""
    found: list[Path] = []
    for source in sources:
        path = Path(source)
        if path.is_dir():
            inside = [one for one in sorted(path.rglob("*")) if one.is_file() and _kind(one) is not None]
            if not inside:
                raise _error(
                    "K101", path, "The folder holds no text that kgsan reads.", "It reads .txt, .md, .jsonl, .csv and .tsv."
                )
            found += inside
        elif not path.is_file():
            raise _error("K101", path, "There is no such file or folder.")
        else:
            found.append(path)
    return found


def _kind(path: Path) -> str | None:
    suffix = path.with_suffix("").suffix if path.suffix in _PACKED else path.suffix
    return suffix if suffix in (*_TEXTS, *_LINES, *_TABLES) else None


def _texts(path: Path, field: str | None) -> Iterator[str]:
    kind = _kind(path) or ".txt"
    try:
        with _opened(path) as stream:
            if kind in _LINES:
                yield from _from_lines(stream, path, field)
            elif kind in _TABLES:
                yield from _from_table(stream, path, field, _TABLES[kind])
            else:
                yield stream.read()
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise _error("K101", path, f"It cannot be read: {system_says(error) or 'it is damaged'}.") from None
    except UnicodeDecodeError:
        raise _error("K102", path, "The bytes are not UTF-8.", "Save the file as UTF-8.") from None


def _opened(path: Path) -> IO[str]:
    opener = _PACKED.get(path.suffix)
    raw: IO[bytes] = opener(path, "rb") if opener is not None else path.open("rb")  # type: ignore[operator]
    return io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")


def _from_lines(stream: IO[str], path: Path, field: str | None) -> Iterator[str]:
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            raise _error("K110", path, "The line is no JSON.", line=number) from None
        wanted = (field,) if field else _USUAL
        value = told if isinstance(told, str) else next((told[f] for f in wanted if isinstance(told, dict) and f in told), None)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list) and all(isinstance(part, str) for part in value):
            yield "\n\n".join(value)
        else:
            hint = f"Name the field with --field; usual are {', '.join(_USUAL)}."
            raise _error("K110", path, "The line has no field with a text or a list of texts.", hint, line=number)


def _from_table(stream: IO[str], path: Path, field: str | None, mark: str) -> Iterator[str]:
    before = csv.field_size_limit(_LONGEST_CELL)  # the limit is everybody's: it is put back
    rows = csv.DictReader(stream, delimiter=mark)
    try:
        wanted = next((f for f in ((field,) if field else _USUAL) if f in (rows.fieldnames or ())), None)
        if wanted is None:
            raise _error("K110", path, "No column holds the texts.", "Name the column with --field.", line=1)
        for row in rows:
            yield row[wanted] or ""
    except csv.Error:
        raise _error("K110", path, "The table breaks its own rules.", line=rows.line_num) from None
    finally:
        csv.field_size_limit(before)


def windows(paragraph: str, words: int | None) -> Iterator[str]:
    if words is None:
        yield paragraph
        return
    start = count = 0
    for match in _WORD.finditer(paragraph):
        if count == words:
            yield paragraph[start : match.start()]
            start, count = match.start(), 0
        count += 1
    yield paragraph[start:]


def _error(code: str, path: Path, message: str, hint: str | None = None, line: int | None = None) -> KnowledgeError:
    return KnowledgeError(Problem(code, Place(path.name, line), message, hint))
