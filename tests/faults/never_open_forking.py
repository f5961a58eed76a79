"""One run of a way, at each call of which a copy of the process goes on with an error: each fault costs only what comes after it.

Where other threads run, a process cannot be copied. Those calls are told of, and tried one run each.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kgsan
from tests.faults.never_open_injecting import KINDS, is_own, profiled
from tests.faults.never_open_keeping import Kept

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

    from tests.faults.never_open import Stage

_OURS = str(Path(__file__).parent)
_ROOT = Path(kgsan.__file__).parent.parent
#: What `main` does before everything that goes wrong is caught; nothing was read by then.
_FIRST = "ended"
#: Who ask a server as others would.
_CLIENTS = (str(Path("starlette", "testclient.py")), str(Path("httpx2", "_transports", "asgi.py")))
#: What begins to see to it that errors say no words: it cannot see to an error before it begins.
_SAFELY = "wordless.<locals>.safely"
#: How spaCy's documents are taken from whoever gives them, whose errors are told as they are.
_TAKING = (("minibatch", "Component.pipe"), ("Component.pipe", "Component.pipe"))
#: A run that takes longer hangs.
PATIENCE = 8


def apart(work: Callable[[], Any], patience: float = 0) -> Any:
    """What is done in a copy of this process gives; None if the copy ended otherwise."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        answer(writing, work, patience)
    os.close(writing)
    return _heard(reading, child)


def answer(writing: int, work: Callable[[], Any], patience: float = 0) -> None:
    """Tell what work gives, and end this process whatever happens."""
    signal.setitimer(signal.ITIMER_REAL, patience)
    try:
        told = json.dumps(work()).encode()
        while told:
            told = told[os.write(writing, told) :]
        os._exit(0)
    except BaseException as error:
        os.write(2, f"the search itself failed: {type(error).__name__}: {error}\n".encode())
    os._exit(1)


def _heard(reading: int, child: int) -> Any:
    with open(reading, "rb") as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    return json.loads(told) if os.waitstatus_to_exitcode(status) == 0 else None


@dataclass(slots=True)
class Met:
    """The calls that a run made: what came of those that were tried, and those in threads; each under the same name in any process."""

    reachable: list[str] = field(default_factory=list)
    tried: dict[str, dict[str, Any] | None] = field(default_factory=dict)
    threaded: list[str] = field(default_factory=list)


class Forks:
    """Watches a run, and lets a copy of it fail at each call that it makes for the first time."""

    def __init__(self, kind_of: Callable[[str], str], chosen: Callable[[str], bool]) -> None:
        self.met = Met()
        self._kind_of = kind_of
        self._chosen = chosen
        self._known: set[Any] = set()
        self._held: list[Any] = []  # which keeps their identities their own
        self._folder = Path()
        self._is_command = False
        self._reply: int | None = None  #: of a copy, to whom it tells what came of it

    def search(self, stage: Stage) -> Met:
        """Play a scene to its end. In the copies this never returns."""

        def watched(run: Callable[[], None]) -> None:
            self._folder, self._is_command = stage.folder, stage.scene.is_command
            with profiled(self._meet):
                run()

        seen = stage.play(watched)
        if self._reply is not None:
            answer(self._reply, lambda: stage.outcome(seen), PATIENCE)
        if (wrong := stage.difference(seen)) and not stage.scene.is_broken:
            raise AssertionError(f"the copies disturbed the run that they were made of: {wrong}")
        return self.met

    def _meet(self, frame: FrameType, event: str, called: Any) -> None:
        if (key := _key(frame, event, called)) is None or key in self._known:
            return
        self._known.add(key)
        if not self._is_command and _is_of_others(frame, event):
            return
        self._held.append((frame.f_code, frame.f_back and frame.f_back.f_code))
        name = _name(frame, event, called)
        self.met.reachable.append(name)
        if not self._chosen(name):
            return
        if threading.active_count() > 1 or threading.current_thread() is not threading.main_thread():
            self.met.threaded.append(name)
        else:
            self._fork(name)

    def _fork(self, name: str) -> None:
        kept = Kept(self._folder, self._folder.parent / "kept")
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
            threading.setprofile(None)
            if not self._is_command:  # which has its own
                sys.unraisablehook = _tidied
            self._reply = writing
            printed = os.open(self._folder / "printed", os.O_CREAT | os.O_WRONLY)  # past Python's own streams
            os.dup2(printed, 1)
            os.dup2(printed, 2)
            os.close(printed)
            raise KINDS[self._kind_of(name)]()
        os.close(writing)
        self.met.tried[name] = _heard(reading, child)
        kept.put_back()


