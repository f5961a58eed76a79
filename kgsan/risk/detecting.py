"""Everything in a text that a policy does not let stay: by name, by kind, by inference, and by groups of terms."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING

from kgsan.knowledge.combined import known_part
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import assumed_information, information
from kgsan.ontology import names
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.risk.groups import WINDOW, GroupSearch, KnowledgeJoint, risky_groups
from kgsan.risk.inference import Inference, because
from kgsan.risk.marking import Marker
from kgsan.risk.reading import Taken
from kgsan.risk.specificity import Specificity
from kgsan.risk.terms import Term, terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.knowledge.combined import CombinedKnowledge
    from kgsan.knowledge.knowledge import Knowledge, Topic
    from kgsan.ontology.information import Bits
    from kgsan.policy.policy import Policy
    from kgsan.risk.groups import Group, Joint, RiskyGroup
    from kgsan.risk.inference import Guarded
    from kgsan.risk.reading import Reading
    from kgsan.text.document import Document, Span

#: So many answers are kept for names.
_KEPT = 1 << 14


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in one text."""

    reading: Reading
    every_term: list[Term] = field(repr=False)
    terms: list[Term] = field(repr=False)  #: those that are not hidden for another reason, or allowed
    disclosures: list[Disclosure]


class Detector:
    """A policy with its ontologies and knowledge, ready to be applied to texts. Made once; safe to share between threads."""

    def __init__(self, policy: Policy, knowledge: CombinedKnowledge) -> None:
        self.policy = policy
        self.knowledge = knowledge
        self.stack = knowledge.stack
        first = next((source for source in knowledge.given if isinstance(source, CorpusKnowledge)), None)
        self.marker = Marker(policy, self.stack, first)
        self.sensitive = self.marker.sensitive
        self.inference = Inference(self.sensitive, knowledge)
        self.specificity = Specificity(policy, knowledge)
        self.search = GroupSearch(up_to=policy.groups_up_to)
        self._allowed = frozenset(names.key(waiver.term) for waiver in policy.allow)
        self._key = lru_cache(maxsize=_KEPT)(names.key)
        self._supported = lru_cache(maxsize=_KEPT)(self._stands_with)
        self.said = lru_cache(maxsize=_KEPT)(self._said)
        self.is_counted = lru_cache(maxsize=_KEPT)(knowledge.is_counted)

    def find(self, document: Document) -> Found:
        """All single reasons; groups are looked for among what these leave."""
        return self.judge(self.marker.read(document))

    def find_many(self, documents: Sequence[Document]) -> list[Found]:
        """The same for many texts, read in one go."""
        return [self.judge(reading) for reading in self.marker.read_many(documents)]

    def judge(self, reading: Reading) -> Found:
        """The same for a text that was read already."""
        disclosures = self.marker.mark(reading)
        taken = Taken([(one.start, one.end) for one in disclosures])
        every = terms(reading, self.is_counted)
        spoken = [term for term in every if not taken.holds(term.start, term.end)] if disclosures else every
        if self._allowed:
            spoken = [term for term in spoken if self._key(term.name) not in self._allowed]
        found = [*disclosures, *self.inference.find(reading, [*spoken, *self._inside(reading, taken)])]
        found += self.specificity.find(reading, spoken)
        return Found(reading, every, spoken, sorted(found, key=lambda one: (one.start, one.end, one.rule, one.entity)))

    def _inside(self, reading: Reading, taken: Taken) -> Iterator[Term]:
        """Names inside the terms of a text that may give something away where the whole does not."""
        for mention in self.inference.inside(reading):
            name = reading.document.text[mention.start : mention.end]
            if not taken.holds(mention.start, mention.end) and self._key(name) not in self._allowed:
                yield Term(mention.start, mention.end, name, mention)

    def groups(self, found: Found) -> Iterator[Disclosure]:
        """The smallest groups of terms that give an entity away together, among those that are left."""
        if self.search.up_to < 2:
            return
        starts = [term.start for term in found.terms]
        for context in contexts(found.reading.document, self.policy):
            near = found.terms[bisect_left(starts, context.start) : bisect_left(starts, context.end)]
            inside = self._distinct(near, context.end)
            beside = self._beside(inside)
            for number, place in sorted(beside):
                source, guarded, speaking = self.knowledge.given[place], self.inference.guarded[number], inside
                risky = self._groups(inside, beside[number, place], guarded, source)
                # What each term means is asked where it matters: of fewer terms no more groups are made, but for windows.
                if (risky or len(inside) > WINDOW) and not self.inference.all_speak(found.reading, number):
                    speaking = [term for term in inside if self.inference.speaking(found.reading, term, number) is not None]
                    risky = self._groups(speaking, self._beside(speaking).get((number, place), []), guarded, source)
                for group in risky:
                    # Which words are asked about last loses no group: one with a word that says nothing has no say.
                    if all(self.inference.may_speak(found.reading, speaking[i], number) for i in group.members):
                        yield self._disclosed(speaking, group, guarded)

    def _beside(self, inside: list[Term]) -> dict[tuple[int, int], list[int]]:
        """For each entity and source the terms that stand beside it often enough for a group, by their numbers."""
        found: dict[tuple[int, int], list[int]] = {}
        for number, term in enumerate(inside):
            for key in self._supported(term.name):
                found.setdefault(key, []).append(number)
        return found

    def _stands_with(self, name: str) -> frozenset[tuple[int, int]]:
        """The entities beside which a source has counted a name often enough for a group, each with the place of the source.

        Not those that it gives away by itself: no smallest group needs it.
        """
        return frozenset(
            (number, place)
            for place, source in enumerate(self.knowledge.given)
            if not isinstance(source, CorpusKnowledge) or source.count(name)  # it counts together only what it counts alone
            for number, guarded in enumerate(self.inference.guarded)
            if self._is_supported(source, guarded, name)
        )

    def _is_supported(self, source: Knowledge, guarded: Guarded, name: str) -> bool:
        total, support = _counted(source, guarded.topic, name)
        if support is None or not self.search.supports(support):
            return False
        alone = self.search.risky(information(source, guarded.topic), support, total, guarded.limit, source.name)
        return alone is None

    def _groups(self, inside: list[Term], among: list[int], guarded: Guarded, source: Knowledge) -> list[RiskyGroup]:
        """The smallest groups among some of the terms of a context that give an entity away."""
        if len(among) < 2:
            return []
        joint = _joint(source, guarded.topic, [term.name for term in inside], among)
        if isinstance(joint, _Bitmaps) and len(among) <= WINDOW and not (among := joint.meeting(self.search.enough)):
            return []
        return risky_groups(joint, len(inside), guarded.limit, self.search, source.name, among=among, least=2)

    def _disclosed(self, inside: list[Term], group: RiskyGroup, guarded: Guarded) -> Disclosure:
        spans = tuple((inside[i].start, inside[i].end) for i in group.members)
        told = f"{because(group.share, guarded)}, together with {len(spans) - 1} other term{'s' * (len(spans) > 2)}"
        start, end = spans[0][0], max(end for _, end in spans)
        return Disclosure(start, end, Rule.GROUP, guarded.entity.entity, told, group.share, guarded.limit, members=spans)

    def _said(self, name: str) -> Bits:
        """What a name says in the first source; one that was never seen counts as seen once."""
        source = self.knowledge.sources[0]
        return assumed_information(source, known_part(source, name) or name)

    def _distinct(self, near: list[Term], most: int) -> list[Term]:
        """Each term that ends in a context once, without those that lie inside another."""
        found: dict[str, Term] = {}
        reached = -1
        key_of = self._key
        for term in near:
            _, end, name, _, _ = term
            if reached < end <= most:
                found.setdefault(key_of(name), term)
                reached = end
        return list(found.values())


