"""The published methods on texts: what their authors decide about terms is what happens to sentences."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import kgsan
from kgsan.errors import PolicyError
from kgsan.knowledge.build import Builder
from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import information
from kgsan.knowledge.table import CountTable
from kgsan.knowledge.taxonomy import TaxonomyKnowledge
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Allowed, Denied, IdentifierRule, Policy, ProtectedEntity
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.chains import climbed
from kgsan.sanitize.first_pass import class_name
from kgsan.sanitize.methods import PublishedMethod, published
from kgsan.sanitize.published import chain_over
from kgsan.sanitize.published.corr import Strategy, most_informative_replacement
from kgsan.sanitize.result import Action, NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sources.records import Scope
from kgsan.text.foreign import ForeignSpan, read_spans
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, seconds, taxonomy, within
from tests.papers.test_spec import PUBLISHED
from tests.papers.toy import TOY, WORLD

if TYPE_CHECKING:
    from kgsan.sanitize.result import SanitizedDocument

STACK = OntologyStack([Ontology.from_records(taxonomy({term: above for term, (above, _) in WORLD.items()}))])
#: The terms of the checks, once each, in sentences.
TEXT = (
    "He has HIV. She takes zidovudine. They use a condom. He reports weight loss. She reports fatigue. "
    "She takes ibuprofen. He had a viral infection. It is an infection."
)
METHODS = ["csan", "health", "spec", "corr"]
NOTE = Path(__file__).parents[2] / "examples" / "note.txt"


@pytest.fixture(scope="module")
def toy() -> CombinedKnowledge:
    """The toy world as a corpus: every context is a text that names what stands in it."""
    builder = Builder(Finder(STACK))
    builder.add(". ".join(term for term in WORLD if number in TOY.sets[term]) + "." for number in range(1024))
    return CombinedKnowledge(STACK, [CorpusKnowledge(builder.finish({"name": "toy world"}), STACK)])


def policy(method: str, **settings: object) -> Policy:
    made = Policy("toy", "Toy Act", protect=(ProtectedEntity("HIV"),), method=method, strictness=Fraction(3, 2))
    return replace(made, **settings)  # type: ignore[arg-type]


def sanitized(knowledge: CombinedKnowledge, text: str, method: str, **settings: object) -> SanitizedDocument:
    return published(Sanitizer(policy(method, **settings), knowledge.stack, knowledge), text)


def changed(text: str, result: SanitizedDocument) -> dict[str, str | None]:
    """What stood where something was changed, and the name that was put there."""
    return {text[one.start : one.end]: one.replacement for one in result.decisions}


def spans(text: str, **labels: str) -> list[ForeignSpan]:
    """Spans for words of the text, with _ for a blank."""
    words = {word.replace("_", " "): label for word, label in labels.items()}
    return read_spans(
        [{"start": text.index(word), "end": text.index(word) + len(word), "label": words[word]} for word in words], text
    )


def test_the_toy_corpus_counts_as_the_toy_world_does(toy: CombinedKnowledge) -> None:
    [source] = toy.given
    for term in WORLD:
        [concept] = STACK.find(term)
        assert source.count(concept) == source.count(term) == len(TOY.sets[term])
        assert source.count(concept, "HIV") == (len(TOY.sets[term] & TOY.sets["HIV"]) or None)


@pytest.mark.parametrize("term", WORLD)
def test_generalizations_found_on_demand_are_those_that_sorting_all_would_give(toy: CombinedKnowledge, term: str) -> None:
    ontology, [source] = STACK[0], toy.given
    [concept] = ontology.find(term)
    found = list(climbed(source, ontology, concept.number, lambda general: general.name != "infection"))
    everything = chain_over(source, lambda _: [one for one in ontology.generalizations(concept) if one.name != "infection"])
    assert found == everything(term)


def test_generalizations_of_several_parents_come_by_what_they_say() -> None:
    ontology = Ontology.from_records(taxonomy(GOLDEN))
    knowledge = TaxonomyKnowledge(ontology)
    for concept in ontology:
        found = list(climbed(knowledge, ontology, concept.number, lambda _: True))
        everything = ontology.generalizations(concept)
        assert found == sorted(everything, key=lambda general: -(information(knowledge, general) or 0.0))


# --- C-sanitized -----------------------------------------------------------------------------------------------------------

#: strictness: what becomes of the terms, bits kept of 40
CSAN = {
    1: ({"HIV": "viral infection", "zidovudine": "drug"}, 33),
    1.5: ({"HIV": "infection", "zidovudine": "drug", "condom": "contraceptive", "viral infection": "infection"}, 30),
    2: (
        {
            "HIV": "disease",
            "zidovudine": "drug",
            "condom": "device",
            "weight loss": "symptom",
            "viral infection": "disease",
            "infection": "disease",
        },
        21,
    ),
}


@pytest.mark.parametrize("strictness", CSAN)
def test_csan_replaces_and_keeps_what_the_check_says(toy: CombinedKnowledge, strictness: float) -> None:
    expected, bits = CSAN[strictness]
    result = sanitized(toy, TEXT, "csan", strictness=Fraction(strictness))
    assert changed(TEXT, result) == expected
    assert result.utility_kept == pytest.approx(bits / 40)
    assert (result.rounds, result.certificate) == (1, {})


def test_csan_writes_sentences(toy: CombinedKnowledge) -> None:
    assert sanitized(toy, TEXT, "csan").text == (
        "He has an infection. She takes a drug. They use a contraceptive. He reports weight loss. She reports fatigue. "
        "She takes ibuprofen. He had an infection. It is an infection."
    )


def test_csan_tells_the_share_and_what_was_refused(toy: CombinedKnowledge) -> None:
    result = sanitized(toy, TEXT, "csan")
    named, inferred = result.decisions[0], result.decisions[2]
    assert [one.rule for one in named.disclosures] == [Rule.NAMING]
    assert [(one.rung.name, one.because) for one in named.refused] == [
        ("viral infection", "would still say 4.0 bits about 'HIV'")
    ]
    [reason] = inferred.disclosures
    assert (reason.rule, reason.entity) == (Rule.INFERENCE, "HIV")
    assert reason.limit == pytest.approx(2 / 3)
    assert reason.because == "reveals 67 % of what 'HIV' says (4 of its 16 contexts in toy world)"


def test_an_entity_may_be_stricter_than_the_policy(toy: CombinedKnowledge) -> None:
    result = sanitized(toy, TEXT, "csan", protect=(ProtectedEntity("HIV", strictness=Fraction(2)),))
    assert changed(TEXT, result) == CSAN[2][0]


def test_a_name_that_was_never_counted_is_hidden_all_the_same() -> None:
    table = CombinedKnowledge(STACK, [CountTable.read("contexts\t1024\ndisease\t256\n")])
    result = sanitized(table, "He has AIDS.", "csan")
    assert (result.text, result.decisions[0].disclosures[0].rule) == ("He has a disease.", Rule.NAMING)


# --- healthcare documents --------------------------------------------------------------------------------------------------

HEALTH = "His AIDS is known, HIV too. He takes zidovudine and ibuprofen, uses a condom, and reports weight loss and fatigue."


def test_both_steps_of_health_are_those_of_the_check(toy: CombinedKnowledge) -> None:
    result = sanitized(toy, HEALTH, "health")
    assert changed(HEALTH, result) == {
        "AIDS": "viral infection",
        "HIV": "viral infection",
        "zidovudine": "drug",
        "condom": "device",
        "weight loss": "symptom",
    }
    rules = [one.disclosures[0].rule for one in result.decisions]
    assert rules == [Rule.NAMING] * 2 + [Rule.CORRELATION] * 3
    told = "says 7.0 bits about a term that was hidden as HIV, and 6.0 are too many, which is what 'HIV' says"
    assert result.decisions[2].disclosures[0].because == told


def test_the_term_that_says_least_sets_the_threshold(toy: CombinedKnowledge) -> None:
    method = PublishedMethod(Sanitizer(policy("health"), STACK, toy))
    assert (method.least.bits, getattr(method.least.set_by, "name", None)) == (6.0, "HIV")


def test_the_phrase_around_a_sensitive_term_goes_with_it(toy: CombinedKnowledge) -> None:
    result = sanitized(toy, "She has chronic HIV.", "health")
    assert result.text == "She has a viral infection."


def test_without_anything_ever_seen_health_still_hides_names() -> None:
    table = CombinedKnowledge(STACK, [CountTable.read("contexts\t1024\nzidovudine\t4\n")])
    result = sanitized(table, "He takes zidovudine for AIDS.", "health")
    assert result.text == "He takes zidovudine for [REDACTED]."


# --- too specific ----------------------------------------------------------------------------------------------------------

GREENOW = (
    "Peter Greenow, from Syracuse, United States, suffers from pancreatic cancer. He was given treatment in the Community "
    "General Hospital for his condition by an oncologist."
)
ABOVE = {
    "condition": "",
    "cancer": "condition",
    "pancreatic cancer": "cancer",
    "treatment": "",
    "United States": "",
    "Syracuse": "",
}


@pytest.fixture(scope="module")
def counted() -> CombinedKnowledge:
    rows = [f"{phrase}\t{count}\n" for phrase, (count, *_) in PUBLISHED.items()]
    table = CountTable.read("contexts\t3500000000\n" + "".join(rows))
    return CombinedKnowledge(OntologyStack([Ontology.from_records(taxonomy(ABOVE))]), [table])


def test_the_published_sentence_loses_what_its_authors_found(counted: CombinedKnowledge) -> None:
    result = sanitized(counted, GREENOW, "spec", protect=(), too_specific_above="cancer")
    sensitive = {phrase for phrase, (*_, too_much) in PUBLISHED.items() if too_much and phrase in GREENOW}
    assert set(changed(GREENOW, result)) == sensitive - {"cancer"}
    assert result.text == (
        "[REDACTED], from [REDACTED], United States, suffers from a condition. He was given treatment in the [REDACTED] "
        "for his condition by an [REDACTED]."
    )
    assert {reason.rule for one in result.decisions for reason in one.disclosures} == {Rule.SPECIFICITY}
    assert result.decisions[0].disclosures[0].because == "says 27.3 bits, and 2.7 are too many"


def test_the_term_that_is_the_limit_goes_too(counted: CombinedKnowledge) -> None:
    result = sanitized(counted, "It is cancer. It is an astrolabe.", "spec", protect=(), too_specific_above="cancer")
    assert result.text == "It is a condition. It is an [REDACTED]."
    assert result.decisions[1].disclosures[0].because == "was never seen, and 2.7 are too many"


def test_the_limit_may_be_given_in_bits(counted: CombinedKnowledge) -> None:
    result = sanitized(counted, GREENOW, "spec", protect=(), too_specific_above=Fraction(14))
    assert set(changed(GREENOW, result)) == {"Peter Greenow", "Community General Hospital"}


def test_a_phrase_is_shortened_when_nothing_is_known_of_the_whole(toy: CombinedKnowledge) -> None:
    result = sanitized(toy, "She has chronic fatigue.", "spec", too_specific_above=Fraction(5))
    assert (result.text, result.decisions[0].action) == ("She has fatigue.", Action.SHORTENED)


@pytest.mark.parametrize("limit", [None, "unheard-of"])
def test_without_a_limit_that_can_be_told_spec_says_so(counted: CombinedKnowledge, limit: str | None) -> None:
    with pytest.raises(PolicyError, match=r"too_specific_above|never seen"):
        sanitized(counted, GREENOW, "spec", protect=(), too_specific_above=limit)


# --- correlated terms ------------------------------------------------------------------------------------------------------

CORR = "He has HIV and a viral infection. He takes zidovudine and ibuprofen, uses a condom, and reports weight loss and fatigue."
FIRST = spans(CORR, HIV="infection", viral_infection="infection")
GENERALIZED = {"zidovudine": "drug", "condom": "device", "weight loss": "symptom", "ibuprofen": "drug"}
WRITTEN = {"HIV": "infection", "viral infection": "infection"}
#: strategy: what becomes of the terms, bits kept of 37
STRATEGIES = {
    Strategy.S1: (dict.fromkeys(WRITTEN), 27),
    Strategy.S2: (WRITTEN, 33),
    Strategy.S3: (dict.fromkeys([*WRITTEN, "zidovudine", "condom"]), 13),
    Strategy.S4: ({**dict.fromkeys(WRITTEN), "zidovudine": "drug", "condom": "contraceptive"}, 21),
    Strategy.S5: (WRITTEN | GENERALIZED, 20),
}


def correlated(knowledge: CombinedKnowledge, **options: object) -> SanitizedDocument:
    sanitizer = Sanitizer(policy("corr", protect=()), STACK, knowledge)
    return published(sanitizer, CORR, FIRST, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("strategy", Strategy)
def test_every_strategy_keeps_what_the_check_says(toy: CombinedKnowledge, strategy: Strategy) -> None:
    expected, bits = STRATEGIES[strategy]
    result = correlated(toy, strategy=strategy)
    assert changed(CORR, result) == expected
    assert result.utility_kept == pytest.approx(bits / 37)


def test_the_other_threshold_may_be_chosen(toy: CombinedKnowledge) -> None:
    result = correlated(toy, threshold=most_informative_replacement)
    assert changed(CORR, result) == WRITTEN | GENERALIZED


def test_marked_and_correlated_parts_say_why(toy: CombinedKnowledge) -> None:
    marked, neighbor = correlated(toy).decisions[0], correlated(toy).decisions[2]
    assert [(one.rule, one.entity) for one in marked.disclosures] == [(Rule.SPANS, "infection")]
    [reason] = neighbor.disclosures
    assert (reason.rule, reason.entity) == (Rule.CORRELATION, "infection")
    assert reason.because == "says 6.0 bits about a term that was hidden as infection, and 4.0 are too many"
    condom = next(one for one in correlated(toy).decisions if one.replacement == "device")
    assert [(one.rung.name, one.because) for one in condom.refused] == [
        ("contraceptive", "would still say 4.0 bits about a term that was hidden")
    ]


def test_without_spans_the_names_of_the_policy_are_the_first_pass(toy: CombinedKnowledge) -> None:
    result = sanitized(toy, CORR, "corr")
    assert changed(CORR, result)["HIV"] == "viral infection"
    assert {one.disclosures[0].rule for one in result.decisions} == {Rule.NAMING, Rule.CORRELATION}


def test_what_was_marked_once_is_found_where_it_was_not_marked(toy: CombinedKnowledge) -> None:
    text = "He has HIV. It is HIV."
    result = published(Sanitizer(policy("corr", protect=()), STACK, toy), text, spans(text, HIV="infection"))
    assert "HIV" not in result.text


def test_a_context_that_the_policy_cuts_short_is_read_by_itself(toy: CombinedKnowledge) -> None:
    sanitizer = Sanitizer(policy("corr", protect=(), context="sentence"), STACK, toy)
    assert changed(CORR, published(sanitizer, CORR, FIRST)) == WRITTEN


def test_a_replacement_of_the_first_pass_that_says_too_much_is_generalized_further(toy: CombinedKnowledge) -> None:
    text = "He has AIDS and a viral infection."
    result = published(
        Sanitizer(policy("corr", protect=()), STACK, toy), text, spans(text, AIDS="HIV", viral_infection="infection")
    )
    assert changed(text, result) == {"AIDS": "infection", "viral infection": "infection"}


@pytest.mark.parametrize(
    ("label", "words"),
    [("PER", "person"), ("B-GPE", "location"), ("ORG", "organization"), ("US_SSN", "us ssn"), ("i-organisation", "organization")],
)
def test_labels_of_tools_are_read_as_words(label: str, words: str) -> None:
    assert class_name(label) == words


@pytest.mark.parametrize("label", ["", "US_SSN", "HIV", "AIDS"])
def test_a_label_that_names_nothing_or_what_is_protected_is_not_written(toy: CombinedKnowledge, label: str) -> None:
    text = "He has HIV."
    result = published(Sanitizer(policy("corr"), STACK, toy), text, spans(text, HIV=label))
    assert result.text == "He has [REDACTED]."


def test_spans_that_overlap_are_one(toy: CombinedKnowledge) -> None:
    text = "He has HIV and AIDS today."
    overlapping = read_spans([(7, 10, "infection"), (7, 19, "disease"), (15, 25, "infection")], text)
    result = published(Sanitizer(policy("corr", protect=()), STACK, toy), text, overlapping)
    [one] = result.decisions
    assert (one.start, one.end, one.replacement, len(one.disclosures)) == (7, 25, "disease", 3)


def test_a_title_goes_with_the_person_behind_it() -> None:
    text = "Mr. Alder came. Later Dr. Rowan left."
    people = CombinedKnowledge(
        OntologyStack([Ontology.from_records(taxonomy({"person": ""}))]), [CountTable.read("contexts\t9\n")]
    )
    result = published(
        Sanitizer(policy("corr", protect=()), people.stack, people), text, spans(text, Alder="PERSON", Rowan="PERSON")
    )
    assert result.text == "A person came. Later a person left."


# --- what holds for all of them ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_nothing_outside_the_changes_is_touched_and_places_are_exact(toy: CombinedKnowledge, method: str) -> None:
    text = f"  {TEXT}\r\n\r\n{HEALTH}\tE\u0301 \U0001f642 {CORR}\n"
    result = sanitized(toy, text, method, too_specific_above="viral infection")
    assert result.decisions
    old = new = 0
    for piece in result.rewritten.pieces:
        assert text[old : piece.start] == result.text[new : piece.new_start]
        old, new = piece.end, piece.new_end
    assert text[old:] == result.text[new:]
    for one in result.decisions:
        assert one.disclosures
        piece = next(p for p in result.rewritten.pieces if (p.new_start, p.new_end) == (one.new_start, one.new_end))
        assert piece.start <= one.start < one.end <= piece.end
        for reason in one.disclosures:
            assert one.start <= reason.start < reason.end <= one.end


@pytest.mark.parametrize("method", METHODS)
def test_the_same_text_becomes_the_same_text(toy: CombinedKnowledge, method: str) -> None:
    first, second = (sanitized(toy, f"{CORR} {HEALTH}", method, too_specific_above="viral infection") for _ in range(2))
    assert (first.text, first.decisions, first.utility_kept) == (second.text, second.decisions, second.utility_kept)


@pytest.mark.parametrize("method", METHODS)
def test_identifiers_and_listed_words_go_whatever_the_method(toy: CombinedKnowledge, method: str) -> None:
    text = "Write to o.barrow@example.org about the bluebird project and ibuprofen."
    result = sanitized(
        toy,
        text,
        method,
        too_specific_above=Fraction(9),
        identifiers=(IdentifierRule("email", write="[E-MAIL]"),),
        deny=(Denied("bluebird project", "It is the name of the trial."),),
    )
    assert "[E-MAIL]" in result.text
    assert "o.barrow" not in result.text
    assert "bluebird" not in result.text
    assert "ibuprofen" in result.text


@pytest.mark.parametrize("method", ["csan", "health", "spec"])
def test_spans_are_hidden_by_every_method(toy: CombinedKnowledge, method: str) -> None:
    text = "Alder takes ibuprofen."
    made = policy(method, too_specific_above=Fraction(11))
    result = published(Sanitizer(made, STACK, toy), text, spans(text, Alder="", ibuprofen="drug"))
    assert result.text == "[REDACTED] takes a drug."
    assert {one.disclosures[0].rule for one in result.decisions} == {Rule.SPANS}


@pytest.mark.parametrize("method", ["csan", "health", "corr"])
def test_what_the_policy_lets_stay_stays(toy: CombinedKnowledge, method: str) -> None:
    allowed = (Allowed("zidovudine", "The trial is public."),)
    result = sanitized(toy, f"No evidence of HIV. {CORR[CORR.index('He takes') :]}", method, negated="keep", allow=allowed)
    assert "HIV" in result.text
    assert "zidovudine" in result.text


@pytest.mark.parametrize("method", ["csan", "health"])
def test_a_policy_that_stops_gives_nothing_when_nothing_is_safe(toy: CombinedKnowledge, method: str) -> None:
    few = CombinedKnowledge(STACK, [CountTable.read("contexts\t1024\nHIV\t16\n")])
    assert sanitized(few, "He has HIV.", method).text == "He has [REDACTED]."
    with pytest.raises(NotSafe):
        sanitized(few, "He has HIV.", method, when_nothing_is_safe="stop")


@pytest.mark.parametrize("method", METHODS)
def test_a_sanitizer_that_redacts_replaces_nothing(toy: CombinedKnowledge, method: str) -> None:
    made = policy(method, too_specific_above="viral infection", when_nothing_is_safe="stop")
    result = published(Sanitizer(made, STACK, toy, redact=True), HEALTH)
    assert {one.action for one in result.decisions} == {Action.REDACTED}


@pytest.mark.parametrize("method", METHODS)
def test_a_bar_tells_the_kind_where_the_policy_wants_it(toy: CombinedKnowledge, method: str) -> None:
    identified = (IdentifierRule("email"),)
    result = sanitized(
        toy,
        "Write to o.barrow@example.org.",
        method,
        identifiers=identified,
        replacement_style="[{kind}]",
        too_specific_above="HIV",
    )
    assert result.text == "Write to [EMAIL]."


@pytest.mark.parametrize("method", ["csan", "health", "corr"])
def test_a_verb_in_the_name_of_an_entity_stays(method: str) -> None:
    records = taxonomy({"disease": "", "illness": "disease", "HIV": "illness"})
    records.name(records.concept("t:HIV"), "has HIV", Scope.EXACT)
    stack = OntologyStack([Ontology.from_records(records)])
    known = CombinedKnowledge(stack, [CountTable.read("contexts\t1024\nHIV\t4\nillness\t512\n")])
    assert sanitized(known, "He has HIV now.", method).text == "He has an illness now."


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", ["", " \n", "?!", "HIV", "a" * 2000, "[" * 2000])
def test_odd_texts_are_no_trouble(toy: CombinedKnowledge, method: str, text: str) -> None:
    result = sanitized(toy, text, method, too_specific_above=Fraction(3))
    assert (result.text == text) is (not result.decisions)
    assert 0 <= result.utility_kept <= 1


@pytest.mark.parametrize("method", METHODS)
def test_reprs_show_no_word_of_the_text(toy: CombinedKnowledge, method: str) -> None:
    shown = repr(sanitized(toy, TEXT, method, protect=(ProtectedEntity("AIDS"),), too_specific_above=Fraction(4)))
    assert not re.search("zidovudine|condom|weight|ibuprofen", shown)


@pytest.mark.parametrize("method", METHODS)
def test_a_long_text_takes_time_in_proportion(toy: CombinedKnowledge, method: str) -> None:
    ready = PublishedMethod(Sanitizer(policy(method, too_specific_above=Fraction(4)), STACK, toy))
    assert within(24 * seconds(ready.sanitize, f"{CORR} " * 30), ready.sanitize, f"{CORR} " * 240)


# --- with what ships ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def english() -> CombinedKnowledge:
    return kgsan.load_knowledge()


@pytest.mark.parametrize("method", METHODS)
def test_a_note_is_sanitized_in_two_seconds(english: CombinedKnowledge, method: str) -> None:
    shipped = replace(kgsan.load_policy("us-hiv"), method=method, too_specific_above="cancer")
    ready = PublishedMethod(Sanitizer(shipped, english.stack, english))
    note = NOTE.read_text("utf-8")
    result = ready.sanitize(note)
    assert "HIV" not in result.text
    assert 0 < result.utility_kept < 1
    assert within(2, ready.sanitize, note)
