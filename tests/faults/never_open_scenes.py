"""The ways in which a text comes in and goes out: the library, the commands, the service, the review, and the plugs."""

from __future__ import annotations

import gc
import sys
import threading
from argparse import Namespace
from dataclasses import dataclass, replace
from functools import _lru_cache_wrapper, partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from kgsan import Sanitizer, explain, load_policy
from kgsan.cli import ended, main
from kgsan.cli.batch import unexpected
from kgsan.cli.sanitize import guarded
from kgsan.lazy import cached_property
from kgsan.risk.detecting import Detector
from kgsan.text import tokens
from tests.faults.never_open_direct import Direct, one_thread
from tests.faults.never_open_world import NOTE, QUOTED, document, policy_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.faults.never_open_watching import Seen

#: The kinds of files, those first that the short search looks at.
SUFFIXES = (".txt", ".html", ".docx", ".pdf", ".csv", ".jsonl", ".md", ".eml", ".json", ".hl7", ".parquet")
HARMLESS = "Fine."
#: The ways that are also gone when the reading of texts fails, so that what tells an error meets another.
BROKEN = (
    "library",
    "sanitize .txt",
    "sanitize .docx",
    "sanitize .jsonl",
    "sanitize folder",
    "verify",
    "service direct",
    "service",
    "review direct",
    "review",
    "spark",
)


@dataclass(frozen=True, slots=True)
class Scene:
    """One way, with everything that outsiders get to see on it."""

    name: str
    run: Callable[[Path, Seen], None]  #: in a folder of its own
    given: bytes = b""  #: standard input
    is_command: bool = False  #: nothing may be raised: Python would print it
    prepare: Callable[[], None] | None = None  #: what is done before, without faults
    is_broken: bool = False  #: it fails by itself, so that a fault is a second one
    beside: str = ""  #: another that goes the same way in one thread; here only what threads add is looked for

    @property
    def goes_on(self) -> bool:
        """Whether the program has a next text: a command has not, but the servers, and what uses the library."""
        return not self.is_command or self.name.startswith(("service", "review"))


