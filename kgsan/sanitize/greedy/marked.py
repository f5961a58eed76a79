"""Marked documents as instances: which tokens of which text are sensitive."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

import numpy as np

from kgsan.errors import Place, Problem
from kgsan.sanitize.greedy.features import Instances, tokens_of
from kgsan.sanitize.greedy.learners import FOLDS
from kgsan.sanitize.greedy.problems import TOLD, LearningError, error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Tokens


def instances_of(texts: Sequence[str], spans: Sequence[Iterable[Sequence[int]]], name: str = "documents") -> Instances:
    """The tokens of texts, sensitive where a span touches them. Raises one `LearningError` with everything that is wrong.

    >>> found = instances_of(["Seen by Dr. Okafor.", "He is well.", "Ann Lund called."], [[[12, 18]], [], [[0, 8]]])
    >>> [found.tokens.words[place] for place in found.sensitive.nonzero()[0]]
    ['Okafor', 'Ann', 'Lund']
    """
    if len(texts) != len(spans):
        raise error("E202", name, f"There are {len(texts)} texts, but lists of spans for {len(spans)}.")
    problems: list[Problem] = []
    checked = [
        _checked(text, of_text, number, name, problems)
        for number, (text, of_text) in enumerate(zip(texts, spans, strict=True), 1)
    ]
    if problems:
        raise LearningError(*problems[:TOLD])
    tokens = tokens_of(texts)
    if len(tokens.sequences) - 1 < FOLDS:
        said = (
            "There is no document to learn from." if not len(texts) else f"There are fewer than {FOLDS} sentences to learn from."
        )
        raise error("E203", name, said, "Give some dozens of marked documents.")
    sensitive = np.concatenate([_touched(tokens, number, of_text) for number, of_text in enumerate(checked)])
    if sensitive.all() or not sensitive.any():
        which = "Every word is marked" if sensitive.any() else "Nothing is marked"
        raise error("E204", name, f"{which}, so there is nothing to tell apart.", "Mark what is sensitive, and only that.")
    return Instances(tokens, sensitive, np.zeros(len(tokens), dtype=bool))


def _checked(text: str, spans: Iterable[Sequence[int]], number: int, name: str, problems: list[Problem]) -> list[tuple[int, int]]:
    made = []
    for which, span in enumerate(spans, 1):
        try:
            start, end = index(span[0]), index(span[1])
            fits = 0 <= start < end <= len(text) and not isinstance(span[0], bool)
        except (TypeError, IndexError, KeyError):
            fits = False
        if not fits:
            said = f"Span {which} is no [start, end] within the text."
            problems.append(Problem("E202", Place(name, number), said, "Count characters; the end is the first behind it."))
            continue
        made.append((start, end))
    return made


def _touched(tokens: Tokens, document: int, spans: list[tuple[int, int]]) -> NDArray[np.bool_]:
    first, last = tokens.documents[document : document + 2].tolist()
    change = np.zeros(last - first + 1, dtype=np.int64)
    for start, end in spans:
        one = int(np.searchsorted(tokens.ends[first:last], start, side="right"))
        behind = int(np.searchsorted(tokens.starts[first:last], end, side="left"))
        if one < behind:
            change[one] += 1
            change[behind] -= 1
    made: NDArray[np.bool_] = np.cumsum(change[:-1]) > 0
    return made
