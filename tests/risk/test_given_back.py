"""What a neighbor gives back of an instance that was replaced, over the toy world in which every amount is a whole number."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

from kgsan.knowledge.information import lower_bound
from kgsan.risk.correlation import Instance, correlated, given_back
from kgsan.risk.disclosures import Rule
from kgsan.risk.terms import Term
from tests.papers.toy import TOY, ContextSets

SOURCE: Any = TOY


def found(*names: str) -> list[Term]:
    return [Term(10 * at, 10 * at + len(name), name) for at, name in enumerate(names)]


def told(instance: Instance, *names: str, source: Any = SOURCE) -> list[str]:
    terms = found(*names)
    at = {term.start: term.name for term in terms}
    return [at[one.start] for one in correlated(source, [instance], terms)]


@pytest.mark.parametrize(
    ("shown", "neighbor", "together", "rest"),
    [
        (None, "zidovudine", 4, 4),
        (None, "fatigue", 4, 64),
        ("infection", "zidovudine", 4, 4),
        ("disease", "symptom", 8, 64),
        ("infection", "condom", 4, 8),
    ],
)
def test_what_is_given_back_is_the_least_that_the_counts_prove(
    shown: str | None, neighbor: str, together: int, rest: int
) -> None:
    assert len(TOY.sets["HIV"] & TOY.sets[neighbor]) == together
    assert len(TOY.sets[neighbor] & (TOY.sets[shown] if shown else TOY.sets["entity"])) == rest
    assert given_back(SOURCE, Instance("HIV", 0.5, "HIV", shown), neighbor, 6.0) == pytest.approx(
        6 + log2(lower_bound(together, rest))
    )


def test_one_context_proves_nothing_and_two_do() -> None:
    def world(together: int) -> Any:
        both = frozenset(range(together))
        return ContextSets("small", 64, {"HIV": both | {60}, "needle": both})

    instance = Instance("HIV", 0.5, "HIV", None)
    assert given_back(world(1), instance, "needle", 5.0) is None
    assert given_back(world(2), instance, "needle", 5.0) is not None


def test_what_was_never_seen_with_it_gives_nothing_back() -> None:
    assert given_back(SOURCE, Instance("HIV", 0.5, "HIV", None), "unheard of", 6.0) is None
    assert given_back(SOURCE, Instance("HIV", 0.5, "HIV", "unheard of"), "zidovudine", 6.0) is None


def test_only_neighbors_that_reach_the_limit_are_told() -> None:
    back = 6 + log2(lower_bound(4, 4))
    names = ("zidovudine", "ibuprofen", "device", "unheard of")
    assert told(Instance("HIV", back / 6, "HIV", None), *names) == ["zidovudine"]
    assert told(Instance("HIV", back / 6 + 1e-6, "HIV", None), *names) == []


def test_the_limit_is_a_part_of_what_the_replacement_left_open() -> None:
    """A disease says 2 of the 6 bits; of the 4 that are open a neighbor must give back so large a part."""
    back = 6 + log2(lower_bound(4, 4))
    part = (back - 2) / 4
    assert told(Instance("HIV", part, "HIV", "disease"), "zidovudine") == ["zidovudine"]
    assert told(Instance("HIV", part + 1e-6, "HIV", "disease"), "zidovudine") == []
    [one] = correlated(SOURCE, [Instance("HIV", part, "HIV", "disease")], found("zidovudine"))
    assert one.because == f"gives back {100 * part:.0f} % of what the replacement left open"
    assert (one.rule, one.entity, one.limit, one.start, one.end) == (Rule.CORRELATION, "HIV", part, 0, 10)


def test_what_stands_in_its_place_does_not_give_it_back() -> None:
    assert told(Instance("HIV", 0.01, "HIV", "disease"), "Disease", "zidovudine") == ["zidovudine"]


def test_a_replacement_that_says_as_much_leaves_nothing_to_give_back() -> None:
    assert told(Instance("HIV", 0.01, "HIV", "AIDS"), "zidovudine") == []


def test_an_instance_that_was_never_seen_cannot_be_given_back() -> None:
    assert told(Instance("HIV", 0.01, "unheard of", None), "zidovudine") == []
    assert told(Instance("HIV", 0.01, "entity", None), "zidovudine") == []


def test_each_instance_is_asked_for_once() -> None:
    instance = Instance("HIV", 0.1, "HIV", None)
    other = Instance("AIDS", 0.1, "AIDS", None)
    both = [one.entity for one in correlated(SOURCE, [instance, instance, other], found("zidovudine"))]
    assert both == ["HIV", "AIDS"]
