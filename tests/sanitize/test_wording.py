"""How changed texts read, from a table that an editor can extend, and what no wording may break."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kgsan.sanitize.wording import Change, Rewritten, rewrite
from kgsan.text.document import Document
from tests.conftest import seconds

TABLE = yaml.safe_load((Path(__file__).parents[1] / "data" / "wording.yaml").read_text("utf-8"))
ROWS = [row for rows in TABLE.values() for row in rows]
MARK = re.compile(r"\[([^\[\]]+?) (->|=>) ?([^\[\]]*)\]")


def read(marked: str) -> tuple[str, list[Change]]:
    """The original and its changes, from a text with marks."""
    text, changes, at = "", [], 0
    for mark in MARK.finditer(marked):
        text += marked[at : mark.start()]
        changes.append(Change(len(text), len(text) + len(mark[1]), mark[3] or None, mark[2] == "=>"))
        text += mark[1]
        at = mark.end()
    return text + marked[at:], changes


def written(marked: str) -> str:
    text, changes = read(marked)
    return rewrite(Document(text), changes).text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:60])
def test_a_change_reads_as_an_editor_would_write_it(row: dict[str, str]) -> None:
    assert written(row["text"]) == row["becomes"]


def test_the_table_is_rich() -> None:
    assert len(ROWS) >= 80
    assert all(len(rows) >= 5 for rows in TABLE.values())


# --- what no wording may break ---------------------------------------------------------------------------------------------


NAMES = ["drug", "Infections", "viral disease", "information", "Neoplasms, Benign", "United States city", None, None]
WORDS = st.sampled_from(
    [
        *"He has HIV a an the An and , ( ) or / - 's ' . his is active viruses test of ZIDOVUDINE : | that HIV\u200b É\u0301 🙂 8 ﬁ".split(),
        "\n",
        "\r\n",
        "\t",
        "   ",
    ]
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[Change]]:
    """Texts of words that matter to the wording, some of them changed, with and without blanks."""
    text, changes = "", []
    for word in draw(st.lists(WORDS, max_size=25)):
        if draw(st.integers(0, 2)) == 0:
            name = draw(st.sampled_from(NAMES))
            changes.append(Change(len(text), len(text) + len(word), name, name is not None and draw(st.booleans())))
        text += word + draw(st.sampled_from([" ", " ", " ", ""]))
    return text, changes


@given(documents())
def test_nothing_outside_the_pieces_is_touched(drawn: tuple[str, list[Change]]) -> None:
    text, changes = drawn
    new = rewrite(Document(text), changes)
    old_places = [0, *(place for piece in new.pieces for place in (piece.start, piece.end)), len(text)]
    new_places = [0, *(place for piece in new.pieces for place in (piece.new_start, piece.new_end)), len(new.text)]
    assert old_places == sorted(old_places)
    assert new_places == sorted(new_places)
    kept = [text[start:end] for start, end in zip(old_places[::2], old_places[1::2], strict=True)]
    assert kept == [new.text[start:end] for start, end in zip(new_places[::2], new_places[1::2], strict=True)]


@given(documents())
def test_every_change_is_in_one_piece_that_covers_it(drawn: tuple[str, list[Change]]) -> None:
    text, changes = drawn
    new = rewrite(Document(text), changes)
    assert [number for piece in new.pieces for number in piece.changes] == list(range(len(changes)))
    for piece in new.pieces:
        assert all(piece.start <= changes[number].start and changes[number].end <= piece.end for number in piece.changes)
        assert len({changes[number].name for number in piece.changes}) == 1


@given(documents())
def test_places_lead_back_and_forth(drawn: tuple[str, list[Change]]) -> None:
    text, changes = drawn
    new = rewrite(Document(text), changes)
    origins = [new.origin(place) for place in range(len(new.text) + 1)]
    places = [new.place(origin) for origin in range(len(text) + 1)]
    assert origins == sorted(origins)
    assert places == sorted(places)
    assert (origins[-1], places[-1]) == (len(text), len(new.text))
    inside = {origin for piece in new.pieces for origin in range(piece.start, piece.end)}
    assert all(new.origin(new.place(origin)) == origin for origin in range(len(text) + 1) if origin not in inside)
    assert all(new.place(piece.start) == piece.new_start and new.origin(piece.new_start) == piece.start for piece in new.pieces)


@given(documents())
def test_lines_stay_lines(drawn: tuple[str, list[Change]]) -> None:
    """No break outside the changes is lost, so a list stays a list and a table a table."""
    text, changes = drawn
    outside, at = "", 0
    for change in changes:
        outside += text[at : change.start]
        at = change.end
    assert rewrite(Document(text), changes).text.count("\n") == (outside + text[at:]).count("\n")


@given(documents())
def test_the_same_text_is_always_worded_the_same(drawn: tuple[str, list[Change]]) -> None:
    text, changes = drawn
    assert rewrite(Document(text), changes) == rewrite(Document(text), changes)


def test_a_text_without_changes_is_given_back() -> None:
    text = "An  HIV\u200b test, and a  a .\r\n"
    assert rewrite(Document(text), []) == Rewritten(text, ())


def test_another_style_of_blacking_out_is_written_as_it_is() -> None:
    assert rewrite(Document("An HIV test"), [Change(3, 6, None)], style="███").text == "An ███ test"


def test_hidden_marks_within_a_change_go_with_it() -> None:
    text = "He takes zido\u200bvu\u00addine daily."
    assert rewrite(Document(text), [Change(9, 21, "drug")]).text == "He takes a drug daily."


@pytest.mark.parametrize(
    "marked", ["The [viruses -> drug][' -> ] end", "The [men -> drug]['s -> person] end", "[HIV -> drug] ([AIDS -> drug][) -> ]"]
)
def test_a_mark_that_is_changed_itself_belongs_to_its_own_piece(marked: str) -> None:
    text, changes = read(marked)
    pieces = rewrite(Document(text), changes).pieces
    assert all(before.end <= after.start for before, after in itertools.pairwise(pieces))


def test_a_change_may_end_and_the_next_begin_within_one_word() -> None:
    text, changes = read("He [He -> drug]He [HIV -> infection]")
    pieces = rewrite(Document(text), changes).pieces
    assert [(piece.start, piece.end) for piece in pieces] == [(3, 5), (8, 11)]


def test_no_word_of_the_text_is_shown_when_printed() -> None:
    new = rewrite(Document("He has syphilis."), [Change(7, 15, "infection")])
    assert "infection" not in repr(new)
    assert "syphilis" not in repr(new) + repr(Change(7, 15, "infection"))


UNITS = {
    "sentences": "He had hiv. ",
    "one list": "hiv, ",
    "open brackets": "hiv (",
    "articles": "an hiv ",
    "adverbs": "hiv is very very very ",
    "lines": "hiv\n",
    "one word": "hivx",
    "blanks": "hiv" + " " * 50,
    "possessives": "hiv's ",
}


def taken(unit: str, count: int) -> float:
    """How long a text takes in which every unit is changed; reading it is not counted."""
    document = Document(unit * count)
    names = ("disease", "drug", None, "disease", "disease")
    changes = [Change(at, at + 3, names[at % 5]) for at in range(unit.index("hiv"), len(unit) * count, len(unit))]
    assert len(document.tags) >= len(document.noun_phrases)
    return seconds(rewrite, document, changes)


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS.keys())
def test_hostile_texts_take_time_in_proportion(unit: str) -> None:
    taken(unit, 10)
    assert taken(unit, 24000) < 30 * taken(unit, 2000) + 0.1


def test_a_hundred_thousand_changes_take_seconds() -> None:
    assert taken("He had hiv", 100_000) < 5
