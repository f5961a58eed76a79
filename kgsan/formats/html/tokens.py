"""Where tags, comments and text of a page begin and end, read as tolerantly as a browser reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Elements whose content is no markup.
RAW = frozenset("script style xmp title textarea".split())
_NAME = re.compile(r"[A-Za-z][^ \t\n\r\f/>]*")
_BEFORE_ATTRIBUTE = re.compile(r"[ \t\n\r\f/]*")
_ATTRIBUTE = re.compile(
    r"([^ \t\n\r\f/>][^ \t\n\r\f/>=]*)"
    r"(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:\"([^\"]*)\"|'([^']*)'|([^ \t\n\r\f>\"'][^ \t\n\r\f>]*)|(?=>)))?"
)
_BROKEN = re.compile(r"[ \t\n\r\f]*=[ \t\n\r\f]*[\"']")


@dataclass(frozen=True, slots=True)
class Attribute:
    """A name and where its value stands; an empty value stands nowhere."""

    name: str
    start: int
    name_end: int
    value_start: int
    value_end: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a page: "text", "open", "close", "comment" (where its words stand), "raw" or "declaration"."""

    kind: str
    start: int
    end: int
    name: str = ""
    attributes: tuple[Attribute, ...] = ()
    inner: tuple[int, int] = (0, 0)  #: what a comment or a declaration holds
    empty: bool = False  #: a tag that ends in "/>"


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """The parts of a page, without gaps.

    >>> [token.kind for token in tokens("<p title=x>a<!-- b --></p>", 0, 26)]
    ['open', 'text', 'comment', 'close']
    """
    at = start
    strict = text.startswith("<?xml", start)
    while at < end:
        mark = _next_mark(text, at, end)
        if mark > at:
            yield Token("text", at, mark)
        if mark >= end:
            return
        token = token_at(text, mark, end)
        if token is None:  # a tag that never ends
            yield Token("raw", mark, end)
            return
        yield token
        at = token.end
        if token.kind == "open" and token.name in RAW and not (strict and token.empty):
            close = re.compile(rf"</{token.name}(?=[ \t\n\r\f/>])", re.IGNORECASE).search(text, at, end)
            stop = close.start() if close else end
            if stop > at:
                yield Token("raw", at, stop, token.name)
            at = stop


_MARK = re.compile(r"<[A-Za-z/!?]")


def _next_mark(text: str, at: int, end: int) -> int:
    found = _MARK.search(text, at, end)
    return found.start() if found else end


def token_at(text: str, at: int, end: int) -> Token | None:
    """The tag, comment or declaration that begins at a place, or nothing if it never ends."""
    if text.startswith("<!--", at):
        return _comment(text, at, end)
    if text.startswith("<![CDATA[", at):
        stop = text.find("]]>", at, end)
        return Token("comment", at, end if stop < 0 else stop + 3, inner=(at + 9, end if stop < 0 else stop))
    if text.startswith(("<!", "<?"), at) or (text.startswith("</", at) and not _NAME.match(text, at + 2, end)):
        stop = text.find(">", at, end)
        return Token("declaration", at, end if stop < 0 else stop + 1, inner=(at + 2, end if stop < 0 else stop))
    closing = text.startswith("</", at)
    name = _NAME.match(text, at + 1 + closing, end)
    if name is None:
        return Token("text", at, at + 1)
    attributes, stop = _attributes(text, name.end(), end)
    if stop < 0:
        return None
    kind = "close" if closing else "open"
    return Token(kind, at, stop, name[0].lower(), attributes, empty=text[stop - 2] == "/")


def _comment(text: str, at: int, end: int) -> Token:
    for short in ("<!-->", "<!--->"):
        if text.startswith(short, at):
            return Token("comment", at, at + len(short), inner=(at + 4, at + 4))
    found = _COMMENT_END.search(text, at + 4, end)
    return Token("comment", at, found.end() if found else end, inner=(at + 4, found.start() if found else end))


_COMMENT_END = re.compile(r"--!?>")


def _attributes(text: str, at: int, end: int) -> tuple[tuple[Attribute, ...], int]:
    found: list[Attribute] = []
    while True:
        before = _BEFORE_ATTRIBUTE.match(text, at, end)
        at = before.end() if before else at
        if at >= end:
            return (), -1
        if text[at] == ">":
            return tuple(found), at + 1
        match = _ATTRIBUTE.match(text, at, end)
        assert match is not None  # one letter that is no space, no slash and no ">" is enough
        number = match.lastindex or 1
        if number == 1 and _BROKEN.match(text, match.end(), end):
            return (), -1  # a quotation mark that is never closed
        start, stop = match.span(number) if number > 1 else (match.end(), match.end())
        quote = {2: '"', 3: "'"}.get(number, "")
        found.append(Attribute(match[1].lower(), at, match.end(1), start, stop, match.end(), quote))
        at = match.end()
