"""How the guard reads a name: as it is written and used, and what else it means; in a toy world of crabs."""

from __future__ import annotations

import pytest

from kgsan.ontology.ontology import Name
from kgsan.ontology.stack import OntologyStack
from kgsan.risk.kin import Speaks
from kgsan.risk.senses import (
    Around,
    Evidence,
    SenseGuard,
    Verdict,
    _quality,
    _span_at,
    _times,
    _total,
    _weightiest,
)
from kgsan.sources.records import Scope
from kgsan.text.mentions import Sense
from tests.risk.crabs import CRAB, DICTIONARY, FIELD, GRUMBLE, LICE, MITES, STACK, Text, knowing, plain
from tests.risk.toy import document, mention, ontology, sense, span

LONG = "word " * 60

# --- small things ------------------------------------------------------------------------------------------------------------


def test_a_place_belongs_to_the_span_that_begins_last_before_it() -> None:
    spans = [(2, 5), (7, 9)]
    assert [_span_at(spans, place) for place in (0, 2, 4, 6, 7, 20)] == [(2, 5), (2, 5), (2, 5), (2, 5), (7, 9), (7, 9)]
    assert _span_at([], 3) == (0, 0)


def test_a_name_speaks_surely_half_or_not_at_all() -> None:
    def quality(scope: Scope, rank: int) -> float:
        return _quality(Sense(FIELD.concept(0), Name("x", scope, rank), 0))

    assert [quality(scope, 0) for scope in Scope] == [1.0, 1.0, 0.5, 0.5, 0.5, 0.0]
    assert [quality(scope, 1) for scope in (Scope.PREFERRED, Scope.EXACT, Scope.BROAD, Scope.AMBIGUOUS)] == [0.5, 0.5, 0.5, 0.0]


def test_evidence_is_added_up_scaled_and_sorted() -> None:
    one, two, three = (Evidence(at, at + 1, Speaks.CUE, "", weight) for at, weight in ((9, 0.1), (5, 0.2), (1, 0.1)))
    assert _total([one, two]) == 0.3  # exactly
    assert _total([]) == 0.0
    assert sorted([one, two, three], key=_weightiest) == [two, three, one]
    assert _times(two, 2.0).weight == 0.4
    assert _times(two, 1.0) is two


def test_a_verdict_leans_to_a_sense_when_no_more_speaks_against_it() -> None:
    assert [Verdict(True, True, 0.5, against).leans_to_it for against in (0.4, 0.5, 0.6)] == [True, True, False]


# --- how a name is written ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "name", "common"),
    [
        ("two [queens] came", "Queen", True),
        ("a [queen] came", "Queen", True),
        ("the [Queen] came", "Queen", False),
        ("the [QUEEN] came", "Queen", False),
        ("a [title] came", "title", False),
        ("a [zzyzx] came", "Zzyzx", False),
        ("two [commons] came", "Commons", True),  # everyday only without its plural
        ("a [house] came", "House", True),
    ],
)
def test_an_everyday_word_in_small_letters_is_not_the_name_with_a_capital(marked: str, name: str, common: bool) -> None:
    text = Text(marked)
    asked = Sense(DICTIONARY.concept(0), Name(name, Scope.EXACT), 2)
    assert text.reader._is_common(text.mention, asked) is common
    if common and name == "Queen":
        assert text.verdict(2, "title", name) == Verdict(False, True, 0.0, 1.0)


