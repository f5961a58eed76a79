"""The toy policy, compiled."""

from __future__ import annotations

import pytest

from kgsan.policy.read import load_policy
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.toy import write_policy


@pytest.fixture(scope="session")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return Sanitizer(load_policy(write_policy(tmp_path_factory.mktemp("toy"))))
