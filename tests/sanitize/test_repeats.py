"""What stands around a change, rule by rule, on texts whose tags are given."""

from __future__ import annotations

import pytest

from kgsan.sanitize.repeats import Change, Surroundings
from tests.sanitize.tagged import around, document, words

# --- places --------------------------------------------------------------------------------------------------------------------


def test_the_token_at_a_place_is_the_first_that_ends_behind_it() -> None:
    made = around("He/PRP has/VBZ it/PRP")
    assert [made.token(place) for place in (0, 1, 2, 3, 5, 6, 7, 8, 9)] == [0, 0, 1, 1, 1, 2, 2, 2, 3]


def test_a_token_is_in_the_sentence_that_began_last() -> None:
    made = around("He/PRP left/VBD ~./. ¶ She/PRP stayed/VBD")
    assert [made.sentence(token) for token in range(6)] == [0, 0, 0, 3, 3, 5]
    assert around("").sentence(0) == 0


def test_a_token_outside_of_phrases_is_a_phrase_of_its_own() -> None:
    made = around("He/PRP saw/VBD { old/JJ men/NNS } and/CC { cats/NNS }")
    assert [made.phrase(token) for token in range(6)] == [(0, 1), (1, 2), (2, 4), (2, 4), (4, 5), (5, 6)]
    assert around("He/PRP left/VBD").phrase(1) == (1, 2)


def test_only_the_beginning_of_a_very_long_word_is_looked_at() -> None:
    assert around("a" * 64 + "bc/NN").words[0] == "a" * 64


@pytest.mark.parametrize(
    ("changed", "core"),
    [
        ("an STD", "STD"),
        ("The  virus", "virus"),
        ("A test", "test"),
        ("the ", "the "),
        ("another", "another"),
        ("a", "a"),
        ("theory", "theory"),
    ],
)
def test_an_article_at_the_beginning_of_a_change_is_not_its_core(changed: str, core: str) -> None:
    made = Surroundings(document("x/NN"), [])
    made.text = f"He has {changed} now"
    start = made.core(Change(7, 7 + len(changed), "disease"))
    assert made.text[start : 7 + len(changed)] == core
    assert made.core(Change(7, 7 + len(changed), None)) == 7


def test_behind_the_last_change_comes_the_end_of_the_text() -> None:
    made = around("HIV/NNP or/CC AIDS/NNP here/RB", "HIV", "AIDS")
    assert [made.following(number) for number in (0, 1, 2)] == [0, 7, 16]


@pytest.mark.parametrize(
    ("changes", "changed"),
    [
        ([(0, 3)], [0]),
        ([(1, 2)], [0]),
        ([(0, 5)], [0, 1]),
        ([(4, 8), (9, 10)], [1, 2]),
        ([(4, 5), (5, 6), (6, 8)], [1]),
        ([(0, 2), (2, 8)], [0, 1]),
        ([(0, 11)], [0, 1, 2]),
        ([], []),
    ],
)
def test_a_token_is_changed_where_a_change_touches_it(changes: list[tuple[int, int]], changed: list[int]) -> None:
    made = Surroundings(document("Ann/NNP Lund/NNP out/RB now/RB"), [Change(start, end, None) for start, end in changes])
    assert made.changed == [token in changed for token in range(5)]


# --- before a noun -------------------------------------------------------------------------------------------------------------

