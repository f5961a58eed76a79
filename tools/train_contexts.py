"""What kind of word a place in a text asks for, learned from running text: `tools/train_contexts.py CORPUS_FOLDER OUT.arrays`.

Words are vectors by the company they keep: counts of the words up to four places to the left and to the right, each side
apart and nearer ones for more, and of those up to twelve places away, by positive pointwise mutual information, cut to a few
dimensions. Then the vector of a word is predicted from the words around it by least squares, and the words around are
stored as what each adds to the prediction. All of it is rounded to whole numbers. The folder holds `*.jsonl.xz`, one
`{"title", "paragraphs"}` a line; no text leaves this program.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from training.vectors import SMOOTHING, running_text

from kgsan.ontology.arrays import ArrayFile, pack
from kgsan.text.expected import COMMON, FAR, KIND, NEAR, NEARNESS, VERSION, WIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = Any  #: of scipy

#: Words that have a vector; of these, the most frequent count beside a place and in the wider text.
_WORDS, _BESIDE, _AROUND = 40_000, 12_000, 16_000
_DIMENSIONS = 96
#: What the wider text counts among the counts, and the strength of the ridge.
_OF_AROUND, _RIDGE = 0.7, 100.0
#: Places from which the prediction is learned; words more frequent than the first are no targets.
_PLACES, _FIRST = 1_000_000, 300
_BLOCK = 8_000_000
_ABOUT = {
    "license": "CC BY-SA 4.0",
    "sources": "word counts of English Wikipedia articles and of public health answers",
}


def main(arguments: list[str]) -> None:
    """Learn and write."""
    if len(arguments) != 2:
        sys.exit("Usage: python tools/train_contexts.py CORPUS_FOLDER OUT.arrays")
    words, numbers, counts = _lowered(Path(arguments[0]))
    left, right, around = (_weighted(matrix) for matrix in _counted(numbers))
    vectors, contexts = _reduced(sparse.hstack([left, right, around * _OF_AROUND]).tocsr())
    vectors = _unit(vectors)
    middle = vectors[_FIRST:].mean(axis=0)
    vectors = _unit(vectors - middle)
    beside = contexts[:_BESIDE], contexts[_BESIDE : 2 * _BESIDE], contexts[2 * _BESIDE :]
    tables = _Tables(*(np.vstack([table, np.zeros((1, _DIMENSIONS))]).astype(np.float32) for table in beside))
    ArrayFile(KIND, VERSION, _ABOUT, _learned(words, numbers, counts, vectors, tables)).save(Path(arguments[1]))


def _lowered(folder: Path) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """The words from the most frequent on, the text as their numbers (the break of a paragraph is -1), and their counts."""
    text = running_text(folder)
    forms: dict[str, int] = {}
    lowered = np.array([forms.setdefault(form.lower(), len(forms)) for form in text.forms], dtype=np.int32)
    numbers = lowered[text.numbers]
    counts = np.bincount(numbers, minlength=len(forms))
    counts[0] = 0  # the break
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(forms), dtype=np.int32)
    rank[order] = np.arange(len(forms))
    ranked = rank[numbers]
    ranked[numbers == 0] = -1
    listed = list(forms)
    return [listed[i] for i in order[:_WORDS]], ranked, counts[order]


def _counted(numbers: NDArray[np.int32]) -> tuple[Matrix, Matrix, Matrix]:
    """How often each word stands left of each, right of it, and around it."""
    paragraph = np.cumsum(numbers == -1).astype(np.int32)
    totals = [sparse.csr_matrix((_WORDS, size), dtype=np.float32) for size in (_BESIDE, _BESIDE, _AROUND)]
    for start in range(0, len(numbers), _BLOCK):
        parts: list[list[Matrix]] = [[], [], []]
        for distance in range(1, WIDE + 1):
            first = numbers[start : min(start + _BLOCK, len(numbers) - distance)]
            second = numbers[start + distance : start + distance + len(first)]
            same = paragraph[start : start + len(first)] == paragraph[start + distance : start + distance + len(first)]
            first, second = first[same], second[same]
            if distance <= NEAR:
                parts[0].append(_pairs(second, first, _BESIDE, 1 / distance))
                parts[1].append(_pairs(first, second, _BESIDE, 1 / distance))
            parts[2].append(_pairs(first, np.where(second >= COMMON, second, -1), _AROUND, 1.0))
            parts[2].append(_pairs(second, np.where(first >= COMMON, first, -1), _AROUND, 1.0))
        totals = [total + sum(found[1:], found[0]) for total, found in zip(totals, parts, strict=True)]
    return totals[0], totals[1], totals[2]


def _pairs(words: NDArray[np.int32], others: NDArray[np.int32], most: int, weight: float) -> Matrix:
    known = (words >= 0) & (words < _WORDS) & (others >= 0) & (others < most)
    found = np.full(int(known.sum()), weight, dtype=np.float32)
    return sparse.csr_matrix((found, (words[known], others[known])), shape=(_WORDS, most))


def _weighted(matrix: Matrix) -> Matrix:
    """Positive pointwise mutual information; what was seen seldom counts for less."""
    entries = matrix.tocoo()
    rows, columns = (np.bincount(at, entries.data, size) for at, size in zip(entries.coords, entries.shape, strict=True))
    smoothed = columns**SMOOTHING
    smoothed /= smoothed.sum()
    seen = np.minimum(rows[entries.row], columns[entries.col])
    told = np.log(entries.data / (rows[entries.row] * smoothed[entries.col]))
    told *= entries.data / (entries.data + 1) * seen / (seen + 1)
    kept = told > 0
    values = told[kept].astype(np.float32)
    return sparse.csr_matrix((values, (entries.row[kept], entries.col[kept])), shape=matrix.shape)


def _reduced(matrix: Matrix) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Words and contexts in few dimensions, whose products come closest to the matrix (randomized decomposition)."""
    sample = matrix @ np.random.default_rng(0).standard_normal((matrix.shape[1], _DIMENSIONS + 20)).astype(np.float32)
    for _ in range(4):
        sample, _r = np.linalg.qr(matrix @ (matrix.T @ sample))
    inner, values, contexts = np.linalg.svd((matrix.T @ sample).T, full_matrices=False)
    root = np.sqrt(values[:_DIMENSIONS])
    words = (sample @ inner)[:, :_DIMENSIONS] * root
    return words.astype(np.float32), (contexts[:_DIMENSIONS].T * root).astype(np.float32)


