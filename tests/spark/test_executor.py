"""What leaves an executor when something goes wrong, tried without Spark."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

import pytest

import kgsan
from kgsan import cli
from kgsan.errors import KnowledgeError, Place, Problem
from kgsan.policy.read import shipped_policies
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.spark import executor
from kgsan.spark.counting import _runs, ranges_for
from kgsan.spark.executor import Outcome, WorkStopped, work
from kgsan.spark.frames import packed
from kgsan.spark.parcel import Parcel, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kgsan.sanitize.result import SanitizedDocument


@pytest.mark.parametrize("name", sorted(shipped_policies()))
def test_a_policy_arrives_as_it_was_sent(name: str) -> None:
    policy = kgsan.load_policy(name)
    arrived = unpack(pack(Parcel(policy, ("mesh",), ("english",), True, {"kgsan": "1"})))
    assert arrived.policy == policy
    assert arrived.policy.digest == policy.digest
    assert arrived.policy.protect[:1] == policy.protect[:1]
    assert [one.place for one in arrived.policy.protect] == [one.place for one in policy.protect]
    assert (arrived.ontologies, arrived.knowledge, arrived.redact, arrived.setting) == (
        ("mesh",),
        ("english",),
        True,
        {"kgsan": "1"},
    )


def test_relative_paths_are_sent_from_the_root(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.parent)
    toy.write_text(toy.read_text().replace(str(toy.with_name("toy.ttl")), "toy.ttl"))
    sent = unpack(packed(toy))
    assert sent.ontologies == (str(toy.with_name("toy.ttl")),)
    assert sent.policy.ontologies == ("toy.ttl",)
    assert sent.knowledge == ("taxonomy",)


@pytest.fixture
def failing(toy: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A parcel whose sanitizer quotes the text when it meets the word "trap", and calls a source wrong at "source"."""
    honest = Sanitizer.sanitize_block

    def block(self: Sanitizer, texts: Sequence[str]) -> list[SanitizedDocument]:
        for text in texts:
            if "trap" in text:
                raise ValueError(text)
            if "source" in text:
                raise KnowledgeError(Problem("K111", Place("my.kgk"), "It does not agree with itself."))
        return honest(self, texts)

    monkeypatch.setattr(Sanitizer, "sanitize_block", block)
    monkeypatch.setattr(Sanitizer, "sanitize", lambda self, text, spans=(): block(self, [text])[0])
    executor.sanitizer_of.cache_clear()
    return packed(toy)


def test_an_error_that_quotes_a_text_is_not_passed_on(failing: bytes) -> None:
    with pytest.raises(WorkStopped) as caught:
        work(failing, [b"fine", b"Quillfeather in a trap"], stop=True)
    assert str(caught.value).startswith("S101 An unexpected error (ValueError")
    assert "Quillfeather" not in str(caught.value)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


def test_only_the_text_that_fails_becomes_null(failing: bytes) -> None:
    done = work(failing, [b"fine", None, b"a trap", b"\xff", b"also fine"], stop=False)
    assert [one[:2] for one in done] == [("fine", None), (None, None), (None, "S101"), (None, "V201"), ("also fine", None)]


def test_a_wrong_source_stops_the_work_even_where_null_is_wanted(failing: bytes) -> None:
    with pytest.raises(WorkStopped, match=r"my\.kgk: K111 It does not agree with itself\."):
        work(failing, [b"fine", b"source"], stop=False)


def test_many_texts_keep_their_order(toy: Path) -> None:
    values = [None if number % 7 == 0 else f"text {number}".encode() for number in range(1000)]
    assert work(packed(toy), values, stop=True) == [Outcome(None if one is None else one.decode()) for one in values]


def test_another_version_of_kgsan_is_refused(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = packed(toy)
    monkeypatch.setattr(executor, "own_version", lambda: "0.0.7")
    executor.sanitizer_of.cache_clear()
    with pytest.raises(WorkStopped, match=r"this executor 0\.0\.7: install the same"):
        work(sent, [b"fine"], stop=False)


# --- building -------------------------------------------------------------------------------------------------------------


def test_files_are_parted_in_their_order_into_runs_of_some_size(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number:02}.txt" for number in range(20)]
    for path in paths:
        path.write_bytes(b"x" * 300_000)
    runs = _runs(paths, cores=2)
    assert [path for run in runs for path in run] == paths
    assert [len(run) for run in runs] == [3] * 6 + [2]
    assert ranges_for(paths) == 1


def test_without_pyspark_one_sentence_tells_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyspark"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    (tmp_path / "a.txt").write_text("Some text.")
    (tmp_path / "toy.csv").write_text("id,name,parents\nT:1,thing,\n")
    arguments = ["knowledge", "build", str(tmp_path / "a.txt"), "--in", str(tmp_path / "toy.csv"), "-o", str(tmp_path / "my.kgk")]
    assert cli.main([*arguments, "--engine", "spark"]) == 2
    assert "spark: E113 This needs pyspark 4.1 or newer" in capsys.readouterr().err
    assert not [*tmp_path.glob("*my.kgk*")]


def test_a_cluster_needs_the_engine_that_uses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Some text.")
    assert cli.main(["knowledge", "build", str(tmp_path / "a.txt"), "-o", "my.kgk", "--master", "local[2]"]) == 2
    assert capsys.readouterr().err == "--master names a Spark cluster: give --engine spark too.\n"


def test_the_package_can_be_imported_without_spark() -> None:
    assert importlib.util.find_spec("kgsan.spark") is not None
