"""What a thing gives away through the relations that an ontology states: a drug with one indication tells the disease.

A stated relation is no sample: it holds however rarely it was written down, so no bound of confidence applies. Only where
a relation is one of many that nobody lists in full, such as being a symptom, is the list a sample, and the bound applies.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.information import share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kgsan.knowledge.information import Share
    from kgsan.ontology.information import Bits
    from kgsan.ontology.ontology import Ontology

    Ints = NDArray[np.int64]


#: Relations of which an ontology lists those of its own field: that it knows one disease with a symptom does not make the
#: symptom rare elsewhere. What it lists is a sample, and counts like one.
_SAMPLES = frozenset({"symptom of", "complication of", "risk factor for"})
#: These, too, count only where a corpus knows little.
_LOOSE = _SAMPLES | {"associated with", "associated", "related", "related to", "see also", "skos:related"}

#: Relations that say where something comes from or belongs: they tell of the one that has them, not of the other end.
_ONE_WAY = frozenset({"caused by", "transmitted by", "located in", "part of", "member of", "substance of", "has ingredient"})


def stated_disclosure(ontology: Ontology, members: Ints, term: int, entity_information: Bits | None) -> Share | None:
    """The share of an entity, given by its concepts, that the relations of a term give away.

    Of the things that a term is related to in one way, some belong to the entity: their part is the chance of a right
    guess. Each kind of relation, in each direction, is a question of its own ("what does it treat?"), and the one that
    tells most decides; what a drug is made of does not make its only indication less certain. A term that states nothing
    has what is stated of the nearest thing above it: what a class of drugs treats, a drug of that class does. What is stated
    of things below it says little: an ontology of one field lists the vaccines of that field. The information of the
    entity comes from the knowledge that decides.

    None when no relation leads to the entity.
    """
    found = []
    for relations, under, name, loose in _answers(ontology, members, term):
        made = share(entity_information, under, relations, f"{ontology.name}: {name}")
        if made is not None:
            is_sample = name.casefold() in _SAMPLES
            found.append(replace(made, low=made.low if is_sample else made.revealed, stated=True, loose=loose))
    return max(found, key=lambda one: (one.low, one.support), default=None)


def related_to(ontology: Ontology, members: Ints) -> frozenset[int]:
    """The concepts from or to which a relation of one of these concepts leads."""
    ends = ontology.columns("relation_subject"), ontology.columns("relation_object")
    return frozenset(np.concatenate([far[np.isin(near, members)] for far, near in (ends, ends[::-1])]).tolist())


def _answers(ontology: Ontology, members: Ints, term: int) -> Iterator[tuple[int, int, str, bool]]:
    """For each kind of relation how many things it leads to, how many of them belong to the entity, its name, if it is loose."""
    kinds, names = ontology.columns("relation_kind"), ontology.about["relation_names"]
    rows = {
        "relation_object": _rows(ontology.columns("relations_start"), term),
        "relation_subject": ontology.columns("relations_to")[_rows(ontology.columns("relations_to_start"), term)],
    }
    if not len(rows["relation_object"]):
        rows["relation_object"] = _nearest_above(ontology, term)
    for far_end, some in rows.items():
        things = np.unique(np.stack([kinds[some], ontology.columns(far_end)[some]]), axis=1)
        inside = np.isin(things[1], members)
        asked, answered = (np.bincount(part, minlength=len(names)).tolist() for part in (things[0], things[0][inside]))
        for name, relations, under in zip(names, asked, answered, strict=True):
            if under:
                backward = far_end == "relation_subject" and name in _ONE_WAY
                yield relations, under, name, backward or name.casefold() in _LOOSE


def _rows(begins: Ints, number: int) -> Ints:
    return np.arange(int(begins[number]), int(begins[number + 1]))


def _nearest_above(ontology: Ontology, term: int) -> Ints:
    """The relations that are stated of the nearest generalizations of which any are."""
    begins = ontology.columns("relations_start")
    level = [term]
    while level:
        level = sorted({parent for number in level for parent in ontology.parent_numbers(number)})
        stated = [_rows(begins, number) for number in level]
        if any(map(len, stated)):
            return np.concatenate(stated)
    return np.zeros(0, dtype=np.int64)
