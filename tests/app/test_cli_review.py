"""`kgsan review` from the outside."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING

import pytest

from kgsan.app.audit import LOG
from kgsan.app.replay import Ruling
from kgsan.cli import main
from tests.app.world import AIDS, SECRETS, TEXT, desk_on
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.sanitize.sanitizer import Sanitizer


@pytest.fixture
def log(sanitizer: Sanitizer, tmp_path: Path) -> Path:
    desk = desk_on(sanitizer, tmp_path)
    desk.decide(1, AIDS, Ruling.REDACT)
    desk.close()
    return tmp_path / "review" / LOG


def test_a_log_is_checked(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--check", str(log)]) == 0
    assert "as it was written: 4 lines" in capsys.readouterr().out


def test_an_edited_line_is_named_on_the_command_line(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_text(log.read_text().replace('"redact"', '"accept"'))
    assert main(["review", "--check", str(log)]) == 1
    assert "audit.jsonl:3: A103" in capsys.readouterr().err


def test_a_log_that_is_nowhere_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--check", str(tmp_path / "no.jsonl")]) == 4
    assert "cannot be read" in capsys.readouterr().err


def test_without_the_packages_a_sentence_tells_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgsan.cli.review.find_spec", lambda name: None)
    assert main(["review", "note.txt", "--policy", "us-hiv"]) == 2
    told = capsys.readouterr().err
    assert "A101" in told
    assert "pip install 'kgsan[review]'" in told


@pytest.mark.parametrize("given", [[], ["--policy", "us-hiv"], ["note.txt"]])
def test_documents_and_a_policy_are_needed(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", *given]) == 2
    assert "Give the documents and --policy" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "content", "code"), [("a.jsonl", "{}", "A107"), ("long.txt", "word " * 200_001, "A107")])
def test_what_is_no_page_is_refused(
    name: str, content: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(content)
    policy = str(write_policy(tmp_path / "toy"))
    assert main(["review", str(tmp_path / name), "--policy", policy, "--folder", str(tmp_path / "state")]) == 2
    assert code in capsys.readouterr().err


def test_a_key_that_is_too_short_is_refused(tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "short").write_bytes(b"short")
    assert main(["review", "--check", str(log), "--key", str(tmp_path / "short")]) == 2
    assert "A109" in capsys.readouterr().err


def test_the_page_is_served_until_it_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(TEXT)
    policy = write_policy(tmp_path / "toy")
    command = [sys.executable, "-m", "kgsan.cli", "review", str(tmp_path / "note.txt"), "--policy", str(policy)]
    command += ["--folder", str(tmp_path / "state"), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        assert address.startswith("http://127.0.0.1:")
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with browser.open(address, timeout=20) as answer:
            assert b"note.txt" in answer.read()
            assert answer.headers["server"] is None
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0
    assert "can be taken up again" in error
    assert not any(word in (out + error).casefold() for word in SECRETS)
    assert main(["review", "--check", str(tmp_path / "state" / LOG)]) == 0