@dataclass(slots=True)
class NamedFault:
    """An error at the first time that a place calls, known by its name, in whatever thread comes there."""

    name: str
    kind: str
    has_fired: bool = False

    def armed(self, run: Callable[[], None]) -> None:
        """A run with it."""
        interesting: dict[int, tuple[bool, CodeType]] = {}  # holding the code keeps its identity its own

        def raise_there(frame: FrameType, event: str, called: Any) -> None:
            code = frame.f_code
            if (found := interesting.get(id(code))) is None:
                found = interesting[id(code)] = (code.co_qualname in self.name, code)
            if not found[0] or self.has_fired or _key(frame, event, called) is None:
                return
            if _name(frame, event, called) == self.name:
                self.has_fired = True
                raise KINDS[self.kind]()

        with profiled(raise_there):
            run()


def _tidied(_: object) -> None:
    """What Python would print of an error while a generator is closed: in a program of their own, that is its author's to prevent."""


def _key(frame: FrameType, event: str, called: Any) -> Any:
    """Where a call of kgsan, or by kgsan, stands; None for all others."""
    code = frame.f_code
    if event == "call":
        back = frame.f_back
        if back is None:
            return (0, 0, id(code)) if is_own(code) else None
        if not is_own(code) and not is_own(back.f_code):
            return None
        # an error in the call of a test, or in the first line of all, is nothing that kgsan could help
        if back.f_code.co_filename.startswith(_OURS) or back.f_code.co_filename.endswith(_CLIENTS):
            return None
        if code.co_qualname == _FIRST and back.f_code.co_qualname == "main":
            return None
        return id(back.f_code), back.f_lasti, id(code)
    if event == "c_call" and is_own(code):
        return id(code), frame.f_lasti, str(getattr(called, "__qualname__", called))
    return None


def _is_of_others(frame: FrameType, event: str) -> bool:
    """Whether a call in a program of others is theirs: kgsan has not begun, or only now begins to see to errors."""
    code, back = frame.f_code, frame.f_back
    if event != "call":
        return (code.co_qualname, code.co_qualname) in _TAKING
    if back is not None and (code.co_qualname, back.f_code.co_qualname) in _TAKING:
        return True
    while back is not None:
        if is_own(back.f_code) and (code.co_qualname != _SAFELY or back.f_code.co_qualname == _SAFELY):
            return False
        back = back.f_back
    return True


def _name(frame: FrameType, event: str, called: Any) -> str:
    if event == "call":
        back = frame.f_back
        where = "nothing" if back is None else f"{_place(back.f_code)}:{back.f_lineno}+{back.f_lasti}"
        return f"{_place(frame.f_code)} from {where}"
    return f"{getattr(called, '__qualname__', called)} from {_place(frame.f_code)}:{frame.f_lineno}+{frame.f_lasti}"


def _place(code: CodeType) -> str:
    path = Path(code.co_filename)
    short = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(*path.parts[-2:])
    return f"{short}:{code.co_firstlineno}:{code.co_qualname}"


def kind_for(number: int) -> Callable[[str], str]:
    """Which error a call meets in the scene of a number: over five scenes each call meets every kind."""
    kinds = list(KINDS)
    return lambda name: kinds[(zlib.crc32(name.encode()) + number) % len(kinds)]
