"""The report page: one file that shows one or many sanitized texts, what was changed in them, why, and what holds for them.

Without `reveal` it may lie beside the released texts: it marks what was changed and how, and tells neither the words that stood
there nor why they went, since both tell the secret. With `reveal` it holds everything, the originals too, and is private.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kgsan.report.page.bars import kept_bar
from kgsan.report.page.cards import cards
from kgsan.report.page.marks import marks
from kgsan.report.page.markup import NOTHING, Markup, element, escaped, joined, table
from kgsan.report.page.proof import certificate, entities
from kgsan.report.page.signs import RULES, badge, legend
from kgsan.report.page.texts import Shown, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.policy.policy import Policy
    from kgsan.report.certificate import Certificate
    from kgsan.report.page.marks import Mark
    from kgsan.sanitize.result import SanitizedDocument

_PRIVATE = "Private: this page holds the original words and why they were hidden. It is not for those who get the released text."
_NAMES = "The names of the files are shown as they are; nobody sanitized them."


@dataclass(frozen=True, slots=True)
class Reported:
    """A text that was sanitized, with all that a page tells of it."""

    name: str
    original: str = field(repr=False)
    result: SanitizedDocument
    certificate: Certificate = field(repr=False)


def page(policy: Policy, documents: Sequence[Reported], *, reveal: bool) -> bytes:
    """The page in UTF-8: the same bytes for the same texts, policy and sources."""
    assert documents
    found = [marks(one.result) for one in documents]
    is_batch = len(documents) > 1
    body = [
        element("a", "Skip to the text", href="#d1", class_="skip"),
        _header(policy, documents, found, reveal),
        element(
            "main",
            _index(documents, found, reveal) if is_batch else NOTHING,
            *(
                _document(number, one, own, policy, reveal, is_batch)
                for number, (one, own) in enumerate(zip(documents, found, strict=True), 1)
            ),
        ),
        element("footer", certificate(documents[0].certificate), element("p", _PRIVATE, class_="private") if reveal else NOTHING),
    ]
    title = f"Sanitized under {policy.name}{' (private)' if reveal else ''}"
    return joined([Markup("<!DOCTYPE html>\n"), _whole(title, body)]).encode()


def _whole(title: str, body: Sequence[Markup]) -> Markup:
    style, digest = _style()
    rule = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = [
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=rule),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="robots", content="noindex"),
        element("title", title),
        element("style", style),
    ]
    return element("html", element("head", *head), "\n", element("body", joined(body, "\n")), "\n", lang="en")


@cache
def _style() -> tuple[Markup, str]:
    """The style sheet, and the digest by which the page allows it and no other."""
    content = "".join(files("kgsan.report.page").joinpath(name).read_text("utf-8") for name in ("palette.css", "style.css"))
    return Markup(content), base64.b64encode(hashlib.sha256(content.encode()).digest()).decode("ascii")


# --- the whole ------------------------------------------------------------------------------------------------------------


def _header(policy: Policy, documents: Sequence[Reported], found: Sequence[tuple[Mark, ...]], reveal: bool) -> Markup:
    changes = sum(map(len, found))
    facts = [_fact("Policy", policy.name), _fact("Changed", "1 place" if changes == 1 else f"{changes:,} places")]
    if len(documents) > 1:
        facts.insert(1, _fact("Documents", f"{len(documents):,}"))
    elif reveal:
        facts.append(_fact("Information kept", kept_bar(documents[0].result.utility_kept)))
    facts.append(_fact("Read again", "nothing found"))
    return element(
        "header",
        element("p", _PRIVATE, class_="private") if reveal else NOTHING,
        element("h1", "Sanitized texts" if len(documents) > 1 else "Sanitized text"),
        element("p", policy.law, class_="law"),
        element("dl", *facts, class_="facts"),
        legend((mark for own in found for mark in own), reveal=reveal),
    )


def _fact(name: str, value: str) -> Markup:
    return element("div", element("dt", name), element("dd", value))


def _index(documents: Sequence[Reported], found: Sequence[tuple[Mark, ...]], reveal: bool) -> Markup:
    present = [rule for rule in RULES if reveal and any(rule in mark.rules for own in found for mark in own)]
    rows = []
    for number, (one, own) in enumerate(zip(documents, found, strict=True), 1):
        counts = Counter(rule for mark in own for rule in mark.rules)
        row: list[str] = [element("a", element("bdi", one.name), href=f"#d{number}"), f"{len(own):,}"]
        row += [f"{counts[rule]:,}" if counts[rule] else "–" for rule in present]
        row += [kept_bar(one.result.utility_kept)] if reveal else []
        rows.append(row)
    heads = ["Document", "Changed", *map(badge, present), *(["Information kept"] if reveal else [])]
    inner = element(
        "div",
        table(heads, rows, "The documents of this page", class_="index"),
        class_="wide",
        tabindex="0",
        role="group",
        aria_label="Table of documents",
    )
    return element("nav", element("h2", "Documents"), inner, element("p", _NAMES, class_="quiet"), aria_label="Documents")


# --- one document ---------------------------------------------------------------------------------------------------------


def _document(number: int, one: Reported, own: tuple[Mark, ...], policy: Policy, reveal: bool, is_batch: bool) -> Markup:
    key = f"d{number}"
    told, leads = cards(key, one.original, own, policy) if reveal else (NOTHING, {})
    shown = Shown(key, one.original, one.result, own, leads, policy, reveal)
    name = one.name if reveal or is_batch else "The released text"
    parts = [
        element("h2", element("bdi", name), id=f"{key}-name"),
        element("p", _line(one, own, reveal), class_="quiet") if is_batch else NOTHING,
        text(shown),
        element("h3", "Why, change by change") if own and reveal else NOTHING,
        told if own else NOTHING,
        element("h3", "What is protected, and how near the released text comes to each limit"),
        entities(one.certificate, policy, quote=reveal),
        element("p", "SHA-256 of the released text ", element("code", one.certificate["text"]["sha256"]), class_="quiet digest"),
    ]
    return element("section", *parts, id=key, class_="document", aria_labelledby=f"{key}-name")


def _line(one: Reported, own: tuple[Mark, ...], reveal: bool) -> Markup:
    told = "Nothing was changed." if not own else f"Changed in {len(own):,} place{'s' * (len(own) > 1)}."
    return joined([told, " ", kept_bar(one.result.utility_kept) if reveal else escaped("")])
