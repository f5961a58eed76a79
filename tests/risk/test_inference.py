"""What gives a protected entity away without naming it: whom a policy guards, what concerns it, and what a term says of it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import log2
from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.knowledge.information import Share, lower_bound
from kgsan.knowledge.relations import stated_disclosure
from kgsan.knowledge.table import CountTable
from kgsan.policy.policy import Policy, ProtectedEntity
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.risk.disclosures import Rule
from kgsan.risk.inference import Guarded, Inference, because
from kgsan.risk.senses import Verdict
from kgsan.risk.terms import Term
from kgsan.sources.records import Scope
from kgsan.text.mentions import Sense
from tests.risk.worlds import SaidGuard, mention, ontology, sense, stack

FIELD = ontology(
    {
        "thing": "",
        "all kinds": "thing",
        "side one": "thing",
        "side two": "thing",
        "blood disease": "all kinds, side one",
        "viral infection": "all kinds, side two",
        "HIV": "viral infection, blood disease; =AIDS virus, ~positive",
        "AIDS": "HIV",
        "AIDS complex": "AIDS",
        "syphilis": "thing",
        "gout": "thing",
        "drug": "thing",
        "zidovudine": "drug; =azidothymidine, ~blue pill",
        "retrovir": "zidovudine",
        "penicillin": "drug",
        "ibuprofen": "drug",
        "salve": "drug",
        "pill box": "thing",
    },
    [
        ("zidovudine", "treats", "HIV"),
        *(("penicillin", "treats", disease) for disease in ("syphilis", "gout")),
        *(("salve", "treats", disease) for disease in ("HIV", "syphilis", "gout")),
    ],
)
OTHER = ontology({"virus": "", "HIV": "virus", "HIV-2": "HIV"}, source="o")
STACK = stack(FIELD, OTHER)
#: HIV says 6 bits of 1024 contexts; the counts of "HIV" and a term follow from what a row wants to be revealed.
TABLE = """contexts	1024
HIV	16
syphilis	256
gout	512
unheard of	64
viral infection	64
HIV	viral infection	16
blood disease	64
HIV	blood disease	16
all kinds	64
HIV	all kinds	16
side one	64
HIV	side one	16
side two	64
HIV	side two	16
thing	1024
HIV	thing	16
ibuprofen	512
HIV	ibuprofen	8
needle	16
HIV	needle	16
pair	4
HIV	pair	4
syphilis	pair	4
single	1
HIV	single	1
"""
MORE = "contexts\t1024\nHIV\t256\nviral infection\t256\nHIV\tviral infection\t256\n"


def inference(
    *entities: str | ProtectedEntity, strictness: Fraction = Fraction(2), tables: tuple[str, ...] = (TABLE,)
) -> Inference:
    protect = tuple(ProtectedEntity(one) if isinstance(one, str) else one for one in entities)
    policy = Policy("toy", "Toy Act", protect=protect, strictness=strictness)
    return Inference(SensitiveTerms(policy, STACK), CombinedKnowledge(STACK, [CountTable.read(table) for table in tables]))


def number(name: str) -> int:
    return FIELD.number(f"t:{name}")


def meant(name: str, scope: Scope = Scope.PREFERRED) -> Any:
    """A real concept of the field, as a name of it means it."""
    return Sense(FIELD.concept(number(name)), sense(0, 0, scope, name).name, 0)


def reading(*mentions: Any, **said: Any) -> Any:
    """A text in which nothing is protected or named, and every name means what it says, unless it is said otherwise."""
    guard = said.pop("guard", SaidGuard())
    every = SimpleNamespace(meaning=lambda test: [one for one in mentions if test(one.senses)])
    own = {"every": every, "concerning": None, "protected": [], "named": frozenset(), "guard": guard}
    return SimpleNamespace(**{**own, "verdict": guard.verdict, "speaks_of": guard.speaks_of, **said})


# --- whom a policy guards ----------------------------------------------------------------------------------------------


def test_an_entity_is_guarded_whose_limit_leaves_a_bit_to_be_revealed() -> None:
    """At a strictness of 2 the limit is half: of 6 bits 3, of 2 bits 1, of 1 bit too little to speak of."""
    found = inference("HIV", "syphilis", "gout", "not in the table").guarded
    assert [(one.entity.entity, one.information, one.limit) for one in found] == [("HIV", 6.0, 0.5), ("syphilis", 2.0, 0.5)]
    assert [one.entity.entity for one in inference("gout", strictness=Fraction(1)).guarded] == ["gout"]
    assert [one.entity.entity for one in inference("syphilis", strictness=Fraction(21, 10)).guarded] == []


def test_of_what_may_show_its_kind_nothing_is_inferred() -> None:
    found = inference(ProtectedEntity("syphilis", hide="which"), "HIV").guarded
    assert [one.entity.entity for one in found] == ["HIV"]


def test_an_entity_may_be_guarded_more_strictly_than_the_policy_says() -> None:
    found = inference(ProtectedEntity("HIV", strictness=Fraction(4)), "syphilis").guarded
    assert [one.limit for one in found] == [0.25, 0.5]


def test_what_is_meant_is_what_the_first_ontology_knows() -> None:
    [known] = inference("HIV").guarded
    assert known.meant == (0, FIELD.concept(number("HIV")))
    assert known.topic.members[1].tolist() == sorted((OTHER.number("o:HIV"), OTHER.number("o:HIV-2")))
    [unknown] = inference("unheard of").guarded
    assert (unknown.meant, unknown.information) == (None, 4.0)


def test_answers_are_kept_and_their_number_is_bounded() -> None:
    most = inference("HIV").stated.cache_info().maxsize
    assert most is not None
    assert 10_000 < most < 50_000


# --- what concerns an entity ---------------------------------------------------------------------------------------------


@cache
def both() -> Inference:
    return inference("HIV", "syphilis")


@pytest.mark.parametrize("name", [concept.name for concept in FIELD])
def test_to_an_entity_belongs_what_specializes_it(name: str) -> None:
    assert both().is_member(0, 0, number(name)) is (name in ("HIV", "AIDS", "AIDS complex"))
    assert both().is_member(1, 0, number(name)) is (name == "syphilis")


@pytest.mark.parametrize("name", [concept.name for concept in FIELD])
def test_what_is_stated_of_an_entity_is_what_its_relations_give_away(name: str) -> None:
    for entity, guarded in enumerate(both().guarded):
        expected = stated_disclosure(FIELD, guarded.topic.members[0], number(name), guarded.information)
        assert both().stated(entity, 0, number(name)) == expected
    told = [entity for entity in (0, 1) if both().stated(entity, 0, number(name)) is not None]
    assert told == {"zidovudine": [0], "retrovir": [0], "penicillin": [1], "salve": [0, 1]}.get(name, [])


def test_an_ontology_without_relations_states_nothing() -> None:
    assert [both().stated(0, 1, concept.number) for concept in OTHER] == [None] * 3


@pytest.mark.parametrize(
    ("strictness", "expected"),
    [
        # All that is above HIV says 4 of its 6 bits, but for everything, which says none.
        (Fraction(3, 2), {"viral infection", "blood disease", "all kinds", "side one", "side two"}),
        (Fraction(7, 5), set()),
    ],
)
def test_what_generalizes_an_entity_is_told_as_long_as_it_says_too_much(strictness: Fraction, expected: set[str]) -> None:
    [above] = inference("HIV", strictness=strictness)._above
    assert {FIELD.concept(concept).name for place, concept in above if place == 0} == expected
    for share in above.values():
        assert share.low == share.revealed == pytest.approx(4 / 6)
        assert share.stated
        assert share.source.endswith(": more general")


def test_of_several_sources_the_one_that_tells_most_says_what_a_generalization_tells() -> None:
    for tables in ((TABLE, MORE), (MORE, TABLE)):
        made = inference("HIV", strictness=Fraction(3, 2), tables=tables)
        [above] = made._above
        # In the second source nothing else is a viral infection: it says all of the 2 bits.
        assert above[0, number("viral infection")].revealed == pytest.approx(1.0)


def test_each_entity_has_what_is_above_itself() -> None:
    other, own = inference("syphilis", "HIV")._above
    assert other == {}
    assert (0, number("viral infection")) in own


def test_of_several_meanings_those_are_told_that_belong_to_an_entity_or_are_related_to_it_or_above_it() -> None:
    senses = tuple(meant(name) for name in ("ibuprofen", "AIDS", "retrovir", "penicillin", "all kinds", "pill box"))
    told = {entity: [one.concept.name for one in some] for entity, some in both()._concern(senses).items()}
    assert told == {0: ["AIDS", "retrovir", "all kinds"], 1: ["penicillin"]}
    assert both()._concern((meant("ibuprofen"),)) == {}


# --- where a term says nothing of an entity --------------------------------------------------------------------------------


def test_what_a_policy_excepts_says_nothing_also_beside_another_meaning() -> None:
    made = inference(ProtectedEntity("HIV", exceptions=("AIDS",)), "syphilis")
    excepted = mention(0, 4, meant("ibuprofen"), meant("AIDS complex"))
    assert made.speaking(reading(), Term(0, 4, "AIDS complex", excepted), 0) is None
    assert made.speaking(reading(), Term(0, 4, "AIDS complex", excepted), 1) == ()
    assert made.speaking(reading(), Term(0, 4, "HIV", mention(0, 4, meant("HIV"))), 0) == (meant("HIV"),)
    assert made.speaking(reading(), Term(0, 4, "ibuprofen", mention(0, 4, meant("ibuprofen"))), 0) == ()
    assert made.speaking(reading(), Term(0, 4, "a phrase"), 0) == ()


HIV, PENICILLIN = meant("HIV"), meant("penicillin")


@pytest.mark.parametrize(
    ("protected", "named", "clouded"),
    [
        ([], [], False),
        ([(12, 15, [HIV])], [], True),
        ([(12, 20, [HIV])], [], True),  # at the end of the term
        ([(10, 15, [HIV])], [], True),  # at its beginning
        ([(10, 20, [HIV])], [], False),  # the term itself
        ([(12, 21, [HIV])], [], False),  # goes on behind it
        ([(8, 15, [HIV])], [], False),  # begins before it
        ([(20, 24, [HIV])], [], False),
        ([(12, 15, [HIV])], [(12, 15)], False),  # it means what is protected, and is hidden
        ([(12, 15, [PENICILLIN])], [], False),  # another entity's
        ([(12, 15, [PENICILLIN, HIV])], [], True),
        ([(2, 5, [HIV]), (11, 13, [PENICILLIN]), (14, 16, [HIV])], [], True),
        ([(11, 13, [HIV]), (14, 16, [HIV])], [(11, 13)], True),
        ([(11, 13, [PENICILLIN]), (14, 16, [PENICILLIN]), (17, 19, [HIV])], [], True),
    ],
)
def test_what_was_counted_for_a_name_inside_a_term_that_does_not_mean_it_here_says_nothing(
    protected: list[tuple[int, int, list[Any]]], named: list[tuple[int, int]], clouded: bool
) -> None:
    text = reading(protected=[mention(start, end, *senses) for start, end, senses in protected], named=frozenset(named))
    for term in (Term(10, 20, "a phrase"), Term(10, 20, "ibuprofen", mention(10, 20, meant("ibuprofen")))):
        assert both()._is_clouded(text, term, 0) is clouded
        assert both().speaking(text, term, 0) == (None if clouded else ())


def verdict(counts: bool, weighed: bool, leaning: float) -> Verdict:
    return Verdict(counts, True, max(leaning, 0.0), max(-leaning, 0.0), signs={"sign": 1.0} if weighed else {})


@pytest.mark.parametrize(
    ("name", "scope", "said", "is_meant"),
    [
        ("HIV", Scope.AMBIGUOUS, verdict(True, False, 0.0), True),
        ("HIV", Scope.AMBIGUOUS, verdict(True, True, -0.4), True),  # the entity's own names have the benefit of the doubt
        ("HIV", Scope.EXACT, verdict(False, True, 1.0), False),
        ("zidovudine", Scope.AMBIGUOUS, verdict(True, False, -0.4), True),  # nothing was weighed
        ("zidovudine", Scope.AMBIGUOUS, verdict(True, True, 0.2), True),
        ("zidovudine", Scope.AMBIGUOUS, verdict(True, True, 0.0), True),
        ("zidovudine", Scope.AMBIGUOUS, verdict(True, True, -0.4), False),
        ("zidovudine", Scope.RELATED, verdict(True, True, -0.4), False),
        ("zidovudine", Scope.EXACT, verdict(True, True, -0.4), True),
        ("zidovudine", Scope.PREFERRED, verdict(False, False, 0.0), False),
    ],
)
def test_an_ambiguous_name_of_what_only_goes_with_an_entity_has_no_benefit_of_the_doubt(
    name: str, scope: Scope, said: Verdict, is_meant: bool
) -> None:
    one = meant(name, scope)
    text = reading(guard=SaidGuard(counts=lambda mention, sense: said))
    term = Term(0, 4, name, mention(0, 4, one))
    assert both().speaking(text, term, 0) == ((one,) if is_meant else None)


def test_of_several_meanings_those_speak_that_are_meant() -> None:
    names = ("AIDS", "ibuprofen", "HIV", "zidovudine")
    text = reading(guard=SaidGuard(counts=lambda mention, sense: sense.concept.name != "HIV"))
    found = both().speaking(text, Term(0, 4, "x", mention(0, 4, *map(meant, names))), 0)
    assert found is not None
    assert [one.concept.name for one in found] == ["AIDS", "zidovudine"]


def test_a_word_that_was_counted_with_an_entity_may_speak_of_it_unless_another_meaning_is_meant() -> None:
    silent = reading(guard=SaidGuard(speaks=lambda mention, concept: False))
    other, own = mention(0, 4, meant("ibuprofen")), mention(0, 4, meant("ibuprofen"), meant("zidovudine"))
    assert both().may_speak(silent, Term(0, 4, "x", other), 0) is False
    assert both().may_speak(reading(), Term(0, 4, "x", other), 0) is True
    assert silent.guard.asked == [("speaks of", 0, 4, 0, number("HIV"))]
    # Nobody is asked about a phrase, about what an ontology relates to the entity, or for an entity that no ontology knows.
    assert both().may_speak(silent, Term(0, 4, "x"), 0) is True
    assert both().may_speak(silent, Term(0, 4, "x", own), 0) is True
    assert inference("unheard of").may_speak(silent, Term(0, 4, "x", other), 0) is True


# --- what a term says ------------------------------------------------------------------------------------------------------


def said_share(low: float) -> Share:
    return Share(low, low, 4, 4, 6.0, "said")


class Asked:
    """Answers with what is said, and remembers what was asked."""

    def __init__(self, answer: Share | None) -> None:
        self.answer = answer
        self.asked: list[tuple[Any, ...]] = []

    def __call__(self, *what: Any) -> Share | None:
        self.asked.append(what)
        return self.answer


def asked(made: Inference, answer: Share | None) -> Asked:
    made._shares = told = Asked(answer)  # type: ignore[assignment]
    return told


@pytest.mark.parametrize(("low", "judged"), [(0.49, False), (0.5, True)])
def test_what_a_name_means_is_judged_only_where_it_may_say_too_much(low: float, judged: bool) -> None:
    made = inference("HIV")
    told = asked(made, said_share(low))
    text = reading(mention(0, 4, meant("zidovudine", Scope.AMBIGUOUS)))
    found = list(made.find(text, [Term(0, 4, "crix", mention(0, 4, meant("zidovudine", Scope.AMBIGUOUS)))]))
    assert len(found) == judged
    assert bool(text.guard.asked) is judged
    assert told.asked[-1] == ("crix", ((0, number("zidovudine")),), 0, True, True)


@pytest.mark.parametrize(
    ("scopes", "doubtful"),
    [
        ([Scope.PREFERRED], False),
        ([Scope.EXACT], False),
        ([Scope.AMBIGUOUS], True),
        ([Scope.EXACT, Scope.AMBIGUOUS], True),
        ([Scope.RELATED, Scope.EXACT], True),
    ],
)
def test_a_name_is_asked_about_in_the_meanings_that_concern_the_entity(scopes: list[Scope], doubtful: bool) -> None:
    made = inference("HIV")
    told = asked(made, None)
    names = ["zidovudine", "AIDS"][: len(scopes)]
    senses = [meant(name, scope) for name, scope in zip(names, scopes, strict=True)]
    made.share(reading(), Term(0, 4, "azt", mention(0, 4, *senses, meant("ibuprofen"))), 0)
    assert told.asked == [("azt", tuple((0, number(name)) for name in names), 0, True, doubtful)]


def test_a_phrase_is_asked_about_by_its_last_words_and_in_no_meaning() -> None:
    made = inference("HIV")
    told = asked(made, said_share(0.4))
    assert made.share(reading(), Term(0, 4, "old needle"), 0) == said_share(0.4)
    assert told.asked == [("old needle", (), 0, False, False)]


def test_of_what_was_counted_and_what_a_generalization_says_the_larger_counts() -> None:
    above = Term(0, 4, "viral infection", mention(0, 4, meant("viral infection")))
    made = inference("HIV")
    for low, expected in ((0.5, 4 / 6), (0.9, 0.9)):
        asked(made, said_share(low))
        share = made.share(reading(), above, 0)
        assert share is not None
        assert share.low == pytest.approx(expected)
    asked(made, None)
    share = made.share(reading(), above, 0)
    assert share is not None
    assert share.low == pytest.approx(4 / 6)
    assert made.share(reading(), Term(0, 4, "zidovudine", mention(0, 4, meant("zidovudine"))), 0) is None


def test_a_term_says_nothing_where_a_dictionarys_meaning_is_meant_but_only_what_reaches_the_limit_is_asked_about() -> None:
    term = Term(0, 4, "needle", mention(0, 4, meant("ibuprofen")))
    made = inference("HIV")
    for low, speaks, expected in ((0.5, True, 0.5), (0.5, False, None), (0.4, False, 0.4), (0.4, True, 0.4)):
        text = reading(guard=SaidGuard(speaks=lambda mention, concept, speaks=speaks: speaks))  # type: ignore[misc]
        asked(made, said_share(low))
        share = made.share(text, term, 0)
        assert (share and share.low) == expected
        assert bool(text.guard.asked) is (low >= 0.5)
    clouded = reading(protected=[mention(1, 3, meant("HIV"))])
    asked(made, said_share(0.9))
    assert made.share(clouded, Term(0, 4, "a phrase"), 0) is None


def test_a_name_says_what_was_counted_for_it_or_for_its_last_words() -> None:
    """All 16 contexts of a needle hold the entity; 8 of 512 contexts of ibuprofen do, which is chance."""
    whole = 1 + log2(lower_bound(16, 16)) / 6
    for name, counted_as in (("needle", None), ("old rusty needle", "needle")):
        share = both().of_name(name, 0)
        assert share is not None
        assert share.low == pytest.approx(whole)
        assert share.counted_as == counted_as
    chance = both().of_name("ibuprofen", 0)
    assert chance is not None
    assert chance.revealed == pytest.approx(0.0)
    assert both().of_name("unheard name", 0) is None
    assert both().of_name("single", 0) is None  # one context proves nothing


def found(made: Inference, *terms: Term) -> list[tuple[int, str, str | None]]:
    text = reading(*(term.mention for term in terms if term.mention is not None))
    return [(one.start, one.entity, one.sense.concept.name if one.sense else None) for one in made.find(text, list(terms))]


def test_the_terms_are_told_that_reach_the_limit_of_an_entity_each_entity_by_itself() -> None:
    terms = [
        Term(0, 6, "needle"),
        Term(10, 20, "old needle"),
        Term(30, 40, "old needle", mention(30, 40, meant("ibuprofen"))),  # a name is asked about as a whole
        Term(50, 56, "ibuprofen", mention(50, 56, meant("ibuprofen"))),
        Term(60, 66, "pair"),
        Term(70, 76, "penicillin", mention(70, 76, meant("penicillin"))),  # treats two things: 1 of the 2 bits of one
        Term(80, 86, "azt", mention(80, 86, meant("ibuprofen"), meant("retrovir"), meant("zidovudine"))),
        Term(90, 95, "salve", mention(90, 95, meant("salve"))),  # one of three: 4.4 of 6 bits, but only 0.4 of 2
        Term(97, 99, "nothing known"),
    ]
    expected = [
        (0, "HIV", None),
        (10, "HIV", None),
        (60, "HIV", None),
        (60, "syphilis", None),
        (70, "syphilis", "penicillin"),
        (80, "HIV", "retrovir"),
        (90, "HIV", "salve"),
    ]
    assert found(both(), *terms) == expected
    assert found(both(), *terms[:5]) == expected[:4]  # also where no name concerns an entity
    assert found(both(), terms[6]) == expected[5:6]  # also where nothing was counted


def test_what_was_found_says_why_and_by_how_much() -> None:
    [one] = both().find(reading(), [Term(3, 9, "needle")])
    assert (one.start, one.end, one.rule, one.entity, one.limit, one.sense) == (3, 9, Rule.INFERENCE, "HIV", 0.5, None)
    assert one.because == "reveals 100 % of what 'HIV' says (16 of its 16 contexts in counts)"
    assert one.share is not None
    assert one.share.support == 16


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (Share(0.75, 0.7, 1200, 4800, 6.0, "news"), "reveals 75 % of what 'HIV' says (1,200 of its 4,800 contexts in news)"),
        (
            Share(0.75, 0.7, 3, 4, 6.0, "news", counted_as="needle"),
            "reveals 75 % of what 'HIV' says (3 of its 4 contexts in news, counted by its last words)",
        ),
        (
            Share(0.5, 0.5, 1, 8, 6.0, "toy: treats", stated=True),
            "reveals 50 % of what 'HIV' says (1 of 8 stated by toy: treats)",
        ),
    ],
)
def test_a_reason_tells_the_evidence_in_words(share: Share, expected: str) -> None:
    topic: Any = None
    assert because(share, Guarded(ProtectedEntity("HIV"), topic, None, 6.0, 0.5)) == expected


# --- names inside of longer ones ---------------------------------------------------------------------------------------------


def inside(every: list[Any], longest: list[Any], made: Inference | None = None, **guard: Any) -> list[tuple[int, int]]:
    text = reading(*every, longest=longest, guard=SaidGuard(**guard))
    return [(one.start, one.end) for one in (made or both()).inside(text)]


BOX = mention(0, 20, meant("pill box"))


@pytest.mark.parametrize(
    ("senses", "expected"),
    [
        ([meant("zidovudine")], True),
        ([meant("zidovudine", Scope.EXACT)], True),
        ([meant("zidovudine", Scope.AMBIGUOUS)], False),
        ([meant("ibuprofen"), meant("retrovir")], True),
        ([meant("ibuprofen")], False),
        ([meant("HIV")], False),  # named, if anything, and not related to itself
        ([meant("HIV"), meant("zidovudine", Scope.AMBIGUOUS)], False),
    ],
)
def test_what_an_ontology_relates_to_an_entity_is_looked_for_inside_of_longer_names(senses: list[Any], expected: bool) -> None:
    inner = mention(5, 10, *senses)
    assert inside([BOX, inner], [BOX]) == [(5, 10)] * expected
    assert inside([inner], [inner]) == []  # no longer name, so it is a term itself


def test_not_where_a_longer_name_takes_the_meaning_away() -> None:
    expression = frozenset({(0, number("pill box"))})
    inner, free = mention(5, 10, meant("zidovudine")), mention(40, 45, meant("zidovudine"))
    around, other = mention(2, 15, meant("gout")), mention(35, 50, meant("gout"))
    assert inside([BOX, inner], [BOX], expressions=expression) == []
    assert inside([BOX, around, inner], [BOX, around], expressions=expression) == []  # one that does is enough
    assert inside([BOX, inner, other, free], [BOX, other], expressions=expression) == [(40, 45)]
    # Of two meanings one may be taken away: of a dictionary that does not have the longer name.
    words = frozenset({1})
    made = inference("HIV")
    made.stated = lambda number, place, concept: said_share(0.5)  # type: ignore[assignment]
    doubled = mention(5, 10, meant("zidovudine"), Sense(OTHER.concept(OTHER.number("o:HIV")), meant("HIV").name, 1))
    assert inside([BOX, doubled], [BOX], made, dictionaries=words) == [(5, 10)]
    assert inside([BOX, mention(5, 10, doubled.senses[1])], [BOX], made, dictionaries=words) == []
