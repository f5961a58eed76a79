"""Tab-separated files, column by column: many rows at a time, so that reading them is a matter of memory speed.

A file is cut into blocks of whole lines. In a block the separators are found in one sweep and laid out as
rows x columns; ids become numbers eight digits at a step, and text is made only of the cells that are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import OntologyError, ontology_error, system_says

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.sources.files import SourceFile

    Ints = np.ndarray[Any, np.dtype[np.int64]]
    Words = np.ndarray[Any, np.dtype[np.uint64]]
    Bools = np.ndarray[Any, np.dtype[np.bool_]]
    Bytes = np.ndarray[Any, np.dtype[np.uint8]]
    Codes = np.ndarray[Any, np.dtype[Any]]
    Sixteens = np.ndarray[Any, np.dtype[np.complex128]]
    Rows = Ints | slice

#: Small enough that a block and what is worked out from it stay in the processor's cache.
BLOCK_BYTES = 4 << 20
#: No line of a table is longer; what is longer is no table.
LONGEST_LINE = 32 << 20
ALL = slice(None)

#: Room before the first line, so that the bytes before the end of any cell may be looked at.
_MARGIN = 32
_TAB, _LINE_FEED, _RETURN = 9, 10, 13
_WIDEST = 18
#: Brackets at the end of a cell are looked for in so many bytes first.
_TAIL = 32
_LONGEST_DIGEST = 512
#: For a cell of so many bytes: which of the sixteen before its end belong to it.
_OWN = np.array(
    [[(1 << 64) - (1 << 8 * (8 - min(max(width - skip, 0), 8))) for skip in (8, 0)] for width in range(17)], np.uint64
).view(np.complex128)[:, 0]
_OWN_EIGHT = _OWN.view(np.uint64)[1::2]


def blocks(file: SourceFile, columns: Sequence[str]) -> Iterator[Block]:
    """The rows of a file with a header, some thousands at a time; the columns named may stand in any order.

    A block must not be used once the next is asked for: both lie in the same memory.
    Raises O107 for a missing column, O103 for a row of another width than the header, O104 where text is not UTF-8.
    """
    header: dict[str, int] = {}
    room = np.zeros(_MARGIN + BLOCK_BYTES + 1, np.uint8)  # the last byte is for a line feed that the file may lack
    line, filled, got = 1, _MARGIN, 1
    try:
        with file.open() as stream:
            while got:
                got = stream.readinto(room.data[filled:-1])  # type: ignore[attr-defined]
                filled += got
                if not got and (filled > _MARGIN or not header):
                    room[filled] = _LINE_FEED
                    filled += 1
                start, end = _MARGIN, _after_last_line(room.data, filled)
                if not header and end > start:
                    start += bytes(room.data[start:end]).index(b"\n") + 1
                    header = _header(bytes(room.data[_MARGIN:start]), file.name, columns)
                    line += 1
                if end > start:
                    block = Block(file.name, line, header, room, start, end)
                    yield block
                    line += block.lines
                rest = room[end:filled].copy()
                if len(rest) > LONGEST_LINE:
                    raise ontology_error("O103", file.name, f"The line is longer than {LONGEST_LINE >> 20} MB.", line=line)
                if 2 * (_MARGIN + len(rest)) >= len(room):
                    room = np.zeros(2 * len(room), np.uint8)
                filled = _MARGIN + len(rest)
                room[_MARGIN:filled] = rest
    except OSError as error:
        raise ontology_error("O101", file.name, f"{system_says(error) or 'It cannot be read'}.") from None


def _after_last_line(view: memoryview, filled: int) -> int:
    reach = 1 << 12
    while True:
        start = max(_MARGIN, filled - reach)
        found = bytes(view[start:filled]).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        if start == _MARGIN:
            return start
        reach *= 8


def _header(first_line: bytes, name: str, columns: Sequence[str]) -> dict[str, int]:
    """The place of each column; "" stands for how many there are."""
    try:
        if first_line[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise UnicodeDecodeError("utf-8", first_line, 0, 2, "UTF-16")
        names = first_line.decode("utf-8-sig").rstrip("\r\n").split("\t")
    except UnicodeDecodeError:
        raise ontology_error("O104", name, "The text is not UTF-8.", "Save it as UTF-8.", line=1) from None
    for column in columns:
        if column not in names:
            raise ontology_error(
                "O107", name, f"The column '{column}' is missing.", "The first line must name the columns.", line=1
            )
    return {column: place for place, column in enumerate(names)} | {"": len(names)}


class Block:
    """Some consecutive rows of a table. A column is known by its name, rows by an index or a slice."""

    def __init__(self, file: str, line: int, header: dict[str, int], room: Bytes, start: int, end: int) -> None:
        self._file = file
        self._line = line
        self._header = header
        self._start = start
        self._bytes = room[:end]
        # Every run of eight bytes, and of sixteen, whichever byte it starts at: one look-up gets a whole cell.
        self._eights: Words = np.ndarray((end - 7,), np.dtype("<u8"), room.data, 0, (1,))
        self._tails = np.ndarray((end - _TAIL + 1,), np.dtype((np.void, _TAIL)), room.data, 0, (1,))
        self._sixteens: Sixteens = np.ndarray((end - 15,), np.dtype("<c16"), room.data, 0, (1,))
        width = header[""]
        ends = np.flatnonzero(self._bytes[start:] <= _LINE_FEED)
        ends += start
        self.lines = len(ends) // width
        self._starts: Ints | None = None
        if len(ends) % width or not self._regular(ends, width):
            ends = self._cut(width)
        self._ends: Ints = ends.reshape(-1, width)

    def __len__(self) -> int:
        return len(self._ends)

    def _regular(self, ends: Ints, width: int) -> bool:
        """Whether every row is so many tabs and a line feed."""
        kinds = self._bytes.take(ends)
        tabs = np.count_nonzero(kinds == _TAB)
        return tabs * width == len(ends) * (width - 1) and bool((kinds[width - 1 :: width] == _LINE_FEED).all())

    def _cut(self, width: int) -> Ints:
        """The separators of a block that has empty lines or control characters in it; rows of a wrong width end here."""
        data = self._bytes[self._start :]
        feeds = np.flatnonzero(data == _LINE_FEED)
        self.lines = len(feeds)
        starts = np.concatenate([[0], feeds[:-1] + 1])
        filled = (feeds > starts + 1) | ((feeds == starts + 1) & (data[starts] != _RETURN))
        feeds, starts = feeds[filled], starts[filled]
        separators = np.sort(np.concatenate([np.flatnonzero(data == _TAB), feeds]))
        tabs = np.searchsorted(separators, feeds) - np.searchsorted(separators, starts)
        wrong = np.flatnonzero(tabs != width - 1)
        if len(wrong):
            columns = int(tabs[wrong[0]]) + 1
            raise self._error(
                "O103",
                int(starts[wrong[0]]) + self._start,
                f"The row has {columns} columns where the first line has {width}.",
                "The file may be cut short." if columns < width else None,
            )
        self._starts = starts + self._start
        return separators + self._start

    def _error(self, code: str, position: int, message: str, hint: str | None = None) -> OntologyError:
        line = self._line + int(np.count_nonzero(self._bytes[self._start : position] == _LINE_FEED))
        return ontology_error(code, self._file, message, hint, line=line)

    def cells(self, column: str, rows: Rows) -> tuple[Ints, Ints]:
        """Where the cells of a column start and end."""
        place = self._header[column]
        ends: Ints = self._ends[:, place][rows]
        if place:
            starts: Ints = self._ends[:, place - 1][rows] + 1
        else:
            if self._starts is None:
                self._starts = np.empty(len(self), np.int64)
                self._starts[:1] = self._start
                self._starts[1:] = self._ends[:-1, -1] + 1
            starts = self._starts[rows]
        if place == self._header[""] - 1:
            ends = ends - (self._bytes[ends - 1] == _RETURN)
        return starts, ends

    def numbers(self, column: str, rows: Rows, likely: Sequence[int] = ()) -> Ints:
        """The cells as numbers; each must be one to eighteen digits.

        `likely` are numbers of eighteen digits that most cells are: looking for them is quicker than to parse.
        """
        starts, ends = self.cells(column, rows)
        if not likely:
            return self._parse(column, starts, ends)
        # The numbers differ in their last eight digits only, so the others are looked at once.
        tail = _halves(self._sixteens[ends - 16])
        first, middle = (int.from_bytes(str(likely[0]).encode()[at : at + 8], "little") for at in (0, 2))
        known = (self._eights[ends - 18] == np.uint64(first)) & (tail[:, 0] == np.uint64(middle)) & (ends - starts == _WIDEST)
        last = tail[:, 1].copy()
        last[~known] = 0
        made = np.zeros(len(ends), np.int64)
        for number in likely:
            assert number // 10**8 == likely[0] // 10**8
            made += (last == np.uint64(int.from_bytes(str(number).encode()[10:], "little"))) * np.int64(number)
        other = np.flatnonzero(made == 0)
        if len(other):
            made[other] = self._parse(column, starts[other], ends[other])
        return made

    def dates(self, column: str) -> Ints:
        """The cells as numbers YYYYMMDD; a time of day is passed over, an empty cell is later than every date."""
        starts, ends = self.cells(column, ALL)
        filled = np.flatnonzero(ends > starts)
        made = np.full(len(starts), 99999999, np.int64)
        made[filled] = self._parse(column, starts[filled], np.minimum(ends, starts + 8)[filled])
        return made

    def flags(self, column: str) -> Bools:
        """The cells as yes or no; each must be 0 or 1."""
        starts, ends = self.cells(column, ALL)
        values = self._bytes[starts]
        flags: Bools = values == ord("1")
        wrong = np.flatnonzero((ends - starts != 1) | ~(flags | (values == ord("0"))))
        if len(wrong):
            raise self._error("O103", int(starts[wrong[0]]), f"The column '{column}' is neither 0 nor 1.")
        return flags

    def tails(self, column: str) -> Words:
        """The last sixteen bytes of each cell mixed into one number, to tell cells apart that are no numbers."""
        starts, ends = self.cells(column, ALL)
        own = _OWN.take(np.minimum(ends - starts, 16))
        halves = _halves(self._sixteens[ends - 16]) & _halves(own)
        return mixed(halves[:, 1]) + halves[:, 0]

    def in_language(self, column: str, rows: Rows, language: bytes) -> Bools:
        """Which cells are this language, given in small letters, or a dialect of it; mostly all are."""
        starts, ends = self.cells(column, rows)
        widths = ends - starts
        size = len(language)
        if 0 < size < 8:
            cell = int.from_bytes(language, "little") << 8 * (8 - size)
            same: Bools = ((self._eights[ends - 8] & _OWN_EIGHT[size]) == np.uint64(cell)) & (widths == size)
            if same.all():
                return same
        same = widths >= size
        for offset, letter in enumerate(language[: int(widths.max(initial=0))]):
            same &= (self._bytes[np.minimum(starts + offset, ends)] | 0x20) == letter
        after = self._bytes[np.minimum(starts + size, ends)]
        same &= (widths == size) | (after == ord("-")) | (after == ord("_"))
        return same

    def without_last_group(self, starts: Ints, ends: Ints) -> Ints:
        """New ends for cells, before the group in round brackets that closes them: 'cold (disorder)' ends after 'cold'."""
        made = ends.copy()
        closed = np.flatnonzero(self._bytes[ends - 1] == ord(")"))
        starts, ends = starts[closed], ends[closed]
        shown = self._tails[ends - _TAIL].view(np.uint8).reshape(-1, _TAIL)
        length = np.argmax(shown[:, ::-1] == ord("("), axis=1) + 2  # from the blank before the bracket to the end
        before = ends - length
        simple = (length > 2) & (before > starts) & (self._bytes[before] == ord(" ")) & (shown[:, -2] != ord(")"))
        made[closed[simple]] = before[simple]
        for number in np.flatnonzero(~simple).tolist():  # brackets in brackets, long ones, none at all
            cell = self._bytes[starts[number] : ends[number]].tobytes()
            made[closed[number]] = starts[number] + _before_last_group(cell)
        return made

    def digests(self, starts: Ints, ends: Ints) -> Words:
        """A number for each cell that tells whether two are the same, without making text of them; 0 for very long cells."""
        made = mixed((ends - starts).view(np.uint64))
        rows = np.arange(len(starts))
        left = ends - starts
        for step in range(1, _LONGEST_DIGEST // 16 + 1):
            own = _halves(_OWN.take(np.minimum(left, 16)))
            halves = _halves(self._sixteens[ends - 16 * step]) & own
            made[rows] = mixed(made[rows] + halves[:, 0]) + halves[:, 1]
            more = np.flatnonzero(left > 16)
            rows, ends, left = rows[more], ends[more], left[more] - 16
            if not len(rows):
                break
        made[rows] = 0
        return made

    def texts(self, starts: Ints, ends: Ints) -> list[str]:
        """The text of cells."""
        if not len(starts):
            return []
        copied, after = as_lines(self._bytes, starts, ends)
        try:
            return str(copied[:-1].data, "utf-8").split("\n")
        except UnicodeDecodeError as error:
            wrong = int(np.searchsorted(after, error.start, side="right"))
            raise self._error("O104", int(starts[wrong]), "The text is not UTF-8.", "Save it as UTF-8.") from None

    def _parse(self, column: str, starts: Ints, ends: Ints) -> Ints:
        widths = ends - starts
        narrowest, widest = int(widths.min(initial=8)), int(widths.max(initial=8))
        if widest > _WIDEST or narrowest < 1:
            raise self._no_number(column, starts, ends, (widths > _WIDEST) | (widths < 1))
        total, bad = _digits(_halves(self._sixteens[ends - 16]), _halves(_OWN.take(np.minimum(widths, 16))))
        if widest > 16:
            own = _halves(_OWN.take(np.maximum(widths - 16, 0)))
            value, more = _digits(_halves(self._sixteens[ends - 32]), own)
            total += value * np.uint64(10**16)
            bad |= more
        if bad.any():
            raise self._no_number(column, starts, ends, bad)
        return total.view(np.int64)

    def _no_number(self, column: str, starts: Ints, ends: Ints, wrong: Bools) -> OntologyError:
        first = int(np.flatnonzero(wrong)[0])
        start, end = int(starts[first]), int(ends[first])
        shown = self._bytes[start : min(end, start + 40)].tobytes().decode("utf-8", "replace")
        what = f"is '{shown}'" if shown else "is empty"
        return self._error("O103", start, f"The column '{column}' {what}, which is no id.", f"An id is 1 to {_WIDEST} digits.")


def _halves(sixteens: Sixteens) -> Words:
    """Runs of sixteen bytes as two columns of eight."""
    halves: Words = sixteens.view(np.uint64).reshape(-1, 2)
    return halves


def _digits(halves: Words, own: Words) -> tuple[Words, Bools]:
    """The numbers that sixteen bytes show, of which only the own ones count, and where these are no digits."""
    halves ^= np.uint64(0x3030303030303030)
    halves &= own
    bad = halves + np.uint64(0x7676767676767676)
    bad |= halves
    bad &= np.uint64(0x8080808080808080)
    # Digits become pairs, pairs fours, fours eights: each product adds ten (a hundred, ...) times the left to the right.
    for mask, factor, shift in (
        (0x0F0F0F0F0F0F0F0F, 2561, 8),
        (0x00FF00FF00FF00FF, 6553601, 16),
        (0x0000FFFF0000FFFF, 42949672960001, 32),
    ):
        halves &= np.uint64(mask)
        halves *= np.uint64(factor)
        halves >>= np.uint64(shift)
    total: Words = halves[:, 0] * np.uint64(10**8) + halves[:, 1]
    return total, (bad[:, 0] | bad[:, 1]) != 0


def _before_last_group(cell: bytes) -> int:
    """How long a cell is without the group in brackets that closes it and the blank before."""
    depth = 0
    for position in range(len(cell) - 1, 1, -1):
        depth += (cell[position] == ord(")")) - (cell[position] == ord("("))
        if not depth:
            return position - 1 if cell[position - 1] == ord(" ") else len(cell)
    return len(cell)


class Numbering:
    """Finds the places of many ids at once: a hash table in arrays, ten times faster than a binary search.

    >>> Numbering(np.array([10, 30, 20])).find(np.array([20, 11, 10]))
    array([ 2, -1,  0])
    """

    _PROBES = 64  #: an id lies in one of so many slots

    def __init__(self, keys: Ints) -> None:
        self._keys = keys
        self._bits = max(4, (2 * len(keys)).bit_length())
        self._table = np.full(1 << self._bits, -1, np.int32)
        self._order: Ints | None = None
        waiting = np.arange(len(keys), dtype=np.int32)
        slot = np.empty(0, np.int64)
        for probe in range(self._PROBES):
            slot = self._slots(probe, keys[waiting], slot)
            free = self._table[slot] < 0
            self._table[slot[free]] = waiting[free]
            lost = self._table[slot] != waiting
            waiting, slot = waiting[lost], slot[lost]
            if not len(waiting):
                return
        self._order = np.argsort(keys, kind="stable")  # ids made to collide, or the same id many times

    def __len__(self) -> int:
        return len(self._keys)

    def _slots(self, probe: int, keys: Ints, before: Ints) -> Ints:
        """Where to look next. The last three digits of an id check and classify it, those before are counted up:
        so ids that follow each other are looked for side by side, which the processor's cache likes."""
        mask = (1 << self._bits) - 1
        if probe == 0:
            return (keys // 1000) & mask
        if probe == 1:
            return (mixed(keys.view(np.uint64)) >> np.uint64(64 - self._bits)).view(np.int64)
        return (before + 1) & mask

    def find(self, wanted: Ints) -> Ints:
        """The place of each id among the keys, or -1."""
        if not len(self._keys):
            return np.full(len(wanted), -1, np.int64)
        if self._order is not None:
            place = np.searchsorted(self._keys, wanted, sorter=self._order)
            place = self._order[np.minimum(place, len(self._keys) - 1)]
            return np.where(self._keys[place] == wanted, place, -1)
        found = self._table.take(self._slots(0, wanted, wanted)).astype(np.int64)
        astray = np.flatnonzero((self._keys.take(found, mode="wrap") != wanted) & (found >= 0))
        slot = np.empty(0, np.int64)
        for probe in range(1, self._PROBES):
            if not len(astray):
                break
            slot = self._slots(probe, wanted[astray], slot)
            found[astray] = seen = self._table[slot].astype(np.int64)
            wrong = (seen >= 0) & (self._keys[seen] != wanted[astray])
            astray, slot = astray[wrong], slot[wrong]
        found[astray] = -1
        return found


def as_lines(codes: Codes, starts: Ints, ends: Ints) -> tuple[Codes, Ints]:
    """What stands between places, at least one pair, copied one behind the other, a line each; and where each line is over.

    There is a character behind each. To cut one copy as text is quicker than to make texts one by one.
    """
    after = np.cumsum(ends - starts + 1)
    # Within a line the place to copy from goes up by one, from one to the next it jumps.
    places = np.ones(after[-1], np.int64)
    places[0] = starts[0]
    places[after[:-1]] = starts[1:] - ends[:-1]
    copied = codes.take(np.cumsum(places, out=places))
    copied[after - 1] = _LINE_FEED
    return copied, after


def mixed(words: Words) -> Words:
    """The numbers with every bit spread over all others."""
    made: Words = words * np.uint64(0x9E3779B97F4A7C15)
    made ^= made >> np.uint64(32)
    made *= np.uint64(0xD6E8FEB86659FD93)
    return made
