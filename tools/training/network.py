"""Training the network of `kgsan.text.model`: softmax regression with a hidden layer, by Adam, then rounded to whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from kgsan.text.model import NAMELESS, SHIFT, WINDOW, Network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kgsan.text.model import Lexicon, Window

Array = Any


@dataclass(frozen=True, slots=True)
class Settings:
    """How a network is trained."""

    hidden: int = 64
    least: int = 2  # a feature of the word itself seen less often is left out
    least_around: int = 4  # the same for a neighbour
    epochs: int = 12
    batch: int = 512
    rate: float = 0.004
    decay: float = 2e-6
    forget: float = 0.3  # share of features hidden from each training token
    forget_hidden: float = 0.2
    forget_vectors: float = 0.1
    seed: int = 1


UNIT = 64  # hidden sums are kept in 64ths
VECTOR_UNIT = UNIT * (1 << SHIFT) // 128  # vectors are in 128ths
OUTPUT_UNIT = 32
MEAN_EVERY, MEAN_SHARE = 10, 0.1


@dataclass(frozen=True, slots=True)
class Examples:
    """Tokens as the network sees them: numbers of features, vectors around, extra features."""

    features: Any  # sparse (tokens, rows)
    around: NDArray[np.int64]  # (tokens, positions): rows of vectors
    extras: NDArray[np.int64]  # (tokens, extra columns)


@dataclass(frozen=True, slots=True)
class Inventory:
    """Which features have a row, per position."""

    keys: NDArray[np.uint32]
    places: NDArray[np.uint16]
    size: int


def inventory(window: Window, settings: Settings) -> Inventory:
    """The features seen often enough in a text."""
    kept: list[tuple[int, NDArray[np.uint32]]] = []
    for position, (offset, features) in enumerate(WINDOW.items()):
        times = np.bincount(window.around[offset], minlength=len(window.forms.keys))
        for feature in features:
            keys, groups = np.unique(window.forms.keys[:, feature], return_inverse=True)
            seen = np.bincount(groups, weights=times)
            kept.append((position, keys[seen >= (settings.least if offset == 0 else settings.least_around)]))
    kept = [(position, part[part != NAMELESS]) for position, part in kept]
    keys = np.unique(np.concatenate([part for _, part in kept]))
    places = np.zeros((len(WINDOW), len(keys) + 1), dtype=np.uint16)
    row = 0
    for position, part in kept:
        fresh = np.searchsorted(keys, part)
        fresh = fresh[places[position, fresh] == 0]
        places[position, fresh] = np.arange(row + 1, row + 1 + len(fresh))
        row += len(fresh)
    assert row < 1 << 16
    return Inventory(keys, places, row + 1)


def examples(window: Window, known: Inventory, extras: Sequence[NDArray[np.int64]] = ()) -> Examples:
    """A text in the numbers of an inventory."""
    found = np.searchsorted(known.keys, window.forms.keys)
    found[found == len(known.keys)] = 0
    found[known.keys[found] != window.forms.keys] = len(known.keys)
    columns = [
        known.places[position][found[:, feature]].astype(np.int32)[window.around[offset]]
        for position, (offset, features) in enumerate(WINDOW.items())
        for feature in features
    ]
    table = np.stack(columns, axis=1)
    present = table > 0
    starts = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
    data = np.ones(starts[-1], dtype=np.float32)
    matrix = sparse.csr_matrix((data, table[present], starts), shape=(len(table), known.size))
    around = np.stack([window.forms.rows[window.around[offset]] for offset in WINDOW], axis=1)
    extra = np.stack(extras, axis=1) if extras else np.zeros((len(table), 0), dtype=np.int64)
    return Examples(matrix, around, extra)


class _Weights:
    """One group of weights under Adam (Kingma and Ba 2015), rows that a batch does not touch resting.

    What is kept is their running mean over the last steps.
    """

    def __init__(self, start: Array) -> None:
        self.now = start.astype(np.float32)
        self.mean = self.now.copy()
        self._first = np.zeros_like(self.now)
        self._second = np.zeros_like(self.now)

    def step(self, slope: Array, rate: float, number: int, decay: float, rows: Array = slice(None)) -> None:
        first = self._first[rows] + 0.1 * (slope - self._first[rows])
        second = self._second[rows] + 0.01 * (slope * slope - self._second[rows])
        size = rate * np.sqrt(1 - 0.99**number) / (1 - 0.9**number)
        self.now[rows] -= size * first / (np.sqrt(second) + 1e-6) + (rate * decay) * self.now[rows]
        self._first[rows], self._second[rows] = first, second
        if number % MEAN_EVERY == 0:
            self.mean += (self.now - self.mean) * min(MEAN_EVERY / number, MEAN_SHARE)


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained network before rounding."""

    rows: Array
    company: Array
    extras: Array
    bias: Array
    output: Array
    output_bias: Array


