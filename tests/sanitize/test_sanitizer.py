"""The engine's way with a text: what it reads, how often, when it gives up, and what it refuses to begin."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.errors import PolicyError
from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Denied, IdentifierRule, Policy, ProtectedEntity
from kgsan.policy.read import load_policy
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize import sanitizer as engine
from kgsan.sanitize.choices import Choices
from kgsan.sanitize.result import Action, NotSafe
from kgsan.sanitize.sanitizer import Sanitizer, _has_nothing, blocks
from kgsan.text.foreign import ForeignSpan
from tests.conftest import taxonomy
from tests.papers.toy import TOY, WORLD, ContextSets
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from pathlib import Path

STACK = OntologyStack([Ontology.from_records(taxonomy({term: above for term, (above, _) in WORLD.items()}))])
GERMAN = "Der Patient ist seit zwei Jahren hier und hat keine Schmerzen mehr."


def tool(*sources: ContextSets, redact: bool = False, learned: Any = None, **settings: Any) -> Sanitizer:
    policy = Policy("toy", "Toy Act", protect=(ProtectedEntity("HIV"),), strictness=Fraction(3, 2))
    known = CombinedKnowledge(STACK, sources or (TOY,))
    return Sanitizer(replace(policy, **settings), STACK, known, redact=redact, learned=learned)


# --- blocks ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "sizes"),
    [
        ([], []),
        (["a"] * 512, [512]),
        (["a"] * 1100, [512, 512, 76]),
        (["a" * 120_000, "b"], [1, 1]),
        (["a" * 119_999, "b", "c"], [2, 1]),
        (["a" * 70_000] * 3, [2, 1]),
        (["a" * 120_000, "b" * 119_999, "c", "d"], [1, 2, 1]),
        ([None, "a", "", None], [4]),
        ([None] * 513, [512, 1]),
        (["a" * 119_999, None, "", "b", "c"], [4, 1]),
    ],
)
def test_texts_come_in_blocks_of_so_many_or_so_long(texts: list[str | None], sizes: list[int]) -> None:
    made = list(blocks(texts))
    assert [len(block) for block in made] == sizes
    assert [text for block in made for text in block] == texts


# --- what it is made of ------------------------------------------------------------------------------------------------------------


def test_without_ontologies_and_knowledge_of_its_own_it_uses_those_of_the_policy(tmp_path: Path) -> None:
    policy = load_policy(write_policy(tmp_path))
    made = Sanitizer(policy)
    assert [ontology.name for ontology in made.knowledge.stack] == ["toy-ontology.txt"]
    assert made.sanitize("He has AIDS.").text == "He has an infection."
    known = CombinedKnowledge(STACK, [TOY])
    assert Sanitizer(policy, STACK, known).knowledge is known
    assert Sanitizer(policy, STACK).knowledge.stack is STACK
    assert Sanitizer(policy, knowledge=known).knowledge.stack is not STACK


def test_entities_that_no_ontology_knows_are_refused_all_at_once() -> None:
    with pytest.raises(PolicyError) as caught:
        tool(protect=tuple(map(ProtectedEntity, ("HIV", "qwertzism", "asdfism"))))
    assert [(one.code, one.message) for one in caught.value.problems] == [
        ("P201", "No ontology knows 'qwertzism'."),
        ("P201", "No ontology knows 'asdfism'."),
    ]


# --- rounds ------------------------------------------------------------------------------------------------------------------------


class Insisting:
    """A reading that finds something in so many rounds, whatever the text says."""

    def __init__(self, patch: pytest.MonkeyPatch, rounds: int) -> None:
        self.read, self.redacted = 0, list[bool]()
        patch.setattr(Sanitizer, "_disclosed", lambda *_: self._found(rounds))
        patch.setattr(Choices, "answer", lambda *_, redact: self.redacted.append(redact))

    def _found(self, rounds: int) -> list[Disclosure]:
        self.read += 1
        return [Disclosure(0, 2, Rule.DENY, "", "")] if self.read <= rounds else []


def test_after_eight_rounds_all_is_blacked_out_and_after_eight_more_it_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    insisting = Insisting(monkeypatch, 1000)
    with pytest.raises(NotSafe, match=r"^toy: S101 The text still discloses after every change that could be made\.$"):
        tool().sanitize("He is well.")
    assert insisting.redacted == [False] * 8 + [True] * 8


@pytest.mark.parametrize("rounds", [0, 1, 8, 15])
def test_how_often_a_text_was_read_is_told(monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    insisting = Insisting(monkeypatch, rounds)
    assert tool().sanitize("He is well.").rounds == rounds + 1
    assert len(insisting.redacted) == rounds


def test_texts_of_a_block_are_read_on_their_own_until_each_is_done() -> None:
    texts = ["He is well.", "He has HIV.", "She takes zidovudine."]
    made = tool().sanitize_block(texts)
    assert [one.text for one in made] == ["He is well.", "He has an infection.", "She takes a drug."]
    assert [one.rounds for one in made] == [1, 2, 2]
    assert [one.text for one in tool().sanitize_many(iter(texts))] == [one.text for one in made]
    # C-sanitized goes by the plain estimate, which four of sixteen contexts reach; the engine wants better evidence.
    few = ["They use a condom."]
    assert [one.text for one in tool().sanitize_block(few)] == few
    assert [one.text for one in tool(method="csan").sanitize_block(few)] == ["They use a contraceptive."]


def test_other_processes_are_used_only_where_there_are_to_be_several(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def side_by_side(_: Sanitizer, parts: Any, processes: int) -> Any:
        asked.append(processes)
        return (["elsewhere"] for _ in parts)

    monkeypatch.setattr(engine, "side_by_side", side_by_side)
    assert [one.text for one in tool().sanitize_many(["Fine."])] == ["Fine."]
    assert [one.text for one in tool().sanitize_many(["Fine."], processes=1)] == ["Fine."]
    assert asked == []
    others: list[Any] = list(tool().sanitize_many(["Fine."], processes=2))
    assert others == ["elsewhere"]
    assert asked == [2]


# --- what others have marked ---------------------------------------------------------------------------------------------------------


def test_what_others_have_marked_is_hidden_and_the_rest_is_found_in_its_place() -> None:
    text = "Alder met Rowan, who has HIV."
    result = tool().sanitize(text, [ForeignSpan(0, 5, "PER"), ForeignSpan(10, 15, "PER", source="a nurse")])
    assert result.text == "[REDACTED] met [REDACTED], who has an infection."
    assert [text[one.start : one.end] for one in result.decisions] == ["Alder", "Rowan", "HIV"]
    first, second = (one.disclosures[0] for one in result.decisions[:2])
    assert (first.rule, first.entity, first.because) == (Rule.SPANS, "PER", "was marked by another tool")
    assert second.because == "was marked by a nurse"


def test_what_was_learned_is_hidden_by_the_method_of_that_name_alone() -> None:
    learned = SimpleNamespace(spans=lambda text: [ForeignSpan(0, 5, "learned")] if text.startswith("Alder") else [])
    text = "Alder has HIV."
    assert tool(method="greedy", learned=learned).sanitize(text).text == "[REDACTED] has an infection."
    assert tool(learned=learned).sanitize(text).text == "Alder has an infection."
    with pytest.raises(NotSafe) as caught:
        tool(method="greedy").sanitize(text)
    assert caught.value.problems[0].code == "S102"
    assert [one.entity for one in tool(method="greedy").verify(text)] == ["HIV"]


# --- other languages -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "others"),
    [
        (GERMAN, 1, ""),
        (f"\n{GERMAN}", 2, ""),
        (f"She is well.\n\n{GERMAN}", 3, ""),
        (f"{GERMAN}\n\n{GERMAN}", 1, " So does 1 other."),
        (f"{GERMAN}\n\n{GERMAN}\n\n{GERMAN}", 1, " So do 2 others."),
    ],
)
def test_a_policy_stops_at_the_first_line_that_nobody_can_read(text: str, line: int, others: str) -> None:
    told = f"The paragraph in line {line} seems to be in German, which the reader does not know.{others}"
    stopping = [tool(), *(tool(method=name, other_languages=say) for name in ("csan", "health") for say in ("stop", "redact"))]
    for one in stopping:
        with pytest.raises(NotSafe) as caught:
            one.sanitize(text)
        assert (caught.value.problems[0].code, caught.value.problems[0].message) == ("S104", told)
    with pytest.raises(NotSafe):
        tool(method="csan").sanitize_block(["She is well.", text])


def test_paragraphs_that_nobody_can_read_are_blacked_out_or_kept_as_the_policy_says() -> None:
    text = f"She has HIV.\n\n{GERMAN}\n\nShe is well."
    result = tool(other_languages="redact").sanitize(text)
    assert result.text == "She has an infection.\n\n[REDACTED]\n\nShe is well."
    [reason] = result.decisions[1].disclosures
    assert (reason.rule, reason.entity, reason.because) == (
        Rule.SPANS,
        "other language",
        "was marked by the check of languages",
    )
    assert GERMAN in tool(other_languages="keep").sanitize(text).text
    assert GERMAN in tool(method="csan", other_languages="keep").sanitize(text).text


@pytest.mark.parametrize("say", ["stop", "redact", "keep"])
def test_verifying_tells_what_nobody_can_read_unless_it_may_stay(say: str) -> None:
    text = f"{GERMAN}\n\nShe has HIV."
    found = tool(other_languages=say).verify(text)
    told = [(text[one.start : one.end].strip(), one.entity, one.because) for one in found]
    foreign = [] if say == "keep" else [(GERMAN, "other language", "is in German")]
    assert told == [*foreign, ("HIV", "HIV", "names HIV, which is protected as HIV")]


# --- what is left, and what stops ----------------------------------------------------------------------------------------------------


def test_single_reasons_come_before_what_gives_something_back_and_that_before_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tool(TOY, replace(TOY, name="second"))
    asked: list[str] = []

    def correlated(source: Any, instances: Any, terms: Any) -> list[str]:
        asked.append(source.name)
        return [f"{instance} in {source.name}" for instance in instances if instance != "silent"]

    monkeypatch.setattr(engine, "correlated", correlated)
    monkeypatch.setattr(made.detector, "groups", lambda _: iter(["group"]))

    def disclosed(single: list[str], instances: list[str] | None) -> list[Any]:
        choices: Any = None if instances is None else SimpleNamespace(instances=lambda: iter(instances))
        return made._disclosed(SimpleNamespace(disclosures=single, terms=[]), choices)  # type: ignore[arg-type]

    assert disclosed(["single"], ["city"]) == ["single"]
    assert disclosed([], None) == ["group"]
    assert disclosed([], []) == ["group"]
    assert asked == []
    assert disclosed([], ["city"]) == ["city in toy world", "city in second"]
    assert disclosed([], ["silent"]) == ["group"]


@pytest.mark.parametrize(
    ("action", "rules", "nothing"),
    [
        (Action.REDACTED, [Rule.NAMING], True),
        (Action.REDACTED, [Rule.INFERENCE, Rule.GROUP], True),
        (Action.GENERALIZED, [Rule.NAMING], False),
        (Action.WRITTEN, [Rule.IDENTIFIER], False),
        (Action.REDACTED, [Rule.IDENTIFIER], False),
        (Action.REDACTED, [Rule.DENY], False),
        (Action.REDACTED, [Rule.SPANS], False),
        (Action.REDACTED, [Rule.NAMING, Rule.SPANS], False),
    ],
)
def test_words_are_black_for_want_of_something_else_unless_they_must_be(action: Action, rules: list[Rule], nothing: bool) -> None:
    reasons = [SimpleNamespace(rule=rule) for rule in rules]
    assert _has_nothing(SimpleNamespace(action=action, disclosures=reasons)) is nothing  # type: ignore[arg-type]


def test_a_policy_that_stops_gives_nothing_where_a_word_has_nothing_more_general() -> None:
    few = ContextSets("few", 1024, {name: TOY.sets[name] for name in ("HIV", "zidovudine", "drug")})
    text = "She takes zidovudine. He has HIV."
    assert tool(few).sanitize(text).text == "She takes a drug. He has [REDACTED]."
    with pytest.raises(NotSafe, match="For some words nothing more general is safe"):
        tool(few, when_nothing_is_safe="stop").sanitize(text)
    redacting = tool(few, when_nothing_is_safe="stop", redact=True).sanitize(text)
    assert redacting.text == "She takes [REDACTED]. He has [REDACTED]."
    stopping = tool(
        few, when_nothing_is_safe="stop", deny=(Denied("bluebird", "is a name"),), identifiers=(IdentifierRule("email"),)
    )
    assert stopping.sanitize("The bluebird wrote to a@example.org.").text == "The [REDACTED] wrote to [REDACTED]."
    assert stopping.sanitize("She takes zidovudine.").text == "She takes a drug."


def test_what_is_kept_is_told_and_a_text_that_is_not_changed_keeps_all() -> None:
    # HIV says 6 bits and infection 3, fatigue 4.
    assert tool().sanitize("He has HIV and fatigue.").utility_kept == pytest.approx(7 / 10)
    assert tool().sanitize("He has fatigue.").utility_kept == 1.0
    assert tool(redact=True).sanitize("He has HIV and fatigue.").utility_kept == pytest.approx(4 / 10)
    assert tool().sanitize("").utility_kept == 1.0


def test_a_text_leaves_only_as_it_was_last_read(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tool()
    monkeypatch.setattr(made.detector, "find_many", lambda documents: [made.detector.find(type(documents[0])("Another text."))])
    with pytest.raises(NotSafe, match="The text that was made discloses more than is allowed"):
        made.sanitize("He has HIV.")
