"""C-sanitized: no term, and no group of terms, says more about a protected entity than its limit allows.

D. Sánchez and M. Batet, "C-sanitized: a privacy model for document redaction and sanitization", Journal of the Association
for Information Science and Technology 67 (2016). Groups are defined there; how they are searched for is ours.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kgsan.knowledge.information import assumed_information, information, reaches, shared_information
from kgsan.risk.groups import Concession, GroupSearch, KnowledgeJoint, gives_way, loss, risky_groups, risky_groups_with
from kgsan.sanitize.published import Refused, Replacement, combined, first_safe, never_shorter, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits
    from kgsan.risk.groups import RiskyGroup
    from kgsan.sanitize.published import Chain, Shorter

#: Groups as published: by the plain estimate. One context that holds them with the entity is enough.
PUBLISHED = GroupSearch(least_support=1, by_bound=False)


def limits(knowledge: Knowledge, entities: Iterable[Term], strictness: float) -> dict[Term, Bits]:
    """The limit of each entity, IC(c)/α (definitions 5 and 6).

    An entity that was never seen, or that stands in every context, has none: nothing can be inferred about it.
    """
    return {entity: bits / strictness for entity in entities if (bits := information(knowledge, entity))}


def disclosed(knowledge: Knowledge, term: Term, limits: Mapping[Term, Bits]) -> Refused | None:
    """The first entity whose limit the term reaches, PMI(c;t) >= IC(c)/α (definition 5), and by how many bits."""
    for entity, limit in limits.items():
        bits = shared_information(knowledge, entity, term)
        if bits is not None and reaches(bits, limit):
            return Refused(term, bits, entity)
    return None


def sanitize(
    knowledge: Knowledge, document: Iterable[Term], limits: Mapping[Term, Bits], chain: Chain, *, redact: bool = False
) -> dict[Term, Replacement]:
    """Algorithm 1: every risky term gives way to its most specific generalization that is safe for every entity.

    With `redact`, a risky term is removed at once.
    """
    found = {}
    for term in dict.fromkeys(document):
        if disclosed(knowledge, term, limits):
            among = () if redact else chain(term)
            found[term] = first_safe(knowledge, among, information(knowledge, term), lambda h: disclosed(knowledge, h, limits))
    return found


def sanitize_groups(
    knowledge: Knowledge,
    contexts: Iterable[Sequence[Term]],
    limits: Mapping[Term, Bits],
    chain: Chain,
    search: GroupSearch = PUBLISHED,
) -> dict[Term, Replacement]:
    """Algorithm 1, then the groups of each context (definition 6): one member gives way at a time until none is risky.

    The best choice over all groups is NP-hard. Here the member and the generalization go that lose least over the whole
    document; a group whose members have no safe generalization loses its least informative member.
    """
    standing = list(contexts)
    distinct = dict.fromkeys(term for context in standing for term in context)
    made = sanitize(knowledge, distinct, limits, chain)
    step: Mapping[Term, Replacement] = made
    groups = _Groups(knowledge, limits, search)
    while True:
        standing = [[term for term in rewritten(context, step) if term is not None] for context in standing]
        risky = next((members for context in standing for members in groups.terms(context)), None)
        if risky is None:
            return {term: made[term] for term in distinct if term in made}
        step = groups.concession(risky, standing, chain)
        made = combined(made, step)


def utility(knowledge: Knowledge, document: Iterable[Term | None], shorter: Shorter = never_shorter) -> Bits:
    """What all occurrences of a document say (eq. 7); the share that is kept is that of two documents (eq. 8).

    None, a term that was removed, says nothing. A phrase never seen says what its longest known right part says.
    """
    return sum(_information(knowledge, term, shorter) for term in document if term is not None)


def _information(knowledge: Knowledge, term: Term, shorter: Shorter) -> Bits:
    known = (part for part in (term, *shorter(term)) if knowledge.count(part))
    return assumed_information(knowledge, next(known, term))


class _Groups:
    """The risky groups of contexts; each context is searched once."""

    def __init__(self, knowledge: Knowledge, limits: Mapping[Term, Bits], search: GroupSearch) -> None:
        self._knowledge = knowledge
        self._limits = limits
        self._search = search
        self._found: dict[tuple[Term, ...], dict[Term, list[RiskyGroup]]] = {}

    def terms(self, context: Iterable[Term]) -> Iterator[list[Term]]:
        """The members of each risky group of a context."""
        distinct = tuple(dict.fromkeys(context))
        for found in self._in(distinct).values():
            for group in found:
                yield [distinct[member] for member in group.members]

    def concession(self, members: Sequence[Term], contexts: Sequence[Sequence[Term]], chain: Chain) -> dict[Term, Replacement]:
        """Which member of a risky group gives way throughout the contexts, and to what."""
        occurrences = Counter(term for context in contexts for term in context)
        order = list(occurrences)
        offers = {order.index(term): self._offer(term, contexts, chain) for term in members}
        if any(offer.by is not None for offer in offers.values()):
            offers = {place: offer for place, offer in offers.items() if offer.by is not None}
        chosen = gives_way(
            Concession(place, offer.by, loss(occurrences[order[place]], self._says(order[place]), self._says(offer.by)))
            for place, offer in offers.items()
        )
        assert chosen is not None
        return {order[chosen.member]: offers[chosen.member]}

    def _offer(self, term: Term, contexts: Sequence[Sequence[Term]], chain: Chain) -> Replacement:
        around = list(dict.fromkeys(tuple(dict.fromkeys(context)) for context in contexts if term in context))

        def refusal(candidate: Term) -> Refused | None:
            alone = disclosed(self._knowledge, candidate, self._limits)
            return alone or next(filter(None, (self._together(candidate, term, context) for context in around)), None)

        return first_safe(self._knowledge, chain(term), information(self._knowledge, term), refusal)

    def _together(self, candidate: Term, term: Term, context: tuple[Term, ...]) -> Refused | None:
        """Whether a candidate, standing for a term of a context, would belong to a risky group there."""
        renewed = tuple(dict.fromkeys(candidate if other == term else other for other in context))
        place = {other: at for at, other in enumerate(renewed)}
        for entity, found in self._in(context).items():
            groups = [[context[member] for member in group.members] for group in found]
            known = [tuple(sorted(place[member] for member in members)) for members in groups if term not in members]
            joint = KnowledgeJoint(self._knowledge, entity, renewed)
            risky = risky_groups_with(joint, len(renewed), place[candidate], known, self._share(entity), self._search)
            if risky:
                return Refused(candidate, risky[0].share.bits, entity)
        return None

    def _in(self, context: tuple[Term, ...]) -> dict[Term, list[RiskyGroup]]:
        if context not in self._found:
            self._found[context] = {
                entity: risky_groups(
                    KnowledgeJoint(self._knowledge, entity, context), len(context), self._share(entity), self._search
                )
                for entity in self._limits
            }
        return self._found[context]

    def _share(self, entity: Term) -> float:
        return self._limits[entity] / assumed_information(self._knowledge, entity)

    def _says(self, term: Term | None) -> Bits:
        return 0.0 if term is None else assumed_information(self._knowledge, term)
