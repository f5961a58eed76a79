"""Reasons that a person gives: they are told to others, so they may not tell what is hidden."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgsan.app.problems import refused

if TYPE_CHECKING:
    from kgsan.app.chain import Span
    from kgsan.app.drafting import Draft

_SHORTEST, _LONGEST = 3, 500
_WORD = re.compile(r"\w+")


def given_reason(told: str, draft: Draft) -> str:
    """A reason on one line. Raises when there is none, or when it holds words that the document hides or waives."""
    reason = " ".join(told.split())
    if not _SHORTEST <= len(reason) <= _LONGEST or not reason.isprintable():
        raise refused("A111", f"A reason is needed, of at most {_LONGEST} characters.", "Say it as you would to an auditor.")
    spoken = _spoken(reason)
    spans = [*(one.span for one in draft.settled), *(one.span for one in draft.waived)]
    secret = {_spoken(words_at(draft, span)) for span in spans}
    secret |= {_spoken(draft.text[start:end]) for one in draft.remaining for start, end in one.members or ((one.start, one.end),)}
    if any(words in spoken for words in secret if words.strip()):
        raise refused("A111", "The reason tells words that the document hides.", "Say it without them: the log is no secret.")
    return reason


def words_at(draft: Draft, span: Span) -> str:
    """What the original says somewhere."""
    return draft.proposal.text[span[0] : span[1]]


def _spoken(words: str) -> str:
    """Words one by one, whatever their capitals and what stands between them.

    >>> _spoken("On Ward-7!")
    ' on ward 7 '
    """
    return f" {' '.join(_WORD.findall(words.casefold()))} "
