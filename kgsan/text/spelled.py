"""Words that are written letter by letter: H.I.V., H I V, h-i-v."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Three letters or more with one and the same mark between them, spaces around it or not; a point behind the last belongs to
#: them inside a sentence. More letters than this make no word, and looking for its end again and again takes long.
_LONGEST = 60
_BETWEEN = r" .*_/|,+~:=\-·•\t\x00-\x08"
_SPELLED = re.compile(
    rf"(?<!\w)[^\W\d_]([{_BETWEEN}]{{1,3}}|\r?\n)[^\W\d_](?:\1[^\W\d_]){{1,{_LONGEST}}}(?!\w)"
    r"(?:(?<=\.[^\W\d_])\.(?=[ \t]+[a-z]|[,;:)]))?"
)
#: A letter that stands alone, as all but the first and last of them do.
_ALONE = re.compile(rf"[{_BETWEEN}\n][^\W\d_](?=[{_BETWEEN}\r\n])")
#: Between these, letters are a list more often than a word: A, B, C.
_LISTING = frozenset("/|,+:=")


def spelled(text: str) -> Iterator[tuple[int, int, str]]:
    """Where such words stand, and what they are without what stands between their letters.

    >>> list(spelled("He has H.I.V. since May."))
    [(7, 13, 'HIV')]
    """
    for match in _matches(text):
        between = match[1]
        word = match[0].replace(between, "")
        if is_a_list(word) and not _LISTING.isdisjoint(between):
            continue
        yield match.start(), match.end(), word
        if between.isspace() and word[0] in "aAI" and len(word) > 3:  # an article, or somebody who speaks
            yield match.start() + 1 + len(between), match.end(), word[1:]


def _matches(text: str) -> Iterator[re.Match[str]]:
    """Where `_SPELLED` matches: it is tried only before letters that stand alone, since trying it everywhere takes long."""
    done = 0
    for alone in _ALONE.finditer(text):
        for start in range(max(done, alone.end() - 5), alone.end() - 2):
            if (match := _SPELLED.match(text, start)) is not None:
                done = match.end()
                yield match
                break


def is_a_list(word: str) -> bool:
    """Whether letters follow each other as in the alphabet: A/B/C."""
    return all(ord(after) - ord(letter) == 1 for letter, after in pairwise(word))
