"""Lines put together as a reader sees them: words, words that go on in the next line, paragraphs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from kgsan.formats.pdf.fonts import JOINER
from kgsan.formats.pdf.limits import Unreadable
from kgsan.formats.pdf.lines import HOLE, Run, lines_of
from kgsan.formats.woven import BLANK, BLOCK, LINE, NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.formats.pdf.showing import Placed

#: In parts of the size: how far letters of a word may lie apart, without and with blanks that are typed; lines of a paragraph.
_WORD, _WORD_BESIDE_BLANKS, _LEADING = 0.17, 0.25, 1.7
_UNSEEN = dict.fromkeys(map(ord, JOINER + "\u200b\u200c\u200d\ufeff"))
#: Words that keep their hyphen at the end of a line.
_COMPOUNDS = frozenset("all cross drug ex half high long low post self short well".split())


@dataclass(frozen=True, slots=True)
class Piece:
    """Neighbouring glyphs of one operator, and where they stand."""

    run: int
    stream: int
    operator: int
    first: int
    last: int
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Word:
    """A word, what joins it to the word before, and the glyphs that show it, by the run they belong to; some show it again."""

    text: str = field(repr=False)
    joint: str
    shown: tuple[tuple[Piece, ...], ...]
    again: tuple[tuple[tuple[Piece, ...], ...], ...] = ()
    stamped: bool = False  #: it stands where another word was taken out


def words_of(glyphs: Sequence[Placed]) -> list[Word]:
    """The words that glyphs make, in the order in which they are shown."""
    words: list[Word] = []
    before: list[Run] = []
    for line in lines_of(glyphs):
        found = list(_words(line))
        if not found:
            continue
        joint = _joint(before, line) if before else BLOCK
        text = words[-1].text if words else ""
        if text.endswith(JOINER):
            words[-1] = replace(words[-1], text=text.rstrip(JOINER))
            joint = NOTHING
        elif joint == LINE and _is_broken(words[-1], found[0]):
            stem = text[:-1].lstrip("(\"'“‘[")
            if stem.isalpha() and stem[1:].islower() and stem.casefold() not in _COMPOUNDS:
                words[-1] = replace(words[-1], text=text[:-1])
            joint = NOTHING
        words.append(replace(found[0], joint=joint))
        words += found[1:]
        before = line
    if words and words[-1].text.endswith(JOINER):
        words[-1] = replace(words[-1], text=words[-1].text.rstrip(JOINER))
    return [_checked(word) for word in words]


def _is_broken(word: Word, following: Word) -> bool:
    """Whether a word at the end of a line goes on in the next. Words that were put there are marked if they do."""
    hyphen = len(word.text) > 1 and word.text.endswith("-") and word.text[-2].isalpha()
    return hyphen and following.text[:1].islower() and not word.stamped and not following.stamped


def _joint(above: list[Run], below: list[Run]) -> str:
    one, other = above[0], below[0]
    if one.glyphs[0].turn != other.glyphs[0].turn:
        return BLOCK
    em = max(one.em, other.em)
    drop = one.height - other.height
    if em > 1.2 * min(one.em, other.em):
        return BLOCK
    if abs(drop) < 0.5 * em:
        return BLANK if other.start >= above[-1].end else BLOCK
    beside = other.start > max(run.end for run in above) or max(run.end for run in below) < one.start
    return LINE if 0 < drop <= _LEADING * em and not beside else BLOCK


def _words(line: list[Run]) -> Iterator[Word]:
    """The words of a line; where words were taken out at its beginning or end, an empty one."""
    marks = [(run, number) for run in line for number, glyph in enumerate(run.glyphs) if glyph.text != " "]
    gathered = list(_gathered(line))
    holes = [run.glyphs[number].text == HOLE for run, number in (marks[:1] + marks[-1:])]
    if any(holes[:1]):
        run, number = marks[0]
        if not gathered or run.glyphs[number].end <= _start(gathered[0]) + 0.02 * run.em:
            yield Word("", BLANK, _pieces(marks[:1]))
    yield from map(_word, gathered)
    if gathered and any(holes[1:]):
        yield Word("", BLANK, _pieces(marks[-1:]))


def _start(gathered: list[tuple[Run, int]]) -> float:
    run, number = gathered[0]
    return run.glyphs[number].start


def _gathered(line: list[Run]) -> Iterator[list[tuple[Run, int]]]:
    gathered: list[tuple[Run, int]] = []
    end = line[0].start
    for at, run in enumerate(line):
        allowed = (_WORD_BESIDE_BLANKS if run.spaced else _WORD) * run.em
        for number, glyph in enumerate(run.glyphs):
            if number in run.twice:
                if gathered and gathered[-1][0] is run and gathered[-1][1] == number - 1:
                    gathered.append((run, number))
                continue
            apart = glyph.start - end > (allowed if number else _WORD * max(run.em, line[at - 1].em))
            blank = glyph.text.isspace()
            if blank and glyph.text != HOLE and number not in run.inner and _is_undone(run, number):
                continue
            if gathered and (blank or (apart and number not in run.inner)):
                yield gathered
                gathered = []
            if not blank:
                gathered.append((run, number))
            end = max(end, glyph.end)
    if gathered:
        yield gathered


def _is_undone(run: Run, number: int) -> bool:
    """Whether the next letter stands on a blank: so some programs write a place where a word may be broken, but is not."""
    if number + 1 == len(run.glyphs):
        return False
    blank, following = run.glyphs[number], run.glyphs[number + 1]
    wide = blank.end - blank.start
    return wide > 0.02 * run.em and following.start < blank.start + wide / 2


def _word(gathered: list[tuple[Run, int]]) -> Word:
    text = "".join(run.glyphs[number].text for run, number in gathered if number not in run.twice)
    most = max(len(run.twins) for run, _ in gathered)
    again = []
    for at in range(most):
        twins = [(run.twins[at], number) for run, number in gathered if at < len(run.twins)]
        again.append(_pieces(twins))
    joiner = JOINER if text.endswith(JOINER) else ""
    return Word(
        " ".join(text.translate(_UNSEEN).split()) + joiner,
        BLANK,
        _pieces(gathered),
        tuple(again),
        gathered[0][1] in gathered[0][0].inner,
    )


def _pieces(gathered: list[tuple[Run, int]]) -> tuple[tuple[Piece, ...], ...]:
    groups: dict[int, list[Piece]] = {}
    for run, number in gathered:
        glyph = run.glyphs[number]
        pieces = groups.setdefault(run.order, [])
        last = pieces[-1] if pieces else None
        if last and (last.stream, last.operator, last.last) == (glyph.stream, glyph.operator, glyph.index):
            pieces[-1] = replace(last, last=glyph.index + 1, end=max(last.end, glyph.end))
        else:
            pieces.append(Piece(run.order, glyph.stream, glyph.operator, glyph.index, glyph.index + 1, glyph.start, glyph.end))
    return tuple(tuple(pieces) for pieces in groups.values())


def _checked(word: Word) -> Word:
    private = [0xE000 <= ord(letter) <= 0xF8FF for letter in word.text]
    if any(one and other for one, other in pairwise(private)):
        raise Unreadable("shows letters of a font that does not tell which letters they are")
    return word
