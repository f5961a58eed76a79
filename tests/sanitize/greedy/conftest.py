"""What the tests of the greedy method share: words without company, so that all that a learner sees is in the test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence


def _alone(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [() for _ in words]


@pytest.fixture(autouse=True)
def words_keep_no_company(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes of words take a second to make and say nothing here."""
    monkeypatch.setattr("kgsan.sanitize.greedy.features.company", _alone)
