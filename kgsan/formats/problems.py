"""What is wrong with a file of a known kind, told by code and line and without a word of it."""

from __future__ import annotations

from kgsan.errors import Place, Problem
from kgsan.report.output import FileError


class FormatError(FileError):
    """A file that is not what it should be, or lacks what was asked for.

    >>> print(FormatError("F105", "ward.csv", "The row has 3 cells and the heading 4.", line=7))
    ward.csv:7: F105 The row has 3 cells and the heading 4.
    """

    def __init__(self, code: str, name: str, message: str, hint: str | None = None, line: int | None = None) -> None:
        super().__init__(name, message, hint, line)
        self.args = (code, name, message, hint, line)
        self.problems = (Problem(code, Place(name, line), message, hint),)
        self.told = str(self.problems[0])


def decoded(content: bytes, name: str, line: int | None = None) -> str:
    """Bytes in UTF-8 as text, without the mark that may stand before the first of them."""
    try:
        return content.removeprefix(b"\xef\xbb\xbf" if line in (None, 1) else b"").decode("utf-8")
    except UnicodeDecodeError as error:
        found = line or content.count(b"\n", 0, error.start) + 1
        hint = "Save it as UTF-8 first."
        raise FormatError("F104", name, "From here on it is not text in UTF-8.", hint, found) from None
