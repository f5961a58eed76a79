"""The rules of wording one by one: nouns, articles, lines and places, on words and tags that are given."""

from __future__ import annotations

import pytest

from kgsan.sanitize.wording import (
    Change,
    Piece,
    Rewritten,
    _article,
    _capital,
    _mass,
    _noun,
    _plural,
    _shape,
    _singular,
    _small,
    _straight,
    _Writer,
    rewrite,
)
from tests.sanitize.tagged import around, document

# --- places --------------------------------------------------------------------------------------------------------------------

#: "ab[cde]fg[h]ij" in which the first became "XY" and the second "PQRS".
MADE = Rewritten("abXYfgPQRSij", (Piece(2, 5, 2, 4, (0,)), Piece(7, 8, 6, 10, (1,))))


def test_a_place_of_the_new_text_leads_to_where_it_stood() -> None:
    #         a  b  X  Y  f  g  P  Q  R  S  i  j  end
    assert [MADE.origin(place) for place in range(13)] == [0, 1, 2, 2, 5, 6, 7, 7, 7, 7, 8, 9, 10]


def test_a_place_of_the_old_text_leads_to_where_it_stands() -> None:
    #         a  b  c  d  e  f  g  h  i  j  end
    assert [MADE.place(origin) for origin in range(11)] == [0, 1, 2, 2, 2, 4, 5, 6, 10, 11, 12]


def test_without_pieces_nothing_moves() -> None:
    assert (Rewritten("abc", ()).origin(2), Rewritten("abc", ()).place(2)) == (2, 2)


def test_pieces_tell_where_words_stood_and_stand() -> None:
    text = document("He/PRP has/VBZ HIV/NNP and/CC takes/VBZ pills/NNS today/NN")
    made = rewrite(text, [Change(7, 10, None), Change(21, 26, None, exactly="<1>")], style="#####")
    assert made.text == "He has ##### and takes <1> today"
    assert made.pieces == (Piece(7, 10, 7, 12, (0,)), Piece(21, 26, 23, 26, (1,)))
    assert rewrite(text, []) == Rewritten(text.text, ())


def test_the_usual_bar_is_the_word_redacted() -> None:
    assert rewrite(document("He/PRP has/VBZ HIV/NNP"), [Change(7, 10, None)]).text == "He has [REDACTED]"


# --- lines ---------------------------------------------------------------------------------------------------------------------

SHAPES = [
    ("PATIENT HAS ", [], "capitals"),
    ("ABC", [], "capitals"),
    ("AB", [], ""),
    ("Patient has ", [], ""),
    ("", ["SYPHILIS"], "capitals"),
    ("- ", ["HIV", "ASTHMA"], "capitals"),
    ("- ", ["HIVES"], ""),
    ("- ", ["Syphilis"], ""),
    ("12", [], ""),
    ("Report On Treatment", [], "title"),
    ("Report of the Treatment", [], "title"),
    ("Report on Pain", [], "title"),
    ("Report on Tea", [], ""),
    ("Report when Treated", [], ""),
    ("Report On Treatment.", [], ""),
    ("Report On Treatment. ", [], ""),
    ("Report: Treatment Today", [], ""),
    ("Report Treatment" + " " * 183, [], "title"),
    ("Report Treatment" + " " * 184, [], ""),
]


@pytest.mark.parametrize(("line", "changed", "shape"), SHAPES)
def test_the_shape_of_a_line_is_that_of_the_words_that_stay(line: str, changed: list[str], shape: str) -> None:
    assert _shape(line, changed) == shape


def shape_at(text: str, *changed: str) -> list[str]:
    made = around("x/NN")
    made.text, made.changes = text, []
    at = 0
    for part in changed:
        at = text.index(part, at)
        made.changes.append(Change(at, at + len(part), "infection"))
        at += len(part)
    writer = _Writer(made)
    return [writer.shape(change) for change in made.changes]


