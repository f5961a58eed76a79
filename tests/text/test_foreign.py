"""What other tools marked is read in the shapes they write, and what does not fit the text is told at once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.errors import SpansError
from kgsan.text.foreign import ForeignSpan, read_spans
from tests.conftest import seconds

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Edda Orsini, of Lund, has gout."
EDDA = ForeignSpan(0, 11, "PERSON")
LUND = ForeignSpan(16, 20, "CITY")


@dataclass
class RecognizerResult:
    """As Presidio's analyzer hands them over."""

    entity_type: str
    start: int
    end: int
    score: float


def codes(data: object, text: str = TEXT) -> list[str]:
    with pytest.raises(SpansError) as caught:
        read_spans(data, text)  # type: ignore[arg-type]
    return [problem.code for problem in caught.value.problems]


SHAPES = {
    "objects": '[{"start": 0, "end": 11, "label": "PERSON"}, {"start": 16, "end": 20, "label": "CITY"}]',
    "triples": '[[0, 11, "PERSON"], [16, 20, "CITY"]]',
    "begin and stop": '[{"begin": 0, "stop": 11, "type": "PERSON"}, {"begin": 16, "stop": 20, "tag": "CITY"}]',
    "entity_type": '[{"start": 0, "end": 11, "entity_type": "PERSON"}, {"start": 16, "end": 20, "entity_group": "CITY"}]',
    "spans": '{"text": "Edda Orsini, of Lund, has gout.", "spans": [[0, 11, "PERSON"], [16, 20, "CITY"]]}',
    "entities": '{"entities": [[0, 11, "PERSON"], [16, 20, "CITY"]]}',
    "results": '{"results": [[0, 11, "PERSON"], [16, 20, "CITY"]]}',
    "items": '{"items": [[0, 11, "PERSON"], [16, 20, "CITY"]]}',
    "lines": '{"start": 0, "end": 11, "label": "PERSON"}\r\n\n{"start": 16, "end": 20, "label": "CITY"}\n',
    "lines of triples": '[0, 11, "PERSON"]\n[16, 20, "CITY"]',
    "with the words": '[{"start": 0, "end": 11, "label": "PERSON", "text": "Edda Orsini"}, [16, 20, "CITY"]]',
    "with word pieces": '[{"start": 0, "end": 11, "label": "PERSON", "word": "edda or ##sini"}, [16, 20, "CITY"]]',
    "out of order": '[[16, 20, "CITY"], [0, 11, "PERSON"]]',
    "twice": '[[0, 11, "PERSON"], [16, 20, "CITY"], [0, 11, "PERSON"]]',
    "with a byte order mark": '\ufeff[[0, 11, "PERSON"], [16, 20, "CITY"]]',
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_usual_shape_is_read(shape: str, tmp_path: Path) -> None:
    file = tmp_path / "marked.json"
    file.write_text(SHAPES[shape], "utf-8")
    assert read_spans(SHAPES[shape], TEXT) == [EDDA, LUND]
    assert read_spans(SHAPES[shape].encode(), TEXT) == [EDDA, LUND]
    assert read_spans(file, TEXT) == [EDDA, LUND]


def test_what_python_tools_hand_over_is_read() -> None:
    assert read_spans([RecognizerResult("PERSON", 0, 11, 0.85)], TEXT) == [ForeignSpan(0, 11, "PERSON", 0.85)]
    assert read_spans([{"start": np.int64(0), "end": np.int64(11), "score": np.float32(0.5)}], TEXT) == [
        ForeignSpan(0, 11, "marked", 0.5)
    ]
    assert read_spans([(0, 11, "PERSON"), LUND], TEXT) == [EDDA, LUND]


def test_the_tokens_that_spacy_counts_are_not_taken_for_characters() -> None:
    entity = SimpleNamespace(start=0, end=2, start_char=0, end_char=11, label=380, label_="PERSON", text="Edda Orsini")
    assert read_spans([entity], TEXT) == [EDDA]


def test_a_span_without_a_label_is_just_marked() -> None:
    assert read_spans('[[0, 4], [0, 4, ""], {"start": 0, "end": 4, "label": null}]', TEXT) == [ForeignSpan(0, 4, "marked")]


def test_overlapping_spans_are_kept_the_longer_first() -> None:
    spans = read_spans('[[0, 4, "GIVEN"], [5, 11, "FAMILY"], [0, 11, "PERSON"], [3, 8, "X"]]', TEXT)
    assert [(span.start, span.end) for span in spans] == [(0, 11), (0, 4), (3, 8), (5, 11)]


def test_the_same_span_with_two_labels_is_two_spans() -> None:
    assert len(read_spans('[[0, 4, "GIVEN"], [0, 4, "PERSON"]]', TEXT)) == 2


def test_no_spans_are_no_problem() -> None:
    assert read_spans("[]", TEXT) == read_spans([], "") == read_spans('{"spans": []}', TEXT) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("", "X102"),
        ("[1, 2", "X102"),
        ("start,end\n0,4", "X102"),
        ("[" * 100_000, "X104"),
        ('{"a":' * 100_000, "X104"),
        ('["gout"]', "X105"),
        ("[null]", "X105"),
        ("7", "X105"),
        ('[[0, 1, "A", 0.5, 1]]', "X105"),
        ("[[[0, 4]]]", "X105"),
        ('[{"end": 4}]', "X106"),
        ('[{"start": 0}]', "X106"),
        ('[[0, "4", "A"]]', "X106"),
        ('[{"start": 0, "end": 4.0}]', "X106"),
        ('[{"start": false, "end": true}]', "X106"),
        ('[{"start": 0, "end": NaN}]', "X106"),
        ('[{"start": -1, "end": 4}]', "X107"),
        ("[[4, 4]]", "X107"),
        ("[[5, 4]]", "X107"),
        ("[[0, 32]]", "X108"),
        ('[{"start": 1, "end": 5, "text": "Edda"}]', "X109"),
        ('[{"start": 0, "end": 31, "text": "Edda"}]', "X109"),
        ('[{"start": 1, "end": 5, "word": "edda"}]', "X109"),
        ('{"text": "Another text.", "items": [[0, 4]]}', "X109"),
        ('[{"start": 0, "end": 4, "score": NaN}]', "X110"),
        ('[{"start": 0, "end": 4, "score": Infinity}]', "X110"),
        ('[{"start": 0, "end": 4, "score": "high"}]', "X110"),
        ('[{"start": 0, "end": 4, "score": true}]', "X110"),
        ('[{"start": 0, "end": 4, "score": 1' + "0" * 400 + "}]", "X110"),
        ('[{"start": 0, "end": 4, "label": 7}]', "X111"),
        (b"[\xff]", "X103"),
        ("[[0, " + "9" * 5000 + "]]", "X102"),
        ([object()], "X106"),
        ([{"start": int, "end": 4}], "X106"),
        ([{"start": 0, "end": 10**5000}], "X108"),
        ([RecognizerResult("PERSON", 0, 99, 0.85)], "X108"),
    ],
)
def test_what_is_wrong_has_its_code(data: object, code: str) -> None:
    assert set(codes(data)) == {code}