@pytest.mark.parametrize(
    ("marked", "name", "otherwise"),
    [
        ("we drank [Coke] today", "coke", True),
        ("we drank [coke] today", "coke", False),
        ("we saw [polish] today", "Polish", True),
        ("we saw [Polish] today", "Polish", False),
        ("we saw [COKE] today", "coke", False),  # capitals tell nothing
        ("[Coke] was drunk", "coke", False),  # so does the first word
        ("Some left. ([Coke] was drunk", "coke", False),
        ("ok. He [Coke] was drunk", "coke", True),
        ("[Diet Coke] was drunk today", "diet coke", True),  # but not the second
        ("[Diet coke] was drunk today", "diet coke", False),
        ("we drank [diet Coke] today", "diet coke", True),
        ("we drank [diet COKE] today", "diet coke", True),
        ("we drank [Diet coke] today", "diet coke", True),
        ("I [Coke] was drunk by us", "coke", True),
        ("we drank [Diet Coke now] today", "diet coke", False),  # other words
        ("We Drank [Coke] Today", "coke", False),  # a heading
        ("we Drank [Coke] Today now sir", "coke", True),  # half of them
        ("we Drank [Coke] Today now", "coke", False),
        ("we Drank [Coke] 12 34 56 now", "coke", True),  # two of four; figures are no words
        ("we Drank It [Coke] 12 34 56 now", "coke", False),
        ("we have an [std] today", "STD", False),  # an acronym in small letters
        ("we have a [b] today", "B", True),
    ],
)
def test_a_name_is_written_otherwise_when_a_capital_is_missing_or_too_many(marked: str, name: str, otherwise: bool) -> None:
    text = Text(marked)
    asked = Sense(FIELD.concept(0), Name(name, Scope.AMBIGUOUS), 0)
    assert text.reader._is_written_otherwise(text.mention, asked) is otherwise


@pytest.mark.parametrize(
    ("marked", "name", "otherwise"),
    [
        ("Her tastes are plainly [catholic], from sagas to thrillers.", "Catholic", True),
        ("Her tastes are plainly [Catholic], from sagas to thrillers.", "Catholic", False),
        ("They went to the [catholic] church on Sunday.", "Catholic", False),  # said of a thing, it may be meant
        ("Her tastes are plainly [catholic], from sagas to thrillers.", "catholic", False),
        ("She spoke of her [anxiety] to finish the rose bed.", "anxiety", True),
        ("She spoke of her [anxiety] about the rose bed.", "anxiety", False),
        ("She spoke of her [addiction] to heroin.", "addiction", False),
    ],
)
def test_an_adjective_without_its_capital_and_a_wish_have_to_be_asked(marked: str, name: str, otherwise: bool) -> None:
    tags = {"catholic": "JJ", "Catholic": "JJ", "church": "NN", "anxiety": "NN", "addiction": "NN", "to": "TO", "finish": "VB"}
    text = Text(marked, {**tags, "heroin": "NN"})
    asked = Sense(FIELD.concept(0), Name(name, Scope.EXACT), 0)
    assert text.reader._is_used_otherwise(text.mention, asked) is otherwise


@pytest.mark.parametrize(
    ("marked", "name", "shouted"),
    [
        ("SCHOOL [AIDS] FAMILIES", "AIDS", True),
        ("SCHOOL [AIDS] FAMILIES", "HIV", False),  # that needs no capitals to be told
        ("school [AIDS] families", "AIDS", False),
        ("SCHOOL [AIDS]", "AIDS", False),  # two words are no heading
        ("SCHOOL [AIDS] A B C", "AIDS", False),  # nor are letters
        ("SCHOOL [AIDS] 12 34", "AIDS", False),
        ("HISTORY OF [AIDS] TODAY", "AIDS", False),  # said of people
        ("OF HISTORY [AIDS] TODAY", "AIDS", True),
        ("OF [AIDS] TODAY HERE", "AIDS", False),
        ("IN IT [AIDS]", "AIDS", True),
        ("[AIDS] HELPS SCHOOL OF", "AIDS", True),
        ("SCHOOL [AIDS] FAMILIES HERE now", "AIDS", False),  # four of five
        ("SCHOOL [AIDS] FAMILIES HERE AGAIN now", "AIDS", True),  # five of six
        ("SCHOOL FAMILIES said so. [AIDS] spread", "AIDS", False),
    ],
)
def test_a_name_is_shouted_where_everything_is(marked: str, name: str, shouted: bool) -> None:
    text = Text(marked)
    asked = Sense(FIELD.concept(0), Name(name, Scope.AMBIGUOUS), 0)
    assert text.reader._is_shouted(text.mention, asked) is shouted


def test_words_of_a_sentence_are_those_of_it_and_no_more_than_forty_to_a_side() -> None:
    text = Text("He left. We saw [crab] here. They left.")
    assert text.reader._words_of_sentence(text.mention) == ["We", "saw", "crab", "here", "."]
    far = Text(LONG + "[crab] " + LONG)
    assert len(far.reader._words_of_sentence(far.mention)) == 80
    assert Text("[crab] here").reader._words_of_sentence(Text("[crab] here").mention) == ["crab", "here"]


