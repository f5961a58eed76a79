"""How strict a document is treated: a slider that shows the text as it would be, and a button that takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.app.markup import Markup, button, element, field, form, hidden, page, void
from kgsan.app.settings import is_less_strict
from kgsan.app.texts import text_of

if TYPE_CHECKING:
    from kgsan.app.desk import Desk, View
    from kgsan.app.drafting import Draft


def preview_page(draft: Draft, strictness: str, number: int, token: str) -> str:
    """A document under another strictness: looked at, not taken."""
    return page("Preview", token, element("main", _previewed(draft, strictness, number), id="main"))


def strictness_part(desk: Desk, view: View, token: str) -> Markup:
    """The part of a document's page that is about strictness."""
    where = f"/document/{view.waiting.number}"
    steps, own = desk.settings.steps, desk.settings.own_strictness
    now = view.standing.strictness or own
    at = steps.index(now)
    slider = void(
        "input", type="range", id="strictness", min="0", max=len(steps) - 1, step="1", value=at, data_steps=" ".join(steps),
        aria_valuetext=now, aria_describedby="strictness-told", disabled="",
    )  # fmt: skip
    choices = (element("option", one, value=one, selected="" if one == now else None) for one in steps)
    look = element(
        "form",
        element("label", "Strictness", for_="strictness"),
        slider,
        element("output", now, for_="strictness", id="strictness-now"),
        element(
            "noscript", element("select", *choices, name="strictness", aria_label="Strictness"), element("button", "Preview")
        ),
        method="get",
        action=f"{where}/preview",
        class_="line",
        id="look",
    )
    told = f"The policy says {own}; more hides more. Moving it shows the text as it would be; nothing is taken until you take it."
    less = " ".join(one for one in steps if is_less_strict(one, desk.settings.policy))
    take = form(
        f"{where}/strictness",
        token,
        hidden("strictness", now),
        field("reason", "Why less strict than the policy", "strictness-reason", maxlength="500"),
        button("Take this strictness", "strictness"),
        class_="line",
        id="take",
        hidden="",
        data_less=less,
    )
    return element(
        "section",
        element("h2", "How strict"),
        look,
        element("p", told, class_="quiet", id="strictness-told"),
        element("div", id="preview", aria_live="polite"),
        take,
        class_="strictness",
    )


def _previewed(draft: Draft, strictness: str, number: int) -> Markup:
    found = len(draft.settled)
    told = f"With strictness {strictness}: {found} change{'s' * (found != 1)}, {draft.open_count} not decided, "
    told += f"{100 * draft.result().utility_kept:.0f} % of what the text says is left."
    back = element("a", "Back to the document", href=f"/document/{number}", class_="noscript")
    return element(
        "section", element("p", told), element("div", *text_of(draft, links=False), class_="text"), back, id="previewed"
    )
