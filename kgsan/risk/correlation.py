"""What gives back an instance whose kind may show: a city that became "a city" beside the name of its stadium.

An entity of which the policy hides *which* one it is does not hide its kind. Every instance that was replaced is protected by
itself: a neighbor gives it away when it gives back as large a part of what the replacement left open as the limit allows
(Utility-preserving sanitization of semantically correlated terms, eqs. 3 and 16, against the limit of C-sanitized).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log2
from typing import TYPE_CHECKING

from kgsan.knowledge.combined import LEAST, known_part
from kgsan.knowledge.information import information, lower_bound, reaches
from kgsan.ontology import names
from kgsan.risk.disclosures import Disclosure, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits
    from kgsan.risk.terms import Term as TermInPlace


@dataclass(frozen=True, slots=True)
class Instance:
    """Something that was replaced or blacked out and must not come back: what it was, and what stands for it."""

    entity: str
    limit: float  #: the part of what was left open that may not be given back
    hidden: Term = field(repr=False)
    shown: Term | None = field(repr=False)  #: what stands in its place; None for nothing


def correlated(source: Knowledge, instances: Iterable[Instance], found: Iterable[TermInPlace]) -> Iterator[Disclosure]:
    """The terms of a text that give an instance back."""
    terms = [(term, known_part(source, term.name)) for term in found]
    for instance in dict.fromkeys(instances):
        said, shown = information(source, instance.hidden), 0.0
        if not said:
            continue
        if instance.shown is not None:
            shown = information(source, instance.shown) or 0.0
        own = _names_of(instance.shown)
        for term, part in terms:
            if part is None or names.key(term.name) in own:
                continue  # what stands in its place leaves open what it leaves open
            back = given_back(source, instance, part, said)
            if back is not None and said > shown and reaches((back - shown) / (said - shown), instance.limit):
                because = f"gives back {100 * (back - shown) / (said - shown):.0f} % of what the replacement left open"
                yield Disclosure(term.start, term.end, Rule.CORRELATION, instance.entity, because, limit=instance.limit)


def _names_of(shown: Term | None) -> frozenset[str]:
    if shown is None:
        return frozenset()
    return frozenset(map(names.key, (shown,) if isinstance(shown, str) else (shown.name, *shown.synonyms)))


def given_back(source: Knowledge, instance: Instance, neighbor: Term, said: Bits) -> Bits | None:
    """What a neighbor and the replacement say together about an instance, at least; None without evidence."""
    rest = source.count(neighbor) if instance.shown is None else source.count(instance.shown, neighbor)
    together = source.count(instance.hidden, neighbor)
    if not rest or not together or together < LEAST:
        return None
    return said + log2(lower_bound(min(together, rest), rest))
