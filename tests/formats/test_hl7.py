"""HL7 v2: every message is a document, read field by field."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING

import pytest

from kgsan.formats.hl7 import read_hl7
from kgsan.formats.problems import FormatError
from kgsan.formats.records import Asked, texts_of
from tests.formats.toy import leaks, made, toy_sanitizer

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer

HEAD = b"MSH|^~\\&|LAB|NORTH|EHR|SOUTH|||ORU^R01|MSG1|P|2.5\r"
SAFE = (
    HEAD
    + b"PID|1||||||||||||M\rOBX|1|TX|NOTE^Progress note^L||Fine \\T\\ well~Rests||||||F\rNTE|1||\\.br\\ \\H\\bold\\N\\\rZXY|a|b^c&d\r"
)
SECRET = {
    "note": b"NTE|1||He has AIDS.",
    "result": b"OBX|1|FT|N^Note^L||takes zido\\H\\vudine\\N\\ now",
    "escape": b"OBX|1|TX|N^Note^L||AI\\X44\\S",
    "coded result": b"OBX|1|CWE|D^Diagnosis^L||B20^HIV^I10",
    "diagnosis": b"DG1|1||B20^AIDS^I10||20210304",
    "allergy": b"AL1|1|DA|Z1^zidovudine^L",
    "name": b"PID|1||77||Alder^Jo",
    "day": b"PV1|1|I||||||||||||||||||||||||||||||||||||||||||202103041230",
    "own segment": b"ZPX|x|HIV^y",
    "facility": b"PV1|1|I|HIV clinic",
    "day in words": b"NTE|1||Seen 3/4/2021",
}


@pytest.fixture(scope="module")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return toy_sanitizer(tmp_path_factory.mktemp("toy"))


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_messages_with_nothing_to_hide_come_back_byte_for_byte(sanitizer: Sanitizer, end: bytes) -> None:
    content = (b"FHS|^~\\&|LAB\rBHS|^~\\&|LAB\r" + SAFE + SAFE + b"BTS|2\rFTS|1\r").replace(b"\r", end)
    assert made(read_hl7, content, "a.hl7", sanitizer) == content
    assert made(read_hl7, content.removesuffix(end), "a.hl7", sanitizer) == content.removesuffix(end)


@pytest.mark.parametrize("place", SECRET)
def test_a_secret_is_gone_wherever_it_stands(sanitizer: Sanitizer, place: str) -> None:
    out = made(read_hl7, HEAD + SECRET[place] + b"\r", "a.hl7", sanitizer)
    assert out.startswith(HEAD)
    assert leaks(out) == []
    assert out.count(b"|") == (HEAD + SECRET[place]).count(b"|")
    (_, text), *more = texts_of(read_hl7(io.BytesIO(out), "a.hl7", Asked()))
    assert (sanitizer.verify(text), more) == ([], [])
    assert made(read_hl7, out, "a.hl7", sanitizer) == out


def test_a_code_goes_with_the_words_it_stands_for(sanitizer: Sanitizer) -> None:
    assert made(read_hl7, HEAD + b"DG1|1||B20^AIDS^I10\r", "a.hl7", sanitizer).endswith(b"DG1|1||^Infection^\r")
    assert made(read_hl7, HEAD + b"DG1|1||A1^fatigue^L\r", "a.hl7", sanitizer).endswith(b"DG1|1||A1^fatigue^L\r")


def test_a_code_without_words_is_judged_by_its_name_or_dropped(sanitizer: Sanitizer) -> None:
    content = HEAD + b"DG1|1||B20^^I10\r"

    def called(name: str | None) -> bytes:
        return made(read_hl7, content, "a.hl7", sanitizer, name_of=lambda _, __: name).removeprefix(HEAD)

    assert called(None) == b"DG1|1||^^\r"
    assert called("AIDS") == b"DG1|1||^^\r"
    assert called("fatigue") == b"DG1|1||B20^^I10\r"
    assert made(read_hl7, content, "a.hl7", sanitizer, keep=("I10",)) == content


def test_a_day_keeps_its_year_where_the_policy_lets_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    years = toy_sanitizer(tmp_path_factory.mktemp("years"), identifiers="[{kind: date, keep: year}]")
    assert made(read_hl7, HEAD + b"DG1|1||||20210304\r", "a.hl7", years).endswith(b"DG1|1||||2021\r")


def test_other_separators_are_those_that_the_message_names(sanitizer: Sanitizer) -> None:
    out = made(read_hl7, b"MSH#*~!&#LAB\rNTE#1##He has AIDS*AIDS!F!x\r", "a.hl7", sanitizer)
    assert leaks(out) == []
    assert out.startswith(b"MSH#*~!&#LAB\rNTE#1##He has ")


@pytest.mark.parametrize(("rule", "left"), [("keep", b"QUlEUw=="), ("remove", b"||||||F")])
def test_attachments_follow_the_rule_for_pictures(sanitizer: Sanitizer, rule: str, left: bytes) -> None:
    content = HEAD + b"OBX|1|ED|D^Doc^L||^AP^^Base64^QUlEUw==||||||F\r"
    with pytest.raises(FormatError, match="F109"):
        made(read_hl7, content, "a.hl7", sanitizer)
    out = made(read_hl7, content, "a.hl7", sanitizer, pictures=rule)
    assert left in out
    assert (b"QUlEUw" in out) is (rule == "keep")


def test_a_field_may_be_kept(sanitizer: Sanitizer) -> None:
    content = HEAD + b"PID|1||77||Alder^Jo\r"
    assert made(read_hl7, content, "a.hl7", sanitizer, keep=("PID-3", "PID-5")) == content


@pytest.mark.parametrize("content", [b"PID|1||AIDS\r", b"MSH\r", b"MSH|^\rAIDS", b"MSH|AIDS|\r", HEAD + b"NTE|1||\xff AIDS\r"])
def test_what_is_no_message_is_one_problem(sanitizer: Sanitizer, content: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        made(read_hl7, content, "a.hl7", sanitizer)
    assert caught.value.problems[0].code == "F104"
    assert "AIDS" not in str(caught.value)


def test_another_encoding_is_taken_from_the_message(sanitizer: Sanitizer) -> None:
    content = HEAD.rstrip() + b"||||||8859/1\rNTE|1||the caf\xe9 has AIDS\r"
    out = made(read_hl7, content, "a.hl7", sanitizer)
    assert b"NTE|1||the caf\xe9 has an infection\r" in out


@pytest.mark.parametrize(
    "content", [HEAD + b"NTE|1||" + b"^" * 300_000, HEAD + b"NTE|1||" + b"\\" * 1_000_000, HEAD + b"\r" * 200_000]
)
def test_hostile_messages_are_read_in_linear_time(content: bytes) -> None:
    started = time.process_time()
    for one in read_hl7(io.BytesIO(content), "a.hl7", Asked()):
        one.put([strand.text for strand in one.strands])
    assert time.process_time() - started < 10
