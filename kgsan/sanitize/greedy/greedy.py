"""GreedySanitize: classifiers are added as long as hiding what one more of them marks is cheaper than leaving it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from kgsan.sanitize.greedy.learners import Lessons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Instances
    from kgsan.sanitize.greedy.learners import Learned
    from kgsan.sanitize.greedy.prediction import Classifier

    Learner = Callable[[Instances], Learned]

#: What decides whether a classifier is worth adding: its marks in what it did not learn from, or, as published, in what it did.
CountOn = Literal["held_out", "training"]
COUNT_ON: tuple[CountOn, ...] = ("held_out", "training")


@dataclass(frozen=True, slots=True)
class Costs:
    """What a leaked token costs the publisher (L in the paper), and a token hidden needlessly (C)."""

    leak: float = 10.0
    overhiding: float = 1.0

    def change(self, true_positives: int, false_positives: int) -> Fraction:
        """How the publisher's loss changes when so much more is hidden; exact, so that a tie is a tie.

        >>> Costs(10, 1).change(true_positives=1, false_positives=10)
        Fraction(0, 1)
        """
        return Fraction(self.overhiding) * false_positives - Fraction(self.leak) * true_positives


@dataclass(frozen=True, slots=True)
class Round:
    """One classifier and what it finds in what the rounds before have left."""

    kind: str
    classifier: Classifier
    true_positives: int
    false_positives: int
    left: Instances = field(repr=False)  #: what is published if this classifier is not added


def publisher_loss(costs: Costs, instances: Instances, where: NDArray[np.bool_]) -> Fraction:
    """T(H) = L·FN(H) + C·FP(H): what leaks and what is hidden needlessly."""
    leaks = int((instances.sensitive & ~instances.hidden & where).sum())
    needless = int((instances.hidden & ~instances.sensitive & where).sum())
    return Fraction(costs.leak) * leaks + Fraction(costs.overhiding) * needless


def rounds(instances: Instances, learner: Learner, where: NDArray[np.bool_], count_on: CountOn = "held_out") -> Iterator[Round]:
    """Classifiers, each learned from what those before it left, until one finds nothing more.

    Costs decide only where to stop, so one row of rounds serves all of them.
    """
    left = instances
    while True:
        learned = learner(left)
        told = learned.held_out if count_on == "held_out" else learned.classifier.predict(left, where)
        marked = told.marked & where & ~left.hidden
        found = int((marked & left.sensitive).sum())
        yield Round(learned.kind, learned.classifier, found, int(marked.sum()) - found, left)
        if not found:
            return
        left = left.hiding(marked)


def worth_adding(costs: Costs, found: Iterable[Round]) -> Iterator[Round]:
    """The rounds before the first that would not make the publisher's loss smaller."""
    for one in found:
        if costs.change(one.true_positives, one.false_positives) >= 0:
            return
        yield one


def learned_rounds(kind: str, first: Lessons, count_on: CountOn = "held_out") -> Iterator[Round]:
    """The rounds of one kind of learner; the first one's lessons may serve other kinds as well."""

    def learner(left: Instances) -> Learned:
        lessons = first if left is first.instances else Lessons(left, first.where, first.seed)
        return lessons.learned(kind)

    return rounds(first.instances, learner, first.where, count_on)


def apply(classifiers: Sequence[Classifier], instances: Instances, where: NDArray[np.bool_]) -> Instances:
    """The instances with everything hidden that one of the classifiers marks, each seeing what those before it hid."""
    for classifier in classifiers:
        instances = instances.hiding(classifier.predict(instances, where).marked)
    return instances
