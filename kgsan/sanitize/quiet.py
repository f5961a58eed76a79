"""What Python itself would print or keep of an error while a program of kgsan runs, words of a text among it.

These are the errors that reach no handler: in threads, in what is tidied up, in the logs and warnings of libraries, in a core.
"""

from __future__ import annotations

import logging
import sys
import threading
import warnings
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from kgsan.sanitize.wordless import unforeseen

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def quiet() -> Iterator[None]:
    """While this lasts, nothing is printed but what kgsan says, and a process that is ended leaves no core."""
    before = sys.unraisablehook, threading.excepthook, warnings.showwarning
    shown = before[2]

    def show(message: Warning | str, category: type[Warning], filename: str, lineno: int, *more: Any, **named: Any) -> None:
        if category.__module__.startswith("kgsan.") or (category is UserWarning and "kgsan" in filename):
            shown(message, category, filename, lineno, *more, **named)

    heard = logging.NullHandler()  # where there is no handler at all, Python prints what is logged
    sys.unraisablehook = lambda told: _passed_over(told.exc_value)
    threading.excepthook = lambda told: _passed_over(told.exc_value)
    warnings.showwarning = show
    logging.getLogger().addHandler(heard)
    try:
        with _no_core():
            yield
    finally:
        sys.unraisablehook, threading.excepthook, warnings.showwarning = before
        logging.getLogger().removeHandler(heard)


def _passed_over(error: BaseException | None) -> None:
    if error is not None:
        with suppress(Exception):
            print(unforeseen(error).replace("stopped the work", "was passed over"), file=sys.stderr)


@contextmanager
def _no_core() -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))
