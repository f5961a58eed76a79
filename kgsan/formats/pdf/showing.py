"""Letters as a page shows them: where each stands, and the operators that show the others when some are taken out."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pikepdf
from pikepdf import ContentStreamInstruction, Operator

from kgsan.formats.pdf.limits import Unreadable
from kgsan.formats.pdf.matrices import SAME, Matrix, moved, product
from kgsan.formats.pdf.stamps import BLANK, Stamps, fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgsan.formats.pdf.fonts import Font

INVISIBLE = 3


@dataclass(frozen=True, slots=True)
class Placed:
    """One shown glyph: its letters, where it begins and ends along its line, how high the line is, and where it came from."""

    text: str = field(repr=False)
    start: float
    end: float
    height: float
    em: float
    turn: float  #: degrees
    stream: int
    operator: int
    index: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Glyphs of one operator that are taken out. The first of cuts that belong together has the bar and the words on it."""

    first: int
    last: int  #: the first that stays
    room: float | None = None  #: how long the bar is, in points
    text: str = field(default="", repr=False)


@dataclass
class State:
    """What was set for the text that follows."""

    place: Matrix = SAME
    font: Font | None = None
    source: Any = None
    size: float = 0.0
    between: float = 0.0
    words: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    mode: int = 0
    rise: float = 0.0
    light: bool = False
    in_text: bool = False
    line: Matrix = SAME
    along: float = 0.0  #: how far the line has gone

    @property
    def at(self) -> Matrix:
        return moved(self.line, self.along)

    def copy(self) -> State:
        """The same, to be changed."""
        made = State.__new__(State)  # done at every q: three times as fast as a call that sets each field
        made.__dict__.update(self.__dict__)
        return made

    def begin_line(self, line: Matrix) -> None:
        """Begin a line at a place."""
        self.line, self.along = line, 0.0

    def next_line(self, across: float, up: float) -> None:
        """Begin a line at some distance from the last one."""
        self.begin_line(moved(self.line, across, up))


Shown = bytes | float  #: what an operator shows: strings, and how far to move back in thousandths of the size


def place_glyphs(shown: Sequence[Shown], state: State, stream: int, operator: int) -> list[Placed]:
    """The glyphs of an operator, and the state moved behind them."""
    font = state.font
    if font is None:
        raise Unreadable("shows text without saying in which font")
    a, b, c, d, e, f = product(state.at, state.place)
    along = math.hypot(a, b)
    sign = -1.0 if state.size * state.stretch < 0 else 1.0
    turn = round(math.degrees(math.atan2(b * sign, a * sign)) * 2) / 2 % 360 if along else 0.0
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    em = abs(state.size * font.em) * along or 1e-6
    placed = []
    across, index = 0.0, 0
    e, f = e + state.rise * c, f + state.rise * d
    height = f * cosine - e * sine
    slope = b * cosine - a * sine
    start = e * cosine + f * sine
    pace = a * cosine + b * sine
    if not all(math.isfinite(one) for one in (start, height, pace, em)):
        raise Unreadable("draws at a place out of all bounds")
    for piece in shown:
        if not isinstance(piece, bytes):
            across -= piece / 1000 * state.size * state.stretch
            continue
        for code in font.codes(piece):
            text = font.text(code)
            wide = (font.width(code) * state.size + state.between) * state.stretch
            begin, end = start + across * pace, start + (across + wide) * pace
            placed.append(Placed(text, begin, end, height + across * slope, em, turn, stream, operator, index))
            if code == 32 and font.code_length == 1:
                wide += state.words * state.stretch
            across += wide
            index += 1
    state.along += across
    return placed


