"""What the tests share: a cache of their own, the shared data when it is there, and small ontologies."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import time
from contextlib import contextmanager, suppress
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from kgsan.knowledge import build, corpus
from kgsan.knowledge import load as knowledge_load
from kgsan.knowledge.nouns import PhraseReader
from kgsan.ontology import load as ontology_load
from kgsan.ontology.load import default_stack, load_ontology
from kgsan.ontology.ontology import Ontology
from kgsan.sources.records import Options, Records, Scope
from kgsan.text.index import load_index

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from kgsan.knowledge.knowledge import Knowledge
    from kgsan.ontology.stack import OntologyStack
    from kgsan.sources.files import Watch

SHARED = Path(__file__).parents[2] / "shared"
#: Here it matters how what ships is loaded, or what is kept of it: it is loaded each time, as by a program that has just begun.
LOADED_ANEW = ("faults", "fuzz", "knowledge", "ontology", "soak", "sources", "spark", "test_shipped", "test_wheel")

# The same examples in every run, and none against the clock: a busy machine is no mistake. `make fuzz` tries others.
settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


@contextmanager
def _locked(path: Path, how: int = 0) -> Iterator[None]:
    with path.open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | how)
        yield


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    patch = pytest.MonkeyPatch()
    if "PYTEST_XDIST_WORKER" in os.environ:  # one for all of them, who share in compiling what ships
        folder = tmp_path_factory.getbasetemp().parent / "cache"
        patch.setenv("KGSAN_CACHE", str(folder))
        folder.mkdir(exist_ok=True)
        for name in default_stack():
            with suppress(BlockingIOError), _locked(folder / f"lock-{name}", fcntl.LOCK_NB):
                load_ontology(name)
        for name in default_stack():
            with _locked(folder / f"lock-{name}"):
                pass
        with _locked(folder / "lock"):
            load_index(load_ontology())
    else:
        patch.setenv("KGSAN_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def _one_reader_of_phrases() -> object:
    """Every builder of knowledge makes one, from all everyday words; they are all alike, so the tests share it."""
    patch = pytest.MonkeyPatch()
    patch.setattr(build, "PhraseReader", cache(PhraseReader))
    yield
    patch.undo()


class Shipped:
    """What ships, loaded once: the ontologies by their names, and the knowledge for all of them, with room for every concept."""

    def __init__(self) -> None:
        self._load, self._open = ontology_load._load, knowledge_load._open
        self._names = default_stack()
        self._ontologies: dict[str | Path, Ontology] = {}
        self._knowledge: Knowledge | None = None

    def ontology(self, source: str | Path, options: Options, watch: Watch | None) -> Ontology:
        """An ontology; one that ships is the same each time."""
        if source not in self._names or options != Options():
            return self._load(source, options, watch)
        if source not in self._ontologies:
            self._ontologies[source] = self._load(source, options, watch)
        return self._ontologies[source]

    def knowledge(self, source: str | Path, stack: OntologyStack) -> Knowledge:
        """Knowledge; what ships is the same each time for the ontologies that ship."""
        if source != knowledge_load.ENGLISH or [*map(id, stack)] != [id(self._ontologies.get(name)) for name in self._names]:
            return self._open(source, stack)
        if self._knowledge is None:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(corpus, "_KEPT_CONCEPTS", 128 << 20)
                self._knowledge = self._open(source, stack)
        return self._knowledge


@pytest.fixture(scope="session")
def _shipped() -> Shipped:
    return Shipped()


@pytest.fixture(autouse=True, scope="module")
def _loaded_once(request: pytest.FixtureRequest, _shipped: Shipped) -> object:
    """A policy is compiled in a fifth of the time if what ships need not be opened and counted together for each."""
    patch = pytest.MonkeyPatch()
    if request.module.__name__.split(".")[1] not in LOADED_ANEW:
        patch.setattr(ontology_load, "_load", _shipped.ontology)
        patch.setattr(knowledge_load, "_open", _shipped.knowledge)
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="module")
def _forgotten(request: pytest.FixtureRequest) -> object:
    """What the tests of a file keep for each other goes with the last of them: else a run would hold gigabytes."""
    yield
    for kept in vars(request.module).values():
        if isinstance(kept, _lru_cache_wrapper) and kept.__module__ == request.module.__name__:
            kept.cache_clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A real Chromium, where the machine has one: Debian's, driven by Playwright. Without it these tests are skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("there is no Chromium on this machine (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def shared() -> Path:
    """The folder of data that lies beside the project while it is developed; tests that want it skip without it."""
    if not SHARED.is_dir():
        pytest.skip("the shared data is not here")
    return SHARED


def seconds(work: Callable[..., object], *arguments: object, enough: float = 0.0) -> float:
    """The best of three runs on the processor's clock: other work on the machine only ever adds. Nobody looks for garbage meanwhile.

    After a run of less than `enough` seconds there is no other.
    """
    best = float("inf")
    gc.disable()
    try:
        for _ in range(3):
            started = time.process_time()
            work(*arguments)
            best = min(best, time.process_time() - started)
            if best < enough:
                break
    finally:
        gc.enable()
    return best


def within(limit: float, work: Callable[..., object], *arguments: object) -> bool:
    """Whether work takes less than so many seconds: one run of three that does shows it."""
    return seconds(work, *arguments, enough=limit) < limit


def mutated(data: bytes, dice: random.Random, pieces: list[bytes]) -> bytes:
    """The bytes with a few cuts, gaps, changed bytes and insertions: noise, or pieces that the format gives a meaning."""
    made = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(made) + 1)
        what = dice.randrange(5)
        if what == 0:
            del made[at:]
        elif what == 1:
            del made[at : at + dice.randint(0, 40)]
        elif what == 2:
            made[at:at] = dice.randbytes(dice.randint(1, 40))
        elif what == 3:
            made[at:at] = dice.choice(pieces)
        else:
            made[at : at + 1] = dice.choice([*pieces, dice.randbytes(1)])
    return bytes(made)


def taxonomy(parents: dict[str, str], prefix: str = "t") -> Records:
    """Records in which every name is a concept; parents are given as "a, b"."""
    records = Records("test")
    for child, above in parents.items():
        number = records.concept(f"{prefix}:{child}")
        records.name(number, child, Scope.PREFERRED)
        for parent in filter(None, above.split(", ")):
            records.parent(number, records.concept(f"{prefix}:{parent}"))
    return records


#: The taxonomy of the golden table of intrinsic information: 15 concepts, 6 leaves, 6 deep.
GOLDEN = {
    "entity": "",
    "disease": "entity",
    "drug": "entity",
    "infection": "disease",
    "sexually transmitted disease": "disease",
    "mental disorder": "disease",
    "viral infection": "infection",
    "bacterial infection": "infection",
    "HIV infection": "viral infection, sexually transmitted disease",
    "influenza": "viral infection",
    "syphilis": "bacterial infection, sexually transmitted disease",
    "AIDS": "HIV infection",
    "depression": "mental disorder",
    "zidovudine": "drug",
    "ibuprofen": "drug",
}


@pytest.fixture(scope="session")
def golden() -> Ontology:
    return Ontology.from_records(taxonomy(GOLDEN))
