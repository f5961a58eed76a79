"""How each rule and each action is told apart on a page: by a color, by a letter and by a kind of line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kgsan.report.page.markup import Markup, element
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.result import Action

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgsan.report.page.marks import Mark

#: The letter of each rule, and what it finds. The style sheet knows the letters too.
RULES = {
    Rule.NAMING: ("N", "names what is protected"),
    Rule.INFERENCE: ("I", "gives away what is protected"),
    Rule.GROUP: ("G", "does so together with other words"),
    Rule.CORRELATION: ("C", "gives back what a replacement left open"),
    Rule.IDENTIFIER: ("D", "helps to tell who somebody is"),
    Rule.SPECIFICITY: ("S", "says more than anything may"),
    Rule.DENY: ("X", "is listed by the policy"),
    Rule.SPANS: ("M", "was marked by another tool or a person"),
}
ACTIONS = {
    Action.GENERALIZED: "Something more specific stood here.",
    Action.SHORTENED: "A longer phrase stood here.",
    Action.REDACTED: "Something was blacked out here.",
    Action.WRITTEN: "Something was written here as the policy says.",
}
_DONE = {
    Action.GENERALIZED: "generalized",
    Action.SHORTENED: "shortened",
    Action.REDACTED: "blacked out",
    Action.WRITTEN: "written",
}


def sign_of(mark: Mark, *, reveal: bool) -> str:
    """The class of a mark: by rule for those who may know why, and by nothing but what was done for the others."""
    return f"r-{mark.rules[0].value}" if reveal and mark.rules else f"a-{mark.decisions[0].action.value}"


def badge(rule: Rule) -> Markup:
    """The name of a rule with its color and letter."""
    return element("span", rule.value, class_=f"badge r-{rule.value}")


def legend(found: Iterable[Mark], *, reveal: bool) -> Markup:
    """What the colors and letters of a text mean, as far as they occur."""
    counts: Counter[Rule | Action] = Counter()
    for mark in found:
        counts.update(mark.rules if reveal else {decision.action for decision in mark.decisions})
    rows = []
    for rule, (_, meaning) in RULES.items():
        if rule in counts:
            rows.append(element("li", badge(rule), f" {meaning}", element("span", f"{counts[rule]:,}", class_="count")))
    for action in ACTIONS:
        if action in counts:
            rows.append(element("li", element("span", _DONE[action], class_=f"badge a-{action.value}"), f" {ACTIONS[action]}"))
    return element("ul", *rows, class_="legend", aria_label="What the marks mean") if rows else Markup()