# --- how a name is used ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "tag", "no_noun"),
    [
        ("they [crab] here", "VBP", True),
        ("they [crab] here", "MD", True),
        ("they [crab] here", "IN", True),
        ("they [crab] here", "NN", False),
        ("they [crab] here", "JJ", False),
        ("they [CRAB] here", "VBP", False),  # taggers know little of capitals
        ("they [crab]", "VBP", True),
    ],
)
def test_a_noun_of_a_dictionary_is_none_where_it_is_a_verb_or_particle(marked: str, tag: str, no_noun: bool) -> None:
    text = Text(marked, {"crab": tag, "CRAB": tag})
    assert text.reader._is_no_noun(text.mention) is no_noun


def test_only_one_word_that_a_dictionary_knows_can_be_no_noun() -> None:
    unknown = Text("they [scabies] here", {"scabies": "VBP"})
    assert not unknown.reader._is_no_noun(unknown.mention)
    two = Text("they [crab here] now", {"crab": "VBP"}, None, CRAB)
    assert not two.reader._is_no_noun(two.mention)
    assert Text("they [crab here] now", {"crab": "VBP"}, None, LICE).reader._is_no_noun(two.mention) is False


@pytest.mark.parametrize(
    ("marked", "tags", "describes"),
    [
        ("a [burn] policy", {"burn": "JJ", "policy": "NN"}, True),
        ("a [burn] policy", {"burn": "VBG", "policy": "NNS"}, True),
        ("a [burn] policy", {"burn": "NN", "policy": "NN"}, False),
        ("a [burn] policy", {"burn": "JJ"}, False),
        ("a [rash bug] policy", {"rash": "JJ", "bug": "NN", "policy": "NN"}, False),
        ("a policy [burn]", {"burn": "JJ", "policy": "NN"}, False),
    ],
)
def test_an_adjective_before_a_noun_describes_something_else(marked: str, tags: dict[str, str], describes: bool) -> None:
    text = Text(marked, tags)
    assert text.reader._describes_another(text.mention) is describes


@pytest.mark.parametrize(
    ("marked", "tags", "marked_name", "governed", "against"),
    [
        ("we saw [crab] here", {}, True, False, []),
        ("we saw [Crab] here", {}, True, False, [Speaks.CAPITAL]),
        ("we saw [Crab] here", {}, False, False, [Speaks.CAPITAL]),
        ("we saw [cRab] here", {}, True, False, []),
        ("we [crab] here", {"crab": "VBP"}, True, False, [Speaks.GRAMMAR]),
        ("we [crab] here", {"crab": "VBP"}, False, False, []),
        ("we [crab] here", {"crab": "VBP"}, True, True, []),  # "treated for crabs" is said of a thing
        ("we all [Crab] here", {"Crab": "VBP"}, True, False, [Speaks.CAPITAL, Speaks.GRAMMAR]),
    ],
)
def test_what_speaks_against_a_sense_in_how_its_name_is_written_and_used(
    marked: str, tags: dict[str, str], marked_name: bool, governed: bool, against: list[Speaks]
) -> None:
    text = Text(marked, tags)
    cues = [Evidence(0, 2, Speaks.CUE if governed else Speaks.KIN, "", 0.6)]
    found = list(text.reader._usage(text.mention, sense(STACK, *LICE), marked_name, cues))
    assert [one.speaks for one in found] == against
    assert all(0.4 < one.weight < 0.7 for one in found)
    assert {(one.start, one.end, one.through) for one in found} <= {(text.mention.start, text.mention.end, "protected:lice")}


def test_one_governing_cue_among_other_evidence_is_enough_for_a_noun() -> None:
    text = Text("we [crab] here", {"crab": "VBP"})
    cue, kin = (Evidence(0, 2, speaks, "", 0.6) for speaks in (Speaks.CUE, Speaks.KIN))
    asked = sense(STACK, *LICE)
    against = [list(text.reader._usage(text.mention, asked, True, told)) for told in ([cue, kin], [kin, cue], [kin], [])]
    assert list(map(len, against)) == [0, 0, 1, 1]


