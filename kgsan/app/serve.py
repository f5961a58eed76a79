"""The review page on this machine: a free port of the loopback address, served until it is ended."""

from __future__ import annotations

import threading
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

from kgsan.app.gate import Gate, Tokens
from kgsan.app.problems import refused
from kgsan.app.routes import Pages
from kgsan.service import door
from kgsan.service.door import LOOPBACK

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from starlette.types import ASGIApp

    from kgsan.app.desk import Desk


def bound(port: int) -> socket.socket:
    """A socket that only this machine reaches; port 0 is any that is free."""
    try:
        return door.bound(LOOPBACK, port)
    except (OSError, OverflowError):
        raise refused("A116", "The page cannot be served at this port.", "Choose another --port, or none.") from None


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
    served = door.server(application(desk, tokens, host, unforeseen))
    address = f"http://{host}/?token={tokens.once}"
    told(address)
    threading.Thread(target=_read_all, args=(desk,), daemon=True).start()
    if browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        served.run(sockets=[opened])


def _read_all(desk: Desk) -> None:
    """Read the documents ahead, so that the queue can tell how much there is to do."""
    for one in desk.documents:
        with suppress(BaseException):  # told when the document is opened; Python would print what a library says
            desk.view(one.number)
