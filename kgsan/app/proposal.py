"""What the engine proposes for a document: its changes, each with the ladder of what else may stand there."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.choices import Choices
from kgsan.sanitize.result import Action, Decision
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.app.chain import Span
    from kgsan.risk.detecting import Found
    from kgsan.sanitize.ladder import Refused, Rung
    from kgsan.sanitize.sanitizer import Sanitizer

#: Who marks what a person hides besides.
REVIEWER = "the reviewer"
#: Why a rung is refused that is more general than a safe one, and yet would tell nothing: it only reads badly.
READS_BADLY = frozenset({"is a heading, not a word", "says nothing", "is a word that few know"})
#: No ladder that a person looks at is longer.
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Step:
    """A rung for a person to choose: whether it may be taken, and if not why."""

    key: str
    rung: Rung = field(repr=False)
    is_chosen: bool = False  #: by the engine
    refused: str | None = field(default=None, repr=False)
    warning: str | None = field(default=None, repr=False)  #: why it reads badly, though it is safe


@dataclass(frozen=True, slots=True)
class Proposal:
    """A document as the engine would release it. What was read in the original is kept for the ladders."""

    sanitizer: Sanitizer = field(repr=False)
    text: str = field(repr=False)
    decisions: tuple[Decision, ...]  #: the changes in the order of the text
    rounds: int
    found: Found = field(repr=False)
    choices: Choices = field(repr=False)  #: knows the rungs of every part

    def ladder(self, decision: Decision) -> list[Step]:
        """What may stand in place of a part, the most specific first."""
        _, rungs = self.choices.ways.ladder((decision.start, decision.end), list(decision.disclosures))
        return list(_judged(list(islice(rungs, _LONGEST)), decision, self.sanitizer))


def propose(sanitizer: Sanitizer, text: str, marks: Sequence[Span] = ()) -> Proposal:
    """Read a document and let the engine change it; what a person has marked is hidden besides. Raises `NotSafe`."""
    result = sanitizer.sanitize(text)
    found = sanitizer.detector.find(Document(text))
    choices = Choices(sanitizer.detector, sanitizer.ladders, found)
    decisions = list(result.decisions)
    for mark in marks:
        decisions = _hidden_too(decisions, mark, choices, sanitizer)
    return Proposal(sanitizer, text, tuple(decisions), result.rounds, found, choices)


def _hidden_too(decisions: Sequence[Decision], mark: Span, choices: Choices, sanitizer: Sanitizer) -> list[Decision]:
    """The changes with one more, which takes in those that it overlaps, and becomes what is safe for all of it."""
    start, end = mark
    within = [one for one in decisions if one.start < end and start < one.end]
    start, end = min((start, *(one.start for one in within))), max((end, *(one.end for one in within)))
    own = Disclosure(*mark, Rule.SPANS, "", f"was marked by {REVIEWER}")
    reasons = (*(each for one in within for each in one.disclosures), own)
    _, rungs = choices.ways.ladder((start, end), list(reasons))
    refused: list[Refused] = []
    chosen: Rung | None = None
    for rung in islice(rungs, _LONGEST):
        found = sanitizer.ladders.refusal(rung)
        if found is None:
            chosen = rung
            break
        refused.append(found)
    concept = None if chosen is None or chosen.concept is None else chosen.concept.id
    action = Action.REDACTED if chosen is None else Action.SHORTENED if concept is None else Action.GENERALIZED
    made = Decision(start, end, 0, 0, action, None if chosen is None else chosen.name, concept, reasons, tuple(refused))
    return sorted([*(one for one in decisions if one not in within), made], key=lambda one: one.start)


def key_of(rung: Rung) -> str:
    """How the log names a rung: by its concept, or, since words of the text may not be told, by its length."""
    return f"last {len(rung.name)} characters" if rung.concept is None else rung.concept.id


def _judged(rungs: Sequence[Rung], decision: Decision, sanitizer: Sanitizer) -> Iterator[Step]:
    """Rungs up to the engine's own were refused by it; of those above, what is safe may be taken."""
    refused = {(one.rung.name, one.rung.place): one for one in decision.refused}
    at = next((number for number, rung in enumerate(rungs) if _is_choice(rung, decision)), None)
    for number, rung in enumerate(rungs):
        if number == at:
            yield Step(key_of(rung), rung, is_chosen=True)
            continue
        found = refused.get((rung.name, rung.place)) or sanitizer.ladders.refusal(rung)
        above = at is not None and number > at
        if above and found is None:
            yield Step(key_of(rung), rung)
        elif above and found is not None and at is not None and _only_reads_badly(found, rung, rungs[at]):
            yield Step(key_of(rung), rung, warning=found.because)
        else:
            yield Step(key_of(rung), rung, refused="was passed over" if found is None else found.because)


def _only_reads_badly(found: Refused, rung: Rung, chosen: Rung) -> bool:
    """Whether a rung is more general than the one that is taken, in the same ontology, and tells nothing besides."""
    return found.share is None and found.because in READS_BADLY and rung.place == chosen.place >= 0


def _is_choice(rung: Rung, decision: Decision) -> bool:
    concept = None if rung.concept is None else rung.concept.id
    return (rung.name, concept) == (decision.replacement, decision.concept)
