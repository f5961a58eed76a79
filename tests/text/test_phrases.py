"""Noun phrases: found whole, bared of stop words, shortened without turning their meaning round."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

from kgsan.text import phrases
from kgsan.text.tagger import TAGS, tag


def found(text: str) -> list[str]:
    words = text.split()
    start = np.array([0])
    return [" ".join(words[a:b]) for a, b in phrases.noun_phrases(words, tag(words, start), start).tolist()]


def tagged(text: str) -> tuple[list[str], np.ndarray]:
    """Words with their tags written out, "breast/NN cancer/NN"."""
    pairs = [token.rsplit("/", 1) for token in text.split()]
    return [word for word, _ in pairs], np.array([TAGS.index(name) for _, name in pairs], dtype=np.uint8)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The old man lives near a lake .", ["The old man", "a lake"]),
        ("His mother has breast cancer .", ["His mother", "breast cancer"]),
        ("The patient 's father died of lung cancer .", ["The patient 's father", "lung cancer"]),
        ("Doctors and nurses work here .", ["Doctors", "nurses"]),
        ("It is so .", []),
        ("the woman who lives in the old house", ["the woman", "the old house"]),
    ],
)
def test_noun_phrases_are_found_whole(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the/DT old/JJ man/NN", "old man"),
        ("her/PRP$ very/RB old/JJ dog/NN", "old dog"),
        ("of/IN the/DT lake/NN ,/,", "lake"),
        ("all/PDT of/IN them/PRP", ""),
        ("cancer/NN", "cancer"),
    ],
)
def test_content_has_no_stop_words_at_its_edges(text: str, expected: str) -> None:
    words, tags = tagged(text)
    start, end = phrases.content(words, tags, 0, len(words))
    assert " ".join(words[start:end]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("curable/JJ breast/NN cancer/NN", ["breast cancer", "cancer"]),
        ("the/DT chronic/JJ viral/JJ hepatitis/NN", ["viral hepatitis", "hepatitis"]),
        ("cancer/NN", []),
        ("the/DT former/JJ heavy/JJ smoker/NN", []),
        ("old/JJ former/JJ smoker/NN", ["former smoker"]),
        ("no/DT lung/NN cancer/NN", []),
        ("recent/JJ suspected/VBN lung/NN cancer/NN", ["suspected lung cancer"]),
        ("anti/AFX -/HYPH viral/JJ drug/NN", []),
        ("long/JJ -/HYPH term/NN care/NN", ["care"]),
        ("the/DT patient/NN 's/POS sister/NN", ["sister"]),
        ("chronic/JJ non-alcoholic/JJ liver/NN disease/NN", ["non-alcoholic liver disease"]),
        ("Fake/JJ passport/NN", []),
        ("HIV/NN negative/JJ donor/NN", ["negative donor"]),
    ],
)
def test_a_phrase_gets_shorter_until_its_meaning_would_turn(text: str, expected: list[str]) -> None:
    words, tags = tagged(text)
    assert [" ".join(words[a:b]) for a, b in phrases.shortened(words, tags, 0, len(words))] == expected


def test_a_phrase_lies_in_one_sentence() -> None:
    words = ["Old", "man", ".", "Lake", "house", ".", "Red", "wine"]
    starts = np.array([0, 3, 6])
    for first, last in phrases.noun_phrases(words, tag(words, starts), starts).tolist():
        assert first < last
        assert np.searchsorted(starts, first, side="right") == np.searchsorted(starts, last - 1, side="right")


@pytest.mark.parametrize("words", [[], ["x"], ["the"] * 1000, ["("] * 5000, ["house"] * 20_000, ["\ud800", "🙂"]])
def test_odd_texts_have_spans_in_order(words: list[str]) -> None:
    starts = np.arange(min(len(words), 1))
    spans = phrases.noun_phrases(words, tag(words, starts), starts)
    assert spans.shape[1] == 2
    flat = spans.ravel()
    assert (np.diff(flat) >= 0).all()
    assert (flat <= len(words)).all()


def test_the_best_path_is_the_best_of_all_allowed_ones() -> None:
    """Against every order of labels there is, on short sentences with random scores."""
    dice = np.random.default_rng(5)
    follows, first, last = phrases._order(1)
    for _ in range(50):
        scores = dice.integers(-9, 9, (4, 5)).astype(np.float32)
        allowed = [
            path
            for path in itertools.product(range(5), repeat=4)
            if first[path[0]] and last[path[-1]] and all(follows[a, b] for a, b in itertools.pairwise(path))
        ]
        best = max(sum(scores[i, label] for i, label in enumerate(path)) for path in allowed)
        path = phrases.best_path(scores, np.array([0]))
        assert tuple(path.tolist()) in allowed
        assert sum(scores[i, label] for i, label in enumerate(path)) == best


TREE = """
    its PRON PRP$ 5 nmod:poss
    search NOUN NN 4 compound
    - PUNCT HYPH 2 punct
    engine NOUN NN 5 compound
    wares NOUN NNS 0 root
    for ADP IN 8 case
    very ADV RB 8 advmod
    people NOUN NNS 5 nmod
    like ADP IN 10 case
    Ellen PROPN NNP 8 nmod
    Marsh PROPN NNP 10 flat
    and CCONJ CC 13 cc
    nurses NOUN NNS 10 conj
"""


def test_gold_phrases_are_read_off_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    from training import gold, treebank

    rows = [line.split() for line in TREE.strip().splitlines()]
    words, parts, tags, heads, relations = ([row[column] for row in rows] for column in range(5))
    sentence = treebank.Sentence("", words, tags, parts, [int(head) - 1 for head in heads], relations, [], [])
    assert [" ".join(words[a:b]) for a, b in gold.phrases(sentence)] == [
        "its search - engine wares",
        "people",
        "Ellen Marsh",
        "nurses",
    ]
    for name in [name for name in sys.modules if name.partition(".")[0] == "training"]:
        monkeypatch.delitem(sys.modules, name)
