"""`kgsan sanitize`: texts as a policy lets them stand."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.cli.batch import Outcome, Setup, attempt, unexpected
from kgsan.cli.jobs import PAGE, Wanted, WrongUsage, planned
from kgsan.cli.machine import lacking
from kgsan.cli.many import sanitize_many
from kgsan.cli.output import FINDINGS, WRONG_FILE, WRONG_USAGE, complain, format_option, progress
from kgsan.cli.page import write_page
from kgsan.cli.resumed import refuse_ledger, resumed
from kgsan.errors import KgsanError, PolicyError
from kgsan.formats.kinds import by_name
from kgsan.ontology.load import default_stack, load_ontology
from kgsan.policy.check import check, stops
from kgsan.policy.fields import POLICY
from kgsan.policy.items import STRICTNESS
from kgsan.policy.read import load_policy
from kgsan.policy.shapes import Word
from kgsan.report.output import FileError, sweep
from kgsan.sanitize.greedy.problems import USAGE, LearningError
from kgsan.sanitize.sanitizer import LEARNED, Sanitizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.cli.jobs import Job
    from kgsan.cli.output import Commands
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class LearnedSetup(Setup):
    """The same with a model that was learned from marked documents."""

    learned: Path | None = None

    def sanitizer(self, ontology: OntologyStack | None = None) -> Sanitizer:
        """The policy, compiled, with what was learned."""
        from kgsan.sanitize.greedy.sanitizer import GreedySanitizer

        assert self.learned is not None
        return Sanitizer(self.policy, ontology, redact=self.redact, learned=GreedySanitizer.load(self.learned))


def add_commands(commands: Commands) -> None:
    """`kgsan sanitize`."""
    command = commands.add_parser(
        "sanitize",
        help="rewrite texts so that they disclose nothing a policy protects",
        description="Rewrite texts: what discloses too much becomes something more general, or is blacked out where nothing more "
        "general is safe. A text that cannot be made safe is not written at all.",
    )
    command.add_argument(
        "inputs", nargs="*", metavar="FILE", help="texts, documents, tables, or folders of them; - or nothing: standard input"
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="a file, or for several texts a folder, but with html always a file; default: standard output",
    )
    format_option(command, "text", "json", "jsonl", PAGE)
    policy_options(command)
    command.add_argument("--redact", action="store_true", help="black out instead of generalizing")
    command.add_argument("--spans", type=Path, metavar="FILE", help="what another tool or a person has marked in the text")
    command.add_argument("--learned", type=Path, metavar="MODEL", help="what 'kgsan greedy --save' made, for the method greedy")
    field_options(command)
    command.add_argument(
        "--pictures",
        choices=("stop", "keep", "remove"),
        default="stop",
        help="what becomes of pictures and attachments, which nobody reads; default: stop",
    )
    command.add_argument("--certificate", type=Path, metavar="FILE", help="write the public certificate; for several, a folder")
    command.add_argument("--record", type=Path, metavar="FILE", help="write the PRIVATE record; for several, a folder")
    command.add_argument("--reveal", action="store_true", help="tell what was hidden and why: not for those who get the text")
    command.add_argument("--processes", type=_positive, default=1, metavar="N", help="work on N texts at a time")
    command.add_argument("--resume", type=Path, metavar="FILE", help="note in this PRIVATE file what is done, and leave that")
    command.add_argument("--verbose", action="store_true", help="name the files that were passed over")
    command.set_defaults(run=guarded(_run))


def field_options(command: argparse.ArgumentParser) -> None:
    """Which parts of records are meant."""
    command.add_argument(
        "--field", action="append", default=[], metavar="NAME", help="a column or field that holds text; may be given again"
    )
    command.add_argument(
        "--keep", action="append", default=[], metavar="NAME", help="a column or field that is taken over UNCHANGED"
    )


def policy_options(command: argparse.ArgumentParser) -> None:
    """The policy, and what may be said instead of it."""
    command.add_argument("--policy", required=True, metavar="POLICY", help="a file, or the name of a shipped policy")
    command.add_argument(
        "--strictness", type=_strictness, metavar="A", help="instead of the policy's own and of that of every entity; 1 or more"
    )
    method = POLICY.field("method")
    assert method is not None
    assert isinstance(method.shape, Word)
    command.add_argument("--method", choices=list(method.shape.words), metavar="M", help="instead of the policy's own")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _strictness(text: str) -> Fraction:
    try:
        number = Fraction(text) if len(text) < 20 and "e" not in text.lower() else None
    except (ValueError, ZeroDivisionError):
        number = None
    if number is None or not STRICTNESS.holds(number):
        raise argparse.ArgumentTypeError("it is a number from 1 on, such as 1.5")
    return number


def policy_of(given: argparse.Namespace) -> Policy:
    """The policy that was named, with what the options say instead."""
    policy = load_policy(Path(given.policy) if Path(given.policy).is_file() else given.policy)
    if given.strictness is not None:
        protect = tuple(replace(entity, strictness=None) for entity in policy.protect)
        policy = replace(policy, strictness=given.strictness, protect=protect)
    return policy if given.method is None else replace(policy, method=given.method)


def compiled(setup: Setup) -> Sanitizer:
    """The policy at work. One that means nothing to the ontologies would protect nothing: it is refused."""
    names = setup.policy.ontologies or tuple(default_stack())
    with progress("Reading", names) as watch:
        stack = load_ontology(*names, watch=watch)
    sanitizer = setup.sanitizer(stack)
    problems = [problem for problem in check(sanitizer.detector.sensitive) if stops(problem)]
    if problems:
        raise PolicyError(*problems)
    return sanitizer


def guarded(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """A command that ends every error in a sentence without a word of any text."""

    def safely(given: argparse.Namespace) -> int:
        try:
            return run(given)
        except WrongUsage as error:
            print(error, file=sys.stderr)
            return WRONG_USAGE
        except FileError as error:
            print(error, file=sys.stderr)
            return WRONG_FILE
        except (KgsanError, BrokenPipeError, MemoryError):
            raise
        except Exception as error:
            if isinstance(error, OSError) and lacking(error) is not None:
                raise
            print(unexpected(error), file=sys.stderr)
            return FINDINGS

    return safely


def _run(given: argparse.Namespace) -> int:
    jobs = planned(given.inputs, Wanted(given.output, given.certificate, given.record, given.format))
    settings = (policy_of(given), given.format, given.redact, given.reveal, *chosen_fields(given), given.spans, given.pictures)
    setup = Setup(*settings) if given.learned is None else LearnedSetup(*settings, given.learned)
    if (setup.policy.method == LEARNED) != (given.learned is not None):
        raise WrongUsage("The method greedy and --learned MODEL go together: give both or neither.")
    if setup.spans is not None and (jobs.is_batch or jobs.jobs[0].is_lines or not _is_plain(jobs.jobs[0])):
        raise WrongUsage("--spans is about one text: give one text.")
    if setup.reveal and setup.form == "text" and jobs.is_batch:
        raise WrongUsage("With several texts, --reveal needs --format json; or write records with --record.")
    if setup.form == PAGE and setup.keep:
        raise WrongUsage("--keep takes over fields of records, for which a page has no place.")
    if given.resume is not None:
        refuse_ledger(given, setup, jobs)
    try:
        sanitizer = compiled(setup)
    except LearningError as error:
        complain(error.problems)
        return WRONG_USAGE if all(one.code in USAGE for one in error.problems) else WRONG_FILE
    sweep(jobs.folders)
    if given.resume is not None:
        return resumed(sanitizer, setup, jobs, given)
    if jobs.is_batch:
        return sanitize_many(sanitizer, setup, jobs, given)
    ended = attempt(sanitizer, setup, jobs.jobs[0], given.processes)
    if setup.form == PAGE and ended.outcome is Outcome.WRITTEN:
        write_page(sanitizer, setup, jobs, [ended])
    if ended.told:
        print(ended.told, file=sys.stderr)
    return int(ended.outcome)


def chosen_fields(given: argparse.Namespace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns or fields that are sanitized, and those that are kept; none may be both."""
    both = set(given.field) & set(given.keep)
    if both:
        raise WrongUsage(f"'{min(both)}' is to be sanitized and to be kept: give one of --field and --keep.")
    return tuple(dict.fromkeys(given.field)), tuple(dict.fromkeys(given.keep))


def _is_plain(job: Job) -> bool:
    kind = None if job.source is None else by_name(job.source.name)
    return kind is None or not kind.reader
