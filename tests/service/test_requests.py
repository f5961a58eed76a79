"""What the service answers, and every way in which it refuses."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.policy.read import load_policy
from kgsan.report.certificate import check_certificate
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sanitize.wordless import Unforeseen
from kgsan.service.answering import Answers
from kgsan.service.app import HEADERS
from kgsan.service.pool import Pool
from kgsan.service.problems import Answer
from kgsan.service.settings import Limits, Settings
from tests.report.toy import write_policy
from tests.service.loops import awaited
from tests.service.world import HOST, KNOWN, LIMITS, SANITIZED, SECRETS, TEXT, TOKEN, Asked, is_problem

if TYPE_CHECKING:
    from pathlib import Path

# --- what is answered -------------------------------------------------------------------------------------------------------


def test_a_text_comes_back_as_the_policy_lets_it_stand(asked: Asked) -> None:
    answer = asked.post("/sanitize", {"text": TEXT, "policy": "toy"})
    assert answer.status_code == 200
    told = answer.json()
    assert told["text"] == SANITIZED
    assert told["policy"] == "toy"
    assert [one["action"] for one in told["decisions"]] == ["generalized", "generalized", "redacted"]
    assert set(told["decisions"][0]) == {"new_start", "new_end", "action", "replacement"}
    assert "certificate" not in told


def test_with_one_policy_none_need_be_named(lone: Settings) -> None:
    assert Asked(lone).post("/sanitize", {"text": TEXT}).json()["text"] == SANITIZED


def test_the_certificate_that_is_asked_for_holds(asked: Asked, settings: Settings) -> None:
    told = asked.post("/sanitize", {"text": TEXT, "policy": "toy", "certificate": True}).json()
    assert check_certificate(told["certificate"], Sanitizer(settings.policies[0]), told["text"]) == []
    again = asked.post("/verify", {"text": told["text"], "policy": "toy", "certificate": told["certificate"]}).json()
    assert again == {"policy": "toy", "discloses": [], "certificate_holds": True, "certificate_differences": []}
    other = asked.post("/verify", {"text": "Another text.", "policy": "toy", "certificate": told["certificate"]}).json()
    assert other["certificate_holds"] is False


def test_what_still_discloses_is_told_without_its_words(asked: Asked) -> None:
    answer = asked.post("/verify", {"text": TEXT, "policy": "toy"})
    assert [one["rule"] for one in answer.json()["discloses"]] == ["inference", "naming", "identifier"]
    assert not any(word in answer.text.casefold() for word in SECRETS)


def test_strictness_can_be_set_where_that_is_allowed(lone: Settings) -> None:
    asked = Asked(lone)
    text = "He takes an antiviral drug."
    assert asked.post("/sanitize", {"text": text}).json()["text"] == text
    assert asked.post("/sanitize", {"text": text, "strictness": 3}).json()["text"] != text
    assert asked.post("/verify", {"text": text, "strictness": 3}).json()["discloses"] != []
    for strictness in (0, 0.99, 101, -1, 1e300, True, "2", None):
        assert is_problem(asked.post("/sanitize", {"text": text, "strictness": strictness}), 422, "V111")


def test_half_of_a_pair_of_letters_comes_back_as_it_was_sent(asked: Asked) -> None:
    content = '{"text": "\\ud83d is half.", "policy": "toy"}'
    answer = asked.client.post("/sanitize", content=content, headers={"content-type": "application/json"})
    assert json.loads(answer.content)["text"] == "\ud83d is half."


def test_health_is_told_to_anybody_and_tells_nothing(asked: Asked) -> None:
    answer = asked.client.get("/health", headers={"authorization": ""})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert asked.client.head("/health").status_code == 200


def test_the_description_names_the_policies_and_no_strictness_unless_it_is_allowed(asked: Asked, lone: Settings) -> None:
    def fields(told: Any) -> Any:
        return told["paths"]["/sanitize"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]

    told = asked.client.get("/openapi.json").json()
    assert told["openapi"] == "3.1.0"
    assert fields(told)["policy"]["enum"] == ["toy", "stop"]
    assert "strictness" not in fields(told)
    assert fields(Asked(lone).client.get("/openapi.json").json())["strictness"]["minimum"] == 1


# --- what is refused --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:4712", f"{HOST}.evil.example", f"{HOST}, {HOST}", ""])
def test_another_host_is_refused(asked: Asked, host: str) -> None:
    for path in ("/sanitize", "/health", "/openapi.json", "/zidovudine"):
        assert is_problem(asked.client.post(path, json={"text": TEXT}, headers={"host": host}), 421, "V104")


@pytest.mark.parametrize(
    "given", ["", TOKEN, f"Basic {TOKEN}", "Bearer", "Bearer ", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", "Bearer zidovudine"]
)
@pytest.mark.parametrize("path", ["/sanitize", "/verify", "/openapi.json", "/zidovudine"])
def test_without_the_token_nothing_is_done(asked: Asked, path: str, given: str) -> None:
    answer = asked.client.post(path, json={"text": TEXT}, headers={"authorization": given})
    assert is_problem(answer, 401, "V105")
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_two_tokens_are_none(asked: Asked) -> None:
    headers = [("authorization", "Bearer wrong"), ("authorization", f"Bearer {TOKEN}"), ("host", HOST)]
    asked.client.headers.pop("authorization")
    try:
        assert is_problem(asked.client.get("/openapi.json", headers=headers), 401, "V105")
    finally:
        asked.client.headers.update(KNOWN)


@pytest.mark.parametrize("path", ["/", "/zidovudine", "/sanitize/", "/sanitize/aids", "//sanitize", "/docs"])
def test_an_unknown_address_is_refused(asked: Asked, path: str) -> None:
    assert is_problem(asked.client.get(f"http://{HOST}{path}"), 404, "V106")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_another_method_is_refused(asked: Asked, method: str) -> None:
    answer = asked.client.request(method, "/sanitize")
    assert is_problem(answer, 405, "V107")
    assert answer.headers["allow"] == "POST"
    if method != "GET":
        assert asked.client.request(method, "/health").headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "application/jsonl"]
)
def test_what_is_no_json_by_its_own_account_is_refused(asked: Asked, kind: str) -> None:
    assert is_problem(asked.client.post("/sanitize", content=b"{}", headers={"content-type": kind}), 415, "V108")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"text": "zidovudine"',
        b'{"text": NaN, "policy": "toy"}',
        b'{"text": "a", "text": "zidovudine", "policy": "toy"}',
        b'{"text": "\xff", "policy": "toy"}',
        '{"text": "a", "policy": "toy"}'.encode("utf-16"),
        b"\xef\xbb\xbf{}",
        b"[" * 60_000,
        b'{"text":' * 7_000,
        b"9" * 60_000,
    ],
)
def test_what_is_no_json_is_refused(asked: Asked, content: bytes) -> None:
    answer = asked.client.post("/sanitize", content=content, headers={"content-type": "application/json"})
    assert is_problem(answer, 400, "V110")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "not a JSON object"),
        ("zidovudine", "not a JSON object"),
        ({}, "'text' is missing. The field 'policy' is missing."),
        ({"policy": "toy"}, "'text' is missing"),
        ({"text": TEXT}, "'policy' is missing"),
        ({"text": None, "policy": "toy"}, "'text' is not a JSON string"),
        ({"text": [TEXT], "policy": "toy"}, "'text' is not a JSON string"),
        ({"text": TEXT, "policy": "zidovudine"}, "'policy' is none of these: toy, stop"),
        ({"text": TEXT, "policy": ["toy"]}, "'policy' is not a JSON string"),
        ({"text": TEXT, "policy": "toy", "strictness": 3}, "1 field is unknown"),
        ({"text": TEXT, "policy": "toy", "zidovudine": 1, "AIDS": 2}, "2 fields are unknown"),
        ({"text": TEXT, "policy": "toy", "certificate": "yes"}, "'certificate' is not a JSON boolean"),
        ({"text": TEXT, "policy": "toy", "certificate": 1}, "'certificate' is not a JSON boolean"),
    ],
)
def test_a_wrong_request_is_refused_with_everything_that_is_wrong(asked: Asked, given: object, told: str) -> None:
    answer = asked.post("/sanitize", given)
    assert is_problem(answer, 422, "V111")
    assert told in answer.json()["detail"]


def test_what_is_no_certificate_does_not_hold(asked: Asked) -> None:
    answer = asked.post("/verify", {"text": "Fatigue.", "policy": "toy", "certificate": {"zidovudine": [[[]]]}})
    assert answer.json()["certificate_holds"] is False
    assert "zidovudine" not in answer.text
    assert is_problem(asked.post("/verify", {"text": TEXT, "policy": "toy", "certificate": True}), 422, "V111")


def test_a_text_that_cannot_be_made_safe_is_not_given_out(asked: Asked) -> None:
    assert is_problem(asked.post("/sanitize", {"text": TEXT, "policy": "stop"}), 409, "S101")


def test_a_body_over_the_limit_is_refused_with_and_without_a_length(asked: Asked) -> None:
    kind = {"content-type": "application/json"}
    assert is_problem(asked.client.post("/sanitize", content=b"x" * (LIMITS.largest + 1), headers=kind), 413, "V109")
    pieces = (b"x" * 1024 for _ in range(1 + LIMITS.largest // 1024))
    assert is_problem(asked.client.post("/sanitize", content=pieces, headers=kind), 413, "V109")
    for length in ("-1", "ten", "1" * 30, "²"):
        answer = asked.client.request("POST", "/sanitize", headers={**kind, "content-length": length.encode()})
        assert is_problem(answer, 413, "V109")


def test_a_body_at_the_limit_is_read(asked: Asked) -> None:
    rest = LIMITS.largest - len(json.dumps({"text": "", "policy": "toy"}))
    content = json.dumps({"text": "x" * rest, "policy": "toy"})
    assert len(content) == LIMITS.largest
    assert asked.client.post("/sanitize", content=content, headers={"content-type": "application/json"}).status_code == 200


def test_every_answer_tells_the_browser_to_keep_nothing(asked: Asked) -> None:
    answers = [asked.client.get(path) for path in ("/health", "/openapi.json", "/no", "/sanitize")]
    for answer in (*answers, asked.post("/sanitize", {"text": TEXT, "policy": "toy"})):
        assert all(answer.headers.get_list(name) == [value] for name, value in HEADERS.items())
        assert "access-control-allow-origin" not in answer.headers


# --- what nobody foresaw ----------------------------------------------------------------------------------------------------


def test_an_error_that_nobody_foresaw_tells_nothing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Sanitizer, *given: object) -> None:
        raise ValueError("zidovudine")

    asked = Asked(settings)
    monkeypatch.setattr(Sanitizer, "sanitize", broken)
    assert is_problem(asked.post("/sanitize", {"text": TEXT, "policy": "toy"}), 500, "V115")
    assert [type(one) for one in asked.errors] == [Unforeseen]
    assert "An unexpected error (ValueError in " in str(asked.errors[0])
    monkeypatch.undo()
    assert asked.post("/sanitize", {"text": TEXT, "policy": "toy"}).status_code == 200


def test_the_log_holds_no_word_of_a_request(asked: Asked) -> None:
    asked.lines.clear()
    asked.post("/sanitize?zidovudine", {"text": TEXT, "policy": "toy"})
    asked.post("/zidovudine", {"text": TEXT})
    asked.client.request("AIDS", "/sanitize", headers={"user-agent": "zidovudine"})
    assert [line.rsplit(" ", 2)[0] for line in asked.lines] == ["POST /sanitize 200", "POST - 404", "- /sanitize 405"]


def test_the_parts_of_a_service_show_no_secret_when_printed(asked: Asked, settings: Settings) -> None:
    assert TOKEN not in repr(asked.app)
    assert repr(Answers(settings)) == "<Answers under toy, stop>"


def test_the_result_of_a_published_method_is_given_out_only_if_it_verifies(tmp_path: Path) -> None:
    policy = load_policy(write_policy(tmp_path, method="csan"))
    answer = Asked(Settings((policy,))).post("/sanitize", {"text": TEXT})
    assert answer.status_code in (200, 409)
    if answer.status_code == 200:
        assert not Sanitizer(policy).verify(answer.json()["text"])


# --- much to do -------------------------------------------------------------------------------------------------------------


class Slow:
    """Works until it is told to go on."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.given_up = 0

    def answer(self, what: str, body: bytes) -> Answer:
        self.begun.set()
        self.go_on.wait(20)
        return Answer(200, b"{}")

    def give_up(self) -> None:
        self.given_up += 1

    def close(self) -> None: ...


