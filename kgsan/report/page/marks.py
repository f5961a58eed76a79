"""The places of a text that were changed, and the text in blocks that can stand beside the original's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.risk.disclosures import Rule
    from kgsan.sanitize.result import Decision, SanitizedDocument

#: A block ends at an empty line from this length on, and at the end of any line from that: many short ones would swell a page.
_PARAGRAPH, _LONG = 160, 600


@dataclass(frozen=True, slots=True)
class Mark:
    """One place that was changed: one or several decisions that became one wording."""

    number: int
    start: int
    end: int
    new_start: int
    new_end: int
    decisions: tuple[Decision, ...] = field(repr=False)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that asked for it, the first one first."""
        return tuple(dict.fromkeys(one.rule for decision in self.decisions for one in decision.disclosures))


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text, before and after; without a mark both are the same."""

    start: int
    end: int
    new_start: int
    new_end: int
    mark: Mark | None = None


def marks(result: SanitizedDocument) -> tuple[Mark, ...]:
    """The changed places in order. Decisions stand in the order of the pieces that they became."""
    decisions = iter(result.decisions)
    made = []
    for number, piece in enumerate(result.rewritten.pieces, 1):
        own = tuple(next(decisions) for _ in piece.changes)
        made.append(Mark(number, piece.start, piece.end, piece.new_start, piece.new_end, own))
    return tuple(made)


def blocks(result: SanitizedDocument, found: tuple[Mark, ...]) -> Iterator[list[Stretch]]:
    """The whole text, cut at ends of lines that stand outside of every mark.

    Where it is cut follows from the released text alone: lengths of the original would tell about the words that went.
    """
    text = result.text
    block: list[Stretch] = []
    began = at = shift = 0
    for mark in (*found, None):
        end = len(text) if mark is None else mark.new_start
        for cut in _cuts(text, began, at, end):
            block.append(Stretch(at + shift, cut + shift, at, cut))
            yield block
            block, began, at = [], cut, cut
        if at < end:
            block.append(Stretch(at + shift, end + shift, at, end))
        if mark is not None:
            block.append(Stretch(mark.start, mark.end, mark.new_start, mark.new_end, mark))
            at, shift = mark.new_end, mark.end - mark.new_end
    if block:
        yield block


def _cuts(text: str, began: int, at: int, end: int) -> Iterator[int]:
    """Where to cut between two places; the block began before them."""
    while (line := text.find("\n", max(at, began + _PARAGRAPH), end)) >= 0:
        at = line + 1
        is_paragraph = text[at : at + 1] in ("\n", "\r")
        if is_paragraph or at - began > _LONG:
            while at < end and text[at] in "\r\n":  # empty lines belong to the block before them
                at += 1
            began = at
            yield at
