"""Concepts as vectors, in a toy space in which every name points along an axis."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kgsan.ontology.stack import OntologyStack
from kgsan.risk import likeness
from kgsan.risk.likeness import Centre, Likeness, Place, place
from tests.risk.toy import number, ontology

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kgsan.ontology.ontology import Ontology

    Vector = NDArray[np.float64]

AXES = 5


def axis(at: int, length: float = 1.0) -> Vector:
    found = np.zeros(AXES)
    found[at] = length
    return found


class Space:
    """Vectors of names that are spelled out: a name that begins with a letter from a to e points along that axis."""

    dimensions = AXES

    def __init__(self, **words: Sequence[float]) -> None:
        self.words = {word: np.array(vector, np.float64) for word, vector in words.items()}
        self.mean, self.spread = np.zeros(AXES), np.eye(AXES)
        self.asked: list[tuple[object, ...]] = []

    def vector(self, name: str) -> Vector | None:
        if name in self.words:
            return self.words[name]
        return axis("abcde".index(name[0]), 4.0) if name[0] in "abcde" else None

    def rows(self, numbers: NDArray[np.int64]) -> Vector:
        """A word whose number ends in 0 or 5 points along the first axis, the next along the second."""
        return np.eye(AXES)[numbers % AXES]

    def at(self, numbers: Sequence[int], *bounds: int) -> Vector:
        self.asked.append((len(numbers), *bounds))
        return axis(0, 3.0) + axis(1, 4.0)


@pytest.fixture
def space(monkeypatch: pytest.MonkeyPatch) -> Space:
    made = Space()
    monkeypatch.setattr(likeness, "expectations", lambda: made)
    return made


def concept(own: Ontology, name: str) -> tuple[int, int]:
    return 0, number(own, name)


def centre(own: Ontology, name: str) -> Centre | None:
    return Likeness(OntologyStack([own])).centre(*concept(own, name))


def along(own: Ontology, name: str) -> list[float]:
    """The vector of a concept, its first part as the unit."""
    found = centre(own, name)
    assert found is not None
    return [float(part / found.vector[0]) for part in found.vector]


RELATIVES = ontology(
    """
c1: c2, c3
  a1: a2, a3
    b1: b2, b3
      b4
  d1: d2, d3
    d4
