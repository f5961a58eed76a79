"""What two policies protect differently; what is no longer protected comes first."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.policy import Policy
    from kgsan.policy.sensitive import SensitiveTerms

_COMPARED = (
    *("strictness", "too_specific_above", "identifiers", "context", "groups_up_to", "method", "ontologies", "knowledge"),
    *(
        "negated",
        "when_nothing_is_safe",
        "unknown_names",
        "other_languages",
        "replacement_style",
        "misspellings",
        "allow",
        "deny",
    ),
)


@dataclass(frozen=True, slots=True)
class Differences:
    """Terms with the entity they belong to, and settings that changed."""

    released: tuple[tuple[str, str], ...]
    added: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str, str], ...]

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def lines(self) -> Iterator[str]:
        """The differences for people."""
        if not self:
            yield "Both protect the same in the same way."
            return
        yield f"No longer protected: {len(self.released):,} terms."
        yield from (f"  - {term}  ({entity})" for entity, term in self.released)
        yield f"Protected besides: {len(self.added):,} terms."
        yield from (f"  + {term}  ({entity})" for entity, term in self.added)
        for name, before, after in self.settings:
            yield f"{name}: {before} -> {after}"


def differences(old: SensitiveTerms, new: SensitiveTerms) -> Differences:
    """What changes when one policy takes the place of another."""
    before, after = _terms(old), _terms(new)
    settings = [
        (name, _told(getattr(old.policy, name)), _told(getattr(new.policy, name)))
        for name in _COMPARED
        if getattr(old.policy, name) != getattr(new.policy, name)
    ]
    settings += _entity_settings(old.policy, new.policy)
    return Differences(
        tuple(sorted((before[term], term) for term in before.keys() - after.keys())),
        tuple(sorted((after[term], term) for term in after.keys() - before.keys())),
        tuple(settings),
    )


def _terms(sensitive: SensitiveTerms) -> dict[str, str]:
    """Every protected term with the first entity that brings it in; entities no ontology knows stand for themselves."""
    return {**sensitive.texts(), **{r.entity.entity: r.entity.entity for r in sensitive.resolutions if not r.is_known}}


def _entity_settings(old: Policy, new: Policy) -> list[tuple[str, str, str]]:
    before, after = ({entity.entity: entity for entity in policy.protect} for policy in (old, new))
    return [
        (f"{name}: {field}", _told(getattr(before[name], field)), _told(getattr(after[name], field)))
        for name in before
        if name in after
        for field in ("hide", "strictness")
        if getattr(before[name], field) != getattr(after[name], field)
    ]


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_told, value)) or "nothing"
    for name in ("term", "kind", "entity"):
        if hasattr(value, name):
            keep = getattr(value, "keep", None)
            return f"{getattr(value, name)} (keeps {keep})" if keep else str(getattr(value, name))
    return "nothing" if value is None else str(value)
