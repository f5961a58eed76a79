"""The review page on this machine: a free port of the loopback address, served until it is ended."""

from __future__ import annotations

import logging
import socket
import threading
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from kgsan.app.gate import Gate, Tokens
from kgsan.app.problems import refused
from kgsan.app.routes import Pages
from kgsan.errors import KgsanError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp

    from kgsan.app.desk import Desk

LOOPBACK = "127.0.0.1"


def bound(port: int) -> socket.socket:
    """A socket that only this machine reaches; port 0 is any that is free."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((LOOPBACK, port))
        opened.listen()  # whoever comes before the server is ready waits
    except (OSError, OverflowError):
        opened.close()
        raise refused("A116", "The page cannot be served at this port.", "Choose another --port, or none.") from None
    return opened


def application(desk: Desk, tokens: Tokens, host: str, tell: Callable[[BaseException], None]) -> ASGIApp:
    """Everything that answers a request."""
    return Gate(Pages(desk, tokens).app(), tokens, host, tell)


def serve(
    desk: Desk, port: int, *, browser: bool, told: Callable[[str], None], unforeseen: Callable[[BaseException], None]
) -> None:
    """Serve until interrupted; the address with its token is told, and opened in a browser unless that is not wanted."""
    opened = bound(port)
    tokens = Tokens()
    host = f"{LOOPBACK}:{opened.getsockname()[1]}"
    config = uvicorn.Config(
        application(desk, tokens, host, unforeseen),
        log_config=None,
        log_level=logging.CRITICAL + 1,  # what a server logs may hold words of a document
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=3,
    )
    address = f"http://{host}/?token={tokens.once}"
    told(address)
    threading.Thread(target=_read_all, args=(desk,), daemon=True).start()
    if browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[opened])


def _read_all(desk: Desk) -> None:
    """Read the documents ahead, so that the queue can tell how much there is to do."""
    for one in desk.documents:
        with suppress(KgsanError):  # told when the document is opened
            desk.view(one.number)
