"""Everything together in a small world: a corpus of 200 contexts, a table of counts beside it, and what a policy lets stay."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import log2
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.knowledge.build import Builder
from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.table import CountTable
from kgsan.policy.policy import Allowed, Denied, Policy, ProtectedEntity
from kgsan.risk.detecting import Detector, _counted, _joint, contexts
from kgsan.risk.disclosures import Rule
from kgsan.risk.terms import Term
from kgsan.text.document import Document
from kgsan.text.mentions import Finder
from tests.risk.worlds import ontology, span, stack

if TYPE_CHECKING:
    from kgsan.risk.disclosures import Disclosure

SYMPTOMS = ("fatigue", "skin rash", "coughing", "fever", "chill", "table", "alpha ray", "beta ray", "sign", "needle")
STACK = stack(
    ontology(
        {
            "thing": "",
            "disease": "thing",
            "HIV": "disease",
            "gout": "disease",
            "zidovudine": "thing",
            "zidovudine box": "thing",
            **dict.fromkeys(SYMPTOMS, "thing"),
        },
        [("zidovudine", "treats", "HIV")],
    )
)
#: term: its contexts among 200. HIV says log2(200 / 12) = 4.06 bits; at a strictness of 2 half of that is too much.
WORLD = {
    "HIV": [range(12)],
    # Two that meet in 7 contexts, 6 of them with HIV, and else stand without it.
    "fatigue": [range(6), range(20, 55)],
    "skin rash": [range(6), range(60, 94), range(20, 21)],
    # Three that meet in 5 contexts, all with HIV, while each two of them meet in 20 others.
    "coughing": [range(6, 11), range(100, 140)],
    "fever": [range(6, 11), range(100, 120), range(140, 160)],
    "chill": [range(6, 11), range(120, 160)],
    "table": [range(170, 180)],
    # Two that meet with HIV in too few contexts.
    "sign": [range(2), range(180, 195)],
    # One that never stands without HIV.
    "needle": [range(12)],
}
#: Another source, in which two others give it away.
TABLE = """contexts	1024
HIV	16
alpha ray	64
beta ray	64
HIV	alpha ray	4
HIV	beta ray	4
alpha ray	beta ray	4
HIV	alpha ray	beta ray	4
"""


@cache
def corpus() -> CorpusKnowledge:
    held = {term: {number for some in ranges for number in some} for term, ranges in WORLD.items()}
    builder = Builder(Finder(STACK))
    builder.add(". ".join([*(term for term in WORLD if number in held[term]), "Nothing"]) + "." for number in range(200))
    return CorpusKnowledge(builder.finish({"name": "small world"}), STACK)


def detector(
    *, sources: tuple[Any, ...] | None = None, protect: tuple[ProtectedEntity, ...] | None = None, **settings: Any
) -> Detector:
    given = (corpus(), CountTable.read(TABLE)) if sources is None else sources
    policy = Policy("toy", "Toy Act", protect=protect or (ProtectedEntity("HIV"),), **settings)
    return Detector(policy, CombinedKnowledge(STACK, list(given)))


def groups(text: str, made: Detector | None = None, **settings: Any) -> list[Disclosure]:
    made = made or detector(**settings)
    return list(made.groups(made.find(Document(text))))


def members(text: str, made: Detector | None = None, **settings: Any) -> list[list[str]]:
    return [[text[start:end] for start, end in one.members] for one in groups(text, made, **settings)]


PAIR = "He has fatigue and a skin rash"
THREE = "The coughing, the fever and the chill went on."


def test_the_small_world_is_counted_as_it_is_written() -> None:
    for term, ranges in WORLD.items():
        assert corpus().count(term) == sum(map(len, ranges))
    assert [corpus().count("fatigue", "skin rash"), corpus().count("coughing", "fever", "chill")] == [7, 5]


def test_terms_that_say_little_alone_are_told_as_a_group_where_they_meet() -> None:
    text = f"There is a table. {PAIR}"
    [one] = groups(text)
    assert one.members == (span(text, "fatigue"), span(text, "skin rash"))
    assert (one.start, one.end) == (text.index("fatigue"), len(text))
    assert (one.rule, one.entity, one.limit) == (Rule.GROUP, "HIV", 0.5)
    assert one.share is not None
    assert (one.share.support, one.share.contexts_of_terms, one.share.source) == (6, 7, "small world")
    assert one.because.endswith("(6 of its 7 contexts in small world), together with 1 other term")


def test_three_terms_are_a_group_though_no_two_are() -> None:
    [one] = groups(THREE)
    assert [THREE[start:end] for start, end in one.members] == ["coughing", "fever", "chill"]
    assert one.share is not None
    assert (one.share.support, one.share.contexts_of_terms) == (5, 5)
    assert one.because.endswith(", together with 2 other terms")
    assert members("The coughing and the fever went on.") == []


@pytest.mark.parametrize(("up_to", "pair", "three"), [(1, 0, 0), (2, 1, 0), (3, 1, 1), (4, 1, 1)])
def test_groups_are_as_large_as_the_policy_says(up_to: int, pair: int, three: int) -> None:
    made = detector(groups_up_to=up_to)
    assert (len(members(PAIR, made)), len(members(THREE, made))) == (pair, three)


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("He has fatigue. He has a skin rash.", "paragraph", 1),
        ("He has fatigue. He has a skin rash.", "sentence", 0),
        ("He has fatigue.\n\nHe has a skin rash.", "paragraph", 0),
        ("He has fatigue.\n\nHe has a skin rash.", "document", 1),
        ("There is a table.\n\nHe has fatigue and a skin rash", "paragraph", 1),
        ("He has fatigue and a skin rash\n\nThere is a table.", "paragraph", 1),
        ("He has fatigue. There is a table. The fatigue and the skin rash", "sentence", 1),
        ("He has fatigue and a skin rash", "7 words", 1),
        ("He has fatigue and a skin rash", "6 words", 0),
        ("Fatigue, skin rash", "3 words", 0),  # the window ends within the second
        ("Fatigue, skin rash", "4 words", 1),
    ],
)
def test_terms_meet_within_the_context_that_the_policy_says(text: str, context: str, expected: int) -> None:
    assert len(groups(text, context=context)) == expected


def test_the_context_of_a_policy_is_a_part_of_the_text_or_so_many_words() -> None:
    document = Document("One two. Three four.\n\nFive.")
    for kind, expected in (("sentence", 3), ("paragraph", 2), ("document", 1)):
        found = contexts(document, Policy("toy", "Toy Act", context=kind))
        assert len(found) == expected, kind
    assert list(contexts(document, Policy("toy", "Toy Act", context="4 words"))) == list(document.windows(4))


def test_a_group_in_any_source_counts_and_is_told_by_its_name() -> None:
    [one] = groups("The beta ray and the alpha ray.")
    assert one.share is not None
    assert (one.share.source, one.share.support, one.share.contexts_of_terms) == ("counts", 4, 4)
    assert groups("The beta ray and the alpha ray.", sources=(corpus(),)) == []
    assert members(PAIR + ". The alpha ray and the beta ray") == [["fatigue", "skin rash"], ["alpha ray", "beta ray"]]


def test_a_term_that_a_source_counts_only_together_with_others_may_be_of_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown is not never: a source of one's own may not tell how often a term stands by itself."""
    known = CountTable.count
    monkeypatch.setattr(CountTable, "count", lambda self, *terms: None if terms == ("alpha ray",) else known(self, *terms))
    assert members("The beta ray and the alpha ray.") == [["beta ray", "alpha ray"]]


