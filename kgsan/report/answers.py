"""What is answered about a sanitized text in JSON: little beside a text that is released, everything for those who may know."""

from __future__ import annotations

import json
import secrets
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from kgsan.report.certificate import certificate
from kgsan.report.record import KEY_SIZE, decision_told, record
from kgsan.report.sentences import explain, reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.result import Decision, SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

#: What is said of a share beside a released text: the exact one would tell the word.
REACHED = "at or above the limit"
_PUBLIC = ("new_start", "new_end", "action", "replacement")


def answer(sanitizer: Sanitizer, text: str, result: SanitizedDocument, *, reveal: bool) -> dict[str, Any]:
    """A sanitized text with its decisions and certificate; what was hidden, and why, only with `reveal`."""
    told: dict[str, Any] = {
        "text": result.text,
        "decisions": [_decision(decision, sanitizer, reveal) for decision in result.decisions],
        "certificate": certificate(sanitizer, result.text),
    }
    if reveal:
        told["utility_kept"] = result.utility_kept
        told["record"] = record(sanitizer, text, result, secrets.token_bytes(KEY_SIZE))
    return told


def _decision(decision: Decision, sanitizer: Sanitizer, reveal: bool) -> dict[str, Any]:
    told = decision_told(decision, sanitizer.policy)
    return told if reveal else {name: told[name] for name in _PUBLIC}


def remaining(text: str, found: Sequence[Disclosure], *, reveal: bool) -> list[dict[str, Any]]:
    """What still discloses in a text: where and by which rule; the words and figures only with `reveal`."""
    places = Places(text)
    told = []
    for one in found:
        line, column = places.of(one.start)
        row: dict[str, Any] = {
            "line": line,
            "column": column,
            "start": one.start,
            "end": one.end,
            "rule": one.rule.value,
            "entity": one.entity or None,
            "share": None if one.share is None else REACHED,
        }
        if reveal:
            row |= {
                "words": text[one.start : one.end],
                "share": None if one.share is None else one.share.revealed,
                "limit": one.limit,
                "because": reason(one, words=True),
            }
        told.append(row)
    return told


def reasons(sanitizer: Sanitizer, text: str, result: SanitizedDocument) -> Iterator[str]:
    """Every decision in sentences, with the words that were hidden and where they stood."""
    places = Places(text)
    for decision in result.decisions:
        line, column = places.of(decision.start)
        yield f"{line}:{column}: {explain(decision, sanitizer.policy, text)}"


class Places:
    """Lines and columns of a text, both counted from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def of(self, offset: int) -> tuple[int, int]:
        """Line and column of a place.

        >>> Places("one\\ntwo").of(5)
        (2, 2)
        """
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def row(told: dict[str, Any], *, indent: int | None = None) -> bytes:
    """An answer as JSON in UTF-8."""
    try:
        return (json.dumps(told, indent=indent, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:  # half of a pair of UTF-16 is no letter, and JSON alone can write it
        return (json.dumps(told, indent=indent) + "\n").encode("ascii")
