"""See whether the tests notice small mistakes in the code that decides what is hidden.

    python tools/mutate.py [--sample 400] [--seed 1] [--module kgsan/risk/groups.py] [--all]

Mistakes are chosen at random, from each module in proportion to how many it can have. Each is put into the running code and
the tests that run its line are run, then those that run its file, until one fails. What no test notices is listed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter, defaultdict
from dataclasses import asdict
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mutation.mutants import Mutant, mutants
from mutation.trying import Trial, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPO = Path(__file__).parents[1]
KEPT = REPO / "build" / "mutation.json"
TARGETS = ("kgsan/risk", "kgsan/sanitize", "kgsan/knowledge/information.py")
TESTS = (
    "tests/risk",
    "tests/sanitize",
    "tests/papers",
    "tests/knowledge/test_information.py",
    "tests/knowledge/test_laws.py",
    *TARGETS,
)
#: Tests of speed fail by chance where a machine is busy; those that start processes are not copied with this one.
_LEFT_OUT = "not take_time and not takes_time and not seconds and not hundred_thousand and not hash_seed and not killed_from"


def chosen(paths: Sequence[str], sample: int | None, seed: int) -> tuple[list[Mutant], Counter[str]]:
    """Mistakes of the files, some of each or all, and how many there are in each."""
    of_file = {path: mutants(path, (REPO / path).read_text("utf-8")) for path in paths}
    known = Counter({path: len(made) for path, made in of_file.items() if made})
    taken = []
    for path in known:
        share = known[path] if sample is None else max(2, round(sample * known[path] / known.total()))
        dice = random.Random(f"{seed}:{path}")  # a change of one module leaves what is chosen in the others
        taken += dice.sample(of_file[path], min(share, known[path]))
    random.Random(seed).shuffle(taken)  # a run that is cut short has tried a sample as well
    return taken, known


def files(targets: Sequence[str]) -> list[str]:
    """The modules under the targets."""
    found = [
        path for each in targets for path in ([REPO / each] if each.endswith(".py") else sorted((REPO / each).rglob("*.py")))
    ]
    return [path.relative_to(REPO).as_posix() for path in found]


def interval(killed: int, tried: int) -> tuple[float, float]:
    """Between which rates the true one lies at 95 % (Wilson 1927).

    >>> [round(end, 3) for end in interval(85, 100)]
    [0.767, 0.907]
    """
    rate, square = killed / tried, 1.96**2
    middle, reach = rate + square / (2 * tried), 1.96 * sqrt(rate * (1 - rate) / tried + square / (4 * tried**2))
    return (middle - reach) / (1 + square / tried), (middle + reach) / (1 + square / tried)


def table(verdicts: Sequence[Verdict], known: Counter[str]) -> str:
    """How many were tried and noticed, by module."""
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    for verdict in verdicts:
        outcomes[verdict.mutant.path][verdict.outcome] += 1
    lines = ["| module | possible | tried | killed | timeout | survived |", "|---|---|---|---|---|---|"]
    whole: Counter[str] = Counter()
    for path, counted in outcomes.items():
        whole.update(counted)
        figures = (known[path], counted.total(), counted["killed"], counted["timeout"], counted["survived"])
        lines.append(f"| `{path}` | " + " | ".join(map(str, figures)) + " |")
    figures = (sum(known[path] for path in outcomes), whole.total(), whole["killed"], whole["timeout"], whole["survived"])
    lines.append("| **all** | " + " | ".join(map(str, figures)) + " |")
    return "\n".join(lines)


def _which(kept: dict[str, Any]) -> tuple[str, int, str, str]:
    """What tells one mistake from all others; "return None" stands in many lines."""
    return kept["path"], kept["line"], kept["kind"], kept["after"]


def _keep(kept: Path, verdicts: Sequence[Verdict], before: list[dict[str, Any]]) -> None:
    """Write what became of each, so that what survived can be tried again when there are more tests."""
    now = [{**asdict(verdict.mutant), **{"outcome": verdict.outcome, "test": verdict.test}} for verdict in verdicts]
    for each in now:
        del each["source"], each["lines"]
    tried = {_which(each) for each in now}
    rest = [each for each in before if _which(each) not in tried]
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps(rest + now, indent=1), encoding="utf-8")


def _line(verdict: Verdict) -> str:
    made = verdict.mutant
    return f"{made.place} ({made.kind})\n- {made.before}\n+ {made.after}\n"


def _teller(kept: Path, before: list[dict[str, Any]]) -> Callable[[Verdict], None]:
    """Tells and keeps each verdict at once, past what pytest does with the output."""
    out = os.dup(1)
    told: list[Verdict] = []

    def tell(verdict: Verdict) -> None:
        told.append(verdict)
        _keep(kept, told, before)
        os.write(out, f"\n{_line(verdict)}".encode() if not verdict.is_noticed else verdict.outcome[0].encode())

    return tell


def main() -> int:
    """Try the mistakes, print what survived and the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=400, help="so many mistakes in all (400)")
    parser.add_argument("--all", action="store_true", help="every mistake")
    parser.add_argument("--seed", type=int, default=1, help="another seed chooses others (1)")
    parser.add_argument("--module", action="append", help="only these files or folders")
    parser.add_argument("--tests", nargs="+", default=list(TESTS), help="tests that may notice")
    parser.add_argument("--leave-out", default=_LEFT_OUT, help="what pytest's -k is told")
    parser.add_argument("--again", action="store_true", help="only what survived the last time")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where what became of each is kept (build/mutation.json)")
    parser.add_argument("--killers", action="store_true", help="tell which test noticed each")
    options = parser.parse_args()
    os.chdir(REPO)
    sys.path.insert(0, str(REPO))
    started = time.monotonic()
    taken, known = chosen(files(options.module or TARGETS), None if options.all else options.sample, options.seed)
    before = json.loads(options.kept.read_text("utf-8")) if options.again else []
    if options.again:
        survived = {_which(each) for each in before if each["outcome"] == "survived"}
        taken = [made for made in chosen(files(options.module or TARGETS), None, 0)[0] if _which(asdict(made)) in survived]
    trial = Trial(taken, _teller(options.kept, before), options.kept.with_name("mutation-seconds.json"))
    flags = [
        "-o",
        "addopts=--doctest-modules",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:terminal",
        "-k",
        options.leave_out,
    ]
    pytest.main([*flags, *options.tests], plugins=[trial])
    if len(trial.verdicts) < len(taken):
        print("The tests could not be run.")
        return 2
    noticed = sum(verdict.is_noticed for verdict in trial.verdicts)
    low, high = interval(noticed, len(taken))
    print(f"\n{table(trial.verdicts, known)}\n")
    print(
        f"{noticed} of {len(taken)} noticed: {noticed / len(taken):.1%} (95 %: {low:.1%} to {high:.1%}), seed {options.seed}, ",
        end="",
    )
    print(f"{time.monotonic() - started:.0f} s.")
    if trial.failing:
        print(f"{len(trial.failing)} tests fail without any mistake and were left out: " + ", ".join(trial.failing))
    if options.killers:
        print(
            *(f"{verdict.mutant.place} {verdict.mutant.kind}: {verdict.test or verdict.outcome}" for verdict in trial.verdicts),
            sep="\n",
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
