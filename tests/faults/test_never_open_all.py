"""The search that tries every call: a copy of the process fails at each, and the run that it was made of goes on undisturbed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from kgsan import Sanitizer
from kgsan.sanitize.sanitizer import blocks
from kgsan.sanitize.wordless import Unforeseen, wordless
from tests.faults.never_open_all import search_all
from tests.faults.never_open_forking import apart, kind_for
from tests.faults.never_open_injecting import KINDS
from tests.faults.never_open_keeping import Kept
from tests.faults.never_open_scenes import World
from tests.faults.never_open_search import Search
from tests.faults.never_open_watching import Seen, told_of
from tests.faults.never_open_world import NOTE, QUOTED

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs copies of a process")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("never-open"))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGSAN_CACHE", str(tmp_path / "cache"))


def test_every_call_of_a_way_is_tried_and_the_next_search_goes_on(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = tmp_path / "keep"
    told = []
    for part in ((1, 2), (2, 2)):
        assert search_all(world, tmp_path, ["library broken"], part, keep, once=False) == 0
        told.append(capsys.readouterr().out.splitlines()[-2].split())
    (_, _, reachable, first, *_), (_, _, again, both, refused, *rest) = told
    assert int(reachable) == int(again) == int(both) == int(refused) > int(first) > 10
    assert {*rest} == {"0"}


def test_a_call_that_leaks_is_found(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgsan.sanitize.wordless.without_words", lambda error: error)
    scene = world.scenes()["library"]
    found = Search(world, scene, tmp_path, lambda _: "RuntimeError", lambda name: ":Detector.find from" in name).result()
    assert {*found["tried"].values()} == {"refused leaks escaped"}
    assert "traceback: Quillfeather" in found["wrong"][0]


def test_a_call_in_a_thread_is_tried_too(world: World, tmp_path: Path) -> None:
    scene = world.scenes()["service broken"]
    found = Search(world, scene, tmp_path, kind_for(1), lambda name: "Answers.answer from" in name).result()
    assert [*found["tried"].values()] == ["refused"]


def test_over_five_ways_a_call_meets_every_kind_of_error() -> None:
    assert {kind_for(number)("some call") for number in range(5)} == {*KINDS}


def test_a_copy_that_does_not_end_is_ended() -> None:
    assert apart(lambda: "done") == "done"
    assert apart(lambda: os.read(os.pipe()[0], 1), patience=0.1) is None


def test_a_folder_is_put_back_and_who_has_a_file_open_goes_on_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "out").mkdir(parents=True)
    with (folder / "out" / "draft").open("w+b", buffering=0) as stream:
        stream.write(b"one")
        kept = Kept(folder, tmp_path / "kept")
        stream.write(b"two")
        (folder / "out" / "draft").rename(folder / "out" / "whole")
        (folder / "more").mkdir()
        kept.put_back()
        stream.write(b", two")
        assert [path.name for path in sorted(folder.rglob("*"))] == ["out", "draft"]
        assert (folder / "out" / "draft").read_bytes() == b"one, two"


# --- what it found ----------------------------------------------------------------------------------------------------------


def leaks_of(error: BaseException) -> list[str]:
    seen = Seen()
    for where, told in told_of(error):
        seen.add(where, told)
    return seen.leaks()


def broken(*_: Any) -> Any:
    """What quotes the text that it cannot work on."""
    raise ValueError(QUOTED)


def test_an_error_in_the_telling_of_another_says_no_words_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgsan.sanitize.wordless.unforeseen", broken)
    with pytest.raises(Unforeseen) as caught:
        wordless(broken)()
    assert str(caught.value) == "kgsan: S105 An unexpected error stopped the work."
    assert leaks_of(caught.value) == []


def test_an_interruption_in_the_telling_of_an_error_is_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt(QUOTED)

    monkeypatch.setattr("kgsan.sanitize.wordless.unforeseen", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        wordless(broken)()
    assert leaks_of(caught.value) == []


@pytest.mark.parametrize("kind", list(KINDS))
def test_an_error_in_the_telling_of_why_an_executor_stopped_says_no_words(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    from kgsan.spark import executor

    def fail(*_: Any) -> Any:
        raise KINDS[kind]()

    monkeypatch.setattr(executor, "_stopped", fail)
    with pytest.raises((executor.WorkStopped, KeyboardInterrupt)) as caught:
        executor.work(b"no parcel", [NOTE.encode()], stop=True)
    assert leaks_of(caught.value) == []


class Quoting(str):
    """A text that quotes itself when it is measured."""

    def __len__(self) -> int:
        raise ValueError(QUOTED)


def test_what_goes_wrong_while_texts_are_put_into_blocks_is_told_without_words(world: World) -> None:
    with pytest.raises(Unforeseen) as caught:
        next(blocks([Quoting(NOTE)]))
    assert leaks_of(caught.value) == []
    with pytest.raises(Unforeseen):
        list(world.sanitizer.sanitize_many([Quoting(NOTE)]))


def test_what_goes_wrong_before_the_first_of_many_texts_is_told_without_words(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgsan.sanitize.sanitizer.side_by_side", broken)
    with pytest.raises(Unforeseen) as caught:
        Sanitizer.sanitize_many(world.sanitizer, [NOTE], processes=2)
    assert leaks_of(caught.value) == []


def test_settings_that_quote_what_they_hold_are_refused_without_words() -> None:
    from kgsan.presidio import KgsanOperator

    class Settings(dict[str, Any]):
        get = broken

    with pytest.raises(Unforeseen) as caught:
        KgsanOperator().validate(Settings(replacements=NOTE))
    assert leaks_of(caught.value) == []
