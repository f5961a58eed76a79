"""The service keeps to its own description, whatever is made up from it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.policy.policy import Policy
from kgsan.policy.read import load_policy
from kgsan.service.description import described
from kgsan.service.settings import Limits, Settings
from tests.report.toy import write_policy
from tests.service.world import TOKEN, Asked

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis makes up the requests")
from hypothesis import HealthCheck, settings  # noqa: E402

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

#: The host that schemathesis names.
_HOST = "testserver"
#: With its capital: the check that the token is asked for takes the header away by this name.
_AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


class WhenAsked:
    """A service in which everything can be set, made when it is first asked: tests are collected before anything is loaded."""

    def __init__(self) -> None:
        self._asked: Asked | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._asked is None:
            with tempfile.TemporaryDirectory() as folder:
                policy = load_policy(write_policy(Path(folder)))
                limits = Limits(largest=64 << 10, seconds=20, at_a_time=2, waiting=8)
                self._asked = Asked(Settings((policy,), allow_strictness=True), limits, hosts=[_HOST])
        await self._asked.app(scope, receive, send)


made_up = schemathesis.openapi.from_dict(described(Settings((Policy("toy", "Toy Act"),), allow_strictness=True)))
made_up.app = WhenAsked()


@made_up.parametrize()
@settings(max_examples=150, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_the_service_keeps_to_its_description(case: Any) -> None:
    case.call_and_validate(headers=_AUTHORIZED)


def test_the_description_that_is_served_is_this_one(lone: Settings) -> None:
    assert Asked(lone).client.get("/openapi.json").json() == made_up.raw_schema
