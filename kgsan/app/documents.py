"""The page of one document: its text with the changes, why each is made, what else may stand there, and what is to be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.app.desk import finding_spans
from kgsan.app.items import finding, item, shown, waiver
from kgsan.app.markup import NOTHING, Markup, button, element, field, form, hidden, joined, page, void
from kgsan.app.stricter import strictness_part
from kgsan.app.texts import text_of
from kgsan.report.page.signs import RULES, badge

if TYPE_CHECKING:
    from kgsan.app.chain import Span
    from kgsan.app.desk import Desk, View
    from kgsan.app.drafting import Draft, Settled
    from kgsan.app.items import Shown

#: So many changes are listed at a time, and so much that still discloses.
_MOST, _TOLD = 200, 50
#: What is told when something was done.
DONE = {
    "accept": "Accepted.",
    "generalize": "Another replacement was taken.",
    "redact": "Blacked out.",
    "keep": "It stays, and is listed as waived.",
    "undo": "Open again.",
    "hide": "Hidden as well.",
    "rest": "Everything else was accepted.",
    "strictness": "The other strictness was taken.",
    "policy": "A line for the policy was written; the policy itself is as it was.",
    "release": "Released: the text was verified and written.",
}


def document_page(desk: Desk, view: View, token: str, *, at: Span | None = None, done: str = "", wrong: str = "") -> str:
    """The page; `at` is the part that was looked at last, `wrong` why something was refused."""
    waiting, draft = view.waiting, view.draft
    where = f"/document/{waiting.number}"
    current = _current(draft, at)
    shared = shown(view, token)
    first = _first(draft, current)
    told = f"{len(draft.settled) - draft.open_count} of {len(draft.settled)} changes decided"
    header = element(
        "header",
        element("nav", element("a", "All documents", href="/"), aria_label="Pages"),
        element("h1", waiting.path.name),
        element("p", f"Document {waiting.number} of {len(desk.documents)} · {told} · {_state(view)}", class_="quiet"),
        _progress(draft),
    )
    notice = element("p", wrong, class_="wrong", role="alert") if wrong else _done(done)
    text = element(
        "section",
        element("h2", "Text"),
        _views(),
        _legend(draft),
        element("div", *text_of(draft, current), class_="text", id="text", tabindex="0", role="group", aria_label="The text"),
        _selection(where, token),
        _typed(where, token),
        strictness_part(desk, view, token),
        class_="side reading",
    )
    changes = element(
        "section",
        element("h2", "Changes", id="changes-head"),
        _elsewhere(draft, first),
        *(
            item(one, number, shared, is_open=one is current)
            for number, one in enumerate(draft.settled[first : first + _MOST], first + 1)
        ),
        element("p", "Nothing in this document had to be changed.", class_="quiet") if not draft.settled else NOTHING,
        _rest(draft, where, token),
        _remaining(shared),
        _waived(shared),
        _release(desk, view, where, token),
        class_="side changes",
        aria_labelledby="changes-head",
    )
    body = element("main", element("div", notice, id="notice", aria_live="polite"), text, changes, id="main", tabindex="-1")
    return page(waiting.path.name, token, header, body, _keys())


# --- the text ---------------------------------------------------------------------------------------------------------------


def _views() -> Markup:
    """What of the text is shown; this needs no script."""
    told = (("both", "Both"), ("before", "Original"), ("after", "Result"))
    choices = (
        element(
            "label", void("input", type="radio", name="shown", value=value, checked="" if value == "both" else None), f" {name}"
        )
        for value, name in told
    )
    return element("fieldset", element("legend", "Show"), *choices, class_="views")


def _legend(draft: Draft) -> Markup:
    rules = {one.decision.disclosures[0].rule for one in draft.settled}
    rows = (element("li", badge(rule), f" {RULES[rule][1]}") for rule in RULES if rule in rules)
    return element("ul", *rows, class_="legend", aria_label="What the marks mean") if rules else NOTHING


def _selection(where: str, token: str) -> Markup:
    """What can be done with words that are selected in the text; the script shows it."""
    return form(
        f"{where}/hide",
        token,
        hidden("at", ""),
        element("span", "Selected words:", class_="quiet"),
        button("Hide them", "hide", key="h", kind="strong"),
        id="selection",
        hidden="",
        aria_label="Selected words",
    )


def _typed(where: str, token: str) -> Markup:
    return form(
        f"{where}/hide",
        token,
        field("words", "Hide words wherever they stand", "words", maxlength="500", required=""),
        button("Hide", "words"),
        class_="line",
    )


# --- what is left to do -----------------------------------------------------------------------------------------------------


def _current(draft: Draft, at: Span | None) -> Settled | None:
    """The part to look at: the one that was asked for if it is still open, or the next that is."""
    chosen = next((one for one in draft.settled if one.span == at), None)
    if chosen is not None and chosen.verdict is None:
        return chosen
    following = [one for one in draft.settled if one.verdict is None and (at is None or one.span > at)]
    rest = [one for one in draft.settled if one.verdict is None]
    return next(iter([*following, *rest]), chosen)


def _progress(draft: Draft) -> Markup:
    total = len(draft.settled) or 1
    done = total - draft.open_count if draft.settled else 1
    return element("progress", f"{done} of {total}", max=total, value=done, aria_label="Changes decided")


def _state(view: View) -> str:
    if view.standing.is_released:
        return "released"
    if view.standing.was_interrupted:
        return "a release was interrupted: release it again"
    if view.draft.remaining:
        return "still discloses"
    return "in review" if view.draft.open_count else "ready to be released"


def _done(done: str) -> Markup:
    return element("p", DONE[done], class_="done") if done in DONE else NOTHING


def _rest(draft: Draft, where: str, token: str) -> Markup:
    if not draft.open_count:
        return NOTHING
    told = f"Accept the {draft.open_count} that {'is' if draft.open_count == 1 else 'are'} open"
    return form(f"{where}/decide", token, button(told, "rest"), class_="line")


def _remaining(page: Shown) -> Markup:
    draft = page.view.draft
    if not draft.remaining:
        return NOTHING
    pairs = zip(draft.remaining[:_TOLD], finding_spans(draft)[:_TOLD], strict=True)
    rows = [finding(one, spans, page) for one, spans in pairs]
    told = "Read again, the text as it is now discloses more than the policy allows. It cannot be released like this."
    return element("section", element("h2", "Still discloses"), element("p", told), element("ul", *rows), class_="alarm")


def _waived(page: Shown) -> Markup:
    standing = page.view.standing
    rows = [waiver(one, page) for one in page.view.draft.waived]
    if standing.strictness_reason:
        rows.append(element("li", f"Strictness {standing.strictness} instead of the policy's: {standing.strictness_reason}"))
    return element("section", element("h2", "Waived"), element("ul", *rows), class_="waived") if rows else NOTHING


def _first(draft: Draft, current: Settled | None) -> int:
    """The first change that is listed, where there are more than a page holds."""
    at = draft.settled.index(current) if current is not None else 0
    return max(0, min(at - _MOST // 2, len(draft.settled) - _MOST))


def _elsewhere(draft: Draft, first: int) -> Markup:
    if len(draft.settled) <= _MOST:
        return NOTHING
    told = f"Changes {first + 1} to {first + _MOST} of {len(draft.settled)}; the others are reached from the text."
    return element("p", told, class_="quiet")


def _release(desk: Desk, view: View, where: str, token: str) -> Markup:
    rows: list[Markup] = []
    if view.before:
        told = (
            "This document was released before under other settings or decisions. Side by side the two releases tell more than "
            "each of them was checked for."
        )
        box = void("input", type="checkbox", name="confirm", value="yes", required="")
        rows += [
            element("p", told, class_="wrong"),
            element("label", box, " Release it all the same; this is logged.", class_="everywhere"),
        ]
    ready = not view.draft.open_count and not view.draft.remaining
    why = "Decide about every change first." if view.draft.open_count else "Nothing may be left that discloses."
    rows.append(button("Verify and release", "release", kind="strong", disabled=None if ready else ""))
    rows.append(element("p", f"It goes to the folder {desk.folder.name}/released." if ready else why, class_="quiet"))
    return element("section", element("h2", "Release"), form(f"{where}/release", token, *rows))


def _keys() -> Markup:
    keys = (
        ("j", "next change"), ("k", "previous change"), ("n", "next that is open"), ("a", "accept"), ("g", "more general"),
        ("r", "black out"), ("w", "keep, with a reason"), ("u", "undo"), ("h", "hide the selected words"), ("s", "strictness"),
    )  # fmt: skip
    rows = joined(element("div", element("dt", element("kbd", key)), element("dd", told)) for key, told in keys)
    use = element("label", void("input", type="checkbox", id="keys", checked=""), " Use these keys")
    return element("footer", element("h2", "Keys"), use, element("dl", rows, class_="keys"))
