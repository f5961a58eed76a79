"""Every block of the pages of one section does what the page says: How-to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import of_section

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


# What `scale.md` says of Spark is run with the other tests of Spark.
@pytest.mark.parametrize("page", [page for page in of_section("How-to") if page.id != "scale"])
def test_every_block_does_what_the_page_says(page: Path, read: Callable[[Path], None]) -> None:
    read(page)
