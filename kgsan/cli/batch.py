"""Texts sanitized one after the other or side by side: each is written whole, or not at all and told why."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, NamedTuple

from kgsan.cli.jobs import PAGE
from kgsan.cli.machine import end_without_a_trace
from kgsan.cli.output import DONE, FINDINGS, INTERRUPTED, WRONG_FILE, WRONG_ONTOLOGY
from kgsan.cli.work import begun, packed, reported, write_job
from kgsan.errors import KgsanError, KnowledgeError, OntologyError
from kgsan.report.output import drop_unfinished
from kgsan.sanitize.quiet import quiet
from kgsan.sanitize.release import ENGINE
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sanitize.wordless import unforeseen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kgsan.cli.jobs import Job
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.policy import Policy
    from kgsan.report.page.page import Reported

__all__ = ["begun", "packed"]  # which a page needs too

#: What is told of a text that is not safe, beyond that it is not: these speak of no words of it.
_TOLD = ("S103", "S104", "S105")


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
    fields: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    spans: Path | None = None
    pictures: str = "stop"

    def sanitizer(self, ontology: OntologyStack | None = None) -> Sanitizer:
        """The policy, compiled."""
        return Sanitizer(self.policy, ontology, redact=self.redact)


def attempt(sanitizer: Sanitizer, setup: Setup, job: Job, processes: int = 1) -> Ended:
    """Sanitize one file and write it; whatever goes wrong, nothing of it is written and no word of it is told."""
    shown: tuple[Reported, ...] = ()
    try:
        if setup.form == PAGE:
            shown = tuple(reported(sanitizer, setup, job))
        else:
            write_job(sanitizer, setup, job, processes)
    except NotSafe as error:
        return Ended(job.name, Outcome.NOT_SAFE, _not_safe(error, setup, job))
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
    return Ended(job.name, Outcome.WRITTEN, reported=shown)


def _not_safe(error: NotSafe, setup: Setup, job: Job) -> str:
    problem = error.problems[0]
    place = f"{job.name}:{problem.place.line}" if problem.place.line and problem.place.file == job.name else job.name
    if problem.code in _TOLD:
        hint = f" {problem.hint}" if problem.hint else ""
        return f"{place}: {problem.code} {problem.message} Nothing was written.{hint}"
    by = "" if setup.policy.method == ENGINE else f" by the method '{setup.policy.method}'"
    return f"{place}: The text could not be made safe{by}; nothing was written."


def unexpected(error: BaseException) -> str:
    """An error that nobody foresaw, in a sentence: its kind and the line of kgsan that met it, and nothing it says."""
    return f"{unforeseen(error).removesuffix('.')}; nothing was written."


# --- many jobs ------------------------------------------------------------------------------------------------------------


def one_by_one(sanitizer: Sanitizer, setup: Setup, jobs: Sequence[Job], processes: int = 1) -> Iterator[Ended]:
    """The jobs in their order; several processes may share one that holds many texts."""
    for job in jobs:
        yield attempt(sanitizer, setup, job, processes)


def side_by_side(setup: Setup, jobs: Sequence[Job], processes: int) -> Iterator[Ended]:
    """The jobs in several processes, as they end. When interrupted, what is being worked on is dropped, what is written stays."""
    with _uninterrupted():  # what is started now does not hear an interruption until it has work to drop
        pool = ProcessPoolExecutor(min(processes, len(jobs)), multiprocessing.get_context("spawn"))
        waiting = [pool.submit(_work, setup, job) for job in jobs]
    with pool:
        try:
            for done in waiting if setup.form == PAGE else as_completed(waiting):  # a page has an order
                yield done.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _work(setup: Setup, job: Job) -> Ended:
    _die_with_parent()
    end_without_a_trace()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with quiet():
            return attempt(_compiled(setup), setup, job)
    except KeyboardInterrupt:
        return Ended(job.name, Outcome.INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        drop_unfinished()


@lru_cache(maxsize=1)
def _die_with_parent() -> None:
    """See that this process ends when the one that started it was killed: nobody is left to tell what becomes of its work."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


@lru_cache(maxsize=1)
def _compiled(setup: Setup) -> Sanitizer:
    return setup.sanitizer()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # A terminal that is closed tells all processes; only the first, which waits for the others, is to hear it.
    heard = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(number, signal.SIG_IGN) for number in heard]
    try:
        yield
    finally:
        for number, handler in zip(heard, before, strict=True):
            signal.signal(number, handler)
