"""The service as an ASGI application: who may ask what, and one problem in JSON for whoever may not.

A request is looked at in the order of what it costs: the host it names, the token, the address and method, the kind and size of
its body, whether there is a place for it; only then the body is read. The work is done elsewhere: nobody waits for another.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import Response

from kgsan.report.answers import row
from kgsan.sanitize.wordless import without_words
from kgsan.service.description import described
from kgsan.service.door import Locked, is_too_long, same, told_in_a_sentence, whole_body
from kgsan.service.problems import JSON, Answer, is_too_busy, problem, was_not_foreseen

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starlette.types import Receive, Scope, Send

    from kgsan.service.pool import Pool
    from kgsan.service.settings import Limits, Settings

HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
#: So many bodies may be on their way at a time.
READING = 64
HEALTH, DESCRIPTION = "/health", "/openapi.json"
WORK = {"/sanitize": "sanitize", "/verify": "verify"}


class Service:
    """Answers requests."""

    def __init__(
        self,
        settings: Settings,
        limits: Limits,
        pool: Pool,
        token: str,
        hosts: Collection[str],
        *,
        tell: Callable[[BaseException], None],
        log: Callable[[str], None] | None = None,
    ) -> None:
        self._limits = limits
        self._pool = pool
        self._token = token
        self._hosts = frozenset(host.lower() for host in hosts)
        self._tell = tell
        self._log = log
        self._taken = self._arriving = 0
        self._given = {HEALTH: Answer(200, row({"status": "ok"})), DESCRIPTION: Answer(200, row(described(settings)))}

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
        started = monotonic()
        locked = Locked(send, HEADERS)
        try:
            answer = await self._answer(scope, receive)
        except Exception as error:  # whatever it says may hold words of a document
            self._tell(error)
            answer = was_not_foreseen()
        await Response(answer.content, answer.status, dict(answer.headers), answer.media)(scope, receive, locked)
        if self._log is not None:
            path = scope["path"] if scope["path"] in (*self._given, *WORK) else "-"
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "-"
            self._log(f"{method} {path} {answer.status} {1000 * (monotonic() - started):.0f} ms")

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            return refusal
        if scope["path"] in self._given:
            return self._given[scope["path"]]
        if self._is_full or self._arriving >= READING:
            return is_too_busy()
        return await self._worked(WORK[scope["path"]], receive)

    async def _worked(self, what: str, receive: Receive) -> Answer:
        started = monotonic()
        self._arriving += 1
        try:
            async with asyncio.timeout(self._limits.seconds):
                body = await whole_body(receive, self._limits.largest)
        except TimeoutError:
            return problem("V114", f"The body did not arrive within {self._limits.seconds:g} seconds.", {"connection": "close"})
        finally:
            self._arriving -= 1
        if body is None:
            return self._too_large()
        if self._is_full:
            return is_too_busy()
        self._taken += 1  # only now: whoever sends slowly takes no place from others
        try:
            return await self._pool.answer(what, body, self._limits.seconds - (monotonic() - started))
        finally:
            self._taken -= 1

    @property
    def _is_full(self) -> bool:
        return self._taken >= self._limits.at_a_time + self._limits.waiting

    def _refusal(self, scope: Scope, headers: Headers) -> Answer | None:
        """Why a request is refused before its body is read."""
        path, method = scope["path"], scope["method"]
        named = headers.getlist("host")
        if len(named) != 1 or named[0].lower() not in self._hosts:
            return problem("V104", "The service is known under another host name.")
        if path != HEALTH and not self._is_known(headers):
            said = "Send the token of the service as 'Authorization: Bearer TOKEN'."
            return problem("V105", said, {"www-authenticate": 'Bearer realm="kgsan"'})
        methods = ("GET", "HEAD") if path in self._given else ("POST",) if path in WORK else ()
        if not methods:
            return problem("V106", f"There are these addresses: {', '.join((*WORK, *self._given))}.")
        if method not in methods:
            return problem("V107", f"This address is for {methods[0]}.", {"allow": ", ".join(methods)})
        if path in WORK:
            if not _is_json(headers):
                return problem("V108", f"Send JSON in UTF-8, with 'Content-Type: {JSON}'.")
            if is_too_long(headers, self._limits.largest):
                return self._too_large()
        return None

    def _is_known(self, headers: Headers) -> bool:
        given = headers.getlist("authorization")
        kind, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        return kind.lower() == "bearer" and same(token.strip(), self._token)

    def _too_large(self) -> Answer:
        return problem("V109", f"A request may have {self._limits.largest} bytes. Send the text in parts.")


def _is_json(headers: Headers) -> bool:
    """Whether the body is JSON, in an encoding that is read.

    >>> [_is_json(Headers({"content-type": kind})) for kind in ("application/json; charset=utf-8", "text/json")]
    [True, False]
    """
    kind, _, rest = headers.get("content-type", "").lower().partition(";")
    parameters = [one.strip() for one in rest.split(";") if one.strip()]
    return kind.strip() == JSON and all(one.replace('"', "") == "charset=utf-8" for one in parameters)
