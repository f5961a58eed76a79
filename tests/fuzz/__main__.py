"""`python -m tests.fuzz --seconds 600 [TARGET...]`: shares the time between the targets and tells what was found.

Each target runs in a process of its own. What breaks the rule is made smaller and kept in `tests/fuzz/findings/TARGET/`, where
`tests/fuzz/test_findings.py` tries it again with every run of the tests.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fuzz.target import Target

FINDINGS = Path(__file__).parent / "findings"
REPO = FINDINGS.parents[2]
#: A target that is stuck where no signal reaches it is ended after its time and this.
_GRACE = 90
_SHRINKING = 20


def main() -> int:
    """Run all targets, or make one finding smaller as a child of that."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=float, default=600, help="for all targets together (600)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--list", action="store_true", help="tell which targets there are")
    parser.add_argument("--shrink", type=Path, nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.shrink is not None:
        return _shrink(given.targets[0], given.shrink)
    targets, by_coverage = _targets()
    unknown = [name for name in given.targets if name not in targets]
    if given.list or unknown:
        print(*targets, sep="\n")
        return 2 if unknown else 0
    chosen = [targets[name] for name in given.targets] or list(targets.values())
    return _all(chosen, given.seconds, given.seed, by_coverage)


def _targets() -> tuple[dict[str, Target], bool]:
    """All targets, and whether the code that they read with counts the edges it takes."""
    try:
        import atheris  # type: ignore[import-untyped]
    except ImportError:
        from tests.fuzz.targets import TARGETS

        return TARGETS, False
    with atheris.instrument_imports(include=["kgsan"]):
        from tests.fuzz.targets import TARGETS
    return TARGETS, True


def _all(targets: list[Target], seconds: float, seed: int, by_coverage: bool) -> int:
    print("Inputs are led by coverage (atheris)." if by_coverage else "Inputs are drawn by hypothesis; atheris is not installed.")
    print(f"{'target':14}{'inputs':>9}{'refused':>9}{'edges':>8}{'findings':>10}{'worst s':>9}{'worst MB':>10}", flush=True)
    total = inputs = 0
    for target in targets:
        with tempfile.TemporaryDirectory(prefix="kgsan-fuzz-") as made:
            folder = Path(made)
            ended = _run(target, folder, seconds / len(targets), seed, by_coverage)
            tally = _tally(folder)
            if ended:
                (folder / "process-ended.input").write_bytes(_current(folder))
                (folder / "process-ended.txt").write_text(ended)
            kept = _kept(target.name, folder)
            if ended and not any("process-ended" in line for line in kept):
                kept.append(f"the run ended early, and not because of its input: {ended.strip().splitlines()[-2:]}")
        row = f"{target.name:14}{tally['inputs']:>9}{tally['refused']:>9}{tally['edges'] or '':>8}{len(kept):>10}"
        print(f"{row}{tally['seconds']:>9.2f}{tally['megabytes']:>10.0f}", flush=True)
        for line in kept:
            print(f"    {line}", flush=True)
        total += len(kept)
        inputs += tally["inputs"]
    print(f"{inputs} inputs, {total} findings{'; counting edges makes everything several times slower' * by_coverage}.")
    return 1 if total else 0


def _run(target: Target, folder: Path, seconds: float, seed: int, by_coverage: bool) -> str:
    """Run a target in a process; what it printed when it ended in another way than it should."""
    printed = folder / "printed"
    child = os.fork()
    if not child:
        _fuzz(target, folder, seconds, seed, by_coverage)
    end = time.monotonic() + seconds + _GRACE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return "" if code == 0 else f"{printed.read_text('utf-8', 'replace')[-3000:]}\nThe process ended with {code}."
        time.sleep(0.1)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return "The process did not end."


def _fuzz(target: Target, folder: Path, seconds: float, seed: int, by_coverage: bool) -> None:
    """In the child: does not come back."""
    from tests.fuzz.driving import PATIENCE, Driver, drive, drive_by_coverage

    code = 1
    tempfile.tempdir = str(folder)  # what is left behind goes with it
    try:  # nothing of the parent may run on in the child
        stream = os.open(folder / "printed", os.O_WRONLY | os.O_CREAT)
        os.dup2(stream, 1)
        os.dup2(stream, 2)
        if by_coverage:
            drive_by_coverage(Driver(target, folder, PATIENCE), seconds, seed)
        else:
            drive(Driver(target, folder), seconds, seed)
        code = 0
    except SystemExit as ended:
        code = int(ended.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _tally(folder: Path) -> dict[str, Any]:
    path = folder / "tally.json"
    tally: dict[str, Any] = (
        json.loads(path.read_text()) if path.exists() else {"inputs": 0, "refused": 0, "seconds": 0, "megabytes": 0}
    )
    printed = (folder / "printed").read_text("utf-8", "replace") if (folder / "printed").exists() else ""
    return tally | {"edges": max(map(int, re.findall(r"cov: (\d+)", printed)), default=0)}


def _current(folder: Path) -> bytes:
    from tests.fuzz.driving import crashed_on

    return crashed_on(folder) if (folder / "current").exists() else b""


# --- findings -------------------------------------------------------------------------------------------------------------


def _kept(name: str, folder: Path) -> list[str]:
    """The findings of a run that are still there when no edges are counted, made smaller and stored; a line on each."""
    lines = []
    for path in _confirmed(name, sorted(folder.glob("*.input"))):
        content = path.read_bytes()
        place = FINDINGS / name / f"{path.stem}-{hashlib.sha256(content).hexdigest()[:8]}"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        told = path.with_suffix(".txt").read_text("utf-8", "replace").strip().splitlines()
        lines.append(f"{place.relative_to(REPO)} ({len(content)} bytes): {told[-1][:150] if told else ''}")
    return lines


def _confirmed(name: str, paths: list[Path]) -> list[Path]:
    """The inputs that another process finds fault with too, or ends over; it makes them smaller."""
    left = list(paths)
    while left:
        command = [sys.executable, "-m", "tests.fuzz", "--shrink", *map(str, left), "--", name]
        done = subprocess.run(command, cwd=REPO, capture_output=True)
        if done.returncode == 0:
            break
        left = [path for path in left if not path.with_suffix(".tried").exists()]
    return [path for path in paths if not path.with_suffix(".innocent").exists()]


def _shrink(name: str, paths: list[Path]) -> int:
    from tests.fuzz.rule import minimized, outcome
    from tests.fuzz.targets import TARGETS

    target, left = TARGETS[name], float(_SHRINKING)
    for path in paths:
        path.with_suffix(".tried").touch()
        content = path.read_bytes()
        found = outcome(target, content).failure
        if found is None:
            path.with_suffix(".innocent").touch()  # it was slow only because edges were counted
            continue
        path.with_suffix(".txt").write_text(found.told, "utf-8", "replace")
        if target.container is None and len(content) < 1 << 20:
            began = time.monotonic()
            path.write_bytes(minimized(target, content, found.key, left / 2))
            left -= time.monotonic() - began
    return 0


if __name__ == "__main__":
    sys.exit(main())
