"""What a server of kgsan does for every request, whoever answers it: sizes, secrets, headers, sockets, patience."""

from __future__ import annotations

import asyncio
import hmac
import logging
import socket
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Send

LOOPBACK = "127.0.0.1"
#: So long, in seconds, a connection may be open without a request.
PATIENCE = 15.0
#: So many connections may be open.
MOST = 256
#: So many are taken in at a time; a few times as many may be open before the first of them is counted.
BACKLOG = 64
#: So long, in seconds, what is being answered may go on when the server is ended.
GRACE = 3


def same(one: str, other: str) -> bool:
    """Whether two secrets are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def is_too_long(headers: Headers, largest: int) -> bool:
    """Whether a request says that it is larger than it may be, or says its size in no way that can be read."""
    length = headers.get("content-length", "0")
    return not length.isascii() or not length.isdigit() or len(length) > 12 or int(length) > largest


async def whole_body(receive: Receive, largest: int) -> bytes | None:
    """The body, or None when it is too large, whatever its length was said to be."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > largest:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def again(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read already, then wait for the end of the connection."""
    given = False

    async def read() -> Message:
        nonlocal given
        if not given:
            given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return read


class Locked:
    """Sends answers, each with the same headers, and knows whether one has begun and with what status."""

    def __init__(self, send: Send, headers: Mapping[str, str]) -> None:
        self._send = send
        self._headers = headers
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        """Send a part of an answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            ours = [(name.encode(), value.encode()) for name, value in self._headers.items()]
            theirs = [one for one in message["headers"] if one[0].decode("latin-1").lower() not in self._headers]
            message = {**message, "headers": [*theirs, *ours]}
        await self._send(message)


def told_in_a_sentence(tell: Callable[[BaseException], None]) -> None:
    """Let what nobody waits for be told so, and not by Python's own log, which would quote it."""

    def unheard(_: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException):
            tell(error)

    asyncio.get_running_loop().set_exception_handler(unheard)


# --- listening ------------------------------------------------------------------------------------------------------------


class HastyProtocol(H11Protocol):
    """HTTP in which a connection that asks for nothing, or keeps sending what nobody wants, is closed after a while."""

    _patience: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request. Where there are too many connections, the one that has waited for longest goes."""
        super().connection_made(transport)
        self._wait()
        waiting = [one for one in self.connections if isinstance(one, HastyProtocol) and not one.transport.is_closing()]
        if len(waiting) > MOST:
            min((one for one in waiting if one._is_waiting), key=lambda one: one._since).transport.abort()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        for timer in (self._patience, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to wait for a client that does not read its answer."""
        super().pause_writing()
        self._unread = self.loop.call_later(PATIENCE, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    def _wait(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._since = self.loop.time()
        self._patience = self.loop.call_later(PATIENCE, self._give_up)

    def _give_up(self) -> None:
        if self._is_waiting:
            self.transport.close()

    @property
    def _is_waiting(self) -> bool:
        """Whether nothing was asked that is not answered."""
        return self.cycle is None or self.cycle.response_complete


def bound(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 is any that is free. Raises `OSError` or `OverflowError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen()  # whoever comes before the server is ready waits
    except BaseException:
        opened.close()
        raise
    return opened


def server(app: ASGIApp, **more: Any) -> uvicorn.Server:
    """A server that logs nothing: what it would log may hold words of a document."""
    config = uvicorn.Config(
        app,
        http=HastyProtocol,
        log_config=None,
        log_level=logging.CRITICAL + 1,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=GRACE,
        backlog=BACKLOG,
        **more,
    )
    return uvicorn.Server(config)
