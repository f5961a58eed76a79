"""What a request may say: one table, by which requests are checked and from which their description is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.service.settings import Settings

#: Beyond it nothing would be left of a text.
STRICTEST = 100
_KINDS: dict[str, tuple[type, ...]] = {"string": (str,), "boolean": (bool,), "number": (int, float), "object": (dict,)}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a request, in the words of JSON Schema."""

    name: str
    kind: str
    description: str
    is_required: bool = False
    words: tuple[str, ...] = ()  #: the only values
    least: float | None = None
    most: float | None = None

    def fault(self, value: object) -> str | None:
        """What is wrong with a value, without telling it."""
        if not isinstance(value, _KINDS[self.kind]) or (isinstance(value, bool) and self.kind != "boolean"):
            return f"The field '{self.name}' is not a JSON {self.kind}."
        if self.words and value not in self.words:
            return f"The field '{self.name}' is none of these: {', '.join(self.words)}."
        if self.least is not None and self.most is not None and not self.least <= value <= self.most:  # type: ignore[operator]
            return f"The field '{self.name}' is not between {self.least:g} and {self.most:g}."
        return None

    def schema(self) -> dict[str, Any]:
        """The field as JSON Schema says it."""
        made: dict[str, Any] = {"type": self.kind, "description": self.description}
        if self.words:
            made["enum"] = list(self.words)
        if self.least is not None:
            made |= {"minimum": self.least, "maximum": self.most}
        return made


Table = tuple[Field, ...]


def tables(settings: Settings) -> dict[str, Table]:
    """For each thing that can be asked for, the fields of the request."""
    text = Field("text", "string", "The text.", is_required=True)
    names = settings.names
    told = "The policy, by its name." + (f" Where it is left out: {names[0]}." if len(names) == 1 else "")
    policy = Field("policy", "string", told, is_required=len(names) > 1, words=names)
    strictness = Field(
        "strictness", "number", "Instead of the policy's own and of that of every entity.", least=1, most=STRICTEST
    )
    common = (text, policy, *([strictness] if settings.allow_strictness else []))
    return {
        "sanitize": (*common, Field("certificate", "boolean", "Whether the public certificate is wanted too.")),
        "verify": (*common, Field("certificate", "object", "The certificate that came with the text, to be checked.")),
    }


def faults(table: Table, given: object) -> Iterator[str]:
    """Everything that is wrong with a request; none of its own words is told, since a field's name may be one of a document."""
    if not isinstance(given, dict):
        yield "The request is not a JSON object."
        return
    for field in table:
        if field.name in given:
            fault = field.fault(given[field.name])
            if fault is not None:
                yield fault
        elif field.is_required:
            yield f"The field '{field.name}' is missing."
    unknown = len(given.keys() - {field.name for field in table})
    if unknown:
        known = ", ".join(field.name for field in table)
        yield f"{unknown} field{'s are' if unknown > 1 else ' is'} unknown; these are known: {known}."


def schema(table: Table) -> dict[str, Any]:
    """A request as JSON Schema says it."""
    return {
        "type": "object",
        "properties": {field.name: field.schema() for field in table},
        "required": [field.name for field in table if field.is_required],
        "additionalProperties": False,
    }
