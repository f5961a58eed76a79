"""What the guard finds around a name: concepts, cues, counted words and the rest of the text; in a toy world of crabs."""

from __future__ import annotations

from itertools import product

import pytest

from kgsan.risk.kin import Speaks
from kgsan.risk.senses import (
    Around,
    _total,
)
from tests.risk.crabs import CRAB, FIELD, LICE, STACK, Text, knowing
from tests.risk.toy import mention, number, sense

# --- what stands near --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "near"),
    [
        ("the scabies and [crab] here", [("scabies", 1.0)]),
        ("the scabies. Then [crab] here", [("scabies", 0.6)]),
        ("the scabies.\n\nThen [crab] here", []),
        ("then [crab] here.\n\nThe scabies", []),
        ("then [crab] here. The scabies", [("scabies", 0.6)]),
        ("the crabs and [crab] here", []),  # the word does not speak for itself
        ("the infection and [crab] here", []),  # nor do words for whole fields
        ("Infection and [crab] here", []),
        ("the comb, [crab] and lobster", [("comb", 1.0), ("lobster", 1.0)]),
    ],
)
def test_other_names_of_the_paragraph_are_near_those_of_the_sentence_nearer(marked: str, near: list[tuple[str, float]]) -> None:
    assert Text(marked).near() == near


def test_names_that_overlap_are_not_near() -> None:
    text = Text("a rash [bug] comb", {}, None, LICE)
    assert text.near() == [("comb", 1.0)]
    whole = Text("a [rash bug] comb", {}, None, LICE)
    assert whole.near() == [("comb", 1.0)]
    touching = Text("comb[/]comb", {}, None, LICE)
    assert touching.near() == [("comb", 1.0), ("comb", 1.0)]


def test_forty_names_before_and_behind_are_looked_at() -> None:
    text = Text("comb " * 50 + "[crab] " + "lobster " * 50)
    near = [word for word, _ in text.near()]
    assert (near.count("comb"), near.count("lobster")) == (40, 40)
    few = Text("comb " * 3 + "[crab] " + "lobster " * 2)
    assert len(few.near()) == 5


# --- concepts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "told"),
    [
        ("the scabies and [crab]", [("scabies", Speaks.KIN, 0.5)]),
        ("the permethrin and [crab]", [("permethrin", Speaks.RELATED, 1.0)]),
        ("the comb and [crab]", [("comb", Speaks.BESIDE, 0.5)]),
        ("the permethrin. The [crab]", [("permethrin", Speaks.RELATED, 0.6)]),
        ("the bloom and [crab]", []),  # one ambiguous name does not speak for another
        ("the burn and [crab]", []),
        ("the rainbow and [crab]", []),
        ("the lobster and [crab]", []),
    ],
)
def test_relatives_of_a_concept_speak_for_it_by_their_nearness(marked: str, told: list[tuple[str, Speaks, float]]) -> None:
    text = Text(marked)
    near = text.reader._near(text.mention)
    found = [one for one, _ in text.reader._by_concepts(0, number(FIELD, "lice"), near)]
    assert text.told(found) == told


def test_evidence_says_through_what_it_speaks() -> None:
    text = Text("permethrin, scabies, lice and [crab]")
    found = text.reader._evidence(text.mention, sense(STACK, *LICE), text.reader._near(text.mention))
    assert [(one.speaks, one.through) for one in found] == [
        (Speaks.RELATED, "treats"),
        (Speaks.KIND, "protected:lice"),
        (Speaks.KIN, "protected:infection"),
    ]


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("Infection: [crab]", False),  # a word for a whole field says nothing
        ("Ailment: [crab]", True),
        ("Ailment : [crab]", True),
        ("Topic:\n[crab]", True),
        ("Ailment, [crab]", False),
        ("Ailment: a [crab]", False),
        ("Scabies: [crab]", False),  # not more general
        ("[crab]: ailment", False),
        ("Animal: [crab]", False),  # of another ontology
    ],
)
def test_a_more_general_name_before_a_colon_announces_a_sense(marked: str, label: bool) -> None:
    text = Text(marked)
    found = [one for one, _ in text.reader._by_label(sense(STACK, *LICE), text.reader._near(text.mention))]
    assert [(one.speaks, one.weight) for one in found] == ([(Speaks.LABEL, 1.0)] if label else [])


