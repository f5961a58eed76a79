"""`python -m tests.faults.machine_child`: commands of kgsan in processes that are split off when everything is loaded, and ended.

Each line of standard input is one command in JSON, each line of standard output what became of it. What a machine may do to a
process is done to the process that was split off: limits, mounts of its own, a signal after some seconds.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan import cli
from kgsan.app.desk import Desk
from kgsan.app.replay import Ruling
from kgsan.cli.batch import Setup
from kgsan.cli.machine import ended_like_an_interruption
from kgsan.policy.read import load_policy
from kgsan.report.output import drop_unfinished

if TYPE_CHECKING:
    from collections.abc import Callable

#: How long a process has to end by itself.
_PATIENCE = 60.0
#: What a process ends with that could not be put into the state that was asked for.
UNABLE = 99
_NEW_MOUNTS, _READ_ONLY, _REMOUNT, _BIND, _PRIVATE = 0x20000, 1, 32, 4096, (1 << 18) | 16384


def main() -> None:
    """Serve until standard input ends."""
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # what commands print is no answer
        for line in sys.stdin:
            asked = json.loads(line)
            print(json.dumps({"status": _work(asked)()} if asked.get("warm") else _split(asked)), file=answers, flush=True)


def _work(asked: dict[str, Any]) -> Callable[[], int]:
    if asked.get("review"):
        return lambda: reviewed(*map(Path, asked["review"]))
    return lambda: cli.main(asked["arguments"])


def _split(asked: dict[str, Any]) -> dict[str, Any]:
    out, err = Path(asked["told"] + ".out"), Path(asked["told"] + ".err")
    started = time.monotonic()
    child = os.fork()
    if not child:
        code = UNABLE
        try:
            sys.stdin = open(os.devnull)  # noqa: SIM115
            _redirect(asked.get("out") or str(out), 1)
            _redirect(str(err), 2)
            if _prepared(asked):
                code = _work(asked)()
                _listed(asked)
        except BaseException:
            code = 98
            traceback.print_exc()
        os._exit(code)
    status, hit = _ended(child, started, asked.get("delay"), asked.get("signal", signal.SIGKILL))
    took = time.monotonic() - started
    told = [path.read_text(errors="replace") if path.exists() else "" for path in (out, err)]
    return {"status": status, "hit": hit, "took": took, "out": told[0], "err": told[1]}


def _redirect(path: str, number: int) -> None:
    if path == "closed":
        os.close(number)
        sys.stdout = None
        return
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    os.dup2(opened, number)
    os.close(opened)


def _ended(child: int, started: float, delay: float | None, number: int) -> tuple[int, bool]:
    """How the child ended, and whether a signal was needed for it."""
    hit = False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), hit
        gone = time.monotonic() - started
        if delay is not None and not hit and gone >= delay:
            os.kill(child, number)
            hit = True
        if gone > _PATIENCE:
            os.kill(child, signal.SIGKILL)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), True
        time.sleep(0.0005)


# --- what is done to a process ----------------------------------------------------------------------------------------------


def _prepared(asked: dict[str, Any]) -> bool:
    os.environ.update(asked.get("environment", {}))
    if "mount" in asked and not _mounted(asked["mount"], asked["options"]):
        return False
    for name, value in asked.get("limits", {}).items():
        if name == "RLIMIT_AS":  # so many MB more than it has
            value = 4096 * int(Path("/proc/self/statm").read_text().split()[0]) + value * (1 << 20)
        resource.setrlimit(getattr(resource, name), (value, value))
    return True


def _mounted(place: str, options: str) -> bool:
    """A small file system, or the same folder read-only, seen by this process alone. It takes a user who may do that."""
    system, path = ctypes.CDLL(None), place.encode()
    if system.unshare(_NEW_MOUNTS) or system.mount(b"none", b"/", None, _PRIVATE, None):
        return False
    if options != "ro":
        return not system.mount(b"tmpfs", path, b"tmpfs", 0, options.encode())
    if system.mount(path, path, None, _BIND, None):
        return False
    return not system.mount(b"none", path, None, _BIND | _REMOUNT | _READ_ONLY, None)


def _listed(asked: dict[str, Any]) -> None:
    """What is left in a file system that nobody else sees."""
    if "mount" in asked:
        found = sorted(str(path.relative_to(asked["mount"])) for path in Path(asked["mount"]).rglob("*") if path.is_file())
        os.write(1, f"\nleft: {json.dumps(found)}\n".encode())


# --- a review ---------------------------------------------------------------------------------------------------------------


def reviewed(policy: Path, note: Path, folder: Path) -> int:
    """Decide about one change again and again, then release: a line is told for everything that is saved."""
    try:
        with ended_like_an_interruption():
            desk = Desk(Setup(load_policy(policy)).sanitizer(), [note], folder)
            span = desk.view(1).draft.settled[0].span
            for _ in range(6):
                desk.decide(1, span, Ruling.REDACT)
                os.write(1, b"saved\n")
                desk.undo(1, span)
                os.write(1, b"saved\n")
            desk.accept_rest(1)
            desk.release(1, confirmed=True)
            os.write(1, b"released\n")
            desk.close()
    finally:
        drop_unfinished()
    return 0


if __name__ == "__main__":
    main()
