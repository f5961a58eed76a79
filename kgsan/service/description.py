"""The description of the service in OpenAPI, made from the tables by which requests are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgsan.report.certificate import own_version
from kgsan.service.fields import schema, tables
from kgsan.service.problems import JSON, MEDIA, STATUS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgsan.service.settings import Settings

_TEXT, _NUMBER = {"type": "string"}, {"type": "integer", "minimum": 0}
_ANYBODY = ("V104",)
_TOKEN = (*_ANYBODY, "V105")
_WORK = (*_TOKEN, "V108", "V109", "V110", "V111", "V112", "V113", "V114", "V115")


def described(settings: Settings) -> dict[str, Any]:
    """The whole description."""
    asked = tables(settings)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kgsan",
            "version": own_version(),
            "description": "Texts as a policy lets them stand. Nothing that is sent is kept, logged or passed on.",
        },
        "paths": {
            "/sanitize": {
                "post": _operation("sanitize", "The text as the policy lets it stand", _SANITIZED, (*_WORK, "S101", "S104"))
                | _body(schema(asked["sanitize"]))
            },
            "/verify": {
                "post": _operation("verify", "What a text still discloses", _VERIFIED, _WORK) | _body(schema(asked["verify"]))
            },
            "/health": {"get": _operation("health", "Whether the service is there", _HEALTH, _ANYBODY) | {"security": []}},
            "/openapi.json": {"get": _operation("openapi", "This description", {"type": "object"}, _TOKEN)},
        },
        "security": [{"token": []}],
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"problem": _PROBLEM},
        },
    }


def _operation(name: str, summary: str, answer: dict[str, Any], codes: Iterable[str]) -> dict[str, Any]:
    refusals: dict[str, list[str]] = {}
    for code in codes:
        refusals.setdefault(str(STATUS[code]), []).append(code)
    problem = {MEDIA: {"schema": {"$ref": "#/components/schemas/problem"}}}
    told = {status: {"description": f"Refused: {', '.join(some)}", "content": problem} for status, some in refusals.items()}
    done = {"200": {"description": summary, "content": {JSON: {"schema": answer}}}}
    return {"operationId": name, "summary": summary, "responses": done | told}


def _body(request: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {JSON: {"schema": request}}}}


def _closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_PROBLEM = _closed(type=_TEXT, title=_TEXT, status=_NUMBER, detail=_TEXT, code=_TEXT)
_HEALTH = _closed(status={"type": "string", "enum": ["ok"]})
_SANITIZED = _closed(
    policy=_TEXT,
    text=_TEXT,
    decisions={
        "type": "array",
        "items": _closed(new_start=_NUMBER, new_end=_NUMBER, action=_TEXT, replacement={"type": ["string", "null"]}),
    },
)
_SANITIZED["properties"]["certificate"] = {"type": "object"}  # only where it was asked for
_VERIFIED = _closed(
    policy=_TEXT,
    discloses={
        "type": "array",
        "items": _closed(
            line=_NUMBER,
            column=_NUMBER,
            start=_NUMBER,
            end=_NUMBER,
            rule=_TEXT,
            entity={"type": ["string", "null"]},
            share={"type": ["string", "null"]},
        ),
    },
    certificate_holds={"type": ["boolean", "null"]},
    certificate_differences={"type": "array", "items": _TEXT},
)
