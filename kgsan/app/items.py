"""One change on the page: the words, the sentence why, the ladder, and the buttons."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from dataclasses import field as kept
from typing import TYPE_CHECKING

from kgsan.app.markup import NOTHING, Markup, button, element, field, form, hidden, joined, unseen, void
from kgsan.app.replay import Ruling
from kgsan.ontology import names
from kgsan.report.page.signs import badge
from kgsan.report.sentences import law, reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.app.chain import Span
    from kgsan.app.desk import View
    from kgsan.app.drafting import Settled, Waived
    from kgsan.app.proposal import Step
    from kgsan.policy.policy import Policy
    from kgsan.risk.disclosures import Disclosure

_STATES = {
    None: "open",
    Ruling.ACCEPT: "accepted",
    Ruling.GENERALIZE: "changed",
    Ruling.REDACT: "blacked out",
    Ruling.KEEP: "kept",
}
_KINDS = {None: "open", Ruling.KEEP: "waived"}


@dataclass(frozen=True, slots=True)
class Shown:
    """What all changes of a page share: the document, where its forms go, and what was counted once."""

    view: View
    where: str
    token: str
    now: dict[Span, str] = kept(repr=False)  #: what stands in place of each part
    alike: Counter[str] = kept(repr=False)  #: how many parts read the same


def shown(view: View, token: str) -> Shown:
    """What the changes of a document's page share."""
    draft = view.draft
    now = {
        draft.hidden[number].span: draft.text[piece.new_start : piece.new_end]
        for piece in draft.rewritten.pieces
        for number in piece.changes
    }
    alike = Counter(_key(one.span, view) for one in draft.settled)
    return Shown(view, f"/document/{view.waiting.number}", token, now, alike)


def item(one: Settled, number: int, page: Shown, *, is_open: bool) -> Markup:
    """A change with everything that can be done about it."""
    view, where, token = page.view, page.where, page.token
    words = view.waiting.text[one.span[0] : one.span[1]]
    ruling = None if one.verdict is None else one.verdict.ruling
    now = element("span", "kept", class_="tag") if one.is_kept else element("ins", page.now.get(one.span, ""))
    head = element(
        "summary",
        element("span", f"{number}", class_="number"),
        element("span", element("del" if not one.is_kept else "span", words), unseen(" becomes "), " ", now, class_="words"),
        element("span", _STATES[ruling], class_=f"state {_KINDS.get(ruling, 'settled')}"),
    )
    place = hidden("at", f"{one.span[0]}-{one.span[1]}")
    rules = dict.fromkeys(each.rule for each in one.decision.disclosures)
    steps = view.draft.proposal.ladder(one.decision)
    policy, alike = view.draft.proposal.sanitizer.policy, page.alike[_key(one.span, view)]
    body = [
        element("p", joined(map(badge, rules), " "), class_="badges"),
        element("p", " ".join(_reasons(one, policy)), class_="why"),
        form(
            f"{where}/decide",
            token,
            place,
            _ladder(steps, one),
            _buttons(steps, one),
            _everywhere(alike, is_usual=True),
            class_="decide",
        ),
        _keeping(number, place, alike, where, token),
        _suggesting(number, place, where, token),
    ]
    return element(
        "details",
        head,
        element("div", *body, class_="body"),
        id=f"change-{number}",
        class_=f"item r-{one.decision.disclosures[0].rule.value}",
        open="" if is_open else None,
        name="change",
        data_change=number,
        data_state=_STATES[ruling],
    )


def _reasons(one: Settled, policy: Policy) -> Iterator[str]:
    """Why the engine would change it, each thing once, and what the law says."""
    yield from dict.fromkeys(reason(each, words=True) for each in one.decision.disclosures)
    for entity in dict.fromkeys(each.entity for each in one.decision.disclosures):
        if (because := law(entity, policy)) is not None:
            yield f"The policy protects '{entity}': {because}"


def _ladder(steps: list[Step], one: Settled) -> Markup:
    """The rungs: those that were refused below the first that may stand, each with why."""
    if not steps:
        return element("p", "There is nothing more general for these words: they are blacked out, or stay with a reason.")
    rows, refused = [], []
    for step in steps:
        if step.refused is not None:
            refused.append(element("li", step.rung.name, element("span", f"it {step.refused}", class_="because"), class_="no"))
            continue
        is_now = one.rung is not None and (one.rung.name, one.rung.place) == (step.rung.name, step.rung.place)
        told = [element("strong", step.rung.name)] if is_now else [step.rung.name]
        told += [element("span", f"safe, but {step.warning}", class_="because")] if step.warning else []
        told += [element("span", "proposed", class_="tag")] if step.is_chosen else []
        take = NOTHING if is_now else button("Take", f"generalize:{step.key}", aria_label=f"Take {step.rung.name}", kind="small")
        rows.append(element("li", joined(told, " "), take, class_="yes now" if is_now else "yes"))
    shut = f"{len(refused)} refused"
    hidden_rungs = element("details", element("summary", shut), element("ol", *refused, class_="ladder")) if refused else NOTHING
    return joined(
        [element("ol", *rows, class_="ladder", aria_label="What may stand here, the most specific first"), hidden_rungs]
    )


