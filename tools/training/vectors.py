"""Where words stand in running text, as vectors: words that keep the same company lie close together.

Counts of the neighbours two words to either side, each position apart, weighted by positive pointwise mutual information
(Levy, Goldberg and Dagan 2015, "Improving distributional similarity with lessons learned from word embeddings": smoothed
contexts, square root of the singular values) and cut to a few dimensions by a randomized singular value decomposition
(Halko, Martinsson and Tropp 2011).
"""

from __future__ import annotations

import json
import lzma
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from kgsan.text.model import Lexicon, key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

VOCABULARY = 50_000
CONTEXTS = 2_500
OFFSETS = (-2, -1, 1, 2)
SMOOTHING = 0.75
#: A number beyond so many standard deviations is cut; a vector's length in the network's units.
REACH, SCALE = 3, 256
_BREAK = "\n"
_ENDS = frozenset({".", "!", "?", ":", ";", '"', "“", "”", "(", "-", "•", _BREAK})

_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}|(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Gen|Col|Capt|Lt|Sgt|Rev|Hon|vs|etc|No|Inc|Co|Corp|Ltd)\."
    r"|[^\W\d_]{1,20}?(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b|\d[\d.,]*\d|\w+|[^\w\s]"
)
_DIGITS = str.maketrans("123456789", "000000000")


@dataclass(frozen=True, slots=True)
class Text:
    """A corpus: its different forms, and the running text as numbers of forms. Form 0 ends a paragraph."""

    forms: list[str]
    numbers: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Company:
    """The words of the vocabulary, their vectors, and how often each was seen."""

    words: list[str]
    vectors: NDArray[np.float32]
    counts: NDArray[np.int64]


def paragraphs(corpus: Path) -> Iterator[str]:
    """Every paragraph of the corpus, in the order of the files' names."""
    for path in sorted(corpus.glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield from json.loads(line)["paragraphs"]


def running_text(corpus: Path) -> Text:
    """The corpus, digits all 0, the first word of a sentence in the case it mostly has elsewhere."""
    numbers: dict[str, int] = {_BREAK: 0}
    parts: list[NDArray[np.int32]] = []
    for text in paragraphs(corpus):
        found = _TOKEN.findall(text.translate(_DIGITS))
        found.append(_BREAK)
        parts.append(np.array([numbers.setdefault(word, len(numbers)) for word in found], dtype=np.int32))
    return _without_sentence_capitals(Text(list(numbers), np.concatenate(parts)))


def _without_sentence_capitals(text: Text) -> Text:
    forms = text.forms
    ends = np.array([form in _ENDS for form in forms])
    first = np.zeros(len(text.numbers), dtype=bool)
    first[0] = True
    first[1:] = ends[text.numbers[:-1]]
    elsewhere = np.bincount(text.numbers[~first], minlength=len(forms))
    numbers = {form: number for number, form in enumerate(forms)}
    usual = np.arange(len(forms), dtype=np.int32)
    for number, form in enumerate(forms):
        if form[:1].isupper() and form[1:] == form[1:].lower():
            lower = numbers.get(form.lower())
            if lower is not None and elsewhere[lower] > elsewhere[number]:
                usual[number] = lower
    return Text(forms, np.where(first, usual[text.numbers], text.numbers))


def company(text: Text, dimensions: int) -> Company:
    """The vectors of the most frequent forms of a corpus."""
    forms = text.forms
    counts = np.bincount(text.numbers, minlength=len(forms))
    counts[0] = 0
    order = np.lexsort((np.arange(len(forms)), -counts))[:VOCABULARY]
    rank = np.full(len(forms), VOCABULARY, dtype=np.int64)
    rank[order] = np.arange(len(order))
    ranked = rank[text.numbers]
    ranked[text.numbers == 0] = -1
    vectors = _decomposed(_associations(ranked), dimensions)
    return Company([forms[number] for number in order], vectors, counts[order])


def _associations(ranked: NDArray[np.int64]) -> Any:
    """Positive pointwise mutual information of words (rows) with the frequent words around them (columns), per position."""
    blocks = []
    for offset in OFFSETS:
        near, far = (ranked[-offset:], ranked[:offset]) if offset < 0 else (ranked[:-offset], ranked[offset:])
        # A paragraph's end is a context like any word: it comes last.
        context = np.where(far == -1, CONTEXTS - 1, far)
        kept = (near >= 0) & (near < VOCABULARY) & (context < CONTEXTS)
        table = np.bincount(near[kept] * CONTEXTS + context[kept], minlength=VOCABULARY * CONTEXTS)
        table = table.reshape(VOCABULARY, CONTEXTS)
        rows, columns = np.nonzero(table)
        seen = table[rows, columns].astype(np.float64)
        by_word = table.sum(axis=1).astype(np.float64)
        by_context = table.sum(axis=0).astype(np.float64) ** SMOOTHING
        information = np.log(seen * by_context.sum() / (by_word[rows] * by_context[columns]))
        positive = information > 0
        block = sparse.csr_matrix(
            (information[positive].astype(np.float32), (rows[positive], columns[positive])), shape=(VOCABULARY, CONTEXTS)
        )
        blocks.append(block)
    return sparse.hstack(blocks, format="csr")


def _decomposed(matrix: Any, dimensions: int, passes: int = 3) -> NDArray[np.float32]:
    dice = np.random.default_rng(1)
    turned = matrix.T.tocsr()
    basis = dice.standard_normal((matrix.shape[1], dimensions + 16)).astype(np.float32)
    for _ in range(passes):
        basis = np.linalg.qr(turned @ np.linalg.qr(matrix @ basis)[0])[0]
    left, values, _ = np.linalg.svd(matrix @ basis, full_matrices=False)
    vectors = left[:, :dimensions] * np.sqrt(values[:dimensions])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    made: NDArray[np.float32] = (vectors / np.maximum(lengths, 1e-6)).astype(np.float32)
    return made


def quantised(found: Company) -> tuple[Lexicon, dict[str, NDArray[Any]]]:
    """The vectors in four bits a number: as they are after reading them back, and as they are shipped."""
    spread = found.vectors.std(axis=0)
    whole = np.clip(np.rint(found.vectors / spread * (7 / REACH)), -7, 7).astype(np.int16)
    steps = np.rint(spread * (REACH / 7) * SCALE * 8).astype(np.int16)
    # Two words with the same key: the more frequent one stays.
    keys, order = np.unique(np.array([key(word, 0) for word in found.words], dtype=np.uint32), return_index=True)
    halves = (whole[order] + 8).astype(np.uint8)
    capitals = np.concatenate([[0], _capitals(found)[order]]).astype(np.uint8)
    vectors = np.concatenate([np.zeros((1, len(steps)), dtype=np.int16), whole[order] * steps >> 3]).astype(np.int8)
    arrays = {"keys": keys, "vectors": (halves[:, ::2] | halves[:, 1::2] << 4).ravel(), "steps": steps, "capitals": capitals}
    none = np.zeros(0, dtype=np.uint32)
    return Lexicon(keys, vectors, capitals, none, none.astype(np.uint8)), arrays


def _capitals(found: Company) -> NDArray[np.uint8]:
    """How often a word is written with a capital inside a sentence, in eighths."""
    counts = dict(zip(found.words, found.counts.tolist(), strict=True))
    eighths = []
    for word in found.words:
        lower = word.lower()
        capital, small = counts.get(lower.capitalize(), 0), counts.get(lower, 0)
        eighths.append(min(7, 8 * capital // (capital + small)) if lower != lower.capitalize() and capital + small else 0)
    return np.array(eighths, dtype=np.uint8)
