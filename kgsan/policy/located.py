"""YAML text as values that know where they stand: every scalar stays the text it is, and nothing is constructed.

Only what a person types into a policy is let in. Anchors, tags and merge keys would make a line say what does not stand in it;
invisible signs would make it say something else than what is seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

from kgsan.errors import Place, Problem
from kgsan.policy.opened import LARGEST, UNSEEN, text_of, too_large, unseen
from kgsan.policy.syntax import explain_syntax, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_VALUES = 250_000
DEEPEST = 20
#: After so many problems in one file, more of them help nobody.
MOST_PROBLEMS = 200

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: A word that follows `#` without a blank was hardly meant as a comment: "form #12".
_CUT_BY_HASH = re.compile(r"[ \t]+#[^\s#!]")


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar as it was written: `plain` without quotes, `cut` when more text follows that YAML takes for a comment."""

    place: Place
    text: str
    plain: bool = False
    cut: bool = False
    end: tuple[int, int] | None = None

    @property
    def is_nothing(self) -> bool:
        return self.plain and self.text in ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `flow` when it is written in brackets."""

    place: Place
    items: tuple[Located, ...]
    flow: bool = False
    end: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields with their values, in the order of the file."""

    place: Place
    pairs: tuple[tuple[Text, Located], ...]
    flow: bool = False
    end: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A value that a problem has been told about; nothing more is said of it."""

    place: Place
    end: tuple[int, int] | None = None


Located: TypeAlias = Text | Items | Fields | Refused


@dataclass(frozen=True, slots=True)
class Reading:
    """What a YAML text holds, as far as it could be read, and everything that is wrong with it."""

    root: Fields | None
    problems: tuple[Problem, ...] = ()


def read_yaml(source: str | bytes | Path, name: str) -> Reading:
    """The fields of a YAML text, or of the file at a path.

    >>> reading = read_yaml("policy: NO\\nversion: 0012\\n", "my.yaml")
    >>> [(key.text, value.text, str(value.place)) for key, value in reading.root.pairs]
    [('policy', 'NO', 'my.yaml:1:9'), ('version', '0012', 'my.yaml:2:10')]
    """
    text = source if isinstance(source, str) else text_of(source, name)
    if isinstance(text, Problem):
        return Reading(None, (text,))
    if len(text) > LARGEST:
        return Reading(None, (too_large(name),))
    text = text.removeprefix("\ufeff")
    if (sign := unseen(text, name)) is not None:
        return Reading(None, (sign,))
    return _Tree(name, text).read()


def _end(event: Any) -> tuple[int, int]:
    return event.end_mark.line + 1, event.end_mark.column + 1


@dataclass(slots=True)
class _Open:
    """A list or a mapping that has begun and not ended."""

    event: Any
    children: list[Located]


class _Tree:
    """Puts parser events together without recursion; keeps going past what can be told together."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text
        self._lines = lines_of(text)
        self._problems: list[Problem] = []
        self._root: Located | None = None
        self._open: list[_Open] = []

    def read(self) -> Reading:
        finished = self._take_all()
        root = self._root
        if not finished or (root is None and self._problems):
            return Reading(None, tuple(self._problems))
        if root is None or (isinstance(root, Text) and root.is_nothing):
            self._add("P006", Place(self._name, 1, 1), "The policy is empty.", "Begin with `policy:` and a name.")
        elif isinstance(root, Text | Items):
            what = "a list" if isinstance(root, Items) else "a text"
            self._add("P014", root.place, f"The policy is {what} and should be fields.", "Begin with `policy:` and a name.")
        return Reading(root if isinstance(root, Fields) else None, tuple(self._problems))

    def _add(self, code: str, place: Place, message: str, hint: str | None = None) -> None:
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(Problem(code, place, message, hint))

    def _place(self, mark: Any) -> Place:
        return Place(self._name, mark.line + 1, mark.column + 1)

    def _take_all(self) -> bool:
        documents = 0
        for count, event in enumerate(self._events()):
            if event is None:
                return False
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if event.tags:
                    self._add("P011", self._place(event.start_mark), "The file begins with a `%TAG` line.", "Remove it.")
                if documents > 1:
                    hint = "Put each policy into its own file, and remove the `---`."
                    self._add("P007", self._place(event.start_mark), "A second document begins here.", hint)
                    return False
            elif isinstance(event, yaml.NodeEvent):
                self._node(event)
                if len(self._open) > DEEPEST:
                    place = self._place(event.start_mark)
                    self._add("P005", place, f"Values stand deeper than {DEEPEST} levels here.", "A policy needs four levels.")
                    return False
                if count > MOST_VALUES:
                    self._problems.append(too_large(self._name))
                    return False
            elif isinstance(event, yaml.CollectionEndEvent):
                closed = self._open.pop()
                self._put(self._closed(closed, _end(event)))
        return True

    def _events(self) -> Iterator[Any]:
        """The events of the parser; None when it cannot go on."""
        try:
            yield from yaml.parse(self._text, Loader=_LOADER)
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self._problems.append(explain_syntax(error, self._lines, self._name))
            yield None

    def _node(self, event: Any) -> None:
        place, end = self._place(event.start_mark), _end(event)
        quotes = "If the sign belongs to the text, put the text in quotes."
        refused = False
        if event.anchor is not None:
            what = "An alias (`*`)" if isinstance(event, yaml.AliasEvent) else "An anchor (`&`)"
            self._add("P010", place, f"{what} stands here; a policy says everything where it stands.", quotes)
            refused = isinstance(event, yaml.AliasEvent)
        if getattr(event, "tag", None) is not None:
            self._add("P011", place, "A tag (`!`) stands here; a policy holds texts, lists and fields only.", quotes)
            refused = True
        if isinstance(event, yaml.CollectionStartEvent):
            self._open.append(_Open(event, []))
        elif refused:
            self._put(Refused(place, end))
        else:
            self._put(self._scalar(event, place, end))

    def _scalar(self, event: Any, place: Place, end: tuple[int, int]) -> Located:
        plain = not event.style  # of the two parsers one says None and the other an empty text
        if not plain and UNSEEN.search(event.value):
            self._add("P003", place, "This text holds a sign that cannot be seen, written with a backslash.", "Leave it out.")
            return Refused(place, end)
        line = self._lines[end[0] - 1] if end[0] <= len(self._lines) else ""
        cut = plain and event.value != "" and _CUT_BY_HASH.match(line, end[1] - 1) is not None
        return Text(place, event.value, plain, cut, end)

    def _put(self, value: Located) -> None:
        if self._open:
            self._open[-1].children.append(value)
        else:
            self._root = value

    def _closed(self, opened: _Open, end: tuple[int, int]) -> Located:
        place, flow = self._place(opened.event.start_mark), bool(opened.event.flow_style)
        if opened.event.tag is not None:
            return Refused(place, end)
        if isinstance(opened.event, yaml.SequenceStartEvent):
            return Items(place, tuple(opened.children), flow, end)
        pairs: dict[str, tuple[Text, Located]] = {}
        for key, value in zip(opened.children[::2], opened.children[1::2], strict=True):
            if isinstance(key, Text) and self._is_usable(key, pairs):
                pairs[key.text] = (key, value)
            elif isinstance(key, Items | Fields):
                self._add("P013", key.place, "The name of a field is a text, and a list or fields stand here.", "Use quotes.")
        return Fields(place, tuple(pairs.values()), flow, end)

    def _is_usable(self, key: Text, earlier: dict[str, tuple[Text, Located]]) -> bool:
        if key.is_nothing:
            self._add("P013", key.place, "The name of a field is missing.", "Write it before the colon.")
        elif key.plain and key.text == "<<":
            self._add("P010", key.place, "A merge key (`<<`) stands here.", "Use `extends` to build on another policy.")
        elif key.plain and key.text != key.text.strip():
            hint = "Delete the blanks and type them anew with the space bar."
            self._add("P009", key.place, "A blank that is no ordinary space stands beside the name of this field.", hint)
        elif key.text in earlier:
            first = earlier[key.text][0].place
            self._add("P012", key.place, f"This field stands here and in line {first.line}.", "Keep one of the two.")
        else:
            return True
        return False
