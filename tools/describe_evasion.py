"""Describe how disguised words are treated, from the table of the tests.

python tools/describe_evasion.py > docs/evasion.md
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

TABLE = Path(__file__).parents[1] / "tests" / "data" / "evasion.yaml"
HEAD = """# Evasion

Somebody may write a word so that a search misses it and a person still reads it. What is read at a glance, by a rule that is
exact and costs time linear in the text, is hidden; the rest stays, for the reason given. Every row is tested under policies that
ship, most of them with ten words and more: {rows} techniques, {examples} examples ({hidden} hidden, {stay} stay), and {decoys}
texts that only look like a disguise and come back as they were. To add one: `tests/data/evasion.yaml`;
this page is written by `tools/describe_evasion.py`.
"""
FOOT = """
Against somebody who *wants* to leak no filter of texts helps. Where texts come from such people, let a person read what is
released.
"""


def described() -> str:
    """The section, in Markdown."""
    rows, decoys = yaml.safe_load_all(TABLE.read_text("utf-8"))
    counts = {kind: sum(map(_size, (row for row in rows if row["behaviour"] == kind))) for kind in ("hidden", "stays")}
    head = HEAD.format(
        rows=len(rows),
        examples=sum(counts.values()),
        hidden=counts["hidden"],
        stay=counts["stays"],
        decoys=sum(len(row["texts"]) for row in decoys),
    )
    parts = [head]
    for group, members in groupby(rows, key=lambda row: row["group"]):
        lines = [f"\n## {group}\n", "| what is done | | example | how it is read, or why not |", "|---|---|---|---|"]
        lines += [
            f"| {_cell(row['technique'])} | {row['behaviour']} | {_shown(_first(row))} | {_cell(row['because'])} |"
            for row in members
        ]
        parts.append("\n".join(lines) + "\n")
    return "".join([*parts, FOOT])


def _size(row: dict[str, Any]) -> int:
    return sum(map(len, row["examples"].values()))


def _first(row: dict[str, Any]) -> str:
    example: str = next(iter(row["examples"].values()))[0]
    return example


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _shown(example: str) -> str:
    """An example in which everything that cannot be seen, or would be taken for a mark, is written by its number."""
    shown = "".join(
        letter if letter.isprintable() and (letter.isascii() or letter.isalpha()) else f"<U+{ord(letter):04X}>"
        for letter in example
    )
    fence = "``" if "`" in shown else "`"
    return f"{fence}{_cell(shown)}{fence}"


if __name__ == "__main__":
    print(described(), end="")
