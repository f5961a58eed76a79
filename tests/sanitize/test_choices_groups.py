"""Which member of a group of terms gives way, by what it says and what it tells of an entity."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.risk.terms import Term
from tests.sanitize.written_ladders import PAIR, Toy

# --- groups --------------------------------------------------------------------------------------------------------------------


def loosened(toy: Toy, groups: list[list[str]], redact: bool = False) -> list[tuple[str, str | None]]:
    """What gives way in a text that was not changed yet; a group is the words of its members."""
    names = dict.fromkeys(name for group in groups for name in group)
    terms = sorted(
        Term(at, at + len(name), name) for name in names for at in range(len(toy.text)) if toy.text.startswith(name, at)
    )
    first = {name: next((term.start, term.end) for term in terms if term.name == name) for name in names}
    found = [Disclosure(0, 1, Rule.GROUP, "HIV", "together", members=tuple(first[name] for name in group)) for group in groups]
    toy.choices.answer(found, toy.rewritten, SimpleNamespace(terms=terms), redact=redact)  # type: ignore[arg-type]
    return toy.names()


@pytest.mark.parametrize(
    ("text", "said", "telling", "groups", "gone"),
    [
        (PAIR, {"HIV": 6, "zidovudine": 8}, {}, [["HIV", "zidovudine"]], ["HIV"]),
        (PAIR, {"HIV": 8, "zidovudine": 6}, {}, [["HIV", "zidovudine"]], ["zidovudine"]),
        # What tells more by itself is given up more readily: 6 / 0.5 against 8 / 0.8.
        (PAIR, {"HIV": 6, "zidovudine": 8}, {"HIV": 0.5, "zidovudine": 0.8}, [["HIV", "zidovudine"]], ["zidovudine"]),
        (PAIR, {"HIV": 6, "zidovudine": 8}, {"zidovudine": 0.5}, [["HIV", "zidovudine"]], ["zidovudine"]),
        # Below a twentieth all are alike.
        (PAIR, {"HIV": 6, "zidovudine": 8}, {"HIV": 0.001, "zidovudine": 0.04}, [["HIV", "zidovudine"]], ["HIV"]),
        (PAIR, {"HIV": 6, "zidovudine": 8}, {"HIV": 0.05, "zidovudine": 0.06}, [["HIV", "zidovudine"]], ["HIV"]),
        (PAIR, {"HIV": 6, "zidovudine": 8}, {"HIV": 0.05, "zidovudine": 0.07}, [["HIV", "zidovudine"]], ["zidovudine"]),
        # A word that stands twice is lost twice: 2 x 6 against 8.
        ("HIV, zidovudine, HIV.", {"HIV": 6, "zidovudine": 8}, {}, [["HIV", "zidovudine"]], ["zidovudine"]),
        ("HIV, zidovudine, HIV.", {"HIV": 3, "zidovudine": 8}, {}, [["HIV", "zidovudine"]], ["HIV", "HIV"]),
        # Equals: the later.
        (PAIR, {"HIV": 8, "zidovudine": 8}, {}, [["HIV", "zidovudine"]], ["zidovudine"]),
        ("zidovudine, HIV, zidovudine.", {"HIV": 8, "zidovudine": 4}, {}, [["HIV", "zidovudine"]], ["HIV"]),
        # A group that has lost a member is broken: fatigue stays, though it costs less than half of what HIV does.
        (PAIR, {"HIV": 6, "zidovudine": 10, "fatigue": 2}, {}, [["HIV", "zidovudine"], ["HIV", "fatigue"]], ["HIV"]),
        # One that serves two groups costs half: 10 / 2 against 6 and 6.
        (
            PAIR,
            {"HIV": 6, "zidovudine": 10, "fatigue": 6},
            {},
            [["HIV", "zidovudine"], ["zidovudine", "fatigue"]],
            ["zidovudine"],
        ),
        (
            PAIR,
            {"HIV": 4, "zidovudine": 10, "fatigue": 4},
            {},
            [["HIV", "zidovudine"], ["zidovudine", "fatigue"]],
            ["HIV", "fatigue"],
        ),
    ],
)
def test_of_a_group_the_member_gives_way_that_loses_least_for_what_it_tells(
    text: str, said: dict[str, float], telling: dict[str, float], groups: list[list[str]], gone: list[str]
) -> None:
    toy = Toy(text, said=said, telling=telling)
    assert [words for words, _ in loosened(toy, groups)] == gone


def test_what_gives_way_in_a_group_goes_to_its_first_rung_and_tells_where_the_group_stood() -> None:
    toy = Toy(PAIR, said={"HIV": 6, "zidovudine": 8})
    assert loosened(toy, [["HIV", "zidovudine"]]) == [("HIV", "viral infection")]
    [one] = toy.choices.decisions(toy.rewritten)
    [reason] = one.disclosures
    assert [PAIR[start:end] for start, end in reason.members] == ["HIV", "zidovudine"]
    toy = Toy(PAIR, said={"HIV": 6, "zidovudine": 8})
    assert loosened(toy, [["HIV", "zidovudine"]], redact=True) == [("HIV", None)]


def test_single_reasons_are_answered_beside_groups() -> None:
    toy = Toy(PAIR, said={"HIV": 6, "zidovudine": 8})
    terms = [Term(9, 12, "HIV"), Term(17, 27, "zidovudine")]
    group = Disclosure(9, 27, Rule.GROUP, "HIV", "together", members=((9, 12), (17, 27)))
    toy.choices.answer([group, toy.found("fatigue")], toy.rewritten, SimpleNamespace(terms=terms), redact=False)  # type: ignore[arg-type]
    assert toy.names() == [("HIV", "viral infection"), ("fatigue", "symptom")]


def test_places_of_a_group_are_told_in_the_original_where_the_text_has_changed() -> None:
    toy = Toy("The HIV, then zidovudine and fatigue.", said={"zidovudine": 6, "fatigue": 8}).add("HIV")
    now = toy.rewritten
    places = {name: (now.text.index(name), now.text.index(name) + len(name)) for name in ("zidovudine", "fatigue")}
    terms = [Term(*places[name], name) for name in places]
    group = Disclosure(0, 1, Rule.GROUP, "HIV", "together", members=tuple(places.values()))
    toy.choices.answer([group], now, SimpleNamespace(terms=terms), redact=False)  # type: ignore[arg-type]
    one = toy.choices.decisions(toy.rewritten)[1]
    assert [toy.text[start:end] for start, end in one.disclosures[0].members] == ["zidovudine", "fatigue"]
    assert (toy.text[one.start : one.end], one.replacement) == ("zidovudine", "antiviral drug")
