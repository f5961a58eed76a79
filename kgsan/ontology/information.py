"""How much a concept says, in bits, judged by its place in the taxonomy alone.

Three published measures. All are 0 for the root and grow strictly from a concept to its specializations. Where a
taxonomy has several roots, one unnamed root is thought above them and counted.
"""

from __future__ import annotations

from enum import StrEnum
from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgsan.ontology.ontology import Concept, Ontology

Bits = float


class Measure(StrEnum):
    """Which formula turns a place in the taxonomy into bits."""

    SANCHEZ = "sanchez"
    SECO = "seco"
    ZHOU = "zhou"


def sanchez(leaves: int, subsumers: int, all_leaves: int) -> Bits:
    """Information of a concept from the leaves below it and the subsumers above it.

    Sánchez, Batet & Isern, "Ontology-based information content computation", Knowledge-Based Systems 24 (2011), eq. 12,
    with base 2. A leaf has no leaves; a concept is one of its own subsumers.
    """
    return -log2((leaves / subsumers + 1) / (all_leaves + 1)) + 0.0


def seco(below: int, concepts: int) -> Bits:
    """Information of a concept from the number of its specializations.

    Seco, Veale & Hayes, "An intrinsic information content metric for semantic similarity in WordNet", ECAI 2004, eq. 2,
    times log2 of the number of concepts so that the result is in bits instead of 0..1.
    """
    return -log2((below + 1) / concepts) + 0.0


def zhou(below: int, depth: int, concepts: int, deepest: int, weight: float = 0.5) -> Bits:
    """Information of a concept from its specializations and its depth.

    Zhou, Wang & Gu, "A new model of information content for semantic similarity in WordNet", FGCNS 2008, eq. 6, times log2
    of the number of concepts. Depth is that of the longest path: the shortest would not grow from parent to child
    where a concept has several parents.
    """
    if concepts == 1 or deepest == 1:
        return 0.0
    by_size = 1 - log2(below + 1) / log2(concepts)
    by_depth = log2(depth) / log2(deepest)
    return log2(concepts) * (weight * by_size + (1 - weight) * by_depth)


def resnik(ontology: Ontology, one: Concept | str, other: Concept | str, measure: Measure = Measure.SANCHEZ) -> Bits:
    """Similarity as the information of the most informative common subsumer (Resnik 1995, eq. 1).

    Similarity is not disclosure: siblings do not reveal each other. Given for comparison with other libraries.
    """
    shared = ontology.common_subsumers(one, other)
    return max((ontology.intrinsic_information(concept, measure) for concept in shared), default=0.0)


def lin(ontology: Ontology, one: Concept | str, other: Concept | str, measure: Measure = Measure.SANCHEZ) -> float:
    """Similarity between 0 and 1 (Lin 1998)."""
    both = ontology.intrinsic_information(one, measure) + ontology.intrinsic_information(other, measure)
    return 2 * resnik(ontology, one, other, measure) / both if both else 1.0


def jiang_conrath(ontology: Ontology, one: Concept | str, other: Concept | str, measure: Measure = Measure.SANCHEZ) -> Bits:
    """Distance in bits (Jiang & Conrath 1997)."""
    both = ontology.intrinsic_information(one, measure) + ontology.intrinsic_information(other, measure)
    return both - 2 * resnik(ontology, one, other, measure)
