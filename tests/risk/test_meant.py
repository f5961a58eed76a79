"""A small transformer says whether a word means a concept where it stands; the same on every machine."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

import numpy as np
import pytest

import kgsan
from kgsan.ontology.arrays import ArrayFile, pack
from kgsan.risk import meant
from kgsan.risk.meant import KIND, OF_CONCEPT, VERSION, Meanings, described, meanings
from kgsan.text.pieces import Pieces
from kgsan.text.transformer import LINEAR, MOST, Linear, bend, linear, transformer

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE, PIECES = (
    96,
    ["[CLS]", "[SEP]", "[UNK]", *string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase), "."],
)


def weights(layers: int = 2) -> ArrayFile:
    """A transformer of letters, whose weights are drawn."""
    draw = random.Random(7)

    def whole(*shape: int, most: int = 100) -> NDArray[np.int8]:
        count = int(np.prod(shape))
        return np.array([draw.randint(-most, most) for _ in range(count)], dtype=np.int8)

    def numbers(count: int, low: float, high: float) -> NDArray[np.float64]:
        return np.array([round(draw.uniform(low, high), 6) for _ in range(count)])

    blob, starts = pack(PIECES)
    arrays = {"pieces": blob, "starts": starts, "words": whole(len(PIECES), SIZE), "word steps": numbers(len(PIECES), 0.01, 0.02)}
    arrays |= {"places": numbers(56 * SIZE, -0.1, 0.1), "kinds": numbers(2 * SIZE, -0.1, 0.1)}
    norms = ["norm", *(f"{at} {name} norm" for at in range(layers) for name in ("heard", "thought"))]
    arrays |= {f"{name} weight": numbers(SIZE, 0.5, 1.5) for name in norms} | {
        f"{name} bias": numbers(SIZE, -0.1, 0.1) for name in norms
    }
    shapes = {"up": (SIZE, 4 * SIZE), "down": (4 * SIZE, SIZE)}
    matrices = {f"{at} {name}": shapes.get(name, (SIZE, SIZE)) for at in range(layers) for name in LINEAR} | {
        "hidden": (6 * SIZE, SIZE)
    }
    for name, (deep, wide) in matrices.items():
        arrays |= {
            f"{name} weight": whole(deep, wide),
            f"{name} steps": numbers(wide, 0.001, 0.003),
            f"{name} bias": numbers(wide, -0.1, 0.1),
        }
    arrays["out"] = whole(SIZE)
    return ArrayFile(KIND, VERSION, {"layers": layers, "out steps": 500.0, "bias": 0.25}, arrays)


@pytest.fixture(scope="module")
def letters() -> Meanings:
    return Meanings(weights())


def test_every_machine_comes_to_the_same(letters: Meanings) -> None:
    text = "a fine mess . the crab it was"
    told = [letters.leaning(text, start, end, concept) for start, end, concept in ((19, 23, "lice : bugs"), (7, 11, "lice"))]
    assert told == TOLD


TOLD = [3.951266, 1.92193]


def test_a_product_is_that_of_whole_numbers_whatever_its_pieces() -> None:
    file = weights()
    rows = np.array([[random.Random(at).gauss(0, 1) for at in range(i, i + SIZE)] for i in range(70)], dtype=np.float32)
    for name, deep in (("0 up", SIZE), ("hidden", 6 * SIZE)):
        one: Linear = linear(file, name)
        given = np.tile(rows, deep // SIZE)
        step = np.abs(given).max(axis=1, keepdims=True) / np.float32(MOST)
        whole = np.rint(given / step).astype(np.int64)
        exact = whole @ file[f"{name} weight"].reshape(deep, -1).astype(np.int64)
        assert (one(given) == exact.astype(np.float32) * (step * one.steps) + one.bias).all()
        assert (one(given)[:3] == one(given[:3])).all()  # a row does not depend on the others
        assert np.isfinite(one(np.zeros((1, deep), dtype=np.float32))).all()


def test_only_what_is_wanted_is_read_in_the_last_layer() -> None:
    read = transformer(weights())
    every = read.read(range(20), 0, range(20))
    assert (read.read(range(20), 0, [3, 0]) == every[[3, 0]]).all()


def test_the_table_bends_as_the_normal_distribution_does() -> None:
    given = np.array([-9.0, -1.0, 0.0, 0.5, 1.0, 12.5], dtype=np.float32)
    assert bend(given) == pytest.approx([0.0, -0.158655, 0.0, 0.345731, 0.841345, 12.5], abs=1e-5)


def test_a_place_is_read_once_for_all_concepts_and_a_concept_once_for_all_places(
    letters: Meanings, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    known = type(letters._transformer).read
    monkeypatch.setattr(
        type(letters._transformer),
        "read",
        lambda self, pieces, kind, wanted: read.append(kind) or known(self, pieces, kind, wanted),
    )
    for text in ("xx crab yy", "zz crab yy"):
        for concept in ("mites", "shrimp", "mites"):
            letters.leaning(text, 3, 7, concept)
    assert sorted(read) == [0, 0, 1, 1]


def test_nothing_far_away_is_read(letters: Meanings) -> None:
    near = "b " * 30 + "crab" + " d" * 30
    far = "q " * 5000 + near + " q" * 5000
    start = far.index("crab")
    assert letters.leaning(far, start, start + 4, "lice") == letters.leaning(near, 60, 64, "lice")


@pytest.mark.parametrize("word", ["", " ", "☃", "x" * 5000, "\ud800", "é́", "\x00"])
def test_odd_words_are_read_too(letters: Meanings, word: str) -> None:
    assert isinstance(letters.leaning(f"a {word} b", 2, 2 + len(word), word), float)


def test_a_word_of_unknown_letters_is_one_unknown_piece() -> None:
    pieces = Pieces(PIECES)
    assert pieces.of("Éa ж") == [*pieces.of("ea"), pieces.unknown]


def test_a_concept_is_described_by_its_name_and_those_above_it() -> None:
    ontology = kgsan.load_ontology("protected")[0]
    number = ontology.find("crack cocaine")[0].number
    told = described(ontology, number)
    assert told.startswith("crack cocaine : ")
    assert len(told.split(", ")) <= meant._GENERAL
    assert len(meanings()._pieces.of(told)) > 3
    assert OF_CONCEPT + 2 <= meant.BEFORE + meant.ITSELF + meant.BEHIND + 2


@pytest.mark.parametrize(
    ("concept", "meant_in", "other_in"),
    [
        (
            "crack cocaine",
            "He told the counselor that he had smoked crack the night before.",
            "There is a crack in the wall of the barn.",
        ),
        ("pubic lice", "She was treated for crabs at the sexual health clinic.", "We had crabs and white wine by the harbour."),
    ],
)
def test_what_ships_tells_a_word_in_its_place_from_itself_elsewhere(concept: str, meant_in: str, other_in: str) -> None:
    ontology = kgsan.load_ontology("protected")[0]
    name = "crack" if "crack" in concept else "crabs"
    told = described(ontology, ontology.find(concept)[0].number)
    leanings = [meanings().leaning(text, text.index(name), text.index(name) + len(name), told) for text in (meant_in, other_in)]
    assert leanings[0] > 0 > leanings[1]
