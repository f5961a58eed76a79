"""One run with one fault, and what is wrong with what was seen of it."""

from __future__ import annotations

import shutil
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan import KgsanError
from kgsan.spark.executor import WorkStopped
from tests.faults.never_open_injecting import sites
from tests.faults.never_open_watching import Seen, told_of, watched
from tests.faults.never_open_world import NOTE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.faults.never_open_injecting import Fault, Site
    from tests.faults.never_open_scenes import Scene, World

#: What an ending program raises itself, and no error of anybody.
_ENDS = (KeyboardInterrupt, MemoryError, CancelledError)
#: What is given out, and reads as it does without a fault, or is missing.
GIVEN = ("text", "texts", "frame", "doc", "docs", "anonymized")
OUTPUTS = ("file out/note", "file out/all/note")


@dataclass(slots=True)
class Judged:
    """What is wrong with a run: nothing, or words that leaked, an error that is not kgsan's, or a text that came out otherwise."""

    leaks: list[str] = field(default_factory=list)
    escaped: str = ""
    changed: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.leaks or self.escaped or self.changed)


class Stage:
    """A scene that was played once without faults, so that it is known what it calls and what is seen of it."""

    def __init__(self, world: World, scene: Scene, folder: Path, *, foreign: bool, honest: Seen | None = None) -> None:
        self._world = world
        self.scene = scene
        self._runs = folder
        self._count = 0
        self.folder = folder  #: of the run that is going on
        self.sites: dict[Site, int] = {}
        if honest is not None:
            self.honest = honest
            return
        self.play()  # what is loaded when first needed is loaded
        self.honest = self.play()
        assert self.honest.raised is None or scene.is_broken, self.honest.raised
        assert self.honest.leaks() == [], self.honest.leaks()
        self.play(lambda run: self.sites.update(sites(run, foreign=foreign)))

    def judged(self, fault: Fault) -> Judged:
        """A run with a fault."""

        def armed(run: Callable[[], None]) -> None:
            with fault.armed():
                run()

        return self.judge(self.play(armed))

    def judge(self, seen: Seen) -> Judged:
        """What is wrong with what was seen."""
        made = Judged(seen.leaks())
        if seen.raised is not None:
            made.leaks += _quoted(seen.raised)
            if self._is_foreign(seen.raised):
                made.escaped = type(seen.raised).__name__
        made.changed = self._changed(seen)
        return made

    def outcome(self, seen: Seen) -> dict[str, object]:
        """What came of a run with a fault, for a table; also of the next text, where the program goes on."""
        made = self.judge(seen)
        if self.scene.goes_on and not self.is_as_before():
            made.changed.append("the next text")
        is_finished = not self.scene.is_broken and not self.difference(seen)
        return {"finished": is_finished, "leaks": made.leaks[:5], "escaped": made.escaped, "changed": made.changed}

    def difference(self, seen: Seen) -> list[str]:
        """Where a run gave something else than the one without faults."""
        found = [] if (seen.raised is None) == (self.honest.raised is None) else ["raised"]
        compared = (*GIVEN, "code", "status", "column")
        names = {where for where, _ in (*seen.told, *self.honest.told) if where in compared or where.startswith(OUTPUTS)}
        return found + sorted(where for where in names if seen.of(where) != self.honest.of(where))

    def _is_foreign(self, error: BaseException) -> bool:
        """Whether an error is neither kgsan's own nor the end of the program."""
        return self.scene.is_command or not isinstance(error, (KgsanError, WorkStopped, *_ENDS))

    def play(self, how: Callable[[Callable[[], None]], None] | None = None) -> Seen:
        """One run in a folder of its own, of which nothing is left."""
        self._count += 1
        folder = self.folder = self._runs / str(self._count)
        shutil.rmtree(folder, ignore_errors=True)  # of a run that was ended
        if self.scene.prepare is not None:
            self.scene.prepare()
        with watched(folder, self.scene.given) as seen:
            try:
                run = lambda: self.scene.run(folder, seen)  # noqa: E731
                run() if how is None else how(run)
            except BaseException as error:
                seen.raised = error
        shutil.rmtree(folder)
        return seen

    def is_as_before(self) -> bool:
        """Whether the faults left nothing behind that the next text would meet."""
        return self._world.sanitizer.sanitize(NOTE).text == self._world.safe

    def _changed(self, seen: Seen) -> list[str]:
        """What was given out and reads otherwise than without the fault."""
        return [
            where
            for where in {where for where, _ in seen.told}
            if where in GIVEN or where.startswith(OUTPUTS)
            if not self.honest.of(where).startswith(seen.of(where))
        ]


def _quoted(error: BaseException) -> list[str]:
    seen = Seen()
    for where, told in told_of(error):
        seen.add(where, told)
    return seen.leaks()
