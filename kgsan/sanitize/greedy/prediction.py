"""What a classifier says of tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Instances


@dataclass(frozen=True, slots=True)
class Prediction:
    """Which tokens are marked as sensitive, and how sure that is: a higher score comes first."""

    marked: NDArray[np.bool_] = field(repr=False)
    scores: NDArray[np.float64] = field(repr=False)


class Classifier(Protocol):
    """Anything that marks tokens; what is hidden already it never marks."""

    def predict(self, instances: Instances, where: NDArray[np.bool_]) -> Prediction:
        """What is told of the sentences that are asked for; nothing is marked elsewhere."""
        ...


@dataclass(frozen=True, slots=True)
class Nothing:
    """The classifier that marks nothing: all that can be learned from one class."""

    def predict(self, instances: Instances, where: NDArray[np.bool_]) -> Prediction:
        """No mark at all."""
        return Prediction(np.zeros(len(where), dtype=bool), np.zeros(len(where)))
