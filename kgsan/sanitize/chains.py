"""What generalizes a term, the most specific first, found no further than it is asked for: counting what is general is slow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, overload

from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import information
from kgsan.knowledge.taxonomy import TaxonomyKnowledge
from kgsan.ontology.ontology import Concept
from kgsan.sanitize.ladder import Rung
from kgsan.sanitize.published import chain_over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.ontology import Ontology
    from kgsan.ontology.stack import OntologyStack
    from kgsan.sanitize.published import Chain


class Counts:
    """One knowledge for one text: what was counted once is remembered.

    `as_written`, a concept is counted by its name alone, as a search engine would.
    """

    def __init__(self, knowledge: Knowledge, *, as_written: bool = False) -> None:
        self._knowledge = knowledge
        self.as_written = as_written
        self._known: dict[tuple[Term, ...], int | None] = {}
        self.name, self.contexts = knowledge.name, knowledge.contexts
        #: Whether what holds a concept holds whatever generalizes it, so that going up never says more.
        self.is_coherent = not as_written and isinstance(knowledge, (CorpusKnowledge, TaxonomyKnowledge))

    def __repr__(self) -> str:
        return f"<Counts of {self.name}>"

    def count(self, *terms: Term) -> int | None:
        """In how many contexts all the terms occur."""
        if terms not in self._known:
            asked = [term.name if self.as_written and isinstance(term, Concept) else term for term in terms]
            self._known[terms] = self._knowledge.count(*asked)
        return self._known[terms]


class Unrolled(Sequence["Term"]):
    """Terms that are found when they are looked at.

    >>> terms = Unrolled(iter(["viral infection", "infection"]))
    >>> bool(terms), terms[0], len(terms), list(terms)
    (True, 'viral infection', 2, ['viral infection', 'infection'])
    """

    def __init__(self, found: Iterator[Term]) -> None:
        self._coming = found
        self._found: list[Term] = []

    def __repr__(self) -> str:
        return f"<Unrolled of {len(self._found)} terms so far>"

    def __bool__(self) -> bool:
        return bool(self._upto(1))

    def __len__(self) -> int:
        return len(self._upto(None))

    @overload
    def __getitem__(self, index: int) -> Term: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Term]: ...
    def __getitem__(self, index: int | slice) -> Term | Sequence[Term]:
        found = self._upto(index + 1 if isinstance(index, int) and index >= 0 else None)
        return found[index]

    def _upto(self, count: int | None) -> list[Term]:
        self._found += islice(self._coming, None if count is None else max(0, count - len(self._found)))
        return self._found


def climbed(knowledge: Knowledge, ontology: Ontology, number: int, may_be_said: Callable[[Concept], bool]) -> Iterator[Concept]:
    """The generalizations of a concept that may be said, by what they say; where knowledge is coherent, this sorts them all.

    Whatever is still to come lies above something that waits, and says no more than that. Equals come in the order in
    which the ontology has them.
    """
    order = {above: at for at, above in enumerate(ontology.generalization_numbers(number))}
    seen: set[int] = set()
    waiting: list[tuple[float, int, int]] = []

    def wait_for(below: int) -> None:
        beneath = [below]
        while beneath:
            for parent in ontology.parent_numbers(beneath.pop()):
                if parent in seen:
                    continue
                seen.add(parent)
                concept = ontology.concept(parent)
                if may_be_said(concept):
                    heappush(waiting, (-(information(knowledge, concept) or 0.0), order[parent], parent))
                else:
                    beneath.append(parent)

    wait_for(number)
    while waiting:
        _, _, next_one = heappop(waiting)
        yield ontology.concept(next_one)
        wait_for(next_one)


class Generalizations:
    """What generalizes the terms of one text, over a stack of ontologies, and the words for it."""

    def __init__(self, stack: OntologyStack, knowledge: Counts, may_be_said: Callable[[Rung], bool]) -> None:
        self._stack = stack
        self._knowledge = knowledge
        self._may_be_said = may_be_said
        self.rungs: dict[Term, Rung] = {}  #: of all that was looked at

    def __repr__(self) -> str:
        return f"<Generalizations over {len(self._stack)} ontologies>"

    def of(self, meanings: Mapping[int, int]) -> Sequence[Term]:
        """All that may be said, ontology by ontology, for a term that means one concept in each; by what it says."""
        if self._knowledge.is_coherent:
            return Unrolled(self._climbed(meanings))
        return chain_over(self._knowledge, *(self._base(place, number) for place, number in sorted(meanings.items())))("")

    def _climbed(self, meanings: Mapping[int, int]) -> Iterator[Term]:
        for place, number in sorted(meanings.items()):
            yield from climbed(self._knowledge, self._stack[place], number, partial(self._is_offered, place))

    def _base(self, place: int, number: int) -> Chain:
        ontology = self._stack[place]
        above = map(ontology.concept, ontology.generalization_numbers(number))
        offered: list[Term] = [concept for concept in above if self._is_offered(place, concept)]
        return lambda _: offered

    def _is_offered(self, place: int, concept: Concept) -> bool:
        rung = self.rungs.setdefault(concept, Rung(concept.name, concept, place))
        return self._may_be_said(rung)
