"""An attacker who looks for the source of a text among other documents, by the words that it shares with each.

Documents are vectors of their words, weighed by how rare each is in the background; the nearest by angle is taken for the source.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgsan.evaluate.problems import error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_STEPS = (10, 100, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class Linked:
    """How many of some texts were found again in a background of some size."""

    version: str
    background: int
    found: int
    texts: int

    @property
    def share(self) -> float:
        """The part that was found again."""
        return self.found / self.texts


def sizes(background: int, sources: int) -> list[int]:
    """The sizes at which a background is tried: round ones that hold every source, and all of it.

    >>> sizes(250, 3)
    [10, 100, 250]
    """
    return [size for size in _STEPS if sources <= size < background] + [background]


def linked(versions: Mapping[str, Mapping[str, str]], background: Mapping[str, str]) -> list[Linked]:
    """Each version of some texts against backgrounds of several sizes.

    A text and its source have the same name; texts without a source are left out. A smaller background holds every source
    and some others, the same ones on every machine.
    """
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ImportError:
        hint = "Install it with: pip install 'kgsan[evaluate]'."
        raise error("E113", "scikit-learn", "The package that compares texts is not installed.", hint) from None
    every = [name for texts in versions.values() for name in texts]
    sources = [name for name in dict.fromkeys(every) if name in background]
    if not sources:
        return []
    taken = set(sources)
    others = sorted((name for name in background if name not in taken), key=_shuffled)
    ordered = [*sources, *others]
    place = {name: at for at, name in enumerate(ordered)}
    found = []
    for size in sizes(len(ordered), len(sources)):
        vectorizer = TfidfVectorizer(sublinear_tf=True, token_pattern=r"(?u)\b\w+\b")
        known = vectorizer.fit_transform([background[name] for name in ordered[:size]])
        for version, texts in versions.items():
            mine = [name for name in texts if name in background]
            if mine:
                near = vectorizer.transform([texts[name] for name in mine]) @ known.T
                hits = _nearest(near.toarray(), [place[name] for name in mine])
                found.append(Linked(version, size, hits, len(mine)))
    return found


def _nearest(similar: NDArray[np.float64], sources: Sequence[int]) -> int:
    """How many texts are nearest to their own source, and to no other as near; one that shares no word is near to none."""
    own = similar[np.arange(len(sources)), sources]
    others = similar.copy()
    others[np.arange(len(sources)), sources] = -1.0
    return int(np.sum((own > 0) & (own > others.max(axis=1))))


def _shuffled(name: str) -> bytes:
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
