"""`kgsan serve` under attack: what honest clients see while others are slow, greedy, broken or half gone."""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.soak.documents import documents
from tests.soak.flow import resident

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOKEN = "a-token-that-nobody-guesses"
#: Connections that each send a byte now and then, and never a whole request; bodies that do, from somebody who has the token.
SLOW, SLOW_BODIES = 400, 24
HONEST = 2


@dataclass(slots=True)
class Seen:
    """What honest clients saw: how long each answer took, and how many were no answer."""

    took: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def latency(self, share: float) -> float:
        """The time in ms within which such a share was answered."""
        ordered = sorted(self.took)
        return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]


@dataclass(slots=True)
class Attacked:
    """A calm while, an attack, and what the server held at most."""

    calm: Seen = field(default_factory=Seen)
    attacked: Seen = field(default_factory=Seen)
    before: float = 0.0  #: MB before the attack
    memory: float = 0.0  #: MB at most during it
    connections: int = 0  #: at most
    requests: int = 0  #: that the attackers began
    is_alive: bool = False
    said: str = field(default="", repr=False)


class Server:
    """A server in a process of its own."""

    def __init__(self, policy: str, *options: str) -> None:
        command = [sys.executable, "-m", "kgsan.cli", "serve", "--policy", policy, "--port", "0", *options]
        environment = {**os.environ, "KGSAN_TOKEN": TOKEN}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first, self.process.communicate()[1]
        self.port = int(first.split(" under ")[0].rpartition(":")[2])

    def ask(self, text: str) -> int:
        """The status of an honest request."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
            connection.request("POST", "/sanitize", json.dumps({"text": text}), headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status

    def opened(self) -> socket.socket:
        """A connection that asks for nothing yet."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=5)

    def head(self, *lines: str) -> bytes:
        """The beginning of a request by somebody who has the token."""
        known = ("POST /sanitize HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Authorization: Bearer {TOKEN}")
        return "\r\n".join((*known, "Content-Type: application/json", *lines, "", "")).encode()

    def connections(self) -> int:
        """How many sockets it holds."""
        held = 0
        for one in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(OSError):
                held += os.readlink(one).startswith("socket:")
        return held

    def end(self) -> str:
        """All that it said on standard error."""
        self.process.terminate()
        try:
            return self.process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.communicate()[1]


# --- attackers ------------------------------------------------------------------------------------------------------------


def _drip(server: Server, count: int, begin: bytes, over: threading.Event) -> Iterator[int]:
    """So many connections that each send a byte of something now and then; those that are closed are opened anew."""
    held: list[socket.socket] = []
    try:
        while not over.is_set():
            while len(held) < count and not over.is_set():
                with suppress(OSError):
                    held.append(server.opened())
                    held[-1].sendall(begin)
                    yield 1
            for one in list(held):
                try:
                    one.sendall(b"a")
                except OSError:
                    one.close()
                    held.remove(one)
            over.wait(0.2)
    finally:
        for one in held:
            one.close()


def _slow(server: Server, over: threading.Event) -> Iterator[int]:
    yield from _drip(server, SLOW, b"POST /sanitize HTTP/1.1\r\nX-", over)


def _slow_bodies(server: Server, over: threading.Event) -> Iterator[int]:
    yield from _drip(server, SLOW_BODIES, server.head("Content-Length: 900000") + b'{"text": "', over)


def _rude(server: Server, over: threading.Event) -> Iterator[int]:
    """One after the other: lengths that lie, chunks without end, noise, and connections that are half closed."""
    dice = random.Random(1)
    endless = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    ways: list[tuple[bytes, bytes, int]] = [
        (server.head("Content-Length: 1000000000"), b"x" * 65536, 64),
        (server.head("Content-Length: 10"), b"x" * 65536, 4),
        (server.head("Content-Length: 1000"), b"{", 1),
        (server.head("Content-Length: -1"), b"{}", 1),
        (server.head("Content-Length: 5", "Content-Length: 6"), b"{}{}{}", 1),
        (server.head("Transfer-Encoding: chunked"), endless, 64),
        (server.head("Transfer-Encoding: chunked"), b"zz\r\n", 1),
        (server.head(*(f"X-{number}: {'y' * 1000}" for number in range(200))), b"", 0),
        (server.head("Content-Length: 40"), b"\xff\x00{" * 20, 1),
        (b"", b"GET / HTTP/1.1\r\n\r\n" * 50, 1),
        (b"\x16\x03\x01\x02\x00\x01", b"\x00" * 500, 1),
    ]
    while not over.is_set():
        head, body, times = dice.choice(ways) if dice.random() < 0.8 else (dice.randbytes(200), dice.randbytes(2000), 1)
        with suppress(OSError), server.opened() as opened:
            yield 1
            opened.sendall(head)
            for _ in range(times):
                opened.sendall(body)
            if dice.random() < 0.5:
                opened.shutdown(socket.SHUT_WR)
            opened.settimeout(0.2)
            opened.recv(100)


# --- the whole ------------------------------------------------------------------------------------------------------------


def attacked(policy: str, seconds: float, *options: str) -> Attacked:
    """A server, asked by honest clients: for a quarter of the time alone, for the rest beside attackers."""
    server, made = Server(policy, *options), Attacked()
    try:
        given = documents(seed=5, tail=0)
        texts = [next(given) for _ in range(300)]
        for text in texts[:100]:
            server.ask(text)  # what is worked out once is known before anything is measured
        _asked(server, texts, made.calm, seconds / 4)
        made.before = resident(server.process.pid)
        over = threading.Event()
        attackers = [
            threading.Thread(target=_attack, args=(way, server, over, made)) for way in (_slow, _slow_bodies, _rude, _rude)
        ]
        watcher = threading.Thread(target=_watch, args=(server, over, made))
        for one in (*attackers, watcher):
            one.start()
        try:
            time.sleep(min(1.0, seconds / 4))
            _asked(server, texts, made.attacked, 3 * seconds / 4)
        finally:
            over.set()
            for one in (*attackers, watcher):
                one.join()
        made.is_alive = server.process.poll() is None and server.ask(texts[0]) in (200, 409)
    finally:
        made.said = server.end()
    return made


def _attack(
    way: Callable[[Server, threading.Event], Iterator[int]], server: Server, over: threading.Event, made: Attacked
) -> None:
    for one in way(server, over):
        made.requests += one


def _asked(server: Server, texts: list[str], seen: Seen, seconds: float) -> None:
    """Honest clients side by side, each asking one thing after the other."""
    until = time.monotonic() + seconds

    def client(first: int) -> None:
        number = first
        while time.monotonic() < until:
            started = time.perf_counter()
            try:
                status = server.ask(texts[number % len(texts)])
            except (OSError, http.client.HTTPException) as error:
                status = 0
                seen.failed.append(type(error).__name__)
            if status in (200, 409):  # 409: cannot be made safe
                seen.took.append(time.perf_counter() - started)
            elif status:
                seen.failed.append(str(status))
            number += HONEST

    clients = [threading.Thread(target=client, args=(number,)) for number in range(HONEST)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()


def _watch(server: Server, over: threading.Event, made: Attacked) -> None:
    while not over.wait(0.1):
        with suppress(OSError, KeyError):
            made.memory = max(made.memory, resident(server.process.pid))
            made.connections = max(made.connections, server.connections())
