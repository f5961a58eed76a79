"""Input made to hurt: whatever the bytes, a reader answers soon, with a result or one `OntologyError`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgsan.errors import OntologyError
from kgsan.ontology.load import compile_ontology
from tests.sources.test_rdf import PLANTS, owl_xml

if TYPE_CHECKING:
    from pathlib import Path

BYTES = 1 << 19
STARTS = {
    "nothing": b"",
    "turtle": b"@prefix a: <http://a#> .\n",
    "obo": b"format-version: 1.2\n\n[Term]\nid: A:1\nname: x",
    "obo synonym": b'format-version: 1.2\n\n[Term]\nid: A:1\nsynonym: "',
    "xml": b"<",
    "rdf": b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    "json": b'{"graphs": [',
    "json-ld": b'{"@context": {',
    "statement": b"<http://a> <http://b> ",
    "table": b"id,name,parent,synonyms\n1,",
    "outline": b"disease\n  ",
    "yaml": b"- disease:\n    - ",
    "lmf": b'<?xml version="1.0"?><LexicalResource>',
}
FILLS = (
    b" ",
    b"\n",
    b"\t",
    b'"',
    b"\\",
    b"{",
    b"[",
    b"<",
    b"!",
    b"-",
    b"<!-- -->",
    b"_:a ",
    b"a,",
    b"|",
    b"\xc3\xa9",
    b"a b\n",
    b"=> ",
    b"&amp;",
)


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS.keys())
def test_long_runs_of_anything_are_answered_soon(tmp_path: Path, start: bytes) -> None:
    for fill in FILLS:
        path = tmp_path / "thing"
        path.write_bytes(start + fill * (BYTES // len(fill)))
        began = time.process_time()
        try:
            compile_ontology(path)
        except OntologyError as error:
            assert len(error.problems) <= 20
        # Quadratic time would be minutes at this size, so the limit can be wide.
        assert time.process_time() - began < 15, fill


WHOLE = {
    "plants.ttl": PLANTS.encode(),
    "plants.owl": owl_xml('<owl:Class rdf:about="http://e/a"><rdfs:label xml:lang="en">a</rdfs:label></owl:Class>').encode(),
    "plants.obo": b'format-version: 1.2\n\n[Term]\nid: A:1\nname: x\ndef: "d" [a:b]\nsynonym: "s" EXACT []\nis_a: A:2 ! y\n\n[Term]\nid: A:2\n',
    "plants.json": b'{"graphs": [{"nodes": [{"id": "http://a/A_1", "lbl": "x", "type": "CLASS", "meta": {"synonyms": []}}], "edges": []}]}',
}


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_spoilt_files_end_in_a_result_or_one_error(tmp_path: Path, name: str, data: st.DataObject) -> None:
    content = bytearray(WHOLE[name])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(len(content) - 1, 0)))
        kind = data.draw(st.sampled_from(["flip", "cut", "insert", "drop"]))
        if kind == "flip" and content:
            content[at] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del content[at:]
        elif kind == "insert":
            content[at:at] = data.draw(st.binary(max_size=8))
        else:
            del content[at : at + data.draw(st.integers(1, 30))]
    path = tmp_path / name
    path.write_bytes(content)
    try:
        compile_ontology(path)
    except OntologyError as error:
        assert str(error)
