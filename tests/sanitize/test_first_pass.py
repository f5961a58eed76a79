"""A first pass: what marks of tools and of the policy hide, what stands there, and what its neighbors give away."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kgsan.ontology.ontology import Concept, Name
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.finishing import Hidden
from kgsan.sanitize.first_pass import Marked, _because, _marked, class_name, first_pass, places
from kgsan.sources.records import Scope
from kgsan.text.document import Document
from kgsan.text.foreign import ForeignSpan
from kgsan.text.mentions import Sense
from tests.papers.toy import TOY
from tests.sanitize.test_methods import changed, spans
from tests.sanitize.test_published_texts import concept, method


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("B-PER", "person"),
        ("u-loc", "location"),
        ("B_PER", "b per"),
        ("FAC", "location"),
        ("  A__b ", "a b"),
        ("be-last", "be-last"),
    ],
)
def test_labels_of_tools_are_read_as_words(label: str, words: str) -> None:
    assert class_name(label) == words


def test_a_mark_says_who_made_it() -> None:
    assert _because(ForeignSpan(0, 1, "PER", source="a tool")) == "is marked as PER by a tool"
    assert _because(ForeignSpan(0, 1, "PER")) == "is marked as PER"


NOTE = "Then Dr. Alder and Rowan came. Mr. Birch left."
WHOLE = (9, 24)  # Alder and Rowan


def reason(start: int, end: int, rule: Rule = Rule.SPANS, entity: str = "PER", **more: Any) -> Disclosure:
    return Disclosure(start, end, rule, entity, "", **more)


SENSE = Sense(concept("HIV"), Name("HIV", Scope.EXACT), 0)
TOLD: dict[str, Any] = {"sense": SENSE}


@pytest.mark.parametrize(
    ("reasons", "generalize", "start", "by", "meaning"),
    [
        ([reason(*WHOLE)], True, 5, "label person", None),  # with the title before it
        ([reason(*WHOLE)], False, 9, None, None),
        ([reason(*WHOLE, entity="marked")], True, 9, None, None),
        ([reason(*WHOLE, entity="unheard")], True, 9, None, None),
        ([reason(9, 14, entity="LOC"), reason(*WHOLE)], True, 5, "label person", None),  # the longest
        ([reason(9, 20), reason(18, 24, entity="LOC")], True, 5, "label person", None),
        ([reason(9, 18, entity="LOC"), reason(15, 24)], True, 5, "label person", None),  # of equals the last
        ([reason(15, 24), reason(9, 18, entity="LOC")], True, 5, "label person", None),
        ([reason(*WHOLE, Rule.NAMING, "HIV", **TOLD)], True, 9, "drug", "HIV"),
        ([reason(*WHOLE, Rule.NAMING, "HIV", **TOLD)], False, 9, None, "HIV"),
        ([reason(*WHOLE, Rule.NAMING, "HIV")], True, 9, None, None),
        ([reason(*WHOLE, Rule.NAMING, "HIV", **TOLD), reason(9, 14, Rule.DENY, "")], True, 9, None, None),
        ([reason(*WHOLE, Rule.DENY, "list")], True, 9, None, None),
    ],
)
def test_the_longest_mark_tells_what_stands_there(
    reasons: list[Disclosure], generalize: bool, start: int, by: str | None, meaning: str | None
) -> None:
    asked: list[Any] = []

    def term(start: int, end: int, meaning: Concept | None) -> str:
        asked.append((start, end, None if meaning is None else meaning.name))
        return "the term"

    spoken: Any = SimpleNamespace(
        document=Document(NOTE),
        knowledge=TOY,
        term=term,
        label=lambda name: None if name == "unheard" else f"label {name}",
        chain=lambda _: ["unheard", "drug", "device"],
    )
    made = _marked(spoken, Hidden(*WHOLE, tuple(reasons)), generalize)
    assert (made.hidden.start, made.hidden.end, made.hidden.by, made.term) == (start, WHOLE[1], by, "the term")
    assert made.hidden.reasons == tuple(reasons)
    assert asked == [(*WHOLE, meaning)]


def test_what_the_policy_writes_is_written_where_that_reason_covers_all() -> None:
    spoken: Any = SimpleNamespace(document=Document(NOTE), knowledge=TOY, term=lambda *_, **__: "term")
    for reasons, write in (
        ([reason(*WHOLE, Rule.IDENTIFIER, write="[X]")], "[X]"),
        ([reason(9, 20, Rule.IDENTIFIER, write="[X]"), reason(19, 24, Rule.IDENTIFIER)], None),
        ([reason(10, 24, Rule.IDENTIFIER, write="[X]"), reason(9, 12, Rule.IDENTIFIER)], None),
    ):
        assert _marked(spoken, Hidden(*WHOLE, tuple(reasons)), True).hidden.write == write


@pytest.mark.parametrize(
    ("words", "hidden"), [("Alder", "Dr. Alder"), ("Rowan", "Rowan"), ("Birch", "Mr. Birch"), ("Then", "Then"), ("came", "came")]
)
def test_a_title_goes_with_the_name_behind_it(words: str, hidden: str) -> None:
    spoken: Any = SimpleNamespace(
        document=Document(NOTE), knowledge=TOY, term=lambda *_, **__: "term", label=lambda _: "person", marks=[]
    )
    [one] = first_pass(spoken, spans(NOTE, **{words: "PER"}), frozenset())
    assert NOTE[one.hidden.start : one.hidden.end] == hidden
    assert places([one]) == [(one.hidden.start, one.hidden.end)]


def test_a_title_begins_a_text_but_one_at_its_end_is_not_before_its_first_word() -> None:
    spoken: Any = SimpleNamespace(
        document=Document("Alder met the Dr"), knowledge=TOY, term=lambda *_, **__: "term", label=lambda _: "person", marks=[]
    )
    [one] = first_pass(spoken, [ForeignSpan(0, 5, "PER")], frozenset())
    assert (one.hidden.start, one.hidden.end) == (0, 5)
    spoken.document = Document("Dr. Alder came")
    [one] = first_pass(spoken, [ForeignSpan(4, 9, "PER")], frozenset())
    assert (one.hidden.start, one.hidden.end) == (0, 9)


def test_only_marks_of_the_rules_that_are_asked_for_are_a_first_pass() -> None:
    marks = [reason(0, 4, Rule.DENY, "a"), reason(31, 34, Rule.NAMING, "b"), reason(35, 40, Rule.IDENTIFIER, "c")]
    spoken: Any = SimpleNamespace(
        document=Document(NOTE), knowledge=TOY, term=lambda *_, **__: "term", marks=marks, label=lambda _: None
    )
    found = first_pass(spoken, spans(NOTE, Rowan="PER"), frozenset({Rule.DENY, Rule.IDENTIFIER}))
    assert [one.hidden.reasons[0].entity for one in found] == ["a", "PER", "c"]
    assert isinstance(found[0], Marked)


def test_a_first_pass_of_another_tool_takes_the_place_of_the_policys_own_names() -> None:
    text = "He has HIV and takes ibuprofen."
    own = method("corr").sanitize(text)
    assert changed(text, own) == {"HIV": "viral infection"}
    marked = method("corr").sanitize(text, spans(text, ibuprofen="drug"))
    assert [one.disclosures[0].rule for one in marked.decisions][-1] is Rule.SPANS
    assert "HIV" not in changed(text, marked)


def test_neighbors_are_measured_within_their_context_and_told_for_what_they_give_away() -> None:
    text = "He has HIV and takes zidovudine.\n\nShe has fatigue and takes zidovudine."
    marked = spans(text, HIV="")
    whole = method("corr", protect=()).sanitize(text, marked)
    assert [(text[one.start : one.end], one.replacement) for one in whole.decisions] == [
        ("HIV", None),
        ("zidovudine", "drug"),
        ("zidovudine", "drug"),
    ]
    [told] = whole.decisions[1].disclosures
    assert (told.rule, told.entity) == (Rule.CORRELATION, "marked")
    assert told.because == "says 6.0 bits about a term that was hidden as marked, and 6.0 are too many"
    apart = text.replace("He has HIV and takes zidovudine", "He has HIV. He takes zidovudine")
    sentences = method("corr", protect=(), context="sentence").sanitize(apart, spans(apart, HIV=""))
    assert [apart[one.start : one.end] for one in sentences.decisions] == ["HIV"]


def test_of_several_marks_on_one_term_the_first_is_told_to_its_neighbors() -> None:
    text = "He has HIV and takes zidovudine."
    two = [ForeignSpan(7, 10, "first"), ForeignSpan(7, 10, "second")]
    result = method("corr", protect=()).sanitize(text, two)
    assert result.decisions[1].disclosures[0].entity == "first"
