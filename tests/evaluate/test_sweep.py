"""A gold measured under several values of strictness, the knee, the curve, the strategies of CORR, and SPEC."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from kgsan.errors import KnowledgeError
from kgsan.evaluate import specificity
from kgsan.evaluate.curve import drawn, kind_of
from kgsan.evaluate.gold import Gold, GoldDocument, GoldSpan
from kgsan.evaluate.problems import EvaluationError
from kgsan.evaluate.strategies import compared
from kgsan.evaluate.sweep import at_strictness, knee, measure, own_policy
from kgsan.evaluate.truth import TruthCheck
from kgsan.policy.read import load_policy
from kgsan.sanitize.published.corr import Strategy
from kgsan.sanitize.sanitizer import Sanitizer
from tests.evaluate.world import CHECK, write_world

if TYPE_CHECKING:
    from pathlib import Path


def _marked(kind: str, *words: str, label: str = "") -> list[GoldSpan]:
    return [GoldSpan(CHECK.index(word), CHECK.index(word) + len(word), kind, "HIV", label) for word in words]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return Sanitizer(load_policy(write_world(tmp_path_factory.mktemp("world"))))


def _check(sanitizer: Sanitizer) -> TruthCheck:
    return TruthCheck(sanitizer.detector.stack, sanitizer.detector.marker.finder, sanitizer.policy)


def test_classes_entities_utility_and_truth_are_measured_together(toy: Sanitizer) -> None:
    spans = [
        *_marked("direct", "HIV", "viral infection"),
        *_marked("strong", "zidovudine", "condom"),
        *_marked("utility", "fatigue"),
    ]
    gold = Gold("toy", (GoldDocument("a", CHECK, tuple(spans), ("HIV",)),))
    found = measure(gold, None, lambda *_: toy, _check)
    assert {kind: scores.span.recall for kind, scores in found.by_class.items()} == {"direct": 1.0, "strong": 0.5}
    assert found.by_entity["HIV"].term.precision == 1.0
    assert found.kept == {"utility": (1, 1)}
    assert found.mean_utility == pytest.approx(28 / 37)  # HIV and viral infection keep 3 of 10 bits each, zidovudine 3 of 8
    assert found.truth.share == 1.0
    assert found.risk == 0.25


def test_a_text_that_cannot_be_made_safe_is_told_and_left_out(toy: Sanitizer) -> None:
    policy = replace(toy.policy, when_nothing_is_safe="stop", strictness=Fraction(5))
    stopping = Sanitizer(policy, toy.detector.stack, toy.knowledge)
    gold = Gold(
        "toy", (GoldDocument("a", "She has HIV.", (GoldSpan(8, 11),)), GoldDocument("b", "She has a dog.", (GoldSpan(0, 3),)))
    )
    found = measure(gold, None, lambda *_: stopping, _check)
    assert (found.not_safe, found.utility) == (("a",), (1.0,))


def test_a_strictness_that_is_asked_for_holds_for_every_entity(toy: Sanitizer) -> None:
    own = replace(toy.policy, protect=(replace(toy.policy.protect[0], strictness=Fraction(1)),))
    assert at_strictness(own, None) is own
    changed = at_strictness(own, Fraction(3))
    assert (changed.strictness, changed.protect[0].strictness) == (Fraction(3), None)


def test_a_document_makes_its_own_policy_or_says_that_it_cannot() -> None:
    made = own_policy(GoldDocument("a", "x", (), ("HIV",), "actor", has_identifiers=True), "gold")
    assert (made.protect[0].entity, made.too_specific_above, len(made.identifiers) > 10) == ("HIV", "actor", True)
    with pytest.raises(EvaluationError, match="E109"):
        own_policy(GoldDocument("a", "x", ()), "gold")


@pytest.mark.parametrize(
    ("points", "wanted"),
    [
        ([(0.5, 0.9), (0.2, 0.85), (0.15, 0.6), (0.1, 0.3)], 1),
        ([(0.1, 0.3), (0.15, 0.6), (0.2, 0.85), (0.5, 0.9)], 2),  # in any order
        ([(0.5, 0.9), (0.3, 0.6), (0.1, 0.3)], None),  # a straight line
        ([(0.5, 0.9), (0.4, 0.4), (0.1, 0.3)], None),  # only worse than the line
        ([(0.3, 0.9), (0.3, 0.5), (0.3, 0.3)], None),  # the risk does not change
        ([(0.5, 0.9), (0.1, 0.3)], None),
        ([], None),
    ],
)
def test_the_knee_is_farthest_from_the_line_between_the_ends(points: list[tuple[float, float]], wanted: int | None) -> None:
    assert knee(points) == wanted


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_curve_is_drawn_the_same_every_time(kind: str, begins: bytes) -> None:
    pytest.importorskip("matplotlib")
    points = [("1", 0.5, 0.9), ("1.5", 0.2, 0.85), ("2", 0.1, 0.3)]
    picture = drawn("toy", points, 1, kind)
    assert picture.startswith(begins)
    assert picture == drawn("toy", points, 1, kind)
    assert picture != drawn("toy", points, None, kind)


def test_other_kinds_of_pictures_are_refused() -> None:
    assert kind_of("a.PNG") == "png"
    with pytest.raises(EvaluationError, match="E114"):
        kind_of("a.pdf")


@pytest.mark.parametrize("context", ["document", "sentence"])
def test_the_strategies_keep_what_the_check_of_the_paper_says(toy: Sanitizer, context: str) -> None:
    spans = [*_marked("direct", "HIV", "viral infection", label="infection"), *_marked("strong", "zidovudine", "condom")]
    gold = Gold("toy", (GoldDocument("a", CHECK, tuple(spans)),))
    policy = replace(toy.policy, method="corr", context=context)
    found = compared(gold, lambda _: Sanitizer(policy, toy.detector.stack, toy.knowledge))
    kept = {tried.strategy: round(37 * (tried.mean_utility or 0), 6) for tried in found}
    assert kept == {Strategy.S1: 27, Strategy.S2: 33, Strategy.S3: 13, Strategy.S4: 21, Strategy.S5: 20}
    second = {tried.strategy: (tried.scores.term.precision, tried.scores.term.recall) for tried in found}
    assert second[Strategy.S2] == (None, 0.0)
    assert second[Strategy.S4] == (1.0, 1.0)
    assert second[Strategy.S5] == (0.5, 1.0)  # ibuprofen and weight loss, which nobody marked
    assert [tried.hidden.term.recall for tried in found] == [0.5, 0.5, 1.0, 1.0, 1.0]


# --- SPEC -----------------------------------------------------------------------------------------------------------------

BIOGRAPHY = "Orla Venn is an actor from Tarnby. She plays the accordion and won the Golden Turnip."


def _biography() -> Gold:
    words = ("Orla Venn", "Tarnby", "Golden Turnip")
    spans = tuple(GoldSpan(BIOGRAPHY.index(word), BIOGRAPHY.index(word) + len(word)) for word in words)
    return Gold("gold", (GoldDocument("a", BIOGRAPHY, spans),))


def test_hits_without_a_total_are_read_with_their_odd_spellings(tmp_path: Path) -> None:
    rows = ['"orla_venn', "50", "actor", "900", "_(actor", "7", "Tarnby", "-1", "accordion", "901", "roses", "0"]
    (tmp_path / "hits.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in zip(rows[::2], rows[1::2], strict=True)))
    table = specificity.read_hits(tmp_path / "hits.tsv")
    assert [table.count(word) for word in ("Orla Venn", "actors", "Tarnby", "accordion", "rose")] == [50, 900, None, 901, None]


def test_phrases_as_rare_as_the_limit_are_found_and_unknown_ones_told_apart(tmp_path: Path) -> None:
    (tmp_path / "hits.tsv").write_text("orla_venn\t50\nactor\t900\naccordion\t901\n")
    table = specificity.read_hits(tmp_path / "hits.tsv")
    limit = specificity.limit_of(table, "actor", "hits.tsv")
    [found] = specificity.measured(_biography(), table, limit)
    assert found.unknown == 2  # the town and the prize
    assert (found.published.found, found.published.missed) == (3, 0)
    assert (found.published.right, found.published.wrong) == (3, 1)  # by the formula the limit itself goes
    assert (found.known.found, found.known.missed, found.known.right, found.known.wrong) == (1, 0, 1, 1)


def test_the_number_of_pages_does_not_matter(tmp_path: Path) -> None:
    rows = "orla venn\t50\nactor\t900\naccordion\t901\n"
    found = []
    for total in ("", "contexts\t901\n", "contexts\t3500000000\n"):
        (tmp_path / "hits.tsv").write_text(total + rows)
        table = specificity.read_hits(tmp_path / "hits.tsv")
        found.append(specificity.measured(_biography(), table, specificity.limit_of(table, "actor", "hits.tsv")))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("content", ["", "actor\n", "actor\tNaN\n", "actor\t1.5\n", "actor\t-1\n"])
def test_a_table_that_is_none_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "hits.tsv").write_text(content)
    with pytest.raises(EvaluationError, match="E112"):
        specificity.read_hits(tmp_path / "hits.tsv")


def test_a_table_that_is_not_there_or_lacks_the_limit_is_told(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="K101"):
        specificity.read_hits(tmp_path / "none.tsv")
    (tmp_path / "hits.tsv").write_text("actor\t9\n")
    with pytest.raises(EvaluationError, match="E112"):
        specificity.limit_of(specificity.read_hits(tmp_path / "hits.tsv"), "baker", "hits.tsv")


def test_the_published_figures_are_consistent() -> None:
    for precision, recall, f in specificity.PUBLISHED.values():
        assert f == pytest.approx(2 * precision * recall / (precision + recall), abs=0.01)
