"""JSON as it is written: every value knows where it stands, so that what is not changed stays letter for letter."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.formats.problems import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'([{}\[\],])|("(?:[^"\\]++|\\.)*+")\s*+(:)?|([^\s{}\[\],:"]++)', re.DOTALL)
#: No record is nested deeper than this.
_DEEPEST = 150
_HALF = re.compile("[\ud800-\udfff]")
#: Stands for a value that is put in later; no JSON holds it.
HOLE = "\0"


@dataclass(slots=True)
class Value:
    """A value of JSON, where it stands, and what becomes of it."""

    kind: str  #: "{", "[", '"' or "" for numbers and the like
    start: int
    end: int = 0
    key: str | None = None
    first: int = 0  #: where its key begins, if it has one
    text: str = field(default="", repr=False)
    inside: list[Value] = field(default_factory=list, repr=False)
    new: str | None = field(default=None, repr=False)  #: what is written in its place
    is_dropped: bool = False
    is_hole: bool = False

    def get(self, key: str) -> Value | None:
        """The value of a field."""
        return next((one for one in self.inside if one.key == key), None)

    def said(self, key: str) -> str:
        """The text of a field, or nothing."""
        found = self.get(key)
        return found.text if found is not None and found.kind == '"' else ""


def parse(source: str, name: str, line: int | None = None) -> Value:
    """The value that a text holds."""
    try:
        json.loads(source)
    except (ValueError, RecursionError):
        raise FormatError("F104", name, "This is not JSON, or it is cut short.", line=line) from None
    open_ones: list[Value] = []
    key: tuple[str, int] | None = None
    for token in _TOKEN.finditer(source):
        sign = token[1]
        if sign == ",":
            continue
        if sign in ("}", "]"):
            closed = open_ones.pop()
            closed.end = token.end()
            if not open_ones:
                return closed
            continue
        if token[3]:
            key = json.loads(token[2]), token.start()
            continue
        made = Value(sign or ('"' if token[2] else ""), token.start(), token.end())
        made.first = made.start
        if key is not None:
            made.key, made.first = key
            key = None
        if token[2]:
            made.text = json.loads(token[2])
        if open_ones:
            open_ones[-1].inside.append(made)
        if sign:
            open_ones.append(made)
            if len(open_ones) > _DEEPEST:
                raise FormatError("F104", name, "It is nested deeper than any record is.", line=line)
        elif not open_ones:
            return made
    raise AssertionError


def written(value: Value, source: str) -> str:
    """A value as it is now: with new texts, and without what was dropped and what became empty by that."""
    return "".join(_pieces(value, source, is_top=True))


def _pieces(value: Value, source: str, *, is_top: bool = False) -> Iterator[str]:
    if value.is_hole and not is_top:
        yield HOLE
    elif value.new is not None:
        # Half of a pair of signs can stand in a file as \\ud800 only.
        yield json.dumps(value.new, ensure_ascii=source.isascii() or _HALF.search(value.new) is not None)
    elif not value.inside or not _is_touched(value):
        yield source[value.start : value.end]
    else:
        place, is_first = value.start + 1, True
        yield value.kind
        for one in value.inside:
            if not is_gone(one):
                yield "" if is_first else ","
                yield source[place : one.first].replace(",", "", 1)
                yield source[one.first : one.start]
                yield from _pieces(one, source)
                is_first = False
            place = one.end
        yield source[place : value.end]


def is_gone(value: Value) -> bool:
    """Whether nothing of a value is left."""
    return value.is_dropped or (bool(value.inside) and all(map(is_gone, value.inside)))


def _is_touched(value: Value) -> bool:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if one.is_dropped or (one.is_hole and one is not value) or one.new is not None:
            return True
        waiting += one.inside
    return False
