"""The scripts in `examples/` run as they stand, and show what they were written to show."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import REPO

if TYPE_CHECKING:
    from pathlib import Path

#: A line of what each script prints.
SHOWS = {
    "check_certificate": "The text with a word put back: it does not hold.",
    "choose_strictness": "Most for what it costs: 1.5.",
    "demo": "The same from the command line: kgsan sanitize examples/note.txt --policy us-hiv --reveal",
    "own_corpus": "With the local news: Mr. Aldous Finch of Sandry, a person, was seen today. He plays football on Sundays.",
    "own_ontology": "She caught an infection on the coast and takes an antibiotic. Her brother only had the flu.",
    "sanitize_folder": "orthopedics.txt: 0 changes, 100% of what its words say is kept",
}


def run(name: str, folder: Path, *arguments: str) -> str:
    script = str(REPO / "examples" / f"{name}.py")
    ran = subprocess.run([sys.executable, "-W", "error", script, *arguments], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    return ran.stdout


@pytest.mark.parametrize("name", sorted(path.stem for path in (REPO / "examples").glob("*.py")))
def test_an_example_runs_from_any_folder_and_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    assert SHOWS[name] in run(name, tmp_path).splitlines()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_notes_is_written_with_a_certificate_for_each(tmp_path: Path) -> None:
    run("sanitize_folder", tmp_path, str(REPO / "examples" / "notes"), "released")
    names = [path.stem for path in (REPO / "examples" / "notes").glob("*.txt")]
    wanted = [f"{name}{end}" for name in names for end in (".txt", ".certificate.json")]
    assert sorted(path.name for path in (tmp_path / "released").iterdir()) == sorted(wanted)
    assert "HIV" not in (tmp_path / "released" / "admission.txt").read_text("utf-8")


def test_the_policy_of_the_examples_holds_where_it_lies(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "kgsan.cli", "test", "clinic.yaml"], cwd=REPO / "examples", capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout) == (0, "clinic-marsh-fever: 2 passed\n")
