"""Reasons as a person reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kgsan.knowledge.information import share
from kgsan.report.sentences import explain, reason
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.ladder import Refused, Rung
from kgsan.sanitize.result import Action, Decision
from tests.report.toy import NOTE

if TYPE_CHECKING:
    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

COUNTED = share(6.0, 4, 4, "counts.tsv")


@pytest.fixture(scope="module")
def result(sanitizer: Sanitizer) -> SanitizedDocument:
    return sanitizer.sanitize(NOTE)


def decided(result: SanitizedDocument, word: str) -> Decision:
    return next(decision for decision in result.decisions if NOTE[decision.start : decision.end] == word)


def test_what_gives_an_entity_away_is_told_with_every_figure(result: SanitizedDocument, sanitizer: Sanitizer) -> None:
    told = explain(decided(result, "zidovudine"), sanitizer.policy, NOTE)
    assert told.startswith("'zidovudine' was generalized to '")
    assert "(rule: inference)" in told
    assert "6.0 of the 6.0 bits that 'HIV' says, a share of 100 % where the limit is 67 %" in told
    assert "the chance of a right guess rises from 1.6 % to 100 %" in told
    assert "4 of the 4 contexts" in told
    assert "toy-counts.tsv" in told
    assert told.endswith("because of this: Toy Act § 1.") or "because of this: Toy Act § 1. Refused before that" in told


def test_without_the_text_no_hidden_word_is_told(result: SanitizedDocument, sanitizer: Sanitizer) -> None:
    for decision in result.decisions:
        told = explain(decision, sanitizer.policy)
        assert NOTE[decision.start : decision.end] not in told
        assert NOTE[decision.start : decision.end] in explain(decision, sanitizer.policy, NOTE)


def test_a_name_is_told_by_its_entity_and_with_the_text_by_its_concept(result: SanitizedDocument) -> None:
    decision = decided(result, "AIDS")
    assert "It names what is protected as 'HIV'." in explain(decision)
    assert "It names AIDS, which is protected as 'HIV'." in explain(decision, text=NOTE)


def test_a_part_of_a_phrase_is_a_word_of_the_text_and_stays_untold() -> None:
    refused = Refused(Rung("quilting circle"), "reveals too much of HIV")
    found = Disclosure(0, 30, Rule.GROUP, "HIV", "", COUNTED, 2 / 3, members=((0, 30), (40, 50), (60, 70)))
    decision = Decision(0, 30, 0, 6, Action.SHORTENED, "circle", None, (found,), (refused,))
    told = explain(decision)
    assert told.startswith("This part was shortened from the left (rule: group). It reveals together with 2 other terms 6.0")
    assert "quilting" not in told
    assert "circle" not in told
    assert told.endswith("Refused before that: a shorter form, since it reveals too much of HIV.")
    assert "quilting circle" in explain(decision, text="x" * 80)


def test_refused_rungs_are_one_clause_however_many_they_are(result: SanitizedDocument) -> None:
    concept = result.decisions[0].disclosures[0].sense
    assert concept is not None
    rungs = [Refused(Rung(f"rung {n}", concept.concept, 0), "reveals too much of HIV") for n in range(7)]
    decision = replace(result.decisions[0], refused=(*rungs, Refused(Rung("thing", concept.concept, 0), "says nothing")))
    assert explain(decision).endswith(
        "Refused before that: 'rung 0', 'rung 1', 'rung 2' and 4 more, since each reveals too much of HIV; "
        "'thing', since it says nothing."
    )


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            Disclosure(0, 1, Rule.IDENTIFIER, "date", "a date: in figures"),
            "It helps to tell who somebody is: a date: in figures.",
        ),
        (Disclosure(0, 1, Rule.DENY, "HIV", "Order 7."), "The policy always hides it, since it gives 'HIV' away: Order 7."),
        (Disclosure(0, 1, Rule.DENY, "", "Order 7"), "The policy always hides it: Order 7."),
        (Disclosure(0, 1, Rule.SPANS, "PERSON", "was marked"), "Another tool or a person marked it as PERSON."),
        (Disclosure(0, 1, Rule.SPECIFICITY, "", "says 9.1 bits, and 4.0 may stay"), "It says 9.1 bits, and 4.0 may stay."),
    ],
)
def test_every_rule_has_its_sentence(found: Disclosure, told: str) -> None:
    assert reason(found) == told


def test_a_stated_relation_names_the_ontology_and_the_relation() -> None:
    assert COUNTED is not None
    stated = replace(COUNTED, stated=True, source="protected.ttl: treats", support=2, contexts_of_terms=3)
    told = reason(Disclosure(0, 1, Rule.INFERENCE, "HIV", "", stated, 2 / 3))
    assert told.endswith("This is stated by protected.ttl: treats; 2 of 3 things that it is so related to belong to the entity.")
