"""Tiny marked texts, built token by token, so that every number can be checked with a finger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kgsan.sanitize.greedy.features import Instances, Tokens
from kgsan.sanitize.greedy.prediction import Prediction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


def tokens(*documents: Sequence[str]) -> Tokens:
    """Documents as lists of sentences of words; a word with a capital is a name, any other a noun."""
    sentences = [(number, sentence.split()) for number, document in enumerate(documents) for sentence in document]
    words = [word for _, sentence in sentences for word in sentence]
    tags = ["NNP" if word[0].isupper() else "NN" for word in words]
    bounds = np.cumsum([0, *(len(sentence) for _, sentence in sentences)])
    sizes = [sum(len(sentence) for of, sentence in sentences if of == number) for number in range(len(documents))]
    places = np.arange(len(words)) * 10
    ends = places + np.asarray([len(word) for word in words], dtype=np.int64)
    return Tokens(words, tags, places, ends, bounds, np.cumsum([0, *sizes]))


def flags(size: int, places: Iterable[int] = ()) -> NDArray[np.bool_]:
    """True at these places."""
    made = np.zeros(size, dtype=bool)
    made[list(places)] = True
    return made


def instances(made: Tokens, sensitive: Iterable[int] = (), hidden: Iterable[int] = ()) -> Instances:
    """Tokens of which some are sensitive and some are hidden."""
    return Instances(made, flags(len(made), sensitive), flags(len(made), hidden))


class Marks:
    """A classifier that marks the words it was told, with the score it was told."""

    def __init__(self, *words: str, score: float = 1.0) -> None:
        self.words, self.score = words, score

    def predict(self, instances: Instances, where: NDArray[np.bool_], candidates: NDArray[np.bool_] | None = None) -> Prediction:
        told = np.asarray([word in self.words for word in instances.tokens.words], dtype=bool) & where & ~instances.hidden
        if candidates is not None:
            told &= candidates
        return Prediction(told, np.where(told, self.score, -self.score))


def places(marked: NDArray[np.bool_]) -> list[int]:
    """Where something is true."""
    found: list[int] = np.flatnonzero(marked).tolist()
    return found
