"""The lines of a WordNet's file as one array of characters, in which all fields of a kind are looked at at once.

A field ends with a blank, so where it stands is looked up among the blanks. A place is where a character stands in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import ontology_error
from kgsan.sources.files import decode
from kgsan.sources.tsv import as_lines

if TYPE_CHECKING:
    from kgsan.sources.files import SourceFile

    Ints = np.ndarray[Any, np.dtype[np.int64]]
    Bools = np.ndarray[Any, np.dtype[np.bool_]]
    Codes = np.ndarray[Any, np.dtype[Any]]

_LINE_FEED, _RETURN, _BLANK = map(ord, "\n\r ")
#: What a character counts that does not belong there: no number with it is above zero.
_NONE = -(1 << 32)


def values(characters: str) -> Ints:
    """For the code of each character its place among these."""
    table = np.full(256, _NONE, np.int64)
    table[[ord(one) for one in characters]] = np.arange(len(characters))
    return table


_DIGITS = values("0123456789")


class Lines:
    """The lines of a file that are entries; the licence at the top is indented."""

    def __init__(self, file: SourceFile, expected: str) -> None:
        data = file.read()
        self._file = file
        self._expected = expected
        self.text = text = decode(data, file.name)
        is_bytes = text.isascii() and len(data) == len(text)
        self.codes: Codes = np.frombuffer(data if is_bytes else text.encode("utf-32-le"), np.uint8 if is_bytes else "<u4")
        feeds = self.places("\n")
        starts, ends = np.append(0, feeds + 1), np.append(feeds, len(text))
        first = self.code(starts)
        is_entry = (first != _LINE_FEED) & (first != _RETURN) & (first != _BLANK) & (starts < ends)
        self.numbers = np.flatnonzero(is_entry) + 1  #: of the lines
        self.starts, self.ends = starts[is_entry], ends[is_entry]
        self.blanks = self.places(" ")
        self.first = np.searchsorted(self.blanks, self.starts)  #: blank in each line, counted among all

    def places(self, character: str) -> Ints:
        """Where a character stands."""
        return np.flatnonzero(self.codes == ord(character))

    def code(self, places: Ints) -> Codes:
        """The characters at some places."""
        return self.codes.take(places, mode="clip") if len(self.codes) else np.zeros(len(places), np.uint8)

    def value(self, table: Ints, places: Ints) -> Ints:
        """What the characters at some places count."""
        return table.take(self.code(places), mode="clip")

    def digits(self, places: Ints, count: int) -> Ints:
        """The numbers of so many digits at some places; less than zero where one is no digit."""
        total = np.zeros(len(places), np.int64)
        for further in range(count):
            total = 10 * total + self.value(_DIGITS, places + further)
        return total

    def numeral(self, starts: Ints, ends: Ints) -> Ints:
        """The numbers of one to four digits between places; zero or less where it is something else."""
        widths = ends - starts
        total = np.zeros(len(starts), np.int64)
        for width in range(1, 5):
            total += np.where(widths == width, self.digits(starts, width), 0)
        return total

    def field(self, blank: Ints) -> Ints:
        """Where the field behind a blank starts, which is given by its number."""
        if not len(self.blanks):
            return np.zeros(len(blank), np.int64)
        places: Ints = self.blanks.take(blank, mode="clip") + 1
        return places

    def following(self, places: Ints, after: Ints) -> Ints:
        """In each line the first of some places at or after another; where there is none, the end of the line."""
        found = np.append(places, len(self.text))[np.searchsorted(places, after)]
        nearest: Ints = np.minimum(found, self.ends)
        return nearest

    def texts(self, starts: Ints, ends: Ints) -> list[str]:
        """The texts between places, each with a character behind it."""
        if not len(starts):
            return []
        copied, _ = as_lines(self.codes, starts, ends)
        return str(copied[:-1].tobytes(), "ascii" if copied.itemsize == 1 else "utf-32-le").split("\n")

    def refuse(self, lines: Ints | Bools) -> None:
        """Raise an error for the first of some lines, if there are any."""
        if len(wrong := self.numbers[lines]):
            message, hint = "The line is not built as in a WordNet file.", f"It should be: {self._expected}."
            raise ontology_error("O103", self._file.name, message, hint, line=int(wrong.min()))


def each(counts: Ints, first: Ints, step: int) -> tuple[Ints, Ints]:
    """For so many things in each line: the line of every thing, and its place, when the first is there and the others follow."""
    line = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
    return line, first[line] + step * within
