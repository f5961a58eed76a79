from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest
import yaml

from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.risk.kin import Speaks
from kgsan.risk.naming import named
from kgsan.risk.reading import Reading
from kgsan.risk.senses import ENOUGH, SenseGuard, Verdict
from kgsan.risk.signs import weigh
from kgsan.sources.records import Records, Scope
from kgsan.text.document import Document
from kgsan.text.mentions import Finder
from tests.conftest import seconds, within
from tests.risk.test_decoys import DATA, place, shares, tools

if TYPE_CHECKING:
    from kgsan.knowledge.knowledge import Term

#: Concept, its parent, its names; ~ marks an ambiguous one.
WORLD = {
    "thing": ("", []),
    "agent": ("thing", []),
    "substance": ("agent", []),
    "street drug": ("substance", []),
    "cocaine": ("street drug", []),
    "crack cocaine": ("cocaine", ["~crack"]),
    "heroin": ("street drug", []),
    "naloxone": ("substance", []),
    "damage": ("agent", []),
    "building damage": ("damage", []),
    "material failure": ("building damage", []),
    "fissure": ("material failure", ["~crack"]),
    "plaster hole": ("material failure", []),
}


def world() -> OntologyStack:
    records = Records("test")
    for name, (parent, others) in WORLD.items():
        number = records.concept(f"w:{name}")
        records.name(number, name, Scope.PREFERRED)
        for other in others:
            records.name(number, other.lstrip("~"), Scope.AMBIGUOUS if other[0] == "~" else Scope.EXACT)
        if parent:
            records.parent(number, records.concept(f"w:{parent}"))
    records.relation(records.concept("w:naloxone"), "treats", records.concept("w:crack cocaine"))
    return OntologyStack([Ontology.from_records(records)])


STACK = world()
FINDER = Finder(STACK)


def judged(text: str, word: str, concept: str, guard: SenseGuard | None = None) -> Verdict:
    document = Document(text)
    mentions = FINDER.find(document)
    start, end = place(text, word)
    [mention] = [mention for mention in mentions if (mention.start, mention.end) == (start, end)]
    [sense] = [sense for sense in mention.senses if sense.concept.name == concept]
    return (guard or SenseGuard(STACK)).read(document, mentions).verdict(mention, sense)


def test_a_name_with_one_meaning_is_not_asked() -> None:
    assert judged("Some heroin.", "heroin", "heroin") == Verdict(True, False, 0.0, 0.0)


def test_an_ambiguous_name_alone_counts_as_nothing() -> None:
    for concept in ("crack cocaine", "fissure"):
        verdict = judged("We saw crack.", "crack", concept)
        assert not verdict.counts
        assert verdict.ambiguous


def test_the_same_word_counts_where_its_family_speaks_for_it_and_not_where_the_rivals_does() -> None:
    drug = "Some heroin and some crack was there."
    wall = "A plaster hole and a crack was there."
    assert judged(drug, "crack", "crack cocaine").counts
    assert not judged(drug, "crack", "fissure").counts
    assert judged(wall, "crack", "fissure").counts
    assert not judged(wall, "crack", "crack cocaine").counts


def test_evidence_tells_which_word_spoke_where_and_how() -> None:
    text = "The heroin, the naloxone and the crack."
    verdict = judged(text, "crack", "crack cocaine")
    assert [(text[e.start : e.end], e.speaks, e.through) for e in verdict.evidence] == [
        ("naloxone", Speaks.RELATED, "treats"),
        ("heroin", Speaks.KIN, "w:street drug"),
    ]
    assert verdict.support == pytest.approx(1.5)
    assert verdict.support >= ENOUGH


def test_a_tie_counts_for_both_so_that_it_is_hidden() -> None:
    text = "The heroin, the plaster hole and the crack."
    assert judged(text, "crack", "crack cocaine").counts
    assert judged(text, "crack", "fissure").counts


def test_what_stands_in_another_paragraph_counts_less() -> None:
    near, far = "The heroin. The crack.", "The heroin.\n\nThe crack."
    assert judged(near, "crack", "crack cocaine").support > judged(far, "crack", "crack cocaine").support > 0


def test_the_word_does_not_speak_for_itself() -> None:
    assert not judged("The crack is a crack in a crack.", "crack#2", "crack cocaine").counts


class Told:
    """Knowledge of a world where drugs damage buildings: contexts of names, and of the field around crack cocaine."""

    contexts = 10_000
    table: ClassVar = {
        ("crack",): 20,
        ("<crack cocaine>", "crack"): 5,
        ("<crack cocaine>",): 100,
        ("building damage",): 8,
        ("<crack cocaine>", "building damage"): 6,
        ("building damage", "crack"): 4,
        ("<crack cocaine>", "building damage", "crack"): 4,
        ("plaster hole",): 200,
        ("crack", "plaster hole"): 10,
    }

    def count(self, *terms: Term) -> int | None:
        return self.table.get(tuple(sorted(term if isinstance(term, str) else f"<{term.name}>" for term in terms)))


