"""`python -m tests.soak --seconds 600`: many documents through one process, many threads, and a service under attack."""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from typing import TYPE_CHECKING

from kgsan.service.door import BACKLOG, MOST
from tests.soak.documents import documents
from tests.soak.flow import EVERY, POLICY, PUBLISHED, flow, resident, sanitizers
from tests.soak.service import HONEST, SLOW, SLOW_BODIES, attacked
from tests.soak.sharing import shared

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What may be: MB per 100,000 documents; the slowest fifth after the first beside the second; the answer of a service, in ms.
GROWTH, STEADY, P99 = 30.0, 0.7, 5000.0
#: The most that a service may hold: its memory beside that before the attack, in MB, and its connections.
HELD, CONNECTIONS = 250.0, MOST + 3 * BACKLOG + 16

Row = tuple[str, str, bool]


def main(arguments: list[str] | None = None) -> int:
    """Print one table; 1 when something in it should not be."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="for the documents; the service takes a tenth more")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    is_well = True
    for what, told, holds in _rows(given.seconds, given.seed):
        is_well &= holds
        print(f"{what:<48} {told:<60} {'' if holds else 'WRONG'}".rstrip(), flush=True)
    return 0 if is_well else 1


def _rows(seconds: float, seed: int) -> Iterator[Row]:
    yield from _flow_rows(seconds, seed)
    yield from _service_rows(max(20.0, seconds / 10))
    for method in ("engine", PUBLISHED):
        made = shared(list(islice(documents(seed=11), int(min(2000, max(200, 2 * seconds))))), method)
        told = (
            f"{made.count:,} documents: {', '.join(made.hashes)}: {' '.join(sorted({one[:12] for one in made.hashes.values()}))}"
        )
        yield f"the same texts, method {method}", told, made.is_same


def _flow_rows(seconds: float, seed: int) -> Iterator[Row]:
    made = flow(seconds, documents(seed), sanitizers())
    rates = made.rates()
    yield (
        "documents through one process",
        f"{made.count:,} in {made.looks[-1].ended:.0f} s; {made.refused:,} could not be made safe",
        True,
    )
    yield "", f"policy {POLICY}; every {EVERY}th by the method {PUBLISHED}", True
    yield (
        "documents per second of the processor, by fifths",
        "  ".join(f"{rate:.0f}" for rate in rates),
        min(rates[2:]) >= STEADY * rates[1],
    )
    yield "latency p50 / p99 / max, ms", " / ".join(f"{made.latency(share):.1f}" for share in (0.5, 0.99, 1.0)), True
    yield "memory of its own by fifths, MB (median)", "  ".join(f"{made.held(fifth):.0f}" for fifth in range(5)), True
    yield "the same with the pages of mapped files, at the end", f"{resident():.0f}", True
    yield "growth, MB per 100,000 documents", f"{made.growth():+.1f} (2nd fifth to last)", made.growth() <= GROWTH


def _service_rows(seconds: float) -> Iterator[Row]:
    made = attacked(POLICY, seconds)
    yield "attack on the service", f"{made.requests:,} requests; {SLOW} slow heads and {SLOW_BODIES} slow bodies at a time", True
    for name, seen in (("calm", made.calm), ("attacked", made.attacked)):
        told = " / ".join(f"{seen.latency(share):.0f}" for share in (0.5, 0.99, 1.0))
        failed = f"; {len(seen.failed)} failed {sorted(set(seen.failed))}" if seen.failed else ""
        yield (
            f"{HONEST} honest clients, {name}: p50 / p99 / max, ms",
            f"{told} of {len(seen.took):,}{failed}",
            (not seen.failed and seen.latency(0.99) <= P99),
        )
    yield "memory of the service, MB", f"{made.before:.0f} before, {made.memory:.0f} at most", made.memory - made.before <= HELD
    yield "its connections", f"{made.connections} at most", made.connections <= CONNECTIONS
    yield "it answers afterwards, and said nothing", "yes" if made.is_alive else "no", made.is_alive and made.said == _SAID


_SAID = "The service was ended.\n"

if __name__ == "__main__":
    sys.exit(main())
