"""The names that a text writes so that a search misses them: which of the words that they may be are names.

What the words may be is told by `disguised` and `broken`; here those are kept that the index knows.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kgsan.text.broken import broken, censored
from kgsan.text.disguised import cuts, is_everyday, parts, readings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kgsan.text.document import Document
    from kgsan.text.scan import Words
    from kgsan.text.spelling import Speller

#: In place of the class of a word that several words were written as. No name has it.
COMPOUND = 1 << 33
#: Letters that are shown from right to left, up to the mark that ends this, or the line.
_TURNED = re.compile("\u202e([^\u202c\u2069\n]{1,2000})")
#: A word with a space inside has so many letters at least; a part of it at most.
_TORN, _LONGEST = 6, 40
_SPACE = re.compile(r"[ \t]{1,2}|[ \t]*\r?\n[ \t]*(?:[>|]{1,4}[ \t]*)?")
_WORD = re.compile(r"[^\W_]{3,120}")
#: The code of a Canadian address: H1V 2A1.
_POSTAL = re.compile(r"[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d(?!\w)")


class Uncovered(NamedTuple):
    """A place of the text as it is read, and the words that are to be read there."""

    start: int
    end: int
    words: str


class Uncovering:
    """Reads disguised words by asking which words occur in names. Safe to share between threads."""

    def __init__(self, is_word: Callable[[str], bool], speller: Speller) -> None:
        self._is_word, self._speller = lru_cache(maxsize=1 << 12)(is_word), speller
        self.compound = lru_cache(maxsize=1 << 12)(self._compound)

    def meant(self, word: str) -> str | None:
        """The word of a name that is meant by one that is in no name; None when there is none."""
        return next(filter(self._is_word, readings(word, self._is_word)), None)

    def is_compound(self, word: str) -> bool:
        """Whether several words seem to be written as one."""
        return bool(self.compound(word))

    def _compound(self, word: str) -> tuple[tuple[str, ...], ...]:
        """The words that a word may be made of, in the ways this is possible."""
        found = parts(word, self._is_word)
        return (found,) if found else tuple(cuts(word, self._is_word))

    def find(self, documents: Sequence[Document], text: str, words: Words, places: Sequence[int]) -> Iterator[Uncovered]:
        """The words to be read in documents that are joined to one text, in which each begins at its place."""
        for start, end, candidates in broken(text):
            for word in candidates:
                if (said := self._said(word)) is not None:
                    yield Uncovered(start, end, said)
                    break
        yield from self._torn(text, words)
        for document, place in zip(documents, places, strict=False):
            if "\u202e" in document.text:
                for start, end, word in _turned(document):
                    if self._is_word(word):
                        yield Uncovered(place + start, place + end, word)

    def _torn(self, text: str, words: Words) -> Iterator[Uncovered]:
        """Words with a space or the end of a line inside: one of the two parts is no word."""
        strange = words.strange.nonzero()[0]
        lefts = np.unique(np.concatenate((strange - 1, strange)))
        lefts = lefts[(lefts >= 0) & (lefts < len(words.starts) - 1)]
        starts, ends = words.starts[lefts], words.ends[lefts + 1]
        near = (ends - starts <= 3 * _LONGEST) & (ends - starts > _TORN) & ~words.parted[lefts + 1]
        middles = zip(words.ends[lefts[near]].tolist(), words.starts[lefts[near] + 1].tolist(), strict=True)
        for start, end, (gap, on) in zip(starts[near].tolist(), ends[near].tolist(), middles, strict=True):
            behind = text[on:end]
            word = text[start:gap] + behind
            if len(word) < _TORN or not (behind.islower() or word.isupper()) or not word.isalpha():
                continue
            if ((on - gap == 1 and text[gap] == " ") or _SPACE.fullmatch(text, gap, on)) and self._is_word(word):
                yield Uncovered(start, end, word)

    def _said(self, word: str) -> str | None:
        if censored(word):
            return self._speller.with_a_letter(*word.lower().split("*"))
        return word if not word.isalpha() or self._is_word(word) else None


def is_strange(word: str) -> bool:
    """Whether a word that is in no name may be a part of one that has a space inside."""
    part = word[:-2] if word.endswith(("'s", "'S")) else word
    return len(part) <= _LONGEST and part.isalpha() and not is_everyday(part.lower())


def is_postal(text: str, start: int) -> bool:
    """Whether a code of an address stands here that looks like a name with a digit in it."""
    return _POSTAL.match(text, start) is not None


def _turned(document: Document) -> Iterator[tuple[int, int, str]]:
    """The words that are shown from right to left, as they are shown."""
    for match in _TURNED.finditer(document.text):
        start, end = document.place_read(match.start(1)), document.place_read(match.end(1))
        for word in _WORD.finditer(document.plain[start:end][::-1]):
            yield end - word.end(), end - word.start(), word[0]
