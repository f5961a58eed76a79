"""Why a part of a text may not stay: by which rule, for which entity, and on what evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgsan.knowledge.information import Share
    from kgsan.text.mentions import Sense


class Rule(StrEnum):
    """A reason to hide."""

    NAMING = "naming"  #: it names what is protected
    IDENTIFIER = "identifier"  #: it tells who somebody is
    SPECIFICITY = "specificity"  #: it says more than anything may
    DENY = "deny"  #: the policy lists it
    INFERENCE = "inference"  #: it gives away what is protected
    GROUP = "group"  #: together with others it does
    CORRELATION = "correlation"  #: it gives back what a replacement left open
    SPANS = "spans"  #: another tool or a person marked it


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A part of a text that discloses, and why, in words without any of the text."""

    start: int
    end: int
    rule: Rule
    entity: str  #: the protected entity, or the kind of identifier
    because: str = field(repr=False)
    share: Share | None = field(default=None, repr=False)
    limit: float | None = None  #: the share that may not be reached
    sense: Sense | None = field(default=None, repr=False)  #: what it names, where it names something
    write: str | None = field(default=None, repr=False)  #: what the policy wants in its place
    members: tuple[tuple[int, int], ...] = ()  #: of a group, where all of it stands
