"""Identifiers as a policy wants them: which kinds are hidden, and which part of each may stay."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from kgsan.policy.items import GEOGRAPHY
from kgsan.text.identifiers import KINDS, identifiers
from kgsan.text.people import people

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.policy.policy import IdentifierRule
    from kgsan.risk.geography import Geography
    from kgsan.risk.reading import Reading
    from kgsan.text.document import Document
    from kgsan.text.identifiers import Identifier

MINOR = "minor"
OF_AGE = 18
#: Three-digit ZIP areas with 20,000 people or fewer (U.S. Census of 2000, as listed in HHS's guidance on 45 CFR 164.514(b)).
SMALL_ZIP_AREAS = frozenset("036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split())
#: Words that make the name near them a child's.
_CHILDREN = frozenset(
    """minor child children infant juvenile boy girl son daughter pupil toddler baby newborn teenager schoolboy schoolgirl
    kindergartner grandson granddaughter stepson stepdaughter nephew niece""".split()
)
#: Words of forms and headings that stand where a name may.
_LABELS = frozenset("hosp hospital nhs mrn ref dob tel fax gp ward unit dept clinic re enc cc".split())
_BRANCHES = ("ology", "oscopy", "ography", "emia", "aemia", "itis", "ectomy", "uria", "opathy")
_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen".split()
_ONES += ["eighteen", "nineteen"]
_TENS = {word: 10 * i for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}


class Personal(NamedTuple):
    """A part of an identifier that may not stay: where, of which kind, and why."""

    start: int
    end: int
    kind: str
    because: str
    write: str | None = None  #: what the law wants in its place


def personal(reading: Reading, rules: Sequence[IdentifierRule], geography: Geography) -> Iterator[Personal]:
    """The identifiers of a text that the rules hide, without the parts that they keep."""
    if not rules:
        return
    document = reading.document
    by_kind = {rule.kind: rule for rule in rules}
    found = identifiers(document)
    minors = _minors(document, found) if MINOR in by_kind else []
    for identifier in found:
        rule = by_kind.get(identifier.kind)
        if rule is None and GEOGRAPHY in by_kind and _is_geography(identifier):
            yield _whole(identifier, GEOGRAPHY)
        if rule is None or identifier.kind == "name" or not _is_old_enough(document, identifier, rule):
            continue
        yield from _without_kept(document, identifier, rule)
    if "name" in by_kind or MINOR in by_kind:
        for name in people(document, reading.longest, reading.stack):
            if _is_nobody(document.text[name.start : name.end]):
                continue
            rule = by_kind.get(MINOR) if MINOR in by_kind and _is_childs(document, name.start, minors) else by_kind.get("name")
            if rule is not None:
                yield from _without_initials(document, name.start, name.end, rule)
    if GEOGRAPHY in by_kind:
        for place in geography.find(reading, found):
            yield Personal(place.start, place.end, GEOGRAPHY, f"{KINDS[GEOGRAPHY]}: {place.because}")


def _is_nobody(name: str) -> bool:
    """Whether what looks like a name is initials alone, a label of a form, or a branch of medicine.

    >>> [_is_nobody(name) for name in ("J.S.", "Hosp", "Serology", "T. Renn")]
    [True, True, True, False]
    """
    return (
        all(len(letters) < 2 for letters in re.findall(r"[^\W_]{1,200}+", name))
        or name.lower().rstrip(".") in _LABELS
        or (name.isalpha() and name.lower().endswith(_BRANCHES))
    )


def _is_geography(identifier: Identifier) -> bool:
    """Whether what is found as a kind of its own is a place too: a town before its state, a postcode that is no ZIP code."""
    of_zip = any(name == "first-3" for name, _, _ in identifier.parts)
    return identifier.kind == "city" or (identifier.kind == "zip" and not of_zip)


def _whole(identifier: Identifier, kind: str) -> Personal:
    return Personal(identifier.start, identifier.end, kind, f"{KINDS[kind]}: {identifier.because}")


def _without_kept(document: Document, identifier: Identifier, rule: IdentifierRule) -> Iterator[Personal]:
    start, end = identifier.start, identifier.end
    kept = _kept(document, identifier, rule.keep) if rule.keep else None
    if kept is None:
        few = rule.keep is not None and _is_small_area(document, identifier)
        write = "000" if few and rule.keep == "first-3" else None
        because = "too few people live where it begins so" if few else identifier.because
        yield Personal(start, end, identifier.kind, f"{KINDS[identifier.kind]}: {because}", write)
        return
    because = f"{KINDS[identifier.kind]}, of which {rule.keep} may stay"
    for first, last in ((start, kept[0]), (kept[1], end)):
        hidden = document.text[first:last]
        if hidden.strip():  # blanks at its edges stay, so that the part that stays does not stick to what is written
            first += len(hidden) - len(hidden.lstrip())
            yield Personal(first, first + len(hidden.strip()), identifier.kind, because)


def _kept(document: Document, identifier: Identifier, keep: str) -> tuple[int, int] | None:
    """The part that may stay; None when there is none, or too few people share it."""
    side, _, count = keep.partition("-")
    parts = {name: (start, end) for name, start, end in identifier.parts}
    if keep in parts:
        start, end = parts[keep]
    elif side in ("first", "last") and (longer := next((name for name in parts if name.startswith(f"{side}-")), None)):
        start, end = parts[longer]
        start, end = (start, min(end, start + int(count))) if side == "first" else (max(start, end - int(count)), end)
    else:
        return None
    return None if _is_small_area(document, identifier) else (start, end)


def _is_small_area(document: Document, identifier: Identifier) -> bool:
    return identifier.kind == "zip" and document.text[identifier.start : identifier.start + 3] in SMALL_ZIP_AREAS


def _is_old_enough(document: Document, identifier: Identifier, rule: IdentifierRule) -> bool:
    """Whether an age is above the limit, if there is one; an age that cannot be read is."""
    if rule.above is None:
        return True
    years = _years(document, identifier)
    return years is None or years > rule.above


def _years(document: Document, identifier: Identifier) -> int | None:
    """The age, as far as it can be read; of somebody in her twenties the most it can be, of a baby none."""
    said = {name: document.text[start:end] for name, start, end in identifier.parts}
    if "years" in said:
        return _number(said["years"].partition(".")[0])
    if "months" in said:
        months = _number(said["months"])
        return None if months is None else months // 12
    if "decade" in said and said["decade"].lower().endswith("ies"):
        tens = _number(said["decade"][:-3] + "y")
        return None if tens is None else tens + 9
    return 0 if said.keys() & {"weeks", "days"} else None


def _number(text: str) -> int | None:
    """A number in figures or in words.

    >>> _number("92"), _number("ninety-two"), _number("one hundred and two"), _number("many")
    (92, 92, 102, None)
    """
    if text.isdecimal():
        return int(text)
    total = 0
    for word in re.findall(r"[a-z]{1,12}", text.lower()[:40]):
        if word in _TENS:
            total += _TENS[word]
        elif word in _ONES:
            total += _ONES.index(word)
        elif word == "hundred":
            total = max(total, 1) * 100
        elif word not in ("and", "a"):
            return None
    return total or None


def _minors(document: Document, found: Sequence[Identifier]) -> list[int]:
    """Where ages of children stand, in order."""
    ages = ((one.start, _years(document, one)) for one in found if one.kind == "age")
    return sorted(start for start, years in ages if years is not None and years < OF_AGE)


def _is_childs(document: Document, place: int, minors: list[int]) -> bool:
    """Whether a name stands in a sentence that speaks of a child, by a word near it or by an age."""
    at = bisect_right(document.sentences, place, key=lambda span: span.start) - 1
    if at < 0:
        return False
    start, end = document.sentences[at]
    if bisect_left(minors, start) < bisect_left(minors, end):
        return True
    first, begin, behind = document.token_at(place), document.token_at(start), document.token_at(end - 1) + 1
    near = document.words[max(begin, first - 6) : min(behind, first + 6)]
    return any(word.lower().rstrip("s") in _CHILDREN or word.lower() in _CHILDREN for word in near)


def _without_initials(document: Document, start: int, end: int, rule: IdentifierRule) -> Iterator[Personal]:
    """A name, but for the first letters of its words where the rule keeps them."""
    what = KINDS["name"] if rule.kind != MINOR else "the name of a child"
    if rule.keep != "initials":
        yield Personal(start, end, rule.kind, what)
        return
    for word in re.finditer(r"[^\W\d_]{1,200}+", document.text[start:end]):
        if len(word[0]) > 1:
            yield Personal(start + word.start() + 1, start + word.end(), rule.kind, f"{what}, of which initials may stay")
