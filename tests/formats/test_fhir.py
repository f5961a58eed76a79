"""FHIR: every resource is a document; structure, ids and references stay."""

from __future__ import annotations

import io
import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.formats.fhir import read_fhir
from kgsan.formats.problems import FormatError
from kgsan.formats.records import Asked, texts_of
from tests.formats.toy import leaks, made, toy_sanitizer

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer

SAFE = """{ "resourceType" : "Observation", "id": "o1",
\t"status": "final", "subject": {"reference": "Patient/p1"},
  "text": {"status": "generated", "div": "<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><p class='x'>Fine &amp; <b>w</b>ell</p><br/></div>"},
  "code": {"coding": [{"system": "http://loinc.org", "code": "1-1", "display": "Fatigue"}]},
  "category": [{"coding": [{"system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "vital-signs"}]}],
  "valueQuantity": {"value": 1.50, "unit": "mg", "system": "http://unitsofmeasure.org", "code": "mg"},
  "note": [{"text": "Rests \\u00e9."}], "component": [], "extension": [ {} ] }
"""
DIV = '<div xmlns="http://www.w3.org/1999/xhtml">{}</div>'
SECRET: dict[str, dict[str, Any]] = {
    "note": {"note": [{"text": "He has AIDS."}]},
    "narrative": {"text": {"status": "generated", "div": DIV.format("<p>A<b>ID</b>S</p>")}},
    "narrative in entities": {"text": {"status": "generated", "div": DIV.format("<p>&#65;IDS</p>")}},
    "attribute": {"text": {"status": "generated", "div": DIV.format('<p title="AIDS" class="HIV">x</p>')}},
    "remark": {"text": {"status": "generated", "div": DIV.format("<!-- AIDS --><p>x</p>")}},
    "string": {"valueString": "zidovudine"},
    "display": {"code": {"coding": [{"system": "http://loinc.org", "code": "HIV-1", "display": "HIV"}], "text": "ok"}},
    "label": {"meta": {"security": [{"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "HIV"}]}},
    "reference": {"subject": {"reference": "Patient/1", "display": "Mr. Alder has AIDS"}},
    "day": {"effectiveDateTime": "2021-03-04T10:00:00+01:00"},
    "moment": {"issued": "2021-03-04T10:00:00Z"},
    "name": {"name": [{"family": "Alder", "given": ["Jo"]}]},
    "contained": {"contained": [{"resourceType": "Medication", "code": {"text": "zidovudine"}}]},
    "extension": {"extension": [{"url": "urn:x", "valueString": "HIV"}]},
}


@pytest.fixture(scope="module")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return toy_sanitizer(tmp_path_factory.mktemp("toy"))


def resource(**fields: Any) -> bytes:
    return json.dumps({"resourceType": "Observation", "id": "o1", "status": "final", **fields}, indent=1).encode()


def test_a_resource_with_nothing_to_hide_comes_back_letter_for_letter(sanitizer: Sanitizer) -> None:
    assert made(read_fhir, SAFE.encode(), "a.json", sanitizer).decode() == SAFE
    bundle = f'{{"resourceType": "Bundle", "entry": [ {{"resource": {SAFE}}}, {{"fullUrl": "urn:x", "resource": {SAFE} }} ]}}\n'
    assert made(read_fhir, bundle.encode(), "a.json", sanitizer).decode() == bundle


@pytest.mark.parametrize("place", SECRET)
def test_a_secret_is_gone_wherever_it_stands(sanitizer: Sanitizer, place: str) -> None:
    out = made(read_fhir, resource(**SECRET[place]), "a.json", sanitizer)
    assert leaks(out) == []
    assert "AIDS" not in json.dumps(json.loads(out))
    told = json.loads(out)
    assert (told["id"], told["status"]) == ("o1", "final")
    for _, text in texts_of(read_fhir(io.BytesIO(out), "a.json", Asked())):
        assert sanitizer.verify(text) == []
    assert made(read_fhir, out, "a.json", sanitizer) == out


@pytest.mark.parametrize("place", SECRET)
def test_a_secret_in_an_entry_of_a_bundle_is_gone_too(sanitizer: Sanitizer, place: str) -> None:
    inside = [{"fullUrl": "urn:1", "resource": json.loads(resource())}, {"resource": json.loads(resource(**SECRET[place]))}]
    out = made(
        read_fhir,
        json.dumps({"resourceType": "Bundle", "timestamp": "2021-03-04T10:00:00Z", "entry": inside}).encode(),
        "a.json",
        sanitizer,
    )
    assert leaks(out) == []
    assert [entry["resource"]["id"] for entry in json.loads(out)["entry"]] == ["o1", "o1"]


def test_a_coding_goes_as_a_whole(sanitizer: Sanitizer) -> None:
    coding = [
        {"system": "http://loinc.org", "code": "9-9", "display": "AIDS"},
        {"system": "urn:x", "code": "1", "display": "fatigue"},
    ]
    told = json.loads(made(read_fhir, resource(code={"coding": coding, "text": "x y"}), "a.json", sanitizer))
    assert told["code"] == {"coding": coding[1:], "text": "x y"}
    told = json.loads(made(read_fhir, resource(code={"coding": coding[:1]}), "a.json", sanitizer))
    assert "code" not in told


def test_a_code_without_words_is_judged_by_its_name_or_dropped(sanitizer: Sanitizer) -> None:
    content = resource(code={"coding": [{"system": "http://hl7.org/fhir/sid/icd-10-cm", "code": "B20"}], "text": "x y"})

    def coded(name: str | None, **asked: Any) -> bool:
        return b"B20" in made(read_fhir, content, "a.json", sanitizer, name_of=lambda _, __: name, **asked)

    assert (coded(None), coded("AIDS"), coded("fatigue")) == (False, False, True)
    assert coded(None, keep=("http://hl7.org/fhir/sid/icd-10-cm",))


def test_identifiers_are_known_by_their_field(sanitizer: Sanitizer) -> None:
    person = {
        "identifier": [{"system": "urn:x", "value": "771"}],
        "name": [{"text": "Jo Quill"}],
        "telecom": [{"system": "phone", "value": "12"}],
        "address": [{"line": ["Elm 7"], "state": "MA"}],
        "birthDate": "1970-01-02",
    }
    told = json.loads(made(read_fhir, resource(**person), "a.json", sanitizer))
    assert told["identifier"] == [{"system": "urn:x", "value": "[REDACTED]"}]
    assert told["name"] == [{"text": "[REDACTED]"}]
    assert told["telecom"] == [{"system": "phone", "value": "[REDACTED]"}]
    assert told["address"] == [{"line": ["[REDACTED]"], "state": "MA"}]
    assert "birthDate" not in told


def test_attachments_follow_the_rule_for_pictures(sanitizer: Sanitizer) -> None:
    content = resource(content=[{"attachment": {"contentType": "text/plain", "data": "QUlEUw==", "size": 4, "title": "x y"}}])
    with pytest.raises(FormatError, match="F109"):
        made(read_fhir, content, "a.json", sanitizer)
    assert made(read_fhir, content, "a.json", sanitizer, pictures="keep") == content
    told = json.loads(made(read_fhir, content, "a.json", sanitizer, pictures="remove"))
    assert told["content"] == [{"attachment": {"contentType": "text/plain", "title": "x y"}}]


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"resourceType": 3}',
        b'["AIDS"]',
        b'{"resourceType": "X", "a": ' + b"[" * 200 + b"]" * 200 + b"}",
        resource(text={"div": "<div>AIDS < x</div>"}),
        b"\xff",
    ],
)
def test_what_is_no_resource_is_one_problem(sanitizer: Sanitizer, content: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        made(read_fhir, content, "a.json", sanitizer)
    assert caught.value.problems[0].code == "F104"
    assert "AIDS" not in str(caught.value)


@pytest.mark.parametrize(
    "value", ['"' + "x" * 2_000_000 + '"', "[" + "1," * 300_000 + "1]", '"' + "\\\\n" * 300_000 + '"', '"' + "<" * 500_000 + '"']
)
def test_hostile_resources_are_read_in_linear_time(value: str) -> None:
    started = time.process_time()
    try:
        for one in read_fhir(io.BytesIO(f'{{"resourceType": "X", "text": {{"div": {value}}}}}'.encode()), "a.json", Asked()):
            one.put([strand.text for strand in one.strands])
    except FormatError:
        pass
    assert time.process_time() - started < 15
