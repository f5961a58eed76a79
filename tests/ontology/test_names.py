"""When two names are the same name, as a table a domain expert can extend."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.ontology import names
from kgsan.ontology.inflection import fold
from kgsan.ontology.ontology import Ontology
from kgsan.sources.records import Records, Scope

SAME = [
    ("HIV infection", "HIV infections"),
    ("disease", "diseases"),
    ("virus", "viruses"),
    ("lens", "lenses"),
    ("diagnosis", "diagnoses"),
    ("psychosis", "psychoses"),
    ("metastasis", "metastases"),
    ("overdose", "overdoses"),
    ("abscess", "abscesses"),
    ("headache", "headaches"),
    ("biopsy", "biopsies"),
    ("junkie", "junkies"),
    ("church", "churches"),
    ("Hindu", "Hindus"),
    ("rabbi", "rabbis"),
    ("policewoman", "policewomen"),
    ("child", "children"),
    ("bacterium", "bacteria"),
    ("streptococcus", "streptococci"),
    ("STD", "STDs"),
    ("Parkinson's disease", "Parkinson disease"),
    ("Parkinson’s disease", "parkinsons' disease"),
    ("tumour", "tumor"),
    ("leukaemia", "leukemia"),
    ("haemophilia", "hemophilia"),
    ("oesophageal varices", "esophageal varix"),
    ("diarrhoea", "diarrhea"),
    ("foetal alcohol syndrome", "fetal alcohol syndrome"),
    ("gynaecologist", "gynecologist"),
    ("behavioural therapy", "behavioral therapy"),
    ("organisation", "organizations"),
    ("unionised", "unionized"),
    ("paralyse", "paralyze"),
    ("counselling", "counseling"),
    ("rehabilitation centre", "rehabilitation center"),
    ("drug programme", "drug program"),
    ("non-Hodgkin lymphoma", "Non Hodgkin lymphoma"),
    ("HIV/AIDS", "HIV-AIDS"),
    ("HIV+", "HIV positive"),
    ("Sjögren syndrome", "Sjogren syndrome"),
    ("Bahá'í", "Bahai"),
    ("हिन्दी भाषा", "हिन्दी-भाषा"),
    ("cocaine", "co\u00adcaine"),
    ("cocaine", "co\u200bcaine"),
    ("Ménière's disease", "Me\u0301nie\u0300re's disease"),
]
DIFFERENT = [
    ("AIDS", "aids"),
    ("AIDS organisation", "aid organization"),
    ("ALS", "al"),
    ("alcoholism", "alcohol"),
    ("Catholicism", "Catholic"),
    ("depression", "depressive"),
    ("semen", "seman"),
    ("tense", "ten"),
    ("princess", "princes"),
    ("glasses case", "glass casing"),
    ("hepatitis B", "hepatitis C"),
    ("HIV-1", "HIV-2"),
    ("HIV", "HIV+"),
    ("IT", "it"),
    ("कि", "का"),
    ("งาน", "งิน"),
    ("CAN", "can"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_inflection_spelling_and_punctuation_do_not_matter(one: str, other: str) -> None:
    assert names.key(one) == names.key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_words_stay_different(one: str, other: str) -> None:
    assert names.key(one) != names.key(other)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_any_text_has_a_key_and_it_is_its_own_first_reading(text: str) -> None:
    assert names.readings(text)[0] == names.key(text)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=14))
def test_a_word_and_its_regular_plural_share_a_key(word: str) -> None:
    if len(word) > 3 and not word.endswith(("s", "x", "z", "y", "ch", "sh", "o", "e", "a", "i", "u", "men")):
        assert fold(word) == fold(word + "s")


def ontology(*each: str) -> Ontology:
    records = Records("test")
    for name in each:
        records.name(records.concept(f"t:{name}"), name, Scope.PREFERRED)
    return Ontology.from_records(records)


def found(made: Ontology, name: str) -> list[str]:
    return [concept.name for concept in made.find(name)]


def test_an_acronym_is_found_by_its_capitals_first_and_by_small_letters_when_nothing_else_fits() -> None:
    with_aid = ontology("AIDS", "aid", "HIV infection")
    assert found(with_aid, "AIDS") == ["AIDS"]
    assert found(with_aid, "aids") == ["aid"]
    assert found(ontology("AIDS"), "aids") == ["AIDS"]
    assert found(with_aid, "hiv infections") == ["HIV infection"]


def test_a_word_in_capitals_is_found_like_the_word() -> None:
    assert found(ontology("hearing aid"), "HEARING AIDS") == ["hearing aid"]
    assert found(ontology("ZIDOVUDINE"), "zidovudine") == ["ZIDOVUDINE"]


def test_what_is_not_there_is_not_found() -> None:
    assert found(ontology("flu"), "") == []
    assert found(ontology("flu"), "!!!") == []
    assert found(ontology("flu"), "influenza") == []
