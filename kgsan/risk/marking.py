"""What a policy hides in a text before anything is inferred: names, identifiers, what is too specific, and its own lists."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.ontology import names
from kgsan.ontology.load import load_ontology
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.meaning import meanings_of
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.risk.naming import named
from kgsan.risk.personal import personal
from kgsan.risk.senses import SenseGuard
from kgsan.sources.records import Records, Scope
from kgsan.text.cues import Status
from kgsan.text.mentions import Finder
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.policy import Policy
    from kgsan.text.document import Document
    from kgsan.text.mentions import Mention, Mentions


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a text that may not stay, by which rule, for which entity or kind, and why in words without any of the text."""

    start: int
    end: int
    rule: str  #: naming, identifier, specificity or deny
    entity: str
    because: str = field(repr=False)


class Marker:
    """A policy, ready to be applied to texts. Made once; safe to share between threads."""

    def __init__(self, policy: Policy, stack: OntologyStack | None = None) -> None:
        self.policy = policy
        self.stack = stack if stack is not None else load_ontology(*policy.ontologies)
        self.sensitive = SensitiveTerms(policy, self.stack)
        self.finder = Finder(self.stack, misspelt=policy.misspellings == "find")
        self.guard = SenseGuard(self.stack)
        self._allowed = frozenset(names.key(waiver.term) for waiver in policy.allow)
        self._denied = Finder(_listed(policy)) if policy.deny else None
        self._parted = frozenset(rule.kind for rule in policy.identifiers if rule.keep)
        self._limit = self._specificity()

    def mark(self, document: Document) -> list[Mark]:
        """What may not stay, in the order of the text; marks of different rules may overlap."""
        every = self.finder.find(document, nested=True)
        mentions = every.longest()
        identified = list(self._personal(document, mentions))
        # Of what a part may stay the rule for its kind decides, not the place that a ZIP code names.
        parted = [mark for mark in identified if mark.entity in self._parted]
        named_marks = [mark for mark in self._named(document, every) if not any(_overlap(mark, other) for other in parted)]
        found = [*named_marks, *identified, *self._too_specific(document, mentions), *self._on_the_list(document)]
        allowed = [mark for mark in found if names.key(document.text[mark.start : mark.end]) not in self._allowed]
        return sorted(allowed, key=lambda mark: (mark.start, mark.end, mark.rule, mark.entity))

    def _named(self, document: Document, every: Mentions) -> Iterator[Mark]:
        for hit in named(document, every, self.guard, self.sensitive.is_protected):
            if hit.mention.status is Status.NEGATED and self.policy.negated == "keep":
                continue
            for entity in self.sensitive.entities(hit.sense):
                because = f"names {hit.sense.concept.name}, which is protected as {entity.entity}"
                yield Mark(hit.mention.start, hit.mention.end, "naming", entity.entity, because)

    def _personal(self, document: Document, mentions: list[Mention]) -> Iterator[Mark]:
        for found in personal(document, mentions, self.stack, self.policy.identifiers):
            yield Mark(found.start, found.end, "identifier", found.kind, found.because)

    def _on_the_list(self, document: Document) -> Iterator[Mark]:
        if self._denied is None:
            return
        reasons = {names.key(item.term): item for item in self.policy.deny}
        for mention in self._denied.find(document):
            item = reasons[names.key(mention.senses[0].concept.name)]
            yield Mark(mention.start, mention.end, "deny", item.entity or "", item.because)

    # --- too specific ----------------------------------------------------------------------------------------------------

    def _specificity(self) -> tuple[int, float, frozenset[str]] | None:
        """The ontology in which terms are weighed, the bits that may stay, and the names that stay whatever they say."""
        wanted = self.policy.too_specific_above
        if wanted is None:
            return None
        if not isinstance(wanted, str):
            return len(self.stack) - 1, float(wanted), frozenset()
        meanings = meanings_of(wanted, self.stack)
        if not meanings:
            return None
        meaning = next((m for m in meanings if self.stack[m.ontology].is_dictionary), meanings[0])
        ontology = self.stack[meaning.ontology]
        exempt = frozenset(names.key(name.text) for name in ontology.names(meaning.concept))
        return meaning.ontology, ontology.intrinsic_information(meaning.concept), exempt

    def _too_specific(self, document: Document, mentions: list[Mention]) -> Iterator[Mark]:
        """Terms that say more than the limit, by their place in the taxonomy; a name that no ontology knows says too much."""
        if self._limit is None:
            return
        place, bits, exempt = self._limit
        ontology = self.stack[place]
        known = [(mention.start, mention.end) for mention in mentions if any(s.ontology == place for s in mention.senses)]
        for mention in mentions:
            senses = [sense for sense in mention.senses if sense.ontology == place]
            if not senses or names.key(document.text[mention.start : mention.end]) in exempt or not _is_noun(document, mention):
                continue
            said = ontology.intrinsic_information(senses[0].concept)
            if said > bits:
                yield Mark(mention.start, mention.end, "specificity", "", f"says {said:.1f} bits, and {bits:.1f} may stay")
        for name in document.proper_names:
            if not any(start <= name.start and name.end <= end for start, end in known):
                yield Mark(name.start, name.end, "specificity", "", f"is the name of a {name.kind} that nothing is known of")


def _overlap(one: Mark, other: Mark) -> bool:
    return one.start < other.end and other.start < one.end


def _is_noun(document: Document, mention: Mention) -> bool:
    """Whether the last word of a mention is used as a noun."""
    return TAGS[int(document.tags[document.token_at(mention.end - 1)])].startswith("NN")


def _listed(policy: Policy) -> OntologyStack:
    """The terms that are always hidden, as an ontology, so that they are found like any other names."""
    records = Records("policy")
    for item in policy.deny:
        records.name(records.concept(f"deny:{item.term}"), item.term, Scope.PREFERRED)
    return OntologyStack([Ontology.from_records(records)])
