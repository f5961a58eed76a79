"""Who speaks for a concept: its relatives in the ontology, the words of `cues.txt`, and words by what was counted of them."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import pytest

from kgsan.ontology import names
from kgsan.ontology.stack import OntologyStack
from kgsan.risk.kin import A_PERSON, CUE, Kinship, Speaks, _cue_table, _log_odds
from tests.risk.toy import Counted, mention, number, ontology, sense

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgsan.ontology.ontology import Ontology


def family(own: Ontology, name: str) -> dict[str, tuple[float, Speaks, str]]:
    found = Kinship(OntologyStack([own])).family(0, number(own, name))
    return {own.concept(one).name: told for one, told in found.items()}


#: "drug" is on the fourth level, the first that says what something is about.
DRUGS = """
matter
  substance
    agent
      drug
        street drug
          cocaine
            crack
          heroin
        sedative
      tool
"""


def test_specializations_speak_fully_generalizations_and_siblings_less() -> None:
    assert family(ontology(DRUGS), "cocaine") == {
        "cocaine": (1.0, Speaks.KIND, ""),
        "crack": (1.0, Speaks.KIND, ""),
        "street drug": (0.6, Speaks.ABOVE, ""),
        "heroin": (0.5, Speaks.KIN, "t:street-drug"),
        "drug": (0.6, Speaks.ABOVE, ""),
        "sedative": (0.5, Speaks.KIN, "t:drug"),
    }


def test_the_three_top_levels_say_nothing() -> None:
    assert set(family(ontology(DRUGS), "tool")) == {"tool"}  # "agent" is on the third
    assert set(family(ontology(DRUGS), "sedative")) == {"sedative", "drug", "street drug", "cocaine", "crack", "heroin"}


def test_what_is_related_speaks_fully_and_what_is_related_to_the_same_thing_half() -> None:
    own = ontology(DRUGS + "pipe\nlighter\n", ("tool", "used for", "pipe"), ("lighter", "lights", "pipe"))
    found = family(own, "tool")
    assert found["pipe"] == (1.0, Speaks.RELATED, "used for")
    assert found["lighter"] == (0.5, Speaks.BESIDE, "t:pipe")
    assert found["tool"] == (1.0, Speaks.KIND, "")  # though it is related to what it is related to


def test_what_is_related_to_a_generalization_counts_as_much_as_the_generalization() -> None:
    own = ontology(DRUGS + "raid\n", ("raid", "seizes", "street drug"), ("heroin", "cut with", "raid"))
    assert family(own, "cocaine")["raid"] == (0.6, Speaks.RELATED, "seizes")
    assert family(own, "heroin")["raid"] == (1.0, Speaks.RELATED, "cut with")


@pytest.mark.parametrize(
    ("relation", "other", "told"),
    [
        # A sibling that is related to what is above both counts as that.
        (("street drug", "such as", "heroin"), "heroin", (0.6, Speaks.RELATED, "such as")),
        # A generalization stays what it is, whatever it is related to.
        (("drug", "traded as", "street drug"), "street drug", (0.6, Speaks.ABOVE, "")),
        # What is related itself is that before all else.
        (("cocaine", "cut with", "heroin"), "heroin", (1.0, Speaks.RELATED, "cut with")),
        (("cocaine", "cut with", "drug"), "drug", (1.0, Speaks.RELATED, "cut with")),
        # But a specialization is a kind of it, related or not.
        (("cocaine", "cooked to", "crack"), "crack", (1.0, Speaks.KIND, "")),
    ],
)
def test_whoever_is_a_relative_twice_counts_as_the_nearer(
    relation: tuple[str, str, str], other: str, told: tuple[float, Speaks, str]
) -> None:
    assert family(ontology(DRUGS, relation), "cocaine")[other] == told


def test_the_first_of_two_relations_is_told() -> None:
    own = ontology(DRUGS, ("tool", "cuts", "heroin"), ("tool", "weighs", "heroin"))
    assert family(own, "tool")["heroin"] == (1.0, Speaks.RELATED, "cuts")
    general = ontology(DRUGS + "raid\n", ("drug", "found in", "raid"), ("drug", "lost in", "raid"))
    assert family(general, "sedative")["raid"] == (0.6, Speaks.RELATED, "found in")


def broad(leaves: int) -> Ontology:
    """A taxonomy in which "kind" generalizes so many concepts, one of them "leaf 0"."""
    return ontology("a\n b\n  c\n   kind\n" + "".join(f"    leaf {i}\n" for i in range(leaves)))


@pytest.mark.parametrize(("leaves", "above", "siblings"), [(400, True, 399), (401, True, 0), (3000, True, 0), (3001, False, 0)])
def test_a_whole_field_tells_neither_of_its_members_nor_of_itself(leaves: int, above: bool, siblings: int) -> None:
    found = family(broad(leaves), "leaf 0")
    assert ("kind" in found) is above
    assert len(found) == 1 + above + siblings


@pytest.mark.parametrize(("leaves", "kinds"), [(3000, 3000), (3001, 0)])
def test_specializations_speak_where_they_are_not_too_many(leaves: int, kinds: int) -> None:
    found = family(broad(leaves), "kind")
    assert sum(name.startswith("leaf") for name in found) == kinds
    assert found["kind"] == (1.0, Speaks.KIND, "")


def test_a_hub_of_relations_brings_two_thousand_along() -> None:
    """London has more than a thousand."""
    pairs = [(f"leaf {i}", "in", "hub") for i in range(2050)]
    own = ontology("hub\n" + "".join(f"leaf {i}\n" for i in range(2050)), *pairs)
    beside = [told for told in family(own, "leaf 0").values() if told[1] is Speaks.BESIDE]
    assert beside == [(0.5, Speaks.BESIDE, "t:hub")] * 1999  # and the leaf itself


# --- cues --------------------------------------------------------------------------------------------------------------

PROTECTED = """
disease
  mental disorder
    suicidality
      self-harm
  infection
    sexually transmitted infection
