"""What a machine may do to a command: a short and repeatable part of `python -m tests.faults machine`."""

from __future__ import annotations

import fcntl
import os
import random
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kgsan.ontology import drafts as drafting
from kgsan.report.output import Drafts, sweep
from tests.faults.machine import killed, killed_review
from tests.faults.machine_lack import LACKS
from tests.faults.machine_world import World, drafts
from tests.report.toy import NOTE, write_policy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals, limits and mounts are those of Linux")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("machine"))
    yield made
    made.close()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_ended_leaves_the_old_file_or_the_new_one(world: World, number: signal.Signals) -> None:
    row = killed(world, world.compile, random.Random(1), 3, number)
    assert row.is_well, row


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_batch_that_is_ended_goes_on_to_the_same_bytes(world: World, number: signal.Signals) -> None:
    row = killed(world, world.batch, random.Random(2), 2, number)
    assert row.is_well, row


def test_a_decision_that_was_saved_outlives_a_kill(world: World) -> None:
    row = killed_review(world, random.Random(3), 4, signal.SIGKILL)
    assert row.is_well, row


@pytest.mark.parametrize("name", LACKS)
def test_what_a_machine_lacks_is_told_in_a_sentence_and_nothing_is_torn(world: World, name: str) -> None:
    lack = LACKS[name](world)
    if lack.skipped:
        pytest.skip(lack.skipped)
    assert lack.commands > 0
    assert lack.is_well, lack


# --- drafts ------------------------------------------------------------------------------------------------------------------


def test_a_draft_of_a_killed_process_is_taken_away_and_one_at_work_stays(tmp_path: Path) -> None:
    (tmp_path / ".kgsan-0123456789abcdef").write_text("left by one that was killed")
    (tmp_path / ".kgsan-of-somebody-else").write_text("no draft")
    with Drafts() as at_work:
        at_work.begin(tmp_path / "a.txt").write("whole")
        sweep([tmp_path])
        assert len(drafts(tmp_path)) == 2
    assert drafts(tmp_path) == [".kgsan-of-somebody-else"]
    assert (tmp_path / "a.txt").read_text() == "whole"


def test_a_draft_taken_for_abandoned_before_it_was_locked_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, taken = fcntl.flock, list[int]()

    def late(opened: int, how: int) -> None:
        if not taken:
            taken.append(opened)
            (tmp_path / "draft").unlink()
        real(opened, how)

    monkeypatch.setattr(fcntl, "flock", late)
    opened = drafting.begin(tmp_path / "draft")
    os.write(opened, b"whole")
    os.close(opened)
    assert (tmp_path / "draft").read_bytes() == b"whole"


def test_a_review_killed_while_its_key_was_made_begins_anew(world: World) -> None:
    folder = world.fresh("key") / "review"
    folder.mkdir()
    (folder / "key").write_bytes(b"")
    assert world.machine.review(world.policy, world.note, folder).status == 0
    assert len((folder / "key").read_bytes()) == 32
    (folder / "key").write_bytes(b"")  # now the log speaks of documents by the key that is gone
    assert "A102" in world.machine.review(world.policy, world.note, folder).err


# --- signals and readers, as they come from a terminal ------------------------------------------------------------------------


def _heeds_the_terminal() -> None:
    """The tests themselves may have been started with nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def test_a_terminal_that_is_closed_ends_all_processes_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    policy, notes, out = write_policy(tmp_path / "policy"), tmp_path / "notes", tmp_path / "out"
    notes.mkdir()
    for number in range(300):
        (notes / f"{number}.txt").write_text(NOTE * 30)
    command = [
        sys.executable,
        "-m",
        "kgsan.cli",
        "sanitize",
        str(notes),
        "--policy",
        str(policy),
        "-o",
        str(out),
        "--processes",
        "2",
    ]
    work = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=_heeds_the_terminal)
    while work.poll() is None and len(list(out.glob("*.txt"))) < 3:
        with pytest.raises(subprocess.TimeoutExpired):
            work.wait(0.05)
    os.killpg(work.pid, signal.SIGHUP)
    _, err = work.communicate(timeout=60)
    assert work.returncode in (4, 130), err
    assert "Traceback" not in err
    assert len({path.read_text() for path in out.glob("*.txt")}) == 1
    assert drafts(out) == []


def test_nohup_stays_in_force(world: World) -> None:
    command = world.single(world.fresh("nohup"))
    arguments = [sys.executable, "-m", "kgsan.cli", *map(str, command.arguments)]
    work = subprocess.Popen(arguments, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    for _ in range(20):
        work.send_signal(signal.SIGHUP)
        try:
            work.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    assert work.wait(60) == 0


def test_a_reader_that_goes_away_is_no_error_for_any_command(world: World) -> None:
    for arguments in (("sanitize", world.note, "--policy", world.policy), ("expand", world.policy), ("schema",)):
        command = " ".join([sys.executable, "-m", "kgsan.cli", *map(str, arguments)])
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {command} | head -n 1"], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
