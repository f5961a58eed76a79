"""Places smaller than a state, as a text names them: towns, counties and neighborhoods that the ontologies of a stack know.

A name that no common word and no person shares is taken wherever it has its capital. Another wants a sign beside it: "in Bath",
"Gary, Indiana", "the Reading clinic". What is only called after a place ("Lyme disease", "Chelsea boots") stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kgsan.ontology import names
from kgsan.policy.items import BELOW_STATE
from kgsan.risk.reading import BySenses, Taken
from kgsan.risk.surroundings import Place, Surroundings
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kgsan.ontology.stack import OntologyStack
    from kgsan.risk.reading import Reading
    from kgsan.text.identifiers import Identifier
    from kgsan.text.mentions import Mention, Sense


#: What stands before a place that somebody is in, or comes from.
_WHERE = frozenset({"in", "from", "to", "at", "near"})


class _Known(NamedTuple):
    """How the names of some senses are written that are places below the state, for sure or perhaps, and larger regions."""

    sure: frozenset[str]
    doubtful: frozenset[str]
    regions: frozenset[str]
    elsewhere: bool  #: a vocabulary of a field has the name too


class Geography:
    """The places of a stack. Made once; safe to share between threads."""

    def __init__(self, stack: OntologyStack) -> None:
        self._below: dict[int, NDArray[np.bool_]] = {}
        for at, ontology in enumerate(stack):
            if BELOW_STATE in ontology:
                self._below[at] = np.zeros(len(ontology), dtype=bool)
                for start, stop in ontology.ranges(ontology.number(BELOW_STATE)):
                    self._below[at][start:stop] = True
        self._dictionaries = frozenset(at for at, ontology in enumerate(stack) if ontology.is_dictionary)
        self._known = BySenses(self._sorted)

    def _sorted(self, senses: tuple[Sense, ...]) -> _Known | None:
        own = [sense for sense in senses if sense.ontology in self._below]
        if not own:
            return None
        below = [sense for sense in own if self._below[sense.ontology][sense.concept.number]]
        sure = [sense for sense in below if sense.name.scope <= Scope.EXACT]
        # What is called so first is meant, and a state beside its city: New York. Provinces elsewhere are not thought of.
        larger = [sense for sense in own if not self._below[sense.ontology][sense.concept.number]]
        regions = [sense for sense in larger if sense.name.rank <= (sense.name.scope <= Scope.EXACT)]
        elsewhere = any(sense.ontology not in self._below and sense.ontology not in self._dictionaries for sense in senses)
        return _Known(_written(sure), _written(below), _written(regions), elsewhere)

    def find(self, reading: Reading, beside: Sequence[Identifier]) -> Iterator[Place]:
        """The places in a text, in order; `beside` are its identifiers, for an address tells of the name after it."""
        if not self._below:
            return
        known = sorted(reading.every.meaning(self._known), key=lambda one: (one.start, -one.end))
        text = reading.document.text
        around = Surroundings(reading, beside)
        regions = frozenset(
            mention.start
            for mention in known
            if text[mention.start].isupper() and not mention.misspelt and _key(text, mention) in self._told(mention).regions
        )
        compounds = list(around.compounds())
        taken = Taken([(place.start, place.end) for place in compounds])
        yield from compounds
        reached = -1
        for mention in known:
            if taken.holds(mention.start, mention.end):
                continue
            if mention.end <= reached or any(map(str.isdigit, text[mention.start : mention.end])):
                continue  # a ZIP code has its own rule
            told = self._told(mention)
            if not told.sure and text[mention.start].islower():
                continue
            key = _key(text, mention)
            if key in told.regions:
                reached = mention.end
                continue
            if (key not in told.doubtful and not mention.misspelt) or any(
                self._is_another(longer, mention, text) for longer in around.longer(mention)
            ):
                continue
            place = around.place(mention, key in told.sure and not told.elsewhere, regions)
            if place is not None:
                reached = place.end
                yield place
        yield from around.unheard_of()

    def _told(self, mention: Mention) -> _Known:
        told = self._known(mention.senses)
        assert told is not None
        return told

    def _is_another(self, longer: Mention, mention: Mention, text: str) -> bool:
        """Whether a longer name is none of a place: Lyme disease. But "born in Lagos" tells of Lagos, whoever names it so."""
        said = names.words(text[longer.start : mention.start])
        return self._known(longer.senses) is None and not (said and said[-1].lower() in _WHERE)


def _key(text: str, mention: Mention) -> str:
    return " ".join(names.words(text[mention.start : mention.end])).casefold()


def _written(senses: list[Sense]) -> frozenset[str]:
    return frozenset(" ".join(names.words(sense.name.text)).casefold() for sense in senses)
