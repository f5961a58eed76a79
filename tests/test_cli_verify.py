"""`kgsan verify` as whoever receives a text meets it."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from kgsan import cli
from tests.report.toy import NOTE, SECRETS, write_policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_policy(tmp_path_factory.mktemp("policy")))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], policy: str) -> Callable[..., tuple[int, str, str]]:
    def command(name: str, *arguments: object) -> tuple[int, str, str]:
        code = cli.main([name, "--policy", policy, *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture
def note(tmp_path: Path) -> Path:
    (tmp_path / "note.txt").write_text(f"First line.\n{NOTE}")
    return tmp_path / "note.txt"


@pytest.fixture
def released(run: Any, note: Path, tmp_path: Path) -> tuple[Path, Path]:
    assert run("sanitize", note, "-o", tmp_path / "out.txt", "--certificate", tmp_path / "c.json")[0] == 0
    return tmp_path / "out.txt", tmp_path / "c.json"


def test_what_discloses_is_told_by_place_rule_and_entity_without_its_words(run: Any, note: Path) -> None:
    code, out, err = run("verify", note)
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "note.txt:2:15: naming: 'HIV' is named.",
        "note.txt:2:26: identifier: an identifier stands here: date.",
        "note.txt:2:45: inference: 'HIV' is given away, at or above the limit.",
        "3 parts of the text disclose more than allowed.",
    ]


def test_words_and_figures_are_told_when_asked(run: Any, note: Path) -> None:
    _, out, _ = run("verify", note, "--reveal")
    assert all(secret in out for secret in SECRETS)
    assert "a share of 100 % where the limit is 67 %" in out


def test_json_keeps_the_same_silence(run: Any, note: Path) -> None:
    code, out, _ = run("verify", note, "--format", "json")
    told = json.loads(out)
    assert code == 1
    assert not any(secret in out for secret in SECRETS)
    assert [one["share"] for one in told["discloses"]] == [None, None, "at or above the limit"]
    assert (told["certificate_holds"], told["certificate_differences"]) == (None, [])
    revealed = json.loads(run("verify", note, "--format", "json", "--reveal")[1])
    assert [one["words"] for one in revealed["discloses"]] == ["AIDS", "3/4/2021", "zidovudine"]


def test_a_sanitized_text_and_its_certificate_hold(run: Any, released: tuple[Path, Path]) -> None:
    text, proof = released
    code, out, _ = run("verify", text, "--certificate", proof)
    assert code == 0
    assert out.splitlines() == [
        "Nothing in the text discloses more than the policy allows, as far as it was checked.",
        "The certificate holds. It says itself what was not checked.",
    ]
    assert json.loads(run("verify", text, "--certificate", proof, "--format", "json")[1])["certificate_holds"] is True


def test_one_changed_letter_is_told(run: Any, released: tuple[Path, Path]) -> None:
    text, proof = released
    text.write_text(text.read_text().replace("First", "first"))
    code, out, _ = run("verify", text, "--certificate", proof)
    assert code == 1
    assert "The certificate: It was made for another text, or the text has been changed since." in out


def test_a_certificate_of_another_strictness_says_which(run: Any, note: Path, tmp_path: Path) -> None:
    text, proof = tmp_path / "out.txt", tmp_path / "c.json"
    run("sanitize", note, "--strictness", "2", "-o", text, "--certificate", proof)
    code, out, _ = run("verify", text, "--certificate", proof)
    assert code == 1
    assert "It was made with strictness 2 for 'HIV'; here it is 1.5." in out
    assert run("verify", text, "--certificate", proof, "--strictness", "2")[0] == 0


def test_standard_input_is_read(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NOTE.encode())))
    code, out, _ = run("verify", "-")
    assert code == 1
    assert "standard input:1:15: naming" in out


@pytest.mark.parametrize("content", ["", "{}", "[" * 100_000])
def test_a_file_that_is_no_certificate_is_code_4(run: Any, note: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "c.json").write_text(content)
    code, out, err = run("verify", note, "--certificate", tmp_path / "c.json")
    assert (code, out) == (4, "")
    assert err.startswith("c.json: ")
    assert err.count("\n") == 1


def test_a_missing_text_is_code_4(run: Any, tmp_path: Path) -> None:
    code, out, err = run("verify", tmp_path / "none.txt")
    assert (code, out) == (4, "")
    assert "There is no such file." in err


def test_an_unexpected_error_is_one_sentence_without_its_words(run: Any, note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("zidovudine")

    monkeypatch.setattr("kgsan.sanitize.sanitizer.Sanitizer.verify", broken)
    code, out, err = run("verify", note)
    assert (code, out) == (1, "")
    assert "KeyError" in err
    assert "zidovudine" not in err
