"""The machine that reads from left to right: what it says by weights that are given, and what it learns."""

from __future__ import annotations

import numpy as np
import pytest

from kgsan.sanitize.greedy.features import OFFSETS
from kgsan.sanitize.greedy.svm import Machine, _evened, _history, _seen, learn_machine
from tests.sanitize.greedy.toy import flags, instances, places, tokens

#: It takes seconds to load, which is no part of any test.
pytest.importorskip("sklearn.svm", exc_type=ImportError)

NAMES = tokens(["Ann Bo went", "Cy went", "he went home"])
EVERYWHERE = flags(len(NAMES), range(len(NAMES)))


def machine(intercept: float = 0.0, history: tuple[float, float, float] = (0, 0, 0), **weights: dict[int, float]) -> Machine:
    """A machine with weights for words, by how far off they stand."""
    made = np.zeros((len(OFFSETS), len(weights)))
    for column, of_word in enumerate(weights.values()):
        for offset, weight in of_word.items():
            made[OFFSETS.index(offset), column] = weight
    return Machine(tuple(f"w={word}" for word in weights), made, np.asarray(history, dtype=float), float(intercept))


# --- what it says --------------------------------------------------------------------------------------------------------------


def test_a_word_counts_where_its_weight_says() -> None:
    made = machine(-1, went={-1: 5, 0: 7, 1: 2, 2: 4}, bo={-2: 8})
    scores = made.predict(instances(NAMES), EVERYWHERE).scores.tolist()
    #         Ann: went 2 ahead, Bo: went ahead, went, | Cy: went ahead, went | he: went ahead, went, home: went before
    assert scores == [-1 + 4, -1 + 2, -1 + 7, -1 + 2, -1 + 7, -1 + 2, -1 + 7, -1 + 5]


def test_a_score_of_zero_marks_nothing_and_above_it_does() -> None:
    assert places(machine(0, ann={0: 0.5}).predict(instances(NAMES), EVERYWHERE).marked) == [0]
    assert places(machine(-0.5, ann={0: 0.5}).predict(instances(NAMES), EVERYWHERE).marked) == []


def test_what_was_said_of_the_last_two_words_counts_within_the_sentence() -> None:
    """Everything is marked that follows a mark, and the sums are those of what was marked."""
    made = machine(-1, (10, 100, 1000), ann={0: 3}, he={0: 3})
    told = made.predict(instances(NAMES), EVERYWHERE)
    assert told.scores.tolist() == [2, 9, 1109, -1, -1, 2, 9, 1109]
    assert places(told.marked) == [0, 1, 2, 5, 6, 7]


def test_the_word_before_the_last_counts_when_the_last_was_not_marked() -> None:
    made = machine(-1, (-10, 100, 1000), ann={0: 3})
    assert made.predict(instances(NAMES), EVERYWHERE).scores.tolist()[:3] == [2, -11, 99]


@pytest.mark.parametrize(
    ("where", "hidden", "candidates", "marked"),
    [
        (range(8), [], None, range(8)),
        (range(3), [], None, [0, 1, 2]),
        (range(8), [1, 4], None, [0, 2, 3, 5, 6, 7]),
        (range(8), [], [2, 3], [2, 3]),
        (range(3), [1], [1, 2, 3], [2]),
    ],
)
def test_only_what_is_asked_for_open_and_a_candidate_is_marked(
    where: range, hidden: list[int], candidates: list[int] | None, marked: list[int]
) -> None:
    among = None if candidates is None else flags(8, candidates)
    told = machine(1).predict(instances(NAMES, hidden=hidden), flags(8, where), among)
    assert places(told.marked) == list(marked)
    assert told.scores.tolist() == [1.0 if at in marked else -np.inf for at in range(8)]


def test_what_cannot_be_marked_is_no_memory() -> None:
    made = machine(1, (10, 0, 0))
    assert made.predict(instances(NAMES, hidden=[0]), EVERYWHERE).scores.tolist()[1:3] == [1, 11]


# --- what it learns ------------------------------------------------------------------------------------------------------------


def test_a_form_has_a_one_for_everything_known_that_is_seen_of_it() -> None:
    forms = tokens(["Ann Bo ann"]).forms
    seen = _seen(forms, {"hidden": 0, "w=ann": 1, "capital": 2, "w=zoe": 3}).toarray()
    assert seen.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0], [0, 1, 0, 0]]


