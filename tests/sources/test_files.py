"""Files, folders and archives that nobody vouches for."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from typing import TYPE_CHECKING

import pytest

from kgsan.errors import OntologyError
from kgsan.ontology.load import compile_ontology
from kgsan.sources import files
from kgsan.sources.files import SourceFile, SourceTree, digest, open_source

if TYPE_CHECKING:
    from pathlib import Path


def code(path: Path) -> str:
    with pytest.raises(OntologyError) as caught:
        compile_ontology(path)
    [problem] = caught.value.problems
    assert problem.place.file
    return problem.code


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert code(tmp_path / "none.owl") == "O101"


def test_a_folder_without_an_ontology_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    assert code(tmp_path) == "O102"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"])
def test_a_file_that_grows_without_measure_is_refused(tmp_path: Path, pack: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "UNPACK_FREELY", 1 << 16)
    path = tmp_path / "bomb"
    path.write_bytes(pack(b"@prefix a: <http://a#> .\n" + b" " * (8 << 20)))  # type: ignore[operator]
    assert code(path) == "O105"


def test_a_zip_that_grows_without_measure_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "UNPACK_FREELY", 1 << 16)
    assert code(zipped(tmp_path / "bomb.zip", a=b"\0" * (32 << 20), b=b"")) == "O105"


def test_a_zip_that_lies_about_its_sizes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "UNPACK_FREELY", 1 << 16)
    path = zipped(tmp_path / "liar.zip", a=b"@prefix a: <http://a#> .\n" + b" " * (32 << 20))
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = (1000).to_bytes(4, "little")  # the size after unpacking, in the directory
    path.write_bytes(data)
    assert code(path) == "O105"


@pytest.mark.parametrize("name", ["../evil.owl", "/etc/evil.owl", "a/../../evil.owl", "a\\..\\evil.owl"])
def test_a_zip_that_names_files_outside_itself_is_refused(tmp_path: Path, name: str) -> None:
    assert code(zipped(tmp_path / "x.zip", **{name: b"x", "b": b"y"})) == "O105"


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(b"PK\x03\x04" + b"\0" * 100)
    assert code(path) == "O105"
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"@prefix a: <http://a#> .\n" * 100_000)[:200])
    assert code(path) == "O105"


def test_a_folder_and_its_zip_are_the_same_tree(tmp_path: Path) -> None:
    (tmp_path / "t" / "inner").mkdir(parents=True)
    (tmp_path / "t" / "inner" / "a.txt").write_bytes(b"one")
    (tmp_path / "t" / "b.txt").write_bytes(b"two")
    archive = zipped(tmp_path / "t.zip", **{"inner/a.txt": b"one", "b.txt": b"two", "__MACOSX/b.txt": b"junk"})
    for path in (tmp_path / "t", archive):
        tree = open_source(path)
        assert isinstance(tree, SourceTree)
        assert {name: tree[name].read() for name in tree} == {"b.txt": b"two", "inner/a.txt": b"one"}
        assert "one" not in repr(tree)


def test_a_digest_follows_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    first = digest(open_source(path))
    assert digest(open_source(path)) == first
    path.write_bytes(b"two")
    assert digest(open_source(path)) != first


def test_reading_is_watched(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(gzip.compress(b"x" * 5000))
    seen: list[int] = []
    source = open_source(path, seen.append)
    assert isinstance(source, SourceFile)
    assert source.read() == b"x" * 5000
    assert sum(seen) == 5000


def test_text_is_utf8_or_says_where_it_is_not() -> None:
    assert files.decode(b"\xef\xbb\xbfabc", "x") == "abc"
    assert files.decode("é".encode("utf-16"), "x") == "é"
    with pytest.raises(OntologyError, match="x:3: O104"):
        files.decode(b"a\nb\n\xff", "x")


def test_encrypted_members_are_told(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.owl", b"x" * 100)
    data = bytearray(buffer.getvalue())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path = tmp_path / "e.zip"
    path.write_bytes(data)
    assert code(path) == "O105"
