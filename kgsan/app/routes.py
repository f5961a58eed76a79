"""The addresses of the review page. What takes long runs in a thread of its own, so that nobody waits for another."""

from __future__ import annotations

from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from kgsan.app.documents import document_page
from kgsan.app.lists import queue_page, stopped_page
from kgsan.app.problems import ReviewError, refused
from kgsan.app.replay import Ruling
from kgsan.app.stricter import preview_page
from kgsan.errors import KgsanError
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.wordless import Unforeseen

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from kgsan.app.chain import Span
    from kgsan.app.desk import Desk, View
    from kgsan.app.gate import Tokens

_OWN = "kgsan.app.static"
_STATIC = {
    "palette.css": ("kgsan.report.page", "text/css"),
    "review.css": (_OWN, "text/css"),
    "review.js": (_OWN, "text/javascript"),
    "icon.svg": (_OWN, "image/svg+xml"),
}
_FORM = "application/x-www-form-urlencoded"
#: A form of the page has fewer fields.
_FIELDS = 20
#: So many texts are worked on at a time; the others wait, and pages that are ready do not.
_AT_A_TIME = 4


class Pages:
    """What answers each address."""

    def __init__(self, desk: Desk, tokens: Tokens) -> None:
        self._desk = desk
        self._tokens = tokens
        self._limit: anyio.CapacityLimiter | None = None

    def app(self) -> Starlette:
        """The addresses. Methods and unknown addresses are refused by the same sentence as everything else."""
        routes = [
            Route("/", self._queue),
            Route("/static/{name}", self._static),
            Route("/document/{number:int}", self._document),
            Route("/document/{number:int}/preview", self._preview),
            *(
                Route(f"/document/{{number:int}}/{what}", partial(self._act, work=work), methods=["POST"])
                for what, work in {
                    "decide": self._decide,
                    "hide": self._hide,
                    "strictness": self._strictness,
                    "policy": self._policy,
                    "release": self._release,
                }.items()
            ),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _plainly})  # type: ignore[dict-item]

    # --- looking -----------------------------------------------------------------------------------------------------------

    async def _queue(self, request: Request) -> Response:
        return HTMLResponse(queue_page(self._desk, self._tokens.form))

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _STATIC:
            raise HTTPException(404)
        package, kind = _STATIC[name]
        return Response((files(package) / name).read_bytes(), media_type=kind)

    async def _document(self, request: Request) -> Response:
        at, done = _span(request.query_params.get("at", "")), request.query_params.get("done", "")
        return await self._shown(request.path_params["number"], at=at, done=done)

    async def _preview(self, request: Request) -> Response:
        number, strictness = request.path_params["number"], request.query_params.get("strictness", "")
        try:
            draft = await self._work(self._desk.preview, number, strictness)
            return HTMLResponse(await self._work(preview_page, draft, strictness, number, self._tokens.form))
        except ReviewError as error:
            return PlainTextResponse(f"{error.sentence}\n", _status(error))
        except Unforeseen:
            raise
        except NotSafe:
            return PlainTextResponse("With this strictness the text cannot be made safe.\n", 409)

    async def _shown(self, number: int, status: int = 200, **more: Any) -> Response:
        try:
            view: View = await self._work(self._desk.view, number)
        except ReviewError as error:
            return PlainTextResponse(f"{error.sentence}\n", _status(error))
        except Unforeseen:
            raise
        except NotSafe:
            self._desk.document(number).problem = "could not be made safe"
            return HTMLResponse(stopped_page(self._desk.document(number), self._tokens.form), 409)
        return HTMLResponse(await self._work(partial(document_page, self._desk, view, self._tokens.form, **more)), status)

    # --- doing -------------------------------------------------------------------------------------------------------------

    async def _act(self, request: Request, work: Callable[[int, dict[str, str]], str]) -> Response:
        """Do what a form asks for, then show the page anew; what is refused is told on the page."""
        number, given = request.path_params["number"], await _form(request)
        if not self._tokens.confirms(given.get("token", "")):
            return PlainTextResponse("The form does not come from this page.\n", 403)
        at = given.get("at", "")
        try:
            done = await self._work(work, number, given)
        except ReviewError as error:
            if error.code == "A112" and not 1 <= number <= len(self._desk.documents):
                return PlainTextResponse(f"{error.sentence}\n", 404)
            return await self._shown(number, _status(error), at=_span(at), wrong=error.sentence)
        except Unforeseen:
            raise
        except NotSafe:
            return await self._shown(number, 409, at=_span(at), wrong="Like this the text cannot be made safe; nothing was done.")
        except KgsanError as error:
            return await self._shown(number, 500, at=_span(at), wrong=str(error))
        asked = f"?done={done}" + (f"&at={at}" if _span(at) else "")
        return RedirectResponse(f"/document/{number}{asked}", 303)

    def _decide(self, number: int, given: dict[str, str]) -> str:
        do, _, rung = given.get("do", "").partition(":")
        if do == "rest":
            self._desk.accept_rest(number)
            return do
        span = _needed(given)
        if do == "undo":
            self._desk.undo(number, span)
        elif do in list(Ruling):
            everywhere = given.get("everywhere") == "yes"
            self._desk.decide(number, span, Ruling(do), rung=rung, reason=given.get("reason", ""), everywhere=everywhere)
        else:
            raise refused("A112", "This cannot be done here.")
        return do

    def _hide(self, number: int, given: dict[str, str]) -> str:
        if given.get("do") == "words":
            self._desk.hide_words(number, given.get("words", ""))
        else:
            self._desk.hide(number, _needed(given))
        return "hide"

    def _strictness(self, number: int, given: dict[str, str]) -> str:
        self._desk.take_strictness(number, given.get("strictness", ""), given.get("reason", ""))
        return "strictness"

    def _policy(self, number: int, given: dict[str, str]) -> str:
        self._desk.add_to_policy(number, _needed(given), given.get("kind", ""), given.get("reason", ""))
        return "policy"

    def _release(self, number: int, given: dict[str, str]) -> str:
        self._desk.release(number, confirmed=given.get("confirm") == "yes")
        return "release"

    async def _work(self, work: Callable[..., Any], *given: Any) -> Any:
        """Something that may take long, in a thread; only so many at a time."""
        if self._limit is None:
            self._limit = anyio.CapacityLimiter(_AT_A_TIME)
        async with self._limit:
            return await run_in_threadpool(work, *given)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; of two that are called the same the last."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HTTPException(415)
    try:
        content = (await request.body()).decode("utf-8")
        return dict(parse_qsl(content, keep_blank_values=True, max_num_fields=_FIELDS, errors="strict"))
    except ValueError:
        raise HTTPException(400) from None


def _span(told: str) -> Span | None:
    """A place as the page writes it.

    >>> _span("3-9"), _span("x"), _span("9-3")
    ((3, 9), None, None)
    """
    start, _, end = told.partition("-")
    if not (told.isascii() and start.isdigit() and end.isdigit() and len(told) < 24):
        return None
    return (int(start), int(end)) if int(start) < int(end) else None


def _needed(given: dict[str, str]) -> Span:
    span = _span(given.get("at", ""))
    if span is None:
        raise refused("A112", "No words are marked.")
    return span


def _status(error: ReviewError) -> int:
    return {"A112": 404, "A111": 422, "A115": 422}.get(error.code, 409)


async def _plainly(request: Request, error: HTTPException) -> Response:
    told = {404: "There is no such page.", 405: "This can only be read or sent as a form.", 415: "Only forms are read here."}
    return PlainTextResponse(
        f"{told.get(error.status_code, 'The request cannot be understood.')}\n", error.status_code, error.headers
    )
