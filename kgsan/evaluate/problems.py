"""What can be wrong with a gold standard, with a text that is attacked, and with what either is measured against."""

from __future__ import annotations

from kgsan.errors import KgsanError, Place, Problem

#: More problems than a person reads.
_TOLD = 20


class EvaluationError(KgsanError):
    """A measurement cannot be made from what it was given."""


def error(code: str, file: str, message: str, hint: str | None = None, line: int | None = None) -> EvaluationError:
    """The error for one problem at one place."""
    return EvaluationError(Problem(code, Place(file, line), message, hint))


def refuse(problems: list[Problem]) -> None:
    """Raise the problems if there are any; of very many only the first are told."""
    if not problems:
        return
    told = problems[:_TOLD]
    if more := len(problems) - len(told):
        told.append(Problem("E110", problems[0].place, f"There are {more} more problems like these."))
    raise EvaluationError(*told)
