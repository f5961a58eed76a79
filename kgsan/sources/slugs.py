"""Ids for concepts that a person gave only a name."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgsan.sources.records import Options


def slug(name: str) -> str:
    """A name as an id: lower case, without accents, '-' for whatever is no letter or digit.

    >>> slug("Crohn's disease (ileum)"), slug("Ménière")
    ('crohn-s-disease-ileum', 'meniere')
    """
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(sign))
    return "-".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def id_prefix(file: str, options: Options) -> str:
    """What stands before the ids of a file that has none of its own: what was asked for, or the name of the file."""
    if options.prefix is not None:
        return options.prefix
    stem = PurePosixPath(file).name.split(".")[0]
    return re.sub(r"[^\w-]+", "-", stem).strip("-") or "outline"


@dataclass(slots=True)
class Slugs:
    """An id for each name; two names whose slugs are the same get different ids."""

    ids: dict[str, str] = field(default_factory=dict)
    _used: dict[str, int] = field(default_factory=dict)

    def id(self, name: str) -> str:
        """The id of this name, always the same."""
        if (known := self.ids.get(name)) is not None:
            return known
        base = slug(name) or "concept"
        chosen = base
        while chosen in self._used:
            self._used[base] += 1
            chosen = f"{base}-{self._used[base]}"
        self._used[chosen] = 1
        self.ids[name] = chosen
        return chosen
