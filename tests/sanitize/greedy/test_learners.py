"""How learners take turns: what is held out, which one is best, and what stands behind a field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kgsan.sanitize.greedy import learners
from kgsan.sanitize.greedy.learners import Ensemble, Lessons, accuracy, dropped, folds_of
from kgsan.sanitize.greedy.prediction import Nothing, Prediction
from tests.sanitize.greedy.toy import Marks, flags, instances, places, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Instances, Tokens

#: Six documents of one sentence each: a name, the verb, and a word that is none.
DOCUMENTS = tokens(["Ann went home"], ["Bo went home"], ["Cy went home"], ["Dee went home"], ["Eva went home"], ["Flo went home"])
SIZE = len(DOCUMENTS)
NAMES = list(range(0, SIZE, 3))
EVERYWHERE = flags(SIZE, range(SIZE))


def prediction(marked: Iterable[int], scores: float = 0.5) -> Prediction:
    return Prediction(flags(SIZE, marked), np.full(SIZE, scores))


# --- parts ---------------------------------------------------------------------------------------------------------------------


def parts(made: Tokens, where: NDArray[np.bool_], seed: int = 0, count: int = 3) -> list[int]:
    found: list[int] = folds_of(made, where, count, seed).tolist()
    return found


def test_documents_are_dealt_whole_and_evenly() -> None:
    dealt = parts(DOCUMENTS, EVERYWHERE)
    firsts = dealt[::3]
    assert dealt == [part for part in firsts for _ in range(3)]
    assert sorted(firsts) == [0, 0, 1, 1, 2, 2]


def test_another_seed_deals_otherwise_and_the_same_seed_the_same() -> None:
    dealt = {tuple(parts(DOCUMENTS, EVERYWHERE, seed)) for seed in range(8)}
    assert len(dealt) > 1
    assert parts(DOCUMENTS, EVERYWHERE, 5) == parts(DOCUMENTS, EVERYWHERE, 5)


@pytest.mark.parametrize(("documents", "by_sentence"), [(2, True), (3, False)])
def test_sentences_are_dealt_where_documents_are_too_few(documents: int, by_sentence: bool) -> None:
    made = tokens(*[["a b", "c d", "e f"]] * documents)
    dealt = parts(made, flags(len(made), range(len(made))))
    assert dealt[::2] == dealt[1::2]
    assert (len(set(dealt[:6])) > 1) is by_sentence
    assert sorted(dealt) == [part for part in range(3) for _ in range(2 * documents)]


def test_what_is_not_asked_for_has_no_part_and_takes_none() -> None:
    where = flags(SIZE, range(9))
    dealt = parts(DOCUMENTS, where)
    assert dealt[9:] == [-1] * (SIZE - 9)
    assert sorted(dealt[:9:3]) == [0, 1, 2]


def test_documents_that_are_not_asked_for_do_not_count_as_documents() -> None:
    made = tokens(["a", "b", "c"], ["d"], ["e"])
    assert sorted(parts(made, flags(5, [0, 1, 2]))[:3]) == [0, 1, 2]


def test_nothing_has_no_parts() -> None:
    assert parts(tokens(), flags(0)) == []


@pytest.mark.parametrize(
    ("marked", "hidden", "where", "right"),
    [
        ([], [], [0, 1, 2], 2 / 3),
        ([0], [], [0, 1, 2], 1),
        ([1], [], [0, 1, 2], 1 / 3),
        ([1], [1], [0, 1, 2], 1 / 2),
        ([0, 4], [], [0, 1, 2], 1),
        ([0], [0], [0], 1),
    ],
)
def test_accuracy_is_the_share_of_what_is_open_and_asked_for(
    marked: list[int], hidden: list[int], where: list[int], right: float
) -> None:
    made = instances(DOCUMENTS, NAMES, hidden)
    assert accuracy(flags(SIZE, marked), made, flags(SIZE, where)) == pytest.approx(right)


# --- learners that remember what they were given -------------------------------------------------------------------------------


class Taught(Marks):
    """Marks the names it did learn from, and always "went", which it gets wrong."""

    def __init__(self, given: Instances, where: NDArray[np.bool_], wrong: tuple[str, ...]) -> None:
        super().__init__(*(word for word in given.tokens.words if word[0].isupper()), *wrong)
        self.where = where


@pytest.fixture
def lessons(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lessons whose fields mark names and "went", and whose machines mark names alone; each remembers its rows."""
    monkeypatch.setattr(learners, "learn_field", lambda given, where: Taught(given, where, ("went",)))
    monkeypatch.setattr(learners, "learn_machine", lambda given, where, seed, weights=None: Taught(given, where, ()))

    def made(sensitive: Iterable[int] = NAMES, hidden: Iterable[int] = (), where: NDArray[np.bool_] = EVERYWHERE) -> Lessons:
        return Lessons(instances(DOCUMENTS, sensitive, hidden), where, 0)

    return made


