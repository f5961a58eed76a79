"""What can be asked of a source of knowledge: in how many contexts do these terms stand together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from kgsan.ontology.ontology import Concept

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsan.ontology.ontology import Ontology
    from kgsan.ontology.stack import OntologyStack


@dataclass(frozen=True, eq=False, repr=False)
class Topic:
    """What a policy means by one of its entities: concepts of several ontologies, without those it excepts."""

    name: str
    stack: OntologyStack
    members: tuple[NDArray[np.int64], ...]  #: for each ontology the numbers of its concepts, in order

    def __repr__(self) -> str:
        return f"<Topic {self.name!r}: {sum(map(len, self.members))} concepts>"

    @property
    def synonyms(self) -> tuple[str, ...]:
        """A topic has no other names: sources that count by name ask for its own."""
        return ()

    def numbers_in(self, ontology: Ontology) -> NDArray[np.int64]:
        """The concepts of one of the ontologies."""
        return next(numbers for own, numbers in zip(self.stack, self.members, strict=True) if own is ontology)


#: A name, counted as it stands, a concept, counted with everything that specializes it, or all concepts of a topic.
Term: TypeAlias = str | Concept | Topic


class Knowledge(Protocol):
    """One probability space: a number of contexts, and in how many of them some terms occur together."""

    @property
    def name(self) -> str:
        """What a report calls this source."""

    @property
    def contexts(self) -> int:
        """How many contexts there are in all."""

    def count(self, *terms: Term) -> int | None:
        """In how many contexts all the terms occur; None when this source cannot say. No terms occur in every context."""
