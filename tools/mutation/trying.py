"""Each mistake is tried in a copy of a process that has already run the tests once, so that nothing is loaded twice."""

from __future__ import annotations

import functools
import gc
import json
import os
import resource
import select
import signal
import sys
import time
import types
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol
from coverage import Coverage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mutation.mutants import Mutant

#: A test that takes longer kills nothing: one that does the same in less time is wanted.
LONGEST_TEST = 1.5
#: Seconds of tests that are spent on a mistake, first on what runs its line, then on what runs its file.
FIRST, THEN = 4.0, 3.0
#: A run that takes so many times longer than it did without the mistake does not end.
PATIENCE = 6
_ANSWERS = ("kgsan.risk", "kgsan.sanitize", "kgsan.knowledge")
_PLAIN = (int, float, str, bool, tuple, frozenset, types.NoneType)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mistake."""

    mutant: Mutant
    outcome: str  #: killed, timeout, survived
    test: str = ""  #: the one that noticed

    @property
    def is_noticed(self) -> bool:
        return self.outcome != "survived"


class Trial:
    """A pytest plugin that runs every test once and then every mistake against the tests that run its line."""

    def __init__(self, chosen: Sequence[Mutant], told: Callable[[Verdict], None], clock: Path) -> None:
        self._chosen, self._told, self._clock = chosen, told, clock
        self.verdicts: list[Verdict] = []
        self.failing: list[str] = []
        self._seconds: dict[str, float] = {}
        self._running: dict[str, dict[int, set[str]]] = {}
        self._killers: dict[str, list[str]] = defaultdict(list)
        self._trusted: set[str] = set()

    def pytest_configure(self) -> None:
        from hypothesis import settings

        settings.register_profile("mutation", derandomize=True, database=None, deadline=None)
        settings.load_profile("mutation")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        before = json.loads(self._clock.read_text("utf-8")) if self._clock.exists() else {}
        session.items = [item for item in session.items if before.get(item.nodeid, 0.0) <= LONGEST_TEST]
        self._items = {item.nodeid: item for item in session.items}
        self._names = {item.nodeid: dict(item.dtest.globs) for item in session.items if isinstance(item, pytest.DoctestItem)}
        self._run_once(session)
        self._clock.parent.mkdir(exist_ok=True)
        self._clock.write_text(json.dumps(before | self._seconds, indent=1), encoding="utf-8")
        self._let_go(session)
        self._functions, self._caches, self._test_caches = _alive()
        gc.collect()
        gc.freeze()
        for mutant in self._chosen:
            while not self._is_trusted(session, verdict := self._tried(session, mutant, *self._tests(mutant))):
                pass
            self.verdicts.append(verdict)
            self._told(verdict)
            if verdict.test in self._items:
                self._killers[mutant.path].insert(0, verdict.test)
        return True

    def _is_trusted(self, session: pytest.Session, verdict: Verdict) -> bool:
        """Whether the test that noticed passes in the same way without any mistake; one that does not is never asked again."""
        if verdict.test in self._trusted or verdict.test not in self._items:
            return True
        unchanged = replace(verdict.mutant, source=Path(verdict.mutant.path).read_text("utf-8"))
        if self._tried(session, unchanged, [verdict.test], []).is_noticed:
            self.failing.append(verdict.test)
            for lines in self._running.values():
                for tests in lines.values():
                    tests.discard(verdict.test)
            return False
        self._trusted.add(verdict.test)
        return True

    def _run_once(self, session: pytest.Session) -> None:
        files = sorted({os.path.abspath(mutant.path) for mutant in self._chosen})
        watch = Coverage(data_file=None, include=files, config_file=False)
        watch.start()
        for at, item in enumerate(session.items):
            watch.switch_context(item.nodeid)
            started = time.process_time()
            following = session.items[at + 1] if at + 1 < len(session.items) else item
            reports = self._reports(item, following)
            self._seconds[item.nodeid] = time.process_time() - started
            if any(report.failed for report in reports):
                self.failing.append(item.nodeid)
        watch.stop()
        data = watch.get_data()
        for file in files:
            lines = data.contexts_by_lineno(file)
            self._running[file] = {line: set(tests) - {""} - set(self.failing) for line, tests in lines.items()}

    def _reports(self, item: pytest.Item, following: Any) -> list[pytest.TestReport]:
        if isinstance(item, pytest.DoctestItem):
            item.dtest.globs.update(self._names[item.nodeid])  # a run of an example leaves it without names
        return runtestprotocol(item, log=False, nextitem=following)

    def _let_go(self, session: pytest.Session) -> None:
        """Take down the fixtures of modules, so that a copy can begin anywhere; those of the session stay."""
        end: Any = types.SimpleNamespace(listchain=lambda: [session])
        session._setupstate.teardown_exact(end)

    def _tests(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The tests that run the line, and those that run anything else in the file; the most telling first."""
        of_file = self._running[os.path.abspath(mutant.path)]
        on_line = set().union(*(of_file.get(line, ()) for line in mutant.lines))
        everywhere = set().union(*of_file.values())
        if mutant.function is None:
            on_line = everywhere
        recent = [test for test in self._killers[mutant.path] if test in on_line][:5]
        first = [*dict.fromkeys(recent), *self._ordered(on_line - set(recent))]
        return self._affordable(first, FIRST), self._affordable(self._ordered(everywhere), THEN)

    def _ordered(self, tests: Iterable[str]) -> list[str]:
        """Tests of one file stay together, because they share what the file sets up."""
        of_file: dict[str, list[str]] = defaultdict(list)
        for test in tests:
            of_file[test.split("::")[0]].append(test)
        total = {file: sum(self._seconds[test] for test in each) for file, each in of_file.items()}
        order = sorted(of_file, key=lambda file: (total[file] / len(of_file[file]), file))
        return [test for file in order for test in sorted(of_file[file], key=lambda test: (self._seconds[test], test))]

    def _affordable(self, tests: Sequence[str], seconds: float) -> list[str]:
        taken, left = [], seconds
        for test in tests:
            if self._seconds[test] <= min(LONGEST_TEST, left):
                taken.append(test)
                left -= self._seconds[test]
        return taken

    def _tried(self, session: pytest.Session, mutant: Mutant, first: list[str], then: list[str]) -> Verdict:
        expected = sum(self._seconds[test] for test in (*first, *then))
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _limit(expected * PATIENCE + 20)
            code = 2
            try:
                killer = self._noticed(session, mutant, first, then)
                os.write(writing, (killer or "").encode())
                code = 1 if killer else 0
            except BaseException as error:  # such as a mistake with which the module cannot be imported
                os.write(writing, f"{type(error).__name__}: {error}"[:4000].encode())
            finally:
                os._exit(code)
        os.close(writing)
        readable, _, _ = select.select([reading], [], [], expected * PATIENCE * 8 + 180)
        if not readable:
            os.kill(child, signal.SIGKILL)
        told = os.read(reading, 4096).decode() if readable else ""
        os.close(reading)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return Verdict(mutant, "timeout")
        code = os.waitstatus_to_exitcode(status)
        if told.startswith("LookupError"):
            raise RuntimeError(told)
        return Verdict(mutant, "survived") if code == 0 else Verdict(mutant, "killed", told)

    def _noticed(self, session: pytest.Session, mutant: Mutant, first: list[str], then: list[str]) -> str | None:
        """The first test that fails with the mistake in place."""
        _install(mutant, self._functions)
        for cache in self._caches:
            cache.cache_clear()
        if failed := self._first_failing(session, first):
            return failed
        for cache in self._test_caches:  # what tests keep may have been made without the mistake
            cache.cache_clear()
        return self._first_failing(session, then)

    def _first_failing(self, session: pytest.Session, tests: Sequence[str]) -> str | None:
        for at, test in enumerate(tests):
            end: Any = types.SimpleNamespace(listchain=lambda: [session])
            following = self._items[tests[at + 1]] if at + 1 < len(tests) else end
            if any(report.failed for report in self._reports(self._items[test], following)):
                return test
        return None


