"""GreedySanitize as the paper has it: the example worked by hand, and its theorems on what the stopping rule saw."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.evaluate.attacker import Attack
from kgsan.evaluate.generated import generated
from kgsan.sanitize.greedy.features import Instances, Tokens
from kgsan.sanitize.greedy.greedy import Costs, learned_rounds, publisher_loss, rounds, worth_adding
from kgsan.sanitize.greedy.learners import Learned, Lessons
from kgsan.sanitize.greedy.marked import instances_of
from kgsan.sanitize.greedy.prediction import Prediction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.greedy import Round


@dataclass(frozen=True)
class Fixed:
    """A classifier that marks the same places whatever it sees."""

    places: NDArray[np.bool_]

    def predict(self, instances: Instances, where: NDArray[np.bool_]) -> Prediction:
        marked = self.places & where & ~instances.hidden
        return Prediction(marked, marked.astype(float))


def world(sensitive: Sequence[bool]) -> tuple[Instances, NDArray[np.bool_]]:
    size = len(sensitive)
    bounds = np.asarray([0, size])
    places = np.arange(size)
    tokens = Tokens(["word"] * size, ["NN"] * size, places, places + 1, bounds, bounds)
    return Instances(tokens, np.asarray(sensitive, dtype=bool), np.zeros(size, dtype=bool)), np.ones(size, dtype=bool)


def one_after_the_other(marks: Iterable[Iterable[int]], size: int) -> Callable[[Instances], Learned]:
    """A learner that comes up with these marks in turn, and then with none."""
    waiting = iter(list(marks))

    def learner(left: Instances) -> Learned:
        places = np.zeros(size, dtype=bool)
        places[list(next(waiting, []))] = True
        made = Fixed(places)
        return Learned("fixed", made, made.predict(left, np.ones(size, dtype=bool)))

    return learner


def kept(
    instances: Instances, where: NDArray[np.bool_], marks: Iterable[Iterable[int]], costs: Costs
) -> tuple[list[Round], Round]:
    """The rounds that are kept, and the one that is refused."""
    found = list(rounds(instances, one_after_the_other(marks, len(where)), where))
    added = list(worth_adding(costs, found))
    return added, found[len(added)]


# --- 20 tokens, 6 sensitive, L = 10, C = 1 -----------------------------------------------------------------------------------

SENSITIVE = [True] * 6 + [False] * 14
H1, H2, H3 = [0, 1, 2, 3, 6], [4, 7, 8, 9], [10, 11]


def test_the_example_worked_by_hand() -> None:
    instances, where = world(SENSITIVE)
    costs = Costs(10, 1)
    added, refused = kept(instances, where, [H1, H2, H3], costs)
    assert publisher_loss(costs, instances, where) == 60
    assert [publisher_loss(costs, one.left, where) for one in (*added, refused)] == [60, 21, 14]
    assert [(one.true_positives, one.false_positives) for one in (*added, refused)] == [(4, 1), (1, 3), (0, 2)]
    assert (
        publisher_loss(costs, refused.left.hiding(Fixed(np.isin(np.arange(20), H3)).predict(refused.left, where).marked), where)
        == 16
    )
    published = ~refused.left.hidden
    assert (int(published.sum()), int((published & instances.sensitive).sum())) == (11, 1)


def test_a_round_that_pays_exactly_for_itself_is_not_added() -> None:
    instances, where = world([*SENSITIVE, *[False] * 8])
    _, refused = kept(instances, where, [H1, H2, [5, *range(10, 20)]], Costs(10, 1))
    assert (refused.true_positives, refused.false_positives) == (1, 10)
    added, _ = kept(instances, where, [H1, H2, [5, *range(10, 19)]], Costs(10, 1))
    assert len(added) == 3


# --- theorems, for any learner -----------------------------------------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn) -> tuple[list[bool], list[list[int]], Costs]:
    sensitive = draw(st.lists(st.booleans(), min_size=2, max_size=40))
    marks = draw(st.lists(st.lists(st.integers(0, len(sensitive) - 1), unique=True), max_size=12))
    return sensitive, marks, Costs(draw(st.sampled_from([0.5, 1, 2, 5, 10, 100])), draw(st.sampled_from([0.25, 1, 3])))


@given(games())
def test_it_ends_after_at_most_one_round_more_than_there_are_sensitive_tokens(
    game: tuple[list[bool], list[list[int]], Costs],
) -> None:
    """Theorem 3.1."""
    sensitive, marks, _ = game
    instances, where = world(sensitive)
    assert len(list(rounds(instances, one_after_the_other(marks, len(where)), where))) <= sum(sensitive) + 1


@given(games())
def test_every_round_that_is_kept_lowers_the_loss_by_what_it_was_said_to(game: tuple[list[bool], list[list[int]], Costs]) -> None:
    sensitive, marks, costs = game
    instances, where = world(sensitive)
    added, refused = kept(instances, where, marks, costs)
    losses = [publisher_loss(costs, one.left, where) for one in (*added, refused)]
    for one, before, after in zip(added, losses, losses[1:], strict=False):
        assert after - before == costs.change(one.true_positives, one.false_positives) < 0


@given(games())
def test_where_it_stops_an_attacker_is_wrong_too_often(game: tuple[list[bool], list[list[int]], Costs]) -> None:
    """Theorem 4.1: TP = 0 or FP/TP >= L/C; theorem 4.2: TP <= (C/L)(1 - a)n, and none if L/C is larger than (1 - a)n."""
    sensitive, marks, costs = game
    instances, where = world(sensitive)
    _, refused = kept(instances, where, marks, costs)
    found, wrong = refused.true_positives, refused.false_positives
    ratio = Fraction(costs.leak) / Fraction(costs.overhiding)
    others = len(sensitive) - sum(sensitive)
    assert found == 0 or Fraction(wrong, found) >= ratio
    assert found <= others / ratio
    if ratio > others:
        assert found == 0


@pytest.mark.parametrize("count_on", ["held_out", "training"])
def test_the_theorems_hold_for_a_real_learner_on_what_the_stopping_rule_saw(count_on: str) -> None:
    notes = generated("notes", 12, seed=3)
    instances = instances_of([one.text for one in notes], [one.spans for one in notes])
    where = np.ones(len(instances.tokens), dtype=bool)
    found = []
    for one in learned_rounds("svm", Lessons(instances, where, 0), count_on):  # type: ignore[arg-type]
        found.append(one)
    costs = Costs(10, 1)
    added = list(worth_adding(costs, found))
    refused = found[len(added)]
    assert added
    assert costs.change(refused.true_positives, refused.false_positives) >= 0
    assert refused.true_positives <= (~instances.sensitive).sum() / 10
    assert publisher_loss(costs, refused.left, where) < publisher_loss(costs, instances, where)
    assert len(found) <= instances.sensitive.sum() + 1


# --- the attacker ------------------------------------------------------------------------------------------------------------


def test_a_budget_buys_what_the_formula_says() -> None:
    attack = Attack(4, 1, 6, 89, (1, 2, 3, 5, 20))
    assert [attack.expected(budget) for budget in (0, 5, 100)] == [0, 4, 10]
    assert attack.expected(24) == pytest.approx(4 + 19 * 6 / 95)
    assert attack.at_random(50) == 5
    assert [attack.by_score(budget) for budget in (0, 2, 4, 20)] == [0, 2, 3, 5]


@settings(max_examples=200)
@given(st.tuples(*[st.integers(0, 30)] * 4), st.integers(0, 150))
def test_no_budget_finds_more_than_there_is(counts: tuple[int, int, int, int], budget: int) -> None:
    attack = Attack(*counts)
    assert 0 <= attack.expected(budget) <= attack.leaked + 1e-9
    assert attack.expected(attack.published) == pytest.approx(attack.leaked)
    assert 0 <= attack.at_random(budget) <= attack.leaked + 1e-9
