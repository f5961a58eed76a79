"""Hit counts from a search engine: what is asked, what is believed, and what a bad server can do."""

from __future__ import annotations

import json
import os
import socket
import stat
import threading
import time
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from kgsan.errors import KnowledgeError
from kgsan.knowledge.search import LARGEST_ANSWER, LONGEST_NAME, DisclosureWarning, SearchKnowledge
from kgsan.ontology.ontology import Concept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HIV = Concept("t:hiv", "HIV", ("human immunodeficiency virus",))
PAGES = {'"zidovudine"': 40, '"fatigue"': 900, '"fatigue" AND "zidovudine"': 7}
SECRET = "wolfsbane fever"

pytestmark = pytest.mark.filterwarnings("ignore::kgsan.knowledge.search.DisclosureWarning")


@dataclass(slots=True)
class Reply:
    """What the server says to one request."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0  #: seconds before anything is said
    drip: float = 0.0  #: seconds between single bytes


@dataclass(slots=True)
class Engine:
    """A search engine on this machine that answers as a test tells it to."""

    answer: Callable[[str], Reply]
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    busiest: int = 0
    busy: int = 0
    port: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/find?q={{query}}&n=0"


def total(hits: object) -> Reply:
    return Reply(json.dumps({"hits": {"total": {"value": hits}}}).encode())


def raw(text: str) -> Reply:
    return Reply(text.encode())


@contextmanager
def serving(answer: Callable[[str], Reply]) -> Iterator[Engine]:
    engine = Engine(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply(parse_qs(urlsplit(self.path).query).get("q", [self.path])[0])

        def do_POST(self) -> None:
            self.reply(self.path + " " + self.rfile.read(int(self.headers["Content-Length"])).decode())

        def reply(self, question: str) -> None:
            with engine.lock:
                engine.asked.append(question)
                engine.headers.append(dict(self.headers))
                engine.busy += 1
                engine.busiest = max(engine.busiest, engine.busy)
            try:
                self.say(engine.answer(question))
            except OSError:
                pass  # the client has hung up, as it should on a bad server
            finally:
                with engine.lock:
                    engine.busy -= 1

        def say(self, reply: Reply) -> None:
            engine.stop.wait(reply.wait)
            self.send_response_only(reply.status)
            for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if not reply.drip:
                self.wfile.write(reply.body)
                return
            for byte in reply.body:
                self.wfile.write(bytes([byte]))
                engine.stop.wait(reply.drip)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    engine.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield engine
    finally:
        engine.stop.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def honest() -> Iterator[Engine]:
    with serving(lambda question: total(PAGES.get(question, 0))) as engine:
        yield engine


def knowledge(engine: Engine, **settings: Any) -> SearchKnowledge:
    given = {"hits": "hits.total.value", "contexts": 1000, "cache": None, "budget": 50, "sleep": lambda _: None, "timeout": 5}
    return SearchKnowledge(engine.url, **{**given, **settings})


def code(error: pytest.ExceptionInfo[KnowledgeError]) -> str:
    assert SECRET not in str(error.value)
    assert SECRET.split()[0] not in repr(error.value)
    return error.value.problems[0].code


def refusal(reply: Reply, **settings: Any) -> str:
    """The code of the error to which a reply leads."""
    with serving(lambda _: reply) as engine, pytest.raises(KnowledgeError) as error:
        knowledge(engine, **settings).count(SECRET)
    return code(error)


# What is asked


def test_hits_of_terms_and_groups_are_counted(honest: Engine) -> None:
    search = knowledge(honest)
    assert search.count("zidovudine") == 40
    assert search.count("zidovudine", "fatigue") == 7
    assert not search.capped("zidovudine", "fatigue")


def test_no_terms_occur_in_every_context_and_need_no_request(honest: Engine) -> None:
    assert knowledge(honest).count() == 1000
    assert not honest.asked


def test_the_order_and_repetition_of_terms_do_not_matter(honest: Engine) -> None:
    search = knowledge(honest)
    assert search.count("fatigue", "zidovudine", "fatigue") == search.count("zidovudine", "fatigue") == 7
    assert len(honest.asked) == 3


def test_a_concept_is_asked_by_its_names(honest: Engine) -> None:
    knowledge(honest).count(HIV)
    assert honest.asked == ['("HIV" OR "human immunodeficiency virus")']


def test_a_concept_with_many_names_is_asked_by_the_first_ten(honest: Engine) -> None:
    knowledge(honest).count(Concept("t:many", "name0", tuple(f"name{n}" for n in range(1, 500))))
    assert sorted(honest.asked[0].strip("()").split(" OR ")) == [f'"name{n}"' for n in range(10)]


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ('a" OR "b', '"a OR b"'),
        ("a\\", '"a"'),
        ("“a” & b=c#d?e/f", '"a & b=c#d?e/f"'),
        ("zido\u00advudine\u200b", '"zidovudine"'),
        ("line\nbreak\ttab", '"line break tab"'),
        ("Sjo\u0308gren", '"Sjögren"'),
        ("{query}", '"{query}"'),
    ],
)
def test_a_name_cannot_break_out_of_its_quotes(honest: Engine, name: str, asked: str) -> None:
    knowledge(honest).count(name)
    assert honest.asked == [asked]


def test_without_quotes_words_are_joined_and_commands_are_words(honest: Engine) -> None:
    knowledge(honest, quote=False).count("hepatitis NOT C*", HIV)
    assert honest.asked[0] == "(HIV OR (human AND immunodeficiency AND virus))"


@pytest.mark.parametrize("name", ["", " ", '"', "\u200b", "\udc80", "...", "a" * (LONGEST_NAME + 1), "x" * 10_000_000])
def test_what_is_no_name_is_unknown_and_never_sent(honest: Engine, name: str) -> None:
    search = knowledge(honest)
    assert search.count(name) is None
    assert search.count("fatigue", name) is None
    assert not honest.asked


def test_a_group_with_a_term_that_never_occurs_needs_no_request_of_its_own(honest: Engine) -> None:
    assert knowledge(honest).count("fatigue", "unheard") == 0
    assert '"fatigue" AND "unheard"' not in honest.asked


def test_elasticsearch_is_asked_for_phrases() -> None:
    with serving(lambda _: Reply(b'{"count": 12, "_shards": {"failed": 0}}')) as engine:
        search = SearchKnowledge.elasticsearch(
            f"http://127.0.0.1:{engine.port}/", "notes 1", "text", 1000, headers={"Authorization": "ApiKey x"}
        )
        assert search.count(HIV, "weight loss") == 12
    path, body = engine.asked[-1].split(" ", 1)
    assert path == "/notes%201/_count"
    assert json.loads(body)["query"]["bool"]["filter"] == [
        {
            "bool": {
                "should": [{"match_phrase": {"text": "HIV"}}, {"match_phrase": {"text": "human immunodeficiency virus"}}],
                "minimum_should_match": 1,
            }
        },
        {"bool": {"should": [{"match_phrase": {"text": "weight loss"}}], "minimum_should_match": 1}},
    ]
    assert engine.headers[0]["Authorization"] == "ApiKey x"
    assert engine.headers[0]["Content-Type"] == "application/json"


def test_a_number_is_found_inside_a_list() -> None:
    with serving(lambda _: raw('{"parts": [{}, {"n": 5}]}')) as engine:
        assert knowledge(engine, hits="parts.1.n").count("fatigue") == 5


# What is believed


def test_a_group_with_more_hits_than_its_parts_is_capped_and_marked() -> None:
    with serving(lambda question: total(90 if " AND " in question else 40 if "zidovudine" in question else 300)) as engine:
        search = knowledge(engine)
        assert search.count("zidovudine", "fatigue") == 40
        assert search.capped("zidovudine", "fatigue")
        assert not search.capped("fatigue")


def test_more_hits_than_contexts_are_capped_and_marked() -> None:
    with serving(lambda _: total(10**30)) as engine:
        search = knowledge(engine)
        assert search.count("fatigue") == 1000
        assert search.capped("fatigue")


@pytest.mark.parametrize(
    "answer",
    [
        '{"hits": {"total": {"value": -1}}}',
        '{"hits": {"total": {"value": 3.5}}}',
        '{"hits": {"total": {"value": NaN}}}',
        '{"hits": {"total": {"value": 1e400}}}',
        '{"hits": {"total": {"value": true}}}',
        '{"hits": {"total": {"value": "12"}}}',
        '{"hits": {"total": {"value": null}}}',
        '{"hits": {"total": {"value": [12]}}}',
        '{"hits": {"total": 12}}',
        '{"hits": []}',
        "{}",
        "[]",
        '{"hits": {"total": {"value": 10000, "relation": "gte"}}}',
        '{"timed_out": true, "hits": {"total": {"value": 12}}}',
        '{"_shards": {"failed": 2}, "hits": {"total": {"value": 12}}}',
    ],
)
def test_a_number_that_cannot_be_believed_is_unknown_and_said_so_once(answer: str) -> None:
    with serving(lambda _: raw(answer)) as engine:
        search = knowledge(engine)
        with pytest.warns(UserWarning, match="such counts are unknown") as told:
            assert search.count(SECRET) is None
        assert all(SECRET not in str(warning.message) for warning in told)
        assert search.count("fatigue", SECRET) is None
        assert not search.capped(SECRET)
        assert search.count(SECRET) is None
    assert engine.asked == [f'"{SECRET}"', '"fatigue"']


@pytest.mark.parametrize(
    "answer", ["", "12", "<html>wolfsbane fever</html>", '{"hits":', "[" * 500_000, "\xff\xfe", '{"n": ' + "9" * 9999 + "}"]
)
def test_an_answer_that_is_not_json_is_an_error(answer: str) -> None:
    assert refusal(Reply(answer.encode("latin-1"))) == "K203"


def test_a_huge_answer_is_refused_even_if_its_number_is_good() -> None:
    with serving(lambda _: Reply(total(5).body.ljust(LARGEST_ANSWER))) as engine:
        assert knowledge(engine).count("fatigue") == 5
    assert refusal(Reply(total(5).body.ljust(LARGEST_ANSWER + 1))) == "K203"


def test_an_endless_answer_is_refused_when_it_grows_too_large() -> None:
    assert refusal(Reply(b" " * 5_000_000, headers={"Content-Length": str(10**12)})) == "K203"


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_refused_question_is_an_error_and_not_repeated(status: int) -> None:
    with serving(lambda _: Reply(b"wolfsbane fever", status)) as engine, pytest.raises(KnowledgeError) as error:
        knowledge(engine).count(SECRET)
    assert code(error) == "K202"
    assert str(status) in str(error.value)
    assert len(engine.asked) == 1


def test_a_question_too_long_for_the_server_is_unknown() -> None:
    with serving(lambda _: Reply(status=414)) as engine:
        assert knowledge(engine).count("fatigue") is None


# Where it goes


def test_a_redirect_to_another_host_is_refused(honest: Engine) -> None:
    assert refusal(Reply(status=302, headers={"Location": f"http://localhost:{honest.port}/find?q=x"})) == "K203"
    assert refusal(Reply(status=302, headers={"Location": f"http://127.0.0.1:{honest.port}/find?q=x"})) == "K203"
    assert not honest.asked


@pytest.mark.parametrize(
    "location",
    ["", "file:///etc/hostname", "ftp://127.0.0.1/", "//example.org/x", "http://[", "/a b", "/\u00e9", "http://a@127.0.0.1/"],
)
def test_a_redirect_to_no_proper_place_is_refused(location: str) -> None:
    assert refusal(Reply(status=307, headers={"Location": location})) == "K203"


def test_a_redirect_to_another_host_on_the_same_port_is_refused() -> None:
    with serving(lambda _: Reply(status=302, headers={"Location": f"http://localhost:{engine.port}/x"})) as engine:
        with pytest.raises(KnowledgeError) as error:
            knowledge(engine).count(SECRET)
        assert len(engine.asked) == 1
    assert code(error) == "K203"


def test_a_redirect_on_the_same_server_is_followed() -> None:
    moved = Reply(status=301, headers={"Location": "/elsewhere"})
    with serving(lambda question: total(5) if question == "/elsewhere" else moved) as engine:
        search = knowledge(engine)
        assert search.count("fatigue") == 5
        assert repr(search).endswith("2 of 50 requests sent>")


def test_a_redirect_in_a_circle_ends() -> None:
    assert refusal(Reply(status=302, headers={"Location": "/find?q=round"})) == "K203"


def test_a_posted_question_is_not_redirected() -> None:
    with (
        serving(lambda _: Reply(status=302, headers={"Location": "/index/_count"})) as engine,
        pytest.raises(KnowledgeError) as error,
    ):
        SearchKnowledge.elasticsearch(f"http://127.0.0.1:{engine.port}", "index", "text", 10).count(SECRET)
    assert code(error) == "K203"
    assert len(engine.asked) == 1


def test_a_proxy_of_the_environment_does_not_see_the_terms(honest: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda _: total(1)) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        assert knowledge(honest).count("zidovudine") == 40
        assert not proxy.asked


# When it goes wrong


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_passing_failure_is_tried_again_after_growing_delays(status: int) -> None:
    waited: list[float] = []
    replies = iter([Reply(status=status), Reply(status=status), Reply(status=status), total(8)])
    with serving(lambda _: next(replies)) as engine:
        assert knowledge(engine, sleep=waited.append).count("fatigue") == 8
    assert waited == [1, 2, 4]


def test_a_lasting_failure_is_an_error_after_all_attempts() -> None:
    with serving(lambda _: Reply(b"wolfsbane fever", 503)) as engine, pytest.raises(KnowledgeError) as error:
        knowledge(engine, retries=2).count(SECRET)
    assert code(error) == "K202"
    assert "503, after 3 attempts" in str(error.value)
    assert len(engine.asked) == 3


@pytest.mark.parametrize(
    "slow",
    [
        Reply(b'{"hits": {"total": {"value": 1}}}', wait=20),
        Reply(b'{"hits": {"total": {"value": 1}}}', drip=0.15),
        Reply(b" " * 1000, drip=0.15, headers={"Content-Length": "", "Transfer-Encoding": "chunked"}),
    ],
    ids=["silent", "byte by byte", "byte by byte in chunks"],
)
def test_a_slow_server_is_left_after_the_timeout(slow: Reply) -> None:
    start = time.monotonic()
    assert refusal(slow, timeout=0.4, retries=1) == "K202"
    assert 0.7 < time.monotonic() - start < 4


def test_an_answer_cut_short_is_asked_again() -> None:
    whole = total(8)
    replies = iter([Reply(whole.body[:-3], headers={"Content-Length": str(len(whole.body))}), whole])
    with serving(lambda _: next(replies)) as engine:
        assert knowledge(engine).count("fatigue") == 8


def test_a_server_that_is_not_there_is_an_error() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        search = SearchKnowledge(
            f"http://127.0.0.1:{closed.getsockname()[1]}/{{query}}",
            hits="n",
            contexts=9,
            cache=None,
            budget=9,
            retries=0,
            timeout=2,
        )
        with pytest.raises(KnowledgeError) as error:
            search.count(SECRET)
    assert code(error) == "K202"


def test_the_budget_ends_the_asking_and_counts_repeated_requests(honest: Engine) -> None:
    search = knowledge(honest, budget=2)
    assert search.count("zidovudine") == 40
    with pytest.raises(KnowledgeError) as error:
        search.count("fatigue", SECRET)
    assert code(error) == "K204"
    assert len(honest.asked) == 2
    assert search.count("zidovudine") == 40
    with serving(lambda _: Reply(status=503)) as failing, pytest.raises(KnowledgeError) as error:
        knowledge(failing, budget=2, retries=9).count(SECRET)
    assert code(error) == "K204"
    assert len(failing.asked) == 2


@pytest.mark.parametrize(
    ("url", "settings", "problems"),
    [
        ("ftp://a.example/{query}", {}, 1),
        ("file:///{query}", {}, 1),
        ("https://{query}.example/", {}, 1),
        ("https://a.example/find", {}, 1),
        ("https://a.example/#{query}", {}, 1),
        ("https://a.example/ {query}", {}, 1),
        ("https://a.example:99999/{query}", {}, 1),
        ("https://[a/{query}", {}, 1),
        ("https://ann:hidden-word@a.example/{query}", {}, 1),
        ("https://a.example/{query}", {"field": "text"}, 1),
        ("https://a.example/{query}", {"headers": {"Key": "hidden-word\r\nHost: b"}}, 1),
        ("https://a.example/{query}", {"hits": "a..b"}, 1),
        ("https://a.example/{query}", {"contexts": 0, "budget": -1, "parallel": 0, "retries": -1, "timeout": float("nan")}, 5),
    ],
)
def test_wrong_settings_are_told_at_once(url: str, settings: dict[str, Any], problems: int) -> None:
    with pytest.raises(KnowledgeError) as error:
        SearchKnowledge(url, **{"hits": "n", "contexts": 9, "cache": None, "budget": 9, **settings})
    assert [problem.code for problem in error.value.problems] == ["K201"] * problems
    assert "hidden-word" not in str(error.value)


# The warning


@pytest.mark.filterwarnings("default::kgsan.knowledge.search.DisclosureWarning")
def test_the_first_request_warns_and_the_second_does_not(honest: Engine) -> None:
    search = knowledge(honest)
    with pytest.warns(DisclosureWarning, match="whoever runs it can read them") as told:
        search.count("zidovudine")
    assert [warning for warning in told if "zidovudine" in str(warning.message)] == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert search.count("fatigue") == 900


@pytest.mark.parametrize("ask", [lambda search: search.count("fatigue"), lambda search: search.prefetch(["fatigue"])])
def test_nothing_is_sent_while_the_warning_is_an_error(honest: Engine, ask: Callable[[SearchKnowledge], object]) -> None:
    search = knowledge(honest)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(DisclosureWarning):
                ask(search)
    assert not honest.asked


# The cache


def test_a_second_run_asks_nothing_and_warns_of_nothing(honest: Engine, tmp_path: Path) -> None:
    cache = tmp_path / "hits.jsonl"
    assert knowledge(honest, cache=cache).count("zidovudine", "fatigue") == 7
    asked = len(honest.asked)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert knowledge(honest, cache=cache, budget=0).count("fatigue", "zidovudine") == 7
    assert len(honest.asked) == asked == 3


def test_the_cache_shows_no_term_and_is_for_its_owner_only(honest: Engine, tmp_path: Path) -> None:
    cache = tmp_path / "hits.jsonl"
    cache.touch(0o644)
    knowledge(honest, cache=cache).count("zidovudine", SECRET)
    content = cache.read_text()
    assert len(content.splitlines()) == 2
    assert "zidovudine" not in content
    assert "wolfsbane" not in content
    if os.name == "posix":
        assert stat.S_IMODE(cache.stat().st_mode) == 0o600


def test_a_torn_last_line_is_passed_over_and_does_not_swallow_the_next(honest: Engine, tmp_path: Path) -> None:
    cache = tmp_path / "hits.jsonl"
    knowledge(honest, cache=cache).prefetch(["zidovudine"])
    knowledge(honest, cache=cache).prefetch(["fatigue"])
    cache.write_bytes(cache.read_bytes()[:-5])
    assert knowledge(honest, cache=cache).count("fatigue") == 900
    assert knowledge(honest, cache=cache, budget=0).count("fatigue") == 900
    assert knowledge(honest, cache=cache, budget=0).count("zidovudine") == 40


@pytest.mark.parametrize(
    "junk",
    [b"\n\n", b"[" * 3_000_000, b"\xff\xfe\n", b'{"query": 1, "hits": 2}\n', b'{"query": "a", "hits": -2}\n', b"{}\n[]\n7\n"],
)
def test_junk_in_the_cache_is_passed_over(honest: Engine, tmp_path: Path, junk: bytes) -> None:
    cache = tmp_path / "hits.jsonl"
    cache.write_bytes(junk)
    assert knowledge(honest, cache=cache).count("zidovudine") == 40
    assert knowledge(honest, cache=cache, budget=0).count("zidovudine") == 40


def test_servers_do_not_share_answers(honest: Engine, tmp_path: Path) -> None:
    cache = tmp_path / "hits.jsonl"
    knowledge(honest, cache=cache).count("zidovudine")
    with serving(lambda _: total(3)) as other:
        assert knowledge(other, cache=cache).count("zidovudine") == 3


def test_an_unknown_count_is_not_kept_on_disk(tmp_path: Path) -> None:
    with serving(lambda _: Reply(status=414)) as engine:
        knowledge(engine, cache=tmp_path / "hits.jsonl").count("fatigue")
    assert not (tmp_path / "hits.jsonl").read_bytes()


def test_a_cache_that_cannot_be_used_is_an_error(honest: Engine, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing" / "hits.jsonl"):
        with pytest.raises(KnowledgeError) as error:
            knowledge(honest, cache=place)
        assert code(error) == "K205"


# Many at once


def test_prefetch_asks_several_at_a_time_and_each_question_once(tmp_path: Path) -> None:
    with serving(lambda _: Reply(total(5).body, wait=0.05)) as engine:
        search = knowledge(engine, parallel=4, budget=100, cache=tmp_path / "hits.jsonl")
        names = [f"name{n}" for n in range(12)]
        search.prefetch([*names, HIV, *pairwise(names), ("name0", "name1"), "", names[0]])
        assert len(engine.asked) == len(set(engine.asked)) == 12 + 1 + 11
        assert 2 <= engine.busiest <= 8  # four, and four that were answered and are not done yet
        assert search.count("name3", "name4") == 5
        assert len(engine.asked) == 24
    assert len((tmp_path / "hits.jsonl").read_bytes().splitlines()) == 24


def test_prefetch_does_not_ask_for_groups_with_a_term_that_never_occurs(honest: Engine) -> None:
    knowledge(honest).prefetch([("fatigue", "unheard")])
    assert sorted(honest.asked) == ['"fatigue"', '"unheard"']


def test_prefetch_stops_at_the_budget_and_keeps_what_was_paid_for(tmp_path: Path) -> None:
    with serving(lambda _: total(5)) as engine:
        search = knowledge(engine, budget=5, cache=tmp_path / "hits.jsonl")
        with pytest.raises(KnowledgeError) as error:
            search.prefetch(f"name{n}" for n in range(1000))
    assert code(error) == "K204"
    assert len(engine.asked) == 5
    assert len((tmp_path / "hits.jsonl").read_bytes().splitlines()) == 5


def test_a_prefetch_against_a_failing_server_ends_soon() -> None:
    with serving(lambda _: Reply(status=503)) as engine:
        with pytest.raises(KnowledgeError) as error:
            knowledge(engine, retries=0, budget=10_000).prefetch(f"name{n}" for n in range(5000))
        assert len(engine.asked) < 500
    assert code(error) == "K202"


def test_the_picture_of_the_object_shows_neither_terms_nor_keys(honest: Engine) -> None:
    search = SearchKnowledge(
        f"{honest.url}&key=hidden-word", hits="hits.total.value", contexts=9, cache=None, budget=3, headers={"Key": "hidden-word"}
    )
    search.count("zidovudine")
    assert repr(search) == f"<SearchKnowledge 127.0.0.1:{honest.port}, 1 of 3 requests sent>"
    assert search.name == f"search engine 127.0.0.1:{honest.port}"
