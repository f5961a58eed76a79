"""The toy world of the papers' tests: 1024 contexts that fit on a screen, in which every amount is a whole number of bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgsan.knowledge.knowledge import Term

#: term: what generalizes it, and its contexts; a..b are all from a to b, a term stands for all contexts of that term.
WORLD = {
    "HIV": ("viral infection", "0..15"),
    "AIDS": ("HIV", "0..7"),
    "viral infection": ("infection", "0..63"),
    "infection": ("disease", "0..127"),
    "disease": ("entity", "0..255"),
    "entity": ("", "0..1023"),
    "zidovudine": ("antiretroviral", "0..3"),
    "antiretroviral": ("drug", "0..7"),
    "ibuprofen": ("drug", "7, 40..46, 300..355"),
    "drug": ("entity", "0..7, 40..63, 96..127, 300..363"),
    "condom": ("contraceptive", "4..7, 96..99, 500..507"),
    "contraceptive": ("device", "condom, 100..107, 508..515"),
    "device": ("entity", "contraceptive, 16..27, 108..111, 528..735"),
    "fatigue": ("symptom", "8..11, 16..27, 64..79, 600..631"),
    "weight loss": ("symptom", "10..13, 92..95, 600..601, 700..721"),
    "symptom": ("entity", "fatigue, weight loss, 14..15, 28..39, 100..111, 760..897"),
}

#: term: its contexts, its bits, its contexts with HIV, the bits it shares with HIV.
FIGURES = {
    "HIV": (16, 6, 16, 6),
    "AIDS": (8, 7, 8, 6),
    "viral infection": (64, 4, 16, 4),
    "infection": (128, 3, 16, 3),
    "disease": (256, 2, 16, 2),
    "entity": (1024, 0, 16, 0),
    "zidovudine": (4, 8, 4, 6),
    "antiretroviral": (8, 7, 8, 6),
    "ibuprofen": (64, 4, 1, 0),
    "drug": (128, 3, 8, 2),
    "condom": (16, 6, 4, 4),
    "contraceptive": (32, 5, 4, 3),
    "device": (256, 2, 4, 0),
    "fatigue": (64, 4, 4, 2),
    "weight loss": (32, 5, 4, 3),
    "symptom": (256, 2, 8, 1),
}


@dataclass(frozen=True, slots=True, eq=False)
class ContextSets:
    """Knowledge that is spelled out: for each name the numbers of its contexts."""

    name: str
    contexts: int
    sets: Mapping[str, frozenset[int]]

    def count(self, *terms: Term) -> int | None:
        names = [term if isinstance(term, str) else term.name for term in terms]
        if not all(name in self.sets for name in names):
            return None
        return len(frozenset(range(self.contexts)).intersection(*(self.sets[name] for name in names)))


def _contexts(term: str) -> frozenset[int]:
    found: set[int] = set()
    for part in WORLD[term][1].split(", "):
        if part in WORLD:
            found |= _contexts(part)
        else:
            first, _, last = part.partition("..")
            found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


TOY = ContextSets("toy world", 1024, {term: _contexts(term) for term in WORLD})
