"""JSON lines: one document in every line, in one field of it or in several."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

from kgsan.formats.problems import FormatError, decoded
from kgsan.formats.records import Record
from kgsan.formats.woven import Strand
from kgsan.report.answers import row
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.formats.records import Asked

#: Where the text of a line stands when nobody says otherwise.
TEXT = "text"
#: A line that is longer is no line of a file that anybody wrote on purpose.
_LONGEST = 1 << 28


def read_lines(stream: IO[bytes], name: str, asked: Asked) -> Iterator[Record]:
    """Every line that is not empty. Fields that are neither sanitized nor kept are left out: nobody has looked at them."""
    number = 0
    while line := stream.readline(_LONGEST + 1):
        number += 1
        if len(line) > _LONGEST:
            raise FormatError("F108", name, "The line is longer than a line can be.", line=number)
        if not line.isspace():
            yield _record(decoded(line, name, number), name, number, asked)


def _record(line: str, name: str, number: int, asked: Asked) -> Record:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise FileError(name, "The line is not JSON.", line=number) from None
    if isinstance(found, dict) and "resourceType" in found and not asked.fields:
        from kgsan.formats.fhir import resource_of_line

        return resource_of_line(line, name, number, asked)
    fields = asked.fields or (TEXT,)
    if isinstance(found, str):
        found = {fields[0]: found}
    if not isinstance(found, dict):
        raise _no_text(name, number, fields)
    texts = {field: found[field] for field in fields if found.get(field) is not None}
    if not texts or not all(isinstance(text, str) for text in texts.values()):
        raise _no_text(name, number, fields)
    kept: dict[str, Any] = {field: found[field] for field in asked.keep if field in found}

    def put(new: Sequence[str]) -> bytes:
        told = dict(zip(texts, new, strict=True))
        empty: dict[str, Any] = {field: None for field in fields if field in found and field not in told}
        return row({**kept, **told, **empty})

    return Record(tuple(map(Strand, texts.values())), put, number, kept)


def _no_text(name: str, number: int, fields: Sequence[str]) -> FileError:
    where = f"the field '{fields[0]}'" if len(fields) == 1 else "the fields that were named"
    hint = "Name the field that holds the text with --field."
    return FileError(name, f"The line has no text in {where}.", hint, number)
