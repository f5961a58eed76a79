"""What the tests of the documentation share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.docs.running import run_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Reads a page in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return lambda page: run_page(page, tmp_path)
