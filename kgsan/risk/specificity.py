"""What says more than anything may, whatever it is about (Detecting sensitive information from textual documents, eq. 3)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from kgsan.knowledge.information import information, reaches
from kgsan.ontology import names
from kgsan.policy.meaning import meanings_of
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.text.index import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.knowledge.combined import CombinedKnowledge
    from kgsan.ontology.information import Bits
    from kgsan.policy.policy import Policy
    from kgsan.risk.reading import Reading
    from kgsan.risk.terms import Term


class Specificity:
    """The limit of a policy on what any term may say. Made once; safe to share between threads.

    A policy that gives a term as its limit names the last one that may stay: it and its synonyms do.
    """

    def __init__(self, policy: Policy, knowledge: CombinedKnowledge) -> None:
        self._source = knowledge.sources[0]
        wanted = policy.too_specific_above
        self._exempt: frozenset[str] = frozenset()
        self.limit: Bits | None = None
        self._unknown_too = policy.unknown_names == "redact" or wanted is not None
        if isinstance(wanted, str):
            meanings = meanings_of(wanted, knowledge.stack)
            called = [name.text for one in meanings for name in knowledge.stack[one.ontology].names(one.concept)]
            self._exempt = frozenset(names.key(name) for name in (wanted, *called))
            self.limit = information(self._source, wanted)
        elif wanted is not None:
            self.limit = float(wanted)

    def find(self, reading: Reading, found: list[Term]) -> Iterator[Disclosure]:
        """The terms of a text that say too much, and the names of which nothing is known where those may not stay."""
        document = reading.document
        for term in found if self.limit is not None else ():
            if not self.allows(term.name) and (said := self.said(term.name)) is not None:
                because = f"says {said:.1f} bits, and {self.limit:.1f} are too many"
                yield Disclosure(term.start, term.end, Rule.SPECIFICITY, "", because)
        for name in document.proper_names if self._unknown_too else ():
            if not self._source.count(document.text[name.start : name.end]):
                because = f"is the name of a {name.kind} that nothing is known of"
                yield Disclosure(name.start, name.end, Rule.SPECIFICITY, "", because)

    def said(self, name: str) -> Bits | None:
        """What a term says. One that was never seen says at least what the rarest of its known parts says: it holds them all."""
        if known := information(self._source, name):
            return known
        words = names.words(name)[-LONGEST:]
        parts = (" ".join(words[start:end]) for start, end in combinations(range(len(words) + 1), 2))
        bits = (information(self._source, part) for part in parts if names.key(part) not in self._exempt)
        return max((known for known in bits if known is not None), default=None)

    def allows(self, name: str) -> bool:
        """Whether a name says little enough to be written."""
        if self.limit is None or names.key(name) in self._exempt:
            return True
        said = self.said(name)
        return said is not None and not reaches(said, self.limit)