class World:
    """One policy, compiled once as in a program that runs for long; what a fault leaves behind in it is met by the next text."""

    def __init__(self, folder: Path) -> None:
        self.policy = policy_of(folder / "policy")
        self.sanitizer = Sanitizer(load_policy(self.policy))
        self.safe = self.sanitizer.sanitize(NOTE).text
        self._plugs: dict[str, Any] = {}

    # --- the library -------------------------------------------------------------------------------------------------------

    def library(self, _: Path, seen: Seen) -> None:
        """A text sanitized, verified and explained."""
        result = self.sanitizer.sanitize(NOTE)
        seen.add("text", result.text)
        seen.add("repr", [self.sanitizer, result, *result.decisions, self.sanitizer.verify(NOTE)])
        seen.add("explained", [explain(one, self.sanitizer.policy) for one in result.decisions])
        seen.add("texts", [one.text for one in self.sanitizer.sanitize_many([NOTE, HARMLESS])])

    def compile_anew(self) -> None:
        """The policy compiled as in a program that has just begun."""
        forget()
        self._new = Sanitizer(load_policy(self.policy))

    def anew(self, _: Path, seen: Seen) -> None:
        """The policy used for the first time: much is loaded only then."""
        seen.add("text", self._new.sanitize(NOTE).text)

    # --- the commands ------------------------------------------------------------------------------------------------------

    def command(self, *arguments: str, files: tuple[str, ...] = (), more: Callable[[Path], None] | None = None) -> Any:
        """A command; `IN` and `OUT` in its arguments are folders."""

        def run(folder: Path, seen: Seen) -> None:
            for name in ("in", "out", "private"):
                (folder / name).mkdir()
            for suffix in files:
                (folder / "in" / f"note{suffix}").write_bytes(document(suffix))
            if more is not None:
                more(folder)
            places = {"IN": folder / "in", "OUT": folder / "out", "PRIVATE": folder / "private", "POLICY": self.policy}
            told = [arguments[0], "--policy", str(self.policy)]
            for one in arguments[1:]:
                for name, place in places.items():
                    one = one.replace(name, str(place))
                told.append(one)
            seen.add("code", main(told))

        return run

    # --- the service -------------------------------------------------------------------------------------------------------

    @cached_property
    def answers(self) -> Any:
        """The policies of a service, compiled."""
        from kgsan.service.answering import Answers

        return Answers(self._settings)

    @cached_property
    def _settings(self) -> Any:
        from kgsan.service.settings import Settings

        return Settings((load_policy(self.policy),), allow_strictness=True)

    def service(self, _: Path, seen: Seen) -> None:
        """A text sanitized and verified over HTTP, as the command does it."""
        from starlette.testclient import TestClient

        make = partial(TestClient, raise_server_exceptions=False)
        seen.add("code", ended(lambda: guarded(lambda _: self._served(make, seen))(Namespace())))

    def service_directly(self, _: Path, seen: Seen) -> None:
        """The same in one thread."""
        with one_thread() as (loop, _at_once):
            make = partial(Direct, loop=loop)
            seen.add("code", ended(lambda: guarded(lambda _: self._served(make, seen))(Namespace())))

    def _served(self, make: Callable[..., Any], seen: Seen) -> int:
        from kgsan.service.app import Service
        from kgsan.service.pool import Pool, ThreadWorker
        from tests.service.world import HOST, KNOWN, LIMITS, TOKEN

        pool = Pool([ThreadWorker(self.answers)])
        app = Service(self._settings, replace(LIMITS, seconds=2), pool, TOKEN, [HOST], tell=_tell, log=_log)
        client = make(app, base_url=f"http://{HOST}", headers=KNOWN)
        for path, given in (
            ("/sanitize", {"text": NOTE, "certificate": True}),
            ("/verify", {"text": NOTE}),
            ("/sanitize", {"text": NOTE, "strictness": 2}),
        ):
            _answered(client.post(path, json=given), seen, "answer")
        return 0

    # --- the review --------------------------------------------------------------------------------------------------------

    def review(self, folder: Path, seen: Seen) -> None:
        """A document looked at, decided about and released on the page of a review, as the command does it."""
        from starlette.testclient import TestClient

        make = partial(TestClient, raise_server_exceptions=False)
        seen.add("code", ended(lambda: guarded(lambda _: self._reviewed(make, threading.Thread, folder, seen))(Namespace())))

    def review_directly(self, folder: Path, seen: Seen) -> None:
        """The same in one thread."""
        with one_thread() as (loop, thread):
            make = partial(Direct, loop=loop)
            seen.add("code", ended(lambda: guarded(lambda _: self._reviewed(make, thread, folder, seen))(Namespace())))

    def _reviewed(self, make: Callable[..., Any], thread: Any, folder: Path, seen: Seen) -> int:
        from kgsan.app.desk import Desk
        from kgsan.app.gate import Tokens
        from kgsan.app.serve import _read_all, application
        from tests.app.test_gate import HOST, ORIGIN

        (folder / "in").mkdir()
        (folder / "in" / "note.txt").write_text(NOTE)
        desk = Desk(self.sanitizer, [folder / "in" / "note.txt"], folder / "review")
        try:
            tokens = Tokens()
            app = application(desk, tokens, HOST, _tell)
            client = make(app, base_url=f"http://{HOST}", follow_redirects=False)
            ahead = thread(target=_read_all, args=(desk,))
            ahead.start()
            ahead.join()
            client.get("/", params={"token": tokens.once})
            start = NOTE.index("fatigue")
            reason = "It is public."
            for path in ("/", "/document/1", "/document/1/preview?strictness=2"):
                _answered(client.get(path), seen, "page")
            for what, form in (
                ("hide", {"at": f"{start}-{start + 7}"}),
                ("hide", {"do": "words", "words": "ibuprofen"}),
                ("strictness", {"strictness": "2", "reason": reason}),
                ("policy", {"at": f"{start}-{start + 7}", "kind": "allow", "reason": reason}),
                ("decide", {"do": "rest"}),
                ("release", {"confirm": "yes"}),
            ):
                answer = client.post(f"/document/1/{what}", data={"token": tokens.form, **form}, headers=ORIGIN)
                _answered(answer, seen, "page")
        finally:
            desk.close()
        return 0

    # --- the plugs ---------------------------------------------------------------------------------------------------------

    def _made(self, name: str, make: Callable[[], Any]) -> Any:
        """What a program makes once, before it has any text."""
        if name not in self._plugs:
            self._plugs[name] = make()
        return self._plugs[name]

    def pandas(self, _: Path, seen: Seen) -> None:
        """A column of pandas."""
        import pandas

        from kgsan.pandas import sanitize

        frame = pandas.DataFrame({"note": [NOTE, None, HARMLESS]})
        seen.add("frame", sanitize(frame, self.sanitizer).to_dict())
        seen.add("frame", sanitize(frame["note"], self.sanitizer, on_error="null").to_list())

    def spacy(self, _: Path, seen: Seen) -> None:
        """A pipeline of spaCy."""
        import spacy

        from kgsan.spacy import Component

        nlp = spacy.blank("en")
        component = self._made("spacy", lambda: Component("kgsan", self.sanitizer, "kgsan"))
        seen.add("doc", component(nlp.make_doc(NOTE))._.sanitized)
        seen.add("docs", [doc._.sanitized for doc in component.pipe([nlp.make_doc(NOTE), nlp.make_doc(HARMLESS)])])

    def presidio(self, _: Path, seen: Seen) -> None:
        """Presidio's recognizer and operator."""
        from presidio_anonymizer import AnonymizerEngine

        from kgsan.presidio import KgsanOperator, KgsanRecognizer, operators

        found = self._made("recognizer", lambda: KgsanRecognizer(self.sanitizer)).analyze(NOTE, [])
        seen.add("findings", found)
        engine = self._made("engine", AnonymizerEngine)
        engine.add_anonymizer(KgsanOperator)
        seen.add("anonymized", engine.anonymize(NOTE, found, operators=operators(self.sanitizer, NOTE, found)).text)

    @cached_property
    def _parcel(self) -> bytes:
        from kgsan.spark.frames import packed

        return packed(self.policy)

    def spark(self, _: Path, seen: Seen) -> None:
        """What an executor of Spark does."""
        from kgsan.spark.executor import work

        values = [NOTE.encode(), None, HARMLESS.encode()]
        seen.add("column", work(self._parcel, values, stop=False))
        seen.add("column", work(self._parcel, values, stop=True))

    # --- all of them -------------------------------------------------------------------------------------------------------

    def scenes(self) -> dict[str, Scene]:
        """Every way, by its name."""
        self._parcel, self.answers  # noqa: B018 (made before anything is injected)
        made = [Scene("library", self.library), Scene("library anew", self.anew, prepare=self.compile_anew)]
        for suffix in SUFFIXES:
            name = f"note{suffix}"
            papers = ("--certificate", "OUT/certificate.json", "--record", "PRIVATE/record.json")
            run = self.command("sanitize", f"IN/{name}", "-o", f"OUT/{name}", *papers, *_fields(suffix), files=(suffix,))
            made.append(Scene(f"sanitize {suffix}", run, is_command=True))
        commands = {
            "sanitize -": (("sanitize", "--format", "json"), ()),
            "sanitize folder": (("sanitize", "IN", "-o", "OUT/all", "--resume", "PRIVATE/ledger"), (".txt", ".md")),
            "sanitize page": (("sanitize", "IN/note.txt", "--format", "html"), (".txt",)),
            "verify": (("verify", "IN/note.txt"), (".txt",)),
            "attack": (("attack", "IN/safe.txt", "--original", "IN/note.txt", "--background", "IN"), (".txt",)),
        }
        for name, (arguments, files) in commands.items():
            run = self.command(*arguments, files=files, more=self._released if name == "attack" else None)
            made.append(Scene(name, run, NOTE.encode(), is_command=True))
        for name, directly, run in (
            ("service", self.service_directly, self.service),
            ("review", self.review_directly, self.review),
        ):
            made.append(Scene(f"{name} direct", directly, is_command=True))
            made.append(Scene(name, run, is_command=True, beside=f"{name} direct"))
        made += [Scene("pandas", self.pandas), Scene("spacy", self.spacy), Scene("presidio", self.presidio)]
        made.append(Scene("spark", self.spark))
        for scene in [one for one in made if one.name in BROKEN]:
            beside = f"{scene.beside} broken" if scene.beside else ""
            made.append(replace(scene, name=f"{scene.name} broken", run=_broken(scene.run), is_broken=True, beside=beside))
        return {scene.name: scene for scene in made}

    def _released(self, folder: Path) -> None:
        (folder / "in" / "safe.txt").write_text(self.safe)


