"""A text as the published methods read it: a sequence of terms, what generalizes each, and words for what they put there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgsan.ontology import names
from kgsan.ontology.ontology import Concept
from kgsan.risk import terms as reading_terms
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.chains import Generalizations
from kgsan.sanitize.ladder import Rung
from kgsan.sources.records import Scope
from kgsan.text.cues import Status
from kgsan.text.everyday import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kgsan.knowledge.knowledge import Term
    from kgsan.risk.detecting import Detector
    from kgsan.sanitize.chains import Counts
    from kgsan.text.document import Document, NounPhrase
    from kgsan.text.mentions import Mention, Sense

    Place = tuple[int, int]


def united(spans: Iterable[Place]) -> list[Place]:
    """The same places as stretches in order that do not touch.

    >>> united([(5, 9), (0, 2), (1, 3), (9, 10)])
    [(0, 3), (5, 10)]
    """
    found: list[Place] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A term, and where it stands."""

    start: int
    end: int
    term: Term = field(repr=False)


class Spoken:
    """One text under one policy, for one knowledge: the terms in it and the words that may take their place."""

    def __init__(self, detector: Detector, may_be_said: Callable[[Rung], bool], knowledge: Counts, document: Document) -> None:
        self.document = document
        self.knowledge = knowledge
        self.reading = detector.marker.read(document)
        self._policy = detector.policy
        self._may_be_said = may_be_said
        self._generalizations = Generalizations(detector.stack, knowledge, may_be_said)
        self._sensitive = detector.sensitive
        self._stack = detector.stack
        self._allowed = frozenset(names.key(waiver.term) for waiver in self._policy.allow)
        self._mentions = {(mention.start, mention.end): mention for mention in self.reading.every}
        self.marks = [
            replace(mark, start=self._trimmed(mark.start, mark.end)) if mark.rule is Rule.NAMING else mark
            for mark in detector.marker.mark(self.reading)
        ]
        self._spellings: dict[str, str] = {}
        self._terms: dict[Place, Term] = {}
        self._origins: dict[Term, Mention] = {}  #: where a term was first met as the name of something
        self._phrases: dict[Term, NounPhrase] = {}  #: where it was first met as a phrase
        self._meant_by: dict[Term, dict[int, int]] = {}

    def __repr__(self) -> str:
        return f"<Spoken of {self.document!r}>"

    # --- terms -----------------------------------------------------------------------------------------------------------

    def terms(self, hidden: Sequence[Place] = ()) -> list[Occurrence]:
        """Names of concepts and noun phrases, in order, without what is hidden already; of a broken one the rest stays."""
        found = reading_terms.terms(self.reading, lambda name: bool(self.knowledge.count(name)))
        starts = [term.start if term.phrase is not None else self._trimmed(term.start, term.end) for term in found]
        return [
            one for start, term in zip(starts, found, strict=True) for one in self._outside(start, term.end, term.phrase, hidden)
        ]

    def noun_phrases(self, hidden: Sequence[Place] = ()) -> list[Occurrence]:
        """The noun phrases alone."""
        return [one for phrase in self.document.noun_phrases for one in self._outside(phrase.start, phrase.end, phrase, hidden)]

    def named(self, hidden: Sequence[Place] = ()) -> dict[Occurrence, tuple[Disclosure, ...]]:
        """What names a protected entity and is not hidden already, in order, with the marks that say so."""
        found: dict[Occurrence, tuple[Disclosure, ...]] = {}
        for mark in self.marks:
            if mark.rule is not Rule.NAMING or mark.sense is None:
                continue
            at = bisect_left(hidden, mark.start, key=lambda span: span[1] - 1)
            if at == len(hidden) or not (hidden[at][0] <= mark.start and mark.end <= hidden[at][1]):
                one = Occurrence(mark.start, mark.end, self.term(mark.start, mark.end, meaning=mark.sense.concept))
                found[one] = (*found.get(one, ()), mark)
        return found

    def phrases_over(self, inside: Iterable[Occurrence]) -> dict[Occurrence, list[Occurrence]]:
        """The noun phrases that hold some terms, with those they hold; a term in no phrase stands for itself."""
        phrases = self.document.noun_phrases
        found: dict[Occurrence, list[Occurrence]] = {}
        for one in inside:
            at = bisect_right(phrases, one.start, key=lambda phrase: phrase.start) - 1
            phrase = phrases[at] if at >= 0 and one.end <= phrases[at].end else None
            if phrase is None or (phrase.start, phrase.end) == (one.start, one.end):
                found.setdefault(one, []).append(one)
            else:
                whole = Occurrence(phrase.start, phrase.end, self.term(phrase.start, phrase.end, phrase))
                found.setdefault(whole, []).append(one)
        return found

    def _outside(self, start: int, end: int, phrase: NounPhrase | None, hidden: Sequence[Place]) -> Iterator[Occurrence]:
        """What of a stretch lies outside of some others, which are in order and do not overlap."""
        at = bisect_left(hidden, start, key=lambda span: span[1] - 1)
        broken = at < len(hidden) and hidden[at][0] < end
        while at < len(hidden) and hidden[at][0] < end:
            yield from self._stretch(start, hidden[at][0])
            start = hidden[at][1]
            at += 1
        if broken:
            yield from self._stretch(start, end)
        elif (one := self.at(start, end, phrase)) is not None:
            yield one

    def _stretch(self, start: int, end: int) -> Iterator[Occurrence]:
        """The whole words between two places, as a term, if there are any."""
        first, behind = self.document.token_at(start), self.document.token_at(max(start, end - 1)) + 1
        starts, ends, words = self.document.token_starts, self.document.token_ends, self.document.words
        while first < behind and (first >= len(words) or int(starts[first]) < start or not words[first][:1].isalnum()):
            first += 1
        while first < behind and (behind > len(words) or int(ends[behind - 1]) > end or not words[behind - 1][:1].isalnum()):
            behind -= 1
        if first < behind and (one := self.at(int(starts[first]), int(ends[behind - 1]))) is not None:
            yield one

    def at(self, start: int, end: int, phrase: NounPhrase | None = None) -> Occurrence | None:
        """What a part of the text says; None for what the policy lets stay."""
        mention = self._mentions.get((start, end))
        if names.key(self._read(start, end)) in self._allowed or (mention is not None and self._may_stay(mention)):
            return None
        return Occurrence(start, end, self.term(start, end, phrase))

    def term(self, start: int, end: int, phrase: NounPhrase | None = None, meaning: Concept | None = None) -> Term:
        """A part of the text as a term: a concept where its name means one that has been counted, else the name.

        A `meaning` that is given is taken, counted or not.
        """
        mention = self._mentions.get((start, end))
        term = self._terms.get((start, end)) if meaning is None or self.knowledge.as_written else meaning
        if term is None:
            term = self._terms[start, end] = self._meant(self._read(start, end), mention)
        if mention is not None:
            self._origins.setdefault(term, mention)
        if phrase is not None:
            self._phrases.setdefault(term, phrase)
        return term

    def _meant(self, name: str, mention: Mention | None) -> Term:
        spelling = self._spellings.setdefault(names.key(name) or name, name)
        if mention is None or self.knowledge.as_written:
            return spelling
        sense = self._sense(mention)
        return spelling if sense is None or not self.knowledge.count(sense.concept) else sense.concept

    def _sense(self, mention: Mention) -> Sense | None:
        """What a name means: the only meaning it has where it is first known. Of several, protected ones among them, the
        context decides; else none is taken, since what was counted under a name was counted for all it means.
        """
        first, *others = mention.senses
        if first.name.scope <= Scope.EXACT and not any(other.ontology == first.ontology for other in others):
            return first
        if not any(map(self._sensitive.is_protected, mention.senses)):
            return None
        return next((sense for sense in mention.senses if self._is_meant(mention, sense)), None)

    def _is_meant(self, mention: Mention, sense: Sense) -> bool:
        return self.reading.senses.verdict(mention, sense).counts

    def _read(self, start: int, end: int) -> str:
        """The words of a part of the text as they are read."""
        document = self.document
        first, last = document.token_at(start), document.token_at(end - 1)
        if last >= len(document.words):
            return " ".join(document.text[start:end].split())
        return " ".join(document.plain[int(document.token_places[first, 0]) : int(document.token_places[last, 1])].split())

    def _may_stay(self, mention: Mention) -> bool:
        return (
            self._policy.negated == "keep"
            and mention.status is Status.NEGATED
            and any(map(self._sensitive.is_protected, mention.senses))
        )

    def _trimmed(self, start: int, end: int) -> int:
        """Where a name begins without words of grammar before it: of "has HIV" the verb stays."""
        document = self.document
        first, last = document.token_at(start), document.token_at(end - 1)
        while first < last < len(document.words) and document.words[first].lower() in FUNCTION_WORDS:
            first += 1
        trimmed = max(start, int(document.token_starts[first])) if first < len(document.words) else start
        if trimmed > start and (start, end) in self._mentions:
            self._mentions.setdefault((trimmed, end), self._mentions[start, end])
        return trimmed

    # --- what may take their place ---------------------------------------------------------------------------------------

    def chain(self, term: Term) -> Sequence[Term]:
        """The generalizations of a term that may be said, ontology by ontology, the most specific first."""
        return self._generalizations.of(self._meanings(term))

    def _meanings(self, term: Term) -> dict[int, int]:
        """The concept that a term means in each ontology that knows it: the likeliest that the context lets it mean."""
        if term not in self._meant_by:
            found: dict[int, int] = {}
            mention = self._origins.get(term)
            if isinstance(term, Concept):
                place = self._stack.ontologies.index(self._stack.home(term))
                found[place] = self._stack[place].number(term)
            if mention is not None:
                for sense in mention.senses:
                    if sense.ontology not in found and self._is_meant(mention, sense):
                        found[sense.ontology] = sense.concept.number
            self._meant_by[term] = found
        return self._meant_by[term]

    def shorter(self, term: Term) -> list[Term]:
        """A phrase without its leftmost words, the longest form first; what names something protected is left out."""
        return [form for form in self.parts(term) if self._may_be_said(Rung(str(form)))]

    def parts(self, term: Term) -> list[Term]:
        """A phrase without its leftmost words, whatever they say."""
        phrase = self._phrases.get(term)
        found: list[Term] = []
        for part in () if phrase is None else self.document.shortened(phrase):
            name = self._read(part.start, part.end)
            form = self._spellings.setdefault(names.key(name), name)
            mention = self._mentions.get((part.start, part.end))
            if mention is not None:
                self._origins.setdefault(form, mention)
            found.append(form)
        return found

    def rung(self, term: Term) -> Rung:
        """The words in which a term is said."""
        return self._generalizations.rungs.get(term) or Rung(term if isinstance(term, str) else term.name)

    def label(self, name: str) -> Concept | None:
        """The concept that a label of another tool names; None when none does, or when it would tell what must not show."""
        found = self._stack.find(name)
        if not found:
            return None
        place = self._stack.ontologies.index(self._stack.home(found[0]))
        if any(entity.hide == "that" for entity in self._sensitive.entities_of(place, found[0].number)):
            return None
        self._generalizations.rungs.setdefault(found[0], Rung(found[0].name, found[0], place))
        return found[0]
