"""Words in the pieces that a transformer knows: "suboxone" is sub + ##ox + ##one."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORDS = re.compile(r"[^\W_]+|[^\s]")
_WITHIN = "##"
_LONGEST = 40
_KEPT = 1 << 13


class Pieces:
    """A vocabulary of pieces. Safe to share between threads."""

    def __init__(self, known: Iterable[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(known)}
        self.begin, self.end, self.unknown = (self._numbers[mark] for mark in ("[CLS]", "[SEP]", "[UNK]"))
        self._of_word = lru_cache(maxsize=_KEPT)(self._split)

    def of(self, text: str) -> list[int]:
        """The pieces of a text by their numbers, in small letters and without accents."""
        return [piece for word in _WORDS.findall(text) for piece in self._of_word(word)]

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest piece that a word begins with, then the longest that goes on, until nothing is left.

        >>> known = Pieces(["[CLS]", "[SEP]", "[UNK]", "sub", "##ox", "##one", "##o"])
        >>> known.of("Suboxone subway")
        [3, 4, 5, 2]
        """
        if len(word) > _LONGEST:
            return (self.unknown,)
        letters = "".join(mark for mark in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(mark) != "Mn")
        found: list[int] = []
        at = 0
        while at < len(letters):
            within = _WITHIN if at else ""
            pieces = ((end, self._numbers.get(within + letters[at:end])) for end in range(len(letters), at, -1))
            at, number = next(((end, number) for end, number in pieces if number is not None), (0, None))
            if number is None:
                return (self.unknown,)
            found.append(number)
        return tuple(found)
