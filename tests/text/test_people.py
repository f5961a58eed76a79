from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

import kgsan
from kgsan.text.document import Document
from kgsan.text.mentions import Finder
from kgsan.text.people import people

if TYPE_CHECKING:
    from kgsan.ontology.stack import OntologyStack


@cache
def tools() -> tuple[OntologyStack, Finder]:
    stack = kgsan.load_ontology()
    return stack, Finder(stack)


def told(text: str) -> list[str]:
    stack, finder = tools()
    document = Document(text)
    return [text[name.start : name.end] for name in people(document, finder.find(document), stack)]


@pytest.mark.parametrize(
    "text",
    [
        "He has Parkinson's disease and Lewy body dementia.",
        "She was diagnosed with Parkinson's in May.",
        "Kaposi sarcoma of the skin; Lyme disease was excluded.",
        "Hodgkin lymphoma, Crohn's disease and Alzheimer's.",
        "Family history of Huntington's and of Tourette syndrome.",
        "Positive Babinski sign, Down syndrome, Gram stain negative.",
    ],
)
def test_an_eponym_is_not_a_person(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dr. Parkinson saw Mrs. Amara Okafor.", ["Parkinson", "Amara Okafor"]),
        ("Tomas Lindqvist has Parkinson's disease.", ["Tomas Lindqvist"]),
        ("Patient: Ingrid Solheim\nSeen with her husband Karl.", ["Ingrid Solheim", "Karl"]),
        ("We met Priya Natarajan and Wei Zhang in Duluth.", ["Priya Natarajan", "Wei Zhang"]),
        ("I lived with Joseph Kizza. Joseph is gone, and so is Kizza's car.", ["Joseph Kizza", "Joseph", "Kizza"]),
        ("Dr. Amara Parkinson wrote. Parkinson's disease was ruled out.", ["Amara Parkinson"]),
        ("Dear Tom,\nthank you.\nMaria", ["Tom", "Maria"]),
        ("His daughter Mia came; a dentist was found for Mia.", ["Mia", "Mia"]),  # whatever else may be called so
    ],
)
def test_people_are_found_whether_introduced_or_not(text: str, names: list[str]) -> None:
    assert told(text) == names
