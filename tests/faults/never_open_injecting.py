"""Where a pipeline calls something, and an error raised there: each run of it meets one error at one call."""

from __future__ import annotations

import errno
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kgsan
from tests.faults.never_open_world import QUOTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType, FrameType

_PACKAGE = str(Path(kgsan.__file__).parent)
_OURS = str(Path(__file__).parent)
#: Where texts are taken from whoever gives them, what is raised is the giver's own and told as it is; and `main` has one line
#: before everything that goes wrong is caught.
CALLERS = ("blocks", "sanitize_many", "pipe", "ended")
#: Every error says what the document says: the worst that a library can do.
KINDS: dict[str, Callable[[], BaseException]] = {
    "RuntimeError": lambda: RuntimeError(QUOTED),
    "MemoryError": lambda: MemoryError(QUOTED),
    "KeyboardInterrupt": lambda: KeyboardInterrupt(QUOTED),
    "OSError": lambda: OSError(errno.ENOSPC, QUOTED),
    "RecursionError": lambda: RecursionError(QUOTED),
}


@dataclass(frozen=True, slots=True)
class Site:
    """One place in the code that calls one function."""

    caller: int  #: of the code, by identity: codes live as long as their module
    at: int  #: the instruction
    callee: int | str  #: the code, or the name of what is not written in Python
    name: str = field(compare=False)
    where: str = field(compare=False)
    is_own: bool = field(compare=False)  #: whether kgsan is called, and not something that it uses

    def __str__(self) -> str:
        return f"{self.name} called in {self.where}"


class Ways:
    """Which codes belong to kgsan; asked for every call there is."""

    def __init__(self) -> None:
        self._own: dict[int, tuple[bool, CodeType]] = {}  # holding the code keeps its identity its own

    def is_own(self, code: CodeType) -> bool:
        """Whether a code is written in kgsan."""
        found = self._own.get(id(code))
        if found is None:
            found = self._own[id(code)] = code.co_filename.startswith(_PACKAGE), code
        return found[0]


_WAYS = Ways()
is_own = _WAYS.is_own


def sites(run: Callable[[], object], *, foreign: bool) -> dict[Site, int]:
    """Every call that a run makes, in the order in which they come first, and how often; with `foreign` those of kgsan to others."""
    found: dict[tuple[int, int, int | str], list[Any]] = {}

    def record(frame: FrameType, event: str, called: Any) -> None:
        code, back = frame.f_code, frame.f_back
        if event == "call":
            is_own = _WAYS.is_own(code)
            if not is_own and not (foreign and back is not None and _WAYS.is_own(back.f_code)):
                return
            if back is not None and back.f_code.co_filename.startswith(_OURS):
                return  # an error in the call of a test is nothing that kgsan could help
            if code.co_name in CALLERS:
                return
            key = (id(back.f_code) if back else 0, back.f_lasti if back else 0, id(code))
            name, where = code.co_qualname, back
        elif event == "c_call" and foreign and _WAYS.is_own(code) and code.co_name not in CALLERS:
            is_own, name, where = False, str(getattr(called, "__qualname__", called)), frame
            key = (id(code), frame.f_lasti, name)
        else:
            return
        if key in found:
            found[key][1] += 1
            return
        if where is not None:
            _WAYS.is_own(where.f_code)
        place = "nothing" if where is None else f"{Path(where.f_code.co_filename).name}:{where.f_lineno}"
        found[key] = [Site(*key, name, place, is_own), 1]

    with profiled(record), suppress(BaseException):  # some fail by themselves
        run()
    return dict(found.values())


@dataclass(slots=True)
class Fault:
    """An error at the so-manieth time that a place calls."""

    site: Site
    kind: str = "RuntimeError"
    turn: int = 1
    has_fired: bool = False
    error: BaseException | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.kind} at call {self.turn} of {self.site}"

    @contextmanager
    def armed(self) -> Iterator[None]:
        """While this lasts, the error is raised once, in whatever thread comes there."""
        caller, at, callee = self.site.caller, self.site.at, self.site.callee
        left = self.turn

        def raise_there(frame: FrameType, event: str, called: Any) -> None:
            nonlocal left
            if event == "call":
                if id(frame.f_code) != callee:
                    return
                back = frame.f_back
                if back is None:
                    if caller:
                        return
                elif id(back.f_code) != caller or back.f_lasti != at:
                    return
            elif (
                event != "c_call"
                or id(frame.f_code) != caller
                or frame.f_lasti != at
                or str(getattr(called, "__qualname__", called)) != callee
            ):
                return
            left -= 1
            if left == 0 and not self.has_fired:
                self.has_fired = True
                raise KINDS[self.kind]()

        with profiled(raise_there):
            yield


@contextmanager
def profiled(function: Any) -> Iterator[None]:
    """While this lasts, a function hears of every call in this thread and in those that begin."""
    threading.setprofile(function)
    sys.setprofile(function)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
