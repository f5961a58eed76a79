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
        ("Islam", "The Muslim child was excused.", "The child was excused."),
        ("religion", "Two Catholic schoolgirls and a Jewish neighbour came.", "Two schoolgirls and a neighbour came."),
    ],
)
def test_of_a_person_who_is_called_something_the_person_stays(entity: str, text: str, expected: str) -> None:
    result = sanitizer(entity).sanitize(text)
    assert result.text == expected
    assert {one.action for one in result.decisions} == {"shortened"}


@pytest.mark.parametrize(
    ("entity", "text", "expected"),
    [
        ("religion", "His non-Muslim wife came.", "His non-[REDACTED] wife came."),
        ("homosexuality", "Her alleged lesbian partner denied it.", "Her alleged [REDACTED] partner denied it."),
        ("HIV", "His A-I-D-S was confirmed.", "His disease was confirmed."),
        ("religion", "Rabbi Goldwyn signed it at the synagogue.", "Goldwyn signed it at the building."),
        ("religion", "The rabbi signed the form.", "The person signed the form."),
        ("religion", "The form was signed by Rabbi Goldwyn.", "The form was signed by Goldwyn."),
        ("religion", "The monk was cold. Monk Tillo was not.", "The person was cold. Tillo was not."),
        ("religion", "She liked the piano of Thelonious Monk.", "She liked the piano of Thelonious Monk."),
        ("cancer", "The oncology ward called.", "The place called."),
        ("HIV", "The antiretroviral drug was stopped.", "The medication was stopped."),
        (
            "sexually transmitted disease",
            "He was worried about the clap and had gonorrhoea.",
            "He was worried about the condition and had a condition.",
        ),
        ("Judaism", "She kept a kosher kitchen all her life.", "She kept a kitchen all her life."),
        ("hepatitis", "He recalls one episode of jaundice years ago.", "He recalls one episode of [REDACTED] years ago."),
        ("trade union", "A meeting of UFCW Local 431 was held.", "A meeting of [REDACTED] was held."),
        ("mental disorder", "He goes to A.A. in L.A. on Mondays.", "He goes to [REDACTED] in L.A. on Mondays."),
        ("Los Angeles", "He came to L.A. from Ohio.", "He came to the United States from Ohio."),
        ("Judaism", "Two members asked whether Jewish people may eat it.", "Two members asked whether people may eat it."),
    ],
)
def test_what_a_word_before_it_reverses_is_not_shortened_and_institutions_are_no_persons(
    entity: str, text: str, expected: str
) -> None:
    assert sanitizer(entity).sanitize(text).text == expected


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        ("homosexuality", "He takes pride in punctuality and is coming out of the bank."),
        ("homosexuality", "The closet marked on the house plan is a small study."),
        ("cancer", "She was born under Cancer, her husband is a Leo, and both read their horoscope at breakfast."),
        ("substance abuse", "Marisol Quade, 23, came with her aunt."),
        ("substance abuse", "The use of a lamp saves energy; a classic example would be a -- a book on paper."),
        ("mental disorder", "Omeprazole 20 mg OD, ramipril 5 mg BD. SH lives with wife."),
        ("substance abuse", "They rolled a joint venture into the company and were seen in March and on Friday."),
        ("HIV", "Did you get aid from the council? The rails are not aids for climbing. First aid and hearing aids."),
    ],
)
def test_a_word_in_a_fixed_expression_or_another_sense_says_nothing(entity: str, text: str) -> None:
    assert sanitizer(entity).sanitize(text).text == text


@pytest.mark.parametrize(
    ("entity", "text", "hidden"),
    [
        ("HIV", "his brother died of aids in the nineties", "died of aids"),
        ("HIV", "world aids day is on monday", "world aids day"),
        ("alcohol abuse", "mum goes to aa meetings on tuesdays", "goes to aa meetings"),
        ("alcohol abuse", "He goes to A.A. on Mondays.", "A.A."),
        ("alcohol abuse", "she found a.a. in spring", "a.a."),
        ("mental disorder", "Schizofrenia was diagnosed in spring.", "Schizofrenia"),
        ("criminal record", "He got a DUI in 2019.", "DUI"),
    ],
)
def test_small_letters_misspellings_and_initials_hide_nothing_from_it(entity: str, text: str, hidden: str) -> None:
    result = sanitizer(entity).sanitize(text)
    assert hidden in {text[one.start : one.end] for one in result.decisions}


def test_what_belongs_to_a_union_gives_it_away() -> None:
    text = "Dues go by check-off under the recognition agreement, and she has facility time on Mondays."
    result = sanitizer("trade union").sanitize(text).text
    assert not any(word in result for word in ("check-off", "recognition agreement", "facility time"))
