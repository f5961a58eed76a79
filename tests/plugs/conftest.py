"""The toy policy, and one that gives nothing out where nothing is safe, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgsan.plug import ready
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.sanitize.sanitizer import Sanitizer


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_policy(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="session")
def sanitizer(toy: Path) -> Sanitizer:
    return ready(toy)


@pytest.fixture(scope="session")
def stopping(tmp_path_factory: pytest.TempPathFactory) -> Path:
    protect = '[{entity: disease, because: "Toy Act § 2."}]'
    return write_policy(tmp_path_factory.mktemp("stop"), policy="stop", when_nothing_is_safe="stop", protect=protect)