#: The noun stands last; then where its phrase begins and what determines it.
BEFORE = {
    "He/PRP has/VBZ an/DT untreated/JJ chronic/JJ rash/NN": ("untreated", "an"),
    "He/PRP has/VBZ rash/NN": ("rash", None),
    "He/PRP has/VBZ many/JJ rash/NN": ("rash", "many"),
    "He/PRP has/VBZ Various/JJ mild/JJ rash/NN": ("mild", "Various"),
    "all/PDT rash/NN": ("rash", "all"),
    "quite/PDT rash/NN": ("rash", "quite"),
    "mine/PRP$ rash/NN": ("rash", "mine"),
    "hers/WP$ rash/NN": ("rash", "hers"),
    "as/WDT rash/NN": ("rash", "as"),
    "Ann/NNP ~'s/POS rash/NN": ("rash", "'s"),
    "two/CD old/JJ rash/NN": ("old", "two"),
    "ye/DT rash/NN": ("rash", "ye"),
    "a/DT long/RB ~-/HYPH ~standing/VBG rash/NN": ("long", "a"),
    "a/DT well/RB ~-/HYPH ~known/VBN mild/JJ rash/NN": ("well", "a"),
    "long/RB ~-/HYPH ~standing/VBG rash/NN": ("long", None),
    "long/RB -/HYPH standing/VBG rash/NN": ("rash", None),
    "-/HYPH ~standing/VBG rash/NN": ("rash", None),
    "a/DT ¶ rash/NN": ("rash", None),
    "a/DT mild/JJ ¶ mild/JJ rash/NN": ("mild", None),
    "He/PRP went/VBD mild/JJ rash/NN": ("mild", None),
    "a/DT 1/JJ 2/JJ 3/JJ 4/JJ 5/JJ 6/JJ 7/JJ rash/NN": ("1", "a"),
    "a/DT 1/JJ 2/JJ 3/JJ 4/JJ 5/JJ 6/JJ 7/JJ 8/JJ rash/NN": ("1", None),
    "a/DT 0/JJ 1/JJ 2/JJ 3/JJ 4/JJ 5/JJ 6/JJ 7/JJ 8/JJ rash/NN": ("1", None),
}


@pytest.mark.parametrize("source", BEFORE)
def test_a_noun_is_led_by_what_describes_it_and_determined_by_what_stands_before_that(source: str) -> None:
    made = around(source)
    found = made.before(made.text.rindex("rash"), 0)
    assert tuple(words(made, found)) == BEFORE[source]
    assert found[0] > (found[1] if found[1] is not None else -1)


@pytest.mark.parametrize(
    ("low", "found"), [(0, ("mild", "a")), (9, ("mild", "a")), (10, ("mild", None)), (11, ("mild", None)), (12, ("rash", None))]
)
def test_nothing_before_a_lower_end_is_looked_at(low: int, found: tuple[str, str | None]) -> None:
    made = around("He/PRP needs/VBZ a/DT mild/JJ rash/NN")
    assert made.text.index("a mild") == 9
    assert tuple(words(made, made.before(made.text.index("rash"), low))) == found


#: Whether the word in the middle belongs to the noun behind it.
LEADS = {
    "{ liver/NN rash/NN }": True,
    "{ Lyme/NNP rash/NN }": True,
    "{ liver/NN } { rash/NN }": False,
    "{ patient/NN rash/NN }": False,
    "{ Monday/NNP rash/NN }": False,
    "worsening/VBG rash/NN": True,
    "spreading/VBG rash/NN": False,
    "old/JJ rash/NN": True,
    "older/JJR rash/NN": True,
    "oldest/JJS rash/NN": True,
    "pre/AFX rash/NN": True,
    "with/IN rash/NN": False,
    "very/RB old/JJ rash/NN": True,
    "very/RB used/VBN rash/NN": True,
    "very/RB rash/NN": False,
    "often/RB old/JJ rash/NN": False,
}


@pytest.mark.parametrize("source", LEADS)
def test_what_describes_a_noun_belongs_to_it(source: str) -> None:
    assert around(source)._leads(0, 0) is LEADS[source]


#: Whether "used" describes what follows, or is what somebody did.
PARTICIPLES = {
    "with/IN used/VBN drug/NN": True,
    "has/VBZ used/VBN drug/NN": False,
    "Was/VBD used/VBN drug/NN": False,
    "has/VBZ not/RB used/VBN drug/NN": False,
    "has/VBZ never/NN used/VBN drug/NN": False,
    "has/VBZ n't/NN used/VBN drug/NN": False,
    "has/VBZ recently/RB used/VBN drug/NN": False,
    "has/VBZ not/RB often/RB used/VBN drug/NN": False,
    "has/VBZ old/JJ used/VBN drug/NN": True,
    "with/IN newly/RB used/VBN drug/NN": True,
    "not/RB used/VBN drug/NN": True,
    "used/VBN drug/NN": False,
}


