"""The four attackers, on the toy world and on small texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.evaluate.alignment import differences
from kgsan.evaluate.aware import AwareAttacker
from kgsan.evaluate.chances import Candidates, evidence
from kgsan.evaluate.fill_in import FillInAttacker
from kgsan.evaluate.inference_attack import InferenceAttacker
from kgsan.evaluate.linkage import linked, sizes
from kgsan.policy.read import load_policy
from kgsan.sanitize.sanitizer import Sanitizer
from tests.conftest import within
from tests.evaluate.world import write_world
from tests.papers.toy import TOY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Sanitizer]:
    def made(**more: str) -> Sanitizer:
        return Sanitizer(load_policy(write_world(tmp_path_factory.mktemp("world"), **more)))

    return made


@pytest.fixture(scope="module")
def toy(policy: Callable[..., Sanitizer]) -> Sanitizer:
    return policy()


# --- knowing the policy ---------------------------------------------------------------------------------------------------


def test_a_replacement_tells_more_than_its_words_to_whoever_knows_the_policy(toy: Sanitizer) -> None:
    [told] = AwareAttacker(toy).tells("An infection was found, and the infection went away.")
    assert (told.word, told.entity, told.places, told.terms) == ("infection", "HIV", 2, 3)  # HIV, AIDS, viral infection
    assert told.share == pytest.approx(2 / 3)
    assert told.alone == pytest.approx(1 / 2)
    assert told.reaches


def test_a_word_that_the_policy_writes_for_nothing_tells_nothing(toy: Sanitizer) -> None:
    assert AwareAttacker(toy).tells("She feels fatigue and likes her dog.") == []


def test_a_mark_of_removal_tells_that_something_protected_stood_there(toy: Sanitizer, policy: Callable[..., Sanitizer]) -> None:
    [told] = AwareAttacker(toy).tells("He has [REDACTED].")
    assert (told.word, told.share) == ("[REDACTED]", 1.0)
    both = policy(protect="[{entity: HIV}, {entity: ibuprofen}]", strictness="1")
    shares = {one.entity: one.share for one in AwareAttacker(both).tells("He has [REDACTED].")}
    assert shares["ibuprofen"] > shares["HIV"]  # ibuprofen is the likelier of the two: 64 of 80
    assert shares["HIV"] == pytest.approx(1 - 2.321928 / 6)


def test_a_harmless_word_tells_everything_if_only_one_thing_becomes_it(toy: Sanitizer) -> None:
    [told] = AwareAttacker(toy).tells("He takes a drug.")
    assert (told.word, told.terms, told.share) == ("drug", 2, 1.0)  # zidovudine and antiretroviral, but not ibuprofen
    assert told.alone == pytest.approx(1 / 3)


# --- guessing -------------------------------------------------------------------------------------------------------------


def test_the_chance_is_that_of_the_most_telling_term() -> None:
    among = Candidates.among(TOY, ["HIV", "disease", "never heard of"])
    assert among.terms == ("HIV", "disease")
    chances = among.chances(["zidovudine", "fatigue"])
    assert chances.tolist() == pytest.approx([(4 + 1 / 64) / 5, (4 + 1 / 4) / 5])
    assert among.chances([]).tolist() == pytest.approx([1 / 64, 1 / 4])


def test_the_rarest_terms_are_asked_first_and_unknown_ones_never() -> None:
    assert evidence(TOY, ["fatigue", "AIDS", "unicorn", "fatigue", "zidovudine"]) == ["zidovudine", "AIDS", "fatigue"]


def test_what_is_hidden_falls_in_rank_and_chance(toy: Sanitizer) -> None:
    attacker = InferenceAttacker(toy)
    [before], [after] = attacker.guesses("He takes zidovudine for HIV."), attacker.guesses("He takes a drug for an infection.")
    assert (before.rank, before.before) == (1, 1 / 64)
    assert after.rank is not None
    assert after.rank > 4
    assert before.chance is not None
    assert after.chance is not None
    assert before.chance > 0.8 > 0.2 > after.chance


def test_what_is_above_or_below_an_entity_is_no_other_guess(toy: Sanitizer) -> None:
    [guess] = InferenceAttacker(toy).guesses("He is well.")
    assert guess.among == 16 - len({"AIDS", "viral infection", "infection", "disease", "entity", "zidovudine"})  # too rare
    assert guess.chance == guess.before


def test_an_entity_that_nobody_counted_has_no_rank(tmp_path: Path) -> None:
    policy = write_world(tmp_path, protect="[{entity: condom}]")
    counts = tmp_path / "counts.tsv"
    counts.write_text("".join(row for row in counts.read_text().splitlines(keepends=True) if "condom" not in row))
    [guess] = InferenceAttacker(Sanitizer(load_policy(policy))).guesses("He takes a drug.")
    assert (guess.rank, guess.chance) == (None, None)


# --- filling in -----------------------------------------------------------------------------------------------------------


def test_a_replaced_word_is_guessed_from_its_context(toy: Sanitizer) -> None:
    [found] = FillInAttacker(toy).attack("HIV. He takes zidovudine.", "HIV. He takes a drug.")
    assert found.guesses[0] == "antiretroviral"  # all that stands beside HIV; zidovudine as well, but rarer
    assert set(found.guesses) == {"antiretroviral", "zidovudine", "ibuprofen"}
    assert found.rank in (1, 2)
    assert found.stood == ("zidovudine",)
    assert "zidovudine" not in repr(found)


def test_behind_a_mark_of_removal_the_protected_is_guessed(toy: Sanitizer) -> None:
    [found] = FillInAttacker(toy).attack("He has AIDS.", "He has [REDACTED].")
    assert set(found.guesses) == {"HIV", "AIDS"}
    assert found.rank in (1, 2)


def test_what_is_not_below_the_replacement_is_never_guessed(toy: Sanitizer) -> None:
    [found] = FillInAttacker(toy).attack("He has fatigue.", "He has an infection.")
    assert found.rank is None


def test_a_text_that_is_its_original_gives_nothing_to_guess(toy: Sanitizer) -> None:
    assert FillInAttacker(toy).attack("He has HIV.", "He has HIV.") == []


# --- linking --------------------------------------------------------------------------------------------------------------

STORIES = {f"d{i}": f"Story {i} tells of a mill, a river and the number {'i' * (i + 3)}." for i in range(40)}


def test_a_text_is_found_by_the_words_that_only_its_source_has() -> None:
    background = {**STORIES, "a": "The heron of Tarnby sang at noon."}
    found = linked({"original": {"a": background["a"]}, "released": {"a": "A bird sang."}, "empty": {"a": "A bird."}}, background)
    assert [(one.version, one.background, one.found, one.texts) for one in found] == [
        ("original", 10, 1, 1),
        ("released", 10, 1, 1),
        ("empty", 10, 0, 1),
        ("original", 41, 1, 1),
        ("released", 41, 1, 1),
        ("empty", 41, 0, 1),
    ]


def test_of_two_equal_sources_none_is_found() -> None:
    [found] = linked({"released": {"a": "one two"}}, {"a": "one two", "b": "one two"})
    assert (found.found, found.share) == (0, 0.0)


def test_a_text_without_a_source_is_left_out() -> None:
    assert linked({"released": {"x": "one"}}, {"a": "one"}) == []
    assert [one.texts for one in linked({"released": {"x": "one", "a": "one"}}, {"a": "one", "b": "two"})] == [1]


def test_a_smaller_background_holds_every_source() -> None:
    assert sizes(5, 1) == [5]
    assert sizes(5_000, 20) == [100, 1_000, 5_000]


# --- with what ships ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipped() -> Sanitizer:
    return Sanitizer(load_policy("us-hiv"))


NOTE = "Mr. Brandt has been on zidovudine since his HIV test in March. He also has a sprained ankle."


def test_a_sanitized_note_is_harder_to_guess_than_its_original(shipped: Sanitizer) -> None:
    attacker = InferenceAttacker(shipped)
    before, after = attacker.guesses(NOTE)[0], attacker.guesses(shipped.sanitize(NOTE).text)[0]
    assert before.rank is not None
    assert after.rank is not None
    assert before.rank <= 3
    assert after.rank > 10 * before.rank
    assert (before.chance or 0) > 5 * (after.chance or 1)


def test_whoever_knows_a_shipped_policy_learns_more_from_a_replacement(shipped: Sanitizer) -> None:
    told = [one for one in AwareAttacker(shipped).tells(shipped.sanitize(NOTE).text) if one.entity == "HIV infection"]
    assert told
    assert all(0 < one.share <= 1 for one in told)
    assert all(one.share > one.alone for one in told if one.alone is not None and one.reaches)


def test_what_stands_beside_a_replacement_helps_to_guess_it(shipped: Sanitizer) -> None:
    attacker = FillInAttacker(shipped)
    [alone] = attacker.attack("He takes zidovudine.", "He takes a drug.")
    [beside] = attacker.attack("He takes zidovudine for HIV.", "He takes a drug for HIV.")
    assert alone.rank is not None
    assert beside.rank is not None
    assert beside.rank < alone.rank


# --- where two texts differ -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("He has HIV.", "He has HIV.", []),
        ("He has HIV.", "He has an infection.", [("HIV", "an infection")]),
        ("HIV today and HIV tomorrow.", "X today and Y tomorrow.", [("HIV", "X"), ("HIV", "Y")]),
        ("HIV or HIV or HIV.", "X or Y or Z.", [("HIV or HIV or HIV", "X or Y or Z")]),  # nothing stands in both once
        ("one two three", "one three", [("two", "")]),
        ("one three", "one two three", [("", "two")]),
        ("", "new", [("", "new")]),
        ("a b c", "x y z", [("a b c", "x y z")]),
    ],
)
def test_differences_are_found_word_by_word(old: str, new: str, wanted: list[tuple[str, str]]) -> None:
    found = [(old[one.start : one.end], new[one.new_start : one.new_end]) for one in differences(old, new)]
    assert found == wanted


@given(st.text("ab .", max_size=30), st.text("ab .", max_size=30))
def test_the_new_text_follows_from_the_old_one_and_the_differences(old: str, new: str) -> None:
    made, at = [], 0
    for one in differences(old, new):
        assert at <= one.start <= one.end <= len(old)
        made += [old[at : one.start], new[one.new_start : one.new_end]]
        at = one.end
    made.append(old[at:])
    assert "".join("".join(made).split()) == "".join(new.split())


def test_repeated_words_take_no_time_without_end() -> None:
    assert within(5, differences, "a b " * 40_000, "b a " * 40_000)
