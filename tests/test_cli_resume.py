"""`kgsan sanitize --resume`: a run that was killed goes on, and ends as if it had never been."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from kgsan import cli
from kgsan.cli import many
from tests.report.toy import NOTE, SECRETS, write_policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_policy(tmp_path_factory.mktemp("policy")))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], policy: str) -> Callable[..., tuple[int, str, str]]:
    def sanitize(*arguments: object) -> tuple[int, str, str]:
        code = cli.main(["sanitize", "--policy", policy, *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return sanitize


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "ward").mkdir(parents=True)
    for number in range(4):
        (folder / f"{number}.txt").write_text(NOTE * (number + 1))
    (folder / "ward" / "rows.csv").write_text("id,note\n1,He has AIDS.\n")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_what_is_done_is_left_and_the_rest_is_done(
    run: Any, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, ledger = tmp_path / "out", tmp_path / "ledger"
    arguments = (notes, "-o", out, "--certificate", tmp_path / "proof", "--resume", ledger)
    assert run(*arguments)[0] == 0
    whole = tree(out)
    (notes / "new.txt").write_text(NOTE)  # not yet there
    (notes / "1.txt").write_text(NOTE * 9)  # another text now
    (out / "2.txt").unlink()  # taken away
    (out / "3.txt").write_text("AIDS")  # tampered with
    worked: list[str] = []
    real = many.one_by_one
    monkeypatch.setattr(
        many, "one_by_one", lambda s, setup, jobs, n: (worked.extend(job.name for job in jobs), real(s, setup, jobs, n))[1]
    )
    code, _, err = run(*arguments)
    assert code == 0
    assert worked == ["1.txt", "2.txt", "3.txt", "new.txt"]
    assert [line.split()[-1] for line in err.splitlines()] == ["4", "2"]
    assert "left as written before" in err
    assert {name: content for name, content in tree(out).items() if name not in ("1.txt", "new.txt")} == {
        name: content for name, content in whole.items() if name != "1.txt"
    }
    worked.clear()
    assert run(*arguments)[0] == 0
    assert worked == []


def test_the_ledger_is_private_and_tells_nothing(run: Any, notes: Path, tmp_path: Path) -> None:
    assert run(notes, "-o", tmp_path / "out", "--resume", tmp_path / "ledger")[0] == 0
    told = (tmp_path / "ledger").read_text()
    assert (tmp_path / "ledger").stat().st_mode & 0o777 == 0o600
    assert not any(secret in told for secret in (*SECRETS, "rows.csv", "0.txt", str(tmp_path)))
    assert len(told.splitlines()) == 6


def test_other_settings_are_refused(run: Any, notes: Path, tmp_path: Path) -> None:
    arguments = (notes, "-o", tmp_path / "out", "--resume", tmp_path / "ledger")
    assert run(*arguments)[0] == 0
    before = tree(tmp_path)
    for more in (("--redact",), ("--strictness", "3"), ("--keep", "id"), ("--format", "json")):
        code, out, err = run(*arguments, *more)
        assert (code, out) == (2, "")
        assert err.startswith("The ledger was begun with another policy, other sources, other settings or another kgsan")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("where", ["out/ledger", "in/ledger", "in/0.txt"])
def test_the_ledger_lies_neither_among_what_is_read_nor_what_is_released(
    run: Any, notes: Path, tmp_path: Path, where: str
) -> None:
    code, _, err = run(notes, "-o", tmp_path / "out", "--resume", tmp_path / where)
    assert code == 2
    assert "ledger" in err
    assert (notes / "0.txt").read_text() == NOTE


@pytest.mark.parametrize(
    "content", [b"AIDS and more\n", b"[]\n", b'{"format": "x"}\n', b'{"format": "kgsan-ledger-1"}\n', b"\xff\n", b"{" * 10]
)
def test_what_is_no_ledger_is_told_and_stays(run: Any, notes: Path, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ledger").write_bytes(content)
    code, _, err = run(notes, "-o", tmp_path / "out", "--resume", tmp_path / "ledger")
    assert code == 4
    assert "F110" in err
    assert "AIDS" not in err
    assert (tmp_path / "ledger").read_bytes() == content


@pytest.mark.parametrize("cut", [0, 1, 20, 90, 200, 260, 420])
def test_a_ledger_that_was_cut_off_is_taken_up(run: Any, notes: Path, tmp_path: Path, cut: int) -> None:
    arguments = (notes, "-o", tmp_path / "out", "--resume", tmp_path / "ledger")
    assert run(*arguments)[0] == 0
    whole = tree(tmp_path / "out")
    (tmp_path / "ledger").write_bytes((tmp_path / "ledger").read_bytes()[:cut])
    (tmp_path / "out" / ".kgsan-0123456789abcdef").write_text("half")
    assert run(*arguments)[0] == 0
    assert tree(tmp_path / "out") == whole


def test_a_page_or_standard_output_cannot_be_resumed(run: Any, notes: Path, tmp_path: Path) -> None:
    assert run(notes / "0.txt", "--resume", tmp_path / "ledger")[0] == 2
    assert run(notes, "-o", tmp_path / "p.html", "--format", "html", "--resume", tmp_path / "ledger")[0] == 2
    assert not (tmp_path / "ledger").exists()


#: The command without the seconds that importing and compiling take: each child is split off when all that is loaded.
_KILLED = """
import os, signal, sys, time
from kgsan import cli
arguments, moments = sys.argv[1].split(chr(31)), [float(one) for one in sys.argv[2].split(",")]
cli.main(["sanitize", sys.argv[3], "--policy", sys.argv[4], "-o", sys.argv[3] + ".warm"])
killed = 0
for moment in moments:
    child = os.fork()
    if not child:
        os._exit(cli.main(arguments))
    until = time.monotonic() + moment
    while time.monotonic() < until:
        if os.waitpid(child, os.WNOHANG)[0]:
            break
        time.sleep(0.001)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        killed += 1
