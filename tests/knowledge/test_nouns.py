"""Which runs of words are counted although no ontology names them."""

from __future__ import annotations

import pytest

from kgsan.knowledge.keys import key_of
from kgsan.knowledge.nouns import LONGEST, PhraseReader
from kgsan.text.document import Document

READER = PhraseReader()


def counted(text: str, *phrases: str) -> list[str]:
    keys = set(READER.keys(Document(text))[0].tolist())
    return [phrase for phrase in phrases if key_of(phrase) in keys]


def test_a_noun_phrase_is_counted_with_all_its_right_parts() -> None:
    phrases = ("advanced breast cancer", "breast cancer", "cancer")
    assert counted("She had advanced breast cancer.", *phrases) == list(phrases)


@pytest.mark.parametrize("phrase", ["she", "had", "the", "of", "quickly", "had advanced", "the cancer", "cancer of", "advanced"])
def test_words_of_grammar_and_phrases_without_a_noun_at_their_end_are_not_counted(phrase: str) -> None:
    assert counted("She had the advanced cancer of the lung, which grew quickly.", phrase) == []


def test_an_unknown_word_may_be_a_noun() -> None:
    assert counted("The wug was seen near Blicketville.", "wug", "Blicketville") == ["wug", "Blicketville"]


def test_five_words_are_the_longest_phrase() -> None:
    text = "old city hospital cancer patient records"
    assert LONGEST == 5
    assert counted(text, "old city hospital cancer patient", "city hospital cancer patient records", text) == [
        "old city hospital cancer patient",
        "city hospital cancer patient records",
    ]


def test_plural_and_possessive_are_the_same_phrase() -> None:
    assert counted("Two breast cancers.", "breast cancer") == ["breast cancer"]
    for written in ("Parkinson's disease", "Parkinson disease", "Parkinson’s diseases"):
        assert counted(f"It is {written}.", "Parkinson's disease", "Parkinson disease") == [
            "Parkinson's disease",
            "Parkinson disease",
        ]


def test_a_hyphen_makes_no_difference() -> None:
    both = ["treatment-resistant depression", "treatment resistant depression"]
    for written in both:
        assert counted(f"It is {written}.", *both, "resistant depression") == [*both, "resistant depression"]


def test_a_word_that_needs_capitals_is_another_word_without_them() -> None:
    assert counted("AIDS relief came.", "AIDS", "AIDS relief", "aid", "aid relief") == ["AIDS", "AIDS relief"]
    assert counted("Hearing aids came.", "AIDS", "aid", "hearing aid") == ["aid", "hearing aid"]


def test_other_words_are_the_same_in_capitals() -> None:
    assert counted("The Breast Cancer of it.", "breast cancer") == ["breast cancer"]


@pytest.mark.parametrize("text", ["blood. Tears", "blood; tears", "blood\n\ntears", "blood and tears", "blood: tears"])
def test_no_phrase_runs_across_a_mark_or_a_word_of_grammar(text: str) -> None:
    assert counted(text, "blood", "tears", "blood tears") == ["blood", "tears"]


@pytest.mark.parametrize("text", ["blood, tears", "blood (tears)"])
def test_a_soft_mark_does_not_part_a_phrase_as_it_does_not_part_a_name(text: str) -> None:
    assert counted(text, "blood tears") == ["blood tears"]


def test_a_phrase_is_told_where_it_begins_in_the_text_as_it_was_written() -> None:
    text = "Her naïve “breast\u00adfeeding” and breast cancer"
    keys, places = READER.keys(Document(text))
    [place] = [at for key, at in zip(keys.tolist(), places.tolist(), strict=True) if key == key_of("breast cancer")]
    assert text[place:] == "breast cancer"


@pytest.mark.parametrize("text", ["", " ", ".", "the", "\n\n"])
def test_a_text_without_nouns_has_no_phrases(text: str) -> None:
    keys, places = READER.keys(Document(text))
    assert len(keys) == len(places) == 0
