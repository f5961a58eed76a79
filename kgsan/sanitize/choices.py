"""Which rung each disclosing part of a text has come to: the same thing the same rung throughout."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import TYPE_CHECKING

from kgsan.ontology import names
from kgsan.risk.correlation import Instance
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.ladder import Refused
from kgsan.sanitize.result import Action, Decision
from kgsan.sanitize.ways import Ways
from kgsan.sanitize.wording import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgsan.ontology.information import Bits
    from kgsan.risk.detecting import Detector, Found
    from kgsan.risk.disclosures import Disclosure
    from kgsan.risk.terms import Term
    from kgsan.sanitize.ladder import Ladders, Rung
    from kgsan.sanitize.wording import Piece, Rewritten

#: A term that says less than this about any entity is given up as readily as one that says this.
_LEAST_TELLING = 0.05
#: Reasons for which words may be left out, and the rest of their noun phrase stays.
_LOOSE = frozenset({Rule.NAMING, Rule.INFERENCE, Rule.GROUP})
#: Words before a noun that are no part of what it names.
_BEFORE = frozenset(
    "a an the his her their my our your have has had having be is was were been being with of he she we they not".split()
)
#: The end of an abbreviation inside a sentence, from the point before its last letter on.
_ABBREVIATED = re.compile(r"\w?\.[^\W\d_]\.(?=[ \t]+[a-z]|[,;:)])")


@dataclass(slots=True)
class Choice:
    """What stands in place of one thing, wherever the text says it."""

    place: int  #: among the choices for the text, in the order in which they were made
    rungs: Iterator[Rung] = field(repr=False)
    spans: dict[tuple[int, int], list[Disclosure]] = field(default_factory=dict, repr=False)
    rung: Rung | None = field(default=None, repr=False)
    refused: list[Refused] = field(default_factory=list, repr=False)


class Choices:
    """The choices made for one text."""

    def __init__(self, detector: Detector, ladders: Ladders, found: Found, *, redact: bool = False) -> None:
        self._detector = detector
        self._redact = redact
        self._ladders = ladders
        self._found = found
        self.ways = Ways(ladders, found)  #: what may stand for the parts of the text
        self._choices: dict[object, Choice] = {}
        self._spans: list[tuple[int, int]] = []  # all that is taken, in order; none overlaps another
        self._owners: dict[tuple[int, int], tuple[Choice, int]] = {}  # whose each is, and how many were taken before it
        self._taken = count()
        self._climbed: set[int] = set()
        self._written: list[Choice] = []  # whose each change is in the text that was read last, before more is taken

    # --- what to write -------------------------------------------------------------------------------------------------

    def changes(self) -> list[Change]:
        """The changes of the text, in order, none overlapping another."""
        return [self._change(span, choice) for span, choice in self._standing()]

    def _standing(self) -> list[tuple[tuple[int, int], Choice]]:
        return [(span, self._owners[span][0]) for span in self._spans]

    def _change(self, span: tuple[int, int], choice: Choice) -> Change:
        if choice.rung is None:
            return Change(*span, None, exactly=self._exactly(choice.spans[span]))
        return Change(*span, choice.rung.name, choice.rung.is_named)

    def _exactly(self, disclosures: list[Disclosure]) -> str | None:
        """What the policy wants in place of an identifier, or a bar that tells the kind of what was there."""
        if len(disclosures) == 1 and disclosures[0].write is not None:
            return disclosures[0].write
        style = self._detector.policy.replacement_style
        if "{kind}" not in style:
            return None
        return style.replace("{kind}", (disclosures[0].entity or disclosures[0].rule).upper())

    def changed(self) -> Iterator[tuple[tuple[int, int], str | None]]:
        """Where the text was changed, and the name that stands there instead."""
        for span, choice in self._standing():
            yield span, None if choice.rung is None else choice.rung.name

    def instances(self) -> Iterator[Instance]:
        """What was replaced and must not come back: entities of which the text may show the kind, not which one."""
        if not self._choices:
            return
        policy = self._detector.policy
        limits = {e.entity: 1 / float(e.strictness or policy.strictness) for e in policy.protect if e.hide == "which"}
        for choice in self._choices.values():
            shown = None if choice.rung is None else choice.rung.concept or choice.rung.name
            every = (
                (one.entity, one.sense.concept) for one in chain.from_iterable(choice.spans.values()) if one.sense is not None
            )
            for entity, concept in dict.fromkeys(every):
                if entity in limits:
                    yield Instance(entity, limits[entity], concept, shown)

    def decisions(self, rewritten: Rewritten) -> tuple[Decision, ...]:
        """Every change with its reasons, where it stood and where it stands."""
        standing = self._standing()
        made = []
        for piece in rewritten.pieces:
            for number in piece.changes:
                (start, end), choice = standing[number]
                action = Action.REDACTED if choice.rung is None else Action.GENERALIZED
                if choice.rung is None and any(one.write is not None for one in choice.spans[start, end]):
                    action = Action.WRITTEN
                if choice.rung is not None and choice.rung.concept is None:
                    action = Action.SHORTENED
                made.append(
                    Decision(
                        start,
                        end,
                        piece.new_start,
                        piece.new_end,
                        action,
                        None if choice.rung is None else choice.rung.name,
                        None if choice.rung is None or choice.rung.concept is None else choice.rung.concept.id,
                        tuple(choice.spans[start, end]),
                        tuple(choice.refused),
                    )
                )
        return tuple(made)

    # --- what to do about what was found -------------------------------------------------------------------------------

    def add(self, disclosures: Iterable[Disclosure]) -> None:
        """Hide parts of the original text, whatever a reading of it finds."""
        for one in disclosures:
            self._take(one)

    def answer(self, found: Sequence[Disclosure], rewritten: Rewritten, read: Found, *, redact: bool) -> None:
        """Change the text where a reading of it, as it stands now, found something."""
        self._climbed.clear()
        self._written = [choice for _, choice in self._standing()]
        groups = [one for one in found if one.rule is Rule.GROUP]
        single = [one for one in found if one.rule is not Rule.GROUP]
        for one in single:
            self._hide(one, one.start, one.end, rewritten, redact)
        if groups:
            self._loosen(groups, rewritten, read, redact)

    def _hide(self, one: Disclosure, start: int, end: int, rewritten: Rewritten, redact: bool) -> None:
        """Take a part of the text as it stands now one rung up; a part that was not yet changed is taken up."""
        touched = _touched(rewritten.pieces, start, end)
        choices = [self._written[number] for piece in touched for number in piece.changes]
        for choice in choices:
            if id(choice) not in self._climbed:  # once for all that was found in this reading
                self._climbed.add(id(choice))
                self._climb(choice, one.because, redact)
        first, last = rewritten.origin(start), rewritten.origin(end - 1) + 1
        if touched:
            first, last = min(first, touched[0].start), max(last, touched[-1].end)
            beyond = start < touched[0].new_start or end > touched[-1].new_end
            if beyond and all(choice.rung is None for choice in choices):
                self._take(replace(one, start=first, end=last), redact=True)  # words beside a black bar give it away
            return
        self._take(replace(one, start=first, end=last), redact)

    def _take(self, one: Disclosure, redact: bool = False) -> None:
        span = self._trimmed(one)
        if span in self._owners:
            choice = self._owners[span][0]
            if one not in choice.spans[span]:
                choice.spans[span].append(one)
            if redact:
                choice.rung = None
            return
        absorbed: list[Disclosure] = [one]
        for other in self._released(span):
            absorbed += self._owners.pop(other)[0].spans.pop(other)
            span = (min(span[0], other[0]), max(span[1], other[1]))
        choice = self._choice(*self.ways.ladder(span, absorbed))
        if not redact and all(one.rule in _LOOSE for one in absorbed):
            span, choice = self._shortened(span, choice)
        self._spans.insert(bisect_left(self._spans, span), span)
        self._owners[span] = choice, next(self._taken)
        choice.spans[span] = absorbed
        if redact:
            choice.rung = None

    def _choice(self, key: object, rungs: Iterator[Rung]) -> Choice:
        """What stands for a thing, on the first rung that may be taken if nothing stood for it yet."""
        if key not in self._choices:
            self._choices[key] = Choice(len(self._choices), rungs)
            self._climb(self._choices[key], None, redact=False)
        return self._choices[key]

    def _shortened(self, span: tuple[int, int], choice: Choice) -> tuple[tuple[int, int], Choice]:
        """The rest of the noun phrase instead of a black bar in it, or of a title that is none; else what was chosen."""
        if choice.rung is not None and not self.ways.is_before_a_name(span):
            return span, choice
        if (found := self.ways.rest(span)) is None:
            return span, choice
        wider, rungs = found
        at = bisect_left(self._spans, wider)
        if at < len(self._spans) and self._spans[at][0] < wider[1]:
            return span, choice  # more of the phrase is changed already
        said = self._found.reading.document.text[wider[0] : wider[1]]
        shorter = self._choice((names.key(said), "rest"), rungs)
        return (span, choice) if shorter.rung is None else (wider, shorter)

    def _released(self, span: tuple[int, int]) -> list[tuple[int, int]]:
        """What was taken and overlaps a span, no longer in its place; choice by choice, in the order in which they were made."""
        first = bisect_right(self._spans, span[0], key=lambda other: other[1])
        last = bisect_left(self._spans, span[1], key=lambda other: other[0])
        found = self._spans[first:last]
        del self._spans[first:last]
        return sorted(found, key=lambda other: (self._owners[other][0].place, self._owners[other][1]))

    def _trimmed(self, one: Disclosure) -> tuple[int, int]:
        """Where a change goes: a verb before the noun stays ("had cancer"), the point of an abbreviation does not ("A.A. on")."""
        document = self._found.reading.document
        first, last = document.token_at(one.start), document.token_at(one.end - 1)
        while first < last and one.rule is Rule.NAMING and document.words[first].lower() in _BEFORE:
            if document.token_ends[first] == document.token_starts[first + 1]:
                break  # A-I-D-S
            first += 1
        abbreviated = document.text[one.end : one.end + 1] == "." and _ABBREVIATED.match(document.text, max(0, one.end - 3))
        end = one.end + bool(abbreviated)
        return max(one.start, int(document.token_starts[first])) if first <= last else one.start, end

    def _climb(self, choice: Choice, because: str | None, redact: bool) -> None:
        """To the next rung that may be taken; past the last, and when it must end, the words are blacked out."""
        if choice.rung is not None and because is not None:
            choice.refused.append(Refused(choice.rung, because))
        choice.rung = None
        if redact or self._redact:
            choice.rungs = iter(())
            return
        for rung in choice.rungs:
            refused = self._ladders.refusal(rung)
            if refused is None:
                choice.rung = rung
                return
            choice.refused.append(refused)

    # --- groups ------------------------------------------------------------------------------------------------------------

    def _loosen(self, groups: list[Disclosure], rewritten: Rewritten, read: Found, redact: bool) -> None:
        """In every group the member gives way whose next rung loses least; one that serves several groups is preferred."""
        places: dict[str, list[Term]] = {}
        for term in read.terms:
            places.setdefault(names.key(term.name), []).append(term)
        called = {(term.start, term.end): key for key, terms in places.items() for term in terms}
        serves = Counter(called[member] for group in groups for member in group.members)
        done: set[str] = set()
        for group in groups:
            keys = [called[member] for member in group.members]
            if done.isdisjoint(keys):
                costs = [(self._cost(places[key]) / serves[key], -places[key][0].start, key) for key in keys]
                given_up = min(costs)[2]
                done.add(given_up)
                members = tuple((rewritten.origin(a), rewritten.origin(b - 1) + 1) for a, b in group.members)
                for term in places[given_up]:
                    self._hide(replace(group, members=members), term.start, term.end, rewritten, redact)

    def _cost(self, terms: list[Term]) -> Bits:
        """What the text loses when a term becomes more general, for what it tells of an entity by itself."""
        name, times = terms[0].name, len(terms)
        said = self._detector.said(name)
        alone = [self._detector.inference.of_name(name, number) for number in range(len(self._detector.inference.guarded))]
        telling = max((share.revealed for share in alone if share is not None), default=0.0)
        return said * times / max(telling, _LEAST_TELLING)


def _touched(pieces: Sequence[Piece], start: int, end: int) -> Sequence[Piece]:
    """The rewritten pieces that have a place of the new text in common with a part of it."""
    first = bisect_right(pieces, start, key=lambda piece: piece.new_end)
    return pieces[first : bisect_left(pieces, end, key=lambda piece: piece.new_start)]
