"""A log in which every line seals the one before it, so that no line can be edited, removed, added or moved unnoticed.

A line is JSON in one fixed form. Its hash covers everything else in it, the hash of the line before included. With a key the
hash is an HMAC, and only who has the key can make a line; without one it shows accidents and clumsy hands, not a forger who
writes the whole log anew.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Span = tuple[int, int]

#: What stands for the hash before the first line.
BEGINNING = "0" * 64
#: So many faults are told.
_TOLD = 20
#: What is told of an act besides where and why; what follows from the log follows from this.
_DETAILS = {
    "opened": ("content", "settings"),
    "release": ("settings", "text"),
    "strictness": ("strictness",),
    "policy": ("kind",),
}
_FIELDS = ("number", "time", "document", "action", "place", "reason", "detail", "previous", "hash")


@dataclass(frozen=True, slots=True)
class Act:
    """Something a person or the program did: to which document, where in it, and why. Never with words of the document."""

    action: str
    document: str | None = None
    place: Span | None = None
    reason: str | None = None
    detail: dict[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """An act in its place in the log."""

    number: int
    time: str
    act: Act
    previous: str
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """How many lines a log has and how the last one ends: what shows that lines were cut off."""

    count: int = 0
    last: str = BEGINNING


def sealed(head: Head, time: str, act: Act, key: bytes | None) -> Entry:
    """The next entry of a log.

    >>> one = sealed(Head(), "2026-01-02T03:04:05Z", Act("started"), None)
    >>> one.number, one.previous == BEGINNING, len(one.hash)
    (1, True, 64)
    """
    entry = Entry(head.count + 1, time, act, head.last)
    return replace(entry, hash=_hash(entry, key))


def line(entry: Entry) -> bytes:
    """An entry as its line."""
    return _plain({**_fields(entry), "hash": entry.hash}) + b"\n"


def head_of(entries: Sequence[Entry]) -> Head:
    """The head of a log with these entries."""
    return Head(entries[-1].number, entries[-1].hash) if entries else Head()


def read_line(content: bytes) -> Entry:
    """The entry of a line. Raises `ValueError` for anything that is not one, letter for letter."""
    try:
        found = json.loads(content)
        entry = _entry(found)
        same = line(entry) == content
    except (RecursionError, TypeError, KeyError, UnicodeError):
        raise ValueError("no entry") from None
    if not same:
        raise ValueError("not in the form of the log")
    return entry


def check(content: bytes, head: Head | None, key: bytes | None, name: str) -> tuple[list[Entry], list[Problem]]:
    """The entries of a log, and everything that shows that it is not as it was written, with the number of the line."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    lines = content.split(b"\n")
    whole = lines[:-1] if not lines[-1] else lines
    before = Head()
    for number, found in enumerate(whole, 1):
        try:
            entry = read_line(found + b"\n")
        except ValueError:
            problems.append(_fault(name, number, "The line is not one that the review wrote: it was edited, or cut off."))
            before = Head(before.count + 1, "")
            continue
        if not hmac.compare_digest(entry.hash, _hash(entry, key)):
            problems.append(_fault(name, number, "The line was edited: it does not fit its own hash."))
        elif entry.number != before.count + 1 or (before.last and entry.previous != before.last):
            problems.append(
                _fault(name, number, "The line does not follow the one before it: lines were removed, added or moved.")
            )
        entries.append(entry)
        before = Head(entry.number, entry.hash)
    problems += _at_the_end(entries, len(whole), head, name) if not problems else ()
    if len(problems) > _TOLD:
        problems = [*problems[:_TOLD], _fault(name, None, f"There are {len(problems) - _TOLD} more lines like these.")]
    return entries, problems


def state_bytes(head: Head, key: bytes | None) -> bytes:
    """The state file of a log: its head, sealed."""
    told: dict[str, Any] = {"count": head.count, "last": head.last}
    return _plain({**told, "seal": _digest(_plain(told), key)}) + b"\n"


def read_state(content: bytes, key: bytes | None, name: str) -> Head | Problem:
    """The head that a state file holds, or what is wrong with it."""
    try:
        found = json.loads(content)
        head = Head(found["count"], found["last"])
        if type(head.count) is int and type(head.last) is str and state_bytes(head, key) == content:
            return head
    except (ValueError, RecursionError, TypeError, KeyError):
        pass
    return Problem("A105", Place(name), "The state file was edited, is damaged, or was made with another key.")


def _at_the_end(entries: Sequence[Entry], count: int, head: Head | None, name: str) -> Iterator[Problem]:
    if head is None:
        return
    if count < head.count:
        said = f"The log has {count} of {head.count} lines: from this line on they were removed."
        yield Problem("A104", Place(name, count + 1), said)
    elif head.count and entries[head.count - 1].hash != head.last:
        yield _fault(name, head.count, "The line is not the one that the state file remembers.")


def _fault(name: str, number: int | None, said: str) -> Problem:
    return Problem("A103", Place(name, number), said)


def _fields(entry: Entry) -> dict[str, Any]:
    act = entry.act
    return {
        "number": entry.number,
        "time": entry.time,
        "document": act.document,
        "action": act.action,
        "place": None if act.place is None else list(act.place),
        "reason": act.reason,
        "detail": dict(sorted(act.detail.items())),
        "previous": entry.previous,
    }


def _entry(found: Any) -> Entry:
    if not isinstance(found, dict) or tuple(found) != _FIELDS:
        raise ValueError
    texts = [found["time"], found["action"], found["previous"], found["hash"]]
    texts += [one for one in (found["document"], found["reason"]) if one is not None]
    place = found["place"]
    numbers = [found["number"], *(place if place is not None else ())]
    detail = found["detail"]
    if not all(type(one) is str for one in texts) or not all(type(one) is int for one in numbers):
        raise ValueError
    if (place is not None and len(place) != 2) or not found["hash"].isascii():  # letters cannot be compared in constant time
        raise ValueError
    if not isinstance(detail, dict) or not all(type(one) in (str, int) for one in detail.values()):
        raise ValueError
    if found["document"] is not None and not all(name in detail for name in _DETAILS.get(found["action"], ())):
        raise ValueError
    act = Act(found["action"], found["document"], None if place is None else (place[0], place[1]), found["reason"], detail)
    return Entry(found["number"], found["time"], act, found["previous"], found["hash"])


def _hash(entry: Entry, key: bytes | None) -> str:
    return _digest(_plain(_fields(entry)), key)


def _digest(content: bytes, key: bytes | None) -> str:
    return hashlib.sha256(content).hexdigest() if key is None else hmac.new(key, content, hashlib.sha256).hexdigest()


def _plain(told: dict[str, Any]) -> bytes:
    return json.dumps(told, separators=(",", ":"), ensure_ascii=True).encode("ascii")