def test_what_was_seen_with_the_entity_too_rarely_makes_no_group() -> None:
    assert members("A sign of fatigue.") == []
    assert members("A sign, fatigue and a skin rash.") == [["fatigue", "skin rash"]]


def test_a_term_that_gives_the_entity_away_by_itself_is_in_no_group() -> None:
    assert judged("A needle and fatigue.") == [("needle", Rule.INFERENCE)]
    assert members("A needle and fatigue.") == []
    assert members("A needle, fatigue and a skin rash.") == [["fatigue", "skin rash"]]


def test_a_term_that_says_nothing_here_is_in_no_group_and_does_not_hide_the_others() -> None:
    excepting = (ProtectedEntity("HIV", exceptions=("skin rash",)),)
    assert members(PAIR, protect=excepting) == []
    assert members(f"A skin rash. {THREE}", protect=excepting) == [["coughing", "fever", "chill"]]
    assert members(f"{PAIR}. {THREE}") == [["fatigue", "skin rash"], ["coughing", "fever", "chill"]]


def test_what_terms_mean_is_asked_only_where_they_would_give_an_entity_away_together(monkeypatch: pytest.MonkeyPatch) -> None:
    made = detector(protect=(ProtectedEntity("HIV", exceptions=("skin rash",)),))
    asked: list[str] = []
    speaking = made.inference.speaking
    monkeypatch.setattr(made.inference, "speaking", lambda *given: asked.append(given[1].name) or speaking(*given))
    assert members("Fatigue, fever and a table.", made) == []
    assert asked == []
    assert members(f"{PAIR}. {THREE}", made) == [["coughing", "fever", "chill"]]
    assert set(asked) == {"fatigue", "skin rash", "coughing", "fever", "chill"}


