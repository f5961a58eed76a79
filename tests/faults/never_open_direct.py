"""A server asked in the very thread that asks, so that the whole way of a request is one run of one thread."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import ExitStack, contextmanager
from selectors import SelectSelector
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Direct:
    """A client like Starlette's, without its threads."""

    def __init__(self, app: Any, loop: asyncio.AbstractEventLoop, **given: Any) -> None:
        import httpx2

        self._loop = loop
        self._client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app, raise_app_exceptions=False), **given)

    def get(self, *given: Any, **named: Any) -> Any:
        """The answer to a question."""
        return self._loop.run_until_complete(self._client.get(*given, **named))

    def post(self, *given: Any, **named: Any) -> Any:
        """The answer to what is sent."""
        return self._loop.run_until_complete(self._client.post(*given, **named))


class _AtOnce:
    """What is begun like a thread, and is done when it has begun; its errors end like those of a thread."""

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...] = (), daemon: bool = False) -> None:
        self._work = lambda: target(*args)

    def start(self) -> None:
        try:
            self._work()
        except BaseException:
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), None)))

    def join(self) -> None:
        """It has ended."""


async def _at_once(work: Callable[..., Any], *given: Any) -> Any:
    return work(*given)


@contextmanager
def one_thread() -> Iterator[tuple[asyncio.AbstractEventLoop, type[_AtOnce]]]:
    """While this lasts, the servers begin no threads. The loop holds nothing that a copy of the process would share."""
    import kgsan.app.routes
    import kgsan.service.pool

    loop = asyncio.SelectorEventLoop(SelectSelector())
    with ExitStack() as stack:
        stack.callback(loop.close)
        stack.enter_context(patch.object(kgsan.service.pool, "threading", SimpleNamespace(Thread=_AtOnce)))
        stack.enter_context(patch.object(kgsan.app.routes, "run_in_threadpool", _at_once))
        yield loop, _AtOnce
