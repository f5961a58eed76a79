"""What lies above a concept, listed in the order of what it says, the most specific first.

A concept with one parent has the chain of that parent, and the parent before it: more general concepts say less, and all steps
up are longer by one. So what has children is listed itself, with its chain behind it, which is the chain of each child that
has no other parent; and where such a child is listed too, the first of them stands before its parent, in the same list.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.ontology.arrays import Strings
from kgsan.ontology.subtrees import numbers_within

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kgsan.ontology.arrays import ArrayFile

    Columns = Mapping[str, NDArray[Any]] | ArrayFile
    Ints = NDArray[np.int64]

#: Longer chains are walked when asked for. So are the longest where a concept would have more than so many numbers listed on
#: average, or more than so many to be looked at for that: at the size of SNOMED CT the lists are a tenth of the file.
_STEP_BITS = 8
_LONGEST = 2**_STEP_BITS - 1
_MOST_LISTED, _MOST_READ = 12, 64
_NUMBERS_AT_ONCE = 1 << 20


class Chains:
    """The generalizations of every concept, by number; what is stored is not copied."""

    __slots__ = ("_above", "_file", "_lists", "_places")

    def __init__(self, file: ArrayFile) -> None:
        self._file = file
        self._places, self._lists, self._above = map(file.view, ("chain_at", "chain", "above"))

    def numbers(self, number: int) -> Sequence[int]:
        """The generalizations of one concept: by information, then fewest steps up, then id."""
        place = self._places[number]
        return walked(self._file, number) if place < 0 else self._lists[place : place + self._above[number]]


def walked(file: ArrayFile, number: int) -> list[int]:
    """The generalizations of one concept in their order, found by going up."""
    steps = steps_up(file, number)
    leaves, above = file.view("leaves"), file.view("above")
    virtual = int(file.about["roots"] > 1)

    def order(i: int) -> tuple[float, int]:
        # The quotient decides Sánchez's order; unlike its logarithm it is the same on every machine.
        return leaves[i] / (above[i] + 1 + virtual), steps[i]

    orders = {i: order(i) for i in steps}
    if len(set(orders.values())) == len(orders):
        return sorted(steps, key=orders.__getitem__)
    ids = _ids(file)
    return sorted(steps, key=lambda i: (orders[i], ids[i]))


def steps_up(file: ArrayFile, number: int) -> dict[int, int]:
    """The generalizations of one concept in no order that matters, each with the fewest steps that lead to it."""
    steps = {number: 0}
    frontier = [number]
    distance = 0
    start, parents = file.view("parents_start"), file.view("parents")
    while frontier:
        distance += 1
        following = []
        for i in frontier:
            for parent in parents[start[i] : start[i + 1]]:
                if parent not in steps:
                    steps[parent] = distance
                    following.append(parent)
        frontier = following
    del steps[number]
    return steps


def places(columns: Columns) -> Ints:
    """For each concept where its chain begins among the lists; -1 if it is to be walked."""
    return _layout(columns).chain


def lists(columns: Columns) -> NDArray[np.int32]:
    """All lists one after the other."""
    layout = _layout(columns)
    numbers = np.zeros(layout.size, np.int32)
    numbers[layout.own[layout.heads]] = layout.heads
    for places, found in _chains(columns, layout, numbers):
        numbers[places] = found
    return numbers


def are_places(columns: Columns, numbers: NDArray[Any]) -> bool:
    """Whether chains begin there."""
    return _is_rising(columns) and np.array_equal(numbers, places(columns))


def are_lists(columns: Columns, numbers: NDArray[Any]) -> bool:
    """Whether these are the lists. Those of general concepts are compared first, since the others are made of them."""
    if not _is_rising(columns):
        return False
    layout = _layout(columns)
    if len(numbers) != layout.size or not np.array_equal(numbers[layout.own[layout.heads]], layout.heads):
        return False
    return all(np.array_equal(numbers[places], found) for places, found in _chains(columns, layout, numbers))


def _is_rising(columns: Columns) -> bool:
    """Whether parents have less above them and no fewer leaves, as they must: then a way up ends, and says ever less."""
    parents, above, leaves = columns["parents"], columns["above"], columns["leaves"]
    degree = np.diff(columns["parents_start"])
    child = np.repeat(np.arange(len(above)), degree)
    only = degree[child] == 1
    more = above[child].astype(np.int64) - above[parents]
    fewer = np.maximum(leaves[child], 1) > leaves[parents]
    return bool((more > 0).all() and (more[only] == 1).all() and not above[degree == 0].any() and not fewer.any())


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where everything is listed."""

    size: int  #: of all lists
    heads: Ints  #: the concepts that stand before their chain
    own: Ints  #: where they stand; for others that have a list, where it begins
    after: Ints  #: how many stand before a concept in the same list
    chain: Ints  #: where the chain of each concept begins; -1 if it is to be walked
    copied: Ints  #: the concepts that repeat the list of their only parent
    joined: Ints  #: the concepts whose chain is made of those of several parents
    read: Ints  #: how many numbers are looked at for the chain of either


