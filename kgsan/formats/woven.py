"""One text woven from the many places of a file that hold text, and taken apart again when it is rewritten."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from kgsan.sanitize.wording import Piece, Rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.sanitize.result import SanitizedDocument

#: What stands between two strands, the weakest first: parts of one word, words, lines, paragraphs.
NOTHING, BLANK, LINE, BLOCK = JOINTS = "", " ", "\n", "\n\n"


@dataclass(frozen=True, slots=True)
class Strand:
    """The text of one place in a file, such as a run, a cell or a caption, and what joins it to the strand before it."""

    text: str = field(repr=False)
    joint: str = BLOCK


class Woven:
    """Strands as one text. An empty strand leaves no trace but its joint; of joints that meet, the strongest holds.

    >>> Woven([Strand("anti"), Strand("viral", NOTHING), Strand(""), Strand("drugs", BLANK)]).text
    'antiviral\\n\\ndrugs'
    """

    def __init__(self, strands: Sequence[Strand]) -> None:
        parts: list[str] = []
        starts: list[int] = []
        at, joint = 0, NOTHING
        for strand in strands:
            joint = max(joint, strand.joint, key=JOINTS.index)
            if strand.text and at:
                parts.append(joint)
                at += len(joint)
            starts.append(at)
            if strand.text:
                parts.append(strand.text)
                at += len(strand.text)
                joint = NOTHING
        self.strands = tuple(strands)
        self.starts = tuple(starts)  #: where each strand begins in the text
        self.text = "".join(parts)

    def strand_at(self, place: int) -> int:
        """The number of the strand that holds a place of the text, or the one before it."""
        return max(bisect_right(self.starts, place) - 1, 0)


@dataclass(frozen=True, slots=True)
class Unwoven:
    """The new text of every strand, and the result with places that count in the text these strands make."""

    texts: tuple[str, ...] = field(repr=False)
    result: SanitizedDocument


def unweave(woven: Woven, result: SanitizedDocument) -> Unwoven:
    """Bring a rewritten text back to its strands: what takes the place of words in several strands stands in the first."""
    pieces = result.rewritten.pieces
    parts = [_parts(woven, number, pieces, result.text) for number in range(len(woven.strands))]
    put: set[int] = set()
    texts = []
    for strand in parts:
        strand[:] = [part for part in strand if part.piece is None or part.piece not in put]
        put.update(part.piece for part in strand if part.piece is not None)
        texts.append("".join(part.text for part in strand))
    new = Woven([Strand(text, strand.joint) for text, strand in zip(texts, woven.strands, strict=True)])
    shifts = [0] * len(pieces)
    kept = [(0, 0, 0)]  # where letters that stay stood, where they stand, and how many they are
    for start, strand in zip(new.starts, parts, strict=True):
        place = start
        for part in strand:
            if part.piece is None:
                kept.append((part.start, place, len(part.text)))
            else:
                shifts[part.piece] = place - pieces[part.piece].new_start
            place += len(part.text)
    kept.append((len(woven.text), len(new.text), 0))
    moved = Rewritten(new.text, tuple(_between(woven.text, new.text, kept, pieces)))
    decisions = []
    for one in result.decisions:
        shift = shifts[bisect_right(pieces, one.start, key=lambda piece: piece.start) - 1]
        decisions.append(replace(one, new_start=one.new_start + shift, new_end=one.new_end + shift))
    return Unwoven(tuple(texts), replace(result, text=new.text, decisions=tuple(decisions), rewritten=moved))


@dataclass(frozen=True, slots=True)
class _Part:
    """Letters of a strand that stay, or the words that a piece puts there."""

    start: int
    text: str = field(repr=False)
    piece: int | None = None


def _parts(woven: Woven, number: int, pieces: Sequence[Piece], rewritten: str) -> list[_Part]:
    """What becomes of one strand, as if every piece that touches it put its words there."""
    text, start = woven.strands[number].text, woven.starts[number]
    place, end = start, start + len(text)
    parts = []
    for at in range(bisect_right(pieces, start, key=lambda piece: piece.end), len(pieces)):
        piece = pieces[at]
        if piece.start >= end:
            break
        if place < piece.start:
            parts.append(_Part(place, text[place - start : piece.start - start]))
        parts.append(_Part(piece.start, rewritten[piece.new_start : piece.new_end], at))
        place = min(piece.end, end)
    if place < end:
        parts.append(_Part(place, text[place - start :]))
    return parts


def _between(old: str, new: str, kept: Sequence[tuple[int, int, int]], pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces of the new text: what lies between letters that stay, where it is not the same as before."""
    for (start, new_start, length), (end, new_end, _) in pairwise(kept):
        start, new_start = start + length, new_start + length
        first = last = bisect_right(pieces, start, key=lambda piece: piece.end)
        while last < len(pieces) and pieces[last].start < end:
            last += 1
        if first < last:
            lead, rest = pieces[first].start - start, end - pieces[last - 1].end  # joints beside the pieces
            if old[start : start + lead] == new[new_start : new_start + lead]:
                start, new_start = start + lead, new_start + lead
            if old[end - rest : end] == new[new_end - rest : new_end] and new_start <= new_end - rest:
                end, new_end = end - rest, new_end - rest
        if first < last or old[start:end] != new[new_start:new_end]:
            changes = tuple(change for piece in pieces[first:last] for change in piece.changes)
            yield Piece(start, end, new_start, new_end, changes)
