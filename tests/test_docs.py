"""What the documentation promises about the code."""

from __future__ import annotations

import re
from pathlib import Path

from kgsan.errors import CODES
from kgsan.sources import READERS

REPO = Path(__file__).parents[1]
#: What problem codes begin with.
LETTERS = "".join(sorted({code[0] for code in CODES}))


def test_every_problem_code_has_its_line() -> None:
    told = dict(re.findall(r"^\| ([A-Z]\d{3}) \| (.+) \|$", (REPO / "docs" / "problems.md").read_text(), re.MULTILINE))
    assert told == CODES


def test_every_code_that_is_raised_is_listed() -> None:
    used = {code for path in (REPO / "kgsan").rglob("*.py") for code in re.findall(rf'"([{LETTERS}]\d{{3}})"', path.read_text())}
    assert used == set(CODES)


def test_the_two_commands_stand_in_the_readme() -> None:
    readme = (REPO / "README.md").read_text()
    assert "make demo" in readme
    assert "make test" in readme


def test_every_reader_is_a_module() -> None:
    modules = {path.stem for path in (REPO / "kgsan" / "sources").glob("*.py")}
    assert set(READERS) <= modules


def test_links_in_the_documentation_lead_somewhere() -> None:
    for page in (*REPO.glob("*.md"), *(REPO / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} -> {target}"
