"""Write what the code says of itself into the documentation: commands, problem codes, the fields of a policy, its schema.

python tools/write_docs.py

A page is written by hand but for what stands between `<!-- written by tools/write_docs.py: PART -->` and `<!-- end -->`.
"""

from __future__ import annotations

import argparse
import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.cli import _parser
from kgsan.cli.policy import _FAMILIES
from kgsan.errors import CODES
from kgsan.policy.fields import sections
from kgsan.policy.items import KEEPS
from kgsan.policy.schema import choices, schema_text
from kgsan.policy.shapes import expected
from kgsan.policy.template import template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.shapes import Field, Section

REPO = Path(__file__).parents[1]
SCHEMA = REPO / "policies" / "policy.schema.json"
_PART = re.compile(r"(<!-- written by tools/write_docs\.py: ([a-z ]+) -->\n).*?(^<!-- end -->$)", re.DOTALL | re.MULTILINE)
_WIDTH = 94


def written() -> dict[Path, str]:
    """Every file that holds something generated, as it should be."""
    made = {SCHEMA: schema_text()}
    for page in sorted((REPO / "docs").glob("*.md")):
        text = page.read_text("utf-8")
        if _PART.search(text):
            made[page] = _PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]().strip()}\n\n{found[3]}", text)
    return made


# --- commands -------------------------------------------------------------------------------------------------------------


def command_line() -> str:
    """Every command with every argument and option."""
    return "\n".join(_command(name, parser) for name, parser in _commands("kgsan", _parser()))


def _commands(name: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not groups:
        yield name, parser
    for group in groups:
        for word, inner in group.choices.items():
            yield from _commands(f"{name} {word}", inner)


def _command(name: str, parser: argparse.ArgumentParser) -> str:
    actions = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    described = f"{parser.description}\n" if parser.description else ""
    rows = "\n".join(f"| {_signs(action)} | {_meaning(action)} |" for action in actions)
    table = f"\n| argument | meaning |\n|---|---|\n{rows}\n" if rows else ""
    epilog = f"\n{parser.epilog}\n" if parser.epilog else ""
    return f"### {name}\n\n{described}\n```text\n{_wrapped(name, [_usage(action) for action in actions])}\n```\n{table}{epilog}"


def _usage(action: argparse.Action) -> str:
    value = _value(action)
    if not action.option_strings:
        return {"*": f"[{value}...]", "+": f"{value}...", "?": f"[{value}]"}.get(str(action.nargs), value)
    shown = f"{action.option_strings[0]} {value}".strip() + ("..." if action.nargs in ("+", "*") else "")
    return shown if action.required else f"[{shown}]"


def _value(action: argparse.Action) -> str:
    """What stands for the value of an option, or for an argument."""
    if action.nargs == 0:
        return ""
    if action.metavar is None and action.choices is not None:
        return "|".join(map(str, action.choices))
    return str(action.metavar or (action.dest.upper() if action.option_strings else action.dest))


def _signs(action: argparse.Action) -> str:
    value = _value(action).replace("|", r"\|")
    return ", ".join(f"`{name} {value}`" if value else f"`{name}`" for name in action.option_strings) or f"`{value}`"


def _meaning(action: argparse.Action) -> str:
    required = ["**required**"] if action.option_strings and action.required else []
    told = [action.help % {"default": action.default, "prog": "kgsan"}] if action.help else []
    chosen = action.metavar is not None and action.choices is not None
    known = ["one of " + ", ".join(f"`{choice}`" for choice in action.choices or ())] if chosen else []
    return "; ".join([*required, *told, *known]).replace("|", r"\|")


def _wrapped(name: str, words: list[str]) -> str:
    lines = [name]
    for word in words:
        if len(lines[-1]) + len(word) < _WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(f"{' ' * len(name)} {word}")
    return "\n".join(lines)


# --- problem codes --------------------------------------------------------------------------------------------------------


def codes() -> str:
    """Every problem code with what it stands for, by what it is about: what `kgsan explain CODE` says."""
    parts = []
    for family, members in groupby(sorted(CODES), key=lambda code: code[:2]):
        rows = "\n".join(f"| {code} | {CODES[code]} |" for code in members)
        about = f"{_FAMILIES[family]}\n\n" if family in _FAMILIES else ""
        parts.append(f"## {family}xx\n\n{about}| code | what it stands for |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


# --- policies -------------------------------------------------------------------------------------------------------------


def fields() -> str:
    """Every field of a policy, as the reader's own table has it."""
    parts = []
    for within, section in sections():
        parts.append(_section(within, section))
        if within == "identifiers":
            parts.append(_keeps())
    return "\n".join(parts)


def _section(within: str, section: Section) -> str:
    title = f"The items of `{within}`" if within else "The fields of a policy"
    lines = [f"## {title}\n"]
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
    lines = ["What may be kept of a kind; of all others nothing may:\n", "| kind | `keep` |", "|---|---|"]
    lines += [f"| `{kind}` | {', '.join(f'`{each}`' for each in kept)} |" for kind, kept in KEEPS.items()]
    return "\n".join(lines) + "\n"


def hints() -> str:
    """Words that are no fields, each with the field that is meant."""
    lines = ["| in | written | meant |", "|---|---|---|"]
    for within, section in sections():
        for field in section.fields:
            if field.also_called:
                words = ", ".join(f"`{word}`" for word in field.also_called)
                lines.append(f"| {f'`{within}`' if within else 'a policy'} | {words} | `{field.name}` |")
    return "\n".join(lines)


def beginning() -> str:
    """What `kgsan new` writes."""
    return f"```yaml\n{template('my-policy').rstrip()}\n```"


PARTS = {"commands": command_line, "codes": codes, "fields": fields, "hints": hints, "new policy": beginning}


def main() -> None:
    """Write every file that is out of date."""
    for path, text in written().items():
        if path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(REPO)} is written anew.")


if __name__ == "__main__":
    main()