@pytest.mark.parametrize("source", PARTICIPLES)
def test_a_participle_belongs_to_the_noun_unless_somebody_is_or_has(source: str) -> None:
    made = around(source)
    assert made._leads(made.words.index("used"), 0) is PARTICIPLES[source]


# --- behind a noun -------------------------------------------------------------------------------------------------------------

#: Whether HIV stands before the noun it belongs to.
MODIFIES = {
    "{ HIV/NNP test/NN } ./.": True,
    "{ HIV/NNP test/NN } ↵ Next/JJ": True,
    "{ HIV/NNP ↵ test/NN }": False,
    "{ HIV/NNP } test/NN": False,
    "{ HIV/NNP viral/JJ load/NN }": True,
    "{ HIV/NNP viral/JJ } load/NN": False,
    "{ HIV/NNP viral/JJ old/JJ } load/NN": False,
    "{ HIV/NNP and/CC load/NN }": False,
    "HIV/NNP ¶ test/NN": False,
    "HIV/NNP": False,
    "HIV/NNP ~-/HYPH ~positive/JJ": True,
    "HIV/NNP ~–/HYPH ~positive/JJ": True,
    "HIV/NNP ~-/HYPH ~2/CD": True,
    "HIV/NNP ~-/HYPH ~IL/2/NN": True,
    "HIV/NNP ~-/HYPH positive/JJ": False,
    "HIV/NNP ~-/HYPH ~)/-RRB-": False,
    "HIV/NNP ~,/, ~so/RB": False,
    "{ HIV/NNP ~test/NN }": False,
    "HIV/NNP positive/JJ": True,
    "HIV/NNP Infected/VBN": True,
    "HIV/NNP free/NN": False,
    "HIV/NNP glad/JJ": False,
}


@pytest.mark.parametrize("source", MODIFIES)
def test_a_noun_before_another_modifies_it(source: str) -> None:
    assert around(source).modifies(3) is MODIFIES[source]


@pytest.mark.parametrize(("blanks", "modifies"), [(39, False), (40, True), (41, True)])
def test_a_break_of_the_line_is_looked_for_so_far_and_no_further(blanks: int, modifies: bool) -> None:
    made = around("{ HIV/NNP " + "_ " * blanks + "test/NN }")
    made.text = "HIV" + " " * blanks + "\ntest"
    assert made.starts[1] == 3 + blanks + 1
    assert made.modifies(3) is modifies


#: Whether "low" tells how someone is.
DESCRIBES = {
    "She/PRP is/VBZ low/JJ": True,
    "She/PRP is/VBZ low/JJR": True,
    "She/PRP is/VBZ low/JJS": True,
    "She/PRP Was/VBD low/VBN": True,
    "She/PRP feels/VBZ low/VBG": True,
    "She/PRP is/VBZ low/NN": False,
    "She/PRP has/VBZ low/JJ": False,
    "She/PRP is/VBZ very/RB low/JJ": True,
    "She/PRP is/VBZ much/RBR more/RBR low/JJ": True,
    "Is/VBZ very/RB low/JJ": True,
    "Is/VBZ low/JJ": True,
    "very/RB low/JJ": False,
    "low/JJ": False,
    "Is/VBZ 1/RB 2/RB 3/RB 4/RB 5/RB 6/RB 7/RB low/JJ": True,
    "Is/VBZ 1/RB 2/RB 3/RB 4/RB 5/RB 6/RB 7/RB 8/RB low/JJ": False,
}


@pytest.mark.parametrize("source", DESCRIBES)
def test_an_adjective_behind_to_be_tells_how_someone_is(source: str) -> None:
    made = around(source)
    start = made.text.rindex("low")
    assert made.describes(start, start + 3) is DESCRIBES[source]


