"""Classes of words by the company they keep, on a lexicon of five words that can be drawn on paper."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kgsan.sanitize.greedy import company
from kgsan.text import model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def lexicon(monkeypatch: pytest.MonkeyPatch, degrees: Sequence[float], length: float | Sequence[float] = 100) -> None:
    """Words as directions in a plane; row 0 is what is not known."""
    angles = np.radians(degrees)
    lengths = np.broadcast_to(np.asarray(length, dtype=float), angles.shape)[:, None]
    vectors = np.concatenate([np.zeros((1, 2)), lengths * np.stack([np.cos(angles), np.sin(angles)], axis=1)])
    made = SimpleNamespace(vectors=vectors, capitals=np.arange(len(vectors)) % 8)
    monkeypatch.setattr(model, "lexicon", lambda: made)


def classes(size: int) -> list[int]:
    """The class of each word, without the row of the unknown."""
    made: list[int] = company._classes.__wrapped__(size).tolist()
    return made[1:]


@pytest.mark.parametrize("length", [1, 3, 100])
def test_words_of_one_direction_are_one_class_and_others_another(monkeypatch: pytest.MonkeyPatch, length: float) -> None:
    lexicon(monkeypatch, [0, 5, 40, 45, 80, 85], length)
    found = classes(3)
    assert found[0] == found[1]
    assert found[2] == found[3]
    assert found[4] == found[5]
    assert len(set(found)) == 3


def test_middles_settle_where_most_words_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first word begins as a middle of its own; the words at 0 degrees pull that away from it."""
    lexicon(monkeypatch, [60, 0, 0, 0, 90, 90])
    found = classes(2)
    assert found[0] == found[4] == found[5] != found[1]


def test_every_word_counts_the_same_however_often_it_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The length of a vector is no weight: a long one alone does not hold the middle against three short ones."""
    lexicon(monkeypatch, [52, 0, 0, 0, 90, 90], [100, 1, 1, 1, 1, 1])
    found = classes(2)
    assert found[0] == found[4] == found[5] != found[1]


def test_a_word_apart_is_a_class_of_its_own_though_it_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon(monkeypatch, [0, 40, 45, 80, 85])
    found = classes(3)
    assert found[0] not in found[1:]


def test_a_class_without_a_word_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon(monkeypatch, [0, 0, 90, 90])
    first, second, third, fourth = classes(4)
    assert first == second != third == fourth


def test_the_same_words_are_always_in_the_same_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon(monkeypatch, range(0, 90, 3))
    assert classes(4) == classes(4)
    assert set(classes(4)) == {0, 1, 2, 3}


def test_classes_are_made_by_the_recipe_of_saved_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """A saved model knows classes by their numbers, so they may never change: worked out again, word by word.

    8000 words are taken at even distances, so many of them as there are classes begin as middles, at even distances too, and
    six times each middle moves to where its nearest words are.
    """
    degrees = np.random.default_rng(5).uniform(0, 360, 3000).tolist()
    lexicon(monkeypatch, degrees)
    words = [np.asarray([np.cos(angle), np.sin(angle)]) for angle in np.radians(degrees)]
    taken = [at * 2999 // 7999 for at in range(8000)]
    often = Counter(taken)
    middles = [words[taken[at * 7999 // 6]] for at in range(7)]
    for _ in range(6):
        sums = [np.zeros(2) for _ in middles]
        for word, count in often.items():
            sums[nearest(words[word], middles)] += count * words[word]
        middles = [total / np.hypot(*total) for total in sums]
    assert classes(7) == [nearest(word, middles) for word in words]


def nearest(word: NDArray[np.float64], middles: list[NDArray[np.float64]]) -> int:
    return max(range(len(middles)), key=lambda at: float(word @ middles[at]))


def test_a_word_is_told_by_both_classes_and_its_capitals_in_the_terms_of_saved_models(monkeypatch: pytest.MonkeyPatch) -> None:
    made = SimpleNamespace(capitals=np.asarray([0, 7, 3]))
    rows = {"Boston": 1, "the": 2}
    of_size = {48: np.asarray([9, 11, 12]), 400: np.asarray([9, 310, 320])}
    monkeypatch.setattr(model, "lexicon", lambda: made)
    monkeypatch.setattr(model, "forms", lambda words, _: SimpleNamespace(rows=np.asarray([rows.get(word, 0) for word in words])))
    monkeypatch.setattr(company, "_classes", of_size.__getitem__)
    assert company.company(["Boston", "qqxzz", "the"]) == [
        ("k48=11", "k400=310", "c=7"),
        ("unknown",),
        ("k48=12", "k400=320", "c=3"),
    ]
    assert company.company([]) == []
