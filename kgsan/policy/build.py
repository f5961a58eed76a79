"""Checked values as the parts of a policy, and what only several fields together can get wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgsan.errors import Problem
from kgsan.policy.guess import shown
from kgsan.policy.items import ALL, COUNTED_KIND, KEEPS, NONE
from kgsan.policy.policy import Allowed, Denied, Example, IdentifierRule, ProtectedEntity
from kgsan.policy.shapes import alternatives
from kgsan.text.identifiers.identifier import KINDS

if TYPE_CHECKING:
    from kgsan.policy.values import Entry

#: Names that Python keeps for itself, or that say more in the plural.
_ATTRIBUTES = {"policy": "name", "except": "exceptions", "concept": "concepts"}
_PARTS: dict[str, type] = {"protect": ProtectedEntity, "allow": Allowed, "deny": Denied, "examples": Example}


def build(own: Entry, problems: list[Problem]) -> dict[str, Any]:
    """The attributes of a `Policy` that these values give; further problems are added."""
    values: dict[str, Any] = {"place": own.place}
    for name, value in own.values.items():
        if name == "identifiers":
            values[name] = _identifiers(value, own, problems)
        elif name in _PARTS:
            values[name] = tuple(_part(_PARTS[name], entry) for entry in value if not entry.doubtful)
        else:
            values[_ATTRIBUTES.get(name, name)] = value
    if "context" in values:
        count, _, unit = values["context"].partition(" ")
        values["context"] = f"{count} words" if unit else count
    for entry in own.values.get("examples", ()):
        _check_example(entry, problems)
    _check_contradictions(values, problems)
    return values


def _part(kind: type, entry: Entry) -> Any:
    return kind(**{_ATTRIBUTES.get(name, name): value for name, value in entry.values.items()}, place=entry.place)


def _identifiers(value: Any, own: Entry, problems: list[Problem]) -> tuple[IdentifierRule, ...]:
    if isinstance(value, str):
        place = own.places["identifiers"]
        return () if value == NONE else tuple(IdentifierRule(kind, place=place) for kind in KINDS)
    rules: dict[str, IdentifierRule] = {}
    rest: IdentifierRule | None = None
    for entry in value:
        if entry.doubtful or _is_misfit(entry, problems):
            continue
        rule = IdentifierRule(**entry.values, place=entry.place)
        if rule.kind == ALL:
            rest = rule
        else:
            rules[rule.kind] = rule
    if rest is not None:
        rules |= {kind: IdentifierRule(kind, place=rest.place) for kind in KINDS if kind not in rules}
    return tuple(rules.values())


def _is_misfit(entry: Entry, problems: list[Problem]) -> bool:
    """Whether the kind cannot do what is asked of it; the problem is told."""
    values = entry.values
    kind, keep = values["kind"], values.get("keep")

    def misfit(field: str, message: str, hint: str) -> bool:
        problems.append(Problem("P109", entry.places.get(field, entry.place), message, hint))
        return True

    if kind == ALL and len(values) > 1:
        return misfit("kind", "`all` stands for many kinds and cannot say more.", "Write an item for the kind you mean.")
    if keep is not None and keep not in KEEPS.get(kind, ()):
        possible = KEEPS.get(kind)
        if possible is None:
            return misfit("keep", f"Of `{kind}` nothing can be kept.", "Leave `keep` out; the whole of it is hidden.")
        wanted = alternatives([f"`{each}`" for each in possible])
        return misfit("keep", f"Of `{kind}` '{shown(keep)}' cannot be kept.", f"What can be kept is {wanted}.")
    if "above" in values and kind != COUNTED_KIND:
        return misfit("above", f"`above` is for `{COUNTED_KIND}` only, and this is `{kind}`.", "Leave it out.")
    if keep is not None and "write" in values:
        return misfit("write", "`keep` and `write` cannot both say what stays.", "Leave one of them out.")
    return False


def _check_example(entry: Entry, problems: list[Problem]) -> None:
    values = entry.values
    if entry.doubtful:
        return
    unchanged, hide = values.get("unchanged", False), values.get("must_hide", ())
    if not (unchanged or hide or values.get("must_keep")):
        hint = "Add `must_hide`, `must_keep` or `unchanged: true`."
        problems.append(Problem("P115", entry.place, "This example says nothing that could be tried.", hint))
    elif unchanged and hide:
        place = entry.places["unchanged"]
        problems.append(Problem("P115", place, "A text that stays unchanged cannot hide anything.", "Leave one of the two out."))
    elif both := set(hide) & set(values.get("must_keep", ())):
        message = (
            f"{len(both)} of the words to keep are also to be hidden."
            if len(both) > 1
            else "A word to keep is also to be hidden."
        )
        problems.append(Problem("P115", entry.places["must_keep"], message, "Leave it out of one of the two lists."))


def _check_contradictions(values: dict[str, Any], problems: list[Problem]) -> None:
    denied = {item.term: item for item in values.get("deny", ())}
    for item in values.get("allow", ()):
        other = denied.get(item.term)
        if other is not None:
            where = f" in line {other.place.line}" if other.place.line else ""
            message = f"'{shown(item.term)}' is allowed here and denied{where}."
            problems.append(Problem("P116", item.place, message, "Keep one of the two."))
