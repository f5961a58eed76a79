"""Inputs for one target until its time is over: led by coverage where atheris is installed, drawn by hypothesis where it is not."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from tests.fuzz.mutations import changed, within
from tests.fuzz.rule import outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.fuzz.target import Target

#: Counting edges makes everything slower; what seems slow then is tried again without.
PATIENCE = 6.0
_LONGEST = 1 << 16
_BATCH = 200
#: Signs of which a text of 1 MB is made: letters, digits, blanks, NUL, what changes the direction, half pairs, marks, brackets.
SIGNS = (
    "a",
    "1",
    " ",
    "\n",
    ".",
    "\0",
    "\u202e",
    "\ud800",
    "\udc80",
    "\u0301",
    "\u200b",
    "(",
    "@",
    "-",
    "é",
    "\U0001f98a",
    "AIDS ",
    "1/",
    "A.",
)


@dataclass(slots=True)
class Tally:
    """What was tried and what came of it."""

    inputs: int = 0
    refused: int = 0
    edges: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    failures: dict[str, int] = field(default_factory=dict)


class Driver:
    """Tries inputs, counts what comes of them and keeps the first that breaks the rule in each way."""

    def __init__(self, target: Target, folder: Path, patience: float = 1.0) -> None:
        self.target = target
        self.folder = folder
        self.patience = patience
        self.tally = Tally()
        self._current = os.open(folder / "current", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        self._told = 0.0

    def one(self, content: bytes) -> None:
        """Try an input."""
        os.pwrite(self._current, len(content).to_bytes(8, "little") + content, 0)  # found there after a crash of the process
        found = outcome(self.target, content, self.patience)
        tally = self.tally
        tally.inputs += 1
        tally.refused += found.is_refused
        tally.seconds = max(tally.seconds, found.seconds)
        tally.megabytes = max(tally.megabytes, found.megabytes)
        if found.failure is not None:
            key = found.failure.key
            tally.failures[key] = tally.failures.get(key, 0) + 1
            if tally.failures[key] == 1:
                (self.folder / f"{key}.input").write_bytes(content)
                (self.folder / f"{key}.txt").write_text(found.failure.told, "utf-8", "replace")
        if time.monotonic() - self._told > 0.5:
            self.tell()

    def tell(self) -> None:
        """Leave the tally where the parent process finds it."""
        self._told = time.monotonic()
        draft = self.folder / "tally.draft"
        draft.write_text(json.dumps(asdict(self.tally)))
        draft.replace(self.folder / "tally.json")


def crashed_on(folder: Path) -> bytes:
    """The input that a process was trying when it ended."""
    content = (folder / "current").read_bytes()
    return content[8 : 8 + int.from_bytes(content[:8], "little")]


def firsts(target: Target) -> list[bytes]:
    """What is tried before anything else: nothing, the seeds, and for texts 1 MB of one sign."""
    long = [(sign * (1_000_000 // len(sign))).encode("utf-8", "surrogatepass") for sign in SIGNS] if target.is_text else []
    return [b"", *target.seeds(), *long]


def drawn(target: Target, try_one: Callable[[bytes], None], seed: int, count: int) -> None:
    """Inputs that hypothesis draws: the same for the same seed."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    begin = list(target.seeds())
    numbers = st.tuples(st.sampled_from(begin), st.integers(0, 1 << 60), st.integers(1, 4))
    changes = numbers.map(lambda drawn: _changed(target, *drawn))
    anything = (
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
        if target.is_text
        else st.binary(max_size=200)
    )

    @seeded(seed)
    @settings(max_examples=count, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.one_of(changes, changes, changes, anything))
    def run(content: bytes) -> None:
        try_one(content)

    run()


def _changed(target: Target, content: bytes, number: int, times: int) -> bytes:
    dice = random.Random(number)
    for _ in range(times):
        content = changed(target, content, dice, _LONGEST)
    return content


def drive(driver: Driver, seconds: float, seed: int) -> None:
    """Draw inputs until the time is over."""
    end = time.monotonic() + seconds
    for content in firsts(driver.target):
        if len(content) <= _LONGEST or time.monotonic() < end - seconds * 2 / 3:
            driver.one(content)
    while time.monotonic() < end:

        def in_time(content: bytes) -> None:
            if time.monotonic() < end:
                driver.one(content)

        drawn(driver.target, in_time, seed, _BATCH)
        seed += 1
    driver.tell()


def drive_by_coverage(driver: Driver, seconds: float, seed: int) -> None:
    """Let libFuzzer choose inputs by the edges they reach; it ends the process. What it prints tells how many there were."""
    import atheris  # type: ignore[import-untyped]

    began = time.monotonic()
    corpus = driver.folder / "corpus"
    corpus.mkdir()
    for number, content in enumerate(firsts(driver.target)):
        if len(content) <= _LONGEST or time.monotonic() - began < seconds / 3:
            driver.one(content)
        if len(content) <= _LONGEST:
            (corpus / str(number)).write_bytes(content)
    driver.tell()
    target, seeds = driver.target, driver.target.seeds()

    def mutate(content: bytes, most: int, number: int) -> bytes:
        dice = random.Random(number)
        if dice.random() < 0.3:  # what was refused once leads to more refusals
            content = dice.choice(seeds)
        if dice.random() < 0.5:
            return changed(target, bytes(content), dice, most)
        return within(target, bytes(content), dice, lambda part: atheris.Mutate(part, len(part) + 64) if part else b"x")[:most]

    left = max(int(seconds - (time.monotonic() - began)), 1)
    options = [
        f"-max_total_time={left}",
        f"-max_len={_LONGEST}",
        f"-seed={seed + 1}",
        "-rss_limit_mb=0",
        "-timeout=3600",
        "-len_control=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], driver.one, custom_mutator=mutate)
    atheris.Fuzz()
