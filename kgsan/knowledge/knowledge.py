"""What can be asked of a source of knowledge: in how many contexts do these terms stand together."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from kgsan.ontology.ontology import Concept

#: A name, counted as it stands, or a concept, counted with everything that specializes it.
Term: TypeAlias = str | Concept


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
