"""The word that a misspelt one was meant to be.

One letter is too many, too few, wrong, or two stand in the wrong order; or a long word is written as it sounds, with up to
two wrong letters: "chlamidya", "schizofrenia", "gonnorea".
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from kgsan.text.everyday import everyday_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kgsan.ontology.arrays import Strings

#: In shorter words one letter makes another word too easily.
_LONG = 7
#: Shorter ones, down to this, are read so if they begin alike and no letter stands for another: "adict", "musilm".
_SHORT = 5
#: So long a word with a capital is hardly anybody's name, and may be one that is written as it sounds: "Schizofrenia".
_LONGER = 9
#: What is written as it sounds may differ in so many letters, not counting doubled ones and silent ones.
_BY_SOUND = 2
_SILENT = re.compile(r"h|(.)(?=\1)")
_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"ph", "f"), (r"sch", "sk"), (r"c(?=[eiy])", "s"), (r"ch|ck|qu?|c", "k"), (r"x", "ks"), (r"z", "s"),
        (r"g(?=[eiy])", "j"),
        (r"(?<=[^aeiouy])h", ""), (r"[aeiouy]h?[aeiouy]*", "a"), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip


def spellings(words: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """What is left of words when one letter is taken out of them, sorted, and the number of the word of each."""
    rests, numbers = [], []
    for number, word in enumerate(words):
        if len(word) >= _SHORT and word.isalpha():
            for rest in _rests(word):
                rests.append(rest)
                numbers.append(number)
    made, of = np.asarray(rests, dtype=np.uint32), np.asarray(numbers, dtype=np.int32)
    order = np.lexsort((of, made))
    return made[order], of[order]


class Speller:
    """Words to correct to, found by what is left when one letter is taken out of either."""

    def __init__(self, words: Strings, rests: NDArray[np.uint32], numbers: NDArray[np.int32]) -> None:
        self._words, self._rests, self._numbers = words, rests, numbers

    def correct(self, word: str, *, is_name: bool = False) -> str | None:
        """The word that is meant; None when the word is short, everyday, or like none. Short ones may be anybody's names."""
        if len(word) < (_LONG if is_name else _SHORT) or not word.isalpha() or word in everyday_words():
            return None
        like: set[str] = set()
        for rest in _rests(word):
            # A plain number would make a copy of all rests in a wider type.
            wanted = np.uint32(rest)
            first, last = int(self._rests.searchsorted(wanted)), int(self._rests.searchsorted(wanted, side="right"))
            like.update(self._words[number] for number in self._numbers[first:last].tolist())
        near = [other for other in like if OSA.distance(word, other, score_cutoff=1) == 1 and _may_be(word, other)]
        if not near and len(word) >= (_LONGER if is_name else _LONG):
            near = [other for other in like if _sounds_like(word, other)]
        return min(near, key=lambda other: _unlikelihood(word, other), default=None)

    def with_a_letter(self, before: str, behind: str) -> str | None:
        """The only word that has one letter more, between these two parts of it; None when there are several."""
        if len(before) + len(behind) + 1 < _SHORT:
            return None
        wanted = np.uint32(zlib.crc32((before + behind).encode("utf-8", "surrogatepass")))
        first, last = int(self._rests.searchsorted(wanted)), int(self._rests.searchsorted(wanted, side="right"))
        fitting = {f"{before}{letter}{behind}" for letter in "abcdefghijklmnopqrstuvwxyz"}
        like = fitting & {self._words[number] for number in self._numbers[first:last].tolist()}
        like |= fitting & everyday_words().keys()
        return like.pop() if len(like) == 1 else None


def _unlikelihood(word: str, other: str) -> tuple[bool, bool, bool, int, str]:
    """Ends are kept, everyday words are meant, and letters are left out more often than put in."""
    return other[0] != word[0], other[-1] != word[-1], other not in everyday_words(), -len(other), other


def _may_be(word: str, other: str) -> bool:
    if min(len(word), len(other)) >= _LONG:
        return True
    return word[0] == other[0] and (len(word) != len(other) or sorted(word) == sorted(other))


def _sounds_like(word: str, other: str) -> bool:
    """Whether a word is another one written by its sound.

    >>> _sounds_like("chlamidya", "chlamydia"), _sounds_like("gonnorea", "gonorrhea"), _sounds_like("planner", "planet")
    (True, True, False)
    """
    if len(other) < _LONG or word[0] != other[0] or _sound(word) != _sound(other):
        return False
    if OSA.distance(word, other, score_cutoff=_BY_SOUND + 1) > _BY_SOUND + 1:
        return False
    heard = (_SILENT.sub("", one) for one in (word, other))
    return bool(OSA.distance(*heard, score_cutoff=_BY_SOUND) <= _BY_SOUND)


def _sound(word: str) -> str:
    """About how a word sounds: consonants as they are said, any vowels for the same."""
    for pattern, sound in _SOUNDS:
        word = pattern.sub(sound, word)
    return word


def _rests(word: str) -> Iterator[int]:
    """The word, what is left of it without one of its letters, and how it sounds, as numbers."""
    yield zlib.crc32(word.encode("utf-8", "surrogatepass"))
    if len(word) >= _LONG:
        yield zlib.crc32(f"~{_sound(word)}".encode("utf-8", "surrogatepass"))
    for i in range(len(word)):
        yield zlib.crc32((word[:i] + word[i + 1 :]).encode("utf-8", "surrogatepass"))
