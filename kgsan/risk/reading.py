"""One text as all rules read it: the names in it, found once, and what they mean where they stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Generic, TypeVar

from kgsan.lazy import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.ontology.ontology import Concept
    from kgsan.risk.senses import SenseGuard, SenseReader, Verdict
    from kgsan.text.document import Document
    from kgsan.text.mentions import Finder, Mention, Mentions, Sense

Answer = TypeVar("Answer")

#: So many answers are kept; when there are more, they are gathered anew.
_KEPT = 1 << 13


class BySenses(Generic[Answer]):
    """A question about all senses of a name, worked out once for every name. Safe to share between threads."""

    def __init__(self, work: Callable[[tuple[Sense, ...]], Answer]) -> None:
        self._work = work
        self._known: dict[int, tuple[tuple[Sense, ...], Answer]] = {}

    def __call__(self, senses: tuple[Sense, ...]) -> Answer:
        # The same names give the same tuple, so asking by identity is enough; what is kept stays alive, and so its identity.
        known = self._known.get(id(senses))
        if known is None:
            known = senses, self._work(senses)
            if len(self._known) >= _KEPT:
                self._known = {}
            self._known[id(senses)] = known
        return known[1]


class Taken:
    """Spans of a text, to be asked whether one of them holds another span."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        spans = sorted(spans)
        self._starts = [start for start, _ in spans]
        self._reached = [0, *accumulate([end for _, end in spans], max)] if spans else [0]  # by those that begin so early

    def holds(self, start: int, end: int) -> bool:
        """Whether one span holds all of this one."""
        return self._reached[bisect_right(self._starts, start)] >= end

    def touches(self, start: int, end: int) -> bool:
        """Whether one span has a place in common with this one."""
        return self._reached[bisect_left(self._starts, end)] > start


class Reading:
    """A document and its mentions."""

    def __init__(self, document: Document, finder: Finder, guard: SenseGuard, every: Mentions | None = None) -> None:
        self.document = document
        self.every = finder.find(document, nested=True) if every is None else every
        self.stack = finder.stack
        self.protected: list[Mention] = []  #: what may name what is protected, once that is known
        self.concerning: list[Mention] | None = None  #: what may concern it, once that is known
        self.named: frozenset[tuple[int, int]] = frozenset()  #: where the text names what is protected, once that is known
        self.guard = guard
        self._verdicts: dict[tuple[int, int, int, int], Verdict] = {}
        self._spoken: dict[tuple[int, int, int, int], bool] = {}

    def __repr__(self) -> str:
        return f"<Reading of {self.document!r}>"

    @cached_property
    def longest(self) -> list[Mention]:
        """The mentions that lie in no longer one."""
        return self.every.longest()

    @cached_property
    def senses(self) -> SenseReader:
        """The word-sense guard, at work on this text."""
        return self.guard.read(self.document, self.longest)

    def verdict(self, mention: Mention, sense: Sense) -> Verdict:
        """Whether a mention counts in one of its senses; several rules ask, and it is judged once."""
        key = mention.start, mention.end, sense.ontology, sense.concept.number
        found = self._verdicts.get(key)
        if found is None:
            found = self._verdicts[key] = self.senses.verdict(mention, sense)
        return found

    def speaks_of(self, mention: Mention, place: int, concept: Concept) -> bool:
        """Whether a word that was counted with a concept may speak of it here."""
        key = mention.start, mention.end, place, concept.number
        found = self._spoken.get(key)
        if found is None:
            found = self._spoken[key] = self.senses.speaks_of(mention, place, concept)
        return found
