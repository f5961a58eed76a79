"""When a longer name takes the protected meaning from a name inside it, and which of several names counts."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.risk.naming import around, named, protected_senses, shields
from kgsan.risk.senses import Verdict
from kgsan.sources.records import Scope
from tests.risk.worlds import SaidGuard, mention, sense

#: The ontologies of these tests: two of special fields, a dictionary, and a list of places, which is one too.
FIELD, DICTIONARY, OTHER_FIELD, PLACES = range(4)

#: A disorder of mind and its kinds are a family; so are the hollow of the dictionary and its kinds.
DEPRESSION, KIND_OF_IT, ST_DEPRESSION = 1, 2, 9
FAMILIES = {(FIELD, DEPRESSION): {1, 2}, (FIELD, 3): {3, 9}, (DICTIONARY, 5): {5, 6}, (DICTIONARY, 7): {7, 9}}
GUARD: Any = SaidGuard(
    dictionaries=frozenset({DICTIONARY, PLACES}), expressions=frozenset({(FIELD, 99), (DICTIONARY, 98)}), families=FAMILIES
)

doubtful = sense(FIELD, DEPRESSION, Scope.AMBIGUOUS)
certain = sense(FIELD, DEPRESSION, Scope.EXACT)
hollow, slump = sense(DICTIONARY, 5), sense(DICTIONARY, 7)


@pytest.mark.parametrize(
    ("why", "inner", "asked", "outer", "expected"),
    [
        ("a name with one meaning keeps it inside of any other", [certain], certain, [sense(FIELD, 9)], False),
        ("one meaning in the field and one in a dictionary are one", [certain, hollow], certain, [sense(FIELD, 9)], False),
        ("two in a dictionary are several", [certain, hollow, slump], certain, [sense(FIELD, 9)], True),
        ("but not where the longer one is of its family", [certain, hollow, slump], certain, [sense(FIELD, 2)], False),
        ("a doubtful name loses its meaning to another thing of the field", [doubtful], doubtful, [sense(FIELD, 9)], True),
        ("a doubtful name keeps it in what is of its family", [doubtful], doubtful, [sense(FIELD, 2)], False),
        ("of the longer name the first meaning decides", [doubtful], doubtful, [sense(FIELD, 2), sense(FIELD, 9)], False),
        ("another field has no say", [doubtful], doubtful, [sense(OTHER_FIELD, 9)], False),
        ("but what stands behind it has", [doubtful], doubtful, [sense(OTHER_FIELD, 9), sense(FIELD, 9)], True),
        ("the field of the name has a say also where it has other meanings", [doubtful, hollow], doubtful, [sense(0, 9)], True),
        ("a dictionary has, against its own meanings of the name", [doubtful, hollow], doubtful, [sense(DICTIONARY, 9)], True),
        ("not where the longer one is of their family", [doubtful, hollow], doubtful, [sense(DICTIONARY, 6)], False),
        ("the family of any of them is enough", [doubtful, hollow, slump], doubtful, [sense(DICTIONARY, 9)], False),
        ("a dictionary without the short name has none", [doubtful], doubtful, [sense(DICTIONARY, 9)], False),
        ("another meaning in the field is no excuse", [doubtful, sense(FIELD, 3)], doubtful, [sense(FIELD, 9)], True),
        ("an expression means nothing of its words", [certain], certain, [sense(FIELD, 99)], True),
        ("also where it has another meaning", [certain], certain, [sense(FIELD, 2), sense(DICTIONARY, 98)], True),
        ("a place in the name of something else is none", [sense(PLACES, 1)], sense(PLACES, 1), [sense(FIELD, 9)], True),
        ("in the name of a place it is one", [sense(PLACES, 1)], sense(PLACES, 1), [sense(PLACES, 2)], False),
        (
            "also where that means something else too",
            [sense(PLACES, 1)],
            sense(PLACES, 1),
            [sense(FIELD, 9), sense(PLACES, 2)],
            False,
        ),
    ],
)
def test_a_longer_name_takes_the_meaning_from_a_name_inside_it(
    why: str, inner: list[Any], asked: Any, outer: list[Any], expected: bool
) -> None:
    assert shields(mention(0, 20, *outer), mention(5, 10, *inner), asked, GUARD) is expected, why


@pytest.mark.parametrize(("outer", "inner", "expected"), [(True, False, True), (True, True, False), (False, True, False)])
def test_common_words_in_capitals_are_not_what_they_would_be_as_names(outer: bool, inner: bool, expected: bool) -> None:
    longer, short = mention(0, 12, sense(FIELD, 9), bent=outer), mention(8, 12, certain, bent=inner)
    assert shields(longer, short, certain, GUARD) is expected


def test_the_longer_mentions_around_one_are_those_that_hold_it_and_more() -> None:
    spans = list(combinations(range(7), 2))
    for longest in ([(0, 3), (2, 5), (3, 6)], [(1, 4)], [], [(0, 6)], [(0, 2), (2, 4), (4, 6)], [(0, 4), (1, 5), (2, 6)]):
        mentions = [mention(*span) for span in longest]
        for start, end in spans:
            found = around(mention(start, end), mentions, [one[0] for one in longest])
            # One that begins before and ends earlier than another is all there can be, so none is passed over.
            expected = [one for one in longest if one[0] <= start and end <= one[1] and one != (start, end)]
            assert sorted((one.start, one.end) for one in found) == expected


# --- which mention counts ----------------------------------------------------------------------------------------------


def read(every: list[Any], guard: SaidGuard) -> Any:
    """A reading in which all mentions are told; the longest of them are those inside no other."""
    inside = [one for one in every if any(one != other and other.start <= one.start and one.end <= other.end for other in every)]
    return SimpleNamespace(
        every=SimpleNamespace(meaning=lambda test: [one for one in every if test(one.senses)]),
        longest=[one for one in every if one not in inside],
        verdict=guard.verdict,
        protected=None,
    )


def found(every: list[Any], protected: set[int], guard: Any = GUARD) -> list[tuple[int, int, int]]:
    hits = named(read(every, guard), guard, lambda one: one.concept.number in protected)
    return [(hit.mention.start, hit.mention.end, hit.sense.concept.number) for hit in hits]


def test_of_protected_names_inside_each_other_the_longest_counts() -> None:
    every = [
        mention(0, 10, sense(0, 1)),
        mention(0, 4, sense(0, 2)),
        mention(6, 10, sense(0, 2)),
        mention(20, 30, sense(0, 3)),
        mention(22, 25, sense(0, 2)),
        mention(28, 36, sense(0, 4)),  # overlaps, and is told too
        mention(40, 44, sense(0, 1)),
        mention(50, 60, sense(0, 8)),  # not protected
        mention(52, 55, sense(0, 2)),
        mention(70, 80, sense(0, 1)),
        mention(70, 72, sense(0, 2)),
        mention(78, 80, sense(0, 2)),
        mention(90, 91, sense(0, 1)),
    ]
    expected = [(0, 10, 1), (20, 30, 3), (28, 36, 4), (40, 44, 1), (52, 55, 2), (70, 80, 1), (90, 91, 1)]
    assert found(every, {1, 2, 3, 4}) == expected


def test_nothing_protected_is_an_empty_list_and_that_is_kept_for_other_rules() -> None:
    assert found([mention(0, 4, sense(0, 1))], {7}) == []
    reading = read([mention(0, 4, sense(0, 1))], GUARD)
    assert named(reading, GUARD, lambda one: False) == []
    assert reading.protected == []


def test_every_protected_meaning_is_asked_for_until_one_counts() -> None:
    guard: Any = SaidGuard(counts=lambda one, meant: meant.concept.number in (3, 4))
    many = mention(0, 4, sense(0, 1), sense(0, 2), sense(0, 3), sense(0, 4))
    assert found([many, mention(10, 14, sense(0, 1))], {1, 3, 4}, guard) == [(0, 4, 3)]
    assert [asked[-1] for asked in guard.asked] == [1, 3, 1]  # not the second, which is not protected, nor the fourth


def test_the_benefit_of_the_doubt_is_given_once() -> None:
    def verdict(one: Any, meant: Any) -> Verdict:
        against = {1: 0.9, 2: 0.5, 3: 0.0}[meant.concept.number]
        return Verdict(against < 0.6, True, 0.0, against, signs={"always": 1.0})

    guard: Any = SaidGuard(counts=verdict)
    assert found([mention(0, 4, sense(0, 1), sense(0, 2))], {1, 2}, guard) == []  # the first vocabulary that was asked said no
    assert found([mention(0, 4, sense(0, 2))], {1, 2}, guard) == [(0, 4, 2)]
    assert found([mention(0, 4, sense(0, 1), sense(0, 3))], {1, 3}, guard) == [(0, 4, 3)]  # of this there is no doubt


def test_a_meaning_that_a_longer_name_takes_away_leaves_the_others() -> None:
    outer = mention(0, 20, sense(FIELD, ST_DEPRESSION))
    inner = mention(5, 15, doubtful, sense(FIELD, 4))
    assert found([outer, inner], {DEPRESSION}) == []
    assert found([outer, inner], {DEPRESSION, 4}) == [(5, 15, 4)]
    # Of two longer names that overlap one is enough.
    kind = mention(3, 22, sense(FIELD, KIND_OF_IT))
    assert found([outer, kind, mention(5, 15, doubtful)], {DEPRESSION}) == []


def test_who_reads_many_texts_keeps_what_is_protected() -> None:
    def forbidden(one: Any) -> bool:
        raise AssertionError("it is known already")

    known = protected_senses(lambda one: one.concept.number == 1)
    both = (sense(0, 1), sense(0, 2))
    assert known(both) == both[:1]
    [hit] = named(read([mention(0, 4, *both)], GUARD), GUARD, forbidden, known)
    assert (hit.sense, hit.verdict.counts) == (both[0], True)
