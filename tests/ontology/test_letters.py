from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.ontology.letters import read, read_with_origins

ANY = st.text(st.characters(codec=None, categories=None), max_size=80)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("H\u200bI\u2060V", "HIV"),
        ("soft\u00adhyphen", "softhyphen"),
        ("caf\u00e9 cafe\u0301", "cafe cafe"),
        ("non\u2011Hodgkin \u2013 x", "non-Hodgkin - x"),
        ("\u2018a\u2019 \u201cb\u201d", "'a' \"b\""),
        ("\uff28\uff29\uff36 \uff11\uff12", "HIV 12"),
        ("\u0663\u0664", "34"),
        ("a\u00a0b\u2009c", "a b c"),
        ("a\r\nb\u2028c", "a\r\nb\nc"),
        ("\ufb01ne \u00c6on stra\u00dfe", "fine Aeon strasse"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
    ],
)
def test_what_looks_the_same_is_read_the_same(written: str, meant: str) -> None:
    assert read(written) == meant


@given(ANY)
def test_both_ways_of_reading_agree_and_reading_again_changes_nothing(text: str) -> None:
    plain, origins = read_with_origins(text)
    assert plain == read(text)
    assert read(plain) == plain
    if origins is None:
        assert len(plain) == len(text)
    else:
        assert len(origins) == len(plain) + 1
        assert origins[-1] == len(text)
        assert (origins[1:] >= origins[:-1]).all()


@given(ANY)
def test_every_character_comes_from_one_that_reads_so(text: str) -> None:
    plain, origins = read_with_origins(text)
    for i, letter in enumerate(plain):
        assert letter in read(text[int(origins[i]) if origins is not None else i])


@given(st.text(st.characters(max_codepoint=0x24F), max_size=40))
def test_composed_and_decomposed_letters_are_the_same(text: str) -> None:
    assert read(unicodedata.normalize("NFD", text)) == read(unicodedata.normalize("NFC", text))
