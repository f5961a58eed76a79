from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsan.errors import OntologyError
from kgsan.knowledge import build
from kgsan.knowledge.build import Builder
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.keys import key_of, row_keys
from kgsan.knowledge.postings import decode, encode
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sources.records import Records, Scope
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy

if TYPE_CHECKING:
    from pathlib import Path


def golden() -> OntologyStack:
    records = taxonomy(GOLDEN)
    records.name(records.concept("t:zidovudine"), "AZT", Scope.EXACT)
    records.name(records.concept("t:syphilis"), "pox", Scope.AMBIGUOUS)
    records.name(records.concept("t:AIDS"), "ART", Scope.EXACT)
    return OntologyStack([Ontology.from_records(records)])


STACK = golden()
FINDER = Finder(STACK)
CONTEXTS = [
    "HIV infections are treated with zidovudine.",
    "AZT was given for AIDS.",
    "Influenza, not HIV infection.",
    "A pox on both your houses.",
    "The pox is syphilis.",
    "The pox is a bacterial infection.",
    "The art of medicine.",
    "ART and the disease.",
    "Nothing at all.",
]


def knowledge(contexts: list[str], **options: bool | int) -> CorpusKnowledge:
    builder = Builder(FINDER)
    builder.add(contexts)
    return CorpusKnowledge(builder.finish({"name": "test"}, **options), STACK)  # type: ignore[arg-type]


@pytest.fixture
def frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "FREQUENT", 1.0)  # in so few contexts everything is frequent


def concept(name: str) -> object:
    return STACK.find(name)[0]


@pytest.mark.usefixtures("frequent")
def test_a_concept_occurs_where_its_names_and_specializations_do() -> None:
    counts = {
        name: knowledge(CONTEXTS).count(concept(name)) for name in ("zidovudine", "HIV infection", "viral infection", "disease")
    }  # type: ignore[arg-type]
    assert counts == {"zidovudine": 2, "HIV infection": 4, "viral infection": 4, "disease": 6}


@pytest.mark.usefixtures("frequent")
def test_an_ambiguous_name_counts_only_where_its_family_stands() -> None:
    assert knowledge(CONTEXTS).count("pox") == 3
    assert knowledge(CONTEXTS).count(concept("syphilis")) == 2  # type: ignore[arg-type]


@pytest.mark.usefixtures("frequent")
def test_a_name_that_needs_capitals_is_counted_by_itself() -> None:
    assert (knowledge(CONTEXTS).count("ART"), knowledge(CONTEXTS).count("arts")) == (1, 2)
    assert key_of("ART") != key_of("art")


@pytest.mark.usefixtures("frequent")
def test_terms_together_are_counted_together_and_no_evidence_is_not_zero() -> None:
    known = knowledge(CONTEXTS)
    assert known.count(concept("HIV infection"), "zidovudine") == 1  # type: ignore[arg-type]
    assert known.count("AZT", "AIDS") == 1
    assert known.count("never heard of") is None


def test_a_very_frequent_name_keeps_its_count_only() -> None:
    known = knowledge([*CONTEXTS, *["influenza"] * 90])
    assert known.count("influenza") == 91
    assert known.count("influenza", "AIDS") is None


@pytest.mark.usefixtures("frequent")
def test_names_seen_too_seldom_are_left_out_and_shuffling_changes_no_count() -> None:
    assert knowledge(CONTEXTS, least=2).count("AZT") is None
    plain, shuffled = knowledge(CONTEXTS), knowledge(CONTEXTS, shuffle=True)
    for name in GOLDEN:
        for other in GOLDEN:
            assert plain.count(concept(name), concept(other)) == shuffled.count(concept(name), concept(other))  # type: ignore[arg-type]


def test_the_same_texts_give_the_same_bytes_however_little_fits_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, spilled = tmp_path / "whole.kgk", tmp_path / "spilled.kgk"
    knowledge(CONTEXTS * 7)._file.save(whole)
    monkeypatch.setattr(build, "_PAIRS", 10)
    monkeypatch.setattr(build, "_BLOCK", 50)
    knowledge(CONTEXTS * 7)._file.save(spilled)
    assert whole.read_bytes() == spilled.read_bytes()
    assert CorpusKnowledge.open(whole, STACK).contexts == 63
    damaged = bytearray(whole.read_bytes())
    damaged[-1] ^= 1
    whole.write_bytes(damaged)
    with pytest.raises(OntologyError):
        CorpusKnowledge.open(whole, STACK).count(*["AIDS"] * 2)


@pytest.mark.usefixtures("frequent")
@given(st.lists(st.lists(st.sampled_from([*GOLDEN, "pox", "AZT"]), max_size=5), min_size=1, max_size=25))
@settings(max_examples=40, deadline=None)
def test_the_laws_hold_in_any_corpus(contexts: list[list[str]]) -> None:
    known = knowledge([", ".join(names) for names in contexts])
    ontology = STACK[0]
    for name in GOLDEN:
        special = ontology.find(name)[0]
        count = known.count(special)
        if count is None:
            continue
        for general in ontology.generalizations(special):
            above, both = known.count(general), known.count(general, special)
            assert above is not None
            assert above >= count
            assert both == count
            # shared information of a specialization is all that the generalization says
            shared = math.log2(known.contexts * both / (above * count))
            assert shared == pytest.approx(math.log2(known.contexts / above))
        for other in GOLDEN:
            together = known.count(special, ontology.find(other)[0])
            assert together is None or together <= count
            assert together == known.count(ontology.find(other)[0], special)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2**28)), unique=True, min_size=1))
def test_postings_come_back_as_they_were(pairs: list[tuple[int, int]]) -> None:
    pairs.sort()
    names = {name: i for i, name in enumerate(dict.fromkeys(name for name, _ in pairs))}
    owners = np.array([names[name] for name, _ in pairs])
    data, starts = encode(owners, np.array([context for _, context in pairs]))
    for name, i in names.items():
        assert decode(data[starts[i] : starts[i + 1]]).tolist() == [context for other, context in pairs if other == name]


def test_names_and_texts_have_the_same_keys() -> None:
    keys = row_keys(FINDER.index)
    for row, text in enumerate(STACK[0].name_texts()):
        assert int(keys[row]) == key_of(text)


def test_an_empty_corpus_knows_nothing() -> None:
    assert knowledge([]).count("HIV infection") is None
    assert Records("x").ids == []
