"""The command line as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kgsan import cli

if TYPE_CHECKING:
    from pathlib import Path

TTL = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix e: <http://e/> . e:Plant a owl:Class ; rdfs:label "plant" . e:grows a owl:ObjectProperty ; rdfs:label "grows" .
e:Tree a owl:Class ; rdfs:subClassOf e:Plant ; rdfs:label "tree" . e:Acorn a owl:Class ; rdfs:subClassOf e:Plant ; rdfs:label "acorn" .
e:Oak a owl:Class ; rdfs:subClassOf e:Tree ; rdfs:label "oak" ; e:grows e:Acorn ; rdfs:label "Quercus" .
"""


@pytest.fixture
def trees(tmp_path: Path) -> str:
    path = tmp_path / "trees.ttl"
    path.write_text(TTL)
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_find_shows_names_chain_and_relations(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "ontology", "find", "oaks", "--in", trees)
    assert code == 0
    assert out.splitlines()[0].startswith("oak  [e:Oak in trees.ttl]")
    assert "  exact                Quercus" in out
    assert "  is a                 tree 1.00 > plant 0.00" in out
    assert "  grows                acorn" in out


def test_find_expands_an_entity(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "ontology", "find", "plant", "--expand", "--in", trees)
    assert code == 0
    assert "covers               3 specializations, 5 names" in out
    assert "    oak  [e:Oak]  Quercus" in out


def test_find_answers_in_json(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "ontology", "find", "e:Oak", "--format", "json", "--in", trees)
    [answer] = json.loads(out)
    assert code == 0
    assert [g["name"] for g in answer["meanings"][0]["generalizations"]] == ["tree", "plant"]
    assert set(answer["meanings"][0]["bits"]) == {"sanchez", "seco", "zhou"}


def test_an_unknown_name_ends_with_a_guess_and_code_1(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "ontology", "find", "quercuss", "--in", trees)
    assert (code, out) == (1, "")
    assert "Did you mean 'Quercus'?" in err


def test_compile_writes_a_file_that_info_and_find_open(trees: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled = str(tmp_path / "t.kgo")
    code, out, _ = run(capsys, "ontology", "compile", trees, "-o", compiled)
    assert code == 0
    assert "4 concepts, 5 names, 3 parents, 1 relations" in out
    code, out, _ = run(capsys, "ontology", "info", compiled)
    assert code == 0
    assert "roots       plant (e:Plant)" in out
    code, out, _ = run(capsys, "ontology", "info", compiled, "--format", "json")
    assert json.loads(out)[0]["concepts"] == 4


def test_compile_can_take_a_part(trees: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "ontology", "compile", trees, "-o", str(tmp_path / "t.kgo"), "--under", "e:Tree")
    assert code == 0
    assert "2 concepts" in out


def test_a_wrong_ontology_is_one_sentence_and_code_3_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.owl"
    bad.write_text("<html><body>login</body></html>")
    out_file = tmp_path / "t.kgo"
    code, out, err = run(capsys, "ontology", "compile", str(bad), "-o", str(out_file))
    assert (code, out) == (3, "")
    assert err == "bad.owl: O102 The file is a web page, not an ontology. Download the file itself, not the page about it.\n"
    assert not out_file.exists()


def test_what_cannot_be_written_is_told(trees: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "ontology", "compile", trees, "-o", str(tmp_path / "none" / "t.kgo"))
    assert code == 3
    assert "cannot be written" in err


def test_oddities_are_told_and_do_not_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tmp_path / "odd.ttl"
    odd.write_text(TTL + "e:Plant rdfs:subClassOf e:Oak .")
    code, _, err = run(capsys, "ontology", "info", str(odd))
    assert code == 0
    assert "odd.ttl: O202 Concepts generalize each other: oak -> tree -> plant -> oak." in err


def test_wrong_usage_is_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["ontology", "nothing"])
    assert caught.value.code == 2


def test_an_interruption_is_code_130(trees: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.ontology, "compile_ontology", interrupt)
    assert cli.main(["ontology", "compile", trees, "-o", "x.kgo"]) == 130


def test_the_shipped_ontologies_answer_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "ontology", "find", "HIV")
    assert code == 0
    assert "covers" in out


def test_nothing_but_the_answer_is_printed_when_piped(trees: str) -> None:
    command = [sys.executable, "-m", "kgsan.cli", "ontology", "find", "oak", "--in", trees]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_a_reader_that_goes_away_is_no_error(trees: str) -> None:
    command = f"{sys.executable} -m kgsan.cli ontology find plant --expand --in {trees} | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
