"""What a published method hides, made one: overlaps, words, and the share of what was said that is left."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.ontology.ontology import Concept
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.finishing import Hidden, finished, kept, merged
from kgsan.sanitize.ladder import Rung
from kgsan.sanitize.result import Action
from kgsan.sanitize.spoken import Occurrence
from kgsan.text.document import Document
from tests.papers.toy import TOY


def hidden(start: int, end: int, by: str | None = None, entity: str = "x", **more: Any) -> Hidden:
    return Hidden(start, end, (Disclosure(start, end, Rule.SPANS, entity, ""),), by, **more)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], []),
        ([(0, 3, "a"), (3, 5, "b")], [(0, 3, "a", 1), (3, 5, "b", 1)]),
        ([(3, 5, "b"), (0, 3, "a")], [(0, 3, "a", 1), (3, 5, "b", 1)]),
        ([(0, 9, "a"), (2, 4, "b")], [(0, 9, "a", 2)]),
        ([(2, 4, "b"), (2, 9, "a")], [(2, 9, "a", 2)]),
        ([(2, 4, None), (2, 9, "a")], [(2, 9, "a", 2)]),
        ([(0, 9, "a"), (4, 9, "b")], [(0, 9, "a", 2)]),
        ([(0, 5, "a"), (3, 8, "b")], [(0, 8, "b", 2)]),
        ([(0, 5, None), (3, 8, "b")], [(0, 8, None, 2)]),
        ([(0, 5, "a"), (3, 8, None)], [(0, 8, None, 2)]),
        ([(0, 2, "z"), (3, 6, "a"), (5, 8, "b"), (7, 9, "c")], [(0, 2, "z", 1), (3, 9, "c", 3)]),
        ([(0, 5, "a"), (0, 5, "b")], [(0, 5, "a", 2)]),
    ],
)
def test_the_longest_speaks_for_what_lies_in_it_and_of_two_that_cross_the_last(
    given: list[tuple[int, int, str | None]], expected: list[tuple[int, int, str | None, int]]
) -> None:
    made = merged(hidden(start, end, by, entity=f"{number}") for number, (start, end, by) in enumerate(given))
    assert [(one.start, one.end, one.by, len(one.reasons)) for one in made] == expected


def test_reasons_are_told_once_and_what_the_policy_writes_only_over_all_of_it() -> None:
    [same] = merged([hidden(0, 5, write="[X]"), hidden(0, 5), hidden(1, 2, write="[Y]")])
    assert (len(same.reasons), same.write) == (2, "[X]")
    [crossed] = merged([hidden(0, 5), hidden(3, 8, write="[Y]")])
    assert crossed.write is None


#: term: where it stands and its bits; a part of a term is a term too.
TERMS = {"a": (0, 3, 4), "b": (5, 8, 6), "part": (7, 8, 100), "begin": (5, 6, 100), "d": (10, 12, 2)}
SAYS: dict[Any, float] = {name: float(bits) for name, (*_, bits) in TERMS.items()} | {"one": 1.0, "three": 3.0}


@pytest.mark.parametrize(
    ("changed", "bits"),
    [
        ([], 12),
        ([(0, 3, "one")], 9),
        ([(0, 3, None)], 8),
        ([(0, 1, None)], 8),
        ([(2, 3, None)], 8),
        ([(0, 2, "one")], 9),
        ([(5, 6, "one"), (7, 8, "one")], 8),
        ([(6, 7, None)], 6),
        ([(0, 8, "three")], 5),  # it counts for the term in which it ends
        ([(0, 6, "three")], 5),
        ([(0, 9, "three")], 2),
        ([(3, 5, "one")], 12),
        ([(8, 10, None)], 12),
        ([(12, 14, "three")], 12),
        ([(0, 3, None), (5, 8, None), (10, 12, None)], 0),
        ([(0, 3, "one"), (10, 12, "one")], 8),
    ],
)
def test_what_is_left_is_what_the_outermost_terms_and_their_replacements_say(
    changed: list[tuple[int, int, str | None]], bits: float
) -> None:
    occurrences = [Occurrence(start, end, name) for name, (start, end, _) in TERMS.items()]
    for order in (occurrences, occurrences[::-1]):
        assert kept(order, [hidden(*one) for one in changed], SAYS.__getitem__) == pytest.approx(bits / 12)


def test_terms_that_cross_both_count_and_where_nothing_is_said_nothing_is_lost() -> None:
    crossing = [Occurrence(0, 3, "a"), Occurrence(2, 6, "d")]
    assert kept(crossing, [hidden(0, 3)], SAYS.__getitem__) == pytest.approx(0 / 6)
    assert kept(crossing, [hidden(0, 2)], SAYS.__getitem__) == pytest.approx(2 / 6)
    assert kept([], [hidden(0, 3)], SAYS.__getitem__) == 1.0
    assert kept([Occurrence(0, 1, "a")], [hidden(0, 1)], SAYS.__getitem__) == 0.0
    assert kept([Occurrence(0, 3, "a")], [hidden(0, 3)], lambda _: 0.0) == 1.0


TEXT = "He has HIV and fatigue."
RUNGS: dict[Any, Rung] = {"infection": Rung("infection", Concept("t:1", "infection"), 0), "fatigue": Rung("fatigue")}


def spoken() -> Any:
    return SimpleNamespace(document=Document(TEXT), knowledge=TOY, parts=lambda _: (), rung=lambda term: RUNGS[term])


@pytest.mark.parametrize(
    ("by", "write", "style", "text", "action", "left"),
    [
        ("infection", None, "[X]", "He has an infection and fatigue.", Action.GENERALIZED, 7),
        ("fatigue", None, "[X]", "He has fatigue and fatigue.", Action.SHORTENED, 8),
        (None, None, "[X]", "He has [X] and fatigue.", Action.REDACTED, 4),
        (None, None, "<{kind}>", "He has <FIRST> and fatigue.", Action.REDACTED, 4),
        (None, "[Y]", "<{kind}>", "He has [Y] and fatigue.", Action.WRITTEN, 4),
        (None, "", "[X]", "He has  and fatigue.", Action.WRITTEN, 4),
    ],
)
def test_the_finished_text_says_what_was_done_and_what_is_left(
    by: str | None, write: str | None, style: str, text: str, action: Action, left: int
) -> None:
    reasons = tuple(Disclosure(7, 10, Rule.SPANS, entity, "") for entity in ("first", "second"))
    one = Hidden(7, 10, reasons, by, (("infection", "says much"),), write)
    terms = [Occurrence(7, 10, "HIV"), Occurrence(15, 22, "fatigue")]
    made = finished(spoken(), [one], terms, style)
    assert (made.text, made.rounds) == (text, 1)
    assert made.utility_kept == pytest.approx(left / 10)  # HIV says 6 bits, fatigue 4, infection 3
    [decision] = made.decisions
    assert (decision.action, decision.start, decision.end) == (action, 7, 10)
    assert made.text[decision.new_start : decision.new_end] in ("an infection", "fatigue", "[X]", "<FIRST>", "[Y]", "")
    assert decision.replacement == by
    assert decision.concept == ("t:1" if action is Action.GENERALIZED else None)
    assert [(refused.rung.name, refused.because) for refused in decision.refused] == [("infection", "says much")]
    assert decision.disclosures == reasons


def test_the_kind_of_what_has_no_entity_is_its_rule() -> None:
    reasons = (Disclosure(7, 10, Rule.DENY, "", ""), Disclosure(7, 10, Rule.SPANS, "", ""))
    assert finished(spoken(), [Hidden(7, 10, reasons)], [], "<{kind}>").text == "He has <DENY> and fatigue."
