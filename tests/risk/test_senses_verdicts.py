"""What the guard concludes: without knowledge by support, with it by weights; in a toy world of crabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kgsan.ontology.stack import OntologyStack
from kgsan.risk import likeness, senses
from kgsan.risk.kin import Speaks
from kgsan.risk.senses import (
    SenseGuard,
    Verdict,
)
from tests.risk.crabs import CRAB, FIELD, GRUMBLE, LICE, MITES, STACK, Text, knowing
from tests.risk.toy import Counted, document, mention, number, ontology, sense

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgsan.text.mentions import Sense


# --- verdicts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "own", "verdict"),
    [
        # An ambiguous name needs enough, and as much as its rival has.
        ("the [crab]", LICE, (False, 0.0, 0.0, "")),
        ("scabies and [crab]", LICE, (True, 0.5, 0.0, "")),
        ("the [crab].\n\nThe scabies", LICE, (False, 0.25, 0.0, "")),
        ("scabies, lobster and [crab]", LICE, (True, 0.5, 0.5, "w:sea-crab")),
        ("scabies, lobster, shrimp and [crab]", LICE, (False, 0.5, 1.0, "w:sea-crab")),
        ("scabies, lobster, shrimp and [crab]", CRAB, (True, 1.0, 0.5, "protected:lice")),
        # One that is not marked counts unless its rival has enough, and more.
        ("the [crab]", CRAB, (True, 0.0, 0.0, "")),
        ("the [crab].\n\nThe scabies", CRAB, (True, 0.0, 0.25, "protected:lice")),
        ("scabies and [crab]", CRAB, (False, 0.0, 0.5, "protected:lice")),
        ("scabies, lobster and [crab]", CRAB, (True, 0.5, 0.5, "protected:lice")),
    ],
)
def test_without_knowledge_support_is_weighed_against_the_rivals(
    marked: str, own: tuple[int, str, str], verdict: tuple[bool, float, float, str]
) -> None:
    text = Text(marked, {}, None, LICE, CRAB)
    found = text.verdict(*own)
    assert (found.counts, found.support, found.rival_support, found.rival) == verdict
    assert found.ambiguous


def test_what_speaks_for_any_of_those_that_mean_the_same_counts() -> None:
    text = Text("scabies and [crab]", {}, None, LICE, MITES)
    assert [text.verdict(*own).support for own in (LICE, MITES)] == [0.5, 0.5]


def test_how_a_marked_name_is_used_counts_against_it() -> None:
    tags = {"crab": "VBP"}
    used = Text("scabies, they [crab] here", tags, None, LICE, CRAB)
    assert used.verdict(*LICE).rival_support == pytest.approx(0.6)
    assert not used.verdict(*LICE).counts
    assert used.verdict(*CRAB).rival_support == 0.5  # which is not marked: only what speaks for lice


def test_of_several_rivals_the_strongest_is_told_the_first_of_equals() -> None:
    rivals = [(2, name, name) for name in ("nurse", "lobster", "title")]
    text = Text("shrimp, scabies and [crab]", {}, None, LICE, *rivals)
    assert text.verdict(*LICE).rival == "w:lobster"
    equal = Text("shrimp, scabies and [crab]", {}, None, LICE, CRAB, (2, "lobster", "lobster"))
    assert equal.verdict(*LICE).rival == "w:sea-crab"


class Alike:
    """A likeness in which all concepts are of one field, or none."""

    def __init__(self, alike: bool) -> None:
        self.alike = alike

    def are_alike(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        return self.alike


def guard_with(alike: bool) -> SenseGuard:
    guard = SenseGuard(STACK)
    guard.__dict__["likeness"] = Alike(alike)
    return guard


UNASKED = Verdict(True, False, 0.0, 0.0)


def test_a_name_is_not_asked_about_when_all_its_meanings_are_of_one_field() -> None:
    assert Text("the [crab]", {}, guard_with(True), CRAB, LICE).verdict(*CRAB) == UNASKED
    assert Text("the [crab]", {}, guard_with(False), CRAB, LICE).verdict(*CRAB).ambiguous
    assert Text("the [crab]", {}, guard_with(False), CRAB).verdict(*CRAB) == UNASKED  # it has but one
    assert Text("the [crab]", {}, guard_with(True), LICE, CRAB).verdict(*LICE).ambiguous  # marked
    assert Text("the [crab]", {}, guard_with(True), GRUMBLE, LICE).verdict(*GRUMBLE).ambiguous  # no first guess
    adjective = Text("the [crab] wall", {"crab": "JJ", "wall": "NN"}, guard_with(True), CRAB, LICE)
    assert adjective.verdict(*CRAB).ambiguous


def test_the_first_ontology_that_knows_a_name_decides_whether_it_is_ambiguous() -> None:
    assert Text("the [crab]", {}, None, MITES).verdict(*MITES) == UNASKED
    assert Text("the [crab]", {}, None, LICE, MITES).verdict(*MITES).ambiguous
    surely = Text("the [crab]", {}, None, LICE, (0, "scabies", "scabies"))
    assert surely.verdict(*LICE) == UNASKED  # a near relative is surely called so
    shouted = Text("SCHOOL [AIDS] FAMILIES", {}, None, (0, "lice", "rash bug"))
    assert shouted.verdict(0, "lice", "rash bug") == UNASKED


def test_a_shouted_acronym_is_ambiguous() -> None:
    own = ontology("deficiency: AIDS\n")
    stack = OntologyStack([own])
    for text, ambiguous in (("SCHOOL AIDS FAMILIES", True), ("school AIDS families", False)):
        one = sense(stack, 0, "deficiency", "AIDS")
        reader = SenseGuard(stack).read(document(text), [])
        assert reader.verdict(mention(7, 11, one), one).ambiguous is ambiguous


@pytest.mark.parametrize(
    ("marked", "tags", "is_one"),
    [
        ("saw a [Queen] there", {}, True),
        ("saw the [Queen] there", {}, False),
        ("saw a [Queen] street", {"street": "NN"}, False),
        ("saw a [Queen]-based firm", {}, False),
    ],
)
def test_a_name_behind_an_article_that_is_a_common_noun_besides_is_one_of_many(
    marked: str, tags: dict[str, str], is_one: bool
) -> None:
    text = Text(marked, tags, None, (2, "title", "Queen"), CRAB)
    assert text.reader._is_one_of_many(text.mention, *_senses(text)) is is_one


def _senses(text: Text) -> tuple[Sense, list[Sense]]:
    own, *rivals = text.mention.senses
    return own, rivals


# --- by weights --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def weighed(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the signs say together, by hand: the last of the list. Nobody reads the words around."""
    total = [0.0]
    monkeypatch.setattr(senses, "weigh", lambda signs: total[-1])
    monkeypatch.setattr(senses, "_UNSURE", (0.0, 0.0))
    return total


