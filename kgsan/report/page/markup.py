"""HTML and SVG in which nothing from outside can become markup: whatever is not markup already is escaped."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Elements without content, of HTML and of SVG, which writes them in another way.
_EMPTY = {"meta": "", "rect": "/", "path": "/", "line": "/"}
#: What a browser would swallow, refuse or obey is shown instead: control signs, halves of letters, turned reading directions.
_SHOWN = (
    *range(0x80, 0xA0),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xD800, 0xE000),
    *range(0xFDD0, 0xFDF0),
    0xFFFE,
    0xFFFF,
)
_ESCAPES = {
    **{number: chr(0x2400 + number) for number in range(0x20)},
    **{ord("\t"): "\t", ord("\n"): "\n", ord("\r"): "\n", 0x7F: "\u2421"},
    **{number: f"⟨U+{number:04X}⟩" for number in _SHOWN},
    **{ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;"},
}


class Markup(str):
    """A piece of HTML or SVG that was made here."""

    __slots__ = ()


NOTHING = Markup()


def escaped(text: str) -> Markup:
    """A text from outside as a page may hold it, between tags and in attributes.

    >>> escaped("<b>\\x00\\r\\n")
    '&lt;b&gt;␀\\n'
    """
    return text if isinstance(text, Markup) else Markup(text.replace("\r\n", "\n").translate(_ESCAPES))


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Parts one after the other."""
    return Markup(escaped(between).join(map(escaped, parts)))


def element(name: str, /, *content: str, **attributes: str | int | None) -> Markup:
    """An element. Attributes that are None are left out; `class_` and `aria_label` are `class` and `aria-label`.

    >>> element("p", "a < b", class_="note", id=None)
    '<p class="note">a &lt; b</p>'
    >>> element("rect", stroke_width=2)
    '<rect stroke-width="2"/>'
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(str(value))}"' for key, value in attributes.items() if value is not None
    )
    return Markup(f"<{name}{told}{_EMPTY[name]}>" if name in _EMPTY else f"<{name}{told}>{joined(content)}</{name}>")


def unseen(text: str) -> Markup:
    """Words for those who listen to a page; those who see it see the same by other means."""
    return element("span", text, class_="unseen", dir="ltr")


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], caption: str, **attributes: str | None) -> Markup:
    """A table with a caption; the first cell of a row names the row."""
    head = element("tr", *(element("th", one, scope="col") for one in heads))
    body = (element("tr", *chain.from_iterable(_cells(number, cell) for number, cell in enumerate(row))) for row in rows)
    return element("table", element("caption", caption), element("thead", head), element("tbody", *body), **attributes)


def _cells(number: int, cell: str) -> tuple[Markup, ...]:
    return (element("td", cell) if number else element("th", cell, scope="row"),)
