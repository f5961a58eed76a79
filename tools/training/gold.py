"""What the annotations call a noun phrase and a name, read off trees and entity brackets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from training.treebank import Sentence

Span = tuple[int, int]

_LEFT = frozenset({"det", "det:predet", "nmod:poss", "nummod", "amod", "compound"})
_NOUNS = frozenset({"NOUN", "PROPN"})


def phrases(sentence: Sentence) -> list[Span]:
    """The noun phrases of a tree.

    A noun or proper noun with its unbroken run of det, nmod:poss, nummod, amod and compound dependents to the left and flat
    dependents to the right; no relative clauses, no prepositional attachments, coordinated nouns apart. Dependents of
    dependents by these relations (and flat) belong to the run, and so do hyphens and possessive marks between its members.
    A noun inside a longer phrase is no phrase of its own.
    """
    found = []
    for head, part in enumerate(sentence.parts):
        if part in _NOUNS:
            start = _run(sentence, head, -1)
            found.append((start, _run(sentence, head, 1) + 1))
    return outermost(found)


def _run(sentence: Sentence, head: int, step: int) -> int:
    """The last token of the run from a head to the left (-1) or to the right (1)."""
    end = at = head
    while 0 <= at + step < len(sentence.words):
        at += step
        if _member(sentence, at, head, step):
            end = at
        elif sentence.tags[at] not in {"HYPH", "POS"}:
            break
    return end


def _member(sentence: Sentence, token: int, head: int, step: int) -> bool:
    for _ in range(len(sentence.words)):
        relation, token = sentence.relations[token], sentence.heads[token]
        flat = relation.partition(":")[0] == "flat"
        if token == head:
            return flat if step > 0 else relation in _LEFT or flat
        if token < 0 or not (flat or relation in _LEFT):
            return False
    return False


def outermost(spans: Iterable[Span]) -> list[Span]:
    """The spans that lie in no longer one, in order; of two that overlap the longer stays."""
    kept: list[Span] = []
    taken: set[int] = set()
    for start, end in sorted(set(spans), key=lambda span: (span[0] - span[1], span)):
        if taken.isdisjoint(range(start, end)):
            kept.append((start, end))
            taken.update(range(start, end))
    return sorted(kept)


KINDS = {"person": "person", "place": "place", "organization": "organisation"}
_BRACKET = re.compile(r"\((\d+)-([a-z]+)[^()]*(\))?|(\d+)\)")
_PROPER = frozenset({"NNP", "NNPS"})
_BRIDGES = {
    "person": frozenset(
        {"-", "de", "van", "von", "der", "den", "du", "la", "le", "del", "della", "da", "di", "bin", "ibn", "al", "’", "'"}
    ),
    "place": frozenset({"-", "of", "the", "de", "la", "le", "del", "du", "upon", "'s", "’s", "&"}),
    "organisation": frozenset({"-", "of", "the", "for", "and", "&", "'s", "’s", "in", "on", "de", "at", "to", "+"}),
}
_TITLE_WORDS = """
    mr mrs ms miss dr prof professor sir dame president vice prime minister senator sen representative rep governor gov mayor
    judge justice chief general gen colonel col captain capt lieutenant lt sergeant sgt major admiral commander officer detective
    secretary chancellor ambassador congressman congresswoman councillor father fr rev reverend bishop archbishop cardinal rabbi
    imam brother sister uncle aunt doctor nurse coach chairman director ceo deputy attorney commissioner administrator home shadow
    foreign
"""
TITLES = frozenset(_TITLE_WORDS.split())


def entities(sentence: Sentence) -> list[tuple[int, int, str]]:
    """GUM's entities: first token, token after the last, type."""
    opened: dict[str, list[tuple[int, str]]] = {}
    found = []
    for token, text in enumerate(sentence.entities):
        for number, kind, whole, closed in _BRACKET.findall(text):
            if closed:
                if opened.get(closed):
                    start, kind = opened[closed].pop()
                    found.append((start, token + 1, kind))
            elif whole:
                found.append((token, token + 1, kind))
            else:
                opened.setdefault(number, []).append((token, kind))
    return found


def names(sentence: Sentence) -> list[tuple[int, int, str]]:
    """The proper names of persons, places and organisations, as Wikigold would mark them.

    Wikigold marks the longest proper name, flat, without articles, titles ("Dr", "President") and descriptions around it.
    GUM marks whole noun phrases, nested. A GUM entity is a name when its head, or what hangs flat on its head, is a proper
    noun (NNP; plurals of persons, such as peoples, are not names of persons). The name is the run of proper nouns around
    that head inside the entity, across the small words that names of its kind contain, not across commas, and for persons
    not across another entity ("Microsoft" in "Microsoft CEO"); titles in front are taken off, but not those that stand for
    a first name ("King"). Of names inside each other the longest stays.
    """
    if sentence.labels:
        return _from_labels(sentence.labels)
    found = entities(sentence)
    inner = {(start, end) for start, end, _ in found}
    made: dict[Span, str] = {}
    for start, end, etype in found:
        kind = KINDS.get(etype)
        if kind is None:
            continue
        span = _name(sentence, start, end, kind, inner)
        if span is not None:
            made.setdefault(span, kind)
    return [(*span, made[span]) for span in outermost(made)]


def _name(sentence: Sentence, start: int, end: int, kind: str, inner: set[Span]) -> Span | None:
    tags, words = sentence.tags, sentence.words
    head = next((token for token in range(start, end) if not start <= sentence.heads[token] < end), None)
    if head is not None and tags[head] not in _PROPER:
        # "advice columnist Dan Savage": the tree hangs the name on the description.
        described = (token for token in range(head + 1, end) if sentence.heads[token] == head)
        head = next((token for token in described if sentence.relations[token] == "flat" and tags[token] in _PROPER), None)
    if head is None or tags[head] not in _PROPER or (kind == "person" and tags[head] == "NNPS"):
        return None
    first, last = head, head + 1
    others = (
        {token for low, high in inner if high - low < end - start for token in range(low, high)} if kind == "person" else set()
    )
    others -= {head}
    coordinated = {low for low, _ in inner}

    def joins(token: int, right: int) -> bool:
        """Whether a small word is part of the name; coordination of two entities is not."""
        word = words[token].lower()
        return word in _BRIDGES[kind] and not (word in {"and", "&"} and right in coordinated)

    while first > start:
        if tags[first - 1] in _PROPER and first - 1 not in others:
            first -= 1
        elif first - 2 >= start and joins(first - 1, first) and tags[first - 2] in _PROPER and first - 2 not in others:
            first -= 2
        else:
            break
    while last < end:
        if tags[last] in _PROPER or (tags[last] == "CD" and kind != "person" and words[last].isdigit()):
            last += 1
        elif last + 1 < end and joins(last, last + 1) and tags[last + 1] in _PROPER:
            last += 2
        elif (
            kind == "organisation"
            and last + 2 < end
            and joins(last, last + 1)
            and joins(last + 1, last + 2)
            and tags[last + 2] in _PROPER
        ):
            last += 3
        else:
            break
    if kind == "person":
        while first < last and words[first].lower().rstrip(".") in TITLES:
            first += 1
    return (first, last) if first < last else None


_WIKIGOLD = {"I-PER": "person", "I-LOC": "place", "I-ORG": "organisation"}


def _from_labels(labels: list[str]) -> list[tuple[int, int, str]]:
    found = []
    start = 0
    for token in range(1, len(labels) + 1):
        if token == len(labels) or labels[token] != labels[start]:
            kind = _WIKIGOLD.get(labels[start])
            if kind is not None:
                found.append((start, token, kind))
            start = token
    return found
