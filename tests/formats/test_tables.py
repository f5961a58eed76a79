"""Tables as text: every row is a document, and what is not changed stays byte for byte."""

from __future__ import annotations

import csv
import io
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.formats.problems import FormatError
from kgsan.formats.records import Asked
from kgsan.formats.tables import read_table
from kgsan.sanitize.result import NotSafe
from tests.formats.toy import leaks, made, toy_sanitizer

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer

ROWS = b'id,seen,note\r\n1,3/4/2021,"He has AIDS, and takes ""zidovudine""."\r\n2,,Fine.\r\n'


@pytest.fixture(scope="module")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return toy_sanitizer(tmp_path_factory.mktemp("toy"))


def unchanged(content: bytes, name: str = "a.csv") -> bytes:
    return b"".join(one.put([strand.text for strand in one.strands]) for one in read_table(io.BytesIO(content), name, Asked()))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a",
        b"a,b\r\n1,2\r\n\r\n3,4",
        b'a;b\n1,5;"x;y"\n',
        b"a|b\n1|2\n",
        b"a,b\r1,2\r3,4\r",
        b"\xef\xbb\xbfa,b\n1,2\n",
        'a\tb\nü\t"ö"\n'.encode("utf-16"),
        b'a,b\n5" nail,"two\r\nlines ""quoted"""\n',
        b"one\n\nx\n",
    ],
)
def test_a_table_with_nothing_to_hide_comes_back_byte_for_byte(sanitizer: Sanitizer, content: bytes) -> None:
    assert unchanged(content) == content
    assert made(read_table, content, "a.csv", sanitizer) == content


@given(
    st.lists(
        st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0")), min_size=2, max_size=2),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["\r\n", "\n"]),
)
@settings(max_examples=150)
def test_rows_are_read_as_they_were_written(rows: list[list[str]], end: str) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=end).writerows([["one", "two"], *rows])
    content = stream.getvalue().encode()
    assert unchanged(content) == content
    records = [one for one in read_table(io.BytesIO(content), "a.csv", Asked()) if one.is_document]
    assert [[strand.text for strand in one.strands] for one in records] == rows


def test_what_discloses_is_gone_and_the_rest_stays(sanitizer: Sanitizer) -> None:
    out = made(read_table, ROWS, "a.csv", sanitizer)
    assert leaks(out) == []
    assert out.startswith(b'id,seen,note\r\n1,[REDACTED],"He has an infection, and takes')
    assert out.endswith(b"\r\n2,,Fine.\r\n")
    assert made(read_table, out, "a.csv", sanitizer) == out


def test_what_stands_in_a_column_of_identifiers_is_one(sanitizer: Sanitizer) -> None:
    out = made(read_table, b"MRN,patient_name,count\n77,Quill,3\n", "a.csv", sanitizer)
    assert out == b"MRN,patient_name,count\n[REDACTED],[REDACTED],3\n"


def test_columns_are_sanitized_kept_or_left_out(sanitizer: Sanitizer) -> None:
    assert made(read_table, ROWS, "a.csv", sanitizer, fields=("seen",), keep=("id",)) == b"id,seen\r\n1,[REDACTED]\r\n2,\r\n"
    assert b"3/4/2021" in made(read_table, ROWS, "a.csv", sanitizer, keep=("seen",))


def test_an_unchanged_encoding_holds_the_new_words(sanitizer: Sanitizer) -> None:
    out = made(read_table, "a\tb\r\nHe has AIDS.\tü\r\n".encode("utf-16"), "a.tsv", sanitizer)
    assert out.decode("utf-16") == "a\tb\r\nHe has an infection.\tü\r\n"


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"a,b\n1,2\n1,2,AIDS\n", "F105", 3),
        (b'a,b\n"x\ny",2\n1\n', "F105", 4),
        (b'a,b\n"AIDS" x,2\n', "F104", 2),
        (b'a,b\n1,"AIDS\n', "F104", 2),
        (b"a,b\n1,2\n\xff\xff,AIDS\n", "F104", 1),
        (b"hiv_status,b\n1,2\n", "F107", 1),
    ],
)
def test_a_broken_table_is_one_problem_with_its_line(sanitizer: Sanitizer, content: bytes, code: str, line: int) -> None:
    with pytest.raises(FormatError) as caught:
        made(read_table, content, "a.csv", sanitizer)
    assert (caught.value.problems[0].code, caught.value.problems[0].place.line) == (code, line)
    assert "AIDS" not in str(caught.value)


def test_a_column_that_is_not_there_is_told(sanitizer: Sanitizer) -> None:
    with pytest.raises(FormatError, match="F106"):
        made(read_table, ROWS, "a.csv", sanitizer, fields=("text",))


def test_a_heading_that_discloses_may_be_kept(sanitizer: Sanitizer) -> None:
    assert made(read_table, b"hiv_status,b\n1,AIDS\n", "a.csv", sanitizer, keep=("hiv_status",)).startswith(b"hiv_status,b\n1,")


def test_the_row_that_cannot_be_made_safe_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    stops = toy_sanitizer(tmp_path_factory.mktemp("stops"), when_nothing_is_safe="stop", protect="[{entity: disease}]")
    with pytest.raises(NotSafe) as caught:
        made(read_table, b"a,b\n1,2\n1,He has a disease.\n3,4\n", "a.csv", stops)
    assert caught.value.problems[0].place.line == 3


def test_several_processes_give_the_same(sanitizer: Sanitizer) -> None:
    content = b"a,mrn\n" + b"".join(b"He has AIDS since %d.,%s\n" % (at, b"" if at % 3 else b"7") for at in range(600))
    assert made(read_table, content, "a.csv", sanitizer, processes=2) == made(read_table, content, "a.csv", sanitizer)


@pytest.mark.parametrize(
    "content", [b"a\n" + b"x" * 3_000_000, b"a\n" + b'"' * 1_000_000, b'a\n"' + b"y\n" * 1_000_000, b"a," * 300_000]
)
def test_hostile_tables_are_read_in_linear_time(content: bytes) -> None:
    started = time.process_time()
    try:
        for one in read_table(io.BytesIO(content), "a.csv", Asked()):
            one.put([strand.text for strand in one.strands])
    except FormatError:
        pass
    assert time.process_time() - started < 10
