"""The rule for every input: a result or one refusal without its words, soon, in little memory, and nobody outside is asked."""

from __future__ import annotations

import re
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.errors import KgsanError

if TYPE_CHECKING:
    from types import FrameType

    from tests.fuzz.target import Target

REPO = Path(__file__).parents[2]
#: What an input may cost, and what a long one may cost besides for every MB of it.
SECONDS, SECONDS_PER_MB = 5.0, 40.0
MEMORY, MEMORY_PER_MB = 500, 1000
_LINES_PER_MB = 10_000  #: as much work as a MB, where every line is a document
_FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "socket.bind", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")
#: An error that nobody foresaw, told without its words, is still one.
_UNFORESEEN = ("S105", "S106")
#: What stands in kgsan's examples and may be in no message all the same.
_NEVER = {"zidovudine", "alder", "orsini", "springfield", "syphilis", "ibuprofen"}
_WORD = re.compile(r"[^\W\d_]{5,}")


@dataclass(frozen=True, slots=True)
class Failure:
    """How an input broke the rule. Two inputs with the same key broke it at the same place."""

    key: str
    told: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an input came to, and what it cost."""

    failure: Failure | None
    is_refused: bool
    seconds: float
    megabytes: float


class _TooSlow(BaseException):
    """No handler of the code under test may catch it."""


class _Outside(BaseException):
    """A connection or another program was asked for."""


def outcome(target: Target, content: bytes, patience: float = 1.0) -> Outcome:
    """What becomes of an input. With more patience it may take longer, as it does while coverage is measured."""
    watch = _watch()
    size = max(len(content) / 1e6, content.count(b"\n") / _LINES_PER_MB)
    most_seconds, most_memory = (SECONDS + SECONDS_PER_MB * size) * patience, MEMORY + MEMORY_PER_MB * size
    failure, is_refused = None, False
    before = _peak(reset=True)
    began = time.process_time()
    watch.asked = None
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, most_seconds)
    watch.is_on = True
    try:
        try:
            target.run(content)
        finally:
            watch.is_on = False
            signal.setitimer(signal.ITIMER_PROF, 0)
    except KgsanError as error:
        is_refused = True
        if any(problem.code in _UNFORESEEN for problem in error.problems):
            failure = Failure(re.sub(r"\W+", "-", f"unforeseen-{_told_place(error)}"), str(error))
        words = target.hides(content) if target.hides is not None else b""
        shown = _shown(str(error), words)
        if shown:
            failure = Failure("shows-words", f"The refusal shows words of the input: {shown}\n{error}")
    except _TooSlow:
        failure = Failure("too-slow", f"It took longer than {most_seconds:.0f} s of the processor.\n{_where()}")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        failure = Failure(_key(error), "".join(traceback.format_exception(error)))
    seconds = time.process_time() - began
    megabytes = _peak() - before
    if watch.asked is not None:
        failure = Failure("outside", f"It asked for {watch.asked}.")
    if failure is None and megabytes > most_memory:
        failure = Failure("too-large", f"It took {megabytes:.0f} MB.")
    return Outcome(failure, is_refused, seconds, megabytes)


# --- time and memory ------------------------------------------------------------------------------------------------------


def _stop(_signal: int, frame: FrameType | None) -> None:
    raise _TooSlow


def _where() -> str:
    return "".join(traceback.format_exc().splitlines(keepends=True)[-12:])


def _peak(*, reset: bool = False) -> float:
    """The most memory that was held since the last reset, in MB; where the system does not tell, nothing is held against it."""
    try:
        if reset:
            Path("/proc/self/clear_refs").write_bytes(b"5")
        found = re.search(rb"VmHWM:\s*(\d+)", Path("/proc/self/status").read_bytes())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


# --- the world outside ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Watch:
    is_on: bool = False
    asked: str | None = None


@cache
def _watch() -> _Watch:
    watch = _Watch()

    def hook(event: str, _given: tuple[Any, ...]) -> None:
        if watch.is_on and event in _FORBIDDEN:
            watch.asked = event
            raise _Outside(event)

    sys.addaudithook(hook)
    return watch


# --- what is told ---------------------------------------------------------------------------------------------------------


def _key(error: BaseException) -> str:
    """The kind of an error and the innermost place in kgsan that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [frame for frame in frames if "/kgsan/" in frame.filename] or frames
    last = places[-1]
    checks = "/fuzz/" in frames[-1].filename
    place = f"{frames[-1].name}" if checks else f"{Path(last.filename).stem}.{last.name}"
    return re.sub(r"\W+", "-", f"{type(error).__name__}-{place}").strip("-")


def _told_place(error: KgsanError) -> str:
    found = re.search(r"\((\w+ in [\w.]+)", str(error))
    return found[1] if found else "nowhere"


def _shown(message: str, words: bytes) -> list[str]:
    """The words of an input that a message shows and kgsan does not say by itself."""
    if not words:
        return []
    said = {word.lower() for word in _WORD.findall(message)} - _vocabulary()
    document = words.decode("utf-8", "replace").lower()
    return sorted(word for word in said if word in document)


@cache
def _vocabulary() -> frozenset[str]:
    found: set[str] = set()
    for path in (REPO / "kgsan").rglob("*.py"):
        found.update(word.lower() for word in _WORD.findall(path.read_text()))
    return frozenset(found - _NEVER)


def minimized(target: Target, content: bytes, key: str, seconds: float) -> bytes:
    """A smaller input that breaks the rule at the same place: ever smaller parts of it are left out while it still does."""
    end = time.monotonic() + seconds
    size = max(len(content) // 2, 1)
    while True:
        at, is_smaller = 0, False
        while at < len(content):
            if time.monotonic() > end:
                return content
            shorter = content[:at] + content[at + size :]
            found = outcome(target, shorter).failure
            if found is not None and found.key == key:
                content, is_smaller = shorter, True
            else:
                at += size
        if size == 1 and not is_smaller:
            return content
        size = max(size // 2, 1)
