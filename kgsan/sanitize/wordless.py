"""Errors on their way out of kgsan: of what a library says about a text, nobody hears more than its kind and where it was met.

Libraries quote what they stumble over. So an error that is not kgsan's own is put into a sentence, and that is raised when the
other is forgotten: it is neither its cause nor its context. A traceback can still show what the caller's own variables hold.
"""

from __future__ import annotations

import traceback
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from kgsan.errors import KgsanError, Place, Problem
from kgsan.sanitize.result import NotSafe

if TYPE_CHECKING:
    from collections.abc import Callable

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
#: How libraries written in Rust end; Python does not count it among the errors.
_PANIC = "PanicException"


class Unforeseen(NotSafe):
    """Something went wrong that nobody foresaw, so nothing of the text is given out."""


#: Where the code of kgsan lies, whatever the folder above it is called.
_OWN = Path(__file__).parents[1]
_UNTOLD = Problem("S105", Place("kgsan"), "An unexpected error stopped the work.")


def unforeseen(error: BaseException) -> str:
    """An error that nobody foresaw, in a sentence: its kind and the line of kgsan that met it, and nothing it says."""
    if isinstance(error, Unforeseen):
        return error.problems[0].message
    frames = traceback.extract_tb(error.__traceback__)
    place = next((frame for frame in reversed(frames) if Path(frame.filename).is_relative_to(_OWN)), None)
    where = "" if place is None else f" in {Path(place.filename).name}, line {place.lineno}"
    return f"An unexpected error ({type(error).__name__}{where}) stopped the work."


def wordless(work: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Work on a text that raises nothing which could quote it.

    >>> @wordless
    ... def read(text: str) -> int:
    ...     return int(text)
    >>> read("Mr. Alder")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    kgsan.sanitize.wordless.Unforeseen: kgsan: S105 An unexpected error (ValueError in wordless.py, line ...) stopped the work.
    """

    @wraps(work)
    def safely(*given: Parameters.args, **named: Parameters.kwargs) -> Result:
        try:
            return work(*given, **named)
        except BaseException as error:
            caught = error
        try:
            told = without_words(caught)
        except BaseException as error:  # in the telling of another
            told = KeyboardInterrupt() if isinstance(error, KeyboardInterrupt) else Unforeseen(_UNTOLD)
        try:
            raise told  # outside of the handlers: nothing stands behind it
        finally:
            del caught, told

    return safely


def without_words(error: BaseException) -> BaseException:
    """What may be raised in place of an error. kgsan's own say no words of a text and stay, without what led to them."""
    if isinstance(error, MemoryError):
        return MemoryError("There is not enough memory for this text.")
    if isinstance(error, KeyboardInterrupt):
        return KeyboardInterrupt()
    if isinstance(error, SystemExit):
        return SystemExit(error.code if isinstance(error.code, int) else 1)
    if not isinstance(error, KgsanError) and (isinstance(error, Exception) or type(error).__name__ == _PANIC):
        return Unforeseen(Problem("S105", Place("kgsan"), unforeseen(error)))
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
