"""Lines for a policy that a review suggests: a commented file beside the policy, which is never edited by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kgsan.app.problems import refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.app.replay import Addition

_LONGEST = 200


def line_of(words: str) -> str:
    """Words as they can stand in a policy, blanks made one. Raises when they cannot."""
    term = " ".join(words.split())
    if not term or len(term) > _LONGEST or not term.isprintable():
        hint = "Mark fewer words, without signs that cannot be seen."
        raise refused("A115", "These words cannot become a line of a policy.", hint)
    return term


def patch(policy: str, document: str, text: str, additions: Sequence[Addition]) -> str:
    """The file: what to allow and what to deny, each with its reason, day and place.

    >>> from kgsan.app.replay import Addition
    >>> print(patch("toy", "d1", "on Ward 7", [Addition("deny", (3, 9), "Only one thing is treated there.", "2026-01-02")]))
    # Lines that a review suggests for the policy 'toy'. They hold only when they are taken over into it.
    # PRIVATE: the terms are words of a document. Check them first: kgsan validate, kgsan test, kgsan diff.
    <BLANKLINE>
    deny:
      # suggested 2026-01-02, document d1, characters 3 to 9
      - term: "Ward 7"
        because: "Only one thing is treated there."
    <BLANKLINE>
    """
    rows = [
        f"# Lines that a review suggests for the policy '{policy}'. They hold only when they are taken over into it.",
        "# PRIVATE: the terms are words of a document. Check them first: kgsan validate, kgsan test, kgsan diff.",
    ]
    for kind in ("allow", "deny"):
        told: dict[str, list[str]] = {}
        for one in additions:
            if one.kind == kind:
                start, end = one.place
                term = line_of(text[start:end])
                told[term] = [
                    f"  # suggested {one.day}, document {document}, characters {start} to {end}",
                    f"  - term: {_quoted(term)}",
                    f"    because: {_quoted(one.reason)}",
                ]
        if told:
            rows += ["", f"{kind}:", *(row for each in told.values() for row in each)]
    return "\n".join(rows) + "\n"


def _quoted(text: str) -> str:
    """A text as YAML reads it back, letter for letter."""
    return json.dumps(text, ensure_ascii=False)
