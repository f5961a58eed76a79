"""What was seen of an ambiguous name itself: places where it stood in the sense of a concept, and places where it did not.

Of a name that was judged often enough either way, the step from the middle of the other places to the middle of those in the
sense is kept, one for each view of a place. A new place lies nearer to the one middle or to the other. Written by
`tools/train_senses.py`.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kgsan.ontology.arrays import ArrayFile, Strings, pack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kgsan.text.expected import Vector

KIND, VERSION = "remembered", 1
FILE = Path(__file__).with_name("remembered.arrays")
VIEWS = ("expected", "close", "sentence")
#: So often a name has to be judged either way.
LEAST = 3
#: Steps are kept in whole numbers, this many to the length of a place.
_WHOLE, _MOST = 256, 127


class Memory:
    """The names that were judged. Safe to share between threads."""

    def __init__(self, file: ArrayFile) -> None:
        names = Strings(file["names"], file["starts"])
        self._rows = {name: row for row, name in enumerate(names.slice(0, len(names)))}
        self._steps = file["steps"].reshape(len(names), len(VIEWS), len(file["steps"]) // max(1, len(names) * len(VIEWS)))
        self._halfway = file["halfway"].reshape(len(names), len(VIEWS))

    def __len__(self) -> int:
        return len(self._rows)

    def leaning(self, key: str, concept: str, views: Mapping[str, Vector]) -> dict[str, float]:
        """To which side of the middle a place lies, by each view; nothing of a name that is not remembered."""
        row = self._rows.get(_known_as(key, concept))
        if row is None:
            return {}
        found = {}
        for number, view in enumerate(VIEWS):
            # The sum is exact, so that every machine comes to the same.
            along = math.fsum((views[view] * self._steps[row, number]).tolist()) / _WHOLE
            found[f"remembered, {view}"] = round(along - float(self._halfway[row, number]), 6)
        return found


def remember(judged: Mapping[tuple[str, str], tuple[Sequence[NDArray[np.float64]], Sequence[NDArray[np.float64]]]]) -> ArrayFile:
    """What is kept of judged places: for a name and a concept those in the sense and the others, each view by view."""
    enough = {key: places for key, places in judged.items() if min(map(len, places)) >= LEAST}
    names, starts = pack(_known_as(*key) for key in sorted(enough))
    steps, halfway = [], []
    for key in sorted(enough):
        meant, other = (np.mean(places, axis=0) for places in enough[key])
        step = np.clip(np.rint((meant - other) * _WHOLE), -_MOST, _MOST)
        steps.append(step.astype(np.int8))
        halfway.append(np.rint(((meant + other) / 2 * step).sum(axis=1) / _WHOLE * 1e6) / 1e6)
    arrays = {"names": names, "starts": starts, "steps": np.array(steps).reshape(-1), "halfway": np.array(halfway).reshape(-1)}
    return ArrayFile(KIND, VERSION, {}, arrays)


def _known_as(key: str, concept: str) -> str:
    return f"{key}\t{concept}"


@cache
def memory() -> Memory:
    """What ships."""
    return Memory(ArrayFile.open(FILE, KIND, VERSION))
