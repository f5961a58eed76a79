"""Small valid files of every format, from which the fuzzer begins."""

from __future__ import annotations

import io
import json
import tempfile
from functools import cache
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pyoxigraph
import yaml
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, String

from kgsan.app.audit import AuditLog, key_mark
from kgsan.app.chain import Act
from kgsan.cli.ledger import FORMAT, _digest
from kgsan.formats.kinds import KINDS
from kgsan.knowledge.build import Builder
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.template import template
from kgsan.report.certificate import as_bytes, certificate, own_version
from kgsan.report.record import record
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy
from tests.formats import test_fhir, test_hl7, test_mail, test_pdf_samples, test_word
from tests.fuzz.containers import ARCHIVE
from tests.fuzz.worlds import toy
from tests.report.toy import COUNTS, NOTE, TAXONOMY
from tests.sources import test_odp, test_outline, test_rdf, test_rf2, test_table, test_wndb, test_wnlmf

REPO = Path(__file__).parents[2]
OBO = b"""format-version: 1.4
ontology: toy
subsetdef: a "b"

[Typedef]
id: part_of
name: part of

[Term]
id: A:1
name: oak {source="a:b"}
def: "A \\"tree\\"." [a:b "c"]
synonym: "quercus" EXACT LATIN [a:b]
xref: B:1 "x"
alt_id: A:9
is_a: A:2 ! tree
relationship: part_of A:3 ! wood
intersection_of: A:2
intersection_of: part_of A:3

[Term]
id: A:2
name: tree

[Term]
id: A:3
name: wood
is_obsolete: true
replaced_by: A:2
"""
OBO_JSON = json.dumps(
    {
        "graphs": [
            {
                "id": "http://a/o",
                "nodes": [
                    {
                        "id": "http://a/A_1",
                        "lbl": "oak",
                        "type": "CLASS",
                        "meta": {
                            "definition": {"val": "A tree."},
                            "synonyms": [{"pred": "hasExactSynonym", "val": "quercus"}],
                            "xrefs": [{"val": "B:1"}],
                            "basicPropertyValues": [
                                {"pred": "http://www.geneontology.org/formats/oboInOwl#hasAlternativeId", "val": "A:9"}
                            ],
                        },
                    },
                    {"id": "http://a/A_2", "lbl": "tree", "type": "CLASS", "meta": {"deprecated": False}},
                ],
                "edges": [{"sub": "http://a/A_1", "pred": "is_a", "obj": "http://a/A_2"}],
                "equivalentNodesSets": [],
                "logicalDefinitionAxioms": [
                    {
                        "definedClassId": "http://a/A_1",
                        "genusIds": ["http://a/A_2"],
                        "restrictions": [{"propertyId": "p", "fillerId": "http://a/A_2"}],
                    }
                ],
            }
        ]
    }
).encode()
OWL_XML = b"""<?xml version="1.0"?>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://a/o"><Prefix name="rdfs" IRI="http://www.w3.org/2000/01/rdf-schema#"/>
<Declaration><Class IRI="#oak"/></Declaration><SubClassOf><Class IRI="#oak"/><Class IRI="#tree"/></SubClassOf>
<AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/><IRI>#oak</IRI><Literal>oak</Literal></AnnotationAssertion>
</Ontology>
"""
NOTATION3 = b"@prefix a: <http://a#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\na:oak a owl:Class . { ?x a a:oak } => { ?x a a:tree } .\n"
TEXTS = (
    NOTE,
    "PMH: HIV infection since 2009, depression. He denies syphilis and wears hearing aids.\nCD4 48/mm3; zidovudine 300 mg b.i.d.\n",
    "Ms. Jo Alder (DOB 3/4/1951, MRN 00123456, SSN 078-05-1120) of 12 Elm Street, Springfield, IL 62704 called (217) 555-0142.",
    "Mail jo@example.org or see https://example.org/hiv?x=1#a. IP 10.0.0.1, VIN 1HGCM82633A004352, card 4111 1111 1111 1111.",
    "a\u202eSDIA\u202c b \u200bAI\u00adDS \ufeff A\u0301IDS \uff21\uff29\uff24\uff33 \U0001f98a \0 \ud800 \udfff",
    "- AIDS\n- zidovudine,\tibuprofen; and/or fatigue?!\r\n\r\n**HIV**-positive patients' (HIV+) AIDS-related... I.e. viral infection\u2019s",
    "His 95-year-old mother, Dr. Edda Orsini, died on March 4th, 2021 at St. Mary's Hospital in Boston of an infection.",
)


