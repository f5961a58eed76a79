"""A policy to begin with: it holds as it stands, and explains every field it does not use."""

from __future__ import annotations

import re

from kgsan.errors import Place, PolicyError, Problem
from kgsan.policy.fields import NAME_OF_A_POLICY, POLICY
from kgsan.policy.guess import shown
from kgsan.policy.items import PROTECTED
from kgsan.policy.schema import choices

_HEAD = """# yaml-language-server: $schema=policy.schema.json
#
# A policy for kgsan. Lines that begin with # are explanations, or fields at their usual value:
# remove the # to change them. `kgsan validate` tells everything that is wrong, `kgsan test` tries the examples.
"""
#: What a new policy says in so many words; all else is explained and left at its default.
_WRITTEN = {
    "law": 'law: "Name the law or rule here"',
    "protect": "protect:\n{protect}",
    "examples": """examples:
  - text: "He takes zidovudine since the HIV test."
    must_hide: [HIV]
  - text: "The clinic opens at nine."
    unchanged: true""",
}


def template(name: str) -> str:
    """The YAML text of a new policy.

    >>> template("toy").splitlines()[6]
    'policy: toy'
    """
    if re.fullmatch(NAME_OF_A_POLICY, name) is None:
        message = f"'{shown(name)}' is no name for a policy."
        hint = "A name is made of letters, digits, `-`, `_` and `.`, and begins with a letter or a digit."
        raise PolicyError(Problem("P108", Place("policy"), message, hint))
    parts = [_HEAD]
    for field in POLICY.fields:
        lines = [f"# {field.description}"]
        lines += [f"#   {word}: {meaning}" for word, meaning in choices(field.shape)]
        if field.name == "policy":
            lines.append(f"policy: {name}")
        elif field.name in _WRITTEN:
            lines.append(_WRITTEN[field.name].format(protect=_protect()))
        else:
            lines.append(f"# {field.name}: {field.example if field.default is None else field.default}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _protect() -> str:
    """One entity with what else can be said of it."""
    lines = []
    for field in PROTECTED.fields:
        written = f"{field.name}: {field.example}"
        if field.name == "entity":
            lines.append(f"  - {written}")
        elif field.name in ("concept", "because"):
            lines.append(f"    {written}")
        else:
            lines.append(f"    # {written}    # {field.description}")
    return "\n".join(lines)