sys.exit(100 + killed if cli.main(arguments) == 0 else 1)
"""


def test_killed_at_any_moment_and_run_again_gives_the_same_tree(run: Any, tmp_path: Path, policy: str) -> None:
    folder = tmp_path / "in"
    (folder / "below").mkdir(parents=True)
    for number in range(60):
        (folder / ("below" if number % 2 else "") / f"{number}.txt").write_text(NOTE * 3 + f"Bed {number}.\n")
    (folder / "rows.csv").write_text("id,note\n" + "1,He has AIDS.\n" * 50)
    assert run(folder, "-o", tmp_path / "whole", "--certificate", tmp_path / "whole-proof")[0] == 0
    dice = random.Random(7)
    moments = ",".join(f"{dice.uniform(0.02, 0.5):.3f}" for _ in range(20))
    (tmp_path / "warm.txt").write_text(NOTE)
    arguments = [
        "sanitize",
        str(folder),
        "--policy",
        policy,
        "-o",
        str(tmp_path / "out"),
        "--certificate",
        str(tmp_path / "proof"),
        "--resume",
        str(tmp_path / "ledger"),
    ]
    script = [sys.executable, "-c", _KILLED, "\x1f".join(arguments), moments, str(tmp_path / "warm.txt"), policy]
    done = subprocess.run(script, capture_output=True, text=True, timeout=120)
    assert done.returncode > 102, done.stderr
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")
    assert tree(tmp_path / "proof") == tree(tmp_path / "whole-proof")


def test_processes_of_a_run_that_was_killed_end_too(tmp_path: Path, policy: str) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for number in range(80):
        (folder / f"{number}.txt").write_text(NOTE * 10)
    command = [
        sys.executable,
        "-m",
        "kgsan.cli",
        "sanitize",
        str(folder),
        "--policy",
        policy,
        "-o",
        str(out),
        "--processes",
        "2",
        "--resume",
        str(tmp_path / "ledger"),
    ]
    work = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and len(list(out.glob("*.txt"))) < 3:
        time.sleep(0.05)
    os.kill(work.pid, signal.SIGKILL)
    work.wait()
    while time.monotonic() < until:
        try:
            os.killpg(work.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        os.killpg(work.pid, signal.SIGKILL)
        pytest.fail("a process is left")
    assert cli.main(command[3:]) == 0
    assert len(tree(out)) == 80
