"""Which words of several meanings are hardly ever used in any but the first that a dictionary lists.

"Mother" is one of them, "screening" is not: what generalizes its first meaning, the showing of a film, would be untrue of most.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def means_the_first(word: str) -> bool:
    """Whether a word of several meanings has the first of them nearly everywhere."""
    return word.casefold() in _words()


@cache
def _words() -> frozenset[str]:
    return frozenset((files("kgsan.sanitize") / "first_meanings.txt").read_text("ascii").splitlines())
