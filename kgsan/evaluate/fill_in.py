"""An attacker who sees that something was replaced and guesses what stood there, from what still stands around it.

Where a more general word stands, the guesses are what specializes it; where nothing is said, what the policy protects. They are
ranked by the information that they share with the terms of the same paragraph, added up.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kgsan.evaluate.alignment import differences
from kgsan.evaluate.chances import Candidates, evidence
from kgsan.ontology import names
from kgsan.sources.records import Scope
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.knowledge.knowledge import Term
    from kgsan.ontology.ontology import Concept
    from kgsan.risk.detecting import Found
    from kgsan.risk.terms import Term as Spoken
    from kgsan.sanitize.sanitizer import Sanitizer

#: So many guesses are weighed, the most common; and so many count as a good try.
_MOST, TRIES = 1000, 10
#: No term is longer.
_REACH = 400


@dataclass(frozen=True, slots=True)
class FilledIn:
    """One place that was replaced: where it stands now, and the best guesses."""

    start: int
    end: int
    guesses: tuple[str, ...] = field(repr=False)  #: the likeliest first
    rank: int | None = None  #: of what stood there; None when it is not among the guesses
    stood: tuple[str, ...] = field(default=(), repr=False)


class FillInAttacker:
    """A policy's ontologies and knowledge, ready to guess. Made once; then applied to any number of texts."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        self._detector = sanitizer.detector
        self._stack = sanitizer.detector.stack
        self._source = sanitizer.knowledge.sources[0]
        self._below: dict[tuple[int, int], Candidates] = {}
        self._protected: Candidates | None = None

    def attack(self, original: str, released: str) -> list[FilledIn]:
        """Every place in which a released text differs from its original."""
        changed = differences(original, released)
        if not changed:
            return []
        new, old = self._detector.find(Document(released)), self._detector.find(Document(original))
        written = [(one.new_start, one.new_end) for one in changed]
        context, stands, stood_there = _Context(new, written), _Standing(new), _Standing(old)
        found = []
        for one in changed:
            if one.start == one.end:
                continue
            candidates = self._candidates(stands.inside(one.new_start, one.new_end))
            stood = [term.name for term in stood_there.inside(one.start, one.end)] or [original[one.start : one.end]]
            told = candidates.shared_information(evidence(self._source, context.around(one.new_start)))
            order = np.argsort(-told, kind="stable").tolist()
            guesses = [candidates.terms[number] for number in order]
            found.append(
                FilledIn(one.new_start, one.new_end, tuple(map(_name, guesses[:TRIES])), self._rank(guesses, stood), tuple(stood))
            )
        return found

    def _candidates(self, terms: Sequence[Spoken]) -> Candidates:
        """What specializes the concepts that are named at a place; where none is, all that the policy protects."""
        named = [sense for term in terms if term.mention for sense in term.mention.senses[:1]]
        if not named:
            if self._protected is None:
                self._protected = Candidates.among(self._source, self._members(), most=_MOST)
            return self._protected
        key = named[-1].ontology, named[-1].concept.number
        if key not in self._below:
            below = self._specializations(names.key(named[-1].concept.name))
            self._below[key] = Candidates.among(self._source, below, most=_MOST)
        return self._below[key]

    def _specializations(self, name: str) -> list[Term]:
        """What is below a name in any of the ontologies, each name once."""
        found: dict[str, Concept] = {}
        for ontology, concepts in self._stack.find_all(name):
            for concept in ontology.specializations(concepts[0]):
                found.setdefault(names.key(concept.name), concept)
        return list(found.values())

    def _members(self) -> Iterator[Term]:
        sensitive = self._detector.sensitive
        for index in range(len(sensitive.policy.protect)):
            for place, numbers in enumerate(sensitive.concepts(index)):
                yield from map(self._stack[place].concept, numbers.tolist())

    def _rank(self, guesses: Sequence[Term], stood: Sequence[str]) -> int | None:
        """Of the first guess that means what stood there."""
        wanted = {names.key(name) for name in stood}
        meant = {
            concept.id
            for name in stood
            for ontology in self._stack
            for concept, sense in ontology.senses(name)
            if sense.scope <= Scope.EXACT
        }
        for number, guess in enumerate(guesses, 1):
            if names.key(_name(guess)) in wanted or (not isinstance(guess, str) and getattr(guess, "id", None) in meant):
                return number
        return None


class _Context:
    """The terms of a released text that stand around a place, without what was written there."""

    def __init__(self, found: Found, written: Sequence[tuple[int, int]]) -> None:
        self._paragraphs = found.reading.document.paragraphs
        self._begins = [span.start for span in self._paragraphs]
        taken = sorted(written)
        ends = [end for _, end in taken]

        def is_written(start: int, end: int) -> bool:
            at = bisect_right(ends, start)
            return at < len(taken) and taken[at][0] < end

        self._terms = [term for term in found.every_term if not is_written(term.start, term.end)]
        self._starts = [term.start for term in self._terms]

    def around(self, place: int) -> list[str]:
        """The terms of the paragraph in which a place is."""
        at = bisect_right(self._begins, place) - 1
        if at < 0:
            return [term.name for term in self._terms]
        span = self._paragraphs[at]
        first, behind = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end)
        return [term.name for term in self._terms[first:behind]]


class _Standing:
    """The terms of a text, to be asked by place."""

    def __init__(self, found: Found) -> None:
        self._terms = found.every_term
        self._starts = [term.start for term in self._terms]

    def inside(self, start: int, end: int) -> list[Spoken]:
        """Those that lie in a part of the text, if only with a letter."""
        first, behind = bisect_left(self._starts, start - _REACH), bisect_left(self._starts, end)
        return [term for term in self._terms[first:behind] if term.end > start]


def _name(term: Term) -> str:
    return term if isinstance(term, str) else term.name
