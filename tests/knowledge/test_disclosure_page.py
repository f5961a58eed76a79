"""docs/disclosure.md against what its tool computes today, in part: all of it takes a minute."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import kgsan

REPO = Path(__file__).parents[2]
PAGE = (REPO / "docs" / "disclosure.md").read_text()


@pytest.fixture(scope="module")
def tool() -> object:
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(str(REPO / "tools"))
    import describe_disclosure

    yield describe_disclosure
    patch.undo()
    del sys.modules["describe_disclosure"]


@pytest.fixture(scope="module")
def known() -> object:
    return kgsan.load_knowledge()


def rows(title: str) -> list[list[str]]:
    """The cells of an entity's table."""
    [section] = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")][2:]


def test_every_entity_of_the_shipped_policies_has_its_table(tool, known) -> None:  # type: ignore[no-untyped-def]
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE)[1:] == [entity.titles[0] for entity in tool.entities(known.stack)]


@pytest.mark.parametrize("title", ["HIV", "abortion", "trade union"])
def test_the_figures_of_an_entity_are_those_that_decide(tool, known, title: str) -> None:  # type: ignore[no-untyped-def]
    [topic] = [entity.topic for entity in tool.entities(known.stack) if entity.titles[0] == title]
    table = rows(title)
    assert len(table) == 30
    for *left, name, share, low in table:
        assert tool.cells(name, tool.asked(known, topic, name)) == (name, share, low)
        assert list(tool.row(left[0], tool.asked(known, topic, left[0])))[:3] == left[:3]


def test_the_innocent_words_are_those_chosen_beforehand_for_every_entity(tool, known) -> None:  # type: ignore[no-untyped-def]
    for entity in tool.entities(known.stack):
        if table := rows(entity.titles[0]):
            assert tuple(row[5] for row in table) == tool.INNOCENT


def test_the_innocent_words_that_reach_a_half_are_told(tool, known) -> None:  # type: ignore[no-untyped-def]
    told = re.findall(r"^- .+$", PAGE, re.MULTILINE)
    some = [
        entity for entity in tool.entities(known.stack) if entity.titles[0] in ("HIV", "genetic disease", "political opinion")
    ]
    assert [line for line in told if re.search(r"for (HIV|genetic disease|political opinion)[:,]", line)] == list(
        tool.too_much(known, some)
    )
