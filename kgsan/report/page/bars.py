"""Shares as bars against the limit that they may not reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.report.certificate import BELOW, FAR, NOTHING, UNCHECKED
from kgsan.report.page.markup import Markup, element
from kgsan.report.sentences import percent

if TYPE_CHECKING:
    from kgsan.knowledge.information import Share

_HEIGHT = 10
#: Where the share of a single term lies on the way to the limit, as far as a coarse step tells; of a group less is told.
_STEPS = {NOTHING: (0, 0), FAR: (0, 50), BELOW: (50, 100)}
_OF_GROUPS = (0, 100)


def share_bar(share: Share, limit: float | None, *, short: bool = False) -> Markup:
    """What a term reveals, exactly, and where the limit stands: only for those who may know the term."""
    told = f"reveals {percent(max(share.revealed, 0))}"
    told += "" if limit is None else f", limit {percent(limit)}"
    seen = percent(max(share.revealed, 0)) if short else told
    return _bar(told, 100 * share.revealed, None if limit is None else 100 * limit, "over", seen)


def step_bar(step: str, *, of_groups: bool = False) -> Markup:
    """Where the share of a released text lies on the way to a limit, in the coarse steps of its certificate."""
    start, end = (0, 0) if step == UNCHECKED else _OF_GROUPS if of_groups else _STEPS[step]
    filled = element("rect", class_="under", x=start, width=end - start, height=_HEIGHT)
    words = element("span", step, class_="told", aria_hidden="true")
    return element("span", _drawn(step, filled, None if step == UNCHECKED else 100), words, class_="measure")


def kept_bar(kept: float) -> Markup:
    """How much of what a text said is left."""
    return _bar(f"{percent(kept)} kept", 100 * kept, None, "kept")


def _bar(told: str, filled: float, limit: float | None, kind: str, seen: str | None = None) -> Markup:
    width = f"{min(max(filled, 0), 100):.4g}"
    words = element("span", seen or told, class_="told", aria_hidden="true")
    return element(
        "span", _drawn(told, element("rect", class_=kind, width=width, height=_HEIGHT), limit), words, class_="measure"
    )


def _drawn(told: str, filled: Markup, limit: float | None) -> Markup:
    parts = [element("rect", class_="track", width=100, height=_HEIGHT), filled]
    if limit is not None:
        at = f"{min(max(limit, 0), 100) - 1:.4g}"
        parts.append(element("rect", class_="limit", x=at, width=2, height=_HEIGHT))
    box = f"0 0 100 {_HEIGHT}"
    return element("svg", *parts, class_="bar", viewBox=box, preserveAspectRatio="none", role="img", aria_label=told)
