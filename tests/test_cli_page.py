"""`kgsan sanitize --format html` as a user meets it."""

from __future__ import annotations

import io
import json
import stat
from typing import TYPE_CHECKING

import pytest

from kgsan import cli
from kgsan.errors import Place, Problem
from kgsan.report import output
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.html import Page
from tests.report.toy import NOTE, SECRETS, write_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kgsan.sanitize.result import SanitizedDocument


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_policy(tmp_path_factory.mktemp("policy"), strictness="2"))


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(NOTE)
    return path


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "ward").mkdir(parents=True)
    (folder / "b.txt").write_text(NOTE)
    (folder / "a.md").write_text("He wears hearing aids.\n")
    (folder / "ward" / "c.jsonl").write_text("".join(f"{json.dumps({'text': NOTE, 'id': n})}\n" for n in range(2)))
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], policy: str) -> Callable[..., tuple[int, str, str]]:
    def sanitize(*arguments: object) -> tuple[int, str, str]:
        code = cli.main(["sanitize", "--policy", policy, "--format", "html", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return sanitize


def left(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_one_text_becomes_one_page(run: Callable[..., tuple[int, str, str]], note: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    assert run(note, "-o", target) == (0, "", "")
    content = target.read_bytes()
    assert not Page(content).faults
    assert not [secret for secret in SECRETS if secret.encode() in content]
    assert run(note)[1].encode() == content


def test_a_page_with_the_originals_is_readable_for_its_owner_only(
    run: Callable[..., tuple[int, str, str]], note: Path, tmp_path: Path
) -> None:
    target = tmp_path / "report.html"
    assert run(note, "--reveal", "-o", target)[0] == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert all(secret in target.read_text() for secret in SECRETS)


def test_standard_input_has_a_page_too(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch, note: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(NOTE.encode())))
    assert run("-")[1] == run(note)[1]


@pytest.mark.parametrize("processes", [1, 2])
def test_a_folder_becomes_one_page_in_its_order(
    run: Callable[..., tuple[int, str, str]], notes: Path, tmp_path: Path, processes: int
) -> None:
    target = tmp_path / "report.html"
    assert run(notes, "-o", target, "--processes", processes) == (0, "", "")
    found = Page(target.read_bytes())
    assert not found.faults
    names = ["a.md", "b.txt", "ward/c.jsonl, text 1", "ward/c.jsonl, text 2"]
    places = [found.text.index(name) for name in names]
    assert places == sorted(places)
    assert len(found.all("section", "document")) == 4
    assert not [secret for secret in SECRETS if secret in target.read_text()]


def test_processes_do_not_change_a_byte(run: Callable[..., tuple[int, str, str]], notes: Path) -> None:
    assert run(notes, "--reveal")[1] == run(notes, "--reveal", "--processes", 2)[1]


def test_certificates_and_records_come_along(run: Callable[..., tuple[int, str, str]], notes: Path, tmp_path: Path) -> None:
    given = ("-o", tmp_path / "report.html", "--certificate", tmp_path / "proofs", "--record", tmp_path / "private")
    assert run(notes, *given)[0] == 0
    assert left(tmp_path / "proofs") == ["a.md.certificate.json", "b.txt.certificate.json", "ward/c.jsonl.certificate.json"]
    assert left(tmp_path / "private") == ["a.md.record.json", "b.txt.record.json", "ward/c.jsonl.record.json"]
    assert len((tmp_path / "proofs" / "ward" / "c.jsonl.certificate.json").read_text().splitlines()) == 2


def test_one_text_that_fails_and_no_page_is_written(
    run: Callable[..., tuple[int, str, str]], notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Sanitizer.sanitize_block
    one = Sanitizer.sanitize

    def failing(self: Sanitizer, texts: Sequence[str]) -> list[SanitizedDocument]:
        if any("AIDS" in text for text in texts):
            raise NotSafe(Problem("S101", Place("toy"), "It cannot be made safe."))
        return real(self, texts)

    def failing_alone(self: Sanitizer, text: str, **more: object) -> SanitizedDocument:
        failing(self, [text])
        return one(self, text, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Sanitizer, "sanitize", failing_alone)
    monkeypatch.setattr(Sanitizer, "sanitize_block", failing)
    code, out, err = run(notes, "-o", tmp_path / "report.html", "--certificate", tmp_path / "proofs")
    assert (code, out) == (1, "")
    assert "b.txt: The text could not be made safe" in err
    assert "2 of 3 files failed. No page was written." in err
    assert left(tmp_path) == ["in/a.md", "in/b.txt", "in/ward/c.jsonl"]


def test_a_wrong_line_and_no_page_is_written(run: Callable[..., tuple[int, str, str]], notes: Path, tmp_path: Path) -> None:
    (notes / "wrong.jsonl").write_text(f"{json.dumps({'text': NOTE})}\n{{broken\n")
    code, out, err = run(notes, "-o", tmp_path / "report.html")
    assert (code, out) == (4, "")
    assert "wrong.jsonl:2" in err
    assert not (tmp_path / "report.html").exists()


def test_an_old_page_stays_when_the_new_one_cannot_be_written(
    run: Callable[..., tuple[int, str, str]], note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")

    def full(self: output.Draft) -> None:
        raise output.FileError(self.name, "There is no space left.")

    monkeypatch.setattr(output.Draft, "finish", full)
    assert run(note, "-o", target)[0] == 4
    assert target.read_text() == "old"
    assert left(tmp_path) == ["note.txt", "report.html"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["{notes}", "-o", "{notes}/report.html"], "Nothing is written into a folder that is read"),
        (["{notes}", "-o", "{folder}"], "-o names a file"),
        (["{note}", "{notes}/b.txt", "-o", "{note}"], "would be written over a text that is read"),
        (["{note}", "-o", "{note}"], "would be written over a text that is read"),
        (["{notes}", "--keep", "id"], "a page has no place"),
    ],
)
def test_what_makes_no_sense_is_refused(
    run: Callable[..., tuple[int, str, str]], note: Path, notes: Path, tmp_path: Path, given: list[str], told: str
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    code, out, err = run(*(one.format(note=note, notes=notes, folder=folder) for one in given))
    assert (code, out) == (2, "")
    assert told in err
    assert note.read_text() == NOTE


def test_a_file_of_no_lines_has_no_page(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("\n")
    code, out, err = run(tmp_path / "none.jsonl", "-o", tmp_path / "report.html")
    assert (code, out) == (4, "")
    assert "no text" in err
