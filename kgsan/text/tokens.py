"""Where one token ends and the next begins, as taggers want them: contractions, hyphens and marks stand alone."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from itertools import chain
from operator import itemgetter
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
#: Which characters are spaces; none has a higher code than the last of these.
_SPACES = np.array([chr(code).isspace() for code in range(0x3002)])
_BLOCK = 1 << 18
#: What stands between two spaces is remembered with its tokens when it is no longer, and so many of those at most.
_SHORT, _MOST_STRETCHES = 40, 1 << 15
_APOSTROPHE = re.compile("'")
_CONTRACTION = re.compile(r"(?:n't|'(?:s|m|d|re|ve|ll))$", re.IGNORECASE)


def token_spans(text: str) -> NDArray[np.int64]:
    """First and last place of every token, two columns. Spaces belong to none.

    >>> text = "Pt doesn't take 0.5 mg b.i.d. (non-smoker)..."
    >>> [text[start:end] for start, end in token_spans(text).tolist()]
    ['Pt', 'does', "n't", 'take', '0.5', 'mg', 'b.i.d.', '(', 'non', '-', 'smoker', ')', '...']
    """
    return tokens(text)[0]


def tokens(text: str) -> tuple[NDArray[np.int64], list[str]]:
    """The places of every token, and the tokens. None goes on over a space, so what stands between two spaces is read alone."""
    places = [np.zeros((0, 2), dtype=np.int64)]
    words: list[str] = []
    start = 0
    while start < len(text):
        end = _block_end(text, start)
        part = text[start:end]
        found = list(map(_remembered.__getitem__, part.split()))
        inside = list(map(itemgetter(0), found))
        begins = np.repeat(_begins(part) + start, np.fromiter(map(len, inside), dtype=np.int64, count=len(inside)) // 16)
        places.append(np.frombuffer(b"".join(inside), dtype=np.int64).reshape(-1, 2) + begins[:, None])
        words += chain.from_iterable(map(itemgetter(1), found))
        start = end
    return np.concatenate(places), words


def _begins(text: str) -> NDArray[np.int64]:
    """Where the stretches between spaces begin."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    spaces = _SPACES[np.minimum(codes, len(_SPACES) - 1)]
    return np.flatnonzero(np.append(True, spaces[:-1]) & ~spaces)


def _in_stretch(text: str) -> tuple[bytes, tuple[str, ...]]:
    """The places of the tokens between two spaces, as numbers of 64 bits, and the tokens."""
    if text.isalpha():
        return array("q", (0, len(text))).tobytes(), (text,)
    pattern = _TOKEN_OR_ADDRESS if "@" in text or "://" in text or "www." in text else _TOKEN
    spans = [match.span() for match in pattern.finditer(text)]
    if "'" in text:
        spans = _without_contractions(text, spans)
    if "." in text:
        spans = _with_abbreviations(text, spans)
    return array("q", chain.from_iterable(spans)).tobytes(), tuple([text[start:end] for start, end in spans])


class _Remembered(dict[str, tuple[bytes, tuple[str, ...]]]):
    """The tokens of short stretches that were met before; begun anew when there are very many."""

    def __missing__(self, stretch: str) -> tuple[bytes, tuple[str, ...]]:
        made = _in_stretch(stretch)
        if len(stretch) <= _SHORT:
            if len(self) >= _MOST_STRETCHES:
                self.clear()
            self[stretch] = made
        return made

    def __repr__(self) -> str:
        return f"<{len(self):,} stretches>"


_remembered = _Remembered()


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
