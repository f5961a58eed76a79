"""The toy world of the papers as files: its taxonomy, its counts alone and together, and a policy that protects HIV."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from tests.papers.toy import TOY, WORLD

if TYPE_CHECKING:
    from pathlib import Path

#: The document of METHODS' check of CORR: every term once.
CHECK = "HIV, viral infection, zidovudine, ibuprofen, condom, weight loss, fatigue."


def _outline(above: str = "", depth: int = 0) -> str:
    below = [term for term, (parent, _) in WORLD.items() if parent == above]
    return "".join(f"{'  ' * depth}{term}\n{_outline(term, depth + 1)}" for term in below)


def write_world(folder: Path, **more: str) -> Path:
    """The policy with its ontology and counts as files; what else it says is given by field."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "world.txt").write_text(_outline())
    groups = [*((term,) for term in WORLD), *combinations(WORLD, 2)]
    rows = [(group, TOY.count(*group)) for group in groups]
    told = ["\t".join((*group, str(count))) for group, count in rows if count]
    (folder / "counts.tsv").write_text("\n".join([f"contexts\t{TOY.contexts}", *told, ""]))
    fields = {
        "policy": "toy",
        "law": "Toy Act",
        "protect": "[{entity: HIV}]",
        "ontologies": f"['{folder / 'world.txt'}']",
        "knowledge": f"['{folder / 'counts.tsv'}']",
        "strictness": "1.5",
        "groups_up_to": "1",
        **more,
    }
    path = folder / "toy.yaml"
    path.write_text("".join(f"{name}: {value}\n" for name, value in fields.items()))
    return path
