"""Words that are written letter by letter: H.I.V., H I V, h-i-v."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Three letters or more with one and the same mark between them; a point behind the last belongs to them inside a sentence.
_SPELLED = re.compile(r"(?<!\w)[^\W\d_]([ .*_-])[^\W\d_](?:\1[^\W\d_])+(?!\w)(?:(?<=\.[^\W\d_])\.(?=[ \t]+[a-z]|[,;:)]))?")


def spelled(text: str) -> Iterator[tuple[int, int, str]]:
    """Where such words stand, and what they are without what stands between their letters.

    >>> list(spelled("He has H.I.V. since May."))
    [(7, 13, 'HIV')]
    """
    for match in _SPELLED.finditer(text):
        yield match.start(), match.end(), match[0].replace(match[1], "")
