"""The policy of a review at work: as it stands, with another strictness, and with what a person let stay."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from kgsan.policy.policy import Allowed
from kgsan.report.certificate import own_version
from kgsan.sanitize.sanitizer import Sanitizer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.policy.policy import Policy

#: The steps of the slider, beside the policy's own strictness.
STEPS = ("1", "1.25", "1.5", "1.75", "2", "2.5", "3", "4")
#: So many compiled policies are kept.
_KEPT = 6


class Settings:
    """One policy compiled for several values of strictness, each once. Safe to share between threads."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        self.own = sanitizer
        self.policy = sanitizer.policy
        self._made: OrderedDict[str, Sanitizer] = OrderedDict()
        self._making = threading.Lock()

    @property
    def own_strictness(self) -> str:
        """The strictness of the policy, as a person writes it."""
        return written(self.policy.strictness)

    @property
    def steps(self) -> tuple[str, ...]:
        """The values of strictness that can be tried, the policy's own among them."""
        return tuple(sorted({*STEPS, self.own_strictness}, key=Fraction))

    def sanitizer(self, strictness: str | None = None) -> Sanitizer:
        """The policy with another strictness for everything it protects; without one, the policy as it stands."""
        if strictness is None:
            return self.own
        with self._making:
            if strictness not in self._made:
                self._made[strictness] = self._compiled(_stricter(self.policy, Fraction(strictness)))
                while len(self._made) > _KEPT:
                    self._made.popitem(last=False)
            self._made.move_to_end(strictness)
            return self._made[strictness]

    def waiving(self, sanitizer: Sanitizer, waived: Sequence[tuple[str, str]]) -> Sanitizer:
        """The same policy with terms that may stay, each with its reason."""
        if not waived:
            return sanitizer
        allow = (*sanitizer.policy.allow, *(Allowed(term, because) for term, because in waived))
        return self._compiled(replace(sanitizer.policy, allow=allow))

    def digest(self, strictness: str | None = None) -> str:
        """A fingerprint of everything on which the engine's decisions depend."""
        policy = self.policy if strictness is None else _stricter(self.policy, Fraction(strictness))
        knowledge = self.own.knowledge
        told = [
            own_version(),
            policy.digest,
            [one.fingerprint for one in knowledge.stack],
            [getattr(one, "digest", None) for one in knowledge.given],
        ]
        return hashlib.sha256(json.dumps(told).encode("ascii")).hexdigest()

    def _compiled(self, policy: Policy) -> Sanitizer:
        return Sanitizer(policy, self.own.knowledge.stack, self.own.knowledge, redact=self.own.redact)


def is_less_strict(strictness: str, policy: Policy) -> bool:
    """Whether a strictness hides less of any entity than the policy wants."""
    return any(Fraction(strictness) < (one.strictness or policy.strictness) for one in policy.protect)


def written(number: Fraction) -> str:
    """A number as a person writes it, exactly.

    >>> written(Fraction(3, 2)), written(Fraction(4, 3))
    ('1.5', '4/3')
    """
    told = f"{float(number):g}"
    return told if Fraction(told) == number else str(number)


def _stricter(policy: Policy, strictness: Fraction) -> Policy:
    return replace(policy, strictness=strictness, protect=tuple(replace(one, strictness=None) for one in policy.protect))
