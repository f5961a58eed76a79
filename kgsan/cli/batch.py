"""Texts sanitized one after the other or side by side: each is written whole, or not at all and told why."""

from __future__ import annotations

import io
import json
import multiprocessing
import secrets
import signal
import sys
import threading
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kgsan.cli.jobs import PAGE
from kgsan.cli.output import DONE, FINDINGS, INTERRUPTED, WRONG_FILE, WRONG_ONTOLOGY
from kgsan.errors import KgsanError, KnowledgeError, OntologyError, Place, Problem
from kgsan.report.answers import answer, reasons, row
from kgsan.report.certificate import as_bytes, certificate
from kgsan.report.output import Drafts, FileError, drop_unfinished, make_folder, read_lines, read_text, write_out
from kgsan.report.page.page import Reported
from kgsan.report.record import KEY_SIZE, record
from kgsan.report.sentences import printable
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.text.foreign import read_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.cli.jobs import Job
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.policy import Policy
    from kgsan.report.output import Draft
    from kgsan.sanitize.result import SanitizedDocument

#: kgsan's own method, which reads every result again by itself.
_ENGINE = "engine"


class Outcome(IntEnum):
    """What became of one text; the value is the exit code."""

    WRITTEN = DONE
    NOT_SAFE = FINDINGS
    WRONG_SOURCE = WRONG_ONTOLOGY
    FILE = WRONG_FILE
    INTERRUPTED = INTERRUPTED


class Ended(NamedTuple):
    """What became of a job, and for one that failed a sentence that tells no words of the text."""

    name: str
    outcome: Outcome
    told: str = ""
    reported: tuple[Reported, ...] = ()  #: for a page, which is written when every job has ended


@dataclass(frozen=True, slots=True)
class Setup:
    """How texts are sanitized and what is told of them; the same in every process."""

    policy: Policy
    form: str = "text"
    redact: bool = False
    reveal: bool = False
    field: str = "text"
    keep: tuple[str, ...] = ()
    spans: Path | None = None

    def sanitizer(self, ontology: OntologyStack | None = None) -> Sanitizer:
        """The policy, compiled."""
        return Sanitizer(self.policy, ontology, redact=self.redact)


def attempt(sanitizer: Sanitizer, setup: Setup, job: Job) -> Ended:
    """Sanitize one text and write it; whatever goes wrong, nothing of it is written and no word of it is told."""
    reported: tuple[Reported, ...] = ()
    try:
        if setup.form == PAGE:
            reported = tuple(_reported(sanitizer, setup, job))
        else:
            _sanitize(sanitizer, setup, job)
    except NotSafe:
        by = "" if setup.policy.method == _ENGINE else f" by the method '{setup.policy.method}'"
        return Ended(job.name, Outcome.NOT_SAFE, f"{job.name}: The text could not be made safe{by}; nothing was written.")
    except (OntologyError, KnowledgeError) as error:
        return Ended(job.name, Outcome.WRONG_SOURCE, str(error))
    except KgsanError as error:
        return Ended(job.name, Outcome.FILE, str(error))
    except MemoryError:
        return Ended(job.name, Outcome.FILE, f"{job.name}: There is not enough memory for this text; nothing was written.")
    except BrokenPipeError:
        raise
    except Exception as error:  # its message may hold words of the text
        return Ended(job.name, Outcome.NOT_SAFE, f"{job.name}: {unexpected(error)}")
    return Ended(job.name, Outcome.WRITTEN, reported=reported)


def unexpected(error: BaseException) -> str:
    """An error that nobody foresaw, in a sentence: its kind and the line of kgsan that met it, and nothing it says."""
    frames = traceback.extract_tb(error.__traceback__)
    place = next((frame for frame in reversed(frames) if "kgsan" in Path(frame.filename).parts), None)
    where = "" if place is None else f" in {Path(place.filename).name}, line {place.lineno}"
    return f"An unexpected error ({type(error).__name__}{where}) stopped the work; nothing was written."


# --- one job --------------------------------------------------------------------------------------------------------------


