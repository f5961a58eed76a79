"""How much of a text is left, over a handful of terms whose bits can be added up in the head."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.risk.terms import Term
from kgsan.sanitize.correlation import _within
from kgsan.sanitize.spoken import united
from kgsan.sanitize.utility import outermost, utility_kept

#: In bits.
SAID = {"HIV": 6.0, "infection": 3.0, "aspirin": 4.0, "drug": 2.0, "thing": 0.0, "HIV infection": 7.0, "plague": 12.0}
DETECTOR: Any = SimpleNamespace(said=SAID.__getitem__)
#: "HIV ... aspirin ... HIV infection", the last of which holds a shorter term.
TERMS = [Term(0, 3, "HIV"), Term(10, 17, "aspirin"), Term(20, 33, "HIV infection"), Term(20, 23, "HIV")]


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ({}, 17),
        ({(0, 3): "infection"}, 14),
        ({(0, 3): None}, 11),
        ({(0, 3): None, (10, 17): None, (20, 33): None}, 0),
        ({(0, 17): None}, 7),
        ({(0, 17): "infection"}, 10),
        ({(20, 23): None}, 10),
        ({(10, 17): "drug", (20, 33): "infection"}, 11),
        ({(4, 9): None}, 17),
        ({(3, 10): None}, 17),
        ({(33, 40): "plague"}, 17),
        ({(0, 3): "plague"}, 17),
    ],
)
def test_what_is_kept_is_what_the_new_names_say_and_never_more(changed: dict[tuple[int, int], str | None], kept: float) -> None:
    assert utility_kept(DETECTOR, TERMS, changed.items()) == pytest.approx(kept / 17)
    assert utility_kept(DETECTOR, TERMS, reversed(changed.items())) == pytest.approx(kept / 17)


def test_of_a_text_that_says_nothing_nothing_is_lost() -> None:
    assert utility_kept(DETECTOR, [], {(0, 3): None}.items()) == 1.0
    assert utility_kept(DETECTOR, [Term(0, 3, "thing")], {(0, 3): None}.items()) == 1.0


SPANS = st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda drawn: (drawn[0], drawn[0] + drawn[1]))


@given(st.lists(SPANS, max_size=12))
def test_the_outermost_terms_do_not_overlap_and_none_begins_outside_of_them(spans: list[tuple[int, int]]) -> None:
    found = outermost([Term(start, end, "HIV") for start, end in spans])
    taken = [(term.start, term.end) for term in found]
    assert taken == sorted(taken)
    assert all(before[1] <= after[0] for before, after in pairwise(taken))
    for start, end in spans:
        assert any(first <= start < last for first, last in taken)
        assert (start, end) in taken or not all(end <= first or last <= start for first, last in taken)


@given(st.lists(SPANS, max_size=12))
def test_united_places_cover_the_same_letters_and_do_not_touch(spans: list[tuple[int, int]]) -> None:
    made = united(spans)
    assert {at for span in made for at in range(*span)} == {at for span in spans for at in range(*span)}
    assert all(before[1] < after[0] for before, after in pairwise(made))


@given(st.lists(SPANS, max_size=12), st.lists(SPANS, max_size=6))
def test_a_context_holds_what_stands_in_it_in_order(items: list[tuple[int, int]], contexts: list[tuple[int, int]]) -> None:
    listed = [(start, end, f"{start} to {end}") for start, end in sorted(items, key=lambda item: (item[0], -item[1]))]
    contexts = united(contexts)
    expected = [[name for first, last, name in listed if first < end and last > start] for start, end in contexts]
    assert list(_within(listed, contexts)) == [inside for inside in expected if inside]
