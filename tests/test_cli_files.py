"""`kgsan sanitize` and `kgsan verify` with files of every kind."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from kgsan import cli
from tests.report.toy import NOTE, write_policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

SECRETS = (b"AIDS", b"zidovudine", b"3/4/2021")
HL7 = b"MSH|^~\\&|LAB|NORTH|EHR|SOUTH|||ORU^R01|MSG1|P|2.5\rNTE|1||He has AIDS.\r"


def parquet() -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"note": [NOTE, "Fine."]}), stream)
    return stream.getvalue()


#: A file of every kind that needs no other program to be made.
FILES = {
    "a.txt": NOTE.encode(),
    "a.md": b"# Note\n\nHe has **AIDS**.\n",
    "a.html": b"<html><body><p>He has A<b>I</b>DS.</p></body></html>\n",
    "a.csv": b"id,note\n1,He has AIDS.\n2,Fine.\n",
    "a.tsv": b"id\tnote\n1\tHe has AIDS.\n",
    "a.jsonl": b'{"text": "He has AIDS."}\n',
    "a.ndjson": b'{"resourceType": "Condition", "code": {"text": "AIDS"}}\n',
    "a.json": b'{"resourceType": "Condition", "code": {"text": "AIDS"}}\n',
    "a.hl7": HL7,
    "a.parquet": parquet(),
}


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_policy(tmp_path_factory.mktemp("policy")))


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], policy: str) -> Callable[..., tuple[int, bytes, str]]:
    def command(name: str, *arguments: object) -> tuple[int, bytes, str]:
        code = cli.main([name, "--policy", policy, *map(str, arguments)])
        out, err = capsysbinary.readouterr()
        return code, out, err.decode()

    return command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / "in" / "below").mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / "below" / name).write_bytes(content)
    (tmp_path / "in" / "sheet.xlsx").write_bytes(b"AIDS")
    (tmp_path / "in" / "package.json").write_bytes(b'{"name": "AIDS"}')
    return tmp_path / "in"


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def leaks(content: bytes) -> list[bytes]:
    return [secret for secret in SECRETS if secret in content]


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_every_kind_is_sanitized_in_place_and_verified(run: Any, tmp_path: Path, name: str) -> None:
    source, out, proof, kept = tmp_path / name, tmp_path / "out" / name, tmp_path / "c.json", tmp_path / "r.json"
    source.write_bytes(FILES[name])
    (tmp_path / "out").mkdir()
    assert run("verify", source)[0] == 1
    code, told, err = run("sanitize", source, "-o", out, "--certificate", proof, "--record", kept)
    assert (code, told, err) == (0, b"", "")
    assert leaks(out.read_bytes()) == []
    code, told, err = run("verify", out, "--certificate", proof)
    assert (code, err) == (0, "")
    assert b"The certificate holds." in told
    assert leaks(proof.read_bytes()) == []
    assert (kept.stat().st_mode & 0o777) == 0o600


@pytest.mark.parametrize("processes", [1, 2])
def test_a_folder_is_mirrored_with_every_known_kind_and_no_other(run: Any, folder: Path, tmp_path: Path, processes: int) -> None:
    code, _, err = run("sanitize", folder, "-o", tmp_path / "out", "--processes", processes, "--verbose")
    assert code == 0, err
    assert files(tmp_path / "out") == sorted(f"below/{name}" for name in FILES)
    assert all(leaks((tmp_path / "out" / "below" / name).read_bytes()) == [] for name in FILES if name != "a.parquet")
    assert "sheet.xlsx: passed over" in err
    assert "package.json: passed over" in err
    assert [line.split()[-1] for line in err.splitlines()[-2:]] == [str(len(FILES)), "2"]


@pytest.mark.parametrize("name", ["a.html", "a.csv", "a.hl7", "a.json", "a.parquet"])
@pytest.mark.parametrize("form", ["json", "html"])
def test_answers_and_pages_work_from_the_text(run: Any, tmp_path: Path, name: str, form: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    code, out, err = run("sanitize", tmp_path / name, "--format", form)
    assert (code, err) == (0, "")
    assert leaks(out) == []
    if form == "json":
        told = [json.loads(line) for line in out.splitlines()] if name != "a.html" else [json.loads(out)]
        assert {"text", "decisions", "certificate"} <= set(told[0])


def test_a_file_that_is_not_what_its_name_says_is_refused(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"He has AIDS.")
    code, out, err = run("sanitize", tmp_path / "a.docx", "-o", tmp_path / "b.docx")
    assert (code, out) == (4, b"")
    assert err == "a.docx: F101 Its name says that it is a Word document, and it is something else.\n"
    assert files(tmp_path) == ["a.docx"]


def test_standard_input_is_known_by_its_content(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HL7)))
    code, out, _ = run("sanitize")
    assert code == 0
    assert out.endswith(b"NTE|1||He has an infection.\r")


def test_what_is_no_text_never_goes_to_a_terminal(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.parquet").write_bytes(FILES["a.parquet"])
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    code, out, err = run("sanitize", tmp_path / "a.parquet")
    assert (code, out) == (4, b"")
    assert "nothing for a terminal" in err


def test_what_is_no_text_is_not_called_one(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(FILES["a.parquet"])
    assert run("sanitize", tmp_path / "a.parquet", "-o", tmp_path / "b.txt")[0] == 4
    assert files(tmp_path) == ["a.parquet"]


def test_columns_are_chosen_by_name(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"id,a,b,c\n1,AIDS,AIDS,AIDS\n")
    code, out, _ = run("sanitize", tmp_path / "a.csv", "--field", "a", "--field", "b", "--keep", "id")
    assert (code, out) == (0, b"id,a,b\n1,Infection,Infection\n")
    code, _, err = run("sanitize", tmp_path / "a.csv", "--field", "a", "--keep", "a")
    assert code == 2
    assert "give one of --field and --keep" in err


def test_one_ragged_row_and_nothing_is_written(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a,b\n" + b"1,AIDS\n" * 300 + b"AIDS\n")
    code, out, err = run("sanitize", tmp_path / "a.csv", "-o", tmp_path / "out.csv", "--certificate", tmp_path / "c")
    assert (code, out) == (4, b"")
    assert err == "a.csv:302: F105 The row has 1 cell and the heading 2. Put quotes around a cell that holds a separator.\n"
    assert files(tmp_path) == ["a.csv"]


def test_a_paragraph_in_another_language_stops_the_release(run: Any, tmp_path: Path) -> None:
    german = "Der Patient ist seit zwei Jahren bei uns und hat keine Schmerzen mehr, aber er schläft nicht."
    (tmp_path / "a.txt").write_text(f"He rests.\n\n{german}\n")
    code, out, err = run("sanitize", tmp_path / "a.txt", "-o", tmp_path / "out.txt")
    assert (code, out) == (1, b"")
    assert err.startswith("a.txt: S104 The paragraph in line 3 seems to be in German, which the reader does not know.")
    assert "Patient ist" not in err
    assert files(tmp_path) == ["a.txt"]
    (tmp_path / "a.csv").write_text(f'id,note\n1,Fine.\n2,"{german}"\n')
    assert run("sanitize", tmp_path / "a.csv")[2].startswith("a.csv:3: S104 ")
    code, out, _ = run("verify", tmp_path / "a.txt")
    assert code == 1
    assert b"a.txt:3:1: spans: a paragraph stands here in a language that the reader does not know." in out


@pytest.mark.parametrize("name", ["big.csv", "big.jsonl"])
def test_a_file_without_end_passes_through_in_flat_memory(tmp_path: Path, policy: str, name: str) -> None:
    """The file comes through a pipe and is never whole anywhere; the sanitizer changes nothing, so that only the frame is measured."""
    row = b'{"text": "%s"}\n' % (b"He rests. " * 100) if name.endswith("l") else b"1,%s\n" % (b"He rests. " * 100)
    script = f"""
