"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest

from kgsan.report.output import Drafts, FileError, read_lines, read_text

if TYPE_CHECKING:
    from pathlib import Path


def test_files_appear_together_and_leave_no_draft(tmp_path: Path) -> None:
    with Drafts() as drafts:
        drafts.begin(tmp_path / "a.txt").write("á")
        drafts.begin(tmp_path / "b.txt").write(b"b")
        assert not (tmp_path / "a.txt").exists()
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.txt"]
    assert (tmp_path / "a.txt").read_bytes() == "á".encode()


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, MemoryError, SystemExit])
def test_an_error_leaves_everything_as_it_was(tmp_path: Path, failure: type[BaseException]) -> None:
    (tmp_path / "a.txt").write_text("old")

    def fail() -> None:
        with Drafts() as drafts:
            drafts.begin(tmp_path / "a.txt").write("new")
            drafts.begin(tmp_path / "b.txt").write("new")
            raise failure

    with pytest.raises(failure):
        fail()
    assert os.listdir(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


@pytest.mark.parametrize("step", ["fsync", "write"])
def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def write() -> None:
        with Drafts() as drafts:
            draft = drafts.begin(tmp_path / "a.txt")
            if step == "fsync":
                monkeypatch.setattr(os, "fsync", full)
            else:
                draft._stream.close()
                draft._stream = _Full()
            draft.write("text")

    class _Full:
        write = flush = full

        def close(self) -> None:
            full()

    with pytest.raises(FileError) as caught:
        write()
    assert str(caught.value) == "a.txt: It cannot be written: there is no space left on the disk."
    assert os.listdir(tmp_path) == []


def test_what_is_private_is_for_its_owner_only(tmp_path: Path) -> None:
    with Drafts() as drafts:
        drafts.begin(tmp_path / "record.json", private=True).write("{}")
    assert stat.S_IMODE((tmp_path / "record.json").stat().st_mode) == 0o600


def test_what_is_no_ordinary_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError) as caught, Drafts() as drafts:
        drafts.begin(tmp_path / "pipe")
    assert "no ordinary file" in str(caught.value)


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with Drafts() as drafts:
        drafts.begin(tmp_path / "link").write("x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "x"


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught, Drafts() as drafts:
        drafts.begin(tmp_path / "none" / "a.txt")
    assert str(caught.value) == "a.txt: There is no such folder to write it to."


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"%PDF-1.7", "This is a PDF, not plain text."),
        (b"PK\x03\x04", "such as a Word document"),
        (b"{\\rtf1 H\\'49V}", "RTF"),
        ("text".encode("utf-16"), "looks like UTF-16"),
        (b"one\ntwo \xe9", "a.txt:2: From here on it is not text in UTF-8."),
    ],
)
def test_what_is_no_plain_text_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(FileError) as caught:
        read_text(tmp_path / "a.txt")
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["", "\r\n\r\n", "a\x00b\x07\x1b[2J\x85c", "no end", "é\u0301\u200b\n"])
def test_a_text_is_read_letter_for_letter(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert read_text(tmp_path / "a.txt") == text


def test_the_mark_of_utf8_is_not_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbftext")
    assert read_text(tmp_path / "a.txt") == "text"


def test_lines_are_numbered_and_empty_ones_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbfone\n\n  \nfour\x85still four")
    (tmp_path / "b.jsonl").write_bytes(b"")
    assert [*read_lines(tmp_path / "b.jsonl")] == []
    with pytest.raises(FileError) as caught:
        [*read_lines(tmp_path / "a.jsonl")]
    assert "a.jsonl:4:" in str(caught.value)


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / "a.txt").write_text("x")
    monkeypatch.setattr(type(tmp_path), "open", refused)
    with pytest.raises(FileError) as caught:
        read_text(tmp_path / "a.txt")
    assert str(caught.value) == "a.txt: The file may not be read by this user."


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    for path, told in ((tmp_path / "no.txt", "There is no such file."), (tmp_path, "This is a folder, not a file.")):
        with pytest.raises(FileError) as caught:
            read_text(path)
        assert told in str(caught.value)
