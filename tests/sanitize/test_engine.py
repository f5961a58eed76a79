"""The sanitizer: laws over random small worlds, and what it does to real sentences."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kgsan
from kgsan.knowledge.build import Builder
from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import disclosure, reaches
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Policy, ProtectedEntity
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.result import Action
from kgsan.text.foreign import ForeignSpan
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy

if TYPE_CHECKING:
    from kgsan.sanitize.wording import Rewritten

NAMES = sorted(name for name in GOLDEN if name != "entity")
FREE = ["hospital", "garden", "letter", "kitchen", "fever", "needle"]


@cache
def finder() -> Finder:
    return Finder(OntologyStack([Ontology.from_records(taxonomy(GOLDEN))]))


def sanitizer(contexts: list[list[str]], strictness: Fraction = Fraction(3, 2), **options: bool) -> kgsan.Sanitizer:
    builder = Builder(finder())
    builder.add([f"The {' and the '.join(words)} were seen." if words else "Nothing." for words in contexts])
    stack = finder().stack
    corpus = CorpusKnowledge(builder.finish({"name": "toy"}, phrases=1), stack)
    policy = Policy("toy", "Toy Act", protect=(ProtectedEntity("HIV infection"),), strictness=strictness)
    return kgsan.Sanitizer(policy, stack, CombinedKnowledge(stack, [corpus]), **options)


def text(words: list[str]) -> str:
    return " ".join(f"She spoke of the {word}." for word in words)


worlds = st.lists(st.lists(st.sampled_from([*NAMES, *FREE]), max_size=5, unique=True), min_size=20, max_size=60)
documents = st.lists(st.sampled_from([*NAMES, *FREE]), min_size=1, max_size=7)
STRICTNESS = [Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3)]


@given(worlds, documents, st.sampled_from(STRICTNESS))
@settings(max_examples=30)
def test_nothing_is_left_and_sanitizing_twice_changes_nothing(
    world: list[list[str]], words: list[str], strictness: Fraction
) -> None:
    tool = sanitizer(world, strictness)
    result = tool.sanitize(text(words))
    assert tool.verify(result.text) == []
    again = tool.sanitize(result.text)
    assert again.text == result.text
    assert again.decisions == ()


@given(worlds, documents, st.sampled_from(STRICTNESS))
@settings(max_examples=30)
def test_every_surviving_share_is_below_the_limit(world: list[list[str]], words: list[str], strictness: Fraction) -> None:
    tool = sanitizer(world, strictness)
    left = tool.detector.find(kgsan.text.document.Document(tool.sanitize(text(words)).text))
    [source] = tool.knowledge.given
    for guarded in tool.detector.inference.guarded:
        for term in left.terms:
            share = disclosure(source, guarded.topic, term.name)
            assert share is None or share.support < 2 or not reaches(share.low, guarded.limit)


@given(worlds, documents)
@settings(max_examples=20)
def test_a_stricter_policy_detects_no_fewer_single_terms(world: list[list[str]], words: list[str]) -> None:
    before: set[tuple[int, int]] = set()
    for strictness in STRICTNESS:
        tool = sanitizer(world, strictness)
        found = {(one.start, one.end) for one in tool.verify(text(words)) if one.rule in (Rule.NAMING, Rule.INFERENCE)}
        if tool.detector.inference.guarded:
            assert before <= found
        before |= found


@given(worlds, documents)
@settings(max_examples=30)
def test_a_replacement_lies_above_what_it_replaces_and_offsets_are_exact(world: list[list[str]], words: list[str]) -> None:
    tool = sanitizer(world)
    original = text(words)
    result = tool.sanitize(original)
    [ontology] = tool.knowledge.stack
    for one in result.decisions:
        if one.action is Action.GENERALIZED:
            [concept] = ontology.find(original[one.start : one.end])
            assert one.concept is not None
            assert ontology.generalizes(ontology[one.concept], concept)
            assert ontology.intrinsic_information(ontology[one.concept]) < ontology.intrinsic_information(concept)
        else:
            assert one.action is Action.REDACTED
    assert untouched(original, result.rewritten)


def untouched(original: str, rewritten: Rewritten) -> bool:
    """Whether everything between the pieces is as it was."""
    old = new = 0
    for piece in rewritten.pieces:
        if original[old : piece.start] != rewritten.text[new : piece.new_start]:
            return False
        old, new = piece.end, piece.new_end
    return original[old:] == rewritten.text[new:]


@given(worlds, documents)
@settings(max_examples=30)
def test_blacking_out_replaces_nothing(world: list[list[str]], words: list[str]) -> None:
    result = sanitizer(world, redact=True).sanitize(text(words))
    assert all(one.action is Action.REDACTED for one in result.decisions)


# --- with what ships -----------------------------------------------------------------------------------------------------


@cache
def hiv() -> kgsan.Sanitizer:
    return kgsan.Sanitizer(kgsan.load_policy("policy: toy\nlaw: Toy Act\nprotect: [HIV]\n"))


def test_what_gives_the_entity_away_becomes_something_more_general() -> None:
    result = hiv().sanitize("He takes zidovudine since the HIV test in March.")
    assert "zidovudine" not in result.text
    assert "HIV" not in result.text
    assert result.text.startswith("He takes ")
    assert result.text.endswith(" in March.")
    assert 0 < result.utility_kept < 1


def test_a_drug_inside_the_name_of_a_combination_is_not_overlooked() -> None:
    note = "He takes emtricitabine and tenofovir every morning."
    said = kgsan.Sanitizer(kgsan.load_policy("policies/us-hiv.yaml")).sanitize(note).text
    assert "emtricitabine" not in said
    assert "tenofovir" not in said


def test_what_others_have_marked_moves_nothing_out_of_its_place() -> None:
    note = "The nurse met him. He was seen on March 3, 2021, phone (312) 555-0142."
    tool = kgsan.Sanitizer(kgsan.load_policy("policies/hipaa-safe-harbor.yaml"))
    said = tool.sanitize(note, [ForeignSpan(4, 9, "staff")])
    assert "nurse" not in said.text
    assert said.text.endswith("He was seen on [REDACTED] 2021, phone [REDACTED].")
    assert [note[one.start : one.end] for one in said.decisions][::2] == ["nurse", "(312) 555-0142"]


@given(worlds, documents, st.integers(0, 6))
@settings(max_examples=30)
def test_with_a_marked_word_every_decision_still_points_at_a_whole_word(
    world: list[list[str]], words: list[str], at: int
) -> None:
    tool, original = sanitizer(world), text(words)
    sentences = [f"She spoke of the {word}." for word in words]
    starts = [sum(len(one) + 1 for one in sentences[:i]) + len("She spoke of the ") for i in range(len(words))]
    spans = {(start, start + len(word)) for start, word in zip(starts, words, strict=True)}
    marked = starts[at % len(words)], starts[at % len(words)] + len(words[at % len(words)])
    result = tool.sanitize(original, [ForeignSpan(*marked, "mark")])
    assert tool.verify(result.text) == []
    assert marked in {(one.start, one.end) for one in result.decisions}
    assert all(any(start <= one.start < one.end <= end for start, end in spans) for one in result.decisions)


def test_an_innocent_text_is_the_same_text() -> None:
    innocent = "The train was late, so she walked home through the park and made coffee."
    result = hiv().sanitize(innocent)
    assert result.text == innocent
    assert result.decisions == ()
    assert result.utility_kept == 1


@pytest.mark.parametrize("odd", ["", " \n\t", "\x00\x07", "HIV", "HIV HIV AIDS zidovudine", "\u200bH\u200bIV", "[REDACTED]"])
def test_odd_texts_are_answered(odd: str) -> None:
    assert hiv().verify(hiv().sanitize(odd).text) == []


def test_the_same_thing_gets_the_same_replacement_throughout() -> None:
    result = hiv().sanitize("He took zidovudine in May. In June the zidovudine was stopped.")
    assert len({one.replacement for one in result.decisions}) == 1


def test_a_terms_waiver_is_kept_by_verification() -> None:
    policy = kgsan.load_policy(
        "policy: toy\nlaw: Toy Act\nprotect: [HIV]\nallow: [{term: zidovudine, because: It is on the leaflet.}]\n"
    )
    tool = kgsan.Sanitizer(policy)
    assert "zidovudine" in tool.sanitize("Patients may ask for zidovudine.").text


def test_an_instance_gives_way_to_its_region_and_its_neighbors_do_not_give_it_back() -> None:
    policy = "policy: toy\nlaw: Toy Act\nprotect: [{entity: geography below state level, hide: which}]\n"
    result = kgsan.Sanitizer(kgsan.load_policy(policy)).sanitize(
        "She moved to Chicago in 2010 and likes the Cubs and Wrigley Field."
    )
    assert "Chicago" not in result.text
    assert "Wrigley" not in result.text
    assert any(one.rule is Rule.NAMING for decision in result.decisions for one in decision.disclosures)


def test_what_says_more_than_a_term_is_hidden_and_the_term_stays() -> None:
    policy = replace(kgsan.load_policy("policy: toy\nlaw: Toy Act\ntoo_specific_above: actor\n"))
    result = kgsan.Sanitizer(policy).sanitize("An actor and a ventriloquist, a person who likes food.")
    assert "ventriloquist" not in result.text
    assert "actor" in result.text
    assert result.text.endswith("a person who likes food.")


def test_of_a_zip_code_where_few_live_zeros_are_written() -> None:
    policy = kgsan.load_policy("policy: toy\nlaw: Toy Act\nidentifiers: [{kind: zip, keep: first-3}]\n")
    result = kgsan.Sanitizer(policy).sanitize("Send it to Unity, NH 03603, or to Springfield, IL 62704.")
    assert "NH 000," in result.text
    assert "IL 627" in result.text
    assert "62704" not in result.text
    assert [one.action for one in result.decisions] == [Action.WRITTEN, Action.REDACTED]


def test_an_entity_that_no_ontology_knows_is_refused_instead_of_protecting_nothing() -> None:
    policy = kgsan.load_policy("policy: toy\nlaw: Toy Act\nprotect: [HIV, qwertzism]\n")
    with pytest.raises(kgsan.PolicyError, match="No ontology knows 'qwertzism'"):
        kgsan.Sanitizer(policy)
