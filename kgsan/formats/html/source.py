"""A source text with places in it that are rewritten: what lies between them stays, letter for letter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.formats.woven import BLOCK, JOINTS, NOTHING, Strand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgsan.formats.html.encoding import Encoding


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a source that says something, and how another text is written there."""

    start: int
    end: int
    text: str = field(repr=False)
    joint: str
    write: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of a source that is left out, and what stands there instead."""

    start: int
    end: int
    instead: str = ""


class Source:
    """A text taken apart."""

    def __init__(self, text: str, places: Sequence[Place], cuts: Sequence[Cut], encoding: Encoding) -> None:
        self._text = text
        self._places = places
        self._cuts = cuts
        self._encoding = encoding

    @property
    def strands(self) -> Sequence[Strand]:
        return [Strand(place.text, place.joint) for place in self._places]

    def put(self, texts: Sequence[str]) -> bytes:
        return self._encoding.encode(self.rewritten(texts))

    def rewritten(self, texts: Sequence[str]) -> str:
        """The source with other texts in its places."""
        edits = [(cut.start, cut.end, cut.instead) for cut in self._cuts]
        for place, text in zip(self._places, texts, strict=True):
            if text != place.text:
                edits.append((place.start, place.end, place.write(text)))
        edits.sort()
        parts = []
        done = 0
        for start, end, text in edits:
            if start >= done:  # what lies in a part that is left out goes with it
                parts += [self._text[done:start], text]
                done = end
        return "".join([*parts, self._text[done:]])


class Collector:
    """Gathers the places of a source in reading order. Texts that stand aside, as in attributes, follow the paragraph."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.cuts: list[Cut] = []
        self._aside: list[Place] = []
        self._joint = BLOCK

    def join(self, joint: str) -> None:
        """Say what stands between the last text and the next."""
        self._joint = max(self._joint, joint, key=JOINTS.index)
        if joint == BLOCK and self._aside:
            self.places += self._aside
            self._aside = []

    def text(self, start: int, end: int, text: str, write: Callable[[str], str]) -> None:
        """A text that is read on from the one before."""
        self.places.append(Place(start, end, text, self._joint, write))
        self._joint = NOTHING

    def aside(self, start: int, end: int, text: str, write: Callable[[str], str]) -> None:
        """A text that is read by itself."""
        if text:
            self._aside.append(Place(start, end, text, BLOCK, write))

    def take_aside(self, other: Collector) -> None:
        """What was gathered elsewhere is read by itself."""
        other.close()
        self._aside += other.places
        self.cuts += other.cuts

    def cut(self, start: int, end: int, instead: str = "") -> None:
        """Leave a part out."""
        self.cuts.append(Cut(start, end, instead))

    def close(self) -> None:
        """Nothing follows."""
        self.join(BLOCK)
