"""A text as terms: what is read as one, what it means, what of it is hidden already, and what may take its place."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Allowed, Denied, Policy, ProtectedEntity
from kgsan.risk.detecting import Detector
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.chains import Counts
from kgsan.sanitize.ladder import Rung
from kgsan.sanitize.spoken import Occurrence, Spoken, united
from kgsan.sources.records import Scope
from kgsan.text.document import Document
from tests.conftest import taxonomy
from tests.papers.toy import TOY, WORLD, ContextSets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kgsan.knowledge.knowledge import Term


def _stack() -> OntologyStack:
    """The toy world with some names that mean several things, and a second base that knows a drug by another class."""
    more = {"gap": "entity", "crack cocaine": "drug", "the runs": "disease", "has gout": "disease"}
    first = taxonomy({term: above for term, (above, _) in WORLD.items()} | more)
    for concept, name, scope in (
        ("gap", "crack", Scope.EXACT),
        ("crack cocaine", "crack", Scope.EXACT),
        ("HIV", "slim", Scope.EXACT),
        ("device", "slim", Scope.EXACT),
        ("fatigue", "blues", Scope.RELATED),
        ("ibuprofen", "brufen", Scope.EXACT),
        ("HIV", "the plague", Scope.EXACT),
    ):
        first.name(first.concept(f"t:{concept}"), name, scope)
    second = taxonomy({"zidovudine": "nucleoside", "nucleoside": "substance", "substance": "", "mask": "substance"}, "u")
    return OntologyStack([Ontology.from_records(first), Ontology.from_records(second)])


STACK = _stack()
#: The toy world, in which somebody also counted a phrase.
MORE = ContextSets("more", 1024, dict(TOY.sets) | {"severe infection": frozenset({1})})


def spoken(
    text: str,
    may_be_said: Callable[[Rung], bool] = lambda _: True,
    *,
    as_written: bool = False,
    hide: str = "that",
    world: ContextSets = TOY,
    **settings: Any,
) -> Spoken:
    made = Policy("toy", "Toy Act", protect=(ProtectedEntity("HIV", hide),), method="csan", strictness=Fraction(3, 2), **settings)
    detector = Detector(made, CombinedKnowledge(STACK, []))
    return Spoken(detector, may_be_said, Counts(world, as_written=as_written), Document(text))


def concept(name: str, place: int = 0) -> Any:
    [found] = [one for one in STACK[place].find(name) if one.name == name]
    return found


def said(made: Spoken, found: Iterable[Occurrence]) -> list[str]:
    """What stands at some places."""
    return [made.document.text[one.start : one.end] for one in found]


def places(text: str, *parts: str) -> list[tuple[int, int]]:
    return [(text.index(part), text.index(part) + len(part)) for part in parts]


# --- stretches -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spans", "stretches"),
    [
        ([], []),
        ([(0, 2)], [(0, 2)]),
        ([(3, 5), (0, 2)], [(0, 2), (3, 5)]),
        ([(0, 2), (2, 4)], [(0, 4)]),
        ([(0, 9), (2, 4)], [(0, 9)]),
        ([(0, 2), (1, 5), (4, 6)], [(0, 6)]),
        ([(0, 1), (5, 6), (6, 8), (7, 7)], [(0, 1), (5, 8)]),
    ],
)
def test_places_that_touch_are_one(spans: list[tuple[int, int]], stretches: list[tuple[int, int]]) -> None:
    assert united(spans) == stretches


TEXT = "He uses a daily zidovudine dose (old) at home."
PHRASE = (10, 31)


def rest(hidden: Sequence[tuple[int, int]], start: int = PHRASE[0], end: int = PHRASE[1]) -> list[str]:
    made = spoken(TEXT)
    return said(made, made._outside(start, end, None, hidden))


def test_the_phrase_of_these_tests_stands_where_they_say() -> None:
    assert TEXT[slice(*PHRASE)] == "daily zidovudine dose"


@pytest.mark.parametrize(
    ("hidden", "left"),
    [
        ([], ["daily zidovudine dose"]),
        (["uses a"], ["daily zidovudine dose"]),
        (["home"], ["daily zidovudine dose"]),
        (["zidovudine"], ["daily", "dose"]),
        (["daily"], ["zidovudine dose"]),
        (["dose"], ["daily zidovudine"]),
        (["daily", "dose"], ["zidovudine"]),
        (["daily zidovudine dose"], []),
        (["uses a daily"], ["zidovudine dose"]),
        (["dose (old) at"], ["daily zidovudine"]),
        (["He uses", "zido", "home"], ["daily", "dose"]),
        (["vudine"], ["daily", "dose"]),
        ([" zidovudine "], ["daily", "dose"]),
        (["uses a "], ["daily zidovudine dose"]),
        ([" (old)"], ["daily zidovudine dose"]),
        (["a d"], ["zidovudine dose"]),
        (["e ("], ["daily zidovudine"]),
    ],
)
def test_of_a_phrase_whole_words_stay_outside_of_what_is_hidden(hidden: list[str], left: list[str]) -> None:
    assert rest(places(TEXT, *hidden)) == left


@pytest.mark.parametrize(
    ("stretch", "words"),
    [
        ("dose (old)", "dose (old"),
        ("dose (", "dose"),
        ("(old) at", "old) at"),
        ("(", None),
        (" ", None),
        ("ose (old", "old"),
        ("daily zido", "daily"),
        ("home.", "home"),
        ("zidovudine", "zidovudine"),
    ],
)
def test_a_stretch_begins_and_ends_with_a_whole_word(stretch: str, words: str | None) -> None:
    made = spoken(TEXT)
    [(start, end)] = places(TEXT, stretch)
    assert said(made, made._stretch(start, end)) == ([] if words is None else [words])


def test_a_number_with_a_point_is_a_whole_word() -> None:
    text = "He took 3.5 mg of 2.5 g."
    made = spoken(text)
    for part in ("3.5 mg", "mg of 2.5"):
        assert said(made, made._stretch(*places(text, part)[0])) == [part]


def test_a_stretch_without_room_or_behind_the_last_word_holds_nothing() -> None:
    made = spoken("He left  ")
    assert said(made, made._stretch(3, 3)) == []
    assert said(made, made._stretch(7, 9)) == []
    assert said(made, made._stretch(9, 9)) == []
    assert said(made, made._stretch(3, 9)) == ["left"]


# --- terms ---------------------------------------------------------------------------------------------------------------------


def test_terms_are_names_and_phrases_in_order() -> None:
    made = spoken("He has HIV and uses a daily zidovudine dose.")
    found = made.terms()
    assert said(made, found) == ["HIV", "daily zidovudine dose", "zidovudine"]
    assert [one.term for one in found] == [concept("HIV"), "daily zidovudine dose", concept("zidovudine")]
    assert said(made, made.noun_phrases()) == ["HIV", "daily zidovudine dose"]


def test_what_is_hidden_is_no_term_and_what_it_breaks_stays_in_parts() -> None:
    text = "He has HIV and uses a daily zidovudine dose."
    made = spoken(text)
    hidden = places(text, "HIV", "zidovudine")
    assert said(made, made.terms(hidden)) == said(made, made.noun_phrases(hidden)) == ["daily", "dose"]


def test_a_phrase_is_a_term_where_it_was_counted_though_a_name_is_its_head() -> None:
    text = "He had a severe infection."
    for world, terms in ((TOY, ["infection"]), (MORE, ["severe infection", "infection"])):
        made = spoken(text, world=world)
        assert said(made, made.terms()) == terms


def test_a_phrase_that_is_only_touched_stays_a_phrase() -> None:
    for hidden in ("uses a ", " (old)"):
        made = spoken(TEXT)
        [whole, *_] = made.noun_phrases(places(TEXT, hidden))
        assert made.parts(whole.term) == ["zidovudine dose", "dose"]


def test_words_of_grammar_are_no_part_of_a_name() -> None:
    text = "He has gout. She has the runs."
    made = spoken(text)
    assert [(one, text[made._trimmed(*one) : one[1]]) for one in places(text, "has gout", "the runs", "She")] == [
        ((3, 11), "gout"),
        ((21, 29), "runs"),
        ((13, 16), "She"),
    ]
    assert made._trimmed(1, 11) == 7
    assert made._trimmed(8, 11) == 8
    assert made._trimmed(len(text), len(text)) == len(text)


def test_a_name_without_its_grammar_means_the_same() -> None:
    made = spoken("She has the runs.")
    [one] = [one for one in made.terms() if made.document.text[one.start : one.end] == "runs"]
    assert [str(term) for term in made.chain(one.term)] == [str(concept("disease")), str(concept("entity"))]


@pytest.mark.parametrize(
    ("text", "part", "read"),
    [
        ("A viral\n  infection.", "viral\n  infection", "viral infection"),
        ("A zidovu\u00addine pill.", "zidovu\u00addine", "zidovudine"),
        ("He left", "left", "left"),
        ("A type B virus.", "type B", "type B"),
        ("He left  \n ", "left  ", "left"),
        ("He left  \n ", "  \n ", ""),
    ],
)
def test_words_are_read_as_a_reader_reads_them(text: str, part: str, read: str) -> None:
    [(start, end)] = places(text, part)
    assert spoken(text)._read(start, end) == read


# --- meanings ------------------------------------------------------------------------------------------------------------------


def meant(text: str, part: str, **settings: Any) -> Term:
    [(start, end)] = places(text, part)
    return spoken(text, **settings).term(start, end)


def test_a_name_means_the_one_concept_that_has_it_if_that_was_counted() -> None:
    assert meant("He has HIV.", "HIV") == concept("HIV")
    assert meant("He takes brufen.", "brufen") == concept("ibuprofen")
    assert meant("He wears a mask.", "mask") == "mask"
    assert meant("He has HIV.", "HIV", as_written=True) == "HIV"


def test_of_several_meanings_none_is_taken_unless_one_is_protected() -> None:
    assert meant("He smokes crack daily.", "crack") == "crack"
    assert meant("He has slim now.", "slim") == concept("HIV")


@pytest.mark.parametrize(("fits", "term"), [("HIV", "HIV"), ("device", "device"), ("neither", None)])
def test_where_one_of_several_meanings_is_protected_the_context_decides(
    monkeypatch: pytest.MonkeyPatch, fits: str, term: str | None
) -> None:
    monkeypatch.setattr(Spoken, "_is_meant", lambda self, mention, sense: sense.concept.name == fits)
    assert meant("He has slim now.", "slim") == ("slim" if term is None else concept(term))


def test_a_name_that_is_only_close_means_nothing_by_itself() -> None:
    assert meant("She has the blues.", "blues") == "blues"


def test_the_first_base_that_knows_a_name_decides() -> None:
    assert meant("He takes zidovudine.", "zidovudine") == concept("zidovudine")


def test_the_same_words_are_one_term_as_they_were_written_first() -> None:
    text = "Old Town is far. He left old town. Old  town is his."
    made = spoken(text)
    found = [made.term(start, end) for start, end in places(text, "Old Town", "old town", "Old  town")]
    assert found == ["Old Town"] * 3


def test_a_meaning_that_is_given_is_taken_unless_names_are_counted_as_written() -> None:
    text = "He smokes crack daily."
    [(start, end)] = places(text, "crack")
    assert spoken(text).term(start, end, meaning=concept("gap")) == concept("gap")
    assert spoken(text, as_written=True).term(start, end, meaning=concept("gap")) == "crack"


# --- what names an entity ------------------------------------------------------------------------------------------------------


def test_what_names_an_entity_is_told_with_its_marks() -> None:
    text = "He has HIV. She has AIDS. They use a condom."
    made = spoken(text)
    found = made.named()
    assert said(made, found) == ["HIV", "AIDS"]
    assert [one.term for one in found] == [concept("HIV"), concept("AIDS")]
    assert all(mark.rule is Rule.NAMING for marks in found.values() for mark in marks)
    assert [(mark.start, mark.end) for marks in found.values() for mark in marks] == places(text, "HIV", "AIDS")


@pytest.mark.parametrize(
    ("hidden", "left"),
    [
        (["HIV"], ["AIDS"]),
        (["AIDS"], ["HIV"]),
        (["has HIV."], ["AIDS"]),
        (["HIV", "AIDS"], []),
        (["HI"], ["HIV", "AIDS"]),
        (["IV"], ["HIV", "AIDS"]),
        (["He", "AIDS"], ["HIV"]),
        (["He", "They"], ["HIV", "AIDS"]),
        (["has "], ["HIV", "AIDS"]),
        (["has ", "HIV"], ["AIDS"]),
    ],
)
def test_what_names_an_entity_and_is_hidden_whole_is_not_told(hidden: list[str], left: list[str]) -> None:
    text = "He has HIV. She has AIDS. They use a condom."
    made = spoken(text)
    assert said(made, made.named(places(text, *hidden))) == left


def test_a_mark_that_names_something_begins_without_words_of_grammar_and_no_other_does() -> None:
    text = "He has the plague and the boat."
    made = spoken(text, deny=(Denied("the boat", "tells his trade", "HIV"),))
    assert [text[mark.start : mark.end] for mark in made.marks] == ["plague", "the boat"]
    assert [one.term for one in made.named()] == [concept("HIV")]


def test_what_is_found_for_another_reason_names_nothing() -> None:
    made = spoken("He has HIV and a boat.", deny=(Denied("boat", "tells his trade", "HIV"),))
    assert len({mark.rule for mark in made.marks}) == 2
    assert said(made, made.named()) == ["HIV"]


# --- phrases -------------------------------------------------------------------------------------------------------------------


def test_the_phrase_over_terms_is_told_with_them_and_a_term_in_none_alone() -> None:
    text = "He uses a daily zidovudine dose and HIV now."
    made = spoken(text)
    parts = places(text, "zidovudine", "dose", "HIV", "now")
    ones = [Occurrence(start, end, made.term(start, end)) for start, end in parts]
    found = made.phrases_over(ones)
    assert said(made, found) == ["daily zidovudine dose", "HIV", "now"]
    assert [said(made, inside) for inside in found.values()] == [["zidovudine", "dose"], ["HIV"], ["now"]]
    assert next(iter(found)).term == "daily zidovudine dose"


def test_a_term_before_all_phrases_or_across_one_stands_for_itself() -> None:
    text = "He uses a daily zidovudine dose."
    made = spoken(text)
    for part in ("He", "uses", "dose.", "a daily"):
        [(start, end)] = places(text, part)
        one = Occurrence(start, end, "x")
        assert made.phrases_over([one]) == {one: [one]}


# --- what stays ----------------------------------------------------------------------------------------------------------------


def test_what_the_policy_allows_is_no_term() -> None:
    text = "He takes Ibuprofen and zidovudine."
    made = spoken(text, allow=(Allowed("ibuprofen", "it is sold to everyone"),))
    assert said(made, made.terms()) == ["zidovudine"]


@pytest.mark.parametrize(
    ("text", "negated", "terms"),
    [
        ("He has no HIV.", "hide", ["HIV"]),
        ("He has no HIV.", "keep", []),
        ("He has HIV.", "keep", ["HIV"]),
        ("He has no fatigue.", "keep", ["fatigue"]),
        ("He has no slim.", "keep", []),
    ],
)
def test_what_is_denied_stays_where_the_policy_keeps_it_and_it_is_protected(text: str, negated: str, terms: list[str]) -> None:
    made = spoken(text, negated=negated)
    assert said(made, made.terms()) == terms


# --- what may take their place -------------------------------------------------------------------------------------------------


def chain(text: str, part: str, **settings: Any) -> list[str]:
    [(start, end)] = places(text, part)
    made = spoken(text, **settings)
    return [str(term) for term in made.chain(made.term(start, end))]


def names(*found: tuple[str, int]) -> list[str]:
    return [str(concept(name, place)) for name, place in found]


def test_the_chain_of_a_term_goes_up_in_every_base_that_knows_it() -> None:
    assert chain("He takes zidovudine.", "zidovudine") == names(
        ("antiretroviral", 0), ("drug", 0), ("entity", 0), ("nucleoside", 1), ("substance", 1)
    )
    assert chain("He has a mask.", "mask") == names(("substance", 1))
    assert chain("He left home.", "home") == []


def test_what_may_not_be_said_is_no_link_of_the_chain() -> None:
    found = chain("He takes zidovudine.", "zidovudine", may_be_said=lambda rung: rung.name not in ("drug", "substance"))
    assert found == names(("antiretroviral", 0), ("entity", 0), ("nucleoside", 1))


def test_of_several_meanings_in_one_base_the_first_that_fits_leads_up() -> None:
    assert chain("He smokes crack daily.", "crack") == names(("drug", 0), ("entity", 0))


def test_a_concept_leads_up_from_where_it_is_at_home_without_being_met() -> None:
    made = spoken("He left home.")
    assert list(made.chain(concept("nucleoside", 1))) == [concept("substance", 1)]
    assert list(made.chain(concept("drug"))) == [concept("entity")]


def test_a_concept_that_was_met_goes_up_from_itself_and_in_other_bases_by_its_name() -> None:
    text = "He takes zidovudine."
    [(start, end)] = places(text, "zidovudine")
    made = spoken(text)
    made.term(start, end, meaning=concept("gap"))
    found = list(made.chain(concept("gap")))
    assert found == [concept("entity"), concept("nucleoside", 1), concept("substance", 1)]


def test_a_phrase_is_shortened_from_the_left_without_what_may_not_be_said() -> None:
    text = "He uses a daily zidovudine dose."
    made = spoken(text, lambda rung: "zidovudine" not in rung.name)
    [whole] = made.noun_phrases()
    assert made.parts(whole.term) == ["zidovudine dose", "dose"]
    assert made.shorter(whole.term) == ["dose"]
    assert made.parts("never met") == made.shorter("never met") == []


def test_a_part_of_a_phrase_that_names_something_leads_up_from_there() -> None:
    made = spoken("He had a severe viral infection.")
    [whole] = made.noun_phrases()
    parts = made.parts(whole.term)
    assert parts == ["viral infection", "infection"]
    assert list(made.chain(parts[1])) == [concept("disease"), concept("entity")]


def test_a_part_is_spelled_as_it_was_first() -> None:
    text = "Dose is low. He uses a daily dose."
    made = spoken(text)
    made.term(*places(text, "Dose")[0])
    [whole] = [one for one in made.noun_phrases() if text[one.start : one.end] == "daily dose"]
    assert made.parts(whole.term) == ["Dose"]


# --- words ---------------------------------------------------------------------------------------------------------------------


def test_a_term_is_said_by_its_name_or_as_the_rung_it_was_offered_as() -> None:
    made = spoken("He takes zidovudine.")
    assert made.rung("old town") == Rung("old town")
    assert made.rung(concept("drug")) == Rung("drug")
    [one] = made.terms()
    list(made.chain(one.term))
    assert made.rung(concept("drug")) == Rung("drug", concept("drug"), 0)
    assert made.rung(concept("substance", 1)) == Rung("substance", concept("substance", 1), 1)


def test_a_label_of_another_tool_is_said_where_a_base_knows_it() -> None:
    made = spoken("He left home.")
    assert made.label("no such label") is None
    assert made.label("substance") == concept("substance", 1)
    assert made.rung(concept("substance", 1)) == Rung("substance", concept("substance", 1), 1)
    assert made.label("drug") == concept("drug")
    assert made.rung(concept("drug")) == Rung("drug", concept("drug"), 0)


def test_of_several_concepts_with_a_label_the_first_is_said() -> None:
    made = spoken("He left home.")
    first, second = STACK.find("crack")
    assert made.label("crack") == first
    assert made.rung(first) == Rung(first.name, first, 0)
    assert made.rung(second) == Rung(second.name)
    assert made.label("zidovudine") == concept("zidovudine")
    assert made.rung(concept("zidovudine")) == Rung("zidovudine", concept("zidovudine"), 0)


def test_a_label_that_would_tell_what_must_not_show_is_not_said() -> None:
    assert spoken("He left home.").label("HIV") is None
    assert spoken("He left home.").label("AIDS") is None
    assert spoken("He left home.", hide="which").label("HIV") == concept("HIV")


def test_nothing_printed_shows_a_word() -> None:
    made = spoken("He has HIV.")
    assert "HIV" not in repr(made) + repr(made.terms())
