"""Commands as a reader would type them: kgsan's own are run in this process, everything else by a shell."""

from __future__ import annotations

import http.cookiejar
import io
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

_HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?")
#: What only a shell understands.
_SHELLS_OWN = re.compile(r"[$`*?~;&()<{]|>>|2>|^\w+=")
_ADDRESS = re.compile(r"https?://(?:127\.0\.0\.1|0\.0\.0\.0|localhost):\d+\S*")
#: Commands that serve until they are interrupted.
_SERVERS = ("review", "serve")
_PORT = re.compile(r"--port (\d+)")
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command wrote, on either stream in the order it did so, and how it ended."""

    output: str
    code: int


@dataclass(slots=True)
class Shell:
    """A folder in which one command is run after the other; servers go on until `close`."""

    folder: Path
    last: int = 0
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    ports: dict[str, str] = field(default_factory=dict)  #: for each that a page names, one that is free on this machine

    def run(self, command: str) -> Answer:
        """What a command answers."""
        for told, free in self.ports.items():
            command = re.sub(rf"(127\.0\.0\.1|localhost):{told}\b", rf"\1:{free}", command)
        words = _words(command)
        if words == ["echo", "$?"]:
            return Answer(f"{self.last}\n", 0)
        if _serves(words):
            answer = self._serve(command)
        elif _SHELLS_OWN.search(_unquoted(command)) or "kgsan" not in words:
            answer = self._by_bash(command)
        else:
            answer = self._piped(words)
        self.last = answer.code
        return answer

    def close(self) -> None:
        """End every server as a person would, and see that it ends well."""
        for server in self.servers:
            server.send_signal(signal.SIGINT)
        for server in self.servers:
            try:
                code = server.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                server.kill()
                raise
            assert code in (0, 130), f"the server ended with {code}"

    def abandon(self) -> None:
        """End every server at once."""
        for server in self.servers:
            server.kill()
            server.wait()

    def _by_bash(self, command: str, given: bytes = b"") -> Answer:
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=_environment(),
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return Answer(ran.stdout.decode("utf-8"), ran.returncode)

    def _piped(self, words: list[str]) -> Answer:
        """Commands of which each gives to the next; the last may write to a file."""
        target = None
        if len(words) > 2 and words[-2] == ">":
            target, words = words[-1], words[:-2]
        answer = Answer("", 0)
        for stage in _split(words):
            given = answer.output.encode("utf-8")
            answer = _by_kgsan(stage[1:], given) if stage[0] == "kgsan" else self._by_bash(shlex.join(stage), given)
        if target is None:
            return answer
        (self.folder / target).write_text(answer.output, encoding="utf-8")
        return Answer("", answer.code)

    def _serve(self, command: str) -> Answer:
        """Start a server, ask it once where it says it is, and leave it to those who come after."""
        hidden = " --no-browser" if "review" in command else ""
        if told := _PORT.search(command):
            self.ports[told[1]] = _free_port()
            command = re.sub(rf"\b{told[1]}\b", self.ports[told[1]], command)
        log = self.folder / f".server-{len(self.servers)}"
        with log.open("wb") as stream:
            told = shlex.split(command.removesuffix("&") + hidden, comments=True)
            where = Path(sys.executable).with_name(told[0])
            server = subprocess.Popen(
                [where, *told[1:]], cwd=self.folder, env=_environment(), stdout=stream, stderr=subprocess.STDOUT
            )
        self.servers.append(server)
        until = time.monotonic() + _PATIENCE
        while not (found := _ADDRESS.search(log.read_text("utf-8"))):
            assert server.poll() is None, f"the server ended: {log.read_text('utf-8')}"
            assert time.monotonic() < until, "the server tells no address"
            time.sleep(0.1)
        _ask(found[0].replace("0.0.0.0", "127.0.0.1"), until)
        return Answer(log.read_text("utf-8"), 0)


def commands(text: str) -> list[str]:
    """The commands of a block, each with the lines that belong to it; remarks and empty lines are none."""
    found: list[str] = []
    lines = iter(text.splitlines())
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        while not is_whole(line):
            line += "\n" + next(lines)
        found.append(line)
    return found


def shown(text: str) -> list[tuple[str, str]]:
    """The commands of a block that shows a session, each with what is shown as its answer."""
    found: list[tuple[str, str]] = []
    lines = text.splitlines()
    at = 0
    assert not lines or lines[0].startswith("$ "), "a session begins with '$ '"
    while at < len(lines):
        command = lines[at][2:]
        at += 1
        while not is_whole(command):
            command += "\n" + lines[at].removeprefix("> ")
            at += 1
        first = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        found.append((command, "\n".join(lines[first:at])))
    return found


def is_whole(command: str) -> bool:
    """Whether a shell would run this, and not wait for another line."""
    here = _HERE_DOCUMENT.search(command)
    if here:
        return here[1] in (line.strip() for line in command.splitlines()[1:])
    if command.endswith("\\"):
        return False
    try:
        shlex.split(command, comments=True)
    except ValueError:
        return False
    return True


def agrees(expected: str, output: str) -> bool:
    """Whether an answer is what is shown; a line `...` stands for any lines, and an address of this machine for any."""
    wanted = [r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n" for line in _lines(expected)]
    return re.fullmatch("".join(wanted), "".join(f"{line}\n" for line in _lines(output))) is not None


def _lines(text: str) -> list[str]:
    plain = _ADDRESS.sub("ADDRESS", text).strip("\n")
    return [line.rstrip() for line in plain.split("\n")] if plain.strip() else []


def _words(command: str) -> list[str]:
    reader = shlex.shlex(command, posix=True, punctuation_chars="|>")
    reader.whitespace_split = True
    return list(reader)


def _unquoted(command: str) -> str:
    """A command without what stands in quotes and in remarks, which means nothing to a shell; double quotes let `$` through."""
    plain = re.sub(r"'[^']*'|\"[^\"$`]*\"", "", command)
    return re.sub(r"(?:^|\s)#.*", "", plain)


def _split(words: list[str]) -> list[list[str]]:
    stages: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            stages.append([])
        else:
            stages[-1].append(word)
    return stages


def _serves(words: list[str]) -> bool:
    return words[:1] == ["kgsan"] and words[1] in _SERVERS and "--check" not in words and "--help" not in words


def _environment() -> dict[str, str]:
    """The variables of this process, with the programs of its own virtual environment found first."""
    programs = str(Path(sys.executable).parent)
    return os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONUNBUFFERED": "1", "COLUMNS": "80"}


def _free_port() -> str:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def _by_kgsan(arguments: list[str], given: bytes) -> Answer:
    written = io.BytesIO()
    with _streams(io.BytesIO(given), written):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return Answer(written.getvalue().decode("utf-8"), code)


@contextmanager
def _streams(given: io.BytesIO, written: io.BytesIO) -> Iterator[None]:
    """Both streams of a program lead to one place, as on a terminal."""
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(given, "utf-8")
    sys.stdout, sys.stderr = (io.TextIOWrapper(written, "utf-8", write_through=True) for _ in range(2))
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            stream.detach()  # else the first wrapper to go would close what both write to
        sys.stdin, sys.stdout, sys.stderr = before


def _ask(address: str, until: float) -> None:
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    )
    while True:
        try:
            with opener.open(address, timeout=10) as answer:
                assert answer.status == 200
                return
        except urllib.error.HTTPError as error:
            assert error.code < 500, f"the server answers {error.code}"
            return
        except urllib.error.URLError:
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.1)
