"""Many documents through one process: what they take in time and memory, from the first to the last."""

from __future__ import annotations

import gc
from array import array
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

import kgsan

if TYPE_CHECKING:
    from collections.abc import Iterator

POLICY = "us-hiv"
#: kgsan's own method and one of the papers; of so many documents, one goes to the latter.
PUBLISHED, EVERY = "csan", 4
_FIFTHS = 5
#: So many documents lie between two looks at time and memory.
_STEP = 100


def resident(process: int | str = "self", *, kind: str = "VmRSS") -> float:
    """The memory that a process holds, in MB."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines() if ":" in line)
    return int(fields[kind].split()[0]) / 1024


def own() -> float:
    """The memory that this process holds for itself alone, in MB: the pages of mapped files are the machine's to take back."""
    return resident(kind="RssAnon")


class Look(NamedTuple):
    """What was seen after so many documents: seconds, those of the processor among them, and MB of the process's own."""

    documents: int
    ended: float
    worked: float
    memory: float


@dataclass(frozen=True, slots=True)
class Flow:
    """What was measured. Little of it is kept for each document: what measures the memory should not fill it."""

    took: array[float]  #: seconds for each document
    looks: tuple[Look, ...]  #: before the first document, now and then, and behind the last
    refused: int  #: documents that could not be made safe: nothing was given out

    @property
    def count(self) -> int:
        """Documents that were read to the end."""
        return len(self.took)

    def rates(self) -> list[float]:
        """Documents per second of the processor in each fifth of the documents; other work on the machine does not count."""
        ends = [fifth * self.count / _FIFTHS for fifth in range(_FIFTHS + 1)]
        near = [min(self.looks, key=lambda look: abs(look.documents - end)) for end in ends]
        return [(last.documents - first.documents) / max(last.worked - first.worked, 1e-9) for first, last in pairwise(near)]

    def latency(self, share: float) -> float:
        """The time in ms within which such a share of the documents was done."""
        ordered = sorted(self.took)
        return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    def held(self, fifth: int) -> float:
        """The median of the memory in a fifth of the documents, in MB; the first is 0."""
        low, high = fifth * self.count // _FIFTHS, (fifth + 1) * self.count // _FIFTHS
        return median([look.memory for look in self.looks if low <= look.documents <= high] or [self.looks[-1].memory])

    def growth(self) -> float:
        """MB per 100,000 documents, between the second fifth and the last."""
        return (self.held(_FIFTHS - 1) - self.held(1)) / (0.6 * self.count) * 100_000


def sanitizers(name: str | Path = POLICY) -> tuple[kgsan.Sanitizer, kgsan.Sanitizer]:
    """A policy by kgsan's own method, and by one of the papers."""
    policy = kgsan.load_policy(name)
    first = kgsan.Sanitizer(policy)
    return first, kgsan.Sanitizer(replace(policy, method=PUBLISHED), first.knowledge.stack, first.knowledge)


def flow(seconds: float, given: Iterator[str], by: tuple[kgsan.Sanitizer, kgsan.Sanitizer], *, most: int | None = None) -> Flow:
    """Let documents through until the time is over, or so many were done."""
    by_engine, by_paper = by
    gc.collect()
    took, refused = array("f"), 0
    started, before = perf_counter(), process_time()

    def look() -> Look:
        return Look(len(took), perf_counter() - started, process_time() - before, own())

    looks = [look()]
    for number in _numbers(most):
        text = next(given)
        begun = perf_counter()
        try:
            (by_paper if number % EVERY == 0 else by_engine).sanitize(text)
        except kgsan.NotSafe:
            refused += 1
        now = perf_counter()
        took.append(now - begun)
        if number % _STEP == 0:
            looks.append(look())
        if now - started >= seconds:
            break
    return Flow(took, (*looks, look()), refused)


def _numbers(most: int | None) -> Iterator[int]:
    number = 0
    while most is None or number < most:
        number += 1
        yield number
