"""What a person meant by a word that a policy does not know."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kgsan.policy.fields import sections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.policy.shapes import Section

_ALIKE = 0.65
_LONGEST_SHOWN = 40
_SEPARATORS = re.compile(r"[\s-]+")


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that is spelled most like this one, if any is.

    >>> nearest("sentense", ["sentence", "paragraph"])
    'sentence'
    """
    plain = _SEPARATORS.sub("_", word[:_LONGEST_SHOWN].strip().casefold())
    found = process.extractOne(plain, known, scorer=OSA.normalized_similarity, processor=str.casefold, score_cutoff=_ALIKE)
    return None if found is None else found[0]


def guessed_field(word: str, section: Section) -> str | None:
    """The field of a section that an unknown name most likely stands for.

    >>> from kgsan.policy.fields import POLICY
    >>> [guessed_field(word, POLICY) for word in ("whitelist", "protct", "Legislation", "zebra")]
    ['allow', 'protect', 'law', None]
    """
    meant = _spellings(section)
    exact = meant.get(_SEPARATORS.sub("_", word[:_LONGEST_SHOWN].strip().casefold()))
    if exact is not None or belongs_to(word):
        return exact  # a field of another place is no misspelling
    found = nearest(word, tuple(meant))
    return None if found is None else meant[found]


def belongs_to(word: str) -> tuple[str, ...]:
    """The fields of the policy whose items have a field of this name; "" stands for the policy itself."""
    return tuple(within for within, section in sections() if section.field(word) is not None)


@cache
def _spellings(section: Section) -> dict[str, str]:
    """Every known spelling with the field it means; a field's own name wins over another's synonym."""
    meant = {synonym.casefold(): field.name for field in reversed(section.fields) for synonym in field.also_called}
    return meant | {field.name: field.name for field in section.fields}


def shown(word: str) -> str:
    """A word of a policy as messages show it: short, on one line, and with nothing that a terminal would obey."""
    cut = word if len(word) <= _LONGEST_SHOWN else word[: _LONGEST_SHOWN - 1] + "…"
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "\ufffd" for sign in cut)