def test_a_file_that_is_not_there_or_is_a_folder_is_told(tmp_path: Path) -> None:
    assert codes(tmp_path / "none.json") == codes(tmp_path) == ["X101"]


def test_everything_that_is_wrong_is_told_at_once_with_its_item() -> None:
    with pytest.raises(SpansError) as caught:
        read_spans('[[0, 4, "GIVEN"], {"start": 0.5, "end": "x", "score": NaN, "label": []}, [9, 90, "CITY"]]', TEXT)
    assert str(caught.value).splitlines() == [
        "spans: X106 Item 2 gives its start not as a whole number.",
        "spans: X106 Item 2 gives its end not as a whole number.",
        "spans: X111 Item 2 has a label that is not a text.",
        "spans: X110 Item 2 has a score that is not a finite number.",
        "spans: X108 Item 3 ends beyond the text, which has 31 characters. Count characters of this very text, not bytes or UTF-16 units.",
    ]


def test_a_broken_line_is_told_with_its_number() -> None:
    with pytest.raises(SpansError) as caught:
        read_spans('{"start": 0, "end": 4}\n\n{"start": 0, "end"\n{"start": 9, "end": 4}\n' + "[" * 100_000, TEXT)
    assert [(problem.code, problem.place.line) for problem in caught.value.problems] == [("X102", 3), ("X107", 4), ("X104", 5)]


def test_the_place_of_broken_json_is_told(tmp_path: Path) -> None:
    file = tmp_path / "marked.json"
    file.write_text('[\n  [0, 4, "GIVEN"],\n  [5, 11\n}')
    with pytest.raises(SpansError) as caught:
        read_spans(file, TEXT)
    assert str(caught.value) == f"{file}:4:1: X102 The spans break the rules of JSON here."


def test_ten_thousand_problems_are_not_all_printed() -> None:
    told = codes(json.dumps([[5, 4]] * 10_000))
    assert len(told) == 101
    assert told[-1] == "X112"


def test_no_message_and_no_repr_shows_a_word_of_the_text() -> None:
    wrong = [
        {"start": 1, "end": 12, "text": "Edda Orsini", "label": "Orsini"},
        "Edda",
        {"start": "Lund", "end": 4},
        {"text": "gout"},
    ]
    for data in (wrong, json.dumps(wrong), '{"Edda": "Lund'):
        with pytest.raises(SpansError) as caught:
            read_spans(data, TEXT)
        for told in (str(caught.value), repr(caught.value)):
            assert not any(word in told for word in ("Edda", "Orsini", "Lund", "gout"))
    assert repr(read_spans([{"start": 0, "end": 11, "label": "PERSON", "text": "Edda Orsini"}], TEXT)) == (
        "[ForeignSpan(start=0, end=11, label='PERSON', score=None, source='')]"
    )


def test_short_words_for_long_parts_cost_no_more_than_themselves() -> None:
    def taken(count: int) -> float:
        text = "a" * (count * 100)
        items = [{"start": 0, "end": len(text), "word": "a", "text": "a"}] * count
        assert len(codes(items, text)) == 101
        return seconds(codes, items, text)

    assert taken(16_000) < 8 * 4 * taken(2_000) + 0.05


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["start", "end", "label", "score", "text", "word", "spans", "items", "begin", "type"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_read_or_refused(data: object) -> None:
    try:
        spans = read_spans(json.dumps(data), TEXT)
    except SpansError as error:
        assert error.problems
    else:
        assert all(0 <= span.start < span.end <= len(TEXT) and span.label for span in spans)
        assert spans == sorted(spans, key=lambda span: (span.start, -span.end))
        assert read_spans(list(spans), TEXT) == spans


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read_spans(data, TEXT)
    except SpansError as error:
        assert error.problems
