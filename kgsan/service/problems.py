"""What the service refuses: one problem for each request, as RFC 9457 writes them, without a word of any document."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.errors import CODES

if TYPE_CHECKING:
    from collections.abc import Mapping

MEDIA = "application/problem+json"
JSON = "application/json"
#: The status with which each problem is answered.
STATUS = {
    "V104": 421,
    "V105": 401,
    "V106": 404,
    "V107": 405,
    "V108": 415,
    "V109": 413,
    "V110": 400,
    "V111": 422,
    "V112": 503,
    "V113": 504,
    "V114": 408,
    "V115": 500,
    "S101": 409,
    "S104": 409,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back."""

    status: int
    content: bytes = field(repr=False)
    media: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


def problem(code: str, detail: str, headers: Mapping[str, str] | None = None) -> Answer:
    """The answer to a request that is refused."""
    told = {"type": f"urn:kgsan:problem:{code}", "title": CODES[code], "status": STATUS[code], "detail": detail, "code": code}
    return Answer(STATUS[code], (json.dumps(told) + "\n").encode(), MEDIA, tuple((headers or {}).items()))


def is_too_busy() -> Answer:
    """There is no place left, or no turn came in time."""
    return problem("V112", "There is too much to do just now. Ask again later.", {"retry-after": "1"})


def took_too_long(seconds: float) -> Answer:
    """The work was given up."""
    return problem("V113", f"The text took longer than {seconds:g} seconds and was given up. Send it in parts.")


def was_not_foreseen() -> Answer:
    """A mistake of ours."""
    return problem("V115", "Something went wrong that nobody foresaw. Nothing of the text is given out.")
