"""The words of a text as numbers, found by array operations instead of one by one.

Every word as it is written gets a number when it is first met; what the word means for the search of names (its readings,
whether it is in capitals) is worked out once per distinct word, by the same functions that file the names.
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgsan.ontology import names
from kgsan.text import table
from kgsan.text.index import HARD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Bytes = NDArray[np.uint8]
    Hashes = NDArray[np.uint64]

#: So many characters are worked on at a time: the arrays stay in the processor's cache.
_CHUNK = 1 << 17
#: A longer word is nobody's name. (The hashes used here could be made to agree on words of a thousand letters.)
_LONGEST_WORD = 120
#: When so many distinct words are known, the table is begun anew.
_MOST_WORDS = 1 << 16
#: What a character is: bits, for letters and for what stands between words.
_UNKNOWN, _LETTER, _APOSTROPHE, _PLUS, _HARD_MARK, _LINE, _POINT, _HYPHEN, _SPACE = 255, 1, 2, 4, 8, 16, 32, 64, 128
_LONGEST_GAP = 200
_WRAPPED = re.compile(r"-?[^\S\n]*+\n[^\S\n]*+$")
#: A hyphen inside a word, or at the end of a line with what mails and tables write before the next.
_WRAP = re.compile(r"-(?:[^\S\n]*+\n[^\S\n]*+(?:[>|]{1,4}[^\S\n]*+)?|[^\S\n]{1,2})?")
#: In place of the hash of a word that is too long, and of a plus that says "positive".
_TOO_LONG, _POSITIVE = np.uint64(1 << 32), np.uint64(3 << 32)
_JOINED = np.uint64(0x5DEECE66D << 8)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text: where they stand, what they are compared by, and what stands between them."""

    starts: Ints
    ends: Ints  #: without a possessive
    classes: Hashes  #: 0: in no name
    others: Hashes  #: a second reading; 0: none
    joined: Hashes  #: the reading of this word and the next as one, where a hyphen joins them; 0: none
    capitals: Flags
    misspelt: Flags
    strange: Flags  #: in no name as it is written, and no everyday word: it may be a part of one
    parted: Flags  #: no name runs on from the word before
    crossed: Flags  #: a hard mark stands between the word before and this one


@dataclass(frozen=True, slots=True)
class Reading:
    """What a word is compared by: hashes of classes that occur in names, 0 for none."""

    own: int = 0
    other: int = 0
    capitals: bool = False
    misspelt: bool = False
    strange: bool = False


