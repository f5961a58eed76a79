"""Who may speak to the review page: this machine's browser, with the token, from the page itself. All others are refused.

The address that is opened holds a token which works once: it is exchanged for a cookie. A request that changes something must
also carry a second token that only the page itself knows, and come from the page. Every answer, a refusal too, tells the browser
to keep nothing, run nothing from elsewhere and show the page in no frame of another.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from kgsan.sanitize.wordless import without_words
from kgsan.service.door import Locked, again, is_too_long, same, told_in_a_sentence, whole_body

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

#: Bytes that a request may have; a form with a reason has far fewer.
LARGEST = 64 << 10
METHODS = ("GET", "HEAD", "POST")
COOKIE = "kgsan-review"  #: with the port behind it, since a browser gives one machine's cookies to all its ports
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-robots-tag": "noindex",
}


class Tokens:
    """The secrets of one run."""

    def __init__(self) -> None:
        self.once = secrets.token_urlsafe(32)
        self._cookie = secrets.token_urlsafe(32)
        self.form = hmac.new(self._cookie.encode(), b"form", hashlib.sha256).hexdigest()
        self._exchanging = threading.Lock()
        self._is_spent = False

    def __repr__(self) -> str:
        return "<Tokens>"

    def exchange(self, given: str) -> str | None:
        """The cookie for the token of the address; that works once."""
        with self._exchanging:
            if self._is_spent or not same(given, self.once):
                return None
            self._is_spent = True
            return self._cookie

    def opens(self, cookie: str) -> bool:
        """Whether a cookie is that of this run."""
        return same(cookie, self._cookie)

    def confirms(self, given: str) -> bool:
        """Whether a form was made by a page of this run."""
        return same(given, self.form)


class Gate:
    """Lets through what may pass, and puts the same headers on every answer."""

    def __init__(self, app: ASGIApp, tokens: Tokens, host: str, tell: Callable[[BaseException], None]) -> None:
        self._app = app
        self._tokens = tokens
        self._host = host
        self._origin = f"http://{host}"
        self._cookie = f"{COOKIE}-{host.rpartition(':')[2]}"
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            if scope["type"] == "http":
                await self._respond(scope, receive, send)
            elif scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        except BaseException as error:
            caught = error
        raise without_words(caught)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        told_in_a_sentence(self._tell)
        guarded = Locked(send, HEADERS)
        try:
            answer = self._refusal(scope) or self._entry(scope)
            if answer is not None:
                await answer(scope, receive, guarded)
                return
            body = await whole_body(receive, LARGEST)
            if body is None:
                await _refused(413, "The request is too large.")(scope, receive, guarded)
                return
            await self._app(scope, again(body, receive), guarded)
        except Exception as error:  # whatever it says may hold words of a document
            self._tell(error)
            if guarded.status is None:
                await _refused(500, "Something went wrong that nobody foresaw. Nothing was done.")(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """Why a request may not pass, whoever sends it."""
        headers, method = Headers(scope=scope), scope["method"]
        if headers.getlist("host") != [self._host]:
            return _refused(421, "This page is served under another address.")
        if any(origin != self._origin for origin in headers.getlist("origin")):
            return _refused(403, "The request comes from another page.")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return _refused(403, "The request comes from another site.")
        if method not in METHODS:
            return _refused(405, "This can only be read or sent as a form.", {"allow": ", ".join(METHODS)})
        if method == "POST" and "origin" not in headers and headers.get("sec-fetch-site") != "same-origin":
            return _refused(403, "The request does not say that it comes from the page itself.")
        if is_too_long(headers, LARGEST):
            return _refused(413, "The request is too large.")
        return None

    def _entry(self, scope: Scope) -> Response | None:
        """What answers somebody who has no cookie, and whoever brings a token."""
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if scope["path"] == "/" and asked and scope["method"] == "GET":
            cookie = self._tokens.exchange(asked[0])
            if cookie is not None:
                answer = RedirectResponse("/", status_code=303)
                answer.set_cookie(self._cookie, cookie, httponly=True, samesite="strict", path="/")
                return answer
        if self._tokens.opens(_cookie(Headers(scope=scope), self._cookie)):
            return None
        said = "The address works once, in one browser. Start 'kgsan review' again: nothing is lost."
        return _refused(403, said)


def _refused(status: int, said: str, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{said}\n", status, headers)


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie("; ".join(headers.getlist("cookie"))).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value