def _buttons(steps: list[Step], one: Settled) -> Markup:
    further = _further(steps, one)
    rows = [button("Accept", "accept", key="a", kind="strong")]
    rows += [button("More general", f"generalize:{further.key}", key="g")] if further is not None else []
    rows += [button("Black out", "redact", key="r")]
    rows += [button("Undo", "undo", key="u")] if one.verdict is not None or _is_marked(one) else []
    return element("div", *rows, class_="buttons")


def _further(steps: list[Step], one: Settled) -> Step | None:
    """The next rung above the one that stands there now."""
    if one.rung is None:
        return None
    names_now = [(step.rung.name, step.rung.place) for step in steps]
    now = (one.rung.name, one.rung.place)
    if now not in names_now:
        return None
    return next((step for step in steps[names_now.index(now) + 1 :] if step.refused is None), None)


def _is_marked(one: Settled) -> bool:
    return any(each.rule == "spans" for each in one.decision.disclosures)


def _everywhere(count: int, *, is_usual: bool) -> Markup:
    if count < 2:
        return NOTHING
    box = void("input", type="checkbox", name="everywhere", value="yes", checked="" if is_usual else None)
    return element("label", box, f" at all {count} places that read the same", class_="everywhere")


def _key(span: Span, view: View) -> str:
    return names.key(view.waiting.text[span[0] : span[1]])


def _keeping(number: int, place: Markup, alike: int, where: str, token: str) -> Markup:
    told = field("reason", "Why it may stay", f"keep-{number}", maxlength="500", required="")
    asked = form(f"{where}/decide", token, place, told, _everywhere(alike, is_usual=False), button("Keep", "keep"), class_="line")
    key = element("kbd", "w", aria_hidden="true")
    return element("details", element("summary", "Keep, with a reason", key, data_key="w"), asked, class_="keep")


def _suggesting(number: int, place: Markup, where: str, token: str) -> Markup:
    told = field("reason", "Reason, as you would give it to an auditor", f"policy-{number}", maxlength="500", required="")
    kinds = (("deny", "always hide these words"), ("allow", "let these words stay"))
    choice = element(
        "select", *(element("option", name, value=kind) for kind, name in kinds), name="kind", aria_label="In future"
    )
    asked = form(f"{where}/policy", token, place, choice, told, button("Write the line", "policy"), class_="line")
    return element("details", element("summary", "Add to policy"), asked, class_="keep")


def finding(one: Disclosure, spans: list[Span], page: Shown) -> Markup:
    """Something that still discloses, and how to end it, for each word that has a part in it."""
    rows = [element("div", *_ending(span, page), class_="ending") for span in spans]
    return element("li", badge(one.rule), f" {reason(one, words=True)}", *rows)


def _ending(span: Span, page: Shown) -> Iterator[Markup]:
    view, at = page.view, f"{span[0]}-{span[1]}"
    for number, one in enumerate(view.draft.settled, 1):
        if not one.is_kept and one.span[0] < span[1] and span[0] < one.span[1]:
            told = f"change {number}: take something more general, or black it out"
            yield element("a", told, href=f"?at={one.span[0]}-{one.span[1]}#change-{number}", data_change=number)
            return
    yield element("strong", view.waiting.text[span[0] : span[1]])
    yield form(f"{page.where}/hide", page.token, hidden("at", at), button("Hide it", "hide"), class_="line")
    told = field("reason", "Why it may stay", f"keep-at-{at}", maxlength="500", required="")
    yield form(f"{page.where}/decide", page.token, hidden("at", at), told, button("Keep", "keep"), class_="line")


def waiver(one: Waived, page: Shown) -> Markup:
    """Something that stays, and why."""
    words = page.view.waiting.text[one.span[0] : one.span[1]]
    back = form(
        f"{page.where}/decide", page.token, hidden("at", f"{one.span[0]}-{one.span[1]}"), button("Undo", "undo", kind="small")
    )
    return element("li", element("strong", words), f": {one.reason}", back)
