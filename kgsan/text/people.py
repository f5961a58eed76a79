"""Names of people: those the text introduces, and those told by how they are used; an eponym is not a person.

"Parkinson's disease", "Lewy bodies" and "had Parkinson's" speak of no patient; "Dr. Parkinson" does.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from kgsan.ontology import names
from kgsan.sources.records import Scope
from kgsan.text.document import ProperName
from kgsan.text.everyday import everyday_words
from kgsan.text.identifiers import identifiers
from kgsan.text.proper import PERSON
from kgsan.text.tokens import TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.ontology.stack import OntologyStack
    from kgsan.text.document import Document
    from kgsan.text.mentions import Mention

#: What is called after people. A surname that one of these makes a name of is an eponym when it stands alone.
_CALLED_AFTER_PEOPLE = ("disease", "syndrome", "sarcoma", "lymphoma", "palsy", "body", "disorder", "chorea", "thyroiditis")

#: Shorter words of a name are not looked for by themselves.
_SHORTEST = 3


def people(document: Document, mentions: Sequence[Mention], stack: OntologyStack) -> list[ProperName]:
    """Where people are named, in order, without overlaps; `mentions` are those of the document."""
    introduced = [ProperName(found.start, found.end, PERSON) for found in identifiers(document, ["name"])]
    starts = [mention.start for mention in mentions]

    used = [
        name
        for name in (_without_title(document, name) for name in document.proper_names if name.kind == PERSON)
        if name.start < name.end and not _is_eponym(document, name, _over(name, mentions, starts), stack)
    ]
    again = (name for name in _again(document, introduced, used) if not _is_in_longer(name, _over(name, mentions, starts), stack))
    merged: list[ProperName] = []
    for name in sorted({*introduced, *used, *again}):
        if merged and name.start < merged[-1].end:
            merged[-1] = ProperName(merged[-1].start, max(merged[-1].end, name.end), PERSON)
        else:
            merged.append(name)
    return merged


def _again(document: Document, introduced: list[ProperName], used: list[ProperName]) -> list[ProperName]:
    """Where a word of a name stands by itself elsewhere: "Joseph", of whom the text says "Joseph Kizza" once.

    Only names that were introduced or have several words lend theirs, and only those that are no everyday words.
    """
    text, everyday = document.text, everyday_words()
    lending = (*introduced, *(name for name in used if " " in text[name.start : name.end]))
    known = {
        word
        for name in lending
        for word in names.words(text[name.start : name.end])
        if len(word) >= _SHORTEST and word.istitle() and word.lower() not in everyday
    }
    if not known:
        return []
    spans = zip(document.words, document.token_starts.tolist(), document.token_ends.tolist(), strict=True)
    return [ProperName(start, end, PERSON) for word, start, end in spans if word in known]


def _without_title(document: Document, name: ProperName) -> ProperName:
    """The name without "Dr." before it; a title alone leaves nothing."""
    first = document.token_at(name.start)
    if document.words[first].rstrip(".").lower() not in TITLES:
        return name
    behind = int(document.token_starts[first + 1]) if first + 1 < len(document.words) else name.end
    return ProperName(min(behind, name.end), name.end, name.kind)


def _over(name: ProperName, mentions: Sequence[Mention], starts: list[int]) -> list[Mention]:
    """The mentions that cover a name."""
    found = []
    at = bisect_right(starts, name.start) - 1
    while at >= 0 and mentions[at].end >= name.end:
        found.append(mentions[at])
        at -= 1
    return found


def _is_eponym(document: Document, name: ProperName, over: list[Mention], stack: OntologyStack) -> bool:
    if _is_in_longer(name, over, stack):
        return True
    words = names.words(document.text[name.start : name.end])
    alone = len(words) == 1 and not _is_introduced(document, name)
    return alone and any(stack.find(f"{words[0]} {head}") for head in _CALLED_AFTER_PEOPLE)


def _is_in_longer(name: ProperName, over: list[Mention], stack: OntologyStack) -> bool:
    for mention in over:
        if mention.end > name.end + 2 or mention.start < name.start:
            return True  # a longer name: Parkinson's disease
        if not any(stack[sense.ontology].is_dictionary or sense.name.scope is Scope.AMBIGUOUS for sense in mention.senses):
            return True  # a vocabulary of a field has it for sure, and no dictionary knows a person or place of this name
    return False


def _is_introduced(document: Document, name: ProperName) -> bool:
    """Whether another name or a title stands directly before: Ms. Crohn."""
    first = document.token_at(name.start)
    return first > 0 and document.words[first - 1][:1].isupper() and document.words[first - 1].endswith(".")
