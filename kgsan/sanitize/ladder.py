"""What may stand in place of a term: its generalizations, the most specific first, and why some of them may not.

A rung is refused when it is protected itself, when its words name or give away what is protected, when nothing is known of it,
or when no reader would understand it. The chain of the first ontology that knows the term comes first; that of the next follows
only when nothing in it will do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from kgsan.knowledge.combined import concept_share, known_part, name_share
from kgsan.knowledge.information import reaches
from kgsan.ontology import names
from kgsan.sanitize.kinds import Kinds
from kgsan.sources.records import Scope
from kgsan.text.everyday import everyday_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.knowledge.information import Share
    from kgsan.ontology.ontology import Concept, Ontology
    from kgsan.risk.detecting import Detector
    from kgsan.text.mentions import Sense

#: Names that are headings of a classification rather than words of a sentence.
_HEADING = re.compile(
    r"[,;:/()\[\]]|\d|\b(?:other|unspecified|nos|nec|certain|encounter|diseases and|conditions|factors influencing|and|or|"
    r"elsewhere|not otherwise|phenomena|chapter|category|concept|thing|entity|miscellaneous|specified|classified)\b",
    re.IGNORECASE,
)
_LONGEST = 5
#: Words at the top of taxonomies that tell a reader nothing, or nothing that he would say of what is below them.
_EMPTY = frozenset(
    """ability accomplishment activity amerind amerindian ancestor appearance arrangement attempt attitude bad-person body
    boundary capitalist carbohydrate center change change-of-integrity change-of-location change-of-magnitude
    change-of-state chemical class collection communicator compound consumer control covering creation creator cut
    danger defender definite-quantity display disposition diversion evidence expressive-style extremity failure fare
    female fiduciary figure fundamental-quantity good group-action happening idea indication information
    inorganic-chemical insertion intellectual jewess line liquid-body-substance magnitude mechanism movement
    natural-process nature negotiator ordering organic-chemical organic-compound organic-process person-of-color
    pharmacologic-actions physical-property piece plan point position possession preserver principal progenitor property
    quality representation restraint section series shape show signal solid status support system termination
    therapeutic-uses trait transferred-property transgression unfortunate unperson unpleasant-person unwelcome-person
    user visual-property way work
    abstraction act action agent attribute causal-agent concept entity event feature finding group instance matter
    measure object part phenomenon physical-entity physical-object process psychological-feature relation state thing
    topic unit whole whole-unit living-thing organism being content cognition communication grouping social-group
    instrumentality artifact body-part natural-object physical-condition pathologic-process disease-attribute""".split()
)
#: How common words must be to be written where others stood: by their rank among everyday words, or by the contexts that use
#: them as they stand.
_COMMON = 20_000
_USED = 20


@dataclass(frozen=True, slots=True)
class Rung:
    """Something that may stand in place of a term: words, and the concept they name unless they are a part of the term."""

    name: str = field(repr=False)
    concept: Concept | None = field(default=None, repr=False)
    place: int = -1  #: of the ontology in the stack
    stays: bool = False  #: whether the words were not hidden themselves, only others before them

    @property
    def is_named(self) -> bool:
        """Whether the words are a proper name: Murphy, but not Medical Center."""
        if self.concept is None:
            last = self.name.rpartition(" ")[2]
            return last.istitle() and last.lower() not in everyday_words()
        return self.name[:1].isupper() and self.concept.id.startswith(("places:", "wn:"))


@dataclass(frozen=True, slots=True)
class Refused:
    """A rung that was not taken, and why."""

    rung: Rung
    because: str = field(repr=False)
    share: Share | None = field(default=None, repr=False)


class Ladders:
    """The rungs of all terms under one policy. Made once; safe to share between threads."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._stack = detector.stack
        self.refusal = lru_cache(maxsize=1 << 12)(self._refusal)
        self._persons = lru_cache(maxsize=16)(self._people)
        self._kinds = Kinds(detector.stack)

    def above(self, senses: Iterable[tuple[int, int]]) -> Iterator[Rung]:
        """The concepts that generalize every sense given of an ontology, ontology by ontology."""
        given: dict[int, list[int]] = {}
        for place, number in senses:
            given.setdefault(place, []).append(number)
        for place, (first, *others) in given.items():
            ontology = self._stack[place]
            shared = [set(ontology.generalization_numbers(number)) for number in others]
            for general in ontology.generalization_numbers(first):
                if all(general in above for above in shared):
                    concept = ontology.concept(general)
                    yield Rung(_usual_name(ontology, concept) if ontology.is_dictionary else concept.name, concept, place)

    def is_true(self, rung: Rung, words: str) -> bool:
        """Whether what a special vocabulary says more generally can be said of what the words mean at all."""
        return self._stack[rung.place].is_dictionary or self._kinds.may_be(words, rung.name)

    def is_of_a_dictionary(self, sense: Sense) -> bool:
        """Whether a sense comes from a dictionary of words."""
        return self._stack[sense.ontology].is_dictionary

    def is_dictionary(self, sense: Sense) -> bool:
        """Whether a sense comes from a dictionary of words, in which it is the first of its word."""
        return self.is_of_a_dictionary(sense) and sense.name.rank == 0 and sense.name.scope <= Scope.EXACT

    def is_person(self, sense: Sense) -> bool:
        """Whether a word means first of all a kind of person."""
        if not self.is_dictionary(sense):
            return False
        return self.means_person(sense)

    def means_person(self, sense: Sense) -> bool:
        """Whether a concept of a dictionary is a kind of person."""
        persons = self._persons(sense.ontology)
        return persons is not None and any(start <= sense.concept.number < stop for start, stop in persons)

    def is_institution(self, sense: Sense) -> bool:
        """Whether a special vocabulary has a name for an organization or a place."""
        ontology = self._stack[sense.ontology]
        if ontology.is_dictionary or sense.name.scope > Scope.EXACT:
            return False
        above = ontology.generalization_numbers(sense.concept.number)
        return any(ontology.concept(number).name in ("organization", "place") for number in above)

    def person(self) -> Iterator[Rung]:
        """What any word for a person may become."""
        for place, ontology in enumerate(self._stack):
            if ontology.is_dictionary and (found := ontology.find("person")):
                yield Rung(found[0].name, found[0], place)
                return

    def _people(self, place: int) -> list[tuple[int, int]] | None:
        ontology = self._stack[place]
        found = ontology.find("person")
        return ontology.ranges(found[0].number) if found else None

    def _refusal(self, rung: Rung) -> Refused | None:
        """Why a rung may not be taken; None when it may."""
        detector = self._detector
        if rung.concept is not None:
            if owners := detector.sensitive.entities_of(rung.place, rung.concept.number):
                return Refused(rung, f"is protected itself as {owners[0].entity}")
            if _HEADING.search(rung.name) or len(names.words(rung.name)) > _LONGEST:
                return Refused(rung, "is a heading, not a word")
            if names.key(rung.name).replace(" ", "-") in _EMPTY:
                return Refused(rung, "says nothing")
        elif not any(map(str.isalpha, rung.name)):
            return Refused(rung, "says nothing")  # Local 431
        for mention in detector.marker.finder.find(rung.name, nested=True):
            for sense in mention.senses:
                if sense.name.scope <= Scope.EXACT and sense.name.rank == 0 and detector.sensitive.is_protected(sense):
                    return Refused(rung, "names what is protected")
        if not detector.specificity.allows(rung.name):
            return Refused(rung, "says too much")
        if rung.concept is not None and not self._is_common(rung):
            return self._disclosing(rung) or Refused(rung, "is a word that few know")
        return self._disclosing(rung)

    def _is_common(self, rung: Rung) -> bool:
        """Whether readers know a name: its words are everyday words, or texts use it."""
        if rung.is_named or any((source.count(rung.name) or 0) >= _USED for source in self._detector.knowledge.given):
            return True
        known = everyday_words()
        return all(known.get(word.lower(), _COMMON) < _COMMON for word in names.words(rung.name))

    def _disclosing(self, rung: Rung) -> Refused | None:
        """Whether the words of a rung, or its concept, give an entity away, by the plain estimate."""
        detector = self._detector
        known = False
        for source in detector.knowledge.sources:
            part = known_part(source, rung.name)
            known = known or part is not None or (rung.concept is not None and bool(source.count(rung.concept)))
            for guarded in detector.inference.guarded:
                shares = [] if part is None else [name_share(source, guarded.topic, part)]
                shares += [] if rung.concept is None else [concept_share(source, guarded.topic, rung.concept, guarded.limit)]
                for share in shares:
                    if share is not None and reaches(share.revealed, guarded.limit):
                        return Refused(rung, f"reveals too much of {guarded.entity.entity}", share)
        if rung.concept is not None:
            for number, guarded in enumerate(detector.inference.guarded):
                stated = detector.inference.stated(number, rung.place, rung.concept.number)
                if stated is not None and reaches(stated.low, guarded.limit):
                    return Refused(rung, f"reveals too much of {guarded.entity.entity}", stated)
        return None if known or rung.stays else Refused(rung, "is a word of which nothing is known")


def _usual_name(ontology: Ontology, concept: Concept) -> str:
    """The name of a concept that people use, if they do not use the one that a dictionary puts first: no "topographic point"."""
    known = everyday_words()
    if concept.name in known or concept.name[:1].isupper():
        return concept.name
    others = (name.text for name in ontology.names(concept) if name.rank == 0 and known.get(name.text, _COMMON) < _COMMON)
    return min(others, key=lambda name: known[name], default=concept.name)
