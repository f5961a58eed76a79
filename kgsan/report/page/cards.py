"""Why each change was made: its reasons, how far its share stands above the limit, and the ladder that was climbed.

All of this tells the hidden words and belongs beside the original.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from kgsan.report.page.bars import share_bar
from kgsan.report.page.markup import NOTHING, Markup, element, joined, unseen
from kgsan.report.page.signs import badge
from kgsan.report.sentences import law, reason
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.result import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kgsan.policy.policy import Policy
    from kgsan.report.page.marks import Mark
    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.result import Decision

_DONE = {
    Action.GENERALIZED: "generalized",
    Action.SHORTENED: "shortened",
    Action.REDACTED: "blacked out",
    Action.WRITTEN: "written as the policy says",
}
#: The beginning of why a rung was refused that reveals too much; the entity follows.
_REVEALS = "reveals too much of "
#: So many other words of a group are named.
_NAMED = 6


def cards(key: str, original: str, found: Sequence[Mark], policy: Policy) -> tuple[Markup, dict[int, str]]:
    """One card for all changes that were made alike, and for each mark the id of its first card."""
    starts = [mark.start for mark in found]

    def words_at(place: tuple[int, int]) -> str:
        """The words of the original at a place; of a changed one, of which only the beginning is known, the whole."""
        at = bisect_right(starts, place[0]) - 1
        is_changed = at >= 0 and place[0] < found[at].end
        return original[found[at].start : found[at].end] if is_changed else original[slice(*place)]

    limits = {one.entity: float(1 / (one.strictness or policy.strictness)) for one in policy.protect}
    places: dict[Markup, list[int]] = {}
    leads: dict[int, str] = {}
    for mark in found:
        for decision in mark.decisions:
            body = joined(_body(decision, original, policy, limits, words_at))
            own = places.setdefault(body, [])
            if not own or own[-1] != mark.number:
                own.append(mark.number)
    made = []
    for number, (body, numbers) in enumerate(places.items(), 1):
        card = f"{key}-w{number}"
        for place in numbers:
            leads.setdefault(place, card)
        links = joined((element("a", str(place), href=f"#{key}-m{place}") for place in numbers), " ")
        where = element("p", "Place " if len(numbers) == 1 else f"{len(numbers):,} places: ", links, class_="places")
        made.append(element("li", body, where, class_="card", id=card))
    return element("ol", *made, class_="cards"), leads


def _body(
    decision: Decision, original: str, policy: Policy, limits: Mapping[str, float], words_at: Callable[[tuple[int, int]], str]
) -> Iterator[Markup]:
    words = element("bdi", original[decision.start : decision.end], class_="was")
    new = decision.replacement
    became = element("bdi", _DONE[decision.action] if new is None else new, class_="quiet" if new is None else "now")
    rules = dict.fromkeys(one.rule for one in decision.disclosures)
    yield element("h4", words, element("span", " → ", aria_hidden="true"), unseen(" became "), became)
    yield element("p", *(badge(rule) for rule in rules), class_="badges")
    yield from _reasons(decision, words_at)
    for entity in dict.fromkeys(one.entity for one in decision.disclosures):
        if (because := law(entity, policy)) is not None:
            yield element("p", element("bdi", entity, class_="entity"), " ", element("q", because), class_="law")
    yield _ladder(decision, words, became, limits)


def _reasons(decision: Decision, words_at: Callable[[tuple[int, int]], str]) -> Iterator[Markup]:
    """Every reason once, those with a share as a bar against its limit."""
    told: set[str] = set()
    for one in decision.disclosures:
        because = reason(one, words=True)
        if because in told:
            continue
        told.add(because)
        bar = NOTHING if one.share is None else share_bar(one.share, one.limit)
        yield element("p", bar, because, _others(one, decision, words_at), class_="reason")


def _others(one: Disclosure, decision: Decision, words_at: Callable[[tuple[int, int]], str]) -> Markup:
    """The other words of a group."""
    if one.rule is not Rule.GROUP or len(one.members) < 2:
        return NOTHING
    members = dict.fromkeys(words_at(place) for place in one.members if not decision.start <= place[0] < decision.end)
    named = joined((element("bdi", words, class_="was") for words in list(members)[:_NAMED]), ", ")
    more = len(members) - _NAMED
    return joined([" The other words: ", named, f" and {more} more." if more > 0 else "."]) if members else NOTHING


def _ladder(decision: Decision, words: Markup, became: Markup, limits: Mapping[str, float]) -> Markup:
    """From the word upwards: the rungs that were refused and why, and the one that was taken."""
    if not decision.refused:
        return NOTHING
    rungs = [element("li", words, class_="foot")]
    before = None
    for one in decision.refused:
        limit = limits.get(one.because.removeprefix(_REVEALS)) if one.because.startswith(_REVEALS) else None
        bar = NOTHING if one.share is None else share_bar(one.share, limit, short=True)
        because = element("span", one.because, class_="because" if one.because != before else "unseen")
        before = one.because
        rungs.append(element("li", unseen("Refused: "), element("bdi", one.rung.name), " ", bar, because, class_="no"))
    rungs.append(element("li", unseen("Taken: "), became, class_="yes"))
    return element("ol", *rungs, class_="ladder", aria_label="Ladder of generalizations, from the word upwards")
