"""How a mention is meant: as a fact about the patient, denied, of the family, feared, suspected or past.

Phrases around a mention tell it ("denies", "mother had", "cannot be ruled out"), each with a direction and a reach, as in
ConText (Harkema et al. 2009). The phrases are ours and stand in `status_cues.txt`, where a clinician may add to them.
A reach ends with its sentence, at words like "but", at a phrase of another kind, for a relative at a new subject. What
stays unclear is `present`, which hides most.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from kgsan.text.cues import Cue, Entry, Status, longest, phrase_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kgsan.text.document import Document

    Places = NDArray[np.int64]


_BITS = {status: 1 << place for place, status in enumerate(Status)}
#: What a heading says of its whole paragraph; and what "positive" behind a mention does not contradict.
_LASTING = frozenset({Status.FAMILY, Status.PAST})
_OTHERWISE = _BITS[Status.FAMILY] | _BITS[Status.HYPOTHETICAL]
#: No reach goes on beyond so many words, however long the list.
_FARTHEST = 60
_WHOLE = 1 << 60
#: Marks that part a heading from what it heads, and the most tokens of a heading that the table does not know.
_COLONS = frozenset({":", "-", "="})
_HEADING = 6
_LINE_END = re.compile(r"[\r\n]\s*+")


@dataclass(slots=True)
class _Scope:
    """A reach that is open while a sentence is read, in words that are not light."""

    cue: Cue
    origin: int
    limit: int
    crossed: bool = False  #: a comma or "and" lies between
    section: bool = False  #: a heading opened it


_Event = tuple[int, int, Entry]
_Section = tuple[Status, int]


def statuses(document: Document, starts: Sequence[int] | Places, ends: Sequence[int] | Places) -> list[Status]:
    """How each of the spans of the original text is meant; `Status.PRESENT` where nothing tells otherwise.

    >>> from kgsan.text.document import Document
    >>> note = Document("Mother had lupus. Denies fever or rash but has a cough.")
    >>> [status.value for status in statuses(note, [11, 25, 34, 49], [16, 30, 38, 54])]
    ['family', 'negated', 'negated', 'present']
    """
    found = [Status.PRESENT] * len(starts)
    tokens = document.token_places
    if not found or not len(tokens):
        return found
    firsts = document.token_ends.searchsorted(starts, side="right")
    lasts = document.token_starts.searchsorted(ends, side="left")
    order = np.lexsort((lasts, firsts))
    order = order[firsts[order] < lasts[order]]
    firsts, lasts = firsts[order], lasts[order]
    sentence_of = document.sentence_starts.searchsorted(firsts, side="right") - 1
    words, bounds = document.words, [*document.sentence_starts.tolist(), len(tokens)]
    paragraphs = document.token_starts.searchsorted(np.array([span.start for span in document.paragraphs], dtype=np.int64))
    lines = tokens[:, 0].searchsorted(np.array([match.end() for match in _LINE_END.finditer(document.plain)], dtype=np.int64))
    sections = _sections(words, bounds, set(paragraphs.tolist()), set(lines.tolist()))
    rows = zip(sentence_of.tolist(), order.tolist(), firsts.tolist(), lasts.tolist(), strict=True)
    for sentence, group in groupby(rows, key=itemgetter(0)):
        first, last = bounds[sentence], bounds[sentence + 1]
        numbers, mentions = [], []
        for _, number, begin, end in group:
            numbers.append(number)
            mentions.append((begin - first, min(end, last) - first))
        for number, status in zip(numbers, _in_sentence(words[first:last], mentions, sections.get(sentence)), strict=True):
            found[number] = status
    return found


def _in_sentence(words: list[str], mentions: list[tuple[int, int]], section: _Section | None) -> list[Status]:
    table = phrase_table()
    read = [table.alike.get(word, word) for word in map(str.lower, words)]
    if section is None and table.witnesses.isdisjoint(read):
        return [Status.PRESENT] * len(mentions)
    events = list(_events(read, section[1] if section else 0))
    opens = (section is not None and section[0] is not Status.PRESENT) or any(entry.before for _, _, entry in events)
    opens_behind = any(entry.behind for _, _, entry in events)
    if not opens and not opens_behind:
        return [Status.PRESENT] * len(mentions)
    events, own = _outside_mentions(events, mentions)
    weights = [0, *accumulate(word not in table.light for word in read)]
    before = behind = [0] * len(mentions)
    if opens:
        before = _sweep(events, [first for first, _ in mentions], weights, section, behind=False)
    if opens_behind:
        # The same from right to left, with places counted from the end.
        size, total = len(read), weights[-1]
        turned = [(size - end, size - start, entry) for start, end, entry in reversed(events)]
        order = sorted(range(len(mentions)), key=lambda number: -mentions[number][1])
        backwards = [size - mentions[number][1] for number in order]
        told = _sweep(turned, backwards, [total - weight for weight in reversed(weights)], None, behind=True)
        behind = [reached for _, reached in sorted(zip(order, told, strict=True))]
    return [_together(*told, own.get(number, 0)) for number, told in enumerate(zip(before, behind, strict=True))]


@lru_cache(maxsize=1 << 12)
def _together(before: int, behind: int, own: int) -> Status:
    """The first status of all that reach a mention: near ones in the low byte, those beyond a comma or "and" in the next."""
    near, far = before & 255, before >> 8
    near_behind, far_behind = behind & 255, behind >> 8
    if before:
        far_behind = 0  # "has diabetes, HIV and flu were negative": only what is next to the phrase
    if near_behind & _BITS[Status.PRESENT]:
        far &= _OTHERWISE  # "no fever, HIV positive"
    told = near | far | near_behind | far_behind | own
    return next((status for status in Status if told & _BITS[status]), Status.PRESENT)


def _sweep(events: list[_Event], begins: list[int], weights: list[int], section: _Section | None, *, behind: bool) -> list[int]:
    """What reaches each mention from one side, in the form `_together` takes. One pass."""
    scopes: dict[Status, _Scope] = {}
    if section is not None and section[0] is not Status.PRESENT:
        status, end = section
        scopes[status] = _Scope(Cue(status, _WHOLE, False), weights[end], _WHOLE, section=status in _LASTING)
    found: list[int] = []
    for event in events:
        while len(found) < len(begins) and begins[len(found)] <= event[0]:
            found.append(_reached(scopes, weights[begins[len(found)]]))
        _read_on(event, scopes, weights, behind=behind)
    found.extend(_reached(scopes, weights[begin]) for begin in begins[len(found) :])
    return found


def _reached(scopes: dict[Status, _Scope], at: int) -> int:
    told = 0
    for status, scope in scopes.items():
        if 0 <= at - scope.origin < scope.cue.reach and at < scope.limit:
            told |= _BITS[status] << (8 if scope.crossed else 0)
    return told


def _read_on(event: _Event, scopes: dict[Status, _Scope], weights: list[int], *, behind: bool) -> None:
    """Ends and opens what a phrase ends and opens."""
    entry, start, end = event[2], weights[event[0]], weights[event[1]]
    if entry.stops_section:
        scopes.pop(Status.FAMILY, None)
    opened = entry.behind if behind else entry.before
    begins_clause = behind and bool(entry.before)
    for status, scope in list(scopes.items()):
        if scope.section:
            continue
        if status in entry.stops or begins_clause or (entry.breaks and scope.cue.alone):
            del scopes[status]
        elif entry.breaks:
            scope.origin, scope.crossed = end, True
        elif opened and scope.origin == start and not scope.crossed:
            scope.origin = end  # only light words between: "not yet diagnosed with" is one phrase
        elif any(_ends(cue.status, status) for cue in opened):
            del scopes[status]
    for cue in opened:
        if cue.status not in scopes or not scopes[cue.status].section:
            scopes[cue.status] = _Scope(cue, end, end + _FARTHEST)


def _ends(new: Status, old: Status) -> bool:
    """Whether a phrase of one kind ends the reach of another. What is said of relatives goes on: "mother had no fever"."""
    return new is not old and old is not Status.FAMILY and not (new is Status.PRESENT and old is Status.HYPOTHETICAL)


def _outside_mentions(events: list[_Event], mentions: list[tuple[int, int]]) -> tuple[list[_Event], dict[int, int]]:
    """The phrases that are no part of a longer name ("non-Hodgkin lymphoma"), and what names say of themselves.

    "Family history of lupus" may be a name; but one that begins with a negation is not a negated one.
    """
    kept: list[_Event] = []
    own: dict[int, int] = {}
    number, reached, begin, which = 0, 0, 0, 0  # the mention that goes farthest: its end, begin and number
    for event in events:
        start, end, entry = event
        while number < len(mentions) and mentions[number][0] <= start:
            if mentions[number][1] > reached:
                (begin, reached), which = mentions[number], number
            number += 1
        if end < reached or (end == reached and begin < start):
            if begin < start or end - start < 2 or not entry.before or entry.before[0].status is Status.NEGATED:
                continue
            own[which] = _BITS[entry.before[0].status]
        kept.append(event)
    return kept, own


# --- headings -------------------------------------------------------------------------------------------------------------


def _sections(words: list[str], bounds: list[int], paragraphs: set[int], lines: set[int]) -> dict[int, _Section]:
    """What the heading above a sentence, or at its begin, says of it, and from which token of the sentence on.

    A heading alone on its line holds for the paragraph; else "Family history:" holds for its line, "Denies:" for its sentence.
    Paragraphs and lines are given by their first tokens.
    """
    found: dict[int, _Section] = {}
    running: Status | None = None
    alone = False  # the heading has a line of its own
    heads_next = False  # and even a paragraph
    for sentence, (first, last) in enumerate(pairwise(bounds)):
        if (first in paragraphs and not heads_next) or (first in lines and not alone):
            running = None
        heading = _heading(words, first, last)
        heads_next = False
        if heading is not None:
            status, end = heading
            alone = not any(word[0].isalnum() for word in words[end : min(end + _HEADING, last)])
            found[sentence] = (status, end - first)
            running = status if status is not Status.PRESENT and (alone or status in _LASTING) else None
            heads_next = alone and first in paragraphs
        elif running is not None:
            found[sentence] = (running, 0)
    return found


def _heading(words: list[str], first: int, last: int) -> _Section | None:
    """What the heading at the begin of a sentence says and where it ends. One that the table does not know says nothing."""
    begin = next((i for i in range(first, min(first + _HEADING, last)) if words[i][0].isalpha()), last)
    end, entry = longest(phrase_table().headings, words, begin, last)
    if entry is not None and (end == last or words[end] in _COLONS):
        return entry.heading, end
    if begin < last and words[begin][0].isupper() and ":" in words[begin + 1 : min(begin + _HEADING, last)]:
        return Status.PRESENT, first
    return None


# --- phrases --------------------------------------------------------------------------------------------------------------


def _events(read: list[str], first: int) -> Iterator[_Event]:
    """The phrases of a sentence from left to right, the longest at each place."""
    root, size = phrase_table().phrases, len(read)
    at = first
    while at < size:
        if read[at] not in root.further and at:
            at += 1
            continue
        end, entry = longest(root, read, at, size)
        if at == 0 and (begun := longest(root.further["^"], read, at, size))[0] >= max(end, 1):
            end, entry = begun
        end = min(end, size)
        if entry is not None:
            yield at, end, entry
        at = max(end, at + 1)
