"""Write what the table of fields says about policies: the schema for editors and the page for people.

python tools/write_policy_docs.py
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.policy.fields import sections
from kgsan.policy.items import KEEPS
from kgsan.policy.schema import choices, schema_text
from kgsan.policy.shapes import expected
from kgsan.policy.template import template

if TYPE_CHECKING:
    from kgsan.policy.shapes import Field, Section

REPO = Path(__file__).parents[1]
SCHEMA = REPO / "policies" / "policy.schema.json"
PAGE = REPO / "docs" / "policy-language.md"
HEAD = """# The policy language

A policy is a YAML file. Three fields make one: its name, the law, and what the law protects.

    policy: us-hiv-records
    law: "State law on HIV-related information, hospital release form 12"
    protect:
      - entity: HIV
        because: "Status may not be disclosed without written consent."
      - substance abuse

- A misspelt field is an error, never ignored. All problems are told at once, with line, column and the likely correction;
  [problems.md](problems.md) lists the codes.
- Every value is read as the text that stands there: `NO` is the word, `0012` keeps its zeros.
- Anchors, aliases, tags and merge keys are refused; `extends` is how one policy builds on another.
- What needs quotes: a text with a colon and a space, a `#`, or one that begins with a bracket, `*`, `&`, `!`, `%`, `@`.
- `# yaml-language-server: $schema=policy.schema.json` in the first line lets editors complete and explain every field.

This page is written by `tools/write_policy_docs.py` from the table that the reader itself uses.
"""
EXTENDS = """
## Building on another policy

`extends: base.yaml` names a file in the same folder, `extends: name` a policy that ships with kgsan. The policy that is extended
must hold by itself. What a policy says itself counts; what it does not say is taken from there. The lists `protect`,
`identifiers`, `allow`, `deny` and `examples` are joined, its own items first, and an item about the same entity, kind, term or
text replaces the inherited one; `identifiers: none` drops the inherited list. A term that is allowed here is no longer denied
from there, and the other way round.
"""


def page() -> str:
    """The page for people."""
    parts = [HEAD]
    for within, section in sections():
        parts.append(_section(within, section))
        if within == "identifiers":
            parts.append(_keeps())
    parts += [EXTENDS, _synonyms(), "\n## A policy to begin with\n\n", _indented(template("my-policy"))]
    return "".join(parts)


def _section(within: str, section: Section) -> str:
    title = f"The items of `{within}`" if within else "The fields of a policy"
    lines = [f"\n## {title}\n"]
    if section.bare:
        lines.append(f"A text that stands alone is the `{section.bare}`.\n")
    lines += ["| field | wants | without it | what it says |", "|---|---|---|---|"]
    lines += [_row(field) for field in section.fields]
    for field in section.fields:
        if known := choices(field.shape):
            lines += [f"\n`{field.name}` knows these words:\n", "| word | meaning |", "|---|---|"]
            lines += [f"| `{word}` | {meaning} |" for word, meaning in known]
    return "\n".join(lines) + "\n"


def _row(field: Field) -> str:
    without = "**required**" if field.required else f"`{field.default}`" if field.default is not None else ""
    wants = "a word (below)" if len(choices(field.shape)) > 6 else expected(field.shape)
    return f"| `{field.name}` | {wants} | {without} | {field.description} For example `{field.example}`. |"


def _keeps() -> str:
    lines = ["\nWhat may be kept of a kind; of all others nothing may:\n", "| kind | `keep` |", "|---|---|"]
    lines += [f"| `{kind}` | {', '.join(f'`{each}`' for each in kept)} |" for kind, kept in KEEPS.items()]
    return "\n".join(lines) + "\n"


def _synonyms() -> str:
    lines = ["\n## Words that lead to a hint\n", "These are no fields; whoever writes one is told the field that is meant.\n"]
    lines += ["| in | written | meant |", "|---|---|---|"]
    for within, section in sections():
        for field in section.fields:
            if field.also_called:
                written = ", ".join(f"`{word}`" for word in field.also_called)
                lines.append(f"| {f'`{within}`' if within else 'a policy'} | {written} | `{field.name}` |")
    return "\n".join(lines) + "\n"


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


def main() -> None:
    """Write both files."""
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
