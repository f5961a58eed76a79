"""The search for groups against its definition spelled out, and its limits: support, size, ties, windows, who gives way."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.risk.groups import (
    USUAL_SEARCH,
    Concession,
    GroupSearch,
    KnowledgeJoint,
    gives_way,
    loss,
    risky_groups,
    risky_groups_with,
)
from tests.papers.test_groups import ENTITY, Counted, every_smallest, made_world
from tests.risk.worlds import ontology

if TYPE_CHECKING:
    from kgsan.risk.groups import Group

PLAIN = GroupSearch(least_support=1, by_bound=False)


def test_unless_a_policy_says_otherwise_three_terms_in_three_contexts_are_looked_for_by_what_is_proved() -> None:
    usual = GroupSearch()
    assert usual == USUAL_SEARCH
    assert [usual.supports(contexts) for contexts in (2, 3)] == [False, True]
    for group in ((0, 1, 2), (0, 1, 2, 3)):
        found = risky_groups(Counted({group}), 4, 0.5, usual)
        assert [risky.members for risky in found] == [group] * (len(group) == 3)
    assert usual.by_bound


@pytest.mark.parametrize(
    ("least", "contexts", "enough"),
    [(3, 3, True), (3, 2, False), (3, None, False), (1, 1, True), (1, 0, False), (0, 0, False), (0, 1, True), (2, 1, False)],
)
def test_a_group_is_supported_by_as_many_contexts_as_are_wanted_and_by_one_at_least(
    least: int, contexts: int | None, enough: bool
) -> None:
    assert GroupSearch(least_support=least).supports(contexts) is enough


@pytest.mark.parametrize("by_bound", [False, True])
@pytest.mark.parametrize("up_to", [1, 2, 3, 4])
def test_the_search_finds_what_the_definition_says(up_to: int, by_bound: bool) -> None:
    search = GroupSearch(least_support=2, up_to=up_to, by_bound=by_bound)
    sizes = set()
    for seed in range(9):
        world = made_world(seed, leaves=6).knowledge
        terms = [term for term in world.sets if term.startswith(("leaf", "parent"))]
        limit = (0.5, 0.7, 0.9)[seed % 3]
        expected = every_smallest(world, terms, limit, search)
        found = risky_groups(KnowledgeJoint(world, ENTITY, terms), len(terms), limit, search, "made")
        assert [group.members for group in found] == expected
        assert {group.share.source for group in found} <= {"made"}
        sizes |= {len(group.members) for group in found}
        some = [number for number in range(len(terms)) if number % 3]
        among = risky_groups(KnowledgeJoint(world, ENTITY, terms), len(terms), limit, search, among=some)
        assert [group.members for group in among] == [group for group in expected if set(group) <= set(some)]
    assert sizes >= ({2} & {up_to} if by_bound else set(range(1, min(up_to, 3) + 1)))


@pytest.mark.parametrize("member", range(6))
def test_the_groups_of_one_term_are_those_of_all_that_hold_it(member: int) -> None:
    search = GroupSearch(least_support=1, up_to=4, by_bound=False)
    for seed in range(5):
        world = made_world(seed, leaves=6).knowledge
        terms = [term for term in world.sets if term.startswith("leaf")]
        joint = KnowledgeJoint(world, ENTITY, terms)
        every = [group.members for group in risky_groups(joint, len(terms), 0.8, search)]
        others = [group for group in every if member not in group]
        own = [group.members for group in risky_groups_with(joint, len(terms), member, others, 0.8, search, "made")]
        assert own == [group for group in every if member in group]


def test_a_group_that_holds_a_known_one_is_no_smallest_one() -> None:
    """Term 0 with 1, with 2 and with both; 1 and 2 together are risky already, and 3 is by itself."""
    joint = Counted({(0, 1, 2), (0, 1, 4), (0, 3)})
    found = risky_groups_with(joint, 5, 0, [(1, 2), (3,)], 0.5)
    assert [group.members for group in found] == [(0, 1, 4)]
    alone = Counted({(0,), (0, 1)})
    assert [group.members for group in risky_groups_with(alone, 5, 0, [], 0.5)] == [(0,)]
    assert alone.asked == 1  # what is risky by itself is not grown


def test_what_reaches_the_limit_exactly_is_risky() -> None:
    """Of an entity of 8 bits, half is 4 bits: one in 16 contexts of the term."""

    class Tied(Counted):
        def total(self, group: Group) -> int:
            return 80

    assert [group.share.revealed for group in risky_groups(Tied(set()), 1, 0.5, PLAIN)] == [0.5]
    assert not risky_groups(Tied(set()), 1, 0.5 + 1e-6, PLAIN)
    assert not risky_groups(Tied(set()), 1, 0.5)  # five contexts do not prove it


def test_a_term_that_cannot_be_counted_hides_no_other_and_nothing_is_made_of_nothing() -> None:
    class Partly(Counted):
        def with_entity(self, group: Group) -> int | None:  # type: ignore[override]
            return {0: None, 1: 2}.get(group[0], super().with_entity(group))

        def total(self, group: Group) -> int | None:  # type: ignore[override]
            return None if group == (2,) else 0 if group == (3,) else 5

    assert [group.members for group in risky_groups(Partly(set()), 5, 0.5, GroupSearch(up_to=1))] == [(4,)]


class Numbered(Counted):
    """So many terms, beyond which there are none; no group holds one twice."""

    def __init__(self, terms: int, risky: set[Group]) -> None:
        super().__init__(risky)
        self.terms = range(terms)

    def with_entity(self, group: Group) -> int:
        assert all(member in self.terms for member in group)
        assert list(group) == sorted(set(group))
        return super().with_entity(group)


@pytest.mark.parametrize(
    ("pair", "is_found"),
    [
        ((0, 1), True),
        ((0, 63), True),
        ((0, 64), False),
        ((31, 63), True),
        ((31, 64), False),
        ((32, 64), True),
        ((32, 95), True),
        ((63, 95), True),
        ((63, 96), False),
        ((64, 96), True),
    ],
)
def test_terms_far_apart_meet_where_a_window_of_64_from_every_32nd_term_holds_both(pair: tuple[int, int], is_found: bool) -> None:
    joint, search = Numbered(100, {pair}), GroupSearch(up_to=2)
    assert [group.members for group in risky_groups(joint, 100, 0.5, search)] == [pair] * is_found
    for member in pair:
        assert [group.members for group in risky_groups_with(joint, 100, member, [], 0.5, search)] == [pair] * is_found


def test_three_terms_meet_only_where_the_first_and_the_last_do() -> None:
    some = [20, 40, 50, 63, 70, 90]
    for group, is_found in (((20, 40, 63), True), ((20, 40, 70), False), ((40, 50, 90), True), ((40, 63, 90), True)):
        # 20 and 70 never meet, though 40 meets both.
        assert [risky.members for risky in risky_groups(Counted({group}), 100, 0.5, among=some)] == [group] * is_found


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_group_up_to_the_largest_size_is_asked_about_once(size: int) -> None:
    joint = Counted(set())
    assert not risky_groups(joint, 7, 0.5, GroupSearch(up_to=size))
    assert joint.asked == sum(len(list(combinations(range(7), each))) for each in range(1, size + 1))


# --- who gives way -----------------------------------------------------------------------------------------------------


def test_what_is_lost_is_what_every_occurrence_says_less() -> None:
    assert [loss(1, 6.0, 2.0), loss(3, 6.0, 2.0), loss(2, 4.0, 4.0), loss(2, 4.0, 0.0)] == [4.0, 12.0, 0.0, 8.0]


[SYMPTOM] = ontology({"symptom": ""}).find("symptom")


@pytest.mark.parametrize(
    ("concessions", "chosen"),
    [
        ([(0, "a", 3.0), (1, "a", 2.0), (2, "a", 4.0)], (1, "a")),
        ([(0, "a", 2.0), (1, "a", 2.0 + 3e-10)], (1, "a")),  # amounts that differ by less than a billionth are equal
        ([(0, "a", 2.0), (1, "a", 2.0 + 4e-9)], (0, "a")),
        ([(1, SYMPTOM, 2.0), (1, "rash", 2.0), (1, "zoster", 2.0)], (1, "rash")),
        ([(1, SYMPTOM, 2.0), (1, "zoster", 2.0)], (1, SYMPTOM)),
        ([(1, "rash", 2.0), (1, None, 2.0)], (1, None)),  # nothing comes before every name
    ],
)
def test_of_equal_losses_the_later_term_gives_way_and_then_the_first_name(
    concessions: list[tuple[int, Any, float]], chosen: tuple[int, Any]
) -> None:
    for order in (concessions, concessions[::-1]):
        found = gives_way(Concession(*each) for each in order)
        assert found is not None
        assert (found.member, found.replacement) == chosen
