"""A fictional patient whose words nobody may see, a policy that hides all of them, and a document of every kind about her."""

from __future__ import annotations

import io
import json
from functools import cache
from typing import TYPE_CHECKING

from tests.report.toy import COUNTS, TAXONOMY, write_policy

if TYPE_CHECKING:
    from pathlib import Path

#: Words of the document alone, and words of it that the ontology of the policy knows too.
PRIVATE = ("Quillfeather", "Barnabetta", "536-22-8841", "3/4/2021", "867-5309")
KNOWN = ("vellarosis", "kestrafovir")
CANARIES = (*PRIVATE, *KNOWN)
NOTE = (
    "Ms. Barnabetta Quillfeather has vellarosis since 3/4/2021 and takes kestrafovir and ibuprofen against fatigue.\n"
    "Her SSN is 536-22-8841. Phone: (212) 867-5309.\n"
)
#: How a library would quote what it could not read; the first words are in no document, so an error shows itself anywhere.
MARK = "quoted by a library"
QUOTED = f"{MARK}: {NOTE}"
IDENTIFIERS = "[date, name, ssn, phone]"


def policy_of(folder: Path, **more: str) -> Path:
    """The toy policy with the fictional disease and drug in place of the real ones."""
    path = write_policy(folder, identifiers=IDENTIFIERS, other_languages="redact", **more)
    for name, content in (("toy-ontology.txt", TAXONOMY.lstrip()), ("toy-counts.tsv", None)):
        file = folder / name
        told = file.read_text() if content is None else content
        file.write_text(told.replace("AIDS", KNOWN[0]).replace("zidovudine", KNOWN[1]))
    assert "AIDS" in COUNTS
    return path


@cache
def document(suffix: str) -> bytes:
    """The note as a file of some kind."""
    lines = NOTE.splitlines()
    return {
        ".txt": lambda: NOTE.encode(),
        ".md": lambda: f"# Note\n\n{lines[0]}\n\n- *{lines[1]}*\n".encode(),
        ".html": lambda: f"<!doctype html><title>{lines[0]}</title><p>{lines[0]}<p title='{lines[0]}'>{lines[1]}".encode(),
        ".eml": lambda: f"From: a@b.example\nSubject: {lines[0]}\nContent-Type: text/plain\n\n{NOTE}".encode(),
        ".csv": lambda: f'id,note\n1,"{lines[0]}"\n2,{lines[1]}\n3,Fine.\n'.encode(),
        ".jsonl": lambda: "".join(json.dumps({"text": line}) + "\n" for line in (*lines, "Fine.")).encode(),
        ".json": _fhir,
        ".hl7": lambda: (
            f"MSH|^~\\&|A|B|||20210304||ORU^R01|1|P|2.5\rPID|1||7||Quillfeather^Barnabetta\rNTE|1||{lines[0]}\r".encode()
        ),
        ".docx": _word,
        ".pdf": _pdf,
        ".parquet": _parquet,
    }[suffix]()


def _fhir() -> bytes:
    name = [{"family": "Quillfeather", "given": ["Barnabetta"]}]
    note = {"status": "generated", "div": f'<div xmlns="http://www.w3.org/1999/xhtml">{NOTE.strip()}</div>'}
    return json.dumps({"resourceType": "Patient", "id": "1", "text": note, "name": name}).encode()


def _word() -> bytes:
    import docx

    made, stream = docx.Document(), io.BytesIO()
    for line in NOTE.splitlines():
        made.add_paragraph(line)
    made.core_properties.author = "Quillfeather"
    made.save(stream)
    return stream.getvalue()


def _pdf() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    canvas.setAuthor("Quillfeather")
    for number, line in enumerate(NOTE.splitlines()):
        canvas.drawString(40, 800 - 20 * number, line)
    canvas.save()
    return stream.getvalue()


def _parquet() -> bytes:
    import pyarrow
    from pyarrow import parquet

    stream = io.BytesIO()
    parquet.write_table(pyarrow.table({"note": NOTE.splitlines()}), stream)
    return stream.getvalue()