def test_of_several_words_the_last_tells_whether_they_describe() -> None:
    for tag, tells in (("JJ", True), ("NN", False)):
        made = around(f"He/PRP is/VBZ HIV/NNP positive/{tag} today/NN")
        assert made.describes(6, 18) is tells


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("a/DT history/NN of/IN drugs/NNS", True),
        ("a/DT Kind/NN Of/IN drugs/NNS", True),
        ("a/DT city/NN of/IN drugs/NNS", False),
        ("a/DT history/NN in/IN drugs/NNS", False),
    ],
)
def test_no_article_is_wanted_behind_a_kind_of(source: str, wanted: bool) -> None:
    assert around(source).of_a_kind(3) is wanted


# --- one or many ---------------------------------------------------------------------------------------------------------------

#: What is changed, with the tags it may have wrongly.
PLURAL = {
    "antivirals/NNS": True,
    "antivirals/NNPS": True,
    "children/NN": True,
    "Larvae/NN": True,
    "virus/NNS": False,
    "glass/NNS": False,
    "crisis/NNS": False,
    "diabetes/NNS": False,
    "AIDS/NNS": False,
    "drug/NNS": False,
    "Xs/NNS": False,
    "IDs/NNS": True,
    "QZXs/NN": True,
    "QZXs/NNP": True,
    "ABcs/NNP": False,
    "DRUGS/NNS": True,
    "DRUGS/NNPS": True,
    "DRUGS/NN": False,
    "QZXS/NNS": False,
    "drugs/NN": True,
    "drugs/VBZ": True,
    "drugs/NNP": False,
    "zzqas/NN": False,
    "courses/NNS of/IN gin/NN": True,
    "course/NN of/IN drugs/NNS": False,
    "drugs/NNS to/TO take/VB": True,
    "of/IN drugs/NNS": True,
    "good/JJ drugs/NNS": True,
    "children/NNS ~'s/POS": True,
    "clinic/NN ~'s/POS": False,
    "the/DT drugs/NNS": True,
    "old/JJ " * 14 + "drugs/NNS in/IN gin/NN": True,
    "old/JJ " * 15 + "drugs/NNS in/IN gin/NN": False,
}


@pytest.mark.parametrize("source", PLURAL)
def test_a_noun_is_a_plural_by_its_form_more_than_by_its_tag(source: str) -> None:
    whole = document(source).text
    made = around(f"Some/DT {source} came/VBD", whole)
    assert made.plural(made.changes[0]) is PLURAL[source]


def test_a_noun_of_which_the_ending_stays_is_no_plural() -> None:
    made = around("The/DT drugs/NNS", "drug", "s")
    assert made.plural(made.changes[0]) is False


def test_a_possessive_alone_is_no_plural() -> None:
    made = around("The/DT drugs/NNS ~'s/POS", "'s")
    assert made.plural(made.changes[0]) is False


# --- repeats -------------------------------------------------------------------------------------------------------------------


def said(source: str, *changed: str, name: str | None = "infection") -> list[tuple[str, int, int, str, str]]:
    made = around(source, *changed, name=name)
    return [(made.text[one.start : one.end], one.first, one.last, one.joined, one.determiner) for one in made.repeats()]


#: What stands between two names, and how they are joined; None: they are not.
JOINTS = {
    "and/CC": "and",
    "or/CC": "or",
    "nor/CC": "or",
    "and/or/CC": "or",
    "&/CC": "and",
    "+/SYM": "and",
    "plus/CC": "and",
    "as/RB well/RB as/IN": "and",
    "~,/,": "and",
    "~,/, and/CC": "and",
    "~,/, or/CC": "or",
    "-/HYPH": "same",
    "//SYM": "same",
    "and/CC a/DT": "and",
    "and/CC an/DT": "and",
    "and/CC the/DT": None,
    "and/CC his/PRP$": None,
    "with/IN": None,
    "↵ and/CC": None,
    "but/CC": None,
    "~;/:": None,
}