def test_a_name_that_is_not_marked_may_be_written_without_its_capitals() -> None:
    asked = Sense(FIELD.concept(0), Name("Polish", Scope.EXACT), 0)
    for written in ("polish", "Polish", "two-Polish"):
        text = Text(f"we saw [{written}] here")
        assert list(text.reader._usage(text.mention, asked, False, ())) == []
    text = Text("we saw [polish] here")
    assert [one.speaks for one in text.reader._usage(text.mention, asked, True, ())] == [Speaks.CAPITAL]


@pytest.mark.parametrize(
    ("text", "governs"),
    [
        ("cured [crab]", True),
        ("cured of [crab]", True),
        ("cured of the [crab]", True),
        ("cured of the old [crab]", False),
        ("[crab] cured", False),
    ],
)
def test_a_cue_governs_a_name_that_follows_within_three_words(text: str, governs: bool) -> None:
    asked = Text(text)
    cue = Evidence(*span(asked.text, "cured"), Speaks.CUE, "", 0.6)
    assert asked.reader._governs(cue, asked.mention) is governs
    itself = Evidence(asked.mention.start, asked.mention.end, Speaks.CUE, "", 0.6)
    assert not asked.reader._governs(itself, asked.mention)


@pytest.mark.parametrize(
    ("phrase", "tags", "head"),
    [
        ("old wall", "JJ NN", "wall"),
        ("the brick wall paint then", "DT NN NN NN RB", "paint"),
        ("wall of bricks", "NN IN NNS", "wall"),
        ("wall old paint", "NN JJ NN", "wall"),  # the first run of nouns
        ("then wall", "RB NN", None),
        ("a b c d e wall", "DT JJ JJ JJ JJ NN", "wall"),
        ("a b c d e f wall", "DT JJ JJ JJ JJ JJ NN", None),  # six words are looked at
        ("old", "JJ", None),
    ],
)
def test_the_head_of_a_phrase_is_the_last_of_its_first_nouns(phrase: str, tags: str, head: str | None) -> None:
    made = document(phrase, tags)
    reader = plain().read(made, [])
    found = reader._head_behind(0, len(phrase))
    assert (None if found is None else made.words[found]) == head


def test_a_head_stands_before_the_end_of_its_sentence() -> None:
    reader = plain().read(document("old wall", "JJ NN"), [])
    assert [reader._head_behind(0, end) for end in (4, 5)] == [None, 1]
    assert reader._tag(-1) == reader._tag(2) == ""
    assert [reader._tag(0), reader._tag(1)] == ["JJ", "NN"]


@pytest.mark.parametrize(
    ("marked", "tags", "against"),
    [
        ("the [crab] of the wall", {"the": "DT", "wall": "NN"}, [("wall", Speaks.OF_ANOTHER)]),
        ("the [crab] Of wall", {"wall": "NN"}, [("wall", Speaks.OF_ANOTHER)]),
        ("the [crab] of then", {}, []),
        ("the [crab] of", {}, []),
        ("the [crab]", {"the": "NN"}, []),
        ("they [crab] the wall", {"crab": "VBP", "the": "DT", "wall": "NN"}, [("wall", Speaks.OF_ANOTHER)]),
        ("they [crab] wall", {"crab": "VBP", "wall": "NN"}, [("wall", Speaks.OF_ANOTHER)]),
        ("the [crab] wall", {"crab": "NN", "wall": "NN"}, []),
        ("the [crab] of the lotion", {"the": "DT", "lotion": "NN"}, []),  # which belongs to it
        ("the [crab] of the paint", {"the": "DT", "paint": "NN"}, [("paint", Speaks.OF_ANOTHER)]),
        ("the [crab] of. Wall", {"Wall": "NN"}, []),
        ("is [crab] about it", {"crab": "JJ"}, [("about", Speaks.GRAMMAR)]),
        ("is [crab] that", {"crab": "JJR"}, [("that", Speaks.GRAMMAR)]),
        ("is [crab] about it", {"crab": "NN"}, []),
        ("is [crab] now", {"crab": "JJ"}, []),
    ],
)
def test_what_goes_on_behind_a_name_may_make_another_thing_of_it(
    marked: str, tags: dict[str, str], against: list[tuple[str, Speaks]]
) -> None:
    text = Text(marked, tags, knowing(lotion=0.7, paint=0.6))
    found = list(text.reader._continuation(text.mention, sense(STACK, *LICE)))
    assert [(text.text[one.start : one.end], one.speaks) for one in found] == against
    assert all(0.5 < one.weight < 1.5 and one.through == "protected:lice" for one in found)


