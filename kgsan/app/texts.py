"""The text of a document on the page: every change in its place, every other letter where it stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.app.markup import Markup, element, plain, unseen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.app.drafting import Draft, Settled


def text_of(draft: Draft, current: Settled | None = None, *, links: bool = True) -> Iterator[Markup]:
    """The whole text: between the changes letter for letter, each change with what was there and what is there now."""
    numbers = {one.span: number for number, one in enumerate(draft.settled, 1)}
    pieces: list[tuple[int, int, str | None, Settled]] = [
        (piece.start, piece.end, draft.text[piece.new_start : piece.new_end], draft.hidden[piece.changes[0]])
        for piece in draft.rewritten.pieces
    ]
    pieces += [(*one.span, None, one) for one in draft.settled if one.is_kept]
    original, at = draft.proposal.text, 0
    for start, end, words, one in sorted(pieces, key=lambda piece: piece[:2]):
        if start < at:
            continue
        yield from plain(original, (at, start))
        at = end
        number = numbers[one.span]
        before = element("span", original[start:end]) if words is None else element("del", unseen("was "), original[start:end])
        after = element("i", "kept", class_="tag") if words is None else element("ins", unseen(" now "), words)
        kind = f"change r-{one.decision.disclosures[0].rule.value}{' kept' * one.is_kept}{' open' * (one.verdict is None)}"
        attributes: dict[str, str | int | None] = {"class_": kind, "data_change": number}
        if links:
            attributes["aria_current"] = "true" if one is current else None
            yield element("a", before, after, href=f"?at={one.span[0]}-{one.span[1]}#change-{number}", **attributes)
        else:
            yield element("span", before, after, **attributes)
    yield from plain(original, (at, len(original)))
