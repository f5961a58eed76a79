"""How letters are written in pages so that they mean themselves, and what is meant by letters that are written so."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ENTITY = re.compile(r"&(?:#[0-9]{1,1000}|#[xX][0-9a-fA-F]{1,1000}|[A-Za-z][A-Za-z0-9]{1,31});?")
#: How programs and data write letters.
ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|[^\n])")
_IRREGULAR = re.compile(r"\A | (?= )| \Z|(?<=\n) | (?=\n)|[\t\r\f]")


def escaped_exactly(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escaped(text: str) -> str:
    """Text between tags. A space that a browser would not show is written by its number, so that it is read again."""
    return _IRREGULAR.sub("&#32;", escaped_exactly(text)).replace("\n", "<br>")


def in_quotes(quote: str) -> Callable[[str], str]:
    def written(text: str) -> str:
        safe = html.escape(text, quote=True)
        return safe if quote else f'"{safe}"'

    return written


def unescaped_attribute(value: str) -> str:
    """An attribute's text; an ampersand in a query that no semicolon ends is an ampersand."""
    if "&" not in value:
        return value

    def decoded(entity: re.Match[str]) -> str:
        follows = value[entity.end() : entity.end() + 1]
        return entity[0] if not entity[0].endswith(";") and (follows == "=" or follows.isalnum()) else html.unescape(entity[0])

    return ENTITY.sub(decoded, value)


def unescaped(escape: str) -> str:
    if escape[1] in "xu" and len(escape) > 2:
        number = int(escape[2:].strip("{}"), 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "�"
    return " " if escape[1] in "nrtfv" else escape[1]


def as_escape(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter == " " else f"\\u{ord(letter):04x}" for letter in text)
