"""Many documents through one process: what they take in time and memory, from the first to the last."""

from __future__ import annotations

import gc
from array import array
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import kgsan

if TYPE_CHECKING:
    from collections.abc import Iterator

POLICY = "us-hiv"
#: kgsan's own method and one of the papers; of so many documents, one goes to the latter.
PUBLISHED, EVERY = "csan", 4
_FIFTHS = 5
#: So many documents lie between two looks at the memory.
_STEP = 100


def resident(process: int | str = "self") -> float:
    """The memory that a process holds, in MB."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines() if ":" in line)
    return int(fields["VmRSS"].split()[0]) / 1024


@dataclass(frozen=True, slots=True)
class Flow:
    """What was measured: per document its end, the processor's time at its end, its own time, all in seconds; and the memory."""

    ends: array[float]
    worked: array[float]
    took: array[float]
    memory: tuple[tuple[int, float], ...]  #: after how many documents how many MB
    refused: int  #: documents that could not be made safe: nothing was given out

    @property
    def count(self) -> int:
        """Documents that were read to the end."""
        return len(self.ends)

    def rates(self) -> list[float]:
        """Documents per second of the processor in each fifth of the documents; other work on the machine does not count."""
        at = [self.worked[max(fifth * self.count // _FIFTHS - 1, 0)] for fifth in range(_FIFTHS + 1)]
        return [self.count / _FIFTHS / max(end - start, 1e-9) for start, end in pairwise(at)]

    def latency(self, share: float) -> float:
        """The time in ms within which such a share of the documents was done."""
        ordered = sorted(self.took)
        return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    def held(self, fifth: int) -> float:
        """The median of the memory in a fifth of the documents, in MB; the first is 0."""
        low, high = fifth * self.count // _FIFTHS, (fifth + 1) * self.count // _FIFTHS
        return median([size for at, size in self.memory if low <= at <= high] or [self.memory[-1][1]])

    def growth(self) -> float:
        """MB per 100,000 documents, between the second fifth and the last."""
        return (self.held(_FIFTHS - 1) - self.held(1)) / (0.6 * self.count) * 100_000


def sanitizers(name: str | Path = POLICY) -> tuple[kgsan.Sanitizer, kgsan.Sanitizer]:
    """A policy by kgsan's own method, and by one of the papers."""
    policy = kgsan.load_policy(name)
    own = kgsan.Sanitizer(policy)
    return own, kgsan.Sanitizer(replace(policy, method=PUBLISHED), own.knowledge.stack, own.knowledge)


def flow(seconds: float, given: Iterator[str], by: tuple[kgsan.Sanitizer, kgsan.Sanitizer], *, most: int | None = None) -> Flow:
    """Let documents through until the time is over, or so many were done."""
    own, published = by
    gc.collect()
    ends, worked, took, memory, refused = array("d"), array("d"), array("d"), [(0, resident())], 0
    started, before = perf_counter(), process_time()
    for number in _numbers(most):
        text = next(given)
        begun = perf_counter()
        try:
            (published if number % EVERY == 0 else own).sanitize(text)
        except kgsan.NotSafe:
            refused += 1
        now = perf_counter()
        took.append(now - begun)
        ends.append(now - started)
        worked.append(process_time() - before)
        if number % _STEP == 0:
            memory.append((number, resident()))
        if ends[-1] >= seconds:
            break
    memory.append((len(ends), resident()))
    return Flow(ends, worked, took, tuple(memory), refused)


def _numbers(most: int | None) -> Iterator[int]:
    number = 0
    while most is None or number < most:
        number += 1
        yield number
