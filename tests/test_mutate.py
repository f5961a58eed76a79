"""Small mistakes are made where they can matter, and one that no test notices is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[1]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(REPO / "tools"))
    from mutation.mutants import mutants

    return lambda source: {(each.kind, each.after) for each in mutants("toy.py", source)}


@pytest.mark.parametrize(
    ("line", "kind", "after"),
    [
        ("x = a < b", "comparison", "x = a <= b"),
        ("x = a == b", "comparison", "x = a != b"),
        ("x = a and b", "and, or", "x = (a or b)"),
        ("x = not a", "not", "x = bool(a)"),
        ("x = a - b", "arithmetic", "x = (a + b)"),
        ("x = 3", "constant", "x = (4)"),
        ("x = 3", "constant", "x = (2)"),
        ("x = True", "True, False", "x = False"),
        ("x = a[1:]", "slice", "x = a[:]"),
        ("x = a[:n]", "slice", "x = a[:]"),
        ("x = min(a, b)", "min, max", "x = max(a, b)"),
        ("x = any(a)", "any, all", "x = all(a)"),
        ("x = [y for y in a if y]", "filter", "x = [y for y in a if True]"),
        ("x = a if b else c", "condition", "x = (c if b else a)"),
        ("x.append(a)", "removed", "pass"),
    ],
)
def test_each_kind_of_mistake_is_made(made: Any, line: str, kind: str, after: str) -> None:
    assert (kind, after) in made(f"{line}\n")


def test_loops_and_answers_are_changed_too(made: Any) -> None:
    source = "def f(a):\n    for x in a:\n        if x:\n            break\n    return x\n"
    assert made(source) >= {("break, continue", "continue"), ("return", "return None"), ("condition", "if (not (x)):")}


@pytest.mark.parametrize(
    "source",
    [
        '"""A sentence with 3 words."""\n',
        "import a\n",
        "if TYPE_CHECKING:\n    x = 3\n",
        "def f(a: Literal[3]) -> Literal[4]:\n    pass\n",
        "class C:\n    def __repr__(self):\n        return 'C' + 'D'\n",
        "f = lru_cache(maxsize=3)(g)\n",
        "x = 'three' + a\n",
    ],
)
def test_what_no_answer_depends_on_is_left_alone(made: Any, source: str) -> None:
    assert made(source) == set()


def test_a_mistake_changes_one_place_and_lines_stay_where_they_are(made: Any) -> None:
    from mutation.mutants import mutants

    source = "def f(a):\n    g(\n        a,  # é\n    )\n    return a == 'é' and a < 2\n"
    for each in mutants("toy.py", source):
        assert len(each.source.splitlines()) == len(source.splitlines())
        compile(each.source, "toy.py", "exec")
    assert {each.function for each in mutants("toy.py", source)} == {"f"}


def test_the_sample_takes_from_every_module_and_a_seed_gives_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(REPO / "tools"))
    import mutate

    paths = ["kgsan/knowledge/information.py", "kgsan/risk/correlation.py"]
    taken, known = mutate.chosen(paths, 20, 7)
    assert {each.path for each in taken} == set(paths) == set(known)
    assert taken == mutate.chosen(paths, 20, 7)[0] != mutate.chosen(paths, 20, 8)[0]
    assert len(mutate.chosen(paths, None, 7)[0]) == known.total()


def test_what_a_test_notices_is_killed_and_what_none_notices_is_told(tmp_path: Path) -> None:
    """The share is tested by the example in its docstring alone: its chance is right there, and a wrong bound is not seen."""
    alone = "kgsan/knowledge/information.py"
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    command = [sys.executable, "tools/mutate.py", "--module", alone, "--sample", "30", "--killers", "--tests", alone]
    done = subprocess.run(
        [*command, "--kept", str(tmp_path / "kept.json")], cwd=REPO, env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    [tried] = [line for line in lines if line.startswith("| **all**")]
    _, possible, number, killed, _, survived = (part.strip() for part in tried.strip("|").split("|"))
    assert (int(number), int(killed) + int(survived)) == (30, 30) < (int(possible), 31)
    assert any("lower_bound" in line for line in lines)
    assert int(killed) > 5
    assert int(survived) > 5
    assert sum(line.startswith("+ ") for line in lines) == int(survived)
    assert "fail without any mistake" not in done.stdout
