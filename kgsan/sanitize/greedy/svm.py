"""A linear support vector machine that reads from left to right and remembers what it said of the last two tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from kgsan.lazy import cached_property
from kgsan.sanitize.greedy.features import OFFSETS
from kgsan.sanitize.greedy.prediction import Prediction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Forms, Instances

#: What is remembered: the last token was sensitive, the one before it was, both were.
HISTORY = 3


@dataclass(frozen=True)
class Machine:
    """A learned machine: the weight of everything that can be seen at every place, and of what was said before."""

    atoms: tuple[str, ...] = field(repr=False)
    weights: NDArray[np.float64] = field(repr=False)  #: a row for each of `OFFSETS`, a column for each atom
    history: NDArray[np.float64] = field(repr=False)
    intercept: float = field(repr=False)

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {atom: column for column, atom in enumerate(self.atoms)}

    def predict(self, instances: Instances, where: NDArray[np.bool_], candidates: NDArray[np.bool_] | None = None) -> Prediction:
        """What is said of each token in turn. Where there are candidates, only they can be marked."""
        by_form = _seen(instances.tokens.forms, self._columns) @ self.weights.T
        still = np.full(len(where), self.intercept)
        for column in range(len(OFFSETS)):
            still += by_form[instances.around[:, column], column]
        possible = where & ~instances.hidden if candidates is None else where & ~instances.hidden & candidates
        begins = np.zeros(len(where) + 1, dtype=bool)
        begins[instances.tokens.sequences] = True
        last, one_before, both = self.history.tolist()
        marks, scores = [], []
        first = second = False
        for score, open_one, begin in zip(still.tolist(), possible.tolist(), begins[:-1].tolist(), strict=True):
            if begin:
                first = second = False
            scores.append(score + last * first + one_before * second + both * (first and second))
            first, second = open_one and scores[-1] > 0, first
            marks.append(first)
        return Prediction(np.asarray(marks, dtype=bool), np.where(possible, np.asarray(scores), -np.inf))


def learn_machine(
    instances: Instances, rows: NDArray[np.bool_], seed: int, weights: tuple[float, float] | None = None
) -> Machine:
    """A machine learned from the tokens that are asked for; both classes must occur among them.

    `weights` are what a sensitive token and another count, as a ratio: all of them together count as much as without.
    """
    from sklearn.svm import LinearSVC
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    chosen = np.flatnonzero(rows & ~instances.hidden)
    forms, around = instances.tokens.forms, instances.around[chosen]
    atoms = tuple(sorted({atom for form in np.unique(around).tolist() for atom in forms.atoms[form]}))
    seen = _seen(forms, {atom: column for column, atom in enumerate(atoms)})
    parts = [seen[around[:, column]] for column in range(len(OFFSETS))]
    table = sparse.hstack([*parts, sparse.csr_matrix(_history(instances)[chosen])], format="csr")
    classes = instances.sensitive[chosen]
    classes_weight = None if weights is None else _evened(weights, classes)
    machine = LinearSVC(
        C=1.0, loss="squared_hinge", dual=True, tol=1e-3, max_iter=20_000, class_weight=classes_weight, random_state=seed
    )
    with threadpool_limits(1):  # vectors are short: threads would wait for each other longer than they work
        machine.fit(table, classes)
    found = machine.coef_[0]
    size = len(OFFSETS) * len(atoms)
    return Machine(atoms, found[:size].reshape(len(OFFSETS), len(atoms)), found[size:], float(machine.intercept_[0]))


def _evened(weights: tuple[float, float], classes: NDArray[np.bool_]) -> dict[bool, float]:
    share = float(classes.mean())
    whole = weights[0] * share + weights[1] * (1 - share)
    return {True: weights[0] / whole, False: weights[1] / whole}


def _seen(forms: Forms, columns: dict[str, int]) -> sparse.csr_matrix:
    """A row for each form, with a one for everything known that is seen of it."""
    found = [[columns[atom] for atom in atoms if atom in columns] for atoms in forms.atoms]
    bounds = np.cumsum([0, *map(len, found)])
    flat: Sequence[int] = [column for row in found for column in row]
    return sparse.csr_matrix((np.ones(len(flat)), flat, bounds), shape=(len(found), len(columns)))


def _history(instances: Instances) -> NDArray[np.float64]:
    """The true classes of the two tokens before each, in its sentence; what is hidden has none."""
    tokens = instances.tokens
    classes = instances.sensitive & ~instances.hidden
    places = np.arange(len(tokens))
    firsts = tokens.sequences[:-1][tokens.sequence_of]
    last = np.where(places - 1 >= firsts, classes[places - 1], False)
    one_before = np.where(places - 2 >= firsts, classes[places - 2], False)
    made: NDArray[np.float64] = np.stack([last, one_before, last & one_before], axis=1).astype(np.float64)
    assert made.shape[1] == HISTORY
    return made