class Scanner:
    """Reads texts into `Words`. Safe to share between threads."""

    def __init__(self, read: Callable[[Sequence[str]], list[Reading]]) -> None:
        self._read = read
        self._lock = threading.Lock()
        # Drawn anew in every process, so that nobody can write a word that is taken for another; what comes out is the same.
        base, self._stir = np.frombuffer(os.urandom(16), dtype=np.uint64) | np.uint64(1)
        self._powers = _powers(int(base))
        self._inverse = _powers(pow(int(base), -1, 1 << 64))
        self._types = _Types()
        self._kinds = np.full(0x110000, _UNKNOWN, dtype=np.uint8)

    def words(self, text: str) -> Words:
        """The words of a text as it is read."""
        parts = [self._chunk(text, *chunk) for chunk in _chunks(text)]
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        starts, ends, hashes, joins, gaps = columns
        # Where chunks meet, the gap was seen from one side only.
        firsts = np.cumsum([0, *(len(part[0]) for part in parts[:-1])])
        gaps[firsts[firsts < len(gaps)]] = [
            self._gap(text, int(ends[i - 1]), int(starts[i])) if i else _PARTED for i in firsts[firsts < len(gaps)].tolist()
        ]
        rows, types = self._look(text, starts, ends, hashes, joined=False)
        joined = np.zeros(len(starts), dtype=np.uint64)
        pairs = np.flatnonzero(joins)
        if len(pairs):
            pair_rows, pair_types = self._look(text, starts[pairs], ends[pairs + 1], joins[pairs], joined=True)
            joined[pairs] = pair_types.own[pair_rows]
        return Words(
            starts,
            ends - types.tails[rows],
            types.own[rows],
            types.other[rows],
            joined,
            types.capitals[rows],
            types.misspelt[rows],
            types.strange[rows],
            gaps == _PARTED,
            gaps == _CROSSED,
        )

    # --- characters ------------------------------------------------------------------------------------------------------

    def _kind(self, codes: NDArray[np.uint8] | NDArray[np.uint32]) -> Bytes:
        kinds: Bytes = self._kinds[codes]
        if bool((unknown := kinds == _UNKNOWN).any()):
            fresh = np.unique(codes[unknown])
            self._kinds[fresh] = [_kind_of(chr(code)) for code in fresh.tolist()]
            kinds = self._kinds[codes]
        return kinds

    def _chunk(
        self, text: str, start: int, end: int, cut_before: bool, cut_behind: bool
    ) -> tuple[Ints, Ints, Hashes, Hashes, Bytes]:
        part = text[start:end]
        codes: NDArray[np.uint8] | NDArray[np.uint32]
        if part.isascii():
            codes = np.frombuffer(part.encode("ascii"), dtype=np.uint8)
        else:
            codes = np.frombuffer(part.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        kinds = self._kind(codes)
        letters = kinds == _LETTER
        if "'" in part:
            inside = np.flatnonzero(kinds == _APOSTROPHE)
            inside = inside[(inside > 0) & (inside < len(kinds) - 1)]
            letters[inside[letters[inside - 1] & letters[inside + 1]]] = True
        edges = np.flatnonzero(np.diff(letters, prepend=False, append=False))
        starts, ends = edges[0::2], edges[1::2]
        sums = np.empty(len(codes) + 1, dtype=np.uint64)
        sums[0] = 0
        values = codes.astype(np.uint64)
        values += np.uint64(17)
        values *= self._powers[: len(codes)]
        np.cumsum(values, out=sums[1:])
        hashes = (sums[ends] - sums[starts]) * self._inverse[starts]
        gaps = _gaps(part, kinds, starts, ends)
        joins = np.zeros(len(starts), dtype=np.uint64)
        hyphens = np.flatnonzero(kinds[ends[:-1]] == _HYPHEN) if len(starts) else starts
        if len(hyphens):
            hyphens = _joining(part, hyphens, ends[hyphens], starts[hyphens + 1])
        if len(hyphens):
            sizes = ends[hyphens] - starts[hyphens]
            joins[hyphens] = self._stirred(hashes[hyphens] + hashes[hyphens + 1] * self._powers[sizes]) ^ _JOINED
            joins[hyphens[ends[hyphens + 1] - starts[hyphens] > _LONGEST_WORD]] = 0
        hashes = self._stirred(hashes)
        hashes[ends - starts > _LONGEST_WORD] = _TOO_LONG
        if len(starts) and cut_before and starts[0] == 0:
            hashes[0] = _TOO_LONG
        if len(starts) and cut_behind and ends[-1] == len(codes):
            hashes[-1] = _TOO_LONG
        if "+" in part:
            plus = _positives(kinds, letters)
            at = np.searchsorted(starts, plus)
            starts, ends = np.insert(starts, at, plus), np.insert(ends, at, plus + 1)
            hashes, joins, gaps = np.insert(hashes, at, _POSITIVE), np.insert(joins, at, 0), np.insert(gaps, at, _OPEN)
        return starts + start, ends + start, hashes, joins, gaps

    def _gap(self, text: str, end: int, start: int) -> int:
        """What parts two words that were met in different chunks."""
        if start - end > _LONGEST_GAP:
            return _PARTED
        around = text[max(end - 3, 0) : start + 1]
        part = f"{around} "
        kinds = self._kind(np.frombuffer(part.encode("utf-32-le", "surrogatepass"), dtype=np.uint32))
        size = min(end, 3)
        starts, ends = np.array([0, size + start - end]), np.array([size, size + start - end + 1])
        while starts[0] < size - 1 and kinds[int(starts[0])] != _LETTER:
            starts[0] += 1
        return int(_gaps(part, kinds, starts, ends)[1])

    def _stirred(self, hashes: Hashes) -> Hashes:
        """Polynomials are weak in their low bits; the table wants good ones."""
        made: Hashes = (hashes ^ (hashes >> np.uint64(31))) * self._stir
        made ^= made >> np.uint64(29)
        return made | np.uint64(1 << 63)

    # --- words -----------------------------------------------------------------------------------------------------------

    def _look(self, text: str, starts: Ints, ends: Ints, hashes: Hashes, *, joined: bool) -> tuple[Ints, _Types]:
        """For each word the row of its type. New words are learnt."""
        types = self._types
        places = table.look(types.keys, hashes)
        new = np.flatnonzero(places < 0)
        if len(new):
            fresh, example = np.unique(hashes[new], return_index=True)
            spans = zip(fresh.tolist(), starts[new[example]].tolist(), ends[new[example]].tolist(), strict=True)
            written = [_written(text, *span, joined) for span in spans]
            with self._lock:
                types = self._types = self._types.with_words(fresh, written, self._read(written))
            places = table.look(types.keys, hashes)
            if int(places.min()) < 0:  # the table was begun anew, without the words this text had from the old one
                return self._look(text, starts, ends, hashes, joined=joined)
        return types.rows[places].astype(np.int64), types


def _written(text: str, value: int, start: int, end: int, joined: bool) -> str:
    if value == _TOO_LONG:
        return ""
    if value == _POSITIVE:
        return "positive"
    return _WRAP.sub("", text[start:end]) if joined else text[start:end]


def _joining(part: str, hyphens: Ints, behind: Ints, before: Ints) -> Ints:
    """The hyphens that make one word of two: those with nothing else, or the end of a line, between the words."""
    size = before - behind
    joins = size == 1
    for i in np.flatnonzero((size > 1) & (size <= _LONGEST_GAP)).tolist():
        joins[i] = _WRAP.fullmatch(part, int(behind[i]), int(before[i])) is not None
    found: Ints = hyphens[joins]
    return found


def _powers(base: int) -> Hashes:
    made = np.full(_CHUNK + 1, base, dtype=np.uint64)
    made[0] = 1
    return np.cumprod(made, dtype=np.uint64)


def _kind_of(character: str) -> int:
    if names.is_word_character(character):
        return _LETTER
    if character in HARD:
        return _HARD_MARK
    return {"'": _APOSTROPHE, "+": _PLUS, "\n": _LINE, ".": _POINT, "-": _HYPHEN}.get(
        character, _SPACE if character.isspace() else 0
    )


def _chunks(text: str) -> Iterator[tuple[int, int, bool, bool]]:
    """Parts of about equal size, cut where no word is; where a word is longer than a part, told that it was cut."""
    start, cut_before = 0, False
    while True:
        end = start + _CHUNK
        if end >= len(text):
            yield start, len(text), cut_before, False
            return
        end, cut = _cut(text, start, end)
        yield start, end, cut_before, cut
        start, cut_before = end, cut


def _cut(text: str, start: int, end: int) -> tuple[int, bool]:
    """The last place before `end` to cut at, a space if there is one; and whether a word is cut there."""
    space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    if space > start:
        return space, False
    for marks in ("-+'", ""):
        for place in range(end - 1, max(start, end - 2 * _LONGEST_WORD), -1):
            if not names.is_word_character(text[place]) and text[place] not in marks:
                return place, False
    return end, True


_OPEN, _CROSSED, _PARTED = 0, 1, 2


def _gaps(part: str, kinds: Bytes, starts: Ints, ends: Ints) -> Bytes:
    """What stands before each word: nothing that matters, a hard mark, or the end of a paragraph."""
    gaps = np.zeros(len(starts), dtype=np.uint8)
    if not len(starts):
        return gaps
    gaps[0] = _PARTED
    at, length = ends[:-1], starts[1:] - ends[:-1]
    # Nearly all gaps are one space or one hyphen.
    odd = np.flatnonzero((length > 1) | (kinds[at] == _HARD_MARK))
    if not len(odd):
        return gaps
    seen = np.zeros(len(odd), dtype=np.uint8)
    lines = np.zeros(len(odd), dtype=np.int64)
    rest = np.arange(len(odd))
    for step in range(_LONGEST_GAP):
        rest = rest[length[odd[rest]] > step]
        if not len(rest):
            break
        kind = kinds[at[odd[rest]] + step]
        seen[rest] |= kind
        lines[rest] += kind == _LINE
    size = at[odd] - starts[:-1][odd]
    sentence_end = ((seen & _POINT) != 0) & ((seen & (_SPACE | _LINE)) != 0) & (size > 2)  # not in Z20.6, not in St. John
    crossed = ((seen & _HARD_MARK) != 0) | sentence_end
    parted = (lines > 1) | (length[odd] > _LONGEST_GAP)
    for i in np.flatnonzero((lines == 1) & ((seen & _HYPHEN) != 0) & ~parted).tolist():
        begin = int(at[odd[i]])
        if not _WRAPPED.match(part[begin : begin + int(length[odd[i]])]):
            crossed[i] = True  # a new item of a list
    gaps[1:][odd] = np.where(parted, _PARTED, np.where(crossed, _CROSSED, _OPEN))
    return gaps


def _positives(kinds: Bytes, letters: Flags) -> Ints:
    """Where a plus behind a word is the word "positive", as in HIV+."""
    plus = np.flatnonzero(kinds == _PLUS)
    plus = plus[plus > 0]
    positives: Ints = plus[letters[plus - 1] & ~np.append(letters, False)[plus + 1]]
    return positives


class _Types:
    """The distinct words met so far, by the hash of how they are written. Words are added, never changed."""

    def __init__(self, room: int = 1 << 12) -> None:
        self.size = 0
        self.room = room
        self.own, self.other = np.zeros(room, dtype=np.uint64), np.zeros(room, dtype=np.uint64)
        self.capitals, self.misspelt, self.strange = (np.zeros(room, dtype=np.bool_) for _ in range(3))
        self.tails = np.zeros(room, dtype=np.int64)
        self.hashes = np.zeros(room, dtype=np.uint64)
        self.keys, self.rows = table.room_for(room)

    def with_words(self, hashes: Hashes, written: list[str], readings: list[Reading]) -> _Types:
        """The table with these words too: this one, or a larger one, or a new one when this holds very many."""
        fresh = np.flatnonzero(table.look(self.keys, hashes) < 0)  # another thread may have been faster
        if self.size + len(fresh) <= self.room:
            self._add(hashes[fresh], [written[i] for i in fresh.tolist()], [readings[i] for i in fresh.tolist()])
            return self
        if self.size > _MOST_WORDS:
            made = _Types(max(_MOST_WORDS + 1, 2 * len(hashes)))  # as large again: what is freed can be used for the next
            made._add(hashes, written, readings)
            return made
        made = _Types(max(min(2 * self.size, _MOST_WORDS + 1), self.size + len(fresh)))
        known = np.flatnonzero(self.hashes[: self.size])
        for column in ("own", "other", "capitals", "misspelt", "strange", "tails", "hashes"):
            getattr(made, column)[: len(known)] = getattr(self, column)[known]
        made.size = len(known)
        table.insert(made.keys, made.rows, made.hashes[: made.size])
        made._add(hashes[fresh], [written[i] for i in fresh.tolist()], [readings[i] for i in fresh.tolist()])
        return made

    def _add(self, hashes: Hashes, written: list[str], readings: list[Reading]) -> None:
        # Rows are taken first: should anything here fail, they stay empty, and never become those of other words.
        first, self.size = self.size, self.size + len(hashes)
        at = slice(first, self.size)
        self.own[at] = np.array([reading.own for reading in readings], dtype=np.uint64)
        self.other[at] = np.array([reading.other for reading in readings], dtype=np.uint64)
        self.capitals[at] = [reading.capitals for reading in readings]
        self.misspelt[at] = [reading.misspelt for reading in readings]
        self.strange[at] = [reading.strange for reading in readings]
        self.tails[at] = [2 if word.endswith(("'s", "'S")) else 0 for word in written]
        table.insert(self.keys, self.rows, hashes, first)
        self.hashes[at] = hashes
