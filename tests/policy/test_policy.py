"""What a policy says, once it is read."""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

from kgsan.errors import Place, PolicyError
from kgsan.policy.fields import POLICY, sections
from kgsan.policy.policy import Allowed, Denied, Example, IdentifierRule, Policy, ProtectedEntity
from kgsan.policy.read import load_policy, shipped_policies
from kgsan.policy.template import template
from kgsan.text.identifiers.identifier import KINDS
from tests.policy.policies import POLICIES, as_yaml

if TYPE_CHECKING:
    from pathlib import Path

LEAST: dict[str, Any] = {"policy": "toy", "law": "Toy Act", "protect": ["HIV"]}


def codes(source: Any, **options: Any) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        load_policy(source, **options)
    return [problem.code for problem in caught.value.problems]


def test_a_policy_says_what_is_written() -> None:
    policy = load_policy(
        """
policy: us-hiv-records
law: "State law on HIV-related information, hospital release form 12"
version: 1.50
effective: 2024-05-31
protect:
  - entity: HIV
    concept: protected:HIV-infection
    because: "Status may not be disclosed without written consent."
    except: [blood donation]
    strictness: 3/2
  - NO
strictness: 1.1          # a tenth is kept as a tenth
too_specific_above: actor
identifiers: [phone, {kind: age, above: 89, write: "90 or older"}]
context: 1 word
allow: [{term: blood test, because: "Everybody has one."}]
deny: [{term: Ward 7, because: "Only infections are treated there.", entity: HIV}]
examples:
  - text: "He takes zidovudine since the HIV test."
    must_hide: [zidovudine, HIV]
"""
    )
    assert policy == Policy(
        name="us-hiv-records",
        law="State law on HIV-related information, hospital release form 12",
        version="1.50",
        effective=date(2024, 5, 31),
        protect=(
            ProtectedEntity(
                "HIV",
                concepts=("protected:HIV-infection",),
                because="Status may not be disclosed without written consent.",
                exceptions=("blood donation",),
                strictness=Fraction(3, 2),
            ),
            ProtectedEntity("NO"),
        ),
        strictness=Fraction(11, 10),
        too_specific_above="actor",
        identifiers=(IdentifierRule("phone"), IdentifierRule("age", above=89, write="90 or older")),
        context="1 words",
        allow=(Allowed("blood test", "Everybody has one."),),
        deny=(Denied("Ward 7", "Only infections are treated there.", "HIV"),),
        examples=(Example("He takes zidovudine since the HIV test.", ("zidovudine", "HIV")),),
    )
    assert policy.context_words == 1
    assert policy.place == Place("policy", 2, 1)
    assert [entity.place.line for entity in policy.protect] == [7, 12]
    assert policy.examples[0].place == Place("policy", 20, 5)


def test_what_is_not_said_has_the_value_that_the_table_promises() -> None:
    written = {field.name: field.default for field in POLICY.fields if field.default is not None}
    text = as_yaml(LEAST) + "".join(f"{name}: {default}\n" for name, default in written.items())
    assert load_policy(text) == load_policy(LEAST)
    items = {within: section for within, section in sections() if within in ("protect", "examples")}
    entity = "".join(f"\n    {each.name}: {each.default}" for each in items["protect"].fields if each.default)
    example = "".join(f"\n    {each.name}: {each.default}" for each in items["examples"].fields if each.default)
    text = f"policy: toy\nlaw: Toy Act\nprotect:\n  - entity: HIV{entity}\nexamples:\n  - text: A\n    must_hide: [A]{example}\n"
    assert load_policy(text) == load_policy(LEAST | {"examples": [{"text": "A", "must_hide": ["A"]}]})


def test_every_field_of_the_table_reaches_the_policy() -> None:
    renamed = {"policy": "name", "except": "exceptions", "concept": "concepts"}
    kinds = {
        "": Policy,
        "protect": ProtectedEntity,
        "identifiers": IdentifierRule,
        "allow": Allowed,
        "deny": Denied,
        "examples": Example,
    }
    for within, section in sections():
        told = {renamed.get(field.name, field.name) for field in section.fields}
        assert told | {"place"} == {each.name for each in fields(kinds[within])}


def test_every_example_of_the_table_is_accepted() -> None:
    for field in POLICY.fields:
        if field.name not in ("policy", "law", "protect", "extends"):
            load_policy(as_yaml(LEAST) + f"{field.name}: {field.example}\n")
    for within, section in sections():
        for field in section.fields:
            if within == "protect" and field.name != "entity":
                load_policy(f"policy: toy\nlaw: Toy Act\nprotect:\n  - entity: HIV\n    {field.name}: {field.example}\n")


