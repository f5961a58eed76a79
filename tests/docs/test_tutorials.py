"""Every block of the pages of one section does what the page says: Tutorials."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import of_section

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("page", of_section("Tutorials"))
def test_every_block_does_what_the_page_says(page: Path, read: Callable[[Path], None]) -> None:
    read(page)
