"""What a thing gives away through the relations that an ontology states: a drug with one indication tells the disease.

A stated relation is no sample: it holds however rarely it was written down, so no bound of confidence applies.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kgsan.knowledge.information import share
from kgsan.knowledge.taxonomy import Cover

if TYPE_CHECKING:
    from kgsan.knowledge.information import Share
    from kgsan.ontology.information import Bits
    from kgsan.ontology.ontology import Concept, Ontology


def stated_disclosure(
    ontology: Ontology, entity: Concept, term: Concept, entity_information: Bits | None
) -> tuple[Share, str] | None:
    """The share of an entity that the relations of a term give away, and the relation that gives most.

    Of the things that a term and its specializations are related to in one way, some are the entity or a
    specialization of it: their part is the chance of a right guess. Each kind of relation, in each direction, is a
    question of its own ("what does it treat?"), and the one that tells most decides; what a drug is made of does not
    make its only indication less certain. The information of the entity comes from the knowledge that decides.

    None when no relation leads to the entity.
    """
    if entity not in ontology or term not in ontology:
        return None
    entity_cover, term_cover = (Cover.of(ontology, ontology.number(concept)) for concept in (entity, term))
    stated = term_cover.rows(ontology.columns("relations_start"))
    received = ontology.columns("relations_to")[term_cover.rows(ontology.columns("relations_to_start"))]
    names: list[str] = ontology.about["relation_names"]
    found: list[tuple[Share, str]] = []
    for rows, far_end in ((stated, "relation_object"), (received, "relation_subject")):
        kinds = ontology.columns("relation_kind")[rows]
        leading = entity_cover.holds(ontology.columns(far_end)[rows])
        asked, answered = (np.bincount(part, minlength=len(names)).tolist() for part in (kinds, kinds[leading]))
        for name, relations, under in zip(names, asked, answered, strict=True):
            if made := share(entity_information, under, relations, ontology.name):
                found.append((replace(made, low=made.revealed), name))
    return max(found, key=lambda pair: (pair[0].revealed, pair[0].support), default=None)
