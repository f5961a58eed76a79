"""Why a term is hidden by a policy, or why it is not, and what may stand in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.knowledge.information import reaches
from kgsan.ontology import names
from kgsan.risk.disclosures import Rule
from kgsan.sources.records import Scope
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.policy import ProtectedEntity
    from kgsan.sanitize.sanitizer import Sanitizer
    from kgsan.text.mentions import Sense


def reasons(term: str, sanitizer: Sanitizer) -> Iterator[str]:
    """Sentences: what the term means, under which entity it falls or how much of it it reveals, and what may replace it."""
    policy, detector = sanitizer.policy, sanitizer.detector
    for waiver in policy.allow:
        if names.key(waiver.term) == names.key(term):
            yield f"'{term}' may stay: {waiver.because}"
            return
    found = detector.find(Document(term))
    whole = [m for m in detector.marker.finder.find(term) if m.start == 0 and m.end >= len(term.rstrip())]
    senses = [sense for mention in whole for sense in mention.senses]
    protected = [sense for sense in senses if detector.sensitive.is_protected(sense)]
    for entity in detector.sensitive.entities(protected[0]) if protected else ():
        yield _falls_under(term, protected[0], entity, sanitizer)
    for one in found.disclosures:
        if one.rule is Rule.NAMING and not protected:
            yield f"'{term}' is hidden in part: it {one.because}."
        elif one.rule is not Rule.NAMING:
            yield f"'{term}' is hidden: it {one.because}."
    if protected or found.disclosures:
        chosen = protected or [sense for sense in senses if sense.name.scope <= Scope.EXACT and sense.name.rank == 0]
        yield from _ladder(chosen, sanitizer)
        return
    yield from _not_hidden(term, senses, sanitizer)


def _falls_under(term: str, sense: Sense, entity: ProtectedEntity, sanitizer: Sanitizer) -> str:
    sensitive = sanitizer.detector.sensitive
    ontology = sensitive.stack[sense.ontology]
    above = [sense.concept, *ontology.generalizations(sense.concept)]
    path = " > ".join(c.name for c in above if sensitive.entities_of(sense.ontology, c.number))
    told = f"'{term}' is hidden as {entity.entity}: it names {sense.concept.name} ({path}; {ontology.name})."
    if sense.name.scope > Scope.EXACT:
        told += " The word may mean something else, so it counts only where its context speaks for this."
    return f"{told} {entity.because or ''}".rstrip()


def _ladder(senses: list[Sense], sanitizer: Sanitizer) -> Iterator[str]:
    """The generalizations up to the first that may be taken, the refused ones with why."""
    for rung in sanitizer.ladders.above((sense.ontology, sense.concept.number) for sense in senses):
        refused = sanitizer.ladders.refusal(rung)
        if refused is None:
            yield f"  {rung.name}: stands in its place, unless its neighbors make that tell too much"
            return
        share = "" if refused.share is None else f" ({100 * refused.share.revealed:.0f} %)"
        yield f"  {rung.name}: refused, it {refused.because}{share}"
    yield "  Nothing more general is safe: it is blacked out."


def _not_hidden(term: str, senses: list[Sense], sanitizer: Sanitizer) -> Iterator[str]:
    inference = sanitizer.detector.inference
    if senses:
        known = ", ".join(dict.fromkeys(sense.concept.name for sense in senses[:3]))
        yield f"'{term}' is not hidden: it means {known}, and nothing of that is protected."
    else:
        yield f"'{term}' is not hidden: no ontology knows it, and it looks like no identifier."
    told = False
    for number, guarded in enumerate(inference.guarded):
        share = inference.of_name(term, number)
        if share is None:
            continue
        told = True
        below = ""
        if reaches(share.low, guarded.limit):
            below = ", but by itself it may mean something else: the text around it decides"
        elif reaches(share.revealed, guarded.limit):
            below = ", which too few contexts show to count"
        seen = f"{share.support:,} of its {share.contexts_of_terms:,} contexts"
        yield (
            f"  It reveals {100 * max(share.revealed, 0):.0f} % of what '{guarded.entity.entity}' says ({seen}); "
            f"{100 * guarded.limit:.0f} % would be too much{below}."
        )
    if inference.guarded and not told:
        yield "  No source of knowledge has seen it together with what is protected."
