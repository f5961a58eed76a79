"""Words that are written letter by letter: H.I.V., H I V, h-i-v."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Three letters or more with one and the same mark between them, spaces around it or not; a point behind the last belongs to
#: them inside a sentence.
_SPELLED = re.compile(
    r"(?<!\w)[^\W\d_]([ .*_/|,+~:=\-·•\t\x00-\x08]{1,3}|\r?\n)[^\W\d_](?:\1[^\W\d_])+(?!\w)"
    r"(?:(?<=\.[^\W\d_])\.(?=[ \t]+[a-z]|[,;:)]))?"
)
#: Between these, letters are a list more often than a word: A, B, C.
_LISTING = frozenset("/|,+:=")


def spelled(text: str) -> Iterator[tuple[int, int, str]]:
    """Where such words stand, and what they are without what stands between their letters.

    >>> list(spelled("He has H.I.V. since May."))
    [(7, 13, 'HIV')]
    """
    for match in _SPELLED.finditer(text):
        between = match[1]
        word = match[0].replace(between, "")
        if is_a_list(word) and not _LISTING.isdisjoint(between):
            continue
        yield match.start(), match.end(), word
        if between.isspace() and word[0] in "aAI" and len(word) > 3:  # an article, or somebody who speaks
            yield match.start() + 1 + len(between), match.end(), word[1:]


def is_a_list(word: str) -> bool:
    """Whether letters follow each other as in the alphabet: A/B/C."""
    return all(ord(after) - ord(letter) == 1 for letter, after in pairwise(word))