class _Tables:
    """The vectors of words beside and around a place; the last row of each stands for a word that is not known."""

    def __init__(self, left: NDArray[np.float32], right: NDArray[np.float32], around: NDArray[np.float32]) -> None:
        self.left, self.right, self.around = left, right, around


def _learned(
    words: list[str], numbers: NDArray[np.int32], counts: NDArray[np.int64], vectors: NDArray[np.float32], tables: _Tables
) -> dict[str, NDArray[Any]]:
    """The arrays of the file: words and their vectors, and what words around a place add to what is expected there."""
    paragraph = np.cumsum(numbers == -1).astype(np.int32)
    ranks = np.where(numbers == -1, len(counts), numbers)
    random = np.random.default_rng(0)
    targets = np.flatnonzero((numbers >= _FIRST) & (numbers < _WORDS))
    targets = targets[(targets > FAR) & (targets < len(numbers) - FAR - 1)]
    chance = counts[numbers[targets]].astype(float) ** -0.5
    places = random.choice(targets, _PLACES, replace=False, p=chance / chance.sum())
    size = 6 * _DIMENSIONS + 1
    squares, products = np.zeros((size, size)), np.zeros((size, _DIMENSIONS))
    blocks = [places[start : start + 20_000] for start in range(0, _PLACES, 20_000)]
    for block in blocks[:-1]:
        seen = _seen(block, ranks, paragraph, tables).astype(np.float64)
        squares += seen.T @ seen
        products += seen.T @ vectors[numbers[block]]
    learned = np.linalg.solve(squares + _RIDGE * np.eye(size), products)
    made = _unit(_seen(blocks[-1], ranks, paragraph, tables) @ learned)
    true = (made * vectors[numbers[blocks[-1]]]).sum(axis=1)
    other = (made * np.roll(vectors[numbers[blocks[-1]]], 1, axis=0)).sum(axis=1)
    print(f"{len(numbers):,} words read; the word that stands there fits better than another in {(true > other).mean():.1%}")
    step = _DIMENSIONS
    at_left, near_left, at_right, near_right, wide, far = (learned[i * step : (i + 1) * step] for i in range(6))
    parts = {
        "at_left": tables.left[:-1] @ (at_left + near_left),
        "near_left": tables.left[:-1] @ near_left,
        "at_right": tables.right[:-1] @ (at_right + near_right),
        "near_right": tables.right[:-1] @ near_right,
        "wide": tables.around[:-1] @ wide,
        "far": tables.around[:-1] @ far,
    }
    largest = max(float(np.quantile(np.abs(part), 0.9995)) for part in parts.values())
    unit = 127 / largest
    blob, starts = pack(words)
    spread = np.cov(made.T)
    return {
        **{name: _whole(part * unit).ravel() for name, part in parts.items()},
        "always": np.rint(learned[-1] * unit).astype(np.int32),
        "vectors": _whole(vectors * (127 / float(np.quantile(np.abs(vectors), 0.9995)))).ravel(),
        "words": blob,
        "starts": starts,
        "mean": made.mean(axis=0).astype(np.float64),
        "spread": spread.ravel().astype(np.float64),
    }


def _seen(
    places: NDArray[np.int64], ranks: NDArray[np.int32], paragraph: NDArray[np.int32], tables: _Tables
) -> NDArray[np.float32]:
    """What stands around places: directly left, left, directly right, right, within reach and farther away."""
    parts = [np.zeros((len(places), _DIMENSIONS), dtype=np.float32) for _ in range(6)]
    for distance in range(1, NEAR + 1):
        for table, sign, directly in ((tables.left, -1, 0), (tables.right, 1, 2)):
            at = places + sign * distance
            known = (paragraph[at] == paragraph[places]) & (ranks[at] < _BESIDE)
            found = table[np.where(known, ranks[at], _BESIDE)]
            parts[directly + 1] += found * (NEARNESS[distance - 1] / NEARNESS[0])
            if distance == 1:
                parts[directly] += found
    for part, reach in ((4, range(1, WIDE + 1)), (5, range(WIDE + 1, FAR + 1))):
        many = np.zeros(len(places), dtype=np.float32)
        for distance in reach:
            for at in (places - distance, places + distance):
                known = (paragraph[at] == paragraph[places]) & (ranks[at] < _AROUND) & (ranks[at] >= COMMON)
                known &= ranks[at] != ranks[places]
                parts[part] += tables.around[np.where(known, ranks[at], _AROUND)]
                many += known
        parts[part] /= np.sqrt(np.maximum(many, 1))[:, None]
    return np.hstack([*parts, np.ones((len(places), 1), dtype=np.float32)])


def _unit(vectors: NDArray[Any]) -> NDArray[Any]:
    found: NDArray[Any] = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return found


def _whole(values: NDArray[Any]) -> NDArray[np.int8]:
    found: NDArray[np.int8] = np.clip(np.rint(values), -127, 127).astype(np.int8)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