def test_each_line_has_its_own_shape() -> None:
    text = "DX IS HIV TODAY\nhe has gout\nSeen With Asthma Today\nhe has flu"
    assert shape_at(text, "HIV", "gout", "Asthma", "flu") == ["capitals", "", "title", ""]


def test_what_is_changed_has_no_say_in_the_shape_of_its_line() -> None:
    assert shape_at("DX IS gout AND hiv TODAY", "gout", "hiv") == ["capitals", "capitals"]
    assert shape_at("He Has GOUT\r\nHIS GOUT IS OLD", "GOUT", "GOUT") == ["", "capitals"]
    assert shape_at("he has\nSYPHILIS\nnow", "SYPHILIS") == ["capitals"]
    assert shape_at("GOUT IS OLD\nhe has gout\nhe has flu", "gout", "flu") == ["", ""]


# --- nouns ---------------------------------------------------------------------------------------------------------------------

#: A name, one and many of it, and whether it takes an article by itself.
NOUNS = [
    ("drug", "drug", "drugs", True),
    ("Virus Diseases", "virus disease", "virus diseases", True),
    ("neoplasm of breast", "neoplasm of breast", "neoplasms of breast", True),
    ("fracture (closed)", "fracture (closed)", "fractures (closed)", True),
    ("drug or alcohol", "drug or alcohol", "drug or alcohol", False),
    ("drug/alcohol", "drug/alcohol", "drug/alcohol", False),
    ("drug of choice or not", "drug of choice or not", "drugs of choice or not", True),
    ("surgery", "surgery", "surgeries", False),
    ("hysterectomy", "hysterectomy", "hysterectomies", True),
    ("zzqx", "zzqx", "zzqxes", False),
    ("Zzqxor", "Zzqxor", "Zzqxors", False),
    ("mRNAvirus", "mRNAvirus", "mRNAviruses", True),
    ("prognosis", "prognosis", "prognoses", True),
    ("PSQ", "PSQ", "PSQs", False),
    ("blood PSQ", "blood PSQ", "blood PSQs", True),
    ("arthritis", "arthritis", "arthrites", False),
    ("zzqxs", "zzqx", "zzqxes", True),
]


@pytest.mark.parametrize(("name", "one", "many", "counted"), NOUNS)
def test_a_name_is_judged_by_its_head(name: str, one: str, many: str, counted: bool) -> None:
    noun = _noun(name, False)
    assert (noun.one, noun.many, noun.counted) == (one, many, counted)
    assert not noun.never
    assert not noun.proper
    assert noun.the == ""


@pytest.mark.parametrize("name", ["information", "zzqitis", "poor health", "loss of memory or health", "viral zzqemia"])
def test_what_is_not_counted_has_no_plural(name: str) -> None:
    noun = _noun(name, False)
    assert noun.never is (name != "loss of memory or health")
    assert noun.counted is False
    assert noun.one == name
    assert (noun.many == name) is noun.never


@pytest.mark.parametrize(
    ("name", "heads", "tells"),
    [
        ("viral infection", ("infection", "infections"), "affected by "),
        ("infection of skin", ("", ""), "affected by "),
        ("religion", ("religion", "religions"), "of "),
        ("drug", ("drug", "drugs"), ""),
    ],
)
def test_a_noun_tells_what_someone_is_who_has_it(name: str, heads: tuple[str, str], tells: str) -> None:
    assert (_noun(name, False).heads, _noun(name, False).tells) == (heads, tells)


