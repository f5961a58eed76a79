"""Whether what was written in place of words is true of them, judged from the ontologies and the two texts alone.

True is a generalization of what stood there, the last words of it, or a mark that something was removed. The reasons of whoever
made the change are not asked.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kgsan.ontology import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.policy import Policy
    from kgsan.text.mentions import Finder

    Meaning = tuple[int, int]

_ARTICLE = re.compile(r"(?:an?|the|some|any|no|one)\s+", re.IGNORECASE)
#: Where a mark of removal names the kind of what was removed.
_KIND = "{kind}"
_MARKS = " .,;:!?()\"'"
#: So many words of the end of a phrase are looked up.
_LONGEST = 8


class Truth(StrEnum):
    """How a replacement stands to what it replaced."""

    GENERALIZES = "a generalization"
    SHORTENS = "a shorter form"
    REMOVES = "a removal"
    UNSHOWN = "not shown to be true"


@dataclass(frozen=True, slots=True)
class Truthfulness:
    """How many replacements are true, and in what way."""

    counts: Counter[Truth] = field(default_factory=Counter)

    def __add__(self, other: Truthfulness) -> Truthfulness:
        return Truthfulness(self.counts + other.counts)

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def share(self) -> float | None:
        """The part that is true; None when nothing was replaced."""
        return 1 - self.counts[Truth.UNSHOWN] / self.total if self.total else None


class TruthCheck:
    """The ontologies and what a policy writes for what it removes. Made once for a policy."""

    def __init__(self, stack: OntologyStack, finder: Finder, policy: Policy) -> None:
        self._stack = stack
        self._finder = finder
        written = [policy.replacement_style, *(rule.write for rule in policy.identifiers if rule.write)]
        self._removals = frozenset(mark.strip() for mark in written if _KIND not in mark)
        parts = [mark.partition(_KIND) for mark in written if _KIND in mark]
        self._kinds = [(before, after) for before, _, after in parts]

    def of(self, before: str, after: str) -> Truth:
        """How words that stand now are related to those that stood there before."""
        bare = _ARTICLE.sub("", after.strip(), count=1)
        if not bare or self._is_removal(bare) or self._is_removal(after.strip()):
            return Truth.REMOVES
        old, new = names.key(before).split(), names.key(bare).split()
        if new and old[-len(new) :] == new:
            return Truth.SHORTENS
        if any(character.isdigit() for character in bare) and bare in before:
            return Truth.SHORTENS  # the year of a date, the first digits of a code
        meant = {meaning for form in _ends(before) for meaning in self._meanings(form)}
        above = {(place, g) for place, number in meant for g in self._stack[place].steps_up(number)} | meant
        return Truth.GENERALIZES if any(meaning in above for meaning in self._meanings(bare)) else Truth.UNSHOWN

    def among(self, pairs: Iterable[tuple[str, str]]) -> Truthfulness:
        """Many at once."""
        return Truthfulness(Counter(self.of(before, after) for before, after in pairs))

    def _is_removal(self, words: str) -> bool:
        if words in self._removals:
            return True
        return any(words.startswith(before) and words.endswith(after) and (before or after) for before, after in self._kinds)

    def _meanings(self, words: str) -> Iterator[Meaning]:
        """The concepts that words name as a whole, in every ontology that knows them."""
        for place, ontology in enumerate(self._stack):
            yield from ((place, concept.number) for concept in ontology.find(words))
        bare = words.strip(_MARKS)
        for mention in self._finder.find(bare):  # reads misspelt words too
            if mention.start == 0 and mention.end == len(bare):
                yield from ((sense.ontology, sense.concept.number) for sense in mention.senses)


def _ends(words: str) -> Iterator[str]:
    """A phrase, and what is left of it when words are cut from its left."""
    yield words
    spelled = names.words(words)
    yield from (" ".join(spelled[start:]) for start in range(max(1, len(spelled) - _LONGEST), len(spelled)))
