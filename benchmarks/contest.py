"""Contests: the same work done by kgsan and by others, in one run, with the results compared."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

OURS = "kgsan"


@dataclass
class Contest:
    """One job. Each contender is timed; every answer must equal ours."""

    title: str
    targets: dict[str, float] = field(default_factory=dict)  #: contender -> how many times faster we mean to be
    seconds: dict[str, float] = field(default_factory=dict)
    _answer: Any = None

    def run(self, name: str, work: Callable[[], Any], repeat: int = 3) -> Any:
        """Time one contender: the best of several runs, also earlier ones, short work many times a run. Ours comes first."""
        best = self.seconds.get(name, float("inf"))
        answer, times = None, 1
        for _ in range(repeat):
            answer = None
            gc.collect()
            start = time.perf_counter()
            for _ in range(times):
                answer = work()
            best = min(best, (time.perf_counter() - start) / times)
            times = max(times, min(10_000, int(0.02 / best)))
        self.seconds[name] = best
        if name == OURS:
            self._answer = answer
        elif answer is not None and answer != self._answer:
            print(f"  !! {name} answers differently: {answer} against {self._answer}")
        return answer

    def skip(self, name: str, why: str) -> None:
        """Say why a contender is not there."""
        print(f"  ({name} left out: {why})")

    def report(self) -> bool:
        """Print the table; whether every target is met."""
        ours = self.seconds[OURS]
        print(f"\n{self.title}")
        met = True
        for name, seconds in sorted(self.seconds.items(), key=lambda item: item[1]):
            ratio = seconds / ours
            line = f"  {name:<28} {seconds * 1e3:>12.4f} ms"
            if name != OURS:
                line += f"   {ratio:>8.1f} x"
                if name in self.targets:
                    good = ratio >= self.targets[name]
                    met &= good
                    line += f"   wanted {self.targets[name]:g} x: {'met' if good else 'MISSED'}"
            print(line)
        return met