def _limit(seconds: float) -> None:
    """End this process when it has used so much of the processor; what other processes do is not counted."""
    used = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 1, int(used + seconds) + 5))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)


def _alive() -> tuple[dict[tuple[str, str], list[types.FunctionType]], list[Any], list[Any]]:
    """Every function by file and name, and every cache: those of answers, and those of tests."""
    functions: dict[tuple[str, str], list[types.FunctionType]] = defaultdict(list)
    answers, tests = [], []
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType:
            functions[thing.__code__.co_filename, thing.__code__.co_qualname].append(thing)
        elif type(thing) is functools._lru_cache_wrapper:
            module = str(getattr(thing, "__module__", ""))
            if module.startswith(_ANSWERS):
                answers.append(thing)
            elif module.startswith("tests"):
                tests.append(thing)
    return functions, answers, tests


def _install(mutant: Mutant, functions: dict[tuple[str, str], list[types.FunctionType]]) -> None:
    """Put the mistake into the running process: into every function that it changes, or into what the module made at import."""
    file = os.path.abspath(mutant.path)
    code = compile(mutant.source, file, "exec", dont_inherit=True)
    if mutant.function is None:
        _graft(mutant, code)
        return
    for changed in _codes(code):
        if changed.co_qualname == mutant.function:
            found = [each for each in functions[file, mutant.function] if each.__code__.co_firstlineno == changed.co_firstlineno]
            if not found:
                raise LookupError(f"{mutant.place}: {mutant.function} is not to be found")
            for function in found:
                function.__code__ = changed


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _graft(mutant: Mutant, code: types.CodeType) -> None:
    """Run the module with the mistake beside the real one, and carry over the plain values and defaults that differ."""
    name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    real = sys.modules[name]
    beside = types.ModuleType(name)
    beside.__file__, beside.__package__ = real.__file__, real.__package__
    exec(code, vars(beside))
    for key, value in vars(beside).items():
        old = vars(real).get(key)
        if isinstance(value, types.FunctionType) and isinstance(old, types.FunctionType) and value.__module__ == name:
            old.__defaults__, old.__kwdefaults__ = value.__defaults__, value.__kwdefaults__
        elif isinstance(value, type) and isinstance(old, type) and value.__module__ == name:
            _graft_class(old, value)
        elif not key.startswith("__") and _differs(old, value):
            for module in list(sys.modules.values()):
                if str(getattr(module, "__name__", "")).startswith("kgsan") and vars(module).get(key) is old:
                    setattr(module, key, value)


def _differs(old: object, new: object) -> bool:
    try:
        return isinstance(new, (*_PLAIN, dict, list, set)) and old != new
    except ValueError:  # arrays
        return False


def _graft_class(old: type, new: type) -> None:
    for key, value in vars(new).items():
        before = vars(old).get(key)
        if isinstance(value, types.FunctionType) and isinstance(before, types.FunctionType):
            before.__defaults__, before.__kwdefaults__ = value.__defaults__, value.__kwdefaults__
        elif isinstance(value, _PLAIN) and not key.startswith("__") and before != value:
            setattr(old, key, value)