@pytest.mark.parametrize("joint", JOINTS)
def test_names_that_say_the_same_are_said_once_where_only_a_joint_stands_between(joint: str) -> None:
    found = said(f"He/PRP has/VBZ HIV/NNP {joint} AIDS/NNP now/RB", "HIV", "AIDS")
    if JOINTS[joint] is None:
        assert [one[0] for one in found] == ["HIV", "AIDS"]
    else:
        assert [one[1:4] for one in found] == [(0, 2, JOINTS[joint])]


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("a/DT HIV/NNP", "and/CC an/DT AIDS/NNP", True),
        ("an/DT HIV/NNP", "and/CC a/DT AIDS/NNP", True),
        ("the/DT HIV/NNP", "and/CC the/DT AIDS/NNP", True),
        ("the/DT HIV/NNP", "and/CC a/DT AIDS/NNP", False),
        ("the/DT HIV/NNP", "and/CC AIDS/NNP", True),
        ("his/PRP$ HIV/NNP", "and/CC his/PRP$ AIDS/NNP", True),
        ("his/PRP$ HIV/NNP", "and/CC her/PRP$ AIDS/NNP", False),
        ("each/DT HIV/NNP", "and/CC AIDS/NNP", False),
        ("each/DT HIV/NNP", "or/CC AIDS/NNP", True),
        ("a/DT HIV/NNP", "and/CC AIDS/NNP", True),
        ("a/DT mild/JJ HIV/NNP", "and/CC AIDS/NNP", False),
        ("a/DT mild/JJ HIV/NNP", "or/CC AIDS/NNP", True),
        ("these/DT HIV/NNP", "and/CC AIDS/NNP", True),
        ("Like/IN HIV/NNP", "~,/, AIDS/NNP", True),
    ],
)
def test_what_determines_the_first_must_suit_the_next(first: str, second: str, joined: bool) -> None:
    assert len(said(f"He/PRP has/VBZ {first} {second} ./.", "HIV", "AIDS")) == (1 if joined else 2)


def test_what_a_sentence_begins_with_before_a_comma_is_no_list() -> None:
    assert len(said("Like/IN HIV/NNP ~,/, AIDS/NNP spreads/VBZ", "HIV", "AIDS")) == 2
    assert len(said("Like/IN HIV/NNP and/CC AIDS/NNP ~,/, it/PRP spreads/VBZ", "HIV", "AIDS")) == 1
    assert len(said("Test/NN HIV/NNP ~,/, AIDS/NNP daily/RB", "HIV", "AIDS")) == 1


def test_what_determines_is_told_in_small_letters_and_whether_something_stands_between() -> None:
    assert said("An/DT HIV/NNP came/VBD", "HIV")[0][4] == "an"
    assert said("An/DT old/JJ HIV/NNP came/VBD", "HIV")[0][4] == "an ..."
    assert said("HIV/NNP came/VBD", "HIV")[0][4] == ""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("HIV/NNP (/-LRB- ~AIDS/NNP ~)/-RRB- now/RB", ["HIV (AIDS)"]),
        ("HIV/NNP [/-LRB- ~AIDS/NNP ~]/-RRB- now/RB", ["HIV [AIDS]"]),
        ("HIV/NNP (/-LRB- ~AIDS/NNP ~]/-RRB- now/RB", ["HIV", "AIDS"]),
        ("HIV/NNP (/-LRB- ~AIDS/NNP now/RB", ["HIV", "AIDS"]),
        ("HIV/NNP ~,/, or/CC AIDS/NNP ~,/, now/RB", ["HIV, or AIDS,"]),
        ("HIV/NNP or/CC AIDS/NNP ~,/, now/RB", ["HIV or AIDS"]),
        ("HIV/NNP ~,/, and/CC AIDS/NNP ~,/, now/RB", ["HIV, and AIDS"]),
    ],
)
def test_another_name_for_the_same_goes_with_its_marks(source: str, found: list[str]) -> None:
    assert [one[0] for one in said(source, "HIV", "AIDS")] == found


def test_or_is_stronger_than_and_which_is_stronger_than_the_same() -> None:
    names = ("HIV", "AIDS", "flu")
    assert said("HIV/NNP ~,/, AIDS/NNP or/CC flu/NN", *names)[0][3] == "or"
    assert said("HIV/NNP or/CC AIDS/NNP and/CC flu/NN", *names)[0][3] == "or"
    assert said("HIV/NNP AIDS/NNP and/CC flu/NN", *names)[0][3] == "and"
    assert said("HIV/NNP ~,/, AIDS/NNP ~,/, or/CC flu/NN ~,/, now/RB", *names)[0][0] == "HIV, AIDS, or flu"


