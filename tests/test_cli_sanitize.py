"""`kgsan sanitize` as a user meets it."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from kgsan import cli
from kgsan.errors import Place, Problem
from kgsan.report.output import Draft
from kgsan.report.record import is_record_of
from kgsan.sanitize.result import NotSafe, SanitizedDocument
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sanitize.wording import Rewritten
from tests.report.toy import NOTE, SECRETS, write_policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SAFE = "He wears hearing aids.\n"


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_policy(tmp_path_factory.mktemp("policy")))


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(NOTE)
    return path


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder with three texts, one of them in a folder below, and two files of other kinds."""
    folder = tmp_path / "in"
    (folder / "ward").mkdir(parents=True)
    (folder / "a.txt").write_text(NOTE)
    (folder / "b.md").write_text(SAFE)
    (folder / "ward" / "c.txt").write_text(NOTE)
    (folder / "scan.xyz").write_bytes(b"%XYZ-")
    (folder / ".hidden.txt").write_text(NOTE)
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], policy: str) -> Callable[..., tuple[int, str, str]]:
    def sanitize(*arguments: object) -> tuple[int, str, str]:
        code = cli.main(["sanitize", "--policy", policy, *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return sanitize


def leaks(*told: str) -> list[str]:
    return [secret for secret in SECRETS if any(secret in one for one in told)]


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def failing(error: BaseException, after: int = 0) -> Callable[..., Any]:
    """`Sanitizer.sanitize`, which fails once it was called so many times."""
    calls = [0]
    real = Sanitizer.sanitize

    def sanitize(self: Sanitizer, text: str, *more: Any, **named: Any) -> Any:
        calls[0] += 1
        if calls[0] > after:
            raise error
        return real(self, text, *more, **named)

    return sanitize


# --- one text ---------------------------------------------------------------------------------------------------------------


def test_a_text_goes_to_standard_output_and_nothing_else_does(run: Any, note: Path) -> None:
    code, out, err = run(note)
    assert (code, err) == (0, "")
    assert out.startswith("Mr. Alder has ")
    assert out.endswith("ibuprofen.\n")
    assert leaks(out) == []


@pytest.mark.parametrize("arguments", [["-"], []])
def test_standard_input_is_read(run: Any, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NOTE.encode())))
    code, out, _ = run(*arguments)
    assert code == 0
    assert leaks(out) == []


def test_a_file_is_written_and_the_input_stays(run: Any, note: Path, tmp_path: Path) -> None:
    code, out, err = run(note, "-o", tmp_path / "out.txt")
    assert (code, out, err) == (0, "", "")
    assert leaks((tmp_path / "out.txt").read_text()) == []
    assert note.read_text() == NOTE
    assert files(tmp_path) == ["note.txt", "out.txt"]


