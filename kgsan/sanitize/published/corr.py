"""What the neighbors of a hidden term still say about it, behind any first sanitizer.

D. Sánchez, M. Batet and A. Viejo, "Utility-preserving sanitization of semantically correlated terms in textual documents",
Information Sciences 279 (2014).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from kgsan.knowledge.information import disclosure_risk, exceeds, information, reaches
from kgsan.sanitize.published import Refused, Replacement, candidates, combined, first_safe, never_shorter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits
    from kgsan.sanitize.published import Chain, Shorter


@dataclass(frozen=True, slots=True)
class Touched:
    """A term that the first sanitizer hid, and what it wrote instead; None when it removed the term."""

    term: Term = field(repr=False)
    replacement: Term | None = field(default=None, repr=False)


#: Terms in the order of the text, those of the first sanitizer marked.
Context: TypeAlias = "Sequence[Term | Touched]"


@dataclass(frozen=True, slots=True)
class Threshold:
    """How many bits about a hidden term are too many, for the whole document."""

    bits: Bits
    tie_is_risky: bool = True

    def met(self, risk: Bits) -> bool:
        """Whether so much is too much."""
        return reaches(risk, self.bits) if self.tie_is_risky else exceeds(risk, self.bits)


class Strategy(Enum):
    """What the first sanitizer does with its terms, and what is done with risky neighbors (section on utility)."""

    S1 = "removed; neighbors stay"
    S2 = "generalized; neighbors stay"
    S3 = "removed; neighbors removed"
    S4 = "removed; neighbors generalized"
    S5 = "generalized; neighbors generalized"


def least_informative_term(knowledge: Knowledge, contexts: Iterable[Context]) -> Threshold | None:
    """What the least informative of the hidden terms says (eq. 8). None when none of them was ever seen."""
    known = [bits for hidden in _touched(contexts) if (bits := information(knowledge, hidden.term)) is not None]
    return Threshold(min(known)) if known else None


def most_informative_replacement(knowledge: Knowledge, contexts: Iterable[Context]) -> Threshold | None:
    """What the most informative of the replacements says (eq. 9). None when nothing was generalized.

    Settled: only more than that is risky. The term whose replacement sets the threshold meets it beside every neighbor, the
    root included, so the printed comparison would find everything risky and nothing safe.
    """
    replacements = [hidden.replacement for hidden in _touched(contexts) if hidden.replacement is not None]
    known = [bits for replacement in replacements if (bits := information(knowledge, replacement)) is not None]
    return Threshold(max(known), tie_is_risky=False) if known else None


def sanitize(
    knowledge: Knowledge,
    contexts: Iterable[Context],
    threshold: Threshold,
    chain: Chain,
    shorter: Shorter = never_shorter,
    *,
    redact: bool = False,
) -> dict[Term, Replacement]:
    """For each term that still says too much about a hidden one, what takes its place everywhere in the document.

    The terms are those that stand after the first sanitizer, its own replacements among them. A term of several contexts
    gets the most general of its replacements, which need not suit the other contexts: what a term says may rise from one
    generalization to the next. So the contexts are read again until nothing is found.
    """
    standing = list(contexts)
    distinct = dict.fromkeys(term for context in standing for term in _standing(context))
    made: dict[Term, Replacement] = {}
    while True:
        found: dict[Term, Replacement] = {}
        for context in standing:
            for term, replacement in sanitize_context(knowledge, context, threshold, chain, shorter, redact=redact).items():
                found[term] = _more_general(knowledge, found.get(term, replacement), replacement)
        if not found:
            return {term: made[term] for term in distinct if term in made}
        standing = [rewritten(context, found) for context in standing]
        made = combined(made, found)


def sanitize_context(
    knowledge: Knowledge,
    context: Context,
    threshold: Threshold,
    chain: Chain,
    shorter: Shorter = never_shorter,
    *,
    redact: bool = False,
) -> dict[Term, Replacement]:
    """Algorithm 1 within one context. A replacement is safe for every hidden term of the context (eqs. 11 and 12).

    Settled: what takes the place of the first sanitizer's own replacement is judged as if it stood there already. Judged
    beside the old one, as listed, nothing would ever be safe.
    """
    hidden = list(dict.fromkeys(item for item in context if isinstance(item, Touched)))
    untreated = dict.fromkeys(_standing(context))
    found: dict[Term, Replacement] = {}
    for at in range(len(hidden)):
        for neighbor in list(untreated):
            if not _disclosed(knowledge, neighbor, [hidden[at]], threshold):
                continue
            among = () if redact else candidates(neighbor, chain, shorter)
            found[neighbor] = _safe(knowledge, neighbor, among, hidden, threshold)
            hidden = _with(hidden, neighbor, found[neighbor].by)
            del untreated[neighbor]
    return found


def rewritten(context: Context, replacements: Mapping[Term, Replacement]) -> list[Term | Touched]:
    """The context as it stands after the replacements; a hidden term stays marked, a redacted neighbor is gone."""
    standing: list[Term | Touched] = []
    for item in context:
        now = item.replacement if isinstance(item, Touched) else item
        if now is not None and now in replacements:
            now = replacements[now].by
        if isinstance(item, Touched):
            standing.append(Touched(item.term, now))
        elif now is not None:
            standing.append(now)
    return standing


def carried_out(
    strategy: Strategy, knowledge: Knowledge, contexts: Iterable[Context], chain: Chain, shorter: Shorter = never_shorter
) -> list[Term | None]:
    """The terms of a document after both sanitizers, by the threshold of eq. 8; None stands where a term was removed.

    The contexts tell what a first sanitizer writes that generalizes; where the strategy wants it to remove, that is left out.
    """
    standing = list(contexts)
    if strategy in (Strategy.S1, Strategy.S3, Strategy.S4):
        standing = [[Touched(item.term) if isinstance(item, Touched) else item for item in context] for context in standing]
    made: dict[Term, Replacement] = {}
    threshold = least_informative_term(knowledge, standing)
    if threshold and strategy not in (Strategy.S1, Strategy.S2):
        made = sanitize(knowledge, standing, threshold, chain, shorter, redact=strategy is Strategy.S3)
    terms = [item.replacement if isinstance(item, Touched) else item for context in standing for item in context]
    return [made[term].by if term is not None and term in made else term for term in terms]


def _touched(contexts: Iterable[Context]) -> Iterable[Touched]:
    return (item for context in contexts for item in context if isinstance(item, Touched))


def _standing(context: Context) -> Iterable[Term]:
    terms = (item.replacement if isinstance(item, Touched) else item for item in context)
    return (term for term in terms if term is not None)


def _safe(
    knowledge: Knowledge, neighbor: Term, among: Iterable[Term], hidden: Sequence[Touched], threshold: Threshold
) -> Replacement:
    def refusal(candidate: Term) -> Refused | None:
        return _disclosed(knowledge, candidate, _with(hidden, neighbor, candidate), threshold)

    return first_safe(knowledge, among, information(knowledge, neighbor), refusal)


def _with(hidden: Sequence[Touched], neighbor: Term, candidate: Term | None) -> list[Touched]:
    """The hidden terms when a candidate stands for a neighbor, which may be what the first sanitizer wrote."""
    return [Touched(item.term, candidate) if item.replacement == neighbor else item for item in hidden]


def _disclosed(knowledge: Knowledge, neighbor: Term, hidden: Iterable[Touched], threshold: Threshold) -> Refused | None:
    """The first hidden term about which a neighbor says too much (eqs. 3, 6 and 10, in the form of eq. 16)."""
    for item in hidden:
        risk = disclosure_risk(knowledge, item.term, neighbor, item.replacement)
        if risk is not None and threshold.met(risk):
            return Refused(neighbor, risk, item.term)
    return None


def _more_general(knowledge: Knowledge, one: Replacement, other: Replacement) -> Replacement:
    def said(replacement: Replacement) -> Bits:
        return -1.0 if replacement.by is None else information(knowledge, replacement.by) or 0.0

    return min(one, other, key=said)
