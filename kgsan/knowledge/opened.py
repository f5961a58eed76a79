"""A knowledge file, opened: one that does not fit together is an error and never a count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import KnowledgeError, Place, Problem
from kgsan.knowledge.build import KIND, VERSION
from kgsan.knowledge.postings import decode, starts
from kgsan.ontology.arrays import ArrayFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

#: Contexts are numbered in 32 bits.
_MOST_CONTEXTS = 1 << 32


def open_counts(path: Path) -> ArrayFile:
    """The arrays of a file that `kgsan knowledge build` made."""
    return ArrayFile.open(path, KIND, VERSION, fits=_fits, holds=_holds)


def _fits(about: object, columns: Mapping[str, tuple[str, int]]) -> bool:
    """Whether all columns are there, as long as the head tells."""
    if not isinstance(about, dict) or type(about.get("contexts")) is not int or not 0 <= about["contexts"] < _MOST_CONTEXTS:
        return False
    names = about.get("names")
    told = [columns.get("keys"), columns.get("counts"), columns.get("postings", ("", 0))[0]]
    return isinstance(about.get("sources", []), list) and type(names) is int and told == [("<u8", names), ("<u4", names), "|u1"]


def _holds(file: ArrayFile, name: str, array: NDArray[Any]) -> bool:
    if name == "keys":
        return bool((array[1:] > array[:-1]).all())
    return name != "counts" or not len(array) or bool(array.min() > 0 and array.max() <= file.about["contexts"])


def begins_of(file: ArrayFile) -> NDArray[np.int64]:
    """Where the contexts of each name begin and, last, where the last ones end."""
    begins = starts(file["counts"].astype(np.int64), int(file.about["contexts"]))
    if int(begins[-1]) != len(file["postings"]):
        raise _disagrees(file)
    return begins


def contexts_of(file: ArrayFile, begins: NDArray[np.int64], row: int) -> NDArray[np.int64]:
    """The contexts of a name, in order."""
    begin, end = begins[row : row + 2].tolist()
    contexts = int(file.about["contexts"])
    try:
        found = decode(file["postings"][begin:end], int(file["counts"][row]), contexts)
    except ValueError:
        raise _disagrees(file) from None
    if found[-1] >= contexts or not (found[1:] > found[:-1]).all():
        raise _disagrees(file)
    return found


def _disagrees(file: ArrayFile) -> KnowledgeError:
    return KnowledgeError(Problem("K111", Place(file.name), "The knowledge file does not agree with itself."))
