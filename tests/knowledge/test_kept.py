"""What is kept is bounded, and no answer depends on it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from kgsan.knowledge import corpus
from kgsan.knowledge import kept as kept_module
from kgsan.knowledge.kept import Kept

if TYPE_CHECKING:
    import pytest


def test_so_much_is_kept_and_no_more_and_what_is_asked_for_stays() -> None:
    kept: Kept[int, bytes] = Kept(1000, len)
    kept.put(-1, b"asked for all the time")
    for number in range(5000):
        kept.put(number, bytes(10))
        assert kept.get(-1) is not None
        assert len(kept) <= 101
    assert kept.get(4999) == bytes(10)
    assert kept.get(0) is None


def test_one_answer_larger_than_all_is_kept_until_the_next() -> None:
    kept: Kept[str, bytes] = Kept(10, len)
    kept.put("large", bytes(1000))
    assert kept.get("large") is not None
    for name in "abc":
        kept.put(name, bytes(1000))
    assert kept.get("large") is None
    assert len(kept) <= 2


def test_what_a_large_half_held_goes_back_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[int] = []
    monkeypatch.setattr(kept_module, "_trim", lambda: given_back.append)
    small, large = Kept[int, bytes](1000, len), Kept[int, bytes](4 << 20, len)
    for number in range(300):
        small.put(number, bytes(100))
    assert given_back == []
    for number in range(300):
        large.put(number, bytes(100_000))
    assert set(given_back) == {0}
    assert len(given_back) == 14  # 30 MB in halves of 2 MB


def test_counts_are_the_same_whether_anything_is_kept_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    from kgsan import load_knowledge, load_ontology

    stack = load_ontology()
    dice = random.Random(4)
    names = dice.sample(stack[0].name_texts(), 12)
    concepts = [concept for name in names for concept in stack[0].find(name)]

    def answers() -> list[object]:
        source = load_knowledge("english", ontology=stack).given[0]
        pairs = [dice.sample(concepts, 2) for _ in range(6)]
        return [*map(source.count, names), *map(source.count, concepts), *(source.count(*pair) for pair in pairs)]

    state = dice.getstate()
    before = answers()
    for name in ("_KEPT_NAMES", "_KEPT_CONCEPTS", "_KEPT_FAMILIES", "_KEPT_BESIDE"):
        monkeypatch.setattr(corpus, name, 0)
    dice.setstate(state)
    assert answers() == before
    assert any(before)