def test_a_learner_never_sees_the_part_that_it_is_asked_about(lessons: Any) -> None:
    asked: list[tuple[list[int], list[int]]] = []

    class Watched(Marks):
        def __init__(self, where: NDArray[np.bool_]) -> None:
            super().__init__("home")
            self.learned = places(where)

        def predict(self, instances: Instances, where: NDArray[np.bool_], candidates: Any = None) -> Prediction:
            asked.append((self.learned, places(where)))
            return Prediction(flags(SIZE, range(SIZE)), np.full(SIZE, float(len(asked))))

    where = flags(SIZE, range(15))
    made = lessons(where=where)
    told = made._each_held_out(Watched)
    assert len(asked) == 3
    assert all(sorted(learned + about) == list(range(15)) for learned, about in asked)
    assert sorted(place for _, about in asked for place in about) == list(range(15))
    assert places(told.marked) == list(range(15))
    assert told.scores.tolist() == [float(part + 1) for part in made.parts[:15]] + [0.0] * 3


def test_what_is_held_out_is_told_by_the_kind_of_learner(lessons: Any) -> None:
    made = lessons()
    wents = [place + 1 for place in NAMES]
    assert places(made.held_out("crf").marked) == sorted(NAMES + wents)
    assert places(made.held_out("ensemble").marked) == NAMES
    assert places(made.held_out("svm").marked) == NAMES
    assert made.held_out("svm") is made.held_out("svm")


def test_the_selection_takes_whichever_is_right_most_often_and_of_equals_the_first(lessons: Any) -> None:
    found = lessons().learned("selection")
    assert found.kind == "ensemble"
    assert isinstance(found.classifier, Ensemble)
    assert places(found.held_out.marked) == NAMES
    everything = lessons(sorted([*NAMES, *(place + 1 for place in NAMES)])).learned("selection")
    assert everything.kind == "crf"


@pytest.mark.parametrize("kind", ["crf", "ensemble", "svm"])
def test_a_single_learner_is_taken_as_asked(lessons: Any, kind: str) -> None:
    assert lessons().learned(kind).kind == kind


def test_the_classifier_learned_from_everything_that_was_asked_for(lessons: Any) -> None:
    where = flags(SIZE, range(15))
    made = lessons(where=where)
    assert places(made.classifier("crf").where) == list(range(15))
    assert places(made.classifier("svm").where) == list(range(15))
    assert made.classifier("crf") is made.field
    behind = made.classifier("ensemble")
    assert behind.field is made.field
    assert places(behind.machine.where) == places(made.field_held_out.marked)


def test_nothing_is_learned_from_one_class(lessons: Any) -> None:
    for sensitive, hidden in (
        ([], []),
        (range(SIZE), []),
        (NAMES, NAMES),
        (NAMES, [at for at in range(SIZE) if at not in NAMES]),
    ):
        made = lessons(sensitive, hidden)
        assert isinstance(made.classifier("crf"), Nothing)
        assert isinstance(made.classifier("svm"), Nothing)
        assert isinstance(made.classifier("ensemble"), Nothing)
        assert places(made.held_out("crf").marked) == places(made.held_out("svm").marked) == []


