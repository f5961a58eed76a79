"""Every reader of kgsan as one small function that takes bytes."""

from __future__ import annotations

import io
import json
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from kgsan.app.audit import LOG as LOG_NAME
from kgsan.app.audit import STATE, AuditLog, check_log
from kgsan.app.replay import Review
from kgsan.cli.ledger import OtherSettings, open_ledger
from kgsan.errors import KgsanError
from kgsan.evaluate.gold import read_gold
from kgsan.formats import kinds
from kgsan.formats.documents import Rules, sanitize_file, text_of
from kgsan.formats.records import Asked, sanitized, texts_of
from kgsan.knowledge.load import load_knowledge
from kgsan.ontology.load import compile_ontology, load_ontology
from kgsan.policy.read import load_policy
from kgsan.policy.show import as_json, as_sarif, render
from kgsan.report.certificate import check_certificate
from kgsan.report.record import is_record_of
from kgsan.report.shape import read_certificate
from kgsan.text.foreign import read_spans
from kgsan.text.identifiers import identifiers
from tests.fuzz import seeds
from tests.fuzz.containers import ARCHIVE, COMPILED, LOG
from tests.fuzz.target import Target
from tests.fuzz.worlds import folder, golden, shipped, stored, toy
from tests.report.toy import NOTE

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.formats.kinds import Kind
    from kgsan.ontology.ontology import Ontology
    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

_REMOVE = Rules(pictures="remove")
#: So many records of a file are read once more, one by one.
_VERIFIED = 50


# --- texts ----------------------------------------------------------------------------------------------------------------


def as_text(content: bytes) -> str:
    """Any bytes as a text: half pairs stay what they are, and what is no UTF-8 becomes one."""
    try:
        return content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return content.decode("utf-8", "surrogateescape")


def text(world: Callable[[], Sanitizer], content: bytes) -> None:
    """A sanitized text verifies, twice is once, and every place leads back."""
    original, sanitizer = as_text(content), world()
    result = sanitizer.sanitize(original)
    leads_back(original, result)
    assert not sanitizer.verify(result.text), "the result discloses"
    assert sanitizer.sanitize(result.text).text == result.text, "twice is not once"


def leads_back(original: str, result: SanitizedDocument) -> None:
    """Between its pieces the new text is the old one; decisions stand in order and where they say."""
    old = new = 0
    for piece in result.rewritten.pieces:
        assert original[old : piece.start] == result.text[new : piece.new_start], "text between pieces was changed"
        assert old <= piece.start <= piece.end, "pieces overlap"
        assert new <= piece.new_start <= piece.new_end, "new pieces overlap"
        old, new = piece.end, piece.new_end
    assert original[old:] == result.text[new:], "text after the last piece was changed"
    for one in result.decisions:
        assert 0 <= one.start <= one.end <= len(original), "a decision lies outside the original"
        assert 0 <= one.new_start <= one.new_end <= len(result.text), "a decision lies outside the result"
        assert any(
            piece.start <= one.start
            and one.end <= piece.end
            and piece.new_start <= one.new_start
            and one.new_end <= piece.new_end
            for piece in result.rewritten.pieces
        ), "a decision does not lead back"


def find_identifiers(content: bytes) -> None:
    """Identifiers are in order, within the text, and do not overlap."""
    words, before = as_text(content), 0
    for found in identifiers(words):
        assert before <= found.start < found.end <= len(words), "identifiers overlap"
        before = found.end


# --- policies, ontologies, knowledge --------------------------------------------------------------------------------------


def policy(content: bytes) -> None:
    """A policy; what is wrong with it can be shown in every way."""
    try:
        load_policy(content)
    except KgsanError as error:
        assert render(error.problems, {"policy": content.decode("utf-8", "replace")}, width=60)
        assert as_json(error.problems)
        assert as_sarif(error.problems)
        raise


def ontology(name: str, content: bytes) -> None:
    """An ontology that answers."""
    ask(compile_ontology(stored(name, content)))


