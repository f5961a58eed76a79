"""Which concepts and words speak for a concept, or against it, when they stand near its name.

What specializes or generalizes it, what is of the same kind, what the ontology relates to it, the words of `cues.txt`, and,
where knowledge is loaded, every word by the company it keeps.
"""

from __future__ import annotations

import math
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import numpy as np

from kgsan.knowledge.kept import Kept
from kgsan.knowledge.knowledge import Topic
from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.risk.reading import BySenses
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.knowledge.knowledge import Term
    from kgsan.ontology.ontology import Ontology
    from kgsan.ontology.stack import OntologyStack
    from kgsan.text.mentions import Mention, Sense

#: A generalization says what something is about only below the top levels, and when it is not a whole field of its own.
_TOP = 3
_MOST_KIN, _MOST_BESIDE = 400, 2000
_MOST_SPECIAL = 3000
#: What a cue counts, and a weak one.
CUE, _WEAK_CUE = 0.6, 0.3
#: Stands in `cues.txt` for any word for a person.
A_PERSON = "@person"
#: How many contexts an expectation is worth where little was counted: of a word alone, and of a word beside the name.
_FEW, _FEW_BESIDE = 0.5, 8.0
#: A word in more than this share of all contexts says nothing.
_COMMON = 0.03
#: From this share of its contexts on, a name means its concept wherever it stands.
_SURELY = 0.9
#: No word says more than this, for or against; and what says less than the last says nothing.
_MOST_FOR, _MOST_AGAINST, _LEAST = 4.0, -2.0, 0.3
#: So many answers about concepts are kept; of fields, whose contexts are kept with them, and of single words.
_KEPT, _KEPT_FIELDS, _KEPT_LEANINGS = 1 << 13, 1 << 8, 1 << 14
#: So many concepts of all families are kept, of some hundred bytes each.
_KEPT_FAMILIES = 1 << 20


class Speaks(StrEnum):
    """How a word speaks for a sense."""

    KIND = "is a kind of it"
    ABOVE = "is more general than it"
    KIN = "is of the same kind"
    RELATED = "is related to it"
    BESIDE = "is related to the same thing"
    CUE = "is often said of it"
    LABEL = "announces it"
    PERSON = "is a person so described"
    KNOWLEDGE = "occurs with it"
    STRANGE = "seldom occurs with it"
    READ = "is read so"
    READ_OTHERWISE = "is read otherwise"
    OF_ANOTHER = "says of what it is"
    GRAMMAR = "is not used as a noun"
    CAPITAL = "is not written so"


#: Concepts that speak for one, by number.
Family = dict[int, tuple[float, Speaks, str]]
#: The concept of all expressions in which a word of a topic does not speak of it.
EXPRESSION = "protected:innocent-expression"


class Counts(Protocol):
    """What the guard asks of knowledge: in how many contexts all of these terms occur; None when it cannot say."""

    @property
    def contexts(self) -> int: ...

    def count(self, *terms: Term) -> int | None: ...