def texts() -> list[bytes]:
    """Notes with secrets, identifiers, and signs that play tricks."""
    kept = [
        (REPO / "examples" / "note.txt").read_bytes(),
        *(path.read_bytes() for path in sorted(REPO.glob("examples/notes/*.txt"))),
    ]
    return [*(text.encode("utf-8", "surrogatepass") for text in TEXTS), *kept]


@cache
def identifiers() -> list[bytes]:
    """The texts of the table of identifiers."""
    rows = yaml.safe_load((REPO / "tests" / "data" / "identifiers.yaml").read_text())
    found = [text for row in _mappings(rows) if isinstance(text := row.get("text"), str)]
    return [*texts(), *(text.encode() for text in found[:200])]


def _mappings(value: object) -> list[dict[str, object]]:
    if isinstance(value, dict):
        return [value, *(one for inner in value.values() for one in _mappings(inner))]
    return [one for inner in value for one in _mappings(inner)] if isinstance(value, list) else []


@cache
def policies() -> list[bytes]:
    """The template, what ships, and what is broken."""
    paths = [*sorted(REPO.glob("policies/*.yaml")), *sorted(REPO.glob("tests/data/broken/*.yaml"))]
    return [template("my-policy").encode(), *(path.read_bytes() for path in paths)]


@cache
def graphs() -> list[bytes]:
    """One ontology in every RDF syntax, and others that are OWL, SKOS or neither."""
    forms = ("TURTLE", "RDF_XML", "N_TRIPLES", "N_QUADS", "TRIG", "JSON_LD", "N3")
    body = '<owl:Class rdf:about="http://e/a"><rdfs:label xml:lang="en">a</rdfs:label><rdfs:subClassOf rdf:resource="http://e/b"/></owl:Class>'
    made = [_in(form) for form in forms]
    skos = test_rdf.SKOS.encode()
    return [
        *made,
        test_rdf.owl_xml(body).encode(),
        skos,
        test_rdf.DEFINED.encode(),
        OWL_XML,
        NOTATION3,
        (REPO / "examples" / "clinic.ttl").read_bytes(),
    ]


def _in(form: str) -> bytes:
    return test_rdf.rewritten(getattr(pyoxigraph.RdfFormat, form))


def _folder(write: object) -> bytes:
    """A folder of files as an archive."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))  # type: ignore[operator]
        return ARCHIVE.put({path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())})


@cache
def rf2() -> list[bytes]:
    """A release of SNOMED CT, made up."""
    return [_folder(test_rf2.write), _folder(lambda folder: test_rf2.write(folder, layout="Full"))]


@cache
def wndb() -> list[bytes]:
    """A dictionary in the files of WordNet, made up."""
    return [_folder(test_wndb.write)]


def wnlmf() -> list[bytes]:
    """The same in its XML."""
    return [test_wnlmf.ZOO.encode()]


def odp() -> list[bytes]:
    """A directory of web pages."""
    return [test_odp.DIRECTORY.encode()]


def outlines() -> list[bytes]:
    """Taxonomies that a person typed."""
    tables = [
        test_table.TIDY,
        "id,name,parent,synonyms\n1,pet,,\n2,cat,1,puss|kitty\n",
        "pet\tcat\tkitten\npet\tdog\t\n",
        "level 1;level 2\npet;cat\n",
    ]
    return [
        text.encode() if isinstance(text, str) else text
        for text in (TAXONOMY.lstrip(), test_outline.TEXT, test_outline.YAML, *tables)
    ]


@cache
def compiled() -> list[bytes]:
    """A compiled ontology with everything in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.kgo")
        records = taxonomy(GOLDEN)
        records.relation(records.concept("t:zidovudine"), "treats", records.concept("t:HIV infection"))
        records.definitions[1] = "Something that ails."
        records.references.append((1, "B:1"))
        records.aliases["t:HIV"] = records.concept("t:HIV infection")
        Ontology.from_records(records, [{"name": "toy", "format": "test", "sha256": "0"}]).save(path)
        return [path.read_bytes()]


