"""What gives a protected entity away without naming it: terms that reveal too large a share of what the entity says."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.combined import WELL_KNOWN, concept_share
from kgsan.knowledge.information import reaches
from kgsan.knowledge.relations import related_to, stated_disclosure
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.risk.naming import around, shields
from kgsan.risk.reading import BySenses
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.knowledge.combined import CombinedKnowledge
    from kgsan.knowledge.information import Share
    from kgsan.knowledge.knowledge import Topic
    from kgsan.ontology.information import Bits
    from kgsan.ontology.ontology import Concept
    from kgsan.policy.policy import ProtectedEntity
    from kgsan.policy.sensitive import SensitiveTerms
    from kgsan.risk.reading import Reading
    from kgsan.risk.terms import Term
    from kgsan.text.mentions import Mention, Sense

#: Ends the name of a source for what is told by being more general than the entity.
MORE_GENERAL = ": more general"
#: So many answers are kept.
_KEPT = 1 << 15
#: An entity whose limit is below this says so little that everything would reveal it.
_LEAST_LIMIT = 1.0
_START = attrgetter("start")
#: So many longer names that begin before a term are looked at.
_NESTED = 8


@dataclass(frozen=True, slots=True, eq=False)
class Guarded:
    """A protected entity, ready to be asked about."""

    entity: ProtectedEntity
    topic: Topic
    meant: tuple[int, Concept] | None  #: what it is in the first ontology that knows it, and that ontology's place
    information: Bits
    limit: float  #: the share of it that may not be reached


class Inference:
    """The entities of a policy that must not show, and what gives them away. Safe to share between threads."""

    def __init__(self, sensitive: SensitiveTerms, knowledge: CombinedKnowledge) -> None:
        self.knowledge = knowledge
        self.guarded = tuple(_guarded(sensitive, knowledge, "that"))
        self._above = tuple(dict(self._generalizations(sensitive, one)) for one in self.guarded)
        self._excepted = tuple(sensitive.excepted(one.entity) for one in self.guarded)
        self._may_concern = tuple(self._nearby(place) for place in range(len(knowledge.stack)))
        self._concerned = BySenses(self._concern)
        self._shares = lru_cache(maxsize=_KEPT)(self._ask)
        self._telling = lru_cache(maxsize=_KEPT // 2)(self._tell)
        self.stated = lru_cache(maxsize=_KEPT)(self._stated)

    def find(self, reading: Reading, found: list[Term]) -> Iterator[Disclosure]:
        """The terms that give an entity away, each entity by itself."""
        concerning, telling_of = self._concerning(reading), self._telling
        for term in found:
            _, _, name, mention, _ = term
            telling = telling_of(name, mention is not None)
            concerned = self._concerned(mention.senses) if concerning and mention is not None else {}
            if not telling and not concerned:
                continue
            for number in sorted({*telling, *concerned}):
                guarded = self.guarded[number]
                may_be = self._most(term, number, concerned.get(number, ()), True)
                if may_be is None or not reaches(may_be.low, guarded.limit):
                    continue  # whatever is meant: its senses need not be judged
                share = self.share(reading, term, number)
                if share is not None and reaches(share.low, guarded.limit):
                    meant = self.speaking(reading, term, number)
                    yield Disclosure(
                        term.start,
                        term.end,
                        Rule.INFERENCE,
                        guarded.entity.entity,
                        because(share, guarded),
                        share,
                        guarded.limit,
                        sense=meant[0] if meant else None,
                    )

    def share(self, reading: Reading, term: Term, number: int) -> Share | None:
        """What a term says about an entity where it stands.

        A name that may mean the entity, or a thing related to it, and does not mean that here says nothing about it:
        what was counted under the name was counted for its other meaning as well. Nor does a name with such a name
        inside ("ST depression"), or one that the policy excepts.
        """
        concerned = self.speaking(reading, term, number)
        if concerned is None:
            return None
        most = self._most(term, number, concerned, any(sense.name.scope > Scope.EXACT for sense in concerned))
        if most is not None and reaches(most.low, self.guarded[number].limit) and not self.may_speak(reading, term, number):
            return None
        return most

    def _most(self, term: Term, number: int, concerned: Sequence[Sense], doubtful: bool) -> Share | None:
        """The most that a term says about an entity in some senses; with more senses, or in doubt, it says no less."""
        senses = tuple((sense.ontology, sense.concept.number) for sense in concerned)
        found = self._shares(term.name, senses, number, term.mention is not None, doubtful)
        above = [self._above[number][sense] for sense in senses if sense in self._above[number] and not self._is_plain(term)]
        return max([*above, *([] if found is None else [found])], key=lambda share: share.low, default=None)

    def _is_plain(self, term: Term) -> bool:
        """Whether a term is a common word of several meanings ("use"): what was counted for it says more than one of them."""
        stack, senses = self.knowledge.stack, () if term.mention is None else term.mention.senses
        several = sum(stack[sense.ontology].is_dictionary for sense in senses) > 1
        return several and self.knowledge.is_counted(term.name, WELL_KNOWN)

    def speaking(self, reading: Reading, term: Term, number: int) -> tuple[Sense, ...] | None:
        """The senses of a term that concern an entity and are meant here; None when what was counted for it says nothing."""
        mention = term.mention
        concerned = self._concerned(mention.senses).get(number) if mention is not None else None
        if self._is_excepted(mention, number):
            return None
        if mention is None or not concerned:
            return None if self._is_clouded(reading, term, number) or self._is_in_another(reading, term, number) else ()
        return tuple(sense for sense in concerned if self._is_meant(reading, mention, sense, number)) or None

    def all_speak(self, reading: Reading, number: int) -> bool:
        """Whether every term of a text says something about an entity: nothing is there that keeps one from it."""
        return not (reading.protected or self._excepted[number] or self._concerning(reading))

    def _concerning(self, reading: Reading) -> list[Mention]:
        """The names in a text that may mean an entity or what is related to one."""
        if reading.concerning is None:
            reading.concerning = reading.every.meaning(self._concerned)
        return reading.concerning

    def _is_meant(self, reading: Reading, mention: Mention, sense: Sense, number: int) -> bool:
        """Whether a sense is meant; an ambiguous name of what only goes with an entity has no benefit of the doubt."""
        verdict = reading.verdict(mention, sense)
        trusted = sense.name.scope <= Scope.EXACT or self.is_member(number, sense.ontology, sense.concept.number)
        return verdict.counts and (trusted or not verdict.signs or verdict.leans_to_it)

    def inside(self, reading: Reading) -> Iterator[Mention]:
        """The names inside longer ones that an ontology relates to an entity: a drug in the name of a combination of drugs.

        Not ambiguous names, nor those whose meaning the longer name takes away.
        """
        concerning = self._concerning(reading)
        if not concerning:
            return
        longest = reading.longest
        starts, spans = [one.start for one in longest], {(one.start, one.end) for one in longest}
        for mention in concerning:
            if (mention.start, mention.end) not in spans:
                concerned = self._concerned(mention.senses)
                longer = around(mention, longest, starts)
                senses = (
                    sense
                    for number, told in concerned.items()
                    for sense in told
                    if sense.name.scope <= Scope.EXACT and self.stated(number, sense.ontology, sense.concept.number) is not None
                )
                if any(not any(shields(one, mention, sense, reading.guard) for one in longer) for sense in senses):
                    yield mention

    def may_speak(self, reading: Reading, term: Term, number: int) -> bool:
        """Whether a term is used here as it was counted with an entity, and not in another meaning that a dictionary has.

        What an ontology says of the term is not asked again: its senses were judged already.
        """
        mention, meant = term.mention, self.guarded[number].meant
        if mention is None or meant is None or self._concerned(mention.senses).get(number):
            return True
        return reading.speaks_of(mention, *meant)

    def _concern(self, senses: tuple[Sense, ...]) -> dict[int, tuple[Sense, ...]]:
        """For each entity that they concern those of some senses that belong to it or are related to it."""
        near = [sense for sense in senses if self._may_concern[sense.ontology][sense.concept.number]]
        numbers = range(len(self.guarded)) if near else ()
        told = ((number, tuple(sense for sense in near if self._concerns(number, sense))) for number in numbers)
        return {number: concerned for number, concerned in told if concerned}

    def _tell(self, name: str, whole: bool) -> tuple[int, ...]:
        """The entities that a name gives away by what was counted for it."""
        if whole and not self.knowledge.is_counted(name):
            return ()
        told = ((number, self._shares(name, (), number, whole, False)) for number in range(len(self.guarded)))
        return tuple(number for number, share in told if share is not None and reaches(share.low, self.guarded[number].limit))

    def of_name(self, name: str, number: int) -> Share | None:
        """What a name says about an entity, whatever it means."""
        return self._shares(name, (), number, False, False)

    def _is_excepted(self, mention: Mention | None, number: int) -> bool:
        """Whether a name means what the policy excepts from an entity."""
        excepted = self._excepted[number]
        senses = mention.senses if excepted and mention is not None else ()
        return any((sense.ontology, sense.concept.number) in excepted for sense in senses)

    def _is_clouded(self, reading: Reading, term: Term, number: int) -> bool:
        """Whether what was counted for a term was counted for a protected name inside it, which does not mean that here."""
        at = bisect_left(reading.protected, term.start, key=_START) if reading.protected else 0
        while at < len(reading.protected) and (inner := reading.protected[at]).start < term.end:
            span = (inner.start, inner.end)
            inside = inner.end <= term.end and span != (term.start, term.end) and span not in reading.named
            if inside and any(self.is_member(number, sense.ontology, sense.concept.number) for sense in inner.senses):
                return True
            at += 1
        return False

    def _is_in_another(self, reading: Reading, term: Term, number: int) -> bool:
        """Whether a longer name holds a term, may mean the entity or what is related to it, and does not here: "the closet"."""
        concerning = self._concerning(reading)
        at = bisect_right(concerning, term.start, key=_START) - 1
        for longer in concerning[max(0, at - _NESTED) : at + 1]:
            if longer.end >= term.end and (longer.start, longer.end) != (term.start, term.end):
                concerned = self._concerned(longer.senses).get(number)
                if concerned and not any(self._is_meant(reading, longer, sense, number) for sense in concerned):
                    return True
        return False

    def _nearby(self, place: int) -> memoryview:
        """For each concept of an ontology whether it may concern an entity; most do not, and are not asked about one by one."""
        ontology = self.knowledge.stack[place]
        found = np.zeros(len(ontology), dtype=bool)
        for guarded, above in zip(self.guarded, self._above, strict=True):
            members = guarded.topic.members[place]
            found[members] = True
            found[[number for other, number in above if other == place]] = True
            for number in related_to(ontology, members):
                for start, stop in ontology.ranges(number):
                    found[start:stop] = True
        return found.data

    def _generalizations(self, sensitive: SensitiveTerms, guarded: Guarded) -> Iterator[tuple[tuple[int, int], Share]]:
        """What generalizes an entity and still says too much of it: all that it says itself (C-sanitized, section 3)."""
        resolution = next(one for one in sensitive.resolutions if one.entity == guarded.entity)
        waiting = [(meaning.ontology, meaning.concept.number) for meaning in resolution.meanings]
        seen = set(waiting)
        while waiting:
            place, number = waiting.pop()
            ontology = self.knowledge.stack[place]
            for parent in ontology.parent_numbers(number):
                if (place, parent) in seen:
                    continue
                seen.add((place, parent))
                concept = ontology.concept(parent)
                told = [concept_share(source, guarded.topic, concept, guarded.limit) for source in self.knowledge.given]
                reaching = [share for share in told if share is not None and reaches(share.revealed, guarded.limit)]
                if reaching:  # what is above says less still
                    share = max(reaching, key=lambda one: one.revealed)
                    yield (place, parent), replace(share, low=share.revealed, stated=True, source=f"{share.source}{MORE_GENERAL}")
                    waiting.append((place, parent))

    def _ask(self, name: str, senses: tuple[tuple[int, int], ...], number: int, whole: bool, doubtful: bool) -> Share | None:
        stack = self.knowledge.stack
        concepts = [stack[place].concept(concept) for place, concept in senses]
        return self.knowledge.disclosure(self.guarded[number].topic, name, concepts, whole=whole, doubtful=doubtful)

    def _concerns(self, number: int, sense: Sense) -> bool:
        place, concept = sense.ontology, sense.concept.number
        return (
            (place, concept) in self._above[number]
            or self.is_member(number, place, concept)
            or self.stated(number, place, concept) is not None
        )

    def is_member(self, number: int, place: int, concept: int) -> bool:
        """Whether a concept belongs to an entity."""
        members = self.guarded[number].topic.members[place]
        at = int(members.searchsorted(concept))
        return at < len(members) and int(members[at]) == concept

    def _stated(self, number: int, place: int, concept: int) -> Share | None:
        guarded = self.guarded[number]
        ontology = self.knowledge.stack[place]
        if not self._may_concern[place][concept]:
            return None  # as most are, without asking for each of its relations
        return stated_disclosure(ontology, guarded.topic.members[place], concept, guarded.information)


def _guarded(sensitive: SensitiveTerms, knowledge: CombinedKnowledge, kind: str) -> Iterator[Guarded]:
    policy = sensitive.policy
    for index, entity in enumerate(policy.protect):
        if entity.hide != kind:
            continue
        topic = sensitive.topic(index)
        known = knowledge.information(topic)
        limit = 1 / float(entity.strictness or policy.strictness)
        if known is not None and known[0] * limit >= _LEAST_LIMIT:
            meanings = sensitive.resolutions[index].meanings
            meant = (meanings[0].ontology, meanings[0].concept) if meanings else None
            yield Guarded(entity, topic, meant, known[0], limit)


def because(share: Share, guarded: Guarded) -> str:
    """The reason in words."""
    told = f"reveals {100 * share.revealed:.0f} % of what '{guarded.entity.entity}' says"
    if share.stated:
        return f"{told} ({share.support} of {share.contexts_of_terms} stated by {share.source})"
    part = "" if share.counted_as is None else ", counted by its last words"
    return f"{told} ({share.support:,} of its {share.contexts_of_terms:,} contexts in {share.source}{part})"
