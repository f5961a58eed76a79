"""What several sources say together: the largest well-supported share decides, and its source is named."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

import pytest

from kgsan.knowledge.build import Builder
from kgsan.knowledge.combined import CombinedKnowledge, known_part
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import information
from kgsan.knowledge.table import CountTable
from kgsan.knowledge.taxonomy import TaxonomyKnowledge
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Policy, ProtectedEntity
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy

if TYPE_CHECKING:
    from kgsan.knowledge.knowledge import Knowledge, Topic


def world(*relations: tuple[str, str, str], prefix: str = "t") -> OntologyStack:
    records = taxonomy(GOLDEN, prefix)
    for subject, kind, target in relations:
        records.relation(records.concept(f"{prefix}:{subject}"), kind, records.concept(f"{prefix}:{target}"))
    return OntologyStack([Ontology.from_records(records)])


PLAIN = world()
TREATS = world(("zidovudine", "treats", "HIV infection"), ("zidovudine", "treats", "influenza"))


def topic(stack: OntologyStack, entity: str, *exceptions: str) -> Topic:
    policy = Policy("toy", "Toy Act", protect=(ProtectedEntity(entity, exceptions=exceptions),))
    return SensitiveTerms(policy, stack).topic(0)


def table(name: str, contexts: int, counts: dict[str, int]) -> CountTable:
    """Rows such as "condom + HIV infection": 3."""
    rows = "".join(f"{terms.replace(' + ', chr(9))}\t{count}\n" for terms, count in counts.items())
    read = CountTable.read(f"contexts\t{contexts}\n{rows}")
    return CountTable(name, read.contexts, read._spellings, read._counts, read._capped)


COUNTS = {"HIV infection": 16, "condom": 16, "condom + HIV infection": 4, "fatigue": 64, "fatigue + HIV infection": 4}
PAPER = table("paper", 1024, COUNTS)
CLINIC = table("clinic", 1024, {**COUNTS, "condom + HIV infection": 16})


# --- which source decides --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sources", [(PAPER, CLINIC), (CLINIC, PAPER)], ids=["paper first", "clinic first"])
def test_the_largest_share_decides_and_names_its_source(sources: tuple[CountTable, ...]) -> None:
    known = CombinedKnowledge(PLAIN, sources)
    found = known.disclosure(topic(PLAIN, "HIV infection"), "condom")
    assert found is not None
    assert (found.source, found.support, found.contexts_of_terms, found.revealed) == ("clinic", 16, 16, 1)


def test_each_source_measures_in_its_own_space() -> None:
    rare = table("rare", 1 << 20, {"HIV infection": 16, "condom": 16, "condom + HIV infection": 4})
    shares = list(CombinedKnowledge(PLAIN, [PAPER, rare]).shares(topic(PLAIN, "HIV infection"), "condom"))
    assert [(one.source, one.entity_information) for one in shares] == [("paper", 6), ("rare", 16)]
    assert [one.revealed for one in shares] == [pytest.approx(1 - 2 / 6), pytest.approx(1 - 2 / 16)]


def test_what_is_revealed_at_least_decides_and_not_the_plain_estimate() -> None:
    few = table("few", 1024, {"HIV infection": 16, "condom": 2, "condom + HIV infection": 2})
    many = table("many", 1024, {"HIV infection": 16, "condom": 16, "condom + HIV infection": 14})
    found = CombinedKnowledge(PLAIN, [few, many]).disclosure(topic(PLAIN, "HIV infection"), "condom")
    assert found is not None
    assert found.source == "many"


def test_one_context_is_no_support() -> None:
    once = table("once", 1024, {"HIV infection": 16, "condom": 1, "condom + HIV infection": 1})
    known = CombinedKnowledge(PLAIN, [once])
    assert [one.support for one in known.shares(topic(PLAIN, "HIV infection"), "condom")] == [1]
    assert known.disclosure(topic(PLAIN, "HIV infection"), "condom") is None
    found = CombinedKnowledge(PLAIN, [once, PAPER]).disclosure(topic(PLAIN, "HIV infection"), "condom")
    assert found is not None
    assert found.source == "paper"


def test_without_evidence_there_is_no_share() -> None:
    known = CombinedKnowledge(PLAIN, [PAPER])
    assert known.disclosure(topic(PLAIN, "HIV infection"), "umbrella") is None
    assert known.disclosure(topic(PLAIN, "depression"), "condom") is None


# --- relations beside counts -----------------------------------------------------------------------------------------------


def test_a_stated_relation_speaks_beside_the_counts_and_is_named() -> None:
    known = CombinedKnowledge(TREATS, [PAPER])
    found = known.disclosure(topic(TREATS, "HIV infection"), "zidovudine", TREATS.find("zidovudine"))
    assert found is not None
    assert (found.source, found.stated) == ("test: treats", True)
    assert (found.support, found.contexts_of_terms) == (1, 2)
    assert found.revealed == found.low == pytest.approx(1 - 1 / 6)  # one bit of the six that the paper knows


def test_a_relation_speaks_only_for_the_senses_that_are_meant() -> None:
    known = CombinedKnowledge(TREATS, [PAPER])
    assert known.disclosure(topic(TREATS, "HIV infection"), "zidovudine") is None


def test_counts_that_tell_more_decide_over_a_relation() -> None:
    sure = table("sure", 1024, {"HIV infection": 128, "zidovudine": 99, "zidovudine + HIV infection": 99})
    found = CombinedKnowledge(TREATS, [sure]).disclosure(topic(TREATS, "HIV infection"), "zidovudine", TREATS.find("zidovudine"))
    assert found is not None
    assert found.source == "sure"


def test_an_entity_that_no_text_knows_is_measured_by_the_ontology() -> None:
    known = CombinedKnowledge(TREATS, [table("other", 10, {"umbrella": 1})])
    asked = topic(TREATS, "HIV infection")
    told = known.information(asked)
    assert told is not None
    bits, source = told
    assert isinstance(source, TaxonomyKnowledge)
    found = known.disclosure(asked, "zidovudine", TREATS.find("zidovudine"))
    assert found is not None
    assert found.entity_information == bits


def test_the_first_source_that_knows_the_entity_measures_it() -> None:
    unaware = table("unaware", 10, {"umbrella": 1})
    assert CombinedKnowledge(PLAIN, [unaware, PAPER]).information(topic(PLAIN, "HIV infection")) == (6, PAPER)
    assert CombinedKnowledge(PLAIN, [PAPER, unaware]).information(topic(PLAIN, "entity")) is None  # it says nothing anywhere


# --- without texts ---------------------------------------------------------------------------------------------------------


def test_without_a_source_the_ontologies_are_the_knowledge() -> None:
    known = CombinedKnowledge(TREATS, [])
    asked = topic(TREATS, "HIV infection")
    assert [source.name for source in known.sources] == ["test"]
    told = known.information(asked)
    assert told is not None
    shares = list(known.shares(asked, "zidovudine", TREATS.find("zidovudine")))
    assert [(one.source, one.stated) for one in shares] == [("test: treats", True), ("test", True)]
    assert all(one.revealed == one.low == pytest.approx(1 - 1 / told[0]) for one in shares)
    assert known.disclosure(asked, "influenza", TREATS.find("influenza")) is None  # a sibling says nothing


def test_with_a_source_the_ontologies_are_not_asked_for_counts() -> None:
    known = CombinedKnowledge(TREATS, [PAPER])
    assert known.sources == (PAPER,)
    assert [one.source for one in known.shares(topic(TREATS, "HIV infection"), "x", TREATS.find("zidovudine"))] == [
        "test: treats"
    ]


# --- the right part --------------------------------------------------------------------------------------------------------


def test_the_longest_known_right_part_is_counted_and_told() -> None:
    found = CombinedKnowledge(PLAIN, [PAPER]).disclosure(topic(PLAIN, "HIV infection"), "brand-new blue condoms")
    assert found is not None
    assert found.counted_as == "condoms"
    assert "condoms" not in repr(found)


def test_a_name_that_is_known_is_counted_whole() -> None:
    found = CombinedKnowledge(PLAIN, [PAPER]).disclosure(topic(PLAIN, "HIV infection"), "condom")
    assert found is not None
    assert found.counted_as is None


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("breast cancer", "breast cancer"),
        ("Breast Cancers", "Breast Cancers"),
        ("advanced breast cancer", "breast cancer"),
        ("very advanced lung cancer", "cancer"),
        ("cancer ward", None),
        ("never", None),
        ("", None),
    ],
)
def test_a_name_is_shortened_from_the_left_only(name: str, part: str | None) -> None:
    counts = table("counts", 100, {"breast cancer": 5, "cancer": 9, "never": 0})
    assert known_part(counts, name) == part


def test_a_name_of_any_length_is_shortened_at_once() -> None:
    asked: list[str] = []

    class Listening:
        name, contexts = "listening", 10

        def count(self, *terms: object) -> int | None:
            asked.extend(map(str, terms))
            return None

    assert known_part(Listening(), "word " * 100_000) is None
    assert sum(map(len, asked)) < 1_000_000


# --- topics: what a policy means, without what it excepts --------------------------------------------------------------------

TEXTS = [
    "HIV infection.",
    "AIDS.",
    "AIDS and influenza.",
    "Influenza.",
    "Syphilis.",
    "Zidovudine for AIDS.",
    "Zidovudine for HIV infection.",
]


def corpus(stack: OntologyStack) -> CorpusKnowledge:
    builder = Builder(Finder(stack))
    builder.add(TEXTS)
    return CorpusKnowledge(builder.finish({"name": "texts"}), stack)


@pytest.mark.parametrize(
    ("entity", "exceptions", "in_texts", "in_taxonomy"),
    [
        ("HIV infection", (), 5, 2),
        ("HIV infection", ("AIDS",), 2, 1),
        ("viral infection", (), 6, 4),
        ("viral infection", ("HIV infection",), 2, 2),
        ("viral infection", ("HIV infection", "influenza"), None, 1),
    ],
)
def test_an_exception_leaves_the_counts_of_its_entity(
    entity: str, exceptions: tuple[str, ...], in_texts: int | None, in_taxonomy: int
) -> None:
    asked = topic(PLAIN, entity, *exceptions)
    assert corpus(PLAIN).count(asked) == in_texts
    assert TaxonomyKnowledge(PLAIN[0]).count(asked) == in_taxonomy


@pytest.mark.parametrize("kind", ["corpus", "taxonomy"])
def test_what_is_excepted_gives_nothing_away(kind: str) -> None:
    known: Knowledge = corpus(PLAIN) if kind == "corpus" else TaxonomyKnowledge(PLAIN[0])
    [aids] = PLAIN.find("AIDS")
    whole, reduced = topic(PLAIN, "HIV infection"), topic(PLAIN, "HIV infection", "AIDS")
    assert known.count(whole, aids) == known.count(aids)
    assert not known.count(reduced, aids)


def test_a_table_counts_a_topic_by_its_name() -> None:
    assert PAPER.count(topic(PLAIN, "HIV infection")) == PAPER.count(topic(PLAIN, "HIV infection", "AIDS")) == 16
    assert information(PAPER, topic(PLAIN, "HIV infection")) == 6
    assert PAPER.count(topic(PLAIN, "influenza")) is None


def test_a_topic_shows_its_name_and_size_only() -> None:
    assert repr(topic(PLAIN, "HIV infection")) == "<Topic 'HIV infection': 2 concepts>"


def test_a_topic_of_several_ontologies_is_counted_over_all_of_them() -> None:
    other = taxonomy({"viral disease": "", "HIV infection": "viral disease", "GRID": "HIV infection"}, "u")
    stack = OntologyStack([PLAIN[0], Ontology.from_records(other)])
    builder = Builder(Finder(stack))
    builder.add([*TEXTS, "They called it GRID."])
    known = CorpusKnowledge(builder.finish({"name": "texts"}), stack)
    assert known.count(topic(stack, "HIV infection")) == 6
    assert known.count(stack[0]["t:HIV infection"]) == 5


# --- other ontologies ------------------------------------------------------------------------------------------------------


def test_the_same_counts_serve_other_ontologies() -> None:
    known = CombinedKnowledge(PLAIN, [corpus(PLAIN), PAPER])
    mine = OntologyStack(
        [Ontology.from_records(taxonomy({"my illness": "", "syphilis": "my illness", "AIDS": "my illness"}, "m"))]
    )
    moved = known.over(mine)
    assert known.over(PLAIN) is known
    assert moved.given[1] is PAPER
    told = moved.information(topic(mine, "my illness"))
    assert told is not None
    assert told[0] == pytest.approx(log2(7 / 4))


def test_a_concept_of_another_ontology_cannot_be_counted() -> None:
    other = world(prefix="u")
    assert corpus(PLAIN).count(other.find("AIDS")[0]) is None


def test_the_sources_stand_in_the_summary() -> None:
    assert repr(CombinedKnowledge(PLAIN, [PAPER, CLINIC])) == "<CombinedKnowledge of paper, clinic>"
    assert repr(CombinedKnowledge(PLAIN, [])) == "<CombinedKnowledge of test>"


def test_of_an_entity_that_no_other_source_knows_the_taxonomy_speaks() -> None:
    foreign = table("foreign", 1024, {"syphilis": 4})
    stack = world(("zidovudine", "goes with", "HIV infection"))
    known = CombinedKnowledge(stack, [foreign])
    [virus] = stack.find("viral infection")
    share = known.disclosure(topic(stack, "HIV infection"), "viral infection", [virus])
    assert share is not None
    assert share.source == stack[0].name
    assert 0 < share.revealed < 1
    knowing = CombinedKnowledge(stack, [PAPER])
    assert knowing.disclosure(topic(stack, "HIV infection"), "viral infection", [virus]) is None
