"""Where sentences and paragraphs begin, in prose and in the lists, headings and abbreviations of clinical notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kgsan.text.tokens import TITLES, abbreviations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_EMPTY_LINE = re.compile(r"\n[^\S\n]*+\n\s*+|\r[^\S\r\n]*+\r(?!\n)\s*+")
_LINE_END = re.compile(r"\r\n?+|\n")
#: What begins an item of a list or a heading: a bullet, a number with a point or bracket, words and a colon.
_ITEM = re.compile(
    r"\s{0,200}+(?:[-*•·▪◦‣+#>|]{1,3}\s|\(?\d{1,3}[.)](?:\s|$)|\(?[A-Za-z][.)]\s"
    r"|[A-Z][\w/&()' -]{0,40}:|[A-Z][A-Z /&-]{3,40}(?:\s|$))"
)
_ENDERS = frozenset({".", "!", "?", "...", "…", "。"})
_CLOSERS = frozenset("\"')]}")
#: Abbreviations that often end a sentence; before a capital they do, the others do not.
_MAY_END = frozenset(
    """etc inc ltd co corp al bid tid qid qd qhs qod prn po mg mcg kg ml dl hr hrs min mins yr yrs jr sr wks mos
    neg pos tab tabs cap caps lb lbs oz ed ext temp""".split()
)
_MAY_END_BEFORE_BEGINNERS = abbreviations() - TITLES
#: A line that is shorter than its neighbours by this much and the next word was ended on purpose, and so is a narrow one.
_ROOM = 8
_NARROW = 40
#: Words that begin a sentence more often than they follow an abbreviation in one.
_BEGINNERS = frozenset(
    """the he she it they we you i this that these those there his her their its our in on at for after before when while if
    as but and however although then since no patient pt mother father""".split()
)
_INITIALS = re.compile(r"(?:[A-Z]\.)++$")


def paragraph_spans(text: str) -> list[tuple[int, int]]:
    """What stands between empty lines, without the spaces around it."""
    found = []
    start = 0
    for match in _EMPTY_LINE.finditer(text) if "\n" in text or "\r" in text else ():
        found.append((start, match.start()))
        start = match.end()
    found.append((start, len(text)))
    return [span for span in (_trimmed(text, *span) for span in found) if span[0] < span[1]]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def sentence_starts(text: str, tokens: NDArray[np.int64], words: list[str]) -> NDArray[np.int64]:
    """The number of the first token of every sentence."""
    if not len(words):
        return np.zeros(0, dtype=np.int64)
    lines = np.fromiter(_broken_lines(text), dtype=np.int64)
    points = np.fromiter(_after_points(text, words, tokens), dtype=np.int64)
    starts = np.unique(np.concatenate([[0], np.searchsorted(tokens[:, 0], lines), points]))
    return starts[starts < len(words)]


def _broken_lines(text: str) -> Iterator[int]:
    """Where a line begins that does not go on with the sentence of the line before."""
    for start, end in paragraph_spans(text):
        yield start
        ends = [(match.start(), match.end()) for match in _LINE_END.finditer(text, start, end)]
        if not ends:
            continue
        begins = [start, *(after for _, after in ends)]
        longest = max(stop - begin for begin, stop in zip(begins, [*(before for before, _ in ends), end], strict=True))
        for begin, (before, after) in zip(begins, ends, strict=False):
            if _ends_here(text, begin, before, after, end, longest):
                yield after


def _ends_here(text: str, begin: int, before: int, after: int, end: int, longest: int) -> bool:
    """Whether a line was ended on purpose: something new begins, or the next word would have fitted on it."""
    ending = text[max(begin, before - 200) : before].rstrip()[-20:]
    last = ending[-1:]
    if not last or last in ":;" or _ITEM.match(text, after, end):
        return True
    following = text[after : after + 200].lstrip()[:40].split()[:1]
    if last in ",-" or not following or following[0][0].islower():
        return False
    if last in ".!?":
        return (bare := ending.split()[-1][:-1].lower()) not in abbreviations() or bare in _MAY_END
    return before - begin + 1 + len(following[0]) + _ROOM <= longest or longest < _NARROW


def _after_points(text: str, words: list[str], tokens: NDArray[np.int64]) -> Iterator[int]:
    """The tokens that follow the end of a sentence told by its point."""
    count = len(words)
    places = tokens.data  # single numbers come faster from there
    points = {word for word in set(words) if word[-1] in ".!?…。"}
    for i in [i for i, word in enumerate(words) if word in points]:
        word, end = words[i], places[i, 1]
        following = i + 1
        while following < count and following <= i + 4 and words[following] in _CLOSERS and places[following, 0] == end:
            end = places[following, 1]
            following += 1
        if following == count or places[following, 0] == end:
            continue  # no space follows: 3.5, example.org
        if word in _ENDERS or word[0] in ".!?":
            before = words[i - 1] if i and "\n" not in text[places[i - 1, 1] : places[i, 0]] else ""
            numbers_item = before.isalnum() and len(before) <= 3 and not before.isalpha()
            if numbers_item and _begins_line(text, places[i - 1, 0]):
                continue
            if _goes_on(words[following], word, before, following > i + 1):
                continue
        elif not _may_end(word, words[following]):
            continue
        yield following


def _begins_line(text: str, place: int) -> bool:
    return place == 0 or text[max(0, place - 200) : place].rstrip(" \t")[-1:] in ("\n", "\r", "")


def _goes_on(following: str, mark: str, before: str, closed: bool) -> bool:
    """Whether the sentence goes on after a point: with a small letter or a mark."""
    first = following[0]
    if first in ",;:)]":
        return True
    if not first.islower():
        return False
    return closed or mark.startswith("..") or not (before.isalpha() and (len(before) > 2 or mark != "."))


def _may_end(word: str, following: str) -> bool:
    """Whether an abbreviation, with its point, ends a sentence before this word."""
    if not following[0].isupper():
        return False
    if _INITIALS.match(word):
        return len(word) > 2 and following.lower() in _BEGINNERS
    bare = word[:-1].lower()
    if "." in bare:
        return bare not in ("e.g", "i.e")
    return bare in _MAY_END or (bare in _MAY_END_BEFORE_BEGINNERS and following.lower() in _BEGINNERS)
