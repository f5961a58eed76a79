"""A gold standard sanitized under several values of strictness: what was hidden, what was kept, and where the knee lies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import hypot
from typing import TYPE_CHECKING

from kgsan.evaluate.marks import KEPT
from kgsan.evaluate.problems import error
from kgsan.evaluate.scores import Measure, Scores
from kgsan.evaluate.truth import Truthfulness
from kgsan.policy.policy import IdentifierRule, Policy, ProtectedEntity
from kgsan.sanitize.result import NotSafe
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    from kgsan.evaluate.gold import Gold, GoldDocument, GoldSpan
    from kgsan.evaluate.truth import TruthCheck
    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

#: A point nearer to the line between the ends than this, of what lies between them, is on it.
_ON_THE_LINE = 0.01
#: The classes that documents know which say what they protect, from what names it to what gives it away in company.
_CLASSES = ("direct", "strong", "moderate", "group", "identifier")


@dataclass(frozen=True, slots=True)
class Measured:
    """What one strictness does to a whole gold standard."""

    strictness: Fraction | None
    scores: Scores = field(default_factory=Scores)
    by_class: dict[str, Scores] = field(default_factory=dict)  #: of what should be hidden
    by_entity: dict[str, Scores] = field(default_factory=dict)
    kept: dict[str, tuple[int, int]] = field(default_factory=dict)  #: of each class that should stay, how many did, of how many
    utility: tuple[float, ...] = ()  #: the share that is kept of each document
    truth: Truthfulness = field(default_factory=Truthfulness)
    not_safe: tuple[str, ...] = ()  #: documents that could not be made safe

    @property
    def mean_utility(self) -> float | None:
        """The share that is kept, on average over the documents."""
        return sum(self.utility) / len(self.utility) if self.utility else None

    @property
    def risk(self) -> float | None:
        """The part of what should be hidden that still shows."""
        recall = self.scores.span.recall
        return None if recall is None else 1 - recall


def own_policy(document: GoldDocument, file: str) -> Policy:
    """The policy that a document asks for itself."""
    if not document.says_what_it_protects:
        said = f"The document '{document.name}' does not say what it protects."
        raise error("E109", file, said, "Give a policy with --policy.")
    return Policy(
        "evaluation",
        "none",
        protect=tuple(map(ProtectedEntity, document.protect)),
        too_specific_above=document.too_specific_above,
        identifiers=_every_identifier() if document.has_identifiers else (),
    )


def _every_identifier() -> tuple[IdentifierRule, ...]:
    from kgsan.policy.read import load_policy

    return load_policy({"policy": "evaluation", "law": "none", "identifiers": "all"}).identifiers


def at_strictness(policy: Policy, strictness: Fraction | None) -> Policy:
    """The policy with another strictness, for every entity."""
    if strictness is None:
        return policy
    protect = tuple(replace(entity, strictness=None) for entity in policy.protect)
    return replace(policy, strictness=strictness, protect=protect)


def measure(
    gold: Gold,
    strictness: Fraction | None,
    sanitizer_for: Callable[[GoldDocument, Fraction | None], Sanitizer],
    check_for: Callable[[Sanitizer], TruthCheck],
    seen: Callable[[GoldDocument, SanitizedDocument, Measure], None] | None = None,
) -> Measured:
    """Sanitize every document and compare it with what is marked in it; `seen` is told of each."""
    total = Scores()
    by_class: dict[str, Scores] = {}
    by_entity: dict[str, Scores] = {}
    kept: Counter[str] = Counter()
    marked: Counter[str] = Counter()
    utility: list[float] = []
    truth = Truthfulness()
    not_safe: list[str] = []
    for document in gold.documents:
        sanitizer = sanitizer_for(document, strictness)
        try:
            result = sanitizer.sanitize(document.text)
        except NotSafe:
            not_safe.append(document.name)
            continue
        compared = Measure(Document(document.text), ((one.start, one.end) for one in result.decisions))
        total += compared.scores(_places(document.to_hide), _places(document.disputed))
        _add(by_class, _by_class(document, compared))
        _add(by_entity, _by_entity(document, compared, result))
        for span in document.to_keep:
            marked[span.kind] += 1
            kept[span.kind] += not compared.is_hidden(span.start, span.end)
        utility.append(result.utility_kept)
        truth += check_for(sanitizer).among(replaced(document.text, result))
        if seen is not None:
            seen(document, result, compared)
    by_class = {kind: by_class[kind] for kind in sorted(by_class, key=_in_order)}
    keeping = {kind: (kept[kind], marked[kind]) for kind in KEPT if marked[kind]}
    return Measured(strictness, total, by_class, by_entity, keeping, tuple(utility), truth, tuple(not_safe))


def replaced(text: str, result: SanitizedDocument) -> Iterable[tuple[str, str]]:
    """What stood at each changed place, and what stands there now."""
    for one in result.decisions:
        yield text[one.start : one.end], result.text[one.new_start : one.new_end]


def _places(spans: Iterable[GoldSpan]) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in spans]


def _by_class(document: GoldDocument, compared: Measure) -> dict[str, Scores]:
    kinds = dict.fromkeys(span.kind for span in document.to_hide)
    return {
        kind: compared.scores(
            _places(span for span in document.to_hide if span.kind == kind),
            _places([*(span for span in document.to_hide if span.kind != kind), *document.disputed]),
        )
        for kind in kinds
    }


def _by_entity(document: GoldDocument, compared: Measure, result: SanitizedDocument) -> dict[str, Scores]:
    """Each entity by itself: a change that touches no mark counts against the entities for which it was made."""
    made: dict[str, list[tuple[int, int]]] = {}
    for one in result.decisions:
        # What is too specific is hidden for no entity, but for the word that is the limit.
        for entity in dict.fromkeys(disclosure.entity or document.too_specific_above for disclosure in one.disclosures):
            made.setdefault(entity or "", []).append((one.start, one.end))
    return {
        entity: compared.scores(
            _places(span for span in document.to_hide if span.entity == entity),
            _places([*(span for span in document.to_hide if span.entity != entity), *document.disputed]),
            only=made.get(entity, []),
        )
        for entity in dict.fromkeys([*document.protect, *(span.entity for span in document.to_hide)])
        if entity
    }


def _in_order(kind: str) -> tuple[int, str]:
    return _CLASSES.index(kind) if kind in _CLASSES else len(_CLASSES), kind


def _add(totals: dict[str, Scores], more: dict[str, Scores]) -> None:
    for name, scores in more.items():
        totals[name] = totals.get(name, Scores()) + scores


# --- the knee -------------------------------------------------------------------------------------------------------------


def knee(points: Sequence[tuple[float, float]]) -> int | None:
    """Which point gives most for what it costs: the one farthest from the line between the ends, on the better side of it.

    Points are risk and utility; both are measured in parts of what lies between the ends. None when there are no three
    points, when the ends do not differ in both, or when no point lies on the better side.

    >>> knee([(0.6, 0.9), (0.2, 0.8), (0.1, 0.3)])
    1
    >>> knee([(0.6, 0.9), (0.1, 0.3)]) is None
    True
    """
    if len(points) < 3:
        return None
    first = min(range(len(points)), key=lambda at: (points[at][0], -points[at][1]))
    last = max(range(len(points)), key=lambda at: (points[at][1], -points[at][0]))
    (low_risk, low_utility), (high_risk, high_utility) = points[first], points[last]
    width, height = high_risk - low_risk, high_utility - low_utility
    if width <= 0 or height <= 0:
        return None

    def above(point: tuple[float, float]) -> float:
        across, up = (point[0] - low_risk) / width, (point[1] - low_utility) / height
        return (up - across) / hypot(1, 1)

    best = max(range(len(points)), key=lambda at: above(points[at]))
    return best if above(points[best]) > _ON_THE_LINE else None
