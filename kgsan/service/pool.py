"""Where the work is done while the server goes on listening: threads of this process, or processes that can be ended."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from kgsan.sanitize.quiet import quiet
from kgsan.sanitize.wordless import without_words
from kgsan.service.answering import Answers
from kgsan.service.problems import Answer, is_too_busy, took_too_long

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from kgsan.service.settings import Settings

Result = TypeVar("Result")
#: A process that has loaded its policies says so.
_READY = b"ready"
_FAILED = b"failed"


class WorkerFailed(Exception):
    """A process could not do its work; it says nothing about the text."""


class Worker(Protocol):
    """One who answers one request at a time."""

    def answer(self, what: str, body: bytes) -> Answer:
        """The answer; called in a thread of its own."""

    def give_up(self) -> None:
        """The answer is no longer wanted."""

    def close(self) -> None:
        """No more is asked."""


class Pool:
    """Workers, and those who wait for one. Made and used in one event loop."""

    def __init__(self, workers: list[Worker]) -> None:
        self._workers = workers
        self._idle = list(workers)
        self._turns = asyncio.Semaphore(len(workers))

    async def answer(self, what: str, body: bytes, seconds: float) -> Answer:
        """The answer, or the refusal after so many seconds: no turn came, or the work took too long and was given up."""
        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(seconds):
                await self._turns.acquire()
        except TimeoutError:
            return is_too_busy()
        worker = self._idle.pop()
        work = in_thread(lambda: worker.answer(what, body), lambda: self._take_back(worker))
        left = seconds - (asyncio.get_running_loop().time() - started)
        done, _ = await asyncio.wait([work], timeout=max(left, 0))
        if done:
            return work.result()
        work.cancel()
        worker.give_up()
        return took_too_long(seconds)

    def _take_back(self, worker: Worker) -> None:
        """A worker is free only when it has really ended: a thread that was given up still works."""
        self._idle.append(worker)
        self._turns.release()

    def close(self) -> None:
        """End all workers that can be ended."""
        for worker in self._workers:
            worker.close()


def in_thread(work: Callable[[], Result], ended: Callable[[], None]) -> asyncio.Future[Result]:
    """The result of something that takes long; `ended` is called first. The thread keeps nobody from ending the program."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        ended()
        if future.cancelled():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(error)

    def run() -> None:
        result: Result | None = None
        failure: BaseException | None = None
        try:
            result = work()
        except WorkerFailed as error:
            failure = error
        except BaseException as error:  # in a thread nothing is interrupted; a loop that was told so would end
            failure = without_words(error) if isinstance(error, Exception) else WorkerFailed(type(error).__name__)
        with suppress(RuntimeError):  # the loop has ended, and nobody waits
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, daemon=True).start()
    return future


class ThreadWorker:
    """Works in this process; what was given up goes on to its end, unheard."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def answer(self, what: str, body: bytes) -> Answer:
        """The answer."""
        return self._answers.answer(what, body)

    def give_up(self) -> None:
        """A thread cannot be ended."""

    def close(self) -> None:
        """Nothing is held."""


# --- processes ------------------------------------------------------------------------------------------------------------


class ProcessWorker:
    """Works in a process of its own, which is ended when the answer is no longer wanted, and made anew."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._is_closed = self._is_answering = False
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # a process that has threads must not be split
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._settings), daemon=True)
        self._process.start()
        theirs.close()
        self._is_ready = self._is_lost = False

    def wait(self) -> None:
        """Until the process has loaded its policies. Raises `WorkerFailed` when it ends before that."""
        try:
            self._is_ready = self._is_ready or self._connection.recv_bytes() == _READY
        except (OSError, EOFError):
            self._end()
            raise WorkerFailed("A process of the service was ended.") from None

    def answer(self, what: str, body: bytes) -> Answer:
        """The answer. Raises `WorkerFailed` when the process was ended, or met something that nobody foresaw."""
        self._recover()  # it may have been given up at the very moment at which it answered
        self._is_answering = True
        try:
            self._connection.send_bytes(what.encode())
            self._connection.send_bytes(body)
            status, media, content = (self._connection.recv_bytes() for _ in range(3))
        except (OSError, EOFError):
            self._is_answering = False
            self._end()
            self._recover()  # nobody is sent here before the next process is ready
            raise WorkerFailed("A process of the service was ended.") from None
        self._is_answering = False
        if status == _FAILED:
            raise WorkerFailed(media.decode("ascii", "replace"))
        return Answer(int(status), content, media.decode())

    def give_up(self) -> None:
        """End the process, unless it is only just being made: to end it again and again would answer nobody."""
        if self._is_answering:
            self._end()

    def close(self) -> None:
        """End the process for good."""
        self._is_closed = True
        self._end()

    def _end(self) -> None:
        self._is_lost = True
        self._process.kill()

    def _recover(self) -> None:
        """Another process for one that was ended, with its policies loaded."""
        if self._is_lost and not self._is_closed:
            self._process.join()
            self._connection.close()
            self._start()
        self.wait()


def _work(connection: Connection, settings: Settings) -> None:
    """Answer what is asked until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is meant for the server
    answers = Answers(settings)
    with quiet(), suppress(OSError, EOFError):
        connection.send_bytes(_READY)
        while True:
            what, body = connection.recv_bytes().decode(), connection.recv_bytes()
            try:
                made = answers.answer(what, body)
                parts = str(made.status).encode(), made.media.encode(), made.content
            except BaseException as error:  # what it says may hold words of a document
                parts = _FAILED, type(error).__name__.encode("ascii", "replace"), b""
            for part in parts:
                connection.send_bytes(part)
