"""A compiled ontology: what a name means, what generalizes it, what specializes it."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from kgsan.errors import Place, Problem, ontology_error, system_says
from kgsan.lazy import cached_property
from kgsan.ontology import chains, information, names
from kgsan.ontology.arrays import ArrayFile, Strings
from kgsan.ontology.columns import fits, holds
from kgsan.ontology.compile import KIND, VERSION, compile_records
from kgsan.ontology.information import Measure
from kgsan.ontology.subtrees import Subtrees
from kgsan.ontology.suggest import Suggester
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    import networkx
    from numpy.typing import NDArray

    from kgsan.sources.records import Records


_SCOPES = list(Scope)
#: The columns that hold what the sources say; the others follow from them.
_SAID = (
    *("ids", "ids_at", "parents", "parents_start", "names", "names_at", "names_start", "name_scope", "name_rank"),
    *(
        "relation_subject",
        "relation_kind",
        "relation_object",
        "definitions",
        "definitions_start",
        "references",
        "references_start",
    ),
)


class _Homed:
    """What a concept keeps beside its fields: the ontology that made it, which no copy has."""

    __slots__ = ("_home",)
    _home: Ontology

    if not TYPE_CHECKING:

        def __getattr__(self, missing: str) -> str | tuple[str, ...]:
            """The names, when they are first asked for: a concept may have hundreds, and hardly any are looked at."""
            if missing == "name":
                found = self._home._preferred(self.number) or self.id
            elif missing == "synonyms":
                found = self._home._synonyms(self.number)
            else:
                raise AttributeError(missing)
            object.__setattr__(self, missing, found)
            return found


@dataclass(frozen=True, slots=True)
class Concept(_Homed):
    """One meaning in an ontology. `synonyms` mean exactly the same as `name`."""

    id: str
    name: str
    synonyms: tuple[str, ...] = field(default=(), compare=False)
    number: int = field(default=-1, repr=False, compare=False)  #: place in the ontology it comes from

    def __str__(self) -> str:
        return f"{self.name} ({self.id})"


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a concept, how it stands to the concept, and which sense of the name the concept is (0 = first)."""

    text: str
    scope: Scope
    rank: int = 0  #: which sense of the name the concept is


@dataclass(frozen=True, slots=True)
class Relation:
    """A statement of the ontology other than "is a": zidovudine *treats* HIV infection."""

    subject: Concept
    name: str
    object: Concept


