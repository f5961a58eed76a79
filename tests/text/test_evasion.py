"""Disguised words, as a table that anybody can extend: `tests/data/evasion.yaml`."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import kgsan
from kgsan.formats.documents import Reader, Rules, sanitize_file, text_of
from kgsan.formats.html import read_html
from kgsan.formats.markdown import read_markdown
from kgsan.formats.word import read_word
from kgsan.text.document import Document
from kgsan.text.mentions import Finder
from tests.conftest import seconds, within
from tools.describe_evasion import TABLE, described

ROWS: list[dict[str, Any]]
DECOYS: list[dict[str, Any]]
ROWS, DECOYS = yaml.safe_load_all(TABLE.read_text("utf-8"))
FRAME = "Her cousin wrote that {} is in the file."
READERS: dict[str, tuple[str, Reader]] = {
    "html": ("note.html", read_html),
    "markdown": ("note.md", read_markdown),
    "word": ("note.docx", read_word),
}


@cache
def finder() -> Finder:
    return Finder(kgsan.load_ontology(), misspelt=True)


@cache
def sanitizer(policy: str) -> kgsan.Sanitizer:
    return kgsan.Sanitizer(kgsan.load_policy(policy))


def left(policy: str, example: str, sentence: str = FRAME) -> bool:
    """Whether a letter of an example is left in its sentence. The A of A-I-D-S may become an article."""
    text = sentence.format(example)
    first = text.index(example)
    if not any(map(str.isalnum, example)):
        return example in sanitizer(policy).sanitize(text).text
    hidden = {place for made in sanitizer(policy).sanitize(text).decisions for place in range(made.start, made.end)}
    return any(
        place not in hidden and not (place == first and text[place] in "Aa")
        for place in range(first, first + len(example))
        if text[place].isalnum()
    )


def left_in_a_file(kind: str, policy: str, example: str) -> bool:
    """Whether the words of an example are left in a file of a format."""
    name, reader = READERS[kind]
    content = _word(example) if kind == "word" else (f"<p>{FRAME}</p>" if kind == "html" else FRAME).format(example).encode()
    made = sanitize_file(content, name, reader, sanitizer(policy), Rules(pictures="remove")).content
    before, after = text_of(content, name, reader), text_of(made, name, reader)
    word = before.partition("wrote that ")[2].partition(" is in")[0]
    assert word
    return word in after


def is_left(row: dict[str, Any], policy: str, example: str) -> bool:
    if "word" in row:
        return row["word"] in sanitizer(policy).sanitize(row["sentence"].format(example)).text
    if "in" in row:
        return left_in_a_file(row["in"], policy, example)
    return left(policy, example, row.get("sentence", FRAME))


def _word(example: str) -> bytes:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    paragraph = document.add_paragraph("Her cousin wrote that ")
    for number, run in enumerate(example.split("|")):
        paragraph.add_run(run).bold = number == 1
    paragraph.add_run(" is in the file.")
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['group']}, {row['technique']}")
def test_a_disguised_word_is_treated_as_the_table_says(row: dict[str, Any]) -> None:
    stays = row["behaviour"] == "stays"
    wrong = [
        ascii(example)
        for policy, examples in row["examples"].items()
        for example in examples
        if is_left(row, policy, example) != stays
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("policy", "sentence"), sorted({(policy, row.get("sentence", FRAME)) for row in ROWS for policy in row["examples"]})
)
def test_the_sentence_around_the_examples_hides_nothing(policy: str, sentence: str) -> None:
    text = sentence.format("the lamp")
    assert sanitizer(policy).sanitize(text).text == text


@pytest.mark.parametrize(
    ("policy", "text"), [(row["policy"], text) for row in DECOYS for text in row["texts"]], ids=lambda value: ascii(value)[:40]
)
def test_what_only_looks_like_a_disguise_stays(policy: str, text: str) -> None:
    assert sanitizer(policy).sanitize(text).text == text


def test_the_table_is_large_and_has_both_behaviours() -> None:
    assert len(ROWS) >= 90
    assert {row["behaviour"] for row in ROWS} == {"hidden", "stays"}
    assert sum(len(row["texts"]) for row in DECOYS) >= 60


def test_the_page_shows_every_technique() -> None:
    page = described()
    assert all(f"| {row['technique']} |" in page.replace("\\|", "|") for row in ROWS)


@pytest.mark.parametrize(
    "unit",
    [
        "H I V ",
        "H[I]V ",
        "her*oin ",
        "a|",
        "@",
        "h@",
        "&#72;",
        "%48",
        "l",
        "4",
        "her-\n",
        "zido\nvudine ",
        "\u202ea",
        "HivPositive ",
        "aB",
        "*",
        "<b>",
    ],
    ids=ascii,
)
def test_disguises_are_read_in_linear_time(unit: str) -> None:
    def work(size: int) -> None:
        finder().find(Document(unit * (size // len(unit))), nested=True)

    work(20_000)
    assert within(40 * max(seconds(work, 40_000), 0.002), work, 400_000)


def test_a_disguise_is_told_by_its_place_in_the_original() -> None:
    finder = Finder(kgsan.load_ontology())
    for written in (
        "h\u200be*r\u200boin",
        "z1dovud\u0131ne",
        "H[I]\u200bV",
        "\u202enioreh\u202c",
        "her-\r\n> oin",
        "&#104;eroin",
    ):
        text = f"Took {written} twice."
        found = [text[mention.start : mention.end] for mention in finder.find(text)]
        assert any(written.strip("\u202e\u202c") == one.strip("\u202e\u202c") for one in found), ascii(written)


def test_the_page_shows_the_table() -> None:
    page = Path(__file__).parents[2] / "docs" / "evasion.md"
    assert page.read_text("utf-8").strip() == described().strip(), "python tools/describe_evasion.py > docs/evasion.md"