def test_both_classes_must_be_among_the_rows(lessons: Any) -> None:
    made = lessons()
    assert isinstance(made._field(flags(SIZE, NAMES)), Nothing)
    assert isinstance(made._machine(flags(SIZE, NAMES)), Nothing)
    assert isinstance(made._field(flags(SIZE, [0, 1])), Taught)
    assert isinstance(made._machine(flags(SIZE, [0, 1])), Taught)


def test_a_machine_stands_behind_a_field_that_is_sometimes_wrong(lessons: Any) -> None:
    made, first = lessons(), Marks("x")
    assert made.behind(first, prediction(NAMES)) is first
    assert isinstance(made.behind(first, prediction([1, 2])), Nothing)
    both = made.behind(first, prediction([0, 1]))
    assert (both.field, places(both.machine.where)) == (first, [0, 1])


# --- thinned -------------------------------------------------------------------------------------------------------------------


def test_each_part_is_thinned_by_a_machine_that_learned_from_the_others(lessons: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    taught: list[list[int]] = []

    def learn(given: Instances, rows: NDArray[np.bool_], seed: int) -> Marks:
        taught.append(places(rows))
        return Taught(given, rows, ())

    monkeypatch.setattr(learners, "learn_machine", learn)
    made = lessons()
    marked = sorted([*NAMES, 1, 4, 7, 10, 13, 16])
    told = made.thinned(prediction(marked))
    assert places(told.marked) == NAMES
    for part, rows in enumerate(taught):
        assert rows == [at for at in marked if made.parts[at] != part]
    assert len(taught) == 3
    assert told.scores[1] == 0.5
    assert told.scores[0] == pytest.approx(2 + np.tanh(1))


def test_where_the_marks_of_the_other_parts_are_all_right_nothing_is_dropped(lessons: Any) -> None:
    made = lessons()
    wrong = next(at for at in range(SIZE) if made.parts[at] == 0 and at not in NAMES)
    told = made.thinned(prediction([*NAMES, wrong]))
    assert wrong in places(told.marked)
    assert told.scores[wrong] == 0.5
    assert set(places(told.marked)) == {*NAMES, wrong}


def test_where_the_marks_of_the_other_parts_are_all_wrong_nothing_is_marked(lessons: Any) -> None:
    made = lessons()
    told = made.thinned(prediction([1, 4, 7, 10, 13, 16]))
    assert places(told.marked) == []
    assert told.scores.tolist() == [0.0] * SIZE


def test_what_was_not_asked_for_is_neither_lesson_nor_marked(lessons: Any) -> None:
    made = lessons(where=flags(SIZE, range(15)))
    assert places(made.thinned(prediction(range(SIZE))).marked) == [0, 3, 6, 9, 12]


def test_what_the_machine_lets_stand_comes_before_all_that_the_field_alone_marks() -> None:
    made = instances(DOCUMENTS, NAMES)
    first = Prediction(flags(SIZE, [0, 1, 3]), np.linspace(0, 1, SIZE))
    told = dropped(first, Marks("Ann", "Bo", "Cy", score=-3.0), made, EVERYWHERE)  # type: ignore[arg-type]
    assert places(told.marked) == [0, 3]
    assert told.scores[0] == pytest.approx(2 + np.tanh(-3))
    assert told.scores[0] > 1
    assert told.scores[1] == first.scores[1]
    ensemble = Ensemble(Marks("Ann", "went"), Marks("Ann", "Bo"))  # type: ignore[arg-type]
    assert places(ensemble.predict(made, flags(SIZE, range(5))).marked) == [0]


def test_nothing_marks_nothing() -> None:
    told = Nothing().predict(instances(DOCUMENTS), EVERYWHERE)
    assert places(told.marked) == []
    assert told.scores.tolist() == [0.0] * SIZE
