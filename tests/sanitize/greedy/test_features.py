"""What a learner sees of a token and its neighbours, counted out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from kgsan.sanitize.greedy.features import Instances, _atoms, _shape, tokens_of
from tests.sanitize.greedy.toy import flags, instances, places, tokens

#: Two documents: two sentences of three and two words, and one of four.
TEXTS = (["Ann has gout", "She rests"], ["Call Bo at home"])


# --- tokens --------------------------------------------------------------------------------------------------------------------


def test_every_token_knows_its_document_and_its_sentence() -> None:
    made = tokens(*TEXTS)
    assert made.document_of.tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert made.sequence_of.tolist() == [0, 0, 0, 1, 1, 2, 2, 2, 2]


def test_a_block_is_a_document_of_its_own() -> None:
    block = tokens(*TEXTS).block(1, 3)
    assert block.words == ["She", "rests", "Call", "Bo", "at", "home"]
    assert block.tags == ["NNP", "NN", "NNP", "NNP", "NN", "NN"]
    assert block.starts.tolist() == [30, 40, 50, 60, 70, 80]
    assert block.ends.tolist() == [33, 45, 54, 62, 72, 84]
    assert (block.sequences.tolist(), block.documents.tolist()) == ([0, 2, 6], [0, 6])


def test_a_block_ends_where_the_next_begins() -> None:
    block = tokens(*TEXTS).block(0, 1)
    assert (block.words, block.tags) == (["Ann", "has", "gout"], ["NNP", "NN", "NN"])
    assert (block.starts.tolist(), block.ends.tolist()) == ([0, 10, 20], [3, 13, 24])
    assert (block.sequences.tolist(), block.documents.tolist()) == ([0, 3], [0, 3])


@pytest.mark.parametrize(
    ("size", "lengths"),
    [(1, [3, 2, 4]), (3, [3, 2, 4]), (4, [3, 2, 4]), (5, [5, 4]), (6, [5, 4]), (8, [5, 4]), (9, [9]), (100, [9])],
)
def test_blocks_hold_whole_sentences_up_to_a_size_and_one_that_is_longer_alone(size: int, lengths: list[int]) -> None:
    made = tokens(*TEXTS)
    blocks = list(made.blocks(size))
    assert [len(block) for block in blocks] == lengths
    assert [word for block in blocks for word in block.words] == made.words


def test_no_tokens_are_no_blocks_and_have_no_surroundings() -> None:
    empty = tokens_of([])
    assert (len(empty), empty.words, empty.starts.tolist(), empty.ends.tolist()) == (0, [], [], [])
    assert list(empty.blocks(10)) == []
    assert instances(empty).around.shape == (0, 5)


def test_tokens_of_texts_stand_where_the_text_has_them() -> None:
    made = tokens_of(["Ann rests. Bo too.", "", "Call home"])
    assert made.words == ["Ann", "rests", ".", "Bo", "too", ".", "Call", "home"]
    assert made.starts.tolist() == [0, 4, 9, 11, 14, 17, 0, 5]
    assert made.ends.tolist() == [3, 9, 10, 13, 17, 18, 4, 9]
    assert made.sequences.tolist() == [0, 3, 6, 8]
    assert made.documents.tolist() == [0, 6, 6, 8]
    assert made.tags[2] == made.tags[5] == "."


@pytest.mark.parametrize(
    ("count", "parts"), [(255, [255]), (256, [256]), (257, [256, 1]), (512, [256, 256]), (513, [256, 256, 1])]
)
def test_a_sentence_of_more_than_256_tokens_is_cut(count: int, parts: list[int]) -> None:
    made = tokens_of(["Stable", "word " * count])
    assert np.diff(made.sequences).tolist() == [1, *parts]


# --- forms ---------------------------------------------------------------------------------------------------------------------


def test_a_word_with_its_tag_is_one_form_wherever_it_stands() -> None:
    made = tokens(["ann Ann ann", "Ann"])
    made.tags[:] = ["NN", "NN", "VB", "NN"]
    assert made.forms.of_token.tolist() == [3, 4, 5, 4]
    assert made.forms.atoms[:3] == [("before",), ("behind",), ("hidden",)]
    assert [made.forms.atoms[form][0] for form in (3, 4, 5)] == ["w=ann", "w=ann", "w=ann"]


def test_what_is_seen_of_a_form_is_told_with_its_distance_and_kept() -> None:
    forms = tokens(["Ann"]).forms
    assert forms.named(0, -2) == ["-2before"]
    assert forms.named(3, 1) == [f"1{atom}" for atom in forms.atoms[3]]
    assert forms.named(3, 1) is forms.named(3, 1)
    assert forms.named(3, 0) != forms.named(3, 1)


@pytest.mark.parametrize("length", [39, 40, 41, 60])
def test_of_a_long_word_the_beginning_and_the_end_are_seen(length: int) -> None:
    word = "".join(chr(ord("a") + at % 26) for at in range(length))
    whole = word if length <= 40 else word[:20] + word[-20:]
    assert tokens([word]).forms.atoms[3][0] == f"w={whole}"


# --- neighbours ----------------------------------------------------------------------------------------------------------------


def test_neighbours_are_two_to_either_side_within_the_sentence() -> None:
    ann, has, gout, she, rests = range(3, 8)
    before, behind = 0, 1
    assert instances(tokens(TEXTS[0])).around.tolist() == [
        [before, before, ann, has, gout],
        [before, ann, has, gout, behind],
        [ann, has, gout, behind, behind],
        [before, before, she, rests, behind],
        [before, she, rests, behind, behind],
    ]


def test_what_is_hidden_is_seen_as_hidden_by_its_neighbours() -> None:
    ann, gout, hidden = 3, 5, 2
    around = instances(tokens(TEXTS[0]), hidden=[1]).around
    assert around[:3].tolist() == [[0, 0, ann, hidden, gout], [0, ann, hidden, gout, 1], [ann, hidden, gout, 1, 1]]


def test_more_may_be_hidden_and_nothing_comes_back() -> None:
    first = instances(tokens(TEXTS[0]), sensitive=[0], hidden=[1])
    second = first.hiding(flags(5, [1, 3]))
    assert places(second.hidden) == [1, 3]
    assert places(first.hidden) == [1]
    assert second.sensitive is first.sensitive


def seen(made: Instances, sentence: list[int], place: int) -> list[str]:
    """What should be seen of one token, spelled out."""
    forms, found = made.tokens.forms, []
    words = {at: "" if made.hidden[at] else f"w={made.tokens.words[at].lower()}" for at in sentence}
    for offset in (-2, -1, 0, 1, 2):
        at = place + offset
        form = 0 if at < sentence[0] else 1 if at > sentence[-1] else 2 if made.hidden[at] else int(forms.of_token[at])
        found += [f"{offset}{atom}" for atom in forms.atoms[form]]
    if place > sentence[0]:
        found.append(f"<{words[place - 1]}|{words[place]}")
    if place < sentence[-1]:
        found.append(f">{words[place]}|{words[place + 1]}")
    return found


@pytest.mark.parametrize("hidden", [[], [6], [5, 8]])
def test_a_sequence_learner_sees_the_neighbours_and_the_pairs(hidden: list[int]) -> None:
    made = instances(tokens(*TEXTS), hidden=hidden)
    sentence = [5, 6, 7, 8]
    expected = [["hidden"] if at in hidden else seen(made, sentence, at) for at in sentence]
    assert made.items(5, 9) == expected


def test_the_pairs_of_a_sentence_are_those_of_its_words() -> None:
    made = instances(tokens(TEXTS[0])).items(0, 3)
    assert [[one for one in each if one[0] in "<>"] for each in made] == [
        [">w=ann|w=has"],
        ["<w=ann|w=has", ">w=has|w=gout"],
        ["<w=has|w=gout"],
    ]


# --- letters -------------------------------------------------------------------------------------------------------------------

ATOMS = {
    "a": ["w=a", "x=x", "y=x", "l=1", "t=NN"],
    "I": ["w=i", "x=X", "y=X", "l=1", "t=NN", "capital"],
    "UK": ["w=uk", "p1=u", "s1=k", "x=XX", "y=X", "l=2", "t=NN", "capital", "capitals"],
    "Lunds": "w=lunds p1=l p2=lu p3=lun p4=lund s1=s s2=ds s3=nds s4=unds x=Xxxx y=Xx l=5 t=NN capital".split(),
    "lund": ["w=lund", "p1=l", "p2=lu", "p3=lun", "s1=d", "s2=nd", "s3=und", "x=xxx", "y=x", "l=4", "t=NN"],
    "4a": ["w=4a", "p1=4", "s1=a", "x=dx", "y=dx", "l=2", "t=NN", "digit"],
    "--": ["w=--", "p1=-", "s1=-", "x=--", "y=-", "l=2", "t=NN", "mark"],
    "$5": ["w=$5", "p1=$", "s1=5", "x=$d", "y=$d", "l=2", "t=NN", "digit"],
    "iOS": ["w=ios", "p1=i", "p2=io", "s1=s", "s2=os", "x=xXX", "y=xX", "l=3", "t=NN"],
}


@pytest.mark.parametrize("word", ATOMS)
def test_the_letters_of_a_word_are_told_from_both_ends(word: str) -> None:
    assert list(_atoms(word, "NN")) == ATOMS[word]


@pytest.mark.parametrize(("length", "told"), [(1, 1), (5, 5), (6, 6), (7, 6), (9, 6), (10, 10), (11, 10), (30, 10)])
def test_lengths_are_told_exactly_up_to_five_letters(length: int, told: int) -> None:
    assert f"l={told}" in _atoms("a" * length, "NN")


def test_half_a_letter_is_seen_as_a_mark_that_can_be_written() -> None:
    assert _atoms("\ud800", "NN")[0] == "w=?"


@pytest.mark.parametrize(
    ("word", "run", "shape"),
    [
        ("", 3, ""),
        ("AAAA", 3, "XXX"),
        ("AAAA", 4, "XXXX"),
        ("aaBBcc", 1, "xXx"),
        ("aaBBcc", 2, "xxXXxx"),
        ("1999-12", 2, "dd-dd"),
        ("a--b", 1, "x-x"),
        ("a.-b", 1, "x.-x"),
        ("aAaA", 1, "xXxX"),
    ],
)
def test_a_shape_tells_kinds_of_letters_in_short_runs(word: str, run: int, shape: str) -> None:
    assert _shape(word, run) == shape