@pytest.mark.parametrize(
    ("name", "the"),
    [
        ("France", ""),
        ("United States", "the "),
        ("Dominican Republic", "the "),
        ("United States of America", "the "),
        ("New York", ""),
    ],
)
def test_a_proper_name_is_said_as_it_is(name: str, the: str) -> None:
    noun = _noun(name, True)
    assert (noun.one, noun.many, noun.proper, noun.the) == (name, name, True, the)
    assert not noun.counted
    assert not noun.never


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Infections, Viral", "viral infections"),
        ("a, b, c, d, e", "e d c b a"),
        ("a, b, c, d, e, f", "a, b, c, d, e, f"),
        ("Infections of Skin, Viral", "infections of skin, viral"),
        ("Drugs and Alcohol, Other", "drugs and alcohol, other"),
        ("Anemia (disorder)", "anemia"),
        ("Fracture, unspecified", "fracture"),
        ("Infection,  NOS", "infection"),
        ("Anti-Bacterial Agents", "anti-bacterial agents"),
        ("Disease of the Skin", "disease of the skin"),
        ("Pain with Movement", "Pain with Movement"),
        ("Type 1234 Disease", "type 1234 disease"),
        ("(Acute) Pain", "(Acute) pain"),
        ("Chronic viral disease", "chronic viral disease"),
        ("Chronic HIV disease", "chronic HIV disease"),
        ("Chronic Zzq disease", "Chronic Zzq disease"),
        ("United States city", "United States city"),
    ],
)
def test_a_label_is_said_the_right_way_round_and_without_capitals(name: str, said: str) -> None:
    assert _straight(name) == said


@pytest.mark.parametrize(
    ("word", "small"),
    [
        ("Disease", "disease"),
        ("Diseases", "diseases"),
        ("Disease,", "disease,"),
        ("Zzqxitis", "zzqxitis"),
        ("Zzqx", "Zzqx"),
        ("HIV", "HIV"),
        ("DISEASE", "DISEASE"),
        ("DiSease", "DiSease"),
    ],
)
def test_a_capital_goes_where_everyone_writes_none(word: str, small: str) -> None:
    assert _small(word) == small


#: One, and many of it.
NUMBERS = [
    ("child", "children"),
    ("series", "series"),
    ("diagnosis", "diagnoses"),
    ("city", "cities"),
    ("body", "bodies"),
    ("allergy", "allergies"),
    ("fly", "flies"),
    ("lie", "lies"),
    ("day", "days"),
    ("box", "boxes"),
    ("church", "churches"),
    ("brush", "brushes"),
    ("quiz", "quizzes"),
    ("house", "houses"),
    ("hero", "heroes"),
    ("glass", "glasses"),
    ("virus", "viruses"),
    ("egg", "eggs"),
    ("german", "germans"),
    ("human", "humans"),
]


@pytest.mark.parametrize(("one", "many"), NUMBERS)
def test_one_and_many_lead_to_each_other(one: str, many: str) -> None:
    assert _singular(many) == one
    assert _singular(one) == one
    if one != "hero":
        assert _plural(one) == many


@pytest.mark.parametrize("word", ["ids", "AIDS", "DRUGS", "measles", "Herpes", "glass", "virus", "crisis", "sheep", "drug"])
def test_what_is_one_or_no_plural_stays(word: str) -> None:
    assert _singular(word) == word


def test_a_man_of_some_kind_has_the_plural_of_a_man() -> None:
    assert (_plural("fireman"), _plural("shaman")) == ("firemen", "shamans")


def test_a_remark_in_the_list_of_nouns_is_no_noun() -> None:
    assert not {"#", "never", "with", "without", "counted"} & (_mass()[0] | _mass()[1])
    assert _noun("counted", False).counted


def test_a_short_word_in_is_has_a_plural_in_es() -> None:
    assert (_plural("iris"), _plural("pelvis")) == ("irises", "pelves")


def test_a_word_that_is_sometimes_counted_has_one_and_many() -> None:
    assert _singular("politics") == "politic"
    assert _singular("medications") == "medication"


