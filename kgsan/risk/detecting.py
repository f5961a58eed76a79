"""Everything in a text that a policy does not let stay: by name, by kind, by inference, and by groups of terms."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.knowledge.combined import known_part
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import assumed_information, information
from kgsan.ontology import names
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.risk.groups import GroupSearch, KnowledgeJoint, risky_groups
from kgsan.risk.inference import Inference, because
from kgsan.risk.marking import Marker
from kgsan.risk.specificity import Specificity
from kgsan.risk.terms import Term, terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyroaring import BitMap

    from kgsan.knowledge.combined import CombinedKnowledge
    from kgsan.knowledge.knowledge import Knowledge, Topic
    from kgsan.ontology.information import Bits
    from kgsan.policy.policy import Policy
    from kgsan.risk.groups import Group, Joint
    from kgsan.risk.inference import Guarded
    from kgsan.risk.reading import Reading
    from kgsan.text.document import Document, Span


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

    def find(self, document: Document) -> Found:
        """All single reasons; groups are looked for among what these leave."""
        return self.judge(self.marker.read(document))

    def judge(self, reading: Reading) -> Found:
        """The same for a text that was read already."""
        disclosures = self.marker.mark(reading)
        taken = Taken([(one.start, one.end) for one in disclosures])
        every = terms(reading, self.is_counted)
        spoken = [term for term in every if not taken.holds(term.start, term.end) and names.key(term.name) not in self._allowed]
        found = [*disclosures, *self.inference.find(reading, spoken), *self.specificity.find(reading, spoken)]
        return Found(reading, every, spoken, sorted(found, key=lambda one: (one.start, one.end, one.rule, one.entity)))

    def groups(self, found: Found) -> Iterator[Disclosure]:
        """The smallest groups of terms that give an entity away together, among those that are left."""
        if self.search.up_to < 2:
            return
        starts = [term.start for term in found.terms]
        for context in contexts(found.reading.document, self.policy):
            near = found.terms[bisect_left(starts, context.start) : bisect_left(starts, context.end)]
            inside = _distinct([term for term in near if term.end <= context.end])
            for number, guarded in enumerate(self.inference.guarded):
                speaking = [term for term in inside if self.inference.speaking(found.reading, term, number) is not None]
                if len(speaking) > 1:
                    for source in self.knowledge.given:
                        yield from self._groups(speaking, guarded, source)

    def _groups(self, inside: list[Term], guarded: Guarded, source: Knowledge) -> Iterator[Disclosure]:
        joint: Joint
        called = [term.name for term in inside]
        if isinstance(source, CorpusKnowledge):
            joint = _Bitmaps(source, guarded.topic, called)
        else:
            joint = KnowledgeJoint(source, guarded.topic, called)
        for group in risky_groups(joint, len(inside), guarded.limit, self.search, source.name):
            if len(group.members) > 1:
                spans = tuple((inside[i].start, inside[i].end) for i in group.members)
                told = f"{because(group.share, guarded)}, together with {len(spans) - 1} other term{'s' * (len(spans) > 2)}"
                start, end = spans[0][0], max(end for _, end in spans)
                yield Disclosure(start, end, Rule.GROUP, guarded.entity.entity, told, group.share, guarded.limit, members=spans)

    def said(self, name: str) -> Bits:
        """What a name says in the first source; one that was never seen counts as seen once."""
        source = self.knowledge.sources[0]
        return assumed_information(source, known_part(source, name) or name)

    def is_counted(self, name: str) -> bool:
        """Whether any source has counted a name as it stands."""
        return any(source.count(name) for source in self.knowledge.given)


class Taken:
    """Spans of a text, to be asked whether one of them holds another span."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        self._spans = sorted(spans)

    def holds(self, start: int, end: int) -> bool:
        """Whether one span holds all of this one."""
        return any(first <= start and end <= last for first, last in self._near(end))

    def touches(self, start: int, end: int) -> bool:
        """Whether one span has a place in common with this one."""
        return any(first < end and start < last for first, last in self._near(end))

    def _near(self, end: int) -> Iterator[tuple[int, int]]:
        for first, last in self._spans:
            if first >= end:
                return
            yield first, last


class _Bitmaps:
    """Counts of the terms of a context, by the contexts in which each occurs."""

    def __init__(self, source: CorpusKnowledge, topic: Topic, called: Sequence[str]) -> None:
        self._source, self._topic = source, topic
        self.entity_information = information(source, topic)
        pairs = [source.beside(name, topic) for name in called]
        self._all, self._within = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def total(self, group: Group) -> int | None:
        return _together([self._all[member] for member in group])

    def with_entity(self, group: Group) -> int | None:
        return _together([self._within[member] for member in group])


def _together(bitmaps: list[BitMap | None]) -> int | None:
    found = [bitmap for bitmap in bitmaps if bitmap is not None]
    if len(found) < len(bitmaps):
        return None
    *rest, last = sorted(found, key=len, reverse=True)
    for bitmap in rest[1:]:
        last = last & bitmap
    return last.intersection_cardinality(rest[0]) if rest else len(last)


def contexts(document: Document, policy: Policy) -> Sequence[Span]:
    """The parts of a text within which a reader puts words together, as the policy says."""
    if policy.context_words is None:
        return document.contexts(policy.context)
    return document.windows(policy.context_words)


def _distinct(inside: list[Term]) -> list[Term]:
    """Each term once, without those that lie inside another."""
    found: dict[str, Term] = {}
    reached = -1
    for term in inside:
        if term.end > reached:
            found.setdefault(names.key(term.name), term)
            reached = term.end
    return list(found.values())