e1: e2, e3
""",
    ("a1", "near", "e1"),
)


def test_a_concept_is_the_middle_of_its_names_and_of_those_of_its_relatives(space: Space) -> None:
    own, below, above, beside, related = along(RELATIVES, "a1")
    assert own == 1.0 > below > above > beside >= related > 0.3


def test_a_vector_is_of_whole_numbers_and_of_length_1000(space: Space) -> None:
    found = centre(RELATIVES, "a1")
    assert found is not None
    assert found.vector.tolist() == np.rint(found.vector).tolist()
    assert sqrt((found.vector**2).sum()) == pytest.approx(1000, abs=1)
    [alone] = [centre(ontology("a1"), "a1")]
    assert alone is not None
    assert alone.vector.tolist() == [1000, 0, 0, 0, 0]


def test_of_one_or_two_names_little_is_known(space: Space) -> None:
    three = along(ontology("c1: c2, c3\n a1: a2, a3\n"), "a1")[2]
    six = along(ontology("c1: c2, c3\n a1: a2, a3, a4, a5, a6\n"), "a1")[2]
    two = along(ontology("c1: c2, c3\n a1: a2\n"), "a1")[2]
    one = along(ontology("c1: c2, c3\n a1\n"), "a1")[2]
    assert six == pytest.approx(three, abs=0.002)
    assert two == pytest.approx(three * sqrt(3 / 2), abs=0.003)
    assert one == pytest.approx(three * sqrt(3), abs=0.004)


def test_all_names_count_alike_however_long_their_vectors_are(space: Space) -> None:
    space.words |= {"a2": axis(1, 900.0)}
    found = centre(ontology("a1: a2\n"), "a1")
    assert found is not None
    assert found.vector.tolist() == [707, 707, 0, 0, 0]


@pytest.mark.parametrize("names", ["a1: ~b1", "a1: <b1", "a1: b1#1", "a1: zz", "a1: A1", "a1: nothing"])
def test_names_that_may_mean_something_else_or_nothing_are_left_out(space: Space, names: str) -> None:
    space.words["nothing"] = np.zeros(AXES)
    found = centre(ontology(names), "a1")
    assert found is not None
    assert found.vector.tolist() == [1000, 0, 0, 0, 0]


def test_a_name_counts_once_for_the_nearest_that_has_it(space: Space) -> None:
    assert along(ontology("c1: a1\n a1\n  b1: c1\n"), "a1")[2] > 0  # "c1" is a name of what is below
    both = along(ontology("c1\n a1\n  b1: c1\n"), "a1")
    assert both[1] == both[2]


@pytest.mark.parametrize("names", ["zz", "a1: a2", "a1: b1"])
def test_a_concept_without_a_known_name_or_with_names_that_cancel_out_has_no_vector(space: Space, names: str) -> None:
    space.words |= {"a2": -axis(0), "b1": axis(1, 0.1) - axis(0)}
    assert centre(ontology(names), names.partition(":")[0]) is None


@pytest.mark.parametrize(("kinds", "counts"), [(79, True), (80, False)])
def test_eighty_kinds_of_a_concept_are_looked_at(space: Space, kinds: int, counts: bool) -> None:
    drawn = "a1\n" + "".join(f" z{i:03}\n" for i in range(kinds)) + " zz: b1\n"
    assert (along(ontology(drawn), "a1")[1] > 0) is counts


@pytest.mark.parametrize(("names", "counts"), [(38, True), (39, False)])
def test_forty_names_are_kept(space: Space, names: int, counts: bool) -> None:
    own = ontology("a0: " + ", ".join([*(f"a{i}" for i in range(1, names + 1)), "b1", "c1"]))
    found = centre(own, "a0")
    assert found is not None
    assert (bool(found.vector[1]), bool(found.vector[2])) == (counts, False)


@pytest.mark.parametrize(("siblings", "counts"), [(399, True), (400, False)])
def test_siblings_count_where_there_are_not_too_many(space: Space, siblings: int, counts: bool) -> None:
    own = ontology("c1\n a1\n d1\n" + "".join(f" z{i}\n" for i in range(siblings - 2)))
    assert (along(own, "a1")[3] > 0) is counts


# --- how well a concept fits -------------------------------------------------------------------------------------------


def at(expected: Vector, words: Sequence[int] = (), distances: Sequence[int] = (), inside: Sequence[bool] = ()) -> Place:
    return Place(
        expected,
        float(np.sqrt(expected @ expected)),
        np.array(words, np.int64),
        np.array(distances, np.int64),
        np.array(inside, bool),
    )


def test_a_fit_is_told_in_deviations_from_what_is_usual(space: Space) -> None:
    own = ontology("a1\nb1\nzz\n")
    space.mean, space.spread = axis(0, 0.1) + axis(1, 0.3), np.diag([0.04, 0.16, 1.0, 1.0, 1.0])
    asked = Likeness(OntologyStack([own]))
    here = at(axis(0, 3.0) + axis(1, 4.0))
    assert asked.fit(here, *concept(own, "a1")) == 2.5  # (3/5 - 0.1) / 0.2
    assert asked.fit(here, *concept(own, "b1")) == 1.25  # (4/5 - 0.3) / 0.4
    assert asked.fit(here, *concept(own, "zz")) is None
    assert asked.fit(at(np.zeros(AXES)), *concept(own, "a1")) is None
    assert asked.fit(at(axis(0) + axis(1) + axis(2)), *concept(own, "a1")) == 2.386751  # 1 / sqrt 3, told to six digits


def test_a_spread_may_tie_axes_together(space: Space) -> None:
    own = ontology("a1: b1\n")
    space.spread = np.full((AXES, AXES), 0.01)
    found = centre(own, "a1")
    assert found is not None
    assert found.spread == pytest.approx(0.1414, abs=0.0002)  # (707, 707) by all-0.01: 0.02 in all


def test_a_fit_can_be_told_where_nothing_varies(space: Space) -> None:
    own = ontology("a1\n")
    space.spread = np.zeros((AXES, AXES))
    fit = Likeness(OntologyStack([own])).fit(at(axis(0)), 0, 0)
    assert fit is not None
    assert fit > 1000


def test_a_name_is_at_home_with_a_concept_by_the_cosine_between_them(space: Space) -> None:
    own = ontology("a1\nzz\n")
    asked = Likeness(OntologyStack([own]))
    space.words["crack"] = axis(0, 3.0) + axis(1, 4.0)
    assert asked.home("crack", *concept(own, "a1")) == pytest.approx(0.6)
    assert asked.home("zz", *concept(own, "a1")) is None
    assert asked.home("crack", *concept(own, "zz")) is None


@pytest.mark.parametrize(
    ("other", "alike"), [((1, 0), True), ((0.5, sqrt(0.75)), True), ((0.49, 0.87), False), ((0, 1), False), ((-1, 0), False)]
)
def test_two_concepts_are_of_one_field_when_no_more_than_60_degrees_lie_between(
    space: Space, other: tuple[float, float], alike: bool
) -> None:
    own = ontology("a1\nb1\nzz\n")
    space.words["b1"] = np.array([*other, 0, 0, 0], np.float64)
    asked = Likeness(OntologyStack([own]))
    assert asked.are_alike(concept(own, "a1"), concept(own, "b1")) is alike
    assert not asked.are_alike(concept(own, "a1"), concept(own, "zz"))
    assert not asked.are_alike(concept(own, "zz"), concept(own, "a1"))


def test_words_around_are_compared_with_the_concept(space: Space) -> None:
    own = ontology("a1\n")
    asked = Likeness(OntologyStack([own]))
    found = asked.centre(0, 0)
    assert found is not None
    other = Centre(axis(1, 3.0) + axis(2, -4.0), 0.0, 1.0)
    assert at(axis(0), [150, 151, 152]).likenesses([found, other]).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.6, -0.8]]


# --- a place in a text -------------------------------------------------------------------------------------------------


def test_around_a_place_stand_known_words_that_are_not_too_common_nor_its_own(space: Space) -> None:
    numbers = [155, 149, 150, -1, 160, 161, 162, 160, 0, 170]
    found = place(numbers, 4, 5, (0, 10), (2, 8))
    assert found.words.tolist() == [155, 150, 162, 170]
    assert found.distances.tolist() == [4, 2, 1, 4]
    assert found.inside.tolist() == [False, True, True, False]
    assert found.length == 5.0
    assert space.asked == [(10, 4, 5, 0, 10)]
    assert place(numbers, 4, 5, (0, 10), (0, 9)).inside.tolist() == [True, True, True, False]


def test_words_up_to_eighty_away_stand_around(space: Space) -> None:
    found = place(range(200, 500), 100, 101, (0, 300), (0, 300))
    assert found.words.tolist() == [*range(220, 300), *range(302, 382)]
    assert found.distances.tolist() == [*range(80, 0, -1), *range(1, 81)]
    near = place(range(200, 210), 0, 0, (0, 10), (0, 10))
    assert near.words.tolist() == [*range(201, 210)]


def test_a_place_without_neighbours_has_none(space: Space) -> None:
    found = place([200], 0, 0, (0, 1), (0, 1))
    assert [len(found.words), len(found.distances), len(found.inside)] == [0, 0, 0]


def test_a_place_is_seen_by_what_is_expected_by_the_nearest_and_by_its_sentence(space: Space) -> None:
    here = at(axis(0, 3.0) + axis(1, 4.0), [150, 151, 152], [4, 6, 7], [False, True, True])
    views = here.views
    assert views["expected"].tolist() == [0.6, 0.8, 0, 0, 0]
    # Four words away counts 1/2, six words away the root of 1/6; shorter than 1 nothing is stretched.
    assert views["close"].tolist() == pytest.approx([0.5, sqrt(1 / 6), 0, 0, 0])
    assert views["sentence"].tolist() == pytest.approx([0, sqrt(0.5), sqrt(0.5), 0, 0])
