"""What a clinician or lawyer expects a protected entity to cover, read from a table that they can extend."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

import kgsan
from kgsan.ontology import names
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from kgsan.ontology.stack import OntologyStack

TABLE = yaml.safe_load((Path(__file__).parent / "data" / "protected.yaml").read_text())
#: Entities that the laws are most concrete about have at least so many names, tells and counterexamples.
ENOUGH = 40


@pytest.fixture(scope="module")
def stack() -> OntologyStack:
    return kgsan.load_ontology()


def covered(stack: OntologyStack, entity: str) -> set[str]:
    """The keys of all names that mean the entity or a kind of it, over all ontologies that know it."""
    keys: set[str] = set()
    for ontology, found in stack.find_all(entity):
        for concept in (found[0], *ontology.specializations(found[0])):
            keys.update(names.key(name.text) for name in ontology.names(concept) if name.scope <= Scope.NARROW)
    return keys


@pytest.mark.parametrize("entity", TABLE)
def test_an_entity_covers_what_an_expert_expects(stack: OntologyStack, entity: str) -> None:
    keys = covered(stack, entity)
    assert [name for name in TABLE[entity]["names"] if names.key(name) not in keys] == []


@pytest.mark.parametrize("entity", TABLE)
def test_an_entity_does_not_cover_what_is_innocent(stack: OntologyStack, entity: str) -> None:
    keys = covered(stack, entity)
    assert [name for name in TABLE[entity]["not"] if names.key(name) in keys] == []


@pytest.mark.parametrize("entity", TABLE)
def test_what_gives_an_entity_away_is_related_to_it(stack: OntologyStack, entity: str) -> None:
    """A relation joins the thing, or a kind of it, with the entity or a kind of it."""
    protected = stack[0]
    [target, *_] = protected.find(entity)
    silent = []
    for name in TABLE[entity]["tells"]:
        found = protected.find(name)
        things = [thing for concept in found for thing in (concept, *protected.specializations(concept))]
        ends = [relation.object for thing in things for relation in protected.relations(thing)]
        ends += [relation.subject for thing in things for relation in protected.relations(thing, incoming=True)]
        if not any(end == target or protected.generalizes(target, end) for end in ends):
            silent.append(name)
    assert silent == []


@pytest.mark.parametrize("entity", [entity for entity in TABLE if "may" in TABLE[entity]])
def test_everyday_words_are_filed_as_ambiguous(stack: OntologyStack, entity: str) -> None:
    protected = stack[0]
    [target, *_] = protected.find(entity)
    for word in TABLE[entity]["may"]:
        meant = [
            name.scope for concept, name in protected.senses(word) if concept == target or protected.generalizes(target, concept)
        ]
        assert set(meant) == {Scope.AMBIGUOUS}, word


@pytest.mark.parametrize("entity", list(TABLE)[:9])
def test_the_table_is_long_enough(entity: str) -> None:
    assert sum(len(TABLE[entity][part]) for part in ("names", "tells", "not")) >= ENOUGH


@pytest.mark.parametrize(
    ("written", "identifier"),
    [
        ("HIV", "protected:HIV-infection"),
        ("HIV/AIDS", "protected:HIV-infection"),
        ("STD", "protected:sexually-transmitted-infection"),
        ("venereal disease", "protected:sexually-transmitted-infection"),
        ("drug abuse", "protected:drug-related-disorder"),
        ("alcoholism", "protected:alcohol-use-disorder"),
        ("depression", "protected:depressive-disorder"),
        ("Catholicism", "protected:Catholicism"),
        ("gay", "protected:homosexuality"),
        ("trade union", "protected:trade-union"),
        ("Los Angeles", "places:us/ca/los-angeles/los-angeles"),
        ("New York", "places:us/ny/new-york-city"),
    ],
)
def test_an_entity_written_as_a_person_would_is_the_right_concept(stack: OntologyStack, written: str, identifier: str) -> None:
    assert stack.find(written)[0].id == identifier


def test_links_lead_to_the_same_thing_in_the_other_vocabulary(stack: OntologyStack) -> None:
    """Nearly all linked concepts share a name; the few others are called differently ("cancer", "malignant neoplasm").

    Most links were found by their shared name, so this guards against later mistakes and does not prove a link right.
    """
    protected, *others = stack
    same, different = 0, []
    for concept in protected:
        mine = {names.key(name.text) for name in protected.names(concept)}
        for reference in protected.references(concept):
            for ontology in others:
                if reference in ontology:
                    theirs = {names.key(name.text) for name in ontology.names(reference)}
                    same += bool(mine & theirs)
                    different += [] if mine & theirs else [reference]
    assert same > 1000
    assert len(different) < 0.03 * same, different


def test_the_ontology_passes_its_own_review() -> None:
    """No duplicate names, no stray parents, relations between the right kinds of things."""
    repo = Path(__file__).parents[1]
    command = [sys.executable, "tools/check_protected.py", "ontologies/protected.ttl"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=repo)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_table_in_the_documentation_is_up_to_date() -> None:
    repo = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "tools/describe_protected.py"], capture_output=True, text=True, cwd=repo, check=True)
    assert done.stdout == (repo / "docs" / "protected.md").read_text()
