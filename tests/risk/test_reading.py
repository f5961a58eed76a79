"""A text is read once for all rules: what was asked before is not worked out again, and the answer is the same."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from kgsan.risk.reading import _KEPT, BySenses, Reading
from tests.risk.worlds import SaidGuard, mention, sense


def test_a_name_is_worked_out_once_however_often_and_in_whatever_order_it_is_asked_for() -> None:
    asked: list[Any] = []
    one, other = (sense(0, 1),), (sense(0, 2),)
    numbers = BySenses(lambda senses: (asked.append(senses), senses[0].concept.number)[1])  # type: ignore[func-returns-value]
    assert [numbers(each) for each in (one, other, one, other, one)] == [1, 2, 1, 2, 1]
    assert asked == [one, other]


def test_an_answer_of_nothing_is_kept_too() -> None:
    asked: list[Any] = []
    nothing = BySenses(asked.append)
    name = (sense(0, 1),)
    assert [nothing(name), nothing(name)] == [None, None]
    assert len(asked) == 1


def test_no_more_than_so_many_answers_are_kept_so_that_memory_ends() -> None:
    asked: list[Any] = []
    lengths = BySenses(lambda senses: (asked.append(senses), len(senses))[1])  # type: ignore[func-returns-value]
    names: list[Any] = [(number,) for number in range(_KEPT)]
    assert [lengths(name) for name in (*names, names[0])] == [1] * (_KEPT + 1)
    assert len(asked) == _KEPT  # all are kept
    assert lengths((1, 2)) == 2  # type: ignore[arg-type]
    assert lengths(names[0]) == 1
    assert len(asked) == _KEPT + 2  # one more, and they are gathered anew


class SaidFinder:
    """Finds what is said, and remembers how it was asked."""

    def __init__(self) -> None:
        self.stack = SimpleNamespace()
        self.asked: list[bool] = []
        self.found = SimpleNamespace(longest=lambda: ["the longest"])

    def find(self, document: object, *, nested: bool) -> Any:
        self.asked.append(nested)
        return self.found


def reading(guard: SaidGuard, finder: Any, every: Any = None) -> Any:
    return Reading("a document", finder, guard, every)  # type: ignore[arg-type]


def test_names_are_found_with_those_inside_of_others_unless_they_were_found_before() -> None:
    finder = SaidFinder()
    assert reading(SaidGuard(), finder).every is finder.found
    assert finder.asked == [True]
    before = SimpleNamespace(longest=lambda: ["found before"])
    known = reading(SaidGuard(), finder, before)
    assert finder.asked == [True]
    assert (known.every, known.longest) == (before, ["found before"])


def test_a_verdict_is_given_once_for_each_place_and_each_meaning() -> None:
    guard = SaidGuard(counts=lambda mention, sense: sense.concept.number == 7)
    read = reading(guard, SaidFinder())
    seven, eight, elsewhere = sense(0, 7), sense(0, 8), sense(1, 7)
    near, far = mention(0, 4, seven, eight), mention(10, 14, seven)
    wanted = [(near, seven), (near, eight), (far, seven), (near, elsewhere)]
    assert [read.verdict(*each).counts for each in wanted * 2] == [True, False, True, True] * 2
    assert len(guard.asked) == 4


def test_whether_a_word_speaks_of_a_concept_is_judged_once_for_each_place_and_concept() -> None:
    guard = SaidGuard(speaks=lambda mention, concept: concept.number == 7 and mention.start == 0)
    read = reading(guard, SaidFinder())
    seven, eight = SimpleNamespace(number=7), SimpleNamespace(number=8)
    near, far = mention(0, 4), mention(10, 14)
    wanted = [(near, 0, seven), (near, 0, eight), (far, 0, seven), (near, 1, seven)]
    assert [read.speaks_of(*each) for each in wanted * 2] == [True, False, False, True] * 2
    assert len(guard.asked) == 4