def _layout(columns: Columns) -> _Layout:
    start, parents, above = (columns[name].astype(np.int64) for name in ("parents_start", "parents", "above"))
    count = len(above)
    degree = np.diff(start)
    first_parent = np.append(parents, 0)[np.minimum(start[:-1], len(parents))]
    is_general = np.zeros(count, bool)
    is_general[parents] = True
    only_children = np.flatnonzero(is_general & (degree == 1))
    heired, which = np.unique(first_parent[only_children], return_index=True)
    heir = np.full(count, -1)
    heir[heired] = only_children[which]  # the first of them
    is_heir = np.zeros(count, bool)
    is_heir[only_children[which]] = True

    length = np.where(is_general, above + 1, np.where(degree > 1, above, 0))
    read = np.diff(np.append(0, np.cumsum(above[parents] + 1))[start])
    limit = min(
        _limit(above, np.where(is_heir, 1, length), _MOST_LISTED * count),
        _limit(above, np.where((length > 0) & ~is_heir, read, 0), _MOST_READ * count),
    )
    is_listed = above <= limit
    has_heir = (heir >= 0) & (above < limit)
    lengths = np.where(is_listed & ~has_heir, length, 0)
    last, after = _descend(np.where(has_heir, heir, np.arange(count)))
    own = (np.cumsum(lengths) - lengths)[last] + after
    chain = np.where(is_general, own + 1, np.where(degree == 1, own[first_parent], np.where(degree > 1, own, 0)))
    return _Layout(
        size=int(lengths.sum()),
        heads=np.flatnonzero(is_general & is_listed),
        own=own,
        after=after,
        chain=np.where(is_listed, chain, -1),
        copied=np.flatnonzero(is_general & is_listed & (degree == 1) & ~is_heir),
        joined=np.flatnonzero(is_listed & (degree > 1)),
        read=read,
    )


def _limit(above: Ints, costs: Ints, most: int) -> int:
    """How long the longest chains may be for which all chains of this length, and the shorter ones, cost no more than this."""
    totals = np.cumsum(np.bincount(np.minimum(above, _LONGEST + 1), weights=costs, minlength=_LONGEST + 2)[:-1])
    return int(np.searchsorted(totals, most, side="right")) - 1


def _descend(below: Ints) -> tuple[Ints, Ints]:
    """Where a way down ends, and after how many steps; the end leads to itself."""
    steps = (below != np.arange(len(below))).astype(np.int64)
    while True:
        further = below[below]
        if np.array_equal(further, below):
            return below, steps
        steps = steps + steps[below]
        below = further


