"""`kgsan evaluate`: how well a policy does on texts in which people marked what should be hidden."""

from __future__ import annotations

import argparse
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli.batch import Setup
from kgsan.cli.jobs import WrongUsage
from kgsan.cli.output import DONE, FINDINGS, format_option
from kgsan.cli.sanitize import _strictness, compiled, guarded
from kgsan.evaluate import curve, specificity, strategies, telling
from kgsan.evaluate.agreement import agreements
from kgsan.evaluate.gold import read_gold
from kgsan.evaluate.sweep import at_strictness, measure, own_policy, replaced
from kgsan.evaluate.truth import TruthCheck
from kgsan.knowledge.load import load_knowledge
from kgsan.ontology.load import load_ontology
from kgsan.policy.read import load_policy
from kgsan.report.answers import row
from kgsan.report.output import Drafts, write_out
from kgsan.report.sentences import printable
from kgsan.sanitize.sanitizer import Sanitizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from kgsan.cli.output import Commands
    from kgsan.evaluate.gold import Gold, GoldDocument
    from kgsan.evaluate.scores import Measure
    from kgsan.evaluate.sweep import Measured
    from kgsan.sanitize.result import SanitizedDocument

#: So many compiled policies are kept: documents that ask for the same share one.
_KEPT = 64


def add_commands(commands: Commands) -> None:
    """`kgsan evaluate`."""
    command = commands.add_parser(
        "evaluate",
        help="measure how well a policy does on texts in which people marked what should be hidden",
        description="Sanitize marked texts and tell precision, recall and F of what was hidden, what is kept of their utility, "
        "and whether what was written instead is true. Shows no word of the texts unless --show is given.",
    )
    command.add_argument("gold", type=Path, metavar="GOLD", help="JSON lines with spans, files of brat, or a list of terms")
    command.add_argument("--text", type=Path, metavar="FILE", help="the text that a list of terms was made for")
    command.add_argument(
        "--policy", metavar="POLICY", help="a file or a shipped policy; not needed for documents that say what they protect"
    )
    command.add_argument(
        "--strictness", type=_several, default=(None,), metavar="A,B,...", help="one or several, instead of the policy's own"
    )
    command.add_argument("--strategies", action="store_true", help="compare the strategies S1 to S5 of CORR")
    command.add_argument("--spec", metavar="WORD", help="instead: every noun phrase that says as much as this word (SPEC)")
    command.add_argument("--counts", type=Path, metavar="TABLE", help="for --spec: a table of counts or hits")
    command.add_argument("--curve", type=Path, metavar="FILE", help="draw risk against utility, as .png or .svg")
    command.add_argument(
        "--show", action="store_true", help="show the new texts, and the words that were missed or hidden wrongly"
    )
    format_option(command)
    command.set_defaults(run=guarded(_run))


def _several(text: str) -> tuple[Fraction, ...]:
    found = tuple(dict.fromkeys(_strictness(part.strip()) for part in text.split(",")))
    if len(found) > 50:
        raise argparse.ArgumentTypeError("these are too many")
    return found


def _run(given: argparse.Namespace) -> int:
    if (given.spec is None) != (given.counts is None):
        raise WrongUsage("--spec and --counts belong together: a word, and the table that counts it.")
    kind = None if given.curve is None else curve.kind_of(given.curve.name)
    if kind is not None and len(given.strictness) < 2:
        raise WrongUsage("A curve needs several values of strictness, such as --strictness 1,1.5,2,3.")
    gold = read_gold(given.gold, given.text)
    if given.spec is not None:
        return _spec(given, gold)
    bench = _Bench(gold, given.policy)
    runs = len(given.strictness) + (5 if given.strategies else 0)
    told: dict[str, Any] = telling.about(gold)
    with bar("Measuring", runs * len(gold.documents)) as advance:
        show = _shown if given.show and given.format == "text" else None
        runs_done = [bench.measured(strictness, advance, show) for strictness in given.strictness]
        told["agreement"] = [telling.agreement(pair) for pair in agreements(gold.documents)]
        told["runs"] = [telling.run(one) for one in runs_done]
        told["knee"] = telling.suggested(runs_done)
        if given.strategies:
            told["strategies"] = [telling.strategy(tried) for tried in bench.strategies(advance)]
    if kind is not None:
        points = [(f"{float(one.strictness or 0):g}", one.risk, one.mean_utility) for one in runs_done]
        known = [(name, risk, utility) for name, risk, utility in points if risk is not None and utility is not None]
        with Drafts() as drafts:
            drafts.begin(given.curve).write(curve.drawn(f"{gold.name}, by strictness", known, told["knee"]["at"], kind))
    _tell(given, told, telling.sentences(told))
    return DONE if any(one.utility for one in runs_done) else FINDINGS


