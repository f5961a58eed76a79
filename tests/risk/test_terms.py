"""Which names and noun phrases of a text are terms, and what counts as a noun where the tagger is in doubt or wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.risk.terms import Term, _is_nominal, _Tokens, is_noun, is_noun_phrase, terms
from kgsan.sources.records import Scope
from kgsan.text.document import Document, NounPhrase
from tests.risk.worlds import SaidGuard, mention, sense, span, tagged

#: Of a special vocabulary, for sure or perhaps, and of a dictionary.
SURE, EXACT = sense(0, 1, Scope.PREFERRED), sense(0, 1, Scope.EXACT)
PERHAPS, ELSE = sense(0, 2, Scope.AMBIGUOUS), sense(0, 3, Scope.AMBIGUOUS)
WORD = sense(1, 4)


def read(document: Document, mentions: list[Any] = [], counts: frozenset[int] = frozenset()) -> Any:  # noqa: B006
    guard = SaidGuard(counts=lambda one, meant: meant.concept.number in counts, dictionaries=frozenset({1}))
    every = SimpleNamespace(meaning=lambda test, longest: [one for one in mentions if test(one.senses)])
    return SimpleNamespace(document=document, every=every, longest=mentions, verdict=guard.verdict, guard=guard)


@pytest.mark.parametrize(
    ("said", "words", "senses", "expected"),
    [
        # A noun is a noun, whoever knows it.
        ("a/DT walk/NN", "walk", [WORD], True),
        ("two/CD walks/NNS", "walks", [PERHAPS], True),
        ("in/IN Bath/NNP", "Bath", [WORD], True),
        ("ad/FW hoc/FW", "ad hoc", [WORD], True),
        ("to/TO walk/VB", "walk", [WORD], False),
        ("it/PRP is/VBZ red/JJ", "red", [WORD], False),
        ("so/RB far/RB", "far", [WORD], False),
        # What begins with a noun is one, whatever it ends with.
        ("a/DT voice/NN over/IN", "voice over", [WORD], True),
        ("go/VB over/IN", "go over", [WORD], False),
        # Nobody uses a rare name of a special vocabulary as a verb; a common word somebody may.
        ("he/PRP zidovudine/VBZ", "zidovudine", [SURE], True),
        ("he/PRP zidovudine/VBZ", "zidovudine", [EXACT], True),
        ("he/PRP zidovudine/VBZ", "zidovudine", [PERHAPS, EXACT], True),
        ("he/PRP zidovudine/VBZ", "zidovudine", [PERHAPS], False),
        ("he/PRP zidovudine/VBZ", "zidovudine", [WORD], False),
        ("they/PRP walk/VBP", "walk", [EXACT], False),
        ("they/PRP WALK/VBP", "WALK", [EXACT], False),
        ("quick/RB walk/VBP", "quick walk", [EXACT], True),
        ("quick/RB walk/VBP", "quick walk", [PERHAPS], True),
        ("quick/RB walk/VBP", "quick walk", [WORD], False),
        # What may be part of a name is a term where a special vocabulary has it.
        ("it/PRP is/VBZ red/JJ", "red", [PERHAPS], True),
        ("he/PRP was/VBD marked/VBN", "marked", [PERHAPS], True),
        ("by/IN running/VBG", "running", [PERHAPS], True),
        ("number/NN 7/CD", "7", [PERHAPS], True),
        ("so/RB far/RB", "far", [PERHAPS], False),
        ("he/PRP walked/VBD", "walked", [PERHAPS], False),
    ],
)
def test_a_name_is_a_term_where_it_is_used_as_a_noun(said: str, words: str, senses: list[Any], expected: bool) -> None:
    document = tagged(said)
    assert _is_nominal(read(document), _Tokens(document), mention(*span(document.text, words), *senses)) is expected


@pytest.mark.parametrize(
    ("said", "senses", "expected"),
    [
        ("He/PRP smoked/VBD crack/VB up/RP", [PERHAPS], True),
        ("smoked/VBD crack/VB", [PERHAPS], True),
        ("He/PRP smoked/VBD crack/VB", [ELSE, PERHAPS], True),
        ("He/PRP smoked/VBD crack/VB", [ELSE], False),  # it does not count in this sense
        ("He/PRP smoked/VBD crack/VB", [WORD], False),
        ("The/DT crack/VB", [PERHAPS], False),
        ("crack/VB", [PERHAPS], False),
        ("crack/VB it/PRP was/VBD", [PERHAPS], False),
    ],
)
def test_behind_a_verb_what_is_taken_for_another_verb_is_a_term_if_it_counts(
    said: str, senses: list[Any], expected: bool
) -> None:
    document = tagged(said)
    reading = read(document, counts=frozenset({2, 4}))
    assert bool(_is_nominal(reading, _Tokens(document), mention(*span(document.text, "crack"), *senses))) is expected


def test_what_stands_behind_the_last_word_is_no_term() -> None:
    document = tagged("a/DT walk/NN", "a walk   ")
    assert _is_nominal(read(document), _Tokens(document), mention(7, 9, SURE)) is False


def test_one_letter_beside_a_sign_is_judged_by_itself() -> None:
    document = tagged("(/-LRB- x/NN )/-RRB- y/VB", "(x) y")
    tokens = _Tokens(document)
    assert [_is_nominal(read(document), tokens, mention(at, at + 1, WORD)) for at in (0, 1, 2, 4)] == [False, True, False, False]


# --- as it is read ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "as_read"),
    [
        ("a fe\u200bver now", "fe\u200bver", "fever"),
        ("a fe\u200bver no\u200bw.", "fe\u200bver no\u200bw", "fever now"),
        ("a\u200bb c", "c", "c"),
        ("(\u200bx) y", "x", "x"),
        ("a fe\u200bver now", "e\u200bv", "e\u200bv"),  # a part of a word, as it is written
        ("a fe\u200bver now", "fe\u200bv", "fe\u200bv"),
        ("a fe\u200bver now", "\u200bver now", "\u200bver now"),
        ("no fe\u200bver  ", "fe\u200bver  ", "fe\u200bver  "),
        ("plain fever", "fever", "fever"),
        ("plain fever", "ain fe", "ain fe"),
        ("plain fever", "plain fever", "plain fever"),
    ],
)
def test_a_name_is_told_as_it_is_read_and_a_part_of_a_word_as_it_is_written(text: str, words: str, as_read: str) -> None:
    assert _Tokens(Document(text)).read(*span(text, words)) == as_read


# --- the terms of a text ------------------------------------------------------------------------------------------------


def phrases(document: Document, *words: str) -> None:
    """Say which are the noun phrases of a document."""
    found = []
    for some in words:
        start, end = span(document.text, some)
        found.append(NounPhrase(start, end, document.token_at(start), document.token_at(end - 1) + 1))
    document.noun_phrases = found


def told(document: Document, mentions: list[Any], *counted: str) -> list[tuple[str, bool, bool]]:
    """The terms by name, with whether each is a name of a concept and a noun phrase."""
    made = terms(read(document, mentions), lambda name: name in counted)
    assert all(document.text[term.start : term.end] == term.name for term in made)
    return [(term.name, term.mention is not None, term.phrase is not None) for term in made]


SENTENCE = "severe/JJ dry/JJ cough/NN and/CC mild/JJ fever/NN since/IN the/DT old/JJ harvest/NN festival/NN to/TO walk/VB"


def test_names_and_noun_phrases_are_terms_in_the_order_of_the_text_the_longer_first() -> None:
    document = tagged(SENTENCE)
    phrases(document, "severe dry cough", "mild fever", "old harvest festival")
    names = [mention(*span(document.text, words), WORD) for words in ("dry cough", "mild fever", "harvest", "walk")]
    assert told(document, names, "severe dry cough") == [
        ("severe dry cough", False, True),  # was counted as it stands
        ("dry cough", True, False),
        ("mild fever", True, True),
        ("old harvest festival", False, True),  # no name is its head
        ("harvest", True, False),
    ]
    assert [name for name, *_ in told(document, names)] == ["dry cough", "mild fever", "old harvest festival", "harvest"]


def test_of_two_terms_that_begin_together_the_longer_comes_first() -> None:
    document = tagged("cough/NN syrup/NN bottle/NN")
    phrases(document, "cough syrup bottle")
    short, long = (mention(*span(document.text, words), WORD) for words in ("cough", "cough syrup"))
    assert [name for name, *_ in told(document, [short, long])] == ["cough syrup bottle", "cough syrup", "cough"]


def test_a_misspelt_name_is_told_by_the_first_name_it_may_be() -> None:
    document = tagged("some/DT gonnorrhea/NN")
    document.noun_phrases = []
    senses = sense(0, 1, text="gonorrhea"), sense(0, 2, text="gonorrhoea"), sense(1, 3, text="clap")
    for misspelt, name in ((True, "gonorrhea"), (False, "gonnorrhea")):
        [term] = terms(read(document, [mention(5, 15, *senses, misspelt=misspelt)]), bool)
        assert (term.name, term.start, term.end) == (name, 5, 15)


def test_a_term_shows_where_it_stands_and_no_word() -> None:
    assert repr(Term(3, 8, "fever")) == "<Term at 3-8>"


# --- single words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("cough/NN", True),
        ("coughs/NNS", True),
        ("walk/VB", False),
        ("of/IN", False),
        ("naltrexone/IN", True),  # a rare word, tagged as nothing that it looks like
        ("Naltrexone/CD", True),
        ("naltrexone/JJ", False),
        ("naltrexone/JJR", False),
        ("naltrexone/VBD", False),
        ("naltrexone/RB", False),
        ("x9y/IN", False),
        ("OF/IN", False),
    ],
)
def test_a_rare_word_is_a_noun_unless_it_looks_like_another_kind_of_word(said: str, expected: bool) -> None:
    for before, behind in (("", ""), ("the/DT ", " stays/VBZ"), ("stays/VBZ ", " house/NN")):
        document = tagged(f"{before}{said}{behind}")
        assert is_noun(document, span(document.text, said.partition("/")[0])[1]) is expected


def test_behind_the_last_word_and_between_signs_no_noun_is_made_up() -> None:
    assert is_noun(tagged("a/DT cough/NN", "a cough  "), 9) is False
    document = tagged("(/-LRB- x/NN )/-RRB-", "(x)")
    assert [is_noun(document, end) for end in (1, 2, 3)] == [False, True, False]


@pytest.mark.parametrize(
    ("said", "words", "expected"),
    [
        ("exposed/VBN to/TO HIV/NN", "exposed to HIV", False),
        ("exposed/VBN to/TO HIV/NN", "exposed", False),
        ("exposed/VBN to/TO HIV/NN", "to HIV", False),
        ("exposed/VBN to/TO HIV/NN", "HIV", True),
        ("HIV/NN exposed/VBD him/PRP", "HIV exposed", False),
        ("he/PRP takes/VBZ drugs/NNS", "takes drugs", False),
        ("he/PRP takes/VBZ drugs/NNS", "he takes", False),
        ("taking/VBG drugs/NNS", "taking drugs", True),
        ("now/RB in/IN recovery/NN", "in recovery", False),
        ("now/RB in/IN recovery/NN", "recovery", True),
        ("sober/JJ for/IN a/DT year/NN", "sober for a year", False),
        ("use/NN of/IN heroin/NN", "use of heroin", True),
        ("exposure/NN to/TO HIV/NN", "exposure to HIV", True),
        ("who/WP drinks/VBZ beer/NN", "who drinks beer", False),
        ("must/MD drink/VB beer/NN", "must drink beer", False),
    ],
)
def test_a_noun_can_stand_for_a_noun_with_what_belongs_to_it_and_for_nothing_else(said: str, words: str, expected: bool) -> None:
    document = tagged(said)
    assert is_noun_phrase(document, *span(document.text, words)) is expected


def test_what_goes_on_behind_the_text_is_no_noun_phrase() -> None:
    document = tagged("take/VB (/-LRB- x/NN )/-RRB-", "take(x)  ")
    assert [is_noun_phrase(document, 0, end) for end in (4, 5, 7, 9)] == [False, False, False, False]
    assert [is_noun_phrase(document, 5, end) for end in (6, 7, 9)] == [True, False, False]
