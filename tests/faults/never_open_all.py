"""`python -m tests.faults never-open --all`: an error at every call that can be reached, each once in every way that leads there."""

from __future__ import annotations

import json
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.faults.never_open_forking import kind_for
from tests.faults.never_open_search import WRONG, Search

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.faults.never_open_scenes import World

_COLUMNS = ("tried", "refused", "finished", "waiting", *WRONG)


@dataclass(slots=True)
class Found:
    """What is known of one way: how many calls can be reached, and what came of those that were tried."""

    reachable: int = 0
    seconds: float = 0
    tried: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def add(self, told: dict[str, Any]) -> None:
        """What another search of it found."""
        self.reachable = max(self.reachable, told["reachable"])
        self.seconds += told["seconds"]
        self.tried |= told["tried"]
        self.wrong += told["wrong"]

    def counts(self) -> Counter[str]:
        """The figures of a row."""
        counted = Counter(word for words in self.tried.values() for word in words.split())
        counted.update(reachable=self.reachable, tried=len(self.tried), seconds=round(self.seconds))
        return counted


def search_all(world: World, folder: Path, only: list[str], part: tuple[int, int], keep: Path | None, *, once: bool) -> int:
    """Search every way, but for what `keep` tells was tried before; print a table; 1 if anything was found.

    With `once`, a call is tried in one of the ways alone that lead to it.
    """
    found: defaultdict[str, Found] = defaultdict(Found)
    if keep is not None and keep.exists():
        for line in keep.read_text().splitlines():
            told = json.loads(line)
            found[told["scene"]].add(told)
    print(f"{'way':<24}" + "".join(f"{column:>10}" for column in ("seconds", "reachable", *_COLUMNS)), flush=True)
    total: Counter[str] = Counter()
    everywhere = {name for one in found.values() for name in one.tried}
    for number, (name, scene) in enumerate(world.scenes().items()):
        if only and name not in only:
            continue
        beside = {*found[scene.beside].tried} if scene.beside else set()
        before = everywhere if once else {*found[name].tried, *beside}
        if not found[name].reachable or len(found[name].tried) < found[name].reachable:
            search = Search(world, scene, folder / "runs" / str(number), kind_for(number), _chosen(part, before), beside)
            told = {"scene": name, **search.result()}
            found[name].add(told)
            if keep is not None:
                with keep.open("a") as stream:
                    stream.write(json.dumps(told) + "\n")
        everywhere |= {*found[name].tried}
        _row(name, found[name].counts())
        total += found[name].counts()
        for line in found[name].wrong:
            print(f"  {line}", flush=True)
    _row("all", total)
    print(f"{len(everywhere):,} distinct call sites were tried.")
    return int(any(one.wrong for one in found.values()))


def _row(name: str, counts: Counter[str]) -> None:
    print(f"{name:<24}" + "".join(f"{counts[column]:>10,}" for column in ("seconds", "reachable", *_COLUMNS)), flush=True)


def _chosen(part: tuple[int, int], before: set[str]) -> Callable[[str], bool]:
    number, parts = part
    return lambda name: name not in before and zlib.crc32(name.encode()) // 7 % parts == number - 1