# --- cues --------------------------------------------------------------------------------------------------------------------

STRONG, WEAK = 0.6, 0.3


@pytest.mark.parametrize(
    ("marked", "told"),
    [
        ("a contagious thing, the one [crab]", [("contagious", STRONG)]),
        ("the [crab] is contagious", [("contagious", STRONG)]),
        ("contagious [crab]", [("contagious", STRONG)]),
        ("the [crab] needs lotion", [("lotion", WEAK)]),
        ("lotion [crab]", [("lotion", STRONG)]),
        ("lotion for [crab]", [("lotion", STRONG)]),  # it governs the name
        ("lotion for the [crab]", [("lotion", STRONG)]),
        ("lotion for the old [crab]", [("lotion", WEAK)]),
        ("[crab] lotion", [("lotion", WEAK)]),
        ("the lotion. The [crab]", []),
        ("the [crab]. The lotion", []),
        ("the contagious ; an old [crab]", [("contagious", STRONG / 2)]),
        ("the [crab] ; contagious", [("contagious", STRONG / 2)]),
        ("the ; contagious [crab]", [("contagious", STRONG)]),
        ("the ; [crab] contagious", [("contagious", STRONG)]),
        ("the [crab] contagious ; here", [("contagious", STRONG)]),
        ("the contagious [rash bug] rash", [("contagious", STRONG)]),
        ("the swab and virus, the old [crab]", [("swab", STRONG), ("virus", STRONG)]),
        ("the wall and [crab]", []),
    ],
)
def test_cues_of_the_sentence_speak_for_a_sense(marked: str, told: list[tuple[str, float]]) -> None:
    assert Text(marked).cues() == [(word, Speaks.CUE, weight) for word, weight in told]


@pytest.mark.parametrize(
    ("before", "behind", "counts"), [(39, None, True), (40, None, False), (None, 38, True), (None, 39, False)]
)
def test_cues_are_looked_for_within_forty_words(before: int | None, behind: int | None, counts: bool) -> None:
    if before is not None:
        marked = "contagious " + "word " * before + "[crab]"
    else:
        marked = "[crab] " + "word " * (behind or 0) + "contagious"
    assert bool(Text(marked).cues()) is counts


def test_a_concept_without_cues_has_none() -> None:
    text = Text("the contagious [crab]")
    assert list(text.reader._by_cues(text.mention, sense(STACK, *CRAB), Around())) == []


@pytest.mark.parametrize(
    ("marked", "tags", "told"),
    [
        ("she is [bow]", {"she": "PRP"}, ["she"]),
        ("so she was [bow] then", {"she": "PRP"}, ["she"]),
        ("she Is [bow]", {"she": "PRP"}, ["she"]),
        ("wall is [bow]", {"wall": "NN"}, []),
        ("she saw [bow]", {"she": "PRP"}, []),
        ("she is a [bow]", {"she": "PRP"}, []),
        ("is [bow] she", {"she": "PRP"}, []),
        ("a [bow] nurse", {}, ["nurse"]),
        ("a [bow]  nurse", {}, []),
        ("a [bow] old nurse", {}, []),
        ("a nurse [bow]", {}, []),
        ("a [bow] lobster", {}, []),
    ],
)
def test_what_is_said_of_persons_is_said_behind_she_is_or_before_a_person(
    marked: str, tags: dict[str, str], told: list[str]
) -> None:
    assert Text(marked, tags).cues("rainbow") == [(word, Speaks.PERSON, STRONG) for word in told]
    assert Text(marked.replace("bow", "crab"), tags).cues("lice") == []


