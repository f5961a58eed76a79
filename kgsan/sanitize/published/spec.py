"""A phrase that says too much by itself is sensitive, whatever it is about.

D. Sánchez, M. Batet and A. Viejo, "Detecting sensitive information from textual documents: an information-theoretic
approach", MDAI 2012. Only the detection is published.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.knowledge.information import information, reaches
from kgsan.sanitize.published import Refused, candidates, first_safe, never_shorter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits
    from kgsan.sanitize.published import Chain, Replacement, Shorter


def too_specific(knowledge: Knowledge, phrase: Term, limit: Bits) -> bool:
    """Whether a phrase says as much as the limit, IC >= β (eq. 3). One never seen says more than any limit."""
    bits = information(knowledge, phrase)
    return bits is None or reaches(bits, limit)


def sanitize(
    knowledge: Knowledge, document: Iterable[Term], limit: Bits, chain: Chain, shorter: Shorter = never_shorter
) -> dict[Term, Replacement]:
    """What takes the place of each phrase that is too specific: what says most below the limit, among what generalizes it.

    Ours. The limit is what the most general feature says that must stay hidden, so that feature is hidden too.
    """

    def refusal(candidate: Term) -> Refused | None:
        bits = information(knowledge, candidate)
        return Refused(candidate, bits) if bits is not None and reaches(bits, limit) else None

    return {
        phrase: first_safe(knowledge, candidates(phrase, chain, shorter), None, refusal)
        for phrase in dict.fromkeys(document)
        if too_specific(knowledge, phrase, limit)
    }