class Reads:
    """A reader that leans to a meaning as far as it is told to, and counts how often it is asked."""

    def __init__(self, leaning: float) -> None:
        self._leaning = leaning
        self.asked: list[tuple[str, str]] = []

    def leaning(self, text: str, start: int, end: int, concept: str) -> float:
        self.asked.append((text[start:end], concept))
        return self._leaning


@pytest.mark.parametrize(
    ("total", "leaning", "read"),
    [(-1.6, 9.0, False), (-1.4, 3.0, True), (-1.4, -3.0, True), (0.2, -3.0, True), (0.4, -9.0, False)],
)
def test_unsure_signs_are_weighed_with_what_is_read_around(
    monkeypatch: pytest.MonkeyPatch, total: float, leaning: float, read: bool
) -> None:
    reads = Reads(leaning)
    monkeypatch.setattr(senses, "weigh", lambda signs: total)
    monkeypatch.setattr(senses, "meanings", lambda: reads)
    found = Text("the [crab]", {}, knowing(), LICE).verdict(*LICE)
    assert reads.asked == [("crab", "lice : infection, ailment, health")] * read
    weight = senses._AS_READ * leaning
    together = senses._OF_SIGNS * total + weight if read else total
    assert found.support - found.rival_support == pytest.approx(together)
    assert found.counts is (together >= -senses._OF_MARKED)
    told = [(one.speaks, one.weight) for one in (*found.evidence, *found.rival_evidence) if one.speaks in AS_READ]
    assert told == ([(AS_READ[leaning < 0], pytest.approx(abs(weight)))] if read else [])