@pytest.mark.parametrize(
    ("said", "article"),
    [
        ("apple", "an"),
        ("pear", "a"),
        ("hour", "an"),
        ("honest man", "an"),
        ("house", "a"),
        ("union", "a"),
        ("uninsured man", "an"),
        ("European", "a"),
        ("one-off", "a"),
        ("ewe", "a"),
        ("8", "an"),
        ("80-bed ward", "an"),
        ("18", "an"),
        ("18-bed ward", "an"),
        ("180", "a"),
        ("11,000", "an"),
        ("110", "a"),
        ("7", "a"),
        ("MRI", "an"),
        ("NSAID", "an"),
        ("SARS", "a"),
        ("REM sleep", "a"),
        ("LISTED", "a"),
        ("X-ray", "an"),
        ("UK visa", "a"),
        ("Umbrella", "an"),
        ('"apple"', "an"),
        ("(8-bed) ward", "an"),
        ("pear apple", "a"),
        ("M", "an"),
        ("Mary", "a"),
    ],
)
def test_the_article_is_by_the_sound_of_the_first_word(said: str, article: str) -> None:
    assert _article(said) == article


def test_a_capital_is_given_to_the_first_letter_alone() -> None:
    assert [_capital(words) for words in ("an hour", "a", "", "éclair", "8 beds")] == ["An hour", "A", "", "Éclair", "8 beds"]


# --- sentences -----------------------------------------------------------------------------------------------------------------


def worded(source: str, *changed: tuple[str, str]) -> str:
    """A text in which each of these parts is replaced by a name."""
    read = document(source)
    changes: list[Change] = []
    for part, name in changed:
        start = read.text.index(part, changes[-1].end if changes else 0)
        changes.append(Change(start, start + len(part), name.removeprefix("="), name.startswith("=")))
    return rewrite(read, changes).text