class Concepts(Sequence[Concept]):
    """The specializations of a concept; built only when looked at, so that a large subtree costs nothing."""

    __slots__ = ("_number", "_ontology")

    def __init__(self, ontology: Ontology, number: int) -> None:
        self._ontology = ontology
        self._number = number

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the concepts."""
        return self._ontology.specialization_numbers(self._number)

    def __len__(self) -> int:
        return self._ontology._below[self._number]

    @overload
    def __getitem__(self, index: int) -> Concept: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Concept]: ...
    def __getitem__(self, index: int | slice) -> Concept | Sequence[Concept]:
        if isinstance(index, slice):
            return tuple(map(self._ontology.concept, self.numbers[index]))
        return self._ontology.concept(self.numbers[index])

    def __iter__(self) -> Iterator[Concept]:
        return map(self._ontology.concept, self.numbers)

    def __contains__(self, concept: object) -> bool:
        if not isinstance(concept, (Concept, str)) or concept not in self._ontology:
            return False
        return self._ontology.generalizes(self._ontology.concept(self._number), concept)

    def __repr__(self) -> str:
        return f"<{len(self)} concepts>"

    @property
    def _ranges(self) -> list[tuple[int, int]]:
        (start, stop), *extra = self._ontology.ranges(self._number)
        return [(start + 1, stop), *extra]

    def ids(self) -> list[str]:
        """The ids of all concepts."""
        return [text for start, stop in self._ranges for text in self._ontology._ids.slice(start, stop)]

    def names(self) -> list[str]:
        """Every name of every concept, whatever its scope."""
        return [text for start, stop in self._ranges for text in self._ontology._names_between(start, stop)]


class Ontology:
    """Concepts with their names, generalizations, specializations and relations.

    Immutable and safe to share between threads. A concept is given as a `Concept` or by its id.

    >>> from kgsan.sources.records import Records, Scope
    >>> records = Records("example")
    >>> for name in ("disease", "infection", "influenza"):
    ...     records.name(records.concept(f"ex:{name}"), name, Scope.PREFERRED)
    >>> records.name(2, "flu"); records.parent(1, 0); records.parent(2, 1)
    >>> ontology = Ontology.from_records(records)
    >>> [flu] = ontology.find("Influenzas")
    >>> flu
    Concept(id='ex:influenza', name='influenza', synonyms=('flu',))
    >>> [concept.name for concept in ontology.generalizations(flu)]
    ['infection', 'disease']
    >>> ontology.specializations("ex:disease").names()
    ['infection', 'influenza', 'flu']
    """

    def __init__(self, file: ArrayFile) -> None:
        self._file = file
        self.about: dict[str, Any] = file.about

    @classmethod
    def from_records(cls, records: Records, sources: Sequence[dict[str, Any]] = ()) -> Ontology:
        """The compiled form of what a reader found."""
        return cls(compile_records(records, sources))

    @classmethod
    def open(cls, path: str | Path) -> Ontology:
        """A compiled file, mapped into memory: ready at once, whatever its size."""
        return cls(ArrayFile.open(Path(path), KIND, VERSION, fits=fits, holds=holds))

    def save(self, path: str | Path) -> None:
        """Write the compiled file whole, or leave what is there."""
        try:
            self._file.save(Path(path))
        except OSError as error:
            raise ontology_error("O101", path, f"It cannot be written: {system_says(error) or 'unknown reason'}.") from None

    def __len__(self) -> int:
        return int(self.about["concepts"])

    def __repr__(self) -> str:
        return f"<Ontology {self.name}: {len(self)} concepts, {self.about['names']} names>"

    @property
    def name(self) -> str:
        """What the ontology was made from."""
        return " + ".join(source["name"] for source in self.about["sources"]) or str(self.about["format"])

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was odd in the sources and did not stop the reading."""
        return tuple(
            Problem(row["code"], Place(row["file"], row["line"], row["column"]), row["message"], row["hint"])
            for row in self.about["problems"]
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything the ontology says, whatever format it was read from."""
        total = hashlib.sha256("\0".join(self.about["relation_names"]).encode())
        for part in _SAID:
            total.update(self._file[part].data)
        return total.hexdigest()

    @cached_property
    def names_digest(self) -> bytes:
        """A hash of all names in their order."""
        total = hashlib.sha256(self._file["names"].data)
        total.update(self._file["names_at"].data)
        return total.digest()

    @cached_property
    def is_dictionary(self) -> bool:
        """Whether the senses of a name are told apart and ordered, as in WordNet."""
        return bool(self._file["name_rank"].any())

    @property
    def name_count(self) -> int:
        """How many names there are."""
        return len(self._names)

    def name_count_of(self, numbers: NDArray[np.int64]) -> int:
        """How many names these concepts have."""
        start = self._file["names_start"]
        return int((start[numbers + 1] - start[numbers]).sum())

    def texts_of(self, numbers: NDArray[np.int64]) -> list[str]:
        """All names of these concepts, which are given in order."""
        start = self._file["names_start"]
        breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
        return [
            text
            for run in np.split(numbers, breaks)
            if len(run)
            for text in self._names.slice(int(start[run[0]]), int(start[run[-1] + 1]))
        ]

    def name_texts(self) -> list[str]:
        """All names, row by row: the names of a concept stand together, in the order of concepts."""
        return self._names.slice(0, len(self._names))

    def sense(self, row: int) -> tuple[Concept, Name]:
        """The concept that the name in this row means, and the name."""
        return self.concept(self._named_by["name_concept"][row]), self._name(row)

    # --- columns, each checked and mapped when first needed ---------------------------------------------------------

    @cached_property
    def _ids(self) -> Strings:
        return Strings(self._file["ids"], self._file["ids_at"], self._file.name)

    @cached_property
    def _names(self) -> Strings:
        return Strings(self._file["names"], self._file["names_at"], self._file.name)

    @cached_property
    def _end(self) -> memoryview:
        return self._file.view("end")

    @cached_property
    def _extra_start(self) -> memoryview:
        return self._file.view("extra_start")

    @cached_property
    def _below(self) -> memoryview:
        return self._file.view("below")

    @cached_property
    def _suggester(self) -> Suggester:
        return Suggester(self._file, self._names)

    def _names_between(self, first: int, last: int) -> list[str]:
        start = self._file["names_start"]
        return self._names.slice(int(start[first]), int(start[last]))

    def _rows(self, index: str, text: str) -> list[int]:
        """Where the hash of a text is filed; the caller compares the text itself."""
        hashes = self._file[f"{index}_hash"]
        wanted = np.uint64(names.hash_key(text))
        first = int(np.searchsorted(hashes, wanted))
        last = first
        while last < len(hashes) and hashes[last] == wanted:
            last += 1
        rows: list[int] = self._file[f"{index}_row"][first:last].tolist()
        return rows

    # --- concepts ------------------------------------------------------------------------------------------------------

    def concept(self, number: int) -> Concept:
        """The concept with this number, from 0 up to the length of the ontology."""
        made, give = Concept.__new__(Concept), object.__setattr__
        give(made, "id", self._ids[number])
        give(made, "number", number)
        give(made, "_home", self)
        return made

    def _preferred(self, number: int) -> str:
        """The first name of a concept; nothing where it has none."""
        start = self._named_by["names_start"]
        return self._names[start[number]] if start[number] < start[number + 1] else ""

    def _synonyms(self, number: int) -> tuple[str, ...]:
        """The names of a concept that mean exactly the same as the first."""
        start, scopes = self._named_by["names_start"], self._named_by["name_scope"]
        first, last = start[number], start[number + 1]
        return tuple(self._names.slice(first, bisect_right(scopes, Scope.EXACT, first, last))[1:])

    def __iter__(self) -> Iterator[Concept]:
        return map(self.concept, range(len(self)))

    def __getitem__(self, identifier: str) -> Concept:
        return self.concept(self.number(identifier))

    def __contains__(self, concept: object) -> bool:
        return isinstance(concept, (Concept, str)) and self._find_number(concept) is not None

    def number(self, concept: Concept | str) -> int:
        """The number of a concept, by which all columns speak of it."""
        found = self._find_number(concept)
        if found is None:
            identifier = concept if isinstance(concept, str) else concept.id
            raise ontology_error("O113", self.name, f"There is no concept with the id '{identifier}'.")
        return found

    def _find_number(self, concept: Concept | str) -> int | None:
        if isinstance(concept, Concept):
            if getattr(concept, "_home", None) is self:
                return concept.number
            concept = concept.id
        for identifier in (concept, *self._shortened(concept)):
            rows = self._rows("id", identifier)
            if rows:
                return int(rows[0])
        return None

    def _shortened(self, iri: str) -> Iterator[str]:
        if "://" in iri or iri.startswith("urn:"):
            from kgsan.sources.iris import Shortener

            yield Shortener(self.about["prefixes"])(iri)

    def find(self, name: str) -> tuple[Concept, ...]:
        """The concepts that a name means, the likeliest first; empty when the name is unknown.

        Case, hyphen, plural, possessive and spelling do not matter; the capitals of an acronym do, unless nothing
        else fits.
        """
        return tuple(self.concept(number) for number in dict.fromkeys(n for n, _ in self._named(name)))

    def senses(self, name: str) -> tuple[tuple[Concept, Name], ...]:
        """The concepts that a name means, each with the name as the ontology has it."""
        return tuple((self.concept(number), self._name(row)) for number, row in self._named(name))

    def _name(self, row: int) -> Name:
        scopes, ranks = self._named_by["name_scope"], self._named_by["name_rank"]
        return Name(self._names[row], _SCOPES[scopes[row]], ranks[row])

    @cached_property
    def _named_by(self) -> dict[str, memoryview]:
        """Columns of which single numbers are asked for very often: they are had faster so than of the arrays."""
        return {name: self._file.view(name) for name in ("name_concept", "name_scope", "name_rank", "names_start")}

    def _named(self, name: str) -> list[tuple[int, int]]:
        """(concept, name row) pairs for a name, best first."""
        for reading in names.readings(name):
            rows = [row for row in self._rows("key", reading) if reading in names.keys(self._names[row])]
            if rows:
                scopes, ranks, concepts = (
                    self._file[column][rows].tolist() for column in ("name_scope", "name_rank", "name_concept")
                )
                order = sorted(
                    range(len(rows)),
                    key=lambda i: (scopes[i] > Scope.EXACT, ranks[i], scopes[i], self._ids[concepts[i]], rows[i]),
                )
                return [(concepts[i], rows[i]) for i in order]
        return []

    def suggest(self, name: str, most: int = 5) -> tuple[str, ...]:
        """The names most like a misspelt one, the nearest first."""
        return self._suggester.suggest(name, most)

    def names(self, concept: Concept | str) -> tuple[Name, ...]:
        """Every name of a concept, the preferred one first."""
        number = self.number(concept)
        first, last = self._file["names_start"][number : number + 2].tolist()
        scopes, ranks = (self._file[column][first:last].tolist() for column in ("name_scope", "name_rank"))
        return tuple(map(Name, self._names.slice(first, last), map(_SCOPES.__getitem__, scopes), ranks))

    def scoped_names(self, number: int) -> tuple[list[str], list[int]]:
        """`names` by number: the texts, and the scope of each."""
        first, last = self._file["names_start"][number : number + 2].tolist()
        return self._names.slice(first, last), self._file["name_scope"][first:last].tolist()

    def definition(self, concept: Concept | str) -> str | None:
        """What the ontology says a concept is."""
        return next(iter(self._texts("definition", concept)), None)

    def references(self, concept: Concept | str) -> tuple[str, ...]:
        """Ids of the same concept in other vocabularies."""
        return tuple(self._texts("reference", concept))

    def _texts(self, kind: str, concept: Concept | str) -> list[str]:
        number = self.number(concept)
        first, last = self._file[f"{kind}s_start"][number : number + 2].tolist()
        return Strings(self._file[f"{kind}s"], self._file[f"{kind}s_at"], self._file.name).slice(first, last)

    # --- the graph -----------------------------------------------------------------------------------------------------

    def parents(self, concept: Concept | str) -> tuple[Concept, ...]:
        """The concepts one step more general."""
        return tuple(map(self.concept, self._neighbors("parents", self.number(concept))))

    def children(self, concept: Concept | str) -> tuple[Concept, ...]:
        """The concepts one step more special."""
        return tuple(map(self.concept, self._neighbors("children", self.number(concept))))

    def child_numbers(self, number: int) -> list[int]:
        """`children` by number."""
        return self._neighbors("children", number)

    def parent_numbers(self, number: int) -> list[int]:
        """`parents` by number."""
        return self._neighbors("parents", number)

    def _neighbors(self, column: str, number: int) -> list[int]:
        first, last = self._file[f"{column}_start"][number : number + 2].tolist()
        found: list[int] = self._file[column][first:last].tolist()
        return found

    @cached_property
    def roots(self) -> tuple[Concept, ...]:
        """The concepts that nothing generalizes."""
        return tuple(self.concept(int(i)) for i in np.flatnonzero(np.diff(self._file["parents_start"]) == 0))

    def generalizations(self, concept: Concept | str) -> tuple[Concept, ...]:
        """All more general concepts, the most specific first. A concept is not its own generalization."""
        return tuple(map(self.concept, self.generalization_numbers(self.number(concept))))

    @cached_property
    def generalization_numbers(self) -> Callable[[int], Sequence[int]]:
        """`generalizations` by number: by information, then fewest steps up, then id."""
        return chains.Chains(self._file).numbers

    def steps_up(self, number: int) -> dict[int, int]:
        """`generalizations` by number in no order that matters, each with the fewest steps that lead to it."""
        return chains.steps_up(self._file, number)

    def generalizes(self, general: Concept | str, special: Concept | str) -> bool:
        """Whether the first concept is a generalization of the second."""
        above, below = self.number(general), self.number(special)
        return above != below and any(start <= below < stop for start, stop in self.ranges(above))

    def specializations(self, concept: Concept | str) -> Concepts:
        """All more special concepts. A concept is not its own specialization."""
        return Concepts(self, self.number(concept))

    @cached_property
    def specialization_numbers(self) -> Callable[[int], Sequence[int]]:
        """`specializations` by number."""
        return Subtrees(self._file).numbers

    def ranges(self, number: int) -> list[tuple[int, int]]:
        """The numbers of a concept and all its specializations, as ranges that do not overlap."""
        first, last = self._extra_start[number], self._extra_start[number + 1]
        own = (number, self._end[number])
        if first == last:
            return [own]
        starts, stops = self._file["extra"][first:last].tolist(), self._file["extra_end"][first:last].tolist()
        return [own, *zip(starts, stops, strict=True)]

    def related_numbers(self, number: int) -> Iterator[tuple[str, int]]:
        """What is related to a concept in either direction, by number, with the name of the relation."""
        kinds: list[str] = self.about["relation_names"]
        kind, subjects, objects = (self._file[f"relation_{part}"] for part in ("kind", "subject", "object"))
        for row in range(*self._file["relations_start"][number : number + 2].tolist()):
            yield kinds[int(kind[row])], int(objects[row])
        first, last = self._file["relations_to_start"][number : number + 2].tolist()
        for row in self._file["relations_to"][first:last].tolist():
            yield kinds[int(kind[row])], int(subjects[row])

    def columns(self, name: str) -> NDArray[np.int64]:
        """A fact about all concepts, by number: `below`, `above` (how many), `depth`, `leaves`."""
        return self._file[name]

    def common_subsumers(self, *concepts: Concept | str) -> tuple[Concept, ...]:
        """What generalizes, or is, every one of the concepts; the most informative first."""
        numbers = [self.number(concept) for concept in concepts]
        if not numbers:
            return ()
        first, *others = ((number, *self.generalization_numbers(number)) for number in numbers)
        shared = set(first).intersection(*others)
        return tuple(self.concept(number) for number in first if number in shared)

    def relations(self, concept: Concept | str, *, incoming: bool = False) -> tuple[Relation, ...]:
        """What the ontology states about a concept beside "is a"; with `incoming`, what others state about it."""
        number = self.number(concept)
        column = "relations_to_start" if incoming else "relations_start"
        first, last = self._file[column][number : number + 2].tolist()
        rows = self._file["relations_to"][first:last].tolist() if incoming else range(first, last)
        kinds: list[str] = self.about["relation_names"]
        subjects, kind, objects = (self._file[f"relation_{part}"] for part in ("subject", "kind", "object"))
        return tuple(
            Relation(self.concept(int(subjects[row])), kinds[int(kind[row])], self.concept(int(objects[row]))) for row in rows
        )

    # --- information -----------------------------------------------------------------------------------------------

    @property
    def _virtual(self) -> int:
        """1 when an unnamed root is thought above several roots."""
        return int(self.about["roots"] > 1)

    def intrinsic_information(self, concept: Concept | str, measure: Measure | str = Measure.SANCHEZ) -> information.Bits:
        """How many bits a concept says, judged by its place in the taxonomy."""
        number = self.number(concept)
        virtual = self._virtual
        measure = Measure(measure)
        below = self._below[number]
        if measure is Measure.SANCHEZ:
            subsumers = int(self._file["above"][number]) + 1 + virtual
            return information.sanchez(int(self._file["leaves"][number]), subsumers, self.about["leaves"])
        if measure is Measure.SECO:
            return information.seco(below, len(self) + virtual)
        depth = int(self._file["depth"][number]) + virtual
        return information.zhou(below, depth, len(self) + virtual, self.about["deepest"] + virtual)

    def to_networkx(self, *, relations: bool = False) -> networkx.MultiDiGraph:
        """The graph for networkx: an edge from each concept to each of its parents, with the key "is a".

        Nodes are ids and carry `name`. With `relations`, the other statements are edges under their own name.
        """
        import networkx

        graph = networkx.MultiDiGraph(name=self.name)
        ids = self._ids.slice(0, len(self))
        for concept in self:
            graph.add_node(concept.id, name=concept.name)
        child = np.repeat(np.arange(len(self)), np.diff(self._file["parents_start"]))
        graph.add_edges_from(
            (ids[c], ids[p], "is a") for c, p in zip(child.tolist(), self._file["parents"].tolist(), strict=True)
        )
        if relations:
            kinds = self.about["relation_names"]
            columns = (self._file[f"relation_{part}"].tolist() for part in ("subject", "object", "kind"))
            graph.add_edges_from((ids[s], ids[o], kinds[k]) for s, o, k in zip(*columns, strict=True))
        return graph
