"""Why a term is hidden or not, sentence by sentence, in the toy world of the papers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Allowed, Denied, Policy, ProtectedEntity
from kgsan.policy.read import load_policy
from kgsan.sanitize.reasons import reasons
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sources.records import Scope
from tests.conftest import taxonomy
from tests.papers.toy import TOY, WORLD, ContextSets


@cache
def stack() -> OntologyStack:
    records = taxonomy({term: above for term, (above, _) in WORLD.items()} | {"flu": "infection", "grippe": "infection"})
    records.name(records.concept("t:HIV"), "the slim", Scope.NARROW)
    records.name(records.concept("t:HIV"), "human virus", Scope.EXACT)
    records.name(records.concept("t:flu"), "ague", rank=1)
    records.name(records.concept("t:flu"), "quartan", Scope.NARROW)
    records.name(records.concept("t:flu"), "influenza", Scope.EXACT)
    for number, concept in enumerate(("flu", "grippe", "fatigue", "symptom")):
        records.name(records.concept(f"t:{concept}"), "cold", rank=number)
    return OntologyStack([Ontology.from_records(records)])


def sanitizer(*protect: ProtectedEntity, sources: tuple[ContextSets, ...] = (TOY,)) -> Sanitizer:
    policy = Policy(
        "toy",
        "Toy Act",
        protect=protect,
        strictness=Fraction(3, 2),
        allow=(Allowed("Ibuprofens", "It is sold everywhere."),),
        deny=tuple(Denied(word, "is the name of a trial") for word in ("bluebird", "ague", "quartan", "influenza")),
    )
    return Sanitizer(policy, stack(), CombinedKnowledge(stack(), sources))


@cache
def of_hiv() -> Sanitizer:
    return sanitizer(ProtectedEntity("HIV", because="Toy Act § 1."))


VIRAL = "  viral infection: refused, it reveals too much of HIV (67 %)"  # 4 of 6 bits
INFECTION = "  infection: stands in its place, unless its neighbors make that tell too much"
BLACK = "  Nothing more general is safe: it is blacked out."
UNSEEN = "  No source of knowledge has seen it together with what is protected."
DOUBT = "The word may mean something else, so it counts only where its context speaks for this."


def not_hidden(term: str, meant: str) -> str:
    return f"'{term}' is not hidden: it means {meant}, and nothing of that is protected."


def reveals(share: int, of: str, more: str = "") -> str:
    return f"  It reveals {share} % of what 'HIV' says ({of} contexts); 67 % would be too much{more}."


@pytest.mark.parametrize(
    ("term", "told"),
    [
        ("ibuprofen", ["'ibuprofen' may stay: It is sold everywhere."]),
        ("HIV", ["'HIV' is hidden as HIV: it names HIV (HIV; test). Toy Act § 1.", VIRAL, INFECTION]),
        (
            "AIDS ",
            [
                "'AIDS ' is hidden as HIV: it names AIDS (AIDS > HIV; test). Toy Act § 1.",
                "  HIV: refused, it is protected itself as HIV",
                VIRAL,
                INFECTION,
            ],
        ),
        ("the slim", [f"'the slim' is hidden as HIV: it names HIV (HIV; test). {DOUBT} Toy Act § 1.", VIRAL, INFECTION]),
        (
            "zidovudine",
            [
                "'zidovudine' is hidden: it reveals 100 % of what 'HIV' says (4 of its 4 contexts in toy world).",
                "  antiretroviral: refused, it reveals too much of HIV (100 %)",
                "  drug: stands in its place, unless its neighbors make that tell too much",
            ],
        ),
        ("human virus", ["'human virus' is hidden as HIV: it names HIV (HIV; test). Toy Act § 1.", VIRAL, INFECTION]),
        ("influenza", ["'influenza' is hidden: it is the name of a trial.", INFECTION]),
        ("ague", ["'ague' is hidden: it is the name of a trial.", BLACK]),  # means the flu in its second sense only
        ("quartan", ["'quartan' is hidden: it is the name of a trial.", BLACK]),  # means something more special
        ("bluebird", ["'bluebird' is hidden: it is the name of a trial.", BLACK]),
        ("fatigue", [not_hidden("fatigue", "fatigue"), reveals(33, "4 of its 64")]),
        ("device", [not_hidden("device", "device"), reveals(0, "4 of its 256")]),
        ("entity", [not_hidden("entity", "entity"), reveals(0, "16 of its 1,024")]),
        ("condom", [not_hidden("condom", "condom"), reveals(67, "4 of its 16", ", which too few contexts show to count")]),
        ("flu", [not_hidden("flu", "flu"), UNSEEN]),
        ("cold", [not_hidden("cold", "flu, grippe, fatigue"), UNSEEN]),
        ("unheard", ["'unheard' is not hidden: no ontology knows it, and it looks like no identifier.", UNSEEN]),
        (
            "chronic fatigue",  # counted by its last word
            [
                "'chronic fatigue' is not hidden: no ontology knows it, and it looks like no identifier.",
                reveals(33, "4 of its 64"),
            ],
        ),
    ],
)
def test_every_term_is_explained(term: str, told: list[str]) -> None:
    assert list(reasons(term, of_hiv())) == told


@pytest.mark.parametrize("term", ["AIDS test", "test AIDS"])
def test_a_protected_name_inside_a_term_hides_a_part_of_it(term: str) -> None:
    assert next(iter(reasons(term, of_hiv()))) == f"'{term}' is hidden in part: it names AIDS, which is protected as HIV."


def test_what_speaks_against_an_entity_reveals_nothing_of_it() -> None:
    # A quarter of all contexts have a symptom, and of those with a drug less than a tenth.
    told = list(reasons("drug", sanitizer(ProtectedEntity("symptom"))))
    assert told[1] == "  It reveals 0 % of what 'symptom' says (12 of its 128 contexts); 67 % would be too much."


def test_a_term_of_several_entities_is_told_under_each_and_without_a_law_the_sentence_ends() -> None:
    both = sanitizer(ProtectedEntity("HIV"), ProtectedEntity("viral infection"))
    told = list(reasons("HIV", both))
    path = "HIV > viral infection; test"
    assert told[:2] == [f"'HIV' is hidden as {name}: it names HIV ({path})." for name in ("HIV", "viral infection")]
    assert told[2] == "  viral infection: refused, it is protected itself as viral infection"


def test_of_several_protected_senses_the_first_is_told() -> None:
    told = list(reasons("cold", sanitizer(ProtectedEntity("flu"), ProtectedEntity("grippe"))))
    assert told[0] == "'cold' is hidden as flu: it names flu (flu; test)."
    assert not told[1].startswith("'cold' is hidden as grippe")


def test_without_anything_that_must_not_show_nothing_is_said_about_what_is_revealed() -> None:
    assert list(reasons("fatigue", sanitizer())) == [not_hidden("fatigue", "fatigue")]


def test_each_entity_is_told_of_which_something_is_revealed() -> None:
    two = sanitizer(ProtectedEntity("flu"), ProtectedEntity("HIV"), ProtectedEntity("zidovudine"))
    told = list(reasons("fatigue", two))
    assert told == [not_hidden("fatigue", "fatigue"), reveals(33, "4 of its 64")]


def test_a_word_that_would_tell_enough_but_may_mean_something_else_is_left_to_its_text() -> None:
    policy = load_policy({"policy": "toy", "law": "Toy Act", "protect": ["religion"]})
    told = list(reasons("nun", Sanitizer(policy)))
    assert told[0].startswith("'nun' is not hidden: it means ")
    assert told[1].endswith("50 % would be too much, but by itself it may mean something else: the text around it decides.")
