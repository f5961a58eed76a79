"""What the tests share: a cache of their own, the shared data when it is there, and small ontologies."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgsan.ontology.ontology import Ontology
from kgsan.sources.records import Records, Scope

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    patch = pytest.MonkeyPatch()
    patch.setenv("KGSAN_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture
def shared() -> Path:
    """The folder of data that lies beside the project while it is developed; tests that want it skip without it."""
    if not SHARED.is_dir():
        pytest.skip("the shared data is not here")
    return SHARED


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
