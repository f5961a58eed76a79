"""One sanitizer at work in several processes, which share what it has loaded; results come in the order of the texts."""

from __future__ import annotations

import multiprocessing
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

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
            waiting.append(pool.submit(_sanitize, block))
        while waiting:
            yield waiting.popleft().result()
            for block in islice(rest, 1):
                waiting.append(pool.submit(_sanitize, block))


def _remember(sanitizer: Sanitizer) -> None:
    global _own
    _own = sanitizer


def _sanitize(block: list[str]) -> list[SanitizedDocument]:
    assert _own is not None
    return _own.sanitize_block(block)
