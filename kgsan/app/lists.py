"""The page of the queue: every document of a review, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.app.markup import NOTHING, Markup, element, page

if TYPE_CHECKING:
    from kgsan.app.desk import Desk
    from kgsan.app.queue import Waiting
    from kgsan.app.replay import Standing


def queue_page(desk: Desk, token: str) -> str:
    """All documents with their state."""
    policy = desk.settings.policy
    rows = [_row(one, desk.standing(one)) for one in desk.documents]
    heads = (element("th", name, scope="col") for name in ("Document", "State", "Changes", "Waived"))
    table = element(
        "table",
        element("caption", "Documents of this review", class_="unseen"),
        element("thead", element("tr", *heads)),
        element("tbody", *rows),
    )
    notices = [element("p", f"{one.message}", class_="wrong", role="status") for one in desk.notices]
    released = sum(desk.standing(one).is_released for one in desk.documents)
    header = element(
        "header",
        element("h1", "Review"),
        element("p", f"Policy {policy.name}: {policy.law}", class_="quiet"),
        element("p", f"{released} of {len(desk.documents)} released. Nothing leaves this machine.", class_="quiet"),
    )
    return page(
        "Documents", token, header, element("main", *notices, element("div", table, class_="wide"), id="main", tabindex="-1")
    )


def stopped_page(waiting: Waiting, token: str) -> str:
    """What is shown of a document that the engine cannot make safe."""
    told = "The policy stops where nothing more general is safe, or the text discloses after every change. Nothing is given out."
    header = element(
        "header", element("nav", element("a", "All documents", href="/"), aria_label="Pages"), element("h1", waiting.path.name)
    )
    return page("Not safe", token, header, element("main", element("p", told, class_="wrong", role="alert"), id="main"))


def _row(waiting: Waiting, standing: Standing) -> Markup:
    seen = waiting.seen
    state, kind = _state(waiting, standing)
    counts: str = NOTHING
    if seen is not None:
        counts = f"{seen.changes - seen.open} of {seen.changes} decided" if seen.changes else "none"
    waived = NOTHING if seen is None or not seen.waived else f"{seen.waived}"
    return element(
        "tr",
        element("th", element("a", waiting.path.name, href=f"/document/{waiting.number}"), scope="row"),
        element("td", element("span", state, class_=f"state {kind}")),
        element("td", counts),
        element("td", waived),
    )


def _state(waiting: Waiting, standing: Standing) -> tuple[str, str]:
    seen = waiting.seen
    if waiting.problem:
        return waiting.problem, "bad"
    if standing.is_released:
        return "released", "settled"
    if standing.was_interrupted:
        return "release interrupted", "bad"
    if seen is None:
        return ("taken up before" if standing.verdicts else "waiting"), "open"
    if seen.remaining:
        return "still discloses", "bad"
    if not seen.open:
        return "ready", "settled"
    return "in review", "open"