def test_the_past_is_that_of_the_sentence_and_the_hidden_has_none() -> None:
    made = instances(tokens(["a b c d", "e f g"]), sensitive=[0, 1, 2, 3, 4, 6], hidden=[2])
    assert _history(made).tolist() == [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 1],
        [0, 1, 0],
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
    ]


def test_the_word_before_the_last_is_two_before() -> None:
    made = instances(tokens(["a b c d", "e f g"]), sensitive=[1, 4])
    assert _history(made)[:, 1].tolist() == [0, 0, 0, 1, 0, 0, 1]
    assert _history(made)[:, 0].tolist() == [0, 0, 1, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("weights", "classes", "each"),
    [
        ((1, 1), [True, False], (1, 1)),
        ((2, 2), [True, False, False], (1, 1)),
        ((3, 1), [True, False], (1.5, 0.5)),
        ((10, 1), [True, False, False, False], (10 / 3.25, 1 / 3.25)),
    ],
)
def test_weights_are_a_ratio_and_count_as_much_as_none_in_all(
    weights: tuple[float, float], classes: list[bool], each: tuple[float, float]
) -> None:
    found = _evened(weights, np.asarray(classes))
    assert (found[True], found[False]) == pytest.approx(each)
    assert sum(found[one] for one in classes) == pytest.approx(len(classes))


LESSON = tokens(["Ann went", "he went", "Bo slept", "she slept", "Cy went", "home"])
SENSITIVE = [0, 4, 8]


def test_names_are_learned_and_others_are_not_marked() -> None:
    made = learn_machine(instances(LESSON, SENSITIVE), flags(len(LESSON), range(len(LESSON))), seed=0)
    fresh = tokens(["Zoe went", "it went"])
    assert places(made.predict(instances(fresh), flags(4, range(4))).marked) == [0]


def test_only_rows_that_are_asked_for_and_open_are_lessons() -> None:
    some = flags(len(LESSON), range(4))
    made = learn_machine(instances(LESSON, SENSITIVE), some, seed=0)
    assert "w=went" in made.atoms
    assert not {"w=bo", "w=slept", "w=home", "hidden"} & set(made.atoms)
    assert list(made.atoms) == sorted(set(made.atoms))
    hidden = learn_machine(instances(LESSON, SENSITIVE, hidden=[2]), some, seed=0)
    assert "hidden" in hidden.atoms
    assert "w=he" not in hidden.atoms
    assert made.weights.shape == (5, len(made.atoms))
    assert made.history.shape == (3,)


@pytest.mark.parametrize("weights", [None, (4.0, 1.0)])
def test_what_is_learned_is_the_optimum_of_the_squared_hinge_with_a_cost_of_one(weights: tuple[float, float] | None) -> None:
    """At the optimum each weight is twice the sum of what the examples lack to a margin of one, by their classes."""
    made = instances(LESSON, SENSITIVE)
    rows = flags(len(LESSON), range(len(LESSON)))
    found = learn_machine(made, rows, 0, weights)
    columns = {atom: at for at, atom in enumerate(found.atoms)}
    table = np.zeros((len(LESSON), 5, len(found.atoms)))
    for place in range(len(LESSON)):
        for column, form in enumerate(made.around[place].tolist()):
            for atom in LESSON.forms.atoms[form]:
                table[place, column, columns[atom]] = 1
    past = _history(made)
    sides = np.where(made.sensitive, 1.0, -1.0)
    scores = np.einsum("poa,oa->p", table, found.weights) + past @ found.history + found.intercept
    share = 3 / 11
    each = {True: 1.0, False: 1.0} if weights is None else _evened(weights, made.sensitive)
    assert made.sensitive.mean() == pytest.approx(share)
    counts = np.asarray([each[bool(one)] for one in made.sensitive])
    pull = 2 * counts * np.maximum(0, 1 - sides * scores) * sides
    assert np.einsum("p,poa->oa", pull, table) == pytest.approx(found.weights, abs=0.02)
    assert pull @ past == pytest.approx(found.history, abs=0.02)
    assert pull.sum() == pytest.approx(found.intercept, abs=0.02)