async def ask(asked: Asked, *, body: bytes = b"{}", is_slow: bool = False, path: str = "/sanitize") -> int:
    """Ask as a server does, in the same loop as others; the status of the answer."""
    headers = [(b"host", HOST.encode()), (b"authorization", f"Bearer {TOKEN}".encode()), (b"content-type", b"application/json")]
    method = "POST" if path == "/sanitize" else "GET"
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": headers}
    statuses: list[int] = []

    async def receive() -> dict[str, object]:
        if is_slow:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    await asked.app(scope, receive, send)
    return statuses[0]


def test_slow_work_keeps_nobody_from_an_answer_and_the_rest_is_refused_at_once(settings: Settings) -> None:
    slow = Slow()
    asked = Asked(settings, Limits(seconds=20, at_a_time=1, waiting=2), [slow])

    async def all_together() -> tuple[list[int], list[int]]:
        tasks = [asyncio.create_task(ask(asked)) for _ in range(3)]
        await asyncio.to_thread(slow.begun.wait, 5)
        meanwhile = [await ask(asked, path="/health"), await ask(asked), await ask(asked)]
        slow.go_on.set()
        return meanwhile, [await task for task in tasks]

    meanwhile, answered = awaited(all_together())
    assert meanwhile == [200, 503, 503]
    assert answered == [200, 200, 200]


