"""How much of what a text says is left: the information of all its terms, before and after (C-sanitized, eqs. 7 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgsan.risk.detecting import Detector
    from kgsan.risk.terms import Term


def utility_kept(detector: Detector, every: Sequence[Term], changed: Iterable[tuple[tuple[int, int], str | None]]) -> float:
    """The share of the information that changes leave; each change is a span and the name that stands there instead.

    A change says what its new name says, but no more than the terms it took the place of.
    """
    whole = [(term.start, term.end, detector.said(term.name)) for term in outermost(every)]
    total = sum(bits for _, _, bits in whole)
    if not total:
        return 1.0
    lost = 0.0
    rows = iter(whole)
    row = next(rows, None)
    for (start, end), name in sorted(changed):
        while row is not None and row[1] <= start:
            row = next(rows, None)
        before = 0.0
        while row is not None and row[0] < end:
            before += row[2]
            row = next(rows, None)
        lost += before - (0.0 if name is None else min(before, detector.said(name)))
    return 1 - lost / total


def outermost(every: Iterable[Term]) -> list[Term]:
    """The terms that lie in no other, in order."""
    found: list[Term] = []
    for term in sorted(every, key=lambda one: (one.start, -one.end)):
        if not found or term.start >= found[-1].end:
            found.append(term)
    return found