def test_no_synonym_is_itself_a_field_of_its_section_or_means_two() -> None:
    for _, section in sections():
        own = {field.name for field in section.fields}
        synonyms = [word for field in section.fields for word in field.also_called]
        assert not own & set(synonyms)
        assert len(synonyms) == len(set(synonyms))


def test_all_identifiers_are_every_kind_and_an_item_says_more() -> None:
    every = load_policy(LEAST | {"identifiers": "all"}).identifiers
    assert [rule.kind for rule in every] == list(KINDS)
    refined = load_policy(LEAST | {"identifiers": ["all", {"kind": "zip", "keep": "first-3"}]}).identifiers
    assert sorted(rule.kind for rule in refined) == sorted(KINDS)
    assert IdentifierRule("zip", keep="first-3") in refined


def test_a_repr_never_shows_the_text_of_an_example() -> None:
    policy = load_policy(LEAST | {"examples": [{"text": "Ms. Quill has AIDS.", "must_hide": ["Quill"], "must_keep": ["has"]}]})
    assert "Quill" not in repr(policy)
    assert "HIV" in repr(policy)


def test_equal_policies_have_equal_digests_wherever_they_stand() -> None:
    one, other = load_policy(as_yaml(LEAST)), load_policy("# first\n\n" + as_yaml(LEAST))
    assert one.place != other.place
    assert one.digest == other.digest
    assert one.digest != load_policy(LEAST | {"strictness": "1.51"}).digest


def test_cases_tell_words_apart() -> None:
    """AIDS and the aids for hearing are different words, and may be treated differently."""
    example = {"text": "AIDS, no hearing aids", "must_hide": ["AIDS"], "must_keep": ["aids"]}
    deny, allow = {"term": "AIDS", "because": "a"}, {"term": "aids", "because": "b"}
    assert load_policy(LEAST | {"examples": [example], "allow": [allow], "deny": [deny]}).deny[0].term == "AIDS"


def test_a_mapping_is_told_by_the_path_to_the_value() -> None:
    with pytest.raises(PolicyError) as caught:
        load_policy({"policy": "toy", "law": "Toy Act", "protect": ["HIV", {"entity": "AIDS", "hide": "al"}], 7: 8})
    assert [str(problem.place) for problem in caught.value.problems] == ["policy", "policy: protect[2].hide"]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (float("nan"), "P106"),
        (float("inf"), "P106"),
        (10**5000, "P106"),
        (1e-9, "P106"),
        (Fraction(1, 10**5000), "P106"),
        (Decimal("sNaN"), "P106"),
        (object(), "P104"),
        (b"1.5", "P104"),
        ("\ud800", "P003"),
        ("１.５", "P106"),
        (True, "P106"),
        (None, "P103"),
        ([], "P103"),
        ({}, "P103"),
        ([[]], "P104"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_of_the_wrong_kind_is_one_problem(value: object, code: str) -> None:
    assert codes(LEAST | {"strictness": value}) == [code]


def test_the_template_holds_as_it_stands_and_has_two_examples() -> None:
    policy = load_policy(template("my-policy"))
    assert policy.name == "my-policy"
    assert len(policy.examples) == 2
    for field in POLICY.fields:
        assert (
            f"\n{field.name}: " in template("a")
            or f"\n# {field.name}: " in template("a")
            or f"\n{field.name}:\n" in template("a")
        )


def test_every_field_of_the_template_holds_when_it_is_uncommented() -> None:
    for field in POLICY.fields:
        if field.name != "extends":
            load_policy(template("a").replace(f"\n# {field.name}: ", f"\n{field.name}: "))


@pytest.mark.parametrize("name", ["", "a b", "../x", "a\n", "-a", "a" * 101])
def test_a_template_needs_a_name(name: str) -> None:
    with pytest.raises(PolicyError):
        template(name)


def test_every_shipped_policy_holds() -> None:
    for name in shipped_policies():
        assert load_policy(name).name


def test_an_unknown_name_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert codes("no-such-policy") == ["P001"]
    (tmp_path / "mine").write_text(as_yaml(LEAST))
    assert load_policy("mine").name == "toy"


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(POLICIES)
def test_a_mapping_and_its_yaml_are_the_same_policy(policy: dict[str, Any]) -> None:
    text = as_yaml(policy)
    assert load_policy(policy) == load_policy(text) == load_policy(text.encode())
    assert load_policy(policy).digest == load_policy(text).digest
