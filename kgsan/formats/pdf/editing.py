"""Which glyphs are taken out when words change, and where the words that take their place are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.formats.pdf.fonts import JOINER
from kgsan.formats.pdf.showing import Cut
from kgsan.formats.woven import NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.formats.pdf.layout import Piece, Word

Cuts = dict[tuple[int, int], list[Cut]]


def cuts_of(words: Sequence[Word], texts: Sequence[str]) -> Cuts:
    """The cuts that turn words into other texts.

    A word that goes on in the next line is marked so when either part changes: its hyphen is gone. Words that fall away behind a
    changed one leave it their room.
    """
    changed = [word.text != text for word, text in zip(words, texts, strict=True)]
    new = list(texts)
    for at in range(1, len(words)):
        if words[at].joint == NOTHING and (changed[at] or changed[at - 1]):
            changed[at - 1] = changed[at] = True
            new[at - 1] += JOINER
    cuts: Cuts = {}
    at = 0
    while at < len(words):
        end = at + 1
        if changed[at]:
            while end < len(words) and changed[end] and not new[end] and _goes_on(words[end - 1], words[end]):
                end += 1
            _cut(cuts, [words[one].shown for one in range(at, end)], new[at])
            for twin in range(max(len(words[one].again) for one in range(at, end))):
                _cut(cuts, [words[one].again[twin] for one in range(at, end) if twin < len(words[one].again)], new[at])
        at = end
    for some in cuts.values():
        some.sort(key=lambda cut: cut.first)
    return cuts


def _goes_on(word: Word, following: Word) -> bool:
    one, other = word.shown, following.shown
    alike = len(word.again) == len(following.again)
    return alike and len(one) == len(other) == 1 and other[0][0].run == one[0][0].run and other[0][0].start >= one[0][-1].start


def _cut(cuts: Cuts, shown: Sequence[tuple[tuple[Piece, ...], ...]], text: str) -> None:
    groups: dict[int, list[Piece]] = {}
    for word in shown:
        for pieces in word:
            groups.setdefault(pieces[0].run, []).extend(pieces)
    widest = max(groups.values(), key=lambda group: sum(piece.end - piece.start for piece in group))
    for group in groups.values():
        room = max(piece.end for piece in group) - group[0].start
        for piece in group:
            cut = Cut(piece.first, piece.last)
            if piece is group[0]:
                cut = Cut(piece.first, piece.last, room, text if group is widest else "")
            cuts.setdefault((piece.stream, piece.operator), []).append(cut)