AS_READ = (Speaks.READ, Speaks.READ_OTHERWISE)


@pytest.mark.parametrize(
    ("total", "marked", "unmarked"),
    [(1.0, True, True), (-0.2, True, True), (-0.4, False, True), (-1.5, False, True), (-1.7, False, False)],
)
def test_more_may_be_said_against_a_name_that_is_not_marked(
    weighed: list[float], total: float, marked: bool, unmarked: bool
) -> None:
    weighed.append(total)
    found = Text("the [crab]", {}, knowing(), LICE).verdict(*LICE)
    assert (found.counts, found.support, found.rival_support) == (marked, max(total, 0.0), max(-total, 0.0))
    assert found.ambiguous
    assert found.concept == "protected:lice"
    rivals = Text("the [scabies]", {}, knowing(), (0, "scabies", "scabies"), CRAB)
    assert rivals.verdict(0, "scabies").counts is unmarked


@pytest.mark.parametrize(("misspelt", "counts"), [(False, True), (True, False)])
def test_as_much_may_be_said_against_a_rare_word_if_it_is_written_so(weighed: list[float], misspelt: bool, counts: bool) -> None:
    weighed.append(-1.0)
    text = Text("the [zzyzx]", {}, knowing(), LICE)
    one = mention(4, 9, *text.mention.senses, misspelt=misspelt)
    assert text.reader.verdict(one, one.senses[0]).counts is counts


@pytest.mark.parametrize(("other", "counts"), [(4.4, True), (4.5, False)])
def test_far_more_for_another_meaning_in_the_same_vocabulary_decides(
    monkeypatch: pytest.MonkeyPatch, weighed: list[float], other: float, counts: bool
) -> None:
    told = iter((0.5, other))
    monkeypatch.setattr(senses, "weigh", lambda signs: next(told))
    found = Text("the [crab]", {}, knowing(), LICE, (0, "rainbow", "bow")).verdict(*LICE)
    assert (found.counts, found.support) == (counts, 0.5)
    assert (found.rival, found.rival_support) == (("", 0.0) if counts else ("protected:rainbow", other))


@pytest.mark.parametrize(("total", "counts"), [(-0.7, True), (-0.8, True), (-0.9, False)])
def test_half_as_much_may_be_said_against_a_name_that_is_written_as_another_is(
    monkeypatch: pytest.MonkeyPatch, weighed: list[float], total: float, counts: bool
) -> None:
    weighed.append(total)
    signs = senses.SenseReader._signs
    monkeypatch.setattr(senses.SenseReader, "_signs", lambda *given: signs(*given) | {"rival written so": 1.0})
    zodiac = Text("the [scabies]", {}, knowing(), (0, "scabies", "scabies"), CRAB)
    assert zodiac.verdict(0, "scabies").counts is counts


def test_as_much_as_may_be_said_against_a_name_still_lets_it_count(weighed: list[float]) -> None:
    weighed.append(-senses._OF_MARKED)
    assert Text("the [crab]", {}, knowing(), LICE).verdict(*LICE).counts


@pytest.mark.parametrize(("total", "speaks"), [(1.0, True), (-0.4, True), (-0.6, False), (-5.0, False)])
def test_a_counted_word_speaks_of_a_concept_unless_a_dictionary_means_another(
    weighed: list[float], total: float, speaks: bool
) -> None:
    weighed.append(total)
    lice = FIELD.concept(number(FIELD, "lice"))
    crab = Text("the [crab]", {}, knowing(), CRAB)
    assert crab.reader.speaks_of(crab.mention, 0, lice) is speaks
    among_capitals = Text("The [crab] Here", {}, knowing(), CRAB)
    assert among_capitals.reader.speaks_of(among_capitals.mention, 0, lice) is speaks
    for other in (
        Text("the [crab]", {}, knowing(), LICE),  # no dictionary knows it
        Text("the [Crab]", {}, knowing(), CRAB),
        Text("the [crab]", {}, None, CRAB),  # nothing was learned
    ):
        assert other.reader.speaks_of(other.mention, 0, lice)
    weighed.append(-senses._OF_COUNTED)
    assert not crab.reader.speaks_of(crab.mention, 0, lice)


