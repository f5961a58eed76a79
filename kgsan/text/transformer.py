"""What words mean together: a transformer of three layers that reads a sentence, in whole numbers.

BERT's architecture (Devlin et al. 2019). What goes into a product of matrices is rounded to whole numbers so small that every
sum is exact, and functions that machines work out differently are looked up in tables: every machine gives the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kgsan.ontology.arrays import ArrayFile

HEADS = 12
LINEAR = ("looked for", "found by", "said", "heard", "up", "down")
#: Whole numbers between these go into a product; weights of the longest sums are smaller, so that sums stay below 2 ** 24.
MOST, MOST_DOWN = 127, 85
#: So many rows and columns of a matrix are multiplied at once: OpenBLAS does that on one core, for sentences of up to 56 tokens.
_ROWS, _COLUMNS = 48, 96
_AT_ONCE = (1 << 18) // (_ROWS * _COLUMNS)
#: Steps to a unit: of what is normalized, of what heads compare, of what they pass on, and of the tables' arguments.
_FINE, _COMPARED, _PASSED, _STEPS = 4096.0, 16.0, 32.0, 64.0
_WIDEST, _LIKELIEST = 511.0, 255.0


@dataclass(frozen=True, slots=True)
class Linear:
    """A matrix in pieces, how much a unit of each column weighs, and what is added."""

    pieces: NDArray[np.float32]  # (pieces of rows, pieces of columns, rows, columns), whole numbers
    steps: NDArray[np.float32]
    bias: NDArray[np.float32]

    def __call__(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """What comes of some rows."""
        step = np.abs(rows).max(axis=1, keepdims=True) / np.float32(MOST)
        step[step == 0] = 1
        whole = np.rint(rows / step)
        parts, blocks, deep, wide = self.pieces.shape
        made = np.empty((len(rows), blocks, wide), dtype=np.float32)
        for first in range(0, len(rows), _AT_ONCE):
            some = whole[first : first + _AT_ONCE]
            split = np.ascontiguousarray(some.reshape(len(some), parts, deep).swapaxes(0, 1))[:, None]
            made[first : first + _AT_ONCE] = np.matmul(split, self.pieces).sum(axis=0).swapaxes(0, 1)
        found: NDArray[np.float32] = made.reshape(len(rows), blocks * wide)
        found *= step * self.steps
        found += self.bias
        return found


@dataclass(frozen=True, slots=True)
class Norm:
    """Rows brought to mean 0 and spread 1, then weighed."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]

    def __call__(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """The same rows, normalized; sums are those of whole numbers."""
        whole = np.rint(rows * np.float32(_FINE)).astype(np.int64)
        size = whole.shape[1]
        away = (whole * size - whole.sum(axis=1, keepdims=True)) / (size * _FINE)
        square = np.rint(away * away * _FINE).astype(np.int64).sum(axis=1, keepdims=True) / (size * _FINE)
        found: NDArray[np.float32] = (away / np.sqrt(square + 1e-12)).astype(np.float32) * self.weight + self.bias
        return found


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: every token asks the others, then thinks for itself."""

    linear: dict[str, Linear]
    heard: Norm
    thought: Norm

    def __call__(self, rows: NDArray[np.float32], wanted: Sequence[int] | None = None) -> NDArray[np.float32]:
        """What the tokens mean after this layer, or those that are wanted."""
        own = rows if wanted is None else rows.take(wanted, axis=0)
        asked, offered, said = (self._heads(name, own if name == LINEAR[0] else rows) for name in LINEAR[:3])
        close = np.matmul(_whole(asked, _COMPARED), _whole(offered, _COMPARED).swapaxes(1, 2))
        close *= np.float32(1 / (_COMPARED**2 * math.sqrt(asked.shape[2])))
        behind = np.minimum((close.max(axis=2, keepdims=True) - close) * np.float32(_STEPS), np.float32(len(_fading()) - 1))
        share = _fading().take(np.rint(behind).astype(np.int32))
        told = np.matmul(share, _whole(said, _PASSED)) / (share.sum(axis=2, keepdims=True) * np.float32(_PASSED))
        own = self.heard(own + self.linear["heard"](np.ascontiguousarray(told.swapaxes(0, 1)).reshape(own.shape)))
        return self.thought(own + self.linear["down"](bend(self.linear["up"](own))))

    def _heads(self, name: str, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.ascontiguousarray(self.linear[name](rows).reshape(len(rows), HEADS, -1).swapaxes(0, 1))


@dataclass(frozen=True, slots=True)
class Transformer:
    """The weights: what pieces of words are at first, and the layers."""

    words: NDArray[np.int8]  # (pieces, dimensions)
    steps: NDArray[np.float32]  # of each piece
    places: NDArray[np.float32]  # (places, dimensions)
    kinds: NDArray[np.float32]  # (kinds of text, dimensions)
    norm: Norm
    layers: tuple[Layer, ...]

    def read(self, pieces: Sequence[int], kind: int, wanted: Sequence[int]) -> NDArray[np.float32]:
        """One row of numbers for each wanted piece of a text, which says what it means there."""
        rows = self.words.take(pieces, axis=0) * self.steps.take(pieces)[:, None]
        rows = self.norm(rows + self.places[: len(pieces)] + self.kinds[kind])
        for layer in self.layers[:-1]:
            rows = layer(rows)
        return self.layers[-1](rows, wanted)


def transformer(file: ArrayFile) -> Transformer:
    """The weights of a file."""
    size = len(file["norm weight"])

    def norm(name: str) -> Norm:
        return Norm(file[f"{name} weight"].astype(np.float32), file[f"{name} bias"].astype(np.float32))

    return Transformer(
        words=file["words"].reshape(-1, size),
        steps=file["word steps"].astype(np.float32),
        places=file["places"].astype(np.float32).reshape(-1, size),
        kinds=file["kinds"].astype(np.float32).reshape(-1, size),
        norm=norm("norm"),
        layers=tuple(
            Layer({name: linear(file, f"{at} {name}") for name in LINEAR}, norm(f"{at} heard norm"), norm(f"{at} thought norm"))
            for at in range(file.about["layers"])
        ),
    )


def linear(file: ArrayFile, name: str) -> Linear:
    """A matrix of a file."""
    steps = file[f"{name} steps"].astype(np.float32)
    pieces = file[f"{name} weight"].reshape(-1, _ROWS, len(steps) // _COLUMNS, _COLUMNS).swapaxes(1, 2)
    return Linear(pieces.astype(np.float32, order="C"), steps, file[f"{name} bias"].astype(np.float32))


def bend(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each number times the chance that a normal one is smaller (GELU), from a table."""
    table = _bent()
    half = len(table) // 2
    steps = np.rint(np.clip(rows * np.float32(_STEPS), -half, half - 1)).astype(np.int32)
    return np.where(rows * np.float32(_STEPS) < half - 1, table.take(steps + half), rows)


def _whole(rows: NDArray[np.float32], steps: float) -> NDArray[np.float32]:
    found: NDArray[np.float32] = np.rint(np.clip(rows * np.float32(steps), -_WIDEST, _WIDEST))
    return found


@cache
def _fading() -> NDArray[np.float32]:
    """How much a token counts that is so many steps less close than the closest: 255 e^-steps, in whole numbers."""
    return np.array([float(round(_LIKELIEST * math.exp(-step / _STEPS))) for step in range(450)], dtype=np.float32)


@cache
def _bent() -> NDArray[np.float32]:
    steps = (step / _STEPS for step in range(-512, 512))
    return np.array([round(x * (1 + math.erf(x / math.sqrt(2))) / 2, 6) for x in steps], dtype=np.float32)
