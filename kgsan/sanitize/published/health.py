"""What a law names in a medical document, and what its neighbors say about it.

D. Sánchez, M. Batet and A. Viejo, "Utility-preserving privacy protection of textual healthcare documents", Journal of
Biomedical Informatics 52 (2014).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import log2
from typing import TYPE_CHECKING, TypeAlias

from kgsan.knowledge.information import disclosure_risk, information, reaches
from kgsan.sanitize.published import Refused, Replacement, first_safe
from kgsan.sanitize.published.corr import Touched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits
    from kgsan.sanitize.published import Chain

#: The sensitive term that a phrase is or contains; None for any other phrase.
SensitivePart: TypeAlias = "Callable[[Term], Term | None]"


class Counting(StrEnum):
    """In which contexts a sensitive name counts."""

    PLAIN = "wherever it stands"
    CONTEXTUALIZED = "beside what generalizes it"
    LITERAL = "beside what generalizes it and says less than the name alone, as printed"


@dataclass(frozen=True, slots=True)
class Threshold:
    """What the most general sensitive term says, for the whole policy."""

    bits: Bits
    set_by: Term = field(repr=False)


def threshold(
    knowledge: Knowledge, sensitive: Iterable[Term], chain: Chain, counting: Counting = Counting.PLAIN
) -> Threshold | None:
    """Step 0b: the least that a sensitive term says (eq. 3; contextualized, eq. 12), and which one sets it.

    One common or ambiguous name drags it down for the whole policy. None when no sensitive term was ever seen.
    """
    bits = {term: _in_context(knowledge, term, chain, counting) for term in sensitive}
    known = [Threshold(said, term) for term, said in bits.items() if said is not None]
    return min(known, key=lambda found: found.bits, default=None)


def _in_context(knowledge: Knowledge, term: Term, chain: Chain, counting: Counting) -> Bits | None:
    """What a term says beside its most specific generalization that says less.

    Printed: less than the term alone. That skips the parent that tells the meaning when the name is common and the parent is
    rare. Settled: less than the two together. Without any, what the term says alone.
    """
    alone = information(knowledge, term)
    if counting is Counting.PLAIN or alone is None:
        return alone
    for general in chain(term):
        said, count = information(knowledge, general), knowledge.count(term, general)
        if said is None or not count:
            continue
        together = log2(knowledge.contexts / count)
        if not reaches(said, alone if counting is Counting.LITERAL else together):
            return together
    return alone


def sanitize(
    knowledge: Knowledge,
    document: Iterable[Term],
    sensitive_part: SensitivePart,
    threshold: Threshold,
    chain: Chain,
    *,
    counting: Counting = Counting.PLAIN,
    both_steps: bool = True,
    redact: bool = False,
) -> dict[Term, Replacement]:
    """What takes the place of the sensitive phrases and, in the second step, of the neighbors that give them away.

    With `redact`, the same terms are removed: the authors measure both variants on what one detection finds.
    """
    distinct = dict.fromkeys(document)
    found = generalized(knowledge, distinct, sensitive_part, threshold, chain)
    if both_steps:
        hidden = [Touched(_counted(knowledge, term, sensitive_part), replacement.by) for term, replacement in found.items()]
        neighbors = [term for term in distinct if term not in found]
        found |= correlated(knowledge, neighbors, hidden, threshold, chain, counting)
    return dict.fromkeys(found, Replacement(None)) if redact else found


def generalized(
    knowledge: Knowledge, terms: Iterable[Term], sensitive_part: SensitivePart, threshold: Threshold, chain: Chain
) -> dict[Term, Replacement]:
    """Step 1: a phrase with a sensitive term gives way to the most specific generalization below the threshold (eq. 4).

    Settled: the chain is that of the whole phrase where a base knows it, else that of the sensitive term.
    """

    def refusal(candidate: Term) -> Refused | None:
        bits = information(knowledge, candidate)
        return Refused(candidate, bits) if bits is not None and reaches(bits, threshold.bits) else None

    found = {}
    for term in terms:
        part = sensitive_part(term)
        if part is not None:
            # The threshold bounds what a candidate says. A common name may say less than a parent that tells its meaning.
            found[term] = first_safe(knowledge, chain(term) or chain(part), None, refusal)
    return found


def correlated(
    knowledge: Knowledge,
    neighbors: Iterable[Term],
    hidden: Sequence[Touched],
    threshold: Threshold,
    chain: Chain,
    counting: Counting = Counting.PLAIN,
) -> dict[Term, Replacement]:
    """Step 2: a neighbor that says too much about a hidden term gives way to the first generalization that does not (eq. 8).

    One that no base knows is removed. `hidden` are the terms of step 1 with what replaced them.
    """

    def refusal(neighbor: Term) -> Refused | None:
        for item in hidden:
            risk = risk_of(knowledge, item.term, neighbor, item.replacement, counting)
            if risk is not None and reaches(risk, threshold.bits):
                return Refused(neighbor, risk, item.term)
        return None

    return {
        neighbor: first_safe(knowledge, chain(neighbor), information(knowledge, neighbor), refusal)
        for neighbor in dict.fromkeys(neighbors)
        if refusal(neighbor)
    }


def risk_of(
    knowledge: Knowledge, sensitive: Term, neighbor: Term, replacement: Term | None, counting: Counting = Counting.PLAIN
) -> Bits | None:
    """What a neighbor says about a sensitive term (eq. 7), or about it where it stands beside its replacement (eq. 10).

    Where concepts are counted with all that specializes them the two are the same; names alone may be ambiguous.
    """
    if counting is Counting.PLAIN or replacement is None:
        return disclosure_risk(knowledge, sensitive, neighbor, replacement)
    in_context, together = knowledge.count(sensitive, replacement), knowledge.count(sensitive, replacement, neighbor)
    of_rest = knowledge.count(replacement, neighbor)
    if not (in_context and together and of_rest):
        return None
    return log2(knowledge.contexts * together / (in_context * of_rest))


def _counted(knowledge: Knowledge, term: Term, sensitive_part: SensitivePart) -> Term:
    """The phrase, or the sensitive term in it when the phrase was never seen."""
    part = sensitive_part(term)
    return term if part is None or knowledge.count(term) else part
