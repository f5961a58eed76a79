"""The shape of a taxonomy: an order in which subtrees are intervals, and how much lies above and below each concept.

Concepts are numbered in preorder along one chosen parent each, so that what lies below a concept *along chosen parents*
is one interval. A concept with several parents is a *junction*; what a concept reaches through other parents is a few
more intervals, one per junction at most. Everything is computed for junctions only and spread from there, which is
linear where the graph is a tree, however deep, and never enumerates paths.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csc_array, csr_array
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Int32s = NDArray[np.int32]

#: More pairs of junction and ancestor than this are not held in memory (about a gigabyte with what is worked out from them).
MOST_PAIRS = 100_000_000
_PAIRS_AT_ONCE = 1 << 18
#: How many cut circles are described one by one.
_CYCLES_TOLD = 5


class TooEntangled(Exception):
    """The graph has more paths between junctions than fit in memory."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A taxonomy in preorder. `order[i]` is the old number of the concept that is now number i."""

    order: Ints
    end: Ints  #: concept i and what lies below it along chosen parents is i .. end[i]-1
    parents_start: Ints  #: parents of i: parents[parents_start[i]:parents_start[i+1]], the chosen one first
    parents: Ints
    extra_start: Ints  #: further intervals below i: numbers extra_start[i] .. extra_start[i+1]-1 of these:
    extra: Int32s  #: where each starts
    extra_end: Int32s  #: and ends
    below: Ints  #: number of specializations
    leaves: Ints  #: number of leaves among them; a leaf has none
    above: Ints  #: number of generalizations
    depth: Ints  #: concepts on the longest path from a root, the root being 1


def cut_cycles(count: int, child: Ints, parent: Ints) -> tuple[Ints, Ints, list[list[int]], int]:
    """Edges without circles: what remains, some circles (each from a concept up to itself), and how many edges went.

    The smallest numbers decide, and no concept loses a generalization outside its circle: a circle is entered from
    above where it can be, followed downwards, and the edge that closes it is dropped; the concept at its top then
    gets the parents that any member of the circle has outside of it.
    """
    loops = child == parent
    cycles = [[int(i), int(i)] for i in np.unique(child[loops])[:_CYCLES_TOLD]]
    dropped = int(loops.sum())
    child, parent = child[~loops], parent[~loops]
    components, label = connected_components(_matrix(child, parent, (count, count)), connection="strong")
    if components == count:
        return child, parent, cycles, dropped
    inside = label[child] == label[parent]
    down: dict[int, list[int]] = {}
    for c, p in sorted(zip(child[inside].tolist(), parent[inside].tolist(), strict=True)):
        down.setdefault(p, []).append(c)
    knotted = set(down)
    entered = sorted(knotted.intersection(child[~inside].tolist()))
    closing = _closing_edges([*entered, *sorted(knotted)], down, cycles)
    keep = np.fromiter(
        ((c, p) not in closing for c, p in zip(child.tolist(), parent.tolist(), strict=True)), dtype=bool, count=len(child)
    )
    more_child, more_parent = _outside_parents(label, child, parent, inside, np.unique(child[~keep]))
    dropped += int((~keep).sum())
    return np.concatenate((child[keep], more_child)), np.concatenate((parent[keep], more_parent)), cycles, dropped


