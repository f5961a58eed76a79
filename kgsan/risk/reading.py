"""One text as all rules read it: the names in it, found once, and what they mean where they stand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgsan.risk.senses import SenseGuard, SenseReader
    from kgsan.text.document import Document
    from kgsan.text.mentions import Finder, Mention, Mentions


class Reading:
    """A document and its mentions."""

    def __init__(self, document: Document, finder: Finder, guard: SenseGuard, every: Mentions | None = None) -> None:
        self.document = document
        self.every = finder.find(document, nested=True) if every is None else every
        self.stack = finder.stack
        self.protected: list[Mention] = []  #: what may name what is protected, once that is known
        self.named: frozenset[tuple[int, int]] = frozenset()  #: where the text names what is protected, once that is known
        self._guard = guard

    def __repr__(self) -> str:
        return f"<Reading of {self.document!r}>"

    @cached_property
    def longest(self) -> list[Mention]:
        """The mentions that lie in no longer one."""
        return self.every.longest()

    @cached_property
    def senses(self) -> SenseReader:
        """The word-sense guard, at work on this text."""
        return self._guard.read(self.document, self.longest)
