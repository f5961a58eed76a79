"""`kgsan evaluate` and `kgsan attack` as their users meet them."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from kgsan import cli
from tests.evaluate.world import write_world

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOTE = "Mr. Alder has HIV. He takes zidovudine and ibuprofen against fatigue."
SECRETS = ("Alder", "zidovudine")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_world(tmp_path_factory.mktemp("world")))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def command(*arguments: object) -> tuple[int, str, str]:
        try:
            code = cli.main([*map(str, arguments)])
        except SystemExit as stopped:  # wrong usage that argparse finds itself
            code = int(stopped.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return command


def _spans(text: str, *words: str) -> list[list[object]]:
    return [[text.index(word), text.index(word) + len(word), "HEALTH"] for word in words]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    documents = [
        {"id": "a", "text": NOTE, "spans": _spans(NOTE, "HIV", "zidovudine", "ibuprofen")},
        {"id": "b", "text": "She has a cold.", "spans": []},
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in documents))
    return path


# --- evaluate -------------------------------------------------------------------------------------------------------------


def test_a_gold_is_measured_without_showing_its_words(run: Any, gold: Path, policy: str) -> None:
    code, out, err = run("evaluate", gold, "--policy", policy)
    assert (code, err) == (0, "")
    assert out.startswith("gold.jsonl: 2 documents, 3 spans to hide, 0 to keep.")
    assert "hidden: HEALTH 2/3 = 0.67" in out
    assert "true of what they replaced: 1.00" in out
    assert not any(secret in out for secret in SECRETS)


def test_words_are_shown_when_asked(run: Any, gold: Path, policy: str) -> None:
    _, out, _ = run("evaluate", gold, "--policy", policy, "--show")
    assert "MISSED  HEALTH       'ibuprofen'" in out
    assert "written 'zidovudine' -> 'a drug'" in out


def test_json_holds_every_level(run: Any, gold: Path, policy: str) -> None:
    code, out, _ = run("evaluate", gold, "--policy", policy, "--format", "json", "--strictness", "1.5,2")
    told = json.loads(out)
    assert code == 0
    assert [one["strictness"] for one in told["runs"]] == [1.5, 2.0]
    first = told["runs"][0]["all"]
    assert {level: (found["precision"], round(found["recall"], 2)) for level, found in first.items()} == {
        "span": (1.0, 0.67),
        "token": (1.0, 0.67),
        "term": (1.0, 0.67),
    }
    assert not any(secret in out for secret in SECRETS)


def test_several_values_of_strictness_give_a_table_and_a_curve(run: Any, gold: Path, policy: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "curve.svg"
    code, out, err = run("evaluate", gold, "--policy", policy, "--strictness", "1,1.5,2", "--curve", picture)
    assert (code, err) == (0, "")
    assert "strictness   risk  utility" in out
    assert "knee" in out
    assert picture.read_bytes().startswith(b"<?xml")


def test_documents_that_say_what_they_protect_need_no_policy(run: Any, tmp_path: Path) -> None:
    text = "He was told about his syphilis. He had crabs for dinner at the coast."
    told = {
        "id": "a",
        "protect": ["sexually transmitted disease"],
        "text": text,
        "direct": [
            {"start": text.index("syphilis"), "end": text.index("syphilis") + 8, "entity": "sexually transmitted disease"}
        ],
        "keep": [{"start": text.index("dinner"), "end": text.index("dinner") + 6, "why": "utility"}],
    }
    (tmp_path / "gold").write_text(json.dumps(told))
    code, out, _ = run("evaluate", tmp_path / "gold", "--strictness", "1.5", "--strategies")
    assert code == 0
    assert "hidden: direct 1/1 = 1.00" in out
    assert "kept: utility 1/1 = 1.00" in out
    assert [line[2:4] for line in out.splitlines()[-5:]] == ["S1", "S2", "S3", "S4", "S5"]
    assert "syphilis" not in out


def test_two_annotators_are_compared(run: Any, policy: str, tmp_path: Path) -> None:
    told = {"text": NOTE, "annotators": {"Ada": _spans(NOTE, "HIV", "ibuprofen"), "Ben": _spans(NOTE, "HIV")}}
    (tmp_path / "gold").write_text(json.dumps(told))
    code, out, _ = run("evaluate", tmp_path / "gold", "--policy", policy)
    assert code == 0
    assert "1 spans to hide" in out
    assert "1 disputed and set aside" in out
    assert "Ada and Ben agree on words with a kappa of 0.62 and an F of 0.67 (11 words)." in out


def test_specific_phrases_are_measured_by_hits(run: Any, tmp_path: Path) -> None:
    text = "Orla Venn plays the accordion."
    (tmp_path / "gold").write_text(json.dumps({"id": "a", "text": text, "spans": [[0, 9, "Orla Venn"]]}))
    (tmp_path / "hits.tsv").write_text("orla_venn\t5\nactor\t900\naccordion\t901\n")
    code, out, _ = run("evaluate", tmp_path / "gold", "--spec", "actor", "--counts", tmp_path / "hits.tsv")
    assert code == 0
    assert "100.0  100.0  100.0" in out
    assert "Javier Bardem" in out
    assert "Orla" not in out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--spec", "actor"], 2, "--spec and --counts belong together"),
        (["--curve", "c.png"], 2, "A curve needs several values of strictness"),
        (["--curve", "c.pdf", "--strictness", "1,2"], 4, "E114"),
        (["--strictness", "nan"], 2, "a number from 1 on"),
        (["--strictness", "0.5"], 2, "a number from 1 on"),
        ([], 4, "E109"),
    ],
)
def test_wrong_usage_is_told(run: Any, gold: Path, arguments: list[str], code: int, said: str) -> None:
    found, out, err = run("evaluate", gold, *arguments)
    assert (found, out) == (code, "")
    assert said in err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "E107"),
        ('{"text": "abc def", "spans": [[0, 99]]}', "E104"),
        ('{"text": "abc def", "spans": []}', "E108"),
        ('{"text": "abc def", "spans": [[0, NaN]]}', "E103"),
    ],
)
def test_a_wrong_gold_is_code_4_and_one_line(run: Any, policy: str, tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "gold").write_text(content)
    code, out, err = run("evaluate", tmp_path / "gold", "--policy", policy)
    assert (code, out, err.count("\n")) == (4, "", 1)
    assert said in err


# --- attack ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def released(run: Any, policy: str, tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "original.txt").write_text(NOTE)
    assert run("sanitize", tmp_path / "original.txt", "--policy", policy, "-o", tmp_path / "note.txt")[0] == 0
    return tmp_path / "note.txt", tmp_path / "original.txt"


def test_a_released_text_is_attacked_without_its_original(
    run: Any, policy: str, released: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("kgsan.sanitize.sanitizer.Sanitizer.sanitize", never)
    code, out, err = run("attack", released[0], "--policy", policy)
    assert (code, err) == (0, "")
    assert "finds 'HIV' at place" in out
    assert (
        "takes 'infection' for a replacement it tells 67 % of what 'HIV' says (50 % by itself); the limit of 67 % is met." in out
    )
    assert "Filling in" not in out


def test_with_the_original_only_coarse_figures_are_told(run: Any, policy: str, released: tuple[Path, Path]) -> None:
    code, out, _ = run("attack", released[0], "--policy", policy, "--original", released[1])
    assert code == 0
    assert "From the original: first, with a chance of over 50 %." in out
    assert "From the original with everything blacked out: " in out
    assert "Filling in: of what was replaced, the first guess is right for " in out
    assert "zidovudine" not in out


def test_guesses_are_told_when_asked(run: Any, policy: str, released: tuple[Path, Path]) -> None:
    told = json.loads(
        run("attack", released[0], "--policy", policy, "--original", released[1], "--reveal", "--format", "json")[1]
    )
    [text] = told["texts"]
    assert text["inference"][0]["original"]["rank"] == 1
    assert [place["stood"] for place in text["fill_in"]["places"]] == [["HIV"], ["zidovudine"]]
    quiet = run("attack", released[0], "--policy", policy, "--original", released[1], "--format", "json")[1]
    assert "zidovudine" not in quiet
    assert json.loads(quiet)["texts"][0]["inference"][0]["original"]["rank"] == "first"


def test_the_source_of_a_text_is_looked_for(run: Any, policy: str, released: tuple[Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "background"
    folder.mkdir()
    (folder / "note.txt").write_text(NOTE)
    for number in range(12):
        (folder / f"{number}.txt").write_text(f"Nobody number {number} has a dog.")
    code, out, _ = run("attack", released[0], "--policy", policy, "--background", folder, "--original", released[1])
    assert code == 0
    assert "Linking: from the released text, 1 of 1 sources are found among 13 documents (100 %; by chance 7.7 %)." in out
    assert out.count("Linking: ") == 6  # three versions, two sizes


def test_standard_input_is_attacked(run: Any, policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"He takes a drug.")))
    code, out, _ = run("attack", "-", "--policy", policy)
    assert code == 0
    assert out.startswith("standard input:")


def test_what_cannot_be_attacked_is_told(run: Any, policy: str, released: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "nothing").mkdir()
    for arguments, code, said in (
        ([tmp_path / "empty.txt"], 4, "E151"),
        ([tmp_path / "none.txt"], 4, "There is no such file."),
        ([*released, "--original", released[1]], 4, "E152"),
        ([released[0], "--background", tmp_path / "nothing"], 4, "E153"),
        ([released[0], "--background", tmp_path / "none"], 4, "E153"),
        ([released[0], released[0]], 2, "the same name"),
        ([released[0], "-"], 2, "is given alone"),
    ):
        found, out, err = run("attack", *arguments, "--policy", policy)
        assert (found, out) == (code, ""), arguments
        assert said in err
