"""What a source says about its concepts, column by column, before it is compiled."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place, Problem, ontology_error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Column = list[int] | NDArray[Any]


class Scope(IntEnum):
    """How a name stands to its concept; the order is the order of preference."""

    PREFERRED = 0  #: the one label the source puts first
    EXACT = 1  #: means the same
    NARROW = 2  #: means something more special
    RELATED = 3  #: means something close by
    BROAD = 4  #: means something more general
    AMBIGUOUS = 5  #: means this only where the context says so


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller wants from a source; each reader uses what applies to it."""

    language: str | None = "en"  #: BCP 47 language of the names wanted; None: every language
    reason: bool = False  #: let a reasoner work out the hierarchy (OWL)
    parts_of_speech: str = "n"  #: which word classes of a WordNet: any of n, v, a, r
    prefix: str | None = None  #: put before the ids of sources that have none of their own


@dataclass(slots=True)
class Records:
    """The concepts, names, parents and relations of one source.

    Concepts are numbered from 0 in the order of `ids`; every other column speaks of them by number.
    Columns that belong together have the same length. A reader of a large source may set a column to
    a numpy array instead of a list.

    >>> records = Records("example")
    >>> disease, flu = records.concept("ex:1"), records.concept("ex:2")
    >>> records.name(disease, "disease", Scope.PREFERRED)
    >>> records.name(flu, "influenza", Scope.PREFERRED); records.name(flu, "flu")
    >>> records.parent(flu, disease)
    >>> records.ids, records.name_text
    (['ex:1', 'ex:2'], ['disease', 'influenza', 'flu'])
    """

    format: str  #: "OWL", "SNOMED CT RF2", ...: for people
    ids: list[str] = field(default_factory=list)

    name_concept: Column = field(default_factory=list)
    name_text: list[str] = field(default_factory=list)
    name_scope: Column = field(default_factory=list)
    name_rank: Column = field(default_factory=list)  #: sense order of the name: 0 is the first sense

    parent_child: Column = field(default_factory=list)
    parent_parent: Column = field(default_factory=list)

    relation_names: list[str] = field(default_factory=list)  #: "treats", "finding site", ...
    relation_subject: Column = field(default_factory=list)
    relation_kind: Column = field(default_factory=list)  #: index into relation_names
    relation_object: Column = field(default_factory=list)

    definitions: dict[int, str] = field(default_factory=dict)
    aliases: dict[str, int] = field(default_factory=dict)  #: other ids of the same concept
    references: list[tuple[int, str]] = field(default_factory=list)  #: ids in other vocabularies

    prefixes: dict[str, str] = field(default_factory=dict)  #: id prefix -> IRI start, to find a concept by its IRI
    imported: list[tuple[str, str]] = field(default_factory=list)  #: further files read: path beside the first, SHA-256
    problems: list[Problem] = field(default_factory=list)  #: what was noticed and did not stop the reading
    numbers: dict[str, int] = field(default_factory=dict, repr=False)  #: id -> number

    def concept(self, identifier: str) -> int:
        """The number of the concept with this id, which is added when it is new."""
        number = self.numbers.get(identifier)
        if number is None:
            number = self.numbers[identifier] = len(self.ids)
            self.ids.append(identifier)
        return number

    def add_concepts(self, keys: Iterable[str], identifiers: list[str]) -> dict[str, int]:
        """Add many concepts to empty records at once; for each key, the number of the concept with its id."""
        assert not self.ids
        self.ids = list(dict.fromkeys(identifiers))
        self.numbers = dict(zip(self.ids, range(len(self.ids)), strict=True))
        return dict(zip(keys, map(self.numbers.__getitem__, identifiers), strict=True))

    def add_names(self, names: list[tuple[int, str, int]]) -> None:
        """Add many names to records that have none: concept, text and scope of each."""
        assert not self.name_text
        columns = list(zip(*names, strict=True)) or [(), (), ()]
        self.name_concept, self.name_text, self.name_scope = list(columns[0]), list(columns[1]), list(columns[2])
        self.name_rank = [0] * len(names)

    def name(self, concept: int, text: str, scope: int = Scope.EXACT, rank: int = 0) -> None:
        """Give a concept one more name."""
        self.name_concept.append(concept)  # type: ignore[union-attr]
        self.name_text.append(text)
        self.name_scope.append(scope)  # type: ignore[union-attr]
        self.name_rank.append(rank)  # type: ignore[union-attr]

    def parent(self, child: int, parent: int) -> None:
        """Say that the second concept generalizes the first."""
        self.parent_child.append(child)  # type: ignore[union-attr]
        self.parent_parent.append(parent)  # type: ignore[union-attr]

    def relation(self, subject: int, kind: str, target: int) -> None:
        """Say that two concepts are related in a named way."""
        if kind not in self.relation_names:
            self.relation_names.append(kind)
        self.relation_subject.append(subject)  # type: ignore[union-attr]
        self.relation_kind.append(self.relation_names.index(kind))  # type: ignore[union-attr]
        self.relation_object.append(target)  # type: ignore[union-attr]

    def notice(self, code: str, file: object, message: str, hint: str | None = None, *, line: int | None = None) -> None:
        """Remember something odd that does not stop the reading."""
        self.problems.append(Problem(code, Place(str(file), line), message, hint))


def duplicate(identifier: str, file: object, line: int | None, first_line: int | None) -> Exception:
    """The error for an id that two different concepts claim."""
    where = f"; it was first given in line {first_line}" if first_line else ""
    return ontology_error(
        "O108", file, f"The id '{identifier}' belongs to two concepts{where}.", "Give one of them another id.", line=line
    )
