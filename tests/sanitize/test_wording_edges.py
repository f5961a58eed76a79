"""Sounds, numbers and joints of English at their edges: what the table of an editor seldom meets."""

from __future__ import annotations

import pytest

from tests.sanitize.test_wording import written

ARTICLES = ["an hour", "a union", "a one-off", "an 8-bed ward", "an 18-bed ward", "an 80-bed ward", "a 180-bed ward"]
ARTICLES += [
    "an 11,000-bed ward",
    "an X-ray",
    "an MRI scan",
    "a SARS test",
    "a UK visa",
    "an heir",
    "a urine test",
    "an uninsured man",
]


@pytest.mark.parametrize("said", ARTICLES)
@pytest.mark.parametrize("before", ["a", "an"])
def test_the_article_follows_the_sound(said: str, before: str) -> None:
    assert written(f"He saw {before} [scar -> {said.split(' ', 1)[1]}].") == f"He saw {said}."


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("person", "people"),
        ("child", "children"),
        ("analysis", "analyses"),
        ("city", "cities"),
        ("day", "days"),
        ("virus", "viruses"),
        ("box", "boxes"),
        ("church", "churches"),
        ("diagnosis", "diagnoses"),
        ("glass", "glasses"),
        ("house", "houses"),
        ("bus", "buses"),
        ("lie", "lies"),
        ("tie", "ties"),
        ("drug", "drugs"),
    ],
)
def test_one_becomes_many_and_many_one(one: str, many: str) -> None:
    assert written(f"The [cases -> {one}] stood.") == f"The {many} stood."
    assert written(f"The [cases -> {many.capitalize()}] stood.") == f"The {many} stood."
    assert written(f"This [case -> {many.capitalize()}] stood.") == f"This {one} stood."


@pytest.mark.parametrize(
    ("marked", "becomes"),
    [
        ("HE TAKES [ZIDOVUDINE -> drug] NOW.", "HE TAKES DRUG NOW."),
        ("Report On [Syphilis -> infection] And Treatment", "Report On Infection And Treatment"),
        ("Diagnosis: [Syphilis -> infection]", "Diagnosis: Infection"),
        ("Diagnosis: [syphilis -> infection]", "Diagnosis: infection"),
        ('He said, "[Syphilis -> infection] is rare."', 'He said, "An infection is rare."'),
        ("Untreated chronic [hepatitis -> infection] is bad.", "An untreated chronic infection is bad."),
    ],
)
def test_capitals_are_those_of_the_line(marked: str, becomes: str) -> None:
    assert written(marked) == becomes


@pytest.mark.parametrize(
    ("marked", "becomes"),
    [
        ("He lives in the [Bronx => Netherlands].", "He lives in the Netherlands."),
        ("He lives in the [Bronx => France].", "He lives in France."),
        ("He lives in a [house => France].", "He lives in France."),
        ("He lives in [Boston => United States].", "He lives in the United States."),
        ("He lives in [Boston => France].", "He lives in France."),
    ],
)
def test_a_proper_name_has_its_own_article_or_none(marked: str, becomes: str) -> None:
    assert written(marked) == becomes


@pytest.mark.parametrize(
    ("marked", "becomes"),
    [
        ("He takes [zidovudine -> drug], [lamivudine -> drug] and [abacavir -> drug].", "He takes drugs."),
        ("He takes [zidovudine -> drug] or [lamivudine -> drug].", "He takes a drug."),
        ("He takes [zidovudine -> drug] ([AZT -> drug]) daily.", "He takes a drug daily."),
        ("He takes [zidovudine -> drug] and his [lamivudine -> drug].", "He takes a drug and his drug."),
        ("[HIV -> infection] and [syphilis -> infection] are common.", "Infections are common."),
        ("[HIV -> infection] or [syphilis -> infection] is common.", "An infection is common."),
        ("She has asthma, [HIV -> infection] and [syphilis -> infection].", "She has asthma and infections."),
        ("Like [HIV -> virus], [HTLV -> virus] is a retrovirus.", "Like a virus, a virus is a retrovirus."),
        ("He has [HIV -> infection], or [AIDS -> infection], since May.", "He has an infection since May."),
        ("He is an [alcoholic -> person] and a [smoker -> person].", "He is a person."),
        ("An [alcoholic -> person] and a [smoker -> person] were seen.", "People were seen."),
        ("He takes [X -> ] and [Y -> ] daily.", "He takes [REDACTED] daily."),
        ("He takes [X -> ], [Y -> ] daily.", "He takes [REDACTED] daily."),
        ("He takes [X -> ] with [Y -> ] daily.", "He takes [REDACTED] with [REDACTED] daily."),
    ],
)
def test_what_is_the_same_is_said_once(marked: str, becomes: str) -> None:
    assert written(marked) == becomes


@pytest.mark.parametrize("blanks", [39, 40, 41, 60])
def test_names_far_apart_are_said_twice(blanks: int) -> None:
    gap = " " * blanks
    once = "He takes [REDACTED] daily."
    twice = f"He takes [REDACTED]{gap}[REDACTED] daily."
    assert written(f"He takes [X -> ]{gap}[Y -> ] daily.") == (once if blanks <= 40 else twice)


@pytest.mark.parametrize(
    ("marked", "becomes"),
    [
        ("The [clinic's -> place] nurse left.", "The place's nurse left."),
        ("The [viruses -> drug]' end came.", "The drugs' end came."),
        ("The [men -> person]'s end came.", "The people's end came."),
        ("He has [HIV -> infection]-positive blood.", "He has infection-positive blood."),
        ("He has an [HIV -> infection] infection.", "He has an infection."),
        ("Both [HIV -> infection] infections were seen.", "Both infections were seen."),
        ("Some [men -> information] came.", "Some information came."),
        ("He needs [advice -> information].", "He needs information."),
        ("He is [depressed -> mental disorder].", "He is affected by a mental disorder."),
        ("She is [Catholic -> religion].", "She is of a religion."),
        ("He said that [HIV -> infection] is bad.", "He said that an infection is bad."),
    ],
)
def test_what_stands_beside_a_change_still_fits(marked: str, becomes: str) -> None:
    assert written(marked) == becomes
