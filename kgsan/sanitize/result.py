"""What sanitizing a text gives: the new text, and every decision with its reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from kgsan.errors import KgsanError

if TYPE_CHECKING:
    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.ladder import Refused
    from kgsan.sanitize.wording import Rewritten


class Action(StrEnum):
    """What was done to a part of a text."""

    GENERALIZED = "generalized"
    SHORTENED = "shortened"
    REDACTED = "redacted"
    WRITTEN = "written"  #: as the policy says for this kind of identifier


@dataclass(frozen=True, slots=True)
class Decision:
    """A part of a text that was changed: where it stood and stands, what was done and why. Shows no words when printed."""

    start: int  #: where it stood in the original, in characters
    end: int
    new_start: int  #: where it stands now
    new_end: int
    action: Action  #: generalized, shortened, redacted or written
    replacement: str | None = field(repr=False)  #: the name that was put in its place, before grammar
    concept: str | None = field(repr=False)  #: the id of the concept of that name
    disclosures: tuple[Disclosure, ...]  #: the reasons, each with its rule, entity and share
    refused: tuple[Refused, ...] = field(default=(), repr=False)  #: what was not safe to put there, and why


@dataclass(frozen=True, slots=True)
class SanitizedDocument:
    """A text that keeps the promise of a policy, and how it came to be."""

    text: str = field(repr=False)  #: what may be released
    decisions: tuple[Decision, ...]  #: every part that was changed, in order
    utility_kept: float  #: the share of what all terms said that is left
    rounds: int  #: how often the text was read until nothing was found
    rewritten: Rewritten = field(repr=False)
    certificate: dict[str, Any] = field(repr=False, default_factory=dict)


class NotSafe(KgsanError):
    """A text could not be made safe, so nothing of it is given out."""
