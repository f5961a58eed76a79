"""The learners that a publisher and an attacker can choose from: a field, a machine, one behind the other, the best of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kgsan.lazy import cached_property
from kgsan.sanitize.greedy.crf import Field, learn_field
from kgsan.sanitize.greedy.prediction import Nothing, Prediction
from kgsan.sanitize.greedy.svm import Machine, learn_machine

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Instances, Tokens
    from kgsan.sanitize.greedy.prediction import Classifier

CRF, ENSEMBLE, SVM, SELECTION = "crf", "ensemble", "svm", "selection"
#: The single learners; of two that are as accurate the first is taken.
SINGLE = (CRF, ENSEMBLE, SVM)
LEARNERS = (SELECTION, *SINGLE)
#: So many parts take turns in being held out.
FOLDS = 3


@dataclass(frozen=True, slots=True)
class Ensemble:
    """A field, and a machine behind it that drops what the field marks wrongly."""

    field: Field
    machine: Machine

    def predict(self, instances: Instances, where: NDArray[np.bool_]) -> Prediction:
        """What both mark; those come first, then the rest as the field orders it."""
        return dropped(self.field.predict(instances, where), self.machine, instances, where)


@dataclass(frozen=True, slots=True)
class Learned:
    """A classifier, and what classifiers learned like it say of the same instances when those are held out."""

    kind: str
    classifier: Classifier
    held_out: Prediction = field(repr=False)


def folds_of(tokens: Tokens, where: NDArray[np.bool_], count: int, seed: int) -> NDArray[np.int64]:
    """A part for every token that is asked for, dealt by document, or by sentence where there are too few documents; else -1."""
    unit = tokens.document_of if len(np.unique(tokens.document_of[where])) >= count else tokens.sequence_of
    units = np.unique(unit[where])
    dealt = np.empty(int(unit.max(initial=0)) + 1, dtype=np.int64)
    dealt[np.random.default_rng(seed).permutation(units)] = np.arange(len(units)) % count
    return np.where(where, dealt[unit], -1)


def accuracy(marked: NDArray[np.bool_], instances: Instances, where: NDArray[np.bool_]) -> float:
    """The share of the instances of which the truth is told."""
    counted = where & ~instances.hidden
    return float((marked == instances.sensitive)[counted].mean()) if counted.any() else 1.0


class Lessons:
    """What the learners share on the same data: the parts that are held out, the field, and its answers to those parts."""

    def __init__(self, instances: Instances, where: NDArray[np.bool_], seed: int) -> None:
        self.instances, self.where, self.seed = instances, where, seed
        self._held_out: dict[str, Prediction] = {}

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """The part of every token; each is held out once."""
        return folds_of(self.instances.tokens, self.where, FOLDS, self.seed)

    def learned(self, kind: str) -> Learned:
        """A learner at work; of the selection, whichever is right most often when held out."""
        kinds = SINGLE if kind == SELECTION else (kind,)
        held_out = {kind: self.held_out(kind) for kind in kinds}
        best = max(kinds, key=lambda kind: accuracy(held_out[kind].marked, self.instances, self.where))
        return Learned(best, self.classifier(best), held_out[best])

    def held_out(self, kind: str) -> Prediction:
        """What classifiers of a kind say of the parts that they did not learn from."""
        if kind not in self._held_out:
            match kind:
                case "crf":
                    self._held_out[kind] = self.field_held_out
                case "ensemble":
                    self._held_out[kind] = self.thinned(self.field_held_out)
                case _:
                    self._held_out[kind] = self._each_held_out(self._machine)
        return self._held_out[kind]

    def classifier(self, kind: str) -> Classifier:
        """The classifier of a kind that learned from everything."""
        match kind:
            case "crf":
                return self.field
            case "ensemble":
                return self.field if isinstance(self.field, Nothing) else self.behind(self.field, self.field_held_out)
            case _:
                return self._machine(self.where)

    @cached_property
    def field(self) -> Field | Nothing:
        """The field that learned from everything."""
        return self._field(self.where)

    @cached_property
    def field_held_out(self) -> Prediction:
        """What fields say of the parts that they did not learn from."""
        return self._each_held_out(self._field)

    def behind(self, first: Field, marked: Prediction, weights: tuple[float, float] | None = None) -> Ensemble | Field | Nothing:
        """The field, and a machine that learned from what fields mark when held out; the field alone if that is all right."""
        right = self.instances.sensitive[marked.marked]
        if right.all():
            return first
        return Ensemble(first, learn_machine(self.instances, marked.marked, self.seed, weights)) if right.any() else Nothing()

    def thinned(self, first: Prediction) -> Prediction:
        """Held-out marks of fields, each part thinned by a machine that learned from the marks in the other parts.

        Those marks are by fields that saw the part, so that fields need not be learned inside of fields; the machine itself
        never sees a token of it.
        """
        marked, scores = np.zeros(len(self.where), dtype=bool), np.zeros(len(self.where))
        for part in range(FOLDS):
            inside = self.parts == part
            rows = first.marked & self.where & ~inside
            right = self.instances.sensitive[rows]
            if right.all():
                told = first
            elif not right.any():
                told = Nothing().predict(self.instances, inside)
            else:
                told = dropped(first, learn_machine(self.instances, rows, self.seed), self.instances, inside)
            marked |= told.marked & inside
            scores[inside] = told.scores[inside]
        return Prediction(marked, scores)

    def _field(self, where: NDArray[np.bool_]) -> Field | Nothing:
        return learn_field(self.instances, where) if self._holds_both(where) else Nothing()

    def _machine(self, where: NDArray[np.bool_]) -> Machine | Nothing:
        return learn_machine(self.instances, where, self.seed) if self._holds_both(where) else Nothing()

    def _holds_both(self, rows: NDArray[np.bool_]) -> bool:
        sensitive = self.instances.sensitive[rows & ~self.instances.hidden]
        return bool(sensitive.any() and not sensitive.all())

    def _each_held_out(self, learner: Callable[[NDArray[np.bool_]], Classifier]) -> Prediction:
        marked, scores = np.zeros(len(self.where), dtype=bool), np.zeros(len(self.where))
        for part in range(FOLDS):
            inside = self.parts == part
            told = learner(self.where & ~inside).predict(self.instances, inside)
            marked |= told.marked & inside
            scores[inside] = told.scores[inside]
        return Prediction(marked, scores)


def dropped(first: Prediction, machine: Machine, instances: Instances, where: NDArray[np.bool_]) -> Prediction:
    """What the machine lets stand of what the field marked."""
    second = machine.predict(instances, where, first.marked)
    return Prediction(second.marked, np.where(second.marked, 2.0 + np.tanh(second.scores), first.scores))
