"""A first pass: what another tool, a person, or the policy itself wants hidden, and what stands there instead."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.finishing import Hidden, merged
from kgsan.text.foreign import MARKED
from kgsan.text.tokens import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgsan.knowledge.knowledge import Term
    from kgsan.sanitize.spoken import Spoken
    from kgsan.text.document import Document
    from kgsan.text.foreign import ForeignSpan

#: What tools call the three classes of names that all of them know.
_CLASSES = {
    "per": "person",
    "pers": "person",
    "loc": "location",
    "gpe": "location",
    "fac": "location",
    "org": "organization",
    "organisation": "organization",
}
#: Marks of the first and of a further word of a name.
_POSITIONS = ("b-", "i-", "e-", "s-", "l-", "u-")


@dataclass(frozen=True, slots=True)
class Marked:
    """A part of the text that the first pass hides, and the term it was."""

    hidden: Hidden
    term: Term = field(repr=False)


def class_name(label: str) -> str:
    """What a label says in words.

    >>> [class_name(label) for label in ("PERSON", "B-LOC", "ORG", "PHONE_NUMBER")]
    ['person', 'location', 'organization', 'phone number']
    """
    words = " ".join(label.casefold().replace("_", " ").split())
    if words.startswith(_POSITIONS):
        words = words[2:]
    return _CLASSES.get(words, words)


def first_pass(spoken: Spoken, spans: Iterable[ForeignSpan], rules: frozenset[Rule], *, generalize: bool = True) -> list[Marked]:
    """What spans of another tool, and some rules of the policy, hide; in order and without overlaps.

    With `generalize`, the class that a label names stands for what was marked, and its nearest generalization for what the
    policy protects by name; all else, and everything without `generalize`, is removed.
    """
    reasons = [mark for mark in spoken.marks if mark.rule in rules]
    reasons += [Disclosure(span.start, span.end, Rule.SPANS, span.label, _because(span)) for span in spans]
    found = merged(Hidden(reason.start, reason.end, (reason,)) for reason in reasons)
    return [_marked(spoken, one, generalize) for one in found]


def _because(span: ForeignSpan) -> str:
    return f"is marked as {span.label}" + (f" by {span.source}" if span.source else "")


def _marked(spoken: Spoken, one: Hidden, generalize: bool) -> Marked:
    # The longest mark tells what the whole is; of names that cross, the last has the head.
    reason = max(one.reasons, key=lambda reason: (reason.end - reason.start, reason.start))
    whole = (reason.start, reason.end) == (one.start, one.end)
    only_names = all(other.rule is Rule.NAMING for other in one.reasons)
    meaning = reason.sense.concept if reason.sense is not None and only_names else None
    term = spoken.term(one.start, one.end, meaning=meaning)
    by: Term | None = None
    if generalize and reason.rule is Rule.SPANS and reason.entity != MARKED:
        by = spoken.label(class_name(reason.entity))
    elif generalize and meaning is not None:
        by = next((general for general in spoken.chain(term) if spoken.knowledge.count(general)), None)
    start = one.start if by is None or reason.rule is not Rule.SPANS else _with_title(spoken.document, one.start)
    return Marked(Hidden(start, one.end, one.reasons, by, write=reason.write if whole else None), term)


def _with_title(document: Document, start: int) -> int:
    """Where a title before a name begins, if there is one: nobody is called "Dr. a person"."""
    token = document.token_at(start) - 1
    titled = token >= 0 and document.words[token].rstrip(".").lower() in TITLES
    return int(document.token_starts[token]) if titled else start


def places(marked: Sequence[Marked]) -> list[tuple[int, int]]:
    """Where the first pass hides something."""
    return [(one.hidden.start, one.hidden.end) for one in marked]
