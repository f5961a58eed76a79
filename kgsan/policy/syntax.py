"""What is wrong with broken YAML, in one sentence of plain words, at the place where a person would mend it."""

from __future__ import annotations

import re
from typing import Any

import yaml

from kgsan.errors import Place, Problem

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_NO_BLANK_AFTER_COLON = re.compile(r"[ ]*(?:- )?[A-Za-z_]{1,40}:[^ \n]")
_INDENTATION = re.compile(r"\s*")
_SPACES_ONLY = "Indent with spaces; most editors can turn tabs into them."
_ALIGN = "Fields of the same level begin in the same column, and so do the dashes of a list."
_CLOSE = "Close it where the text ends; a mark that belongs to the text is written in quotes of the other kind."
_QUOTE = "Put the whole text in quotes."


def lines_of(text: str) -> list[str]:
    """The lines as YAML and editors count them."""
    return _LINE_BREAK.split(text)


def explain_syntax(error: Exception, lines: list[str], name: str) -> Problem:
    """The problem behind an error of the YAML parser."""
    found = _Fault(error, lines)
    code, (line, column), message, hint = found.explain()
    return Problem(code, Place(name, line, column), message, hint)


_Told = tuple[str, tuple[int, int], str, str]


class _Fault:
    """An error of the parser with the lines around it; the wording of both parsers that PyYAML has is understood."""

    def __init__(self, error: Exception, lines: list[str]) -> None:
        marked = error if isinstance(error, yaml.MarkedYAMLError) else yaml.MarkedYAMLError()
        self._words = f"{marked.context or ''}; {marked.problem or ''}"
        self._lines = lines
        self._at = self._position(marked.problem_mark)
        self._began = self._position(marked.context_mark or marked.problem_mark)

    def _position(self, mark: Any) -> tuple[int, int]:
        """Line and column, from 1; what the parser finds missing at the end is told on the last line with words."""
        line, column = (mark.line, mark.column) if mark else (0, 0)
        while line > 0 and (line >= len(self._lines) or not self._lines[line].strip()):
            line -= 1
            column = len(self._lines[line]) if line < len(self._lines) else 0
        return line + 1, column + 1

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    def _above(self) -> int:
        """The number of the last line with words above the fault; 0 when there is none."""
        number = self._at[0] - 1
        while number > 0 and not self._line(number).strip():
            number -= 1
        return number

    def explain(self) -> _Told:
        words, line = self._words, self._line(self._at[0])
        sign = line[self._at[1] - 1 : self._at[1]]
        if (told := self._indentation(line, sign)) is not None:
            return told
        if "quoted scalar" in words:
            if "escape" in words:
                hint = "Use single quotes, in which a backslash is just a backslash."
                return "P008", self._at, "In double quotes a backslash has a meaning of its own, and this one has none.", hint
            return "P008", self._began, "A quotation mark is opened here and never closed.", _CLOSE
        if "flow sequence" in words or "flow mapping" in words:
            closing = "]" if "sequence" in words else "}"
            hint = f"Write the `{closing}` where it ends, and commas in between; put a text that begins with a bracket in quotes."
            return "P008", self._began, f"A bracket is opened here, and no `{closing}` closes it.", hint
        if "mapping values are not allowed" in words:
            return self._colon(line)
        if "could not find expected ':'" in words:
            return self._no_colon()
        return self._other(words, line, sign)

    def _unclosed(self, quote: str) -> tuple[int, int] | None:
        """Where a mark was opened that the mark before the fault closed: on the nearest line above with one too many."""
        for number in range(self._at[0] - 1, 0, -1):
            if self._line(number).count(quote) % 2:
                return number, self._line(number).rindex(quote) + 1
        return None

    def _indentation(self, line: str, sign: str) -> _Told | None:
        blanks = _INDENTATION.match(line)
        odd = (blanks.group() if blanks else "").replace(" ", "")
        if not odd and sign != "\t":
            return None
        what = "tab" if "\t" in odd or sign == "\t" else "blank that is no ordinary space"
        column = next((at for at, each in enumerate(line, 1) if each.isspace() and each != " "), self._at[1])
        others = sum(1 for each in self._lines if each[:1] == "\t") - (line[:1] == "\t")
        more = f" So do {others} other lines." if others > 1 else " So does one other line." if others else ""
        where = "This line begins with" if odd else "Here stands"
        return "P009", (self._at[0], column), f"{where} a {what}, which YAML does not accept.{more}", _SPACES_ONLY

    def _colon(self, line: str) -> _Told:
        above = self._above()
        if _NO_BLANK_AFTER_COLON.match(self._line(above)):
            return self._missing_blank(above)
        if ": " in line[: self._at[1] - 1]:
            return "P008", self._at, "A colon stands inside a text without quotes.", _QUOTE
        place = (self._at[0], len(line) - len(line.lstrip()) + 1)
        return "P008", place, "This line is indented as if it belonged to the text above it.", _ALIGN

    def _no_colon(self) -> _Told:
        number = self._began[0]
        if _NO_BLANK_AFTER_COLON.match(self._line(number)):
            return self._missing_blank(number)
        hint = "Write `field: value`; a text over several lines is indented further than its field."
        return "P008", self._began, "This line should be a field and has no colon.", hint

    def _missing_blank(self, number: int) -> _Told:
        column = self._line(number).index(":") + 1
        return "P008", (number, column), "There is no space after this colon.", "Write `field: value`, with a space."

    def _other(self, words: str, line: str, sign: str) -> _Told:
        if sign == ":":
            return "P013", self._at, "The name of a field is missing.", "Write it before the colon."
        if "cannot start any token" in words or "node content" in words:
            return "P008", self._at, f"A text cannot begin with {sign} without quotes.", _QUOTE
        if "alias" in words or "anchor" in words or "tag" in words:
            return "P008", self._began, "A text cannot begin with *, & or ! without quotes.", _QUOTE
        if "sequence entries are not allowed" in words:
            return "P008", self._at, "An item of a list stands where no list can begin.", "Give every `- item` a line of its own."
        if "block scalar" in words:
            return "P008", self._at, "After `|` or `>` the text begins on the next line.", "Begin a new line there, indented."
        if "directive" in words or line.startswith("%"):
            return "P008", self._at, "A line cannot begin with `%`.", _QUOTE
        if sign in ("]", "}"):
            return "P008", self._at, "This bracket closes nothing.", "Delete it, or put the whole text in quotes."
        quote = line[: self._at[1] - 1].rstrip()[-1:]
        if quote in ("'", '"') and quote:
            if line[: self._at[1] - 1].count(quote) % 2 and (opened := self._unclosed(quote)) is not None:
                return "P008", opened, "A quotation mark is opened here and not closed on this line.", _CLOSE
            return "P008", self._at, "Words follow after the closing quotation mark.", "Put the whole text in one pair of quotes."
        if not line[: self._at[1] - 1].strip():
            return "P008", self._at, "This line does not fit the indentation of the lines above it.", _ALIGN
        hint = "Look for a missing quotation mark, colon or bracket just before this place."
        return "P008", self._at, "The YAML cannot be understood here.", hint
