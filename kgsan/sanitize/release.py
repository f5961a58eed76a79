"""The one place that decides that a text may leave.

Whatever comes before may fail at any line: a text that did not come through here was given to nobody. The engine, and a person's
review, come with their own last reading; what is put together anew from a safe text, and what a published method made, is read
once more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kgsan.errors import Place, Problem
from kgsan.sanitize.result import NotSafe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

#: The method that comes with its own last reading. A published one promises what its paper does, which is less.
ENGINE = "engine"
_DISCLOSES = "The text that was made discloses more than is allowed."


class Reads(Protocol):
    """Who tells what a text still discloses."""

    def verify(self, text: str) -> Sequence[object]: ...


def release(
    result: SanitizedDocument, read: str, remaining: Sequence[object] | None, where: Place, said: str = _DISCLOSES
) -> SanitizedDocument:
    """The text, since a reading of this very text found nothing in it. Anything else, a missing reading too, is `NotSafe`.

    >>> from kgsan.sanitize.result import SanitizedDocument
    >>> from kgsan.sanitize.wording import Rewritten
    >>> made = SanitizedDocument("Fine.", (), 1.0, 1, Rewritten("Fine.", ()))
    >>> release(made, "Fine.", [], Place("toy")).text
    'Fine.'
    >>> release(made, "Fine.", None, Place("toy"))
    Traceback (most recent call last):
    kgsan.sanitize.result.NotSafe: toy: S101 The text that was made discloses more than is allowed.
    """
    if read == result.text and isinstance(remaining, list | tuple) and len(remaining) == 0:
        return result
    raise NotSafe(Problem("S101", where, said))


def released(reader: Reads, result: SanitizedDocument, where: Place, said: str = _DISCLOSES) -> SanitizedDocument:
    """The text, read once more: for one that was put together anew, or that nobody has read yet."""
    return release(result, result.text, reader.verify(result.text), where, said)


def promised(sanitizer: Sanitizer, result: SanitizedDocument) -> SanitizedDocument:
    """What a sanitizer made, as it is promised to whoever gets the text, whatever the method of the policy promises."""
    return result if sanitizer.policy.method == ENGINE else released(sanitizer, result, Place(sanitizer.policy.name))
