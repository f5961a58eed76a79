"""What gives a city away is hidden with it, and what only sounds like it stays."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import kgsan

TABLE: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "data" / "cities.yaml").read_text("utf-8"))
POLICY = "policy: city\nlaw: a rule of the house\nversion: '1'\nowner: Privacy office\nprotect:\n  - {city}\n"


@cache
def sanitizer(city: str) -> kgsan.Sanitizer:
    return kgsan.Sanitizer(kgsan.load_policy(POLICY.format(city=city)))


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(row["protect"], row["text"], row[kind], row.get("today", ""), id=f"{row['protect']}: {row[kind]}")
        for row in TABLE
        if kind in row
    ]


@pytest.mark.parametrize(("city", "text", "meant", "today"), cases("meant"))
def test_what_gives_a_city_away_is_hidden(city: str, text: str, meant: str, today: str) -> None:
    assert (meant not in sanitizer(city).sanitize(text).text) is (today != "missed")


@pytest.mark.parametrize(("city", "text", "other", "today"), cases("else"))
def test_what_means_something_else_stays(city: str, text: str, other: str, today: str) -> None:
    assert (other in sanitizer(city).sanitize(text).text) is (today != "taken")


def test_the_table_has_both_halves() -> None:
    assert min(len(cases("meant")), len(cases("else"))) >= 60


def test_a_city_and_the_region_around_it_are_one_concept() -> None:
    places = kgsan.load_ontology("places")[0]
    for region in ("gb/england/greater-london", "de/berlin", "at/vienna", "jp/tokyo", "ru/moscow", "mx/mexico-city"):
        city = places[f"places:{region}"]
        assert city.id.startswith(f"places:{region}/")
        assert len(places.children(city)) > 10
    london = places.find("London")[0]
    for district in ("Peckham", "Croydon", "Greenwich", "Kew", "Camden Town", "City of Westminster"):
        assert places.generalizes(london, places.find(district)[0]), district


def test_a_state_is_not_below_the_state_and_its_people_are_not() -> None:
    places = kgsan.load_ontology("places")[0]
    assert not places.generalizes("places:below-state", places.find("Texan")[0])
    for name in ("Londoner", "Houstonian", "LAPD", "New York Knicks", "Oyster card", "Notting Hill Carnival"):
        assert places.generalizes("places:below-state", places.find(name)[0]), name
