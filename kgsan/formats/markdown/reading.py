"""A text in Markdown taken apart: lines and what opens them, words and what dresses them."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

from kgsan.formats.html import links
from kgsan.formats.html.encoding import decode
from kgsan.formats.html.pages import Page
from kgsan.formats.html.source import Source
from kgsan.formats.html.tokens import RAW, token_at
from kgsan.formats.markdown.front import front_matter
from kgsan.formats.markdown.marks import (
    AUTOLINK,
    DEFINITION,
    DESTINATION,
    EMPTY_LINE,
    ENTITY,
    FENCE,
    LABEL,
    PREFIX,
    RULE,
    SPECIAL,
    TABLE,
    WORDS,
    escaped,
    in_title,
    is_emphasis,
    link_brackets,
)
from kgsan.formats.woven import BLANK, BLOCK, LINE
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from kgsan.formats.documents import Rules


def read_markdown(content: bytes, name: str, rules: Rules) -> Source:
    """Take a text in Markdown apart."""
    text, encoding = decode(content, name, declared="utf-8")
    reader = _Markdown(text, name, rules)
    reader.read()
    return Source(text, reader.collected.places, reader.collected.cuts, encoding)


class _Markdown:
    def __init__(self, text: str, name: str, rules: Rules) -> None:
        self.text = text
        self.name = name
        self.page = Page(text, name, rules)
        self.collected = self.page.collected
        self._breaks = [found.start() for found in EMPTY_LINE.finditer(text)]
        self._ruled = {found.start(): found.end() for found in TABLE.finditer(text)}  # the lines below the heads of tables
        self._tables = {bisect_left(self._breaks, place) for place in self._ruled}
        self._opening = link_brackets(text)
        self._ticks: dict[int, list[int]] = {}
        for run in re.finditer("`+", text):
            self._ticks.setdefault(len(run[0]), []).append(run.start())
        self._next_close = 0  #: where the next ">" stands
        self._held = False  #: whether the mark that was read last is a letter of the words around it
        self._last_prefix = ""

    def read(self) -> None:
        begin = at = self._line(front_matter(self.text, self.collected))
        while found := SPECIAL.search(self.text, at):
            self._held = False
            at = self._special(found, begin)
            begin = begin if self._held else at
        self._words(begin, len(self.text))
        self.collected.close()

    def _special(self, found: re.Match[str], at: int) -> int:
        """Read the words before a mark and the mark itself; gives where to read on."""
        text, mark, start, end = self.text, found[0], found.start(), found.end()
        if mark in ("\n", "\r\n"):
            self._words(at, start)
            hard = text.endswith("  ", at, start) or text.endswith("\\", at, start)
            return self._line(end, LINE if hard else BLANK)
        if mark[0] == "\\":
            self._words(at, start)
            self.collected.text(start, end, mark[1], escaped)
            return end
        if mark[0] == "`":
            return self._code(at, start, len(mark))
        if mark[0] in "*~_":
            return self._emphasis(at, start, end)
        if mark[0] in "![":
            bracket = end - 1
            if bracket not in self._opening:
                return self._letters(end)
            self._words(at, start)
            return end
        if mark == "]":
            return self._bracket(at, start)
        if mark == "|":
            if self._paragraph(start) not in self._tables:
                return self._letters(end)
            self._words(at, start)
            self.collected.join(LINE)
            return end
        return self._markup(at, start) if mark == "<" else self._entity(at, start)

    # --- words -----------------------------------------------------------------------------------------------------------

    def _words(self, start: int, end: int) -> None:
        at = start
        for words in WORDS.finditer(self.text, start, end):
            if words.start() > at:
                self.collected.join(BLANK)
            following = self.text[words.end() : words.end() + 1]
            special = following in ("(", "[", ":") or "]" in words[0]
            write = partial(escaped, before=words[0], following=following) if special else escaped
            self.collected.text(*words.span(), words[0], write)
            at = words.end()
        if at < end:
            self.collected.join(BLANK)

    def _letters(self, end: int) -> int:
        """What looked like a mark is none."""
        self._held = True
        return end

    def _emphasis(self, at: int, start: int, end: int) -> int:
        if not is_emphasis(self.text[start - 1 : start], self.text[start], self.text[end : end + 1]):
            return self._letters(end)
        self._words(at, start)
        return end

    def _entity(self, at: int, start: int) -> int:
        entity = ENTITY.match(self.text, start)
        decoded = html.unescape(entity[0]) if entity else ""
        if entity is None or decoded == entity[0]:
            return self._letters(start + 1)
        self._words(at, start)
        self.collected.text(*entity.span(), decoded, escaped)
        return entity.end()

    # --- lines -----------------------------------------------------------------------------------------------------------

    def _paragraph(self, place: int) -> int:
        return bisect_left(self._breaks, place)

    def _paragraph_end(self, place: int) -> int:
        number = bisect_left(self._breaks, place)
        return self._breaks[number] if number < len(self._breaks) else len(self.text)

    def _line(self, at: int, joint: str = BLANK) -> int:
        """Read what opens a line: marks of lists, quotations and headings, rules, fences, definitions."""
        text = self.text
        rule = RULE.match(text, at)
        if rule or at in self._ruled:
            self.collected.join(BLOCK)
            self._last_prefix = "-"
            return rule.end() if rule else self._ruled[at]
        if fence := FENCE.match(text, at):
            return self._fenced(fence)
        if definition := DEFINITION.match(text, at):
            return self._definition(definition)
        prefix = PREFIX.match(text, at)
        assert prefix is not None  # it may be empty
        marks = prefix[0].replace(" ", "").replace("\t", "")
        quoted_on = marks == self._last_prefix and not marks.strip(">")
        empty = text[prefix.end() : prefix.end() + 1] in ("", "\n", "\r")
        apart = empty or self._last_prefix.endswith("#") or not (quoted_on or not marks) or self._paragraph(at) in self._tables
        self.collected.join(BLOCK if apart else joint)
        self._last_prefix = "#" if empty else marks if marks else self._last_prefix.strip("#-")
        return prefix.end()

    def _fenced(self, fence: re.Match[str]) -> int:
        self._raw(*fence.span(2))
        mark = fence[1]
        close = re.compile(rf"^[ \t>]*{mark[0]}{{{len(mark)},}}[ \t]*\r?$", re.MULTILINE).search(self.text, fence.end())
        self._raw(min(fence.end() + 1, len(self.text)), close.start() if close else len(self.text))
        self.collected.join(BLOCK)
        self._last_prefix = "#"
        return close.end() if close else len(self.text)

    def _raw(self, start: int, end: int) -> None:
        """Text that is shown as it stands."""
        self.collected.join(BLOCK)
        if self.text[start:end].strip():
            self.collected.text(start, end, self.text[start:end], str)

    # --- spans -----------------------------------------------------------------------------------------------------------

    def _code(self, at: int, start: int, length: int) -> int:
        self._words(at, start)
        runs = self._ticks.get(length, [])
        number = bisect_left(runs, start + 1)
        end = runs[number] if number < len(runs) and runs[number] < self._paragraph_end(start) else -1
        if end < 0:
            return start + length
        if start + length < end:
            self.collected.text(start + length, end, self.text[start + length : end].replace("\n", " "), str)
        return end + length

    def _bracket(self, at: int, start: int) -> int:
        """The end of a link's words, and where it leads."""
        if start not in self._opening:
            return self._letters(start + 1)
        self._words(at, start)
        if label := LABEL.match(self.text, start):
            self.collected.aside(*label.span(1), label[1].replace("\n", " "), str)
            return label.end()
        found = DESTINATION.match(self.text, start, self._paragraph_end(start))
        if found is None:
            return start + 1
        self._leads(found, 1 if found[1] is not None else 2)
        self._title(found, 3)
        return found.end()

    def _leads(self, found: re.Match[str], group: int) -> None:
        if found[group]:
            value = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", found[group]))
            self.page.link(*found.span(group), value, str)

    def _title(self, found: re.Match[str], group: int) -> None:
        number = next((one for one in range(group, group + 3) if found[one] is not None), None)
        if number is not None:
            self.collected.aside(*found.span(number), html.unescape(found[number]).replace("\n", " "), in_title)

    def _definition(self, found: re.Match[str]) -> int:
        self.collected.join(BLOCK)
        self._words(*found.span(1))
        self.collected.join(BLOCK)
        start, end = found.span(2)
        angled = found[2].startswith("<")
        value = html.unescape(found[2][1:-1] if angled else found[2])
        self.page.link(start + angled, end - angled, value, str)
        self._title(found, 3)
        return found.end()

    def _markup(self, at: int, start: int) -> int:
        """A tag or a comment, or an address in angle brackets."""
        if link := AUTOLINK.match(self.text, start):
            self._words(at, start)
            self.collected.text(*link.span(), links.spoken(link[1]), escaped)
            return link.end()
        other = self.text.startswith(("<!", "<?"), start)
        if self._next_close <= start:
            self._next_close = self.text.find(">", start) if self.text.find(">", start) >= 0 else len(self.text)
        end = len(self.text) if other else self._paragraph_end(start)
        if not other and self._next_close >= end:
            return self._letters(start + 1)
        token = token_at(self.text, start, end)
        if token is None:
            raise FileError(self.name, "It holds a tag that is never closed.", "Close it, or write &lt; for its first sign.")
        self._words(at, start)
        if token.kind == "open" and token.name in RAW:
            close = re.compile(rf"</{token.name}(?=[ \t\r\n/>])[^>]*>?", re.IGNORECASE).search(self.text, token.end)
            end = close.end() if close else len(self.text)
            self.page.read(start, end)
            return end
        self.page.take(token)
        return token.end
