"""How often an ambiguous name means its concept, wherever it stands: "junkie" mostly does, "high" hardly ever.

`usual.tsv` holds judgements, a digit for each name and concept: 0 for practically never up to 9 for nearly always.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kgsan.ontology import names

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The share of places that each digit stands for.
_SHARES = (0.01, 0.05, 0.15, 0.25, 0.4, 0.5, 0.65, 0.75, 0.88, 0.95)


def usually(key: str, concepts: Iterable[str]) -> float | None:
    """The log-odds that a name, given by what it is compared by, means one of these concepts; None when nobody judged it."""
    digits = [digit for concept in concepts if (digit := judged(concept).get(key)) is not None]
    if not digits:
        return None
    share = _SHARES[max(digits)]
    return round(math.log(share / (1 - share)), 6)


@lru_cache(maxsize=1 << 12)
def judged(concept: str) -> dict[str, int]:
    """The digits for the names of a concept, by what those are compared by."""
    found: dict[str, int] = {}
    for name, digit in _lines().get(concept, ()):
        key = names.key(name)
        found[key] = max(digit, found.get(key, 0))
    return found


@cache
def _lines() -> dict[str, list[tuple[str, int]]]:
    """The names of each concept with their digits."""
    found: dict[str, list[tuple[str, int]]] = {}
    for line in (files("kgsan.risk") / "usual.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, concept, digit = line.split("\t")
            found.setdefault(f"protected:{concept}", []).append((name, int(digit)))
    return found
