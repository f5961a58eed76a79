"""What `identifiers` hide of people and places: the table an expert may extend, and what a policy may ask of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import kgsan
from kgsan.policy.read import load_policy
from kgsan.risk.marking import Marker
from kgsan.text.document import Document
from kgsan.text.identifiers import KINDS
from tests.conftest import seconds, within

if TYPE_CHECKING:
    from kgsan.ontology.stack import OntologyStack

DATA = Path(__file__).parents[1] / "data"
ROWS: list[dict[str, Any]] = yaml.safe_load((DATA / "personal.yaml").read_text("utf-8"))
HELD_OUT: list[dict[str, Any]] = yaml.safe_load((DATA / "personal-held-out.yaml").read_text("utf-8"))


@cache
def stack() -> OntologyStack:
    return kgsan.load_ontology()


@cache
def marker(*kinds: str) -> Marker:
    identifiers = list(kinds) if kinds else "all"
    return Marker(load_policy({"policy": "toy", "law": "Toy Act", "identifiers": identifiers}), stack())


def hidden(text: str, *kinds: str) -> set[int]:
    """The places of all signs that are hidden."""
    mine = marker(*kinds)
    return {place for mark in mine.mark(mine.read(Document(text))) for place in range(mark.start, mark.end)}


def faults(row: dict[str, Any]) -> tuple[int, int]:
    """How many words of a row stay that must go, and go that must stay."""
    text = row["text"]
    gone = hidden(text)
    spans = {part: [(text.index(words), len(words)) for words in row.get(part, ())] for part in ("hide", "keep")}
    shown = sum(any(i not in gone for i in range(at, at + size) if text[i].isalnum()) for at, size in spans["hide"])
    lost = sum(any(i in gone for i in range(at, at + size)) for at, size in spans["keep"])
    return shown, lost + (bool(gone) and not {"hide", "keep"} & row.keys())


@pytest.mark.parametrize("row", ROWS, ids=[row["text"][:60] for row in ROWS])
def test_what_tells_who_or_where_somebody_is_goes_and_the_rest_stays(row: dict[str, Any]) -> None:
    assert faults(row) == (0, 0)


def test_the_rules_do_no_worse_than_they_did_on_rows_that_no_rule_was_written_for() -> None:
    """Figures, not promises. Raise the bar when the rules get better."""
    wanted = sum(len(row.get("hide", ())) for row in HELD_OUT)
    shown, lost = map(sum, zip(*map(faults, HELD_OUT), strict=True))
    assert len(HELD_OUT) >= 90
    assert shown <= 0.05 * wanted
    assert lost <= 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She lives in Harrogate, England.", "Harrogate"),
        ("Seen at St Oswin's Hospital.", "St Oswin's Hospital"),
        ("Sent to HG2 8PQ.", "HG2 8PQ"),
        ("The family moved to Duluth, Minnesota.", "Duluth"),
        ("Mail goes to ZIP 62704 now.", ""),
        ("Mrs Pemberton was seen on 3 March 2021.", ""),
        ("He came from California by way of New York.", ""),
    ],
)
def test_geography_is_places_facilities_and_postcodes_and_nothing_else(text: str, expected: str) -> None:
    assert "".join(text[place] for place in sorted(hidden(text, "geography"))) == expected


def test_no_place_is_hidden_that_nobody_asked_for() -> None:
    others = [kind for kind in KINDS if kind != "geography"]
    assert not hidden("She lives in Harrogate and was seen at Lakemont Medical Center.", *others)


def test_without_an_ontology_of_places_facilities_and_postcodes_still_go() -> None:
    policy = load_policy({"policy": "toy", "law": "Toy Act", "identifiers": ["geography"]})
    small = Marker(policy, kgsan.load_ontology("protected"))
    text = "Seen at Lakemont Medical Center, near Harrogate HG2 8PQ."
    marks = small.mark(small.read(Document(text)))
    assert [text[mark.start : mark.end] for mark in marks] == ["Lakemont Medical Center", "HG2 8PQ"]


def test_no_reason_shows_a_word_of_the_document() -> None:
    for row in ROWS:
        for mark in marker().mark(marker().read(Document(row["text"]))):
            assert row["text"][mark.start : mark.end] not in mark.because


@pytest.mark.parametrize("unit", ["in Reading ", "Harrogate, ", "lives in Aaaa ", "Reading-", "a Boston ", "Aa Hospital, Bath "])
def test_time_grows_with_the_length_of_a_text_full_of_places_and_not_faster(unit: str) -> None:
    mine = marker("geography")

    def mark(text: str) -> None:
        mine.mark(mine.read(Document(text)))

    mark(unit * 10)
    assert within(9 * max(seconds(mark, unit * 400), 0.02), mark, unit * 1600)
