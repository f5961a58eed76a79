"""Broken policies and what is said about them.

Each `tests/data/broken/NAME.yaml` has its expected text beside it in `NAME.txt`; files called `base-...` are only extended.
A new case is a new pair of files; `python -m tests.policy.test_broken NAME` writes the text, to be read before it is kept.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from kgsan.errors import CODES, PolicyError
from kgsan.policy.read import load_policy
from kgsan.policy.show import as_json, as_sarif, render

FOLDER = Path(__file__).parents[1] / "data" / "broken"
CASES = sorted(path.stem for path in FOLDER.glob("*.yaml") if not path.name.startswith("base-"))
#: What no small file can show; `test_hostile.py` does.
ELSEWHERE = {"P001", "P004", "P016"}


def told(name: str) -> tuple[str, PolicyError]:
    with pytest.raises(PolicyError) as caught:
        load_policy(Path(f"{name}.yaml"))
    return render(caught.value.problems), caught.value


@pytest.mark.parametrize("name", CASES)
def test_a_broken_policy_is_explained_as_written_down(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    shown, _ = told(name)
    assert shown == Path(f"{name}.txt").read_text(encoding="utf-8")


def test_every_code_has_a_broken_policy() -> None:
    seen = {code for name in CASES for code in re.findall(r" (P[01]\d\d) ", (FOLDER / f"{name}.txt").read_text(encoding="utf-8"))}
    assert seen == {code for code in CODES if re.match("P[01]", code)} - ELSEWHERE


def test_eight_mistakes_are_told_in_one_run_each_at_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    _, error = told("eight-mistakes")
    lines = Path("eight-mistakes.yaml").read_text().split("\n")
    written = ["us hiv", "legislation", "31.5", "high", "sentense", "entitiy", "all", "last-4"]
    assert len(error.problems) == 8
    for problem, word in zip(error.problems, written, strict=True):
        assert problem.place.line is not None
        assert problem.place.column is not None
        assert lines[problem.place.line - 1][problem.place.column - 1 :].startswith(word)


@pytest.mark.parametrize("name", ["examples", "broken-example", "text-twice"])
def test_no_word_of_an_example_is_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    shown, error = told(name)
    for output in (shown, str(error), as_json(error.problems), as_sarif(error.problems)):
        assert not re.search("Quill|Ember|Thorn|Birch", output)


if __name__ == "__main__":
    os.chdir(FOLDER)
    for each in sys.argv[1:] or CASES:
        text, _ = told(each)
        Path(f"{each}.txt").write_text(text, encoding="utf-8")
        print(text)
