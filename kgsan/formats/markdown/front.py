"""The fields that stand before a text: keys and values, a value that is replaced is put in quotation marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgsan.formats.woven import BLANK, BLOCK, LINE

if TYPE_CHECKING:
    from kgsan.formats.html.source import Collector

_BEGIN = re.compile(r"---[ \t]*\r?\n")
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_FIELD = re.compile(r"([ \t-]*+[\w.-][\w. -]*+:[ \t]++)(\S[^\r\n]*+)")


def front_matter(text: str, collected: Collector) -> int:
    """Read the fields, if there are any; gives where the text begins."""
    if not (begin := _BEGIN.match(text)) or not (close := _END.search(text, begin.end())):
        return 0
    at = begin.end()
    for line in text[at : close.start()].splitlines(keepends=True):
        collected.join(LINE)
        if field := _FIELD.match(text, at, at + len(line)):
            _as_it_stands(text, *field.span(1), collected)
            collected.join(BLANK)
            value = field[2]
            quoted = value[0] == '"' == value[-1] and len(value) > 1 and not set(value[1:-1]) & set('"\\')
            collected.text(*field.span(2), value[1:-1] if quoted else value, _in_quotes)
        else:
            _as_it_stands(text, at, at + len(line), collected)
        at += len(line)
    collected.join(BLOCK)
    return close.end()


def _as_it_stands(text: str, start: int, end: int, collected: Collector) -> None:
    stripped = text[start:end].strip()
    if stripped:
        first = text.index(stripped, start, end)
        collected.text(first, first + len(stripped), stripped, str)


def _in_quotes(text: str) -> str:
    return f'"{text}"' if '"' not in text and "\\" not in text else text
