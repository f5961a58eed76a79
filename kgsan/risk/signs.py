"""What speaks for and against a sense of an ambiguous name, as numbers, and what each of them weighs.

The weights in `signs.txt` are learned by `tools/train_senses.py` from sentences that say of an ambiguous word whether it is
meant so. From which sum on a sense is taken, `senses.py` says.
"""

from __future__ import annotations

import math
from functools import lru_cache, reduce
from importlib.resources import files
from itertools import chain
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from kgsan.ontology import names
from kgsan.risk.kin import Speaks
from kgsan.risk.likeness import LENGTH
from kgsan.text.everyday import everyday_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgsan.risk.likeness import Likeness, Place
    from kgsan.risk.senses import Evidence
    from kgsan.text.expected import Vector
    from kgsan.text.mentions import Sense

    Sign = float | Vector

#: What there is always of, so that its weight says what is assumed before anything is seen.
ALWAYS = "always"
#: Distances within which words beside a name are asked how much they are like a concept.
_CLOSE, _NEARBY = 3, 10
_MOST_ALIKE = 3
_MOST_RIVALS = 6


def weigh(signs: Mapping[str, Sign]) -> float:
    """What some signs say together: above 0 for the sense, below 0 against it."""
    weights = _weights()
    parts = (weights[sign] * value for sign, value in signs.items() if sign in weights)
    return math.fsum(chain.from_iterable(part.tolist() if isinstance(part, np.ndarray) else (part,) for part in parts))


def of_name(sense: Sense, scope: int, written: str, key: str, rivals: int) -> dict[str, float]:
    """What a name tells by itself: how sure its ontology is, how it is written, how frequent the word is."""
    rank = everyday_words().get(key) if " " not in key else None
    return {
        ALWAYS: 1.0,
        "scope": float(scope),
        "rank of sense": float(min(sense.name.rank, 3)),
        "rivals": float(min(rivals, _MOST_RIVALS)),
        "everyday": 0.0 if rank is None else math.log(len(everyday_words()) / (rank + 1)),
        "in capitals": float(written.isupper() and len(written) > 1),
        "with a capital": float(written[:1].isupper() and not written.isupper()),
        "words": float(min(len(names.words(written)), 4)),
    }


def of_evidence(
    evidence: Sequence[Evidence], against: Sequence[Evidence], governing: frozenset[int], sentence: tuple[int, int]
) -> dict[str, float]:
    """What concepts, cues and grammar tell, each kind apart, and the sentence apart from the rest."""
    found: dict[str, float] = {}
    for one in evidence:
        sign = "governing cue" if one.speaks is Speaks.CUE and one.start in governing else f"{one.speaks.name.lower()}"
        if not sentence[0] <= one.start < sentence[1]:
            sign += ", outside"
        found[sign] = found.get(sign, 0.0) + one.weight
    for one in against:
        found[f"against, {one.speaks.name.lower()}"] = one.weight
    return found


def of_knowledge(told: Sequence[Evidence], where: str) -> dict[str, float]:
    """What counted words near by tell, for and against."""
    weights = [one.weight for one in told]
    return {
        f"counted for, {where}": math.fsum(weight for weight in weights if weight > 0),
        f"counted against, {where}": math.fsum(weight for weight in weights if weight < 0),
        f"most for, {where}": max([*weights, 0.0]),
        f"most against, {where}": min([*weights, 0.0]),
    }


def of_place(
    likeness: Likeness,
    place: Place,
    own: tuple[int, int],
    kin: Sequence[tuple[int, int]],
    rivals: Sequence[tuple[int, int]],
    key: str,
) -> dict[str, Sign]:
    """What the place tells by the company that words keep."""
    fits = [fit for one in kin if (fit := likeness.fit(place, *one)) is not None]
    other = [fit for one in rivals if (fit := likeness.fit(place, *one)) is not None]
    fit, home = likeness.fit(place, *own), likeness.home(key, *own)
    found: dict[str, Sign] = {
        "fit": fit or 0.0,
        "fit of kin": max(fits, default=0.0),
        "fit of rivals": max(other, default=0.0),
        "fit of first rival": other[0] if other else 0.0,
        "better fit": (fit or 0.0) - max(other) if other else 0.0,
        "has rivals": float(bool(other)),
        "home": home or 0.0,
        "no home": float(home is None),
    }
    centre, views = likeness.centre(*own), place.views
    found |= {f"the {view}": vector for view, vector in views.items()}
    if centre is not None:
        found |= {f"the {view}, by concept": vector * centre.vector / LENGTH for view, vector in views.items()}
    if centre is not None and len(place.words):
        found |= _alike(place.likenesses([centre])[0], place, "")
    centres = [centre for one in rivals if (centre := likeness.centre(*one)) is not None]
    if centres and len(place.words):
        found |= _alike(max(place.likenesses(centres), key=_top), place, " to a rival")
    return found


def _alike(likenesses: Vector, place: Place, whom: str) -> dict[str, float]:
    found = {}
    for where, chosen in (
        ("close", place.distances <= _CLOSE),
        ("nearby", place.distances <= _NEARBY),
        ("in the sentence", place.inside),
        ("in the text", ...),
    ):
        there = likenesses[chosen]
        if len(there):
            found[f"most alike{whom}, {where}"] = max(0.0, float(there.max()))
            if where.startswith("in"):
                found[f"alike{whom}, {where}"] = _top(there)
                found[f"mean{whom}, {where}"] = float(np.add.reduce(there)) / len(there)
    return found


def _top(likenesses: Vector) -> float:
    most: list[float] = np.sort(likenesses)[-_MOST_ALIKE:].tolist()
    return reduce(add, most) / len(most)


@lru_cache(maxsize=1)
def _weights() -> dict[str, Sign]:
    lines = (files("kgsan.risk") / "signs.txt").read_text("utf-8").splitlines()
    pairs = (line.split(": ", maxsplit=1) for line in lines if line and not line.startswith("#"))
    parts = ((sign, [float(weight) for weight in weights.split()]) for sign, weights in pairs)
    return {sign: np.array(weights) if len(weights) > 1 else weights[0] for sign, weights in parts}
