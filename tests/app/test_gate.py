"""Whoever is not the page itself is refused, and every answer is locked down."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from starlette.testclient import TestClient

from kgsan.app.gate import COOKIE, HEADERS, LARGEST, Tokens
from kgsan.app.serve import application, bound
from tests.app.world import AIDS, SECRETS

if TYPE_CHECKING:
    from kgsan.app.desk import Desk

HOST = "127.0.0.1:4711"
ORIGIN = {"origin": f"http://{HOST}"}
AT = f"{AIDS[0]}-{AIDS[1]}"


class Page:
    """A browser that has opened the address."""

    def __init__(self, desk: Desk, *, enter: bool = True) -> None:
        self.tokens = Tokens()
        self.errors: list[BaseException] = []
        app = application(desk, self.tokens, HOST, self.errors.append)
        self.client = TestClient(app, base_url=f"http://{HOST}", follow_redirects=False, raise_server_exceptions=False)
        if enter:
            self.client.get("/", params={"token": self.tokens.once})

    def post(self, path: str, given: dict[str, str], **more: Any) -> Any:
        more.setdefault("headers", ORIGIN)
        return self.client.post(path, data={"token": self.tokens.form, **given}, **more)


@pytest.fixture
def page(desk: Desk) -> Page:
    return Page(desk)


def is_locked_down(answer: Any) -> bool:
    return all(answer.headers.get_list(name) == [value] for name, value in HEADERS.items())


# --- who comes in -----------------------------------------------------------------------------------------------------------


def test_the_token_of_the_address_works_once(desk: Desk) -> None:
    page = Page(desk, enter=False)
    first = page.client.get("/", params={"token": page.tokens.once})
    assert first.status_code == 303
    assert first.headers["location"] == "/"
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    page.client.cookies.clear()
    assert page.client.get("/", params={"token": page.tokens.once}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/document/1", "/document/1/preview?strictness=2", "/static/review.js", "/nowhere"])
@pytest.mark.parametrize("token", [None, "", "wrong", "ü" * 43])
def test_without_the_token_nothing_is_shown(desk: Desk, path: str, token: str | None) -> None:
    page = Page(desk, enter=False)
    answer = page.client.get(path, params=None if token is None else {"token": token})
    assert answer.status_code == 403
    assert is_locked_down(answer)


def test_a_wrong_cookie_opens_nothing(desk: Desk) -> None:
    page = Page(desk, enter=False)
    page.client.cookies.set(f"{COOKIE}-4711", "wrong")
    assert page.client.get("/").status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "localhost:4711", "127.0.0.1", "127.0.0.1:4712", "127.0.0.1:4711.evil.example"])
def test_another_host_is_refused(page: Page, host: str) -> None:
    assert page.client.get("/", headers={"host": host}).status_code == 421
    assert page.post("/document/1/decide", {"do": "rest"}, headers={**ORIGIN, "host": host}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:4711", "http://127.0.0.1", "http://localhost:4711"]
)
def test_another_origin_is_refused(page: Page, desk: Desk, origin: str) -> None:
    assert page.client.get("/", headers={"origin": origin}).status_code == 403
    assert page.post("/document/1/decide", {"do": "rest"}, headers={"origin": origin}).status_code == 403
    assert desk.view(1).draft.open_count == 4


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_another_site_is_refused(page: Page, site: str) -> None:
    assert page.client.get("/", headers={"sec-fetch-site": site}).status_code == 403
    assert page.post("/document/1/decide", {"do": "rest"}, headers={**ORIGIN, "sec-fetch-site": site}).status_code == 403


def test_what_changes_something_must_say_where_it_comes_from(page: Page, desk: Desk) -> None:
    assert page.post("/document/1/decide", {"do": "rest"}, headers={}).status_code == 403
    assert page.post("/document/1/decide", {"do": "rest"}, headers={"sec-fetch-site": "none"}).status_code == 403
    assert desk.view(1).draft.open_count == 4
    assert page.post("/document/1/decide", {"do": "rest"}, headers={"sec-fetch-site": "same-origin"}).status_code == 303


@pytest.mark.parametrize("token", ["", "wrong"])
@pytest.mark.parametrize("what", ["decide", "hide", "strictness", "policy", "release"])
def test_a_form_without_its_token_changes_nothing(page: Page, desk: Desk, what: str, token: str) -> None:
    before = desk.log.head
    answer = page.post(f"/document/1/{what}", {"token": token, "do": "rest", "at": AT, "strictness": "2"})
    assert answer.status_code == 403
    assert desk.log.head == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"])
def test_other_methods_are_refused(page: Page, method: str) -> None:
    answer = page.client.request(method, "/", headers=ORIGIN)
    assert answer.status_code == 405
    assert is_locked_down(answer)


def test_reading_does_not_change_and_changing_is_not_read(page: Page) -> None:
    assert page.client.get("/document/1/decide").status_code == 405
    assert page.post("/document/1", {}).status_code == 405


# --- what is too much -------------------------------------------------------------------------------------------------------


def test_a_body_over_the_limit_is_refused(page: Page) -> None:
    assert page.post("/document/1/decide", {"reason": "x" * LARGEST}).status_code == 413


def test_a_body_without_a_length_is_counted(page: Page) -> None:
    content = (b"x" * 1024 for _ in range(1 + LARGEST // 1024))
    answer = page.client.post("/document/1/decide", content=content, headers=ORIGIN)
    assert answer.status_code == 413


@pytest.mark.parametrize("length", ["-1", "1" * 30, "ten"])
def test_a_length_that_is_none_is_refused(page: Page, length: str) -> None:
    headers = {**ORIGIN, "content-length": length}
    assert page.client.request("POST", "/document/1/decide", headers=headers).status_code == 413


def test_only_forms_are_read(page: Page) -> None:
    answer = page.client.post("/document/1/decide", json={"do": "rest"}, headers=ORIGIN)
    assert answer.status_code == 415


def test_a_form_with_too_many_fields_or_no_letters_is_refused(page: Page) -> None:
    form = {**ORIGIN, "content-type": "application/x-www-form-urlencoded"}
    for content in (b"&".join(b"a=1" for _ in range(100)), b"a=%ff", b"\xff"):
        assert page.client.post("/document/1/decide", content=content, headers=form).status_code == 400


# --- every answer -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/", "/document/1", "/document/9", "/document/x", "/static/review.css", "/static/../desk.py", "/static/desk.py", "/no"],
)
def test_every_answer_is_locked_down(page: Page, path: str) -> None:
    answer = page.client.get(path)
    assert is_locked_down(answer)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_an_error_that_nobody_foresaw_tells_nothing(page: Page, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(number: int) -> None:
        raise ValueError("zidovudine")

    monkeypatch.setattr(desk, "view", broken)
    answer = page.client.get("/document/1")
    assert answer.status_code == 500
    assert is_locked_down(answer)
    assert not any(word in answer.text.casefold() for word in SECRETS)
    assert [type(one) for one in page.errors] == [ValueError]


def test_only_this_machine_reaches_the_page() -> None:
    with bound(0) as opened:
        assert opened.getsockname()[0] == "127.0.0.1"


def test_a_slow_document_keeps_nobody_waiting(page: Page, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(number: int, strictness: str) -> None:
        begun.set()
        go_on.wait(5)
        raise ValueError

    monkeypatch.setattr(desk, "preview", slow)

    async def both() -> int:
        async with anyio.create_task_group() as group:
            group.start_soon(_get, page, "/document/1/preview")
            with anyio.fail_after(5):
                while not begun.is_set():
                    await anyio.sleep(0.01)
                status = await _get(page, "/document/1")
            assert not go_on.is_set()
            go_on.set()
        return status

    assert anyio.run(both) == 200


async def _get(page: Page, path: str) -> int:
    """Ask as a server does, in the same loop as others."""
    cookie = page.client.cookies[f"{COOKIE}-4711"]
    headers = [(b"host", HOST.encode()), (b"cookie", f"{COOKIE}-4711={cookie}".encode())]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
    statuses: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    await page.client.app(scope, receive, send)
    return statuses[0]
