"""How far several annotators mark the same: Cohen's kappa over words, and F of one against the other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from kgsan.evaluate.scores import Measure, harmonic
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.evaluate.marks import GoldDocument


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two annotators, over all words of the documents that both marked."""

    first: str
    second: str
    words: int
    both: int  #: words that both marked
    only_first: int
    only_second: int

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None when chance alone would make them agree, as when neither marks anything."""
        neither = self.words - self.both - self.only_first - self.only_second
        return kappa(self.both, self.only_first, self.only_second, neither)

    @property
    def f(self) -> float | None:
        """F of the words that they marked, the same whoever is taken for the gold; None when one marked nothing."""
        first, second = self.both + self.only_first, self.both + self.only_second
        return harmonic(self.both / first if first else None, self.both / second if second else None)


def kappa(both: int, only_first: int, only_second: int, neither: int) -> float | None:
    """Agreement beyond chance (Cohen 1960).

    >>> kappa(20, 5, 10, 15)
    0.4
    >>> kappa(0, 0, 0, 9) is None
    True
    """
    total = both + only_first + only_second + neither
    if not total:
        return None
    first, second = both + only_first, both + only_second
    by_chance = first * second + (total - first) * (total - second)
    if by_chance == total * total:
        return None
    return ((both + neither) * total - by_chance) / (total * total - by_chance)


def agreements(documents: Sequence[GoldDocument]) -> list[Agreement]:
    """Every two annotators, in the order in which they are first met."""
    counted: dict[tuple[str, str], list[int]] = {}
    for document in documents:
        if len(document.annotators) < 2:
            continue
        measure = Measure(Document(document.text), ())
        marked = {name: measure.tokens_in((s.start, s.end) for s in spans) for name, spans in document.annotators.items()}
        for first, second in combinations(marked, 2):
            pair, one, other = ((first, second), marked[first], marked[second])
            if (second, first) in counted:
                pair, one, other = (second, first), other, one
            row = counted.setdefault(pair, [0, 0, 0, 0])
            for at, number in enumerate((one.size, (one & other).sum(), (one & ~other).sum(), (other & ~one).sum())):
                row[at] += int(number)
    return [Agreement(*pair, *row) for pair, row in counted.items()]
