"""What the documentation takes from the code is what the code says."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import pytest

import kgsan
from kgsan.cli import main
from kgsan.errors import CODES
from tests.docs.pages import DOCS, REPO


@pytest.fixture(scope="module")
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("write_docs", REPO / "tools" / "write_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_generated_part_is_up_to_date(tool: Any) -> None:
    made = tool.written()
    assert {path.name for path in made} == {"policy.schema.json", "cli.md", "policy-language.md", "problems.md"}
    old = [path.name for path, text in made.items() if path.read_text("utf-8") != text]
    assert old == [], "run: python tools/write_docs.py"


def test_every_option_of_every_command_is_on_the_page(capsys: pytest.CaptureFixture[str], tool: Any) -> None:
    page = (DOCS / "cli.md").read_text("utf-8")
    for name, _ in tool._commands("kgsan", tool._parser()):
        with pytest.raises(SystemExit):
            main([*name.split()[1:], "--help"])
        section = page.split(f"### {name}\n")[1].split("\n### ")[0]
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]+", capsys.readouterr().out):
            assert option in section or option == "--help", f"{name} {option}"


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_problem_code_can_be_explained(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", code]) == 0
    assert CODES[code] in capsys.readouterr().out


def test_every_public_name_is_on_the_page_of_the_api() -> None:
    told = re.findall(r"^\.\. auto\w+:: kgsan\.(\w+)$", (DOCS / "api.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(told) == sorted(kgsan.__all__)
