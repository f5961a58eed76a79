"""Where a text names what is protected: the entity, its synonyms, and everything that specializes it.

The longest protected name counts. A protected name inside a longer innocent one counts too ("HIV" in "HIV test"), unless it
is an everyday or ambiguous word and the longer one is a word of its own for something else ("ST depression").
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsan.risk.reading import BySenses
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgsan.risk.reading import Reading
    from kgsan.risk.senses import SenseGuard, Verdict
    from kgsan.text.mentions import Mention, Sense

    IsProtected = Callable[[Sense], bool]
    Protected = BySenses[tuple[Sense, ...]]


@dataclass(frozen=True, slots=True)
class Named:
    """A mention that names something protected, in which of its senses, and why that sense was taken."""

    mention: Mention
    sense: Sense
    verdict: Verdict


def protected_senses(is_protected: IsProtected) -> Protected:
    """Those senses of a name that are protected; to be kept by who reads many texts."""
    return BySenses(lambda senses: tuple(filter(is_protected, senses)))


def named(reading: Reading, guard: SenseGuard, is_protected: IsProtected, known: Protected | None = None) -> list[Named]:
    """The longest mentions of what is protected, in the order of the text."""
    protected = known if known is not None else protected_senses(is_protected)
    reading.protected = reading.every.meaning(protected)
    if not reading.protected:
        return []
    longest = reading.longest
    starts = [mention.start for mention in longest]
    found: list[Named] = []
    for mention in reading.protected:
        if found and found[-1].mention.start <= mention.start and mention.end <= found[-1].mention.end:
            continue
        longer = around(mention, longest, starts)
        doubted = False
        for sense in protected(mention.senses):
            if any(shields(one, mention, sense, guard) for one in longer):
                continue
            verdict = reading.verdict(mention, sense)
            # The benefit of the doubt is given by the first vocabulary that was asked, not by each in turn.
            if verdict.counts and (verdict.leans_to_it or not doubted):
                found.append(Named(mention, sense, verdict))
                break
            doubted = doubted or bool(verdict.signs)
    return found


def around(mention: Mention, longest: Sequence[Mention], starts: list[int]) -> list[Mention]:
    """The longer mentions that hold this one."""
    found = []
    at = bisect_left(starts, mention.start + 1) - 1
    while at >= 0 and longest[at].end >= mention.end:
        if longest[at].end - longest[at].start > mention.end - mention.start:
            found.append(longest[at])
        at -= 1
    return found


def shields(longer: Mention, mention: Mention, sense: Sense, guard: SenseGuard) -> bool:
    """Whether a longer name takes the protected meaning from a name inside it."""
    if longer.bent and not mention.bent:
        return True  # HEARING AIDS
    if guard.are_expression(longer.senses):
        return True  # pregnant pause
    if guard.is_dictionary(sense.ontology) and not any(other.ontology == sense.ontology for other in longer.senses):
        return True  # a place in the name of something else: Lyme disease
    if sense.name.scope <= Scope.EXACT and sum(guard.is_dictionary(other.ontology) for other in mention.senses) < 2:
        return False  # it has one meaning only
    for meant in longer.senses:
        if meant.ontology != mention.senses[0].ontology and not guard.is_dictionary(meant.ontology):
            continue
        own = meant.ontology == sense.ontology
        peers = [
            other.concept.number for other in mention.senses if (other == sense if own else other.ontology == meant.ontology)
        ]
        # What the short name may be short for is no kin of it: London, of Jack London.
        others = [number for number in peers if number != meant.concept.number] or peers
        return bool(peers) and not any(meant.concept.number in guard.family(meant.ontology, number) for number in others)
    return False
