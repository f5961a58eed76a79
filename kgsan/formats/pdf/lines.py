"""Glyphs put together into runs and lines, whatever the order in which they are shown.

What stands where words were taken out has the place, the size and the order of the words, so that what is put together from a
rewritten page is the same text with other words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.formats.pdf.showing import Placed

#: Stands where words were taken out, as wide as they were.
HOLE = "\u00a0"
#: In parts of the size: how far words of a line may lie apart, or over each other; the foot of letters on one line; a letter
#: printed twice to look bold.
_APART, _OVERLAP, _FOOT, _TWICE = 1.0, -0.35, 0.12, 0.12


@dataclass(slots=True, eq=False)
class Run:
    """Glyphs shown one after another on one line."""

    order: int
    glyphs: list[Placed]
    start: float
    end: float
    hole: tuple[float, float] | None = None
    inner: set[int] = field(default_factory=set)  #: numbers of glyphs that stand on the bar of words that were taken out
    twice: set[int] = field(default_factory=set)  #: numbers of glyphs that were shown before at the same place
    spaced: bool = False
    twins: list[Run] = field(default_factory=list)

    @property
    def em(self) -> float:
        return self.glyphs[0].em

    @property
    def height(self) -> float:
        return self.glyphs[0].height

    def takes(self, glyph: Placed) -> bool:
        """Whether a glyph goes on with this run, which it then does."""
        last = self.glyphs[-1]
        em = max(self.em, glyph.em)
        if glyph.turn != last.turn or abs(glyph.height - self.height) > _FOOT * em:
            return False
        number = len(self.glyphs)
        near = self.hole is not None and self.hole[0] - 0.02 * em <= glyph.start and glyph.end <= self.hole[1] + 0.02 * em
        beside = abs(glyph.start - last.start)
        if glyph.text == last.text and number - 1 not in self.inner and beside <= min(_TWICE * em, 0.4 * (last.end - last.start)):
            self.twice.add(number)
        elif near and glyph.text != HOLE:
            self.inner.add(number)
            self.spaced = self.spaced or (glyph.text == " " and glyph.em > 0.95 * self.em)  # a blank between words that are gone
        elif not _OVERLAP * em <= glyph.start - self.end <= _APART * em:
            return False
        else:
            self.spaced = self.spaced or glyph.text == " "
        if glyph.text == HOLE:
            begin = self.hole[0] if self.hole and _OVERLAP * em <= glyph.start - self.hole[1] <= _APART * em else glyph.start
            self.hole = (begin, max(glyph.end, begin))
        self.glyphs.append(glyph)
        self.end = max(self.end, glyph.end)
        return True


def lines_of(glyphs: Sequence[Placed]) -> list[list[Run]]:
    """The lines that glyphs make: runs that go on where another ends, in the order in which they begin."""
    return _lines(_without_twins(_runs(glyphs)))


def _runs(glyphs: Sequence[Placed]) -> list[Run]:
    runs: list[Run] = []
    for glyph in glyphs:
        if not runs or not runs[-1].takes(glyph):
            runs.append(Run(len(runs), [glyph], glyph.start, glyph.end, (glyph.start, glyph.end) if glyph.text == HOLE else None))
    return runs


def _without_twins(runs: list[Run]) -> list[Run]:
    """Runs, those that show a text a second time at the same place told with the first: so letters are made to look bold."""
    kept: list[Run] = []
    seen: dict[str, list[Run]] = {}
    for run in runs:
        same = seen.setdefault("".join(glyph.text for glyph in run.glyphs), [])
        for other in same[-8:]:
            far = max(abs(run.start - other.start), abs(run.height - other.height), abs(run.end - other.end))
            if far <= _TWICE * run.em and run.glyphs[0].turn == other.glyphs[0].turn and len(run.glyphs) == len(other.glyphs):
                other.twins.append(run)
                break
        else:
            same.append(run)
            kept.append(run)
    return kept


def _lines(runs: list[Run]) -> list[list[Run]]:
    lines: list[list[Run]] = []
    level: list[Run] = []
    for run in sorted(runs, key=lambda one: (one.glyphs[0].turn, one.height, one.order)):
        if level and (run.glyphs[0].turn != level[0].glyphs[0].turn or run.height - level[0].height > _FOOT * level[0].em):
            lines += _along(level)
            level = []
        level.append(run)
    return sorted([*lines, *_along(level)], key=lambda line: min(run.order for run in line))


def _along(level: list[Run]) -> list[list[Run]]:
    lines: list[list[Run]] = []
    for run in sorted(level, key=lambda one: (one.start, one.order)):
        fits = [line for line in lines[-8:] if _OVERLAP * run.em <= run.start - line[-1].end <= _APART * max(run.em, line[-1].em)]
        if fits:
            min(fits, key=lambda line: abs(run.start - line[-1].end)).append(run)
        else:
            lines.append([run])
    return lines
