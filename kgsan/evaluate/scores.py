"""How much of what should be hidden was hidden, and how much of what was hidden should have been (CORR, eqs. 17 to 19).

A part of a text counts as hidden when at least half of its letters and digits lie in changed parts; a distinct term when at
least half of its occurrences do. Precision runs over what was changed: right is what touches something that was marked. What
touches only marks that are set aside, such as disputed ones or those of another class, is neither right nor wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kgsan.ontology import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from kgsan.text.document import Document

    Place = tuple[int, int]

#: Where something begins and ends.
Places: TypeAlias = "Iterable[tuple[int, int]]"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many were found and missed of what was marked, and how many changes were right and wrong.

    >>> counts = Counts(found=3, missed=1, right=2, wrong=2)
    >>> counts.recall, counts.precision, round(counts.f or 0, 2)
    (0.75, 0.5, 0.6)
    >>> Counts().f is None
    True
    """

    found: int = 0
    missed: int = 0
    right: int = 0
    wrong: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def marked(self) -> int:
        """How many should have been found."""
        return self.found + self.missed

    @property
    def recall(self) -> float | None:
        """The part of what was marked that was found; None when nothing was marked."""
        return self.found / self.marked if self.marked else None

    @property
    def precision(self) -> float | None:
        """The part of the changes that was right; None when nothing was changed."""
        changed = self.right + self.wrong
        return self.right / changed if changed else None

    @property
    def f(self) -> float | None:
        """The harmonic mean of both; None when one of them is."""
        return harmonic(self.precision, self.recall)


def harmonic(precision: float | None, recall: float | None) -> float | None:
    """F, which is 0 when nothing right was found."""
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """The same measured over spans, over words and over distinct terms."""

    span: Counts = field(default_factory=Counts)
    token: Counts = field(default_factory=Counts)
    term: Counts = field(default_factory=Counts)

    def __add__(self, other: Scores) -> Scores:
        return Scores(self.span + other.span, self.token + other.token, self.term + other.term)


class Measure:
    """One text with what was changed in it, ready to be compared with marks."""

    def __init__(self, document: Document, changed: Places) -> None:
        self._text = document.text
        self.changed = sorted(set(changed))
        letters = np.fromiter(map(str.isalnum, self._text), dtype=bool, count=len(self._text))
        self._letters = _sums(letters)
        self._hidden = Cover(len(self._text), self.changed, letters)
        words = [number for number, word in enumerate(document.words) if any(map(str.isalnum, word))]
        self.tokens = np.stack([document.token_starts[words], document.token_ends[words]], axis=1).reshape(-1, 2)
        self._token_letters = self._letters[self.tokens[:, 1]] - self._letters[self.tokens[:, 0]]
        self._hidden_tokens = 2 * self._hidden.counts(self.tokens) >= self._token_letters

    def is_hidden(self, start: int, end: int) -> bool:
        """Whether at least half of the letters and digits of a part lie in changes; of one without any, half of its signs."""
        letters = int(self._letters[end] - self._letters[start])
        if not letters:
            return 2 * self._hidden.length(start, end) >= end - start
        return 2 * self._hidden.count(start, end) >= letters

    def tokens_in(self, places: Places) -> NDArray[np.bool_]:
        """For each word whether at least half of its letters lie in some parts of the text."""
        cover = Cover(len(self._text), places, None)
        return np.asarray(2 * cover.counts(self.tokens) >= self.tokens[:, 1] - self.tokens[:, 0])

    def scores(self, marked: Places, aside: Places = (), only: Sequence[Place] | None = None) -> Scores:
        """Against what was marked. Changes and words that lie in what is set `aside` alone do not count.

        Where `only` is given, changes that touch no mark count as wrong if they are among those.
        """
        wanted = sorted(set(marked))
        right_ones, others = Cover(len(self._text), wanted, None), Cover(len(self._text), aside, None)
        blamed = None if only is None else set(only)
        right: list[Place] = []
        wrong: list[Place] = []
        for start, end in self.changed:
            if right_ones.length(start, end):
                right.append((start, end))
            elif not others.length(start, end) and (blamed is None or (start, end) in blamed):
                wrong.append((start, end))
        found = [span for span in wanted if self.is_hidden(*span)]
        spans = Counts(len(found), len(wanted) - len(found), len(right), len(wrong))
        return Scores(spans, self._tokens(wanted, aside, None if only is None else wrong), self._terms(wanted, right, wrong))

    def _tokens(self, wanted: Sequence[Place], aside: Places, only_wrong: Sequence[Place] | None) -> Counts:
        gold, others = self.tokens_in(wanted), self.tokens_in(aside)
        hidden = self._hidden_tokens
        wrong = hidden & ~gold & ~others
        if only_wrong is not None:
            wrong &= self.tokens_in(only_wrong)
        found = int((gold & hidden).sum())
        return Counts(found, int(gold.sum()) - found, found, int(wrong.sum()))

    def _terms(self, wanted: Sequence[Place], right: Sequence[Place], wrong: Sequence[Place]) -> Counts:
        occurrences: dict[str, list[bool]] = {}
        for start, end in wanted:
            occurrences.setdefault(self._key(start, end), []).append(self.is_hidden(start, end))
        found = sum(2 * sum(hidden) >= len(hidden) for hidden in occurrences.values())
        good = {self._key(*span) for span in right}
        return Counts(found, len(occurrences) - found, len(good), len({self._key(*span) for span in wrong} - good))

    def _key(self, start: int, end: int) -> str:
        words = self._text[start:end]
        return names.key(words) or words


class Cover:
    """Which characters of a text lie in some parts of it; with `among`, only those."""

    def __init__(self, size: int, places: Places, among: NDArray[np.bool_] | None) -> None:
        steps = np.zeros(size + 1, dtype=np.int64)
        for start, end in places:
            steps[start] += 1
            steps[end] -= 1
        inside = np.cumsum(steps[:-1]) > 0
        self._inside = _sums(inside)
        self._among = self._inside if among is None else _sums(inside & among)

    def length(self, start: int, end: int) -> int:
        """How many characters of a part lie inside."""
        return int(self._inside[end] - self._inside[start])

    def count(self, start: int, end: int) -> int:
        """The same, only of those that count."""
        return int(self._among[end] - self._among[start])

    def counts(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """`count` for many parts."""
        return np.asarray(self._among[places[:, 1]] - self._among[places[:, 0]])


def _sums(flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(flags, dtype=np.int64)])