def ask(found: Ontology) -> None:
    """Every question that an ontology is asked."""
    assert repr(found)
    assert found.fingerprint
    assert found.problems is not None
    for number in range(min(len(found), 40)):
        concept = found.concept(number)
        assert found.number(concept) == number, "an id leads elsewhere"
        found.names(concept)
        found.relations(concept)
        found.relations(concept, incoming=True)
        found.definition(concept)
        found.references(concept)
        found.parents(concept)
        found.children(concept)
        list(found.generalizations(concept))
        below = found.specializations(concept)
        spans = found.ranges(number)
        assert len(below) == len(set(below.numbers)), "a concept is counted or listed wrongly"
        assert {number, *below.numbers} == {n for span in spans for n in range(*span)}, "a list is not what the ranges are"
        below.names()
        found.intrinsic_information(concept)
        found.find(concept.name)
        list(found.related_numbers(number))
    for measure in ("sanchez", "seco", "zhou"):
        found.intrinsic_information(found.concept(0), measure)
    found.suggest("infektion")
    found.to_networkx(relations=True)


def compiled(content: bytes) -> None:
    """A compiled ontology that answers, also as one of several."""
    stack = load_ontology(stored("a.kgo", content))
    for found in stack:
        ask(found)
    for name in ("HIV infection", "zidovudine", "nothing"):
        stack.find(name)


def knowledge(content: bytes) -> None:
    """A file of counts, or a table, that answers."""
    stack = golden()
    known = load_knowledge(stored("a.kgk", content), ontology=stack)
    for source in known.given:
        assert repr(source)
        assert source.contexts >= 0
        assert getattr(source, "digest", "") is not None
        for terms in (("zidovudine",), ("HIV infection", "zidovudine"), ("AIDS", "depression", "syphilis")):
            count = source.count(*terms)
            assert count is None or 0 <= count <= source.contexts, "more contexts than there are"
            count = source.count(*(one for term in terms for one in stack.find(term)))
            assert count is None or 0 <= count <= source.contexts, "more contexts than there are"


# --- documents ------------------------------------------------------------------------------------------------------------


def document(kind: Kind, content: bytes) -> None:
    """A sanitized document verifies, and twice is once."""
    name = f"a{kind.suffixes[0]}"
    read = kinds.document_reader(kind, name)
    made = sanitize_file(content, name, read, toy(), _REMOVE)
    leads_back(made.original, made.result)
    said = text_of(made.content, name, read)
    assert not toy().verify(said), "the result discloses"
    assert sanitize_file(made.content, name, read, toy(), _REMOVE).result.text == said, "twice is not once"


def table(kind: Kind, content: bytes) -> None:
    """So does a file of records, record by record."""
    name = f"a{kind.suffixes[0]}"
    read = kinds.record_reader(kind, name)
    asked = Asked(pictures="remove", discloses=lambda words: bool(toy().verify(words)))
    once = b""
    for one in sanitized(read(io.BytesIO(content), name, asked), name, toy()):
        once += one.content
        if one.result is not None:
            leads_back(one.original, one.result)
    for _, said in islice(texts_of(read(io.BytesIO(once), name, asked)), _VERIFIED):
        assert not toy().verify(said), "the result discloses"
    twice = b"".join(one.content for one in sanitized(read(io.BytesIO(once), name, asked), name, toy()))
    assert twice == once, "twice is not once"


def kind(content: bytes) -> None:
    """What a file is, whatever it is called."""
    for suffix in kinds.SUFFIXES:
        try:
            kinds.kind_of(content[: kinds.HEAD], f"a{suffix}")
        except KgsanError as error:
            assert str(error)


# --- what kgsan itself writes ---------------------------------------------------------------------------------------------


def certificate(content: bytes) -> None:
    """A certificate holds or it is told why not."""
    told = check_certificate(read_certificate(stored("certificate.json", content)), toy(), seeds.RELEASED)
    assert all(isinstance(one, str) and "\n" not in one for one in told), "a difference is no sentence"


