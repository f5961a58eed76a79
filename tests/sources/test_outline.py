"""Outlines that a person types: what may be typed, and what is said about the rest."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgsan.errors import OntologyError
from kgsan.sources import outline, outline_yaml
from kgsan.sources.files import SourceFile
from kgsan.sources.records import Options, Records, Scope

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.errors import Problem

TEXT = """\
# what lives in the garden
creature = being, living thing
  gronk = gronkling | garden gronk
    mini gronk   # the small one

  snork
place
  pond
    snork
"""
YAML = """\
# what lives in the garden
- creature = being, living thing:
    - gronk:
        synonyms: [gronkling, garden gronk]
        narrower:
          - mini gronk
    - snork
- place:
  - pond:
    - snork
"""


def write(folder: Path, text: str | bytes, name: str = "garden.txt") -> SourceFile:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return SourceFile(name, path)


def read(folder: Path, text: str | bytes, name: str = "garden.txt", **options: str) -> Records:
    source = write(folder, text, name)
    assert outline.recognises(source)
    return outline.read(source, Options(**options))  # type: ignore[arg-type]


def failure(folder: Path, text: str | bytes) -> tuple[str, int | None, int | None]:
    with pytest.raises(OntologyError) as caught:
        outline.read(write(folder, text), Options())
    (problem,) = caught.value.problems
    return problem.code, problem.place.line, problem.place.column


def problems(source: SourceFile) -> tuple[Problem, ...]:
    try:
        outline.read(source, Options())
    except OntologyError as error:
        return error.problems
    return ()


def parents(records: Records) -> list[tuple[str, str]]:
    return [(records.ids[c], records.ids[p]) for c, p in zip(records.parent_child, records.parent_parent, strict=True)]


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        YAML,
        re.sub("^ +", lambda indent: "\t" * (len(indent[0]) // 2), TEXT, flags=re.M),
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT.encode("utf-16"),
        YAML.encode("utf-16"),
    ],
)
def test_text_and_yaml_say_the_same(tmp_path: Path, text: str | bytes) -> None:
    records = read(tmp_path, text)
    assert records.ids == [f"garden:{name}" for name in ("creature", "gronk", "mini-gronk", "snork", "place", "pond")]
    assert parents(records) == [
        ("garden:gronk", "garden:creature"),
        ("garden:mini-gronk", "garden:gronk"),
        ("garden:snork", "garden:creature"),
        ("garden:pond", "garden:place"),
        ("garden:snork", "garden:pond"),
    ]
    names = [text for number, text in zip(records.name_concept, records.name_text, strict=True) if number < 2]
    assert names == ["creature", "being", "living thing", "gronk", "gronkling", "garden gronk"]
    assert list(records.name_scope[:3]) == [Scope.PREFERRED, Scope.EXACT, Scope.EXACT]
    assert records.problems == []


def test_bullets_and_colons_are_no_part_of_a_name(tmp_path: Path) -> None:
    records = read(tmp_path, "Creatures:\n  * gronk\n  * snork\n    - twig-legged snork\n")
    assert records.name_text == ["Creatures", "gronk", "snork", "twig-legged snork"]
    assert len(records.parent_child) == 3


def test_names_may_hold_commas_and_synonyms_need_no_blanks(tmp_path: Path) -> None:
    records = read(tmp_path, "gronks\n  gronk, garden=gardener's gronk,lawn gronk\n  gronk, wild (adult)\n")
    assert records.name_text == ["gronks", "gronk, garden", "gardener's gronk", "lawn gronk", "gronk, wild (adult)"]


def test_different_names_with_one_slug_get_different_ids(tmp_path: Path) -> None:
    records = read(tmp_path, "letters\n  c 2\n  C\n  C++\n  C#\n  C\n  !!\n  日本\n", prefix="x")
    assert records.ids == ["x:letters", "x:c-2", "x:c", "x:c-3", "x:c-4", "x:concept", "x:日本"]


def test_the_prefix_is_the_name_of_the_file_or_what_was_asked_for(tmp_path: Path) -> None:
    assert read(tmp_path, "a\n b\n", name="My garden.v1.txt").ids[0] == "My-garden:a"
    assert read(tmp_path, "a\n b\n", prefix="zoo").ids[0] == "zoo:a"


def test_a_name_below_itself_is_noticed(tmp_path: Path) -> None:
    records = read(tmp_path, "gronk\n  gronk\n  snork\n")
    assert [(notice.code, notice.place.line) for notice in records.problems] == [("O202", 2)]
    assert parents(records) == [("garden:snork", "garden:gronk")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n  b\n\tc\n", ("O103", 3, 1)),
        ("a\n \tb\n", ("O103", 2, 2)),
        ("a\n    b\n  c\n", ("O103", 3, 3)),
        ("  a\n  b\nc\n", ("O103", 3, 1)),
        ("a\n  = b\n", ("O103", 2, 3)),
        ("a\n  -\n", ("O103", 2, 3)),
        ("a\n  b\x00c\n", ("O103", 2, 3)),
        ("a\rb\r", ("O103", 1, None)),
        (b"a\n  \xff\n", ("O104", 2, None)),
        ("a\n" + " " * (2 << 20) + "b", ("O103", 2, None)),
        ("x" * (2 << 20), ("O103", 1, None)),
        ("# only a comment\n\n", ("O109", None, None)),
    ],
)
def test_a_broken_text_is_refused_with_its_line(
    tmp_path: Path, text: str | bytes, expected: tuple[str, int | None, int | None]
) -> None:
    assert failure(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a:\n    - &x b\n", (2, 7)),
        ("- a:\n    - *x\n", (2, 7)),
        ("- a:\n    - !!python/name:os.system b\n", (2, 7)),
        ("- a:\n    - - b\n", (2, 7)),
        ("- a:\n    - b: text\n", (2, 10)),
        ("- a:\n    -\n", (2, 6)),
        ("- a:\n    synonyms: [b]\n    narower: [c]\n", (3, 5)),
        ("- a:\n    synonyms: [[b]]\n", (2, 16)),
        ("- ? [a, b]\n  : - c\n- d:\n", (1, 5)),
        ("- a:\n    - b\n---\n- c\n", (3, 1)),
        ("- a:\n    - 'b\n", (3, 1)),
        ("--- just text\n", (1, 5)),
        ('- a:\n  - "\\ud800"\n', (2, 5)),
        ("- a:\n  - b\x07\n", (2, None)),
    ],
)
def test_a_broken_yaml_is_refused_with_line_and_column(tmp_path: Path, text: str, expected: tuple[int, int | None]) -> None:
    code, line, column = failure(tmp_path, text)
    assert code == "O103"
    assert line == expected[0]
    if "\\ud800" not in text and "'b" not in text and "\x07" not in text:  # where the two PyYAML parsers point differs
        assert column == expected[1]


def test_a_misspelt_key_comes_with_a_guess(tmp_path: Path) -> None:
    with pytest.raises(OntologyError) as caught:
        outline.read(write(tmp_path, "- a:\n    synonyms: [b]\n    narower: [c]\n"), Options())
    assert caught.value.problems[0].hint == "Did you mean 'narrower'?"


def test_what_yaml_would_take_for_a_number_or_a_truth_value_stays_a_name(tmp_path: Path) -> None:
    records = read(tmp_path, "- things:\n    - NO\n    - 0012\n    - 22:30\n    - 2024-01-02\n    - null\n")
    assert records.name_text == ["things", "NO", "0012", "22:30", "2024-01-02", "null"]


def test_an_entry_may_be_written_with_keys(tmp_path: Path) -> None:
    records = read(tmp_path, "- name: a\n  synonyms: b, c\n  narrower:\n    d:\n    e:\n      - f\n")
    assert records.name_text == ["a", "b", "c", "d", "e", "f"]
    assert parents(records) == [("garden:d", "garden:a"), ("garden:e", "garden:a"), ("garden:f", "garden:e")]


@pytest.mark.parametrize("loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)])
@pytest.mark.parametrize("start", ["---\n" + "[" * 100_000, "---\n" + "{a: " * 100_000, "---\n" + "- " * 3000])
def test_lists_nested_without_measure_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loader: type, start: str
) -> None:
    monkeypatch.setattr(outline_yaml, "_YAML_LOADER", loader)
    assert failure(tmp_path, start)[0] == "O103"


def test_a_yaml_outline_of_four_hundred_levels_is_read(tmp_path: Path) -> None:
    text = "".join(f"{'  ' * n}- n{n}:\n" for n in range(400)) + "  " * 400 + "- end\n"
    assert len(read(tmp_path, text).parent_child) == 400


def test_a_very_deep_text_is_read(tmp_path: Path) -> None:
    deep = 5_000
    with (tmp_path / "deep.txt").open("w") as file:
        for column in range(deep):
            file.write(f"{' ' * column}n{column}\n")
    records = outline.read(SourceFile("deep.txt", tmp_path / "deep.txt"), Options())
    assert len(records.parent_child) == deep - 1


def test_a_hundred_thousand_levels_need_no_recursion() -> None:
    class Indented(str):
        """A line with an indentation that is not spelt out: ten gigabytes are too much for a test."""

        column: int

        def __len__(self) -> int:
            return self.column + super().__len__()

        def lstrip(self, signs: str | None = None, /) -> str:
            return str(self)

        def __getitem__(self, index: object) -> str:
            return " "

        def count(self, *_: object) -> int:
            return self.column

    def lines() -> list[tuple[int, str]]:
        made: list[tuple[int, str]] = []
        for column in range(100_000):
            line = Indented(f"n{column}")
            line.column = column
            made.append((column + 1, line))
        return made

    gathered = outline.Outline("deep.txt", Options())
    outline._read_lines(lines(), gathered)
    assert len(gathered.records.parent_child) == 99_999


@pytest.mark.parametrize(
    "text",
    [
        "",
        "word\n",
        "one\ntwo\nthree\n",
        "<rdf>\n  <a/>\n</rdf>\n",
        "<!DOCTYPE html>\n  <p>\n",
        '{\n  "a": 1\n}\n',
        "[Term]\n  id: x\n",
        "@prefix a: <b> .\n  a b c .\n",
        "id\tname\n  1\tx\n",
        "id,name,parent\n  1,a,\n",
        b"\x89PNG\r\n  \x1a\n",
        b"a\n  b\0\n",
        b"a\n  \xff\xfe\n",
        "format-version: 1.2\n\n[Term]\nid: X:1\nname: a\nsynonyms:\n",
        "name: settings\nversion: 3\nlist:\n  - a\n",
        "---\ntitle: A page\n---\n\n- a\n- b\n",
        "  1 This software is yours to use.\n  2 And so on.\n00001740 03 n 01 entity\n",
        "def gronk(x):\n    return x + 1\n\nclass Snork:\n    pass\n",
        "gronk (1.2) unstable\n\n  * Fix a bug.\n\n -- Someone <a@b.c>  Mon, 01 Jan 2024\n",
        "x" * 400 + "\n  " + "y" * 400 + "\n",
        "A paragraph of text that goes on for quite a number of words before it ends.\n\n  Another one that goes on as well.\n",
    ],
)
def test_other_files_are_not_taken_for_outlines(tmp_path: Path, text: str | bytes) -> None:
    assert not outline.recognises(write(tmp_path, text))


def test_an_outline_with_a_mistake_is_still_an_outline_so_that_the_mistake_is_told(tmp_path: Path) -> None:
    for text in ("a\n  b\n\tc\n", "a\n    b\n  c\n", "- a:\n    - &x b\n", "- a:\n    - !t b\n"):
        assert outline.recognises(write(tmp_path, text))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from([*"-*:=|,#&!%@[]{}?'\"\n\t \0\r\\", "  ", "\n  ", "\n- ", "---\n", "a", "synonyms:", "é"]), max_size=60
    )
)
def test_nothing_but_an_ontology_error_escapes(tmp_path: Path, pieces: list[str]) -> None:
    for start in ("", "---\n", "- a:\n    - b\n"):
        source = write(tmp_path, start + "".join(pieces))
        outline.recognises(source)
        assert all(problem.place.line or problem.code == "O109" for problem in problems(source))


@pytest.mark.parametrize("loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)])
def test_a_damaged_outline_is_refused_politely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loader: type) -> None:
    monkeypatch.setattr(outline_yaml, "_YAML_LOADER", loader)
    chance = random.Random(7)
    hostile = [
        b'"\\UFFFFFFFF"',
        b"%YAML " + b"9" * 5000 + b".1\n---\n",
        b"\xff",
        b"\0",
        b"\xed\xa0\x80",
        b"\n",
        b" ",
        b":",
        b"!<",
    ]
    for _ in range(400):
        data = bytearray((TEXT if chance.random() < 0.3 else YAML).encode())
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(data) + 1)
            data[place : place + chance.randint(0, 4)] = chance.choice([*hostile, chance.randbytes(3)])
        source = write(tmp_path, bytes(data[: chance.randint(0, len(data))] if chance.random() < 0.3 else data))
        outline.recognises(source)
        assert all(problem.place.line or problem.code == "O109" for problem in problems(source))
