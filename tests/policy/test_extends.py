"""Policies that build on others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kgsan.errors import PolicyError
from kgsan.policy import read
from kgsan.policy.policy import IdentifierRule
from kgsan.policy.read import load_policy

BASE = """
policy: base
law: Base Act
strictness: 2
context: sentence
protect:
  - {entity: HIV, because: "The base says so."}
  - abortion
identifiers: [zip, {kind: date, keep: year}]
allow: [{term: Ward 7, because: "base"}]
deny: [{term: Ward 9, because: "base"}]
examples: [{text: "One.", unchanged: true}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base.yaml").write_text(BASE)
    return tmp_path


def problems(source: Any, **options: Any) -> list[tuple[str, str]]:
    with pytest.raises(PolicyError) as caught:
        load_policy(source, **options)
    return [(problem.code, problem.message) for problem in caught.value.problems]


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_what_is_not_said_is_inherited_and_lists_are_joined(folder: Path) -> None:
    own = """
policy: own
extends: base.yaml
context: document
protect: [cancer, {entity: HIV, hide: which}]
identifiers: [{kind: zip, keep: first-3}, phone]
examples: [{text: "Two.", unchanged: true}]
"""
    policy = load_policy(write(folder / "own.yaml", own))
    assert (policy.name, policy.law, policy.strictness, policy.context) == ("own", "Base Act", 2, "document")
    assert [(entity.entity, entity.hide, entity.because) for entity in policy.protect] == [
        ("cancer", "that", None),
        ("HIV", "which", None),
        ("abortion", "that", None),
    ]
    assert policy.identifiers == (
        IdentifierRule("zip", keep="first-3"),
        IdentifierRule("phone"),
        IdentifierRule("date", keep="year"),
    )
    assert [example.text for example in policy.examples] == ["Two.", "One."]
    assert Path(policy.protect[2].place.file).name == "base.yaml"


def test_own_words_on_a_term_win_over_inherited_ones(folder: Path) -> None:
    own = "policy: own\nextends: base.yaml\nallow: [{term: Ward 9, because: a}]\ndeny: [{term: Ward 7, because: b}]\n"
    policy = load_policy(own, folder=folder)
    assert [item.term for item in policy.allow] == ["Ward 9"]
    assert [item.term for item in policy.deny] == ["Ward 7"]


def test_none_drops_inherited_identifiers_and_all_is_stricter(folder: Path) -> None:
    assert load_policy("policy: own\nextends: base.yaml\nidentifiers: none\n", folder=folder).identifiers == ()
    every = load_policy("policy: own\nextends: base.yaml\nidentifiers: all\n", folder=folder).identifiers
    assert IdentifierRule("date") in every
    assert IdentifierRule("date", keep="year") not in every


def test_a_mapping_extends_a_file_of_the_folder_it_is_given(folder: Path) -> None:
    assert load_policy({"policy": "own", "extends": "base.yaml"}, folder=folder).law == "Base Act"
    assert problems({"policy": "own", "extends": "base.yaml"})[0][0] == "P111"


def test_a_shipped_policy_is_extended_by_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "shipped_policies", lambda: {"base": folder / "base.yaml"})
    assert load_policy("policy: own\nextends: base\n").law == "Base Act"
    assert load_policy("base").name == "base"
    assert problems("policy: own\nextends: bass\n") == [("P111", "No policy 'bass' ships with kgsan.")]


@pytest.mark.parametrize(
    "name",
    [
        "../base.yaml",
        "./base.yaml",
        "/etc/base.yaml",
        "sub/base.yaml",
        "..\\base.yaml",
        "C:base.yaml",
        "~base.yaml",
        "x" * 5000 + ".yaml",
    ],
)
def test_no_path_leads_out_of_the_folder(folder: Path, name: str) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "base.yaml").write_text(BASE)
    (folder / "sub" / "own.yaml").write_text(f"policy: own\nextends: '{name}'\n")
    assert [code for code, _ in problems(folder / "sub" / "own.yaml")] == ["P111"]


def test_no_link_leads_out_of_the_folder(folder: Path) -> None:
    inside = folder / "inside"
    inside.mkdir()
    (inside / "link.yaml").symlink_to(folder / "base.yaml")
    assert [code for code, _ in problems("policy: own\nextends: link.yaml\n", folder=inside)] == ["P111"]
    (inside / "loop.yaml").symlink_to(inside / "loop.yaml")
    assert [code for code, _ in problems("policy: own\nextends: loop.yaml\n", folder=inside)] == ["P111"]


def test_a_circle_is_told_with_its_files(tmp_path: Path) -> None:
    for own, other in ("ab", "bc", "ca"):
        (tmp_path / f"{own}.yaml").write_text(f"policy: {own}\nextends: {other}.yaml\n")
    assert problems(tmp_path / "a.yaml") == [
        ("P112", "The policies extend each other in a circle: a.yaml -> b.yaml -> c.yaml -> a.yaml.")
    ]
    (tmp_path / "self.yaml").write_text("policy: self\nextends: self.yaml\n")
    assert problems(tmp_path / "self.yaml")[0][1].endswith("self.yaml -> self.yaml.")


def test_a_row_of_eight_is_the_longest(tmp_path: Path) -> None:
    (tmp_path / "0.yaml").write_text("policy: p0\nlaw: Toy Act\nprotect: [HIV]\n")
    for number in range(1, 9):
        (tmp_path / f"{number}.yaml").write_text(f"policy: p{number}\nextends: {number - 1}.yaml\n")
    assert load_policy(tmp_path / "7.yaml").law == "Toy Act"
    assert [code for code, _ in problems(tmp_path / "8.yaml")] == ["P112"]


def test_problems_of_both_files_are_told_together(folder: Path) -> None:
    (folder / "base.yaml").write_text(BASE.replace("sentence", "sentense"))
    found = problems(write(folder / "own.yaml", "policy: own\nextends: base.yaml\nstrictness: high\n"))
    assert [code for code, _ in found] == ["P105", "P106"]


def test_a_policy_without_a_reason_to_hide_may_inherit_one(folder: Path) -> None:
    assert load_policy("policy: own\nextends: base.yaml\n", folder=folder).protect
    (folder / "base.yaml").write_text("policy: base\nlaw: Toy Act\nidentifiers: all\n")
    assert [code for code, _ in problems("policy: own\nextends: base.yaml\nidentifiers: none\n", folder=folder)] == ["P110"]


def test_a_file_that_may_not_be_read_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def refused(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == "base.yaml":
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **options)

    assert load_policy("policy: own\nextends: base.yaml\n", folder=folder).protect
    monkeypatch.setattr(Path, "open", refused)  # rights would not keep an administrator out
    assert [code for code, _ in problems("policy: own\nextends: base.yaml\n", folder=folder)] == ["P001"]
