"""How the shipped ontologies are written: one table each, packed with xz, the same bytes for the same content."""

from __future__ import annotations

import argparse
import lzma
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class Row:
    """One concept. `senses` holds the sense order of a name where the concept is not the first sense."""

    id: str
    name: str
    parents: list[str] = field(default_factory=list)
    synonyms: list[str] = field(default_factory=list)
    narrow: list[str] = field(default_factory=list)
    ambiguous: list[str] = field(default_factory=list)
    senses: dict[str, int] = field(default_factory=dict)
    references: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    relations: dict[str, list[str]] = field(default_factory=dict)


def write_table(path: Path, rows: Iterable[Row]) -> None:
    """Write the rows in the order given; a column that is empty in all of them is left out."""
    rows = list(rows)
    kinds = sorted({kind for row in rows for kind, targets in row.relations.items() if targets})
    columns: dict[str, list[str]] = {
        "id": [row.id for row in rows],
        "name": [_clean(row.name) for row in rows],
        "parent": [_joined(row.parents) for row in rows],
        "synonyms": [_joined(_once(row.synonyms, row.name)) for row in rows],
        "narrow": [_joined(_once(row.narrow, row.name, *row.synonyms)) for row in rows],
        "ambiguous": [_joined(_once(row.ambiguous, row.name, *row.synonyms, *row.narrow)) for row in rows],
        "senses": [_senses(row) for row in rows],
        "references": [_joined(row.references) for row in rows],
        "aliases": [_joined(row.aliases) for row in rows],
        **{f"relation:{kind}": [_joined(row.relations.get(kind, [])) for row in rows] for kind in kinds},
    }
    kept = {name: cells for name, cells in columns.items() if name in ("id", "name", "parent") or any(cells)}
    lines = ["\t".join(kept), *map("\t".join, zip(*kept.values(), strict=True))]
    data = ("\n".join(lines) + "\n").encode()
    packed = lzma.compress(data, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC64, preset=9 | lzma.PRESET_EXTREME)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed)
    print(f"{path}: {len(rows):,} concepts, {len(data):,} bytes, {len(packed):,} packed")


def _clean(text: str) -> str:
    """One line without double quotes, which would make every table that holds them slow to read."""
    return " ".join(text.replace('"', "").split())


def _once(names: list[str], *others: str) -> list[str]:
    taken = set(map(_clean, others))
    return [name for name in dict.fromkeys(map(_clean, names)) if name and name not in taken]


def _joined(values: Iterable[str]) -> str:
    cells = [_clean(value) for value in values]
    return "|".join(cell.replace("\\", "\\\\").replace("|", "\\|").replace(";", "\\;") for cell in cells)


def _senses(row: Row) -> str:
    names = [_clean(row.name), *_once(row.synonyms, row.name), *_once(row.narrow, row.name, *row.synonyms)]
    names += _once(row.ambiguous, row.name, *row.synonyms, *row.narrow)
    order = [row.senses.get(name, 0) for name in names]
    while order and not order[-1]:
        order.pop()
    return "|".join(map(str, order))


def arguments(about: str | None, **inputs: str) -> argparse.Namespace:
    """The command line that all build scripts share: where to write, and where each input lies."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    for name, default in inputs.items():
        parser.add_argument(f"--{name}", type=Path, default=Path(default), help=f"default: {default}")
    return parser.parse_args()