class _Bitmaps:
    """Counts of the terms of a context, by the contexts in which each occurs."""

    def __init__(self, source: CorpusKnowledge, topic: Topic, called: dict[int, str]) -> None:
        self._source, self._topic, self._called = source, topic, called
        self._marks = {member: source.marks(name, topic) for member, name in called.items()}
        self.entity_information = information(source, topic)

    def meeting(self, least: int) -> list[int]:
        """The terms that meet another beside the entity in so many contexts: no group holds any other."""
        pairs = combinations(self._marks.items(), 2)
        return sorted(
            {member for one, other in pairs if (one[1] & other[1]).bit_count() >= least for member in (one[0], other[0])}
        )

    def with_entity(self, group: Group) -> int:
        marks = self._marks
        if len(group) == 2:
            one, other = group
            return (marks[one] & marks[other]).bit_count()
        return reduce(and_, map(marks.__getitem__, group)).bit_count()

    def total(self, group: Group) -> int | None:
        return self._source.together_beside(tuple(self._called[member] for member in group), self._topic)


def _joint(source: Knowledge, topic: Topic, called: list[str], among: list[int]) -> Joint:
    """The counts of some of the terms of a context beside an entity."""
    if isinstance(source, CorpusKnowledge):
        return _Bitmaps(source, topic, {i: called[i] for i in among})
    return KnowledgeJoint(source, topic, called)


def _counted(source: Knowledge, topic: Topic, name: str) -> tuple[int | None, int | None]:
    """How many contexts of a source hold a name by itself, and how many of these an entity."""
    if not isinstance(source, CorpusKnowledge):
        return source.count(name), source.count(topic, name)
    alone, both = source.beside(name, topic)
    return None if alone is None else len(alone), None if both is None else len(both)


def contexts(document: Document, policy: Policy) -> Sequence[Span]:
    """The parts of a text within which a reader puts words together, as the policy says."""
    if policy.context_words is None:
        return document.contexts(policy.context)
    return document.windows(policy.context_words)
