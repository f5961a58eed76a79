"""The examples of a policy, tried: what must be hidden is, what must be kept stays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kgsan.sanitize.result import NotSafe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.policy import Example
    from kgsan.sanitize.sanitizer import Sanitizer


class Outcome(StrEnum):
    """How an example ended."""

    PASSED = "passed"
    FAILED = "failed"
    GAP = "known gap"
    CLOSED = "no longer a gap"


@dataclass(frozen=True, slots=True)
class Tried:
    """An example and what is wrong: sentences with the words of the policy, never more of the text."""

    example: Example
    outcome: Outcome
    wrong: tuple[str, ...] = ()


def try_example(example: Example, sanitizer: Sanitizer) -> Tried:
    """Whether a policy does to a text what the example says."""
    try:
        spans = [(one.start, one.end) for one in sanitizer.sanitize(example.text).decisions]
    except NotSafe:
        return Tried(example, Outcome.FAILED, ("the text cannot be made safe",))
    wrong = tuple(_wrong(example, spans))
    if example.known_gap:
        return Tried(example, Outcome.GAP if wrong else Outcome.CLOSED, wrong)
    return Tried(example, Outcome.FAILED if wrong else Outcome.PASSED, wrong)


def _wrong(example: Example, spans: list[tuple[int, int]]) -> Iterator[str]:
    for words in example.must_hide:
        places = list(_places(example.text, words))
        if not places:
            yield f"'{words}' is to be hidden, but the text does not hold it"
        elif any(_shows(example.text, place, spans) for place in places):
            yield f"'{words}' is not hidden"
    for words in example.must_keep:
        places = list(_places(example.text, words))
        if not places:
            yield f"'{words}' is to be kept, but the text does not hold it"
        elif any(start < end_hidden and start_hidden < end for start, end in places for start_hidden, end_hidden in spans):
            yield f"'{words}' is not kept"
    if example.unchanged and spans:
        yield f"the text is to stay as it is, but {len(spans)} places are hidden"


def _places(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Where words stand in a text as words of their own."""
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        inside = (start > 0 and text[start - 1].isalnum() and words[0].isalnum()) or (
            end < len(text) and text[end].isalnum() and words[-1].isalnum()
        )
        if not inside:
            yield start, end
        start = text.find(words, start + 1)


def _shows(text: str, place: tuple[int, int], spans: list[tuple[int, int]]) -> bool:
    """Whether a letter or digit of a place is outside of what is hidden."""
    return any(text[i].isalnum() and not any(start <= i < end for start, end in spans) for i in range(place[0], place[1]))
