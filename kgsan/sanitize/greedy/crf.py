"""A conditional random field that tells sensitive tokens by themselves, their neighbours and what was told of the neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from kgsan.sanitize.greedy.prediction import Prediction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Instances

_SETTINGS = {"c1": 0.1, "c2": 0.1, "max_iterations": 100}
_SENSITIVE, _OTHER, _HIDDEN = "sensitive", "other", "hidden"


@dataclass(frozen=True, slots=True)
class Field:
    """A learned field, as the bytes of its model."""

    content: bytes = field(repr=False)

    def predict(self, instances: Instances, where: NDArray[np.bool_]) -> Prediction:
        """The likeliest classes of whole sentences; the score of a token is its own probability to be sensitive."""
        import pycrfsuite

        marked, scores = np.zeros(len(where), dtype=bool), np.zeros(len(where))
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(self.content)
        for first, last in _sentences(instances, where):
            if instances.hidden[first:last].all():
                continue
            told = tagger.tag(instances.items(first, last))
            marked[first:last] = [label == _SENSITIVE for label in told]
            scores[first:last] = [tagger.marginal(_SENSITIVE, place) for place in range(last - first)]
        open_ones = ~instances.hidden
        return Prediction(marked & open_ones, np.where(open_ones, scores, 0.0))


def learn_field(instances: Instances, where: NDArray[np.bool_]) -> Field:
    """A field learned from the sentences that are asked for; both classes must occur in them.

    What is hidden has a class of its own, so that it is seen in its place but is an example of neither.
    """
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=_SETTINGS, verbose=False)
    classes = np.where(instances.hidden, _HIDDEN, np.where(instances.sensitive, _SENSITIVE, _OTHER)).tolist()
    for first, last in _sentences(instances, where):
        if not instances.hidden[first:last].all():
            trainer.append(instances.items(first, last), classes[first:last])
    with TemporaryDirectory() as folder:  # the library writes to a file only; nobody else may look into it
        path = Path(folder) / "field"
        trainer.train(str(path))
        return Field(path.read_bytes())


def _sentences(instances: Instances, where: NDArray[np.bool_]) -> list[tuple[int, int]]:
    bounds = instances.tokens.sequences
    chosen = np.flatnonzero(where[bounds[:-1]]) if len(where) else np.zeros(0, dtype=np.int64)
    return list(zip(bounds[chosen].tolist(), bounds[chosen + 1].tolist(), strict=True))
