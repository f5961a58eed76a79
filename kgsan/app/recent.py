"""Answers that take long and are asked for again: the last of them are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Answer = TypeVar("_Answer")


class Recent(Generic[_Answer]):
    """The answers that were worked out last, by what they were worked out from."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[object, _Answer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, asked: object, work: Callable[[], _Answer]) -> _Answer:
        """The answer, worked out when it is not known; others do not wait for that."""
        with self._lock:
            if asked in self._known:
                self._known.move_to_end(asked)
                return self._known[asked]
        found = work()
        with self._lock:
            self._known[asked] = found
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return found