def leaning(verdict: Verdict) -> float:
    return verdict.support - verdict.rival_support


def test_knowledge_speaks_for_what_goes_with_the_concept() -> None:
    guard = SenseGuard(STACK, Told())
    verdict = judged("Building damage by crack.", "crack", "crack cocaine", guard)
    assert [evidence.speaks for evidence in verdict.evidence] == [Speaks.KNOWLEDGE]
    # Elsewhere ln(6.5/0.58) = 2.42; beside the name all 4 of 4, with 8 expected at 0.80: 0.87 against 0.26 is 2.90 log-odds.
    # Three words away that is 2.90 * 0.36 * 0.625, over the root of 1 + 0.625 squared.
    assert verdict.evidence[0].weight == pytest.approx(0.554, abs=0.001)


def test_what_was_weighed_can_be_told() -> None:
    verdict = judged("Building damage by crack.", "crack", "crack cocaine", SenseGuard(STACK, Told()))
    assert leaning(verdict) == pytest.approx(weigh(verdict.signs))
    assert verdict.signs["counted for, in the sentence"] == pytest.approx(0.554, abs=0.001)
    assert weigh({**verdict.signs, "counted for, in the sentence": 9.0}) > weigh(verdict.signs)


def test_knowledge_speaks_against_what_never_goes_with_the_concept() -> None:
    text = "A plaster hole by a crack, building damage."
    with_a_hole = judged(text, "crack", "crack cocaine", SenseGuard(STACK, Told()))
    assert Speaks.STRANGE in {evidence.speaks for evidence in with_a_hole.rival_evidence}
    without = judged("A hole by a crack, building damage.", "crack", "crack cocaine", SenseGuard(STACK, Told()))
    assert weigh(with_a_hole.signs) < weigh(without.signs)


def test_what_a_name_is_said_of_speaks_against_it_unless_it_belongs_to_the_concept() -> None:
    guard = SenseGuard(STACK, Told())
    strange = judged("Building damage: the crack of a plaster hole.", "crack", "crack cocaine", guard)
    assert Speaks.OF_ANOTHER in {evidence.speaks for evidence in strange.rival_evidence}


def test_judging_takes_time_in_proportion_to_the_text() -> None:
    guard = SenseGuard(STACK, Told())

    def judge(text: str) -> None:
        document = Document(text)
        mentions = FINDER.find(document)
        reader = guard.read(document, mentions)
        for mention in mentions:
            for sense in mention.senses:
                reader.verdict(mention, sense)

    assert within(8 * seconds(judge, "crack hole " * 200), judge, "crack hole " * 800)


def test_a_protected_name_inside_a_longer_one_counts() -> None:
    records = Records("test")
    for name in ("HIV", "HIV test", "test"):
        records.name(records.concept(f"h:{name}"), name, Scope.PREFERRED)
    stack = OntologyStack([Ontology.from_records(records)])
    text = "An HIV test."
    guard = SenseGuard(stack)
    [hit] = named(Reading(Document(text), Finder(stack), guard), guard, lambda sense: sense.concept.name == "HIV")
    assert text[hit.mention.start : hit.mention.end] == "HIV"


# --- rows that were written without knowledge of how kgsan decides -----------------------------------------------------

INDEPENDENT: list[dict[str, Any]] = yaml.safe_load((DATA / "senses.yaml").read_text("utf-8"))
HELD_OUT: list[dict[str, Any]] = yaml.safe_load((DATA / "senses-held-out.yaml").read_text("utf-8"))


def test_the_guard_does_no_worse_than_it_did_on_rows_that_no_weight_was_learned_from() -> None:
    """Figures, not promises: `docs/reading.md` tells them. Raise the bar when the guard gets better."""
    asked: dict[bool, list[bool]] = {True: [], False: []}
    for row in HELD_OUT:
        reading = Reading(Document(row["text"]), tools()[1], tools()[2])
        start, end = place(row["text"], row["name"])
        for mention in reading.every:
            senses = (
                [sense for sense in mention.senses if sense.ontology == 0] if (mention.start, mention.end) == (start, end) else []
            )
            verdicts = [verdict for sense in senses if (verdict := reading.verdict(mention, sense)).ambiguous]
            if verdicts:
                asked[row["sense"]].append(any(verdict.counts for verdict in verdicts))
    taken, mistaken = (sum(asked[meant]) / len(asked[meant]) for meant in (True, False))
    assert min(map(len, asked.values())) > 100
    assert taken >= 0.88
    assert mistaken <= 0.17


def test_the_guard_does_no_worse_than_it_did_on_an_independent_table() -> None:
    """The weights have learned from this table, but it is short, and what breaks shows here."""
    taken, mistaken = shares(INDEPENDENT)
    assert taken >= 0.83
    assert mistaken <= 0.13


def test_the_guard_works_without_knowledge() -> None:
    taken, mistaken = shares(INDEPENDENT, SenseGuard(tools()[0]))
    assert taken >= 0.75
    assert mistaken <= 0.1