@cache
def counted() -> list[bytes]:
    """A file of knowledge about that ontology."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.kgk")
        builder = Builder(Finder(OntologyStack([Ontology.from_records(taxonomy(GOLDEN))])))
        builder.add(
            ["Zidovudine for HIV infection.", "Influenza.", "AIDS and depression.", "Ibuprofen, zidovudine and syphilis."]
        )
        builder.finish({"name": "mine"}).save(path)
        return [path.read_bytes()]


def counts() -> list[bytes]:
    """A table of counts."""
    rows = [line.rsplit(" ", 1) for line in COUNTS.strip().splitlines()]
    return ["".join(f"{terms.replace(' + ', chr(9))}\t{count}\n" for terms, count in rows).encode()]


# --- documents ------------------------------------------------------------------------------------------------------------


@cache
def word() -> list[bytes]:
    """Documents of Word, small and as Word makes them."""
    return [test_word.document(test_word.para("He has ", "AI", "DS.") + test_word.para("Takes zidovudine.")), test_word.example()]


def html() -> list[bytes]:
    """Pages."""
    page = (
        b"<!DOCTYPE html><html lang=en><head><title>AIDS</title><style>p{content:'HIV'}</style><meta name=a content='zidovudine'></head><body>"
        b"<!-- AIDS --><p title=\"HIV\">He has A<b>I</b>DS &amp; takes&nbsp;zido&shy;vudine.<br><a href='mailto:jo@example.org?subject=HIV'>x</a>"
        b"<table><tr><td>AIDS<td>3/4/2021</table><script>var a='AIDS'</script><img src=a.png alt=AIDS><svg><text>HIV</text></svg></body></html>"
    )
    return [
        page,
        b"<html><body><p>He has A<b>I</b>DS.</p></body></html>\n",
        b"\xef\xbb\xbf<html><pre>\nAIDS</pre><textarea>HIV</textarea>",
    ]


def markdown() -> list[bytes]:
    """Notes in Markdown."""
    note = (
        b"---\ntitle: AIDS\n---\n# Note *AI*DS\n\nHe has **AIDS** and [takes](https://a.org/hiv 'HIV') `zidovudine`.\n\n"
        b'| a | HIV |\n|---|:-:|\n| AIDS | b |\n\n- [x] AIDS\n  > zidovudine\n\n```hiv\nAIDS\n```\n\n[r]: <http://a/AIDS> "HIV"\n[^1]: AIDS\n\n'
        b"<div title='HIV'>AIDS</div>\n\nSetext AIDS\n===\n\n1. &#65;IDS <jo@a.org> ![HIV](a.png)\n"
    )
    return [note, b"# Note\n\nHe has **AIDS**.\n"]


@cache
def mails() -> list[bytes]:
    """Mails with parts, encodings and attachments."""
    plain = "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nHe has AI=44S. =E9\n"
    return [test_mail.full(), (test_mail.HEAD + plain).encode(), (test_mail.HEAD + "\nHe has AIDS.\n").encode()]


@cache
def pdfs() -> list[bytes]:
    """Files of a page, with notes, fields, bookmarks and without."""
    line = b"BT /F 12 Tf 72 700 Td [(Takes zido) -20 (vudine daily.)] TJ 0 -20 Td (He has AIDS.) ' ET"
    pdf = test_pdf_samples.new_pdf(line)
    page = pdf.pages[0].obj
    page.Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=[0, 0, 9, 9], Contents=String("AIDS"))])
    form = test_pdf_samples.form(pdf, line)
    page.Resources.XObject = Dictionary(X=form)
    pdf.docinfo["/Title"] = "AIDS"
    plain = {"compress_streams": False, "object_stream_mode": ObjectStreamMode.disable}
    return [test_pdf_samples.saved(pdf, **plain), test_pdf_samples.saved(test_pdf_samples.new_pdf(line), **plain)]


def tables() -> list[bytes]:
    """Tables."""
    return [
        b'id,name,note\n1,Jo Alder,"He has ""AIDS"",\nand zidovudine."\n2,,Fine.\n',
        b"id\tnote\r\n1\tHe has AIDS.\r\n",
        b"\xef\xbb\xbfid;note\n1;AIDS\n",
        b"note\n'AIDS'\n\n",
    ]


def lines() -> list[bytes]:
    """JSON lines."""
    return [
        b'{"id": 1, "text": "He has AIDS.", "n": 1.50, "a": {"b": ["zido\\u0076udine", null, true]}}\n{"text": "Fine."}\n',
        b'{"resourceType": "Condition", "code": {"text": "AIDS"}}\n',
    ]


@cache
def parquet() -> list[bytes]:
    """Tables in columns."""
    nested = pyarrow.table(
        {
            "id": [1, 2],
            "note": ["He has AIDS.", None],
            "kind": pyarrow.array(["HIV", "x"]).dictionary_encode(),
            "list": [["AIDS"], []],
            "of": [{"a": "zidovudine"}, {"a": None}],
        }
    )
    plain = nested.select(["id", "note", "kind"])
    made = []
    for table, how in (
        (nested, {"compression": "none"}),
        (plain, {"compression": "zstd"}),
        (plain, {"compression": "none", "use_dictionary": False, "write_statistics": False}),
    ):
        stream = io.BytesIO()
        pyarrow.parquet.write_table(table, stream, **how)
        made.append(stream.getvalue())
    return made


def fhir() -> list[bytes]:
    """Resources, and a bundle of them."""
    made = [test_fhir.resource(**fields) for fields in test_fhir.SECRET.values()]
    entries = [{"fullUrl": f"urn:{number}", "resource": json.loads(one)} for number, one in enumerate(made[:4])]
    bundle = {"resourceType": "Bundle", "type": "collection", "timestamp": "2021-03-04T10:00:00Z", "entry": entries}
    return [test_fhir.SAFE.encode(), json.dumps(bundle).encode(), *made]


def hl7() -> list[bytes]:
    """Messages."""
    return [
        test_hl7.SAFE,
        test_hl7.HEAD + b"\r".join(test_hl7.SECRET.values()) + b"\r",
        b"FHS|^~\\&|A\rBHS|^~\\&|A\r" + test_hl7.SAFE + b"BTS|1\rFTS|1\r",
    ]


# --- what kgsan itself writes ---------------------------------------------------------------------------------------------

RELEASED = "Takes ibuprofen and has fatigue."


@cache
def certificates() -> list[bytes]:
    """What is given with a text."""
    return [as_bytes(certificate(toy(), RELEASED))]


@cache
def records() -> list[bytes]:
    """What stays with the original."""
    return [as_bytes(record(toy(), NOTE, toy().sanitize(NOTE), bytes(32)))]


@cache
def logs() -> list[bytes]:
    """A log of a review, an empty line, and its state file."""
    acts = [
        Act("opened", "d", detail={"content": "c", "settings": "s", "key": key_mark(None)}),
        Act("accept", "d", (0, 4)),
        Act("generalize", "d", (5, 9), detail={"rung": "drug"}),
        Act("keep", "d", (10, 12), "It is harmless."),
        Act("hide", "d", (20, 22)),
        Act("policy", "d", (20, 22), "Always.", {"kind": "deny"}),
        Act("strictness", "d", None, "Strict.", {"strictness": "2"}),
        Act("undo", "d", (0, 4)),
        Act("unhide", "d", (20, 22)),
        Act("release", "d", detail={"settings": "s", "text": "t"}),
        Act("released", "d"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "audit.jsonl")
        log = AuditLog(path, None, lambda: "2026-01-02T03:04:05Z")
        log.add(acts)
        log.close()
        return [path.read_bytes() + b"\n" + path.with_name("audit.jsonl.state").read_bytes()]


def ledgers() -> list[bytes]:
    """What a batch has done."""
    head = {"format": FORMAT, "kgsan": own_version(), "key": "00" * 32, "settings": _digest(["a"])}
    return [
        json.dumps(head).encode()
        + b"\n"
        + json.dumps({"job": "a" * 64, "input": "b" * 64, "outputs": ["c" * 64]}).encode()
        + b"\n"
    ]


def spans() -> list[bytes]:
    """What other tools mark."""
    return [
        b'[{"start": 14, "end": 18, "label": "HIV", "text": "AIDS", "score": 0.9}]',
        b'{"start": 14, "end": 18, "entity_type": "HIV"}\n{"start": 0, "end": 3}\n',
        b'{"entities": [[14, 18, "HIV"]]}',
    ]


def gold() -> list[bytes]:
    """Marked documents."""
    return [(REPO / "examples" / "gold.jsonl").read_bytes()]


#: Every kind of file has seeds and a target.
KIND_NAMES = tuple(kind.name for kind in KINDS)
