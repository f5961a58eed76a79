"""The kinds of files that kgsan reads, told apart by what a file holds and, where that says nothing, by its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from kgsan.formats.problems import FormatError

if TYPE_CHECKING:
    from kgsan.formats.documents import Reader
    from kgsan.formats.records import RecordReader

#: So much of a file is looked at.
HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of files, how they are called, and what reads them."""

    name: str
    suffixes: tuple[str, ...]
    reader: str = ""  #: module and function; a plain text needs none
    is_records: bool = False  #: it holds many documents
    is_binary: bool = False  #: it is nothing for a terminal
    extra: str = ""  #: what `pip install kgsan[...]` has to name

    def __str__(self) -> str:
        return self.name


TEXT = Kind("plain text", (".txt", ".text"))
MARKDOWN = Kind("Markdown", (".md", ".markdown"), "markdown.read_markdown")
HTML = Kind("HTML", (".html", ".htm", ".xhtml"), "html.read_html")
WORD = Kind("a Word document", (".docx",), "word.read_word", is_binary=True, extra="formats")
MAIL = Kind("a mail", (".eml",), "mail.read_mail")
PDF = Kind("a PDF", (".pdf",), "pdf.read_pdf", is_binary=True, extra="pdf")
TABLE = Kind("a table", (".csv", ".tsv", ".tab"), "tables.read_table", is_records=True)
LINES = Kind("JSON lines", (".jsonl", ".ndjson"), "lines.read_lines", is_records=True)
PARQUET = Kind("Parquet", (".parquet",), "parquet.read_parquet", is_records=True, is_binary=True, extra="parquet")
FHIR = Kind("FHIR", (".json",), "fhir.read_fhir", is_records=True)
HL7 = Kind("HL7 v2", (".hl7",), "hl7.read_hl7", is_records=True)

KINDS = (TEXT, MARKDOWN, HTML, WORD, MAIL, PDF, TABLE, LINES, PARQUET, FHIR, HL7)
_BY_SUFFIX = {suffix: kind for kind in KINDS for suffix in kind.suffixes}
SUFFIXES = tuple(_BY_SUFFIX)
#: What is packed or laid out in a way that kgsan does not read, by how it begins.
_UNREAD = {
    b"{\\rtf": "an RTF document",
    b"\xd0\xcf\x11\xe0": "an old or an encrypted Word document",
    b"\x1f\x8b": "a packed file",
    b"PK\x03\x04": "a packed file",
    b"PK\x05\x06": "an empty packed file",
    b"BZh": "a packed file",
    b"\xfd7zXZ": "a packed file",
    b"SQLite format 3": "a database",
    b"PAR1": "Parquet",
}
_HTML_BEGINS = re.compile(rb"\s{0,1000}+<(?:!doctype\s{1,20}+html|html)[\s>]", re.IGNORECASE)
_HL7_BEGINS = re.compile(rb"[\x0b\s]{0,100}+(?:MSH|FHS|BHS)([^\w\s])[^\w\s]{3,5}?\1")
_RESOURCE = re.compile(rb'\s{0,1000}+\{.*?"resourceType"\s*+:', re.DOTALL)
_MARK = b"\xef\xbb\xbf"


def kind_of(head: bytes, name: str) -> Kind:
    """The kind of a file that begins like this and is called so. Refused if the two do not agree.

    >>> kind_of(b"%PDF-1.7", "scan.pdf").name, kind_of(b"id,note", "ward.csv").name
    ('a PDF', 'a table')
    """
    named = by_name(name)
    found = _by_content(head)
    if isinstance(found, str):
        if named is None or named is TEXT:
            raise FormatError("F102", name, f"This is {found}, not plain text.", "Save it as plain text in UTF-8 first.")
        raise FormatError("F101", name, f"Its name says that it is {named}, and it is {found}.")
    if named is FHIR and found is None:
        hint = "Of JSON, kgsan reads FHIR resources and, as .jsonl, one document in every line."
        raise FormatError("F102", name, "This is JSON, but no FHIR resource.", hint)
    if found is FHIR and named not in (None, FHIR):
        found = named  # what begins with a resource may be many of them, or a text that quotes one
    if found is not named and named is not None and (named.is_binary or found is not None):
        raise FormatError("F101", name, f"Its name says that it is {named}, and it is {found or 'something else'}.")
    return found or named or TEXT


def by_name(name: str) -> Kind | None:
    """The kind that a name speaks of, if it is one that kgsan reads."""
    return _BY_SUFFIX.get(PurePath(name).suffix.lower())


def document_reader(kind: Kind, name: str) -> Reader:
    """What takes documents of a kind apart."""
    assert kind.reader
    assert not kind.is_records
    return cast("Reader", _loaded(kind, name))


def record_reader(kind: Kind, name: str) -> RecordReader:
    """What gives the records of files of a kind."""
    assert kind.is_records
    return cast("RecordReader", _loaded(kind, name))


def _loaded(kind: Kind, name: str) -> object:
    module, _, function = kind.reader.partition(".")
    try:
        return getattr(import_module(f"kgsan.formats.{module}"), function)
    except ImportError as error:
        if not kind.extra or (error.name or "").startswith("kgsan"):
            raise
        missing = (error.name or "a package").partition(".")[0]
        hint = f"Install it with: pip install 'kgsan[{kind.extra}]'."
        raise FormatError("F103", name, f"To read {kind}, kgsan needs {missing}, which is not installed.", hint) from None


def _by_content(head: bytes) -> Kind | str | None:
    """What a file is by how it begins; None for text that may be of several kinds."""
    if head.startswith(b"%PDF-"):
        return PDF
    if head.startswith(b"PAR1"):
        return PARQUET
    if head.startswith(b"PK\x03\x04") and b"word/" in head:
        return WORD
    for mark, told in _UNREAD.items():
        if head.startswith(mark):
            return told
    text = head.removeprefix(_MARK)
    if _HL7_BEGINS.match(text):
        return HL7
    if _HTML_BEGINS.match(text):
        return HTML
    if _RESOURCE.match(text):
        return FHIR
    return None