import resource, sys
from kgsan import cli
from kgsan.sanitize.result import SanitizedDocument
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sanitize.wording import Rewritten
Sanitizer.sanitize_block = lambda self, texts: [SanitizedDocument(text, (), 1.0, 1, Rewritten(text, ())) for text in texts]
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
cli.main(["sanitize", {str(tmp_path / ("small-" + name))!r}, "--policy", {policy!r}, "-o", {str(tmp_path / ("o-" + name))!r}])
before = peak()
code = cli.main(["sanitize", {str(tmp_path / name)!r}, "--policy", {policy!r}, "-o", {str(tmp_path / ("out-" + name))!r}])
print(code, (peak() - before) // 1024)
"""
    head = b"" if name.endswith("l") else b"id,note\n"
    (tmp_path / f"small-{name}").write_bytes(head + row * 300)
    os.mkfifo(tmp_path / name)
    rows = 50_000_000 // len(row)

    def feed() -> None:
        with (tmp_path / name).open("wb") as pipe:
            pipe.write(head)
            for _ in range(rows // 100):
                pipe.write(row * 100)

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=100)
    code, megabytes = map(int, done.stdout.split())
    assert code == 0, done.stderr
    assert megabytes < 20
    assert (tmp_path / f"out-{name}").stat().st_size == len(head) + len(row) * (rows // 100 * 100)