class Kinship:
    """Who speaks for which concept of a stack. Worked out when first asked; safe to share between threads."""

    def __init__(self, stack: OntologyStack, knowledge: Counts | None = None) -> None:
        self.stack = stack
        self.knowledge = knowledge
        self._families: Kept[tuple[int, int], Family] = Kept(_KEPT_FAMILIES, len)
        self.cues = lru_cache(maxsize=_KEPT)(self._cues)
        self.counterparts = lru_cache(maxsize=_KEPT)(self._counterparts)
        self.called = lru_cache(maxsize=_KEPT)(self._called)
        self.field = lru_cache(maxsize=_KEPT_FIELDS)(self._field)
        self.chance = lru_cache(maxsize=_KEPT)(self._chance)
        self.prior = lru_cache(maxsize=_KEPT)(self._prior)
        self.leaning = lru_cache(maxsize=_KEPT_LEANINGS)(self._leaning)

    def is_dictionary(self, place: int) -> bool:
        """Whether an ontology of the stack tells the senses of its words apart, as dictionaries do."""
        return self.stack[place].is_dictionary

    def is_expression(self, place: int, number: int) -> bool:
        """Whether a concept stands for expressions that mean nothing of what their words mean: pregnant pause."""
        return any(start <= number < stop for start, stop in self._expressions[place])

    @cached_property
    def are_expression(self) -> BySenses[bool]:
        """Whether one of the senses of a name is an expression."""
        return BySenses(lambda senses: any(self.is_expression(one.ontology, one.concept.number) for one in senses))

    @cached_property
    def special(self) -> BySenses[tuple[Sense, ...]]:
        """Those senses of a name that are of a special vocabulary, not of a dictionary."""
        return BySenses(lambda senses: tuple(one for one in senses if not self.is_dictionary(one.ontology)))

    @cached_property
    def _expressions(self) -> list[list[tuple[int, int]]]:
        return [ontology.ranges(ontology.number(EXPRESSION)) if EXPRESSION in ontology else [] for ontology in self.stack]

    def family(self, place: int, number: int) -> Family:
        """The concepts that speak for one: what they count, how they speak, and through what."""
        found = self._families.get((place, number))
        return self._families.put((place, number), self._family(place, number)) if found is None else found

    def _family(self, place: int, number: int) -> Family:
        ontology = self.stack[place]
        found: Family = {}
        for general in ontology.generalization_numbers(number):
            below = int(ontology.columns("below")[general])
            if int(ontology.columns("depth")[general]) > _TOP and below <= _MOST_SPECIAL:
                found.setdefault(general, (0.6, Speaks.ABOVE, ""))
                if below <= _MOST_KIN:
                    told = (0.5, Speaks.KIN, ontology.concept(general).id)
                    for kin in ontology.specialization_numbers(general):
                        found.setdefault(kin, told)
                    found.update(_related(ontology, general, 0.6, found))
        for name, other in ontology.related_numbers(number):
            told = (0.5, Speaks.BESIDE, ontology.concept(other).id)
            for _, beside in islice(ontology.related_numbers(other), _MOST_BESIDE):
                found.setdefault(beside, told)
            if found.get(other, (0.0,))[0] < 1.0:
                found[other] = (1.0, Speaks.RELATED, name)
        if int(ontology.columns("below")[number]) <= _MOST_SPECIAL:
            found.update(dict.fromkeys(ontology.specialization_numbers(number), (1.0, Speaks.KIND, "")))
        found.pop(number, None)
        found[number] = (1.0, Speaks.KIND, "")
        return found

    def _cues(self, place: int, number: int) -> dict[str, float]:
        """The words that are often said of a concept or of what generalizes it, and what each counts."""
        ontology = self.stack[place]
        words: dict[str, float] = {}
        for identifier, listed in _cue_table():
            if identifier in ontology:
                above = ontology.number(identifier)
                if any(start <= number < stop for start, stop in ontology.ranges(above)):
                    words.update((word, max(weight, words.get(word, 0.0))) for word, weight in listed.items())
        return words

    def _counterparts(self, place: int, number: int) -> tuple[tuple[int, int], ...]:
        """The same concept in the ontologies of the stack, as far as its preferred name tells; itself first."""
        concept = self.stack[place].concept(number)
        found = [(place, number)]
        for other, ontology in enumerate(self.stack):
            if other != place:
                named = [c for c, name in ontology.senses(concept.name) if name.scope <= Scope.EXACT and name.rank == 0]
                found += [(other, c.number) for c in named[:1]]
        return tuple(found)

    def _called(self, place: int, number: int) -> frozenset[str]:
        """The names of a concept, as they are compared."""
        ontology = self.stack[place]
        return frozenset(names.key(name.text) for name in ontology.names(ontology.concept(number)))

    def _field(self, place: int, number: int) -> Topic | None:
        """A concept with everything that speaks for it, as knowledge counts it; of what nobody wrote about, a parent's.

        None when knowledge never saw any of it.
        """
        around = (number, *self.stack[place].parent_numbers(number))
        return next((found for one in around if (found := self._counted_field(place, one)) is not None), None)

    def _counted_field(self, place: int, number: int) -> Topic | None:
        members: list[set[int]] = [set() for _ in self.stack]
        for other, counterpart in self.counterparts(place, number):
            members[other].update(self.family(other, counterpart))
        numbers = tuple(np.array(sorted(found), dtype=np.int64) for found in members)
        field = Topic(self.stack[place].concept(number).name, self.stack, numbers)
        return field if self.knowledge is not None and self.knowledge.count(field) else None

    def _leaning(self, place: int, number: int, name: str, word: str) -> float | None:
        """How much likelier a word near a name makes it that the name means the concept: log-odds, below 0 for less likely.

        Counted are the contexts of the concept's field and, as far as they are many, those of the name itself: what the
        word tells where the name stands counts for more than what it tells elsewhere. None when nothing is known.
        """
        field, knowledge = self.field(place, number), self.knowledge
        if field is None or knowledge is None or not (alone := knowledge.count(word)):
            return None
        if alone > _COMMON * knowledge.contexts:
            return 0.0
        expected = alone * self.chance(place, number)
        told = math.log(((knowledge.count(word, field) or 0) + _FEW) / (expected + _FEW))
        prior = self.prior(place, number, name)
        if prior is not None:
            beside = knowledge.count(name, word) or 0
            meant = (knowledge.count(name, word, field) or 0) if beside else 0
            told = _log_odds((meant + _FEW_BESIDE / (1 + math.exp(-prior - told))) / (beside + _FEW_BESIDE)) - prior
        return 0.0 if abs(told) < _LEAST else max(_MOST_AGAINST, min(_MOST_FOR, told))

    def _chance(self, place: int, number: int) -> float:
        """The share of all contexts that a concept's field has."""
        field, knowledge = self.field(place, number), self.knowledge
        return 0.0 if field is None or knowledge is None else (knowledge.count(field) or 0) / knowledge.contexts

    def _prior(self, place: int, number: int, name: str) -> float | None:
        """The log-odds that a name means the concept, whatever stands near it; None when it always does or was never seen."""
        field, knowledge = self.field(place, number), self.knowledge
        if field is None or knowledge is None or not (alone := knowledge.count(name)):
            return None
        share = ((knowledge.count(name, field) or 0) + 0.5) / (alone + 1)
        return _log_odds(share) if share < _SURELY else None

    def is_person(self, mention: Mention) -> bool:
        """Whether the first meaning of a name in a dictionary is a kind of person."""
        for sense in mention.senses:
            if self.is_dictionary(sense.ontology) and sense.name.rank == 0:
                return self.means_person(sense)
        return False

    def means_person(self, sense: Sense) -> bool:
        """Whether a concept is a kind of person."""
        return any(start <= sense.concept.number < stop for start, stop in self._people[sense.ontology])

    @cached_property
    def _people(self) -> list[list[tuple[int, int]]]:
        """For each ontology the numbers of all kinds of person."""
        return [[span for person in o.find("person")[:1] for span in o.ranges(person.number)] for o in self.stack]


def _log_odds(share: float) -> float:
    share = min(max(share, 0.0005), 0.9995)
    return math.log(share / (1 - share))


def _related(ontology: Ontology, number: int, weight: float, known: Family) -> Iterator[tuple[int, tuple[float, Speaks, str]]]:
    for name, other in ontology.related_numbers(number):
        if known.get(other, (0.0,))[0] < weight:
            yield other, (weight, Speaks.RELATED, name)


@lru_cache(maxsize=1)
def _cue_table() -> tuple[tuple[str, dict[str, float]], ...]:
    rows = []
    for line in (files("kgsan.risk") / "cues.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            concepts, _, words = line.partition(": ")
            listed = {}
            for word in words.split():
                weight = _WEAK_CUE if word.startswith("~") else CUE
                listed[word if word == A_PERSON else names.key(word)] = weight
            rows += [(concept, listed) for concept in concepts.split()]
    return tuple(rows)
