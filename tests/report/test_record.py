"""The private record: everything that was decided, and proof of which text it was about."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from kgsan.report.certificate import as_bytes
from kgsan.report.record import is_record_of, record
from tests.report.toy import NOTE

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer

KEY = bytes(range(32))


@pytest.fixture(scope="module")
def told(sanitizer: Sanitizer) -> dict[str, object]:
    made = record(sanitizer, NOTE, sanitizer.sanitize(NOTE), KEY)
    read: dict[str, object] = json.loads(as_bytes(made))
    return read


def test_every_decision_is_there_with_its_figures(told: dict[str, object]) -> None:
    decisions = told["decisions"]
    assert isinstance(decisions, list)
    [found] = [one for one in decisions if NOTE[one["start"] : one["end"]] == "zidovudine"]
    assert (found["rule"], found["entity"], found["revealed"]) == ("inference", "HIV", 1.0)
    assert found["limit"] == pytest.approx(2 / 3)
    [evidence] = found["evidence"]
    assert evidence["counts"]["together"] == evidence["counts"]["contexts"] == 4
    assert evidence["counts"]["entity_bits"] == 6.0
    assert evidence["law"] == "Toy Act § 1."
    assert "refused" in found


def test_it_is_known_by_a_hash_that_nobody_can_guess_without_the_key(told: dict[str, object], sanitizer: Sanitizer) -> None:
    assert is_record_of(told, NOTE)
    assert not is_record_of(told, NOTE + " ")
    assert hashlib.sha256(NOTE.encode()).hexdigest() not in json.dumps(told)
    other = record(sanitizer, NOTE, sanitizer.sanitize(NOTE), KEY[::-1])
    assert other["input"]["hmac_sha256"] != told["input"]["hmac_sha256"]  # type: ignore[index]


def test_the_released_text_is_told_by_its_hash(told: dict[str, object], sanitizer: Sanitizer) -> None:
    assert told["output"] == {"sha256": hashlib.sha256(sanitizer.sanitize(NOTE).text.encode()).hexdigest()}
