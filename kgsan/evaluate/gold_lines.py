"""Gold in JSON lines: documents that say what they protect, or texts with spans of one or several annotators."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place, Problem
from kgsan.evaluate.marks import AGREED, KEPT, GoldDocument, Marks, agreed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.evaluate.marks import GoldSpan

#: How strongly a related term gives an entity away.
_STRENGTHS = ("strong", "moderate", "group")
#: Among what a document protects, the word that stands for a limit of what is too specific.
_LIMIT = "actor"
_LISTS = ("direct", "related", "identifiers", "keep")
_FORM = 'Write {"text": "...", "spans": [[0, 4, "LABEL"]]} on each line.'


def read(content: str, file: str, problems: list[Problem]) -> Iterator[GoldDocument]:
    """The documents, one for each line; what is wrong with them is added to the problems."""
    for line, row in enumerate(content.split("\n"), 1):
        if not row.strip():
            continue
        place = Place(file, line)
        try:
            told = json.loads(row, parse_constant=_refuse)
        except RecursionError:
            problems.append(Problem("E103", place, "The line is nested too deeply."))
            continue
        except ValueError:
            problems.append(Problem("E103", place, "The line breaks the rules of JSON.", _FORM))
            continue
        if not isinstance(told, dict) or not isinstance(told.get("text"), str):
            problems.append(Problem("E103", place, "The line is no document with a text.", _FORM))
            continue
        named = told.get("id")
        yield _document(told, named if isinstance(named, str) else str(line), Marks(told["text"], place, problems))


def _refuse(constant: str) -> None:
    raise ValueError(constant)  # NaN and Infinity are no JSON


def _document(told: dict[str, Any], name: str, marks: Marks) -> GoldDocument:
    if "annotators" in told:
        by = told["annotators"]
        if not isinstance(by, Mapping):
            marks.wrong("E103", "is missing: the annotators are no fields with lists", _FORM)
            by = {}
        everyone = {str(who): tuple(_spans(listed, marks)) for who, listed in by.items()}
        most, fewer = agreed(everyone)
        return GoldDocument(name, marks.text, most, annotators=everyone, disputed=fewer)
    if "spans" in told:
        return GoldDocument(name, marks.text, tuple(_spans(told["spans"], marks)))
    protect = [entity for entity in _listed(told, "protect", marks) if isinstance(entity, str)]
    spans = tuple(span for part in _LISTS for item in _listed(told, part, marks) for span in _span_of(part, item, marks))
    return GoldDocument(
        name,
        marks.text,
        spans,
        tuple(entity for entity in protect if entity != _LIMIT),
        _LIMIT if _LIMIT in protect else None,
        any(span.kind == "identifier" for span in spans),
    )


def _listed(told: dict[str, Any], part: str, marks: Marks) -> Sequence[Any]:
    found = told.get(part, [])
    if isinstance(found, list):
        return found
    marks.wrong("E103", f"is missing: '{part}' is no list")
    return ()


def _span_of(part: str, item: object, marks: Marks) -> list[GoldSpan]:
    """A span of a document that says what it protects; its class is the list it stands in, or what that list says of it."""
    if not isinstance(item, Mapping):
        marks.skip()
        marks.wrong("E103", "is no object with a start and an end")
        return []
    kind = {"direct": "direct", "identifiers": "identifier"}.get(part)
    entity = item.get("entity") if isinstance(item.get("entity"), str) else ""
    label = item.get("label") if isinstance(item.get("label"), str) else ""
    found = marks.add(item.get("start"), item.get("end"), kind or "", str(entity), str(label), item.get("text"))
    if kind is None:
        field, known = ("strength", _STRENGTHS) if part == "related" else ("why", KEPT)
        if item.get(field) not in known:
            marks.wrong("E106", f"has another '{field}' than {', '.join(known)}")
            return []
        kind = str(item[field])
    return [replace(span, kind=kind) for span in found]


def _spans(listed: object, marks: Marks) -> Iterator[GoldSpan]:
    """Spans as `[start, end]`, `[start, end, label]` or objects; a third value may also be the words of the span."""
    if not isinstance(listed, list):
        marks.wrong("E103", "is missing: the spans are no list", _FORM)
        return
    rows = [_row(item) for item in listed]
    labels = [row[2] for row in rows if row is not None]
    as_words = marks.are_words(labels)
    for row in rows:
        if row is None:
            marks.skip()
            marks.wrong("E103", "is no span", _FORM)
            continue
        start, end, label, words = row
        kind = AGREED if as_words else marks.label(label)
        found = marks.add(start, end, kind or AGREED, words=label if as_words and words is None else words)
        if kind is None:
            marks.wrong("E106", "has a label that is not a short text")
        yield from found


def _row(item: object) -> tuple[object, object, object, object] | None:
    if isinstance(item, Mapping):
        return item.get("start"), item.get("end"), item.get("label"), item.get("text")
    if isinstance(item, list) and 2 <= len(item) <= 3:
        return item[0], item[1], item[2] if len(item) > 2 else None, None
    return None
