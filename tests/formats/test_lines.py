"""JSON lines: one document in every line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kgsan.formats.lines import read_lines
from kgsan.report.output import FileError
from tests.formats.toy import leaks, made, toy_sanitizer

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer


@pytest.fixture(scope="module")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return toy_sanitizer(tmp_path_factory.mktemp("toy"))


def rows(*told: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in told)


def test_several_fields_are_one_document(sanitizer: Sanitizer) -> None:
    given = rows({"id": 1, "plan": "Give zidovudine.", "note": "AIDS", "x": "AIDS"}, {"id": 2, "note": None, "plan": "Rest."})
    out = [
        json.loads(line)
        for line in made(read_lines, given, "a.jsonl", sanitizer, fields=("note", "plan"), keep=("id",)).splitlines()
    ]
    assert out == [{"id": 1, "note": "Infection", "plan": "Give an antiviral drug."}, {"id": 2, "plan": "Rest.", "note": None}]


def test_a_line_may_be_a_text_alone(sanitizer: Sanitizer) -> None:
    assert json.loads(made(read_lines, b'"He has AIDS."', "a.jsonl", sanitizer)) == {"text": "He has an infection."}


def test_resources_in_lines_are_resources(sanitizer: Sanitizer) -> None:
    out = made(read_lines, rows({"resourceType": "Condition", "id": "c", "code": {"text": "AIDS"}}), "a.ndjson", sanitizer)
    assert leaks(out) == []
    assert json.loads(out)["id"] == "c"


@pytest.mark.parametrize("wrong", [b"{", b"7", b'{"text": 3}', b"[" * 100_000, b'{"note": "AIDS"}', b"\xff\xfe"])
def test_a_wrong_line_is_told_by_its_number(sanitizer: Sanitizer, wrong: bytes) -> None:
    with pytest.raises(FileError) as caught:
        made(read_lines, rows({"text": "Fine."}) + b"\n" + wrong + b"\n", "a.jsonl", sanitizer)
    assert str(caught.value).startswith("a.jsonl:3: ")
    assert "AIDS" not in str(caught.value)
