from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kgsan.ontology.ontology import Concept, Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.risk.kin import Speaks
from kgsan.risk.naming import named
from kgsan.risk.senses import ENOUGH, SenseGuard, Verdict
from kgsan.sources.records import Records, Scope
from kgsan.text.document import Document
from kgsan.text.mentions import Finder
from tests.risk.test_decoys import found, place

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


def test_knowledge_speaks_when_it_is_loaded() -> None:
    class Told:
        contexts = 1000

        def count(self, *terms: str | Concept) -> int | None:
            table = {("w:crack cocaine",): 10, ("building damage",): 8, ("w:crack cocaine", "building damage"): 6}
            return table.get(tuple(term if isinstance(term, str) else term.id for term in terms))

    text = "Building damage by crack."
    assert not judged(text, "crack", "crack cocaine").counts
    verdict = judged(text, "crack", "crack cocaine", SenseGuard(STACK, Told()))
    assert [evidence.speaks for evidence in verdict.evidence] == [Speaks.KNOWLEDGE]
    assert verdict.support == pytest.approx(1 - 0.0625, abs=0.01)  # 1 + log2(6/8) / log2(100)


def test_a_protected_name_inside_a_longer_one_counts() -> None:
    records = Records("test")
    for name in ("HIV", "HIV test", "test"):
        records.name(records.concept(f"h:{name}"), name, Scope.PREFERRED)
    stack = OntologyStack([Ontology.from_records(records)])
    text = "An HIV test."
    [hit] = named(
        Document(text), Finder(stack).find(text, nested=True), SenseGuard(stack), lambda sense: sense.concept.name == "HIV"
    )
    assert text[hit.mention.start : hit.mention.end] == "HIV"


# --- rows that somebody else wrote, without knowing how kgsan decides --------------------------------------------------


def test_the_guard_does_no_worse_than_it_did_on_an_independent_table() -> None:
    """Figures, not promises: `docs/reading.md` tells them. Raise the bar when the guard gets better."""
    rows = yaml.safe_load((Path(__file__).parents[1] / "data" / "senses.yaml").read_text("utf-8"))
    hit = wanted = wrong = unwanted = 0
    for row in rows:
        spans = found(row)

        def covered(word: str, text: str = row["text"], spans: list[tuple[int, int]] = spans) -> bool:
            start, end = place(text, word)
            return any(a < end and start < b for a, b in spans)

        hit += sum(map(covered, row["must_find"]))
        wanted += len(row["must_find"])
        wrong += sum(map(covered, row["must_not_find"]))
        unwanted += len(row["must_not_find"])
    assert wanted > 100 < unwanted
    assert hit >= 0.75 * wanted
    assert wrong <= 0.08 * unwanted
