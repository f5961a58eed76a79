"""A rule: what an identifier looks like from the word or number it is recognised by."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from kgsan.text.identifiers.identifier import Identifier, Part

Recogniser = Callable[[str, int], Identifier | None]
Introductions = Mapping[str, tuple[Recogniser, ...]]

SPACE = r"(?: {1,4}| {0,2}\n {0,8})"
"""A gap inside an identifier: blanks, or the end of one line of wrapped text, never an empty line."""

NOTHING = ""
"""The kind of a number that is known to identify nobody, such as an ISBN: nothing is looked for inside it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Takes the group `it` of a pattern that matches at an anchor; the other named groups become its parts."""

    kind: str
    pattern: re.Pattern[str]
    because: str
    certain: bool = True
    holds: Callable[[re.Match[str]], bool] | None = None
    pieces: Callable[[str, int, int], tuple[Part, ...]] | None = None

    def __call__(self, plain: str, at: int) -> Identifier | None:
        match = self.pattern.match(plain, at)
        if match is None or (self.holds is not None and not self.holds(match)):
            return None
        start, end = match.span("it")
        parts = named_parts(match)
        if self.pieces is not None:
            parts += self.pieces(plain, start, end)
        return Identifier(start, end, self.kind, self.because, parts, self.certain)


@dataclass(frozen=True, slots=True)
class Numeric:
    """A recogniser for numbers: how many digits its first run has, and which signs may follow that run ('' is any).

    A shape so loose that it would also begin in the middle of another number is not asked `inside` one.
    """

    lengths: Iterable[int]
    following: str
    recognise: Recogniser
    inside: bool = True


def pattern(expression: str) -> re.Pattern[str]:
    """A pattern that heeds case only where `(?-i:...)` says so."""
    return re.compile(expression, re.IGNORECASE)


def named_parts(match: re.Match[str]) -> tuple[Part, ...]:
    """Where the named groups matched, under their names (`last_4` is the part `last-4`)."""
    return tuple(
        (name.replace("_", "-"), *match.span(name))
        for name in match.re.groupindex
        if name[0] != "_" and name != "it" and match.start(name) >= 0
    )


def last_four(plain: str, start: int, end: int) -> tuple[Part, ...]:
    """The last four letters or digits, with the separators between them."""
    seen, at = 0, end
    while at > start and seen < 4:
        at -= 1
        seen += plain[at].isalnum()
    return (("last-4", at, end),) if seen == 4 else ()


def after(*words: str) -> str:
    """A look-behind for any of the words as a whole word; its gap (a blank, a colon) belongs to the word.

    >>> bool(re.compile(after("on ", "since ") + "3").search("since 3"))
    True
    """
    by_width = sorted(words, key=len)
    return "(?:" + "|".join(rf"(?<=\b(?:{'|'.join(map(re.escape, same))}))" for _, same in groupby(by_width, len)) + ")"


def introductions(*pairs: tuple[Iterable[str], Recogniser]) -> dict[str, tuple[Recogniser, ...]]:
    """For every introducing word the recognisers it calls; a word given in small letters counts in capitals too.

    >>> sorted(introductions((("mrn", "Dr"), lambda plain, at: None)))
    ['Dr', 'MRN', 'Mrn', 'mrn']
    """
    merged: dict[str, tuple[Recogniser, ...]] = {}
    for words, recognise in pairs:
        for word in words:
            for spelling in {word, word.capitalize(), word.upper()} if word.islower() else {word}:
                merged[spelling] = (*merged.get(spelling, ()), recognise)
    return merged


def digits_of(text: str) -> str:
    """The ASCII digits of a text, in order."""
    return "".join(sign for sign in text if "0" <= sign <= "9")


def words(listed: str) -> tuple[str, ...]:
    """The words of a list written as one line."""
    return tuple(listed.split())
