"""The service at an address: on this machine unless another is asked for by somebody who has set a token."""

from __future__ import annotations

import signal
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from kgsan.errors import KgsanError, Place, Problem
from kgsan.service import door
from kgsan.service.answering import Answers
from kgsan.service.app import Service
from kgsan.service.pool import Pool, ProcessWorker, ThreadWorker, WorkerFailed

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator

    from kgsan.service.pool import Worker
    from kgsan.service.settings import Limits, Settings

#: Signs that a token has at least: those of 96 random bits in base 64.
SHORTEST = 16
_ANY = ("0.0.0.0", "::")


class ServiceError(KgsanError):
    """The service cannot be begun as it was asked for."""


def refused(code: str, message: str, hint: str | None = None) -> ServiceError:
    """The error for one thing that is refused."""
    return ServiceError(Problem(code, Place("serve"), message, hint))


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service listens, and the names under which it is asked."""

    host: str = door.LOOPBACK
    port: int = 0
    names: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    def hosts(self, port: int) -> list[str]:
        """What a request may name as its host; clients leave out the port that is meant without one.

        >>> Address("::1").hosts(8080), Address(names=("a.example",)).hosts(80)
        (['[::1]:8080', 'localhost:8080'], ['127.0.0.1', 'localhost', 'a.example'])
        """
        own = [f"[{self.host}]" if ":" in self.host else self.host] if self.host not in _ANY else []
        local = ["localhost"] if self.is_local else []
        return [*(name if port == 80 else f"{name}:{port}" for name in (*own, *local)), *self.names]


def checked_token(given: str) -> str:
    """A token that can be sent in a header and not be guessed."""
    if len(given) < SHORTEST or not all("!" <= sign <= "~" for sign in given):
        said = f"The token has fewer than {SHORTEST} signs, or signs that a header cannot carry."
        raise refused("V102", said, "Make one with: python -c 'import secrets; print(secrets.token_urlsafe())'.")
    return given


def listening(address: Address) -> socket.socket:
    """The socket of the service."""
    try:
        ip_address(address.host)
    except ValueError:
        raise refused("V103", "The host is no address.", "Write one such as 127.0.0.1, and names with --known-as.") from None
    if address.host in _ANY and not address.names:
        said = "At every address of this machine the service needs to be told under which names it is asked."
        raise refused("V103", said, "Give them with --known-as.")
    try:
        return door.bound(address.host, address.port)
    except (OSError, OverflowError):
        raise refused("V103", "The service cannot be served at this host and port.", "Choose another --port, or none.") from None


def serve(
    settings: Settings,
    limits: Limits,
    opened: socket.socket,
    hosts: list[str],
    token: str,
    *,
    processes: bool,
    ready: Callable[[], None],
    tell: Callable[[BaseException], None],
    log: Callable[[str], None] | None,
) -> None:
    """Serve until interrupted; what is being answered then has a little time left."""
    answers = Answers(settings)  # a policy that is wrong is told before anybody asks
    pool = Pool(_workers(settings, limits.at_a_time) if processes else [ThreadWorker(answers) for _ in range(limits.at_a_time)])
    try:
        served = door.server(Service(settings, limits, pool, token, hosts, tell=tell, log=log))
        ready()
        with _ended_by_request(), suppress(KeyboardInterrupt):
            served.run(sockets=[opened])
    finally:
        pool.close()


def _workers(settings: Settings, count: int) -> list[Worker]:
    """So many processes, each ready."""
    made = [ProcessWorker(settings) for _ in range(count)]
    try:
        for worker in made:
            worker.wait()
    except WorkerFailed:
        for worker in made:
            worker.close()
        raise refused("V103", "A process of the service was ended while it began, perhaps for lack of memory.") from None
    return [*made]


@contextmanager
def _ended_by_request() -> Iterator[None]:
    """Whoever ends the service by the signal that is meant for it ends it as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
