"""Files in, plain records out: one reader per format, chosen by looking at the content.

A reader is a module with two functions:

    recognises(source) -> bool            looks at the first bytes of a file, or at the names in a folder
    read(source, options) -> Records      raises OntologyError, with file and line, when it cannot
"""

from __future__ import annotations

import gc
import re
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from kgsan.errors import OntologyError, ontology_error
from kgsan.sources import xml
from kgsan.sources.files import SourceFile, SourceTree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from kgsan.sources.files import Source
    from kgsan.sources.records import Options, Records

#: Asked in this order. What is told by a few certain bytes comes before what a person may have typed.
READERS = ("rf2", "wndb", "obojson", "obo", "wnlmf", "odp", "rdf", "table", "outline")


def reader_for(source: Source) -> ModuleType:
    """The reader that knows the format of a source. An `OntologyError` says what the source is when none does."""
    if isinstance(source, SourceFile) and not source.head().strip():
        raise ontology_error("O109", source.name, "The file is empty.")
    for name in READERS:
        reader = import_module(f"kgsan.sources.{name}")
        if reader.recognises(source):
            return reader
    raise _unrecognised(source)


def read(source: Source, options: Options) -> Records:
    """What a source says, in whatever format it is."""
    reader = reader_for(source)
    with no_collection():
        records: Records = reader.read(source, options)
        if not gc.get_freeze_count():
            # All that was read is old at once: else the next search would begin by looking through every piece of it.
            gc.freeze()
            gc.unfreeze()
    return records


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the search for reference cycles: reading makes millions of small objects and not one cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


_SEEN_BUT_NOT_READ = (
    (
        rb"(?:\s|<!--(?>.*?-->))*+(?:<!doctype\s++html|<html)",
        "a web page, not an ontology",
        "Download the file itself, not the page about it.",
    ),
    (
        rb"\s*(?:Prefix\s*\(|Ontology\s*\()",
        "OWL in functional syntax",
        "Save it as RDF/XML or Turtle, for example with Protégé or ROBOT.",
    ),
    (
        rb"\s*(?:Prefix:|Ontology:)",
        "OWL in Manchester syntax",
        "Save it as RDF/XML or Turtle, for example with Protégé or ROBOT.",
    ),
    (rb"kgsan-arrays", "already compiled", "Open it without compiling it again."),
    (rb"%PDF", "a PDF document", None),
    (rb"SQLite format 3\0", "an SQLite database", "Export the ontology from it first."),
)


def _root(source: SourceFile) -> str:
    """The first element of an XML file; what is wrong with the XML is raised."""
    found: list[str] = []
    parser = xml.parser(source.name)
    parser.StartElementHandler = lambda element, attributes: found.append(element) if not found else None
    with source.open() as stream:
        xml.feed(parser, stream, source.name)
    return found[0]


def _unrecognised(source: Source) -> OntologyError:
    if isinstance(source, SourceTree):
        return ontology_error(
            "O102",
            source.name,
            "The folder holds neither a SNOMED CT RF2 release nor a WordNet dictionary.",
            "Name a file in it.",
        )
    head = source.head()
    for pattern, what, hint in _SEEN_BUT_NOT_READ:
        if re.match(rb"(?:\xef\xbb\xbf)?" + pattern, head, re.IGNORECASE | re.DOTALL):
            return ontology_error("O102", source.name, f"The file is {what}.", hint)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return ontology_error("O102", source.name, f"The file is XML of another kind: its first element is '{_root(source)}'.")
    if b"\0" in head:
        return ontology_error("O102", source.name, "The file is binary and in no format that kgsan reads.")
    return ontology_error(
        "O102",
        source.name,
        "The file is in no format that kgsan reads.",
        "It reads OWL, RDF, SKOS, OBO, SNOMED CT RF2, WordNet, Open Directory, CSV tables and indented lists.",
    )
