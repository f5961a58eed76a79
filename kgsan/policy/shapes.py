"""The shapes a value in a policy may have, and how each is called in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

#: What counts as a number: figures with a point, or a fraction. Short enough that no arithmetic on it takes long.
NUMBER = r"[0-9]{1,12}(\.[0-9]{1,12})?|[0-9]{1,9}/[1-9][0-9]{0,8}"
WHOLE_NUMBER = r"[0-9]{1,9}"
DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


@dataclass(frozen=True, slots=True)
class FreeText:
    """Words, as they stand or without the blanks around them; `pattern` is a form they must have."""

    what: str = "a text"
    pattern: str | None = None
    as_it_stands: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words, each with what it means."""

    choices: tuple[tuple[str, str], ...]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for word, _ in self.choices)


@dataclass(frozen=True, slots=True)
class Number:
    """A number, kept exactly; whole if asked."""

    least: int
    greatest: int | None = None
    whole: bool = False
    unit: str = ""

    def holds(self, number: Fraction) -> bool:
        return self.least <= number and (self.greatest is None or number <= self.greatest)


@dataclass(frozen=True, slots=True)
class Truth:
    """true or false."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar."""


@dataclass(frozen=True, slots=True)
class Many:
    """A list; with `or_one`, what stands alone is a list of one. No two items may share `told_apart_by`."""

    of: FreeText | Word | Section
    what: str
    told_apart_by: str | None = None
    or_one: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """One shape or another; the first that fits."""

    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One thing a policy can say: the single place where reader, schema, documentation and template learn of it."""

    name: str
    shape: Shape
    description: str
    example: str
    default: str | None = None
    required: bool = False
    also_called: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A group of fields. A text that stands alone is taken for the field `bare`; a `private` group holds words of documents."""

    name: str
    fields: tuple[Field, ...]
    bare: str | None = None
    private: bool = False

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)


Shape: TypeAlias = FreeText | Word | Number | Truth | Day | Many | Either | Section


def expected(shape: Shape) -> str:
    """What a field wants, as the middle of a sentence.

    >>> expected(Number(1)), expected(Number(1, 6, whole=True))
    ('a number of 1 or more', 'a whole number from 1 to 6')
    """
    match shape:
        case FreeText(what):
            return what
        case Word():
            return alternatives([f"`{word}`" for word in shape.words])
        case Number(least, greatest, whole, unit):
            kind = "a whole number" if whole else "a number"
            if greatest is not None:
                return f"{kind} from {least} to {greatest}"
            return f"{kind} of {unit} ({least} or more)" if unit else f"{kind} of {least} or more"
        case Truth():
            return "`true` or `false`"
        case Day():
            return "a date such as 2024-05-31"
        case Many(of, what, _, or_one):
            if isinstance(of, Word):
                what = f"{what} ({', '.join(f'`{word}`' for word in of.words)})"
            return f"one or a list of {what}" if or_one else f"a list of {what}"
        case Either(shapes):
            parts = [[f"`{word}`" for word in each.words] if isinstance(each, Word) else [expected(each)] for each in shapes]
            return alternatives([part for several in parts for part in several])
        case Section(name):
            return f"the fields of {name}"


def alternatives(words: list[str]) -> str:
    """The words as a choice.

    >>> alternatives(["red", "green", "blue"])
    'red, green or blue'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
