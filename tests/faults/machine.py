"""Commands killed at any moment: what is there afterwards is whole, and the next run comes to what an undisturbed one does."""

from __future__ import annotations

import random
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.app.audit import LOG, check_log
from tests.faults.machine_world import World, drafts, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.faults.machine_world import Command, Ended

#: How processes are ended from outside; the first cannot be heard.
SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(slots=True)
class Row:
    """What was seen of one command that was ended by one signal."""

    what: str
    by: str
    moments: int = 0  #: at which it was to be ended
    hit: int = 0  #: in which it was still at work
    whole: int = 0  #: after which every file was the old one or the new one, and sound
    equal: int = 0  #: after which the next run came to the same bytes as an undisturbed one
    left: int = 0  #: drafts that were there after the next run, or after a signal that can be heard
    said: int = 0  #: times it ended otherwise than it should
    told: str = ""  #: for the first of those

    @property
    def is_well(self) -> bool:
        """Whether nothing was lost, torn, left or said that should not be."""
        return self.whole == self.equal == self.moments and not self.left and not self.said

    def __str__(self) -> str:
        counts = f"{self.moments:>8} {self.hit:>8} {self.whole:>8} {self.equal:>8} {self.left:>8} {self.said:>8}"
        return f"{self.what:<20} {self.by:<8} {counts}{'' if self.is_well else f'   WRONG {self.told}'}"


HEAD = f"{'command':<20} {'signal':<8} {'moments':>8} {'hit':>8} {'whole':>8} {'equal':>8} {'left':>8} {'misspoke':>8}"


def run(seconds: int, seed: int = 0) -> list[Row]:
    """Every command ended by every signal, at moments spread over the time it takes, until the time is over."""
    dice, until = random.Random(seed), time.monotonic() + seconds
    rows: dict[tuple[str, str], Row] = {}
    with tempfile.TemporaryDirectory(prefix="kgsan-machine-") as folder:
        world = World(Path(folder))
        try:
            while not rows or time.monotonic() < until:
                for row in kills(world, dice, 4):
                    known = rows.setdefault((row.what, row.by), Row(row.what, row.by))
                    known.told = known.told or row.told
                    for count in ("moments", "hit", "whole", "equal", "left", "said"):
                        setattr(known, count, getattr(known, count) + getattr(row, count))
        finally:
            world.close()
    return list(rows.values())


def kills(world: World, dice: random.Random, moments: int, signals: tuple[signal.Signals, ...] = SIGNALS) -> Iterator[Row]:
    """Each command ended at so many moments by each signal."""
    for made in (world.compile, world.build, world.batch):
        for number in signals:
            yield killed(world, made, dice, moments, number)
    for number in signals:
        yield killed_review(world, dice, moments, number)


def killed(world: World, made: Callable[[Path], Command], dice: random.Random, moments: int, number: signal.Signals) -> Row:
    """A command that makes a file, or many, where an older one stands."""
    undisturbed = made(world.fresh("undisturbed"))
    ended = world.machine.run(*undisturbed.arguments)
    assert ended.status == 0, ended.err
    expected = _results(undisturbed)
    command = made(world.fresh("killed"))
    row = Row(command.name, number.name)
    old = {} if command.target == "out" else {command.target: world.note.read_bytes()}  # nobody takes this for a new one
    for place, moment in enumerate(_moments(dice, moments, ended.took)):
        for name, content in old.items():
            (command.folder / name).write_bytes(content)
        seen = world.machine.run(*command.arguments, delay=moment, signal=number)
        now = _results(command)
        same = all(content == expected.get(name) or content == old.get(name) for name, content in now.items())
        _count(row, seen, number, drafts(command.folder), is_whole=same and old.keys() <= now.keys(), is_first=not place)
        again = world.machine.run(*command.arguments)
        row.equal += again.status == 0 and _results(command) == expected and _is_sound(command)
        row.left += len(drafts(command.folder))
        command = command if old and dice.random() < 0.5 else made(world.fresh("killed"))
    return row


def killed_review(world: World, dice: random.Random, moments: int, number: signal.Signals) -> Row:
    """Decisions that are being saved, and a release."""
    places = (world.policy, world.note, world.fresh("undisturbed") / "review")
    undisturbed = world.machine.review(*places)
    assert undisturbed.status == 0, undisturbed.err
    released = tree(places[2] / "released")
    row = Row("review", number.name)
    folder = world.fresh("killed") / "review"
    for place, moment in enumerate(_moments(dice, moments, undisturbed.took)):
        seen = world.machine.review(world.policy, world.note, folder, delay=moment, signal=number)
        is_whole = True
        if (folder / LOG).exists():
            before = check_log(folder / LOG, None)
            torn = [problem.code for problem in before[1]] in (
                [],
                ["A103"],
            )  # a last line that was cut off is set aside by the next run
            is_whole = torn and before[0] >= seen.out.count("saved")
        found = tree(folder / "released") if (folder / "released").exists() else {}
        is_whole &= all(content == released.get(name) for name, content in found.items() if not name.startswith("."))
        # A review that is ended logs so itself; who ends the process that only decides sees the end of the process.
        _count(row, seen, number, drafts(folder), is_whole=is_whole, is_first=not place, speaks=False)
        again = world.machine.review(world.policy, world.note, folder)
        row.equal += (
            again.status == 0 and tree(folder / "released") == released and check_log(folder / LOG, None)[1:] == ([], True)
        )
        row.left += len(drafts(folder))
        folder = folder if dice.random() < 0.3 else world.fresh("killed") / "review"
    return row


def _moments(dice: random.Random, count: int, took: float) -> list[float]:
    """Moments spread over the time that a command takes, one in each equal part of it."""
    return [(number + dice.random()) / count * took for number in range(count)]


def _count(
    row: Row, seen: Ended, number: signal.Signals, left: list[str], *, is_whole: bool, is_first: bool, speaks: bool = True
) -> None:
    row.moments += 1
    row.hit += seen.hit
    row.whole += is_whole
    if number is signal.SIGKILL:
        return
    row.left += sum(not name.endswith(".building") and ".building/" not in name for name in left)  # counted so far: kept to go on
    expected = [0, *([130] if seen.hit else []), *([-number] if is_first else [])]  # at first nobody listens yet
    if speaks and (seen.status not in expected or not seen.has_said_it_well):
        row.said += 1
        row.told = row.told or f"{seen.status}: {(seen.out + seen.err)[-1500:]}"


def _results(command: Command) -> dict[str, bytes]:
    """What the command made: not its ledger, whose key is another each time, nor drafts."""
    found = tree(command.folder)
    return {name: content for name, content in found.items() if name != "ledger" and "/." not in f"/{name}"}


def _is_sound(command: Command) -> bool:
    return command.is_whole(command.folder / command.target)


def main(arguments: list[str]) -> int:
    """`python -m tests.faults machine --seconds N`: print the tables; 1 when something in them should not be."""
    import argparse

    from tests.faults.machine_lack import HEAD as LACK_HEAD
    from tests.faults.machine_lack import lacks

    parser = argparse.ArgumentParser(prog="python -m tests.faults machine")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    rows = run(given.seconds, given.seed)
    print(HEAD, *rows, sep="\n", flush=True)
    found = lacks()
    print("", LACK_HEAD, *found, sep="\n")
    return 0 if all(row.is_well for row in rows) and all(one.is_well for one in found) else 1