ONE = [
    # an article where there is none, and none before what is not counted or one of many
    ("He/PRP has/VBZ { HIV/NNP } ./.", "HIV", "infection", "He has an infection ."),
    ("He/PRP has/VBZ { HIV/NNP } ./.", "HIV", "health", "He has health ."),
    ("He/PRP has/VBZ { gifts/NNS } ./.", "gifts", "infection", "He has infections ."),
    ("Dx/NN :/: HIV/NNP", "HIV", "infection", "Dx : infection"),
    ("He/PRP has/VBZ mild/JJ HIV/NNP ./.", "HIV", "infection", "He has a mild infection ."),
    ("Mild/JJ HIV/NNP is/VBZ here/RB ./.", "HIV", "infection", "A mild infection is here ."),
    ("Zzqish/JJ HIV/NNP is/VBZ here/RB ./.", "HIV", "infection", "A Zzqish infection is here ."),
    ("HIV/NNP is/VBZ here/RB ./.", "HIV", "infection", "An infection is here ."),
    ("He/PRP has/VBZ history/NN of/IN HIV/NNP ./.", "HIV", "infection", "He has history of infection ."),
    # an article that fits no longer
    ("He/PRP has/VBZ a/DT cold/NN ./.", "cold", "infection", "He has an infection ."),
    ("He/PRP has/VBZ a/DT mild/JJ cold/NN ./.", "cold", "infection", "He has a mild infection ."),
    ("He/PRP has/VBZ a/DT ugly/JJ cold/NN ./.", "cold", "pear", "He has a ugly pear ."),
    ("He/PRP has/VBZ a/DT cold/NN ./.", "cold", "health", "He has health ."),
    ("He/PRP has/VBZ a/DT mild/JJ cold/NN ./.", "cold", "health", "He has mild health ."),
    ("He/PRP has/VBZ a/DT ↵ cold/NN ./.", "cold", "health", "He has \nhealth ."),
    ("He/PRP saw/VBD a/DT town/NN ./.", "town", "=Netherlands", "He saw the Netherlands ."),
    ("He/PRP saw/VBD a/DT town/NN ./.", "town", "=France", "He saw France ."),
    ("He/PRP saw/VBD the/DT Bronx/NNP ./.", "Bronx", "=France", "He saw France ."),
    ("He/PRP saw/VBD the/DT Bronx/NNP ./.", "Bronx", "=Netherlands", "He saw the Netherlands ."),
    ("He/PRP saw/VBD the/DT Bronx/NNP ./.", "Bronx", "city", "He saw a city ."),
    ("He/PRP saw/VBD the/DT BRONX/NNP ./.", "BRONX", "city", "He saw the city ."),
    ("He/PRP saw/VBD the/DT bronx/NN ./.", "bronx", "city", "He saw the city ."),
    ("He/PRP saw/VBD the/DT { Bronx/NNP mayor/NN } ./.", "Bronx", "city", "He saw the city mayor ."),
    ("He/PRP saw/VBD the/DT { Bronx/NNP mayor/NN } ./.", "Bronx", "=France", "He saw the France mayor ."),
    ("He/PRP says/VBZ that/IN HIV/NNP is/VBZ bad/JJ ./.", "HIV", "infection", "He says that an infection is bad ."),
    ("He/PRP saw/VBD that/DT HIV/NNP ./.", "HIV", "infection", "He saw that infection ."),
    # before another noun
    ("He/PRP took/VBD { HIV/NNP tests/NNS } ./.", "HIV", "infection", "He took infection tests ."),
    ("He/PRP took/VBD an/DT { HIV/NNP test/NN } ./.", "HIV", "virus", "He took a virus test ."),
    ("He/PRP took/VBD a/DT { cold/NN test/NN } ./.", "cold", "health", "He took a health test ."),
    ("He/PRP has/VBZ { HIV/NNP infection/NN } ./.", "HIV", "infection", "He has an infection ."),
    ("He/PRP has/VBZ { HIV/NNP infections/NNS } ./.", "HIV", "infection", "He has infections ."),
    ("He/PRP took/VBD { HIV/NNP infection/NN tests/NNS } ./.", "HIV", "infection", "He took infection tests ."),
    # how someone is
    ("He/PRP is/VBZ ill/JJ ./.", "ill", "infection", "He is affected by an infection ."),
    ("He/PRP is/VBZ Shia/JJ ./.", "Shia", "religion", "He is of a religion ."),
    ("He/PRP is/VBZ tall/JJ ./.", "tall", "drug", "He is drug ."),
    ("He/PRP lives/VBZ in/IN Rome/NNP ./.", "Rome", "=United States", "He lives in the United States ."),
    ("He/PRP lives/VBZ in/IN old/JJ Rome/NNP ./.", "Rome", "=United States", "He lives in old United States ."),
    # possessives
    ("The/DT clinic/NN ~'s/POS nurse/NN left/VBD", "clinic's", "place", "The place's nurse left"),
    ("The/DT clinics/NNS ~'/POS nurse/NN left/VBD", "clinics'", "place", "The places' nurse left"),
    ("The/DT men/NNS ~'s/POS nurse/NN left/VBD", "men's", "child", "The children's nurse left"),
    ("The/DT clinic/NN ~'s/POS nurse/NN left/VBD", "clinic's", "virus", "The virus's nurse left"),
    ("He/PRP has/VBZ Parkinson/NNP ~'s/POS ./.", "Parkinson's", "disorder", "He has a disorder ."),
    ("He/PRP saw/VBD Parkinson/NNP ~'s/POS ~-/HYPH nurse/NN", "Parkinson's", "disorder", "He saw a disorder- nurse"),
    ("The/DT men/NNS ~'s/POS end/NN came/VBD", "men", "drug", "The drugs' end came"),
    ("The/DT men/NNS ~'s/POS end/NN came/VBD", "men", "child", "The children's end came"),
    ("The/DT men/NNS ~'s/VBZ here/RB now/RB", "men", "drug", "The drugs's here now"),
    ("The/DT drugs/NNS ~'/POS end/NN came/VBD", "drugs", "child", "The children's end came"),
    ("The/DT drugs/NNS ~'/POS end/NN came/VBD", "drugs", "place", "The places' end came"),
    ("The/DT ~'/`` ~drugs/NNS ~'/'' end/NN came/VBD", "drugs", "child", "The'children' end came"),
    ("The/DT drug/NN ~'/'' end/NN came/VBD", "drug", "place", "The place' end came"),
    ("The/DT drugs/NNS ~'/'' ~-/: end/NN came/VBD", "drugs", "child", "The children'- end came"),
    # capitals
    ("HE/PRP HAS/VBZ AN/DT ULCER/NN TODAY/NN", "ULCER", "drug", "HE HAS A DRUG TODAY"),
    ("HE/PRP HAS/VBZ AN/DT Ulcer/NN TODAY/NN", "Ulcer", "drug", "HE HAS a drug TODAY"),
    ("Man/NN With/IN Syphilis/NNP Wins/VBZ Race/NN", "Syphilis", "loss of a leg", "Man With Loss of a leg Wins Race"),
    ("Diagnosis/NN ~:/: Cold/NN", "Cold", "infection", "Diagnosis: Infection"),
    ("Diagnosis/NN ~:/: cold/NN", "cold", "infection", "Diagnosis: infection"),
    ("Diagnosis/NN ~:/: Zzqx/NN", "Zzqx", "infection", "Diagnosis: infection"),
    ("Diagnosis/NN ~:/: COLD/NN", "COLD", "infection", "Diagnosis: infection"),
    ("diagnosis/NN Cold/NN", "Cold", "infection", "diagnosis infection"),
    ("He/PRP said/VBD :/: Cold/NN is/VBZ near/RB", "Cold", "infection", "He said : an infection is near"),
    ('He/PRP said/VBD ~:/: "/`` ~HIV/NNP is/VBZ near/RB', "HIV", "infection", 'He said: "An infection is near'),
    ('He/PRP said/VBD ~:/: "/`` ~hiv/NNP is/VBZ near/RB', "hiv", "infection", 'He said: "an infection is near'),
    ('Dx/NN ~:/: "/`` ~HIV/NNP', "HIV", "infection", 'Dx: "infection'),
    ("He/PRP has/VBZ HIV/NNP ./.", "HIV", "Other disorders", "He has another disorder ."),
]


