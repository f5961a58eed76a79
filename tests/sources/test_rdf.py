"""OWL, RDFS and SKOS in every RDF syntax: what is read, what is concluded, what is refused."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import socket
import zipfile
from typing import TYPE_CHECKING

import pyoxigraph
import pytest

from kgsan.errors import OntologyError
from kgsan.ontology.load import compile_ontology
from kgsan.sources import rdfxml
from kgsan.sources.records import Options, Scope

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.ontology.ontology import Ontology

PREFIXES = """
@prefix : <http://example.org/plants#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix plants: <http://example.org/plants#> .
"""
PLANTS = (
    PREFIXES
    + """
plants:Plant a owl:Class ; rdfs:label "plant"@en , "Pflanze"@de .
plants:Tree a owl:Class ; rdfs:subClassOf plants:Plant ; rdfs:label "tree"@en .
plants:Oak a owl:Class ; rdfs:subClassOf plants:Tree ; rdfs:label "oak"@en ;
    skos:altLabel "oak tree"@en , "Eiche"@de ; oio:hasNarrowSynonym "pedunculate oak" ; oio:hasBroadSynonym "hardwood" ;
    oio:hasRelatedSynonym "acorn bearer" ; obo:IAO_0000118 "quercus" ; skos:definition "A tree that bears acorns."@en ;
    oio:hasDbXref "MESH:D029963" ; plants:ambiguousName "sturdy one" .
