"""What the fuzzer ever found stays mended, and a short run with a fixed seed finds nothing."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest

from tests.fuzz.__main__ import FINDINGS
from tests.fuzz.containers import ARCHIVE, COMPILED, LOG
from tests.fuzz.driving import drawn
from tests.fuzz.mutations import changed
from tests.fuzz.rule import outcome
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS
from tests.fuzz.worlds import shipped, toy

if TYPE_CHECKING:
    from pathlib import Path

#: On a machine that does other work too, time is told with patience.
PATIENCE = 4.0
#: So many inputs of each target; those that read with all that ships take longer.
FEW, FEWER = 16, 5


@pytest.fixture(autouse=True, scope="module")
def _made() -> None:
    """What ships may have to be compiled first, which is nothing that an input costs."""
    toy()
    shipped()


@pytest.mark.parametrize("path", sorted(FINDINGS.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_finding_is_answered_by_the_rule(path: Path) -> None:
    found = outcome(TARGETS[path.parent.name], path.read_bytes(), PATIENCE)
    assert found.failure is None, found.failure.told


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_of_a_target_are_valid(name: str) -> None:
    target = TARGETS[name]
    found = [outcome(target, seed, PATIENCE) for seed in target.seeds()[:12]]
    assert [one.failure.told for one in found if one.failure is not None] == []
    assert not all(one.is_refused for one in found)


@pytest.mark.parametrize("name", TARGETS)
def test_some_inputs_that_nobody_foresaw_are_answered_by_the_rule(name: str) -> None:
    target, failures = TARGETS[name], []

    def try_one(content: bytes) -> None:
        found = outcome(target, content, PATIENCE).failure
        if found is not None:
            failures.append(found.told)

    drawn(target, try_one, seed=7, count=FEWER if name == "text-shipped" else FEW)
    assert failures == []


# --- the fuzzer itself ----------------------------------------------------------------------------------------------------


def target(run: object) -> Target:
    return Target("test", run, lambda: [b"seed"], hides=lambda content: content)  # type: ignore[arg-type]


def broken(run: object, content: bytes = b"zidovudine") -> str:
    found = outcome(target(run), content).failure
    return "" if found is None else found.key


def test_every_breach_of_the_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from kgsan.report.output import FileError

    def refuses(content: bytes) -> None:
        raise FileError("a.txt", f"It says {content.decode()}.")

    def asks_outside(_: bytes) -> None:
        os.system("true")

    def asks_outside_and_hides_it(_: bytes) -> None:
        try:
            os.system("true")
        except BaseException:
            return

    assert broken(len) == ""
    assert broken(lambda content: content.index(b"x")) == "ValueError-lambda"
    assert broken(refuses) == "shows-words"
    assert broken(refuses, b"it") == ""
    assert broken(asks_outside) == broken(asks_outside_and_hides_it) == "outside"
    with monkeypatch.context() as patch:
        patch.setattr("tests.fuzz.rule.MEMORY", 20)  # a machine may need seconds to hand out as much as is allowed
        # More than the process may hold already: what it holds is not seen to be taken.
        assert broken(lambda _: len([bytearray(b"x") * (64 << 20) for _ in range(4)])) == "too-large"
    monkeypatch.setattr("tests.fuzz.rule.SECONDS", 0.2)
    assert broken(lambda _: [None for _ in iter(time.time, 0)]) == "too-slow"


@pytest.mark.parametrize(("name", "container"), [("docx", ARCHIVE), ("kgo", COMPILED), ("kgk", COMPILED), ("audit-log", LOG)])
def test_a_container_that_was_taken_apart_is_put_together_again(name: str, container: object) -> None:
    chosen = TARGETS[name]
    assert chosen.container is container
    assert chosen.container is not None
    parts = chosen.container.take(chosen.seeds()[0])
    assert parts is not None
    again = chosen.container.put(parts)
    assert chosen.container.take(again) == parts
    found = outcome(chosen, again)
    assert (found.failure, found.is_refused) == (None, False)


def test_changes_are_the_same_for_the_same_dice() -> None:
    chosen = TARGETS["html"]
    seed = chosen.seeds()[0]
    assert [changed(chosen, seed, random.Random(n)) for n in range(50)] == [
        changed(chosen, seed, random.Random(n)) for n in range(50)
    ]
    assert len({changed(chosen, seed, random.Random(n)) for n in range(50)}) > 40
