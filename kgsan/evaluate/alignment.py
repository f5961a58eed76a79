"""Where two versions of a text differ, found by the words that stand in both once and in the same order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = re.compile(r"\w+|[^\w\s]")
#: So often a stretch that differs is looked at again by itself.
_DEPTH = 6


class Difference(NamedTuple):
    """A part of the old text, and the part of the new one that stands in its place; either may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


def differences(old: str, new: str) -> list[Difference]:
    """The parts that differ, in order.

    >>> [(one.start, one.end, one.new_start, one.new_end) for one in differences("He has HIV now.", "He has an infection now.")]
    [(7, 10, 7, 19)]
    """
    before, after = _words(old), _words(new)
    texts = [old[start:end] for start, end in before], [new[start:end] for start, end in after]
    found = []
    for first, last, new_first, new_last in _differing(*texts):
        start, end = _span(before, first, last, len(old))
        new_start, new_end = _span(after, new_first, new_last, len(new))
        found.append(Difference(start, end, new_start, new_end))
    return found


def _words(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _WORD.finditer(text)]


def _span(words: Sequence[tuple[int, int]], first: int, last: int, size: int) -> tuple[int, int]:
    """The characters from one word to before another; where there are none, the place between."""
    if first < last:
        return words[first][0], words[last - 1][1]
    place = words[first][0] if first < len(words) else size
    return place, place


def _differing(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    waiting = [(0, len(old), 0, len(new), 0)]
    while waiting:
        first, last, new_first, new_last, depth = waiting.pop()
        while first < last and new_first < new_last and old[first] == new[new_first]:
            first, new_first = first + 1, new_first + 1
        while first < last and new_first < new_last and old[last - 1] == new[new_last - 1]:
            last, new_last = last - 1, new_last - 1
        if first == last and new_first == new_last:
            continue
        anchors = _anchors(old, new, (first, last), (new_first, new_last)) if depth < _DEPTH else []
        if not anchors:
            yield first, last, new_first, new_last
            continue
        parts = []
        for at, new_at in anchors:
            parts.append((first, at, new_first, new_at, depth + 1))
            first, new_first = at + 1, new_at + 1
        parts.append((first, last, new_first, new_last, depth + 1))
        waiting += reversed(parts)


def _anchors(old: Sequence[str], new: Sequence[str], here: tuple[int, int], there: tuple[int, int]) -> list[tuple[int, int]]:
    """Words that stand once in both stretches, as many as keep their order."""
    once, once_there = Counter(old[slice(*here)]), Counter(new[slice(*there)])
    places = {new[at]: at for at in range(*there) if once_there[new[at]] == 1}
    pairs = [(at, places[old[at]]) for at in range(*here) if once[old[at]] == 1 and old[at] in places]
    ends: list[int] = []  # the last pair of the best row of each length, by its place in the new text
    chosen: list[int] = []
    previous: list[int] = []
    for number, (_, new_at) in enumerate(pairs):
        length = bisect_left(ends, new_at)
        previous.append(chosen[length - 1] if length else -1)
        ends[length : length + 1] = [new_at]
        chosen[length : length + 1] = [number]
    row, number = [], chosen[-1] if chosen else -1
    while number >= 0:
        row.append(pairs[number])
        number = previous[number]
    return row[::-1]
