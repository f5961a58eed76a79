"""What a service is set up with: its policies, what may be asked of them, and how much it takes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgsan.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is taken on; whatever is beyond is refused at once."""

    largest: int = 1 << 20  #: bytes that a request may have
    seconds: float = 30.0  #: from the first byte to the answer
    at_a_time: int = 2  #: texts that are worked on
    waiting: int = 16  #: requests that wait for their turn


@dataclass(frozen=True, slots=True)
class Settings:
    """Which policies may be asked for, by name, and whether with a strictness of the asker's own."""

    policies: tuple[Policy, ...]
    allow_strictness: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the policies, in the order in which they were given."""
        return tuple(policy.name for policy in self.policies)
