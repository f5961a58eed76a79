"""Tagging: ordinary sentences, odd texts, and the promise that the shipped weights read well."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from kgsan.text import model
from kgsan.text.tagger import TAGS, tag

TOOLS = str(Path(__file__).parents[2] / "tools")


def tags_of(text: str) -> str:
    return " ".join(TAGS[number] for number in tag(text.split(), np.array([0])))


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("The old man lives near a lake .", "DT JJ NN VBZ IN DT NN ."),
        ("She does n't smoke .", "PRP VBZ RB VB ."),
        ("The patient 's mother had asthma .", "DT NN POS NN VBD NN ."),
        ("He was treated with antibiotics in 2019 .", "PRP VBD VBN IN NNS IN CD ."),
        ("Ellen moved to Dublin .", "NNP VBD IN NNP ."),
        ("two long - term patients ( see the second page )", "CD JJ HYPH NN NNS -LRB- VB DT JJ NN -RRB-"),
    ],
)
def test_ordinary_sentences_are_tagged(text: str, tags: str) -> None:
    assert tags_of(text) == tags


def test_every_tag_is_in_the_list_once() -> None:
    assert len(set(TAGS)) == len(TAGS) == 49
    assert model.network("tagger").output.shape[1] == len(TAGS)


def test_a_known_verb_is_a_verb_in_capitals_and_in_small_letters() -> None:
    assert tags_of("THE PATIENT WAS ADMITTED YESTERDAY .").split()[2:4] == ["VBD", "VBN"]
    assert tags_of("the patient was admitted yesterday .").split()[2:4] == ["VBD", "VBN"]


@pytest.mark.parametrize(
    "words", [[], ["x"], [""], ["\ud800"], ["İ" * 50], ["\0"], ["🙂", "漢字", "ﬁ", "e\u0301"], ["a" * 1_000_000]]
)
def test_any_token_gets_a_tag(words: list[str]) -> None:
    made = tag(words, np.arange(min(len(words), 1)))
    assert made.dtype == np.uint8
    assert len(made) == len(words)
    assert (made < len(TAGS)).all()


def test_no_document_has_no_sentences() -> None:
    assert len(tag([], np.array([], dtype=np.int64))) == 0


def test_a_sentence_does_not_depend_on_its_neighbours() -> None:
    first, second = ["He", "can", "fish", "."], ["The", "can", "is", "empty", "."]
    apart = np.concatenate([tag(first, np.array([0])), tag(second, np.array([0]))])
    assert (tag(first + second, np.array([0, len(first)])) == apart).all()


def test_long_documents_are_tagged_like_short_ones() -> None:
    """The text is worked on in blocks; a sentence across the edge of one must come out the same."""
    sentence = ["Her", "brother", ",", "a", "retired", "nurse", ",", "still", "works", "nights", "."]
    times = model.BLOCK // len(sentence) + 3
    starts = np.arange(times) * len(sentence)
    assert (tag(sentence * times, starts).reshape(times, -1) == tag(sentence, np.array([0]))).all()


def test_threads_agree() -> None:
    words = ["The", "nurse", "called", "Dr.", "Marsh", "at", "noon", "."]
    expected = tag(words, np.array([0])).tolist()
    model.network.cache_clear()
    model.lexicon.cache_clear()
    made: list[list[int]] = []
    threads = [threading.Thread(target=lambda: made.append(tag(words, np.array([0])).tolist())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [expected] * 8


@pytest.mark.parametrize("rows", [0, 1, 7, 40, 41, 42, 100, 1000])
@pytest.mark.parametrize("columns", [1, 5, 49, 5000])
def test_what_is_multiplied_in_pieces_is_the_product(rows: int, columns: int) -> None:
    chance = np.random.default_rng(rows)
    one, other = chance.integers(0, 50, (rows, 128)), chance.integers(-50, 50, (128, columns))
    assert np.array_equal(model._product(one.astype(np.float32), other.astype(np.float32)), one @ other)


@pytest.mark.parametrize("name", ["tagger", "phrases", "names"])
def test_the_weights_stay_where_sums_are_exact(name: str) -> None:
    """Sums must fit in 16 bits, products in the 24 bits of a 32-bit float; beyond that machines could disagree."""
    network = model.network(name)
    vectors = model.lexicon().vectors.astype(np.int64)
    products = [np.abs(vectors) @ np.abs(weights).astype(np.int64) for weights in network.company]
    assert max(product.max() for product in products) < 1 << 24
    features = sum(len(columns) for columns in model.WINDOW.values()) * np.abs(network.rows.astype(np.int64)).max()
    extras = 7 * np.abs(network.extras.astype(np.int64)).max()
    company = sum(int(product.max()) >> model.SHIFT for product in products) + len(products)
    assert features + extras + company + np.abs(network.bias).max() < 1 << 15
    assert model.CEILING * np.abs(network.output).sum(axis=0).max() + np.abs(network.output_bias).max() < 1 << 24


def test_the_shipped_weights_reach_their_figures(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(TOOLS)
    from training import measure, treebank

    test = list(treebank.conllu(shared / "training" / "ewt-test.conllu.xz"))
    assert measure.tag_accuracy(test) >= 0.92
    whole, bare = measure.phrase_scores(test)
    assert 2 * whole.right / (whole.gold + whole.found) >= 0.88
    assert bare.right >= whole.right
    for name in [name for name in sys.modules if name.partition(".")[0] == "training"]:
        monkeypatch.delitem(sys.modules, name)