def test_a_person_may_follow_without_a_gap_but_not_overlap() -> None:
    text = Text("a [bow] nurse", {}, None)
    asked, nurse, end = sense(STACK, 0, "rainbow", "bow"), sense(STACK, 2, "nurse"), text.mention.end
    told = [
        [
            one.speaks
            for one, _ in text.reader._by_cues(text.mention, asked, Around([(mention(end + gap, end + 5, nurse), 1.0, "nurse")]))
        ]
        for gap in (-1, 0, 1, 2)
    ]
    assert told == [[], [Speaks.PERSON], [Speaks.PERSON], []]


# --- counted words -----------------------------------------------------------------------------------------------------------


def words_near(marked: str) -> list[tuple[str, str, int, bool]]:
    text = Text(marked)
    found = text.reader._words_near(text.mention, text.reader._near(text.mention))
    return [(one.word, text.text[one.start : one.end], one.distance, one.inside) for one in found]


@pytest.mark.parametrize(
    ("marked", "near"),
    [
        ("brick [crab] wall", [("brick", "brick", 1, True), ("wall", "wall", 1, True)]),
        ("brick old [crab] old wall", [("brick", "brick", 2, True), ("old", "old", 1, True), ("wall", "wall", 2, True)]),
        ("brick old old brick [crab]", [("brick", "brick", 1, True), ("old", "old", 2, True)]),
        ("brick. Old [crab]. Wall", [("brick", "brick", 3, False), ("old", "Old", 1, True), ("wall", "Wall", 2, False)]),
        ("brick.\n\nold [crab] here\n\nwall", [("old", "old", 1, True)]),
        ("the and [crab] with them", []),  # words of grammar
        ("person infection [crab] test", []),  # words for whole fields
        ("Crabs [crab] crab", []),
        ("ox [crab] cat c4t 123", [("cat", "cat", 1, True)]),
        ("red tide [crab]", [("red tide", "red tide", 2, True)]),
        ("[crab] red tide brick", [("red tide", "red tide", 1, True), ("brick", "brick", 3, True)]),
        ("[red tide] tide red brick", [("brick", "brick", 3, True)]),
        ("a" * 47 + " [crab] " + "b" * 48, [("a" * 47, "a" * 47, 1, True)]),
    ],
)
def test_words_that_may_say_something_are_told_once_where_they_stand_nearest(
    marked: str, near: list[tuple[str, str, int, bool]]
) -> None:
    assert words_near(marked) == near


def test_what_stands_near_shows_no_words_when_it_is_printed() -> None:
    text = Text("the wall, permethrin and [crab]")
    near = text.reader._near(text.mention)
    shown = repr(near) + repr(text.reader._words_near(text.mention, near))
    assert "word at" in shown
    assert not any(word in shown for word in ("wall", "permethrin", "crab>"))


def test_of_two_places_equally_near_the_first_is_told() -> None:
    text = Text("old [crab] old")
    assert [one.start for one in text.reader._words_near(text.mention, Around())] == [0]
    twice = Text("scabies, scabies and [crab]")
    assert [
        one.start for one in twice.reader._evidence(twice.mention, sense(STACK, *LICE), twice.reader._near(twice.mention))
    ] == [0]


def test_twenty_words_before_and_behind_are_asked_about() -> None:
    letters = ["".join(pair) for pair in product("bcdfg", "bcdfg")]
    before, behind = [f"x{pair}" for pair in letters], [f"y{pair}" for pair in letters]
    found = words_near(" ".join([*before, "[crab]", *behind]))
    assert [one[0] for one in found] == [*before[-20:], *behind[:20]]
    assert [one[2] for one in found] == [*range(20, 0, -1), *range(1, 21)]


