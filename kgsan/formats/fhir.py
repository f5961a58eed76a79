"""FHIR resources in JSON: every resource is a document; its structure, ids and references stay.

Every string is judged, but for those that hold the resource together. One that is no free text and may not stand as it is goes
with its field: a day that was hidden, a code whose meaning discloses. A code is judged by the name of what it stands for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from kgsan.formats.json_source import HOLE, Value, parse, written
from kgsan.formats.known import as_words
from kgsan.formats.narrative import NotReadable, Words, parts
from kgsan.formats.problems import FormatError, decoded
from kgsan.formats.records import Record
from kgsan.formats.woven import BLOCK, Strand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kgsan.formats.records import Asked

#: What holds resources together, and what says how something else is written.
_KEPT = frozenset(
    """resourceType id reference fullUrl url system versionId contentType language profile linkId definitionUri
    instantiatesCanonical instantiatesUri implicitRules sigFormat""".split()
)
_DATE = re.compile(r"(\d{4}-\d\d(?:-\d\d)?)(?:T(\d\d:\d\d)[\d:.]*(?:Z|[+-]\d\d:\d\d)?)?")
_YEAR = re.compile(r"\d{4}(?![\w-])")
#: Moments that FHIR wants exactly or not at all.
_INSTANTS = ("issued", "lastUpdated", "timestamp", "recorded", "lastModified", "valueInstant", "when")
#: Code systems whose codes are words.
_SPOKEN = ("http://terminology.hl7.org/", "http://hl7.org/fhir/", "http://unitsofmeasure.org")
_CONTACTS = {"phone": "phone", "fax": "fax", "email": "email", "pager": "phone", "url": "url", "sms": "phone"}
_ADDRESS = {"line": "street", "text": "street", "city": "city", "district": "city", "postalCode": "zip"}
_PERSON = ("text", "family", "given")


def read_fhir(stream: IO[bytes], name: str, asked: Asked) -> Iterator[Record]:
    """A resource; of a bundle every entry, and first what the bundle says itself."""
    source = decoded(stream.read(), name)
    root = parse(source, name)
    if root.kind != "{" or not root.said("resourceType"):
        raise FormatError("F104", name, "This is no FHIR resource: it does not say which.", line=1)
    entries = root.get("entry") if root.said("resourceType") == "Bundle" else None
    resources = [] if entries is None else [found for entry in entries.inside if (found := entry.get("resource")) is not None]
    for resource in resources:
        resource.is_hole = True
    pieces: list[str] = []

    def whole(made: str) -> bytes:
        before = source[: root.start]
        pieces.extend((before + made + source[root.end :]).split(HOLE))
        return pieces[0].encode()

    yield _record(root, source, name, 1 + source.count("\n", 0, root.start), asked, whole)
    line, place = 1, 0
    for number, resource in enumerate(resources, 1):
        line, place = line + source.count("\n", place, resource.start), resource.start

        def behind(made: str, number: int = number) -> bytes:
            return (made + pieces[number]).encode()

        yield _record(resource, source, name, line, asked, behind)


def resource_of_line(line: str, name: str, number: int, asked: Asked) -> Record:
    """The resource that stands in one line, as bulk exports have them."""
    root = parse(line, name, number)
    return _record(root, line, name, number, asked, lambda made: (line[: root.start] + made + line[root.end :]).encode())


@dataclass(slots=True)
class _Place:
    """A string that is judged, how it is read, and what it takes with it when it may not stand."""

    value: Value = field(repr=False)
    text: str = field(repr=False)
    kind: str | None = None
    whole: Value | None = field(default=None, repr=False)  #: what is dropped when it is changed
    is_date: bool = False
    words: Words | None = field(default=None, repr=False)  #: of a narrative


def _record(root: Value, source: str, name: str, line: int, asked: Asked, made: Callable[[str], bytes]) -> Record:
    found = _Finder(root, name, line, asked)
    found.walk(root)
    places = found.places
    joints = [BLOCK if place.words is None else place.words.joint for place in places]

    def settle(texts: Sequence[str]) -> Sequence[str]:
        gone = {
            id(place.whole) for place, text in zip(places, texts, strict=True) if place.whole is not None and text != place.text
        }
        return [_fitting(place, text, gone) for place, text in zip(places, texts, strict=True)]

    def put(texts: Sequence[str]) -> bytes:
        narratives: dict[int, dict[int, str]] = {}
        for place, text in zip(places, texts, strict=True):
            if place.words is not None:
                narratives.setdefault(id(place.value), {})[id(place.words)] = place.words.written(text)
            elif text == place.text:
                continue
            elif place.whole is not None:
                place.whole.is_dropped = True
            elif text:
                place.value.new = text
            else:
                place.value.is_dropped = True
        for value, pieces in found.narratives:
            new = narratives.get(id(value), {})
            div = "".join(piece if isinstance(piece, str) else new[id(piece)] for piece in pieces)
            if div != value.text:
                value.new = div
        return made(written(root, source))

    known = tuple((number, place.kind) for number, place in enumerate(places) if place.kind is not None)
    strands = tuple(Strand(place.text, joint) for place, joint in zip(places, joints, strict=True))
    return Record(strands, put, line, known=known, settle=settle)


def _fitting(place: _Place, text: str, gone: set[int]) -> str:
    if place.whole is not None:
        return "" if id(place.whole) in gone else text
    if text == place.text:
        return text
    if place.words is not None:
        return place.words.fitting(text)
    if place.is_date:
        year = _YEAR.match(text)
        return "" if year is None or place.value.key in _INSTANTS else year[0]
    return text


class _Finder:
    """Collects what is judged in one resource, and drops what nobody can judge."""

    def __init__(self, root: Value, name: str, line: int, asked: Asked) -> None:
        self.root = root
        self.name, self.line, self.asked = name, line, asked
        self.places: list[_Place] = []
        self.narratives: list[tuple[Value, list[str | Words]]] = []

    def walk(self, value: Value, key: str = "", kind: str | None = None) -> None:
        """Everything below a value; `kind` is what its strings are by where they stand."""
        if (value.is_hole and value is not self.root) or key in self.asked.keep:
            return
        if value.kind == '"':
            self._string(value, key, kind)
        elif value.kind == "[":
            for one in value.inside:
                self.walk(one, key, kind)
        elif value.kind == "{":
            if self._is_coding(value):
                self._coding(value)
            else:
                self._fields(value, key)

    def _fields(self, value: Value, key: str) -> None:
        if value.get("data") is not None and (value.said("contentType") or value.said("sigFormat") or value.said("resourceType")):
            self._attachment(value)
        for one in value.inside:
            field_name = one.key or ""
            if one.is_dropped:
                continue
            if field_name == "div" and key == "text" and one.kind == '"':
                self._narrative(one)
            else:
                self.walk(one, field_name, _kind(value, key, field_name))

    def _string(self, value: Value, key: str, kind: str | None) -> None:
        if key in _KEPT or len(value.text) < 2:
            return
        found = _DATE.fullmatch(value.text)
        if found:
            text = found[1] if found[2] is None else f"{found[1]} {found[2]}"
            self.places.append(_Place(value, text, is_date=True))
        else:
            self.places.append(_Place(value, value.text, kind))

    @staticmethod
    def _is_coding(value: Value) -> bool:
        code = value.get("code")
        is_code = code is not None and code.kind == '"' and value.get("value") is None
        return is_code and (value.get("display") is not None or value.get("system") is not None)

    def _coding(self, value: Value) -> None:
        system, display = value.said("system"), value.get("display")
        code = value.get("code")
        if code is None or system in self.asked.keep:
            return
        if display is not None and display.kind == '"':
            self.places.append(_Place(display, display.text, whole=value))
        called = self.asked.name_of(system, code.text)
        if called is None and system.startswith(_SPOKEN) and "/sid/" not in system:
            called = as_words(code.text)
        if called is None and display is None:
            value.is_dropped = True
        else:
            self.places.append(_Place(code, code.text if called is None else called, whole=value))
        for one in value.inside:
            if one.key not in ("system", "code", "display", "version", "userSelected"):
                self.walk(one, one.key or "")

    def _attachment(self, value: Value) -> None:
        if self.asked.pictures == "stop":
            hint = "Say with --pictures whether such things are kept or removed."
            raise FormatError("F109", self.name, "The resource holds an attachment, which cannot be read.", hint, self.line)
        for one in value.inside:
            if one.key in ("data", "size", "hash"):
                one.is_dropped = self.asked.pictures == "remove"
                one.key = "id" if not one.is_dropped else one.key  # bytes are no words

    def _narrative(self, value: Value) -> None:
        try:
            pieces = list(parts(value.text))
        except NotReadable:
            raise FormatError("F104", self.name, "The narrative is no XHTML as FHIR has it.", line=self.line) from None
        words = [piece for piece in pieces if isinstance(piece, Words)]
        if any(one.attribute == "src" and one.text.lstrip().lower().startswith("data:") for one in words):
            if self.asked.pictures == "stop":
                hint = "Say with --pictures whether such things are kept or removed."
                raise FormatError("F109", self.name, "The narrative holds a picture, which cannot be read.", hint, self.line)
            pieces = [self._picture(piece) for piece in pieces]
            words = [piece for piece in pieces if isinstance(piece, Words)]
        self.narratives.append((value, pieces))
        # What stands in attributes comes behind the text, so that a word with a tag inside is still one word.
        for one in sorted(words, key=lambda one: bool(one.attribute)):
            self.places.append(_Place(value, one.text, words=one))

    def _picture(self, piece: str | Words) -> str | Words:
        if isinstance(piece, str) or piece.attribute != "src" or not piece.text.lstrip().lower().startswith("data:"):
            return piece
        return piece.raw if self.asked.pictures == "keep" else ""


def _kind(value: Value, key: str, field_name: str) -> str | None:
    """What a string is by the field in which it stands."""
    if field_name == "value" and key == "identifier":
        return "ssn" if value.said("system").endswith("us-ssn") else "medical_record"
    if field_name == "value" and value.said("system") in _CONTACTS:
        return _CONTACTS[value.said("system")]
    if field_name in _PERSON and (value.get("family") is not None or value.get("given") is not None):
        return "name"
    if field_name in _PERSON and key == "name":
        return "name"
    is_address = any(value.get(one) is not None for one in ("line", "postalCode")) or key == "address"
    return _ADDRESS.get(field_name) if is_address else None
