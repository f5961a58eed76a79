"""In how many pages a search engine has seen terms together: hit counts from a server that the user names.

Whoever runs the server learns every term it is asked for, so nothing is sent before `count`, `capped` or `prefetch` is
called, and the first request warns. Hits obey no law: a group may have more of them than its parts. Such a number is
brought down to the smallest of its single terms, and `capped` says so.

Requests go to the named server only, past any proxy of the environment: a proxy would see the terms too.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import math
import os
import re
import socket
import ssl
import threading
import time
import unicodedata
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from kgsan.errors import KnowledgeError, Place, Problem, system_says
from kgsan.knowledge.knowledge import Topic
from kgsan.ontology.ontology import Concept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from kgsan.knowledge.knowledge import Term

#: Terms, all of which must occur; each as the names of which one must occur.
Question = tuple[tuple[str, ...], ...]

LARGEST_ANSWER = 1_000_000
#: What is longer is a piece of a document and no name: it is not sent.
LONGEST_NAME = 200
MOST_NAMES = 10
_MOST_REDIRECTS = 3
_LONGEST_CACHE_LINE = 200
_QUOTES = frozenset('"\\“”„‟«»＂')
#: The server says that the question is longer than it takes.
_TOO_LONG = frozenset({413, 414, 431})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class DisclosureWarning(UserWarning):
    """Terms are about to be shown to a server."""


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    location: str
    content: bytes


class SearchKnowledge:
    """Counts by asking a search engine; safe to share between threads.

    `url` holds `{query}` where the question belongs, and `hits` is the way to the number in the JSON answer. With `field`
    the question is posted in the language of Elasticsearch instead. `budget` is the most requests this object ever sends,
    repeated ones included. The cache holds hashes of questions: they hide terms from a glance, not from someone who
    hashes a list of terms and compares.

    >>> SearchKnowledge("https://search.example/?q={query}", hits="hits.total.value", contexts=10**9, cache=None, budget=100)
    <SearchKnowledge search.example, 0 of 100 requests sent>
    """

    def __init__(
        self,
        url: str,
        *,
        hits: str,
        contexts: int,
        cache: Path | None,
        budget: int,
        parallel: int = 4,
        timeout: float = 10,
        retries: int = 3,
        quote: bool = True,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._address = _address(url)
        self._host = self._address.netloc if self._address and "@" not in self._address.netloc else "search engine"
        self._url, self._field, self._quote, self._headers = url, field, quote, dict(headers or {})
        self._path = hits.split(".")
        self._budget, self._parallel, self._timeout, self._retries, self._sleep = budget, parallel, timeout, retries, sleep
        self.contexts = contexts
        self.name = f"search engine {self._host}"
        self._check()
        self._sent = 0
        self._warned = self._doubted = False
        self._lock = threading.RLock()
        self._cache = cache
        self._known: dict[str, int | None] = {}
        if cache is not None:
            self._guard_cache(self._read_cache, cache)

    @classmethod
    def elasticsearch(
        cls,
        url: str,
        index: str,
        field: str,
        contexts: int,
        *,
        cache: Path | None = None,
        budget: int = 1000,
        **options: Any,
    ) -> SearchKnowledge:
        """Knowledge from an index of Elasticsearch or OpenSearch with one document per context."""
        address = f"{url.rstrip('/')}/{quote(index, safe=',*')}/_count"
        return cls(address, hits="count", field=field, contexts=contexts, cache=cache, budget=budget, **options)

    def __repr__(self) -> str:
        return f"<SearchKnowledge {self._host}, {self._sent} of {self._budget} requests sent>"

    def count(self, *terms: Term) -> int | None:
        """In how many contexts all terms occur; None when the server gives no number that can be believed."""
        return self._measure(terms)[0]

    def capped(self, *terms: Term) -> bool:
        """Whether the server's own number was larger than possible, and `count` is the bound instead."""
        return self._measure(terms)[1]

    def prefetch(self, queries: Iterable[Term | Iterable[Term]]) -> None:
        """Ask for many terms and groups at once, several at a time, so that `count` finds the answers ready."""
        asked = (self._question((query,) if isinstance(query, (str, Concept, Topic)) else query) for query in queries)
        questions = dict.fromkeys(question for question in asked if question)
        self._ask_together(dict.fromkeys((term,) for question in questions for term in question))
        self._ask_together(q for q in questions if len(q) > 1 and all(self._hits((term,)) for term in q))

    def _measure(self, terms: Iterable[Term]) -> tuple[int | None, bool]:
        question = self._question(terms)
        if question is None:
            return None, False
        bound = self.contexts
        for term in question if len(question) > 1 else ():
            part = self._hits((term,))
            if part is None:
                return None, False
            bound = min(bound, part)
        if not question or bound == 0:
            return bound, False
        hits = self._hits(question)
        return (None, False) if hits is None else (min(hits, bound), hits > bound)

    def _question(self, terms: Iterable[Term]) -> Question | None:
        question = tuple(sorted({_names(term, self._quote or self._field is not None) for term in terms}))
        return None if () in question else question

    def _ask_together(self, questions: Iterable[Question]) -> None:
        missing = [question for question in questions if self._key(question) not in self._known]
        if not missing:
            return
        self._warn()
        with ThreadPoolExecutor(self._parallel) as pool:
            try:
                for asked in [pool.submit(self._hits, question) for question in missing]:
                    asked.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _key(self, question: Question) -> str:
        asked = json.dumps([self._url, self._path, self._field, self._quote, question])
        return hashlib.sha256(asked.encode()).hexdigest()

    def _hits(self, question: Question) -> int | None:
        key = self._key(question)
        if key in self._known:
            return self._known[key]
        answer = self._ask(question)
        if answer.status in _TOO_LONG:
            hits = None
        elif answer.status != 200:
            raise self._error("K202", f"The search engine answers with status {answer.status}.", "Check its URL and your access.")
        else:
            hits = self._read_hits(answer.content)
        with self._lock:
            self._known[key] = hits
            if hits is not None and self._cache is not None:
                line = json.dumps({"query": key, "hits": hits}) + "\n"
                self._guard_cache(_append, self._cache, line.encode())
        return hits

    def _read_hits(self, content: bytes) -> int | None:
        answer = _parsed(content)
        if answer is None:
            raise self._error("K203", "The search engine answers with something that is not JSON.", "Check its URL.")
        hits = _number(answer, self._path)
        with self._lock:
            first_doubt = hits is None and not self._doubted
            self._doubted = self._doubted or hits is None
        if first_doubt:
            told = "gave an answer without a whole, exact hit count; such counts are unknown. Check the way to the hits."
            warnings.warn(f"The search engine {self._host} {told}", stacklevel=2)
        return hits

    def _ask(self, question: Question) -> _Answer:
        """The first answer that is not a passing failure."""
        answer = None
        for attempt in range(self._retries + 1):
            if attempt:
                self._sleep(2.0 ** (attempt - 1))
            answer = self._attempt(question)
            if answer is not None and answer.status != 429 and answer.status < 500:
                return answer
        last = "gives no answer in time" if answer is None else f"answers with status {answer.status}"
        raise self._error("K202", f"The search engine {last}, after {self._retries + 1} attempt{'s' if self._retries else ''}.")

    def _attempt(self, question: Question) -> _Answer | None:
        url, body = self._url, None
        headers = {"Accept": "application/json", "User-Agent": "kgsan", "Connection": "close", **self._headers}
        if self._field is None:
            url = url.replace("{query}", quote(_written(question, self._quote), safe=""))
        else:
            body = json.dumps(_posted(question, self._field)).encode()
            headers["Content-Type"] = "application/json"
        for _ in range(_MOST_REDIRECTS + 1):
            self._spend()
            try:
                answer = _exchange(urlsplit(url), body, headers, self._timeout)
            except ssl.SSLCertVerificationError:
                answer = _Answer(0, "", b"")
            if answer is None:
                return None
            if answer.status == 0:
                raise self._error("K202", "The certificate of the search engine is not trusted.")
            if len(answer.content) > LARGEST_ANSWER:
                raise self._error(
                    "K203", "The answer of the search engine is larger than a hit count can be.", "Ask for no results."
                )
            if answer.status not in _REDIRECTS:
                return answer
            there = _joined(url, answer.location)
            # A redirected POST would arrive without its question, and the count would be that of the whole index.
            if body is not None or not _same_server(url, there):
                raise self._error(
                    "K203", "The search engine sends the question elsewhere, which is refused.", "Name the final URL."
                )
            url = there
        raise self._error("K203", "The search engine sends the question round and round.", "Name the final URL.")

    def _spend(self) -> None:
        self._warn()
        with self._lock:
            if self._sent < self._budget:
                self._sent += 1
                return
        raise self._error("K204", f"The budget of {self._budget} requests is spent.", "Raise the budget, or keep a cache.")

    def _warn(self) -> None:
        with self._lock:
            if not self._warned:
                told = "Terms of your documents and policy are now sent to it, and whoever runs it can read them."
                warnings.warn(f"Asking the search engine {self._host}. {told}", DisclosureWarning, stacklevel=2)
                self._warned = True

    def _read_cache(self, cache: Path) -> None:
        _append(cache, b"")
        with cache.open("rb") as lines:
            self._known.update(_cached(lines))

    def _guard_cache(self, work: Callable[..., None], *arguments: object) -> None:
        try:
            work(*arguments)
        except OSError as error:
            raise self._error("K205", f"The cache of hit counts cannot be used: {system_says(error)}.") from None

    def _error(self, code: str, message: str, hint: str | None = None) -> KnowledgeError:
        return KnowledgeError(Problem(code, Place(self._host), message, hint))

    def _check(self) -> None:
        """Refuse, all at once, settings that cannot work."""
        whole = (
            ("contexts", self.contexts, 1),
            ("budget", self._budget, 0),
            ("parallel", self._parallel, 1),
            ("retries", self._retries, 0),
        )
        wrong = [
            f"`{name}` must be a whole number of at least {least}." for name, n, least in whole if type(n) is not int or n < least
        ]
        if not (math.isfinite(self._timeout) and self._timeout > 0):
            wrong.append("`timeout` must be a number of seconds above 0.")
        if self._address is None:
            wrong.append("The URL must be http or https with a host, in plain ASCII without spaces.")
        else:
            if "@" in self._address.netloc:
                wrong.append("The URL must not hold a password: give it in `headers`.")
            if (self._field is None) != (
                "{query}" in self._address.path + self._address.query
            ) or "{query}" in self._address.netloc:
                wrong.append("The URL must hold `{query}` in its path or after the `?`, and none where a field is named.")
        if not all(self._path):
            wrong.append("The way to the hits must be names joined by dots, as in `hits.total.value`.")
        if not all(
            re.fullmatch(r"[!-~]+", name) and ":" not in name and re.fullmatch(r"[ -~]*", value)
            for name, value in self._headers.items()
        ):
            wrong.append("The headers must be plain ASCII on one line.")
        if wrong:
            raise KnowledgeError(*(Problem("K201", Place(self._host), message) for message in wrong))