def test_the_words_around_are_not_read_for_what_a_word_speaks_of(monkeypatch: pytest.MonkeyPatch, weighed: list[float]) -> None:
    """Asked whether "crab" means lice, a reader says no; it was counted with them all the same."""
    reads = Reads(-9.0)
    monkeypatch.setattr(senses, "_UNSURE", (-2.0, 2.0))
    monkeypatch.setattr(senses, "meanings", lambda: reads)
    crab = Text("the [crab]", {}, knowing(), CRAB)
    assert crab.reader.speaks_of(crab.mention, 0, FIELD.concept(number(FIELD, "lice")))
    assert reads.asked == []


def test_the_first_vocabulary_of_which_something_was_learned_is_weighed(weighed: list[float]) -> None:
    def concept(*fields: int, own: tuple[int, str, str] = LICE, others: Sequence[tuple[int, str, str]] = ()) -> str:
        guard: Any = knowing()
        guard.field = lambda place, number: object() if place in fields else None
        return Text("the [crab]", {}, guard, own, *others).verdict(*own).concept

    assert concept(0, 1, others=[MITES]) == "protected:lice"
    assert concept(1, others=[MITES]) == "second:mites"
    assert concept(others=[MITES]) == ""
    assert concept(0, 2, own=CRAB, others=[GRUMBLE]) == ""  # of dictionaries nothing was learned
    bloom = (0, "red tide", "bloom")
    assert concept(0, own=bloom, others=[LICE]) == "protected:red-tide"  # itself before others as good
    assert concept(0, own=LICE, others=[bloom]) == "protected:lice"


def test_evidence_for_and_against_is_told_by_side_the_weightiest_first(weighed: list[float]) -> None:
    guard = knowing(wall=2.0, brick=-2.0, paint=3.0, tile=-0.5)
    text = Text("wall brick scabies [crab] paint. A tile", {"crab": "VBP"}, guard, LICE, CRAB)
    found = text.verdict(*LICE)
    speaking = [(text.text[one.start : one.end], one.speaks) for one in found.evidence]
    against = [(text.text[one.start : one.end], one.speaks) for one in found.rival_evidence]
    assert speaking == [("paint", Speaks.KNOWLEDGE), ("scabies", Speaks.KIN), ("wall", Speaks.KNOWLEDGE)]
    assert against == [("crab", Speaks.GRAMMAR), ("brick", Speaks.STRANGE), ("tile", Speaks.STRANGE)]
    assert all(one.weight > 0 for one in (*found.evidence, *found.rival_evidence))
    for sign in ("counted for, in the sentence", "counted against, in the sentence", "counted against, outside"):
        assert found.signs[sign] != 0.0
    assert found.signs["counted for, outside"] == 0.0


SIGNS = ("noun", "verb", "adjective", "noun behind", "noun before", "adjective before", "of", "article", "whose", "shouted")


@pytest.mark.parametrize(
    ("marked", "tags", "signs"),
    [
        ("then [crab] then", {"crab": "NN"}, {"noun"}),
        ("then [crab] then", {"crab": "VBP"}, {"verb"}),
        ("then [crab] then", {"crab": "JJ"}, {"adjective"}),
        ("then [crab] wall", {"wall": "NNS"}, {"noun behind"}),
        ("wall [crab] then", {"wall": "NNS"}, {"noun before"}),
        ("old [crab] then", {"old": "JJ"}, {"adjective before"}),
        ("his [crab] then", {"his": "PRP$"}, {"whose"}),
        ("wall old his that [crab] then old wall", {"wall": "NN", "old": "JJ", "his": "PRP$"}, {"article"}),
        ("then [crab] of it", {}, {"of"}),
        ("then [crab] Of it", {}, {"of"}),
        ("then [crab] of", {}, {"of"}),
        ("of it [crab] it of", {}, set()),
        ("then [crab]", {}, set()),
        ("[crab] and the", {}, set()),
        ("a [crab] then", {}, {"article"}),
        ("The [crab] then", {}, {"article"}),
        ("a old [crab] a", {}, set()),
        ("OLD [AIDS] THEN", {}, {"shouted"}),
        ("the [red crab] then", {"red": "JJ", "crab": "NN", "the": "SYM"}, {"noun", "article"}),
        ("his [red crab] wall", {"his": "PRP$", "wall": "NN"}, {"whose", "noun behind"}),
    ],
)
def test_the_place_of_a_name_is_told_by_the_kinds_of_words_beside_it(marked: str, tags: dict[str, str], signs: set[str]) -> None:
    own = (0, "lice", "AIDS" if "AIDS" in marked else "crab")
    found = Text(marked, tags, knowing(), own).verdict(*own).signs
    assert {sign for sign in SIGNS if found[sign]} == signs
    assert {float(found[sign]) for sign in SIGNS} <= {0.0, 1.0}


