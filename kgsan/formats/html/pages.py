"""A page taken apart: body, attributes, comments, style sheets; what cannot be read stops it, or is taken out."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from kgsan.formats.html import links, names
from kgsan.formats.html.encoding import decode
from kgsan.formats.html.source import Collector, Source
from kgsan.formats.html.styles import spoken_parts
from kgsan.formats.html.tokens import Attribute, Token, tokens
from kgsan.formats.html.writing import (
    ENTITY,
    ESCAPE,
    as_escape,
    escaped,
    escaped_exactly,
    in_quotes,
    unescaped,
    unescaped_attribute,
)
from kgsan.formats.woven import BLANK, BLOCK, LINE, NOTHING
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.formats.documents import Rules
    from kgsan.formats.html.encoding import Encoding

_WORDS = re.compile(r"[^ \t\n\r\f]++(?: [^ \t\n\r\f]++)*+")
#: What would end a paragraph in a text, and does not in an attribute.
_EMPTY_LINES = re.compile(r"[\t\r\f]|\n(?=[ \t\r\f]*+\n)|(?<=\n)\n")
_SPACES = re.compile(r"[ \t\n\r\f]")
_DOCTYPE = re.compile(
    r"(?i:doctype)\s+(?i:html)(?:\s+(?i:public|system)\s+[\"'](?:-//W3C//DTD |about:|http://www\.w3\.org/)[\w ./:-]*[\"']"
    r"(?:\s+[\"']http://www\.w3\.org/[\w./-]*[\"'])?)?\s*"
    r"|xml(?:\s+(?:version|encoding|standalone)=[\"'][\w.-]*[\"'])*\s*\??"
    r"|\[(?:if|endif|else)[\w !()&|.]{0,40}\](?:--)?"
)
_DATA = frozenset("application/json application/ld+json importmap text/plain text/template text/x-template text/html".split())
_ACTIVE = "It holds a script, which can write words that nobody has read."
_DOCUMENT = "It holds another document or data inside a link."
_PICTURE = "It holds a picture, and what a picture shows is not read."
_CHOOSE = "Take it out, or choose to remove or to keep such parts."


def read_html(content: bytes, name: str, rules: Rules) -> Source:
    """Take a page apart."""
    text, encoding = decode(content, name)
    if "<" not in text and text.strip():
        raise FileError(name, "This is no HTML: it holds no tag.")
    return page_source(text, encoding, name, rules)


def page_source(text: str, encoding: Encoding, name: str, rules: Rules) -> Source:
    """A page, or a part of one, taken apart."""
    page = Page(text, name, rules)
    page.read(0, len(text))
    page.collected.close()
    return Source(text, page.collected.places, page.collected.cuts, encoding)


class Page:
    """Reads markup into places."""

    def __init__(self, text: str, name: str, rules: Rules, collected: Collector | None = None) -> None:
        self.text = text
        self.name = name
        self.rules = rules
        self.collected = collected or Collector()
        self._keeping = 0  #: how many elements are open in which spaces stay
        self._removed_from = -1  #: where the script begins that is being taken out

    def read(self, start: int, end: int, *, commented: bool = False) -> None:
        """Read a part of the page."""
        for token in tokens(self.text, start, end):
            self.take(token, commented=commented)

    def take(self, token: Token, *, commented: bool = False) -> None:
        """Read one token."""
        match token.kind:
            case "text":
                self.running(token.start, token.end)
            case "open" | "close":
                self._tag(token, commented)
            case "comment":
                inner = Page(self.text, self.name, self.rules)
                inner._raw(*token.inner) if commented else inner.read(*token.inner, commented=True)
                self.collected.take_aside(inner.collected)
            case "declaration":
                if not _DOCTYPE.fullmatch(self.text, *token.inner):
                    self.collected.aside(*token.inner, self.text[slice(*token.inner)], str)
            case "raw":
                self._raw_element(token, commented)

    # --- text ------------------------------------------------------------------------------------------------------------

    def running(self, start: int, end: int) -> None:
        """Text with entities. Spaces are what a browser shows of them: one, or none at the edge of a block."""
        write = escaped_exactly if self._keeping else escaped
        at = start
        for entity in ENTITY.finditer(self.text, start, end):
            decoded = html.unescape(entity[0])
            if decoded != entity[0]:
                self._words(at, entity.start(), write)
                if _SPACES.fullmatch(decoded) and decoded != " ":
                    self.collected.join(BLANK)
                else:
                    self.collected.text(*entity.span(), decoded, write)
                at = entity.end()
        self._words(at, end, write)

    def _words(self, start: int, end: int, write: Callable[[str], str]) -> None:
        """Text without entities."""
        if self._keeping:
            if start < end:
                self.collected.text(start, end, self.text[start:end], write)
            return
        at = start
        for words in _WORDS.finditer(self.text, start, end):
            if words.start() > at:
                self.collected.join(BLANK)
            self.collected.text(*words.span(), words[0], write)
            at = words.end()
        if at < end:
            self.collected.join(BLANK)

    def _raw(self, start: int, end: int) -> None:
        """Text that knows no markup, with the escapes of programs."""
        at = start
        for escape in ESCAPE.finditer(self.text, start, end):
            self._literal(at, escape.start())
            self.collected.text(*escape.span(), unescaped(escape[0]), as_escape)
            at = escape.end()
        self._literal(at, end)

    def _literal(self, start: int, end: int) -> None:
        if start < end:
            self.collected.text(start, end, links.in_capitals(self.text[start:end]), str)

    def _raw_element(self, token: Token, commented: bool) -> None:
        self.collected.join(BLOCK)
        if token.name in ("title", "textarea"):
            self._keeping += 1
            self.running(token.start, token.end)
            self._keeping -= 1
        elif token.name == "style" and links.holds_data(self.text[token.start : token.end]) and self._unread(_PICTURE):
            self.collected.cut(token.start, token.end)
        elif token.name == "style":
            for part in spoken_parts(self.text, token.start, token.end):
                self.collected.join(BLOCK)
                self._raw(*part)
        elif token.name != "script" or self._removed_from < 0:
            self._raw(token.start, token.end)
        self.collected.join(BLOCK)

    # --- tags ------------------------------------------------------------------------------------------------------------

    def _tag(self, token: Token, commented: bool) -> None:
        name = token.name
        self.collected.join(
            BLOCK if name in names.BLOCKS else LINE if name in names.LINES else BLANK if name in names.BLANKS else NOTHING
        )
        if name in names.KEEPS_SPACES and not token.empty:
            self._keeping = max(0, self._keeping + (1 if token.kind == "open" else -1))
        if name not in names.ELEMENTS:
            at = token.start + 1 + (token.kind == "close")
            self._name(at, at + len(name))
        if name == "script" and not commented and self._script_is_removed(token):
            return
        for attribute in token.attributes:
            self._attribute(token, attribute, commented)

    def _name(self, start: int, end: int) -> None:
        """The name of an element or attribute that is none of HTML's; a name holds no spaces."""
        self.collected.aside(start, end, self.text[start:end].replace("_", " "), lambda text: text.replace(" ", "_"))

    def _script_is_removed(self, token: Token) -> bool:
        if token.kind == "close":
            if self._removed_from >= 0:
                self.collected.cut(self._removed_from, token.end)
                self._removed_from = -1
                return True
            return False
        kind = next((self._value(one).strip().lower() for one in token.attributes if one.name == "type"), "")
        if kind in _DATA:
            return False
        if self._unread(_ACTIVE):
            self._removed_from = token.start
            return True
        return False

    def _unread(self, sentence: str, *, never_kept: bool = False) -> bool:
        """Whether a part that cannot be read is to be taken out."""
        if self.rules.pictures == "stop" or (never_kept and self.rules.pictures == "keep"):
            raise FileError(self.name, sentence, _CHOOSE if not never_kept else "Take it out, or choose to remove such parts.")
        return self.rules.pictures == "remove"

    def _value(self, attribute: Attribute) -> str:
        return unescaped_attribute(self.text[attribute.value_start : attribute.value_end])

    def _attribute(self, token: Token, attribute: Attribute, commented: bool) -> None:
        name, value = attribute.name, self._value(attribute)
        if not names.is_known_attribute(name) and not (name.startswith("on") and name.isalpha()):
            self._name(attribute.start, attribute.name_end)
        if attribute.value_start == attribute.value_end:
            return
        if name.startswith("on") and name.isalpha() and not commented:
            if self._unread(_ACTIVE):
                self.collected.cut(attribute.start, attribute.end)
                return
        elif name == "srcdoc":
            if self._unread(_DOCUMENT, never_kept=True):
                self.collected.cut(attribute.start, attribute.end)
            return
        elif name.endswith("srcset") and links.holds_data(value):
            if self._unread(_PICTURE):
                self.collected.cut(attribute.start, attribute.end)
            return
        elif name in names.LINKS:
            self.link(attribute.value_start, attribute.value_end, value, in_quotes(attribute.quote))
            return
        elif name == "style":
            if links.holds_data(value) and self._unread(_PICTURE):
                self.collected.cut(attribute.start, attribute.end)
                return
            if not any(spoken_parts(value, 0, len(value))):
                return
        elif names.says_nothing(name, value):
            return
        write = in_quotes(attribute.quote)
        self.collected.aside(attribute.value_start, attribute.value_end, links.in_capitals(_EMPTY_LINES.sub(" ", value)), write)

    def link(self, start: int, end: int, value: str, write: Callable[[str], str]) -> None:
        """An address, or a picture or document that is written in its place."""
        if links.is_picture(value) or links.is_unread(value):
            picture = links.is_picture(value)
            if self._unread(_PICTURE if picture else _DOCUMENT, never_kept=not picture):
                self.collected.cut(start, end, write("#"))
        elif not links.is_font(value):
            self.collected.aside(start, end, links.spoken(value), lambda text: write(links.replaced(text)))