@pytest.mark.parametrize(("source", "part", "name", "becomes"), ONE)
def test_a_change_is_worded_as_its_sentence_asks(source: str, part: str, name: str, becomes: str) -> None:
    assert worded(source, (part, name)) == becomes


TWO = [
    # said once: one or many
    ("He/PRP has/VBZ HIV/NNP and/CC flu/NN ./.", "infection", "He has infections ."),
    ("He/PRP has/VBZ HIV/NNP or/CC flu/NN ./.", "infection", "He has an infection ."),
    ("He/PRP has/VBZ HIVs/NNS or/CC flu/NN ./.", "infection", "He has an infection ."),
    ("HIV/NNP and/CC flu/NN is/VBZ here/RB", "infection", "An infection is here"),
    ("HIV/NNP or/CC flu/NN are/VBP here/RB", "infection", "Infections are here"),
    ("HIV/NNP and/CC flu/NN came/VBD here/RB", "infection", "Infections came here"),
    ("Today/NN ~,/, HIV/NNP or/CC flu/NN are/VBP here/RB", "infection", "Today, infections are here"),
    ("He/PRP says/VBZ that/IN HIV/NNP or/CC flu/NN are/VBP here/RB", "infection", "He says that infections are here"),
    ("Some/DT with/IN HIV/NNP or/CC flu/NN are/VBP here/RB", "infection", "Some with an infection are here"),
    ("He/PRP is/VBZ a/DT HIV/NNP and/CC a/DT flu/NN ./.", "person", "He is a person ."),
    ("He/PRP saw/VBD a/DT HIV/NNP and/CC a/DT flu/NN ./.", "person", "He saw people ."),
    # at the end of a list of other things
    ("He/PRP has/VBZ { gout/NN } ~,/, HIV/NNP and/CC flu/NN ./.", "infection", "He has gout and infections ."),
    ("He/PRP has/VBZ { gout/NN } ~,/, HIV/NNP or/CC flu/NN ./.", "infection", "He has gout or an infection ."),
    ("He/PRP has/VBZ { gout/NN } ~,/, HIV/NNP ~,/, and/CC flu/NN ./.", "infection", "He has gout, and infections ."),
    (
        "He/PRP has/VBZ { gout/NN } ~,/, HIV/NNP and/CC flu/NN ~,/, and/CC more/JJR",
        "infection",
        "He has gout and infections, and more",
    ),
]


