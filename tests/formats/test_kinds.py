"""Kinds of files, told apart by content and name."""

from __future__ import annotations

import sys

import pytest

from kgsan.formats import kinds
from kgsan.formats.kinds import KINDS, by_name, document_reader, kind_of, record_reader
from kgsan.formats.problems import FormatError


@pytest.mark.parametrize(
    ("head", "name", "kind"),
    [
        (b"He rests.", "a.txt", kinds.TEXT),
        (b"He rests.", "README", kinds.TEXT),
        (b"", "a.txt", kinds.TEXT),
        (b"# Note", "a.MD", kinds.MARKDOWN),
        (b"\xef\xbb\xbf<!DOCTYPE html>", "a.htm", kinds.HTML),
        (b"<p>x</p>", "a.html", kinds.HTML),
        (b"<html>", "page", kinds.HTML),
        (b"%PDF-1.7", "scan", kinds.PDF),
        (b"PK\x03\x04...word/document.xml", "a.docx", kinds.WORD),
        (b"From: a@b.example", "a.eml", kinds.MAIL),
        (b"id,note", "a.csv", kinds.TABLE),
        (b'{"text": "x"}', "a.jsonl", kinds.LINES),
        (b'{"resourceType": "Patient"}', "a.ndjson", kinds.LINES),
        (b"PAR1\x15", "a.parquet", kinds.PARQUET),
        (b' {"id": "x", "resourceType" : "Patient"}', "a.json", kinds.FHIR),
        (b"MSH|^~\\&|LAB", "a.hl7", kinds.HL7),
        (b"\x0bBHS|^~\\&|LAB", "messages", kinds.HL7),
    ],
)
def test_a_file_is_what_its_content_and_name_say(head: bytes, name: str, kind: kinds.Kind) -> None:
    assert kind_of(head, name) is kind


@pytest.mark.parametrize(
    ("head", "name", "code"),
    [
        (b"%PDF-1.7", "a.txt", "F101"),
        (b"He rests.", "a.pdf", "F101"),
        (b"PK\x03\x04...xl/workbook.xml", "a.docx", "F101"),
        (b"\xd0\xcf\x11\xe0", "a.docx", "F101"),
        (b"He rests.", "a.parquet", "F101"),
        (b"<html>", "a.txt", "F101"),
        (b"MSH|^~\\&|LAB", "a.csv", "F101"),
        (b"{\\rtf1", "a.txt", "F102"),
        (b"\x1f\x8b", "a.gz", "F102"),
        (b'{"name": "x"}', "package.json", "F102"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_refused(head: bytes, name: str, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        kind_of(head, name)
    assert caught.value.problems[0].code == code


def test_every_suffix_leads_to_its_kind() -> None:
    assert all(by_name(f"a{suffix.upper()}") is kind for kind in KINDS for suffix in kind.suffixes)
    assert by_name("a.xlsx") is None


def test_a_missing_package_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "kgsan.formats.parquet", raising=False)
    with pytest.raises(FormatError) as caught:
        record_reader(kinds.PARQUET, "a.parquet")
    assert str(caught.value) == (
        "a.parquet: F103 To read Parquet, kgsan needs pyarrow, which is not installed. "
        "Install it with: pip install 'kgsan[parquet]'."
    )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.reader])
def test_every_kind_has_its_reader(kind: kinds.Kind) -> None:
    assert callable(record_reader(kind, "a") if kind.is_records else document_reader(kind, "a"))
