"""What the neighbors of hidden terms still say about them, in a text: the second pass of CORR, and HEALTH's reasons."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from kgsan.knowledge.information import disclosure_risk, reaches
from kgsan.knowledge.knowledge import Topic
from kgsan.risk.detecting import contexts
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.finishing import Hidden
from kgsan.sanitize.first_pass import places
from kgsan.sanitize.published import corr
from kgsan.sanitize.published.corr import Strategy, Touched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits
    from kgsan.policy.policy import Policy
    from kgsan.sanitize.first_pass import Marked
    from kgsan.sanitize.published import Refused, Replacement
    from kgsan.sanitize.spoken import Occurrence, Spoken

    Limit = Callable[[Knowledge, Iterable[corr.Context]], corr.Threshold | None]
    Reasons = Callable[[Occurrence], tuple[Disclosure, ...]]
    Item = tuple[int, int, Term | Touched]


def second_pass(
    spoken: Spoken, policy: Policy, first: Sequence[Marked], strategy: Strategy, threshold: Limit
) -> Iterator[Hidden]:
    """The first pass, and what the neighbors of the terms that it hid still say about them."""
    knowledge = spoken.knowledge
    occurrences = spoken.terms(places(first))
    entities: dict[Touched, str] = {}
    items: list[Item] = [(one.start, one.end, one.term) for one in occurrences]
    for one in first:
        touched = Touched(one.term, one.hidden.by)
        entities.setdefault(touched, one.hidden.reasons[0].entity)
        items.append((one.hidden.start, one.hidden.end, touched))
    standing = list(_within(sorted(items, key=lambda item: (item[0], -item[1])), contexts(spoken.document, policy)))
    limit = threshold(knowledge, standing)
    made: Mapping[Term, Replacement] = {}
    if limit is not None and strategy not in (Strategy.S1, Strategy.S2):
        known = [_known(context, knowledge) for context in standing]
        made = corr.sanitize(knowledge, known, limit, spoken.chain, spoken.shorter, redact=strategy is Strategy.S3)
    beside: dict[Term, dict[Touched, str]] = defaultdict(dict)
    for context in standing:
        hidden = {item: entities[item] for item in context if isinstance(item, Touched)}
        for item in dict.fromkeys(context):
            if not isinstance(item, Touched) and item in made:
                beside[item].update(hidden)
    told = {term: correlation(knowledge, term, near.items(), limit.bits) for term, near in beside.items() if limit is not None}

    def reasons(one: Occurrence) -> tuple[Disclosure, ...]:
        return (Disclosure(one.start, one.end, Rule.CORRELATION, *told[one.term]),)

    yield from (_further(one.hidden, made) for one in first)
    yield from replaced(occurrences, made, reasons)


def correlation(
    knowledge: Knowledge, neighbor: Term, hidden: Iterable[tuple[Touched, str]], limit: Bits, set_by: str = ""
) -> tuple[str, str]:
    """Why a neighbor may not stay: as what the term was hidden about which it says most, and how much, in words."""
    asked = ((disclosure_risk(knowledge, item.term, neighbor, item.replacement), entity) for item, entity in hidden)
    risks = [(risk, entity) for risk, entity in asked if risk is not None]
    risk, entity = max(risks, key=lambda pair: pair[0], default=(-inf, ""))
    if not reaches(risk, limit):
        return entity, "says too much beside what was written for another term"
    return entity, f"says {risk:.1f} bits about a term that was hidden as {entity}, and {limit:.1f} are too many{set_by}"


def replaced(occurrences: Iterable[Occurrence], made: Mapping[Term, Replacement], reasons: Reasons) -> Iterator[Hidden]:
    """Every occurrence of a term that has to go, with why, and what was refused before its replacement."""
    for one in occurrences:
        replacement = made.get(one.term)
        if replacement is not None:
            yield Hidden(one.start, one.end, reasons(one), replacement.by, _told(replacement.refused), is_term=True)


def _further(hidden: Hidden, made: Mapping[Term, Replacement]) -> Hidden:
    """What the first pass hid, after the second: its replacement may have said too much."""
    replacement = None if hidden.by is None else made.get(hidden.by)
    return hidden if replacement is None else replace(hidden, by=replacement.by, refused=_told(replacement.refused))


def _told(refused: Iterable[Refused]) -> tuple[tuple[Term, str], ...]:
    """Refused candidates in words that tell nothing of the text."""
    return tuple((one.candidate, f"would still say {one.bits:.1f} bits{_about(one.about)}") for one in refused)


def _about(term: Term | None) -> str:
    if term is None:
        return ""
    return f" about '{term.name}'" if isinstance(term, Topic) else " about a term that was hidden"


def _within(items: Sequence[Item], spans: Iterable[tuple[int, int]]) -> Iterator[list[Term | Touched]]:
    """What stands in each context; both are in order."""
    first = 0
    for start, end in spans:
        while first < len(items) and items[first][1] <= start:
            first += 1
        inside = []
        for at in range(first, len(items)):
            if items[at][0] >= end:
                break
            if items[at][1] > start:
                inside.append(items[at][2])
        if inside:
            yield inside


def _known(context: Iterable[Term | Touched], knowledge: Knowledge) -> list[Term | Touched]:
    """A context without what was never counted: that is never risky, and nothing is risky for it."""
    found = []
    for item in context:
        now = item.replacement if isinstance(item, Touched) and not knowledge.count(item.term) else item
        if now is not None and (isinstance(now, Touched) or knowledge.count(now)):
            found.append(now)
    return found
