"""What a policy hides in a text before anything is inferred: names, identifiers, and what it lists itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.ontology import names
from kgsan.ontology.load import load_ontology
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.items import GEOGRAPHY
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.risk.geography import Geography
from kgsan.risk.naming import named, protected_senses
from kgsan.risk.personal import personal
from kgsan.risk.reading import Reading, Taken
from kgsan.risk.senses import SenseGuard
from kgsan.sources.records import Records, Scope
from kgsan.text.cues import Status
from kgsan.text.mentions import Finder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.policy.policy import Policy
    from kgsan.risk.senses import Counts
    from kgsan.text.document import Document


class Marker:
    """A policy, ready to be applied to texts. Made once; safe to share between threads."""

    def __init__(self, policy: Policy, stack: OntologyStack | None = None, knowledge: Counts | None = None) -> None:
        self.policy = policy
        self.stack = stack if stack is not None else load_ontology(*policy.ontologies)
        self.sensitive = SensitiveTerms(policy, self.stack)
        self.finder = Finder(self.stack, misspelt=policy.misspellings == "find")
        self.guard = SenseGuard(self.stack, knowledge)
        self.geography = Geography(self.stack)
        self._protected = protected_senses(self.sensitive.is_protected)
        self._allowed = frozenset(names.key(waiver.term) for waiver in policy.allow)
        self._denied = Finder(_listed(policy)) if policy.deny else None
        self._parted = frozenset(rule.kind for rule in policy.identifiers if rule.keep)
        self._written = {rule.kind: rule.write for rule in policy.identifiers if rule.write}

    def read(self, document: Document) -> Reading:
        """A text as the rules of the policy read it."""
        return Reading(document, self.finder, self.guard)

    def read_many(self, documents: Sequence[Document]) -> list[Reading]:
        """Many texts, read in one go."""
        found = self.finder.find_many(documents, nested=True)
        return [Reading(document, self.finder, self.guard, every) for document, every in zip(documents, found, strict=True)]

    def mark(self, reading: Reading) -> list[Disclosure]:
        """What may not stay, in the order of the text; marks of different rules may overlap."""
        document = reading.document
        identified = list(self._personal(reading))
        # Of what a part may stay the rule for its kind decides, not the place that a ZIP code names.
        parted = Taken([(mark.start, mark.end) for mark in identified if mark.entity in self._parted])
        named_marks = [mark for mark in self._named(reading) if not parted.touches(mark.start, mark.end)]
        # A place that is protected by name as well becomes what lies around it: Boston, Massachusetts.
        spans = {(mark.start, mark.end) for mark in named_marks}
        identified = [mark for mark in identified if mark.entity != GEOGRAPHY or (mark.start, mark.end) not in spans]
        found = [*named_marks, *identified, *self._on_the_list(document)]
        if self._allowed:
            found = [mark for mark in found if names.key(document.text[mark.start : mark.end]) not in self._allowed]
        return sorted(found, key=lambda mark: (mark.start, mark.end, mark.rule, mark.entity))

    def _named(self, reading: Reading) -> Iterator[Disclosure]:
        hits = named(reading, self.guard, self.sensitive.is_protected, self._protected)
        reading.named = frozenset((hit.mention.start, hit.mention.end) for hit in hits)
        for hit in hits:
            if self.policy.negated == "keep" and hit.mention.status is Status.NEGATED:
                continue
            for entity in self.sensitive.entities(hit.sense):
                because = f"names {hit.sense.concept.name}, which is protected as {entity.entity}"
                yield Disclosure(hit.mention.start, hit.mention.end, Rule.NAMING, entity.entity, because, sense=hit.sense)

    def _personal(self, reading: Reading) -> Iterator[Disclosure]:
        for found in personal(reading, self.policy.identifiers, self.geography):
            write = self._written.get(found.kind, found.write)
            yield Disclosure(found.start, found.end, Rule.IDENTIFIER, found.kind, found.because, write=write)

    def _on_the_list(self, document: Document) -> Iterator[Disclosure]:
        if self._denied is None:
            return
        reasons = {names.key(item.term): item for item in self.policy.deny}
        for mention in self._denied.find(document):
            item = reasons[names.key(mention.senses[0].concept.name)]
            yield Disclosure(mention.start, mention.end, Rule.DENY, item.entity or "", item.because)


def _listed(policy: Policy) -> OntologyStack:
    """The terms that are always hidden, as an ontology, so that they are found like any other names."""
    records = Records("policy")
    for item in policy.deny:
        records.name(records.concept(f"deny:{item.term}"), item.term, Scope.PREFERRED)
    return OntologyStack([Ontology.from_records(records)])