@pytest.mark.parametrize(
    ("told", "marked", "weights"),
    [
        # What is five words away counts half, and together they count over the root of 1 and the squares of their nearness.
        ({"wall": 2.0}, "wall a b c d [crab]", [("wall", Speaks.KNOWLEDGE, 2.0 * 0.5 * 0.36 / 1.25**0.5)]),
        ({"wall": -2.0}, "wall a b c d [crab]", [("wall", Speaks.STRANGE, -2.0 * 0.5 * 0.36 / 1.25**0.5)]),
        ({"wall": 2.0, "brick": 0.0}, "wall a b c d [crab] a b c d brick", [("wall", Speaks.KNOWLEDGE, 0.36 / 1.5**0.5)]),
        ({"wall": 2.0}, "wall a b c d [crab] a b c d brick", [("wall", Speaks.KNOWLEDGE, 0.36 / 1.25**0.5)]),
        ({"wall": 0.5}, "wall a b c d [crab]", [("wall", Speaks.KNOWLEDGE, 0.5 * 0.5 * 0.36 / 1.25**0.5)]),
        ({}, "wall [crab]", []),
    ],
)
def test_counted_words_say_the_less_the_farther_they_stand_and_the_more_they_are(
    told: dict[str, float], marked: str, weights: list[tuple[str, Speaks, float]]
) -> None:
    text = Text(marked, {}, knowing(**told))
    near = text.reader._words_near(text.mention, Around())
    found = text.told(text.reader._by_knowledge(text.mention, sense(STACK, *LICE), near))
    assert found == [(word, speaks, round(weight, 6)) for word, speaks, weight in weights]


# --- the rest of the text ----------------------------------------------------------------------------------------------------


def elsewhere(marked: str) -> list[tuple[str, Speaks, float]]:
    text = Text(marked)
    return text.told(text.reader._elsewhere(text.mention, sense(STACK, *LICE)))


def test_sure_names_of_the_family_speak_a_little_wherever_they_stand() -> None:
    assert elsewhere("scabies.\n\nThe [crab].\n\nThe comb and lobster, scabies.") == [
        ("scabies", Speaks.KIN, 0.25),
        ("comb", Speaks.BESIDE, 0.25),
    ]
    assert elsewhere("bloom, crabs and [crab]") == []  # ambiguous ones do not
    assert elsewhere("the [lice]") == []  # nor does the name itself
    assert elsewhere("lice[/]lice") == [("lice", Speaks.KIND, 0.25)]
    assert elsewhere("x[/]lice") == [("lice", Speaks.KIND, 0.25)]


def test_what_speaks_from_elsewhere_says_through_what() -> None:
    text = Text("[crab].\n\nlice, scabies, permethrin")
    found = text.reader._elsewhere(text.mention, sense(STACK, *LICE))
    assert [one.through for one in found] == ["protected:lice", "protected:infection", "treats"]


def test_at_most_four_names_speak_from_elsewhere_the_first_ones() -> None:
    found = elsewhere("[crab].\n\nringworm, scabies, comb, herpes, permethrin, lice")
    assert [word for word, *_ in found] == ["ringworm", "scabies", "comb", "herpes"]


@pytest.mark.parametrize(
    ("marked", "total"),
    [
        ("the [crab].\n\nThe scabies", 0.25),
        ("the [crab].\n\nThe scabies and comb", 0.5),
        ("scabies. The [crab].\n\nThe comb", 0.3 + 0.5),  # too little near by: the text is asked, and told of both places
        ("scabies and [crab].\n\nThe comb", 0.5),  # enough: nothing else is asked
        ("scabies, scabies and [crab]", 0.5),  # each word once
        ("scabies. The scabies, [crab]", 0.5),  # where it counts most
        ("the [crab]", 0.0),
    ],
)
def test_the_text_is_asked_where_the_paragraph_says_little(marked: str, total: float) -> None:
    text = Text(marked)
    found = text.reader._evidence(text.mention, sense(STACK, *LICE), text.reader._near(text.mention))
    assert _total(found) == pytest.approx(total)
