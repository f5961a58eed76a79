from __future__ import annotations

import gzip
import json
import lzma
from typing import TYPE_CHECKING

import pytest

from kgsan import cli
from kgsan.errors import KnowledgeError
from kgsan.knowledge.texts import contexts, files

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "One two three.\n\nFour\nfive.\n"


def read(path: Path, **options: object) -> list[str]:
    return list(contexts([path], **options))  # type: ignore[arg-type]


def test_paragraphs_come_out_of_every_kind_of_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.jsonl.xz").write_bytes(lzma.compress(json.dumps({"paragraphs": ["One two three.", "Four\nfive."]}).encode()))
    (tmp_path / "c.csv.gz").write_bytes(gzip.compress(f'id,note\n1,"{TEXT}"\n'.encode()))
    (tmp_path / "d.jsonl").write_text(json.dumps({"title": "x", "story": TEXT}) + "\n\n")
    (tmp_path / "ignored.bin").write_bytes(b"\0")
    for name in ("a.txt", "b.jsonl.xz", "c.csv.gz"):
        assert read(tmp_path / name) == ["One two three.", "Four\nfive."]
    assert read(tmp_path / "d.jsonl", field="story") == ["One two three.", "Four\nfive."]
    assert [path.name for path in files([tmp_path])] == ["a.txt", "b.jsonl.xz", "c.csv.gz", "d.jsonl"]


def test_windows_of_words_are_cut_inside_paragraphs_only(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    assert [part.split() for part in read(tmp_path / "a.txt", words=2)] == [["One", "two"], ["three."], ["Four", "five."]]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.jsonl", b"{", "K110"),
        ("a.jsonl", b'{"x": 1}', "K110"),
        ("a.jsonl", b"[" * 100_000, "K110"),
        ("a.csv", b"x,y\n1,2\n", "K110"),
        ("a.txt", b"\xff\xfe", "K102"),
        ("a.txt.xz", b"no xz", "K101"),
        ("a.txt.gz", gzip.compress(b"cut short", mtime=0)[:-4], "K101"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, data: bytes, code: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(KnowledgeError) as caught:
        read(tmp_path / name)
    assert [problem.code for problem in caught.value.problems] == [code]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = cli.main([str(argument) for argument in arguments])
    return code, capsys.readouterr().out


def test_knowledge_is_built_told_asked_and_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["HIV and zidovudine.", "AIDS.", "Influenza."] + ["Nothing much here."] * 297
    (tmp_path / "a.txt").write_text("\n\n".join(lines))
    made = tmp_path / "a.kgk"
    code, out = run(capsys, "knowledge", "build", tmp_path / "a.txt", "-o", made, "--in", "protected", "--public")
    assert code == 0
    assert "300 contexts" in out
    assert "300 contexts" in run(capsys, "knowledge", "info", made)[1]
    code, out = run(
        capsys, "knowledge", "query", made, "zidovudine", "qwertz", "--entity", "HIV", "--in", "protected", "--format", "json"
    )
    rows = json.loads(out)
    assert rows[0]["contexts"] == rows[0]["together"] == 1
    assert rows[0]["share"] == 1.0
    assert rows[1]["contexts"] is None
    twice = tmp_path / "b.kgk"
    assert run(capsys, "knowledge", "merge", made, made, "-o", twice)[0] == 0
    _, out = run(capsys, "knowledge", "query", twice, "zidovudine", "--entity", "HIV", "--in", "protected", "--format", "json")
    assert json.loads(out)[0]["contexts"] == 2
    code, _ = run(capsys, "knowledge", "build", tmp_path / "a.txt", "-o", made, "--in", "protected")
    assert (
        json.loads(run(capsys, "knowledge", "info", made, "--format", "json")[1])["names"] < 20
    )  # what is seen once is left out