def _address(url: str) -> SplitResult | None:
    """The parts of a URL that may be asked."""
    with suppress(ValueError):
        split = urlsplit(url)
        if re.fullmatch(r"[!-~]+", url) and split.scheme in ("http", "https") and split.hostname and split.port != 0:
            return split
    return None


def _joined(here: str, location: str) -> str:
    with suppress(ValueError):
        return urljoin(here, location)
    return ""


def _same_server(here: str, there: str) -> bool:
    """Whether a redirect stays with the server that was named, and does not give up encryption."""
    first, second = _address(here), _address(there)
    if first is None or second is None or "@" in second.netloc or first.hostname != second.hostname:
        return False
    ports = [split.port or (443 if split.scheme == "https" else 80) for split in (first, second)]
    return (first.scheme == second.scheme and ports[0] == ports[1]) or (
        first.scheme == "http" and second.scheme == "https" and ports == [80, 443]
    )


def _names(term: Term, phrases: bool) -> tuple[str, ...]:
    """The names by which a term is asked; none if it cannot be."""
    names = (term,) if isinstance(term, str) else (term.name, *term.synonyms)
    cleaned = (_cleaned(name, phrases) for name in names)
    return tuple(sorted(islice(dict.fromkeys(filter(None, cleaned)), MOST_NAMES)))


