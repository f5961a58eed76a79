"""What was worked out and may be asked for again: as much of it as fits into some memory."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Hashable
from functools import cache
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

#: So many bytes are worth being given back.
_LARGE = 1 << 20

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Kept(Generic[Key, Answer]):
    """The answers asked for last, within a number of bytes. What is dropped is worked out again: no answer depends on it.

    Two generations: when the younger has filled half of the memory it becomes the older, and the older goes. What is still asked
    for moves to the younger. So looking up costs no more than in a dict, and threads need no lock. What the older held in many
    pieces is given back to the system, where that can be asked for: in a process that runs for days the gaps would add up.

    >>> kept = Kept(8, weigh=len)
    >>> for word in ("ab", "cd", "ef", "gh", "ij", "kl"):
    ...     _ = kept.get("ab"), kept.put(word, word)
    >>> kept.get("ab"), kept.get("cd"), kept.get("kl"), len(kept)
    ('ab', None, 'kl', 3)
    """

    def __init__(self, most: int, weigh: Callable[[Answer], int]) -> None:
        self._half = most // 2
        self._weigh = weigh
        self._younger: dict[Key, Answer] = {}
        self._older: dict[Key, Answer] = {}
        self._size = 0

    def __len__(self) -> int:
        return len(self._younger.keys() | self._older.keys())

    def get(self, key: Key) -> Answer | None:
        """The answer, if it is still there."""
        found = self._younger.get(key)
        if found is None:
            found = self._older.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: Key, answer: Answer) -> Answer:
        """Keep an answer; gives it back."""
        if self._size >= self._half:
            self._older, self._younger, self._size = self._younger, {}, 0
            if self._half >= _LARGE:
                _give_back()
        self._younger[key] = answer
        self._size += self._weigh(answer)
        return answer


def _give_back() -> None:
    """Hand free memory back to the system; only the C library of GNU has to be asked."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], object] | None:
    if sys.platform != "linux":
        return None
    try:
        found: Callable[[int], object] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    except OSError:
        return None
    return found
