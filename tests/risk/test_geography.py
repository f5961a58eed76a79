"""Places smaller than a state, in a small world: which names are sure, which are of larger regions, and what is no place."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from kgsan.risk.geography import Geography
from kgsan.risk.reading import Reading
from kgsan.risk.senses import SenseGuard
from kgsan.sources.records import Scope
from kgsan.text.document import Document
from kgsan.text.mentions import Finder
from tests.risk.worlds import ontology, sense, stack

ROWS = {
    "places:place": "",
    "places:state": "places:place",
    "Alabama": "places:state",
    "Georgia": "places:state; =Peach State",
    "West Duluth": "places:state",
    "New Avonia": "places:state",
    "places:below-state": "places:place",
    "Duluth": "places:below-state; =Zenith City",
    "Duluth Heights": "Duluth",
    "Fargo": "places:below-state",
    "Lima": "places:below-state",
    "Zone 5": "places:below-state",
    "55804": "places:below-state",
    "Quillon": "places:below-state",
    "Qld": "places:below-state; ~Quarrow",
    "Avonia City": "places:below-state; +New Avonia",
    "places:water": "places:place",
    "Lake Agate": "places:water",
}
GAZETTEER = ontology(ROWS)
FIELD = ontology(
    {"disease": "", "Duluth disease": "disease", "Duluth model": "disease", "organ": "", "lima": "organ"}, source="f"
)
WORDS = ontology({"word": "", "fargo": "word"}, source="w", dictionary=True)
FIELDS, PLACES, DICTIONARY = range(3)
STACK = stack(FIELD, GAZETTEER, WORDS)
FINDER, GUARD = Finder(STACK, misspelt=True), SenseGuard(STACK)


@cache
def geography() -> Geography:
    return Geography(STACK)


def number(name: str) -> int:
    return GAZETTEER.number(name if ":" in name else f"t:{name}")


def test_below_the_state_is_what_the_ontology_files_there() -> None:
    """Also where concepts before and behind them are of other kinds."""
    below = {
        "places:below-state",
        "Duluth",
        "Duluth Heights",
        "Fargo",
        "Lima",
        "Zone 5",
        "55804",
        "Quillon",
        "Qld",
        "Avonia City",
    }
    told = {name for name in ROWS if (known := geography()._sorted((sense(PLACES, number(name)),))) and known.doubtful}
    assert told == below


def known(*senses: Any) -> tuple[str, str, str, bool] | None:
    """Sure names, all names of places below the state, names of regions, and whether a field has the name."""
    told = geography()._sorted(senses)
    return told and (" ".join(sorted(told.sure)), " ".join(sorted(told.doubtful)), " ".join(sorted(told.regions)), told.elsewhere)


DULUTH, GEORGIA = number("Duluth"), number("Georgia")


@pytest.mark.parametrize(
    ("senses", "expected"),
    [
        ([sense(FIELDS, 1)], None),
        ([sense(DICTIONARY, 1)], None),
        ([sense(PLACES, DULUTH, Scope.PREFERRED, "Duluth")], ("duluth", "duluth", "", False)),
        ([sense(PLACES, DULUTH, Scope.EXACT, "Zenith-City")], ("zenith city", "zenith city", "", False)),
        ([sense(PLACES, DULUTH, Scope.AMBIGUOUS, "Zenith")], ("", "zenith", "", False)),
        ([sense(PLACES, DULUTH, text="Duluth"), sense(FIELDS, 1)], ("duluth", "duluth", "", True)),
        ([sense(PLACES, DULUTH, text="Duluth"), sense(DICTIONARY, 1)], ("duluth", "duluth", "", False)),
        # Of larger regions those count that are called so first or second, and of doubtful names the first only.
        ([sense(PLACES, GEORGIA, text="Georgia")], ("", "", "georgia", False)),
        ([sense(PLACES, GEORGIA, Scope.EXACT, "Georgia", 1)], ("", "", "georgia", False)),
        ([sense(PLACES, GEORGIA, Scope.EXACT, "Georgia", 2)], ("", "", "", False)),
        ([sense(PLACES, GEORGIA, Scope.AMBIGUOUS, "Ga", 0)], ("", "", "ga", False)),
        ([sense(PLACES, GEORGIA, Scope.AMBIGUOUS, "Ga", 1)], ("", "", "", False)),
        ([sense(PLACES, GEORGIA, text="York"), sense(PLACES, DULUTH, text="York", rank=1)], ("york", "york", "york", False)),
    ],
)
def test_names_are_sorted_by_what_they_may_mean(senses: list[Any], expected: tuple[str, str, str, bool] | None) -> None:
    assert known(*senses) == expected


def told(text: str, places: Geography | None = None, finder: Finder = FINDER) -> list[str]:
    found = (places or geography()).find(Reading(Document(text), finder, GUARD), [])
    return [text[place.start : place.end] for place in found]


TABLE = {
    "a place is told once, by its longest name": [
        "He lives in _Duluth_.",
        "He lives in _Duluth Heights_.",
        "The _Duluth_ has a lake.",
        "He lives in _Zenith City_.",
        "He moved from _Duluth_ to _Fargo_.",
        "He moved from _Duluth Heights_ to _Duluth_.",
    ],
    "a region stays, and what stands inside its name": [
        "He lives in Georgia.",
        "He lives in West Duluth.",
        "He lives in New Avonia.",
        "He moved from Georgia to _Duluth_.",
        "He moved from West Duluth to _Duluth_.",
        "He sails on Lake Agate.",
    ],
    "numbers have rules of their own, and other numbers in the text do not matter": [
        "He lives in 55804.",
        "He lives in Zone 5.",
        "In 2009 he lived in _Duluth_.",
        "He lived in _Duluth_ in 2009.",
        "From 55804 he went to _Duluth_.",
    ],
    "a sure name is told in small letters too, another one is not": [
        "He lives in _duluth_.",
        "He lives in quarrow.",
        "From quarrow he came to _Duluth_.",
    ],
    "a name that may mean something else wants a sign": ["The Quarrow has a lake.", "He met Quarrow, then _Fargo_."],
    "a misspelt name wants one too, and a misspelt region is none": [
        "_Dulutth_, Georgia",
        "Quarrow, Alabamma",
        "_Quarrow_, Alabama",
    ],
    "a name in another form is none": ["He met several Duluths.", "He met several Duluths in _Fargo_."],
    "what is called after a place is none": [
        "He has Duluth disease.",
        "He has Duluth disease in _Fargo_.",
        "The Duluth model is old.",
    ],
    "a name that a field has too wants a sign": ["The Lima has a lake.", "_Lima_, Georgia"],
    "a word of a dictionary is no field": ["The _Fargo_ has a lake."],
    "a region behind a name is a sign, another place or a word in small letters is none": [
        "_Quarrow_, Georgia",
        "Quarrow, georgia",
        "Quarrow, _Duluth_",
    ],
}
EACH = [pytest.param(row, id=row) for rows in TABLE.values() for row in rows]


@pytest.mark.parametrize("row", EACH)
def test_a_place_is_told_and_what_is_none_stays(row: str) -> None:
    assert told(row.replace("_", "")) == row.split("_")[1::2]


def test_a_name_that_nobody_knows_is_a_place_where_somebody_lives() -> None:
    assert set(told("He lives in Zellbach.")) == {"Zellbach"}


def test_without_an_ontology_of_places_no_place_is_told() -> None:
    small = stack(FIELD)
    assert told("He lives in Zellbach, near Duluth.", Geography(small), Finder(small)) == []