def _outside_parents(label: Ints, child: Ints, parent: Ints, inside: NDArray[np.bool_], tops: Ints) -> tuple[Ints, Ints]:
    """Edges from each given concept to every parent that its circle has outside."""
    outside: dict[int, set[int]] = {}
    knotted = np.isin(label[child], label[tops])
    for c, p in zip(child[knotted & ~inside].tolist(), parent[knotted & ~inside].tolist(), strict=True):
        outside.setdefault(int(label[c]), set()).add(p)
    edges = [(top, p) for top in tops.tolist() for p in sorted(outside.get(int(label[top]), ()))]
    if len(edges) > MOST_PAIRS // 100:
        raise TooEntangled
    columns = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def _closing_edges(starts: list[int], down: dict[int, list[int]], cycles: list[list[int]]) -> set[tuple[int, int]]:
    """The (child, parent) edges that lead back to a concept on the way down to them."""
    closing: set[tuple[int, int]] = set()
    done: set[int] = set()
    for start in starts:
        if start in done:
            continue
        path, on_path = [start], {start}
        pending = [iter(down.get(start, ()))]
        while path:
            for below in pending[-1]:
                if below in on_path:
                    closing.add((below, path[-1]))
                    if len(cycles) < _CYCLES_TOLD:
                        # Written upwards: below -> its parent -> ... -> below.
                        cycles.append([below, *path[: path.index(below) : -1], below])
                elif below not in done:
                    path.append(below)
                    on_path.add(below)
                    pending.append(iter(down.get(below, ())))
                    break
            else:
                on_path.remove(path[-1])
                done.add(path.pop())
                pending.pop()
    return closing


def shape(count: int, child: Ints, parent: Ints) -> Shape:
    """Number the concepts of an acyclic graph and measure it. Raises `TooEntangled`."""
    # The chosen parent is the smallest; it comes first among the parents of its child.
    by_child = _matrix(child, parent, (count, count))
    start, degree = by_child.indptr[:-1], np.diff(by_child.indptr)
    chosen = np.full(count + 1, count, dtype=np.int64)  # number `count` stands above the roots
    chosen[:-1][degree > 0] = by_child.indices[start[degree > 0]]

    position, size = _preorder(count, chosen)
    order = np.empty(count, dtype=np.int64)
    order[position] = np.arange(count)
    end = np.arange(count) + size[order]
    above_chosen = np.full(count + 1, count, dtype=np.int64)
    lifted = chosen[order]
    above_chosen[:-1] = np.where(lifted < count, position[np.minimum(lifted, count - 1)], count)

    degree = degree[order]
    parents_start = _starts(degree)
    places = np.repeat(start[order] - parents_start[:-1], degree) + np.arange(len(by_child.indices))
    parents = position[by_child.indices[places]]
    del by_child, places

    junctions = np.flatnonzero(degree > 1)
    top, distance = _climb(count, above_chosen, degree > 1)
    reach, depth_of_top = _junction_closure(count, above_chosen, junctions, parents_start, parents, top, distance)

    ancestors_of_top = np.zeros(count, dtype=np.int64)
    ancestors_of_top[junctions] = np.diff(reach.indptr)
    above = distance + ancestors_of_top[top]
    depth = depth_of_top[top] + distance
    by_ancestor = reach.tocsc()
    del reach
    extra_start, extra, extra_end = _extra_intervals(count, junctions, by_ancestor, end)
    below, leaves = _below(count, end, extra_start, extra, extra_end, parents)
    return Shape(order, end, parents_start, parents, extra_start, extra, extra_end, below, leaves, above, depth)


def _starts(lengths: Ints) -> Ints:
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def _preorder(count: int, chosen: Ints) -> tuple[Ints, Ints]:
    """Position in preorder and size of the subtree, by doubling: as many rounds as the depth has bits."""
    size = np.ones(count + 1, dtype=np.int64)
    size[count] = 0
    jump = chosen.copy()
    while (jump[:count] != count).any():
        size += np.bincount(jump, weights=size, minlength=count + 1).astype(np.int64)
        size[count] = 0
        jump = jump[jump]
    # Where a concept starts after its parent: one for the parent itself, and the siblings before it.
    siblings = np.argsort(chosen[:count], kind="stable")
    before = np.cumsum(size[siblings]) - size[siblings]
    group = chosen[siblings]
    starts_group = np.ones(count, dtype=bool)
    starts_group[1:] = group[1:] != group[:-1]
    before -= before[starts_group][np.cumsum(starts_group) - 1]
    offset = np.zeros(count + 1, dtype=np.int64)
    offset[siblings] = before + (group != count)
    jump = chosen.copy()
    while (jump[:count] != count).any():
        offset += offset[jump]
        jump = jump[jump]
    return offset[:count], size[:count]


