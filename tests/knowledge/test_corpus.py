"""Counts over the contexts of texts: names as they stand, concepts with what specializes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.errors import KnowledgeError, OntologyError
from kgsan.knowledge import build, opened
from kgsan.knowledge.build import KIND, VERSION, Builder
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.keys import key_of, row_keys
from kgsan.knowledge.postings import decode, decode_few, decode_one, encode, starts
from kgsan.ontology.arrays import ArrayFile
from kgsan.ontology.ontology import Concept, Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sources.records import Records, Scope
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy

if TYPE_CHECKING:
    from collections.abc import Callable
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


def concept(name: str) -> Concept:
    return STACK.find(name)[0]


def test_a_concept_occurs_where_its_names_and_specializations_do() -> None:
    counts = {
        name: knowledge(CONTEXTS).count(concept(name)) for name in ("zidovudine", "HIV infection", "viral infection", "disease")
    }
    assert counts == {"zidovudine": 2, "HIV infection": 4, "viral infection": 4, "disease": 6}


def test_an_ambiguous_name_counts_only_where_its_family_stands() -> None:
    assert knowledge(CONTEXTS).count("pox") == 3
    assert knowledge(CONTEXTS).count(concept("syphilis")) == 2


def test_a_word_with_several_meanings_in_a_dictionary_is_sure_of_none() -> None:
    records = taxonomy({"thing": "", "shore": "thing", "money house": "thing"})
    records.name(records.concept("t:shore"), "bank", Scope.EXACT, 0)
    records.name(records.concept("t:money house"), "bank", Scope.EXACT, 1)
    stack = OntologyStack([Ontology.from_records(records)])
    builder = Builder(Finder(stack))
    builder.add(["The bank.", "The bank is a shore.", "The bank is a money house.", "The shore."])
    known = CorpusKnowledge(builder.finish({"name": "test"}), stack)
    assert known.count("bank") == 3
    assert [known.count(stack[0][f"t:{name}"]) for name in ("shore", "money house")] == [2, 1]


def test_a_name_that_needs_capitals_is_counted_by_itself() -> None:
    assert (knowledge(CONTEXTS).count("ART"), knowledge(CONTEXTS).count("arts")) == (1, 2)
    assert key_of("ART") != key_of("art")


def test_terms_together_are_counted_together_and_no_evidence_is_not_zero() -> None:
    known = knowledge(CONTEXTS)
    assert known.count(concept("HIV infection"), "zidovudine") == 1
    assert known.count("AZT", "AIDS") == 1
    assert known.count("never heard of") is None


def test_a_very_frequent_name_is_counted_with_others_too() -> None:
    known = knowledge([*CONTEXTS, *["influenza"] * 90])
    assert known.count("influenza") == 91
    assert known.count("influenza", "HIV infection") == 1


def test_names_seen_too_seldom_are_left_out_and_shuffling_changes_no_count() -> None:
    assert knowledge(CONTEXTS, least=2).count("AZT") is None
    plain, shuffled = knowledge(CONTEXTS), knowledge(CONTEXTS, shuffle=True)
    for name in GOLDEN:
        for other in GOLDEN:
            assert plain.count(concept(name), concept(other)) == shuffled.count(concept(name), concept(other))


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
    damaged[damaged.index(bytes(knowledge(CONTEXTS * 7)._file["postings"][:20]))] ^= 1
    whole.write_bytes(damaged)
    with pytest.raises(OntologyError):
        CorpusKnowledge.open(whole, STACK).count(*["AIDS"] * 2)


def test_lists_that_do_not_fill_their_room_are_refused() -> None:
    file = knowledge(CONTEXTS)._file
    arrays = {name: file[name] for name in ("keys", "counts", "postings")}
    forged = ArrayFile(KIND, VERSION, file.about, {**arrays, "postings": np.append(arrays["postings"], np.uint8(0))})
    with pytest.raises(KnowledgeError, match="K111"):
        CorpusKnowledge(forged, STACK).count("AIDS", "HIV infection")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2**28)), unique=True, min_size=1))
def test_postings_come_back_as_they_were(pairs: list[tuple[int, int]]) -> None:
    pairs.sort()
    names = {name: i for i, name in enumerate(dict.fromkeys(name for name, _ in pairs))}
    owners = np.array([names[name] for name, _ in pairs])
    bound = max(context for _, context in pairs) + 1
    data = encode(owners, np.array([context for _, context in pairs]), bound)
    counts = np.bincount(owners)
    begins = starts(counts, bound)
    assert len(data) == begins[-1]
    assert decode(data, counts, bound).tolist() == [context for _, context in pairs]
    for name, i in names.items():
        told = [context for other, context in pairs if other == name]
        own, count = data[begins[i] : begins[i + 1]], int(counts[i])
        assert decode(own, counts[i : i + 1], bound).tolist() == decode_one(own, count, bound).tolist() == told
        assert decode_few(own.tobytes(), count, bound) == told


@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: np.append(data, np.uint8(0)), lambda data: data | 255])
def test_a_list_in_too_many_bytes_or_too_few_or_of_another_length_is_refused(change: Callable[[Any], Any]) -> None:
    data = encode(np.zeros(200, dtype=np.int64), np.arange(0, 1000, 5), 1000)
    assert decode_one(data, 200, 1000).tolist() == list(range(0, 1000, 5))
    with pytest.raises(ValueError, match="bytes"):
        decode_one(change(data), 200, 1000)


def test_a_forged_list_of_many_contexts_is_an_error_and_no_count() -> None:
    file = knowledge(CONTEXTS * 200)._file
    postings = file["postings"].copy()
    begins = starts(file["counts"].astype(np.int64), int(file.about["contexts"]))
    row = int(file["counts"].argmax())
    assert file["counts"][row] > opened._FEW
    postings[begins[row] : begins[row] + 8] ^= 0xFF  # the low bits no longer rise
    forged = ArrayFile(KIND, VERSION, file.about, {"keys": file["keys"], "counts": file["counts"], "postings": postings})
    with pytest.raises(KnowledgeError, match="K111"):
        CorpusKnowledge(forged, STACK)._listed(row)


def test_names_and_texts_have_the_same_keys() -> None:
    keys = row_keys(FINDER.index)
    for row, text in enumerate(STACK[0].name_texts()):
        assert int(keys[row]) == key_of(text)


def test_an_empty_corpus_knows_nothing() -> None:
    assert knowledge([]).count("HIV infection") is None
    assert Records("x").ids == []
