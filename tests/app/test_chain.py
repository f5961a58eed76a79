"""Whatever is done to a log afterwards is found, and its line is named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from kgsan.app.chain import BEGINNING, Act, Head, check, head_of, line, read_state, sealed, state_bytes
from kgsan.errors import Problem

if TYPE_CHECKING:
    from kgsan.app.chain import Entry

_ACTS = st.builds(
    Act,
    st.sampled_from(["accept", "redact", "keep", "undo"]),
    st.sampled_from(["d1", "d2"]),
    st.tuples(st.integers(0, 99), st.integers(100, 200)),
    st.none() | st.text(max_size=20),
)
_KEYS = st.none() | st.binary(min_size=16, max_size=32)


def entries_of(acts: list[Act], key: bytes | None) -> list[Entry]:
    made: list[Entry] = []
    for act in acts:
        made.append(sealed(head_of(made), "2026-01-02T03:04:05Z", act, key))
    return made


def faults(lines: list[bytes], head: Head | None, key: bytes | None) -> list[Problem]:
    return check(b"".join(lines), head, key, "audit.jsonl")[1]


def log(data: st.DataObject, least: int = 2) -> tuple[list[bytes], Head, bytes | None]:
    key = data.draw(_KEYS)
    entries = entries_of(data.draw(st.lists(_ACTS, min_size=least, max_size=8)), key)
    return [line(one) for one in entries], head_of(entries), key


@given(st.data())
def test_a_log_is_as_it_was_written(data: st.DataObject) -> None:
    lines, head, key = log(data, 0)
    assert faults(lines, head, key) == []


@given(st.data())
def test_an_edited_line_is_named(data: st.DataObject) -> None:
    lines, head, key = log(data)
    number = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(0, len(lines[number]) - 2))
    other = data.draw(st.integers(0x20, 0x7E).filter(lambda byte: byte != lines[number][at]))
    lines[number] = lines[number][:at] + bytes([other]) + lines[number][at + 1 :]
    found = faults(lines, head, key)
    assert found
    assert found[0].place.line == number + 1


@given(st.data())
def test_a_removed_line_is_found_where_it_stood(data: st.DataObject) -> None:
    lines, head, key = log(data)
    number = data.draw(st.integers(0, len(lines) - 1))
    del lines[number]
    found = faults(lines, head, key)
    assert found[0].code == ("A104" if number == len(lines) else "A103")
    assert found[0].place.line == number + 1


@given(st.data())
def test_lines_that_were_cut_off_at_the_end_are_found(data: st.DataObject) -> None:
    lines, head, key = log(data)
    left = data.draw(st.integers(0, len(lines) - 1))
    found = faults(lines[:left], head, key)
    assert [(one.code, one.place.line) for one in found] == [("A104", left + 1)]


@given(st.data())
def test_two_lines_that_changed_places_are_found(data: st.DataObject) -> None:
    lines, head, key = log(data)
    one = data.draw(st.integers(0, len(lines) - 2))
    other = data.draw(st.integers(one + 1, len(lines) - 1))
    lines[one], lines[other] = lines[other], lines[one]
    found = faults(lines, head, key)
    assert found[0].place.line == one + 1


@given(st.data())
def test_a_line_that_was_put_in_is_found(data: st.DataObject) -> None:
    lines, head, key = log(data)
    number = data.draw(st.integers(0, len(lines) - 1))
    lines.insert(number, lines[data.draw(st.integers(0, len(lines) - 1))])
    assert faults(lines, head, key)


@given(st.data())
def test_bytes_that_are_cut_off_anywhere_are_found(data: st.DataObject) -> None:
    lines, head, key = log(data)
    content = b"".join(lines)
    found = check(content[: data.draw(st.integers(0, len(content) - 2))], head, key, "audit.jsonl")[1]
    assert found


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(content: bytes) -> None:
    check(content, None, None, "audit.jsonl")
    read_state(content, None, "audit.jsonl.state")


def test_a_log_that_was_written_anew_fails_without_the_key() -> None:
    forged = entries_of([Act("accept", "d1", (0, 4))], b"guessed key of 16")
    assert faults([line(one) for one in forged], None, b"the real key of it")


def test_an_edited_state_file_is_found() -> None:
    content = state_bytes(Head(3, "a" * 64), None)
    told = json.loads(content)
    told["count"] = 2
    assert read_state(content, None, "s") == Head(3, "a" * 64)
    assert isinstance(read_state(json.dumps(told).encode(), None, "s"), Problem)


def test_deeply_nested_lines_are_no_entries() -> None:
    found = check(b"[" * 100_000 + b"\n", Head(0, BEGINNING), None, "audit.jsonl")[1]
    assert [one.code for one in found] == ["A103"]
