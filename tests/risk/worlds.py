"""Small worlds for tests of the rules: ontologies from a few rows, and mentions and verdicts that are said, not found."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.ontology.ontology import Concept, Name, Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.risk.senses import Verdict
from kgsan.sources.records import Records, Scope
from kgsan.text.document import Document
from kgsan.text.mentions import Sense
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

#: What a sign before a name says of it.
_MARKS = {"~": (Scope.AMBIGUOUS, 0), "=": (Scope.EXACT, 0), "+": (Scope.EXACT, 1)}


def ontology(
    rows: Mapping[str, str], relations: Iterable[tuple[str, str, str]] = (), *, source: str = "t", dictionary: bool = False
) -> Ontology:
    """An ontology of concepts by their names, each with its parents and other names: "parent, parent; =synonym, ~doubtful".

    A + marks a second meaning, which only a dictionary tells; one that is a dictionary has such a name in any case.
    """
    records = Records("test")
    for name, said in rows.items():
        above, _, called = said.partition("; ")
        number = records.concept(name if ":" in name else f"{source}:{name}")
        records.name(number, name.rpartition(":")[2].replace("-", " ") if ":" in name else name, Scope.PREFERRED)
        for other in filter(None, called.split(", ")):
            records.name(number, other[1:], *_MARKS[other[0]])
        for parent in filter(None, above.split(", ")):
            records.parent(number, records.concept(parent if ":" in parent else f"{source}:{parent}"))
    for subject, kind, thing in relations:
        records.relation(records.concept(f"{source}:{subject}"), kind, records.concept(f"{source}:{thing}"))
    if dictionary:
        number = records.concept(f"{source}:second meaning")
        records.name(number, "meaning of another kind", Scope.PREFERRED)
        records.name(number, "second meaning", Scope.EXACT, 1)
    return Ontology.from_records(records)


def stack(*ontologies: Ontology) -> OntologyStack:
    return OntologyStack(list(ontologies))


def sense(place: int, number: int, scope: Scope = Scope.PREFERRED, text: str = "name", rank: int = 0) -> Any:
    """A meaning that is said: a numbered concept of the ontology at a place."""
    return Sense(SimpleNamespace(number=number, name=text, id=f"t:{number}"), Name(text, scope, rank), place)  # type: ignore[arg-type]


def mention(start: int, end: int, *senses: Any, bent: bool = False, misspelt: bool = False) -> Any:
    return SimpleNamespace(start=start, end=end, senses=senses, bent=bent, misspelt=misspelt)


@dataclass
class SaidGuard:
    """A word-sense guard whose answers are said beforehand: by the name of a concept, or true for all."""

    counts: Callable[[Any, Any], Verdict | bool] = lambda mention, sense: True
    speaks: Callable[[Any, Concept], bool] = lambda mention, concept: True
    dictionaries: frozenset[int] = frozenset()
    expressions: frozenset[tuple[int, int]] = frozenset()
    families: Mapping[tuple[int, int], set[int]] = field(default_factory=dict)
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def read(self, document: Any, mentions: Any) -> Any:
        return self

    def verdict(self, mention: Any, sense: Any) -> Verdict:
        self.asked.append(("verdict", mention.start, mention.end, sense.ontology, sense.concept.number))
        said = self.counts(mention, sense)
        return Verdict(said, False, 0.0, 0.0) if isinstance(said, bool) else said

    def speaks_of(self, mention: Any, place: int, concept: Concept) -> bool:
        self.asked.append(("speaks of", mention.start, mention.end, place, concept.number))
        return self.speaks(mention, concept)

    def is_dictionary(self, place: int) -> bool:
        return place in self.dictionaries

    def is_expression(self, place: int, number: int) -> bool:
        return (place, number) in self.expressions

    def are_expression(self, senses: Any) -> bool:
        return any(self.is_expression(one.ontology, one.concept.number) for one in senses)

    def special(self, senses: Any) -> tuple[Any, ...]:
        return tuple(one for one in senses if not self.is_dictionary(one.ontology))

    def family(self, place: int, number: int) -> set[int]:
        return self.families.get((place, number), {number})


def tagged(said: str, text: str | None = None) -> Document:
    """A document whose tags are said: "He/PRP smoked/VBD crack/VB", with a blank between its words unless a text is given."""
    pairs = [word.rpartition("/")[::2] for word in said.split()]
    document = Document(" ".join(word for word, _ in pairs) if text is None else text)
    assert document.words == [word for word, _ in pairs]
    document.tags = np.array([TAGS.index(tag) for _, tag in pairs], dtype=np.uint8)
    return document


def span(text: str, words: str) -> tuple[int, int]:
    """Where some words stand, which stand once."""
    assert text.count(words) == 1
    return text.index(words), text.index(words) + len(words)