def _sanitize(sanitizer: Sanitizer, setup: Setup, job: Job) -> None:
    printed = io.BytesIO()
    told: list[str] = []
    with Drafts() as drafts:
        # The text comes last: where it stands, the others do.
        kept = None if job.record is None else begun(drafts, job.record, job, private=True)
        proof = None if job.certificate is None else begun(drafts, job.certificate, job)
        text: Draft | io.BytesIO = printed if job.output is None else begun(drafts, job.output, job)
        for original, fields in _documents(setup, job):
            result = _sanitized(sanitizer, setup, original)
            text.write(_told(sanitizer, setup, job, original, fields, result))
            if proof is not None:
                proof.write(packed(certificate(sanitizer, result.text), job))
            if kept is not None:
                kept.write(packed(record(sanitizer, original, result, secrets.token_bytes(KEY_SIZE)), job))
            if setup.reveal and setup.form == "text":
                told += reasons(sanitizer, original, result)
    if job.output is None:
        write_out(printed.getvalue())
    for line in told:
        print(printable(f"{job.name}:{line}"), file=sys.stderr)


def _reported(sanitizer: Sanitizer, setup: Setup, job: Job) -> Iterator[Reported]:
    for number, (original, _) in enumerate(_documents(setup, job), 1):
        result = _sanitized(sanitizer, setup, original)
        yield Reported(
            f"{job.name}, text {number}" if job.is_lines else job.name, original, result, certificate(sanitizer, result.text)
        )


def begun(drafts: Drafts, target: Path, job: Job, *, private: bool = False) -> Draft:
    """A file of the job, in a folder that is made when it belongs to a tree that is mirrored."""
    if job.is_mirrored:
        make_folder(target.parent, private=private)
    return drafts.begin(target, private=private)


def _told(
    sanitizer: Sanitizer, setup: Setup, job: Job, original: str, fields: dict[str, Any], result: SanitizedDocument
) -> bytes:
    if setup.form == "text":
        return row({**fields, setup.field: result.text}) if job.is_lines else result.text.encode("utf-8")
    told = answer(sanitizer, original, result, reveal=setup.reveal)
    return row({**fields, **told}, indent=None if job.is_lines or setup.form == "jsonl" else 2)


def packed(content: dict[str, Any], job: Job) -> bytes:
    """A certificate or record: on one line where the job has many."""
    return row(content) if job.is_lines else as_bytes(content)


def _sanitized(sanitizer: Sanitizer, setup: Setup, text: str) -> SanitizedDocument:
    """What becomes of a text. A published method promises less than is promised here, so its result is read once more."""
    given: dict[str, Any] = {} if setup.spans is None else {"spans": read_spans(setup.spans, text)}
    result = sanitizer.sanitize(text, **given)
    if setup.policy.method != _ENGINE and sanitizer.verify(result.text):
        raise NotSafe(Problem("S101", Place(setup.policy.name), "The result of the method discloses more than is allowed."))
    return result


def _documents(setup: Setup, job: Job) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each text of a job, with the fields of its line that were asked to be kept as they are."""
    if not job.is_lines:
        yield read_text(job.source), {}
        return
    for number, line in read_lines(job.source):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise FileError(job.name, "The line is not JSON.", line=number) from None
        text = found if isinstance(found, str) else found.get(setup.field) if isinstance(found, dict) else None
        if not isinstance(text, str):
            hint = "Name the field that holds the text with --field."
            raise FileError(job.name, f"The line has no text in the field '{setup.field}'.", hint, number)
        yield text, {name: found[name] for name in setup.keep if isinstance(found, dict) and name in found}


# --- many jobs ------------------------------------------------------------------------------------------------------------


def one_by_one(sanitizer: Sanitizer, setup: Setup, jobs: Sequence[Job]) -> Iterator[Ended]:
    """The jobs in their order."""
    for job in jobs:
        yield attempt(sanitizer, setup, job)


def side_by_side(setup: Setup, jobs: Sequence[Job], processes: int) -> Iterator[Ended]:
    """The jobs in several processes, as they end. When interrupted, what is being worked on is dropped, what is written stays."""
    with ProcessPoolExecutor(min(processes, len(jobs)), multiprocessing.get_context("spawn")) as pool:
        with _uninterrupted():  # what is started now does not hear an interruption until it has work to drop
            waiting = [pool.submit(_work, setup, job) for job in jobs]
        try:
            for done in waiting if setup.form == PAGE else as_completed(waiting):  # a page has an order
                yield done.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _work(setup: Setup, job: Job) -> Ended:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return attempt(_compiled(setup), setup, job)
    except KeyboardInterrupt:
        return Ended(job.name, Outcome.INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        drop_unfinished()


@lru_cache(maxsize=1)
def _compiled(setup: Setup) -> Sanitizer:
    return setup.sanitizer()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
