"""A page is read as its reader would: block after block, in a folder of its own, with everything that is shown compared."""

from __future__ import annotations

import ast
import doctest
import io
import json
import re
import shutil
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from kgsan.ontology.load import load_ontology
from kgsan.policy.check import check, stops
from kgsan.policy.read import load_policy
from kgsan.policy.sensitive import SensitiveTerms
from tests.docs.pages import REPO, blocks
from tests.docs.shell import Shell, agrees, commands, shown

if TYPE_CHECKING:
    from tests.docs.pages import Block

_ENDS_WITH = re.compile(r"#.*\bexit code (\d+)")
_NOT_CODE = ("text", "turtle", "html", "diff", "toml", "dockerfile", "ini")


def run_page(page: Path, folder: Path) -> None:
    """Run and check every block of a page; an `AssertionError` tells the first that is not as the page says."""
    shutil.copytree(REPO / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shell, names = Shell(folder), {"__name__": "page"}
    try:
        for block in blocks(page):
            if block.file is not None:
                target = folder / block.file
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(block.text, encoding="utf-8")
            if block.not_run is None:
                _run(block, shell, names)
    except BaseException:
        shell.abandon()  # what went wrong first is told, and not how the servers took it
        raise
    shell.close()


def _run(block: Block, shell: Shell, names: dict[str, Any]) -> None:
    match block.language:
        case "sh":
            _run_commands(block, shell)
        case "console":
            _run_session(block, shell)
        case "python":
            _run_python(block, names)
        case "yaml":
            _check_yaml(block)
        case "json":
            _parsed(block, json.loads, block.text)
        case "jsonl":
            for line in block.text.splitlines():
                _parsed(block, json.loads, line)
        case language:
            is_known = language in _NOT_CODE or language.startswith("{")
            assert is_known, f"{block.place}: no test knows what to do with a block of '{language}'"


def _run_commands(block: Block, shell: Shell) -> None:
    for command in commands(block.text):
        answer = shell.run(command)
        told = _ENDS_WITH.search(command)
        wanted = int(told[1]) if told else 0
        assert answer.code == wanted, f"{block.place}: `{command}` ended with {answer.code}:\n{answer.output}"


def _run_session(block: Block, shell: Shell) -> None:
    for command, expected in shown(block.text):
        output = shell.run(command).output
        assert agrees(expected, output), f"{block.place}: `{command}` answers\n{output}\nand not\n{expected}"


def _parsed(block: Block, parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise AssertionError(f"{block.place}: {error}") from error


# --- Python ---------------------------------------------------------------------------------------------------------------


def _run_python(block: Block, names: dict[str, Any]) -> None:
    if block.text.startswith(">>>"):
        _run_doctest(block, names)
        return
    told = _told_values(block.text)
    for statement in ast.parse(block.text, block.place).body:
        ast.increment_lineno(statement, block.line)
        line = (statement.end_lineno or 0) - block.line
        if isinstance(statement, ast.Expr) and line in told:
            value = eval(compile(ast.Expression(statement.value), block.place, "eval"), names)
            assert value == told[line], f"{block.place}: line {line} of the block gives {value!r} and not {told[line]!r}"
        else:
            exec(compile(ast.Module([statement], []), block.place, "exec"), names)


def _run_doctest(block: Block, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, names, block.place, str(block.page), block.line)
    told = io.StringIO()
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.write, clear_globs=False)
    names.update(test.globs)
    assert not told.getvalue(), f"{block.place}: {told.getvalue()}"


def _told_values(text: str) -> dict[int, Any]:
    """By line, what a remark behind an expression says that it gives: `result.text  # 'Medication was started.'`."""
    found: dict[int, Any] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            try:
                found[token.start[0]] = ast.literal_eval(token.string[1:].strip())
            except (ValueError, SyntaxError):  # it is a remark for people
                continue
    return found


# --- YAML -----------------------------------------------------------------------------------------------------------------


def _check_yaml(block: Block) -> None:
    """A policy has to hold, or to be wrong where that is what the page shows; other YAML has to be YAML."""
    try:
        content = yaml.safe_load(block.text)
    except yaml.YAMLError as error:
        assert block.is_wrong, f"{block.place}: {error}"
        return
    if not (isinstance(content, dict) and "policy" in content):
        assert not block.is_wrong, f"{block.place}: this is not wrong"
        return
    problems = _problems(Path(block.file) if block.file else block.text)
    if block.is_wrong:
        assert problems, f"{block.place}: this is said to be wrong, and is not"
    else:
        assert not problems, f"{block.place}: {problems}"


def _problems(source: Any) -> list[str]:
    from kgsan.errors import KgsanError

    try:
        policy = load_policy(source)
        sensitive = SensitiveTerms(policy, load_ontology(*policy.ontologies))
        return [str(problem) for problem in check(sensitive) if stops(problem)]
    except KgsanError as error:
        return [str(problem) for problem in error.problems]