class Rewriter:
    """Writes the operators that show what is left."""

    def __init__(self, stamps: Stamps, name_font: Callable[[Any], str]) -> None:
        self._stamps = stamps
        self._name_font = name_font  # gives the name under which a font of the new file is known in this stream

    def rewritten(
        self, shown: Sequence[Shown], before: State, cuts: Sequence[Cut], restore: str
    ) -> list[ContentStreamInstruction]:
        """The operators of one that showed a text, without what is cut out. All that stays stands where it stood."""
        font = before.font
        assert font is not None
        made: list[ContentStreamInstruction] = []
        kept: list[Any] = []
        waiting = list(reversed(cuts))
        state = before.copy()
        begin, index = 0.0, 0
        for piece in shown:
            if not isinstance(piece, bytes):
                state.along -= piece / 1000 * state.size * state.stretch
                if not waiting or waiting[-1].first >= index:
                    kept.append(piece)
                continue
            stays = bytearray()
            for code in font.codes(piece):
                taken = bool(waiting) and waiting[-1].first <= index
                if taken and waiting[-1].first == index:
                    begin = state.along
                state.along += (font.width(code) * state.size + state.between) * state.stretch
                state.along += state.words * state.stretch if code == 32 and font.code_length == 1 else 0.0
                index += 1
                if not taken:
                    stays += code.to_bytes(font.code_length)
                elif index == waiting[-1].last:
                    kept += [bytes(stays)] if stays else []
                    made += [*_shows(kept), *self._stamped(waiting.pop(), begin, state), *_restored(state, restore)]
                    kept, stays = [], bytearray()
            kept += [bytes(stays)] if stays else []
        return [*made, *_shows(kept)]

    def _stamped(self, cut: Cut, begin: float, state: State) -> list[ContentStreamInstruction]:
        """The bar and the words of a cut that begins and ends so far along the line. A bar cannot be drawn within text."""
        assert state.font is not None
        size = state.size * state.font.em or 1.0
        blank, codes, wide = self._stamps.words(BLANK)
        plain = [
            *(_instruction([0], name) for name in ("Tc", "Tw")),
            _instruction([pikepdf.Name(self._name_font(blank)), size], "Tf"),
        ]
        if cut.room is None:
            return [*plain, _instruction([100], "Tz"), *_shows([(begin - state.along) * 1000 / size])]
        a, b, *_ = product(state.line, state.place)
        scale = math.hypot(a, b) or 1.0
        room = cut.room / scale * (-1.0 if size * state.stretch < 0 else 1.0)
        hidden = state.mode % 4 == INVISIBLE
        made = [] if hidden or not state.in_text else _bar(state, begin, room, size)
        made += [
            *plain,
            _instruction([100], "Tz"),
            *_shows([-begin * 1000 / size] if made else []),
            _instruction([100 * room / (size * wide)], "Tz"),
            *_shows([codes]),
        ]
        font, codes, natural = self._stamps.words(cut.text)
        fit = fitted(natural, room / size, abs(size) * scale)
        small = size * fit.size
        step = 1000 / (small * fit.stretch)
        return [
            *made,
            _instruction([pikepdf.Name(self._name_font(font)), small], "Tf"),
            _instruction([100 * fit.stretch], "Tz"),
            _instruction([0 if fit.seen and not hidden else INVISIBLE], "Tr"),
            *_shows([room * step, codes, natural * 1000 - (state.along - begin) * step]),
        ]


def _bar(state: State, begin: float, room: float, size: float) -> list[ContentStreamInstruction]:
    """A bar, and the text gone on with from the beginning of its line."""
    shade = 0.25 if state.light else 0.86
    return [
        _instruction([], "ET"),
        _instruction([], "q"),
        _instruction(moved(state.line, begin), "cm"),
        _instruction([shade], "g"),
        _instruction([0.0, state.rise - 0.22 * size, room, size], "re"),
        _instruction([], "f"),
        _instruction([], "Q"),
        _instruction([], "BT"),
        _instruction(state.line, "Tm"),
    ]


def _restored(state: State, name: str) -> list[ContentStreamInstruction]:
    return [
        _instruction([pikepdf.Name(name), state.size], "Tf"),
        _instruction([state.between], "Tc"),
        _instruction([state.words], "Tw"),
        _instruction([100 * state.stretch], "Tz"),
        _instruction([state.mode], "Tr"),
    ]


def _shows(pieces: Sequence[Any]) -> list[ContentStreamInstruction]:
    if not pieces:
        return []
    entries = [pikepdf.String(one) if isinstance(one, bytes) else number(one) for one in pieces if one != b""]
    return [_instruction([pikepdf.Array(entries)], "TJ")]


def number(value: float) -> Any:
    """A number as PDF writes it, fine enough that nothing moves."""
    return int(value) if value == int(value) else pikepdf.Object.parse(f"{value:.7f}".rstrip("0").encode("ascii"))


def _instruction(operands: Sequence[Any], name: str) -> ContentStreamInstruction:
    return ContentStreamInstruction([number(one) if isinstance(one, float) else one for one in operands], Operator(name))
