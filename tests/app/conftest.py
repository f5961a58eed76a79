"""The toy policy, compiled, and a review of one document under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgsan.policy.read import load_policy
from kgsan.sanitize.sanitizer import Sanitizer
from tests.app.world import desk_on
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgsan.app.desk import Desk


@pytest.fixture(scope="session")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return Sanitizer(load_policy(write_policy(tmp_path_factory.mktemp("toy"))))


@pytest.fixture
def desk(sanitizer: Sanitizer, tmp_path: Path) -> Iterator[Desk]:
    made = desk_on(sanitizer, tmp_path)
    yield made
    made.close()
