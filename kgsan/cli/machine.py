"""What the machine may do to a command: close its streams, end it by a signal, run out of something."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

from kgsan.report.output import drop_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

#: How a process is ended from outside, beside Ctrl-C: by who runs it, and by a terminal that is closed. (Windows has one.)
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
#: What the machine, and no file of the user, has not enough of or does not allow.
_LACKS = {
    errno.ENOSPC: "there is no space left on the disk",
    errno.EDQUOT: "there is no space left for this user on the disk",
    errno.EFBIG: "the machine allows no file of that size",
    errno.EROFS: "the disk can only be read",
    errno.EMFILE: "too many files are open in this process",
    errno.ENFILE: "too many files are open on this machine",
    errno.ENOMEM: "there is not enough memory",
    errno.EAGAIN: "the machine allows no more processes or threads",
    errno.EBADF: "standard input or output is closed",
}


def lacking(error: OSError) -> str | None:
    """What the machine lacks, in a sentence, if that is what an error is about.

    >>> lacking(OSError(errno.EMFILE, "words of a document"))
    'This cannot be done here: too many files are open in this process.'
    """
    told = _LACKS.get(error.errno or 0)
    return None if told is None else f"This cannot be done here: {told}."


@contextmanager
def ended_like_an_interruption() -> Iterator[None]:
    """Within this, whoever ends the process ends it as Ctrl-C does: nothing half written is left. `nohup` stays in force."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals
        return
    before = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in before.items():
        if handler == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler == signal.SIG_DFL:
                signal.signal(number, handler)


def end_without_a_trace() -> None:
    """See that this process, of several that work side by side, leaves nothing half written when it is ended."""

    def end(*_: object) -> None:
        drop_unfinished()
        os._exit(1)

    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def leave(code: int) -> NoReturn:
    """End this process, at once if threads still work that nobody waits for.

    Python takes itself down around such a thread, and ends the thread when it next asks for the interpreter. Within a library
    written in C++ that is no way to end: it aborts the process (seen with `kgsan review`, once in some twenty interruptions).
    """
    if any(thread.daemon for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(BaseException):  # there is nobody left to tell
                stream.flush()
        os._exit(code)
    sys.exit(code)


def open_streams() -> None:
    """Put something in the place of standard streams that were closed: else the next file that is opened would take it.

    To read from a closed stream, or to write a result there, is an error as it should be; messages are lost.
    """
    for number, (name, way) in enumerate((("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_RDWR))):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, way)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            stream = os.fdopen(number, "w" if number else "r", encoding="utf-8", errors="backslashreplace", closefd=False)
            setattr(sys, name, stream)


def silence(stream: Any) -> None:
    """Let what is left in a stream go nowhere if the stream takes nothing more: Python would complain at the end."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