def _spec(given: argparse.Namespace, gold: Gold) -> int:
    table = specificity.read_hits(given.counts)
    limit = specificity.limit_of(table, given.spec, given.counts.name)
    told = telling.spec(given.spec, specificity.measured(gold, table, limit))
    _tell(given, told, telling.spec_sentences(told))
    return DONE


def _tell(given: argparse.Namespace, told: dict[str, Any], sentences: Iterator[str]) -> None:
    if given.format == "json":
        write_out(row(told, indent=2))
        return
    for sentence in sentences:
        print(printable(sentence))
    sys.stdout.flush()


class _Bench:
    """A gold standard with the sanitizers that its documents ask for."""

    def __init__(self, gold: Gold, policy: str | None) -> None:
        self._gold = gold
        if policy is None:
            self._policies = {id(document): own_policy(document, gold.name) for document in gold.documents}
            self._stack = load_ontology()
            self._knowledge = load_knowledge(ontology=self._stack)
        else:
            chosen = load_policy(Path(policy) if Path(policy).is_file() else policy)
            first = compiled(Setup(chosen))
            self._policies = dict.fromkeys(map(id, gold.documents), chosen)
            self._stack, self._knowledge = first.detector.stack, first.knowledge
        self._made: dict[str, Sanitizer] = {}
        self._checks: dict[int, TruthCheck] = {}

    def measured(self, strictness: Fraction | None, advance: Callable[[], None], show: Callable[..., None] | None) -> Measured:
        """The whole gold at one strictness."""

        def seen(document: GoldDocument, result: SanitizedDocument, compared: Measure) -> None:
            advance()
            if show is not None:
                show(document, result, compared)

        return measure(self._gold, strictness, self._sanitizer, self._check, seen)

    def strategies(self, advance: Callable[[], None]) -> list[strategies.Tried]:
        """The strategies of CORR, at the policies' own strictness."""

        def sanitizer(document: GoldDocument) -> Sanitizer:
            for _ in range(5):
                advance()
            return Sanitizer(replace(self._policies[id(document)], method="corr"), self._stack, self._knowledge)

        return strategies.compared(self._gold, sanitizer)

    def _sanitizer(self, document: GoldDocument, strictness: Fraction | None) -> Sanitizer:
        policy = at_strictness(self._policies[id(document)], strictness)
        found = self._made.get(policy.digest)
        if found is None:
            if len(self._made) >= _KEPT:
                self._made.clear()
                self._checks.clear()
            found = self._made[policy.digest] = Sanitizer(policy, self._stack, self._knowledge)
        return found

    def _check(self, sanitizer: Sanitizer) -> TruthCheck:
        found = self._checks.get(id(sanitizer))
        if found is None:
            finder = sanitizer.detector.marker.finder
            found = self._checks[id(sanitizer)] = TruthCheck(self._stack, finder, sanitizer.policy)
        return found


def _shown(document: GoldDocument, result: SanitizedDocument, compared: Measure) -> None:
    """The new text, and every mark that was not treated as it should be."""
    print(f"\n=== {printable(document.name)}\n{result.text}\n")
    for span in document.spans:
        words = printable(document.text[span.start : span.end])
        if compared.is_hidden(span.start, span.end) == span.is_kept:
            print(f"  {'hidden' if span.is_kept else 'MISSED':<7} {span.kind:<12} {words!r}")
    for before, after in replaced(document.text, result):
        print(f"  written {printable(before)!r} -> {printable(after)!r}")


@contextmanager
def bar(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing when the output goes elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.update(task, advance=1)
