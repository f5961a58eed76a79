"""One walk over the words and numbers of a text, asking at each the recognisers it calls."""

import re
from collections.abc import Iterator

from kgsan.text.identifiers import (
    addresses,
    ages,
    calendar,
    contacts,
    dates,
    facilities,
    internet,
    introduced,
    names,
    numbers,
    roles,
)
from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.rule import NOTHING, Introductions, Numeric, Recogniser

_WORD = re.compile(r"[^\W_]+")
_CURRENCY = frozenset("$€£¥₹")
_JOINING = frozenset("-./")
_LONGEST = 20


def _merged(*families: Introductions) -> dict[str, tuple[Recogniser, ...]]:
    merged: dict[str, tuple[Recogniser, ...]] = {}
    for family in families:
        for word, recognisers in family.items():
            merged[word] = merged.get(word, ()) + recognisers
    return merged


def _by_shape(rules: list[Numeric]) -> dict[tuple[int, str], tuple[Recogniser, ...]]:
    """For a run of digits of some length and the sign after it, the recognisers worth asking."""
    signs = {sign for rule in rules for sign in rule.following} | {""}
    return {
        (length, sign): tuple(
            rule.recognise
            for rule in rules
            if length in rule.lengths and (not rule.following or (sign and sign in rule.following))
        )
        for length in range(1, _LONGEST + 1)
        for sign in signs
    }


_WORDS = _merged(
    names.WORDS,
    roles.WORDS,
    addresses.WORDS,
    facilities.WORDS,
    dates.WORDS,
    calendar.WORDS,
    ages.WORDS,
    contacts.WORDS,
    introduced.WORDS,
    numbers.WORDS,
    internet.WORDS,
)
_FAMILIES = (addresses, dates, calendar, ages, contacts, numbers, internet)
_RULES: list[Numeric] = [rule for family in _FAMILIES for rule in family.NUMBERS]
_NUMBERS = _by_shape(_RULES)
_NUMBERS_INSIDE = _by_shape([rule for rule in _RULES if rule.inside])
_MIXED = (*addresses.MIXED, *dates.MIXED, *calendar.MIXED, *ages.MIXED, *numbers.MIXED)
_MIXED_FROM_LETTER = (*addresses.MIXED_FROM_LETTER, *calendar.MIXED_FROM_LETTER, *numbers.MIXED_FROM_LETTER)
_OPENED: tuple[Recogniser, ...] = (*contacts.OPENED, *numbers.OPENED)
_STRONG = (*contacts.STRONG, *numbers.STRONG)


def found_in(plain: str) -> Iterator[Identifier]:
    """Every identifier that any recogniser sees, overlaps included."""
    closed = ended = 0
    for match in _WORD.finditer(plain):
        word, start = match[0], match.start()
        recognisers = _WORDS.get(word)
        if recognisers is None:
            if word.isalpha() or start < closed:
                continue
            found = list(_from_number(plain, word, start, ended))
            ended = max([ended, *(seen.end for seen in found)])
        else:
            found = [seen for recognise in recognisers if (seen := recognise(plain, start)) is not None]
        for seen in found:
            if seen.kind == NOTHING:
                closed = max(closed, seen.end)
            else:
                yield seen
    for scan in internet.SCANS:
        yield from scan(plain)


def _from_number(plain: str, word: str, start: int, ended: int) -> Iterator[Identifier]:
    before = plain[start - 1] if start else ""
    if before in _CURRENCY:
        return
    recognisers: tuple[Recogniser, ...]
    if not "0" <= word[0] <= "9":
        letters = word.rstrip("0123456789")
        recognisers = _WORDS.get(letters, ()) + _MIXED_FROM_LETTER
    elif before in _JOINING and start > 1 and plain[start - 2].isdecimal() and ended != start - 1:
        # Inside a longer number only a shape that nothing else has is believed.
        recognisers = _STRONG
    elif not word.isdecimal():
        recognisers = _MIXED
    else:
        following = plain[start + len(word) : start + len(word) + 1]
        shapes = _NUMBERS_INSIDE if start < ended else _NUMBERS
        recognisers = shapes.get((len(word), following)) or shapes.get((len(word), ""), ())
        if before and before in "(+":
            at = start - 2 if plain[start - 2 : start] in ("(+", "+(") and start > 1 else start - 1
            yield from (seen for rule in _OPENED if (seen := rule(plain, at)) is not None)
    for recognise in recognisers:
        if (seen := recognise(plain, start)) is not None:
            yield seen
