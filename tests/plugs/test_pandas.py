"""Columns of a frame as a policy lets them stand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kgsan.plug import PlugError
from kgsan.sanitize.result import NotSafe

pandas = pytest.importorskip("pandas", reason="pandas is the user's own")
from kgsan.pandas import sanitize  # noqa: E402

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer

TEXTS = yaml.safe_load((Path(__file__).parent / "texts.yaml").read_text())
NOTE = "He takes zidovudine. It helps against AIDS."
WRITTEN = "He takes an antiviral drug. It helps against an infection."


@pytest.mark.parametrize("dtype", ["object", "string", "str"])
def test_a_series_becomes_what_kgsan_makes_of_each_text(sanitizer: Sanitizer, dtype: str) -> None:
    series = pandas.Series(TEXTS, name="note", index=range(10, 10 + len(TEXTS)), dtype=dtype)
    made = sanitize(series, sanitizer)
    assert list(made) == [sanitizer.sanitize(text).text for text in TEXTS]
    assert made.dtype == series.dtype
    assert made.name == "note"
    assert made.index.equals(series.index)
    assert list(series) == TEXTS


@pytest.mark.parametrize("dtype", ["object", "string", "str"])
def test_a_null_stays_the_null_that_it_was(sanitizer: Sanitizer, dtype: str) -> None:
    series = pandas.Series([None, NOTE, float("nan"), pandas.NA], dtype=dtype)
    made = sanitize(series, sanitizer)
    assert list(made.isna()) == [True, False, True, True]
    assert made[1] == WRITTEN
    if dtype == "object":
        assert made[0] is None
        assert made[3] is pandas.NA


def test_an_index_with_equal_labels_keeps_them(sanitizer: Sanitizer) -> None:
    made = sanitize(pandas.Series([NOTE, "Fatigue."], index=["a", "a"]), sanitizer)
    assert list(made.items()) == [("a", WRITTEN), ("a", "Fatigue.")]


def test_an_empty_series_stays_empty(sanitizer: Sanitizer) -> None:
    assert sanitize(pandas.Series([], dtype="string"), sanitizer).empty


def test_of_a_frame_the_named_columns_are_sanitized_and_the_others_taken_over(sanitizer: Sanitizer) -> None:
    frame = pandas.DataFrame({"id": [7, 8], "note": [NOTE, None], "kept": [NOTE, NOTE]}, index=["x", "y"])
    made = sanitize(frame, sanitizer, columns=["note"])
    assert list(made.columns) == ["id", "note", "kept"]
    assert made.loc["x", "note"] == WRITTEN
    assert pandas.isna(made.loc["y", "note"])
    assert made["id"].equals(frame["id"])
    assert made["kept"].equals(frame["kept"])
    assert frame.loc["x", "note"] == NOTE


def test_without_names_every_column_is_sanitized_also_two_of_one_name(sanitizer: Sanitizer) -> None:
    frame = pandas.DataFrame([[NOTE, "AIDS", NOTE]], columns=["a", "a", "b"])
    assert list(sanitize(frame, sanitizer).iloc[0]) == [WRITTEN, sanitizer.sanitize("AIDS").text, WRITTEN]
    assert list(sanitize(frame, sanitizer, columns=["a"]).iloc[0]) == [WRITTEN, sanitizer.sanitize("AIDS").text, NOTE]


@pytest.mark.parametrize(
    "values",
    [[1, 2], [1.5], [True], ["AIDS", 7], [b"AIDS"], [["AIDS"]], pandas.to_datetime(["2021-03-04"]), pandas.Categorical(["AIDS"])],
)
def test_what_is_no_text_is_refused_without_being_shown(sanitizer: Sanitizer, values: Any) -> None:
    with pytest.raises(PlugError) as caught:
        sanitize(pandas.Series(values, name="diagnosis"), sanitizer)
    assert [problem.code for problem in caught.value.problems] == ["V201"]
    assert "'diagnosis'" in str(caught.value)
    assert "AIDS" not in str(caught.value)


def test_all_columns_that_are_no_text_are_told_at_once(sanitizer: Sanitizer) -> None:
    with pytest.raises(PlugError, match="'a' \\(int64\\), 'c' \\(float64\\)"):
        sanitize(pandas.DataFrame({"a": [1], "b": ["AIDS"], "c": [1.5]}), sanitizer)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"columns": ["no"]}, "V202"),
        ({"columns": "note"}, "V202"),
        ({"on_error": "ignore"}, "V203"),
        ({"processes": 0}, "V203"),
        ({"processes": True}, "V203"),
    ],
)
def test_what_cannot_be_meant_is_refused(sanitizer: Sanitizer, given: dict[str, Any], code: str) -> None:
    with pytest.raises(PlugError, match=code):
        sanitize(pandas.DataFrame({"note": [NOTE]}), sanitizer, **given)


def test_a_column_of_a_deeper_index_is_named_in_full(sanitizer: Sanitizer) -> None:
    frame = pandas.DataFrame([[NOTE]], columns=pandas.MultiIndex.from_tuples([("a", "b")]))
    with pytest.raises(PlugError, match="V202"):
        sanitize(frame, sanitizer, columns=["a"])
    assert sanitize(frame, sanitizer, columns=[("a", "b")]).iloc[0, 0] == WRITTEN


def test_neither_series_nor_frame_and_columns_of_a_series_are_refused(sanitizer: Sanitizer) -> None:
    with pytest.raises(PlugError, match="V201"):
        sanitize([NOTE], sanitizer)  # type: ignore[call-overload]
    with pytest.raises(PlugError, match="V202"):
        sanitize(pandas.Series([NOTE]), sanitizer, columns=["note"])


def test_a_text_that_cannot_be_made_safe_stops_everything_or_becomes_null(stopping: Path) -> None:
    series = pandas.Series(["Fatigue.", "He has AIDS.", "Ibuprofen."])
    with pytest.raises(NotSafe) as caught:
        sanitize(series, stopping)
    assert "AIDS" not in str(caught.value)
    for processes in (1, 2):
        made = sanitize(series, stopping, processes=processes, on_error="null")
        assert made[0] == "Fatigue."
        assert pandas.isna(made[1])
        assert made[2] == "Ibuprofen."


def test_equal_texts_are_worked_on_once(sanitizer: Sanitizer, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    block = type(sanitizer).sanitize_block
    monkeypatch.setattr(type(sanitizer), "sanitize_block", lambda self, texts: seen.extend(texts) or block(self, texts))
    made = sanitize(pandas.DataFrame({"a": [NOTE] * 50, "b": [NOTE] * 50}), sanitizer)
    assert seen == [NOTE]
    assert set(made["a"]) | set(made["b"]) == {WRITTEN}


def test_several_processes_give_the_same(sanitizer: Sanitizer) -> None:
    series = pandas.Series([f"Patient {number} takes zidovudine." for number in range(600)])
    assert sanitize(series, sanitizer, processes=2).equals(sanitize(series, sanitizer))
