"""What may stand in place of a term, and why other things may not, in the toy world of the papers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.knowledge.information import Share
from kgsan.ontology.ontology import Concept, Name, Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sanitize import ladder
from kgsan.sanitize.ladder import Ladders, Rung
from kgsan.sources.records import Records, Scope
from kgsan.text.mentions import Finder, Sense
from tests.conftest import taxonomy
from tests.papers.toy import TOY, WORLD, ContextSets

#: Everything is common here but what the tests call rare.
EVERYDAY = {"common": 19_999, "rare": 20_000, "so": 1, "called": 2, "symptom": 3}


def dictionary(parents: dict[str, str], *further: tuple[str, str], prefix: str = "wn") -> Ontology:
    """An ontology that orders the senses of its words: `further` are words and the concept that is their second sense."""
    records: Records = taxonomy(parents, prefix)
    for word, concept in (("other word", next(iter(parents))), *further):
        records.name(records.concept(f"{prefix}:{concept}"), word, Scope.EXACT, rank=1)
    return Ontology.from_records(records)


PEOPLE = dictionary(
    {
        "being": "",
        "animal": "being",
        "person": "being",
        "worker": "person",
        "actor": "worker",
        "plant": "being",
        "role": "",
        "star": "role, worker",
        "prodigy": "star, animal",
    },
    ("person", "role"),
)
DISEASES = Ontology.from_records(taxonomy({term: above for term, (above, _) in WORLD.items()}))


def sense(ontology: Ontology, word: str, place: int = 0, scope: Scope = Scope.EXACT, rank: int = 0) -> Sense:
    return Sense(ontology.find(word)[0], Name(word, scope, rank), place)


class Guarding:
    """A policy on HIV with its limit at two thirds, and what a test wants to be otherwise."""

    def __init__(self, *sources: ContextSets, stack: OntologyStack | None = None) -> None:
        self.owned: dict[str, str] = {}  #: the names of concepts that are protected
        self.protected: set[str] = set()
        self.too_specific: set[str] = set()
        self.stated: dict[int, Share] = {}
        detector: Any = SimpleNamespace(
            stack=stack or OntologyStack([DISEASES]),
            sensitive=SimpleNamespace(
                entities_of=lambda place, number: self._owners(place, number),
                is_protected=lambda one: one.name.text in self.protected,
            ),
            marker=SimpleNamespace(finder=Finder(stack or OntologyStack([DISEASES]))),
            specificity=SimpleNamespace(allows=lambda name: name not in self.too_specific),
            knowledge=SimpleNamespace(given=sources or (TOY,), sources=sources or (TOY,)),
            inference=SimpleNamespace(
                guarded=[SimpleNamespace(topic="HIV", limit=2 / 3, entity=SimpleNamespace(entity="HIV"))],
                stated=lambda number, place, _: self.stated.get(number) if place == 0 else None,
            ),
        )
        self.ladders = Ladders(detector)

    def _owners(self, place: int, number: int) -> list[Any]:
        names = [owner for concept, owner in self.owned.items() if DISEASES.find(concept)[0].number == number and place == 0]
        return [SimpleNamespace(entity=name) for name in names]

    def because(self, rung: Rung) -> str | None:
        refused = self.ladders.refusal(rung)
        return None if refused is None else refused.because


def named(name: str, concept: str | None = None) -> Rung:
    """A rung with a concept, which knowledge counts under a name of its own."""
    return Rung(name, Concept(f"t:{concept or name}", concept or name, number=0), 0)


@pytest.fixture(autouse=True)
def _known_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "everyday_words", lambda: EVERYDAY)


# --- rungs -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "identifier", "is_named"),
    [
        ("Illinois", "places:1", True),
        ("Chicago", "wn:1", True),
        ("city", "wn:1", False),
        ("HIV", "t:1", False),
        ("", "wn:1", False),
        ("Goldwyn", None, True),
        ("Abel Goldwyn", None, True),
        ("Medical Common", None, False),  # written so, but everyday words
        ("goldwyn", None, False),
        ("", None, False),
    ],
)
def test_a_proper_name_has_a_capital_and_comes_from_a_list_of_places_or_a_dictionary_or_is_no_everyday_word(
    name: str, identifier: str | None, is_named: bool
) -> None:
    rung = Rung(name, None if identifier is None else Concept(identifier, name))
    assert rung.is_named is is_named
    assert rung.place == -1


def test_the_chain_of_each_ontology_follows_that_of_the_one_before_it() -> None:
    stack = OntologyStack([DISEASES, PEOPLE])
    ladders = Guarding(stack=stack).ladders
    hiv, ibuprofen, zidovudine = (DISEASES.find(word)[0].number for word in ("HIV", "ibuprofen", "zidovudine"))
    actor = PEOPLE.find("actor")[0].number
    assert [one.name for one in ladders.above([(0, hiv), (0, ibuprofen)])] == ["entity"]  # of two senses what is true of both
    assert [one.name for one in ladders.above([(0, zidovudine), (0, ibuprofen)])] == ["drug", "entity"]
    rungs = [(one.name, one.place) for one in ladders.above([(0, hiv), (1, actor)])]
    diseases = [("viral infection", 0), ("infection", 0), ("disease", 0), ("entity", 0)]
    assert rungs == [*diseases, ("worker", 1), ("person", 1), ("being", 1)]
    assert all(one.concept is not None and one.concept.name == one.name for one in ladders.above([(0, hiv)]))


# --- persons ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "scope", "rank", "is_dictionary"),
    [
        (1, Scope.PREFERRED, 0, True),
        (1, Scope.EXACT, 0, True),
        (1, Scope.NARROW, 0, False),
        (1, Scope.EXACT, 1, False),
        (0, Scope.EXACT, 0, False),
    ],
)
def test_the_first_sense_of_a_word_in_a_dictionary(place: int, scope: Scope, rank: int, is_dictionary: bool) -> None:
    special = Ontology.from_records(taxonomy({"person": "", "actor": "person"}))
    stack = OntologyStack([special, PEOPLE])
    ladders = Guarding(stack=stack).ladders
    one = sense(stack[place], "actor", place, scope, rank)
    assert ladders.is_dictionary(one) is is_dictionary
    assert ladders.is_person(one) is is_dictionary


def test_a_person_is_what_lies_under_the_first_meaning_of_person() -> None:
    ladders = Guarding(stack=OntologyStack([PEOPLE])).ladders
    persons = {concept.name for concept in PEOPLE if ladders.is_person(sense(PEOPLE, concept.name))}
    assert persons == {"person", "worker", "actor", "star", "prodigy"}
    nobody = dictionary({"being": "", "animal": "being"})
    assert not Guarding(stack=OntologyStack([nobody])).ladders.is_person(sense(nobody, "animal"))


def test_a_word_for_a_person_becomes_the_first_person_that_a_dictionary_has() -> None:
    special = Ontology.from_records(taxonomy({"person": ""}))
    stack = OntologyStack([special, dictionary({"being": ""}), PEOPLE, dictionary({"person": ""}, prefix="other")])
    [rung] = Guarding(stack=stack).ladders.person()
    assert (rung.name, rung.concept, rung.place) == ("person", PEOPLE["wn:person"], 2)
    assert list(Guarding(stack=OntologyStack([special])).ladders.person()) == []


# --- what is refused -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rung", "because"),
    [
        (named("fatigue"), None),
        (named("symptom"), None),
        (named("symptom or sign"), "is a heading, not a word"),
        (named("so so so so so symptom"), "is a heading, not a word"),
        (named("so so so so symptom"), None),
        (named("entity"), "is a heading, not a word"),
        (named("Living things"), "says nothing"),
        (Rung("other fatigue"), None),  # a part of the text is no heading, and its words are those of the text
        (Rung("so so so so so symptom"), None),
        (Rung("action"), "is a word of which nothing is known"),
        (named("common", "fatigue"), None),
        (named("rare", "fatigue"), "is a word that few know"),
        (named("common rare", "fatigue"), "is a word that few know"),
        (named("Common called", "fatigue"), None),
        (named("unheard", "fatigue"), "is a word that few know"),
        (Rung("rare fatigue"), None),
        (Rung("Rare", Concept("wn:fatigue", "fatigue")), None),  # a proper name is known
        (named("common"), "is a word of which nothing is known"),
        (named("rare"), "is a word of which nothing is known"),
        (Rung("unheard"), "is a word of which nothing is known"),
        (named("zidovudine"), "reveals too much of HIV"),
        (named("condom"), "reveals too much of HIV"),  # 4 of 6 bits: the limit is reached
        (named("contraceptive"), None),  # 3 of 6
        (named("common", "zidovudine"), "reveals too much of HIV"),
        (named("rare", "zidovudine"), "reveals too much of HIV"),
        (named("condom", "unheard"), "reveals too much of HIV"),
        (Rung("common zidovudine"), "reveals too much of HIV"),
    ],
)
def test_a_rung_is_refused_for_what_it_says_or_because_nobody_would_understand_it(rung: Rung, because: str | None) -> None:
    assert Guarding().because(rung) == because


def test_what_belongs_to_an_entity_or_says_too_much_is_refused() -> None:
    guarding = Guarding()
    guarding.owned = {"symptom": "symptoms", "disease": "diseases"}
    guarding.too_specific = {"fatigue"}
    symptom = DISEASES.find("symptom")[0]
    assert guarding.because(Rung("symptom", symptom, 0)) == "is protected itself as symptoms"
    assert guarding.because(Rung("symptom", symptom, 1)) is None
    assert guarding.because(Rung("symptom")) is None
    assert guarding.because(Rung("fatigue")) == "says too much"


@pytest.mark.parametrize(
    ("scope", "rank", "is_refused"),
    [(Scope.PREFERRED, 0, True), (Scope.EXACT, 0, True), (Scope.NARROW, 0, False), (Scope.EXACT, 1, False)],
)
def test_words_are_refused_that_name_what_is_protected_first_of_all(scope: Scope, rank: int, is_refused: bool) -> None:
    records = taxonomy({"disease": "", "infection": "disease"})
    records.name(records.concept("t:disease"), "illness", Scope.EXACT, rank=1)
    records.name(records.concept("t:infection"), "plague", scope, rank)
    guarding = Guarding(stack=OntologyStack([Ontology.from_records(records)]))
    guarding.protected = {"plague"}
    expected = "names what is protected" if is_refused else None
    assert guarding.because(Rung("plague symptom")) == expected


def test_a_protected_name_inside_another_name_is_refused_too() -> None:
    guarding = Guarding(stack=OntologyStack([Ontology.from_records(taxonomy({"plague": "", "plague symptom": ""}))]))
    guarding.protected = {"plague"}
    assert guarding.because(Rung("plague symptom")) == "names what is protected"


@pytest.mark.parametrize(("count", "is_common"), [(20, True), (19, False)])
def test_a_name_that_texts_use_is_common(count: int, is_common: bool) -> None:
    known = ContextSets("first", 1024, {"rare": frozenset(range(count))})
    ladders = Guarding(TOY, known).ladders
    assert ladders._is_common(named("rare")) is is_common


def test_sources_are_asked_one_after_the_other_and_one_that_knows_is_enough() -> None:
    empty = ContextSets("empty", 1024, {})
    for sources in ((empty, TOY), (TOY, empty)):
        assert Guarding(*sources).because(named("fatigue")) is None
        assert Guarding(*sources).because(named("common", "fatigue")) is None
        assert Guarding(*sources).because(named("zidovudine")) == "reveals too much of HIV"
    assert Guarding(empty).because(Rung("fatigue")) == "is a word of which nothing is known"


def test_a_refusal_tells_the_share_that_it_goes_by() -> None:
    refused = Guarding().ladders.refusal(named("condom"))
    assert refused is not None
    assert refused.share is not None
    assert refused.share.revealed == pytest.approx(2 / 3)


@pytest.mark.parametrize(("low", "is_refused"), [(0.7, True), (2 / 3, True), (0.6, False)])
def test_what_an_ontology_states_counts_at_least(low: float, is_refused: bool) -> None:
    guarding = Guarding()
    guarding.stated = {0: Share(0.9, low, 3, 4, 6.0, "toy", stated=True)}
    refused = guarding.ladders.refusal(named("fatigue"))
    assert (refused is not None and refused.share is guarding.stated[0]) is is_refused
    assert guarding.because(Rung("fatigue")) is None
    assert guarding.because(Rung("fatigue", Concept("t:fatigue", "fatigue"), 1)) is None
