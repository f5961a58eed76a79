"""A neighborhood laid out as SVG: generalizations above, specializations below, relations at the sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsan.report.drawing.letters import shortened, width
from kgsan.report.page.markup import Markup, element, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.report.drawing.neighborhood import Neighborhood, Some

_SIZE, _SMALL = 13.0, 11.0
_HIGH, _PAD, _GAP, _RISE, _EDGE, _GUTTER = 30.0, 12.0, 14.0, 30.0, 24.0, 64.0
_LONGEST, _COLUMNS = 48, 3
_LINE = 19.0
_STYLE = Markup(
    """
svg { color-scheme: light dark; }
.paper { fill: #ffffff; } .box { fill: #f1f4f8; stroke: #8a94a3; } .own { fill: #0b57a4; stroke: #0b57a4; }
.panel { fill: #ffffff; stroke: #c3cad4; } .edge { fill: none; stroke: #8a94a3; stroke-width: 1.3; }
text { font: 13px system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; fill: #1b1e24; }
.on-own { fill: #ffffff; font-weight: 600; } .small { font-size: 11px; }
.small:not(.on-own) { fill: #565d69; } .heading { font-size: 11px; font-weight: 600; fill: #0b57a4; }
@media (prefers-color-scheme: dark) {
.paper { fill: #15171b; } .box { fill: #262b33; stroke: #6d7683; } .own { fill: #9ccaff; stroke: #9ccaff; }
.panel { fill: #1a1d22; stroke: #3f4650; } .edge { stroke: #6d7683; }
text { fill: #e7e9ed; } .on-own { fill: #10243a; } .small:not(.on-own) { fill: #a9b0bc; } .heading { fill: #9ccaff; }
}
"""
)


@dataclass(frozen=True, slots=True)
class Box:
    """A name in a frame."""

    name: str
    bits: float | None
    x: float = 0.0
    y: float = 0.0

    @property
    def wide(self) -> float:
        """How wide the frame is."""
        return 2 * _PAD + width(self.told, _SIZE) + (width(self.said, _SMALL) + 8 if self.said else 0)

    @property
    def told(self) -> str:
        """The name as it fits."""
        return shortened(self.name, _LONGEST)

    @property
    def said(self) -> str:
        """How much it says."""
        return "" if self.bits is None else f"{self.bits:.1f} bits"


@dataclass(frozen=True, slots=True)
class Panel:
    """A heading and names below it, in columns of one width."""

    some: Some
    columns: int

    @property
    def rows(self) -> list[str]:
        """The names, and how many are not there."""
        more = [f"and {self.some.more:,} more"] if self.some.more else []
        return [*(shortened(name, _LONGEST) for name in self.some.names), *more]

    @property
    def column(self) -> float:
        """How wide a column is."""
        return max((width(row, _SIZE) for row in self.rows), default=0.0) + _GAP

    @property
    def used(self) -> int:
        """How many columns there are names for."""
        return max(1, min(self.columns, len(self.rows)))

    @property
    def wide(self) -> float:
        """How wide the frame is."""
        return 2 * _PAD + max(self.used * self.column - _GAP, width(self.some.heading, _SMALL) * 1.1)

    @property
    def high(self) -> float:
        """How high the frame is."""
        return 2 * _PAD + _LINE * (1 + -(-len(self.rows) // self.used)) - 4

    def drawn(self, x: float, y: float) -> Iterator[Markup]:
        """The frame with its names; they run down the columns."""
        yield _frame(x, y, self.wide, self.high, "panel")
        yield _text(self.some.heading, x + _PAD, y + _PAD + 9, "heading")
        deep = -(-len(self.rows) // self.used)
        for number, row in enumerate(self.rows):
            column, line = divmod(number, deep)
            is_rest = number == len(self.rows) - 1 and bool(self.some.more)
            full = None if is_rest else self.some.names[number]
            kind = "small" if is_rest else None
            yield _text(row, x + _PAD + column * self.column, y + _PAD + 10 + _LINE * (line + 1), kind, full)


def picture(shown: Neighborhood) -> bytes:
    """The neighborhood as the bytes of an SVG file: the same for the same ontology."""
    layers = [[Box(one.name, one.bits) for one in layer] for layer in shown.layers]
    own = Box(shown.name, shown.bits)
    below = Panel(shown.specializations, _COLUMNS)
    lefts, rights = _balanced(shown)
    spans = [sum(box.wide for box in layer) + _GAP * (len(layer) - 1) for layer in layers]
    middle = max([own.wide, below.wide if below.rows else 0.0, *spans])
    left, right = (max((panel.wide for panel in side), default=0.0) for side in (lefts, rights))
    start = _EDGE + (left + _GUTTER if lefts else 0.0)
    center = start + middle / 2
    stacks = [sum(panel.high for panel in side) + _GAP * max(0, len(side) - 1) for side in (lefts, rights)]
    rises = (_HIGH + _RISE) * len(layers) + (_LINE if shown.unseen else 0.0)
    level = max(_EDGE + rises, _EDGE + max(stacks) / 2 - _HIGH / 2)
    end = max(level + _HIGH + (_RISE + below.high if below.rows else 0.0), level + _HIGH / 2 + max(stacks) / 2)
    whole = start + middle + (_GUTTER + right if rights else 0.0) + _EDGE
    placed = {shown.key: Box(own.name, own.bits, center - own.wide / 2, level)}
    parts: list[Markup] = []
    for height, (layer, general) in enumerate(zip(layers, shown.layers, strict=True), 1):
        x, y = center - spans[height - 1] / 2, level - height * (_HIGH + _RISE)
        for box, one in zip(layer, general, strict=True):
            placed[one.key] = Box(box.name, box.bits, x, y)
            parts += [_climb(placed[child], placed[one.key]) for child in one.below]
            x += box.wide + _GAP
    if below.rows:
        parts.append(_line(f"M{center:.1f} {level + _HIGH:.1f}V{level + _HIGH + _RISE:.1f}"))
    ours = placed[shown.key]
    parts += _side(lefts, ours.x, start - _GUTTER, level + _HIGH / 2, stacks[0], is_left=True)
    parts += _side(rights, ours.x + ours.wide, start + middle + _GUTTER, level + _HIGH / 2, stacks[1], is_left=False)
    parts += [part for key, box in placed.items() for part in _named(box, is_own=key == shown.key)]
    if below.rows:
        parts += below.drawn(center - below.wide / 2, level + _HIGH + _RISE)
    if shown.unseen:
        parts.append(
            _text(f"and {shown.unseen:,} more that are more general", center, level - rises + 8, "small", anchor="middle")
        )
    return _whole(shown, whole, end + _EDGE + _LINE, parts)


def _balanced(shown: Neighborhood) -> tuple[list[Panel], list[Panel]]:
    """What relates to the concept at the left, what it relates to at the right, and the overhang where there is more space."""
    lefts: list[Panel] = []
    rights = [Panel(some, 1) for some in shown.outgoing]
    for panel in (Panel(some, 1) for some in shown.incoming):
        side = lefts if sum(one.high for one in lefts) <= sum(one.high for one in rights) else rights
        side.append(panel)
    return lefts, rights


def _whole(shown: Neighborhood, wide: float, high: float, parts: Sequence[Markup]) -> bytes:
    wide = max(wide, 2 * _EDGE + width(_source(shown), _SMALL))
    content = [
        element("title", f"{shown.name} and its neighbors", id="title"),
        element("desc", _described(shown), id="about"),
        element("style", _STYLE),
        element("rect", class_="paper", width=f"{wide:.0f}", height=f"{high:.0f}"),
        *parts,
        _text(_source(shown), _EDGE, high - 12, "small"),
    ]
    size = {"width": f"{wide:.0f}", "height": f"{high:.0f}", "viewBox": f"0 0 {wide:.0f} {high:.0f}"}
    drawn = element(
        "svg", joined(content, "\n"), xmlns="http://www.w3.org/2000/svg", role="img", aria_labelledby="title about", **size
    )
    return f"{drawn}\n".encode()


def _source(shown: Neighborhood) -> str:
    return shortened(f"{shown.id} in {shown.ontology}; {shown.covers:,} specializations in all", 90)


def _described(shown: Neighborhood) -> str:
    """The picture in words, for those who do not see it."""
    above = "; then ".join(", ".join(one.name for one in layer) for layer in shown.layers)
    told = [f"More general: {above or 'nothing'}."]
    for some in (shown.specializations, *shown.outgoing, *shown.incoming):
        more = f" and {some.more:,} more" if some.more else ""
        told += [f"{some.heading}: {', '.join(some.names)}{more}."] if some.names or some.more else []
    return " ".join(told)


# --- parts ----------------------------------------------------------------------------------------------------------------


def _side(panels: list[Panel], out: float, x: float, level: float, high: float, *, is_left: bool) -> Iterator[Markup]:
    """Panels one below the other beside the concept, each with a line that leaves it at its own height."""
    y = level - high / 2
    bend = x + _GUTTER / 2 if is_left else x - _GUTTER / 2
    for panel in panels:
        yield _line(f"M{out:.1f} {level:.1f}H{bend:.1f}V{y + panel.high / 2:.1f}H{x:.1f}")
        yield from panel.drawn(x - panel.wide if is_left else x, y)
        y += panel.high + _GAP


def _climb(child: Box, parent: Box) -> Markup:
    x, y = child.x + child.wide / 2, child.y
    to_x, to_y = parent.x + parent.wide / 2, parent.y + _HIGH
    bend = (y + to_y) / 2
    return _line(f"M{x:.1f} {y:.1f}C{x:.1f} {bend:.1f} {to_x:.1f} {bend:.1f} {to_x:.1f} {to_y:.1f}")


def _named(box: Box, *, is_own: bool) -> Iterator[Markup]:
    yield _frame(box.x, box.y, box.wide, _HIGH, "own" if is_own else "box")
    kind = "on-own" if is_own else None
    yield _text(box.told, box.x + _PAD, box.y + _HIGH / 2 + 4.5, kind, box.name)
    if box.said:
        small = "small on-own" if is_own else "small"
        yield _text(box.said, box.x + box.wide - _PAD, box.y + _HIGH / 2 + 4.5, small, anchor="end")


def _frame(x: float, y: float, wide: float, high: float, kind: str) -> Markup:
    return element("rect", class_=kind, x=f"{x:.1f}", y=f"{y:.1f}", width=f"{wide:.1f}", height=f"{high:.1f}", rx=6)


def _line(path: str) -> Markup:
    return element("path", class_="edge", d=path)


def _text(told: str, x: float, y: float, kind: str | None = None, full: str | None = None, anchor: str | None = None) -> Markup:
    whole = [element("title", full)] if full is not None and full != told else []
    return element("text", *whole, told, class_=kind, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
