"""What a share says of itself, and where its comparisons turn: at the limit, and beyond the last power that is worked out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kgsan.knowledge.information import TOLERANCE, disclosure_risk, exceeds, reaches, reaches_exactly, share
from tests.papers.toy import TOY


def test_a_share_that_was_counted_is_a_sample_of_the_whole_term() -> None:
    counted = share(8.0, 4, 16, "example")
    assert counted is not None
    assert (counted.stated, counted.loose, counted.counted_as) == (False, False, None)


def test_a_share_of_an_entity_is_so_many_of_its_bits() -> None:
    found = share(8.0, 4, 16, "example")
    assert found is not None
    assert (found.revealed, found.bits) == (0.75, 6.0)


@pytest.mark.parametrize(
    ("neighbor", "replacement", "bits"),
    [
        ("fatigue", None, 2),  # 4 of its 64 contexts, where 1 in 64 would be chance
        ("zidovudine", None, 6),  # never without it
        ("fatigue", "disease", 3),  # 4 of the 32 that are left where a disease is known
        ("zidovudine", "disease", 6),
        ("unheard of", None, None),
        ("unheard of", "disease", None),
        ("fatigue", "unheard of", None),
    ],
)
def test_what_a_neighbor_tells_of_what_was_removed_or_replaced(neighbor: str, replacement: str | None, bits: int | None) -> None:
    if replacement == "disease" and neighbor == "fatigue":
        assert len(TOY.sets["fatigue"] & TOY.sets["disease"]) == 32
    assert disclosure_risk(TOY, "HIV", neighbor, replacement) == bits


@pytest.mark.parametrize("limit", [0.0, 0.5, 1.0])
def test_just_within_the_tolerance_counts_as_the_limit_itself(limit: float) -> None:
    assert reaches(limit - TOLERANCE, limit)
    assert not reaches(limit - 3 * TOLERANCE, limit)
    assert not exceeds(limit + TOLERANCE, limit)
    assert exceeds(limit + 3 * TOLERANCE, limit)


@pytest.mark.parametrize("counts", [(1024, 0, 4, 0), (1024, 4, 0, 0), (1024, 4, 4, 0)])
def test_what_was_never_seen_together_is_told_as_not_reached(counts: tuple[int, int, int, int]) -> None:
    assert reaches_exactly(*counts, Fraction(2)) is False


@pytest.mark.parametrize(("times", "reached"), [(10_000, False), (10_001, True)])
def test_up_to_the_ten_thousandth_power_whole_numbers_decide_and_beyond_it_a_near_miss_hides(times: int, reached: bool) -> None:
    """An entity of 2 bits at a strictness of times/(times - 1) is given away by a term that says 2/times bits less than all.

    The term may then stand without it in 1 - 2^(-2/times) of its contexts; one more is a miss far below the tolerance.
    """
    many = 2**32
    without = int(many * (1 - 2 ** (-2 / times))) + 1
    assert reaches_exactly(4 * many, many, many, many - without, Fraction(times, times - 1)) is reached
