"""What kgsan takes from others is explained, locked with its digests, and under a licence that a user can accept."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

REPO = Path(__file__).parents[1]
TOOLS = REPO / "tools"


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(TOOLS))
    import check_dependencies

    return check_dependencies


@pytest.fixture
def sbom(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(TOOLS))
    import write_sbom

    return write_sbom


# --- the page, the licences, the locks -------------------------------------------------------------------------------------


def test_every_package_is_explained_licensed_and_locked(check: Any) -> None:
    page = check.PAGE.read_text("utf-8")
    assert [*check.unexplained(page), *check.unlicensed(), *check.unlocked()] == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("| `rich` |", "| `richer` |", ["rich: pyproject.toml asks for it", "richer: dependencies.md has a row"]),
        ("| `rich` | MIT |", "| `rich` | ISC |", ["rich: dependencies.md says ISC, the package MIT"]),
        ("| `lxml` | BSD-3-Clause | formats |", "| `lxml` | BSD-3-Clause | core |", ["lxml: dependencies.md says that core"]),
    ],
)
def test_a_page_that_says_otherwise_is_told(check: Any, before: str, after: str, told: list[str]) -> None:
    page = check.PAGE.read_text("utf-8")
    assert before in page
    findings = list(check.unexplained(page.replace(before, after)))
    assert len(findings) == len(told)
    assert all(finding.startswith(start) for finding, start in zip(findings, told, strict=True))


def test_a_licence_that_asks_for_more_is_told_unless_it_is_named(check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "TOLERATED", {"owlready2": "GPL-3.0-only"})
    assert "owlready2: LGPL-3.0-or-later is not on the list." in list(check.unlicensed())


def test_a_package_without_a_licence_is_told(check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "licence", lambda package: None if package.name.lower() == "rich" else "MIT")
    assert list(check.unlicensed()) == ["rich: its metadata do not say under which licence it comes."]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("toy==1.0\n", "run.txt: a line has no digest."),
        ("--extra-index-url file://toy\n", "run.txt: an address of a registry stands in it."),
    ],
)
def test_a_lock_with_a_hole_is_told(check: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, told: str) -> None:
    holed = tmp_path / "run.txt"
    holed.write_text(check.LOCKS[0].read_text("utf-8") + line)
    monkeypatch.setattr(check, "LOCKS", (holed, check.LOCKS[1]))
    assert told in list(check.unlocked())


def test_both_locks_name_the_same_versions(check: Any) -> None:
    run, test = ({(each.name, each.version) for each in check.locked(lock)} for lock in check.LOCKS)
    assert {name for name, _ in run} <= {name for name, _ in test}
    assert run <= test


def test_the_makefile_installs_from_the_locks_and_only_what_they_hold() -> None:
    text = (REPO / "Makefile").read_text("utf-8")
    assert "--require-hashes --only-binary :all:" in text
    assert re.findall(r"--no-binary (\S+)", text) == ["owlready2,pyspark"]
    installs = re.findall(r"^\t(?:\$\(INSTALL\)|\S*pip install) (.*)$", text, re.MULTILINE)
    assert installs == ["--group bench", "--group fuzz", "uv"], "anything else comes from a lock"


# --- the bill of materials -------------------------------------------------------------------------------------------------

_REFERENCE = {"type": "string", "pattern": r"^pkg:pypi/[a-z0-9]+(-[a-z0-9]+)*@[0-9][\w.+-]*$"}
_COMPONENT = {
    "type": "object",
    "required": ["type", "bom-ref", "name", "version", "purl", "licenses"],
    "additionalProperties": False,
    "properties": {
        "type": {"enum": ["library", "application"]},
        "bom-ref": _REFERENCE,
        "name": {"type": "string", "minLength": 1},
        "version": {"type": "string", "minLength": 1},
        "purl": _REFERENCE,
        "licenses": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": {"type": "object", "required": ["expression"], "properties": {"expression": {"type": "string"}}},
        },
        "hashes": {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {
                "type": "object",
                "required": ["alg", "content"],
                "properties": {"alg": {"const": "SHA-256"}, "content": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
            },
        },
    },
}
#: What of CycloneDX 1.6 the bill uses, as strict as the published schema is there.
BILL = {
    "type": "object",
    "required": ["bomFormat", "specVersion", "serialNumber", "version", "metadata", "components", "dependencies"],
    "additionalProperties": False,
    "properties": {
        "bomFormat": {"const": "CycloneDX"},
        "specVersion": {"const": "1.6"},
        "serialNumber": {"pattern": "^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
        "version": {"const": 1},
        "metadata": {"type": "object", "required": ["component"], "properties": {"component": _COMPONENT}},
        "components": {"type": "array", "items": {**_COMPONENT, "required": [*_COMPONENT["required"], "hashes"]}},
        "dependencies": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["ref", "dependsOn"],
                "properties": {"ref": _REFERENCE, "dependsOn": {"type": "array", "uniqueItems": True, "items": _REFERENCE}},
            },
        },
    },
}


def test_the_bill_of_materials_is_well_formed_and_closed(sbom: Any) -> None:
    bill = sbom.bill()
    jsonschema.validate(bill, BILL)
    parts = [bill["metadata"]["component"], *bill["components"]]
    references = [part["bom-ref"] for part in parts]
    assert len(set(references)) == len(references)
    assert sorted(each["ref"] for each in bill["dependencies"]) == sorted(references)
    assert {needed for each in bill["dependencies"] for needed in each["dependsOn"]} == set(references[1:])


def test_the_bill_holds_what_the_core_asks_for_and_an_extra_adds_to_it(sbom: Any, check: Any) -> None:
    core = {part["name"] for part in sbom.bill()["components"]}
    more = {part["name"] for part in sbom.bill(frozenset({"review"}))["components"]}
    assert set(check.direct()["core"]) <= core
    assert more - core >= {"starlette", "uvicorn"}
    assert core < more
    assert not core & {"pytest", "mypy", "pandas"}


def test_the_bill_is_the_same_in_another_process(sbom: Any) -> None:
    command = [sys.executable, str(TOOLS / "write_sbom.py")]
    for seed in ("1", "2"):
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/", env={"PYTHONHASHSEED": seed})
        assert done.stdout == sbom.text()


def test_a_package_that_differs_from_the_lock_makes_no_bill(sbom: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sbom, "locked", lambda lock: [])
    with pytest.raises(SystemExit, match="not the one that is locked"):
        sbom.bill()
