"""How much a term says, and how much of a protected entity it gives away, in bits.

Every function asks one knowledge object only, so that amounts which are compared come from the same probability space.
None means that the knowledge cannot say; it is never the same as 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log2, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits

#: Amounts closer than this are equal: logarithms of equal counts need not be.
TOLERANCE = 1e-9
#: One-sided 95 %.
_CONFIDENCE = 1.645
#: Powers up to this are worked out to the last digit.
_LARGEST_POWER = 10_000


@dataclass(frozen=True, slots=True)
class Share:
    """How much of what a protected entity says is given away by a term or a group of terms.

    The whole of it is 1. Below 0 the terms speak against the entity, which is no disclosure.
    """

    revealed: float  #: the plain estimate
    low: float  #: what is revealed at least, with 95 % confidence
    support: int  #: contexts that hold the terms and the entity
    contexts_of_terms: int  #: contexts that hold the terms
    entity_information: Bits  #: what the entity says, to which the share refers
    source: str  #: name of the knowledge that says so
    stated: bool = False  #: an ontology says so, which is no sample
    loose: bool = False  #: what the ontology lists is a part of what there is, so that a corpus knows better
    counted_as: str | None = field(default=None, repr=False)  #: the part of the term that was counted, when not the whole

    @property
    def bits(self) -> Bits:
        """The share as an amount."""
        return self.revealed * self.entity_information

    @property
    def chance(self) -> float:
        """How often a guess of the entity is right where the terms stand."""
        return self.support / self.contexts_of_terms

    @property
    def chance_before(self) -> float:
        """How often the same guess is right without knowing the terms."""
        return 2**-self.entity_information


def information(knowledge: Knowledge, term: Term) -> Bits | None:
    """What a term says: the rarer, the more (C-sanitized, eq. 1). None for a term that was never seen."""
    count = knowledge.count(term)
    return log2(knowledge.contexts / count) if count else None


def assumed_information(knowledge: Knowledge, term: Term) -> Bits:
    """What a term says when sums of information need an amount: one never seen counts as seen once."""
    known = information(knowledge, term)
    return log2(knowledge.contexts) if known is None else known


def shared_information(knowledge: Knowledge, entity: Term, *terms: Term) -> Bits | None:
    """What terms, taken together, say about an entity (C-sanitized, eqs. 2 and 3). None when they were never seen together.

    Negative where they are seen together less than chance would have it.
    """
    of_entity, of_terms, together = knowledge.count(entity), knowledge.count(*terms), knowledge.count(entity, *terms)
    if not (of_entity and of_terms and together):
        return None
    # Whole numbers until the last division, so that a term which never stands without the entity gives exactly its information.
    return log2(knowledge.contexts * together / (of_entity * of_terms))


def disclosure(knowledge: Knowledge, entity: Term, *terms: Term) -> Share | None:
    """The share of an entity that terms, taken together, give away.

    None when the entity or the terms are unknown or were never seen together, and for an entity that stands in every
    context: it says nothing, so nothing of it can be given away.
    """
    whole = information(knowledge, entity)
    of_terms, together = knowledge.count(*terms), knowledge.count(entity, *terms)
    return share(whole, together, of_terms, knowledge.name)


def share(entity_information: Bits | None, support: int | None, contexts_of_terms: int | None, source: str) -> Share | None:
    """The share that follows from counts: 1 plus the logarithm of the chance, over the information of the entity.

    >>> share(8.0, 1, 4, "example").revealed
    0.75
    """
    if not (entity_information and support and contexts_of_terms):
        return None
    revealed = 1 + log2(support / contexts_of_terms) / entity_information
    low = 1 + log2(lower_bound(support, contexts_of_terms)) / entity_information
    return Share(revealed, low, support, contexts_of_terms, entity_information, source)


def lower_bound(successes: int, trials: int) -> float:
    """The least chance that explains so many successes at one-sided 95 % (Wilson 1927).

    >>> [round(lower_bound(*seen), 2) for seen in ((1, 1), (5, 5), (4, 40), (41, 44))]
    [0.27, 0.65, 0.05, 0.84]
    """
    rate, spread = successes / trials, _CONFIDENCE**2 / trials
    return (rate + spread / 2 - _CONFIDENCE * sqrt(rate * (1 - rate) / trials + spread / trials / 4)) / (1 + spread)


def disclosure_risk(knowledge: Knowledge, sensitive: Term, neighbor: Term, replacement: Term | None = None) -> Bits | None:
    """What a neighbor says about a sensitive term that was removed, or that its replacement generalizes.

    Utility-preserving sanitization of semantically correlated terms, eqs. 3 and 16. None when the neighbor was never seen
    with the sensitive term.
    """
    if replacement is None:
        return shared_information(knowledge, sensitive, neighbor)
    of_sensitive, together = knowledge.count(sensitive), knowledge.count(sensitive, neighbor)
    of_rest = knowledge.count(replacement, neighbor)
    if not (of_sensitive and of_rest and together):
        return None
    return log2(knowledge.contexts * together / (of_sensitive * of_rest))


def reaches(revealed: float, limit: float) -> bool:
    """Whether so much is revealed that the limit is met; rounding never hides a leak."""
    return revealed >= limit - TOLERANCE


def exceeds(revealed: float, limit: float) -> bool:
    """Whether more is revealed than the limit; a tie is none.

    For the threshold of CORR eq. 9 alone, which every term that says nothing meets exactly.
    """
    return revealed > limit + TOLERANCE


def reaches_exactly(contexts: int, of_entity: int, of_terms: int, together: int, strictness: Fraction) -> bool:
    """Whether terms meet the limit of an entity, decided by whole numbers: shared information times strictness >= information.

    A strictness that is no plain fraction, such as a float turned into one, would need powers without end; near the
    limit it counts as met.

    >>> from fractions import Fraction
    >>> reaches_exactly(1024, 16, 16, 4, Fraction(3, 2)), reaches_exactly(1024, 16, 17, 4, Fraction(3, 2))
    (True, False)
    """
    if not (of_entity and of_terms and together):
        return False
    times, once = strictness.as_integer_ratio()
    if times > _LARGEST_POWER:
        shared = log2(contexts * together / (of_entity * of_terms))
        return reaches(shared, log2(contexts / of_entity) / float(strictness))
    return bool((contexts * together) ** times * of_entity**once >= (of_entity * of_terms) ** times * contexts**once)
