"""Many files sanitized in one run, with a bar while it lasts and a summary at its end."""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kgsan.cli.batch import Outcome, one_by_one, side_by_side
from kgsan.cli.jobs import PAGE
from kgsan.cli.output import DONE, INTERRUPTED, WRONG_FILE
from kgsan.cli.page import one_page
from kgsan.formats.kinds import by_name
from kgsan.report.sentences import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from kgsan.cli.batch import Ended, Setup
    from kgsan.cli.jobs import Job, Jobs
    from kgsan.cli.ledger import Ledger
    from kgsan.sanitize.sanitizer import Sanitizer

_OUTCOMES = {
    Outcome.WRITTEN: "written",
    Outcome.NOT_SAFE: "could not be made safe",
    Outcome.WRONG_SOURCE: "met a wrong ontology or knowledge",
    Outcome.FILE: "could not be read or written",
    Outcome.INTERRUPTED: "interrupted",
}
_LEFT = "left as written before"


def sanitize_many(
    sanitizer: Sanitizer,
    setup: Setup,
    jobs: Jobs,
    given: argparse.Namespace,
    *,
    left: Sequence[Job] = (),
    ledger: Ledger | None = None,
) -> int:
    """Sanitize the files and tell what became of them; `left` is what was done before. Gives the exit code."""
    processes = min(given.processes, len(jobs.jobs))
    inputs = {} if ledger is None else {job.name: (job, ledger.input_of(job)) for job in jobs.jobs}
    if processes > 1:
        work = side_by_side(setup, jobs.jobs, processes)
    else:
        work = one_by_one(sanitizer, setup, jobs.jobs, given.processes)
    done: list[Ended] = []
    stopped = ""
    try:
        with _bar(len(jobs.jobs)) as advance:
            for ended in work:
                done.append(ended)
                if ledger is not None and ended.outcome is Outcome.WRITTEN:
                    ledger.note(*inputs[ended.name])
                advance()
    except KeyboardInterrupt:
        stopped = "Interrupted."
    except BrokenProcessPool:
        stopped = "A process was ended from outside, perhaps for lack of memory."
    if setup.form == PAGE:
        return one_page(sanitizer, setup, jobs, done, stopped)
    return _summary(done, jobs, stopped, left, verbose=given.verbose)


def _summary(done: list[Ended], jobs: Jobs, stopped: str, left: Sequence[Job], *, verbose: bool) -> int:
    """Tell what became of the texts, the failed ones by name; the code is that of the gravest failure."""
    for ended in done:
        if ended.told:
            print(ended.told, file=sys.stderr)
    if verbose:
        print(*(f"{printable(name)}: passed over" for name in jobs.passed_over), sep="\n", file=sys.stderr)
    counts = {outcome: sum(ended.outcome is outcome for ended in done) for outcome in Outcome}
    rows = [(_OUTCOMES[outcome], count) for outcome, count in counts.items() if count or outcome is Outcome.WRITTEN]
    rows += [(_LEFT, len(left))] if left else []
    rows += [("not begun", len(jobs.jobs) - len(done))] if len(done) < len(jobs.jobs) else []
    rows += [("passed over: of a kind that is not read, or hidden", len(jobs.passed_over))] if jobs.passed_over else []
    if sys.stderr.isatty():
        _table(done, left, rows)
    else:
        width = max(len(name) for name, _ in rows)
        print(*(f"{name:<{width}}  {count:>7,}" for name, count in rows), sep="\n", file=sys.stderr)
    if stopped or counts[Outcome.INTERRUPTED]:
        print(f"{stopped or 'Interrupted.'} Every text that was written is whole.", file=sys.stderr)
        return WRONG_FILE if stopped.startswith("A process") else INTERRUPTED
    return next((int(outcome) for outcome in Outcome if outcome is not Outcome.WRITTEN and counts[outcome]), DONE)


def _table(done: list[Ended], left: Sequence[Job], rows: list[tuple[str, int]]) -> None:
    """On a terminal, what became of the files of every kind."""
    from rich.console import Console
    from rich.table import Table

    told = [*((_kind_of(ended.name), _OUTCOMES[ended.outcome]) for ended in done), *((_kind_of(job.name), _LEFT) for job in left)]
    counts, kinds = Counter(told), sorted({kind for kind, _ in told})
    present = [name for name, count in rows if count and any((kind, name) in counts for kind in kinds)]
    table = Table("kind", box=None, pad_edge=False)
    for name in present:
        table.add_column(name, justify="right")
    for kind in kinds:
        table.add_row(kind, *(f"{counts[kind, name]:,}" if counts[kind, name] else "" for name in present))
    console = Console(stderr=True)
    console.print(table)
    for name, count in rows:
        if name not in present and count:
            console.print(f"{name}: {count:,}", highlight=False)


def _kind_of(name: str) -> str:
    kind = by_name(name)
    return "plain text" if kind is None else str(kind)


@contextmanager
def _bar(total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing when the output goes elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("Sanitizing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.update(task, advance=1)
