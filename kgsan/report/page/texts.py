"""A text before and after, side by side, with every changed place marked and the reason beside it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgsan.report.page.marks import Mark, Stretch, blocks
from kgsan.report.page.markup import NOTHING, Markup, element, escaped, joined, unseen
from kgsan.report.page.signs import ACTIONS, RULES, sign_of
from kgsan.report.sentences import explain, law

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kgsan.policy.policy import Policy
    from kgsan.risk.disclosures import Rule
    from kgsan.sanitize.result import SanitizedDocument

_REMOVED = "(left out)"


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as a page shows it; `key` begins every id in it, and `cards` says where each mark is explained."""

    key: str
    original: str = field(repr=False)
    result: SanitizedDocument
    marks: tuple[Mark, ...]
    cards: Mapping[int, str]
    policy: Policy
    reveal: bool


def text(shown: Shown) -> Markup:
    """The whole text in rows. Without `reveal` nothing of the original is in it."""
    heads = [element("div", "Released", class_="head after")]
    if shown.reveal:
        heads = [element("div", "Original", class_="head before"), *heads, element("div", "Protected", class_="head margin")]
    head = element("div", *heads, class_="row heads", aria_hidden="true")
    told: set[str] = set()
    rows = [_row(shown, block, told) for block in blocks(shown.result, shown.marks)]
    whole = element("div", head, *(rows or [element("p", "The text is empty.", class_="row quiet")]), class_="text")
    return element(
        "div", whole, NOTHING if shown.reveal else _protected(shown), class_="spread revealed" if shown.reveal else "spread"
    )


def _protected(shown: Shown) -> Markup:
    """What the policy protects, for those who are not told where."""
    notes = []
    for one in shown.policy.protect:
        quoted = NOTHING if one.because is None else element("span", one.because, class_="law")
        notes.append(element("li", element("bdi", one.entity, class_="entity"), quoted))
    head = element("h3", "Protected by the policy")
    return element("div", head, element("ul", *notes), class_="protected") if notes else NOTHING


def _row(shown: Shown, block: list[Stretch], told: set[str]) -> Markup:
    after = element("div", *_after(shown, block), class_="after", dir="auto")
    if not shown.reveal:
        return element("div", after, class_="row")
    before = element("div", *_before(shown, block), class_="before", dir="auto")
    return element("div", before, after, _margin(shown, block, told), class_="row")


def _before(shown: Shown, block: list[Stretch]) -> Iterator[Markup]:
    yield unseen("Original: ")
    for stretch in block:
        words = escaped(_ended(shown.original[stretch.start : stretch.end], stretch is block[-1]))
        yield words if stretch.mark is None else element("mark", words, class_=f"was {sign_of(stretch.mark, reveal=True)}")


def _after(shown: Shown, block: list[Stretch]) -> Iterator[Markup]:
    yield unseen("Released: ")
    for stretch in block:
        words = shown.result.text[stretch.new_start : stretch.new_end]
        if stretch.mark is None:
            yield escaped(_ended(words, stretch is block[-1]))
            continue
        mark = stretch.mark
        here, why = f"{shown.key}-m{mark.number}", f"{shown.key}-t{mark.number}"
        card = shown.cards.get(mark.number)
        yield element(
            "a",
            words if words.strip() else _REMOVED,
            class_=f"change {sign_of(mark, reveal=shown.reveal)}",
            id=here,
            href=f"#{card or here}",
            aria_describedby=why,
        )
        yield element("span", _why(shown, mark), class_="tip", role="tooltip", id=why, dir="ltr")


def _ended(words: str, is_last: bool) -> str:
    """Words without the ends of lines that only part a block from the next."""
    return words.rstrip("\r\n") if is_last else words


def _why(shown: Shown, mark: Mark) -> Markup:
    if not shown.reveal:
        return joined(dict.fromkeys(ACTIONS[one.action] for one in mark.decisions), " ")
    told = (explain(replace(one, refused=()), None, shown.original) for one in mark.decisions)
    return joined((element("span", one, class_="sentence") for one in dict.fromkeys(told)), " ")


def _margin(shown: Shown, block: list[Stretch], told: set[str]) -> Markup:
    """The entities that the changes of a block protect; the law's words where an entity is met for the first time."""
    entities: dict[str, dict[Rule, None]] = {}
    for stretch in block:
        for decision in () if stretch.mark is None else stretch.mark.decisions:
            for one in decision.disclosures:
                entities.setdefault(one.entity or "(listed)", {}).setdefault(one.rule)
    notes = []
    for entity, rules in entities.items():
        letters = joined(element("abbr", RULES[rule][0], title=rule.value, class_=f"letter r-{rule.value}") for rule in rules)
        because = None if entity in told else law(entity, shown.policy)
        quoted = NOTHING if because is None else element("span", because, class_="law")
        notes.append(element("li", letters, " ", element("bdi", entity, class_="entity"), quoted))
        told.add(entity)
    return element("ul", *notes, class_="margin", aria_label="Protected here") if notes else element("div", class_="margin")