def test_a_repeat_begins_behind_another_and_grows_by_itself() -> None:
    found = said("HIV/NNP with/IN AIDS/NNP and/CC flu/NN with/IN gout/NN", "HIV", "AIDS", "flu", "gout")
    assert [(one[0], one[1], one[2]) for one in found] == [("HIV", 0, 1), ("AIDS and flu", 1, 3), ("gout", 3, 4)]


def test_names_that_say_different_things_are_said_each() -> None:
    made = around("HIV/NNP and/CC AIDS/NNP", "HIV", "AIDS")
    for first, second in (
        (Change(0, 3, "virus"), Change(8, 12, "infection")),
        (Change(0, 3, "virus"), Change(8, 12, "virus", named=True)),
        (Change(0, 3, None, exactly="<1>"), Change(8, 12, None)),
        (Change(0, 3, None), Change(8, 12, None, exactly="<1>")),
        (Change(0, 3, None, exactly="<1>"), Change(8, 12, None, exactly="<1>")),
        (Change(0, 3, None), Change(8, 12, "virus")),
    ):
        assert len(Surroundings(made.document, [first, second]).repeats()) == 2
    assert len(Surroundings(made.document, [Change(0, 3, None), Change(8, 12, None)]).repeats()) == 1


@pytest.mark.parametrize(("blanks", "found"), [(39, 1), (40, 1), (41, 2)])
def test_a_joint_is_at_most_forty_characters_long(blanks: int, found: int) -> None:
    assert len(said("HIV/NNP " + "_ " * (blanks - 1) + "AIDS/NNP", "HIV", "AIDS")) == found


# --- sentences, fields, lists --------------------------------------------------------------------------------------------------

#: A text, and for each of its words whether it stands in a sentence.
PROSE = {
    "He/PRP has/VBZ HIV/NNP ./.": "yyyy",
    "Visit/NN for/IN HIV/NNP": "nnn",
    "The/DT visit/NN": "yy",
    "Seen/VBN today/NN": "yy",
    "Today/NN seen/VBN": "nn",
    "Going/VBG home/NN": "yy",
    "Dx/NN :/: HIV/NNP": "nnn",
    "Dx/NN :/: he/PRP left/VBD": "nnyy",
    "He/PRP said/VBD :/: HIV/NNP": "yyyy",
    "The/DT visit/NN :/: HIV/NNP": "yynn",
    "Coming/VBG home/NN :/: HIV/NNP": "yynn",
    "He/PRP left/VBD ;/: HIV/NNP": "yynn",
    "He/PRP left/VBD |/SYM HIV/NNP": "yynn",
    "HIV/NNP —/: he/PRP left/VBD": "nnyy",
    "He/PRP left/VBD ¶ HIV/NNP ¶ She/PRP stayed/VBD": "yynyy",
    "He/PRP left/VBD → HIV/NNP": "yyn",
    "He/PRP left/VBD _ HIV/NNP": "yyy",
    "He/PRP left/VBD _ _ HIV/NNP": "yyn",
    "He/PRP left/VBD ↵ _ _ HIV/NNP": "yyy",
    "Dx/NN :/: Seen/VBN today/NN": "nnyy",
    "Dx/NN → Seen/VBN today/NN": "nyy",
}


@pytest.mark.parametrize("source", PROSE)
def test_prose_is_what_says_something_and_no_field_or_heading(source: str) -> None:
    made = around(source)
    told = "".join("yn"[not each] for each in made.prose[:-1])
    parting = [at for at, word in enumerate(made.words) if word in (";", "|", "—", ":")]
    expected = "".join("-" if at in parting else each for at, each in enumerate(PROSE[source]))
    assert "".join("-" if at in parting else each for at, each in enumerate(told)) == expected


def test_a_word_that_is_changed_does_not_make_a_sentence() -> None:
    assert around("Drinks/VBZ daily/RB", "Drinks").prose[:2] == [False, False]
    assert around("Drinks/VBZ daily/RB", "daily").prose[:2] == [True, True]


