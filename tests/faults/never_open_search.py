"""One way that a text takes: played without faults, then with an error at each call that it makes."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.faults.never_open import Stage
from tests.faults.never_open_forking import PATIENCE, Forks, Met, NamedFault, apart
from tests.faults.never_open_scenes import Scene, World, forget
from tests.faults.never_open_watching import Seen, holds
from tests.faults.never_open_world import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

#: What may be wrong with a run.
WRONG = ("leaks", "escaped", "changed", "hanging")
_LETTING_GO = ("lock.__exit__ from", "RLock.__exit__ from", "lock.release from", "RLock.release from")


class Search:
    """This process stays as it was, so that each way begins as in a new one."""

    def __init__(
        self,
        world: World,
        scene: Scene,
        folder: Path,
        kind_of: Callable[[str], str],
        chosen: Callable[[str], bool],
        beside: Collection[str] = (),
    ) -> None:
        self._world, self._scene, self._folder = world, scene, folder
        self._kind_of, self._chosen, self._beside = kind_of, chosen, beside
        self._honest = Seen()

    def result(self) -> dict[str, Any]:
        """How many calls there are, what came of each, and what was wrong."""
        begun = time.monotonic()
        told, raised = apart(self._play_honestly)
        self._honest.told = [(where, content.encode("latin-1")) for where, content in told]
        self._honest.raised = RuntimeError() if raised else None
        met = Met(**apart(self._fork_everywhere))
        if met.threaded:
            met.tried.update(apart(lambda: self._in_threads(met.threaded)))
        tried, wrong = {}, []
        for name, outcome in met.tried.items():
            tried[name] = _words(name, outcome)
            if not {*tried[name].split()}.isdisjoint(WRONG):
                wrong.append(f"{self._kind_of(name)} at {name}: {outcome}")
        wrong += [
            f"leaks: {path.name} in the cache" for path in _cached() if any(holds(path.read_bytes(), one) for one in PRIVATE)
        ]
        return {
            "reachable": len({*met.reachable}.difference(self._beside)),
            "tried": tried,
            "wrong": wrong,
            "seconds": time.monotonic() - begun,
        }

    def _play_honestly(self) -> Any:
        honest = Stage(self._world, self._scene, self._folder / "honest", foreign=False).honest
        return [(where, content.decode("latin-1")) for where, content in honest.told], honest.raised is not None

    def _stage(self, name: str) -> Stage:
        return Stage(self._world, self._scene, self._folder / name, foreign=True, honest=self._honest)

    def _fork_everywhere(self) -> Any:
        stage = self._stage("forked")
        self._begin(stage)
        gc.disable()  # whose moment is nobody's call
        met = Forks(self._kind_of, self._chosen).search(stage)
        return {"reachable": met.reachable, "tried": met.tried, "threaded": met.threaded}

    def _begin(self, stage: Stage) -> None:
        """A command begins with nothing loaded; a program that goes on has loaded everything before the first text."""
        if self._scene.goes_on:
            stage.play()
        else:
            forget()
        gc.collect()
        gc.freeze()

    def _in_threads(self, names: list[str]) -> dict[str, Any]:
        stage = self._stage("threads")
        self._begin(stage)
        tried: dict[str, Any] = {}
        for name in names:
            outcome = apart(lambda: self._faulted(stage, name), PATIENCE)  # noqa: B023 (it is called at once)
            if outcome is None or outcome["fired"]:
                tried[name] = outcome
        return tried

    def _faulted(self, stage: Stage, name: str) -> dict[str, Any]:
        fault = NamedFault(name, self._kind_of(name))
        return {**stage.outcome(stage.play(fault.armed)), "fired": fault.has_fired}


def _cached() -> list[Path]:
    """What the runs left in the cache, which holds the words of the ontology, but none of the document's alone."""
    return [path for path in Path(os.environ["KGSAN_CACHE"]).rglob("*") if path.is_file()]


def _words(name: str, outcome: dict[str, Any] | None) -> str:
    if outcome is None:  # where a lock is not let go of, the next waits for ever, and gives nothing
        return "waiting" if name.startswith(_LETTING_GO) else "hanging"
    return " ".join(["finished" if outcome["finished"] else "refused", *(word for word in WRONG if outcome.get(word))])
