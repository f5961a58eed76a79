"""What the tests of the papers share."""

from __future__ import annotations

import pytest

from tests.papers.toy import TOY, ContextSets


@pytest.fixture
def toy() -> ContextSets:
    return TOY
