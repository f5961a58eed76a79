"""Texts woven from strands and taken apart again."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kgsan.formats.woven import BLANK, BLOCK, JOINTS, LINE, NOTHING, Strand, Unwoven, Woven, unweave
from kgsan.sanitize.result import SanitizedDocument
from kgsan.sanitize.wording import Piece, Rewritten


def edited(woven: Woven, edits: list[tuple[int, int, str]]) -> SanitizedDocument:
    parts, pieces, old, new = [], [], 0, 0
    for number, (start, end, words) in enumerate(edits):
        parts += [woven.text[old:start], words]
        new += start - old
        pieces.append(Piece(start, end, new, new + len(words), (number,)))
        new, old = new + len(words), end
    text = "".join([*parts, woven.text[old:]])
    return SanitizedDocument(text, (), 1.0, 1, Rewritten(text, tuple(pieces)))


def test_words_of_several_strands_are_replaced_in_the_first() -> None:
    woven = Woven([Strand("He takes zido"), Strand("vud", NOTHING), Strand("ine daily.", NOTHING), Strand("Next")])
    made = unweave(woven, edited(woven, [(9, 19, "a drug")]))
    assert made.texts == ("He takes a drug", "", " daily.", "Next")
    assert made.result.text == "He takes a drug daily.\n\nNext"


def test_joints_of_emptied_strands_are_merged() -> None:
    woven = Woven([Strand("Born in"), Strand("Los", BLANK), Strand("Angeles", LINE), Strand("in May", BLANK)])
    assert woven.text == "Born in Los\nAngeles in May"
    made = unweave(woven, edited(woven, [(8, 19, "a city")]))
    assert made.texts == ("Born in", "a city", "", "in May")
    assert made.result.text == "Born in a city\nin May"
    assert [(one.start, one.end, one.new_start, one.new_end) for one in made.result.rewritten.pieces] == [(8, 20, 8, 15)]


_STRANDS = st.lists(st.builds(Strand, st.text("abc ", max_size=6), st.sampled_from(JOINTS)), max_size=8)


@given(_STRANDS, st.data())
def test_what_is_not_replaced_stays_and_every_place_leads_back(strands: list[Strand], data: st.DataObject) -> None:
    woven = Woven(strands)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(woven.text)), max_size=8)))
    letters = {at for strand, start in zip(strands, woven.starts, strict=True) for at in range(start, start + len(strand.text))}
    edits = [(a, b, "XY") for a, b in list(pairwise(cuts))[::2] if letters & set(range(a, b))]
    given_text = edited(woven, edits)
    made: Unwoven = unweave(woven, given_text)
    again = Woven([Strand(text, strand.joint) for text, strand in zip(made.texts, strands, strict=True)])
    assert again.text == made.result.text == made.result.rewritten.text
    assert "".join(made.texts).count("XY") == len(edits)
    pieces = made.result.rewritten.pieces
    ends = [(0, 0), *((one.end, one.new_end) for one in pieces)]
    starts = [*((one.start, one.new_start) for one in pieces), (len(woven.text), len(again.text))]
    for (old, new), (old_end, new_end) in zip(ends, starts, strict=True):
        assert woven.text[old:old_end] == again.text[new:new_end]
    assert sorted(change for one in pieces for change in one.changes) == list(range(len(edits)))
    assert all(any(one.start <= a and b <= one.end for one in pieces) for a, b, _ in edits)


def test_empty_strands_leave_only_their_joint() -> None:
    assert Woven([Strand(""), Strand("a"), Strand("", BLOCK), Strand("b", NOTHING), Strand("")]).text == "a\n\nb"