def record(content: bytes) -> None:
    """Whatever JSON is: it is the record of a text or not."""
    try:
        told: Any = json.loads(content)
    except (ValueError, RecursionError):
        return
    assert is_record_of(told, NOTE) in (True, False)


def audit_log(content: bytes) -> None:
    """A log is checked, taken up again and replayed."""
    log, mark, state = content.partition(b"\n\n")
    path = folder() / "review" / LOG_NAME
    path.parent.mkdir(exist_ok=True)
    for old in path.parent.iterdir():
        old.unlink()
    path.write_bytes(log + mark[:1])
    if mark:
        path.with_name(LOG_NAME + STATE).write_bytes(state)
    count, problems, _ = check_log(path, None)
    assert count >= 0
    assert all(str(problem) for problem in problems)
    opened = AuditLog(path, None)
    try:
        assert Review(opened.entries).documents is not None
    finally:
        opened.close()


def ledger(content: bytes) -> None:
    """A ledger is taken up, or refused and left as it is."""
    path = stored("ledger", content)
    try:
        opened = open_ledger(path, ["a"])
    except OtherSettings:
        return
    except KgsanError:
        assert path.read_bytes() == content, "what was refused was changed"
        raise
    opened.close()
    assert all(isinstance(row, dict) for row in opened.done.values())


def spans(content: bytes) -> None:
    """Spans of another tool lie within the text."""
    for found in read_spans(content, NOTE):
        assert 0 <= found.start < found.end <= len(NOTE), "a span lies outside the text"


def gold(content: bytes) -> None:
    """Marked documents, each with spans that fit."""
    for one in read_gold(stored("gold.jsonl", content)).documents:
        assert all(0 <= span.start < span.end <= len(one.text) for span in one.spans), "a span lies outside the text"


def _itself(content: bytes) -> bytes:
    return content


def _unpacked(content: bytes) -> bytes:
    return b"\n".join((ARCHIVE.take(content) or {"": content}).values())


_XML = (
    b"<",
    b">",
    b"<!DOCTYPE a [",
    b'<!ENTITY b "c">',
    b"&b;",
    b"<![CDATA[",
    b"]]>",
    b"<!--",
    b"-->",
    b"<?xml",
    b'xml:lang="en"',
    b"&#1114112;",
)
_JSON = (
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b":",
    b",",
    b"null",
    b"true",
    b"1e5",
    b"\\ud800",
    b"[" * 3000,
    b'{"a":' * 3000,
    b"1" * 5000,
)
_RDF = (
    *_XML,
    *_JSON,
    b"@prefix a: <b> .",
    b"<http://a>",
    b"_:b",
    b'"x"@en',
    b"^^",
    b";",
    b"a",
    b"rdf:parseType='Collection'",
    b"rdf:nodeID='x'",
    b"[",
    b"(",
)
_ROWS = (b",", b";", b"|", b'"', b"'", b"\n\n", b"    ", b"- ", b": ", b"#", b"?", b"&a ", b"*a")
_PDF = (
    b"obj",
    b"endobj",
    b"stream",
    b"endstream",
    b"<<",
    b">>",
    b"/Length 999999",
    b"Tj",
    b"TJ",
    b"BT",
    b"ET",
    b"q",
    b"Q",
    b"Do",
    b"0 0 R",
    b"/Kids",
    b"xref",
    b"(((",
    b"/ActualText(x)",
)
_YAML = (
    b"\t",
    b"- ",
    b": ",
    b"[",
    b"]",
    b"{",
    b"}",
    b"&a ",
    b"*a",
    b"!x ",
    b"<<: ",
    b"---\n",
    b"|\n",
    b">-\n",
    b"? ",
    b"#",
    b"~",
    b"extends: us-hiv\n",
)


