"""Which neighbors of a concept a picture shows, and how many it leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgsan.ontology.ontology import Concept, Ontology

#: So many of each kind are shown; the others are counted.
SPECIALIZATIONS, LAYERS, IN_A_LAYER, KINDS, RELATED = 24, 12, 5, 8, 6


@dataclass(frozen=True, slots=True)
class Some:
    """A few names of many, under a heading."""

    heading: str
    names: tuple[str, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class General:
    """A concept that is more general, and which of those below it in the picture it generalizes directly."""

    key: int
    name: str
    bits: float
    below: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Neighborhood:
    """What a picture shows. Layers of generalizations go upwards."""

    key: int
    name: str
    id: str
    ontology: str
    bits: float
    layers: tuple[tuple[General, ...], ...]
    unseen: int  #: generalizations that are not shown
    specializations: Some
    covers: int  #: all specializations, direct or not
    outgoing: tuple[Some, ...]
    incoming: tuple[Some, ...]


def neighborhood(ontology: Ontology, concept: Concept) -> Neighborhood:
    """The neighbors of a concept; the same ones for the same ontology."""
    children = sorted({one.name for one in ontology.children(concept)}, key=lambda name: (name.casefold(), name))
    layers, unseen = _layers(ontology, concept)
    covers = len(ontology.specializations(concept))
    return Neighborhood(
        concept.number,
        concept.name,
        concept.id,
        ontology.name,
        ontology.intrinsic_information(concept),
        layers,
        unseen,
        _some("specializations", children, SPECIALIZATIONS),
        covers,
        _related([(one.name, one.object.name) for one in ontology.relations(concept)]),
        _related([(f"{one.name} it", one.subject.name) for one in ontology.relations(concept, incoming=True)]),
    )


def _some(heading: str, names: list[str], most: int) -> Some:
    return Some(heading, tuple(names[:most]), max(0, len(names) - most))


def _related(found: list[tuple[str, str]]) -> tuple[Some, ...]:
    """Related names by relation, the relations that say most first."""
    kinds: dict[str, list[str]] = {}
    for kind, name in dict.fromkeys(found):
        kinds.setdefault(kind, []).append(name)
    ordered = sorted(kinds.items(), key=lambda row: (-len(row[1]), row[0]))
    shown = [_some(kind, names, RELATED) for kind, names in ordered[:KINDS]]
    rest = ordered[KINDS:]
    return (*shown, Some("other relations", (), sum(len(names) for _, names in rest))) if rest else tuple(shown)


def _layers(ontology: Ontology, concept: Concept) -> tuple[tuple[tuple[General, ...], ...], int]:
    """The generalizations, each above everything it generalizes: its layer is its longest way down."""
    every = set(ontology.steps_up(concept.number))
    below: dict[int, list[int]] = {}
    for number in (concept.number, *sorted(every)):
        for parent in ontology.parent_numbers(number):
            if parent in every:
                below.setdefault(parent, []).append(number)
    heights = _heights(concept.number, below)
    layers: list[list[int]] = [[] for _ in range(max(heights.values(), default=0) + 1)]
    for number, height in heights.items():
        layers[height].append(number)
    places: dict[int, float] = {concept.number: 0.0}
    made = []
    for layer in layers[1 : LAYERS + 1]:
        shown = _ordered(ontology, layer, below, places)[:IN_A_LAYER]
        places |= {number: place - (len(shown) - 1) / 2 for place, number in enumerate(shown)}
        made.append(tuple(_general(ontology, number, [one for one in below[number] if one in places]) for number in shown))
    return tuple(made), len(every) - sum(map(len, made))


def _heights(start: int, below: dict[int, list[int]]) -> dict[int, int]:
    """The longest way from each concept down to the start, found by taking a concept once all below it are taken."""
    above: dict[int, list[int]] = {}
    waiting = {number: len(children) for number, children in below.items()}
    for number, children in below.items():
        for child in children:
            above.setdefault(child, []).append(number)
    heights = {start: 0}
    ready = [start]
    for number in ready:
        for parent in above.get(number, ()):
            heights[parent] = max(heights.get(parent, 0), heights[number] + 1)
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)
    return heights


def _ordered(ontology: Ontology, layer: list[int], below: dict[int, list[int]], places: dict[int, float]) -> list[int]:
    """A layer in the order of what lies below it, so that lines seldom cross."""

    def order(number: int) -> tuple[float, str, int]:
        known = [places[one] for one in below[number] if one in places]
        return (sum(known) / len(known) if known else float("inf")), ontology.concept(number).name, number

    return sorted(layer, key=order)


def _general(ontology: Ontology, number: int, below: list[int]) -> General:
    concept = ontology.concept(number)
    return General(number, concept.name, ontology.intrinsic_information(concept), tuple(dict.fromkeys(below)))