def _cleaned(name: str, phrases: bool) -> str:
    """The name without what a query language would take for a command; empty if nothing can be asked.

    >>> _cleaned('hepatitis" OR "\u200bC', True), _cleaned("-hepatitis NOT C*", False)
    ('hepatitis OR C', 'hepatitis not C')
    """
    if len(name) > LONGEST_NAME:
        return ""
    shown = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf")
    if not phrases:
        words = re.sub(r"\W+|_", " ", shown).split()
        return " ".join(word.lower() if word in ("AND", "OR", "NOT", "NEAR") else word for word in words)
    plain = "".join(c if c.isprintable() and c not in _QUOTES else " " for c in shown)
    return " ".join(plain.split()) if any(map(str.isalnum, plain)) else ""


def _written(question: Question, quoted: bool) -> str:
    """The question as one line.

    >>> _written((("HIV", "human immunodeficiency virus"), ("zidovudine",)), quoted=True)
    '("HIV" OR "human immunodeficiency virus") AND "zidovudine"'
    >>> _written((("AZT", "anti HIV drug"), ("hepatitis C",)), quoted=False)
    '(AZT OR (anti AND HIV AND drug)) AND hepatitis AND C'
    """

    def phrase(name: str, nested: bool) -> str:
        if quoted:
            return f'"{name}"'
        words = " AND ".join(name.split())
        return f"({words})" if nested and words != name else words

    return " AND ".join(
        phrase(names[0], nested=False) if len(names) == 1 else f"({' OR '.join(phrase(name, nested=True) for name in names)})"
        for names in question
    )


