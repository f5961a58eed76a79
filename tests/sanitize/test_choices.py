"""Which rung each part of a text comes to, in a world of a few words whose ladders are written out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from kgsan.ontology.ontology import Concept
from kgsan.policy.policy import Policy, ProtectedEntity
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.ladder import Rung
from kgsan.sanitize.result import Action
from tests.sanitize.written_ladders import Toy, sense

# --- climbing ------------------------------------------------------------------------------------------------------------------


def test_the_first_rung_that_is_not_refused_stands_there_and_the_others_are_told() -> None:
    toy = Toy("He has HIV now.", refused=frozenset({"viral infection"})).add("HIV")
    assert toy.shown == "He has an infection now."
    [one] = toy.choices.decisions(toy.rewritten)
    assert (one.action, one.replacement, one.concept) == (Action.GENERALIZED, "infection", "t:infection")
    assert (toy.text[one.start : one.end], toy.shown[one.new_start : one.new_end]) == ("HIV", "an infection")
    assert [(refused.rung.name, refused.because) for refused in one.refused] == [("viral infection", "is refused")]
    assert [reason.rule for reason in one.disclosures] == [Rule.NAMING]


def test_what_is_found_again_goes_one_rung_up_wherever_it_stands_once_for_a_reading() -> None:
    toy = Toy("He has HIV. It was HIV.")
    toy.choices.add([toy.found("HIV"), toy.found("HIV", nth=1)])
    assert toy.shown == "He has a viral infection. It was a viral infection."
    assert toy.answer("viral infection", "viral infection") == "He has an infection. It was an infection."
    assert toy.answer("infection") == "He has a disease. It was a disease."
    assert toy.answer("disease") == "He has [REDACTED]. It was [REDACTED]."
    assert toy.answer("REDACTED") == "He has [REDACTED]. It was [REDACTED]."
    first, second = toy.choices.decisions(toy.rewritten)
    assert [(one.rung.name, one.because) for one in first.refused] == [
        (name, "says too much") for name in ("viral infection", "infection", "disease")
    ]
    assert second.refused == first.refused
    assert (first.action, first.replacement, first.concept) == (Action.REDACTED, None, None)


def test_where_it_must_end_words_are_black_and_stay_so() -> None:
    toy = Toy("He has HIV.").add("HIV")
    assert toy.answer("viral infection", redact=True) == "He has [REDACTED]."
    assert toy.answer("REDACTED") == "He has [REDACTED]."
    assert Toy("He has HIV.", redact=True).add("HIV").shown == "He has [REDACTED]."


def test_what_is_found_first_in_a_later_reading_is_taken_with_its_first_rung_or_black() -> None:
    toy = Toy("He has HIV and zidovudine.").add("HIV")
    assert toy.answer("zidovudine") == "He has a viral infection and an antiviral drug."
    toy = Toy("He has HIV and zidovudine.").add("HIV")
    assert toy.answer("zidovudine", redact=True) == "He has a viral infection and [REDACTED]."
    assert toy.names() == [("HIV", "viral infection"), ("zidovudine", None)]


@pytest.mark.parametrize(
    ("found", "black"),
    [
        ("old [REDACTED]", "old HIV"),
        ("[REDACTED] test", "HIV test"),
        ("old [REDACTED] test", "old HIV test"),
        ("[REDACTED]", "HIV"),
        ("EDACT", "HIV"),
    ],
)
def test_words_beside_a_black_bar_that_give_it_away_go_under_it(found: str, black: str) -> None:
    toy = Toy("He had an old HIV test now.").add("HIV")
    toy.answer("viral infection", redact=True)
    toy.answer(found)
    assert toy.names() == [(black, None)]
    [one] = toy.choices.decisions(toy.rewritten)
    assert [reason.rule for reason in one.disclosures] == [Rule.NAMING] if black == "HIV" else [Rule.INFERENCE, Rule.NAMING]


def test_a_bar_and_the_next_one_become_one_where_the_words_between_them_give_them_away() -> None:
    toy = Toy("The HIV made her take much zidovudine daily.", redact=True).add("HIV", "zidovudine")
    toy.answer("The [REDACTED] made her take much [REDACTED]")
    assert [words for words, _ in toy.names()] == ["The HIV made her take much zidovudine"]
    toy = Toy("The HIV made her take much zidovudine daily.", redact=True).add("HIV", "zidovudine")
    toy.answer("[REDACTED] made her take much [REDACTED] daily")
    assert [words for words, _ in toy.names()] == ["HIV made her take much zidovudine daily"]
    toy = Toy("The HIV made her take much zidovudine daily.", redact=True).add("HIV", "zidovudine")
    toy.answer("made her take much")
    assert [words for words, _ in toy.names()] == ["HIV", "made her take much", "zidovudine"]


def test_words_between_a_bar_and_a_replacement_stay_while_that_goes_up() -> None:
    toy = Toy("The HIV made her take much zidovudine daily.").add("HIV", "zidovudine")
    toy.answer("viral infection", redact=True)
    toy.answer("The [REDACTED] made her take much antiviral drug")
    assert toy.names() == [("HIV", None), ("zidovudine", "drug")]


def test_words_beside_a_replacement_stay_while_it_goes_up() -> None:
    toy = Toy("He had an old HIV test now.").add("HIV")
    now = toy.rewritten
    start, end = now.pieces[0].new_start, now.pieces[0].new_end
    toy.choices.answer([Disclosure(start - 4, end + 5, Rule.INFERENCE, "HIV", "toy")], now, None, redact=False)  # type: ignore[arg-type]
    assert toy.names() == [("HIV", "infection")]


# --- taking parts of the text --------------------------------------------------------------------------------------------------

GREEK = "Alpha beta gamma delta epsilon zeta."


@pytest.mark.parametrize(
    ("added", "spans"),
    [
        (["beta", "delta"], ["beta", "delta"]),
        (["delta", "beta"], ["beta", "delta"]),
        (["zeta", "Alpha", "gamma", "beta"], ["Alpha", "beta", "gamma", "zeta"]),
        (["beta gamma", "gamma delta"], ["beta gamma delta"]),
        (["gamma delta", "beta gamma"], ["beta gamma delta"]),
        (["beta", "delta", "Alpha beta gamma delta epsilon"], ["Alpha beta gamma delta epsilon"]),
        (["beta gamma delta", "gamma"], ["beta gamma delta"]),
        (["gamma", "gam", "ma"], ["gamma"]),
        (["gam", "ma "], ["gam", "ma "]),
        (["ma ", "gam"], ["gam", "ma "]),
        (["Alpha beta", "gamma delta", "epsilon zeta", "beta gamma"], ["Alpha beta gamma delta", "epsilon zeta"]),
        ([" gamma"], ["gamma"]),
    ],
)
def test_parts_that_overlap_are_one_and_all_are_in_order(added: list[str], spans: list[str]) -> None:
    toy = Toy(GREEK).add(*added, rule=Rule.SPANS)
    assert [words for words, _ in toy.names()] == spans
    assert [(change.start, change.end) for change in toy.choices.changes()] == sorted(span for span, _ in toy.choices.changed())


def test_the_reasons_of_what_is_swallowed_follow_in_the_order_in_which_choices_were_made() -> None:
    toy = Toy("Gamma alpha beta gamma.")
    ones = [
        toy.found("beta", entity="first"),
        toy.found("gamma", entity="second"),
        toy.found("alpha", entity="third"),
        toy.found("beta", entity="fourth"),
        toy.found("alpha beta gamma", entity="whole"),
    ]
    toy.choices.add(replace(one, rule=Rule.SPANS) for one in ones)
    [decision] = toy.choices.decisions(toy.rewritten)
    assert [one.entity for one in decision.disclosures] == ["whole", "first", "fourth", "second", "third"]
    toy = Toy("Beta alpha beta gamma.")
    later, earlier = toy.found("beta", entity="later"), toy.found("Beta", entity="earlier")
    whole = toy.found("Beta alpha beta", entity="whole")
    toy.choices.add(replace(one, rule=Rule.SPANS) for one in (later, earlier, whole))
    [decision] = toy.choices.decisions(toy.rewritten)
    assert [one.entity for one in decision.disclosures] == ["whole", "later", "earlier"]


def test_a_reason_that_was_told_is_not_told_twice_and_another_is() -> None:
    toy = Toy("He has HIV.")
    toy.choices.add([toy.found("HIV"), toy.found("HIV"), toy.found("HIV", Rule.DENY, "list")])
    [one] = toy.choices.decisions(toy.rewritten)
    assert [reason.entity for reason in one.disclosures] == ["HIV", "list"]
    assert one.replacement == "viral infection"
    toy.choices._take(toy.found("HIV"), redact=True)
    assert toy.shown == "He has [REDACTED]."


def test_what_is_swallowed_by_more_words_leaves_the_others_of_its_kind_alone() -> None:
    toy = Toy("He has HIV. The HIV test was late.")
    toy.choices.add([toy.found("HIV"), toy.found("HIV", nth=1), toy.found("HIV test", Rule.SPANS)])
    assert toy.names() == [("HIV", "viral infection"), ("HIV test", "test")]
    assert toy.answer("viral infection").startswith("He has an infection. The ")


@pytest.mark.parametrize(
    ("text", "words", "rule", "span"),
    [
        ("He had HIV.", "had HIV", Rule.NAMING, "HIV"),
        ("He had HIV.", "had HIV", Rule.SPANS, "had HIV"),
        ("He was with the HIV.", "was with the HIV", Rule.NAMING, "HIV"),
        ("He Has HIV.", "Has HIV", Rule.NAMING, "HIV"),
        ("His HIV had her.", "HIV had her", Rule.NAMING, "HIV had her"),
        ("It is the.", "is the", Rule.NAMING, "the"),
    ],
)
def test_a_verb_or_article_before_a_name_stays(text: str, words: str, rule: Rule, span: str) -> None:
    assert [said for said, _ in Toy(text).add(words, rule=rule).names()] == [span]


# --- what is written -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "reasons", "shown", "action"),
    [
        ("[X]", [("name", "[NAME]")], "[NAME]", Action.WRITTEN),
        ("[X]", [("name", "")], "", Action.WRITTEN),
        ("[X]", [("name", None)], "[X]", Action.REDACTED),
        ("[X]", [("name", "[NAME]"), ("other", None)], "[X]", Action.WRITTEN),
        ("<{kind}>", [("name", None)], "<NAME>", Action.REDACTED),
        ("<{kind}>", [("name", None), ("other", None)], "<NAME>", Action.REDACTED),
        ("<{kind}>", [("", None)], "<IDENTIFIER>", Action.REDACTED),
        ("<{kind}>", [("name", "[NAME]")], "[NAME]", Action.WRITTEN),
    ],
)
def test_a_bar_is_what_the_policy_writes_or_the_style_with_its_kind(
    style: str, reasons: list[tuple[str, str | None]], shown: str, action: Action
) -> None:
    toy = Toy("He met Alder there.", policy=Policy("toy", "Toy Act", replacement_style=style))
    toy.choices.add(toy.found("Alder", Rule.IDENTIFIER, entity, write=write) for entity, write in reasons)
    assert toy.shown == f"He met {shown} there."
    [one] = toy.choices.decisions(toy.rewritten)
    assert one.action is action


def test_a_proper_name_is_written_as_one() -> None:
    toy = Toy("He has HIV.").add("HIV")
    [choice] = toy.choices._choices.values()
    choice.rung = Rung("Illinois", Concept("places:1", "Illinois"), 0)
    assert toy.shown == "He has Illinois."


def test_only_entities_whose_kind_may_show_are_kept_from_coming_back() -> None:
    protect = (
        ProtectedEntity("city", hide="which"),
        ProtectedEntity("town", hide="which", strictness=Fraction(4)),
        ProtectedEntity("HIV"),
    )
    toy = Toy("The HIV and zidovudine and HIV.", policy=Policy("toy", "Toy Act", protect=protect, strictness=Fraction(2)))
    assert list(toy.choices.instances()) == []
    named = {"HIV": sense("HIV"), "zidovudine": sense("zidovudine")}
    toy.choices.add(
        [
            toy.found("HIV", entity="city", sense=named["HIV"]),
            toy.found("HIV", entity="city", nth=1, sense=named["HIV"]),
            toy.found("HIV", entity="HIV", sense=named["HIV"]),
            toy.found("HIV", entity="city"),
            toy.found("zidovudine", entity="town", sense=named["zidovudine"]),
        ]
    )
    first, second = toy.choices.instances()
    assert (first.entity, first.limit, first.hidden) == ("city", 1 / 2, named["HIV"].concept)
    assert first.shown == Concept("t:viral infection", "viral infection")
    assert (second.entity, second.limit, second.hidden) == ("town", 1 / 4, named["zidovudine"].concept)
    choice = next(iter(toy.choices._choices.values()))
    choice.rung = Rung("infection")
    assert next(iter(toy.choices.instances())).shown == "infection"
    choice.rung = None
    assert next(iter(toy.choices.instances())).shown is None
