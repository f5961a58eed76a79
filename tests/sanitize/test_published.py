"""The published methods where terms say nothing, were never seen, or have nothing that may take their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgsan.sanitize.published import Replacement, chain_over
from kgsan.sanitize.published.corr import Threshold, Touched, _more_general, most_informative_replacement
from kgsan.sanitize.published.csan import PUBLISHED, _Groups
from kgsan.sanitize.published.health import Counting, _counted, threshold
from tests.papers.toy import TOY, ContextSets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.knowledge.knowledge import Term
    from kgsan.sanitize.published.corr import Context

#: The toy world with a word that says less than a bit: 768 of 1024 contexts.
WORLD = ContextSets("more", 1024, dict(TOY.sets) | {"common": frozenset(range(768))})


def test_what_was_never_seen_and_what_stands_everywhere_say_nothing_and_come_last() -> None:
    chain = chain_over(WORLD, lambda _: ["entity", "unheard-of", "common", "drug"], lambda _: ["AIDS"])
    assert chain("x") == ["drug", "common", "entity", "unheard-of", "AIDS"]


# --- corr ----------------------------------------------------------------------------------------------------------------------


def test_of_several_replacements_the_most_informative_sets_the_threshold() -> None:
    contexts: list[Context] = [[Touched("HIV", "disease")], ["fatigue", Touched("AIDS", "infection"), Touched("x", "unheard-of")]]
    assert most_informative_replacement(WORLD, contexts) == Threshold(3.0, tie_is_risky=False)


@pytest.mark.parametrize(
    ("general", "special"),
    [(None, "drug"), (None, "entity"), (None, "unheard-of"), ("entity", "common"), ("common", "drug"), ("drug", "AIDS")],
)
def test_what_says_less_is_more_general_and_what_is_removed_says_least(general: str | None, special: str) -> None:
    one, other = Replacement(general), Replacement(special)
    assert _more_general(WORLD, one, other) is _more_general(WORLD, other, one) is one


# --- health --------------------------------------------------------------------------------------------------------------------

#: Sixteen contexts: crabs in four of them, a class that stands with them in two, and one that never does.
BEACH = ContextSets(
    "beach",
    16,
    {"crabs": frozenset(range(4)), "animal": frozenset({8, 9}), "STD": frozenset({0, 1, 10, 11, 12, 13})},
)


@pytest.mark.parametrize(
    ("above", "bits"),
    [
        ([], 2),
        (["unheard-of", "animal"], 2),
        (["STD"], 3),
        (["unheard-of", "STD"], 3),
        (["animal", "STD"], 3),
    ],
)
def test_a_name_counts_beside_the_first_class_that_stands_with_it(above: Sequence[Term], bits: float) -> None:
    """Alone it stands in 4 of 16 contexts; beside STD, which says less than that, in 2 of 16."""
    found = threshold(BEACH, ["crabs"], lambda _: above, Counting.CONTEXTUALIZED)
    assert found is not None
    assert (found.bits, found.set_by) == (bits, "crabs")


def test_a_phrase_is_counted_as_it_stands_or_by_the_sensitive_term_in_it() -> None:
    assert _counted(TOY, "viral infection", lambda _: "HIV") == "viral infection"
    assert _counted(TOY, "old viral infection", lambda _: "HIV") == "HIV"
    assert _counted(TOY, "old viral infection", lambda _: None) == "old viral infection"


# --- csan ----------------------------------------------------------------------------------------------------------------------


def gives_way(monkeypatch: pytest.MonkeyPatch, offers: dict[Term, str | None], context: list[Term]) -> dict[Term, Replacement]:
    """Which member of a group gives way when this is all that may take the place of each."""
    monkeypatch.setattr(_Groups, "_offer", lambda self, term, contexts, chain: Replacement(offers[term]))
    return _Groups(TOY, {"HIV": 4.0}, PUBLISHED).concession(list(offers), [context], lambda _: [])


def test_a_member_that_can_be_generalized_goes_before_one_that_must_be_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though zidovudine, for which only "entity" may stand, loses 8 bits, and ibuprofen would lose 4."""
    offers: dict[Term, str | None] = {"zidovudine": "entity", "ibuprofen": None}
    assert gives_way(monkeypatch, offers, ["zidovudine", "ibuprofen"]) == {"zidovudine": Replacement("entity")}


@pytest.mark.parametrize(("other", "goes"), [("weight loss", "weight loss"), ("AIDS", "disease")])
def test_what_is_removed_loses_all_it_says_wherever_it_stands(monkeypatch: pytest.MonkeyPatch, other: Term, goes: Term) -> None:
    """A disease says 2 bits, three times; weight loss 5 and AIDS 7, once."""
    found = gives_way(monkeypatch, {"disease": None, other: None}, ["disease", "disease", other, "disease"])
    assert found == {goes: Replacement(None)}
