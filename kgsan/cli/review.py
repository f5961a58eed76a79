"""`kgsan review`: a local page on which a person decides about every change, and the check of what was logged."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.cli.batch import Setup, unexpected
from kgsan.cli.jobs import WrongUsage
from kgsan.cli.output import DONE, FINDINGS, WRONG_FILE, WRONG_USAGE, complain
from kgsan.cli.sanitize import compiled, guarded, policy_of
from kgsan.errors import Place, Problem
from kgsan.sanitize.sanitizer import LEARNED

if TYPE_CHECKING:
    import argparse

    from kgsan.cli.output import Commands

_TEXTS = (".txt", ".md", ".text")
_NEEDED = ("starlette", "uvicorn")
#: What is wrong with the usage; everything else of a review is about a file.
_USAGE = ("A101", "A102", "A107", "A108", "A109", "A116")


def add_commands(commands: Commands) -> None:
    """`kgsan review`."""
    command = commands.add_parser(
        "review",
        help="decide about every change on a local page, or check the log of a review",
        description="Serve a page on this machine only, on which every change of the documents is accepted, changed, blacked out "
        "or waived with a reason. Everything is logged; only a text that verifies is released. With --check, tell whether a log "
        "is as it was written.",
    )
    command.add_argument("inputs", nargs="*", metavar="FILE", help="texts, or folders of them")
    command.add_argument("--policy", metavar="POLICY", help="a file, or the name of a shipped policy")
    command.add_argument("--folder", type=Path, default=Path("kgsan-review"), metavar="STATE", help="default: kgsan-review")
    command.add_argument("--key", type=Path, metavar="FILE", help="seal the log with the key in this file")
    command.add_argument("--port", type=int, default=0, help="default: any that is free")
    command.add_argument("--no-browser", action="store_true", help="only tell the address")
    command.add_argument("--check", type=Path, metavar="LOG", help="check an audit log instead of reviewing")
    command.set_defaults(run=guarded(_run), strictness=None, method=None)  # which the page chooses, and the policy


def _run(given: argparse.Namespace) -> int:
    from kgsan.app.problems import ReviewError

    try:
        return _review(given) if given.check is None else _check(given)
    except ReviewError as error:
        complain(error.problems)
        return WRONG_USAGE if error.code in _USAGE else WRONG_FILE


def _check(given: argparse.Namespace) -> int:
    from kgsan.app.audit import check_log
    from kgsan.app.queue import given_key

    count, problems, is_ended = check_log(given.check, given_key(given.key))
    if problems:
        complain(problems)
        return FINDINGS
    end = "" if is_ended else " No state file lies beside it, so lines that were cut off at its end cannot be told."
    print(f"The log is as it was written: {count} lines.{end}")
    return DONE


def _review(given: argparse.Namespace) -> int:
    if given.policy is None or not given.inputs:
        raise WrongUsage("Give the documents and --policy, or a log with --check.")
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        said = f"The review page needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed."
        complain([Problem("A101", Place("review"), said, "Install them with: pip install 'kgsan[review]'.")])
        return WRONG_USAGE
    policy = policy_of(given)
    if policy.method == LEARNED:
        raise WrongUsage("The method greedy cannot be reviewed on a page; use 'kgsan sanitize'.")
    from kgsan.app.desk import Desk
    from kgsan.app.queue import given_key
    from kgsan.app.serve import serve

    key, paths = given_key(given.key), list(_listed(given.inputs))
    desk = Desk(compiled(Setup(policy)), paths, given.folder, key)
    complain(desk.notices)
    try:
        serve(desk, given.port, browser=not given.no_browser, told=_told, unforeseen=_unforeseen)
    finally:
        desk.close()
    print(f"The review was ended; it can be taken up again with the same --folder {given.folder}.", file=sys.stderr)
    return DONE


def _listed(inputs: list[str]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, inputs):
        if path.is_dir():
            inside = (one for one in sorted(path.rglob("*")) if one.is_file() and one.suffix.lower() in _TEXTS)
            found += [one for one in inside if not any(part.startswith(".") for part in one.relative_to(path).parts)]
        else:
            found.append(path)
    if not found:
        raise WrongUsage("The folder holds no text: .txt or .md.")
    return found


def _told(address: str) -> None:
    print(f"Review at {address}", flush=True)
    print("The address works once, in one browser on this machine. End with Ctrl-C; everything decided is kept.", file=sys.stderr)


def _unforeseen(error: BaseException) -> None:
    print(unexpected(error), file=sys.stderr)
