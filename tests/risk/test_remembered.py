"""What is remembered of a name that was judged: to which side of the middle a new place lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from kgsan.risk.remembered import VIEWS, Memory, memory, remember

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = list[NDArray[np.float64]]


def places(*views: tuple[float, float], times: int = 3) -> Places:
    """The same place several times: for each of the three views its vector."""
    assert len(views) == len(VIEWS) == 3
    return [np.array(views)] * times


def seen(*views: tuple[float, float]) -> dict[str, NDArray[np.float64]]:
    return dict(zip(VIEWS, np.array(views), strict=True))


ZERO = (0.0, 0.0)
MEANT = places((0.25, 0.0), (0.0, 0.25), (0.5, 0.0))
OTHER = places((0.0, 0.25), (0.0, 0.0), (-0.5, 0.0))
DRUG = Memory(remember({("crack", "w:drug"): (MEANT, OTHER), ("crack", "w:gap"): (OTHER, MEANT)}))


def test_the_middle_of_the_places_in_the_sense_leans_to_it_and_that_of_the_others_away() -> None:
    meant, other, between = (
        DRUG.leaning("crack", "w:drug", seen(*views)) for views in (MEANT[0], OTHER[0], (MEANT[0] + OTHER[0]) / 2)
    )
    assert list(meant) == [f"remembered, {view}" for view in ("expected", "close", "sentence")]
    assert all(value > 0 for value in meant.values())
    assert other == {view: -value for view, value in meant.items()}
    assert set(between.values()) == {0.0}


def test_how_far_is_the_way_along_the_step_beyond_the_half() -> None:
    # Steps are (1/4, -1/4), (0, 1/4) and (1, 0), of which 127/256 are kept; the middle lies at 0, 1/8 * 1/4 and 0 along them.
    found = DRUG.leaning("crack", "w:drug", seen((1.0, 0.0), (0.0, 1.0), (1.0, 0.0)))
    assert found == {"remembered, expected": 0.25, "remembered, close": 0.21875, "remembered, sentence": 0.496094}


def test_half_way_is_nowhere_however_far_out_the_places_lie() -> None:
    far = Memory(remember({("crack", "w:drug"): (places((301.0, 0.0), ZERO, ZERO), places((299.0, 0.0), ZERO, ZERO))}))
    assert far.leaning("crack", "w:drug", seen((300.0, 5.0), ZERO, ZERO))["remembered, expected"] == 0.0


def test_each_concept_of_a_name_is_remembered_apart() -> None:
    here = seen((1.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    drug, gap = (DRUG.leaning("crack", concept, here) for concept in ("w:drug", "w:gap"))
    assert gap == {view: -value for view, value in drug.items()}
    assert DRUG.leaning("crack", "w:fissure", here) == {}
    assert DRUG.leaning("coke", "w:drug", here) == {}
    assert len(DRUG) == 2


@pytest.mark.parametrize(("meant", "other", "kept"), [(3, 3, 1), (2, 3, 0), (3, 2, 0), (0, 9, 0)])
def test_a_name_is_remembered_when_it_was_judged_three_times_either_way(meant: int, other: int, kept: int) -> None:
    views = (0.5, 0.0), ZERO, ZERO
    judged = {("crack", "w:drug"): (places(*views, times=meant), places(ZERO, ZERO, ZERO, times=other))}
    assert len(Memory(remember(judged))) == kept


def test_a_memory_of_nothing_leans_nowhere() -> None:
    assert Memory(remember({})).leaning("crack", "w:drug", seen(ZERO, ZERO, ZERO)) == {}


def test_names_are_told_apart_however_they_are_given() -> None:
    pairs = {("b", "c:2"): (MEANT, OTHER), ("a", "c:1"): (OTHER, MEANT)}
    here = seen((1.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    one, two = (Memory(remember(dict(order))) for order in (pairs.items(), reversed(pairs.items())))
    assert one.leaning("b", "c:2", here) == two.leaning("b", "c:2", here) == DRUG.leaning("crack", "w:drug", here)


def test_what_ships_remembers_names_with_views_of_real_places() -> None:
    shipped = memory()
    assert len(shipped) > 10
    assert shipped._steps.shape[:2] == (len(shipped), 3)
    assert shipped._halfway.shape == (len(shipped), 3)
