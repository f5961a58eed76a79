"""The pages of the documentation, by the sections of the site, and the fenced blocks that stand in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

REPO = Path(__file__).parents[2]
DOCS = REPO / "docs"
#: Pages that are read in the repository and do not belong to the site.
OUTSIDE = (REPO / "README.md", REPO / "CONTRIBUTING.md", REPO / "policies" / "README.md", REPO / "ontologies" / "README.md")

_OPENED = re.compile(r"(?P<indent> *)(?P<fence>```+|~~~+) *(?P<language>\S*) *$")
_REMARK = re.compile(r" *<!-- *(?P<kind>not run|file|wrong on purpose) *:? *(?P<text>.*?) *-->$")
_FILE = re.compile(r"# file: (?P<name>[\w./-]+)$")
_TOCTREE = re.compile(r"^```\{toctree\}\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences, and what the remark before them says about it."""

    page: Path
    line: int
    language: str
    text: str
    not_run: str | None = None  #: why it cannot be run as it stands
    file: str | None = None  #: as what it is written into the folder of the page
    is_wrong: bool = False  #: it shows a mistake

    @property
    def place(self) -> str:
        """Where to look when it fails."""
        return f"{self.page.relative_to(REPO)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """Every fenced block of a page, in order.

    A remark before the fence tells what cannot be read off it: `<!-- not run: why -->`, `<!-- file: NAME -->`,
    `<!-- wrong on purpose -->`.
    """
    found: list[Block] = []
    lines = page.read_text("utf-8").splitlines()
    remark: dict[str, str] = {}
    at = 0
    while at < len(lines):
        if told := _REMARK.match(lines[at]):
            remark[told["kind"]] = told["text"]
        elif opened := _OPENED.match(lines[at]):
            first = at + 1
            at = first
            while at < len(lines) and lines[at].strip() != opened["fence"]:
                at += 1
            indent = len(opened["indent"])
            inside = [line[indent:] if line[:indent].isspace() else line for line in lines[first:at]]
            head = _FILE.match(inside[0]) if inside else None
            file = remark.get("file") or (head["name"] if head else None)
            text = "".join(f"{line}\n" for line in inside)
            found.append(
                Block(page, first, opened["language"], text, remark.get("not run"), file, is_wrong="wrong on purpose" in remark)
            )
            remark = {}
        elif lines[at].strip():
            remark = {}
        at += 1
    return found


def sections() -> dict[str, list[Path]]:
    """The pages of each section of the site, as the lists in `docs/index.md` have them."""
    found: dict[str, list[Path]] = {}
    for told in _TOCTREE.finditer((DOCS / "index.md").read_text("utf-8")):
        lines = told["body"].splitlines()
        caption = next(line.removeprefix(":caption:").strip() for line in lines if line.startswith(":caption:"))
        entries = [line.strip() for line in lines if line.strip() and not line.startswith(":")]
        found[caption] = [page for entry in entries for page in sorted(DOCS.glob(f"{entry}.md"))]
    return found


def of_section(caption: str) -> list[ParameterSet]:
    """The pages of a section for a test that is run with each of them."""
    pages = OUTSIDE if caption == "Outside" else sections()[caption]
    return [pytest.param(page, id=f"{page.parent.name}-{page.stem}" if page in OUTSIDE else page.stem) for page in pages]
