"""Why a term is hidden by a policy, or why it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.ontology import names
from kgsan.sources.records import Scope
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.policy import ProtectedEntity
    from kgsan.risk.marking import Marker
    from kgsan.text.mentions import Sense


def reasons(term: str, marker: Marker) -> Iterator[str]:
    """Sentences: what the term means, under which entity it falls and by which path, and what may take its place."""
    document = Document(term)
    if any(names.key(waiver.term) == names.key(term) for waiver in marker.policy.allow):
        [waiver] = [waiver for waiver in marker.policy.allow if names.key(waiver.term) == names.key(term)]
        yield f"'{term}' may stay: {waiver.because}"
        return
    marks = marker.mark(document)
    whole = [m for m in marker.finder.find(document) if m.start == 0 and m.end >= len(term.rstrip())]
    protected = [sense for mention in whole for sense in mention.senses if marker.sensitive.is_protected(sense)]
    for mark in marks:
        if mark.rule != "naming":
            yield f"'{term}' is hidden: {mark.because}."
    for sense in protected:
        for entity in marker.sensitive.entities(sense):
            yield _falls_under(term, sense, entity, marker)
            yield from _chain(sense, entity, marker)
        break
    if not protected and any(mark.rule == "naming" for mark in marks):
        yield f"'{term}' is hidden in part: {'; '.join(mark.because for mark in marks if mark.rule == 'naming')}."
    elif not protected and not marks:
        yield from _not_hidden(term, [sense for mention in whole for sense in mention.senses], marker)


def _falls_under(term: str, sense: Sense, entity: ProtectedEntity, marker: Marker) -> str:
    ontology = marker.stack[sense.ontology]
    above = [sense.concept, *ontology.generalizations(sense.concept)]
    path = " > ".join(c.name for c in above if marker.sensitive.entities_of(sense.ontology, c.number))
    told = f"'{term}' is hidden as {entity.entity}: it names {sense.concept.name} ({path}; {ontology.name})."
    if sense.name.scope > Scope.EXACT:
        told += " The word may mean something else, so it counts only where its context speaks for this."
    return f"{told} {entity.because or ''}".rstrip()


def _chain(sense: Sense, entity: ProtectedEntity, marker: Marker) -> Iterator[str]:
    """The generalizations, the refused ones with why."""
    ontology = marker.stack[sense.ontology]
    strictness = float(entity.strictness or marker.policy.strictness)
    resolution = next(r for r in marker.sensitive.resolutions if r.entity == entity)
    root = next((m.concept for m in resolution.meanings if m.ontology == sense.ontology), sense.concept)
    bits = ontology.intrinsic_information(root)
    own = ontology.intrinsic_information(sense.concept)
    limit = bits / strictness
    yield f"It says {own:.1f} bits by its place in the taxonomy; {root.name} says {bits:.1f}, of which {limit:.1f} may show."
    for general in ontology.generalizations(sense.concept):
        said = ontology.intrinsic_information(general)
        if marker.sensitive.entities_of(sense.ontology, general.number):
            yield f"  {general.name}: refused, it is protected itself"
        elif ontology.generalizes(general, root) and said >= limit - 1e-9:
            yield f"  {general.name}: refused, it says {said:.1f} bits of {root.name}"
        else:
            yield f"  {general.name}: could stand in its place ({said:.1f} bits)"
            return
    yield "  Nothing more general is safe: it would be blacked out."


def _not_hidden(term: str, senses: list[Sense], marker: Marker) -> Iterator[str]:
    if not senses:
        yield f"'{term}' is not hidden: no ontology knows it, and it looks like no identifier."
        return
    known = ", ".join(dict.fromkeys(sense.concept.name for sense in senses[:3]))
    yield f"'{term}' is not hidden by its name: it means {known}, and nothing of that is protected."
    told = set()
    for sense in senses:
        ontology = marker.stack[sense.ontology]
        for relation, number in ontology.related_numbers(sense.concept.number):
            for entity in marker.sensitive.entities_of(sense.ontology, number):
                if (entity.entity, relation) not in told:
                    told.add((entity.entity, relation))
                    yield (
                        f"  It is related to what is protected as {entity.entity} ({relation}: {ontology.concept(number).name}); "
                        "whether it says too much is a question of inference, which this version does not answer."
                    )
