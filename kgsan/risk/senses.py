"""What an ambiguous name means where it stands: "crack" the drug, or in the wall.

A name that its ontology marks as ambiguous counts as a concept only when the words around it speak for that concept, and no
less than for any other the name may mean. A name that is not so marked counts unless they speak for another. What spoke,
where and how much is kept for the explanation.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from kgsan.ontology import names
from kgsan.risk.kin import A_PERSON, CUE, Kinship, Speaks
from kgsan.sources.records import Scope
from kgsan.text.everyday import everyday_words
from kgsan.text.index import capitals_needed
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.ontology.ontology import Concept
    from kgsan.ontology.stack import OntologyStack
    from kgsan.text.document import Document
    from kgsan.text.mentions import Mention, Sense

#: An ambiguous name needs so much support: one clear word in its sentence or paragraph, or two elsewhere in the text. The more
#: often its word is used otherwise, the more: up to these ranks among everyday words.
ENOUGH = 0.5
_EVERYDAY = ((1000, 0.6),)
#: What a word counts by where it stands.
_SENTENCE, _PARAGRAPH, _DOCUMENT = 1.0, 0.6, 0.25
#: How many mentions before and behind are looked at.
_NEAR = 40
#: A cue so many words before the name governs it: "treated for crabs". What a name counts that is not written or used as it
#: should be.
_GOVERNS = 3
_OTHERWISE = 0.6
#: A name tells something of a concept from this share of what the concept says; below, it is chance.
_TELLING = 0.3
#: Tags under which a noun of an ontology does not stand.
_NOT_A_NOUN = frozenset(
    i for i, tag in enumerate(TAGS) if tag.startswith(("VB", "MD", "IN", "RB", "DT", "PRP", "WDT", "CC", "TO"))
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One word that speaks for a sense: where it stands, how, through which concept or relation, and how much it counts."""

    start: int
    end: int
    speaks: Speaks
    through: str = field(repr=False)
    weight: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a mention counts as a concept, and why."""

    counts: bool
    ambiguous: bool  #: whether it had to be asked at all
    support: float
    rival_support: float
    evidence: tuple[Evidence, ...] = ()
    rival: str = field(default="", repr=False)  #: the id of the concept that else is meant
    rival_evidence: tuple[Evidence, ...] = ()


class Counts(Protocol):
    """What the guard asks of knowledge: in how many contexts all of these terms occur; None when it cannot say."""

    contexts: int

    def count(self, *terms: str | Concept) -> int | None: ...


class SenseGuard(Kinship):
    """Judges senses by the ontologies of a stack and, when given, by knowledge. Safe to share between threads."""

    def __init__(self, stack: OntologyStack, knowledge: Counts | None = None) -> None:
        super().__init__(stack)
        self.knowledge = knowledge

    def read(self, document: Document, mentions: Sequence[Mention]) -> SenseReader:
        """The guard at work on one text, whose mentions are given in order."""
        return SenseReader(self, document, mentions)


class SenseReader:
    """The guard at work on one text."""

    def __init__(self, guard: SenseGuard, document: Document, mentions: Sequence[Mention]) -> None:
        self._guard = guard
        self._document = document
        self._mentions = mentions
        self._starts = [mention.start for mention in mentions]

    def verdict(self, mention: Mention, sense: Sense) -> Verdict:
        """Whether a mention counts in one of its senses."""
        kin, rivals = self._meanings(sense, mention)
        # A dictionary's second meaning is no first guess. Else the first ontology that knows the name decides.
        decisive = min(kin, key=lambda one: (one.ontology, one.name.scope))
        marked = decisive.name.scope > Scope.EXACT or sense.name.rank > 0 or self._is_shouted(mention, sense)
        if not marked and not rivals:
            return Verdict(True, False, 0.0, 0.0)
        near = self._near(mention)
        evidence = max((self._evidence(mention, other, near) for other in kin), key=_total)
        rival = ""
        rival_evidence: tuple[Evidence, ...] = ()
        for other in rivals:
            found = self._evidence(mention, other, near)
            if _total(found) > _total(rival_evidence):
                rival, rival_evidence = other.concept.id, found
        if marked and self._is_written_otherwise(mention, sense):
            rival_evidence += (Evidence(mention.start, mention.end, Speaks.CAPITAL, sense.concept.id, _OTHERWISE),)
        if marked and self._is_no_noun(mention):
            rival_evidence += (Evidence(mention.start, mention.end, Speaks.GRAMMAR, sense.concept.id, _OTHERWISE),)
        support, against = _total(evidence), _total(rival_evidence)
        counts = support >= max(self._enough(mention), against) if marked else support >= against or against < ENOUGH
        return Verdict(counts, True, support, against, evidence, rival, rival_evidence)

    def _enough(self, mention: Mention) -> float:
        words = names.words(self._document.text[mention.start : mention.end])
        rank = everyday_words().get(words[0].lower()) if len(words) == 1 and not names.is_acronym(words[0]) else None
        return ENOUGH if rank is None else next((needed for least, needed in _EVERYDAY if rank < least), ENOUGH)

    def _meanings(self, own: Sense, mention: Mention) -> tuple[list[Sense], list[Sense]]:
        """The senses that mean the same thing as one of them, and those that mean another.

        Another meaning is a sense of the same ontology or of a dictionary that is not near of kin. Vocabularies of a
        field do not speak of other fields: what they call by this name is taken for the same.
        """
        stack, guard = self._guard.stack, self._guard
        called = {names.key(name.text) for name in stack[own.ontology].names(own.concept)}
        same: list[Sense] = [own]
        others: list[Sense] = []
        for sense in mention.senses:
            if sense == own:
                continue
            if sense.ontology == own.ontology:
                known = guard.family(own.ontology, own.concept.number).get(sense.concept.number)
                (others if known is None else same).append(sense)
            elif not guard.is_dictionary(sense.ontology):
                same.append(sense)
            else:
                shared = called & {names.key(name.text) for name in stack[sense.ontology].names(sense.concept)}
                (same if len(shared) > 1 else others).append(sense)
        return same, [sense for sense in others if not any(self._are_kin(sense, friend) for friend in same)]

    def _are_kin(self, one: Sense, other: Sense) -> bool:
        return one.ontology == other.ontology and other.concept.number in self._guard.family(one.ontology, one.concept.number)

    def _is_no_noun(self, mention: Mention) -> bool:
        """Whether a noun of a dictionary is used as a verb or particle here: "to crack", "they clap"."""
        first = self._document.token_at(mention.start)
        whole = first < len(self._document.words) and int(self._document.token_ends[first]) >= mention.end
        known = any(self._guard.is_dictionary(sense.ontology) for sense in mention.senses)
        shouted = self._document.text[mention.start : mention.end].isupper()  # taggers know little of capitals
        return whole and known and not shouted and int(self._document.tags[first]) in _NOT_A_NOUN

    def _is_shouted(self, mention: Mention, sense: Sense) -> bool:
        """Whether everything around is in capitals too, so that they do not tell an acronym from a word: VISUAL AIDS."""
        if not capitals_needed(names.words(sense.name.text)):
            return False
        words = [word for word in self._words_of_sentence(mention) if word.isalpha() and len(word) > 1]
        return len(words) > 2 and sum(map(str.isupper, words)) > 0.8 * len(words)

    def _is_written_otherwise(self, mention: Mention, sense: Sense) -> bool:
        """Whether a name has a capital here and none in the ontology, or the other way round: Coke, polish."""
        written = self._document.text[mention.start : mention.end]
        if not written[0].isalpha() or written.isupper() or written[0].isupper() == sense.name.text[0].isupper():
            return False
        words = [word for word in self._words_of_sentence(mention) if word.isalpha()]
        begins = _span_at(self._document.sentences, mention.start)[0] >= mention.start - 1
        title = sum(word[0].isupper() for word in words) > 0.5 * len(words)
        return not begins and not title

    def _words_of_sentence(self, mention: Mention) -> list[str]:
        at = self._document.token_at(mention.start)
        sentence = _span_at(self._document.sentences, mention.start)
        starts, words = self._document.token_starts, self._document.words
        near = range(max(0, at - _NEAR), min(len(words), at + _NEAR))
        return [words[i] for i in near if sentence[0] <= starts[i] < sentence[1]]

    # --- what speaks for a sense -------------------------------------------------------------------------------------

    def _evidence(self, mention: Mention, sense: Sense, near: list[tuple[Mention, float]]) -> tuple[Evidence, ...]:
        """The words that speak for a sense, each distinct word once, the weightiest first."""
        best: dict[str, Evidence] = {}
        found = (
            *(
                self._by_concepts(place, number, near)
                for place, number in self._guard.counterparts(sense.ontology, sense.concept.number)
            ),
            self._by_label(mention, sense, near),
            self._by_cues(mention, sense, near),
            self._by_knowledge(sense, near),
        )
        for evidence, word in chain.from_iterable(found):
            if word not in best or best[word].weight < evidence.weight:
                best[word] = evidence
        if _total(tuple(best.values())) < ENOUGH:
            best.update((str(evidence.start), evidence) for evidence in self._elsewhere(mention, sense))
        return tuple(sorted(best.values(), key=lambda e: (-e.weight, e.start)))

    def _near(self, mention: Mention) -> list[tuple[Mention, float]]:
        """The other mentions of the paragraph, each with what its place counts."""
        sentence = _span_at(self._document.sentences, mention.start)
        paragraph = _span_at(self._document.paragraphs, mention.start)
        own = self._written(mention)
        at = bisect_left(self._starts, mention.start)
        found = []
        for i in range(max(0, at - _NEAR), min(len(self._mentions), at + _NEAR + 1)):
            other = self._mentions[i]
            overlaps = other.start < mention.end and mention.start < other.end
            if not overlaps and paragraph[0] <= other.start < paragraph[1] and self._written(other) != own:
                found.append((other, _SENTENCE if sentence[0] <= other.start < sentence[1] else _PARAGRAPH))
        return found

    def _by_concepts(self, place: int, number: int, near: list[tuple[Mention, float]]) -> Iterator[tuple[Evidence, str]]:
        family = self._guard.family(place, number)
        for other, nearness in near:
            for meant in other.senses:
                if meant.ontology == place and (known := family.get(meant.concept.number)) is not None:
                    weight, speaks, through = known
                    weight *= nearness * _quality(meant)
                    if weight:
                        yield Evidence(other.start, other.end, speaks, through or meant.concept.id, weight), self._written(other)

    def _by_label(self, mention: Mention, sense: Sense, near: list[tuple[Mention, float]]) -> Iterator[tuple[Evidence, str]]:
        """A label directly before: "Religion: Friend", where anything more general announces it."""
        ontology = self._guard.stack[sense.ontology]
        for other, _ in near:
            if other.end <= mention.start and self._document.text[other.end : mention.start].strip() == ":":
                for meant in other.senses:
                    if meant.ontology == sense.ontology and ontology.generalizes(meant.concept, sense.concept):
                        yield Evidence(other.start, other.end, Speaks.LABEL, meant.concept.id, 1.0), self._written(other)

    def _by_cues(self, mention: Mention, sense: Sense, near: list[tuple[Mention, float]]) -> Iterator[tuple[Evidence, str]]:
        cues = self._guard.cues(sense.ontology, sense.concept.number)
        if not cues:
            return
        sentence = _span_at(self._document.sentences, mention.start)
        starts, words = self._document.token_starts, self._document.words
        first, last = self._document.token_at(mention.start), self._document.token_at(mention.end - 1)
        for i in range(max(0, first - _NEAR), min(len(words), last + _NEAR)):
            if (i < first or i > last) and sentence[0] <= starts[i] < sentence[1]:
                word = names.key(words[i])
                if (weight := cues.get(word)) is not None:
                    weight = CUE if 0 < first - i <= _GOVERNS else weight
                    start, end = int(starts[i]), int(self._document.token_ends[i])
                    yield Evidence(start, end, Speaks.CUE, sense.concept.id, weight), word
        if A_PERSON in cues:
            for other, _ in near:
                if 0 <= other.start - mention.end <= 1 and self._guard.is_person(other):
                    yield Evidence(other.start, other.end, Speaks.PERSON, sense.concept.id, CUE), self._written(other)

    def _by_knowledge(self, sense: Sense, near: list[tuple[Mention, float]]) -> Iterator[tuple[Evidence, str]]:
        """Names near by that occur with the concept more often than by chance, as a share of what the concept says."""
        knowledge = self._guard.knowledge
        if knowledge is None or not (total := knowledge.count(sense.concept)) or total >= knowledge.contexts:
            return
        information = math.log2(knowledge.contexts / total)
        for other, place in near:
            written = self._written(other)
            alone, together = knowledge.count(written), knowledge.count(sense.concept, written)
            if alone and together and together > 1:
                share = 1 + math.log2(together / alone) / information
                if share >= _TELLING:
                    yield Evidence(other.start, other.end, Speaks.KNOWLEDGE, sense.concept.id, share * place), written

    def _elsewhere(self, mention: Mention, sense: Sense) -> list[Evidence]:
        """Unambiguous names of the family anywhere in the text: little each, but a text has its subject."""
        family = self._guard.family(sense.ontology, sense.concept.number)
        named = self._unambiguous[sense.ontology]
        found = []
        for number in named.keys() & family.keys():
            weight, speaks, through = family[number]
            start, end = named[number]
            if weight >= 0.5 and (end <= mention.start or mention.end <= start):
                found.append(Evidence(start, end, speaks, through or sense.concept.id, _DOCUMENT))
        return sorted(found, key=lambda e: e.start)[:4]

    @cached_property
    def _unambiguous(self) -> dict[int, dict[int, tuple[int, int]]]:
        """For each ontology the concepts that the text names without doubt, and where first."""
        found: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
        for mention in self._mentions:
            for sense in mention.senses:
                if _quality(sense) == 1.0:
                    found[sense.ontology].setdefault(sense.concept.number, (mention.start, mention.end))
        return found

    def _written(self, mention: Mention) -> str:
        return names.key(self._document.text[mention.start : mention.end])


def _quality(sense: Sense) -> float:
    """How surely a name means its concept without being asked; one ambiguous name does not speak for another."""
    if sense.name.scope is Scope.AMBIGUOUS:
        return 0.0
    return 1.0 if sense.name.scope <= Scope.EXACT and sense.name.rank == 0 else 0.5


def _total(evidence: Sequence[Evidence]) -> float:
    return round(sum(one.weight for one in evidence), 9)


def _span_at(spans: Sequence[tuple[int, int]], place: int) -> tuple[int, int]:
    """The span that holds a place, or the nearest before it."""
    at = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return spans[max(at, 0)] if spans else (0, 0)