def test_of_more_terms_than_a_window_has_those_that_say_nothing_do_not_keep_the_others_apart() -> None:
    between = ", ".join(f"a zork{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(80))
    text = f"The fever and the coughing, {between} and a chill."
    made = detector()
    assert members(text, made) == []
    said = ("fever", "coughing", "chill")
    made.inference.all_speak = lambda reading, number: False  # type: ignore[method-assign]
    made.inference.speaking = lambda reading, term, number: () if term.name in said else None  # type: ignore[method-assign]
    assert members(text, made) == [["fever", "coughing", "chill"]]


def test_a_group_is_none_if_one_of_its_words_is_used_in_another_meaning() -> None:
    made = detector()
    made.inference.may_speak = lambda reading, term, number: term.name != "skin rash"  # type: ignore[method-assign]
    assert members(f"{PAIR}. {THREE}", made) == [["coughing", "fever", "chill"]]


def test_entities_are_asked_about_one_by_one() -> None:
    """Gout, which was never counted, is measured as the ontology knows it, and nothing gives it away."""
    protect = (ProtectedEntity("gout"), ProtectedEntity("HIV"), ProtectedEntity("HIV", strictness=Fraction(4)))
    assert {one.entity for one in groups(PAIR, protect=protect)} == {"HIV"}


def test_each_term_counts_once_and_those_inside_of_another_do_not() -> None:
    made = detector()

    def kept(*terms: tuple[int, int, str]) -> list[tuple[int, int]]:
        return [(term.start, term.end) for term in made._distinct([Term(*each) for each in terms], 100)]

    assert kept((0, 7, "fatigue"), (10, 17, "Fatigue"), (20, 25, "fever")) == [(0, 7), (20, 25)]
    assert kept((0, 9, "skin rash"), (5, 9, "rash"), (10, 14, "rash")) == [(0, 9), (10, 14)]
    assert kept((0, 9, "a b"), (0, 3, "a"), (9, 12, "c")) == [(0, 9), (9, 12)]
    assert kept((0, 9, "a b"), (5, 12, "b c")) == [(0, 9), (5, 12)]
    assert kept((0, 1, "x")) == [(0, 1)]
    assert kept() == []


# --- counting ----------------------------------------------------------------------------------------------------------------


def test_contexts_of_groups_are_those_that_hold_all_of_them_and_those_of_these_that_hold_the_entity() -> None:
    [guarded] = detector().inference.guarded
    source, called = corpus(), ["fatigue", "fever", "skin rash", "rash", "table", "unheard of"]
    alone, beside = zip(*(source.beside(name, guarded.topic) for name in called), strict=True)
    joint = _joint(source, guarded.topic, called, list(range(len(called))))
    met = 0
    for group in (group for size in (1, 2, 3, 4) for group in permutations(range(len(called)), size)):
        counts = [
            None if None in (sets := [every[member] for member in group]) else len(set.intersection(*map(set, sets)))
            for every in (alone, beside)
        ]
        assert (joint.total(group), joint.with_entity(group) or None) == (counts[0], counts[1] or None)
        met += bool(counts[1]) and len(group) > 1
    assert met


def test_contexts_of_a_name_and_an_entity_are_counted_by_every_kind_of_source() -> None:
    [guarded] = detector().inference.guarded
    table = CountTable.read(TABLE)
    names = ("fatigue", "skin rash", "table", "unheard of")
    assert [_counted(corpus(), guarded.topic, name)[1] for name in names] == [6, 6, 0, None]
    assert [_counted(corpus(), guarded.topic, name)[0] for name in names] == [corpus().count(name) for name in names]
    assert [_counted(table, guarded.topic, name)[1] for name in ("alpha ray", "fatigue")] == [4, None]
    assert _counted(table, guarded.topic, "alpha ray")[0] == table.count("alpha ray")


def test_a_name_is_counted_if_any_source_has_it() -> None:
    made = detector()
    assert [made.is_counted(name) for name in ("fatigue", "alpha ray", "unheard of")] == [True, True, False]


@pytest.mark.parametrize(
    ("name", "contexts_of_it"),
    [("fatigue", 41), ("table", 10), ("long table", 10), ("unheard of", 1), ("alpha ray", 1)],
)
def test_a_name_says_what_it_says_in_the_first_source(name: str, contexts_of_it: int) -> None:
    assert detector().said(name) == pytest.approx(log2(200 / contexts_of_it))


def test_answers_are_kept_and_their_number_is_bounded() -> None:
    most = detector().said.cache_info().maxsize
    assert most is not None
    assert 10_000 < most < 30_000


def test_the_first_corpus_tells_the_guard_what_goes_with_a_meaning() -> None:
    table = CountTable.read(TABLE)
    assert detector(sources=(table, corpus())).marker.guard.knowledge is corpus()
    assert detector(sources=(table,)).marker.guard.knowledge is None


# --- one text ------------------------------------------------------------------------------------------------------------------


def judged(text: str, **settings: Any) -> list[tuple[str, Rule]]:
    made = detector(**settings)
    found = made.find(Document(text))
    [again] = made.find_many([Document(text)])
    assert found.disclosures == again.disclosures
    assert [(one.start, one.end) for one in found.disclosures] == sorted((one.start, one.end) for one in found.disclosures)
    return [(text[one.start : one.end], one.rule) for one in found.disclosures]


def test_what_names_an_entity_and_what_gives_it_away_is_found_in_the_order_of_the_text() -> None:
    text = "He took zidovudine for HIV, from a table."
    assert judged(text) == [("zidovudine", Rule.INFERENCE), ("HIV", Rule.NAMING)]
    # The table says log2(200 / 10) = 4.3 bits, fatigue log2(200 / 41) = 2.3.
    with_limit = judged("HIV, fatigue and a table.", too_specific_above=Fraction(3))
    assert with_limit == [("HIV", Rule.NAMING), ("table", Rule.SPECIFICITY)]


@pytest.mark.parametrize(
    ("text", "settings", "every", "left"),
    [
        ("HIV and fatigue.", {}, ["HIV", "fatigue"], ["fatigue"]),
        ("A fever and fatigue.", {}, ["fever", "fatigue"], ["fever", "fatigue"]),
        ("A fever and fatigue.", {"allow": (Allowed("Fevers", "Often."),)}, ["fever", "fatigue"], ["fatigue"]),
        ("HIV, a fever and fatigue.", {"allow": (Allowed("fever", "Often."),)}, ["HIV", "fever", "fatigue"], ["fatigue"]),
    ],
)
def test_terms_are_left_to_be_asked_about_that_are_not_hidden_or_allowed(
    text: str, settings: dict[str, Any], every: list[str], left: list[str]
) -> None:
    found = detector(**settings).find(Document(text))
    assert [term.name for term in found.every_term] == every
    assert [term.name for term in found.terms] == left


BOX = "Of the zidovudine box there is one."


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [("zidovudine", Rule.INFERENCE)]),
        ({"allow": (Allowed("zidovudine", "In a title."),)}, []),
        ({"allow": (Allowed("fatigue", "Often."),)}, [("zidovudine", Rule.INFERENCE)]),
        ({"deny": (Denied("zidovudine box", "Only here."),)}, [("zidovudine box", Rule.DENY)]),
        (
            {"deny": (Denied("zidovudine box", "Only here."),), "allow": (Allowed("zidovudine", "In a title."),)},
            [("zidovudine box", Rule.DENY)],
        ),
    ],
)
def test_a_name_inside_a_longer_one_gives_away_what_it_would_alone(
    settings: dict[str, Any], expected: list[tuple[str, Rule]]
) -> None:
    assert judged(BOX, **settings) == expected


def test_what_is_allowed_gives_nothing_away() -> None:
    assert judged("He took zidovudine.") == [("zidovudine", Rule.INFERENCE)]
    assert judged("He took zidovudine.", allow=(Allowed("zidovudine", "In a title."),)) == []
    assert members(PAIR, allow=(Allowed("fatigue", "Often."),)) == []
