"""A text with the parts that people marked in it: each to be hidden or to stay, of some class, for some entity."""

from __future__ import annotations

import operator
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.errors import Problem, system_says
from kgsan.evaluate.problems import error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from kgsan.errors import Place

#: The class of what is marked without one.
AGREED = "marked"
#: Classes of what should stay.
KEPT = ("decoy", "utility")
_COUNT = "Count characters of this very text, from 0; the end is the first character behind the span."
#: So many labels of a document are looked at to tell whether they are words of it.
_LOOKED_AT = 50
_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True, order=True)
class GoldSpan:
    """A part of a text that somebody marked, `text[start:end]`."""

    start: int
    end: int
    kind: str = AGREED  #: its class
    entity: str = ""  #: what it gives away
    label: str = ""  #: what a first sanitizer would write there

    @property
    def is_kept(self) -> bool:
        """Whether it should stay."""
        return self.kind in KEPT


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A text and what is marked in it. Shows no words when printed."""

    name: str
    text: str = field(repr=False)
    spans: tuple[GoldSpan, ...]
    protect: tuple[str, ...] = ()  #: what it says itself is protected
    too_specific_above: str | None = None
    has_identifiers: bool = False
    annotators: Mapping[str, tuple[GoldSpan, ...]] = field(default_factory=dict)
    disputed: tuple[GoldSpan, ...] = ()  #: what fewer than most annotators marked

    @property
    def says_what_it_protects(self) -> bool:
        """Whether a policy can be made of what the document says itself."""
        return bool(self.protect or self.too_specific_above or self.has_identifiers)

    @property
    def to_hide(self) -> tuple[GoldSpan, ...]:
        """What should be hidden."""
        return tuple(span for span in self.spans if not span.is_kept)

    @property
    def to_keep(self) -> tuple[GoldSpan, ...]:
        """What should stay."""
        return tuple(span for span in self.spans if span.is_kept)


class Marks:
    """The spans of one document as they are read: each is checked, and what is wrong is collected."""

    def __init__(self, text: str, place: Place, problems: list[Problem]) -> None:
        self.text, self._place, self._problems = text, place, problems
        self._read = 0

    def add(
        self, start: object, end: object, kind: str = AGREED, entity: str = "", label: str = "", words: object = None
    ) -> list[GoldSpan]:
        """The span if it fits the text and holds the words it was made for; else none."""
        self._read += 1
        first, behind = _whole(start), _whole(end)
        if first is None or behind is None:
            self.wrong("E104", "has a start or end that is no whole number", _COUNT)
        elif not 0 <= first < behind <= len(self.text):
            self.wrong("E104", f"does not fit the text, which has {len(self.text)} characters", _COUNT)
        elif isinstance(words, str) and not (len(words) == behind - first and self.text.startswith(words, first)):
            self.wrong("E105", "does not hold the words it was made for", _COUNT)
        else:
            return [GoldSpan(first, behind, kind, entity, label)]
        return []

    def skip(self) -> None:
        """Count a span that is none."""
        self._read += 1

    def wrong(self, code: str, said: str, hint: str | None = None) -> None:
        """Remember a problem of the span that was read last."""
        self._problems.append(Problem(code, self._place, f"Span {self._read} {said}.", hint))

    def label(self, given: object) -> str | None:
        """A label as it may be shown; None for one that is none."""
        if given is None:
            return AGREED
        if isinstance(given, str) and len(given) <= _LONGEST_LABEL and given.isprintable():
            return given.strip() or AGREED
        return None

    def are_words(self, labels: Sequence[object]) -> bool:
        """Whether labels are words of the text rather than names of classes: they must never be shown."""
        looked = list(dict.fromkeys(label for label in labels if isinstance(label, str) and label))[:_LOOKED_AT]
        return bool(looked) and 2 * sum(label in self.text for label in looked) > len(looked)


def agreed(by: Mapping[str, Sequence[GoldSpan]]) -> tuple[tuple[GoldSpan, ...], tuple[GoldSpan, ...]]:
    """What most annotators marked, and what fewer did; a span counts as marked by whoever marked half of it or more."""
    most: list[GoldSpan] = []
    fewer: list[GoldSpan] = []
    stretches = {name: _stretches(spans) for name, spans in by.items()}
    for span in sorted({span for spans in by.values() for span in spans}):
        votes = sum(2 * _covered(span, others) >= span.end - span.start for others in stretches.values())
        chosen = most if 2 * votes > len(by) else fewer
        chosen.append(span)
    kept: list[GoldSpan] = []
    for span in sorted(most, key=lambda span: (span.start, -span.end)):
        if not kept or span.end > kept[-1].end:
            kept.append(span)
    return tuple(kept), tuple(fewer)


def _stretches(spans: Iterable[GoldSpan]) -> tuple[list[int], list[int], list[int]]:
    """The same places in order, without overlaps, and how long they are up to each."""
    starts: list[int] = []
    ends: list[int] = []
    for span in sorted(spans):
        if ends and span.start <= ends[-1]:
            ends[-1] = max(ends[-1], span.end)
        else:
            starts.append(span.start)
            ends.append(span.end)
    sums = [0]
    for start, end in zip(starts, ends, strict=True):
        sums.append(sums[-1] + end - start)
    return starts, ends, sums


def _covered(span: GoldSpan, stretches: tuple[list[int], list[int], list[int]]) -> int:
    starts, ends, sums = stretches
    first, behind = bisect_right(ends, span.start), bisect_left(starts, span.end)
    if first >= behind:
        return 0
    whole = sums[behind] - sums[first]
    return whole - max(0, span.start - starts[first]) - max(0, ends[behind - 1] - span.end)


def read_utf8(path: Path) -> str:
    """The text of a file, letter for letter but for a mark of UTF-8 at its beginning."""
    try:
        content = path.read_bytes()
    except OSError as failure:
        raise error("E101", path.name, f"It cannot be opened: {system_says(failure) or 'unknown reason'}.") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = content.count(b"\n", 0, failure.start) + 1
        raise error("E103", path.name, "From here on it is not text in UTF-8.", "Save it as UTF-8 first.", line) from None


def _whole(value: object) -> int | None:
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
