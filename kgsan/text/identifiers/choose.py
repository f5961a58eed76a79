"""Which identifier is reported where several claim the same words."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kgsan.text.identifiers.identifier import KINDS, Identifier

_RANK = {kind: rank for rank, kind in enumerate(KINDS)}


def choose(claims: Iterable[Identifier], plain: str) -> list[Identifier]:
    """The longer wins, then the more certain, then the earlier kind; what a loser has beyond the winner stays its own.

    >>> [(found.kind, found.start) for found in choose([Identifier(0, 5, "name", "a"), Identifier(3, 7, "date", "b")], "Roe 3/4")]
    [('name', 0), ('date', 6)]
    """
    taken = bytearray(len(plain))
    chosen = []
    for claim in sorted(set(claims), key=_precedence):
        for start, end in _free(taken, claim.start, claim.end):
            taken[start:end] = b"\1" * (end - start)
            left = claim if (start, end) == (claim.start, claim.end) else _rest(claim, start, end, plain)
            if left is not None:
                chosen.append(left)
    return sorted(chosen, key=lambda claim: claim.start)


def _precedence(claim: Identifier) -> tuple[int, bool, int, int, str]:
    return claim.start - claim.end, not claim.certain, _RANK[claim.kind], claim.start, claim.because


def _free(taken: bytearray, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = taken.find(1, start, end)
        if stop < 0:
            yield start, end
            return
        if stop > start:
            yield start, stop
        start = taken.find(0, stop, end)
        if start < 0:
            return


def _rest(claim: Identifier, start: int, end: int, plain: str) -> Identifier | None:
    """What is left of a claim, without the blanks and marks at its edges."""
    while start < end and not plain[start].isalnum():
        start += 1
    while end > start and not plain[end - 1].isalnum():
        end -= 1
    parts = tuple(part for part in claim.parts if start <= part[1] and part[2] <= end)
    return replace(claim, start=start, end=end, parts=parts) if start < end else None
