"""Ontologies by path and by name, and the compiled copies kept of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import kgsan
from kgsan.errors import OntologyError
from kgsan.ontology import load
from kgsan.sources.records import Options

if TYPE_CHECKING:
    from pathlib import Path

TTL = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix e: <http://e/> . e:Tree a owl:Class ; rdfs:label "tree" . e:Oak a owl:Class ; rdfs:subClassOf e:Tree ; rdfs:label "oak" .
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KGSAN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "trees.ttl"
    path.write_text(TTL)
    return path


def test_what_was_read_once_is_opened_the_next_time(cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = kgsan.load_ontology(source)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(load, "read", None)  # reading again would fail
    assert kgsan.load_ontology(source)[0].fingerprint == first[0].fingerprint


def test_changed_content_other_options_and_changed_imports_are_read_anew(cache: Path, source: Path) -> None:
    kgsan.load_ontology(source)
    source.write_text(TTL + '<http://m> owl:imports <http://x/more> . e:Elm a owl:Class ; rdfs:label "elm" .')
    (source.parent / "more.ttl").write_text(TTL.replace("Oak", "Yew").replace("oak", "yew"))
    assert kgsan.load_ontology(source).find("yew")
    (source.parent / "more.ttl").write_text(TTL.replace("Oak", "Ash").replace("oak", "ash"))
    assert kgsan.load_ontology(source).find("ash")
    assert not kgsan.load_ontology(source).find("yew")
    kgsan.load_ontology(source, options=Options(language="de"))
    assert len(list(cache.iterdir())) == 3


def test_an_unresolved_import_is_looked_for_every_time(cache: Path, source: Path) -> None:
    source.write_text(TTL + "<http://m> owl:imports <http://x/more> .")
    assert kgsan.load_ontology(source).problems
    (source.parent / "more.ttl").write_text(TTL.replace("Oak", "Yew").replace("oak", "yew"))
    assert kgsan.load_ontology(source).find("yew")


def test_a_damaged_copy_is_made_anew(cache: Path, source: Path) -> None:
    kgsan.load_ontology(source)
    [kept] = cache.iterdir()
    kept.write_bytes(kept.read_bytes()[:100])
    assert kgsan.load_ontology(source).find("oak")


def test_a_cache_that_cannot_be_written_is_no_reason_to_fail(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blocked").write_text("a file, not a folder")
    monkeypatch.setenv("KGSAN_CACHE", str(tmp_path / "blocked"))
    assert kgsan.load_ontology(source).find("oak")


def test_the_cache_can_be_switched_off(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGSAN_CACHE", "off")
    assert load.cache_folder() is None
    assert kgsan.load_ontology(source).find("oak")


def test_a_compiled_file_is_opened_as_it_is(cache: Path, source: Path, tmp_path: Path) -> None:
    kgsan.compile_ontology(source).save(tmp_path / "t.kgo")
    assert kgsan.load_ontology(tmp_path / "t.kgo").find("oaks")
    assert not cache.exists()


def test_an_unknown_name_lists_what_ships() -> None:
    with pytest.raises(OntologyError, match="there are: "):
        kgsan.load_ontology("nonesuch")


def test_several_sources_become_one_ontology(source: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.ttl"
    more.write_text(TTL.replace("Oak", "Yew").replace("oak", "yew"))
    both = kgsan.compile_ontology(source, more)
    assert sorted(c.name for c in both.specializations("e:Tree")) == ["oak", "yew"]
    assert [entry["name"] for entry in both.about["sources"]] == ["trees.ttl", "more.ttl"]


def test_without_a_source_what_ships_is_asked_the_most_special_first() -> None:
    stack = kgsan.load_ontology()
    assert [ontology.name.partition(".")[0] for ontology in stack] == load.default_stack()
    assert stack[0].name == "protected.ttl"
    assert stack.find("HIV")[0].id == "protected:HIV-infection"
