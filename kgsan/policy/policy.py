"""What a policy says, checked and complete: the entities it protects, how strictly, and what it must do to its examples."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from kgsan.errors import Place

_UNPLACED = Place("policy")


@dataclass(frozen=True, slots=True)
class ProtectedEntity:
    """One entity that the law protects (c in the papers)."""

    entity: str
    hide: str = "that"
    concepts: tuple[str, ...] = ()
    because: str | None = None
    include: tuple[str, ...] = ("names", "specializations")
    exceptions: tuple[str, ...] = ()
    strictness: Fraction | None = None
    place: Place = field(default=_UNPLACED, compare=False)


@dataclass(frozen=True, slots=True)
class IdentifierRule:
    """What happens to one kind of identifier: hidden whole, but for what `keep` says, or from an age on."""

    kind: str
    keep: str | None = None
    above: int | None = None
    write: str | None = None
    place: Place = field(default=_UNPLACED, compare=False)


@dataclass(frozen=True, slots=True)
class Allowed:
    """A waiver: a term that stays, and why."""

    term: str
    because: str
    place: Place = field(default=_UNPLACED, compare=False)


@dataclass(frozen=True, slots=True)
class Denied:
    """A term that is always hidden, why, and which entity it gives away."""

    term: str
    because: str
    entity: str | None = None
    place: Place = field(default=_UNPLACED, compare=False)


@dataclass(frozen=True, slots=True)
class Example:
    """A text and what the policy must do to it. The words of the text are not shown."""

    text: str = field(repr=False)
    must_hide: tuple[str, ...] = field(default=(), repr=False)
    must_keep: tuple[str, ...] = field(default=(), repr=False)
    unchanged: bool = False
    known_gap: bool = False
    because: str | None = None
    place: Place = field(default=_UNPLACED, compare=False)


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy with everything it says or inherits; `place` is where it begins.

    >>> policy = Policy("toy", "Toy Act", protect=(ProtectedEntity("HIV"),))
    >>> policy.strictness, len(policy.digest)
    (Fraction(2, 1), 64)
    """

    name: str
    law: str
    jurisdiction: str | None = None
    version: str | None = None
    owner: str | None = None
    approved_by: str | None = None
    effective: date | None = None
    extends: str | None = None
    protect: tuple[ProtectedEntity, ...] = ()
    strictness: Fraction = Fraction(2)
    too_specific_above: Fraction | str | None = None
    identifiers: tuple[IdentifierRule, ...] = ()
    context: str = "paragraph"
    groups_up_to: int = 3
    method: str = "engine"
    ontologies: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()
    negated: str = "hide"
    when_nothing_is_safe: str = "redact"
    unknown_names: str = "keep"
    other_languages: str = "stop"
    replacement_style: str = "[REDACTED]"
    misspellings: str = "find"
    allow: tuple[Allowed, ...] = ()
    deny: tuple[Denied, ...] = ()
    examples: tuple[Example, ...] = ()
    place: Place = field(default=_UNPLACED, compare=False)

    @property
    def context_words(self) -> int | None:
        """How many words a context has, when the policy counts words."""
        count, _, unit = self.context.partition(" ")
        return int(count) if unit == "words" else None

    @property
    def digest(self) -> str:
        """A fingerprint of everything the policy says, wherever it stands: equal policies have equal ones."""
        content = json.dumps(_content(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(content.encode("ascii")).hexdigest()


def _content(value: Any) -> Any:
    """The value in terms of JSON, without places."""
    if is_dataclass(value):
        return {each.name: _content(getattr(value, each.name)) for each in fields(value) if each.name != "place"}
    if isinstance(value, tuple):
        return [_content(item) for item in value]
    if isinstance(value, Fraction):
        return {"number": str(value)}
    return value.isoformat() if isinstance(value, date) else value
