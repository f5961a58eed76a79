"""Whatever breaks, and wherever: no word of a document comes out that the policy hides.

The short part of the search: of the functions that each module calls in the library and in `kgsan sanitize` every third is broken
once. `python -m tests.faults never-open --all` breaks every call of every way.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
import warnings
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest

from kgsan import KgsanError, NotSafe, Place, Problem, SanitizedDocument, Sanitizer, load_policy
from kgsan.cli import ended, main
from kgsan.errors import system_says
from kgsan.risk.detecting import Detector
from kgsan.sanitize.processes import ProcessLost
from kgsan.sanitize.quiet import quiet
from kgsan.sanitize.release import release
from kgsan.sanitize.wording import Rewritten
from kgsan.sanitize.wordless import Unforeseen, wordless
from tests.faults.never_open import Stage
from tests.faults.never_open_injecting import KINDS, Fault
from tests.faults.never_open_scenes import World
from tests.faults.never_open_watching import Seen, holds, told_of, watched
from tests.faults.never_open_world import CANARIES, NOTE, QUOTED, policy_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.faults.never_open_injecting import Site


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("never-open"))


def every_third(sites: Iterable[Site]) -> list[Site]:
    """Of the calls of each module the first, the fourth and so on."""
    by_module: dict[str, list[Site]] = {}
    for site in sites:
        by_module.setdefault(site.where.partition(":")[0], []).append(site)
    return [site for own in by_module.values() for site in own[::3]]


def test_whatever_function_breaks_nothing_comes_out(world: World, tmp_path: Path) -> None:
    kinds = cycle(KINDS)
    tried: set[int | str] = set()
    wrong, fired = [], 0
    for name in ("library", "sanitize .txt", "sanitize .txt broken"):
        stage = Stage(world, world.scenes()[name], tmp_path / name, foreign=False)
        functions = {site.callee: site for site in reversed(stage.sites)}  # each where it is called first
        for site in every_third(site for callee, site in functions.items() if callee not in tried or name.endswith("broken")):
            fault = Fault(site, next(kinds))
            judged = stage.judged(fault)
            fired += fault.has_fired  # not all do: what is tidied up is tidied up at any time
            if not judged.is_fine:
                wrong.append(f"{name}: {fault}: {judged}")
        assert stage.is_as_before()
        tried.update(functions)
    assert wrong == []
    assert fired > 400


def test_the_search_finds_a_leak_if_there_is_one(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgsan.cli.unexpected", str)
    monkeypatch.setattr("kgsan.cli.batch.unexpected", str)
    monkeypatch.setattr("kgsan.cli.sanitize.unexpected", str)
    stage = Stage(world, world.scenes()["sanitize .txt"], tmp_path, foreign=False)
    site = next(site for site in stage.sites if site.name == "write_job")
    assert "stderr: Quillfeather" in stage.judged(Fault(site)).leaks


# --- the gate ---------------------------------------------------------------------------------------------------------------


def made(text: str) -> SanitizedDocument:
    return SanitizedDocument(text, (), 1.0, 1, Rewritten(text, ()))


@pytest.mark.parametrize(
    ("read", "remaining"), [("Fine.", None), ("Fine.", ["something"]), ("Other.", []), ("Fine.", iter(())), ("Fine.", 0)]
)
def test_only_a_text_in_whose_own_reading_nothing_was_found_is_released(read: str, remaining: Any) -> None:
    assert release(made("Fine."), "Fine.", [], Place("toy")).text == "Fine."
    with pytest.raises(NotSafe):
        release(made("Fine."), read, remaining, Place("toy"))


def test_a_reader_that_finds_nothing_because_it_broke_releases_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sanitizer, "_disclosed", lambda *_: None)
    with pytest.raises(NotSafe):
        world.sanitizer.sanitize("Fine.")


@pytest.mark.parametrize("name", ["library", "sanitize .html", "sanitize .csv", "service"])
def test_nothing_shows_words_when_it_is_printed(world: World, tmp_path: Path, name: str) -> None:
    shown: dict[type, set[str]] = {}

    def look(frame: Any, event: str, result: Any) -> None:
        if event not in ("call", "return") or "kgsan" not in frame.f_globals.get("__name__", ""):
            return
        given = [*frame.f_locals.values()] if event == "call" else [result, *(result if isinstance(result, list | tuple) else ())]
        for one in given[:30]:
            kind = type(one)
            if kind.__module__.startswith("kgsan.") and len(shown.setdefault(kind, set())) < 20:
                shown[kind].add(_printed(one))

    with watched(tmp_path / "run") as seen:
        threading.setprofile(look)
        sys.setprofile(look)
        try:
            world.scenes()[name].run(tmp_path / "run", seen)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
    assert len(shown) > 50
    # Concepts and their names are the ontology's own words.
    told = {kind: texts for kind, texts in shown.items() if kind.__module__ != "kgsan.ontology.ontology"}
    assert [kind for kind, texts in told.items() if any(holds(text.encode(), word) for text in texts for word in CANARIES)] == []


def _printed(one: object) -> str:
    try:
        return repr(one)
    except AttributeError:
        return ""  # it is only being made


# --- errors of the library --------------------------------------------------------------------------------------------------


def leaks_of(error: BaseException) -> list[str]:
    seen = Seen()
    for where, told in told_of(error):
        seen.add(where, told)
    return seen.leaks()


class PanicException(BaseException):
    """How libraries written in Rust end."""


@pytest.mark.parametrize("error", [ValueError(QUOTED), PanicException(QUOTED), OSError(5, QUOTED)])
@pytest.mark.parametrize("method", ["sanitize", "verify", "sanitize_block", "sanitize_many"])
def test_an_error_of_a_library_is_put_into_a_sentence_with_its_place(
    world: World, monkeypatch: pytest.MonkeyPatch, error: BaseException, method: str
) -> None:
    def broken(*_: object) -> None:
        raise error

    monkeypatch.setattr(Detector, "find", broken)
    monkeypatch.setattr(Detector, "find_many", broken)
    given: Any = [NOTE] if method in ("sanitize_block", "sanitize_many") else NOTE
    with pytest.raises(Unforeseen) as caught:
        list(getattr(world.sanitizer, method)(given))
    assert str(caught.value).startswith(f"kgsan: S105 An unexpected error ({type(error).__name__} in sanitizer.py, line ")
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    assert leaks_of(caught.value) == []


def test_an_interruption_has_nothing_behind_it() -> None:
    @wordless
    def interrupted() -> None:
        try:
            raise ValueError(QUOTED)
        except ValueError:
            raise KeyboardInterrupt from None

    with pytest.raises(KeyboardInterrupt) as caught:
        interrupted()
    assert leaks_of(caught.value) == []


def test_what_kgsan_says_itself_stays_without_what_led_to_it() -> None:
    own = NotSafe(Problem("S101", Place("toy"), "It could not be made safe."))

    @wordless
    def refused() -> None:
        try:
            raise ValueError(QUOTED)
        except ValueError as error:
            raise own from error

    with pytest.raises(NotSafe) as caught:
        refused()
    assert caught.value is own
    assert leaks_of(caught.value) == []


def test_what_a_giver_of_texts_raises_is_told_as_it_is(world: World) -> None:
    def texts() -> Any:
        yield "Fine."
        raise LookupError("the table is locked")

    with pytest.raises(LookupError, match="the table is locked"):
        list(world.sanitizer.sanitize_many(texts()))


def test_the_systems_words_are_told_and_not_those_of_who_raised() -> None:
    assert system_says(OSError(28, QUOTED)) == os.strerror(28)
    assert system_says(OSError(QUOTED)) is None


# --- errors of the commands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(KINDS))
def test_no_error_outside_of_a_command_ends_in_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    def broken() -> None:
        raise KINDS[kind]()

    monkeypatch.setattr("kgsan.cli._parser", broken)
    with watched(tmp_path / "run") as seen:
        assert main(["sanitize"]) in (1, 4, 130)
    assert seen.leaks() == []
    assert seen.of("stderr").count(b"\n") == 1


def test_an_error_in_the_telling_of_another_is_told_without_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise RuntimeError(QUOTED)

    monkeypatch.setattr("kgsan.cli.unexpected", broken)
    with watched(tmp_path / "run") as seen:
        assert ended(broken) == 1
    assert seen.leaks() == []
    assert b"An unexpected error (RuntimeError" in seen.of("stderr")


def test_what_reaches_no_handler_is_told_without_its_words(tmp_path: Path) -> None:
    class Untidy:
        def __del__(self) -> None:
            raise RuntimeError(QUOTED)

    def broken() -> None:
        raise RuntimeError(QUOTED)

    with watched(tmp_path / "run") as seen:
        root = logging.getLogger()
        handlers, root.handlers = root.handlers, []
        try:
            with quiet(), warnings.catch_warnings():
                warnings.simplefilter("default")
                warnings.showwarning(QUOTED, DeprecationWarning, "library.py", 1)
                logging.getLogger("library").error(QUOTED)
                thread = threading.Thread(target=broken)
                thread.start()
                thread.join()
                Untidy()
        finally:
            root.handlers = handlers
    assert seen.leaks() == []
    assert seen.of("stderr").count(b"was passed over") == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no core")
def test_a_command_that_is_ended_leaves_no_core() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_CORE)
    with quiet():
        assert resource.getrlimit(resource.RLIMIT_CORE)[0] == 0
    assert resource.getrlimit(resource.RLIMIT_CORE) == before


# --- errors of the servers --------------------------------------------------------------------------------------------------


def test_what_nobody_waits_for_is_told_in_a_sentence(tmp_path: Path) -> None:
    from kgsan.service.door import told_in_a_sentence

    told: list[BaseException] = []

    def broken() -> None:
        raise RuntimeError(QUOTED)

    async def work() -> None:
        told_in_a_sentence(told.append)
        asyncio.get_running_loop().call_soon(broken)
        await asyncio.sleep(0)

    with watched(tmp_path / "run") as seen:
        asyncio.run(work())
    assert [type(one) for one in told] == [RuntimeError]
    assert seen.of("log").count(b"quoted") == 0
    assert seen.leaks() == []


#: An interruption is tried in one thread only: nobody answers who waits for an event loop that was interrupted.
SERVERS = [
    (f"{name}{way}{broken}", kind)
    for way, kind in (("", "RuntimeError"), (" direct", "KeyboardInterrupt"))
    for name in ("service", "review")
    for broken in ("", " broken")
]


@pytest.mark.parametrize(("name", "kind"), SERVERS)
def test_an_error_in_a_server_is_no_answer(world: World, tmp_path: Path, name: str, kind: str) -> None:
    stage = Stage(world, world.scenes()[name], tmp_path, foreign=False)
    wanted = ("Answers.answer", "Sanitizer.sanitize", "Desk.release", "Desk.view", "document_page", "_read_all")
    for site in [site for site in stage.sites if site.name.endswith(wanted)]:
        judged = stage.judged(Fault(site, kind))
        assert judged.is_fine, (str(site), kind, judged)


# --- processes --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def mortal(tmp_path: Path) -> Sanitizer:
    return Sanitizer(load_policy(policy_of(tmp_path / "policy")))


@pytest.mark.parametrize("death", ["exit", "kill"])
def test_of_a_process_that_dies_one_sentence_is_told_and_no_text(
    mortal: Sanitizer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, death: str
) -> None:
    parent, honest = os.getpid(), Detector.find_many

    def dying(self: Detector, documents: Any) -> Any:
        documents = list(documents)
        if os.getpid() != parent and any("vellarosis" in one.text for one in documents):
            os._exit(1) if death == "exit" else os.kill(os.getpid(), signal.SIGKILL)
        return honest(self, documents)

    monkeypatch.setattr(Detector, "find_many", dying)
    given = [*(["Fine."] * 300), NOTE, *(["Fine."] * 2000)]
    done = []
    with watched(tmp_path / "run") as seen, pytest.raises(ProcessLost) as caught:
        done += list(mortal.sanitize_many(iter(given), processes=2))
    assert str(caught.value).startswith("kgsan: S106 A process that worked on texts was ended from outside")
    assert leaks_of(caught.value) == []
    assert seen.leaks() == []
    assert done == []


def test_an_error_in_another_process_says_no_more_than_in_this_one(
    mortal: Sanitizer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parent, honest = os.getpid(), Detector.find_many

    def broken(self: Detector, documents: Any) -> Any:
        if os.getpid() != parent:
            raise ValueError(QUOTED)
        return honest(self, documents)

    monkeypatch.setattr(Detector, "find_many", broken)
    with watched(tmp_path / "run") as seen, pytest.raises(Unforeseen) as caught:
        list(mortal.sanitize_many([NOTE], processes=2))
    assert leaks_of(caught.value) == []
    assert seen.leaks() == []


def test_a_command_tells_of_a_process_that_died(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent, honest = os.getpid(), Detector.find_many

    def dying(self: Detector, documents: Any) -> Any:
        if os.getpid() != parent:
            os._exit(1)
        return honest(self, documents)

    monkeypatch.setattr(Detector, "find_many", dying)
    policy = policy_of(tmp_path / "policy")
    source = tmp_path / "notes.jsonl"
    source.write_text('{"text": "vellarosis"}\n' * 3)
    with watched(tmp_path / "run") as seen:
        out = tmp_path / "run" / "out.jsonl"
        assert main(["sanitize", str(source), "--policy", str(policy), "--processes", "2", "-o", str(out)]) == 4
    assert b"S106 A process that worked on texts was ended" in seen.of("stderr")
    assert seen.leaks() == []
    assert not out.exists()
    assert issubclass(ProcessLost, KgsanError)
