"""What a part of a text is known by: its senses, its ladder, and the phrase it is cut from."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.ontology.ontology import Name
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.choices import Choices, _touched
from kgsan.sanitize.result import Action
from kgsan.sanitize.ways import _is_plural, _mention_at
from kgsan.sanitize.wording import Piece
from kgsan.sources.records import Scope
from tests.sanitize.written_ladders import NUMBERS, Every, Ladders, Toy, sense

if TYPE_CHECKING:
    from kgsan.text.mentions import Sense

# --- ladders -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [Rule.IDENTIFIER, Rule.DENY])
def test_every_identifier_is_a_choice_of_its_own_and_black(rule: Rule) -> None:
    toy = Toy("The HIV of HIV.")
    toy.choices.add([toy.found("HIV", rule, "name"), toy.found("HIV", rule, "name", nth=1)])
    assert toy.names() == [("HIV", None), ("HIV", None)]
    assert len(toy.choices._choices) == 2


def test_an_identifier_that_also_names_something_has_a_ladder() -> None:
    toy = Toy("The HIV came.")
    toy.choices.add([toy.found("HIV", Rule.IDENTIFIER, "place", sense=sense("HIV"))])
    assert toy.names() == [("HIV", "viral infection")]


def test_a_mark_over_a_name_that_is_an_identifier_is_black() -> None:
    toy = Toy("The HIV came.")
    toy.choices.add([toy.found("HIV", Rule.SPANS), toy.found("The HIV", Rule.IDENTIFIER, "name")])
    assert toy.names() == [("The HIV", None)]


@pytest.mark.parametrize(
    ("text", "words", "name"),
    [
        ("She came quickly home.", "quickly", None),
        ("They had HIV.", "had HIV", None),  # begins with a verb: no noun can stand for it
        ("She saw HIV.", "HIV", "viral infection"),
    ],
)
def test_only_what_is_used_as_a_noun_becomes_something_more_general(text: str, words: str, name: str | None) -> None:
    toy = Toy(text)
    toy.choices.add([toy.found(words, Rule.SPANS, sense=sense("zidovudine") if words == "quickly" else None)])
    assert toy.names() == [(words, name)]


def test_words_that_no_mention_has_take_the_ladder_of_what_they_are_said_to_name() -> None:
    toy = Toy("The virus came.")
    toy.choices.add([toy.found("virus", sense=sense("HIV"))])
    assert toy.names() == [("virus", "viral infection")]


def test_a_phrase_of_which_nothing_is_known_is_shortened_until_something_is() -> None:
    toy = Toy("She has chronic fatigue.").add("chronic fatigue", rule=Rule.INFERENCE)
    assert toy.shown == "She has fatigue."
    [one] = toy.choices.decisions(toy.rewritten)
    assert (one.action, one.replacement, one.concept) == (Action.SHORTENED, "fatigue", None)
    assert toy.answer("fatigue") == "She has a symptom."
    assert toy.answer("symptom") == "She has [REDACTED]."


def test_a_phrase_is_cut_word_by_word_and_no_further_than_to_a_known_name() -> None:
    toy = Toy("She has severe chronic tiredness.").add("severe chronic tiredness", rule=Rule.INFERENCE)
    assert toy.names() == [("severe chronic tiredness", "chronic tiredness")]
    toy.answer("chronic tiredness")
    assert toy.names() == [("severe chronic tiredness", "tiredness")]
    toy.answer("tiredness")
    assert toy.names() == [("severe chronic tiredness", None)]
    toy = Toy("She has curable breast cancer.").add("curable breast cancer", rule=Rule.INFERENCE)
    rungs = [toy.names()[0][1]]
    for _ in range(2):
        toy.choices.answer([replace(toy.found("curable"), start=8, end=9)], toy.rewritten, None, redact=False)  # type: ignore[arg-type]
        rungs.append(toy.names()[0][1])
    assert rungs == ["breast cancer", "tumor", None]


def test_a_phrase_that_names_something_is_not_shortened() -> None:
    toy = Toy("She has breast cancer.").add("breast cancer", rule=Rule.INFERENCE)
    assert [toy.names()[0][1], toy.answer("tumor")] == ["tumor", "She has [REDACTED]."]


def test_words_are_told_apart_by_what_they_say_and_by_what_they_are_first_said_to_name() -> None:
    toy = Toy("She had severe tiredness and chronic weariness.").add("severe tiredness", "chronic weariness", rule=Rule.INFERENCE)
    assert toy.names() == [("severe tiredness", "tiredness"), ("chronic weariness", "weariness")]
    toy = Toy("The virus met the virus.")
    toy.choices.add([toy.found("virus", sense=sense("HIV")), toy.found("virus", nth=1, sense=sense("zidovudine"))])
    assert toy.names() == [("virus", "viral infection"), ("virus", "antiviral drug")]
    alone, both = ([toy.found("virus", sense=sense(word)) for word in words] for words in (["HIV"], ["HIV", "fatigue"]))
    assert toy.choices.ways.ladder((4, 9), alone)[0] == toy.choices.ways.ladder((4, 9), both)[0]


@pytest.mark.parametrize(("identifier", "expected"), [("geography", ["symptom"]), ("name", []), ("minor", [])])
def test_one_name_over_an_identifier_is_enough_for_a_ladder_unless_somebody_is_called_so(
    identifier: str, expected: list[str]
) -> None:
    toy = Toy("The virus came.")
    mixed = [toy.found("virus", Rule.IDENTIFIER, identifier), toy.found("virus", sense=sense("fatigue"))]
    assert [rung.name for rung in toy.choices.ways.ladder((4, 9), mixed)[1]] == expected


def test_a_name_that_is_only_a_part_of_an_identifier_lends_it_no_ladder() -> None:
    toy = Toy("The virus came.")
    mixed = [toy.found("The virus", Rule.IDENTIFIER, "geography"), toy.found("virus", sense=sense("fatigue"))]
    assert list(toy.choices.ways.ladder((0, 9), mixed)[1]) == []


def test_unless_it_is_asked_for_nothing_is_blacked_out_at_once() -> None:
    toy = Toy("He has HIV.")
    plain = Choices(toy.choices._detector, toy.choices._ladders, toy.choices._found)
    plain.add([toy.found("HIV")])
    assert [name for _, name in plain.changed()] == ["viral infection"]


# --- which senses --------------------------------------------------------------------------------------------------------------

HIV, ACTOR, CANCER = sense("HIV"), sense("actor"), sense("breast cancer")
SECOND = sense("HIV", rank=1)
NARROW, BROAD = sense("HIV", Scope.NARROW), sense("zidovudine", Scope.BROAD)
PLACE = sense("fatigue", prefix="places")
LATER = sense("actor", ontology=1)
PLURAL = replace(sense("zidovudine"), name=Name("Effects", Scope.EXACT))


@pytest.mark.parametrize(
    ("senses", "named", "counting", "dictionary", "people", "expected"),
    [
        ((HIV, CANCER), [], (), (), (), ([HIV], False)),
        ((HIV, CANCER), [CANCER], (), (), (), ([CANCER], False)),
        ((HIV,), [CANCER], (), (), (), ([HIV], False)),
        ((PLACE, HIV), [], (), (), (), ([HIV], False)),  # a place by that name is the last that is meant
        ((LATER, HIV), [], (), (), (), ([HIV], False)),  # the first ontology speaks first
        ((PLURAL, HIV), [], (), (), (), ([HIV], False)),
        ((SECOND, CANCER), [], (), (), (), ([CANCER], False)),  # the first sense of a word, and its own names
        ((NARROW, CANCER), [], (), (), (), ([CANCER], False)),
        ((NARROW, BROAD), [], (BROAD,), (), (), ([BROAD], False)),  # among uncertain ones the context decides
        ((NARROW, BROAD), [], (), (), (), ([], False)),
        ((HIV, ACTOR), [], (), (ACTOR,), (ACTOR,), ([], True)),  # a word for a person becomes a person
        ((ACTOR, HIV), [], (), (ACTOR,), (ACTOR,), ([ACTOR], True)),
        ((ACTOR, HIV), [], (), (ACTOR, HIV), (HIV,), ([ACTOR], False)),
        ((PLURAL, HIV), [], (), (PLURAL, HIV), (HIV,), ([HIV], True)),
    ],
)
def test_the_sense_that_is_named_or_first_speaks_and_a_word_for_a_person_becomes_one(
    senses: tuple[Sense, ...],
    named: list[Sense],
    counting: tuple[Sense, ...],
    dictionary: tuple[Sense, ...],
    people: tuple[Sense, ...],
    expected: tuple[list[Sense], bool],
) -> None:
    choices = Toy("The HIV came.").choices
    choices.ways._ladders = Ladders(people=frozenset(people), dictionary=frozenset(dictionary))  # type: ignore[assignment]
    reading: Any = choices._found.reading
    reading.every = Every([SimpleNamespace(start=4, end=7, senses=senses)])
    reading.verdict = lambda _, one: SimpleNamespace(counts=one in counting)
    found, person = expected
    assert choices.ways._senses((4, 7), named) == ([(one.ontology, one.concept.number) for one in found], person)


def test_senses_that_mean_the_same_follow_the_first() -> None:
    choices = Toy("The HIV came.").choices
    reading: Any = choices._found.reading
    reading.every = Every([SimpleNamespace(start=4, end=7, senses=(HIV, CANCER, ACTOR))])
    reading.senses.meanings = lambda own, _: ([own, ACTOR, LATER], [CANCER])
    assert choices.ways._senses((4, 7), []) == ([(0, NUMBERS["HIV"]), (1, NUMBERS["actor"])], False)  # one of each ontology


def test_a_word_of_several_meanings_in_a_dictionary_is_all_of_them_unless_it_is_nearly_always_the_first() -> None:
    choices = Toy("The HIV came.").choices
    reading: Any = choices._found.reading
    screening, mother = (replace(HIV, name=Name(word, Scope.EXACT)) for word in ("screening", "mother"))
    for first, expected in ((screening, [HIV, CANCER]), (mother, [HIV])):
        reading.every = Every([SimpleNamespace(start=4, end=7, senses=(first, CANCER))])
        choices.ways._ladders = Ladders(dictionary=frozenset({first, CANCER}))  # type: ignore[assignment]
        assert choices.ways._senses((4, 7), []) == ([(0, one.concept.number) for one in expected], False)


@pytest.mark.parametrize(("people", "person"), [(1, False), (2, True), (3, True)])
def test_a_word_is_one_for_a_person_if_the_first_and_half_of_its_meanings_are(people: int, person: bool) -> None:
    choices = Toy("The HIV came.").choices
    reading: Any = choices._found.reading
    all_senses = [replace(one, name=Name("supporter", Scope.EXACT)) for one in (HIV, ACTOR, CANCER, sense("fatigue"))]
    reading.every = Every([SimpleNamespace(start=4, end=7, senses=tuple(all_senses))])
    ladders = Ladders(people=frozenset(all_senses[:people]), dictionary=frozenset(all_senses))
    choices.ways._ladders = ladders  # type: ignore[assignment]
    meant = all_senses[:people] if person else all_senses
    assert choices.ways._senses((4, 7), []) == ([(0, one.concept.number) for one in meant], person)


def test_what_a_name_is_only_close_to_lends_it_no_rungs_and_a_shorter_name_of_the_same_concept_does() -> None:
    choices = Toy("The HIV came.").choices
    reading: Any = choices._found.reading
    reading.every = Every([SimpleNamespace(start=4, end=7, senses=(CANCER, HIV))])
    assert choices.ways._senses((4, 7), [sense("HIV", Scope.RELATED)]) == ([(0, CANCER.concept.number)], False)
    longer = replace(HIV, name=Name("the HIV", Scope.AMBIGUOUS))
    assert choices.ways._senses((4, 7), [longer]) == ([(0, HIV.concept.number)], False)


def test_what_is_not_true_of_the_words_is_no_rung() -> None:
    choices = Toy("The HIV came.").choices
    choices.ways._ladders = Ladders(untrue=frozenset({"infection"}))  # type: ignore[assignment]
    rungs = choices.ways._rungs((4, 7), None, [(0, NUMBERS["HIV"])], False)
    assert [one.name for one in rungs] == ["viral infection", "disease"]


def test_the_rungs_of_a_person_end_with_a_person() -> None:
    choices = Toy("The actor came.").choices
    rungs = choices.ways._rungs((4, 9), None, [(0, NUMBERS["actor"])], True)
    assert [one.name for one in rungs] == ["worker", "person"]
    phrase = choices._found.terms[0]
    assert phrase.phrase is not None
    assert [one.name for one in choices.ways._rungs((4, 9), phrase, [], True)] == ["person"]


@pytest.mark.parametrize(("word", "plural"), [("effects", True), ("Effects", True), ("effect", False), ("HIV", False)])
def test_a_word_that_a_dictionary_has_in_the_plural(word: str, plural: bool) -> None:
    assert _is_plural(replace(HIV, name=Name(word, Scope.EXACT))) is plural


def test_a_mention_is_found_by_exactly_its_place() -> None:
    mentions: list[Any] = [
        SimpleNamespace(start=start, end=end) for start, end in ((0, 3), (5, 6), (5, 9), (5, 12), (7, 9), (12, 15))
    ]
    every: Any = Every(mentions)
    for one in mentions:
        assert _mention_at(every, (one.start, one.end)) is one
    for span in ((0, 6), (5, 10), (5, 15), (4, 9), (1, 3), (12, 14), (20, 21)):
        assert _mention_at(every, span) is None


def test_pieces_are_touched_that_share_a_letter() -> None:
    pieces = [Piece(start, end, start, end, ()) for start, end in ((0, 3), (5, 8), (8, 10), (12, 15))]
    for start in range(16):
        for end in range(start + 1, 17):
            expected = [one for one in pieces if one.new_start < end and start < one.new_end]
            assert list(_touched(pieces, start, end)) == expected
