"""Input made to hurt: whatever the bytes, the answer comes soon and is a policy or a `PolicyError`."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kgsan.errors import PolicyError
from kgsan.policy.cover import cover
from kgsan.policy.read import load_policy
from kgsan.policy.show import as_json, as_sarif, render
from kgsan.policy.template import template
from tests.conftest import mutated, seconds, within
from tests.policy.policies import POLICIES, as_yaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ANY = {"suppress_health_check": list(HealthCheck), "deadline": None}
LEAST = "policy: toy\nlaw: Toy Act\nprotect: [HIV]\n"
PIECES = [
    *(b"\t", b"\n", b"'", b'"', b": ", b"- ", b"[", b"]", b"{", b"}", b"&a ", b"*a", b"!x ", b"<<: ", b"---\n", b"...", b"|\n"),
    *(b">-\n", b"? ", b"#", b"%YAML 1.9\n", b"\xff", b"\x00", b"\xc2\x85", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\\ud800", b"~"),
]


def answer(source: Any) -> tuple[str, ...]:
    """The codes of all problems; every way of showing them works."""
    try:
        load_policy(source)
    except PolicyError as error:
        text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source if isinstance(source, str) else ""
        assert render(error.problems, {"policy": text}, width=60)
        assert as_json(error.problems)
        assert as_sarif(error.problems)
        return tuple(problem.code for problem in error.problems)
    return ()


@settings(max_examples=300, **ANY)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300)))
@example(b"\xfe\xff\x00p")
@example("\udfff: ")
@example("a: \x00")
@example("a: b\r\rc: d")
@example("? \n")
def test_any_bytes_and_any_text_are_a_policy_or_a_policy_error(source: str | bytes) -> None:
    assert answer(source) == answer(source)


def test_a_damaged_policy_is_a_policy_or_a_policy_error() -> None:
    dice = random.Random(7)
    whole = template("my-policy").encode()
    assert [answer(mutated(whole, dice, PIECES)) != () for _ in range(400)].count(True) > 100


@settings(max_examples=100, **ANY)
@given(POLICIES, st.sampled_from(["protct", "entities", "x", "Ωmega", "must_hide"]))
def test_an_unknown_field_is_never_accepted(policy: dict[str, Any], name: str) -> None:
    assert answer(as_yaml(policy | {name: "value"})) in (("P101",), ("P114",))


@settings(max_examples=100, **ANY)
@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=5), st.binary(max_size=3)),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    )
)
def test_any_mapping_is_a_policy_or_a_policy_error(value: Any) -> None:
    assert answer({"policy": "toy", "protect": value, "examples": value, "strictness": value})


FILLS = [
    "a",
    " ",
    "\n",
    "\t",
    '"',
    "'",
    "[",
    "{",
    "]",
    ":",
    ": ",
    "- ",
    "? ",
    "a: ",
    "- a\n",
    "a: b\n",
    "#",
    "#\n",
    ",",
    "&a ",
    "*a\n",
    "|\n",
    "é",
    "日",
    "x: {",
    "'a',",
    "\\",
]


@pytest.mark.parametrize(
    "start", ["", LEAST + "examples: ", LEAST + "owner: ", LEAST + 'owner: "'], ids=["alone", "list", "text", "quoted"]
)
def test_long_runs_of_anything_are_answered_in_proportion(start: str) -> None:
    for fill in FILLS:

        def ask(length: int, fill: str = fill) -> None:
            assert answer(start + fill * (length // len(fill))) or start.endswith("owner: ")

        assert grows_no_faster(ask, 12_000), repr(fill)


def grows_no_faster(ask: Callable[[int], None], length: int) -> bool:
    """Whether 16 times as much takes no more than twice 16 times as long; what takes no time is not compared.

    What grows with the square is seen as early as with four times as much in a text twice as long, and the text is read sooner.
    """
    return within(32 * seconds(ask, length) + 0.15, ask, 16 * length)


def test_a_file_beyond_the_limit_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(50_000_000_000)
    assert answer(path) == ("P004",)  # more than any memory holds
    assert answer(LEAST + "#" * 5_000_000) == ("P004",)


def test_more_values_than_anyone_writes_are_refused() -> None:
    assert answer(LEAST + "owner: [" + "a," * 300_000 + "]") == ("P004",)
    nested: list[Any] = ["a"] * 10
    for _ in range(15):
        nested = [nested] * 10
    assert "P004" in answer({"policy": "toy", "protect": nested})


def test_a_mapping_that_holds_itself_is_refused() -> None:
    mapping: dict[str, Any] = {"policy": "toy"}
    mapping["protect"] = mapping
    assert answer(mapping) == ("P005",)


def test_only_so_many_problems_are_told() -> None:
    codes = answer(LEAST + "allow:\n" + "  - {}\n" * 1000)
    assert len(codes) == 201
    assert codes[-1] == "P016"


def test_one_long_line_with_many_problems_is_shown_in_proportion() -> None:
    def show(times: int) -> None:
        text = LEAST + "examples: [" + "{text: Ms. Quill, unchanged: maybe}, " * times + "]\n"
        with pytest.raises(PolicyError) as caught:
            load_policy(text)
        shown = render(caught.value.problems, {"policy": text})
        assert "Quill" not in shown
        assert shown.count("^^^^^") >= 200

    assert grows_no_faster(show, 500)


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "empty.yaml").touch()
    (tmp_path / "folder.yaml").mkdir()
    for name, code in {
        "missing": "P001",
        "pipe": "P001",
        "folder": "P001",
        "empty": "P006",
        "nul\0": "P001",
        "x" * 999: "P001",
    }.items():
        assert answer(tmp_path / f"{name}.yaml") == (code,)
        assert answer(str(tmp_path / f"{name}.yaml")) == (code,)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_named(encoding: str) -> None:
    assert answer(LEAST.encode(encoding)) == ("P002",)


def test_a_byte_order_mark_is_no_problem_and_moves_no_column() -> None:
    assert load_policy(b"\xef\xbb\xbf" + LEAST.encode()) == load_policy("\ufeff" + LEAST) == load_policy(LEAST)
    with pytest.raises(PolicyError) as caught:
        load_policy("\ufeffpolicy: a b\nlaw: a\nprotect: [HIV]\n")
    assert caught.value.problems[0].place.column == 9


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_editors_count_them(ending: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load_policy(LEAST.replace("\n", ending) + "strictness: high" + ending)
    [problem] = caught.value.problems
    assert (problem.place.line, problem.place.column) == (4, 13)


def test_covering_keeps_every_line_as_long_as_it_was() -> None:
    text = LEAST + "examples:\n  - text: |\n      Ms. Quill\n      has AIDS.\n    must_hide: [AIDS]\n"
    made = cover(text)
    shown = [made.part(number, 1, len(line) + 1) for number, line in enumerate(made.lines, 1)]
    assert [len(line) for line in shown] == [len(line) for line in text.split("\n")]
    assert "Quill" not in "".join(shown)
    assert shown[7] == "    must_hide: [AIDS]"
