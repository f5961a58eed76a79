"""The five strategies of CORR side by side: what a first sanitizer removes or generalizes, and what then happens to neighbors.

The first pass hides what the gold marks as direct, when labels say what would be written there; else what the policy names. What
the second pass finds is compared with the rest of what is marked.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgsan.evaluate.scores import Measure, Scores
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.methods import PublishedMethod
from kgsan.sanitize.published.corr import Strategy
from kgsan.sanitize.result import NotSafe
from kgsan.text.document import Document
from kgsan.text.foreign import MARKED, ForeignSpan

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.evaluate.gold import Gold, GoldDocument
    from kgsan.sanitize.sanitizer import Sanitizer

DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class Tried:
    """What one strategy makes of a gold standard."""

    strategy: Strategy
    scores: Scores = field(default_factory=Scores)  #: of the second pass, against what is marked and not direct
    hidden: Scores = field(default_factory=Scores)  #: of both, against everything that is marked
    utility: tuple[float, ...] = ()
    not_safe: int = 0

    @property
    def mean_utility(self) -> float | None:
        """The share that is kept, on average over the documents."""
        return sum(self.utility) / len(self.utility) if self.utility else None


def first_spans(document: GoldDocument) -> list[ForeignSpan]:
    """The direct spans of a document with what a first sanitizer would write; none when no label says so."""
    direct = [span for span in document.spans if span.kind == DIRECT]
    if not any(span.label for span in direct):
        return []
    return [ForeignSpan(span.start, span.end, span.label or MARKED, source="the gold") for span in direct]


def compared(gold: Gold, sanitizer_for: Callable[[GoldDocument], Sanitizer]) -> list[Tried]:
    """Every strategy over the whole gold; the sanitizers are those of policies with the method `corr`."""
    found = [Tried(strategy) for strategy in Strategy]
    for document in gold.documents:
        method = PublishedMethod(sanitizer_for(document))
        spans, read = first_spans(document), Document(document.text)
        found = [_with(tried, document, method, spans, read) for tried in found]
    return found


def _with(tried: Tried, document: GoldDocument, method: PublishedMethod, spans: list[ForeignSpan], read: Document) -> Tried:
    try:
        result = method.sanitize(document.text, spans, strategy=tried.strategy)
    except NotSafe:
        return replace(tried, not_safe=tried.not_safe + 1)
    every = [(one.start, one.end) for one in result.decisions]
    second = [
        (one.start, one.end)
        for one in result.decisions
        if any(disclosure.rule is Rule.CORRELATION for disclosure in one.disclosures)
    ]
    direct = [(span.start, span.end) for span in document.to_hide if span.kind == DIRECT]
    others = [(span.start, span.end) for span in document.to_hide if span.kind != DIRECT]
    disputed = [(span.start, span.end) for span in document.disputed]
    return replace(
        tried,
        scores=tried.scores + Measure(read, second).scores(others, [*direct, *disputed]),
        hidden=tried.hidden + Measure(read, every).scores([*direct, *others], disputed),
        utility=(*tried.utility, result.utility_kept),
    )
