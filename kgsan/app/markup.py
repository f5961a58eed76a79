"""The parts from which pages are made: forms, fields, buttons, and a text in which every letter knows its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgsan.report.page.markup import NOTHING, Markup, element, joined, unseen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.app.chain import Span

__all__ = ["NOTHING", "Markup", "button", "element", "field", "form", "hidden", "joined", "page", "plain", "unseen", "void"]

#: Where a page shows more or fewer letters than the text has: a place is told anew behind it.
_UNEVEN = re.compile(r"\r\n?|[^\n\t -~\u00a1-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")


def void(name: str, /, **attributes: str | int | None) -> Markup:
    """An element that has no end.

    >>> void("input", type="hidden", name="place", value="3-9")
    '<input type="hidden" name="place" value="3-9">'
    """
    return Markup(element(name, **attributes).removesuffix(f"</{name}>"))


def hidden(name: str, value: str) -> Markup:
    """A field that the page sends along."""
    return void("input", type="hidden", name=name, value=value)


def form(action: str, token: str, *content: str, **attributes: str | None) -> Markup:
    """A form that changes something, with the token of the page."""
    return element("form", hidden("token", token), *content, method="post", action=action, **attributes)


def button(told: str, do: str, *, key: str | None = None, kind: str | None = None, **attributes: str | None) -> Markup:
    """A button of a form; `key` is what to press instead."""
    shown = joined([told, element("kbd", key, aria_hidden="true")] if key else [told])
    keys = {"aria_keyshortcuts": key, "data_key": key}
    return element("button", shown, name="do", value=do, class_=kind, **keys, **attributes)


def field(name: str, told: str, identifier: str, **attributes: str | None) -> Markup:
    """A line to write on, under its label."""
    label = element("label", told, for_=identifier)
    return joined([label, void("input", id=identifier, name=name, type="text", autocomplete="off", **attributes)])


def plain(text: str, span: Span) -> Iterator[Markup]:
    """A part of a text in pieces that say where they begin, so that what a person marks can be placed."""
    at, end = span
    while at < end:
        odd = _UNEVEN.search(text, at, end)
        stop = end if odd is None else odd.start()
        if stop > at:
            yield element("span", text[at:stop], data_at=at)
        if odd is not None:
            yield element("span", odd.group(), data_at=odd.start(), data_length=odd.end() - odd.start())
            stop = odd.end()
        at = stop


def page(title: str, token: str, *content: str) -> str:
    """A whole page."""
    head = joined(
        [
            void("meta", charset="utf-8"),
            void("meta", name="viewport", content="width=device-width, initial-scale=1"),
            void("meta", name="kgsan-token", content=token),
            element("title", f"{title} · kgsan review"),
            void("link", rel="stylesheet", href="/static/palette.css"),
            void("link", rel="stylesheet", href="/static/review.css"),
            void("link", rel="icon", href="/static/icon.svg", type="image/svg+xml"),
            element("script", src="/static/review.js", defer=""),
        ]
    )
    skip = element("a", "To the document", href="#main", class_="skip")
    body = element("body", skip, *content)
    return f"<!doctype html>\n{element('html', element('head', head), body, lang='en')}\n"