def test_a_folder_as_output_takes_the_name_of_the_text(run: Any, note: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert run(note, "-o", tmp_path / "out")[0] == 0
    assert files(tmp_path / "out") == ["note.txt"]


def test_line_ends_and_control_characters_stay(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"One.\r\nHe has AIDS.\x07\x00\r\n\x0c")
    assert run(tmp_path / "a.txt", "-o", tmp_path / "out.txt")[0] == 0
    made = (tmp_path / "out.txt").read_bytes()
    assert made.startswith(b"One.\r\n")
    assert made.endswith(b"\x07\x00\r\n\x0c")


def test_an_empty_text_stays_empty(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    assert run(tmp_path / "a.txt", "-o", tmp_path / "out.txt")[0] == 0
    assert (tmp_path / "out.txt").read_bytes() == b""


def test_json_tells_only_what_may_be_known(run: Any, note: Path) -> None:
    code, out, err = run(note, "--format", "json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert set(told) == {"text", "decisions", "certificate"}
    for decision in told["decisions"]:
        assert set(decision) == {"new_start", "new_end", "action", "replacement"}
    assert leaks(out) == []


def test_json_tells_everything_when_asked(run: Any, note: Path) -> None:
    code, out, _ = run(note, "--format", "json", "--reveal")
    told = json.loads(out)
    assert code == 0
    assert set(told) == {"text", "decisions", "certificate", "utility_kept", "record"}
    wanted = "start end action rule entity revealed limit replacement new_start new_end because evidence".split()
    assert all(set(decision) == set(wanted) for decision in told["decisions"])
    assert is_record_of(told["record"], NOTE)


def test_offsets_of_decisions_point_into_the_new_text(run: Any, note: Path) -> None:
    told = json.loads(run(note, "--format", "json")[1])
    for decision in told["decisions"]:
        part = told["text"][decision["new_start"] : decision["new_end"]]
        assert part == "[REDACTED]" if decision["replacement"] is None else decision["replacement"] in part


def test_reasons_go_to_standard_error_when_asked(run: Any, note: Path) -> None:
    code, out, err = run(note, "--reveal")
    assert code == 0
    assert leaks(out) == []
    assert "note.txt:1:15: 'AIDS' was " in err
    assert "the limit is 67 %" in err


def test_a_sign_that_would_steer_the_terminal_is_not_printed(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("He has AIDS.\nHe takes zido\u00advudine\x1b[2J daily.\n")
    _, _, err = run(tmp_path / "a.txt", "--reveal")
    assert "\x1b" not in err


def test_strictness_stands_over_that_of_the_policy(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("He has an infection.\n")
    assert run(tmp_path / "a.txt")[1] == "He has an infection.\n"
    code, out, _ = run(tmp_path / "a.txt", "--strictness", "3")
    assert code == 0
    assert "infection" not in out


def test_strictness_stands_over_that_of_an_entity(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_policy(tmp_path / "policy", protect="[{entity: HIV, strictness: 3}]")
    (tmp_path / "a.txt").write_text("He has an infection.\n")
    for more, stays in (((), False), (("--strictness", "1.5"), True)):
        assert cli.main(["sanitize", str(tmp_path / "a.txt"), "--policy", str(path), *more]) == 0
        assert ("infection" in capsys.readouterr().out) is stays


@pytest.mark.parametrize("wrong", ["0.5", "many", "nan", "1/0", "1e9", "-2", ""])
def test_a_wrong_strictness_is_wrong_usage(run: Any, note: Path, wrong: str) -> None:
    with pytest.raises(SystemExit) as caught:
        run(note, f"--strictness={wrong}")
    assert caught.value.code == 2


def test_redact_puts_nothing_in_place_of_words(run: Any, note: Path) -> None:
    assert "drug" in run(note)[1]
    code, out, _ = run(note, "--redact")
    assert code == 0
    assert "drug" not in out
    assert out.count("[REDACTED]") == 3


def test_the_method_is_handed_on_and_its_result_is_read_again(run: Any, note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(self: Sanitizer, text: str, **_: Any) -> SanitizedDocument:
        assert self.policy.method == "csan"
        return SanitizedDocument(text, (), 1.0, 1, Rewritten(text, ()))

    monkeypatch.setattr(Sanitizer, "sanitize", leaky)
    code, out, err = run(note, "--method", "csan")
    assert (code, out) == (1, "")
    assert err == "note.txt: The text could not be made safe by the method 'csan'; nothing was written.\n"


def test_spans_of_another_tool_are_hidden_too(run: Any, note: Path, tmp_path: Path) -> None:
    (tmp_path / "spans.json").write_text(json.dumps([{"start": 4, "end": 9, "label": "PERSON"}]))
    code, out, _ = run(note, "--spans", tmp_path / "spans.json")
    assert code == 0
    assert "Alder" not in out


def test_wrong_spans_are_told_and_nothing_is_written(run: Any, note: Path, tmp_path: Path) -> None:
    (tmp_path / "spans.json").write_text(json.dumps([{"start": 4, "end": 9999, "label": "PERSON"}]))
    code, out, err = run(note, "--spans", tmp_path / "spans.json", "-o", tmp_path / "out.txt")
    assert (code, out) == (4, "")
    assert "X108" in err
    assert files(tmp_path) == ["note.txt", "spans.json"]


def test_certificate_and_record_are_written_beside(run: Any, note: Path, tmp_path: Path, policy: str) -> None:
    out, proof, kept = tmp_path / "out.txt", tmp_path / "c.json", tmp_path / "private.json"
    assert run(note, "-o", out, "--certificate", proof, "--record", kept)[0] == 0
    assert leaks(proof.read_text()) == []
    assert is_record_of(json.loads(kept.read_text()), NOTE)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert cli.main(["verify", str(out), "--policy", policy, "--certificate", str(proof)]) == 0


# --- JSON lines -------------------------------------------------------------------------------------------------------------


def test_json_lines_keep_their_order_and_only_the_fields_asked_for(run: Any, tmp_path: Path) -> None:
    rows = [{"id": 1, "text": NOTE, "patient": "Alder"}, {"id": 2, "text": SAFE}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n\n" for row in rows))
    code, out, _ = run(tmp_path / "a.jsonl", "--keep", "id")
    told = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [set(row) for row in told] == [{"id", "text"}, {"id", "text"}]
    assert told[1]["text"] == SAFE
    assert leaks(out) == []


def test_the_field_of_the_text_can_be_named(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"body": NOTE}))
    code, out, err = run(tmp_path / "a.jsonl")
    assert (code, out) == (4, "")
    assert err == "a.jsonl:1: The line has no text in the field 'text'. Name the field that holds the text with --field.\n"
    code, out, _ = run(tmp_path / "a.jsonl", "--field", "body", "--format", "jsonl")
    assert code == 0
    assert set(json.loads(out)) == {"text", "decisions", "certificate"}


@pytest.mark.parametrize("line", ["{", "[1]", "7", "null", "[" * 100_000, '{"text": 3}'])
def test_one_wrong_line_stops_the_whole_file(run: Any, tmp_path: Path, line: str) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": NOTE}) + "\n" + line + "\n")
    code, out, err = run(tmp_path / "a.jsonl", "-o", tmp_path / "out.jsonl")
    assert (code, out) == (4, "")
    assert err.startswith("a.jsonl:2: The line ")
    assert files(tmp_path) == ["a.jsonl"]


def test_half_a_pair_of_utf16_survives(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "He has AIDS \\ud83d"}\n')
    code, out, _ = run(tmp_path / "a.jsonl")
    assert code == 0
    assert json.loads(out)["text"].endswith("\ud83d")


# --- many texts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("processes", [1, 2])
def test_a_folder_is_mirrored(run: Any, notes: Path, tmp_path: Path, processes: int) -> None:
    code, out, err = run(notes, "-o", tmp_path / "out", "--processes", processes)
    assert (code, out) == (0, "")
    assert files(tmp_path / "out") == ["a.txt", "b.md", "ward/c.txt"]
    assert leaks(*(path.read_text() for path in (tmp_path / "out").rglob("*.*"))) == []
    assert (tmp_path / "out" / "b.md").read_text() == SAFE
    assert [line.split() for line in err.splitlines()] == [
        ["written", "3"],
        "passed over: of a kind that is not read, or hidden 2".split(),
    ]


def test_certificates_and_records_of_many_go_to_folders(run: Any, notes: Path, tmp_path: Path) -> None:
    out, proof, kept = tmp_path / "out", tmp_path / "proof", tmp_path / "private"
    assert run(notes, "-o", out, "--certificate", proof, "--record", kept, "--format", "json")[0] == 0
    assert files(out) == ["a.txt.json", "b.md.json", "ward/c.txt.json"]
    assert files(proof) == ["a.txt.certificate.json", "b.md.certificate.json", "ward/c.txt.certificate.json"]
    assert files(kept) == ["a.txt.record.json", "b.md.record.json", "ward/c.txt.record.json"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["{in}"], "Several texts need a folder"),
        (["{in}", "-o", "-"], "Several texts need a folder"),
        (["{in}", "-o", "{in}"], "Nothing is written into a folder that is read"),
        (["{in}", "-o", "{in}/ward/out"], "Nothing is written into a folder that is read"),
        (
            ["{in}", "-o", "{tmp}/out", "--record", "{tmp}/out/private"],
            "may not lie in the folder of the texts that are released",
        ),
        (["{in}", "-o", "{tmp}/out", "--certificate", "{in}"], "Nothing is written into a folder that is read"),
        (["{in}", "-o", "{tmp}/file"], "there is a file of this name"),
        (["{in}", "-o", "{tmp}/out", "--reveal"], "--reveal needs --format json"),
        (["{in}", "-o", "{tmp}/out", "--spans", "{tmp}/file"], "--spans is about one text"),
        (["{in}/a.txt", "{in}/ward/../a.txt", "-o", "{tmp}/out"], "Two results would be written to one file"),
        (["{in}/a.txt", "-o", "{in}/a.txt"], "would be written over a text that is read"),
        (["{in}/a.txt", "-o", "{tmp}/link"], "would be written over a text that is read"),
        (["{in}/a.txt", "-o", "{tmp}/hard"], "would be written over a text that is read"),
        (["{in}/a.txt", "--certificate", "{in}/a.txt"], "would be written over a text that is read"),
        (["{in}/a.txt", "{in}/b.md", "-o", "{tmp}/onto"], "would be written over a text that is read"),
        (["{in}/a.txt", "-o", "{tmp}/x", "--record", "{tmp}/x"], "cannot be one file"),
        (["-", "{in}/a.txt"], "given alone"),
    ],
)
def test_what_would_write_over_or_among_the_inputs_is_wrong_usage(
    run: Any, notes: Path, tmp_path: Path, arguments: list[str], told: str
) -> None:
    (tmp_path / "file").write_text("[]")
    (tmp_path / "link").symlink_to(notes / "a.txt")
    os.link(notes / "a.txt", tmp_path / "hard")
    (tmp_path / "onto").mkdir()
    (tmp_path / "onto" / "b.md").symlink_to(notes / "a.txt")
    before = files(tmp_path)
    code, out, err = run(*(one.format(**{"in": notes, "tmp": tmp_path}) for one in arguments))
    assert (code, out) == (2, "")
    assert told in err
    assert files(tmp_path) == before
    assert (notes / "a.txt").read_text() == NOTE


def test_one_text_that_fails_does_not_stop_the_others(
    run: Any, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (notes / "bad.txt").write_bytes(b"\xff AIDS")
    code, _, err = run(notes, "-o", tmp_path / "out")
    assert code == 4
    assert "bad.txt:1: From here on it is not text in UTF-8." in err
    assert files(tmp_path / "out") == ["a.txt", "b.md", "ward/c.txt"]
    monkeypatch.setattr(Sanitizer, "sanitize", failing(NotSafe(Problem("S101", Place("toy"), "")), after=1))
    code, _, err = run(notes, "-o", tmp_path / "again")
    assert code == 1
    assert "b.md: The text could not be made safe; nothing was written." in err
    assert files(tmp_path / "again") == ["a.txt"]


def test_an_interruption_leaves_only_whole_files(run: Any, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sanitizer, "sanitize", failing(KeyboardInterrupt(), after=1))
    code, _, err = run(notes, "-o", tmp_path / "out")
    assert code == 130
    assert "Interrupted. Every text that was written is whole." in err
    assert files(tmp_path / "out") == ["a.txt"]


def test_an_interruption_from_the_terminal_stops_all_processes(tmp_path: Path, policy: str) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number}.txt").write_text(NOTE * 20)
    command = [sys.executable, "-m", "kgsan.cli", "sanitize", str(folder), "--policy", policy, "-o", str(out), "--processes", "2"]
    work = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and work.poll() is None and len(list(out.glob("*.txt"))) < 5:
        time.sleep(0.05)
    os.killpg(work.pid, signal.SIGINT)
    _, err = work.communicate(timeout=60)
    assert work.returncode == 130, err
    assert "Traceback" not in err
    made = [path.read_text() for path in out.iterdir()]
    assert 5 <= len(made) < 400
    assert not list(out.glob(".*"))
    assert len(set(made)) == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the file that was never closed
def test_an_interruption_while_tidying_up_leaves_nothing_either(
    run: Any, note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Draft, "finish", interrupted)
    monkeypatch.setattr(Draft, "discard", interrupted)
    code, out, _ = run(note, "-o", tmp_path / "out.txt")
    assert (code, out) == (130, "")
    assert files(tmp_path) == ["note.txt"]


# --- what goes wrong --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyError("zidovudine"), ZeroDivisionError("AIDS"), RecursionError(NOTE), OSError(5, "AIDS")])
def test_an_unexpected_error_is_one_sentence_without_its_words(
    run: Any, note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(Sanitizer, "sanitize", failing(error))
    code, out, err = run(note, "-o", tmp_path / "out.txt", "--certificate", tmp_path / "c", "--record", tmp_path / "r")
    assert (code, out) == (1, "")
    assert err.startswith(f"note.txt: An unexpected error ({type(error).__name__} in ")
    assert err.count("\n") == 1
    assert leaks(err) == []
    assert files(tmp_path) == ["note.txt"]


def test_an_unexpected_error_outside_of_any_text_is_one_sentence_too(
    run: Any, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise IndexError("AIDS")

    monkeypatch.setattr(Sanitizer, "__init__", broken)
    code, out, err = run(note)
    assert (code, out) == (1, "")
    assert err.startswith("An unexpected error (IndexError")
    assert leaks(err) == []


def test_a_text_that_cannot_be_made_safe_is_not_written(
    run: Any, note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sanitizer, "sanitize", failing(NotSafe(Problem("S101", Place("toy"), "AIDS"))))
    code, out, err = run(note, "-o", tmp_path / "out.txt")
    assert (code, out, err) == (1, "", "note.txt: The text could not be made safe; nothing was written.\n")
    assert files(tmp_path) == ["note.txt"]


def test_a_result_that_does_not_verify_is_not_given_out(run: Any, note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sanitizer, "verify", lambda self, text: [object()])
    code, out, _ = run(note, "--format", "json")
    assert (code, out) == (1, "")


def test_a_full_disk_leaves_nothing(run: Any, note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, out, err = run(note, "-o", tmp_path / "out.txt", "--record", tmp_path / "r.json")
    assert (code, out) == (4, "")
    assert err == "r.json: It cannot be written: there is no space left on the disk.\n"
    assert files(tmp_path) == ["note.txt"]


def test_too_little_memory_is_told(run: Any, note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sanitizer, "sanitize", failing(MemoryError()))
    code, out, err = run(note)
    assert (code, out) == (4, "")
    assert "not enough memory" in err


def test_a_missing_text_is_code_4(run: Any, tmp_path: Path) -> None:
    code, out, err = run(tmp_path / "none.txt")
    assert (code, out) == (4, "")
    assert err == "none.txt: There is no such file or folder. Check the spelling of its name and folder.\n"


def test_an_empty_folder_is_code_4(run: Any, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    code, _, err = run(tmp_path / "in", "-o", tmp_path / "out")
    assert code == 4
    assert "holds no text that kgsan reads" in err


@pytest.mark.parametrize(
    ("fields", "code", "told"),
    [
        ({"protect": "[HIVV]"}, 2, "P201 No ontology knows 'HIVV'."),
        ({"strictness": "0.1"}, 2, "P106"),
        ({"ontologies": "[/nowhere/none.owl]"}, 3, "O101"),
        ({"knowledge": "[/nowhere/none.kgk]"}, 3, "K101"),
    ],
)
def test_wrong_policies_and_sources_have_their_codes(
    tmp_path: Path, note: Path, capsys: pytest.CaptureFixture[str], fields: dict[str, str], code: int, told: str
) -> None:
    path = write_policy(tmp_path / "policy", **fields)
    assert cli.main(["sanitize", str(note), "--policy", str(path), "-o", str(tmp_path / "out.txt")]) == code
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_a_large_text_passes_through_in_little_memory(tmp_path: Path, policy: str) -> None:
    """The command itself, around a sanitizer that changes nothing, holds a text a few times at most."""
    (tmp_path / "big.txt").write_bytes(b"No line ends here. " * (50_000_000 // 19))
    script = f"""
import resource, sys
from kgsan import cli
from kgsan.sanitize.result import SanitizedDocument
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sanitize.wording import Rewritten
Sanitizer.sanitize = lambda self, text, **_: SanitizedDocument(text, (), 1.0, 1, Rewritten(text, ()))
cli.main(["sanitize", {str(tmp_path / "note.txt")!r}, "--policy", {policy!r}, "-o", {str(tmp_path / "o.txt")!r}])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
code = cli.main(["sanitize", {str(tmp_path / "big.txt")!r}, "--policy", {policy!r}, "-o", {str(tmp_path / "out.txt")!r}])
print(code, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    (tmp_path / "note.txt").write_text(NOTE)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    code, megabytes = map(int, done.stdout.split())
    assert code == 0
    assert megabytes < 250
    assert (tmp_path / "out.txt").stat().st_size == (tmp_path / "big.txt").stat().st_size
