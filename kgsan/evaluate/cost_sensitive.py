"""The usual answer to unequal costs: one classifier that marks more readily, and no second round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kgsan.lazy import cached_property
from kgsan.sanitize.greedy.learners import CRF, SVM, Ensemble
from kgsan.sanitize.greedy.prediction import Nothing, Prediction
from kgsan.sanitize.greedy.svm import learn_machine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Instances
    from kgsan.sanitize.greedy.greedy import Costs
    from kgsan.sanitize.greedy.learners import Lessons


class CostSensitive:
    """The baselines on one fold: they learn from the lessons' sentences and mark in others."""

    def __init__(self, lessons: Lessons, where: NDArray[np.bool_]) -> None:
        self.lessons, self.where = lessons, where

    @cached_property
    def _told(self) -> Prediction:
        return self.lessons.field.predict(self.lessons.instances, self.where)

    def marked(self, kind: str, costs: Costs) -> NDArray[np.bool_]:
        """What a learner of a kind marks when a leak costs more than a needless mark.

        The field marks from the probability on at which leaving costs as much as marking, the machine weighs its examples
        by their costs, and the ensemble does both.
        """
        instances, first = self.lessons.instances, self.lessons.field
        weights = (costs.leak, costs.overhiding)
        if isinstance(first, Nothing):
            return self._told.marked
        if kind == SVM:
            machine = learn_machine(instances, self.lessons.where, self.lessons.seed, weights)
            return machine.predict(instances, self.where).marked
        told = _readily(self._told, instances, costs)
        if kind == CRF:
            return told.marked
        made = self.lessons.behind(first, _readily(self.lessons.field_held_out, instances, costs), weights)
        if isinstance(made, Ensemble):
            return made.machine.predict(instances, self.where, told.marked).marked
        return told.marked if made is first else np.zeros(len(self.where), dtype=bool)


def _readily(told: Prediction, instances: Instances, costs: Costs) -> Prediction:
    least = costs.overhiding / (costs.leak + costs.overhiding)
    return Prediction((told.scores >= least) & ~instances.hidden, told.scores)
