"""`kgsan greedy`: what classifiers learned from marked documents hide, and what an attacker who learns too still finds."""

from __future__ import annotations

import argparse
import sys
from contextlib import contextmanager
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli.jobs import WrongUsage
from kgsan.cli.output import DONE, WRONG_FILE, WRONG_USAGE, complain, format_option
from kgsan.cli.sanitize import guarded
from kgsan.errors import system_says
from kgsan.report.answers import row
from kgsan.report.output import write_out
from kgsan.sanitize.greedy.problems import USAGE, LearningError, error, require_packages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kgsan.cli.output import Commands
    from kgsan.evaluate.generated import MarkedText
    from kgsan.evaluate.greedy import Experiment, Outcome

_RATIOS = "0.5,1,2,5,10,20,50,100"
#: The share of the published words that an attacker has time to look at.
_BUDGET = 0.01
_LEARNERS = ("selection", "crf", "svm", "ensemble")


def add_commands(commands: Commands) -> None:
    """`kgsan greedy`."""
    command = commands.add_parser(
        "greedy",
        help="learn from marked documents what to hide, and attack the result",
        description="Learn classifiers from marked documents as GreedySanitize does, hide what they mark in documents they have "
        "not seen, and let an attacker who learns too look for the rest. With --save, learn from everything and keep that for "
        "'kgsan sanitize --method greedy --learned MODEL'.",
    )
    command.add_argument("gold", nargs="*", type=Path, metavar="GOLD", help="JSON lines with spans, or CoNLL columns")
    command.add_argument("--generate", choices=("notes", "mails"), help="made-up documents instead of GOLD")
    command.add_argument("--documents", type=_count, default=60, metavar="N", help="how many to make up; default: 60")
    command.add_argument("--label", metavar="L", help="only what has this label is sensitive, such as PER; default: any label")
    command.add_argument(
        "--sentences", type=_count, default=10, metavar="N", help="columns that name no documents: so many sentences are one"
    )
    command.add_argument("--ratios", type=_ratios, default=_ratios(_RATIOS), metavar="R,R", help=f"L/C; default: {_RATIOS}")
    command.add_argument("--learner", choices=_LEARNERS, default="selection", help="default: selection, the best of three")
    command.add_argument(
        "--folds", type=_folds, default=4, metavar="N", help="parts that take turns in being attacked; default: 4"
    )
    command.add_argument("--seed", type=_seed, default=0, metavar="N")
    command.add_argument("--count-on", choices=("held_out", "training"), default="held_out", help="what decides when to stop")
    command.add_argument("--figures", type=Path, metavar="DIR", help="draw three figures, for all four learners")
    command.add_argument("--save", type=Path, metavar="MODEL", help="learn from everything and save it; it holds words of GOLD")
    command.add_argument("--cost-of-leak", type=_cost, default=10.0, metavar="L", help="for --save; default: 10")
    command.add_argument("--cost-of-overhiding", type=_cost, default=1.0, metavar="C", help="for --save; default: 1")
    format_option(command)
    command.set_defaults(run=guarded(_run))


def _number(text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 10 or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"it is a whole number from {least} to {most}")
    return int(text)


def _count(text: str) -> int:
    return _number(text, 1, 1_000_000)


def _folds(text: str) -> int:
    return _number(text, 2, 100)


def _seed(text: str) -> int:
    return _number(text, 0, 2**32 - 2)