sexual orientation
"""


@pytest.mark.parametrize(
    ("concept", "word", "weight"),
    [
        ("infection", "contagious", CUE),
        ("infection", "lotion", CUE / 2),  # marked with ~
        ("infection", "condom", None),  # said of a special kind only
        ("sexually transmitted infection", "condom", CUE),
        ("sexually transmitted infection", "contagious", CUE),  # said of all infections
        ("sexually transmitted infection", "psychiatrist", None),
        ("sexually transmitted infection", "diagnosed", CUE / 2),
        ("mental disorder", "tablet", CUE),
        ("suicidality", "tablet", CUE),  # weak of itself, but strong of what generalizes it
        ("suicidality", "noose", CUE),
        ("sexual orientation", "girlfriend", CUE),
        ("sexual orientation", "contagious", None),
        ("disease", "contagious", None),
        ("disease", "suffers", CUE / 2),
    ],
)
def test_a_word_is_a_cue_for_a_concept_and_for_all_its_kinds(concept: str, word: str, weight: float | None) -> None:
    own = ontology(PROTECTED, prefix="protected")
    assert Kinship(OntologyStack([own])).cues(0, number(own, concept)).get(names.key(word)) == weight
    assert CUE == 0.6


def test_cues_reach_all_kinds_and_no_others_whatever_stands_beside_them() -> None:
    own = ontology("a\n sore\ndisease\n abscess\n infection\n  boil\n  sore\n wound\nthing\n zest\n", prefix="protected")
    kinship = Kinship(OntologyStack([own]))
    told = {one.name for one in own if names.key("contagious") in kinship.cues(0, one.number)}
    assert told == {"infection", "boil", "sore"}
    assert {identifier.partition(":")[0] for identifier, _ in _cue_table()} == {"protected"}


def test_any_person_is_a_cue_for_what_is_said_of_persons() -> None:
    own = ontology(PROTECTED, prefix="protected")
    kinship = Kinship(OntologyStack([own]))
    assert {one.name for one in own if A_PERSON in kinship.cues(0, one.number)} == {"sexual orientation"}


def test_remarks_and_foreign_concepts_give_no_cues() -> None:
    own = ontology(PROTECTED, prefix="protected")
    kinship = Kinship(OntologyStack([own, ontology(DRUGS)]))
    for concept in own:
        assert not {"#", "words", "inflections", "helps"} & set(kinship.cues(0, concept.number))
    assert kinship.cues(1, 0) == {}


# --- the same concept elsewhere ----------------------------------------------------------------------------------------


def test_a_concept_has_its_counterpart_where_its_preferred_name_surely_means_one() -> None:
    field = ontology("disease\n infection: sepsis\n")
    dictionary = ontology("state\n illness: infection\n tempter: sepsis#1\n")
    second = ontology("thing\n fault: infection#1\n")
    loose = ontology("thing\n germ: ~infection\n worm: <infection\n")
    stack = OntologyStack([field, dictionary, second, loose])
    kinship = Kinship(stack)
    infection = number(field, "infection")
    assert kinship.counterparts(0, infection) == ((0, infection), (1, number(dictionary, "illness")))
    assert kinship.counterparts(1, number(dictionary, "illness")) == ((1, number(dictionary, "illness")),)


def test_of_several_counterparts_in_an_ontology_the_first_is_taken() -> None:
    field, other = ontology("cold"), ontology("thing\n a: cold\n b: cold\n")
    assert Kinship(OntologyStack([field, other])).counterparts(0, 0) == ((0, 0), (1, number(other, "a")))


def test_names_are_compared_without_capitals_and_plural() -> None:
    own = ontology("Crack cocaine: Rocks, ~crack\n")
    assert Kinship(OntologyStack([own])).called(0, 0) == {"crack cocaine", "rock", "crack"}


def test_expressions_are_a_concept_with_its_kinds() -> None:
    own = ontology(
        "a\n sore\ntopic\n disease\n innocent expression\n  pregnant pause\n  sore\n wound\nthing\n zest\n", prefix="protected"
    )
    kinship = Kinship(OntologyStack([own, ontology(DRUGS)]))
    told = {concept.name for concept in own if kinship.is_expression(0, concept.number)}
    assert told == {"innocent expression", "pregnant pause", "sore"}
    assert not any(kinship.is_expression(1, concept.number) for concept in kinship.stack[1])


def test_a_person_is_what_a_dictionary_first_means_by_a_word_for_one() -> None:
    dictionary = ontology(
        "thing\n aide\n  nurse\n person\n  nurse\n  saint: bernard\n thing2\n  person#1\n   first person\n  dog: bernard#1\n"
    )
    vocabulary = ontology("person\n clerk\n")
    stack = OntologyStack([vocabulary, dictionary])
    kinship = Kinship(stack)

    def is_person(*senses: tuple[int, str, str]) -> bool:
        return kinship.is_person(mention(0, 1, *(sense(stack, *one) for one in senses)))

    persons = {one.name for one in dictionary if is_person((1, one.name, one.name)) and one.id != "t:person1"}
    assert persons == {"person", "saint", "nurse"}
    assert is_person((1, "saint", "bernard"))
    assert not is_person((1, "dog", "bernard"))
    assert not is_person((0, "clerk", "clerk"))  # that is no dictionary
    assert is_person((0, "clerk", "clerk"), (1, "dog", "bernard"), (1, "saint", "bernard"))
    assert not is_person((1, "dog", "dog"), (1, "saint", "bernard"))  # the first meaning decides
    assert is_person() is False


# --- what was counted --------------------------------------------------------------------------------------------------

COLD = OntologyStack([ontology("a\n b\n  c\n   illness\n    cold: ~cool\n    cough\n"), ontology("cold\n frost\n")])


def knowing(table: Mapping[str, int | None], contexts: int = 1000) -> Kinship:
    """Knowledge in which the field of the cold has a tenth of all contexts, if nothing else is said."""
    return Kinship(COLD, Counted(contexts, {"<cold>": 100, **table}))


PLACE = 0, number(COLD[0], "cold")


def test_the_field_of_a_concept_is_its_family_here_and_in_its_counterparts() -> None:
    field = knowing({}).field(*PLACE)
    assert field is not None
    assert field.name == "cold"
    assert [[COLD[at].concept(one).name for one in numbers] for at, numbers in enumerate(field.members)] == [
        ["illness", "cold", "cough"],
        ["cold", "frost"],
    ]


def test_there_is_no_field_without_knowledge_of_it() -> None:
    for kinship in (Kinship(COLD), knowing({"<cold>": 0}), knowing({"<cold>": None})):
        assert kinship.field(*PLACE) is None
        assert kinship.chance(*PLACE) == 0.0
        assert kinship.prior(*PLACE, "cold") is None
        assert kinship.leaning(*PLACE, "cold", "sneeze") is None
    assert knowing({}).chance(*PLACE) == 0.1


@pytest.mark.parametrize(
    ("alone", "meant", "prior"),
    [
        (9, 2, -log(3)),  # (2 + 1/2) of (9 + 1): a quarter
        (9, 7, log(3)),
        (9, None, -log(19)),
        (3, 0, -log(7)),
        (4, 4, None),  # nine in ten: it always means it
        (9, 8, log(17 / 3)),
        (0, 0, None),
        (None, None, None),
    ],
)
def test_a_name_means_its_concept_as_often_as_it_was_counted_in_its_field(
    alone: int | None, meant: int | None, prior: float | None
) -> None:
    assert knowing({"cold": alone, "cold + <cold>": meant}).prior(*PLACE, "cold") == pytest.approx(prior)


@pytest.mark.parametrize(
    ("alone", "together", "told"),
    [
        (20, 12, log(12.5 / 2.5)),  # a tenth of 20 was to be expected
        (20, 0, -log(5)),
        (20, None, -log(5)),
        (20, 2, 0.0),  # as expected
        (20, 3, log(3.5 / 2.5)),
        (15, 2, 0.0),  # ln (2.5 / 2) is too little to tell
        (5, 1, log(1.5)),
        (20, 4, log(1.8)),
        (30, 14, log(14.5 / 3.5)),
        (31, 14, 0.0),  # three of a hundred contexts: too common to tell
        (0, 0, None),
        (None, None, None),
    ],
)
def test_a_word_tells_by_how_much_oftener_it_stands_with_the_field_than_expected(
    alone: int | None, together: int | None, told: float | None
) -> None:
    assert knowing({"sneeze": alone, "sneeze + <cold>": together}).leaning(*PLACE, "cold", "sneeze") == pytest.approx(told)


@pytest.mark.parametrize(("together", "told"), [(2000, 4.0), (0, -2.0)])
def test_no_word_tells_all_and_against_a_sense_less_than_for_it(together: int, told: float) -> None:
    rare = {"<cold>": 1000, "sneeze": 2000, "sneeze + <cold>": together}
    assert knowing(rare, 100_000).leaning(*PLACE, "cold", "sneeze") == told


@pytest.mark.parametrize(
    ("beside", "meant", "told"),
    [
        # The prior is 1 to 3 and the word tells 5 to 1, so that 5 of 8 are expected.
        (None, None, log(5)),  # as elsewhere
        (0, 0, log(5)),
        (4, 3, log(2) + log(3)),  # (3 + 5) of (4 + 8): 2 to 1
        (4, None, -log(7 / 5) + log(3)),  # 5 of 12
        (4, 0, -log(7 / 5) + log(3)),
        (4, 4, log(3) + log(3)),
        (28, 0, -log(31 / 5) + log(3)),
    ],
)
def test_what_was_counted_beside_the_name_corrects_what_a_word_tells_elsewhere(
    beside: int | None, meant: int | None, told: float
) -> None:
    table = {
        "cold": 9,
        "cold + <cold>": 2,
        "sneeze": 20,
        "sneeze + <cold>": 12,
        "cold + sneeze": beside,
        "cold + sneeze + <cold>": meant,
    }
    assert knowing(table).leaning(*PLACE, "cold", "sneeze") == pytest.approx(told)


def test_log_odds_are_even_at_a_half_and_never_without_end() -> None:
    assert _log_odds(0.5) == 0.0
    assert _log_odds(0.75) == pytest.approx(log(3))
    assert _log_odds(0.0) == pytest.approx(-_log_odds(1.0))
    assert 6 < _log_odds(1.0) < 10
    assert _log_odds(0.999) < _log_odds(1.0)
