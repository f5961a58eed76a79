"""Policies given as Python values, turned into the same located values that YAML gives."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place, Problem
from kgsan.policy.items import EXAMPLE
from kgsan.policy.located import DEEPEST, MOST_VALUES, Fields, Items, Reading, Refused, Text
from kgsan.policy.opened import LARGEST, UNSEEN, too_large

if TYPE_CHECKING:
    from kgsan.policy.located import Located

_PRIVATE = "examples"
#: A number beyond this is no value of any field, and writing it out would take long.
_LARGEST_NUMBER = 10**18


def read_mapping(mapping: Mapping[object, object], name: str) -> Reading:
    """The fields of a mapping; a place names the path to a value instead of a line.

    >>> reading = read_mapping({"protect": [{"entity": "HIV", "strictness": 1.5}]}, "policy")
    >>> print(reading.root.pairs[0][1].items[0].pairs[1][1])
    Text(place=Place(file='policy: protect[1].strictness', line=None, column=None), text='1.5', plain=False, cut=False, end=None)
    """
    reader = _Reader(name)
    root = reader.read(mapping, "", 0)
    if not mapping:
        reader.problems.append(Problem("P006", Place(name), "The policy is empty.", "Begin with `policy` and a name."))
    whole = isinstance(root, Fields) and mapping and not reader.exceeded
    return Reading(root if whole and isinstance(root, Fields) else None, tuple(reader.problems))


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self.problems: list[Problem] = []
        self.exceeded = False
        self._values = 0
        self._letters = 0

    def _refused(self, code: str, path: str, message: str, hint: str | None = None) -> Refused:
        place = self._place(path)
        self.problems.append(Problem(code, place, message, hint))
        return Refused(place)

    def _place(self, path: str) -> Place:
        return Place(f"{self._name}: {path}" if path else self._name)

    def read(self, value: object, path: str, depth: int) -> Located:
        place = self._place(path)
        self._values += 1
        if self.exceeded:
            return Refused(place)
        if depth > DEEPEST:
            self.exceeded = True
            return self._refused("P005", path, f"Values stand deeper than {DEEPEST} levels here.", "A policy needs four levels.")
        if self._values > MOST_VALUES or self._letters > LARGEST:
            self.exceeded = True
            self.problems.append(too_large(self._name))
            return Refused(place)
        if isinstance(value, Mapping):
            return self._fields(value, path, depth)
        if isinstance(value, list | tuple):
            return Items(place, tuple(self.read(item, f"{path}[{number}]", depth + 1) for number, item in enumerate(value, 1)))
        return self._scalar(value, path)

    def _fields(self, mapping: Mapping[object, object], path: str, depth: int) -> Located:
        pairs: list[tuple[Text, Located]] = []
        for key, value in mapping.items():
            if not isinstance(key, str) or not key.strip() or UNSEEN.search(key):
                self._refused("P013", path, "The name of a field is not a text.", "Use the names of the policy language.")
                continue
            # In an example an unknown name may be the beginning of its text, so it is not repeated.
            step = key[:40] if not path.startswith(_PRIVATE) or EXAMPLE.field(key) is not None else "?"
            below = f"{path}.{step}" if path else step
            pairs.append((Text(self._place(below), key), self.read(value, below, depth + 1)))
        return Fields(self._place(path), tuple(pairs))

    def _scalar(self, value: object, path: str) -> Located:
        place = self._place(path)
        match value:
            case None:
                return Text(place, "", plain=True)
            case str():
                self._letters += len(value)
                if UNSEEN.search(value):
                    return self._refused("P003", path, "This text holds a sign that cannot be seen.", "Leave it out.")
                return Text(place, value)
            case bool():
                return Text(place, "true" if value else "false")
            case date():
                return Text(place, value.isoformat())
            case int() | float() | Decimal() | Fraction():
                return self._number(value, path)
            case _:
                return self._refused("P104", path, "A value that is no text, number, list or mapping stands here.")

    def _number(self, value: Any, path: str) -> Located:
        place = self._place(path)
        if isinstance(value, float):
            # The shortest figures that mean this number; a number type of another library may show itself differently.
            value = Decimal(float.__repr__(value))
        is_number = value.is_finite() if isinstance(value, Decimal) else value.denominator < _LARGEST_NUMBER
        if not is_number or abs(value) >= _LARGEST_NUMBER:
            return self._refused("P106", path, "This is no number that a field could use.")
        return Text(place, format(value, "f") if isinstance(value, Decimal) else str(value))