def test_what_takes_too_long_is_given_up_and_its_place_is_free_when_it_has_ended(settings: Settings) -> None:
    slow = Slow()
    asked = Asked(settings, Limits(seconds=0.2, at_a_time=1, waiting=2), [slow])

    async def one_after_the_other() -> list[int]:
        first = await ask(asked)
        second = await ask(asked)  # no turn comes: the thread of the first still works
        slow.go_on.set()
        await asyncio.sleep(0.1)
        return [first, second, await ask(asked)]

    assert awaited(one_after_the_other()) == [504, 503, 200]
    assert slow.given_up == 1


def test_a_body_that_does_not_come_is_not_waited_for(settings: Settings) -> None:
    asked = Asked(settings, Limits(seconds=0.2, at_a_time=1, waiting=0))

    async def slow_then_quick() -> list[int]:
        slow = asyncio.create_task(ask(asked, is_slow=True))
        await asyncio.sleep(0.05)
        return [await ask(asked), await slow, await ask(asked, body=b"")]

    # Whoever sends slowly takes no place: the quick one, whose body is read meanwhile, is told what is wrong with it.
    assert awaited(slow_then_quick()) == [422, 408, 400]


def test_a_pool_with_one_who_fails_goes_on(settings: Settings) -> None:
    class Failing(Slow):
        def answer(self, what: str, body: bytes) -> Answer:
            raise MemoryError

    pool = Pool([Failing()])

    async def twice() -> int:
        failures = 0
        for _ in range(2):
            try:
                await pool.answer("sanitize", b"", 5)
            except MemoryError:
                failures += 1
        return failures

    assert awaited(twice()) == 2
