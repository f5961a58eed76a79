"""A person who is called something protected stays a person, and a fixed expression stays whole: sentences read aloud."""

from __future__ import annotations

from functools import cache

import pytest

import kgsan


@cache
def sanitizer(entity: str) -> kgsan.Sanitizer:
    return kgsan.Sanitizer(kgsan.load_policy({"policy": "toy", "law": "Toy Act", "protect": [entity]}))


@pytest.mark.parametrize(
    ("entity", "text", "expected"),
    [
        ("HIV", "He is an HIV-positive man.", "He is a man."),
        ("HIV", "An HIV positive patient called.", "A patient called."),
        ("pregnancy", "She is a pregnant woman of 31.", "She is a woman of 31."),
        ("Islam", "A Muslim woman called.", "A woman called."),
    ],
)
def test_of_a_person_who_is_called_something_the_person_stays(entity: str, text: str, expected: str) -> None:
    result = sanitizer(entity).sanitize(text)
    assert result.text == expected
    assert {one.action for one in result.decisions} == {"shortened"}


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        ("homosexuality", "He takes pride in punctuality and is coming out of the bank."),
        ("homosexuality", "The closet marked on the house plan is a small study."),
        ("cancer", "She was born under Cancer, her husband is a Leo, and both read their horoscope at breakfast."),
    ],
)
def test_a_word_in_a_fixed_expression_or_another_sense_says_nothing(entity: str, text: str) -> None:
    assert sanitizer(entity).sanitize(text).text == text


def test_what_belongs_to_a_union_gives_it_away() -> None:
    text = "Dues go by check-off under the recognition agreement, and she has facility time on Mondays."
    result = sanitizer("trade union").sanitize(text).text
    assert not any(word in result for word in ("check-off", "recognition agreement", "facility time"))
