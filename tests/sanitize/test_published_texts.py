"""The published methods on texts, over counts that are spelled out: each rule by itself, with figures to check in the head."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.errors import PolicyError
from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.ontology.ontology import Concept, Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Denied, Policy, ProtectedEntity
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.ladder import Rung
from kgsan.sanitize.methods import PublishedMethod, published
from kgsan.sanitize.published.corr import Strategy
from kgsan.sanitize.result import Action, NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sanitize.spoken import Occurrence
from kgsan.sources.records import Scope
from tests.conftest import taxonomy
from tests.papers.toy import TOY, WORLD, ContextSets
from tests.sanitize.test_methods import CORR, CSAN, FIRST, HEALTH, STACK, STRATEGIES, TEXT, changed

EMPTY = ContextSets("empty", 1024, {})


def method(name: str, *sources: Any, stack: OntologyStack = STACK, redact: bool = False, **settings: Any) -> PublishedMethod:
    policy = Policy("toy", "Toy Act", protect=(ProtectedEntity("HIV"),), method=name, strictness=Fraction(3, 2))
    known = CombinedKnowledge(stack, sources or (TOY,))
    return PublishedMethod(Sanitizer(replace(policy, **settings), stack, known, redact=redact))


def concept(name: str) -> Concept:
    return STACK.find(name)[0]


# --- the checks of the papers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strictness", CSAN)
def test_csan_replaces_and_keeps_what_the_check_says(strictness: float) -> None:
    expected, bits = CSAN[strictness]
    result = method("csan", strictness=Fraction(strictness)).sanitize(TEXT)
    assert changed(TEXT, result) == expected
    assert result.utility_kept == pytest.approx(bits / 40)


def test_both_steps_of_health_are_those_of_the_check() -> None:
    result = method("health").sanitize(HEALTH)
    assert changed(HEALTH, result) == {
        "AIDS": "viral infection",
        "HIV": "viral infection",
        "zidovudine": "drug",
        "condom": "device",
        "weight loss": "symptom",
    }
    told = "says 7.0 bits about a term that was hidden as HIV, and 6.0 are too many, which is what 'HIV' says"
    assert result.decisions[2].disclosures[0].because == told
    assert [one.disclosures[0].entity for one in result.decisions] == ["HIV"] * 5


@pytest.mark.parametrize("strategy", Strategy)
def test_every_strategy_keeps_what_the_check_says(strategy: Strategy) -> None:
    expected, bits = STRATEGIES[strategy]
    result = method("corr", protect=()).sanitize(CORR, FIRST, strategy=strategy)
    assert changed(CORR, result) == expected
    assert result.utility_kept == pytest.approx(bits / 37)
    assert (
        method("corr", protect=()).sanitize(CORR, FIRST).text
        == method("corr", protect=()).sanitize(CORR, FIRST, strategy=Strategy.S5).text
    )


def test_spec_hides_what_says_as_much_as_the_limit_and_says_so() -> None:
    text = "She has HIV, drug, fatigue, chronic fatigue and unheard."
    result = method("spec", protect=(), too_specific_above=Fraction(4)).sanitize(text)
    told = {text[one.start : one.end]: one.disclosures[0].because for one in result.decisions}
    assert told["HIV"] == "says 6.0 bits, and 4.0 are too many"
    assert told["fatigue"] == "says 4.0 bits, and 4.0 are too many"
    assert "drug" not in told
    assert {one.disclosures[0].rule for one in result.decisions} == {Rule.SPECIFICITY}
    assert {one.disclosures[0].entity for one in result.decisions} == {""}


class Written(ContextSets):
    """Counts of names as they are written, as a search engine has them; of concepts it knows nothing."""

    def count(self, *terms: Any) -> int | None:
        return TOY.count(*terms) if all(isinstance(term, str) for term in terms) else None


def test_spec_counts_what_is_written_alone() -> None:
    made = method("spec", Written("written", 1024, {}), protect=(), too_specific_above=Fraction(4))
    assert made.sanitize("She has HIV.").text == "She has an infection."
    assert published(made.sanitizer, "She has HIV.").text == "She has an infection."


# --- what is decided once for a policy ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "chosen"),
    [
        ((TOY,), 0),
        ((EMPTY,), 0),
        ((EMPTY, TOY), 1),
        ((EMPTY, TOY, replace(TOY, name="later")), 1),
        ((EMPTY, replace(EMPTY, name="x")), 0),
    ],
)
def test_the_first_source_decides_that_has_counted_what_is_protected(sources: tuple[ContextSets, ...], chosen: int) -> None:
    assert method("csan", *sources).knowledge is sources[chosen]


def test_a_source_decides_that_has_counted_one_of_several_entities() -> None:
    half = ContextSets("half", 1024, {"fatigue": TOY.sets["fatigue"]})
    made = method("csan", EMPTY, half, TOY, protect=(ProtectedEntity("HIV"), ProtectedEntity("fatigue")))
    assert made.knowledge is half


def test_every_entity_is_guarded_with_its_own_strictness_unless_it_says_nothing() -> None:
    protect = (
        ProtectedEntity("HIV"),
        ProtectedEntity("entity"),  # in every context
        ProtectedEntity("fatigue", strictness=Fraction(2)),
        ProtectedEntity("drug", hide="which"),
    )
    made = method("csan", protect=protect)
    assert [topic.name for topic in made.topics] == ["HIV", "entity", "fatigue", "drug"]
    assert [(one.entity.entity, one.information, one.limit) for one in made.guarded] == [
        ("HIV", 6.0, pytest.approx(2 / 3)),
        ("fatigue", 4.0, 1 / 2),
        ("drug", 3.0, pytest.approx(2 / 3)),
    ]


@pytest.mark.parametrize(
    ("protect", "bits", "set_by"),
    [(["HIV"], 6, "HIV"), (["AIDS"], 7, "AIDS"), (["AIDS", "fatigue"], 4, "fatigue"), (["entity"], 0, "entity")],
)
def test_the_least_that_anything_sensitive_says_is_the_threshold_of_health(protect: list[str], bits: float, set_by: str) -> None:
    least = method("health", protect=tuple(map(ProtectedEntity, protect))).least
    assert (least.bits, getattr(least.set_by, "name", None)) == (bits, set_by)


def test_counts_that_do_not_fit_each_other_let_a_specialization_set_the_threshold() -> None:
    odd = ContextSets("odd", 1024, {"HIV": frozenset(range(4)), "AIDS": frozenset(range(64))})
    least = method("health", odd).least
    assert (least.bits, getattr(least.set_by, "name", None)) == (4.0, "AIDS")
    taxonomies = PublishedMethod(Sanitizer(method("health").policy, STACK, CombinedKnowledge(STACK, [])))
    assert getattr(taxonomies.least.set_by, "name", None) == "HIV"
    unseen = method("health", EMPTY).least
    assert (unseen.bits, unseen.set_by) == (inf, "")


@pytest.mark.parametrize(
    ("limit", "bits"), [(Fraction(5), 5.0), (Fraction(9, 2), 4.5), ("viral infection", 4.0), ("fatigue", 4.0)]
)
def test_the_limit_of_spec_is_bits_or_what_a_term_says(limit: Fraction | str, bits: float) -> None:
    assert method("spec", too_specific_above=limit).specific == bits


@pytest.mark.parametrize(("limit", "code"), [(None, "P102"), ("unheard", "P204")])
def test_without_a_limit_spec_says_what_to_write(limit: str | None, code: str) -> None:
    with pytest.raises(PolicyError) as caught:
        _ = method("spec", too_specific_above=limit).specific
    assert caught.value.problems[0].code == code
    assert caught.value.problems[0].hint


# --- what may be written -------------------------------------------------------------------------------------------------------------


def test_words_may_be_said_that_are_no_heading_say_something_and_name_nothing_protected() -> None:
    parents = {term: above for term, (above, _) in WORLD.items()} | {"HIV test": "device", "plague": "entity"}
    records = taxonomy(parents)
    records.name(records.concept("t:HIV"), "plague", Scope.EXACT, rank=1)
    records.name(records.concept("t:HIV"), "the virus", Scope.NARROW)
    made = method("csan", stack=OntologyStack([Ontology.from_records(records)]))
    stack = made.sanitizer.knowledge.stack
    rows: list[tuple[str, str | None, bool]] = [
        ("drug", "drug", True),
        ("AIDS", "AIDS", False),
        ("ailment", "AIDS", False),  # the concept is protected, whatever it is called
        ("HIV", None, False),
        ("chronic HIV", None, False),
        ("HIV test", "HIV test", False),  # a name inside another
        ("the virus", None, False),
        ("plague", None, True),  # means that in its second sense only
        ("drug or device", "drug", False),
        ("drug or device", None, True),
        ("so so so so drug", "drug", True),
        ("so so so so so drug", "drug", False),
        ("living thing", "drug", False),
        ("Living Things", "drug", False),
        ("living thing", None, True),
    ]
    for name, of, allowed in rows:
        meant = None if of is None else stack.find(of)[0]
        assert made.may_be_said(Rung(name, meant, 0)) is allowed, name


@pytest.mark.parametrize("name", ["csan", "health", "spec", "corr"])
def test_one_term_without_anything_safe_is_enough_to_stop(name: str) -> None:
    few = ContextSets("few", 1024, {term: TOY.sets[term] for term in ("HIV", "zidovudine", "drug")})
    text = "She takes zidovudine. He has HIV. Write to the bluebird project."
    settings: dict[str, Any] = {"too_specific_above": Fraction(6), "deny": (Denied("bluebird project", "A name."),)}
    result = method(name, few, **settings).sanitize(text)
    by = {text[one.start : one.end]: one.replacement for one in result.decisions}
    assert by["HIV"] is by["bluebird project"] is None
    if name != "corr":
        with pytest.raises(NotSafe, match="no more general one is safe"):
            method(name, few, when_nothing_is_safe="stop", **settings).sanitize(text)
    kept = text.replace("HIV", "fatigue")
    assert "bluebird" not in method(name, few, when_nothing_is_safe="stop", **settings).sanitize(kept).text


@pytest.mark.parametrize("name", ["csan", "health", "spec", "corr"])
def test_a_sanitizer_that_redacts_writes_nothing_and_never_stops(name: str) -> None:
    made = method(name, redact=True, too_specific_above=Fraction(6), when_nothing_is_safe="stop")
    result = made.sanitize(HEALTH)
    assert {one.action for one in result.decisions} == {Action.REDACTED}
    gone = {HEALTH[one.start : one.end] for one in result.decisions}
    assert {"AIDS", "HIV", "zidovudine"} <= gone
    assert ("fatigue" in gone) is False


# --- reasons ---------------------------------------------------------------------------------------------------------------------------

MARK = Disclosure(0, 3, Rule.NAMING, "HIV", "names HIV")
OTHER = Disclosure(0, 3, Rule.NAMING, "AIDS", "names AIDS")
SAME = "is called the same as what is protected elsewhere in the text"
CHAINS: dict[str, list[Any]] = {
    "unheard": ["HIV", "infection", "disease"],
    "zidovudine": ["antiretroviral", "drug"],
    "HIV": ["viral infection"],
    "old AIDS": [],
}


def stub(named: dict[Occurrence, Any], terms: list[Occurrence], phrases: Any = None) -> Any:
    return SimpleNamespace(
        knowledge=TOY,
        named=lambda _: named,
        terms=lambda _: terms,
        chain=lambda term: CHAINS.get(term, []),
        phrases_over=lambda _: phrases,
    )


def test_csan_hides_a_name_that_was_never_counted_wherever_it_stands() -> None:
    first, again, drug, free = (
        Occurrence(0, 7, "unheard"),
        Occurrence(20, 27, "unheard"),
        Occurrence(9, 19, "zidovudine"),
        Occurrence(30, 37, "fatigue"),
    )
    made = {(one.start, one.by): one for one in method("csan")._csan(stub({first: (MARK,)}, [drug, again, free]), [])}
    # Of what generalizes it, HIV says all 6 bits about HIV; infection says 3, and 4 are too many.
    assert set(made) == {(0, "infection"), (20, "infection"), (9, "drug")}
    assert made[0, "infection"].reasons == (MARK,)
    assert [(one.rule, one.because) for one in made[20, "infection"].reasons] == [(Rule.NAMING, SAME)]
    [inferred] = made[9, "drug"].reasons
    assert (inferred.rule, inferred.entity, inferred.start, inferred.end) == (Rule.INFERENCE, "HIV", 9, 19)
    assert inferred.limit == pytest.approx(2 / 3)
    assert inferred.because == "reveals 100 % of what 'HIV' says (4 of its 4 contexts in toy world)"


def test_health_measures_neighbors_against_the_last_sensitive_term_of_a_phrase() -> None:
    first, last = Occurrence(0, 4, "fatigue"), Occurrence(5, 8, "HIV")
    phrase, again, drug = Occurrence(0, 8, "old AIDS"), Occurrence(30, 38, "old AIDS"), Occurrence(10, 20, "zidovudine")
    named = {first: (OTHER,), last: (MARK, OTHER)}
    spoken = stub(named, [drug, again], {phrase: [first, last]})
    made = {one.start: one for one in method("health")._health(spoken, [])}
    # The phrase was never counted, so HIV is what it hid; the chain of HIV is its chain.
    assert [(start, made[start].by) for start in sorted(made)] == [(0, "viral infection"), (10, "drug"), (30, "viral infection")]
    assert made[0].reasons == (OTHER, MARK, OTHER)
    assert made[30].reasons[0].because == SAME
    [reason] = made[10].reasons
    assert (reason.rule, reason.entity) == (Rule.CORRELATION, "HIV")
    # Beside "viral infection": 1024 contexts x 4 together / (16 of HIV x 4 of both others) = 64 = 2 to the 6.
    assert reason.because == "says 6.0 bits about a term that was hidden as HIV, and 6.0 are too many, which is what 'HIV' says"
