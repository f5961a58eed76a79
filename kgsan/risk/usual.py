"""How often an ambiguous name means its concept, wherever it stands: "junkie" mostly does, "high" hardly ever.

`usual.tsv` holds judgements, a digit for each name and concept: 0 for practically never up to 9 for nearly always.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kgsan.ontology import names

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The share of places that each digit stands for.
_SHARES = (0.01, 0.05, 0.15, 0.25, 0.4, 0.5, 0.65, 0.75, 0.88, 0.95)


def usually(key: str, concepts: Iterable[str]) -> float | None:
    """The log-odds that a name, given by what it is compared by, means one of these concepts; None when nobody judged it."""
    digits = [digit for concept in concepts if (digit := _judged().get((key, concept))) is not None]
    if not digits:
        return None
    share = _SHARES[max(digits)]
    return round(math.log(share / (1 - share)), 6)


@cache
def _judged() -> dict[tuple[str, str], int]:
    lines = (files("kgsan.risk") / "usual.tsv").read_text("utf-8").splitlines()
    found: dict[tuple[str, str], int] = {}
    for name, concept, digit in (line.split("\t") for line in lines if not line.startswith("#")):
        of = names.key(name), f"protected:{concept}"
        found[of] = max(int(digit), found.get(of, 0))
    return found
