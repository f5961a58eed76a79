"""`python -m tests.faults never-open`: every call of every way that a text takes, broken once in every manner."""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.faults.never_open import Stage
from tests.faults.never_open_all import search_all
from tests.faults.never_open_injecting import KINDS, Fault
from tests.faults.never_open_scenes import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.faults.never_open_injecting import Site

#: A run that takes longer hangs.
_PATIENCE = 30


class Hangs(BaseException):
    """A run does not come to an end."""


def main(arguments: list[str]) -> int:
    """Search for so many seconds and print a table; 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults never-open", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="default: 600; 0 is until everything was tried")
    parser.add_argument("--seed", type=int, default=1, help="in which order it is tried")
    parser.add_argument(
        "--only", action="append", default=[], metavar="SCENE", help="such as 'sanitize .pdf'; may be given again"
    )
    parser.add_argument("--kind", action="append", default=[], choices=list(KINDS), help="of errors; default: all")
    parser.add_argument("--first", action="store_true", help="only the first call of every place")
    parser.add_argument("--all", action="store_true", help="every call of every way once, however long it takes")
    parser.add_argument("--part", type=_part, default=(1, 1), metavar="N/M", help="of --all: the Nth part of M")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="of --all: what was done, where the next run goes on")
    parser.add_argument("--once", action="store_true", help="of --all: each call only in one of the ways that lead to it")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KGSAN_CACHE"] = str(Path(folder, "cache"))
        if given.all:
            return search_all(World(Path(folder)), Path(folder), given.only, given.part, given.keep, once=given.once)
        return _searched(Path(folder), given)


def _part(given: str) -> tuple[int, int]:
    number, parts = map(int, given.split("/"))
    return number, parts


def _searched(folder: Path, given: Any) -> int:
    ends = time.monotonic() + (given.seconds or float("inf"))
    world = World(folder)
    scenes = {name: scene for name, scene in world.scenes().items() if not given.only or name in given.only}
    waiting: list[tuple[str, Fault]] = []
    stages: dict[str, Stage] = {}
    for name, scene in scenes.items():
        stages[name] = Stage(world, scene, folder / "runs" / name.replace(" ", "-"), foreign=True)
        kinds = given.kind or list(KINDS)
        for site, count in stages[name].sites.items():
            waiting += [(name, Fault(site, kind, turn)) for kind in kinds for turn in _turns(count, given.first)]
    random.Random(given.seed).shuffle(waiting)
    waiting = _new_places_first(waiting)
    counts: dict[str, Counter[str]] = {name: Counter() for name in scenes}
    reached: dict[str, set[Site]] = {name: set() for name in scenes}
    for name, fault in waiting:
        if time.monotonic() > ends:
            break
        with _patience():
            try:
                judged = stages[name].judged(fault)
                judged.changed += [] if stages[name].is_as_before() else ["the next text"]
            except Hangs:
                counts[name]["hanging"] += 1
                print(f"{name}: {fault}: hangs", flush=True)
                continue
        counts[name].update(runs=1, fired=fault.has_fired, leaks=bool(judged.leaks), escaped=bool(judged.escaped))
        counts[name].update(changed=bool(judged.changed))
        reached[name].add(fault.site)
        if not judged.is_fine:
            print(f"{name}: {fault}: {judged.leaks[:3]} {judged.escaped} {judged.changed}", flush=True)
    return _table(counts, reached, {name: len(stage.sites) for name, stage in stages.items()}, len(waiting))


def _new_places_first(waiting: list[tuple[str, Fault]]) -> list[tuple[str, Fault]]:
    """Every place once, whichever way leads there, before any is tried again."""
    known: Counter[Site] = Counter()
    rank = []
    for _, fault in waiting:
        known[fault.site] += 1
        rank.append(known[fault.site])
    return [waiting[at] for at in sorted(range(len(waiting)), key=rank.__getitem__)]


def _turns(count: int, first: bool) -> list[int]:
    """The first call of a place, one in the middle and the last."""
    return [1] if first else sorted({1, (count + 1) // 2, count})


def _table(counts: dict[str, Counter[str]], reached: dict[str, set[Site]], places: dict[str, int], wanted: int) -> int:
    columns = ("runs", "fired", "leaks", "escaped", "changed", "hanging")
    print(f"{'way':<18}{'call sites':>12}{'reached':>9}" + "".join(f"{column:>9}" for column in columns))
    total: Counter[str] = Counter()
    for name, count in counts.items():
        total.update(count)
        told = "".join(f"{count[column]:>9,}" for column in columns)
        print(f"{name:<18}{places[name]:>12,}{len(reached[name]):>9,}{told}")
    told = "".join(f"{total[column]:>9,}" for column in columns)
    print(f"{'all':<18}{sum(places.values()):>12,}{sum(map(len, reached.values())):>9,}{told}")
    distinct = len(set().union(*reached.values()))
    print(f"{distinct:,} distinct call sites; {total['runs']:,} of {wanted:,} faults were tried.")
    return int(any(total[column] for column in columns[2:]))


@contextmanager
def _patience() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(_PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
