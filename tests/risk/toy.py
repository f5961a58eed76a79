"""Small ontologies, texts and knowledge for tests of single rules, in which everything that a rule asks for is spelled out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from kgsan.ontology.ontology import Ontology
from kgsan.sources.records import Records, Scope
from kgsan.text.document import Document, ProperName
from kgsan.text.mentions import Mention, Sense, _Told
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgsan.knowledge.knowledge import Term
    from kgsan.ontology.stack import OntologyStack


def ontology(drawn: str, *relations: tuple[str, str, str], prefix: str = "t") -> Ontology:
    """A taxonomy drawn by indentation; a name that stands twice has two parents.

    Behind a colon stand more names: ~ ambiguous, < broad, #1 the second sense.
    """
    records = Records("test")
    above: list[tuple[int, int]] = []
    for line in filter(str.strip, drawn.splitlines()):
        indent = len(line) - len(line.lstrip())
        name, _, others = line.strip().partition(": ")
        text, rank = _ranked(name)
        identifier = f"{prefix}:{text.replace(' ', '-')}{rank or ''}"
        is_new = identifier not in records.numbers
        number = records.concept(identifier)
        if is_new:
            records.name(number, text, Scope.PREFERRED, rank)
        for other in filter(None, others.split(", ")):
            scope = {"~": Scope.AMBIGUOUS, "<": Scope.BROAD}.get(other[0], Scope.EXACT)
            records.name(number, _ranked(other.lstrip("~<"))[0], scope, _ranked(other)[1])
        above = [one for one in above if one[0] < indent]
        if above:
            records.parent(number, above[-1][1])
        above.append((indent, number))
    for subject, relation, target in relations:
        ends = (records.concept(f"{prefix}:{end.replace(' ', '-')}") for end in (subject, target))
        records.relation(next(ends), relation, next(ends))
    return Ontology.from_records(records)


def _ranked(name: str) -> tuple[str, int]:
    text, _, rank = name.partition("#")
    return text, int(rank or 0)


def number(own: Ontology, name: str) -> int:
    """The number of the concept whose preferred name this is."""
    return next(concept.number for concept in own if concept.name == name)


def sense(stack: OntologyStack, place: int, concept: str, name: str | None = None) -> Sense:
    """A sense as the ontology at this place of the stack has it."""
    found = stack[place].concept(number(stack[place], concept))
    return Sense(found, next(one for one in stack[place].names(found) if one.text == (name or concept)), place)


def mention(start: int, end: int, *senses: Sense, misspelt: bool = False) -> Mention:
    """A mention at a place of a text."""
    return Mention(start, end, _Told(senses, misspelt, False, True), cast("Any", None), 0)


def span(text: str, part: str, which: int = 0) -> tuple[int, int]:
    """Where a part stands in a text."""
    found = [match.span() for match in re.finditer(re.escape(part), text)]
    return found[which]


def document(text: str, tags: str | None = None, names: Mapping[str, str] | None = None) -> Document:
    """A text whose tags (one for each token) and proper names are given, so that no tagger has a say.

    >>> document("He left.", "PRP VBD .", {}).words
    ['He', 'left', '.']
    """
    made = Document(text)
    if tags is not None:
        listed = tags.split()
        assert len(listed) == len(made.words), (made.words, listed)
        made.tags = np.array([TAGS.index(tag) for tag in listed], np.uint8)
    if names is not None:
        made.proper_names = sorted(ProperName(*span(text, name), kind) for name, kind in names.items())
    return made


@dataclass(frozen=True)
class Counted:
    """Knowledge that is spelled out: terms by name, the field of a concept as <its name>, in any order."""

    contexts: int
    table: Mapping[str, int | None]
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def count(self, *terms: Term) -> int | None:
        named = [term if isinstance(term, str) else f"<{term.name}>" for term in terms]
        self.asked.append(tuple(named))
        return next((count for key, count in self.table.items() if sorted(key.split(" + ")) == sorted(named)), None)