def _climb(count: int, above: Ints, is_junction: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """For each concept the nearest junction or root at or above it, and how many steps away that is."""
    stop = is_junction | (above[:count] == count)
    jump = np.where(stop, np.arange(count), above[:count])
    steps = np.where(stop, 0, 1)
    while True:
        further = jump[jump]
        if np.array_equal(further, jump):
            return jump, steps
        steps = steps + steps[jump]
        jump = further


def _junction_closure(
    count: int, above: Ints, junctions: Ints, parents_start: Ints, parents: Ints, top: Ints, distance: Ints
) -> tuple[csr_array, Ints]:
    """All generalizations of each junction, a row each; and the depth of every junction and root."""
    depth = np.ones(count, dtype=np.int64)
    rows = len(junctions)
    if not rows:
        return csr_array((0, count), dtype=bool), depth
    index = np.full(count, -1, dtype=np.int64)
    index[junctions] = np.arange(rows)
    degree = parents_start[junctions + 1] - parents_start[junctions]
    row = np.repeat(np.arange(rows), degree)
    of_junction = np.concatenate([np.arange(degree.sum()) - np.repeat(_starts(degree)[:-1], degree)])
    via = parents[np.repeat(parents_start[junctions], degree) + of_junction]
    if int((distance[via] + 1).sum()) > MOST_PAIRS:
        raise TooEntangled
    own = _paths(rows, count, row, via, top, above)
    next_junction = index[top[via]]
    level = _levels(rows, row, next_junction)

    level_order = np.argsort(level, kind="stable")
    rank = np.empty(rows, dtype=np.int64)
    rank[level_order] = np.arange(rows)
    own = own[level_order]
    linked = next_junction >= 0
    links = _matrix(rank[row[linked]], rank[next_junction[linked]], (rows, rows))
    bounds = np.searchsorted(level[level_order], np.arange(level.max() + 2))
    steps = distance[via] + 1
    known = _Rows(rows, count)
    by_level = np.argsort(level[row], kind="stable")
    edge_bounds = np.searchsorted(level[row][by_level], np.arange(level.max() + 2))
    for step, (start, stop) in enumerate(itertools.pairwise(bounds)):
        edges = by_level[edge_bounds[step] : edge_bounds[step + 1]]
        np.maximum.at(depth, junctions[row[edges]], depth[top[via[edges]]] + steps[edges])
        block = own[start:stop]
        if start:
            lower = links[start:stop, :start]
            if int(known.lengths[lower.indices].sum()) + known.used > MOST_PAIRS:
                raise TooEntangled
            block = block + lower @ known.matrix()
        known.append(block)
    return known.matrix()[rank], depth


class _Rows:
    """A matrix of truth values that grows by rows without being copied each time."""

    def __init__(self, rows: int, columns: int) -> None:
        self._columns = columns
        self._indices = np.empty(1 << 16, dtype=np.int32)
        self._true = np.ones(1 << 16, dtype=bool)
        self._starts = np.zeros(rows + 1, dtype=np.int32)
        self._rows = 0
        self.used = 0

    @property
    def lengths(self) -> Ints:
        """How many columns are true in each row."""
        return np.diff(self._starts[: self._rows + 1]).astype(np.int64)

    def matrix(self) -> csr_array:
        """What has been added so far."""
        parts = (self._true[: self.used], self._indices[: self.used], self._starts[: self._rows + 1])
        return csr_array(parts, shape=(self._rows, self._columns), copy=False)

    def append(self, block: csr_array) -> None:
        """Add rows at the end."""
        needed = self.used + block.nnz
        if needed > len(self._indices):
            room = max(needed, 2 * len(self._indices))
            self._indices = np.concatenate((self._indices[: self.used], np.empty(room - self.used, dtype=np.int32)))
            self._true = np.ones(room, dtype=bool)
        self._indices[self.used : needed] = block.indices
        last = self._rows + block.shape[0]
        self._starts[self._rows + 1 : last + 1] = self.used + block.indptr[1:]
        self._rows, self.used = last, needed


def _matrix(row: Ints, column: Ints, form: tuple[int, int]) -> csr_array:
    """A matrix of truth values, true at these places; with 32-bit indices, half the memory."""
    return csr_array((np.ones(len(row), dtype=bool), (row.astype(np.int32), column.astype(np.int32))), shape=form)


def _paths(rows: int, count: int, row: Ints, via: Ints, top: Ints, above: Ints) -> csr_array:
    """The concepts from each parent up to its nearest junction or root, by row."""
    where, what = [row], [via]
    while len(via):
        going = via != top[via]
        row, via = row[going], above[via[going]]
        where.append(row)
        what.append(via)
    return _matrix(np.concatenate(where), np.concatenate(what), (rows, count))


def _levels(rows: int, row: Ints, next_junction: Ints) -> Ints:
    """How many junctions lie above each junction on the longest way up."""
    linked = next_junction >= 0
    lower, upper = row[linked], next_junction[linked]
    level = np.zeros(rows, dtype=np.int64)
    while len(lower):
        raised = level.copy()
        np.maximum.at(raised, lower, level[upper] + 1)
        if np.array_equal(raised, level):
            break
        level = raised
    return level


def _extra_intervals(count: int, junctions: Ints, by_ancestor: csc_array, end: Ints) -> tuple[Ints, Int32s, Int32s]:
    """What lies below each concept outside its own interval, as disjoint intervals in order."""
    pairs = by_ancestor.indptr
    numbers: list[Ints] = []
    starts: list[Int32s] = []
    stops: list[Int32s] = []
    first = 0
    while first < count:  # in blocks of concepts, to keep the working memory small
        last = max(first + 1, int(np.searchsorted(pairs, pairs[first] + _PAIRS_AT_ONCE, side="right")) - 1)
        ancestor = np.repeat(np.arange(first, last), np.diff(pairs[first : last + 1]))
        start = junctions[by_ancestor.indices[pairs[first] : pairs[last]]]
        outside = (start < ancestor) | (start >= end[ancestor])
        ancestor, start = ancestor[outside], start[outside]
        stop = end[start]
        # Intervals nest or are apart; drop those inside an earlier one. The shift keeps the concepts apart.
        shifted = stop + ancestor * (count + 1)
        fresh = np.diff(np.maximum.accumulate(shifted), prepend=-1) > 0
        ancestor, start, stop = ancestor[fresh], start[fresh], stop[fresh]
        touching = np.zeros(len(stop), dtype=bool)
        touching[1:] = (ancestor[1:] == ancestor[:-1]) & (start[1:] == stop[:-1])
        ends_run = np.ones(len(stop), dtype=bool)
        ends_run[:-1] = ~touching[1:]
        numbers.append(np.bincount(ancestor[~touching] - first, minlength=last - first))
        starts.append(start[~touching].astype(np.int32))
        stops.append(stop[ends_run].astype(np.int32))
        first = last
    return _starts(np.concatenate(numbers)), np.concatenate(starts), np.concatenate(stops)


def _below(count: int, end: Ints, extra_start: Ints, starts: Int32s, stops: Int32s, parents: Ints) -> tuple[Ints, Ints]:
    """How many specializations each concept has, and how many of them are leaves."""
    is_leaf = np.ones(count, dtype=np.int64)
    is_leaf[parents] = 0
    leaves_before = _starts(is_leaf)
    numbers = np.arange(count)
    below = end - numbers - 1
    leaves = leaves_before[end] - leaves_before[numbers] - is_leaf
    owner = np.repeat(numbers, np.diff(extra_start))
    below = below + np.bincount(owner, weights=stops - starts, minlength=count).astype(np.int64)
    leaves = leaves + np.bincount(owner, weights=leaves_before[stops] - leaves_before[starts], minlength=count).astype(np.int64)
    return below, leaves