def _cost(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not isfinite(found) or found <= 0:
        raise argparse.ArgumentTypeError("it is a number above zero, such as 10")
    return found


def _ratios(text: str) -> tuple[float, ...]:
    return tuple(sorted({_cost(one) for one in text.split(",")}))


def _run(given: argparse.Namespace) -> int:
    try:
        return _learned(given)
    except LearningError as problem:
        complain(problem.problems)
        return WRONG_USAGE if all(one.code in USAGE for one in problem.problems) else WRONG_FILE


def _learned(given: argparse.Namespace) -> int:
    if bool(given.gold) == (given.generate is not None):
        raise WrongUsage("Give either files of marked documents or --generate.")
    require_packages()
    name, documents = _documents(given)
    if given.save is not None:
        return _save(given, documents)
    if given.figures is not None:
        _require_figures()
    from kgsan.evaluate.greedy import experiment, steps
    from kgsan.sanitize.greedy.marked import instances_of

    instances = instances_of([one.text for one in documents], [one.spans for one in documents], name)
    learners = _LEARNERS if given.figures is not None else (given.learner,)
    with _bar(steps(given.folds, learners)) as watch:
        measured = experiment(
            instances,
            name,
            ratios=given.ratios,
            learners=learners,
            folds=given.folds,
            seed=given.seed,
            count_on=given.count_on,
            watch=watch,
        )
    if given.figures is not None:
        _draw(measured, given.figures)
    if given.format == "json":
        write_out(row(_answer(measured), indent=2))
    else:
        _print(measured, given.learner)
    return DONE


def _documents(given: argparse.Namespace) -> tuple[str, list[MarkedText]]:
    from kgsan.evaluate.generated import generated
    from kgsan.evaluate.marked_files import read_marked

    if given.generate is not None:
        return f"generated {given.generate}", generated(given.generate, given.documents, given.seed)
    found = [one for path in given.gold for one in read_marked(path, given.label, given.sentences)]
    return ", ".join(path.name for path in given.gold), found


def _save(given: argparse.Namespace, documents: list[MarkedText]) -> int:
    from kgsan.sanitize.greedy.sanitizer import GreedySanitizer

    made = GreedySanitizer(given.cost_of_leak, given.cost_of_overhiding, given.learner, given.seed, given.count_on)
    made.fit([one.text for one in documents], [one.spans for one in documents])
    made.save(given.save)
    count = len(made.classifiers_)
    if given.format == "json":
        kinds = [{"learner": one.kind, "right": one.true_positives, "wrong": one.false_positives} for one in made.rounds_]
        write_out(row({"documents": len(documents), "rounds": kinds}, indent=2))
    else:
        print(f"Learned {count} classifier{'s' * (count != 1)} from {len(documents):,} documents.")
        print("The model holds words of the documents: keep it as private as they are.")
    return DONE


def _require_figures() -> None:
    from importlib.util import find_spec

    if not find_spec("matplotlib"):
        raise error("E208", "kgsan", "Figures need matplotlib, which is not installed.", "Run: pip install 'kgsan[evaluate]'")


def _draw(measured: Experiment, folder: Path) -> None:
    from kgsan.evaluate.greedy_figures import draw

    try:
        draw(measured, folder)
    except OSError as problem:
        said = f"The figures cannot be written: {system_says(problem) or 'the disk does not take them'}."
        raise error("E207", folder.name, said) from None


# --- telling -----------------------------------------------------------------------------------------------------------------


def _print(measured: Experiment, learner: str) -> None:
    share = measured.sensitive / measured.tokens
    print(f"{measured.documents:,} documents ({measured.name}), {measured.tokens:,} words, {share:.1%} of them sensitive.")
    ratio = 10.0 if 10.0 in measured.ratios else measured.ratios[-1]
    one = measured.outcome(learner, ratio)
    print(
        f"Where a leak costs {ratio:g} times as much as a word hidden needlessly, {one.published:.1%} of the words are published "
        f"after {one.classifiers:.2g} rounds."
    )
    print(
        f"{one.leaked:.1%} of the sensitive words are still there; an attacker who learns from published texts finds "
        f"{one.found:.1%}, one who knows more such texts {one.found_informed:.1%}."
    )
    bought = one.bought(_BUDGET)
    print(
        f"One who looks at {_BUDGET:.0%} of the published words finds {bought.surest_first:.1%} with the surest first, "
        f"{bought.at_random:.1%} at random."
    )
    print()
    print(f"{'publisher':<24} {'L/C':>5} {'rounds':>6} {'published':>9} {'left':>7} {'found':>7} {'informed':>8}")
    single = [one for one in measured.one_shot if one.learner == learner]
    for one in (*single, *(one for one in measured.outcomes if one.learner == learner)):
        _print_row(one)
    for base in measured.baselines:
        print(f"{'cost-sensitive ' + base.learner:<24} {base.ratio:>5g} {'':>6} {base.published:>9.1%} {base.leaked:>7.1%}")
    print()
    print("left: sensitive words that are published. found, informed: those that an attacker's classifier marks.")


def _print_row(one: Outcome) -> None:
    name, ratio = (f"greedy, {one.learner}", f"{one.ratio:g}") if one.ratio else (f"{one.learner}, one round", "")
    shares = f"{one.published:>9.1%} {one.leaked:>7.1%} {one.found:>7.1%} {one.found_informed:>8.1%}"
    print(f"{name:<24} {ratio:>5} {one.classifiers:>6.2g} {shares}")


def _answer(measured: Experiment) -> dict[str, Any]:
    def told(one: Outcome) -> dict[str, Any]:
        return {
            "learner": one.learner,
            "ratio": one.ratio or None,
            "rounds": one.classifiers,
            "published": one.published,
            "left": one.leaked,
            "found": one.found,
            "found_informed": one.found_informed,
            "budget": {"share": _BUDGET, **asdict(one.bought(_BUDGET))},
        }

    return {
        "documents": measured.documents,
        "tokens": measured.tokens,
        "sensitive": measured.sensitive,
        "folds": measured.folds,
        "greedy": [told(one) for one in measured.outcomes],
        "one_round": [told(one) for one in measured.one_shot],
        "cost_sensitive": [
            {"learner": base.learner, "ratio": base.ratio, "published": base.published, "left": base.leaked}
            for base in measured.baselines
        ],
    }


@contextmanager
def _bar(total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing when the output goes elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("Learning and attacking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.update(task, advance=1)
