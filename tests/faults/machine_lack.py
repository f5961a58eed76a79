"""A machine that lacks something: space, leave to write, memory, open files, a reader. One sentence tells it, and nothing is torn."""

from __future__ import annotations

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.faults.machine_child import UNABLE
from tests.faults.machine_world import Ended, Machine, World, drafts, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.faults.machine_world import Command

#: Exit codes of a command that could not do its work: wrong usage (a folder that cannot be written), ontology, file.
REFUSED = (2, 3, 4)
HEAD = f"{'what is lacking':<34} {'commands':>8} {'refused':>8} {'done':>8} {'torn':>8} {'left':>8} {'misspoke':>8}"


@dataclass(slots=True)
class Lack:
    """What was seen of commands on a machine that lacks something."""

    what: str
    commands: int = 0
    refused: int = 0  #: with one sentence, and nothing written
    done: int = 0  #: all the same
    torn: int = 0  #: files that are neither what stood there nor what should
    left: int = 0  #: drafts
    said: int = 0  #: times it ended otherwise than it should
    told: str = ""  #: for the first of those
    skipped: str = ""

    @property
    def is_well(self) -> bool:
        """Whether nothing was torn, left or said that should not be."""
        return not (self.torn or self.left or self.said)

    def __str__(self) -> str:
        if self.skipped:
            return f"{self.what:<34} not tried: {self.skipped}"
        counts = f"{self.commands:>8} {self.refused:>8} {self.done:>8} {self.torn:>8} {self.left:>8} {self.said:>8}"
        return f"{self.what:<34} {counts}{'' if self.is_well else f'   WRONG {self.told}'}"

    def count(self, seen: Ended, *, torn: int, left: int, may_fail: bool = True) -> None:
        """Count one command."""
        self.commands += 1
        is_refused = seen.status in REFUSED and seen.err.count("\n") in range(1, 50)  # one for each of many texts
        self.refused += is_refused
        self.done += seen.status == 0
        self.torn += torn
        self.left += left
        if not seen.has_said_it_well or (seen.status != 0 and not (may_fail and is_refused)):
            self.said += 1
            self.told = self.told or f"{seen.status}: {seen.err[-300:]!r}"


def lacks() -> list[Lack]:
    """Everything, in a world of its own."""
    with tempfile.TemporaryDirectory(prefix="kgsan-machine-") as folder:
        world = World(Path(folder))
        try:
            return [lack(world) for lack in LACKS.values()]
        finally:
            world.close()


def _commands(world: World, into: Path) -> Iterator[Command]:
    for made in (world.compile, world.build, world.single, world.batch):
        yield made(into)


# --- places that take nothing -----------------------------------------------------------------------------------------------


def _placed(world: World, what: str, options: str) -> Lack:
    """Commands that write to a file system of their own."""
    lack, place = Lack(what), world.fresh("place")
    for command in _commands(world, place):
        seen = world.machine.run(*command.arguments, mount=str(place), options=options)
        if seen.status == UNABLE:
            lack.skipped = "this user may not mount anything"
            return lack
        left = json.loads(seen.out.rpartition("left: ")[2] or "[]")
        written = [name for name in left if not Path(name).name.startswith(".") and ".building" not in name]
        # Of many texts those that fitted in are there; of one, everything or nothing.
        torn = 0 if command.target == "out" or seen.status == 0 else len(written)
        draft = [name for name in left if Path(name).name.startswith(".")]
        lack.count(seen, torn=torn, left=len(draft))
    seen = world.machine.review(world.policy, world.note, place / "review", mount=str(place), options=options)
    if seen.status == 98:  # the child tells errors of a review as they come; the command does so in a sentence
        seen = Ended(4, seen.hit, seen.took, "", f"{seen.err.splitlines()[-1]}\n")
    lack.count(seen, torn=0, left=0)
    return lack


def full_disk(world: World) -> Lack:
    """A disk with room for a few small files."""
    return _placed(world, "space on the disk", "size=8k")


def read_only(world: World) -> Lack:
    """A folder that can only be read."""
    return _placed(world, "leave to write", "ro")


