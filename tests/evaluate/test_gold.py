"""Gold standards in every format, and what is said of one that is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kgsan.evaluate.gold import GoldSpan, read_gold
from kgsan.evaluate.problems import EvaluationError

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "Ms. Farrow has syphilis. She grows roses, and no rose has syphilis."


def _lines(path: Path, *documents: object) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in documents))
    return path


def _codes(path: Path, text: Path | None = None) -> list[str]:
    with pytest.raises(EvaluationError) as caught:
        read_gold(path, text)
    assert "syphilis" not in str(caught.value)
    return [problem.code for problem in caught.value.problems]


def test_spans_are_read_with_or_without_labels(tmp_path: Path) -> None:
    gold = read_gold(_lines(tmp_path / "g", {"text": NOTE, "spans": [[0, 10, "PERSON"], [15, 23]]}))
    assert gold.documents[0].spans == (GoldSpan(0, 10, "PERSON"), GoldSpan(15, 23, "marked"))
    assert NOTE not in repr(gold)
    assert "Farrow" not in repr(gold)


def test_a_third_value_may_be_the_words_and_is_then_no_label(tmp_path: Path) -> None:
    gold = read_gold(_lines(tmp_path / "g", {"text": NOTE, "spans": [[0, 10, "Ms. Farrow"], [15, 23, "syphilis"]]}))
    assert {span.kind for span in gold.documents[0].spans} == {"marked"}


def test_words_that_have_drifted_are_never_taken_for_labels(tmp_path: Path) -> None:
    assert _codes(_lines(tmp_path / "g", {"text": NOTE, "spans": [[1, 11, "Ms. Farrow"], [16, 24, "syphilis"]]})) == ["E105"] * 2


def test_a_document_says_itself_what_it_protects(tmp_path: Path) -> None:
    told = {
        "id": "a",
        "text": NOTE,
        "protect": ["syphilis", "actor"],
        "direct": [{"start": 15, "end": 23, "text": "syphilis", "entity": "syphilis"}],
        "related": [{"start": 35, "end": 40, "entity": "syphilis", "strength": "moderate"}],
        "identifiers": [{"start": 0, "end": 10}],
        "keep": [{"start": 25, "end": 28, "why": "decoy"}],
    }
    [document] = read_gold(_lines(tmp_path / "g", told)).documents
    assert (document.protect, document.too_specific_above, document.has_identifiers) == (("syphilis",), "actor", True)
    assert [span.kind for span in document.to_hide] == ["direct", "moderate", "identifier"]
    assert [span.kind for span in document.to_keep] == ["decoy"]


def test_of_two_annotators_only_what_both_mark_is_gold(tmp_path: Path) -> None:
    told = {"text": NOTE, "annotators": {"Ada": [[15, 23], [35, 40]], "Ben": [[11, 23]]}}
    [document] = read_gold(_lines(tmp_path / "g", told)).documents
    assert [(span.start, span.end) for span in document.spans] == [(11, 23)]  # Ada marked half of it, and Ben all of hers
    assert [(span.start, span.end) for span in document.disputed] == [(35, 40)]


def test_brat_is_read_from_a_folder_or_by_either_file(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text(NOTE)
    (tmp_path / "n.ann").write_text(
        "T1\tDisease 15 23\tsyphilis\nR1\tOf Arg1:T1\n#1\tNote T1\tx\nT2\tPerson 0 3;4 10\tMs. Farrow\n"
    )
    wanted = (GoldSpan(0, 3, "Person"), GoldSpan(4, 10, "Person"), GoldSpan(15, 23, "Disease"))
    for given in (tmp_path, tmp_path / "n.txt", tmp_path / "n.ann"):
        assert read_gold(given).documents[0].spans == wanted


def test_brat_that_has_drifted_or_lost_its_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text(NOTE)
    (tmp_path / "n.ann").write_text("T1\tDisease 14 22\tsyphilis\nT2\tDisease x y\tsyphilis\n")
    (tmp_path / "m.ann").write_text("T1\tDisease 14 22\tsyphilis\n")
    assert sorted(_codes(tmp_path)) == ["E101", "E103", "E105"]


def test_a_list_of_terms_marks_every_occurrence_whatever_its_inflection(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("rose\tplant\nsyphilis\tdisease\n")
    (tmp_path / "n.txt").write_text(NOTE)
    [document] = read_gold(tmp_path / "t.tsv", tmp_path / "n.txt").documents
    assert [NOTE[span.start : span.end] for span in document.spans] == ["syphilis", "roses", "rose", "syphilis"]
    assert [span.kind for span in document.spans] == ["disease", "plant", "plant", "disease"]


def test_a_list_of_terms_needs_its_text_and_classes_that_are_no_words(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("rose\troses\nsyphilis\tsyphilis\n")
    (tmp_path / "n.txt").write_text(NOTE)
    assert _codes(tmp_path / "t.tsv") == ["E111"]
    assert _codes(tmp_path / "t.tsv", tmp_path / "n.txt") == ["E106"]


SPAN = {"text": NOTE, "protect": ["syphilis"]}


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        ("", ["E107"]),
        ("\n\n", ["E107"]),
        ("just words", ["E102"]),
        ("{", ["E103"]),
        ('{"text": 5}', ["E103"]),
        ("{" + '"a":{' * 50_000, ["E103"]),
        (json.dumps({"text": NOTE, "spans": []}), ["E108"]),
        (json.dumps({"text": NOTE, "spans": 7}), ["E103"]),
        (json.dumps({"text": NOTE, "spans": [[1]]}), ["E103"]),
        ('{"text": "abc", "spans": [[0, NaN]]}', ["E103"]),
        (json.dumps({"text": NOTE, "spans": [[0, 1.5]]}), ["E104"]),
        (json.dumps({"text": NOTE, "spans": [[0, True]]}), ["E104"]),
        (json.dumps({"text": NOTE, "spans": [[5, 5]]}), ["E104"]),
        (json.dumps({"text": NOTE, "spans": [[-1, 5]]}), ["E104"]),
        (json.dumps({"text": NOTE, "spans": [[0, 999]]}), ["E104"]),
        (json.dumps({"text": NOTE, "spans": [[0, 5, {"a": 1}]]}), ["E106"]),
        (json.dumps({"text": NOTE, "annotators": []}), ["E103"]),
        (json.dumps({**SPAN, "related": [{"start": 0, "end": 5, "strength": "huge"}]}), ["E106"]),
        (json.dumps({**SPAN, "keep": [{"start": 0, "end": 5, "why": "because"}]}), ["E106"]),
        (json.dumps({**SPAN, "direct": [{"start": 0, "end": 8, "text": "syphilis"}]}), ["E105"]),
        (json.dumps({**SPAN, "direct": {"start": 0}}), ["E103"]),
    ],
)
def test_what_is_wrong_with_a_gold_is_one_problem_without_its_words(tmp_path: Path, content: str, codes: list[str]) -> None:
    (tmp_path / "gold").write_text(content)
    assert _codes(tmp_path / "gold") == codes


def test_a_gold_that_is_not_there_or_not_utf8_is_told(tmp_path: Path) -> None:
    assert _codes(tmp_path / "none") == ["E101"]
    (tmp_path / "gold").write_bytes(b'{"text": "\xff"}')
    assert _codes(tmp_path / "gold") == ["E103"]


def test_of_very_many_problems_only_the_first_are_told(tmp_path: Path) -> None:
    codes = _codes(_lines(tmp_path / "g", {"text": NOTE, "spans": [[0, 999]] * 500}))
    assert codes == ["E104"] * 20 + ["E110"]
