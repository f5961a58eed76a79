"""Policies: what a law protects, written in YAML by the people who answer for it."""

from kgsan.policy.policy import Allowed, Denied, Example, IdentifierRule, Policy, ProtectedEntity
from kgsan.policy.read import load_policy
from kgsan.policy.show import as_json, as_sarif, render
from kgsan.policy.template import template

__all__ = [
    "Allowed",
    "Denied",
    "Example",
    "IdentifierRule",
    "Policy",
    "ProtectedEntity",
    "as_json",
    "as_sarif",
    "load_policy",
    "render",
    "template",
]