@pytest.mark.parametrize(("source", "name", "becomes"), TWO)
def test_what_is_said_once_is_one_or_many(source: str, name: str, becomes: str) -> None:
    first = "HIVs" if "HIVs" in source else "HIV"
    assert worded(source, (first, name), ("flu", name)) == becomes


@pytest.mark.parametrize(
    "joint", ["~,/, and/CC AIDS/NNP and/CC flu/NN", "~,/, AIDS/NNP and/CC flu/NN", "~,/, AIDS/NNP ~,/, flu/NN"]
)
def test_a_list_has_a_comma_before_its_last_joint_only_where_the_text_had_one(joint: str) -> None:
    text = f"He/PRP has/VBZ {{ gout/NN }} ~,/, HIV/NNP {joint} ./."
    assert worded(text, *((name, "infection") for name in ("HIV", "AIDS", "flu"))) == "He has gout and infections ."


def test_of_names_for_one_thing_each_tells_its_number() -> None:
    assert (
        worded("He/PRP has/VBZ tics/NNS -/HYPH flu/NN ./.", ("tics", "infection"), ("flu", "infection")) == "He has infections ."
    )
    assert (
        worded("He/PRP has/VBZ flu/NN -/HYPH tics/NNS ./.", ("flu", "infection"), ("tics", "infection")) == "He has infections ."
    )
    assert (
        worded("He/PRP has/VBZ tics/NNS or/CC flu/NN ./.", ("tics", "infection"), ("flu", "infection")) == "He has an infection ."
    )


def test_what_follows_a_change_within_a_phrase_needs_no_article() -> None:
    one_phrase = "He/PRP saw/VBD { Ann/NNP nurse/NN } ./."
    two_phrases = "He/PRP gave/VBD { him/PRP } { gin/NN } ./."
    assert worded(one_phrase, ("Ann", "=Bo"), ("nurse", "person")) == "He saw Bo person ."
    assert worded(two_phrases, ("him", "person"), ("gin", "drug")) == "He gave a person a drug ."
    with_word = "He/PRP saw/VBD { Ann/NNP old/JJ nurse/NN } ./."
    assert worded(with_word, ("Ann", "=Bo"), ("nurse", "person")) == "He saw Bo old person ."
    first_letter = "{ X/NNP nurse/NN } left/VBD ./."
    assert worded(first_letter, ("X", "=Bo"), ("nurse", "person")) == "Bo person left ."


def test_what_belongs_to_a_change_before_it_needs_no_article() -> None:
    owned = "He/PRP saw/VBD Ann/NNP ~'s/POS nurse/NN ./."
    assert worded(owned, ("Ann's", "=Bo"), ("nurse", "person")) == "He saw Bo's person ."


def test_each_change_is_worded_by_what_follows_itself() -> None:
    text = "The/DT clinic/NN ~'s/POS nurse/NN saw/VBD men/NNS"
    assert worded(text, ("clinic's", "place"), ("men", "person")) == "The place's nurse saw people"


def test_a_break_within_a_change_goes_with_it_and_its_article_stays() -> None:
    assert worded("He/PRP has/VBZ an/DT ulcer/NN ./.", ("an ulcer", "drug")) == "He has a drug ."
    assert worded("He/PRP has/VBZ the/DT ulcer/NN ./.", ("the ulcer", "drug")) == "He has the drug ."
    assert worded("An/DT ulcer/NN is/VBZ here/RB", ("An ulcer", "drug")) == "A drug is here"
