"""What speaks for and against a sense, as numbers: each sign by hand, and all of them by their weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from math import log
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from kgsan.ontology.ontology import Concept, Name
from kgsan.risk import signs
from kgsan.risk.kin import Speaks
from kgsan.risk.likeness import LENGTH, Centre, Likeness, Place
from kgsan.risk.senses import Evidence
from kgsan.sources.records import Scope
from kgsan.text.everyday import everyday_words
from kgsan.text.mentions import Sense

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Vector = NDArray[np.float64]


# --- weights -----------------------------------------------------------------------------------------------------------


def test_signs_are_added_up_each_by_its_weight_and_unknown_ones_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "_weights", lambda: {"cue": 2.0, "verb": -1.5, "view": np.array([1.0, -2.0])})
    assert signs.weigh({"cue": 3.0, "verb": 2.0, "unheard of": 99.0}) == 3.0
    assert signs.weigh({"view": np.array([0.5, 0.25]), "cue": 1.0}) == 2.0
    assert signs.weigh({}) == 0.0


def test_the_weights_are_those_of_the_file_numbers_alone_or_in_a_row() -> None:
    weights = signs._weights()
    read = {}
    for line in (files("kgsan.risk") / "signs.txt").read_text("utf-8").splitlines():
        if line.strip() and line[0] != "#":
            sign, numbers = line[: line.index(": ")], line[line.index(": ") + 2 :].split()
            read[sign] = list(map(float, numbers))
    assert len(read) > 50
    assert {sign: np.atleast_1d(value).tolist() for sign, value in weights.items()} == read
    assert isinstance(weights[signs.ALWAYS], float)
    assert isinstance(weights["the sentence"], np.ndarray)


@pytest.mark.parametrize("sign", ["cue", "governing cue", "label", "person", "related", "remembered, close"])
def test_what_speaks_for_a_sense_weighs_for_it(sign: str) -> None:
    assert signs.weigh({sign: 1.0}) > 0


@pytest.mark.parametrize("sign", ["against, capital", "against, grammar", "against, of_another", "shouted", signs.ALWAYS])
def test_what_speaks_against_a_sense_weighs_against_it(sign: str) -> None:
    assert signs.weigh({sign: 1.0}) < 0


# --- the name ----------------------------------------------------------------------------------------------------------


def named(rank: int = 0) -> Sense:
    return Sense(Concept("t:1", "crack"), Name("crack", Scope.AMBIGUOUS, rank), 0)


def of_name(
    written: str = "crack", *, rank: int = 0, scope: int = 5, rivals: int = 0, key: str | None = None
) -> dict[str, float]:
    return signs.of_name(named(rank), scope, written, key or written.lower(), rivals)


def test_there_is_always_the_same_to_begin_with() -> None:
    assert of_name()["always"] == 1.0
    assert of_name(scope=4)["scope"] == 4.0


@pytest.mark.parametrize(("rank", "told"), [(0, 0), (1, 1), (3, 3), (4, 3), (40, 3)])
def test_senses_after_the_fourth_are_alike(rank: int, told: int) -> None:
    assert of_name(rank=rank)["rank of sense"] == told


@pytest.mark.parametrize(("rivals", "told"), [(0, 0), (5, 5), (6, 6), (7, 6)])
def test_more_rivals_than_six_tell_no_more(rivals: int, told: int) -> None:
    assert of_name(rivals=rivals)["rivals"] == told


@pytest.mark.parametrize(
    ("written", "capitals", "capital"),
    [("AIDS", 1, 0), ("Aids", 0, 1), ("aids", 0, 0), ("A", 0, 0), ("AB", 1, 0), ("eBay", 0, 0), ("Big AIDS", 0, 1)],
)
def test_capitals_are_seen_all_of_them_or_the_first(written: str, capitals: int, capital: int) -> None:
    assert (of_name(written)["in capitals"], of_name(written)["with a capital"]) == (capitals, capital)


@pytest.mark.parametrize(("written", "words"), [("crack", 1), ("a b c", 3), ("a b c d", 4), ("a b c d e", 4)])
def test_words_are_counted_up_to_four(written: str, words: int) -> None:
    assert of_name(written)["words"] == words


def test_an_everyday_word_tells_the_more_the_more_frequent_it_is() -> None:
    many = len(everyday_words())
    assert of_name("the")["everyday"] == pytest.approx(log(many))
    assert of_name("of")["everyday"] == pytest.approx(log(many / 2))
    last = max(everyday_words(), key=everyday_words().__getitem__)
    assert of_name(last)["everyday"] == 0.0
    assert of_name("zzyzx")["everyday"] == 0.0
    assert of_name("of the", key="of the")["everyday"] == 0.0


# --- concepts, cues and grammar -----------------------------------------------------------------------------------------


def evidence(start: int, speaks: Speaks, weight: float) -> Evidence:
    return Evidence(start, start + 3, speaks, "t:1", weight)


def test_each_kind_of_evidence_is_summed_apart_and_the_sentence_apart_from_the_rest() -> None:
    told = [
        evidence(10, Speaks.KIN, 0.5),
        evidence(19, Speaks.KIN, 0.25),
        evidence(20, Speaks.KIN, 0.125),  # behind the sentence
        evidence(9, Speaks.KIN, 1.0),  # before it
        evidence(12, Speaks.CUE, 0.5),
        evidence(15, Speaks.CUE, 0.25),
        evidence(15, Speaks.RELATED, 2.0),  # governing is said of cues only
        evidence(30, Speaks.CUE, 4.0),
    ]
    assert signs.of_evidence(told, (), frozenset({15, 30}), (10, 20)) == {
        "kin": 0.75,
        "kin, outside": 1.125,
        "cue": 0.5,
        "governing cue": 0.25,
        "related": 2.0,
        "governing cue, outside": 4.0,
    }


def test_what_speaks_against_it_is_told_by_its_kind() -> None:
    against = [evidence(10, Speaks.GRAMMAR, 0.5), evidence(12, Speaks.OF_ANOTHER, 1.0)]
    assert signs.of_evidence((), against, frozenset(), (0, 20)) == {"against, grammar": 0.5, "against, of_another": 1.0}


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ([0.5, -0.25, 1.0, -1.0, 0.0], (1.5, -1.25, 1.0, -1.0)),
        ([], (0.0, 0.0, 0.0, 0.0)),
        ([0.5, 0.75], (1.25, 0.0, 0.75, 0.0)),
        ([-0.5, -2.0], (0.0, -2.5, 0.0, -2.0)),
    ],
)
def test_counted_words_are_told_together_and_the_strongest_alone(weights: list[float], told: tuple[float, ...]) -> None:
    found = signs.of_knowledge([evidence(0, Speaks.KNOWLEDGE, weight) for weight in weights], "here")
    kinds = ("counted for", "counted against", "most for", "most against")
    assert found == dict(zip((f"{kind}, here" for kind in kinds), told, strict=True))


# --- the place ---------------------------------------------------------------------------------------------------------


@dataclass
class Known:
    """Likenesses that are spelled out, for concepts by their number."""

    fits: dict[int, float] = field(default_factory=dict)
    homes: dict[int, float] = field(default_factory=dict)
    centres: dict[int, list[float]] = field(default_factory=dict)
    words: dict[float, list[float]] = field(default_factory=dict)  #: how like the words are, by the first part of a centre

    def fit(self, place: Place, ontology: int, number: int) -> float | None:
        return self.fits.get(number)

    def home(self, name: str, ontology: int, number: int) -> float | None:
        return self.homes.get(number)

    def centre(self, ontology: int, number: int) -> Centre | None:
        return Centre(np.array(self.centres[number]), 0.0, 1.0) if number in self.centres else None


class There(Place):
    """A place around which words stand that are as much like concepts as is said."""

    def likenesses(self, centres: Sequence[Centre]) -> Vector:
        return np.array([self.__dict__["words of"][float(centre.vector[0])] for centre in centres])


def somewhere(distances: list[int], inside: list[bool], known: Known | None = None) -> Place:
    words = np.arange(len(distances)) + 200
    made = There(np.array([3.0, 4.0]), 5.0, words, np.array(distances, np.int64), np.array(inside, bool))
    made.__dict__.update({"views": {"close": np.array([1.0, 2.0])}, "words of": {} if known is None else known.words})
    return made


def told(known: Known, kin: list[int], rivals: list[int], place: Place | None = None) -> dict[str, Any]:
    likeness = cast("Likeness", known)
    return signs.of_place(
        likeness, place or somewhere([], []), (0, 1), [(0, one) for one in kin], [(0, one) for one in rivals], "crack"
    )


FIT = ("fit", "fit of kin", "fit of rivals", "fit of first rival", "better fit", "has rivals", "home", "no home")


@pytest.mark.parametrize(
    ("known", "rivals", "expected"),
    [
        # Fits of the concept (1), of its kin (2) and of rivals (3, 4); 5 has no vector.
        (Known({1: 2.0, 2: 3.0, 3: 0.5, 4: 1.5}, {1: 0.25}), [3, 4], (2, 3, 1.5, 0.5, 0.5, 1, 0.25, 0)),
        (Known({1: 2.0, 2: 1.0, 3: 2.5}), [5, 3], (2, 2, 2.5, 2.5, -0.5, 1, 0, 1)),
        (Known({1: -1.0, 2: -2.0, 3: -3.0}), [3], (-1, -1, -3, -3, 2, 1, 0, 1)),
        (Known({1: 2.0}), [5], (2, 2, 0, 0, 0, 0, 0, 1)),
        (Known({3: 2.0}), [3], (0, 0, 2, 2, -2, 1, 0, 1)),
        (Known(), [], (0, 0, 0, 0, 0, 0, 0, 1)),
    ],
)
def test_fits_of_the_concept_its_kin_and_its_rivals_are_compared(
    known: Known, rivals: list[int], expected: tuple[float, ...]
) -> None:
    found = told(known, [1, 2], rivals)
    assert {name: found[name] for name in FIT} == dict(zip(FIT, expected, strict=True))


def test_views_are_told_as_they_are_and_by_the_concept() -> None:
    found = told(Known(centres={1: [500.0, -250.0]}), [1], [])
    assert found["the close"].tolist() == [1.0, 2.0]
    assert found["the close, by concept"].tolist() == [0.5, -0.5]
    assert "the close, by concept" not in told(Known(), [1], [])
    assert LENGTH == 1000


def test_words_around_are_told_by_distance_and_by_sentence() -> None:
    known = Known(centres={1: [7.0, 0.0]}, words={7.0: [0.1, 0.2, 0.4, 0.8, -0.5]})
    found = told(known, [1], [], somewhere([3, 4, 10, 11, 1], [True, True, False, False, False], known))
    assert {sign: value for sign, value in found.items() if "alike" in sign or "mean" in sign} == pytest.approx(
        {
            "most alike, close": 0.1,
            "most alike, nearby": 0.4,
            "most alike, in the sentence": 0.2,
            "most alike, in the text": 0.8,
            "alike, in the sentence": 0.15,  # of the three most alike
            "alike, in the text": 1.4 / 3,
            "mean, in the sentence": 0.15,
            "mean, in the text": 0.2,
        }
    )


def test_nothing_is_told_of_words_that_are_not_there() -> None:
    known = Known(centres={1: [7.0, 0.0], 3: [9.0, 0.0]}, words={7.0: [-0.25], 9.0: [0.5]})
    far = told(known, [1], [3], somewhere([11], [False], known))
    assert {sign: value for sign, value in far.items() if "alike" in sign} == {
        "most alike, in the text": 0.0,  # never below nothing
        "alike, in the text": -0.25,
        "most alike to a rival, in the text": 0.5,
        "alike to a rival, in the text": 0.5,
    }
    assert not any("alike" in sign for sign in told(known, [1], [3], somewhere([], [])))
    assert not any("alike" in sign for sign in told(Known(), [1], [3], somewhere([11], [False])))


def test_of_rivals_the_one_counts_to_which_the_words_are_most_alike() -> None:
    known = Known(
        centres={3: [7.0, 0.0], 4: [9.0, 0.0], 5: [11.0, 0.0]},
        words={7.0: [0.9, 0.0, 0.0, 0.0], 9.0: [0.5, 0.5, 0.5, -1.0], 11.0: [0.1, 0.1, 0.1, 0.9]},
    )
    found = told(known, [1], [2, 3, 4, 5], somewhere([1, 2, 3, 4], [True] * 4, known))
    assert found["alike to a rival, in the text"] == 0.5
    assert found["most alike to a rival, in the text"] == 0.5
    assert not any(sign.startswith(("alike,", "most alike,")) for sign in found)
    assert found["mean to a rival, in the text"] == pytest.approx(0.125)
