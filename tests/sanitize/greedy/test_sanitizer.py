"""A sanitizer with classifiers that were given and not learned: settings, places, placeholders and what is fitted."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kgsan.sanitize.greedy import sanitizer as module
from kgsan.sanitize.greedy.greedy import Costs, Round, apply, learned_rounds, publisher_loss, rounds, worth_adding
from kgsan.sanitize.greedy.learners import Learned, Lessons
from kgsan.sanitize.greedy.problems import LearningError
from kgsan.sanitize.greedy.sanitizer import GreedySanitizer, check_settings
from kgsan.sanitize.greedy.stored import StoredModel
from tests.sanitize.greedy.toy import Marks, flags, instances, places, tokens

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.sanitize.greedy.features import Instances


def marking(*words: str, placeholder: str = "[NAME]") -> GreedySanitizer:
    made = GreedySanitizer(placeholder=placeholder)
    made.classifiers_ = (Marks(*words),)
    return made


# --- settings ------------------------------------------------------------------------------------------------------------------


def test_what_is_usual_needs_no_setting() -> None:
    assert GreedySanitizer().get_params() == {
        "cost_of_leak": 10,
        "cost_of_overhiding": 1,
        "learner": "selection",
        "seed": 0,
        "count_on": "held_out",
        "placeholder": "[NAME]",
    }
    assert check_settings(GreedySanitizer()) == Costs() == Costs(10.0, 1.0)
    assert [Costs().change(*each) for each in ((1, 10), (1, 0), (0, 1))] == [Fraction(0), Fraction(-10), Fraction(1)]


GOOD: list[dict[str, Any]] = [
    {"cost_of_leak": 1e-9},
    {"cost_of_leak": Fraction(1, 3)},
    {"cost_of_overhiding": np.float64(2)},
    {"seed": 0},
    {"seed": np.int64(7)},
    {"seed": 2**32 - 1},
    {"placeholder": "x"},
    *({"learner": learner} for learner in ("selection", "crf", "ensemble", "svm")),
    {"count_on": "training"},
]
BAD: list[tuple[str, dict[str, Any]]] = [
    *(("E205", {"cost_of_leak": cost}) for cost in (0, -1, 0.0, float("nan"), float("inf"), "1", None, True, 1j)),
    *(("E205", {"cost_of_overhiding": cost}) for cost in (0, -0.5, False)),
    *(("E206", {"seed": seed}) for seed in (-1, 2**32, 1.0, True, "0", None)),
    *(("E206", {"placeholder": placeholder}) for placeholder in ("", None, 5)),
    ("E206", {"learner": "forest"}),
    ("E206", {"count_on": "luck"}),
]


@pytest.mark.parametrize("settings", GOOD, ids=str)
def test_settings_that_make_sense_are_taken(settings: dict[str, Any]) -> None:
    costs = check_settings(GreedySanitizer(**settings))
    assert costs.leak == float(settings.get("cost_of_leak", 10))
    assert costs.overhiding == float(settings.get("cost_of_overhiding", 1))
    assert type(costs.leak) is type(costs.overhiding) is float


@pytest.mark.parametrize(("code", "settings"), BAD, ids=str)
def test_settings_that_make_no_sense_are_refused(code: str, settings: dict[str, Any]) -> None:
    with pytest.raises(LearningError) as caught:
        check_settings(GreedySanitizer(**settings))
    assert caught.value.problems[0].code == code


def test_the_cost_that_is_wrong_is_the_one_that_is_told() -> None:
    with pytest.raises(LearningError, match="leak"):
        check_settings(GreedySanitizer(cost_of_leak=0))
    with pytest.raises(LearningError, match="needlessly hidden word"):
        check_settings(GreedySanitizer(cost_of_overhiding=0))


def test_settings_are_set_by_name() -> None:
    made = GreedySanitizer()
    assert made.set_params(seed=4, placeholder="X") is made
    assert (made.seed, made.placeholder) == (4, "X")
    with pytest.raises(LearningError, match="no setting of that name"):
        made.set_params(seed=5, depth=3)


# --- places --------------------------------------------------------------------------------------------------------------------


def test_each_token_is_a_span_of_the_text() -> None:
    assert [tuple(span) for span in marking("Ann", "Lund").predict("Dr. Ann Lund left. Ann too.")] == [(4, 7), (8, 12), (19, 22)]


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("Ann Bo left.", "[NAME] left."),
        ("Ann  Bo left.", "[NAME] left."),
        ("Ann   Bo left.", "[NAME]   [NAME] left."),
        ("Ann\nBo left.", "[NAME]\n[NAME] left."),
        ("Ann, Bo left.", "[NAME], [NAME] left."),
        ("Ann Bo Ann left", "[NAME] left"),
        ("Ann saw Ann Bo twice", "[NAME] saw [NAME] twice"),
        ("We saw Ann", "We saw [NAME]"),
        ("Ann", "[NAME]"),
        ("We left.", "We left."),
    ],
)
def test_neighbours_with_at_most_two_blanks_between_share_a_placeholder(text: str, becomes: str) -> None:
    assert marking("Ann", "Bo").sanitize(text) == becomes


@pytest.mark.parametrize(
    ("placeholder", "label"), [("[NAME]", "name"), ("<Person>", "person"), ("{}", "marked"), ("( A B )", "a b"), ("***", "***")]
)
def test_the_label_for_others_is_the_placeholder_without_its_brackets(placeholder: str, label: str) -> None:
    [span] = marking("Ann", "Bo", placeholder=placeholder).spans("We saw Ann Bo.")
    assert (span.start, span.end, span.label, span.source, span.score) == (7, 13, label, "greedy", None)


def test_a_long_text_is_looked_at_in_blocks_and_places_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "We saw Ann. " * 5
    whole = marking("Ann").predict(text)
    assert [text[start:end] for start, end in whole] == ["Ann"] * 5
    sizes: list[int] = []

    class Watched(Marks):
        def predict(self, instances: Instances, where: Any, candidates: Any = None) -> Any:
            sizes.append(len(instances.tokens))
            assert where.all()
            assert not instances.hidden.any()
            return super().predict(instances, where)

    monkeypatch.setattr(module, "_BLOCK", 8)
    made = marking()
    made.classifiers_ = (Watched("Ann"),)
    assert made.predict(text) == whole
    assert sizes == [8, 8, 4]


def test_nothing_is_done_before_something_is_learned(tmp_path: Path) -> None:
    for work in (lambda: GreedySanitizer().predict("Ann"), lambda: GreedySanitizer().save(tmp_path / "m")):
        with pytest.raises(LearningError, match="Nothing was learned yet"):
            work()
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_is_told_before_anything_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(LearningError) as fitting:
        GreedySanitizer().fit([], [])
    with pytest.raises(LearningError) as loading:
        GreedySanitizer.load(tmp_path / "missing")
    assert fitting.value.problems[0].code == loading.value.problems[0].code == "E208"


# --- rounds --------------------------------------------------------------------------------------------------------------------

MADE = instances(tokens(["Ann met Bo", "Cy met Dee"]), sensitive=[0, 2, 3])
ALL = flags(6, range(6))


def test_each_classifier_sees_what_those_before_it_hid() -> None:
    class Second(Marks):
        def predict(self, instances: Instances, where: Any, candidates: Any = None) -> Any:
            assert places(instances.hidden) == [0]
            return super().predict(instances, where)

    assert places(apply([Marks("Ann"), Second("Ann", "Bo")], MADE, ALL).hidden) == [0, 2]
    assert apply([], MADE, ALL) is MADE
    assert places(apply([Marks("Ann", "Cy")], MADE, flags(6, [0, 1, 2])).hidden) == [0]


@pytest.mark.parametrize(
    ("hidden", "where", "loss"),
    [([], range(6), 30), ([0], range(6), 20), ([0, 1], range(6), 21), ([0, 1, 5], [0, 1, 2], 11), ([0, 2, 3], range(6), 0)],
)
def test_the_loss_is_what_leaks_and_what_is_hidden_needlessly(hidden: list[int], where: list[int], loss: int) -> None:
    assert publisher_loss(Costs(10, 1), MADE.hiding(flags(6, hidden)), flags(6, where)) == loss


def test_rounds_go_on_while_something_is_found_and_each_sees_what_is_left() -> None:
    waiting = iter([Marks("Ann", "met"), Marks("Ann", "Bo"), Marks("Dee"), Marks("Cy")])
    seen: list[list[int]] = []

    def learner(left: Instances) -> Learned:
        seen.append(places(left.hidden))
        made = next(waiting)
        return Learned("given", made, made.predict(left, ALL))

    found = list(rounds(MADE, learner, ALL))
    assert seen == [[], [0, 1, 4], [0, 1, 2, 4]]
    assert [(one.true_positives, one.false_positives) for one in found] == [(1, 2), (1, 0), (0, 1)]
    assert [places(one.left.hidden) for one in found] == seen
    assert [one.kind for one in found] == ["given"] * 3


def test_marks_count_in_what_was_held_out_or_as_published_in_what_was_learned_from() -> None:
    def learner(left: Instances) -> Learned:
        return Learned("given", Marks("Ann", "Bo"), Marks("Cy", "met").predict(left, ALL))

    first = next(rounds(MADE, learner, ALL))
    assert (first.true_positives, first.false_positives) == (1, 2)
    first = next(rounds(MADE, learner, ALL, "training"))
    assert (first.true_positives, first.false_positives) == (2, 0)
    first = next(rounds(MADE, learner, flags(6, [0, 1]), "held_out"))
    assert (first.true_positives, first.false_positives) == (0, 1)


def test_a_round_is_worth_adding_while_the_loss_falls_and_none_behind_it() -> None:
    def of(found: int, wrong: int) -> Round:
        return Round("given", Marks(), found, wrong, MADE)

    costs = Costs(3, 1)
    assert [one.false_positives for one in worth_adding(costs, [of(1, 2), of(2, 5), of(1, 3), of(1, 0)])] == [2, 5]
    assert costs.change(2, 5) == -1


def test_the_lessons_of_the_first_round_serve_it_and_later_ones_get_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Lessons] = []

    def learned(self: Lessons, kind: str) -> Learned:
        asked.append(self)
        made = Marks("Ann") if len(asked) == 1 else Marks()
        return Learned(kind, made, made.predict(self.instances, self.where))

    monkeypatch.setattr(Lessons, "learned", learned)
    first = Lessons(MADE, ALL, 9)
    assert [one.kind for one in learned_rounds("svm", first)] == ["svm", "svm"]
    assert asked[0] is first
    assert asked[1] is not first
    assert (places(asked[1].instances.hidden), asked[1].where is ALL, asked[1].seed) == ([0], True, 9)


def test_fitting_keeps_the_rounds_that_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int, str]] = []

    def found(kind: str, lessons: Lessons, count_on: str) -> list[Round]:
        asked.append((kind, lessons.seed, count_on))
        assert lessons.where.all()
        assert len(lessons.where) == len(lessons.instances.tokens)
        return [
            Round("crf", Marks("Ann"), 4, 1, lessons.instances),
            Round("svm", Marks("Bo"), 1, 3, lessons.instances),
            Round("svm", Marks("we"), 1, 6, lessons.instances),
        ]

    monkeypatch.setattr(module, "learned_rounds", found)
    made = GreedySanitizer(5, 1, "svm", 3, "training")
    assert made.fit(["Ann left.", "Bo left.", "We left."], [[[0, 3]], [[0, 2]], []]) is made
    assert asked == [("svm", 3, "training")]
    assert [one.false_positives for one in made.rounds_] == [1, 3]
    assert made.sanitize("Ann and Bo, we said.") == "[NAME] and [NAME], we said."
    assert len(made.classifiers_) == 2


def test_what_is_saved_are_plain_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    saved: list[StoredModel] = []
    monkeypatch.setattr(module, "save_model", lambda path, model: saved.append(model))
    made = GreedySanitizer(cost_of_leak=Fraction(1, 2), seed=np.int64(4), learner="crf")  # type: ignore[arg-type]
    made.classifiers_ = (Marks("Ann"),)
    made.save(tmp_path / "m")
    assert saved[0].classifiers is made.classifiers_
    assert saved[0].settings == made.get_params()
    assert type(saved[0].settings["seed"]) is int
    assert type(saved[0].settings["cost_of_leak"]) is float


def test_what_is_loaded_is_checked_before_it_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = GreedySanitizer(seed=4).get_params()
    monkeypatch.setattr(module, "load_model", lambda path: StoredModel(given, (Marks("Ann"),)))
    made = GreedySanitizer.load(tmp_path / "m")
    assert made.get_params() == given
    assert made.sanitize("Ann left.") == "[NAME] left."
    for wrong in ({"depth": 3}, {"seed": -1}):
        given = GreedySanitizer().get_params() | wrong
        with pytest.raises(LearningError) as caught:
            GreedySanitizer.load(tmp_path / "names.model")
        assert (caught.value.problems[0].code, caught.value.problems[0].place.file) == ("E207", "names.model")
