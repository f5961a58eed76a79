"""A policy at work: what discloses too much becomes something more general, until a fresh reading of the text finds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from kgsan.errors import Place, PolicyError, Problem
from kgsan.knowledge.load import load_knowledge
from kgsan.ontology.load import load_ontology
from kgsan.risk.correlation import correlated
from kgsan.risk.detecting import Detector
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.choices import Choices
from kgsan.sanitize.ladder import Ladders
from kgsan.sanitize.methods import PublishedMethod
from kgsan.sanitize.processes import side_by_side
from kgsan.sanitize.release import ENGINE, release
from kgsan.sanitize.result import Action, NotSafe, SanitizedDocument
from kgsan.sanitize.utility import utility_kept
from kgsan.sanitize.wording import rewrite
from kgsan.sanitize.wordless import without_words, wordless
from kgsan.sources import no_collection
from kgsan.text.document import Document
from kgsan.text.foreign import ITS_PLACE, ForeignSpan
from kgsan.text.language import foreign_paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgsan.knowledge.combined import CombinedKnowledge
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.policy import Policy
    from kgsan.risk.detecting import Found
    from kgsan.sanitize.greedy.sanitizer import GreedySanitizer
    from kgsan.sanitize.result import Decision
    from kgsan.sanitize.wording import Rewritten

#: So often a text is read and changed; what still discloses then is blacked out, and after as many rounds again it is given up.
ROUNDS = 8
#: Texts that are read in one go.
_MOST_TEXTS, _MOST_CHARACTERS = 512, 120_000

Text = TypeVar("Text", str, str | None, bytes | None)
#: The method that hides what was learned from marked documents before kgsan's own goes on.
LEARNED = "greedy"
#: What a paragraph is marked as that nobody here can read.
OTHER_LANGUAGE = "other language"


@dataclass(slots=True)
class _Draft:
    """A text on its way: what was found in it at first, what was chosen, how it reads now and what was found in that."""

    found: Found
    choices: Choices
    rewritten: Rewritten
    read: Found
    rounds: int = 0
    remaining: list[Disclosure] | None = None  #: what `read` discloses; None until that was asked


class Sanitizer:
    """A policy, compiled: made once, then applied to any number of texts, from any number of threads.

    Without ontologies or knowledge of its own it uses those that the policy names, or those that ship. With `redact`
    everything that is hidden is blacked out; `learned` is what `kgsan greedy` learned, for the method of that name.
    """

    def __init__(
        self,
        policy: Policy,
        ontology: OntologyStack | None = None,
        knowledge: CombinedKnowledge | None = None,
        *,
        redact: bool = False,
        learned: GreedySanitizer | None = None,
    ) -> None:
        self.policy = policy
        self._learned = learned
        self.redact = redact
        stack = load_ontology(*policy.ontologies) if ontology is None else ontology
        self.knowledge = load_knowledge(*policy.knowledge, ontology=stack) if knowledge is None else knowledge.over(stack)
        self.detector = Detector(policy, self.knowledge)
        unknown = [one.entity for one in self.detector.sensitive.resolutions if not one.meanings]
        if unknown:  # it would protect nothing, and nobody would notice
            raise PolicyError(*(Problem("P201", one.place, f"No ontology knows '{one.entity}'.") for one in unknown))
        self.ladders = Ladders(self.detector)
        # A published method promises what its paper does, and no more: it is not read again by this engine.
        self._published = None if policy.method in (ENGINE, LEARNED) else PublishedMethod(self)

    def __repr__(self) -> str:
        return f"<Sanitizer for {self.policy.name}>"

    @wordless
    def sanitize(self, text: str, spans: Sequence[ForeignSpan] = ()) -> SanitizedDocument:
        """The text as the policy lets it stand. Raises `NotSafe`, and gives nothing, when that cannot be reached.

        Spans that another tool or a person has marked are hidden too.
        """
        if self._published is not None:
            self._unread(text)
            return self._published.sanitize(text, spans)
        with no_collection():  # thousands of small objects, and no circles among them
            return self._sanitized([self.detector.find(Document(text))], spans)[0]

    @wordless
    def sanitize_many(self, texts: Iterable[str], processes: int = 1) -> Iterator[SanitizedDocument]:
        """Texts one after the other, in their order; many short ones are read in one go, and side by side where asked.

        The first that cannot be made safe raises `NotSafe` and ends it: sanitize one by one where the others are still wanted.
        """
        parts = blocks(texts)
        return chain.from_iterable(side_by_side(self, parts, processes) if processes > 1 else map(self.sanitize_block, parts))

    @wordless
    def sanitize_block(self, texts: Sequence[str]) -> list[SanitizedDocument]:
        """Some texts, read in one go; `NotSafe` when one of them cannot be made safe."""
        if self._published is not None:
            return [self.sanitize(text) for text in texts]
        with no_collection():
            return self._sanitized(self.detector.find_many(Document.many(texts)))

    def _sanitized(self, originals: Sequence[Found], spans: Sequence[ForeignSpan] = ()) -> list[SanitizedDocument]:
        drafts = [self._draft(found, spans) for found in originals]
        open_ones = drafts
        for rounds in range(1, 2 * ROUNDS + 1):
            open_ones = [draft for draft in open_ones if self._goes_on(draft, rounds)]
            if not open_ones:
                return [self._finished(draft) for draft in drafts]
            again = self.detector.find_many(Document.many([draft.rewritten.text for draft in open_ones]))
            for draft, read in zip(open_ones, again, strict=True):
                draft.read = read
        raise NotSafe(Problem("S101", Place(self.policy.name), "The text still discloses after every change that could be made."))

    def _draft(self, found: Found, spans: Sequence[ForeignSpan]) -> _Draft:
        choices = Choices(self.detector, self.ladders, found, redact=self.redact)
        choices.add(
            Disclosure(span.start, span.end, _rule(span), span.label, f"was marked by {span.source or 'another tool'}")
            for span in (*self._unread(found.reading.document.text), *spans, *self._marked(found.reading.document.text))
        )
        rewritten = self._rewritten(found.reading.document, choices)
        # What was found in the original does not stand where it stood once what others marked is replaced.
        read = self.detector.find(Document(rewritten.text)) if rewritten.pieces else found
        return _Draft(found, choices, rewritten, read)

    def _marked(self, text: str) -> Sequence[ForeignSpan]:
        """What was learned to be sensitive, if that is the policy's method. To verify a text nothing need be learned."""
        if self.policy.method != LEARNED:
            return ()
        if self._learned is None:
            said = "The method 'greedy' learns from marked documents and cannot be applied to a text by itself."
            raise NotSafe(Problem("S102", self.policy.place, said, "Give what 'kgsan greedy --save' made with --learned."))
        return self._learned.spans(text)

    def _unread(self, text: str) -> list[ForeignSpan]:
        """Paragraphs in other languages, to be blacked out. `NotSafe` where the policy, or its method, stops at them."""
        found = [] if self.policy.other_languages == "keep" else list(foreign_paragraphs(text))
        if found and (self.policy.other_languages == "stop" or self._published is not None):
            line, more = text.count("\n", 0, found[0].start) + 1, len(found) - 1
            others = f" So do{'es' * (more == 1)} {more:,} other{'s' * (more > 1)}." if more else ""
            said = f"The paragraph in line {line} seems to be in {found[0].language}, which the reader does not know.{others}"
            raise NotSafe(Problem("S104", Place(self.policy.name), said, "`other_languages` in the policy says what to do."))
        return [ForeignSpan(one.start, one.end, OTHER_LANGUAGE, source="the check of languages") for one in found]

    def _goes_on(self, draft: _Draft, rounds: int) -> bool:
        """Whether something was found in a text as it stands now, and so it was changed."""
        draft.rounds = rounds
        remaining = draft.remaining = self._disclosed(draft.read, draft.choices)
        if remaining:
            draft.choices.answer(remaining, draft.rewritten, draft.read, redact=rounds > ROUNDS)
            draft.rewritten = self._rewritten(draft.found.reading.document, draft.choices)
        return bool(remaining)

    def _finished(self, draft: _Draft) -> SanitizedDocument:
        rewritten, choices = draft.rewritten, draft.choices
        decisions = choices.decisions(rewritten)
        if self.policy.when_nothing_is_safe == "stop" and not self.redact and any(map(_has_nothing, decisions)):
            raise NotSafe(Problem("S101", self.policy.place, "For some words nothing more general is safe."))
        kept = utility_kept(self.detector, draft.found.every_term, choices.changed()) if rewritten.pieces else 1.0
        made = SanitizedDocument(rewritten.text, decisions, kept, draft.rounds, rewritten)
        return release(made, draft.read.reading.document.text, draft.remaining, Place(self.policy.name))

    @wordless
    def verify(self, text: str) -> list[Disclosure]:
        """What still discloses in a text of any origin: each part with its place, rule and entity; empty when nothing does."""
        unread = [] if self.policy.other_languages == "keep" else foreign_paragraphs(text)
        told = [Disclosure(one.start, one.end, Rule.SPANS, OTHER_LANGUAGE, f"is in {one.language}") for one in unread]
        return told + self._disclosed(self.detector.find(Document(text)))

    def _disclosed(self, found: Found, choices: Choices | None = None) -> list[Disclosure]:
        """Single reasons; when there are none, what gives back an instance; when there is none, groups."""
        if found.disclosures:
            return found.disclosures
        instances = list(choices.instances()) if choices is not None else []
        back = [one for source in self.knowledge.given for one in correlated(source, instances, found.terms)] if instances else []
        return back or list(self.detector.groups(found))

    def _rewritten(self, document: Document, choices: Choices) -> Rewritten:
        return rewrite(document, choices.changes(), style=self.policy.replacement_style)


def _has_nothing(decision: Decision) -> bool:
    """Whether words were blacked out for want of something more general, and not because they must be."""
    always = (Rule.IDENTIFIER, Rule.DENY, Rule.SPANS)
    return decision.action is Action.REDACTED and not any(one.rule in always for one in decision.disclosures)


def blocks(texts: Iterable[Text]) -> Iterator[list[Text]]:
    """Texts in blocks of some size, whichever comes first: so many texts, or so many characters.

    What is raised by whoever gives them is theirs, and told as it is.
    """
    block: list[Text] = []
    size, is_full, failed = 0, False, None
    for text in texts:
        try:
            block.append(text)
            size += len(text) if text else 0
            is_full = len(block) >= _MOST_TEXTS or size >= _MOST_CHARACTERS
        except BaseException as error:
            failed = error
        if failed is not None:
            raise without_words(failed)
        if is_full:
            yield block
            block, size = [], 0
    if block:
        yield block


def _rule(span: ForeignSpan) -> Rule:
    """By which rule a span is hidden that others found."""
    return Rule.IDENTIFIER if span.source == ITS_PLACE else Rule.SPANS
