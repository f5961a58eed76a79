"""Several ontologies, asked in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from kgsan.errors import ontology_error

if TYPE_CHECKING:
    from kgsan.errors import Problem
    from kgsan.ontology.ontology import Concept, Concepts, Ontology


class OntologyStack(Sequence["Ontology"]):
    """Ontologies in order of priority. For a term, the first that knows it speaks; the next follow only if asked."""

    def __init__(self, ontologies: Sequence[Ontology]) -> None:
        assert ontologies
        self.ontologies = tuple(ontologies)

    def __len__(self) -> int:
        return len(self.ontologies)

    @overload
    def __getitem__(self, index: int) -> Ontology: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Ontology]: ...
    def __getitem__(self, index: int | slice) -> Ontology | Sequence[Ontology]:
        return self.ontologies[index]

    def __repr__(self) -> str:
        return f"<OntologyStack of {', '.join(ontology.name for ontology in self.ontologies)}>"

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was odd in any of the sources."""
        return tuple(problem for ontology in self.ontologies for problem in ontology.problems)

    def find(self, name: str) -> tuple[Concept, ...]:
        """What a name means in the first ontology that knows it."""
        return next((found for _, found in self.find_all(name)), ())

    def find_all(self, name: str) -> Iterator[tuple[Ontology, tuple[Concept, ...]]]:
        """What a name means in each ontology that knows it, in order."""
        for ontology in self.ontologies:
            if found := ontology.find(name):
                yield ontology, found

    def chains(self, name: str) -> Iterator[tuple[Ontology, tuple[Concept, ...]]]:
        """The generalizations of a name's first meaning, ontology by ontology.

        Chains are never mixed, since information in one ontology does not compare with that in another: take
        the next chain only when nothing in this one will do.
        """
        for ontology, found in self.find_all(name):
            yield ontology, ontology.generalizations(found[0])

    def home(self, concept: Concept | str) -> Ontology:
        """The first ontology that holds a concept."""
        for ontology in self.ontologies:
            if concept in ontology:
                return ontology
        identifier = concept if isinstance(concept, str) else concept.id
        raise ontology_error("O113", repr(self), f"There is no concept with the id '{identifier}'.")

    def concept(self, identifier: str) -> Concept:
        """The concept with this id."""
        return self.home(identifier)[identifier]

    def generalizations(self, concept: Concept | str) -> tuple[Concept, ...]:
        """All more general concepts in the ontology the concept belongs to, the most specific first."""
        return self.home(concept).generalizations(concept)

    def specializations(self, concept: Concept | str) -> Concepts:
        """All more special concepts in the ontology the concept belongs to."""
        return self.home(concept).specializations(concept)

    def suggest(self, name: str, most: int = 5) -> tuple[str, ...]:
        """The names most like a misspelt one, over all ontologies."""
        from rapidfuzz import fuzz

        found = dict.fromkeys(text for ontology in self.ontologies for text in ontology.suggest(name, most))
        ranked = sorted(found, key=lambda text: (-fuzz.ratio(name.casefold(), text.casefold()), text))
        return tuple(ranked[:most])
