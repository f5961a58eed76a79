"""Two toy policies: one that everything is asked of, and one that gives nothing out where nothing is safe."""

from __future__ import annotations

import pytest

from kgsan.policy.read import load_policy
from kgsan.service.settings import Settings
from tests.report.toy import write_policy
from tests.service.world import Asked


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("service")
    protect = '[{entity: disease, because: "Toy Act § 2."}]'
    stop = write_policy(folder / "stop", policy="stop", when_nothing_is_safe="stop", protect=protect)
    return Settings((load_policy(write_policy(folder / "toy")), load_policy(stop)))


@pytest.fixture(scope="session")
def lone(settings: Settings) -> Settings:
    return Settings(settings.policies[:1], allow_strictness=True)


@pytest.fixture(scope="session")
def asked(settings: Settings) -> Asked:
    return Asked(settings)