def small_files(world: World) -> Lack:
    """No file may be larger than some kilobytes."""
    lack = Lack("files of any size")
    for command in _commands(world, world.fresh("place")):
        if command.target != "out":  # of which all are small
            seen = world.machine.run(*command.arguments, limits={"RLIMIT_FSIZE": 300}, out="/dev/null")
            lack.count(seen, torn=len([name for name in tree(command.folder) if ".building" not in name]), left=0)
            world.fresh("place")
    return lack


def cache(world: World) -> Lack:
    """A folder for what was compiled that takes nothing: no reason to fail."""
    lack = Lack("leave to write to the cache")
    place = world.fresh("cache-of-another")
    command = world.single(world.fresh("place"))
    seen = world.machine.run(*command.arguments, mount=str(place), options="ro", environment={"KGSAN_CACHE": str(place)})
    if seen.status == UNABLE:
        lack.skipped = "this user may not mount anything"
        return lack
    lack.count(seen, torn=0, left=len(drafts(command.folder)), may_fail=False)
    return lack


# --- memory and open files --------------------------------------------------------------------------------------------------


def _limited(world: World, what: str, name: str, values: tuple[int, ...]) -> Lack:
    lack = Lack(what)
    for value in values:
        for command in _commands(world, world.fresh("place")):
            seen = world.machine.run(*command.arguments, limits={name: value})
            found = {
                name
                for name in tree(command.folder)
                if ".building" not in name and not name.startswith(("out", "proof", "ledger"))
            }
            lack.count(
                seen, torn=len(found) if seen.status else 0, left=sum(".building" not in one for one in drafts(command.folder))
            )
            world.fresh("place")
    return lack


def memory(world: World) -> Lack:
    """Some MB more than are in use."""
    return _limited(world, "memory", "RLIMIT_AS", (0, 4, 40))


def open_files(world: World) -> Lack:
    """Few files may be open."""
    return _limited(world, "open files", "RLIMIT_NOFILE", (5, 6, 7, 8, 10, 14))


# --- standard output --------------------------------------------------------------------------------------------------------


def output(world: World) -> Lack:
    """Standard output is closed, or lies on a disk that is full."""
    lack = Lack("a standard output")
    printing: list[tuple[object, ...]] = [
        ("sanitize", world.note, "--policy", world.policy),
        ("sanitize", world.note, "--policy", world.policy, "--format", "json"),
        ("verify", world.note, "--policy", world.policy),
        ("validate", world.policy),
        ("ontology", "find", "thing", "--in", world.ontology),
        ("ontology", "info", world.ontology),
    ]
    for arguments in printing:
        for place in ("closed", "/dev/full"):
            seen = world.machine.run(*arguments, out=place)
            lack.count(seen, torn=0, left=0)
            if seen.status == 0:
                lack.said += 1
                lack.told = lack.told or f"{arguments[0]} wrote to nowhere and was content"
    return lack


# --- two at once ------------------------------------------------------------------------------------------------------------


def alone(world: World) -> Lack:
    """Two processes make the same file at once: both end well, or one is told to wait."""
    lack = Lack("being alone")
    other = Machine(world.folder)
    machines = (("one", world.machine), ("two", other))
    try:
        for made in (world.compile, world.build, world.single, world.batch):
            expected = made(world.fresh("undisturbed"))
            world.machine.run(*expected.arguments)
            command = made(world.fresh("place"))
            with ThreadPoolExecutor(2) as both:
                asked = [both.submit(one.run, *command.arguments, told=str(world.folder / name)) for name, one in machines]
                seen = [one.result() for one in asked]
            # A record has a key of its own, so it is another each time, and a ledger too.
            wanted = {name: content for name, content in tree(expected.folder).items() if name not in ("r.json", "ledger")}
            found = {name: content for name, content in tree(command.folder).items() if name not in ("r.json", "ledger")}
            for one in seen:
                lack.count(one, torn=int(found != wanted), left=len(drafts(command.folder)))
            lack.said += not any(one.status == 0 for one in seen)
    finally:
        other.close()
    return lack


LACKS: dict[str, Callable[[World], Lack]] = {
    one.__name__: one for one in (full_disk, read_only, small_files, cache, memory, open_files, output, alone)
}
