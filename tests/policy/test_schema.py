"""The schema made from the table, against the table and against the reader."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from kgsan.policy.read import load_policy
from kgsan.policy.schema import policy_schema, schema_text
from tests.policy.policies import POLICIES

VALIDATOR = jsonschema.Draft7Validator(policy_schema())
LEAST: dict[str, Any] = {"policy": "toy", "law": "Toy Act", "protect": ["HIV"]}


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(policy_schema())


def test_every_field_is_explained_to_editors() -> None:
    made = json.loads(schema_text())
    for section in (made, *made["definitions"].values()):
        for field in section["properties"].values():
            assert field["description"].endswith(".")
            assert field["examples"]


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(POLICIES)
def test_the_schema_accepts_what_the_reader_accepts(policy: dict[str, Any]) -> None:
    load_policy(policy)
    assert [error.message for error in VALIDATOR.iter_errors(policy)] == []


@settings(max_examples=50, suppress_health_check=list(HealthCheck))
@given(POLICIES)
def test_the_schema_rejects_an_unknown_field_at_every_level(policy: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(policy | {"protct": ["HIV"]})
    for name in ("protect", "identifiers", "allow", "deny", "examples"):
        if isinstance(policy.get(name), list) and isinstance(policy[name][0], dict):
            assert not VALIDATOR.is_valid(policy | {name: [policy[name][0] | {"zebra": 1}]})


@pytest.mark.parametrize(
    "wrong",
    [
        {"policy": "a b"},
        {"protect": []},
        {"protect": "HIV"},
        {"protect": [{"hide": "that"}]},
        {"strictness": 0.5},
        {"strictness": "high"},
        {"groups_up_to": 7},
        {"context": "sentense"},
        {"effective": "31.5.2024"},
        {"identifiers": [{"kind": "zip", "keep": "last-4"}]},
        {"identifiers": [{"kind": "username", "keep": "first-3"}]},
        {"allow": [{"term": "x"}]},
        {"examples": [{"text": "x", "unchanged": "maybe"}]},
        {"law": "  "},
        {"replacement_style": "[{type}]"},
    ],
    ids=str,
)
def test_the_schema_rejects_what_the_reader_rejects(wrong: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(LEAST)
    assert not VALIDATOR.is_valid(LEAST | wrong)


def test_the_schema_wants_a_law_and_a_reason_to_hide_unless_they_are_inherited() -> None:
    assert not VALIDATOR.is_valid({"policy": "toy", "protect": ["HIV"]})
    assert not VALIDATOR.is_valid({"policy": "toy", "law": "Toy Act"})
    assert VALIDATOR.is_valid({"policy": "toy", "extends": "base.yaml"})