def _document(kind: Kind, name: str, begin: Callable[[], list[bytes]], pieces: tuple[bytes, ...], **more: Any) -> Target:
    run = partial(table if kind.is_records else document, kind)
    return Target(name, run, begin, pieces, **{"hides": _itself, **more})


TARGETS = {
    target.name: target
    for target in (
        Target("text", partial(text, toy), seeds.texts, (b"AIDS", b"zidovudine", b" "), hides=_itself, is_text=True),
        Target("text-shipped", partial(text, shipped), seeds.texts, (b"HIV", b"CD4", b" "), hides=_itself, is_text=True),
        Target(
            "identifiers", find_identifiers, seeds.identifiers, (b"@", b"(217) 555-0142", b"3/4/21"), hides=_itself, is_text=True
        ),
        Target("policy", policy, seeds.policies, _YAML),
        Target("rdf", partial(ontology, "a.owl"), seeds.graphs, _RDF),
        Target("obo", partial(ontology, "a.obo"), lambda: [seeds.OBO], (b"[Term]", b"is_a: ", b'"', b"{", b"!", b"EXACT", b"\\")),
        Target("obo-json", partial(ontology, "a.json"), lambda: [seeds.OBO_JSON], _JSON),
        Target("rf2", partial(ontology, "a.zip"), seeds.rf2, (b"\t", b"\r\n", b"116680003"), ARCHIVE),
        Target("wndb", partial(ontology, "a.zip"), seeds.wndb, (b" | ", b"@ ", b"#p ", b"%p "), ARCHIVE),
        Target("wn-lmf", partial(ontology, "a.xml"), seeds.wnlmf, _XML),
        Target("odp", partial(ontology, "a.rdf"), seeds.odp, _XML),
        Target("outlines", partial(ontology, "a.txt"), seeds.outlines, _ROWS),
        Target("kgo", compiled, seeds.compiled, _JSON, COMPILED),
        Target("kgk", knowledge, seeds.counted, _JSON, COMPILED),
        Target("counts", knowledge, seeds.counts, (b"\t", b"contexts")),
        Target(
            "kinds", kind, lambda: [b"%PDF-", b"PAR1", b"MSH|^~\\&|", b"<html>", b'{"resourceType":', b"PK\x03\x04word/"], _XML
        ),
        _document(kinds.WORD, "docx", seeds.word, _XML, container=ARCHIVE, hides=_unpacked),
        _document(kinds.HTML, "html", seeds.html, _XML),
        _document(kinds.PDF, "pdf", seeds.pdfs, _PDF),
        _document(
            kinds.MAIL, "eml", seeds.mails, (b"\n\n", b"=?utf-8?b?QUlEUw==?=", b"--", b"base64", b"charset=", b"multipart/mixed")
        ),
        _document(
            kinds.MARKDOWN,
            "md",
            seeds.markdown,
            (b"**", b"_", b"`", b"[", b"](", b"![", b"|", b"```", b"> ", b"- ", b"<b>", b"---\n"),
        ),
        _document(kinds.TABLE, "csv", seeds.tables, _ROWS),
        _document(kinds.LINES, "jsonl", seeds.lines, _JSON),
        _document(kinds.PARQUET, "parquet", seeds.parquet, ()),
        _document(kinds.FHIR, "fhir", seeds.fhir, _JSON),
        _document(kinds.HL7, "hl7", seeds.hl7, (b"|", b"^", b"~", b"\\", b"&", b"\r", b"MSH", b"\\X44\\", b"\\.br\\")),
        Target("certificate", certificate, seeds.certificates, _JSON),
        Target("record", record, seeds.records, _JSON, hides=_itself),
        Target("audit-log", audit_log, seeds.logs, _JSON, LOG),
        Target("ledger", ledger, seeds.ledgers, _JSON),
        Target("spans", spans, seeds.spans, _JSON, hides=_itself),
        Target("gold", gold, seeds.gold, _JSON, hides=_itself),
    )
}
