"""`kgsan serve` from the outside: a real server on this machine, and clients that are slow, greedy or many."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.cli import main
from kgsan.service import door
from tests.report.toy import write_policy
from tests.service.loops import awaited
from tests.service.world import SANITIZED, SECRETS, TEXT, TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GOOD = json.dumps({"text": TEXT}).encode()


class Running:
    """A server in a process of its own."""

    def __init__(self, policy: Path, *options: str, token: str | None = TOKEN) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "KGSAN_TOKEN"}
        environment |= {} if token is None else {"KGSAN_TOKEN": token}
        command = [sys.executable, "-m", "kgsan.cli", "serve", "--policy", str(policy), "--port", "0", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()
        if not self.first:
            pytest.fail(self.process.communicate()[1])
        self.port = int(self.first.split(" under ")[0].rpartition(":")[2])

    def ask(self, body: bytes = GOOD, path: str = "/sanitize", token: str = TOKEN, **headers: str) -> tuple[int, Any]:
        headers |= {"authorization": f"Bearer {token}", "content-type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def raw(self, sent: bytes) -> int:
        """Send some bytes as they are; the status of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as opened:
            opened.sendall(sent)
            answer = http.client.HTTPResponse(opened)
            answer.begin()
            answer.read()
            return answer.status

    def head(self, length: int) -> bytes:
        return (
            f"POST /sanitize HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        ).encode()

    def end(self, number: int = signal.SIGINT) -> str:
        """End it as a person or a container does; all that it wrote."""
        self.process.send_signal(number)
        out, error = self.process.communicate(timeout=20)
        return self.first + out + error


@contextmanager
def running(folder: Path, *options: str, **more: Any) -> Iterator[Running]:
    server = Running(write_policy(folder / "toy"), *options, **more)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


def test_slow_and_greedy_clients_keep_nobody_from_an_answer(tmp_path: Path) -> None:
    with running(tmp_path, "--largest", "100000", "--seconds", "5", "--log") as server:
        assert server.ask() == (200, {**server.ask()[1], "text": SANITIZED})
        with ThreadPoolExecutor(16) as clients:
            slow = [clients.submit(server.raw, server.head(50) + b'{"text": ') for _ in range(4)]
            greedy = [clients.submit(server.raw, server.head(10**9) + b"x" * 300_000) for _ in range(4)]
            time.sleep(0.2)
            started = time.monotonic()
            answers = [one.result() for one in [clients.submit(server.ask) for _ in range(8)]]
            took = time.monotonic() - started
            assert [status for status, _ in answers] == [200] * 8
            assert took < 5
            assert not any(one.done() for one in slow)
            assert [one.result() for one in slow] == [408] * 4
            assert [one.result() for one in greedy] == [413] * 4
        assert server.raw(b"zidovudine AIDS\r\n\r\n") == 400
        said = server.end()
    assert server.process.returncode == 0
    assert TOKEN not in said
    assert "The service was ended." in said
    assert not any(word in said.casefold() for word in SECRETS)


def test_a_text_that_takes_too_long_is_ended_with_its_process(tmp_path: Path) -> None:
    with running(tmp_path, "--processes", "1", "--seconds", "1", "--largest", "4000000") as server:
        assert server.ask()[1]["text"] == SANITIZED
        status, told = server.ask(json.dumps({"text": "He takes zidovudine. " * 90_000}).encode())
        assert (status, told["code"]) == (504, "V113")
        deadline = time.monotonic() + 20
        while (answer := server.ask())[0] == 503 or answer[0] == 504:  # until the new process has loaded its policy
            assert time.monotonic() < deadline
        assert answer[1]["text"] == SANITIZED
        server.end()
    assert server.process.returncode == 0


def test_what_is_being_answered_is_answered_before_the_end(tmp_path: Path) -> None:
    text = "He takes zidovudine. " * 10_000
    with running(tmp_path) as server, ThreadPoolExecutor(1) as client:
        server.ask()
        waiting = client.submit(server.ask, json.dumps({"text": text}).encode())
        time.sleep(0.15)
        assert not waiting.done()
        server.end(signal.SIGTERM)
        assert waiting.result()[0] == 200
    assert server.process.returncode == 0


def test_a_token_that_nobody_gave_is_made_and_told_once(tmp_path: Path) -> None:
    with running(tmp_path, token=None) as server:
        assert server.process.stdout is not None
        line = server.process.stdout.readline()
        token = line.split()[-1]
        assert len(token) > 40
        assert server.ask(token=token)[0] == 200
        assert server.ask(token=TOKEN)[0] == 401
        assert token not in server.end()


def test_a_connection_that_asks_for_nothing_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    monkeypatch.setattr(door, "PATIENCE", 0.2)

    async def nobody_asks() -> bytes:
        async def app(scope: Any, receive: Any, send: Any) -> None: ...

        with door.bound(door.LOOPBACK, 0) as opened:
            served = door.server(app)
            task = asyncio.create_task(served.serve(sockets=[opened]))
            while not served.started:
                await asyncio.sleep(0.01)
            reader, writer = await asyncio.open_connection(*opened.getsockname())
            writer.write(b"POST /sanitize HTTP/1.1\r\nHost: ")
            async with asyncio.timeout(5):
                received = await reader.read()
            writer.close()
            served.should_exit = True
            await task
            return received

    assert awaited(nobody_asks()) == b""


def test_a_service_that_others_reach_knows_its_names_and_warns(tmp_path: Path) -> None:
    with running(tmp_path, "--host", "0.0.0.0", "--known-as", "clinic.example") as server:
        assert server.ask(host="clinic.example")[0] == 200
        assert server.ask(host="evil.example")[0] == 421
        assert server.ask()[0] == 421
        assert "only through a server with TLS" in server.end()


# --- what is refused before it begins ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "token", "code"),
    [
        (["--host", "192.0.2.7"], None, "V102"),
        (["--host", "0.0.0.0", "--known-as", "a.example:80"], None, "V102"),
        (["--host", "0.0.0.0"], TOKEN, "V103"),
        (["--host", "a.example"], TOKEN, "V103"),
        (["--host", "192.0.2.7"], TOKEN, "V103"),
        (["--port", "70000"], TOKEN, "V103"),
        (["--policy", "us-hiv"], TOKEN, "V103"),
        ([], "short", "V102"),
        ([], "", "V102"),
        ([], "with a blank in it, and long", "V102"),
        (["--token-file", "no-such-file"], TOKEN, "V102"),
    ],
)
def test_an_unsafe_or_impossible_service_is_not_begun(
    options: list[str], token: str | None, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if token is None:
        monkeypatch.delenv("KGSAN_TOKEN", raising=False)
    else:
        monkeypatch.setenv("KGSAN_TOKEN", token)
    assert main(["serve", "--policy", "us-hiv", *options]) == 2
    told = capsys.readouterr()
    assert code in told.err
    assert TOKEN not in told.out + told.err


def test_a_token_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("another-token-of-24-signs\n")
    with running(tmp_path, "--token-file", str(tmp_path / "token")) as server:
        assert server.ask(token="another-token-of-24-signs")[0] == 200
        assert server.ask(token=TOKEN)[0] == 401


def test_without_the_packages_a_sentence_tells_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgsan.cli.serve.find_spec", lambda name: None)
    assert main(["serve", "--policy", "us-hiv"]) == 2
    assert "pip install 'kgsan[serve]'" in capsys.readouterr().err