def test_a_word_is_far_where_a_column_begins() -> None:
    rows = {"a/NN b/NN": False, "a/NN _ b/NN": False, "a/NN _ _ b/NN": True, "a/NN → b/NN": True, "a/NN ~b/NN": False}
    for source, far in rows.items():
        assert around(source)._far(1) is far
    assert around("a/NN ↵ _ _ _ b/NN")._far(1) is False
    assert around("_ _ _ a/NN")._far(0) is False


#: Whether "HIV" ends a list of other things.
LISTS = {
    "He/PRP has/VBZ { gout/NN } ~,/, HIV/NNP ./.": True,
    "He/PRP with/IN { gout/NN } ~,/, HIV/NNP ./.": True,
    "With/IN { gout/NN } ~,/, HIV/NNP ./.": False,
    "{ Gout/NN } ~,/, HIV/NNP ./.": True,
    "He/PRP has/VBZ flu/NN ~,/, { gout/NN } ~,/, HIV/NNP ./.": True,
    "Dx/NN :/: { gout/NN } ~,/, HIV/NNP ./.": True,
    "He/PRP and/CC { gout/NN } ~,/, HIV/NNP ./.": False,
    "He/PRP left/VBD early/RB ~,/, HIV/NNP ./.": False,
    "On/RB has/VBZ { Monday/NNP } ~,/, HIV/NNP ./.": False,
    "He/PRP has/VBZ { Monday/NNP gout/NN } ~,/, HIV/NNP ./.": True,
    "He/PRP has/VBZ { gout/NN } ~;/: HIV/NNP ./.": False,
    "He/PRP has/VBZ { gout/NN } ~,/, HIV/NNP is/VBZ": False,
    "Day/NN ~,/, HIV/NNP ./.": False,
    "~,/, HIV/NNP ./.": False,
    "HIV/NNP ./.": False,
    "He/PRP left/VBD ¶ { Gout/NN } ~,/, HIV/NNP ./.": True,
    "He/PRP left/VBD ¶ With/IN { gout/NN } ~,/, HIV/NNP ./.": False,
    "He/PRP left/VBD ¶ He/PRP with/IN { gout/NN } ~,/, HIV/NNP ./.": True,
}


@pytest.mark.parametrize("source", LISTS)
def test_a_list_ends_with_a_name_behind_a_comma(source: str) -> None:
    made = around(source)
    start = made.text.index("HIV")
    comma = start - 2 if LISTS[source] else None
    assert made.ends_list(start, 0, start + 3) == comma
    if comma is not None:
        assert made.ends_list(start, comma, start + 3) == comma
        assert made.ends_list(start, comma + 1, start + 3) is None


@pytest.mark.parametrize(
    ("verb", "asked"),
    [
        ("is/VBZ", "one"),
        ("Was/VBD", "one"),
        ("are/VBP", "many"),
        ("were/VBD", "many"),
        ("came/VBD", "any"),
        ("may/MD", "any"),
        ("today/NN", ""),
        ("¶ Is/VBZ", ""),
        ("", ""),
    ],
)
def test_the_verb_behind_tells_one_or_many(verb: str, asked: str) -> None:
    assert around(f"He/PRP said/VBD HIV/NNP {verb}").agreement(11) == asked


@pytest.mark.parametrize(
    ("source", "begins"),
    [
        ("HIV/NNP is/VBZ", True),
        ("(/-LRB- 1/CD ~)/-RRB- HIV/NNP", True),
        ("No/DT HIV/NNP", False),
        ("He/PRP left/VBD ¶ HIV/NNP", True),
        ("He/PRP left/VBD ¶ -/: HIV/NNP", True),
        (" ".join(["-/:"] * 7) + " HIV/NNP", True),
        (" ".join(["-/:"] * 8) + " HIV/NNP", False),
    ],
)
def test_a_sentence_begins_with_a_word_behind_marks_and_numbers(source: str, begins: bool) -> None:
    made = around(source)
    assert made.begins(made.words.index("HIV")) is begins
