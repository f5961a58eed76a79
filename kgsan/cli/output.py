"""What the commands share: exit codes, problems on standard error, a bar on a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kgsan.errors import OntologyError
from kgsan.ontology.load import LEXICON, locate
from kgsan.sources.files import SourceFile, open_source

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kgsan.errors import Problem

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

DONE, FINDINGS, WRONG_USAGE, WRONG_ONTOLOGY, WRONG_FILE, INTERRUPTED = 0, 1, 2, 3, 4, 130
FOUND_NOTHING = FINDINGS
WRONG_POLICY = WRONG_USAGE


def format_option(command: argparse.ArgumentParser, *formats: str) -> None:
    """The choice between text for people and something for programs; the first is the default."""
    formats = formats or ("text", "json")
    command.add_argument("--format", choices=formats, default=formats[0], help=f"default: {formats[0]}")


def complain(problems: Iterable[Problem]) -> None:
    """Tell problems on standard error."""
    for problem in problems:
        print(problem, file=sys.stderr)


def colors(stream: Any) -> bool:
    """Whether what is written goes to a person's terminal."""
    return bool(stream.isatty())


@contextmanager
def progress(what: str, sources: Sequence[str]) -> Iterator[Callable[[int], None] | None]:
    """A bar on a terminal, nothing when the output goes elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=_bytes_of(sources))

        def watch(count: int) -> None:
            bar.update(task, advance=count)
            if bar.tasks[0].finished:
                bar.update(task, description="Compiling", total=None)

        yield watch


def _bytes_of(sources: Sequence[str]) -> int | None:
    total = 0
    for source in sources:
        if source.startswith(LEXICON):
            return None
        try:
            opened = open_source(locate(source))
            files = [opened] if isinstance(opened, SourceFile) else [opened[name] for name in opened]
            sizes = [file.size() for file in files]
        except (OntologyError, OSError):
            return None
        if None in sizes:
            return None
        total += sum(size or 0 for size in sizes)
    return total