plants:grows a owl:ObjectProperty ; rdfs:label "grows" .
plants:Acorn a owl:Class ; rdfs:subClassOf plants:Plant ; rdfs:label "acorn"@en .
plants:Oak rdfs:subClassOf [ a owl:Restriction ; owl:onProperty plants:grows ; owl:someValuesFrom plants:Acorn ] .
plants:Elm a owl:Class ; owl:deprecated true ; rdfs:label "elm"@en ; rdfs:subClassOf plants:Tree .
plants:MajorOak a owl:NamedIndividual , plants:Oak ; rdfs:label "Major Oak"@en .
"""
)


def load(tmp_path: Path, content: str | bytes, name: str = "plants.ttl", **options: object) -> Ontology:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return compile_ontology(path, options=Options(**options))  # type: ignore[arg-type]


def problem(tmp_path: Path, content: str | bytes, name: str = "plants.ttl", **options: object) -> str:
    with pytest.raises(OntologyError) as caught:
        load(tmp_path, content, name, **options)
    [only] = caught.value.problems
    return str(only)


def rewritten(form: pyoxigraph.RdfFormat) -> bytes:
    dataset = list(pyoxigraph.parse(PLANTS.encode(), format=pyoxigraph.RdfFormat.TURTLE))
    triples = [pyoxigraph.Triple(q.subject, q.predicate, q.object) for q in dataset]
    prefixes = {"plants": "http://example.org/plants#"}
    return pyoxigraph.serialize(triples, format=form, prefixes=prefixes)


def test_names_are_kept_apart_by_scope(tmp_path: Path) -> None:
    ontology = load(tmp_path, PLANTS)
    by_scope = {name.text: name.scope for name in ontology.names("plants:Oak")}
    assert by_scope == {
        "oak": Scope.PREFERRED,
        "oak tree": Scope.EXACT,
        "quercus": Scope.EXACT,
        "pedunculate oak": Scope.NARROW,
        "acorn bearer": Scope.RELATED,
        "hardwood": Scope.BROAD,
        "sturdy one": Scope.AMBIGUOUS,
    }
    assert ontology.definition("plants:Oak") == "A tree that bears acorns."
    assert ontology.references("plants:Oak") == ("MESH:D029963",)


def test_restrictions_are_relations_individuals_are_leaves_and_deprecated_classes_are_left_out(tmp_path: Path) -> None:
    ontology = load(tmp_path, PLANTS)
    assert [(r.name, r.object.name) for r in ontology.relations("plants:Oak")] == [("grows", "acorn")]
    assert [c.name for c in ontology.specializations("plants:Tree")] == ["oak", "Major Oak"]
    assert "plants:Elm" not in ontology


@pytest.mark.parametrize(
    "form",
    [
        pyoxigraph.RdfFormat.RDF_XML,
        pyoxigraph.RdfFormat.TURTLE,
        pyoxigraph.RdfFormat.N_TRIPLES,
        pyoxigraph.RdfFormat.N_QUADS,
        pyoxigraph.RdfFormat.TRIG,
        pyoxigraph.RdfFormat.JSON_LD,
    ],
    ids=str,
)
def test_every_syntax_gives_the_same_ontology(tmp_path: Path, form: pyoxigraph.RdfFormat) -> None:
    expected = load(tmp_path, PLANTS)
    found = load(tmp_path, rewritten(form), "same")
    by_iri = found if "plants:Oak" in found else None
    assert {c.name for c in found} == {c.name for c in expected}
    if by_iri:  # N-Triples and N-Quads have no prefixes; their ids are whole IRIs
        assert found.fingerprint == expected.fingerprint
    assert found["http://example.org/plants#Oak"].name == "oak"


def test_n3_is_read_through_rdflib(tmp_path: Path) -> None:
    n3 = PLANTS + "\n{ ?x a plants:Oak } => { ?x a plants:Tree } .\n"
    assert load(tmp_path, n3).fingerprint == load(tmp_path, PLANTS).fingerprint


@pytest.mark.parametrize("named", ["quads", "trig"])
def test_named_graphs_are_read_together(tmp_path: Path, named: str) -> None:
    line = "<http://example.org/a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://example.org/b>"
    content = (
        f"{line} <http://example.org/g> .\n"
        if named == "quads"
        else f"@prefix x: <http://x#> . <http://example.org/g> {{ {line} }}"
    )
    assert len(load(tmp_path, content, "x")) == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gz", "bz2", "xz"])
def test_packed_files_are_unpacked(tmp_path: Path, pack: object) -> None:
    packed = pack(PLANTS.encode())  # type: ignore[operator]
    assert load(tmp_path, packed, "packed.bin").fingerprint == load(tmp_path, PLANTS).fingerprint


def test_a_zip_with_one_file_is_that_file(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("inner/plants.ttl", PLANTS)
    assert load(tmp_path, buffer.getvalue(), "p.zip").fingerprint == load(tmp_path, PLANTS).fingerprint


def test_a_label_in_the_language_asked_for_is_preferred(tmp_path: Path) -> None:
    german = load(tmp_path, PLANTS, language="de")
    assert german["plants:Plant"].name == "Pflanze"
    assert [name.text for name in german.names("plants:Oak")][:2] == ["oak", "Eiche"]
    assert "O205" in [p.code for p in german.problems]
    assert {n.text for n in load(tmp_path, PLANTS, language=None).names("plants:Plant")} == {"plant", "Pflanze"}


def test_regional_languages_serve_the_general_one(tmp_path: Path) -> None:
    ontology = load(tmp_path, PREFIXES + 'plants:A a owl:Class ; rdfs:label "colour"@en-GB , "color"@en .')
    assert ontology["plants:A"].name == "color"
    assert ontology["plants:A"].synonyms == ("colour",)


def test_equivalent_classes_are_one_concept_known_by_both_ids(tmp_path: Path) -> None:
    ontology = load(
        tmp_path,
        PREFIXES
        + """plants:Oak a owl:Class ; rdfs:label "oak" ; owl:equivalentClass plants:Quercus .
        plants:Quercus a owl:Class ; rdfs:label "Quercus" ; rdfs:subClassOf plants:Plant . plants:Plant a owl:Class .""",
    )
    assert len(ontology) == 2
    assert ontology["plants:Quercus"] == ontology["plants:Oak"]
    assert {name.text for name in ontology.names("plants:Oak")} == {"oak", "Quercus"}
    assert [c.id for c in ontology.generalizations("plants:Oak")] == ["plants:Plant"]


def test_parents_are_found_inside_intersections_and_unions(tmp_path: Path) -> None:
    ontology = load(
        tmp_path,
        PREFIXES
        + """plants:Oak a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( plants:Tree
            [ a owl:Restriction ; owl:onProperty plants:hasFruit ; owl:someValuesFrom plants:Acorn ] ) ] .
        plants:Tree a owl:Class . plants:Acorn a owl:Class . plants:hasFruit a owl:ObjectProperty .
        plants:Wood a owl:Class ; owl:equivalentClass [ owl:unionOf ( plants:Tree plants:Shrub ) ] .
        plants:Bush a owl:Class ; rdfs:subClassOf [ owl:intersectionOf ( plants:Shrub [ owl:intersectionOf ( plants:Low ) ] ) ] .""",
    )
    assert {c.id for c in ontology.parents("plants:Oak")} == {"plants:Tree"}
    assert [(r.name, r.object.id) for r in ontology.relations("plants:Oak")] == [("has fruit", "plants:Acorn")]
    assert {c.id for c in ontology.children("plants:Wood")} == {"plants:Tree", "plants:Shrub"}
    assert {c.id for c in ontology.parents("plants:Bush")} == {"plants:Shrub", "plants:Low"}


def test_statements_between_concepts_are_relations(tmp_path: Path) -> None:
    ontology = load(
        tmp_path,
        PREFIXES
        + "plants:a a owl:Class . plants:b a owl:Class . plants:treats a owl:ObjectProperty . plants:a plants:treats plants:b .",
    )
    assert [(r.subject.id, r.name) for r in ontology.relations("plants:b", incoming=True)] == [("plants:a", "treats")]


SKOS = (
    PREFIXES
    + """
