"""The published methods applied to texts: each decides as its authors say, on plain estimates, and promises what they do.

What a policy hides by pattern (its identifiers) and by list (`deny`) is hidden first, whatever the method. Nothing is verified
on the finished text; that is what the engine is for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING

from kgsan.errors import Place, PolicyError, Problem
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import disclosure, information, reaches
from kgsan.knowledge.taxonomy import TaxonomyKnowledge
from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.risk.inference import Guarded, because
from kgsan.sanitize.chains import Counts
from kgsan.sanitize.correlation import correlation, replaced, second_pass
from kgsan.sanitize.finishing import finished
from kgsan.sanitize.first_pass import first_pass, places
from kgsan.sanitize.ladder import _EMPTY, _HEADING, _LONGEST
from kgsan.sanitize.published import csan, first_safe, health, spec
from kgsan.sanitize.published.corr import Strategy, Touched, least_informative_term
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.spoken import Spoken, united
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.knowledge.knowledge import Knowledge, Term, Topic
    from kgsan.ontology.information import Bits
    from kgsan.sanitize.correlation import Limit
    from kgsan.sanitize.finishing import Hidden
    from kgsan.sanitize.first_pass import Marked
    from kgsan.sanitize.ladder import Rung
    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer
    from kgsan.sanitize.spoken import Occurrence
    from kgsan.text.foreign import ForeignSpan

#: What a policy hides before any method looks at the text, and what it hides as a first pass of its own.
_BEFOREHAND = frozenset({Rule.IDENTIFIER, Rule.DENY})
_BY_POLICY = _BEFOREHAND | {Rule.NAMING, Rule.SPECIFICITY}
_SAME = "is called the same as what is protected elsewhere in the text"


def published(
    sanitizer: Sanitizer,
    text: str,
    spans: Sequence[ForeignSpan] = (),
    *,
    strategy: Strategy = Strategy.S5,
    threshold: Limit = least_informative_term,
) -> SanitizedDocument:
    """The text after the published method that the policy names; `spans` are those of a first pass."""
    return PublishedMethod(sanitizer).sanitize(text, spans, strategy=strategy, threshold=threshold)


class PublishedMethod:
    """A published method under one policy. Made once, then applied to any number of texts; safe to share between threads."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        assert sanitizer.policy.method in ("csan", "corr", "health", "spec")
        self.sanitizer = sanitizer
        self.policy = sanitizer.policy
        self.may_be_said = lru_cache(maxsize=1 << 12)(self._may_be_said)

    def __repr__(self) -> str:
        return f"<PublishedMethod {self.policy.method} for {self.policy.name}>"

    def sanitize(
        self,
        text: str,
        spans: Sequence[ForeignSpan] = (),
        *,
        strategy: Strategy = Strategy.S5,
        threshold: Limit = least_informative_term,
    ) -> SanitizedDocument:
        """The text after the method. Strategy and threshold are those of CORR; a sanitizer that redacts wants its S3.

        Raises `NotSafe`, and gives nothing, when no more general word is safe and the policy stops there.
        """
        hidden: list[Hidden]
        method, by_names, redact = self.policy.method, self.policy.method == "spec", self.sanitizer.redact
        strategy = Strategy.S3 if redact else strategy
        spoken = Spoken(self.sanitizer.detector, self.may_be_said, Counts(self.knowledge, as_written=by_names), Document(text))
        rules = _BY_POLICY if method == "corr" and not spans else _BEFOREHAND
        generalize = method != "corr" or strategy in (Strategy.S2, Strategy.S5)
        first = first_pass(spoken, spans, rules, generalize=generalize)
        match method:
            case "csan":
                hidden = [*(one.hidden for one in first), *self._csan(spoken, first)]
            case "health":
                hidden = [*(one.hidden for one in first), *self._health(spoken, first)]
            case "spec":
                hidden = [*(one.hidden for one in first), *self._spec(spoken, first)]
            case _:
                hidden = list(second_pass(spoken, self.policy, first, strategy, threshold))
        if redact:
            hidden = [replace(one, by=None) for one in hidden]
        elif self.policy.when_nothing_is_safe == "stop" and any(one.is_term and one.by is None for one in hidden):
            raise NotSafe(Problem("S101", Place(self.policy.name), "There are words for which no more general one is safe."))
        everything = spoken.noun_phrases() if by_names else spoken.terms()
        return finished(spoken, hidden, everything, self.policy.replacement_style)

    # --- C-sanitized -----------------------------------------------------------------------------------------------------

    def _csan(self, spoken: Spoken, first: Sequence[Marked]) -> Iterator[Hidden]:
        """Algorithm 1 over single terms; what names an entity goes even if it was never counted."""
        knowledge, taken = spoken.knowledge, places(first)
        limits: dict[Term, Bits] = {guarded.topic: guarded.information * guarded.limit for guarded in self.guarded}
        named = spoken.named(taken)
        occurrences = [*named, *spoken.terms(taken)]
        made = csan.sanitize(knowledge, [one.term for one in occurrences], limits, spoken.chain)
        for one in named:
            if one.term not in made:
                at_most = information(knowledge, one.term)
                made[one.term] = first_safe(
                    knowledge, spoken.chain(one.term), at_most, lambda general: csan.disclosed(knowledge, general, limits)
                )

        def reasons(one: Occurrence) -> tuple[Disclosure, ...]:
            found = named.get(one) or tuple(self._inferred(spoken, one))
            return found or (Disclosure(one.start, one.end, Rule.NAMING, "", _SAME),)

        return replaced(occurrences, made, reasons)

    def _inferred(self, spoken: Spoken, one: Occurrence) -> Iterator[Disclosure]:
        for guarded in self.guarded:
            share = disclosure(spoken.knowledge, guarded.topic, one.term)
            if share is not None and reaches(share.revealed, guarded.limit):
                entity, told = guarded.entity.entity, because(share, guarded)
                yield Disclosure(one.start, one.end, Rule.INFERENCE, entity, told, share, guarded.limit)

    # --- healthcare documents --------------------------------------------------------------------------------------------

    def _health(self, spoken: Spoken, first: Sequence[Marked]) -> Iterator[Hidden]:
        """Step 1: phrases with a sensitive term. Step 2: what else in the document says too much about these."""
        knowledge, limit, taken = spoken.knowledge, self.least, places(first)
        named = spoken.named(taken)
        phrases = spoken.phrases_over(named)
        parts: dict[Term, Term] = {phrase.term: inside[-1].term for phrase, inside in phrases.items()}
        others = spoken.terms(united([*taken, *((phrase.start, phrase.end) for phrase in phrases)]))
        occurrences = [*phrases, *others]
        made = health.sanitize(knowledge, [one.term for one in occurrences], parts.get, limit, spoken.chain)
        touched = {
            Touched(phrase.term if knowledge.count(phrase.term) else parts[phrase.term], made[phrase.term].by): mark.entity
            for phrase, inside in phrases.items()
            for mark in named[inside[-1]][:1]
        }
        set_by = limit.set_by if isinstance(limit.set_by, str) else limit.set_by.name
        told: dict[Term, tuple[str, str]] = {}

        def reasons(one: Occurrence) -> tuple[Disclosure, ...]:
            if one in phrases:
                return tuple(mark for inside in phrases[one] for mark in named[inside])
            if one.term in parts:
                return (Disclosure(one.start, one.end, Rule.NAMING, "", _SAME),)
            if one.term not in told:
                set_as = f", which is what '{set_by}' says"
                told[one.term] = correlation(knowledge, one.term, touched.items(), limit.bits, set_as)
            return (Disclosure(one.start, one.end, Rule.CORRELATION, *told[one.term]),)

        return replaced(occurrences, made, reasons)

    # --- too specific ----------------------------------------------------------------------------------------------------

    def _spec(self, spoken: Spoken, first: Sequence[Marked]) -> Iterator[Hidden]:
        """Every noun phrase that says as much as the limit; one never seen says more than any."""
        occurrences = spoken.noun_phrases(places(first))
        terms = [one.term for one in occurrences]
        made = spec.sanitize(spoken.knowledge, terms, self.specific, spoken.chain, spoken.shorter)

        def reasons(one: Occurrence) -> tuple[Disclosure, ...]:
            bits = information(spoken.knowledge, one.term)
            told = "was never seen" if bits is None else f"says {bits:.1f} bits"
            return (Disclosure(one.start, one.end, Rule.SPECIFICITY, "", f"{told}, and {self.specific:.1f} are too many"),)

        return replaced(occurrences, made, reasons)

    # --- what may be written ---------------------------------------------------------------------------------------------

    def _may_be_said(self, rung: Rung) -> bool:
        """Whether words are no heading, say something and name nothing protected.

        How much they give away is for each method to say.
        """
        detector = self.sanitizer.detector
        if rung.concept is not None:
            if _HEADING.search(rung.name) or len(names.words(rung.name)) > _LONGEST:
                return False
            if names.key(rung.name).replace(" ", "-") in _EMPTY:
                return False
            if detector.sensitive.entities_of(rung.place, rung.concept.number):
                return False
        meant = (sense for mention in detector.marker.finder.find(rung.name, nested=True) for sense in mention.senses)
        return not any(sense.name.rank == 0 and detector.sensitive.is_protected(sense) for sense in meant)

    # --- once for a policy -------------------------------------------------------------------------------------------------

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """The protected entities as knowledge counts them."""
        detector = self.sanitizer.detector
        ready = {id(guarded.entity): guarded.topic for guarded in detector.inference.guarded}
        entities = enumerate(self.policy.protect)
        return tuple(ready.get(id(entity)) or detector.sensitive.topic(index) for index, entity in entities)

    @cached_property
    def knowledge(self) -> Knowledge:
        """The one source that decides: the first that has counted anything the policy protects, or the first of all."""
        sources = self.sanitizer.knowledge.sources
        if len(sources) == 1:
            return sources[0]
        return next((source for source in sources if any(map(source.count, self.topics))), sources[0])

    @cached_property
    def guarded(self) -> tuple[Guarded, ...]:
        """The protected entities with what each says; one never seen, or that says nothing, cannot be inferred."""
        found = []
        for entity, topic in zip(self.policy.protect, self.topics, strict=True):
            if bits := information(self.knowledge, topic):
                found.append(Guarded(entity, topic, None, bits, 1 / float(entity.strictness or self.policy.strictness)))
        return tuple(found)

    @cached_property
    def least(self) -> health.Threshold:
        """HEALTH's threshold, and what sets it; without end when nothing that is sensitive was ever seen."""
        sensitive = self.sanitizer.detector.sensitive
        if isinstance(self.knowledge, (CorpusKnowledge, TaxonomyKnowledge)):
            # Counted with all that specializes it, the most general concept of an entity says least.
            terms = [meaning.concept for resolution in sensitive.resolutions for meaning in resolution.meanings]
        else:
            everything = [(at, found) for index in range(len(self.topics)) for at, found in enumerate(sensitive.concepts(index))]
            terms = [sensitive.stack[at].concept(number) for at, found in everything for number in found.tolist()]
        return health.threshold(self.knowledge, terms, lambda _: ()) or health.Threshold(inf, "")

    @cached_property
    def specific(self) -> Bits:
        """SPEC's limit: bits, or what the term that the policy names says as it is written."""
        wanted, place = self.policy.too_specific_above, self.policy.place
        if wanted is None:
            hint = "Write how many bits are too many, or the most general term that must not show."
            raise PolicyError(Problem("P102", place, "The method 'spec' needs 'too_specific_above'.", hint))
        bits = information(self.knowledge, wanted) if isinstance(wanted, str) else float(wanted)
        if bits is None:
            told = "The knowledge has never seen the term that is the limit of what is too specific."
            raise PolicyError(Problem("P204", place, told, "Take a more common term, or write bits."))
        return bits
