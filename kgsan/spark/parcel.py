"""A policy and what it was compiled with, as plain bytes that any machine can read and compare with what it has itself."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place
from kgsan.policy.policy import Allowed, Denied, Example, IdentifierRule, Policy, ProtectedEntity
from kgsan.report.certificate import own_version

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer

#: What the lists of a policy hold.
_ITEMS: dict[str, type] = {
    "protect": ProtectedEntity,
    "identifiers": IdentifierRule,
    "allow": Allowed,
    "deny": Denied,
    "examples": Example,
}
_NUMBER, _DATE = "number", "date"


@dataclass(frozen=True, slots=True)
class Parcel:
    """A policy, where its ontologies and its knowledge lie, and what the driver found there."""

    policy: Policy
    ontologies: tuple[str, ...]
    knowledge: tuple[str, ...]
    redact: bool
    setting: dict[str, Any]


def setting(sanitizer: Sanitizer) -> dict[str, Any]:
    """What decides how a text is sanitized: equal settings give equal texts."""
    known = sanitizer.knowledge
    return {
        "kgsan": own_version(),
        "policy": sanitizer.policy.digest,
        "ontologies": [[one.name, one.fingerprint] for one in known.stack],
        "knowledge": [[one.name, getattr(one, "digest", None)] for one in known.given],
    }


def pack(parcel: Parcel) -> bytes:
    """The parcel as JSON, the same for the same content.

    >>> policy = Policy("toy", "Toy Act", effective=date(2024, 5, 1), protect=(ProtectedEntity("HIV", strictness=Fraction(3)),))
    >>> unpack(pack(Parcel(policy, ("mesh",), (), False, {}))).policy == policy
    True
    """
    return json.dumps(_plain(parcel), sort_keys=True).encode("ascii")


def unpack(data: bytes) -> Parcel:
    """What was packed."""
    told = json.loads(data)
    policy = {name: tuple(_item(_ITEMS[name], one) for one in value) for name, value in told["policy"].items() if name in _ITEMS}
    policy |= {name: value for name, value in told["policy"].items() if name not in _ITEMS}
    return Parcel(_item(Policy, policy), tuple(told["ontologies"]), tuple(told["knowledge"]), told["redact"], told["setting"])


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return {_NUMBER: str(value)}
    return {_DATE: value.isoformat()} if isinstance(value, date) else value


def _item(kind: type, told: dict[str, Any]) -> Any:
    return kind(**{name: Place(**value) if name == "place" else _value(value) for name, value in told.items()})


def _value(told: Any) -> Any:
    if isinstance(told, list):
        return tuple(_value(item) for item in told)
    if isinstance(told, dict):
        return Fraction(told[_NUMBER]) if _NUMBER in told else date.fromisoformat(told[_DATE])
    return told