plants:scheme a skos:ConceptScheme ; skos:hasTopConcept plants:living .
plants:living a skos:Concept ; skos:prefLabel "living thing"@en .
plants:tree skos:broader plants:living ; skos:prefLabel "tree"@en ; skos:hiddenLabel "tre"@en ; skos:related plants:wood .
plants:tree skos:narrower plants:oak . plants:oak skos:prefLabel "oak"@en ; skos:broaderTransitive plants:living .
plants:wood skos:prefLabel "wood"@en ; xl:altLabel plants:l1 . plants:l1 xl:literalForm "timber"@en .
plants:oak skos:exactMatch <http://id.nlm.nih.gov/mesh/D029963> .
"""
)


def test_skos_concepts_stand_under_their_broader_ones(tmp_path: Path) -> None:
    ontology = load(tmp_path, SKOS)
    assert [c.name for c in ontology.generalizations("plants:oak")] == ["tree", "living thing"]
    assert ontology["plants:tree"].synonyms == ("tre",)
    assert ontology["plants:wood"].synonyms == ("timber",)
    assert [(r.name, r.object.name) for r in ontology.relations("plants:tree")] == [("related", "wood")]
    assert ontology.references("plants:oak") == ("mesh:D029963",)
    assert "plants:scheme" not in ontology


# --- RDF/XML grammar -----------------------------------------------------------------------------------------------


class Heard:
    """Collects statements as our reader says them."""

    def __init__(self) -> None:
        self.said: list[tuple[str, ...]] = []
        self.ignored: set[str] = set()

    def blank_scope(self) -> str:
        return "x"

    def prefix(self, short: str, iri: str) -> None:
        pass

    def resource(self, subject: str, predicate: str, value: str) -> None:
        self.said.append((subject, predicate, value))

    def literal(self, subject: str, predicate: str, text: str, language: str) -> None:
        self.said.append((subject, predicate, text, language))


GRAMMAR = {
    "typed nodes, attributes, languages": """<x:Tree rdf:about="http://e/t" x:height="tall" xml:lang="en"><x:n>oak</x:n>
        <x:n xml:lang="de">Eiche</x:n></x:Tree>""",
    "nested descriptions": """<rdf:Description rdf:about="http://e/a"><x:p><x:B rdf:about="http://e/b"><x:q><x:C/></x:q></x:B></x:p>
        <x:r rdf:resource="http://e/c"/></rdf:Description>""",
    "node ids": '<rdf:Description rdf:nodeID="n"><x:p rdf:nodeID="m"/></rdf:Description><x:T rdf:nodeID="m"><x:v>1</x:v></x:T>',
    "collections": """<rdf:Description rdf:about="http://e/l"><x:p rdf:parseType="Collection"><x:A rdf:about="http://e/1"/>
        <rdf:Description rdf:about="http://e/2"/></x:p><x:after>y</x:after></rdf:Description>""",
    "an empty collection": '<rdf:Description rdf:about="http://e/l"><x:p rdf:parseType="Collection"/></rdf:Description>',
    "a property as a description": """<rdf:Description rdf:about="http://e/a"><x:p rdf:parseType="Resource"><x:q>v</x:q>
        <x:r rdf:resource="http://e/z"/></x:p><x:s>w</x:s></rdf:Description>""",
    "property attributes on a property": '<rdf:Description rdf:about="http://e/a"><x:p x:q="v" x:r="w"/></rdf:Description>',
    "datatypes": """<rdf:Description rdf:about="http://e/a" xml:lang="en">
        <x:p rdf:datatype="http://www.w3.org/2001/XMLSchema#int">1</x:p></rdf:Description>""",
    "relative references": """<rdf:Description rdf:about="#frag"><x:p rdf:resource="other"/><x:q rdf:resource=""/></rdf:Description>
        <rdf:Description rdf:ID="named" xml:base="http://b/c/d"><x:p rdf:resource="e"/></rdf:Description>
        <rdf:Description rdf:about="#again"><x:p>v</x:p></rdf:Description>""",
    "list items": '<rdf:Bag rdf:about="http://e/bag"><rdf:li>a</rdf:li><rdf:li rdf:resource="http://e/b"/></rdf:Bag>',
    "empty literals and entities": '<rdf:Description rdf:about="http://e/a"><x:p/><x:q>&lt;b&gt; &amp; &#xE9;</x:q></rdf:Description>',
}


@pytest.mark.parametrize("body", GRAMMAR.values(), ids=GRAMMAR.keys())
def test_rdf_xml_means_what_another_reader_says_it_means(body: str) -> None:
    document = f"""<?xml version="1.0"?><rdf:RDF xmlns:rdf="{rdfxml.RDF}" xmlns:x="http://x/" xml:base="http://base/doc">{body}</rdf:RDF>"""
    heard = Heard()
    rdfxml.parse(io.BytesIO(document.encode()), "x", "http://base/doc", heard)  # type: ignore[arg-type]
    mine, theirs = pyoxigraph.Dataset(), pyoxigraph.Dataset()

    def term(text: str) -> pyoxigraph.NamedNode | pyoxigraph.BlankNode:
        return (
            pyoxigraph.BlankNode("b" + "".join(c for c in text if c.isalnum()))
            if text.startswith("_:")
            else pyoxigraph.NamedNode(text)
        )

    for said in heard.said:
        value = term(said[2]) if len(said) == 3 else pyoxigraph.Literal(said[2], language=said[3] or None)
        mine.add(pyoxigraph.Quad(term(said[0]), pyoxigraph.NamedNode(said[1]), value))  # type: ignore[arg-type]
    for quad in pyoxigraph.parse(document.encode(), format=pyoxigraph.RdfFormat.RDF_XML):
        value = quad.object
        if isinstance(value, pyoxigraph.Literal) and not value.language:
            value = pyoxigraph.Literal(value.value)  # datatypes are not told
        theirs.add(pyoxigraph.Quad(quad.subject, quad.predicate, value))
    for dataset in (mine, theirs):
        dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    assert mine == theirs


def owl_xml(body: str, head: str = "") -> str:
    return f"""<?xml version="1.0"?>{head}<rdf:RDF xmlns:rdf="{rdfxml.RDF}" xmlns:owl="http://www.w3.org/2002/07/owl#"
        xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:e="http://e/">{body}</rdf:RDF>"""


def test_notes_on_statements_are_passed_over_even_when_nested(tmp_path: Path) -> None:
    note = """<owl:Axiom><owl:annotatedSource><owl:Axiom><owl:annotatedTarget>x</owl:annotatedTarget></owl:Axiom></owl:annotatedSource>
        <owl:annotatedProperty rdf:resource="http://e/p"/><owl:annotatedTarget>y</owl:annotatedTarget></owl:Axiom>"""
    cls = '<owl:Class rdf:about="http://e/{0}"><rdfs:label>{0}</rdfs:label></owl:Class>'
    ontology = load(tmp_path, owl_xml(cls.format("a") + note + cls.format("b") + note + note + cls.format("c")), "n.owl")
    assert [c.name for c in ontology] == ["a", "b", "c"]


def test_entities_that_abbreviate_iris_are_expanded(tmp_path: Path) -> None:
    head = '<!DOCTYPE rdf:RDF [<!ENTITY e "http://e/">]>'
    ontology = load(tmp_path, owl_xml('<owl:Class rdf:about="&e;oak"><rdfs:label>oak</rdfs:label></owl:Class>', head), "e.owl")
    assert ontology["e:oak"].name == "oak"


# --- imports -------------------------------------------------------------------------------------------------------


def importing(iri: str) -> str:
    return (
        PREFIXES
        + f"<http://example.org/main> a owl:Ontology ; owl:imports <{iri}> . plants:Oak a owl:Class ; rdfs:subClassOf plants:Tree ."
    )


TREE = PREFIXES + 'plants:Tree a owl:Class ; rdfs:label "tree"@en .'


def test_an_import_is_found_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "trees.ttl").write_text(TREE)
    ontology = load(tmp_path, importing("http://example.org/trees"))
    assert ontology["plants:Tree"].name == "tree"
    assert not [p for p in ontology.problems if p.code == "O201"]


def test_an_import_is_found_in_the_folder_called_like_the_file(tmp_path: Path) -> None:
    (tmp_path / "plants").mkdir()
    (tmp_path / "plants" / "trees.ttl").write_text(TREE)
    assert load(tmp_path, importing("http://example.org/trees"))["plants:Tree"].name == "tree"


def test_what_has_no_prefix_is_called_by_the_name_of_the_file(tmp_path: Path) -> None:
    content = "@prefix : <urn:x#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . :Oak a owl:Class . <#Elm> a owl:Class ."
    assert sorted(load(tmp_path, content, "wood.ttl").specializations("wood:Oak")) == []


def test_an_import_is_found_through_the_catalog(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "t.ttl").write_text(TREE)
    (tmp_path / "catalog-v001.xml").write_text(
        '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"><uri name="http://example.org/far" uri="lib/t.ttl"/></catalog>'
    )
    assert load(tmp_path, importing("http://example.org/far"))["plants:Tree"].name == "tree"


def test_a_catalog_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.ttl").write_text(TREE)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "catalog-v001.xml").write_text(
        '<catalog><uri name="http://example.org/far" uri="../secret.ttl"/></catalog>'
    )
    ontology = load(tmp_path / "in", importing("http://example.org/far"))
    assert [p.code for p in ontology.problems if p.code == "O201"] == ["O201"]
    assert ontology["plants:Tree"].name == "plants:Tree"


def test_an_unresolved_import_is_a_reported_problem_and_nothing_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    ontology = load(tmp_path, importing("http://example.org/nowhere"))
    [told] = [p for p in ontology.problems if p.code == "O201"]
    assert "<http://example.org/nowhere>" in told.message


def test_files_that_import_each_other_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "b.ttl").write_text(TREE + "<http://example.org/b> owl:imports <http://example.org/plants> .")
    assert len(load(tmp_path, importing("http://example.org/b"))) == 2


# --- reasoning -----------------------------------------------------------------------------------------------------

DEFINED = (
    PREFIXES
    + """
