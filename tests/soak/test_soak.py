"""A short part of `make soak` on a toy policy: what is measured there would be seen if it were wrong."""

from __future__ import annotations

import sys
from itertools import islice
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from typing import TYPE_CHECKING, Any

import pytest

from tests.report.toy import NOTE, write_policy
from tests.soak.__main__ import CONNECTIONS, HELD, P99
from tests.soak.documents import documents
from tests.soak.flow import flow, sanitizers
from tests.soak.service import attacked
from tests.soak.sharing import shared

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory and connections are read as Linux tells them")
_COUNT = 500


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_policy(tmp_path_factory.mktemp("toy"))


def texts(count: int, seed: int = 0) -> list[str]:
    """Documents of the generator, without the names of the shipped ontologies, each with something to hide."""
    return [f"{NOTE}{text}" for text in islice(documents(seed, tail=0), count)]


def test_the_same_seed_gives_the_same_documents_and_another_gives_others() -> None:
    assert texts(50) == texts(50)
    assert texts(50) != texts(50, seed=1)
    assert len(set(texts(500))) > 490


class Leaking:
    """Sanitizes, and keeps something of every document."""

    def __init__(self, by: Any) -> None:
        self._by = by
        self._kept: list[mmap] = []

    def sanitize(self, text: str) -> Any:
        self._kept.append(mmap(-1, 102_400, MAP_PRIVATE | MAP_ANONYMOUS))  # never out of what was freed before
        self._kept[-1].write(bytes(102_400))
        return self._by.sanitize(text)


def test_memory_stays_flat_and_a_leak_would_be_seen(policy: Path) -> None:
    by = sanitizers(policy)
    short = [text[:200] for text in texts(_COUNT)]
    flow(60, iter(short), by, most=_COUNT)  # what is worked out once is known
    made = flow(60, iter(short), by, most=_COUNT)
    assert made.count == _COUNT
    assert made.growth() < 2500  # 7 MB in all
    leaking: Any = (Leaking(by[0]), by[1])
    assert flow(60, iter(short), leaking, most=_COUNT).growth() > 5000


@pytest.mark.parametrize("method", ["engine", "csan"])
def test_threads_and_processes_come_to_the_same_texts(policy: Path, method: str) -> None:
    made = shared(texts(30), method, policy, processes=method == "engine")
    assert len(made.hashes) == (3 if method == "engine" else 2)
    assert made.is_same
    assert shared(texts(30, seed=1), method, policy, processes=False).hashes["one thread"] != made.hashes["one thread"]


def test_honest_clients_are_answered_while_others_attack(policy: Path) -> None:
    made = attacked(str(policy), 6)
    assert made.is_alive
    assert made.said == "The service was ended.\n"
    assert made.attacked.failed == []
    assert len(made.attacked.took) > 20
    assert made.attacked.latency(0.99) < P99
    assert 100 < made.connections <= CONNECTIONS
    assert made.memory - made.before < HELD
