"""How problems look."""

from __future__ import annotations

import json

import pytest

from kgsan.errors import Place, PolicyError, Problem
from kgsan.policy.read import load_policy
from kgsan.policy.show import as_json, as_sarif, render

LEAST = "policy: toy\nlaw: Toy Act\nprotect: [HIV]\n"


def shown(text: str, width: int = 100) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        load_policy(text)
    return render(caught.value.problems, {"policy": text}, width=width).splitlines()


def test_a_problem_is_shown_with_its_line_and_its_words_underlined() -> None:
    assert shown(LEAST + "strictness: high  # very\n") == [
        "policy:4:13: P106 `strictness` wants a number of 1 or more, and 'high' is none.",
        "  4 | strictness: high  # very",
        "    |             ^^^^",
        "  For example: `strictness: 1.5`.",
        "",
        "1 problem.",
    ]


def test_carets_stand_below_wide_letters_and_tabs() -> None:
    lines = shown("policy: toy\nlaw: Toy Act\nprotect: [{entity: 日本, \thide: 全部}]\n")
    assert lines[1:3] == ["  3 | protect: [{entity: 日本,     hide: 全部}]", "    | " + " " * 35 + "^^^^"]


def test_combining_letters_take_no_room() -> None:
    lines = shown("policy: toy\nlaw: Toy Act\nprotect: [{entity: cafe\u0301, hide: no}]\n")
    assert lines[1].replace("\u0301", "").index("no") == lines[2].index("^^")


@pytest.mark.parametrize("width", [40, 60, 100])
def test_long_lines_are_cut_around_the_words(width: int) -> None:
    lines = shown(f"policy: toy\nlaw: Toy Act\nprotect: [{'a' * 500}, {{entity: HIV, hide: all, because: {'b' * 500}}}]\n", width)
    assert all(len(line) <= width for line in lines[1:3])
    assert lines[1].count("…") == 2
    assert lines[1][lines[2].index("^") : lines[2].rindex("^") + 1] == "all"


def test_a_value_longer_than_the_line_is_underlined_as_far_as_it_is_seen() -> None:
    lines = shown(f"policy: {'a b ' * 100}\nlaw: Toy Act\nprotect: [HIV]\n", 60)
    assert len(lines[2]) <= len(lines[1]) <= 60
    assert "^" * 20 in lines[2]


def test_colors_only_when_asked_and_nothing_else_for_the_terminal_to_obey() -> None:
    problem = Problem("P001", Place("a\x1b[31m.yaml"), "There is no such file.")
    assert "\x1b" not in render([problem])
    assert "\x1b[31mP001" in render([problem], color=True)
    assert "\x1b" not in "\n".join(shown(LEAST + "owner: \x1b[2J\n"))


def test_problems_without_lines_are_shown_too() -> None:
    with pytest.raises(PolicyError) as caught:
        load_policy({"policy": "toy", "law": "Toy Act", "protect": [{"entity": "HIV", "hide": "al"}]})
    assert (
        render(caught.value.problems).splitlines()[0]
        == "policy: protect[1].hide: P105 `hide` wants `that` or `which`, and 'al' is neither."
    )


def test_json_says_the_same() -> None:
    problem = Problem("P101", Place("my.yaml", 3, 5), "`a` is no field.", "Did you mean `b`?")
    assert json.loads(as_json([problem])) == [
        {"code": "P101", "file": "my.yaml", "line": 3, "column": 5, "message": "`a` is no field.", "hint": "Did you mean `b`?"}
    ]


def test_sarif_points_to_the_place() -> None:
    problems = [Problem("P101", Place("my policies/ü.yaml", 3, 5), "One.", "Two."), Problem("P001", Place("x.yaml"), "Three.")]
    made = json.loads(as_sarif(problems))
    assert made["version"] == "2.1.0"
    [run] = made["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["P001", "P101"]
    first, second = run["results"]
    assert first["message"]["text"] == "One. Two."
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"]
    location = first["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": "my%20policies/%C3%BC.yaml"}, "region": {"startLine": 3, "startColumn": 5}}
    assert "region" not in second["locations"][0]["physicalLocation"]
