"""A spaCy pipeline in which every document also carries the text that a policy lets stand.

`doc._.kgsan` is the sanitized document, `doc._.sanitized` its text, and `doc.spans["kgsan"]` what was changed, by entity. The
text of the `Doc` itself stays the original: hand on `doc._.sanitized`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import srsly
from spacy.language import Language
from spacy.tokens import Doc, SpanGroup
from spacy.util import minibatch, raise_error

from kgsan.plug import ready, sanitized, sanitized_block
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.result import Action, Decision, NotSafe, SanitizedDocument
from kgsan.sanitize.wording import Piece, Rewritten
from kgsan.sanitize.wordless import wordless

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kgsan.sanitize.sanitizer import Sanitizer

    ErrorHandler = Callable[[str, Any, list[Doc], Exception], None]
    Chained = Callable[[Any], Any] | None

NAME = "kgsan"
SANITIZED = "sanitized"
#: The identifiers of a law that everybody knows. It protects no diagnosis: name the policy that is meant.
DEFAULT_POLICY = "hipaa-safe-harbor"
_MARK = "kgsan-sanitized-document"


class Component:
    """The part of a pipeline that sanitizes; its settings are plain values, so a pipeline with it can be saved."""

    def __init__(self, name: str, sanitizer: Sanitizer, spans_key: str) -> None:
        self.name = name
        self.sanitizer = sanitizer
        self._spans_key = spans_key
        self._error_handler: ErrorHandler = raise_error

    @wordless
    def __call__(self, doc: Doc) -> Doc:
        """One document with what became of it. A text that cannot be made safe raises `NotSafe`."""
        return self._told(doc, sanitized(self.sanitizer, doc.text))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        """Documents in their order, many read in one go; one that fails is given to the pipeline's error handler, never on."""
        for docs in minibatch(stream, size=batch_size):
            docs = list(docs)
            try:
                done = self._block(docs)
            except NotSafe:  # one of them; the others go on
                yield from self._one_by_one(docs)
            else:
                yield from done

    @wordless
    def _block(self, docs: list[Doc]) -> list[Doc]:
        return [*map(self._told, docs, sanitized_block(self.sanitizer, [doc.text for doc in docs]))]

    def _one_by_one(self, docs: list[Doc]) -> Iterator[Doc]:
        for doc in docs:
            try:
                yield self(doc)
            except NotSafe as error:
                self._error_handler(self.name, self, [doc], error)

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """What is done about a document that cannot be made safe, as for every component of spaCy."""
        self._error_handler = error_handler

    def get_error_handler(self) -> ErrorHandler:
        """What is done about a document that cannot be made safe."""
        return self._error_handler

    def _told(self, doc: Doc, result: SanitizedDocument) -> Doc:
        doc._.set(NAME, result)
        found = (
            doc.char_span(one.start, one.end, label=_label(one), alignment_mode="expand")
            for one in sorted(result.decisions, key=lambda one: one.start)
        )
        doc.spans[self._spans_key] = SpanGroup(doc, name=self._spans_key, spans=[span for span in found if span is not None])
        return doc


@Language.factory(  # type: ignore[untyped-decorator]
    NAME,
    assigns=["doc._.kgsan", "doc._.sanitized", "doc.spans"],
    default_config={"policy": DEFAULT_POLICY, "redact": False, "spans_key": NAME},
)
def component(nlp: Language, name: str, policy: str, redact: bool, spans_key: str) -> Component:
    """The component for a policy: a file, or the name of a shipped one."""
    return Component(name, ready(policy, redact=redact), spans_key)


def _label(decision: Decision) -> str:
    first = decision.disclosures[0]
    return first.entity or first.rule.value


@wordless
def _text(doc: Doc) -> str | None:
    """The text that may be handed on, None where nothing was sanitized."""
    result = doc._.get(NAME)
    return None if result is None else result.text


# --- between processes and on disk ----------------------------------------------------------------------------------------


def encoded(value: Any, chain: Chained = None) -> Any:
    """A sanitized document in plain values, for spaCy's own way of storing; without the figures and the refused rungs."""
    if not isinstance(value, SanitizedDocument):
        return value if chain is None else chain(value)
    pieces = [[one.start, one.end, one.new_start, one.new_end, list(one.changes)] for one in value.rewritten.pieces]
    decisions = [
        [one.start, one.end, one.new_start, one.new_end, one.action.value, one.replacement, one.concept, _reasons(one)]
        for one in value.decisions
    ]
    return {_MARK: [value.text, value.utility_kept, value.rounds, decisions, pieces]}


def _reasons(decision: Decision) -> list[list[Any]]:
    return [[why.start, why.end, why.rule.value, why.entity, why.because, why.limit] for why in decision.disclosures]


def decoded(value: Any, chain: Chained = None) -> Any:
    """The sanitized document that was stored."""
    if not isinstance(value, dict) or _MARK not in value:
        return value if chain is None else chain(value)
    text, utility_kept, rounds, decisions, pieces = value[_MARK]
    return SanitizedDocument(
        text,
        tuple(_decision(*one) for one in decisions),
        utility_kept,
        rounds,
        Rewritten(text, tuple(Piece(one[0], one[1], one[2], one[3], tuple(one[4])) for one in pieces)),
    )


def _decision(
    start: int, end: int, new_start: int, new_end: int, action: str, replacement: str | None, concept: str | None, why: list[Any]
) -> Decision:
    reasons = tuple(
        Disclosure(first, last, Rule(rule), entity, because, limit=limit) for first, last, rule, entity, because, limit in why
    )
    return Decision(start, end, new_start, new_end, Action(action), replacement, concept, reasons)


if not Doc.has_extension(NAME):
    Doc.set_extension(NAME, default=None)
if not Doc.has_extension(SANITIZED):
    Doc.set_extension(SANITIZED, getter=_text)
srsly.msgpack_encoders.register(NAME, func=encoded)
srsly.msgpack_decoders.register(NAME, func=decoded)
