"""One sanitizer at work in several processes, which share what it has loaded; results come in the order of the texts."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TYPE_CHECKING

from kgsan.errors import KgsanError, Place, Problem
from kgsan.sanitize.wordless import wordless

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer


class ProcessLost(KgsanError):
    """A process that worked on texts was ended; of what it had, and of what was to come, nothing is given out."""


#: Set in a process that was made for it, before its first block.
_own: Sanitizer | None = None


def side_by_side(sanitizer: Sanitizer, blocks: Iterable[list[str]], processes: int) -> Iterator[list[SanitizedDocument]]:
    """The blocks, each sanitized in one of so many processes. Where processes cannot be split off, in this one."""
    if "fork" not in multiprocessing.get_all_start_methods():
        yield from map(sanitizer.sanitize_block, blocks)
        return
    sanitizer.sanitize_block(["."])  # what is loaded when first needed is loaded once, and shared
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(processes, context, initializer=_remember, initargs=(sanitizer,)) as pool:
        waiting: deque[Future[list[SanitizedDocument]]] = deque()
        rest = iter(blocks)
        for block in islice(rest, 2 * processes):
            waiting.append(_begun(pool, block))
        try:
            while waiting:
                yield _ended(waiting.popleft())
                for block in islice(rest, 1):
                    waiting.append(_begun(pool, block))
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)  # what nobody waits for any more is not begun
            raise


@wordless
def _begun(pool: ProcessPoolExecutor, block: list[str]) -> Future[list[SanitizedDocument]]:
    try:
        return pool.submit(_sanitize, block)
    except BrokenProcessPool:
        raise _lost() from None


@wordless
def _ended(work: Future[list[SanitizedDocument]]) -> list[SanitizedDocument]:
    try:
        return work.result()
    except BrokenProcessPool:
        raise _lost() from None


def _lost() -> ProcessLost:
    said = "A process that worked on texts was ended from outside, perhaps for lack of memory."
    return ProcessLost(Problem("S106", Place("kgsan"), said, "Nothing of its texts is given out."))


def _remember(sanitizer: Sanitizer) -> None:
    global _own
    _own = sanitizer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is meant for the process that waits for the texts


def _sanitize(block: list[str]) -> list[SanitizedDocument]:
    assert _own is not None
    return _own.sanitize_block(block)
