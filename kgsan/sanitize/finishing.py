"""From what a published method hides to the finished text: overlaps settled, words written, what is left measured."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgsan.sanitize.ladder import Refused
from kgsan.sanitize.published import csan
from kgsan.sanitize.result import Action, Decision, SanitizedDocument
from kgsan.sanitize.wording import Change, rewrite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kgsan.knowledge.knowledge import Term
    from kgsan.ontology.information import Bits
    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.spoken import Occurrence, Spoken


@dataclass(frozen=True, slots=True)
class Hidden:
    """A part of the text that changes: why, and what is said there; without a term it is blacked out."""

    start: int
    end: int
    reasons: tuple[Disclosure, ...]
    by: Term | None = field(default=None, repr=False)
    refused: tuple[tuple[Term, str], ...] = field(default=(), repr=False)  #: what was not said, and why
    write: str | None = field(default=None, repr=False)  #: what the policy wants written
    is_term: bool = False  #: whether a more general term was looked for


def merged(hidden: Iterable[Hidden]) -> list[Hidden]:
    """In order and without overlaps: the longest of several speaks for all; two that cross are one.

    What crosses is said by the last, which has the head of the phrase, unless one of them has no words.
    """
    found: list[Hidden] = []
    reasons: list[dict[Disclosure, None]] = []
    for one in sorted(hidden, key=lambda one: (one.start, -one.end)):
        if not found or one.start >= found[-1].end:
            found.append(one)
            reasons.append(dict.fromkeys(one.reasons))
            continue
        reasons[-1].update(dict.fromkeys(one.reasons))
        last = found[-1]
        if one.end > last.end:
            found[-1] = replace(one, start=last.start, by=None if last.by is None else one.by, write=None)
    return [replace(one, reasons=tuple(why)) for one, why in zip(found, reasons, strict=True)]


def finished(spoken: Spoken, hidden: Iterable[Hidden], occurrences: Sequence[Occurrence], style: str) -> SanitizedDocument:
    """The text with everything hidden; `occurrences` are all terms, by which it is measured what is left."""
    changed = merged(hidden)
    rewritten = rewrite(spoken.document, [_change(spoken, one, style) for one in changed], style=style)
    decisions = tuple(
        _decision(spoken, changed[number], piece.new_start, piece.new_end)
        for piece in rewritten.pieces
        for number in piece.changes
    )
    left = kept(occurrences, changed, lambda term: csan.utility(spoken.knowledge, [term], spoken.parts))
    return SanitizedDocument(rewritten.text, decisions, left, 1, rewritten)


def kept(occurrences: Sequence[Occurrence], changed: Sequence[Hidden], says: Callable[[Term], Bits]) -> float:
    """The share of what all terms say that is left (C-sanitized, eqs. 7 and 8); a term inside another is a part of that.

    A replacement counts for the term in which it ends.
    """
    before = after = 0.0
    reached = 0
    for one in sorted(occurrences, key=lambda one: (one.start, -one.end)):
        if one.end <= reached:
            continue
        reached = one.end
        bits = says(one.term)
        before += bits
        at = bisect_left(changed, one.start, key=lambda change: change.end - 1)
        if at == len(changed) or changed[at].start >= one.end:
            after += bits
        while at < len(changed) and changed[at].end <= one.end:
            by = changed[at].by
            after += 0.0 if by is None else says(by)
            at += 1
    return after / before if before else 1.0


def _change(spoken: Spoken, one: Hidden, style: str) -> Change:
    if one.write is not None:
        return Change(one.start, one.end, None, exactly=one.write)
    if one.by is None:
        kind = (one.reasons[0].entity or one.reasons[0].rule).upper()
        return Change(one.start, one.end, None, exactly=style.replace("{kind}", kind) if "{kind}" in style else None)
    rung = spoken.rung(one.by)
    return Change(one.start, one.end, rung.name, rung.is_named)


def _decision(spoken: Spoken, one: Hidden, new_start: int, new_end: int) -> Decision:
    rung = None if one.by is None else spoken.rung(one.by)
    action = Action.REDACTED if rung is None else Action.SHORTENED if rung.concept is None else Action.GENERALIZED
    if one.write is not None:
        action = Action.WRITTEN
    return Decision(
        one.start,
        one.end,
        new_start,
        new_end,
        action,
        None if rung is None else rung.name,
        None if rung is None or rung.concept is None else rung.concept.id,
        one.reasons,
        tuple(Refused(spoken.rung(term), because) for term, because in one.refused),
    )