def forget() -> None:
    """Take back what kgsan has loaded for all texts, so that it is loaded again."""
    for one in gc.get_objects():
        if isinstance(one, _lru_cache_wrapper) and str(getattr(one, "__module__", "")).startswith("kgsan."):
            one.cache_clear()
    tokens._remembered.clear()


def _broken(run: Callable[[Path, Seen], None]) -> Callable[[Path, Seen], None]:
    """The same with a reader that quotes what it cannot read."""

    def quote(*_: object) -> None:
        raise ValueError(QUOTED)

    def broken(folder: Path, seen: Seen) -> None:
        with patch.object(Detector, "find", quote), patch.object(Detector, "find_many", quote):
            run(folder, seen)

    return broken


def _fields(suffix: str) -> tuple[str, ...]:
    return ("--field", "note", "--keep", "id") if suffix == ".csv" else ("--field", "note") if suffix == ".parquet" else ()


def _answered(answer: Any, seen: Seen, where: str) -> None:
    """Pages show the original to whoever reviews it; refusals never do."""
    is_page = answer.headers.get("content-type", "").startswith("text/html") and answer.status_code != 500
    seen.add(where if is_page or where != "page" else "answer", answer.content)
    seen.add("headers", list(answer.headers.items()))
    seen.add("status", answer.status_code)


def _tell(error: BaseException) -> None:
    print(unexpected(error), file=sys.stderr)


def _log(line: str) -> None:
    print(line, file=sys.stderr)
