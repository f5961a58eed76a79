"""Problems of a policy for people, for programs and for code review: where, what, the line itself, and what to do.

A policy is no secret, but the text of an example may be taken from life: it is covered wherever a line is shown.
"""

from __future__ import annotations

import json
import textwrap
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from kgsan.errors import CODES
from kgsan.policy.cover import Cover, cover
from kgsan.policy.opened import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgsan.errors import Place, Problem

_TAB = 4
_RED, _BOLD, _BLUE, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[34m", "\x1b[0m"
_NOT_SHOWN = "(not shown: it may hold the text of an example)"
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def render(
    problems: Sequence[Problem], sources: Mapping[str, str] | None = None, *, color: bool = False, width: int = 100
) -> str:
    """Every problem with its line and a mark below the words it is about, and how many there are.

    `sources` gives the texts by the names that places use; a text that is not given is read from the file of that name.
    """
    covers: dict[str, Cover | None] = {}
    blocks = []
    for problem in problems:
        file = problem.place.file
        if file not in covers:
            text = sources.get(file) if sources is not None and file in sources else _read(problem.place)
            covers[file] = None if text is None else cover(text)
        blocks.append(_block(problem, covers[file], color, max(width, 40)))
    files = len({problem.place.file for problem in problems if problem.place.line})
    count = "1 problem" if len(problems) == 1 else f"{len(problems):,} problems"
    return "\n\n".join([*blocks, f"{count} in {files} files." if files > 1 else f"{count}."]) + "\n"


def _read(place: Place) -> str | None:
    if place.line is None:
        return None
    text = text_of(Path(place.file), place.file)
    return text if isinstance(text, str) else None


def _block(problem: Problem, cover: Cover | None, color: bool, width: int) -> str:
    red, bold, blue, plain = (_RED, _BOLD, _BLUE, _PLAIN) if color else ("", "", "", "")
    lines = [f"{bold}{_clean(str(problem.place))}: {red}{problem.code}{plain}{bold} {_clean(problem.message)}{plain}"]
    place = problem.place
    if cover is not None and place.line is not None and 0 < place.line <= len(cover.lines):
        number = str(place.line)
        gutter = " " * len(number)
        if cover.is_doubtful(place.line):
            lines.append(f"  {blue}{number} |{plain} {_NOT_SHOWN}")
        else:
            column = place.column or 1
            shown, caret = _excerpt(cover, place.line, column, width - len(number) - 5)
            lines += [f"  {blue}{number} |{plain} {shown}".rstrip(), f"  {gutter} {blue}|{plain} {red}{caret}{plain}"]
    if problem.hint:
        lines += textwrap.wrap(
            _clean(problem.hint),
            width,
            initial_indent="  ",
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)


def _clean(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _excerpt(cover: Cover, number: int, column: int, room: int) -> tuple[str, str]:
    """The part of a line around a place as a terminal shows it, and the carets below it. No more of the line is looked at."""
    length = len(cover.lines[number - 1])
    end = cover.end(number, column)
    first = 1
    if _room(cover.part(number, 1, room + 2)) > room - 2 and (end > room or _room(cover.part(number, 1, end)) > room - 2):
        # Some words before the place, and as much as fits after it.
        first = max(1, column - room // 3)
    shown: list[str] = []
    for sign in cover.part(number, first, first + room):
        if _room(shown) + _width(sign) > room - 2:
            break
        shown.append(sign)
    before, after = "…" if first > 1 else "", "…" if first + len(shown) <= length else ""
    blank = len(before) + _room(cover.part(number, first, column))
    marked = _room(cover.part(number, column, min(end, first + len(shown))))
    return before + "".join(map(_glyph, shown)) + after, " " * blank + "^" * max(1, marked)


def _room(signs: str | list[str]) -> int:
    return sum(map(_width, signs))


def _width(sign: str) -> int:
    if sign == "\t":
        return _TAB
    if unicodedata.combining(sign) or sign in "\u200c\u200d":
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def _glyph(sign: str) -> str:
    return " " * _TAB if sign == "\t" else sign if sign.isprintable() or sign in "\u200c\u200d" else "\ufffd"


def as_json(problems: Sequence[Problem]) -> str:
    """The problems as a JSON list, for programs."""
    rows = [
        {
            "code": problem.code,
            "file": problem.place.file,
            "line": problem.place.line,
            "column": problem.place.column,
            "message": problem.message,
            "hint": problem.hint,
        }
        for problem in problems
    ]
    return json.dumps(rows, indent=2)


def as_sarif(problems: Sequence[Problem]) -> str:
    """The problems in SARIF 2.1.0, which code review systems show beside the lines."""
    codes = sorted({problem.code for problem in problems})
    rules = [{"id": code, "shortDescription": {"text": CODES[code]}} for code in codes]
    run = {
        "tool": {"driver": {"name": "kgsan", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [
            {
                "ruleId": problem.code,
                "ruleIndex": codes.index(problem.code),
                "level": "error",
                "message": {"text": f"{problem.message} {problem.hint}" if problem.hint else problem.message},
                "locations": [{"physicalLocation": _location(problem.place)}],
            }
            for problem in problems
        ],
    }
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=2)


def _location(place: Place) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(place.file.replace("\\", "/"), errors="replace")}}
    if place.line is not None:
        location["region"] = {"startLine": place.line} | ({"startColumn": place.column} if place.column else {})
    return location