def test_what_a_thing_is_of_tells_more_than_what_is_done() -> None:
    of = Text("the [crab] of wall", {"wall": "NN"})
    done = Text("they [crab] wall", {"crab": "VBP", "wall": "NN"})
    weights = [next(text.reader._continuation(text.mention, sense(STACK, *LICE))).weight for text in (of, done)]
    assert weights[0] > weights[1]


def test_a_name_of_one_letter_is_told_from_the_bracket_before_it() -> None:
    described = Text("he ([k] wall", {"k": "JJ", "wall": "NN"}, None, LICE)
    assert described.reader._describes_another(described.mention)
    of = Text("he ([k] of wall", {"wall": "NN"}, None, LICE)
    assert [one.speaks for one in of.reader._continuation(of.mention, sense(STACK, *LICE))] == [Speaks.OF_ANOTHER]
    assert [(one.word, one.distance) for one in of.reader._words_near(of.mention, Around())] == [("wall", 2)]
    noun = Text("he ([k] then", {"k": "NN"}, knowing(), LICE).verdict(*LICE)
    assert noun.signs["noun"] == 1.0


# --- what else the name means ------------------------------------------------------------------------------------------------


def meanings(own: tuple[int, str, str], *others: tuple[int, str, str]) -> tuple[list[str], list[str]]:
    text = Text("the [crab] here", {}, None, own, *others)
    same, rivals = text.reader.meanings(sense(STACK, *own), text.mention)
    return [one.concept.id for one in same], [one.concept.id for one in rivals]


def test_other_fields_mean_the_same_and_a_dictionary_another_thing() -> None:
    assert meanings(LICE) == (["protected:lice"], [])
    assert meanings(LICE, MITES) == (["protected:lice", "second:mites"], [])
    assert meanings(LICE, CRAB) == (["protected:lice"], ["w:sea-crab"])
    assert meanings(CRAB, LICE) == (["w:sea-crab"], ["protected:lice"])


def test_in_one_ontology_relatives_mean_the_same() -> None:
    assert meanings(LICE, (0, "scabies", "scabies")) == (["protected:lice", "protected:scabies"], [])
    assert meanings(LICE, (0, "burn", "burn")) == (["protected:lice"], ["protected:burn"])
    assert meanings(CRAB, GRUMBLE) == (["w:sea-crab"], ["w:grumble"])


def test_a_dictionary_means_the_same_where_two_names_are_shared() -> None:
    pair = OntologyStack([ontology("lice: crab, nit\n"), ontology("insect\n louse: lice, nit, flea#1\n crab: lice#1, nits\n")])
    text = "the crab"
    own, one, two = sense(pair, 0, "lice", "crab"), sense(pair, 1, "louse", "lice"), sense(pair, 1, "crab", "lice")
    reader = SenseGuard(pair).read(document(text), [])
    same, rivals = reader.meanings(own, mention(4, 8, own, one, two))
    assert ([each.concept.name for each in same], [each.concept.name for each in rivals]) == (["lice", "louse", "crab"], [])
    lonely = OntologyStack([pair[0], ontology("insect\n louse: lice, flea#1\n")])
    reader = SenseGuard(lonely).read(document(text), [])
    same, rivals = reader.meanings(own, mention(4, 8, own, sense(lonely, 1, "louse", "lice")))
    assert ([each.concept.name for each in same], [each.concept.name for each in rivals]) == (["lice"], ["louse"])


def test_a_rival_that_is_kin_of_a_friend_is_none() -> None:
    # The dictionary's "decapod" shares no name with mites, but "crab", which stands for the same thing here, is its kin.
    friends = OntologyStack(
        [ontology("lice: crab, nit\n"), DICTIONARY, ontology("x\n y\n  z\n   w\n    nit: crab#1\n    pest: lice\n")]
    )
    own = sense(friends, 0, "lice", "crab")
    others = [sense(friends, 2, "nit", "crab"), sense(friends, 2, "pest", "lice")]
    reader = SenseGuard(friends).read(document("the crab"), [])
    same, rivals = reader.meanings(own, mention(4, 8, own, *others, sense(friends, 1, "sea crab")))
    assert [each.concept.name for each in same] == ["lice", "nit"]
    assert [each.concept.name for each in rivals] == ["sea crab"]
