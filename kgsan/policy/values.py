"""Located values against the table of fields: every value checked, every problem collected, none told twice."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place, Problem
from kgsan.policy.fields import POLICY
from kgsan.policy.guess import belongs_to, guessed_field, nearest, shown
from kgsan.policy.located import MOST_PROBLEMS, Fields, Items, Located, Refused, Text
from kgsan.policy.shapes import (
    DAY,
    NUMBER,
    WHOLE_NUMBER,
    Day,
    Either,
    FreeText,
    Many,
    Number,
    Section,
    Truth,
    Word,
    alternatives,
    expected,
)

if TYPE_CHECKING:
    from kgsan.policy.shapes import Field, Shape

_YES = ("yes", "y", "on", "1", "t")
_NO = ("no", "n", "off", "0", "f")


@dataclass(slots=True)
class Entry:
    """The values of one section by field; `doubtful` fields were written, but a problem has been told about them."""

    place: Place
    values: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)


class _Wrong(Exception):
    """A value that does not fit; the problem has been told."""


def read_section(
    fields: Fields, section: Section, problems: list[Problem], *, inherits: bool = False, complete: bool = True
) -> Entry:
    """The values of a section. With `inherits`, what is required may come from elsewhere; what is not `complete` may lack it."""
    return _Reader(problems, complete).section(fields, section, inherits)


class _Reader:
    def __init__(self, problems: list[Problem], complete: bool) -> None:
        self._problems = problems
        self._complete = complete

    def _wrong(self, code: str, where: Located, message: str, hint: str | None = None) -> _Wrong:
        self._problems.append(Problem(code, where.place, message, hint))
        return _Wrong()

    # --- sections

    def section(self, fields: Fields, section: Section, inherits: bool) -> Entry:
        entry = Entry(fields.place)
        for key, value in fields.pairs:
            known = section.field(key.text)
            if known is None:
                self._unknown(key, value, fields, section, entry)
                continue
            entry.places[known.name] = value.place
            try:
                entry.values[known.name] = self._field(known, key, value, section.private)
            except _Wrong:
                entry.doubtful.add(known.name)
        for each in section.fields:
            optional = inherits and each.name != "policy"
            if each.required and not optional and each.name not in entry.values and each.name not in entry.doubtful:
                entry.doubtful.add(each.name)
                if not self._complete:
                    continue
                hint = f"{each.description} For example: `{each.name}: {each.example}`."
                self._problems.append(
                    Problem("P102", fields.place, f"{section.name[0].upper()}{section.name[1:]} needs `{each.name}`.", hint)
                )
        return entry

    def _unknown(self, key: Text, value: Located, fields: Fields, section: Section, entry: Entry) -> None:
        guess = guessed_field(key.text, section) if len(self._problems) <= MOST_PROBLEMS else None
        elsewhere = (
            [] if guess is not None else [f"an item of `{name}`" if name else "the policy" for name in belongs_to(key.text)]
        )
        # An unknown name may be the beginning of an example's text, so it is not repeated.
        prose = section.private or (section is POLICY and " " in key.text)
        word = "This" if prose and not (guess or elsewhere) else f"`{shown(key.text)}`"
        if guess is not None:
            entry.doubtful.add(guess)
            hint = f"Did you mean `{guess}`?"
        elif elsewhere:
            hint = f"It is a field of {alternatives(elsewhere)}; check the indentation."
            self._problems.append(Problem("P114", key.place, f"{word} is no field of {section.name}.", hint))
            return
        elif section is not POLICY and len(fields.pairs) == 1 and isinstance(value, Text):
            first = section.fields[0]
            entry.doubtful.update(each.name for each in section.fields if each.required)
            hint = f"Write `{first.name}:` before it, and put it in quotes if the colon belongs to it."
            if section.bare and value.is_nothing:
                hint = "Remove the colon after it."
        else:
            hint = f"The fields are {_names(section)}."
        self._problems.append(Problem("P101", key.place, f"{word} is no field of {section.name}.", hint))

    def _field(self, known: Field, key: Text, value: Located, private: bool) -> Any:
        if isinstance(value, Refused):
            raise _Wrong
        if isinstance(value, Text) and (value.is_nothing or not value.text.strip()):
            hint = f"Write it after the colon, as in `{known.name}: {known.example}`, or remove the line."
            raise self._wrong("P103", key, f"`{known.name}` has no value.", hint)
        if (isinstance(value, Items) and not value.items) or (isinstance(value, Fields) and not value.pairs):
            none = (known.default == "none" and " Write `none` if you mean none.") or ""
            raise self._wrong("P103", value, f"`{known.name}` is empty.", f"Write what belongs there, or remove the line.{none}")
        return self._value(value, known.shape, known.name, private, known)

    # --- values

    def _value(self, value: Located, shape: Shape, name: str, private: bool, known: Field | None = None) -> Any:
        match shape:
            case Many():
                return self._many(value, shape, name, private)
            case Either(shapes):
                return self._either(value, shapes, name, known)
            case Section():
                return self._item(value, shape, name)
        text = self._text(value, shape, name)
        accepted = _accepted(text.text, shape)
        if accepted is not None:
            return accepted
        said = "this" if private else f"'{shown(text.text)}'"
        verdict = "neither" if isinstance(shape, Truth) or (isinstance(shape, Word) and len(shape.choices) == 2) else "none"
        message = f"`{name}` wants {expected(shape)}, and {said} is {verdict}."
        raise self._wrong(_code(shape), text, message, _hint(text.text, shape, known))

    def _text(self, value: Located, shape: Shape, name: str) -> Text:
        if isinstance(value, Refused):
            raise _Wrong
        if isinstance(value, Items | Fields):
            hint = None
            if value.flow and isinstance(shape, FreeText):
                hint = "A text with brackets needs quotes around it."
            elif isinstance(value, Items):
                hint = "Write it after the colon, without a dash."
            raise self._wrong("P104", value, f"`{name}` wants {expected(shape)}, and {_kind(value)} stands here.", hint)
        if value.is_nothing or not value.text.strip():
            raise self._wrong("P103", value, f"An item of `{name}` has no value.", "Write it after the dash, or remove the line.")
        if value.cut and isinstance(shape, FreeText):
            hint = "Put the text in quotes; if you mean a comment, leave a space after the `#`."
            raise self._wrong("P015", value, "What follows after the `#` would be lost as a comment.", hint)
        return value

    def _either(self, value: Located, shapes: tuple[Shape, ...], name: str, known: Field | None) -> Any:
        lists = [shape for shape in shapes if isinstance(shape, Many)]
        if isinstance(value, Items) and lists:
            return self._many(value, lists[0], name, False)
        plain = [shape for shape in shapes if not isinstance(shape, Many)]
        text = self._text(value, Either(shapes), name)
        for shape in plain:
            accepted = _accepted(text.text, shape)
            if accepted is not None:
                return accepted
        message = f"`{name}` wants {expected(Either(shapes))}, and '{shown(text.text)}' is none."
        raise self._wrong(_code(plain[0]), text, message, _hint(text.text, plain[0], known))

    def _many(self, value: Located, shape: Many, name: str, private: bool) -> tuple[Any, ...]:
        if isinstance(value, Refused):
            raise _Wrong
        if not isinstance(value, Items):
            if shape.or_one and isinstance(value, Text):
                return (self._value(value, shape.of, name, private),)
            raise self._wrong(
                "P104", value, f"`{name}` wants {expected(shape)}, and {_kind(value)} stands here.", _as_list(value)
            )
        found: list[Any] = []
        seen: dict[str, Place] = {}
        faulty = False
        for item in value.items:
            try:
                read = self._value(item, shape.of, name, private)
            except _Wrong:
                faulty = True
                continue
            mark = read.values.get(shape.told_apart_by or "") if isinstance(read, Entry) else read
            same = " ".join(str(mark).split())
            if mark is not None and same in seen:
                told = "This" if private or (isinstance(shape.of, Section) and shape.of.private) else f"'{shown(str(mark))}'"
                line = f" in line {seen[same].line}" if seen[same].line else ""
                self._problems.append(Problem("P113", item.place, f"{told} stands{line} already.", "Keep one of the two."))
            else:
                seen[same] = item.place
                found.append(read)
        if faulty and not found:
            raise _Wrong
        return tuple(found)

    def _item(self, value: Located, section: Section, name: str) -> Entry:
        if isinstance(value, Fields) and value.pairs:
            return self.section(value, section, False)
        bare = section.field(section.bare) if section.bare else None
        if bare is not None and isinstance(value, Text):
            return Entry(value.place, {bare.name: self._value(value, bare.shape, name, False, bare)})
        if isinstance(value, Refused) or (isinstance(value, Fields) and not self._complete):
            raise _Wrong
        if isinstance(value, Fields) or (isinstance(value, Text) and value.is_nothing):
            raise self._wrong("P103", value, f"An item of `{name}` has no value.", "Write it after the dash, or remove the line.")
        required = ", ".join(f"{each.name}: ..." for each in section.fields if each.required)
        message = f"An item of `{name}` is made of fields, and {_kind(value)} stands here."
        raise self._wrong("P104", value, message, f"Write `- {{{required}}}`, or each field on its own line.")


def _accepted(text: str, shape: Shape) -> Any:
    """The value a text stands for in this shape; None when it does not fit."""
    match shape:
        case FreeText(_, pattern, as_it_stands):
            fits = pattern is None or re.fullmatch(pattern, text) is not None
            return (text if as_it_stands else text.strip()) if fits else None
        case Word():
            return text if text in shape.words else None
        case Number(whole=whole):
            if re.fullmatch(WHOLE_NUMBER if whole else NUMBER, text) is None or not shape.holds(Fraction(text)):
                return None
            return int(text) if whole else Fraction(text)
        case Truth():
            return {"true": True, "false": False}.get(text)
        case Day():
            try:
                return date.fromisoformat(text) if re.fullmatch(DAY, text) else None
            except ValueError:
                return None
        case _:
            return None


def _code(shape: Shape) -> str:
    match shape:
        case Number():
            return "P106"
        case Day():
            return "P107"
        case FreeText():
            return "P108"
        case _:
            return "P105"


def _hint(text: str, shape: Shape, known: Field | None) -> str | None:
    """How the text was probably meant; else an example."""
    words = text.strip()
    match shape:
        case Word():
            close = nearest(words, shape.words)
            if close is not None:
                return f"Did you mean `{close}`?"
        case Number() if re.fullmatch(r"[0-9]{1,12},[0-9]{1,12}", words):
            return f"Write a point and not a comma: {words.replace(',', '.')}."
        case Truth() if words.casefold() in (*_YES, "true"):
            return "Write `true`."
        case Truth() if words.casefold() in (*_NO, "false"):
            return "Write `false`."
        case Day():
            return "Write year, month and day: 2024-05-31."
    return f"For example: `{known.name}: {known.example}`." if known is not None else None


def _as_list(value: Located) -> str:
    if isinstance(value, Fields):
        return "Write a dash and a space before each item."
    if isinstance(value, Text) and value.text.startswith("-"):
        return "Leave a space after each dash."
    return "Write each item on a line of its own, after a dash and a space."


def _kind(value: Located) -> str:
    return "a list" if isinstance(value, Items) else "a group of fields" if isinstance(value, Fields) else "a text"


def _names(section: Section) -> str:
    return ", ".join(f"`{each.name}`" for each in section.fields)
