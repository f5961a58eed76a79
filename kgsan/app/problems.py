"""What the review refuses, in a sentence that holds no word of a document."""

from __future__ import annotations

from kgsan.errors import KgsanError, Place, Problem


class ReviewError(KgsanError):
    """Something in a review cannot be done. Shows no words of a document."""

    @property
    def code(self) -> str:
        """The code of the first problem."""
        return self.problems[0].code

    @property
    def sentence(self) -> str:
        """What is wrong and what to do, without the place."""
        first = self.problems[0]
        return f"{first.message} {first.hint}" if first.hint else first.message


def refused(code: str, message: str, hint: str | None = None, *, file: str = "review", line: int | None = None) -> ReviewError:
    """The error for one thing that is refused."""
    return ReviewError(Problem(code, Place(file, line), message, hint))
