"""Groups of terms that give an entity away together, and which of their members gives way."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.knowledge.information import disclosure, information, reaches, shared_information
from kgsan.risk.groups import (
    Concession,
    GroupSearch,
    KnowledgeJoint,
    gives_way,
    loss,
    risky_groups,
    risky_groups_with,
)
from kgsan.sanitize.published import rewritten
from kgsan.sanitize.published.csan import limits, sanitize_groups, utility
from tests.papers.toy import ContextSets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.knowledge.knowledge import Term
    from kgsan.risk.groups import Group

PLAIN = GroupSearch(least_support=1, by_bound=False)
ENTITY = "secret"


@dataclass(frozen=True)
class World:
    """A small taxonomy with contexts closed upward, and a document of its leaves."""

    knowledge: ContextSets
    above: dict[str, str]
    document: list[str]

    def chain(self, term: Term) -> Sequence[Term]:
        found: list[Term] = []
        while (term := self.above.get(str(term), "")) != "":
            found.append(term)
        return found


def made_world(seed: int, leaves: int = 4) -> World:
    """Leaves that tend to stand where the secret stands, each two levels below a root; what generalizes them stands more often."""
    random = Random(seed)
    contexts = random.choice([60, 120, 240])
    secret = frozenset(random.sample(range(contexts), random.randint(6, contexts // 6)))
    sets = {"root": frozenset(range(contexts)), ENTITY: secret}
    above = {ENTITY: "kind of secret", "kind of secret": "root"}
    sets["kind of secret"] = secret | _some(random, contexts, 3)
    for leaf in range(leaves):
        parent = f"parent {leaf % 3}"
        near = frozenset(random.sample(sorted(secret), random.randint(0, len(secret) // 2)))
        sets[f"leaf {leaf}"] = near | _some(random, contexts, 15) | {random.randrange(contexts)}
        sets[parent] = sets.get(parent, frozenset()) | sets[f"leaf {leaf}"] | _some(random, contexts, 8)
        above |= {f"leaf {leaf}": parent, parent: f"class {leaf % 2}", f"class {leaf % 2}": "root"}
    for parent in [name for name in sets if name.startswith("parent")]:
        general = above[parent]
        sets[general] = sets.get(general, frozenset()) | sets[parent] | _some(random, contexts, 5)
    document = [f"leaf {leaf}" for leaf in range(leaves) for _ in range(random.randint(1, 2))]
    random.shuffle(document)
    return World(ContextSets("made", contexts, sets), above, document)


def _some(random: Random, contexts: int, one_in: int) -> frozenset[int]:
    return frozenset(context for context in range(contexts) if not random.randrange(one_in))


def every_smallest(knowledge: ContextSets, terms: Sequence[str], limit: float, search: GroupSearch) -> list[Group]:
    """The definition, spelled out: every set of terms, sizes ascending, without those that hold a risky one."""
    found: list[Group] = []
    for size in range(1, search.up_to + 1):
        for group in combinations(range(len(terms)), size):
            share = disclosure(knowledge, ENTITY, *(terms[member] for member in group))
            if share is None or share.support < search.least_support or any(set(smaller) <= set(group) for smaller in found):
                continue
            if reaches(share.low if search.by_bound else share.revealed, limit):
                found.append(group)
    return found


searches = st.builds(GroupSearch, least_support=st.integers(1, 4), up_to=st.integers(1, 4), by_bound=st.booleans())


def test_two_vague_symptoms_are_a_risky_group(toy: ContextSets) -> None:
    joint = KnowledgeJoint(toy, "HIV", ["fatigue", "weight loss", "ibuprofen"])
    [group] = risky_groups(joint, 3, 2 / 3, PLAIN, toy.name)
    assert group.members == (0, 1)
    assert (group.share.support, group.share.contexts_of_terms, group.share.source) == (2, 4, "toy world")
    assert group.share.revealed == pytest.approx(5 / 6)


def test_a_group_seen_with_the_entity_too_rarely_is_left_alone(toy: ContextSets) -> None:
    joint = KnowledgeJoint(toy, "HIV", ["fatigue", "weight loss"])
    assert risky_groups(joint, 2, 2 / 3, GroupSearch(least_support=2, by_bound=False))
    assert not risky_groups(joint, 2, 2 / 3, GroupSearch(least_support=3, by_bound=False))
    assert not risky_groups(joint, 2, 2 / 3)


def test_nothing_gives_away_what_stands_everywhere_or_nowhere(toy: ContextSets) -> None:
    for entity in ("entity", "unheard-of"):
        assert not risky_groups(KnowledgeJoint(toy, entity, ["HIV", "AIDS"]), 2, 2 / 3, PLAIN)


def test_a_group_that_grows_through_a_harmless_pair_is_found() -> None:
    # The pair says less than either of its terms; a search that drops it for that never sees the three, which say all.
    sets = {
        ENTITY: frozenset(range(16)),
        "a": frozenset([0, 1, 2, 3, 100, 101, 102, 103, 104]),
        "b": frozenset([0, 4, 5, 6, 100, 101, 102, 103, 105]),
        "c": frozenset([0, 104, 105, 106]),
    }
    world = ContextSets("made", 1024, sets)
    assert shared_information(world, ENTITY, "a", "b") < shared_information(world, ENTITY, "a")
    found = risky_groups(KnowledgeJoint(world, ENTITY, ["a", "b", "c"]), 3, 1.0, PLAIN)
    assert [group.members for group in found] == [(0, 1, 2)]


@settings(max_examples=150)
@given(st.integers(0, 10**6), st.sampled_from([1.0, 1.25, 1.5, 2.0, 3.0]), searches)
def test_the_search_finds_exactly_the_smallest_risky_groups(seed: int, strictness: float, search: GroupSearch) -> None:
    world = made_world(seed, leaves=7)
    terms = [term for term in world.knowledge.sets if term.startswith(("leaf", "parent"))]
    joint = KnowledgeJoint(world.knowledge, ENTITY, terms)
    found = [group.members for group in risky_groups(joint, len(terms), 1 / strictness, search)]
    assert found == every_smallest(world.knowledge, terms, 1 / strictness, search)


@settings(max_examples=150)
@given(st.integers(0, 10**6), st.integers(0, 6), st.sampled_from([1.25, 1.5, 2.0]), searches)
def test_after_a_replacement_only_the_groups_of_that_term_are_new(
    seed: int, member: int, strictness: float, search: GroupSearch
) -> None:
    world = made_world(seed, leaves=7)
    terms = [term for term in world.knowledge.sets if term.startswith("leaf")]
    before = risky_groups(KnowledgeJoint(world.knowledge, ENTITY, terms), len(terms), 1 / strictness, search)
    terms[member] = world.above[terms[member]]
    joint = KnowledgeJoint(world.knowledge, ENTITY, terms)
    others = [group.members for group in before if member not in group.members]
    own = risky_groups_with(joint, len(terms), member, others, 1 / strictness, search)
    again = risky_groups(joint, len(terms), 1 / strictness, search)
    assert {group.members for group in again} == {*others, *(group.members for group in own)}


class Counted:
    """Every group reveals all, or nothing; asking is counted."""

    def __init__(self, risky: set[Group]) -> None:
        self.risky = risky
        self.asked = 0
        self.entity_information = 8.0

    def total(self, group: Group) -> int:
        return 5 if group in self.risky else 5000

    def with_entity(self, group: Group) -> int:
        self.asked += 1
        return 5


@pytest.mark.parametrize(
    ("group", "found"),
    [
        ((0, 63), True),
        ((31, 63), True),
        ((31, 64), False),
        ((32, 95), True),
        ((32, 96), False),
        ((64, 100), True),
        ((5, 40, 63), True),
    ],
)
def test_terms_of_a_long_context_meet_within_windows_of_64(group: Group, found: bool) -> None:
    joint = Counted({group})
    assert [risky.members for risky in risky_groups(joint, 101, 0.5)] == [group] * found
    known = risky_groups_with(joint, 101, group[-1], [], 0.5)
    assert [risky.members for risky in known] == [group] * found


def test_the_cost_of_a_long_context_grows_with_its_length() -> None:
    asked = []
    for terms in (512, 1024):
        joint = Counted(set())
        assert not risky_groups(joint, terms, 0.5, GroupSearch(up_to=2))
        asked.append(joint.asked)
    assert asked[1] < 2.1 * asked[0]


def test_nothing_is_asked_about_a_group_that_holds_a_risky_one() -> None:
    joint = Counted({(term,) for term in range(10)})
    assert len(risky_groups(joint, 10, 0.5)) == 10
    assert joint.asked == 10


def test_counts_that_contradict_each_other_hide() -> None:
    class Contradicting(Counted):
        def total(self, group: Group) -> int:
            return 3

    assert [group.share.revealed for group in risky_groups(Contradicting(set()), 1, 0.5)] == [1.0]


@pytest.mark.parametrize(
    ("concessions", "member", "replacement"),
    [
        ([(0, "device", loss(1, 6, 2)), (1, "drug", loss(2, 4, 3))], 1, "drug"),
        ([(0, "device", loss(1, 6, 4)), (1, "drug", loss(2, 4, 3))], 1, "drug"),  # a tie: the later one
        ([(2, "symptom", 2.0), (2, "finding", 2.0 + 1e-12), (1, "drug", 2.0)], 2, "finding"),  # a tie of names
        ([(0, None, 4.0), (1, "drug", 5.0)], 0, None),
    ],
)
def test_the_member_that_loses_least_gives_way(
    concessions: list[tuple[int, str | None, float]], member: int, replacement: str | None
) -> None:
    chosen = gives_way(Concession(*concession) for concession in concessions)
    assert chosen is not None
    assert (chosen.member, chosen.replacement) == (member, replacement)


def test_without_concessions_nobody_gives_way() -> None:
    assert gives_way([]) is None


def test_a_printed_concession_shows_no_word() -> None:
    assert "zidovudine" not in repr(Concession(1, "zidovudine", 2.0))


# --- the greedy choice against every choice ----------------------------------------------------------------------------------


def best_utility(world: World, strictness: float, search: GroupSearch) -> float:
    """The most that any admissible choice keeps: each term as it is, any of its chain, or redacted."""
    distinct = list(dict.fromkeys(world.document))
    return max(
        kept(world, dict(zip(distinct, choice, strict=True)))
        for choice in product(*([term, *world.chain(term), None] for term in distinct))
        if admissible(world, [term for term in choice if term is not None], strictness, search)
    )


def admissible(world: World, terms: Sequence[Term], strictness: float, search: GroupSearch) -> bool:
    distinct = [str(term) for term in dict.fromkeys(terms)]
    alone = GroupSearch(least_support=1, up_to=1, by_bound=False)
    if every_smallest(world.knowledge, distinct, 1 / strictness, alone):
        return False
    return not every_smallest(world.knowledge, distinct, 1 / strictness, search)


def kept(world: World, choice: dict[str, Term | None]) -> float:
    return utility(world.knowledge, [choice[term] for term in world.document])


def greedy_utility(world: World, strictness: float, search: GroupSearch) -> float:
    entity_limits = limits(world.knowledge, [ENTITY], strictness)
    made = sanitize_groups(world.knowledge, [world.document], entity_limits, world.chain, search)
    left = rewritten(world.document, made)
    assert admissible(world, [term for term in left if term is not None], strictness, search)
    return utility(world.knowledge, left)


@pytest.mark.parametrize(
    ("search", "gap", "as_good"), [(PLAIN, 0.05, 0.4), (GroupSearch(least_support=3, by_bound=False), 0.03, 0.8)]
)
def test_the_greedy_choice_is_seldom_far_from_the_best(search: GroupSearch, gap: float, as_good: float) -> None:
    gaps = []
    for seed in range(20):
        world = made_world(seed)
        best, found = best_utility(world, 1.5, search), greedy_utility(world, 1.5, search)
        assert found <= best + 1e-9
        gaps.append((best - found) / utility(world.knowledge, world.document))
    assert sum(gaps) / len(gaps) < gap
    assert sum(one < 1e-9 for one in gaps) >= len(gaps) * as_good


def test_information_of_made_worlds_never_rises_with_generality() -> None:
    for seed in range(20):
        world = made_world(seed)
        for term, above in world.above.items():
            assert (information(world.knowledge, term) or 0.0) >= (information(world.knowledge, above) or 0.0) - 1e-12
