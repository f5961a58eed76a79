"""An attacker who learns from what was published, and looks at what seems sensitive first."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kgsan.sanitize.greedy.learners import SINGLE, Lessons, accuracy, folds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Instances
    from kgsan.sanitize.greedy.prediction import Classifier

#: One part of so many is kept to choose between learners.
_QUARTERS = 4


@dataclass(frozen=True, slots=True)
class Attack:
    """What an attacker marks in published text, and at which of its tries it finds something when it tries the surest first."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    finds: tuple[int, ...] = field(default=(), repr=False)

    @property
    def published(self) -> int:
        """How many tokens there are to look at."""
        return self.true_positives + self.false_positives + self.false_negatives + self.true_negatives

    @property
    def leaked(self) -> int:
        """How many of them are sensitive."""
        return self.true_positives + self.false_negatives

    def expected(self, budget: float) -> float:
        """How many sensitive tokens so many tries find: marked ones first, in any order among themselves.

        >>> Attack(2, 2, 3, 13).expected(4), Attack(2, 2, 3, 13).expected(20)
        (2.0, 5.0)
        """
        marked = self.true_positives + self.false_positives
        if budget <= marked:
            return budget * self.true_positives / marked if marked else 0.0
        rest = self.false_negatives + self.true_negatives
        return self.true_positives + (min(budget, self.published) - marked) * self.false_negatives / rest if rest else self.leaked

    def by_score(self, budget: float) -> int:
        """How many the same tries find when the surest come first: the stronger attacker."""
        return bisect_right(self.finds, budget)

    def at_random(self, budget: float) -> float:
        """How many so many tries find without any learning."""
        return min(budget, self.published) * self.leaked / self.published if self.published else 0.0


def attacked(classifier: Classifier, published: Instances, where: NDArray[np.bool_]) -> Attack:
    """What a classifier finds in the published tokens of some documents."""
    told = classifier.predict(published, where)
    counted = np.flatnonzero(where & ~published.hidden)
    marked, sensitive = told.marked[counted], published.sensitive[counted]
    order = np.lexsort((-told.scores[counted], ~marked))
    finds = np.flatnonzero(sensitive[order]) + 1
    return Attack(
        int((marked & sensitive).sum()),
        int((marked & ~sensitive).sum()),
        int((~marked & sensitive).sum()),
        int((~marked & ~sensitive).sum()),
        tuple(finds.tolist()),
    )


def best_attacker(published: Instances, where: NDArray[np.bool_], seed: int) -> Classifier:
    """The learner that is most accurate on a quarter of the published documents, learned from all of them."""
    quarters = folds_of(published.tokens, where, _QUARTERS, seed + 1)
    inside = quarters == 0
    lessons = Lessons(published, where & ~inside, seed)
    told = {kind: lessons.classifier(kind).predict(published, inside).marked for kind in SINGLE}
    best = max(SINGLE, key=lambda kind: accuracy(told[kind], published, inside))
    return Lessons(published, where, seed).classifier(best)
