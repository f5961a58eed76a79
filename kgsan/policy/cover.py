"""The lines of a policy with the texts of its examples covered."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.policy.fields import POLICY
from kgsan.policy.guess import guessed_field
from kgsan.policy.items import EXAMPLE
from kgsan.policy.located import Fields, Items, Refused, Text, read_yaml
from kgsan.policy.syntax import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.located import Located
    from kgsan.policy.shapes import Section

_COVERED = "·"
_MOST_GUESSES = 500
_TEXT_NAMES = frozenset(name for field in EXAMPLE.fields if field.name == "text" for name in (field.name, *field.also_called))
_FIELD_NAMES = re.compile(r"([A-Za-z_-]{3,30})[\"']?[ \t]{0,4}:")
_WORD = re.compile(r"[\w<-]{1,40}")
_Span = tuple[tuple[int, int], tuple[int, int]]


@dataclass(slots=True)
class Cover:
    """The lines of a policy, what of them is covered, and where each value ends. Lines and columns count from 1."""

    lines: list[str]
    covered: dict[int, list[tuple[int, int]]] = field(default_factory=dict, repr=False)
    ends: dict[tuple[int, int], int] = field(default_factory=dict, repr=False)
    doubtful_from: int | None = None

    def is_doubtful(self, number: int) -> bool:
        """Whether the YAML is broken and the line may hold the text of an example."""
        return self.doubtful_from is not None and number >= self.doubtful_from

    def part(self, number: int, first: int, last: int) -> str:
        """The signs of a line from one column to before another; those of examples are covered."""
        signs = list(self.lines[number - 1][first - 1 : last - 1])
        spans = self.covered.get(number, [])
        for start, end in spans[max(0, bisect_left(spans, (first, first)) - 1) :]:
            if start >= last:
                break
            for column in range(max(start, first), min(end, first + len(signs))):
                signs[column - first] = _COVERED
        return "".join(signs)

    def end(self, number: int, column: int) -> int:
        """The column after the value that begins here; after the word, where the YAML is broken."""
        known = self.ends.get((number, column))
        if known is not None:
            return known
        word = _WORD.match(self.lines[number - 1], column - 1)
        return max(column + 1, word.end() + 1 if word else 0)


def cover(text: str) -> Cover:
    """The lines of a YAML text, fit to be shown."""
    text = text.removeprefix("\ufeff")
    made = Cover(lines_of(text))
    reading = read_yaml(text, "")
    guesses = _Guesses()
    if reading.problems:
        # What was refused, a second `text` for instance, stands in no tree.
        numbered = enumerate(made.lines, 1)
        made.doubtful_from = next((number for number, line in numbered if _names_an_example(line, guesses)), None)
    if reading.root is None:
        return made
    for value in _all(reading.root):
        _note_end(value, made)
    for (first, start), (last, end) in _private(reading.root, guesses):
        for number in range(first, min(last, len(made.lines)) + 1):
            line = made.lines[number - 1]
            span = (start if number == first else 1, end if number == last else len(line) + 1)
            made.covered.setdefault(number, []).append(span)
    made.covered = {number: _merged(spans) for number, spans in made.covered.items()}
    return made


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same columns in order and without overlaps."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


class _Guesses:
    """What unknown names may mean, each asked once; of more than anyone would mistype, the worst is thought."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], str | None] = {}

    def may_mean(self, name: str, section: Section, field: str | None) -> bool:
        if (section.name, name) not in self._kept:
            if len(self._kept) >= _MOST_GUESSES:
                return True
            self._kept[section.name, name] = guessed_field(name, section)
        return self._kept[section.name, name] == field


def _names_an_example(line: str, guesses: _Guesses) -> bool:
    names = dict.fromkeys(_FIELD_NAMES.findall(line))
    return any(guesses.may_mean(name, POLICY, "examples") or guesses.may_mean(name, EXAMPLE, "text") for name in names)


def _note_end(value: Located, made: Cover) -> None:
    line, column = value.place.line, value.place.column
    if line is None or column is None or value.end is None:
        return
    end = value.end[1] if value.end[0] == line else len(made.lines[line - 1].rstrip()) + 1
    if isinstance(value, Text | Refused):
        made.ends[line, column] = end
    elif isinstance(value, Items | Fields) and value.flow:
        made.ends.setdefault((line, column), end)


def _all(value: Located) -> Iterator[Located]:
    """The value and everything in it; never deeper than a policy may be."""
    yield value
    if isinstance(value, Items):
        for item in value.items:
            yield from _all(item)
    elif isinstance(value, Fields):
        for key, below in value.pairs:
            yield key
            yield from _all(below)


def _private(root: Fields, guesses: _Guesses) -> Iterator[_Span]:
    """Where texts of examples stand: under `text`, wherever an example holds something that is no field of it, and outside it
    where indentation may have put them."""
    for fields in _all(root):
        for key, value in fields.pairs if isinstance(fields, Fields) else ():
            if key.text in _TEXT_NAMES:
                yield from _spans(value)
    for key, value in _after_examples(root, guesses):
        yield from _spans(key)
        yield from _spans(value)
    for key, value in root.pairs:
        if not guesses.may_mean(key.text, POLICY, "examples"):
            continue
        for example in value.items if isinstance(value, Items) else (value,):
            if not isinstance(example, Fields):
                yield from _spans(example)
                continue
            for name, below in example.pairs:
                known = name.text if EXAMPLE.field(name.text) is not None else None
                if known is None and guesses.may_mean(name.text, EXAMPLE, None):
                    yield from _spans(name)
                if known is None or known == "text":
                    yield from _spans(below)


def _after_examples(root: Fields, guesses: _Guesses) -> Iterator[tuple[Text, Located]]:
    """What nobody knows behind the examples: perhaps the rest of a text that was not indented."""
    behind = False
    for key, value in root.pairs:
        behind = behind or key.text == "examples"
        if behind and guesses.may_mean(key.text, POLICY, None):
            yield key, value


def _spans(value: Located) -> Iterator[_Span]:
    if value.place.line is not None and value.place.column is not None and value.end is not None:
        yield (value.place.line, value.place.column), value.end
