"""What gives an instance back, beside what `test_given_back` tells: instances and terms in any order, and concepts by all names."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

from kgsan.knowledge.information import lower_bound
from kgsan.risk.correlation import Instance, correlated, given_back
from tests.papers.toy import TOY
from tests.risk.test_given_back import SOURCE, found, told
from tests.risk.worlds import ontology

#: What is left of 6 bits by a neighbor that never stands without the instance in its 4 contexts.
BACK = 6 + log2(lower_bound(4, 4))


def test_one_that_cannot_be_said_does_not_hide_the_next() -> None:
    unheard_of, everywhere, known = (Instance(name, 0.5, name, None) for name in ("unheard of", "entity", "HIV"))
    told_of = [one.entity for one in correlated(SOURCE, [unheard_of, everywhere, known], found("zidovudine"))]
    assert told_of == ["HIV"]
    assert told(Instance("HIV", 0.1, "HIV", "disease"), "unheard of", "disease", "zidovudine") == ["zidovudine"]


def test_a_replacement_that_says_nothing_leaves_as_much_open_as_none() -> None:
    for shown in (None, "entity"):
        assert told(Instance("HIV", BACK / 6, "HIV", shown), "zidovudine") == ["zidovudine"]
        assert told(Instance("HIV", BACK / 6 + 1e-6, "HIV", shown), "zidovudine") == []


def test_no_name_of_a_concept_that_stands_in_the_place_gives_it_back() -> None:
    [concept] = ontology({"disease": "; =illness"}).find("disease")
    world: Any = type(TOY)("toy world", 1024, {**TOY.sets, "illness": TOY.sets["zidovudine"]})
    assert told(Instance("HIV", 0.1, "HIV", concept), "illness", "Diseases", "zidovudine", source=world) == ["zidovudine"]
    assert told(Instance("HIV", 0.1, "HIV", "disease"), "illness", source=world) == ["illness"]


@pytest.mark.parametrize("shown", ["HIV", "zidovudine"])
def test_where_nothing_is_left_open_nothing_is_given_back(shown: str) -> None:
    assert told(Instance("HIV", -10.0, "HIV", shown), "zidovudine", "antiretroviral") == []


def test_counts_that_contradict_each_other_give_no_more_back_than_all() -> None:
    class Contradicting:
        """A neighbor stands 9 times with the instance, but only 4 times with what replaced it."""

        name, contexts = "contradicting", 1024

        def count(self, *terms: object) -> int:
            return 9 if "HIV" in terms else 4

    world: Any = Contradicting()
    assert given_back(world, Instance("HIV", 0.5, "HIV", "disease"), "zidovudine", 6.0) == pytest.approx(BACK)
