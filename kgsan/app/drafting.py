"""A document as it reads after a person's decisions, and what a fresh reading of it still finds.

What a person keeps is waived in its place: it is found, told and listed, and does not stand in the way of a release. Everything
else that is found does.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgsan.app.proposal import key_of
from kgsan.app.replay import Ruling, Verdict
from kgsan.risk.correlation import Instance, correlated
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.ladder import Rung
from kgsan.sanitize.result import Action, Decision, SanitizedDocument
from kgsan.sanitize.utility import utility_kept
from kgsan.sanitize.wording import Change, rewrite
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kgsan.app.chain import Span
    from kgsan.app.proposal import Proposal
    from kgsan.risk.detecting import Found
    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.sanitizer import Sanitizer
    from kgsan.sanitize.wording import Rewritten


@dataclass(frozen=True, slots=True)
class Settled:
    """A part that the engine would change, what was decided about it, and what stands there now."""

    decision: Decision
    verdict: Verdict | None = None
    rung: Rung | None = field(default=None, repr=False)  #: None: blacked out, written as the policy says, or kept

    @property
    def is_kept(self) -> bool:
        """Whether the words of the original stay."""
        return self.verdict is not None and self.verdict.ruling is Ruling.KEEP

    @property
    def span(self) -> Span:
        """Where the part stands in the original."""
        return self.decision.start, self.decision.end


@dataclass(frozen=True, slots=True)
class Waived:
    """A part that stays although it discloses, and why; where it stands in the new text."""

    span: Span
    new: Span
    reason: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """How a document reads now, and what was found in it."""

    proposal: Proposal = field(repr=False)
    settled: tuple[Settled, ...]
    rewritten: Rewritten = field(repr=False)
    hidden: tuple[Settled, ...]  #: those that are changed; the pieces of the text count them
    waived: tuple[Waived, ...]
    remaining: tuple[Disclosure, ...]  #: what stands in the way of a release, in places of the new text
    let_stay: tuple[Disclosure, ...]  #: what was found where a person lets words stay

    @property
    def text(self) -> str:
        """The new text."""
        return self.rewritten.text

    @property
    def open_count(self) -> int:
        """How many changes nobody has decided about."""
        return sum(one.verdict is None for one in self.settled)

    def result(self) -> SanitizedDocument:
        """The same as a result of sanitizing."""
        decisions = tuple(
            _decided(self.hidden[number], piece.new_start, piece.new_end)
            for piece in self.rewritten.pieces
            for number in piece.changes
        )
        changed = [(one.span, None if one.rung is None else one.rung.name) for one in self.hidden]
        kept = utility_kept(self.proposal.sanitizer.detector, self.proposal.found.every_term, changed) if changed else 1.0
        return SanitizedDocument(self.text, decisions, kept, self.proposal.rounds, self.rewritten)


def drafted(proposal: Proposal, verdicts: Mapping[Span, Verdict]) -> Draft:
    """The document after the decisions. One about something that is no longer there counts for nothing, but what is kept does."""
    settled = tuple(_settled(proposal, decision, verdicts.get((decision.start, decision.end))) for decision in proposal.decisions)
    hidden = tuple(one for one in settled if not one.is_kept)
    style = proposal.sanitizer.policy.replacement_style
    document = proposal.found.reading.document
    rewritten = rewrite(document, [_change(one, style) for one in hidden], style=style)
    waived = tuple(_waived(settled, verdicts, rewritten))
    found = proposal.sanitizer.detector.find(Document(rewritten.text))
    remaining, let_stay = _parted(found, hidden, waived, proposal.sanitizer)
    return Draft(proposal, settled, rewritten, hidden, waived, remaining, let_stay)


# --- the text ---------------------------------------------------------------------------------------------------------------


def _settled(proposal: Proposal, decision: Decision, verdict: Verdict | None) -> Settled:
    own = _own_rung(decision, proposal)
    if verdict is None or verdict.ruling is Ruling.ACCEPT:
        return Settled(decision, verdict, own)
    if verdict.ruling is not Ruling.GENERALIZE:
        return Settled(decision, verdict)
    steps = (step for step in proposal.ladder(decision) if step.refused is None and step.key == verdict.rung)
    step = next(steps, None)
    return Settled(decision, None, own) if step is None else Settled(decision, verdict, step.rung)


def _own_rung(decision: Decision, proposal: Proposal) -> Rung | None:
    if decision.replacement is None:
        return None
    if decision.concept is None:
        return Rung(decision.replacement)
    for place, ontology in enumerate(proposal.sanitizer.knowledge.stack):
        if decision.concept in ontology:
            return Rung(decision.replacement, ontology[decision.concept], place)
    return Rung(decision.replacement)


def _change(one: Settled, style: str) -> Change:
    start, end = one.span
    if one.rung is not None:
        return Change(start, end, one.rung.name, one.rung.is_named)
    reasons = one.decision.disclosures
    is_redacted = one.verdict is not None and one.verdict.ruling is Ruling.REDACT
    if len(reasons) == 1 and reasons[0].write is not None and not is_redacted:
        return Change(start, end, None, exactly=reasons[0].write)
    kind = (reasons[0].entity or reasons[0].rule).upper()
    return Change(start, end, None, exactly=style.replace("{kind}", kind) if "{kind}" in style else None)


def _decided(one: Settled, new_start: int, new_end: int) -> Decision:
    """The decision as it was taken."""
    if one.verdict is None or one.verdict.ruling is Ruling.ACCEPT:
        return replace(one.decision, new_start=new_start, new_end=new_end)
    action = Action.REDACTED if one.rung is None else Action.SHORTENED if one.rung.concept is None else Action.GENERALIZED
    return replace(
        one.decision,
        new_start=new_start,
        new_end=new_end,
        action=action,
        replacement=None if one.rung is None else one.rung.name,
        concept=None if one.rung is None or one.rung.concept is None else key_of(one.rung),
    )


# --- what is found in it ----------------------------------------------------------------------------------------------------


def _waived(settled: Sequence[Settled], verdicts: Mapping[Span, Verdict], rewritten: Rewritten) -> Iterator[Waived]:
    """What stays, in its place; with a part stays what was found around it ("had cancer" where "cancer" is kept)."""
    changed = {one.span: one for one in settled}
    for span, verdict in sorted(verdicts.items()):
        if verdict.ruling is not Ruling.KEEP:
            continue
        start, end = span
        if span in changed:
            single = [one for one in changed[span].decision.disclosures if one.rule is not Rule.GROUP]
            start = min((start, *(one.start for one in single if one.end > start)))
            end = max((end, *(one.end for one in single if one.start < end)))
        yield Waived(span, (rewritten.place(start), rewritten.place(end - 1) + 1), verdict.reason or "")


def _parted(
    found: Found, hidden: Sequence[Settled], waived: Sequence[Waived], sanitizer: Sanitizer
) -> tuple[tuple[Disclosure, ...], tuple[Disclosure, ...]]:
    """What was found in a text, without and with a waiver. Groups are looked for among what is not waived, as under `allow`."""
    spans = sorted(one.new for one in waived)
    let_stay = tuple(one for one in found.disclosures if _within(one.start, one.end, spans))
    single = [one for one in found.disclosures if not _within(one.start, one.end, spans)]
    if single:
        return tuple(single), let_stay
    terms = [term for term in found.terms if not _within(term.start, term.end, spans)]
    instances = list(_instances(hidden, sanitizer))
    back = [one for source in sanitizer.knowledge.given for one in correlated(source, instances, terms)] if instances else []
    return tuple(back or sanitizer.detector.groups(replace(found, terms=terms))), let_stay


def _instances(hidden: Sequence[Settled], sanitizer: Sanitizer) -> Iterator[Instance]:
    """What may not come back: of an entity of which only the kind may show, each one that is hidden."""
    policy = sanitizer.policy
    limits = {one.entity: 1 / float(one.strictness or policy.strictness) for one in policy.protect if one.hide == "which"}
    for settled in hidden:
        shown = None if settled.rung is None else settled.rung.concept or settled.rung.name
        for one in settled.decision.disclosures:
            if one.entity in limits and one.sense is not None:
                yield Instance(one.entity, limits[one.entity], one.sense.concept, shown)


def _within(start: int, end: int, spans: Sequence[Span]) -> bool:
    at = bisect_right(spans, (start, float("inf"))) - 1
    return at >= 0 and end <= spans[at][1]
