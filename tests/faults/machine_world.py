"""A small world in which commands of kgsan are ended, starved and shut out, and what must then be true of its files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgsan.knowledge.build import KIND as KNOWLEDGE
from kgsan.knowledge.build import VERSION as KNOWLEDGE_VERSION
from kgsan.ontology.arrays import ArrayFile
from kgsan.ontology.compile import KIND as ONTOLOGY
from kgsan.ontology.compile import VERSION as ONTOLOGY_VERSION
from tests.report.toy import NOTE, write_policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a command."""

    status: int  #: its exit code, or the signal that ended it, negative
    hit: bool  #: whether it was still at work when the signal came
    took: float
    out: str
    err: str

    @property
    def has_said_it_well(self) -> bool:
        """Whether it said what was wrong as kgsan does: no traceback, and no word of a text."""
        return not any(word in self.err + self.out for word in ("Traceback", "zidovudine", "AIDS", "unexpected error"))


class Machine:
    """A process in which everything is loaded, from which commands are split off."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        environment = {**os.environ, "KGSAN_CACHE": str(folder / "cache")}
        environment.pop("PYTHONUNBUFFERED", None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.machine_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )

    def run(self, *arguments: object, **asked: Any) -> Ended:
        """One command, with what is done to it."""
        told = self._answer({"arguments": [str(one) for one in arguments], "told": str(self.folder / "told"), **asked})
        return Ended(**told)

    def review(self, *places: Path, **asked: Any) -> Ended:
        """Decisions that are saved one after the other, and a release: policy, document, folder."""
        return self.run(review=[str(place) for place in places], **asked)

    def warm(self, *arguments: object) -> None:
        """Load what a command needs."""
        told = self._answer({"arguments": [str(one) for one in arguments], "warm": True})
        assert told["status"] == 0, arguments

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.stdout is not None
        self._process.wait()
        self._process.stdout.close()


@dataclass(frozen=True, slots=True)
class Command:
    """A command that writes, the folder it writes to, and what must be true of the file it makes."""

    name: str
    arguments: tuple[object, ...]
    folder: Path
    target: str
    is_whole: Callable[[Path], bool]


class World:
    """Sources, texts and a policy; and the commands that make something of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.policy = write_policy(folder / "policy")
        self.ontology = folder / "ontology.obo"
        # Large enough that there are moments in which to be killed.
        terms = (
            f'[Term]\nid: X:{n}\nname: kind {n}\nsynonym: "sort {n} of it" EXACT []\nis_a: X:{n // 3}\n\n' for n in range(1, 6000)
        )
        self.ontology.write_text("format-version: 1.2\n\n[Term]\nid: X:0\nname: thing\n\n" + "".join(terms))
        self.texts = folder / "texts.txt"
        self.texts.write_text("".join(f"{NOTE}And a sort {n} of it, kind {n % 900}, with fatigue.\n\n" for n in range(1500)))
        self.notes = folder / "notes"
        (self.notes / "ward").mkdir(parents=True)
        for number in range(40):
            (self.notes / ("ward" if number % 2 else "") / f"{number}.txt").write_text(NOTE * 4 + f"Bed {number}.\n")
        self.note = self.notes / "0.txt"
        self.machine = Machine(folder)
        for command in (self.compile(folder / "warm"), self.build(folder / "warm"), self.batch(folder / "warm")):
            command.folder.mkdir(exist_ok=True)
            self.machine.warm(*command.arguments)

    def compile(self, into: Path) -> Command:
        """`kgsan ontology compile`."""
        target = into / "x.kgo"
        return Command("ontology compile", ("ontology", "compile", self.ontology, "-o", target), into, target.name, is_ontology)

    def build(self, into: Path) -> Command:
        """`kgsan knowledge build`."""
        target = into / "x.kgk"
        given = ("knowledge", "build", self.texts, "-o", target, "--in", self.policy.parent / "toy-ontology.txt", "--public")
        return Command("knowledge build", given, into, target.name, is_knowledge)

    def batch(self, into: Path) -> Command:
        """`kgsan sanitize FOLDER --resume`; the ledger lies beside."""
        given = ("sanitize", self.notes, "--policy", self.policy, "-o", into / "out", "--certificate", into / "proof")
        return Command("sanitize --resume", (*given, "--resume", into / "ledger"), into, "out", lambda _: True)

    def single(self, into: Path) -> Command:
        """`kgsan sanitize FILE` with all its papers."""
        given = ("sanitize", self.note, "--policy", self.policy, "-o", into / "x.txt")
        papers = ("--certificate", into / "c.json", "--record", into / "r.json")
        return Command("sanitize", (*given, *papers), into, "x.txt", lambda _: True)

    def fresh(self, name: str) -> Path:
        """An empty folder."""
        made = self.folder / name
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        return made

    def close(self) -> None:
        """End what was started."""
        self.machine.close()


def is_ontology(path: Path) -> bool:
    """Whether a compiled ontology opens and every array is as its sum says."""
    return _is_sound(path, ONTOLOGY, ONTOLOGY_VERSION)


def is_knowledge(path: Path) -> bool:
    """Whether a knowledge file opens and every array is as its sum says."""
    return _is_sound(path, KNOWLEDGE, KNOWLEDGE_VERSION)


def _is_sound(path: Path, kind: str, version: int) -> bool:
    opened = ArrayFile.open(path, kind, version)
    return all(opened[name] is not None for name in opened._unchecked)


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def drafts(folder: Path) -> list[str]:
    """What was begun and not finished: files and folders whose names begin with a point."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob(".*"))
