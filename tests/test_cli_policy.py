"""The commands about policies, as a compliance officer calls them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from kgsan import cli
from kgsan.policy.read import shipped_policies

POLICIES = Path(__file__).parents[1] / "policies"
SMALL = """\
policy: small
law: Small Act
protect:
  - entity: HIV
    because: "Section 1."
examples:
  - text: "He has had HIV for years."
    must_hide: [HIV]
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.main([str(argument) for argument in arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_every_shipped_policy_is_in_order_and_its_examples_pass(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "validate", POLICIES)
    assert (code, out) == (0, f"{len(shipped_policies())} policies are in order.\n")
    code, out, _ = run(capsys, "test", POLICIES)
    assert code == 0
    assert "failed" not in out
    assert "no longer a gap" not in out


def test_problems_come_with_place_caret_and_hint_in_every_format(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    small.write_text(SMALL.replace("entity: HIV", "entity: HIVV"))
    code, out, _ = run(capsys, "validate", small)
    assert code == 2
    assert f"{small}:4:5: P201 No ontology knows 'HIVV'." in out
    assert "^^^^^^" in out
    assert "Did you mean 'HIV'" in out
    code, out, _ = run(capsys, "validate", small, "--format", "json")
    assert code == 2
    assert json.loads(out)[0]["code"] == "P201"
    code, out, _ = run(capsys, "validate", small, "--format", "sarif")
    assert json.loads(out)["runs"][0]["results"][0]["ruleId"] == "P201"


def test_a_policy_that_cannot_be_read_stops_every_command(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    small.write_text(SMALL.replace("law:", "lawe:"))
    for command in ("expand", "explain", "test"):
        code, out, err = run(capsys, command, small)
        assert (code, out) == (2, "")
        assert "P101" in err


def test_expand_lists_terms_with_their_paths_in_every_format(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    code, out, _ = run(capsys, "expand", small, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert {"entity", "term", "how", "path", "ontology"} <= set(rows[0])
    assert any(row["term"] == "AIDS" and row["path"] == "AIDS > HIV infection" for row in rows)
    _, out, _ = run(capsys, "expand", small, "--format", "json")
    told = json.loads(out)
    assert len(told["terms"]) == len(rows)
    assert told["threshold"]["concept"] == "protected:HIV-infection"
    _, out, _ = run(capsys, "expand", small)
    assert f"{len(rows):,} terms of 1 entities." in out


def test_explain_reads_back_a_policy_a_term_and_a_code(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    code, out, _ = run(capsys, "explain", small)
    assert code == 0
    assert "small carries out: Small Act." in out
    assert "raises the chance" in " ".join(out.split())
    code, out, _ = run(capsys, "explain", small, "AIDS")
    assert "is hidden as HIV" in out
    code, out, _ = run(capsys, "explain", "P203")
    assert (code, out.splitlines()[0]) == (0, "P203: An entity is a word that may mean one thing or another.")
    code, _, err = run(capsys, "explain", "P999")
    assert code == 1
    assert "There is no problem P999" in err


def test_a_failing_example_and_no_example_at_all_are_findings(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    assert run(capsys, "test", small)[:2] == (0, "small: 1 passed\n")
    small.write_text(SMALL.replace("must_hide: [HIV]", "must_keep: [HIV]"))
    code, out, _ = run(capsys, "test", small)
    assert code == 1
    assert "P302 The example fails: 'HIV' is not kept." in out
    assert "years" not in out  # the text of an example is not shown
    small.write_text(SMALL[: SMALL.index("examples")])
    code, out, _ = run(capsys, "test", small)
    assert code == 1
    assert "No example was run" in out


def test_diff_tells_what_is_released_first_and_nothing_of_a_policy_against_itself(
    capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(SMALL.replace("entity: HIV", "entity: AIDS").replace("law:", "strictness: 3\nlaw:"))
    assert run(capsys, "diff", small, small)[:2] == (0, "Both protect the same in the same way.\n")
    code, out, _ = run(capsys, "diff", small, other)
    assert code == 1
    assert out.startswith("No longer protected: ")
    assert "  - HIV infection  (HIV)" in out
    assert "strictness: 2 -> 3" in out


def test_new_writes_a_policy_that_holds_and_overwrites_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", "mine")[0] == 0
    assert run(capsys, "validate", "mine.yaml")[0] == 0
    assert run(capsys, "test", "mine.yaml")[0] == 0
    code, _, err = run(capsys, "new", "mine")
    assert code == 4
    assert "left as it is" in err
    assert run(capsys, "new", "no good name")[0] == 2
    assert "policy: other" in run(capsys, "new", "other", "-o", "-")[1]


def test_the_schema_is_the_one_that_ships(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "schema")[1] == (POLICIES / "policy.schema.json").read_text("utf-8")


def test_a_folder_without_policies_and_a_missing_file_are_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for source in (tmp_path, tmp_path / "none.yaml"):
        code, out, err = run(capsys, "validate", source)
        assert code == 2
        assert "P001" in out + err