def _chains(columns: Columns, layout: _Layout, numbers: NDArray[Any]) -> Iterator[tuple[Ints, Ints]]:
    """The chains that are no part of another, the shorter ones first: the places in the lists, and the numbers there.

    They are made of shorter ones, which are looked up in the lists; what is given must be there before the next is asked for.
    """
    start, parents, above = (columns[name].astype(np.int64) for name in ("parents_start", "parents", "above"))
    merged = _Merged(columns, layout.heads)
    # How many steps a concept is above the first one in its list.
    steps = np.zeros(layout.size, np.int16)
    steps[layout.own[layout.heads]] = layout.after[layout.heads]
    todo = np.append(layout.copied, layout.joined)
    is_joined = np.arange(len(todo)) >= len(layout.copied)
    order = np.argsort(above[todo], kind="stable")
    todo, is_joined = todo[order], is_joined[order]
    for at_once in _runs(above[todo] * 2 + is_joined):  # those of the same length do not need each other
        for some in _pieces(todo[at_once], layout.read):
            via = parents[numbers_within(start[some], start[some + 1])]
            from_places = numbers_within(layout.own[via], layout.chain[via] + above[via])
            found = numbers[from_places]
            distance = steps[from_places].astype(np.int64) - np.repeat(layout.after[via] - 1, above[via] + 1)
            if is_joined[at_once.start]:
                owner = np.repeat(np.arange(len(some)), layout.read[some])
                owner, found, distance = merged(owner, found, distance)
                if not np.array_equal(np.bincount(owner, minlength=len(some)), above[some]):
                    yield np.zeros(1, np.int64), np.zeros(0, np.int64)  # these cannot be the lists
                    return
            to_places = numbers_within(layout.chain[some], layout.chain[some] + above[some])
            steps[to_places] = distance + np.repeat(layout.after[some], above[some])
            yield to_places, found


def _runs(values: Ints) -> Iterator[slice]:
    """The parts of a column within which nothing changes."""
    breaks = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    return (slice(first, last) for first, last in pairwise(breaks) if first < last)


def _pieces(concepts: Ints, read: Ints) -> list[Ints]:
    """The concepts in parts for which not too many numbers are looked at."""
    return np.split(concepts, np.flatnonzero(np.diff(np.cumsum(read[concepts]) // _NUMBERS_AT_ONCE)) + 1)


class _Merged:
    """Chains of several parents as one: every concept once, by information, then fewest steps up, then id."""

    def __init__(self, columns: Columns, concepts: Ints) -> None:
        is_under_one_root = np.count_nonzero(np.diff(columns["parents_start"]) == 0) <= 1
        self._ids = _ids(columns)
        self._quotient = columns["leaves"] / (columns["above"].astype(np.int64) + (1 if is_under_one_root else 2))
        self._sorted = concepts[np.argsort(self._quotient[concepts], kind="stable")]
        self._rank = np.zeros(len(self._quotient), np.int64)
        self._rank[self._sorted] = np.arange(len(concepts))
        self._bits = len(concepts).bit_length()

    def __call__(self, owner: Ints, numbers: Ints, steps: Ints) -> tuple[Ints, Ints, Ints]:
        """For concepts that each belong to an owner and are so many steps above it."""
        keys = ((owner << self._bits | self._rank[numbers]) << _STEP_BITS) | steps
        keys.sort()
        of = keys >> _STEP_BITS
        is_nearest = np.diff(of, prepend=-1) > 0
        keys, of = keys[is_nearest], of[is_nearest]
        owner, steps = of >> self._bits, keys & (2**_STEP_BITS - 1)
        numbers = self._sorted[of & (2**self._bits - 1)]
        says = self._quotient[numbers]
        is_same = np.zeros(len(numbers) + 1, bool)  # as the one before
        is_same[1:-1] = (says[1:] == says[:-1]) & (owner[1:] == owner[:-1])
        equals = np.flatnonzero(is_same[:-1] | is_same[1:])
        if len(equals):
            group = np.cumsum(~is_same)[equals] << _STEP_BITS | steps[equals]
            order = np.lexsort((self._by_id(group, numbers[equals]), group))
            numbers[equals], steps[equals] = numbers[equals][order], steps[equals][order]
        return owner, numbers, steps

    def _by_id(self, group: Ints, numbers: Ints) -> Ints:
        """What sorts the members of groups by their ids; texts are compared only where a group has several."""
        _, which, sizes = np.unique(group, return_inverse=True, return_counts=True)
        place = np.zeros(len(numbers), np.int64)
        several = sizes[which] > 1
        distinct, which = np.unique(numbers[several], return_inverse=True)
        texts = [self._ids[number] for number in distinct.tolist()]
        rank = np.empty(len(texts), np.int64)
        rank[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
        place[several] = rank[which]
        return place


def _ids(columns: Columns) -> Strings:
    return Strings(columns["ids"], columns["ids_at"], getattr(columns, "name", "memory"))
