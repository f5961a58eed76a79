"""What a link says in its path, its query and its fragment, and what stands in place of one that says too much."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

#: Stands before a text that took the place of a link, so that it is read again as it was written.
_REPLACED = "#~"
_SPACES = re.compile(r"[ \t\n\r\f\v]")
_ROUNDS = 4
_ADDRESS = re.compile(r"https?:|www\.")
_PICTURE = re.compile(r"data:image/(?!svg)", re.IGNORECASE)
_FONT = re.compile(r"data:(?:font/|application/(?:x-)?font)", re.IGNORECASE)
_DATA = re.compile(r"data:", re.IGNORECASE)
_UNREAD = re.compile(r"(?:data|javascript|vbscript|blob):", re.IGNORECASE)


def spoken(link: str) -> str:
    """The words of a link.

    Schemes are read in capitals: an address in small letters is one word to the reader of texts, and what it holds stays unseen.

    >>> spoken("https://example.org/patients?with=viral%20infection")
    'HTTPS://example.org/patients?with=viral_infection'
    """
    if link == "#":
        return ""
    if link.startswith(_REPLACED) and not _ADDRESS.search(text := unquote(link[len(_REPLACED) :])):
        return text
    link = link.strip(" \t\n\r\f")
    for _ in range(_ROUNDS):
        plain = unquote(link)
        if plain == link:
            break
        link = plain
    if link.startswith("#"):
        return _SPACES.sub(" ", link)
    link = _SPACES.sub("_", link)
    return in_capitals(link)


def in_capitals(text: str) -> str:
    """A text with the schemes of its addresses in capitals, so that their words are seen."""
    return text.replace("https:", "HTTPS:").replace("http:", "HTTP:").replace("www.", "WWW.")


def replaced(text: str) -> str:
    """A link that leads nowhere and says only this.

    >>> replaced("#antiviral drug"), spoken(replaced("HTTP://example.org/an antiviral drug"))
    ('#antiviral%20drug', 'HTTP://example.org/an antiviral drug')
    """
    if text.startswith("#") and not text.startswith(_REPLACED) and text != "#":
        return "#" + _quoted(text[1:])
    return _REPLACED + _quoted(text) if text else "#"


def _quoted(text: str) -> str:
    return quote(text, safe="")


def is_picture(link: str) -> bool:
    """Whether a link holds a picture."""
    return _PICTURE.match(_started(link)) is not None


def is_unread(link: str) -> bool:
    """Whether a link holds what cannot be read: a program, or a document of its own. A typeface says nothing."""
    return _UNREAD.match(_started(link)) is not None and not is_picture(link) and _FONT.match(_started(link)) is None


def holds_data(text: str) -> bool:
    """Whether a style sheet or a list of links holds pictures or documents, and not only typefaces."""
    return any(_FONT.match(text, at.start()) is None for at in _DATA.finditer(text))


def is_font(link: str) -> bool:
    """Whether a link holds a typeface."""
    return _FONT.match(_started(link)) is not None


def _started(link: str) -> str:
    return re.sub(r"[\x00-\x20]", "", link[:80])