plants:bears a owl:ObjectProperty . plants:Acorn a owl:Class . plants:Tree a owl:Class .
plants:Oak a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( plants:Tree
    [ a owl:Restriction ; owl:onProperty plants:bears ; owl:someValuesFrom plants:Acorn ] ) ] .
plants:HolmOak a owl:Class ; rdfs:subClassOf plants:Tree ,
    [ a owl:Restriction ; owl:onProperty plants:bears ; owl:someValuesFrom plants:Acorn ] .
"""
)


@pytest.mark.skipif(shutil.which("java") is None, reason="the reasoner needs Java")
def test_a_reasoner_works_out_the_hierarchy(tmp_path: Path) -> None:
    pytest.importorskip("owlready2")
    told = load(tmp_path, DEFINED)
    reasoned = load(tmp_path, DEFINED, reason=True)
    assert not told.generalizes("plants:Oak", "plants:HolmOak")
    assert reasoned.generalizes("plants:Oak", "plants:HolmOak")


def test_without_java_the_message_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("owlready2")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert "O111 Reasoning needs Java" in problem(tmp_path, DEFINED, reason=True)


def test_owl_xml_is_read_through_owlready2(tmp_path: Path) -> None:
    pytest.importorskip("owlready2")
    document = """<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="http://e/o" ontologyIRI="http://e/o">
      <Prefix name="rdfs" IRI="http://www.w3.org/2000/01/rdf-schema#"/><Declaration><Class IRI="#Tree"/></Declaration><Declaration><Class IRI="#Oak"/></Declaration>
      <SubClassOf><Class IRI="#Oak"/><Class IRI="#Tree"/></SubClassOf>
      <AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/><IRI>#Oak</IRI><Literal>oak</Literal></AnnotationAssertion>
      </Ontology>"""
    ontology = load(tmp_path, document, "o.owx")
    [oak] = ontology.find("oak")
    assert len(ontology.generalizations(oak)) == 1


# --- bad input -----------------------------------------------------------------------------------------------------


def test_truncated_xml_is_told_with_its_line(tmp_path: Path) -> None:
    whole = owl_xml('\n<owl:Class rdf:about="http://e/a">\n<rdfs:label>a</rdfs:label></owl:Class>')
    told = problem(tmp_path, whole[: whole.index("</rdfs:label>")], "cut.owl")
    assert told.startswith("cut.owl:4:")
    assert "O103" in told


def test_an_entity_bomb_is_refused(tmp_path: Path) -> None:
    head = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    assert "O106" in problem(tmp_path, owl_xml("<owl:Class rdf:about='&b;'/>", head), "bomb.owl")


def test_an_entity_that_is_long_and_often_used_is_refused(tmp_path: Path) -> None:
    head = f'<!DOCTYPE x [<!ENTITY a "{"h" * 100_000}">]>'
    assert "O106" in problem(tmp_path, owl_xml("&a;" * 1000, head), "bomb.owl")


@pytest.mark.parametrize("declared", ['SYSTEM "file:///etc/hostname"', 'PUBLIC "x" "http://example.org/x"'])
def test_an_external_entity_is_refused(tmp_path: Path, declared: str) -> None:
    head = f"<!DOCTYPE x [<!ENTITY a {declared}>]>"
    assert "O106" in problem(tmp_path, owl_xml("<rdfs:label>&a;</rdfs:label>", head), "x.owl")


def test_undeclared_prefixes_are_told_with_a_hint(tmp_path: Path) -> None:
    told = problem(tmp_path, PREFIXES + "\nmissing:a a owl:Class .")
    assert "plants.ttl:12" in told
    assert "Declare the prefix" in told
    told = problem(tmp_path, owl_xml('<missing:Class rdf:about="http://e/a"/>'), "x.owl")
    assert "Declare the prefix" in told


def test_wrong_encodings_are_told(tmp_path: Path) -> None:
    assert "O104" in problem(tmp_path, PLANTS.encode().replace(b"acorns", b"acorn\xe9"))
    told = problem(tmp_path, owl_xml("<e:a rdf:about='http://e/\xe9'/>").encode("latin-1"), "x.owl")
    assert "O103" in told
    assert "encoding" in told


def test_utf16_xml_is_read(tmp_path: Path) -> None:
    text = owl_xml('<owl:Class rdf:about="http://e/oak"/>').replace('version="1.0"', 'version="1.0" encoding="UTF-16"')
    assert len(load(tmp_path, text.encode("utf-16"), "u.owl")) == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("<!DOCTYPE html><html><body>Not found</body></html>", "a web page"),
        ("Prefix(:=<http://e/>)\nOntology(<http://e/>\nDeclaration(Class(:a))\n)", "functional syntax"),
        ("Prefix: : <http://e/>\nOntology: <http://e/>\nClass: :a\n", "Manchester syntax"),
        ("%PDF-1.7 ...", "a PDF document"),
        (b"\x00\x01\x02\x03" * 100, "binary"),
        ("", "empty"),
    ],
)
def test_a_file_that_is_something_else_is_called_by_its_name(tmp_path: Path, content: str | bytes, says: str) -> None:
    assert says in problem(tmp_path, content, "thing.owl")


def test_a_remote_json_ld_context_is_not_fetched(tmp_path: Path) -> None:
    told = problem(tmp_path, '{"@context": "https://example.org/context.jsonld", "@id": "http://e/a", "@type": "x"}', "x.jsonld")
    assert "never fetched" in told


def test_an_ontology_without_concepts_is_an_error(tmp_path: Path) -> None:
    assert "O109" in problem(tmp_path, PREFIXES)


def test_the_three_forms_of_a_real_ontology_are_identical(shared: Path) -> None:
    forms = [compile_ontology(shared / "ontologies" / f"DO_infectious_disease_slim.{end}") for end in ("owl", "obo", "json")]
    assert len({form.fingerprint for form in forms}) == 1
    assert len(forms[0]) == 536
    [aids] = forms[0].find("AIDS")
    assert next(c.name for c in forms[0].generalizations(aids)) == "human immunodeficiency virus infectious disease"
