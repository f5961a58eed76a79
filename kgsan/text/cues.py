"""The phrases that tell how a mention is meant, read from `status_cues.txt`, where a clinician may add to them."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import product
from typing import TYPE_CHECKING

from kgsan.text.tokens import token_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIST = re.compile(r"(<\w+>) (==?) (.+)")


class Status(enum.Enum):
    """How a mention is meant. Where several apply, the first of this list is told."""

    FAMILY = "family"  #: of a relative or partner
    NEGATED = "negated"
    HYPOTHETICAL = "hypothetical"
    UNCERTAIN = "uncertain"
    PAST = "past"  #: still about the patient
    PRESENT = "present"


_NAMES = {status.value: status for status in Status}


@dataclass(frozen=True, slots=True)
class Cue:
    status: Status
    reach: int
    alone: bool


@dataclass(slots=True)
class Entry:
    """All that one phrase says."""

    before: list[Cue] = field(default_factory=list)
    behind: list[Cue] = field(default_factory=list)
    heading: Status = Status.PRESENT
    stops: set[Status] = field(default_factory=set)
    stops_section: bool = False
    breaks: bool = False


@dataclass(slots=True)
class Node:
    """What may follow the words read so far, and what they say."""

    further: dict[str, Node] = field(default_factory=dict)
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Table:
    phrases: Node
    headings: Node
    alike: dict[str, str]
    light: frozenset[str]
    witnesses: frozenset[str]  #: a sentence without any of these words has no phrase that says more than "present"


def longest(node: Node, words: list[str], at: int, last: int) -> tuple[int, Entry | None]:
    """Where the longest phrase that begins at a word ends, and what it says."""
    end, entry = at, None
    while (following := node.further.get(words[at].lower() if at < last else "$")) is not None:
        node, at = following, at + 1
        if node.entry is not None:
            end, entry = at, node.entry
    return end, entry


@cache
def phrase_table() -> Table:
    """The phrases of `status_cues.txt`."""
    lists: dict[str, list[str]] = {}
    alike: dict[str, str] = {}
    phrases, headings, light, witnesses = Node(), Node(), set[str](), set[str]()
    head: list[str] = []
    for line in (files("kgsan.text") / "status_cues.txt").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if (listed := _LIST.fullmatch(line)) is not None:
            name, sign, members = listed.groups()
            lists.setdefault(name, []).extend(members.split(" | ") if sign == "=" else [name])
            alike.update(dict.fromkeys(members.split(" | ") if sign == "==" else (), name))
        elif line.startswith("[") and line.endswith("]"):
            head = line[1:-1].split()
        elif head == ["light"]:
            light.update(line.split(" | "))
        else:
            for words in (words for phrase in line.split(" | ") for words in _written(phrase, lists, alike)):
                _enter(headings if "heading" in head else phrases, words, head)
                if head[0] in _NAMES and head[0] != Status.PRESENT.value:
                    witnesses.add(
                        max(words, key=lambda word: (word[-1].isalnum() or word in lists, len(word), word not in "()$^.,"))
                    )
    return Table(phrases, headings, alike, frozenset(light), frozenset(witnesses))


def _written(phrase: str, lists: dict[str, list[str]], alike: dict[str, str]) -> Iterator[list[str]]:
    """Every way to write a phrase, in tokens."""
    for parts in product(*(lists.get(part, [part]) for part in phrase.split())):
        yield [alike.get(word, word) for part in parts for word in ([part] if part in lists else _tokens(part))]


def _tokens(text: str) -> list[str]:
    return [text[start:end] for start, end in token_spans(text).tolist()]


def _enter(node: Node, words: list[str], head: list[str]) -> None:
    """Adds what a line of the table, under its head, says of a phrase."""
    for word in words:
        node = node.further.setdefault(word, Node())
    entry = node.entry = node.entry or Entry()
    match head:
        case ["nothing"]:
            pass
        case ["break"]:
            entry.breaks = True
        case ["stop", "section"]:
            entry.stops_section = True
        case ["stop", *kinds]:
            entry.stops |= {_NAMES[kind] for kind in kinds or _NAMES}
        case [kind, "heading"]:
            entry.heading = _NAMES[kind]
        case [kind, direction, reach, *alone]:
            cue = Cue(_NAMES[kind], int(reach), alone == ["alone"])
            if direction in ("before", "around"):
                entry.before.append(cue)
            if direction in ("behind", "around"):
                entry.behind.append(cue)
