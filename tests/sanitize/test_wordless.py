"""Errors on their way out: what they may say, and what Python may print of them while a program of kgsan runs."""

from __future__ import annotations

import json
import logging
import resource
import sys
import threading
import warnings
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.errors import KgsanError, Place, Problem
from kgsan.ontology.inflection import fold
from kgsan.sanitize import quiet as quieting
from kgsan.sanitize.quiet import quiet
from kgsan.sanitize.release import promised, release, released
from kgsan.sanitize.result import NotSafe, SanitizedDocument
from kgsan.sanitize.wording import Rewritten
from kgsan.sanitize.wordless import Unforeseen, unforeseen, without_words, wordless

if TYPE_CHECKING:
    from collections.abc import Callable

SECRET = "Mr. Alder"


class PanicException(BaseException):
    """What libraries written in Rust end with."""


class KgsanWarning(UserWarning):
    """A warning that kgsan would give."""


def raising(error: BaseException) -> Callable[[], None]:
    @wordless
    def work() -> None:
        raise error from ValueError(SECRET)

    return work


# --- wordless ----------------------------------------------------------------------------------------------------------------


def test_work_that_goes_well_gives_what_it_gives() -> None:
    assert wordless(max)(3, 7) == 7


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (MemoryError(SECRET), MemoryError, "There is not enough memory for this text."),
        (KeyboardInterrupt(SECRET), KeyboardInterrupt, ""),
        (SystemExit(3), SystemExit, "3"),
        (SystemExit(SECRET), SystemExit, "1"),
        (KgsanError(Problem("S101", Place("toy"), "No.")), KgsanError, "toy: S101 No."),
        (GeneratorExit(), GeneratorExit, ""),
    ],
)
def test_errors_that_are_foreseen_stay_what_they_are_without_words(
    error: BaseException, kind: type[BaseException], said: str
) -> None:
    with pytest.raises(kind) as caught:
        raising(error)()
    assert (type(caught.value), str(caught.value)) == (kind, said)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize("error", [ValueError(SECRET), PanicException(SECRET), OSError(SECRET)])
def test_all_other_errors_become_one_sentence_with_their_kind(error: BaseException) -> None:
    with pytest.raises(Unforeseen) as caught:
        raising(error)()
    assert f"kgsan: S105 An unexpected error ({type(error).__name__} in " in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_the_sentence_names_the_last_line_of_kgsan_that_met_the_error() -> None:
    with pytest.raises(
        Unforeseen, match=r"^kgsan: S105 An unexpected error \(\w+ in inflection\.py, line \d+\) stopped the work\.$"
    ):
        wordless(fold)(3)
    assert unforeseen(ValueError(SECRET)) == "An unexpected error (ValueError) stopped the work."
    with pytest.raises(Unforeseen, match=r"\(JSONDecodeError in wordless\.py, line "):  # not the line of the library
        wordless(json.loads)(SECRET)
    again = Unforeseen(*(Problem("S105", Place("kgsan"), f"It was told {when}.") for when in ("before", "later")))
    assert unforeseen(again) == "It was told before."
    assert without_words(again) is again


# --- quiet -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hook", ["unraisablehook", "excepthook"])
def test_an_error_that_reaches_no_handler_is_told_by_its_kind(hook: str, capsys: pytest.CaptureFixture[str]) -> None:
    owner: Any = sys if hook == "unraisablehook" else threading
    before = getattr(owner, hook)
    with quiet():
        getattr(owner, hook)(SimpleNamespace(exc_value=ValueError(SECRET)))
        getattr(owner, hook)(SimpleNamespace(exc_value=None))
    assert getattr(owner, hook) is before
    assert capsys.readouterr().err == "An unexpected error (ValueError) was passed over.\n"


@pytest.mark.parametrize(
    ("module", "category", "filename", "is_shown"),
    [
        ("kgsan.toy", KgsanWarning, "elsewhere.py", True),
        ("builtins", UserWarning, "kgsan/text.py", True),
        ("builtins", UserWarning, "elsewhere.py", False),
        ("builtins", RuntimeWarning, "kgsan/text.py", False),
        ("elsewhere", KgsanWarning, "kgsan/text.py", False),
    ],
)
def test_only_warnings_of_kgsan_are_shown(
    monkeypatch: pytest.MonkeyPatch, module: str, category: type[Warning], filename: str, is_shown: bool
) -> None:
    told: list[object] = []
    monkeypatch.setattr(warnings, "showwarning", lambda *given, **_: told.append(given))
    before = warnings.showwarning
    if category is KgsanWarning:
        monkeypatch.setattr(category, "__module__", module)
    with quiet():
        warnings.showwarning(SECRET, category, filename, 7)
    assert told == ([(SECRET, category, filename, 7)] if is_shown else [])
    assert warnings.showwarning is before


def test_what_is_logged_has_a_handler_and_afterwards_none_is_left() -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    with quiet():
        assert [type(one) for one in root.handlers if one not in before] == [logging.NullHandler]
    assert root.handlers == before


def test_no_core_is_left_and_the_limit_is_put_back_even_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: {resource.RLIMIT_CORE: (7, 9)}[which])
    monkeypatch.setattr(resource, "setrlimit", lambda which, limits: asked.append((which, limits)))
    with suppress(KeyError), quiet():
        assert asked == [(resource.RLIMIT_CORE, (0, 9))]
        raise KeyError
    assert asked == [(resource.RLIMIT_CORE, (0, 9)), (resource.RLIMIT_CORE, (7, 9))]
    with monkeypatch.context() as windows:
        windows.setattr(sys, "platform", "win32")
        with quieting._no_core():
            pass
    assert len(asked) == 2


# --- release -----------------------------------------------------------------------------------------------------------------

MADE = SanitizedDocument("Fine.", (), 1.0, 1, Rewritten("Fine.", ()))


@pytest.mark.parametrize(
    ("read", "remaining", "leaves"),
    [
        ("Fine.", [], True),
        ("Fine.", (), True),
        ("Fine.", None, False),
        ("Fine.", ["one"], False),
        ("Fine.", "", False),
        ("Fine", [], False),
    ],
)
def test_a_text_leaves_only_after_a_reading_of_this_very_text_that_found_nothing(read: str, remaining: Any, leaves: bool) -> None:
    if leaves:
        assert release(MADE, read, remaining, Place("toy")) is MADE
        return
    with pytest.raises(NotSafe, match=r"^toy: S101 It may not leave\.$"):
        release(MADE, read, remaining, Place("toy"), "It may not leave.")


def test_what_nobody_has_read_is_read_once_more() -> None:
    safe, leaky = (SimpleNamespace(verify=lambda _, left=left: left) for left in ([], ["one"]))
    assert released(safe, MADE, Place("toy")) is MADE
    with pytest.raises(NotSafe, match="S101 The text that was made discloses more than is allowed"):
        released(leaky, MADE, Place("toy"))


@pytest.mark.parametrize(("method", "is_read"), [("engine", False), ("csan", True), ("greedy", True)])
def test_only_the_engine_comes_with_its_own_last_reading(method: str, is_read: bool) -> None:
    asked: list[str] = []

    def verify(text: str) -> list[object]:
        asked.append(text)
        return []

    sanitizer: Any = SimpleNamespace(policy=SimpleNamespace(method=method, name="toy"), verify=verify)
    assert promised(sanitizer, MADE) is MADE
    assert asked == ["Fine."] * is_read
