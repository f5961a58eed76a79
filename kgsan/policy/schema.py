"""The policy language as a JSON Schema, so that editors complete field names and explain them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kgsan.policy.fields import POLICY, REASONS_TO_HIDE, sections
from kgsan.policy.items import IDENTIFIER, KEEPS
from kgsan.policy.located import Fields, Items, Text, read_yaml
from kgsan.policy.shapes import DAY, NUMBER, WHOLE_NUMBER, Day, Either, FreeText, Many, Number, Section, Truth, Word, expected

if TYPE_CHECKING:
    from kgsan.policy.located import Located
    from kgsan.policy.shapes import Field, Shape


def policy_schema() -> dict[str, Any]:
    """The schema (draft 7). Everything that `load_policy` accepts from one file fits it, and no unknown field does."""
    top = _section(POLICY)
    required = top.pop("required")
    top["required"] = [name for name in required if name == "policy"]
    reasons: list[dict[str, Any]] = [{"required": [name]} for name in REASONS_TO_HIDE]
    inherited = {"required": ["extends"]}
    top["anyOf"] = [inherited, {"required": [name for name in required if name != "policy"], "anyOf": reasons}]
    definitions = {within: _section(section) for within, section in sections() if within}
    definitions["identifiers"]["allOf"] = [_keeps(kind) for kind in IDENTIFIER_KINDS]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "kgsan policy",
        "description": "What a law protects in a text, and how.",
        **top,
        "definitions": definitions,
    }


def schema_text() -> str:
    """The schema as a file."""
    return json.dumps(policy_schema(), indent=2, ensure_ascii=False) + "\n"


def _kinds() -> tuple[str, ...]:
    kind = IDENTIFIER.field("kind")
    assert kind is not None
    assert isinstance(kind.shape, Word)
    return kind.shape.words


IDENTIFIER_KINDS = _kinds()


def _keeps(kind: str) -> dict[str, Any]:
    """What may be kept of one kind."""
    kept = KEEPS.get(kind)
    keep: Any = False if kept is None else {"enum": list(kept)}
    return {"if": {"properties": {"kind": {"const": kind}}}, "then": {"properties": {"keep": keep}}}


def _section(section: Section) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {field.name: _field(section, field) for field in section.fields},
        "required": [field.name for field in section.fields if field.required],
        "additionalProperties": False,
    }


def _field(section: Section, field: Field) -> dict[str, Any]:
    made = _shape(field.shape, field.name) | {
        "description": field.description,
        "markdownDescription": _markdown(field),
        "examples": [_plain(field.example)],
    }
    if field.default is not None:
        made["default"] = _plain(field.default)
    return made


def _markdown(field: Field) -> str:
    lines = [field.description, f"Wants {expected(field.shape)}."]
    lines += [f"- `{word}`: {meaning}" for word, meaning in choices(field.shape)]
    if field.default is not None:
        lines.append(f"Without it: `{field.default}`.")
    return "\n\n".join(lines)


def choices(shape: Shape) -> tuple[tuple[str, str], ...]:
    """The words that a field knows, each with what it means."""
    match shape:
        case Word():
            return shape.choices
        case Many(Word() as word):
            return word.choices
        case Either(shapes):
            return tuple(choice for each in shapes for choice in choices(each))
        case _:
            return ()


def _shape(shape: Shape, name: str) -> dict[str, Any]:
    match shape:
        case FreeText(_, pattern):
            # To an editor `version: 2` is a number and `entity: true` no text; kgsan reads both as the text they are.
            return {"type": ["string", "number", "boolean"], "pattern": rf"^(?:{pattern})$" if pattern else r"\S"}
        case Word():
            return {"enum": list(shape.words)}
        case Number(least, greatest, whole):
            number: dict[str, Any] = {"type": "integer" if whole else "number", "minimum": least}
            if greatest is not None:
                number["maximum"] = greatest
            return {"anyOf": [number, {"type": "string", "pattern": f"^(?:{WHOLE_NUMBER if whole else NUMBER})$"}]}
        case Truth():
            return {"enum": [True, False, "true", "false"]}
        case Day():
            return {"type": "string", "pattern": f"^{DAY}$"}
        case Many(of, _, _, or_one):
            one = _shape(of, name)
            several = {"type": "array", "minItems": 1, "items": one}
            return {"anyOf": [one, several]} if or_one else several
        case Either(shapes):
            return {"anyOf": [_shape(each, name) for each in shapes]}
        case Section(bare=bare):
            section = {"$ref": f"#/definitions/{name}"}
            alone = shape.field(bare) if bare else None
            return section if alone is None else {"anyOf": [_shape(alone.shape, name), section]}


def _plain(example: str) -> Any:
    """An example of the table as JSON has it."""
    root = read_yaml(f"example: {example}\n", "table").root
    assert root is not None
    return _json(root.pairs[0][1])


def _json(value: Located) -> Any:
    match value:
        case Text(_, text, plain):
            return {"true": True, "false": False}.get(text, _figure(text)) if plain else text
        case Items(_, items):
            return [_json(item) for item in items]
        case Fields(_, pairs):
            return {key.text: _json(below) for key, below in pairs}
        case _:
            raise AssertionError(type(value).__name__)


def _figure(text: str) -> Any:
    return int(text) if text.isdigit() else float(text) if text.replace(".", "", 1).isdigit() else text
