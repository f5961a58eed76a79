"""Where one token ends and the next begins, as taggers want them: contractions, hyphens and marks stand alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: A mark may be repeated ("...", "----") and is still one token, so that ten million of them are one.
_MARKS = r"([^\w\s])\1*+|_++|\d++(?:[.,:/]\d++)++|(?:[^\W\d_]\.){2,12}|[^\W_]++(?:'[^\W_]++)*+"
_TOKEN = re.compile(_MARKS)
_ADDRESSES = r"(?:https?://|www\.)[^\s<>\"]{0,2000}[\w/]|[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[\w-]{1,63}|"
_TOKEN_OR_ADDRESS = re.compile(_ADDRESSES + _MARKS)
#: Abbreviations that stand before a name.
TITLES = frozenset("mr mrs ms mx messrs dr drs prof rev fr hon gov sen rep pres gen".split())
_SPACE = re.compile(r"\s")
_BLOCK = 1 << 18
_APOSTROPHE = re.compile("'")
_CONTRACTION = re.compile(r"(?:n't|'(?:s|m|d|re|ve|ll))$", re.IGNORECASE)


def token_spans(text: str) -> NDArray[np.int64]:
    """First and last place of every token, two columns. Spaces belong to none.

    >>> text = "Pt doesn't take 0.5 mg b.i.d. (non-smoker)..."
    >>> [text[start:end] for start, end in token_spans(text).tolist()]
    ['Pt', 'does', "n't", 'take', '0.5', 'mg', 'b.i.d.', '(', 'non', '-', 'smoker', ')', '...']
    """
    pattern = _TOKEN_OR_ADDRESS if "@" in text or "://" in text or "www." in text else _TOKEN
    parts = []
    start = 0
    while start < len(text):
        end = _block_end(text, start)
        spans = [match.span() for match in pattern.finditer(text, start, end)]
        if "'" in text:
            spans = _without_contractions(text, spans)
        if "." in text:
            spans = _with_abbreviations(text, spans)
        parts.append(np.asarray(spans, dtype=np.int64).reshape(-1, 2))
        start = end
    return np.concatenate(parts) if parts else np.zeros((0, 2), dtype=np.int64)


def _block_end(text: str, start: int) -> int:
    """Where to end a part that is worked on at once, so that long texts need little room: at a space."""
    if start + _BLOCK >= len(text):
        return len(text)
    found = _SPACE.search(text, start + _BLOCK)
    return found.start() if found else len(text)


def _without_contractions(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    made: list[tuple[int, int]] = []
    done = 0
    for mark in _APOSTROPHE.finditer(text, spans[0][0] if spans else 0, spans[-1][1] if spans else 0):
        number = bisect_right(spans, (mark.start(), len(text))) - 1
        start, end = spans[number]
        if number >= done and end - start > 2 and (found := _CONTRACTION.search(text[start : min(end, start + 60)])):
            cut = start + found.start()
            made += spans[done:number]
            if cut > start:
                made.append((start, cut))
            made.append((cut, end))
            done = number + 1
    return made + spans[done:]


def _with_abbreviations(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """ "Dr" and the point after it are one token."""
    known = abbreviations()
    made: list[tuple[int, int]] = []
    for start, end in spans:
        if end - start == 1 and text[start] == "." and made and made[-1][1] == start:
            before, point = made[-1]
            if point - before <= 10 and (
                (word := text[before:point]).lower() in known or (point - before == 1 and word.isupper())
            ):
                made[-1] = (before, end)
                continue
        made.append((start, end))
    return made


@cache
def abbreviations() -> frozenset[str]:
    """Words that are written with a point at their end, without it and in small letters."""
    text = (files("kgsan.text") / "abbreviations.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
