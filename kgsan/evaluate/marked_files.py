"""Marked documents from files: JSON lines with spans, or columns of words whose last says what each word is."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place, Problem, system_says
from kgsan.evaluate.generated import MarkedText
from kgsan.sanitize.greedy.problems import TOLD, LearningError, error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

#: Where columns do not say where a document begins, so many sentences are one.
SENTENCES = 10
_START = "-DOCSTART-"
_POSITIONS = ("b-", "i-", "e-", "s-", "l-", "u-")
_LARGEST = 1 << 30


@dataclass(slots=True)
class _Column:
    """A document that is being put together from words."""

    parts: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    size: int = 0
    sentences: int = 0

    def add(self, word: str, sensitive: bool) -> None:
        if sensitive:
            self.spans.append((self.size, self.size + len(word)))
        self._write(word + " ")

    def end_sentence(self) -> None:
        if self.parts and self.parts[-1] != "\n":
            self.sentences += 1
            self._write("\n")

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.size += len(text)

    def made(self) -> MarkedText:
        return MarkedText("".join(self.parts), tuple(self.spans))


def read_marked(path: Path, label: str | None = None, sentences: int = SENTENCES) -> list[MarkedText]:
    """The documents of a file; with a label, only what has it is sensitive. Raises one `LearningError` with all problems."""
    try:
        with path.open("rb") as stream:
            content = stream.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise error("E201", path.name, "The file is larger than 1 GB.", "Give it in parts.")
        text = content.decode("utf-8-sig")
    except OSError as problem:
        said = (
            "There is no such file." if isinstance(problem, FileNotFoundError) else f"It cannot be read: {system_says(problem)}."
        )
        raise error("E201", path.name, said, "Check the spelling of its name and folder.") from None
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise error("E201", path.name, "From here on it is not text in UTF-8.", line=line) from None
    lines = text.split("\n")
    read = _json_lines if text.lstrip()[:1] == "{" else _columns
    return read(lines, path.name, label, sentences)


def _json_lines(lines: Sequence[str], name: str, label: str | None, _sentences: int) -> list[MarkedText]:
    made: list[MarkedText] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            text, spans = found["text"], list(found["spans"])
        except (ValueError, KeyError, TypeError, RecursionError):
            text, spans = None, []
        if not isinstance(text, str):
            said = 'The line is not {"text": ..., "spans": [[start, end], ...]}.'
            problems.append(Problem("E201", Place(name, number), said))
            continue
        places = [_place(span) for span in spans if label is None or _label(span) == label.casefold()]
        if not all(place is not None and 0 <= place[0] < place[1] <= len(text) for place in places):
            hint = "Count characters; the end is the first behind it."
            problems.append(Problem("E202", Place(name, number), "A span is no [start, end] within the text.", hint))
            continue
        made.append(MarkedText(text, tuple(place for place in places if place is not None)))
    if problems:
        raise LearningError(*problems[:TOLD])
    return made


def _place(span: Any) -> tuple[int, int] | None:
    if isinstance(span, dict):
        span = (span.get("start"), span.get("end"))
    if not isinstance(span, (list, tuple)) or len(span) < 2 or any(type(number) is not int for number in span[:2]):
        return None
    return span[0], span[1]


def _label(span: Any) -> str:
    found = span.get("label") if isinstance(span, dict) else span[2] if isinstance(span, list) and len(span) > 2 else None
    return found.casefold() if isinstance(found, str) else ""


def _columns(lines: Sequence[str], name: str, label: str | None, sentences: int) -> list[MarkedText]:
    told = any(line.startswith(_START) for line in lines)
    return [one.made() for one in _documents(lines, name, label, None if told else sentences) if one.sentences]


def _documents(lines: Sequence[str], name: str, label: str | None, sentences: int | None) -> Iterator[_Column]:
    current = _Column()
    for number, line in enumerate(lines, 1):
        columns = line.split()
        if not columns or columns[0] == _START:
            current.end_sentence()
            if (columns and current.sentences) or (sentences is not None and current.sentences >= sentences):
                yield current
                current = _Column()
        elif len(columns) < 2:
            said = "The line is neither JSON nor a word and what it is, in columns."
            raise error("E201", name, said, "An empty line ends a sentence.", number)
        else:
            current.add(columns[0], _is(columns[-1], label))
    current.end_sentence()
    yield current


def _is(mark: str, label: str | None) -> bool:
    """Whether a mark in the manner of B-PER, I-PER or O says that a word is sensitive.

    >>> [_is("O", None), _is("B-LOC", None), _is("B-LOC", "PER"), _is("I-PER", "per"), _is("PER", "PER")]
    [False, True, False, True, True]
    """
    mark = mark.casefold()
    bare = mark[2:] if mark.startswith(_POSITIONS) else mark
    return bare not in ("o", "_") and (label is None or bare == label.casefold())
