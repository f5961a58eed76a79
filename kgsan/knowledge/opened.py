"""A knowledge file, opened: one that does not fit together is an error and never a count."""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import KnowledgeError, Place, Problem
from kgsan.knowledge.build import KIND, VERSION
from kgsan.knowledge.postings import decode, decode_few, decode_one, starts
from kgsan.ontology.arrays import ArrayFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

#: Contexts are numbered in 32 bits.
_MOST_CONTEXTS = 1 << 32
#: A list of so many numbers is short.
_FEW = 50
#: About so many bytes of contexts are read at a time.
_PORTION = 1 << 17


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


def contexts_of(file: ArrayFile, begins: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The contexts of names, in order, those of one name after those of another."""
    counts, contexts = file["counts"][rows].astype(np.int64), int(file.about["contexts"])
    data = [file["postings"][begin:end] for begin, end in zip(begins[rows].tolist(), begins[rows + 1].tolist(), strict=True)]
    try:
        found = decode(np.concatenate([np.zeros(0, np.uint8), *data]), counts, contexts)
    except ValueError:
        raise _disagrees(file) from None
    rises = found[1:] > found[:-1]
    rises[np.cumsum(counts)[:-1] - 1] = True  # another name begins
    if not rises.all() or (found >= contexts).any():
        raise _disagrees(file)
    return found


def contexts_of_one(file: ArrayFile, begins: NDArray[np.int64], row: int) -> array[int]:
    """The contexts of one name, in order."""
    count, contexts = int(file["counts"][row]), int(file.about["contexts"])
    begin, end = begins[row : row + 2].tolist()
    data = file["postings"][begin:end]
    try:
        if count <= _FEW:
            few = decode_few(data.tobytes(), count, contexts)
            found, rises = array("I", few), all(a < b for a, b in pairwise(few))
        else:
            many = decode_one(data, count, contexts)
            found, rises = array("I", many.astype(np.uint32).tobytes()), bool((many[1:] > many[:-1]).all())
    except (ValueError, OverflowError):
        raise _disagrees(file) from None
    if found[-1] >= contexts or not rises:
        raise _disagrees(file)
    return found


def in_portions(begins: NDArray[np.int64], rows: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Names, so many at a time that their contexts take little room."""
    before = np.cumsum(begins[rows + 1] - begins[rows]) // _PORTION
    yield from (portion for portion in np.split(rows, np.flatnonzero(np.diff(before)) + 1) if len(portion))


def _disagrees(file: ArrayFile) -> KnowledgeError:
    return KnowledgeError(Problem("K111", Place(file.name), "The knowledge file does not agree with itself."))
