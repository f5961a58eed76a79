"""The published methods as their authors describe them: over terms and counts, without a text.

A document is a sequence of terms as they occur, a context a sequence of terms. Every method asks one knowledge, uses plain
estimates, and tells for each distinct term that has to go what takes its place, and which candidates were refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from kgsan.knowledge.information import exceeds, information

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits

#: All generalizations of a term, the most specific first; those of a further knowledge base follow as a whole.
Chain: TypeAlias = "Callable[[Term], Sequence[Term]]"
#: A term without its leftmost words, the longest first.
Shorter: TypeAlias = "Callable[[Term], Sequence[Term]]"


@dataclass(frozen=True, slots=True)
class Refused:
    """A candidate that would still say too much."""

    candidate: Term = field(repr=False)
    bits: Bits
    about: Term | None = field(default=None, repr=False)  #: what it says so much about; None: it is too specific by itself


@dataclass(frozen=True, slots=True)
class Replacement:
    """What takes the place of a term, and what was refused before it."""

    by: Term | None = field(repr=False)  #: None: nothing may stand there
    refused: tuple[Refused, ...] = ()


def never_shorter(_: Term) -> Sequence[Term]:
    """For methods that do not shorten phrases."""
    return ()


def chain_over(knowledge: Knowledge, *bases: Chain) -> Chain:
    """Chains from several knowledge bases, asked in order, each sorted by what its terms say; equals stay as they are."""

    def chain(term: Term) -> Sequence[Term]:
        found = [sorted(base(term), key=lambda general: -(information(knowledge, general) or 0.0)) for base in bases]
        return [general for generalizations in found for general in generalizations]

    return chain


def candidates(term: Term, chain: Chain, shorter: Shorter = never_shorter) -> Iterator[Term]:
    """What might replace a term: its chain, then each shorter form followed by the chain of that."""
    yield from chain(term)
    for form in shorter(term):
        yield form
        yield from chain(form)


def first_safe(
    knowledge: Knowledge, among: Iterable[Term], at_most: Bits | None, refusal: Callable[[Term], Refused | None]
) -> Replacement:
    """The first candidate that is not refused. One never seen, or that says more than the term it replaces, is no candidate."""
    refused: list[Refused] = []
    for candidate in among:
        bits = information(knowledge, candidate)
        if bits is None or (at_most is not None and exceeds(bits, at_most)):
            continue
        reason = refusal(candidate)
        if reason is None:
            return Replacement(candidate, tuple(refused))
        refused.append(reason)
    return Replacement(None, tuple(refused))


def rewritten(document: Iterable[Term], replacements: Mapping[Term, Replacement]) -> list[Term | None]:
    """The document with every replacement made; None stands where a term was redacted."""
    return [replacements[term].by if term in replacements else term for term in document]


def combined(first: Mapping[Term, Replacement], second: Mapping[Term, Replacement]) -> dict[Term, Replacement]:
    """Two rounds of replacements, the second made on what the first left, as one."""
    made = dict(second)
    for term, replacement in first.items():
        further = None if replacement.by is None else second.get(replacement.by)
        made[term] = Replacement(further.by, replacement.refused + further.refused) if further else replacement
    return made
