"""Texts in several processes: in their order, no more begun than can soon be asked for, and nothing after an error."""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from kgsan.errors import Place, Problem
from kgsan.sanitize import processes
from kgsan.sanitize.processes import ProcessLost, side_by_side
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.wordless import Unforeseen


class Reader:
    """A sanitizer that remembers which blocks it was given."""

    def __init__(self) -> None:
        self.given: list[list[str]] = []

    def sanitize_block(self, block: list[str]) -> list[str]:
        self.given.append(block)
        if "unsafe" in block:
            raise NotSafe(Problem("S101", Place("toy"), "No."))
        return [text.upper() for text in block]


class Pool:
    """A pool of processes that works in this one, when it is asked."""

    def __init__(self, size: int, context: Any, initializer: Any, initargs: Any) -> None:
        assert context.get_start_method() == "fork"
        self.size, self.begun, self.ended_with = size, 0, None
        self.dies_with: list[str] | None = None
        [self.reader] = initargs
        initializer(*initargs)
        Pool.last = self

    last: Pool

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, work: Any, block: list[str]) -> Future[list[str]]:
        self.begun += 1
        if "nobody is there" in block:
            raise BrokenProcessPool
        done: Future[list[str]] = Future()
        try:
            if "kills" in block:
                raise BrokenProcessPool
            done.set_result(work(block))
        except Exception as error:
            done.set_exception(error)
        return done

    def shutdown(self, **options: bool) -> None:
        self.ended_with = options  # type: ignore[assignment]


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What signals were asked for while the pool of this process is in the place of the real one."""
    signals: list[object] = []
    monkeypatch.setattr(processes, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(signal, "signal", lambda *asked: signals.append(asked))
    monkeypatch.setattr(processes, "_own", None)
    return signals


def started(reader: Reader, *texts: str) -> Any:
    return side_by_side(reader, ([text] for text in texts), 2)  # type: ignore[arg-type]


def test_results_come_in_order_and_one_block_is_begun_for_each_that_is_taken(pool: list[object]) -> None:
    reader = Reader()
    made = started(reader, *"abcdefg")
    assert next(made) == ["A"]
    assert reader.given[0] == ["."]  # before any process is split off, so that all share what this loads
    begun = [Pool.last.begun]
    for letter in "BCDEFG":
        assert next(made) == [letter]
        begun.append(Pool.last.begun)
    assert list(made) == []
    assert begun == [4, 5, 6, 7, 7, 7, 7]  # twice as many as there are processes, then one by one
    assert Pool.last.size == 2
    assert Pool.last.ended_with is None


def test_a_process_leaves_interrupts_to_the_one_that_waits(pool: list[object]) -> None:
    assert list(started(Reader(), "a")) == [["A"]]
    assert pool == [(signal.SIGINT, signal.SIG_IGN)]


@pytest.mark.parametrize(("bad", "error"), [("unsafe", NotSafe), ("kills", ProcessLost), ("nobody is there", ProcessLost)])
def test_after_an_error_nothing_more_is_begun_or_given_out(pool: list[object], bad: str, error: type[Exception]) -> None:
    made = started(Reader(), "a", "b", "c", "d", bad, *"efghij")
    assert next(made) == ["A"]
    with pytest.raises(error) as caught:
        list(made)
    assert Pool.last.ended_with == {"wait": True, "cancel_futures": True}
    assert Pool.last.begun <= 9
    if error is ProcessLost:
        assert "S106 A process that worked on texts was ended from outside" in str(caught.value)
        assert caught.value.__cause__ is None


def test_an_error_that_nobody_foresaw_says_no_words(pool: list[object]) -> None:
    class Broken(Reader):
        def sanitize_block(self, block: list[str]) -> list[str]:
            if block == ["Alder"]:
                raise ValueError(block)
            return block

    with pytest.raises(Unforeseen) as caught:
        list(started(Broken(), "Alder"))
    assert "Alder" not in str(caught.value)


def test_where_processes_cannot_be_split_off_this_one_does_the_work(pool: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    reader = Reader()
    assert list(started(reader, "a", "b")) == [["A"], ["B"]]
    assert reader.given == [["a"], ["b"]]


def test_real_processes_do_the_same() -> None:
    reader = Reader()
    assert list(started(reader, *"abcdef")) == [[letter] for letter in "ABCDEF"]
    assert reader.given == [["."]]  # the rest was done elsewhere
