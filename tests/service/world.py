"""A service under two toy policies, asked without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.testclient import TestClient

from kgsan.service.answering import Answers
from kgsan.service.app import Service
from kgsan.service.pool import Pool, ThreadWorker
from kgsan.service.settings import Limits, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.service.pool import Worker

HOST = "127.0.0.1:4711"
TOKEN = "a-token-that-nobody-guesses"
KNOWN = {"authorization": f"Bearer {TOKEN}"}
TEXT = "He takes zidovudine. It helps against AIDS. She takes ibuprofen since 3/4/2021."
SANITIZED = "He takes an antiviral drug. It helps against an infection. She takes ibuprofen since [REDACTED]."
#: What no refusal, log or error may tell.
SECRETS = ("zidovudine", "aids", "3/4/2021", "ibuprofen")
LIMITS = Limits(largest=64 << 10, seconds=5, at_a_time=2, waiting=2)


class Asked:
    """A service and a client that knows its token."""

    def __init__(
        self, settings: Settings, limits: Limits = LIMITS, workers: list[Worker] | None = None, hosts: Sequence[str] = (HOST,)
    ) -> None:
        self.errors: list[BaseException] = []
        self.lines: list[str] = []
        if workers is None:
            answers = Answers(settings)
            workers = [ThreadWorker(answers) for _ in range(limits.at_a_time)]
        self.app = Service(settings, limits, Pool(workers), TOKEN, hosts, tell=self.errors.append, log=self.lines.append)
        self.client = TestClient(self.app, base_url=f"http://{HOST}", headers=KNOWN, raise_server_exceptions=False)

    def post(self, path: str, given: Any, **more: Any) -> Any:
        return self.client.post(path, json=given, **more)


def is_problem(answer: Any, status: int, code: str) -> bool:
    """Whether an answer is one problem, as RFC 9457 writes it, that tells nothing of a document."""
    told = answer.json()
    return (
        answer.status_code == status == told["status"]
        and answer.headers["content-type"] == "application/problem+json"
        and told["code"] == code
        and told["type"] == f"urn:kgsan:problem:{code}"
        and set(told) == {"type", "title", "status", "detail", "code"}
        and not any(word in answer.text.casefold() for word in SECRETS)
    )
