"""Files made to hurt: each is refused, or read as if it were harmless, by the rule of `tests.fuzz.rule`.

What is not here is tested where the format is: entity bombs and external entities in `tests/sources/test_rdf.py`, `test_wnlmf.py`
and `test_odp.py`; packed bombs and paths that lead out of an archive in `tests/sources/test_files.py` and
`tests/formats/test_word.py`; anchors in policies in `tests/data/broken/anchors.yaml`; flipped bits of a compiled ontology in
`tests/ontology/test_ontology.py`; scripts and attachments of a PDF in `tests/formats/test_pdf_places.py`; outputs that are links
in `tests/test_cli_sanitize.py` and `tests/report/test_output.py`.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from kgsan import cli
from kgsan.errors import KgsanError
from kgsan.formats import kinds
from kgsan.formats.documents import Rules, sanitize_file
from kgsan.formats.pdf import read_pdf
from kgsan.knowledge.load import load_knowledge
from kgsan.ontology.columns import COLUMNS
from kgsan.ontology.ontology import Ontology
from tests.formats import test_fhir, test_mail, test_pdf_samples, test_word
from tests.fuzz import seeds
from tests.fuzz.containers import ARCHIVE, COMPILED
from tests.fuzz.rule import outcome
from tests.fuzz.targets import TARGETS
from tests.fuzz.worlds import golden, toy
from tests.report.toy import NOTE, write_policy

if TYPE_CHECKING:
    from collections.abc import Callable

LAUGHS = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefghi", "bcdefghij", strict=True))
LAUGHS = f'<!DOCTYPE x [<!ENTITY a "AIDS">{LAUGHS}]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/passwd">]>'
DEEP = 100_000
LONG = "9" * 10_000
_FEATHER = "Quillfeather has AIDS. "


def refused(name: str, content: bytes) -> str:
    """How a target refuses a file; empty when it reads it. Whatever it does, it does it by the rule."""
    found = outcome(TARGETS[name], content, patience=4.0)
    assert found.failure is None, found.failure.told
    if not found.is_refused:
        return ""
    with pytest.raises(KgsanError) as caught:
        TARGETS[name].run(content)
    return str(caught.value)


def zipped(**members: bytes) -> bytes:
    return ARCHIVE.put({name.replace("_", "."): content for name, content in members.items()})


# --- XML ------------------------------------------------------------------------------------------------------------------


def _part(name: str, content: str) -> bytes:
    parts = test_word.unpacked(test_word.document(test_word.para("roses")))
    return test_word.packed({**parts, name: content.encode()})


def _narrative(content: str) -> bytes:
    return test_fhir.resource(text={"status": "generated", "div": content})


@pytest.mark.parametrize("head", [LAUGHS, OUTSIDE], ids=["laughs", "outside"])
@pytest.mark.parametrize("part", ["word/document.xml", "word/_rels/document.xml.rels", "[Content_Types].xml", "_rels/.rels"])
def test_no_part_of_a_word_document_declares_entities(part: str, head: str) -> None:
    assert refused("docx", _part(part, f"{head}<x>&j;</x>"))


@pytest.mark.parametrize("head", [LAUGHS, OUTSIDE], ids=["laughs", "outside"])
def test_entities_that_a_page_declares_are_never_expanded(head: str) -> None:
    page = f"<html>{head}<body><p>&j; {_FEATHER}</p></body></html>"
    for name, content in {
        "html": f"{head}<html><body><p>&j;</p></body></html>",
        "md": f"{head}\n\n&j;\n\n<div>{head}&j;</div>\n",
        "eml": f"{test_mail.HEAD}Content-Type: text/html\n\n{page}",
    }.items():
        told = refused(name, content.encode())
        assert "Quillfeather" not in told
    assert "root:" not in str(sanitized("html", page.encode()))


@pytest.mark.parametrize("head", [LAUGHS, OUTSIDE], ids=["laughs", "outside"])
def test_entities_that_a_narrative_declares_are_never_expanded(head: str) -> None:
    for div in (f"{head}<div xmlns='http://www.w3.org/1999/xhtml'>&j;</div>", f"<div>{head}&j;</div>"):
        made = sanitized_records("fhir", _narrative(div))
        assert len(made) < 20_000
        assert b"root:" not in made


def sanitized(name: str, content: bytes) -> bytes:
    try:
        kind = kinds.by_name(f"a.{name}")
        assert kind is not None
        return sanitize_file(content, f"a.{name}", kinds.document_reader(kind, "a"), toy(), Rules(pictures="remove")).content
    except KgsanError:
        return b""


def sanitized_records(name: str, content: bytes) -> bytes:
    from kgsan.formats.fhir import read_fhir
    from tests.formats.toy import made

    assert name == "fhir"
    try:
        return made(read_fhir, content, "a.json", toy())
    except KgsanError:
        return b""


# --- archives -------------------------------------------------------------------------------------------------------------


def test_an_archive_within_an_archive_is_not_unpacked() -> None:
    inner = zipped(a_txt=b"\0" * (1 << 24))
    assert "O102" in refused("outlines", zipped(a_zip=inner))
    assert "O102" in refused("outlines", zipped(a_zip=inner, b_zip=inner))
    assert refused("docx", zipped(a_docx=test_word.document(), b_txt=b"x"))
    within = test_word.packed({**test_word.unpacked(test_word.document()), "word/a.docx": test_word.document()})
    assert "word/a.docx" not in test_word.unpacked(sanitized("docx", within))


def test_a_document_of_many_parts_that_each_unfold_is_refused() -> None:
    parts = {f"word/a{number}.xml": b" " * (8 << 20) for number in range(20)}
    assert refused("docx", test_word.packed({**test_word.unpacked(test_word.document()), **parts}))


@pytest.mark.parametrize("name", ["", ".", "/", "..", "./.", "a/../../b"])
def test_members_of_an_archive_without_a_proper_name_are_refused(name: str) -> None:
    for target in ("rf2", "wndb", "outlines"):
        assert "O105" in refused(target, _named(name))
    assert refused("docx", _named(name))


def _named(name: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for one in ("placeholder", "b"):
            archive.writestr(one, b"a\n  b\n")
    # The name of the first is written over: the library itself refuses to write some of these.
    long = name.encode()
    content = made.getvalue()
    for mark, at in ((b"PK\x03\x04", 26), (b"PK\x01\x02", 28)):
        start = content.index(mark)
        begin = start + (30 if mark == b"PK\x03\x04" else 46)
        content = content[:start] + content[start : start + at] + len(long).to_bytes(2, "little") + content[start + at + 2 :]
        content = content[:begin] + long + content[begin + len("placeholder") :]
    end = content.index(b"PK\x05\x06")
    directory = content.index(b"PK\x01\x02")
    sizes = (end - directory).to_bytes(4, "little") + directory.to_bytes(4, "little")
    return content[: end + 12] + sizes + content[end + 20 :]


# --- YAML, JSON, numbers, tables ------------------------------------------------------------------------------------------


def test_aliases_in_yaml_are_refused() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "P010" in refused("policy", f"policy: toy\nlaw: Toy Act\nprotect: [HIV]\n{bomb}".encode())
    assert "O103" in refused("outlines", f"---\n{bomb}".encode())


JSON_TARGETS = {
    "obo-json": '{{"graphs": [{{"nodes": [{{"id": "a", "lbl": {}}}]}}]}}',
    "rdf": '{{"@context": {{"a": "http://a#"}}, "@id": "a:b", "a:c": {}}}',
    "fhir": '{{"resourceType": "Observation", "note": [{{"text": "AIDS"}}], "x": {}}}',
    "jsonl": '{{"text": "AIDS", "x": {}}}\n',
    "certificate": '{{"format": {}}}',
    "record": '{{"input": {}}}',
    "audit-log": '{{"number": {}}}\n\n{{"count": {}}}',
    "ledger": '{{"format": {}}}\n',
    "spans": '[{{"start": {}, "end": 18}}]',
    "gold": '{{"text": "AIDS", "spans": {}}}\n',
}


@pytest.mark.parametrize("name", JSON_TARGETS)
@pytest.mark.parametrize(
    "value",
    [
        "[" * DEEP,
        '{"a":' * DEEP,
        "[" * DEEP + "]" * DEEP,
        LONG,
        f"-{LONG}",
        f"{LONG}.5",
        f"1e{LONG}",
        "1e999",
        "-1e999",
        "NaN",
        "-Infinity",
        "1e-999",
    ],
    ids=[
        "lists",
        "objects",
        "closed lists",
        "digits",
        "below zero",
        "a fraction",
        "an exponent",
        "1e999",
        "-1e999",
        "NaN",
        "-Infinity",
        "1e-999",
    ],
)
def test_json_without_measure_is_answered_by_the_rule(name: str, value: str) -> None:
    told = refused(name, JSON_TARGETS[name].format(value, value).encode())
    assert len(told) < 2_000


@pytest.mark.parametrize("name", ["kgo", "kgk"])
@pytest.mark.parametrize("value", ["[" * DEEP, LONG, "1e999", "NaN"])
def test_a_head_without_measure_is_refused(name: str, value: str) -> None:
    parts = COMPILED.take(TARGETS[name].seeds()[0])
    assert parts is not None
    assert "O112" in refused(name, COMPILED.put({**parts, "": f'{{"kind": "x", "about": {value}}}'.encode()}))


def test_a_field_of_1_mb_is_read_in_every_table() -> None:
    field = "x" * 1_000_000
    assert refused("outlines", f'id,name,parent\n1,pet,\n2,{field},1\n3,"a {field}",1\n'.encode()) == ""
    assert refused("counts", f"contexts\t10\nHIV\t1\n{field}\t2\n".encode()) == ""
    assert refused("csv", f'id,note\n1,"{field}"\n2,{field}\n'.encode()) == ""
    assert refused("jsonl", json.dumps({"text": field}).encode() + b"\n") == ""
    assert refused("hl7", f"MSH|^~\\&|A|B|C|D|||ORU^R01|1|P|2.5\rNTE|1||{field}\r".encode()) == ""
    assert refused("fhir", test_fhir.resource(note=[{"text": field}])) == ""


# --- PDF ------------------------------------------------------------------------------------------------------------------

ACTIONS: dict[str, Callable[[pikepdf.Pdf], Any]] = {
    "a program": lambda pdf: Dictionary(
        S=Name.Launch, F=String("quillfeather.exe"), Win=Dictionary(F=String("quillfeather.exe"))
    ),
    "a form that is sent": lambda pdf: Dictionary(S=Name.SubmitForm, F=String("http://quillfeather.invalid/")),
    "a script": lambda pdf: Dictionary(S=Name.JavaScript, JS=String("quillfeather()")),
    "another file": lambda pdf: Dictionary(S=Name.GoToR, F=String("quillfeather.pdf"), D=Array([0, Name.Fit])),
    "a file within": lambda pdf: Dictionary(
        S=Name.GoToE, F=String("quillfeather.pdf"), T=Dictionary(R=Name.C, N=String("quillfeather"))
    ),
    "data that is fetched": lambda pdf: Dictionary(S=Name.ImportData, F=String("quillfeather.fdf")),
    "a film": lambda pdf: Dictionary(S=Name.Rendition, R=Dictionary(N=String("quillfeather")), OP=0),
    "a chain": lambda pdf: Dictionary(
        S=Name.Named, N=Name.NextPage, Next=Dictionary(S=Name.Launch, F=String("quillfeather.exe"))
    ),
}


@pytest.mark.parametrize("action", ACTIONS)
def test_what_a_pdf_would_do_is_gone(action: str) -> None:
    pdf = test_pdf_samples.new_pdf()
    made = ACTIONS[action](pdf)
    page = pdf.pages[0].obj
    pdf.Root.OpenAction = made
    pdf.Root.AA = Dictionary(WC=made)
    page.AA = Dictionary(O=made, C=made)
    page.Annots = Array(
        [Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], A=made, PA=made, AA=Dictionary(E=made))]
    )
    pdf.attachments["quillfeather.exe"] = b"quillfeather"
    pdf.Root.AF = Array([pdf.attachments["quillfeather.exe"].obj])
    pdf.Root.AcroForm = Dictionary(Fields=Array([]), XFA=pdf.make_stream(b"<x>quillfeather</x>"))
    out = sanitize_file(test_pdf_samples.saved(pdf), "a.pdf", read_pdf, toy(), Rules(pictures="remove")).content
    with pikepdf.open(io.BytesIO(out)) as again:
        told = b"\n".join(_told(one) for one in again.objects)
    assert b"quillfeather" not in told.lower()
    assert not any(
        mark in told
        for mark in (b"/Launch", b"/JavaScript", b"/JS", b"/SubmitForm", b"/ImportData", b"/GoToR", b"/GoToE", b"/EmbeddedFile")
    )


def _told(one: pikepdf.Object) -> bytes:
    content = one.read_bytes() if isinstance(one, pikepdf.Stream) else b""
    return one.unparse() + content + repr(dict(one.items()) if isinstance(one, (Dictionary, pikepdf.Stream)) else "").encode()


# --- compiled files -------------------------------------------------------------------------------------------------------


def _counts_of(path: Path) -> list[int | None]:
    knowledge = load_knowledge(path, ontology=golden())
    [source] = knowledge.given
    names = ("zidovudine", "HIV infection", "AIDS", "depression", "influenza", "syphilis", "ibuprofen")
    return [source.contexts, *(source.count(one) for one in names), *(source.count("zidovudine", one) for one in names)]


def test_a_knowledge_file_with_a_wrong_byte_anywhere_is_an_error_or_answers_as_before(tmp_path: Path) -> None:
    [whole] = seeds.counted()
    path = tmp_path / "a.kgk"
    path.write_bytes(whole)
    answers, told = _counts_of(path), 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        try:
            assert _counts_of(path) == answers
        except KgsanError as error:
            told += 1
            assert {problem.code for problem in error.problems} <= {"O112", "K104", "K102", "K103", "K111"}
    assert told > len(whole) // 2
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        try:
            assert _counts_of(path) == answers  # nothing but what fills up the last block was cut off
            assert end > len(whole) - 64
        except KgsanError as error:
            assert str(error)


@pytest.mark.parametrize("column", sorted(COLUMNS))
def test_a_compiled_ontology_with_forged_checksums_is_an_error_or_answers(column: str) -> None:
    parts = COMPILED.take(seeds.compiled()[0])
    assert parts is not None
    size = {"|u1": 1, "<u2": 2, "<u8": 8, "<i4": 4}[json.loads(parts[""])["arrays"][column]]
    rows = len(parts[column]) // size
    for number in range(0, rows, max(rows // 40, 1)):
        for value in (0, 1, 2**31 - 1, 2 ** (8 * size - 1)):
            forged = bytearray(parts[column])
            forged[number * size : (number + 1) * size] = (value % 2 ** (8 * size)).to_bytes(size, "little")
            found = outcome(TARGETS["kgo"], COMPILED.put({**parts, column: bytes(forged)}))
            assert found.failure is None, found.failure.told
    for made in (b"", parts[column][size:], parts[column] * 2):
        found = outcome(TARGETS["kgo"], COMPILED.put({**parts, column: made}))
        assert found.failure is None, found.failure.told


@pytest.mark.parametrize("column", ["keys", "counts", "postings"])
def test_a_knowledge_file_with_forged_checksums_is_an_error_or_answers(column: str) -> None:
    parts = COMPILED.take(seeds.counted()[0])
    assert parts is not None
    for at in range(len(parts[column])):
        for mask in (1, 0x80, 0xFF):
            forged = bytearray(parts[column])
            forged[at] ^= mask
            found = outcome(TARGETS["kgk"], COMPILED.put({**parts, column: bytes(forged)}))
            assert found.failure is None, found.failure.told


@pytest.mark.parametrize("name", ["kgo", "kgk"])
def test_what_the_head_of_a_compiled_file_says_is_checked(name: str) -> None:
    parts = COMPILED.take(TARGETS[name].seeds()[0])
    assert parts is not None
    about = json.loads(parts[""])["about"]
    for field in about:
        for value in (None, -1, 10**30, 1.5, "x", ["x"], [["x"]], {"x": 1}, [{"x": 1}], [{"name": 1}], True):
            head = json.loads(parts[""])
            head["about"][field] = value
            found = outcome(TARGETS[name], COMPILED.put({**parts, "": json.dumps(head).encode()}))
            assert found.failure is None, f"{field}: {found.failure.told}"


@pytest.mark.parametrize("name", ["kgo", "kgk"])
def test_a_newer_format_asks_for_a_newer_kgsan(name: str) -> None:
    parts = COMPILED.take(TARGETS[name].seeds()[0])
    assert parts is not None
    head = json.loads(parts[""])
    told = refused(name, COMPILED.put({**parts, "": json.dumps({**head, "version": head["version"] + 1}).encode()}))
    assert f"format version {head['version'] + 1}" in told
    assert "Update kgsan." in told


def test_newer_files_of_other_kinds_are_told_apart_too() -> None:
    [certificate], [ledger] = seeds.certificates(), seeds.ledgers()
    assert "kgsan-certificate-2" in refused("certificate", certificate.replace(b"kgsan-certificate-1", b"kgsan-certificate-2"))
    assert "F110" in refused("ledger", ledger.replace(b"kgsan-ledger-1", b"kgsan-ledger-2"))


def test_what_the_columns_of_an_ontology_may_hold_is_true_of_what_ships() -> None:
    from kgsan.ontology.load import load_ontology

    for ontology in load_ontology("protected", "mesh"):
        assert isinstance(ontology, Ontology)
        for column in COLUMNS:
            assert isinstance(ontology.columns(column), np.ndarray)


# --- links ----------------------------------------------------------------------------------------------------------------


def test_a_link_that_leads_out_of_the_folder_that_is_read_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = write_policy(tmp_path / "policy")
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "diary.txt").write_text("Nobody was to read this.")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text(NOTE)
    (notes / "out.txt").symlink_to(tmp_path / "private" / "diary.txt")
    (notes / "all").symlink_to(tmp_path / "private")
    (notes / "up.txt").symlink_to(Path("..") / "private" / "diary.txt")
    (notes / "within.txt").symlink_to(notes / "a.txt")
    (notes / "loop.txt").symlink_to(notes / "loop.txt")
    code = cli.main(["sanitize", str(notes), "--policy", str(policy), "-o", str(tmp_path / "out"), "--verbose"])
    err = capsys.readouterr().err
    assert code == 0, err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.txt", "within.txt"]
    assert "out.txt: passed over" in err
    assert "up.txt: passed over" in err
