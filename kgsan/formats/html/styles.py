"""Which parts of a style sheet hold words of its author: selectors, comments, quoted texts; colours and lengths do not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK = re.compile(r"[^{};]+")
_DECLARATION = re.compile(r"[ \t\r\n\f]*+([a-z-]++)[ \t\r\n\f]*+:([^\"'\\@<:]*+)")
#: The first word of properties whose values are numbers and keywords.
_KEYWORDS = frozenset(
    """accent align all appearance aspect backface background border bottom box break caption caret clear clip color column
    columns cursor direction display empty fill filter flex float font gap grid height hyphens image inset isolation
    justify left letter line list margin mask max min mix moz ms mso o object opacity order orphans outline overflow
    padding page perspective place pointer position resize right row scroll size stroke tab table text top transform
    transition unicode user vertical visibility webkit white widows width word z zoom""".split()
)
_FONT = re.compile(r"[ \t\r\n\f]*+font(?:-family)?[ \t\r\n\f]*+:[\w \t\r\n\f\"',.%/!-]*+")


def spoken_parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where words stand in a style sheet or a style attribute.

    >>> sheet = ".patient { color: red; content: 'seen' }"
    >>> [sheet[start:end] for start, end in spoken_parts(sheet, 0, len(sheet))]
    ['.patient ', " content: 'seen' "]
    """
    for chunk in _CHUNK.finditer(text, start, end):
        if not chunk[0].isspace() and (text[chunk.end() : chunk.end() + 1] == "{" or not _says_nothing(chunk[0])):
            yield chunk.span()


def _says_nothing(declaration: str) -> bool:
    if _FONT.fullmatch(declaration):
        return True
    found = _DECLARATION.fullmatch(declaration)
    if found is None or "/*" in declaration or "url" in declaration:
        return False
    return found[1].lstrip("-").split("-")[0] in _KEYWORDS and not found[1].startswith("--")