def test_what_the_name_and_its_evidence_tell_is_told_too() -> None:
    text = Text("contagious [crab], lobster and shrimp", {}, knowing(), LICE, CRAB, (2, "title", "title"))
    found = text.verdict(*LICE).signs
    assert (found["scope"], found["rivals"], found["words"], found["always"]) == (5.0, 2.0, 1.0, 1.0)
    assert found["governing cue"] == 0.6
    assert "cue" not in found
    assert found["rival evidence"] == 1.0  # of the rival that has most
    assert (found["prior"], found["no prior"]) == (0.0, 1.0)
    alone = Text("the [crab] is contagious", {}, knowing(), LICE).verdict(*LICE).signs
    assert alone["cue"] == 0.6
    assert "rival evidence" not in alone


def test_what_was_counted_of_the_name_is_a_sign() -> None:
    counted = Counted(1000, {"<lice>": 100, "crab": 9, "crab + <lice>": 2})
    found = Text("the [crab]", {}, SenseGuard(STACK, counted), LICE).verdict(*LICE).signs
    assert found["prior"] == pytest.approx(-1.0986, abs=0.001)  # one in four
    assert found["no prior"] == 0.0


def test_the_scope_is_that_of_the_first_ontology_and_the_surest_name_in_it() -> None:
    def scope(*others: tuple[int, str, str]) -> object:
        return Text("the [crab]", {}, knowing(), LICE, *others, CRAB).verdict(*LICE).signs["scope"]

    assert scope() == 5.0
    assert scope(MITES) == 5.0
    assert scope((0, "scabies", "scabies")) == 0.0


def test_evidence_outside_the_sentence_is_told_apart_in_signs() -> None:
    found = Text("Scabies. The [crab] and comb.", {}, knowing(), LICE).verdict(*LICE).signs
    assert (found["kin, outside"], found["beside"]) == (0.3, 0.5)
    assert "kin" not in found


def test_the_place_is_judged_within_its_paragraph_and_sentence_with_kin_and_rivals_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, tuple[Any, ...]] = {}

    def place(numbers: Sequence[int], *bounds: Any) -> Any:
        asked["place"] = bounds
        return likeness.place(numbers, *bounds)

    def of_place(known: object, here: object, *concepts: Any) -> dict[str, float]:
        asked["concepts"] = concepts
        return {}

    monkeypatch.setattr(senses, "place", place)
    monkeypatch.setattr(senses, "of_place", of_place)
    Text("Gone.\n\nWe left. The [crab] was k.\n\nGone.", {}, knowing(), LICE, MITES, CRAB).verdict(*LICE)
    # Gone . / We left . The crab was k . / Gone .
    assert asked["place"] == (6, 6, (2, 10), (5, 10))
    lice, mites, crab = ((one[0], number(STACK[one[0]], one[1])) for one in (LICE, MITES, CRAB))
    assert asked["concepts"] == (lice, [lice, mites], [crab], "crab")


def test_what_is_remembered_of_the_name_is_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    class Remembering:
        def leaning(self, key: str, concept: str, views: Mapping[str, object]) -> dict[str, float]:
            return {"remembered, close": 2.0} if (key, concept) == ("crab", "protected:lice") else {}

    monkeypatch.setattr(senses, "memory", Remembering)
    assert Text("the [crabs]", {}, knowing(), LICE).verdict(*LICE).signs["remembered, close"] == 2.0