def train(
    data: Examples,
    labels: NDArray[np.int64],
    lexicon: Lexicon,
    classes: int,
    extra_size: int,
    settings: Settings,
    weights: Array = None,
) -> Trained:
    """Weights that give the training tokens their labels."""
    dice = np.random.default_rng(settings.seed)
    hidden, positions = settings.hidden, len(WINDOW)
    dimensions = lexicon.vectors.shape[1]
    vectors = lexicon.vectors.astype(np.float32) / 128

    def start(*shape: int, spread: float) -> _Weights:
        return _Weights(dice.standard_normal(shape) * spread)

    rows = start(data.features.shape[1], hidden, spread=0.1)
    company = start(positions * dimensions, hidden, spread=0.15)
    extras = start(max(extra_size, 1), hidden, spread=0.1)
    bias = _Weights(np.full(hidden, 0.1))
    output = start(hidden, classes, spread=0.1)
    output_bias = _Weights(np.zeros(classes))
    steps = -(-len(labels) // settings.batch) * settings.epochs
    number = 0
    for _ in range(settings.epochs):
        order = dice.permutation(len(labels))
        for begin in range(0, len(order), settings.batch):
            number += 1
            chosen = order[begin : begin + settings.batch]
            rate = settings.rate * (1 - 0.95 * number / steps)
            features = data.features[chosen]
            features.data = (dice.random(len(features.data), dtype=np.float32) >= settings.forget).astype(np.float32) / (
                1 - settings.forget
            )
            near = data.around[chosen]
            near = np.where(dice.random(near.shape) < settings.forget_vectors, 0, near)
            seen = vectors[near].reshape(len(chosen), -1)
            extra = data.extras[chosen]
            sums = features @ rows.now + seen @ company.now + bias.now
            for column in range(extra.shape[1]):
                sums += extras.now[extra[:, column]]
            alive = (dice.random(sums.shape, dtype=np.float32) >= settings.forget_hidden) / np.float32(1 - settings.forget_hidden)
            alive[sums <= 0] = 0
            active = np.maximum(sums, 0) * alive
            scores = active @ output.now + output_bias.now
            scores -= scores.max(axis=1, keepdims=True)
            share = np.exp(scores)
            share /= share.sum(axis=1, keepdims=True)
            share[np.arange(len(chosen)), labels[chosen]] -= 1
            if weights is not None:
                share *= weights[chosen, None]
            share /= len(chosen)
            back = (share @ output.now.T) * alive
            output.step(active.T @ share, rate, number, settings.decay)
            output_bias.step(share.sum(axis=0), rate, number, 0)
            touched, small = _touched(features)
            rows.step(small.T @ back, rate, number, settings.decay, touched)
            company.step(seen.T @ back, rate, number, settings.decay)
            bias.step(back.sum(axis=0), rate, number, 0)
            if extra.shape[1]:
                hot = sparse.csr_matrix(
                    (np.ones(extra.size, dtype=np.float32), extra.ravel(), np.arange(0, extra.size + 1, extra.shape[1])),
                    shape=(len(chosen), extra_size),
                )
                extras.step(hot.T @ back, rate, number, settings.decay)
    return Trained(
        rows.mean, company.mean.reshape(positions, dimensions, hidden), extras.mean, bias.mean, output.mean, output_bias.mean
    )


def _touched(features: Any) -> tuple[Array, Any]:
    """The columns that occur in a batch, and the batch with only these."""
    touched, columns = np.unique(features.indices, return_inverse=True)
    shape = (features.shape[0], len(touched))
    return touched, sparse.csr_matrix((features.data, columns, features.indptr), shape=shape)


def rounded(trained: Trained, known: Inventory) -> Network:
    """The same network in whole numbers."""
    table = np.clip(np.rint(trained.rows * UNIT), -127, 127).astype(np.int8)
    table[0] = 0
    return Network(
        keys=known.keys,
        places=known.places,
        rows=table,
        company=np.rint(trained.company * VECTOR_UNIT).astype(np.float32),
        extras=np.rint(trained.extras * UNIT).astype(np.int16),
        bias=np.rint(trained.bias * UNIT).astype(np.int16),
        output=np.rint(trained.output * OUTPUT_UNIT).astype(np.float32),
        output_bias=np.rint(trained.output_bias * OUTPUT_UNIT * UNIT).astype(np.float32),
    )
