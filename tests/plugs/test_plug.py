"""What every plug relies on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kgsan.errors import PolicyError
from kgsan.plug import PlugError, policy_named, ready, sanitized, sanitized_block
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "He takes zidovudine. It helps against AIDS."


def test_a_policy_is_meant_by_its_name_its_file_or_itself(toy: Path, sanitizer: Sanitizer) -> None:
    assert ready(sanitizer) is sanitizer
    policy = policy_named(toy)
    assert policy_named(str(toy)) == policy == policy_named(policy)
    assert policy_named("us-hiv").name == "us-hiv"


def test_a_policy_that_means_nothing_is_refused(tmp_path: Path) -> None:
    protect = '[{entity: influenza, because: "Nobody knows it."}]'
    with pytest.raises(PolicyError):
        ready(write_policy(tmp_path, protect=protect))


def test_the_method_that_must_be_taught_is_refused(toy: Path) -> None:
    with pytest.raises(PlugError, match="V204"):
        ready(replace(policy_named(toy), method="greedy"))


def test_the_result_of_another_method_is_read_again(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    published = ready(replace(policy_named(toy), method="csan"))
    monkeypatch.setattr(Sanitizer, "verify", lambda self, text: ["something"])
    with pytest.raises(NotSafe):
        sanitized(published, TEXT)
    with pytest.raises(NotSafe):
        sanitized_block(published, [TEXT])
    assert sanitized(ready(toy), TEXT).text != TEXT
