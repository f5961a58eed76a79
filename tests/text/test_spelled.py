"""Words that are written letter by letter."""

from __future__ import annotations

from kgsan.text.spelled import spelled


def test_a_word_of_single_letters_is_read() -> None:
    assert list(spelled("Her H-I-V test")) == [(4, 9, "HIV")]


def test_letters_that_never_end_in_a_word_are_read_in_no_time() -> None:
    assert list(spelled(" a_" * 100_000)) == []  # a search for the end from every letter would take hours
