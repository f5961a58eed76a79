"""What sort of thing a word can mean at all, by a dictionary: a kitchen is no behavior, whatever practice it belongs to.

A special vocabulary files things under what they tell: a kosher kitchen under the keeping of dietary law. What generalizes such a
concept is not always true of the thing.
"""

from __future__ import annotations

import re
from enum import Flag, auto
from functools import lru_cache
from typing import TYPE_CHECKING

from kgsan.lazy import cached_property
from kgsan.ontology import names

if TYPE_CHECKING:
    from kgsan.ontology.stack import OntologyStack


class Kind(Flag):
    """The sorts of things that are told apart."""

    PERSON = auto()
    GROUP = auto()
    THING = auto()
    HAPPENING = auto()  #: and states and traits, for an illness is any of them
    IDEA = auto()  #: and what is said or written


#: Under which words of a dictionary each of them lies; of two that hold a concept the first counts.
_UNDER = (
    ("person", Kind.PERSON),
    ("group", Kind.GROUP),
    ("event", Kind.HAPPENING),
    ("process", Kind.HAPPENING),
    ("attribute", Kind.HAPPENING),
    ("communication", Kind.IDEA),
    ("cognition", Kind.IDEA),
    ("physical entity", Kind.THING),
)
#: What else a thing of each kind may be called: an organization by its building, a rite by its creed.
_ALSO = {
    Kind.PERSON: Kind.GROUP,
    Kind.GROUP: Kind.THING | Kind.PERSON,
    Kind.THING: Kind.GROUP,
    Kind.HAPPENING: Kind.IDEA,
    Kind.IDEA: Kind.HAPPENING,
}
#: What is measured stands for the test.
_OF_ANY_KIND = frozenset({"test", "laboratory test", "blood test", "substance"})


#: What follows one of these belongs to the word before it: use of heroin.
_BEHIND = re.compile(r" (?:of|to|for|in|with|from|on|by|at|about|under|after) ")


class Kinds:
    """The kinds of words by the first dictionary of a stack. Safe to share between threads."""

    def __init__(self, stack: OntologyStack) -> None:
        self._dictionary = next((one for one in stack if one.is_dictionary and one.find(_UNDER[-1][0])), None)
        self._of = lru_cache(maxsize=1 << 12)(self._kinds)

    def may_be(self, word: str, general: str) -> bool:
        """Whether something of which the general word is true can be called by the word; yes if the dictionary lacks one."""
        own, others = self._of(word), self._of(general)[:1]
        if not own or not others or names.key(general) in _OF_ANY_KIND:
            return True
        return any(others[0] in kind | _ALSO[kind] for kind in own)

    def _kinds(self, words: str) -> tuple[Kind, ...]:
        """All that the head of some words can mean by the dictionary, the likeliest first."""
        *_, last = names.words(_BEHIND.split(words, maxsplit=1)[0]) or [""]
        found = () if self._dictionary is None else self._dictionary.senses(words) or self._dictionary.senses(last)
        # Who or what is called so is another matter: Creon, king of Thebes.
        common = [concept.number for concept, name in found if not name.text[:1].isupper()]
        kinds = (next((kind for ranges, kind in self._ranges if _lies(number, ranges)), None) for number in common)
        return tuple(dict.fromkeys(kind for kind in kinds if kind is not None))

    @cached_property
    def _ranges(self) -> list[tuple[list[tuple[int, int]], Kind]]:
        """Where the concepts of each kind lie."""
        dictionary = self._dictionary
        assert dictionary is not None
        below = dictionary.columns("below")
        largest = ((max(dictionary.find(word), key=lambda one: int(below[one.number])), kind) for word, kind in _UNDER)
        return [(dictionary.ranges(concept.number), kind) for concept, kind in largest]


def _lies(number: int, ranges: list[tuple[int, int]]) -> bool:
    return any(start <= number < stop for start, stop in ranges)
