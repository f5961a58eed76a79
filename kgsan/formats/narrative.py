"""The narrative of a FHIR resource: text in the small part of XHTML that FHIR allows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape, unescape
from typing import TYPE_CHECKING

from kgsan.formats.woven import BLANK, BLOCK, JOINTS, LINE, NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAG = re.compile(r"(<!--(?:(?!-->).)*+-->|<[^<>]*+>)", re.DOTALL)
_NAME = re.compile(r"</?([A-Za-z][\w:.-]*+)")
_ATTRIBUTE = re.compile(r"""([\w:.-]++)(\s*+=\s*+)("[^"]*+"|'[^']*+')""")
_INLINE = frozenset(
    "a abbr acronym b bdo big cite code dfn em font i img kbd q s samp small span strong sub sup tt u var".split()
)
#: Attributes that are read by people; another one that may not stand is emptied.
_READ = ("alt", "title", "abbr", "summary")
_LETTERS = re.compile(r"[^\W\d_]{2}")


@dataclass(slots=True)
class Words:
    """Words of a narrative: between tags, in an attribute or in a remark."""

    raw: str = field(repr=False)
    text: str = field(repr=False)
    joint: str
    attribute: str = ""
    is_remark: bool = False

    def written(self, new: str) -> str:
        """How other words are written in their place."""
        return self.raw if new == self.text else escape(new.replace("--", "- -") if self.is_remark else new)

    def fitting(self, new: str) -> str:
        """What can stand in their place."""
        return "" if new != self.text and self.attribute and self.attribute not in _READ else new


class NotReadable(Exception):
    """It is no narrative: something in it is neither text nor a tag."""


def parts(source: str) -> Iterator[str | Words]:
    """The markup and the words of a narrative in their order; put together they are the source."""
    joint = BLOCK
    for number, piece in enumerate(_TAG.split(source)):
        if number % 2 == 0:
            if "<" in piece:
                raise NotReadable
            if piece.strip():
                yield Words(piece, unescape(piece), joint)
                joint = NOTHING
            else:
                yield piece
                joint = max(joint, BLANK if piece else NOTHING, key=JOINTS.index)
        elif piece.startswith("<!--"):
            yield "<!--"
            yield Words(piece[4:-3], piece[4:-3], BLOCK, is_remark=True)
            yield "-->"
            joint = BLOCK
        else:
            tag = _NAME.match(piece)
            if tag is None:
                raise NotReadable
            joint = max(joint, _joint(tag[1].lower()), key=JOINTS.index)
            yield from _tag(piece)


def _joint(tag: str) -> str:
    if tag in _INLINE:
        return NOTHING
    return LINE if tag == "br" else BLANK if tag in ("td", "th") else BLOCK


def _tag(piece: str) -> Iterator[str | Words]:
    place = 0
    for found in _ATTRIBUTE.finditer(piece):
        value = found[3][1:-1]
        if found[1].lower().startswith("xmlns") or not _LETTERS.search(unescape(value)):
            continue
        yield piece[place : found.start(3) + 1]
        yield Words(value, unescape(value), BLOCK, found[1].lower())
        place = found.end(3) - 1
    yield piece[place:]
