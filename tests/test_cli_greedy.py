"""`kgsan greedy`, and what it learned at work in `kgsan sanitize`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kgsan import cli
from kgsan.evaluate.generated import generated
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = "Ellen Marsh has AIDS. Discussed with Dr. Okafor. She takes zidovudine since 3/4/2021.\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def command(*arguments: object) -> tuple[int, str, str]:
        try:
            code = cli.main(list(map(str, arguments)))
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gold") / "notes.jsonl"
    path.write_text("".join(json.dumps({"text": one.text, "spans": one.spans}) + "\n" for one in generated("notes", 16, 1)))
    return path


@pytest.fixture(scope="module")
def model(gold: Path) -> Path:
    path = gold.with_name("names.model")
    assert cli.main(["greedy", str(gold), "--save", str(path), "--learner", "svm"]) == 0
    return path


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_policy(tmp_path_factory.mktemp("policy"))


def test_the_experiment_is_told_in_sentences_and_a_table(run: Any, gold: Path) -> None:
    code, out, err = run("greedy", gold, "--learner", "svm", "--folds", 2, "--ratios", "1,10")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("16 documents (notes.jsonl), ")
    assert lines[1].startswith("Where a leak costs 10 times as much")
    assert sum(line.startswith("greedy, svm") for line in lines) == 2
    assert sum(line.startswith("cost-sensitive") for line in lines) == 6


def test_json_has_the_same_figures_and_no_words(run: Any) -> None:
    asked = (
        "greedy",
        "--generate",
        "mails",
        "--documents",
        6,
        "--learner",
        "svm",
        "--folds",
        2,
        "--ratios",
        10,
        "--format",
        "json",
    )
    code, out, _ = run(*asked)
    told = json.loads(out)
    assert (code, told["documents"], len(told["greedy"]), len(told["cost_sensitive"])) == (0, 6, 1, 3)
    assert 0 <= told["greedy"][0]["found"] <= told["greedy"][0]["left"] <= 1
    assert run(*asked)[1] == out


def test_columns_are_read_with_their_label(run: Any, tmp_path: Path) -> None:
    rows = "Seen O\nby O\n{} B-PER\nin O\nPorto B-LOC\n. O\n\nAll O\nis O\nwell O\n. O\n\n"
    names = "Ann Bo Edda Emil Ida Ivo Jo Kofi Lars Mei Nils Olga".split()
    (tmp_path / "gold.conll").write_text("-DOCSTART- O\n\n" + "-DOCSTART- O\n\n".join(rows.format(name) for name in names))
    asked = ("greedy", tmp_path / "gold.conll", "--learner", "svm", "--folds", 2, "--ratios", 10, "--format", "json")
    everything, persons = json.loads(run(*asked)[1]), json.loads(run(*asked, "--label", "PER")[1])
    assert (persons["documents"], persons["sensitive"], everything["sensitive"]) == (12, 12, 24)


def test_figures_are_drawn_for_all_learners(run: Any, tmp_path: Path) -> None:
    asked = (
        "greedy",
        "--generate",
        "notes",
        "--documents",
        6,
        "--folds",
        2,
        "--ratios",
        "1,10",
        "--figures",
        tmp_path / "figures",
    )
    assert run(*asked)[0] == 0
    assert len(list((tmp_path / "figures").glob("*.png"))) == 3


# --- a model at work -------------------------------------------------------------------------------------------------------------


def test_what_was_learned_is_hidden_and_the_policy_holds(run: Any, model: Path, policy: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(TEXT)
    asked = ("sanitize", tmp_path / "note.txt", "--policy", policy, "--method", "greedy", "--learned", model)
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    assert not any(word in out for word in ("Okafor", "AIDS", "zidovudine", "3/4/2021"))
    assert "Okafor" in run("sanitize", tmp_path / "note.txt", "--policy", policy)[1]


def test_a_policy_may_name_the_method_itself_and_its_certificate_holds(run: Any, model: Path, tmp_path: Path) -> None:
    greedy = write_policy(tmp_path / "policy", method="greedy")
    (tmp_path / "note.txt").write_text(TEXT)
    released, proof = tmp_path / "out.txt", tmp_path / "c.json"
    asked = ("sanitize", tmp_path / "note.txt", "--policy", greedy, "--learned", model, "-o", released, "--certificate", proof)
    assert run(*asked) == (0, "", "")
    assert "Okafor" not in released.read_text()
    assert run("verify", released, "--policy", greedy, "--certificate", proof)[0] == 0


def test_many_texts_are_sanitized_in_several_processes(run: Any, model: Path, policy: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(2):
        (tmp_path / "in" / f"{number}.txt").write_text(TEXT)
    asked = ("sanitize", tmp_path / "in", "-o", tmp_path / "out", "--policy", policy, "--method", "greedy", "--learned", model)
    assert run(*asked, "--processes", 2)[0] == 0
    assert [path.read_text().count("Okafor") for path in (tmp_path / "out").iterdir()] == [0, 0]


@pytest.mark.parametrize("more", [("--method", "greedy"), ("--learned", "some.model")])
def test_the_method_and_its_model_go_together(more: tuple[str, str], run: Any, policy: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(TEXT)
    code, out, err = run("sanitize", tmp_path / "note.txt", "--policy", policy, *more)
    assert (code, out) == (2, "")
    assert "go together" in err


def test_a_damaged_model_stops_the_work(run: Any, model: Path, policy: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(TEXT)
    (tmp_path / "broken.model").write_bytes(model.read_bytes()[:-200])
    code, out, err = run(
        "sanitize", tmp_path / "note.txt", "--policy", policy, "--method", "greedy", "--learned", tmp_path / "broken.model"
    )
    assert (code, out) == (4, "")
    assert err.startswith("broken.model: E207 ")


# --- wrong usage -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        (),
        ("gold.jsonl", "--generate", "notes"),
        ("--generate", "notes", "--ratios", "1,nan"),
        ("--generate", "notes", "--ratios", "-1"),
        ("--generate", "notes", "--ratios", ""),
        ("--generate", "notes", "--learner", "oracle"),
        ("--generate", "notes", "--folds", "1"),
        ("--generate", "notes", "--documents", "0"),
        ("--generate", "notes", "--seed", "-1"),
        ("--generate", "letters"),
        ("--generate", "notes", "--save", "m", "--cost-of-leak", "inf"),
    ],
)
def test_wrong_usage_is_told(asked: tuple[str, ...], run: Any) -> None:
    code, out, err = run("greedy", *asked)
    assert (code, out) == (2, "")
    assert err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "E203"),
        ('{"text": "Ann slept.", "spans": [[0, 99]]}', "E202"),
        ('{"text": "Ann slept. Bo ate. Ida ran. It snowed.", "spans": []}', "E204"),
        ('{"text": "Ann slept. Bo ate. Ida ran. It snowed.", "spans": [[0, 3]]}', "E203"),
        ("Ann\n", "E201"),
    ],
)
def test_files_that_nothing_can_be_learned_from_are_told_in_one_line(content: str, code: str, run: Any, tmp_path: Path) -> None:
    (tmp_path / "gold").write_text(content)
    ended, out, err = run("greedy", tmp_path / "gold")
    assert (ended, out, len(err.splitlines())) == (4, "", 1)
    assert f" {code} " in err
    assert "Ann" not in err


def test_missing_packages_are_told_with_what_to_install(
    run: Any, policy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text(TEXT)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for asked in (
        ("greedy", "--generate", "notes"),
        ("sanitize", tmp_path / "note.txt", "--policy", policy, "--method", "greedy", "--learned", "m"),
    ):
        code, out, err = run(*asked)
        assert (code, out) == (2, "")
        assert "pip install 'kgsan[evaluate]'" in err
        assert len(err.splitlines()) == 1