def _posted(question: Question, field: str) -> dict[str, Any]:
    """The question in the language of Elasticsearch."""
    terms = ([{"match_phrase": {field: name}} for name in names] for names in question)
    return {"query": {"bool": {"filter": [{"bool": {"should": names, "minimum_should_match": 1}} for names in terms]}}}


def _exchange(address: SplitResult, body: bytes | None, headers: dict[str, str], timeout: float) -> _Answer | None:
    """What the server answers; None if it breaks off or takes too long as a whole, byte by byte or not."""
    assert address.hostname
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = kind(address.hostname, address.port, timeout=timeout)
    deadline = time.monotonic() + timeout
    alarm = None
    try:
        connection.connect()
        alarm = threading.Timer(max(0.0, deadline - time.monotonic()), _hang_up, (connection.sock,))
        alarm.daemon = True
        alarm.start()
        target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        connection.request("GET" if body is None else "POST", target, body, headers)
        with connection.getresponse() as response:
            content = response.read(LARGEST_ANSWER + 1)
            broken = time.monotonic() >= deadline or (bool(response.length) and len(content) <= LARGEST_ANSWER)
            return None if broken else _Answer(response.status, response.getheader("Location", ""), content)
    except ssl.SSLCertVerificationError:
        raise
    except (OSError, http.client.HTTPException):
        return None
    finally:
        if alarm is not None:
            alarm.cancel()
        connection.close()


def _hang_up(wire: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(wire, socket.SHUT_RDWR)


def _parsed(content: bytes) -> dict[str, Any] | list[Any] | None:
    with suppress(ValueError, RecursionError):
        answer = json.loads(content)
        return answer if isinstance(answer, (dict, list)) else None
    return None


def _number(answer: Any, path: list[str]) -> int | None:
    """The hit count at the end of a path; None unless it is whole, exact and of a complete search.

    >>> _number({"hits": {"total": {"value": 7}}}, ["hits", "total", "value"])
    7
    >>> _number({"pages": [{"found": -1}]}, ["pages", "0", "found"])
    """
    around, found = None, answer
    for step in path:
        around = found
        if isinstance(found, list):
            found = found[int(step)] if step.isdecimal() and len(step) < 9 and int(step) < len(found) else None
        else:
            found = found.get(step) if isinstance(found, dict) else None
    if isinstance(around, dict) and path[-1] == "value" and around.get("relation", "eq") != "eq":
        return None
    if isinstance(answer, dict):
        shards = answer.get("_shards")
        if answer.get("timed_out") is True or (isinstance(shards, dict) and shards.get("failed", 0) != 0):
            return None
    return found if type(found) is int and found >= 0 else None


def _append(cache: Path, line: bytes) -> None:
    """Add a line for the owner's eyes only; one write each, so that several processes may share the file."""
    file = os.open(cache, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        if line:
            os.write(file, line)
            return
        with suppress(PermissionError):
            os.chmod(cache, 0o600)
        # A line that was torn when the machine stopped must not swallow the next one.
        if size := os.lseek(file, 0, os.SEEK_END):
            os.lseek(file, size - 1, os.SEEK_SET)
            if os.read(file, 1) != b"\n":
                os.write(file, b"\n")
    finally:
        os.close(file)


def _cached(lines: Iterable[bytes]) -> Iterator[tuple[str, int]]:
    """Keys and hits of the lines that are whole."""
    for line in lines:
        row = _parsed(line) if len(line) <= _LONGEST_CACHE_LINE else None
        if isinstance(row, dict):
            key, hits = row.get("query"), row.get("hits")
            if isinstance(key, str) and type(hits) is int and hits >= 0:
                yield key, hits
