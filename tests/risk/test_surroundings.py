"""What stands around the name of a place: each rule of `surroundings.py` alone, with tags and proper names given by hand."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from kgsan.risk.surroundings import Surroundings, _is_everyday, called_after_places
from kgsan.text.document import Document, ProperName
from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.proper import ORGANISATION, PERSON, PLACE
from tests.risk.toy import document, mention, span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgsan.risk.reading import Reading

SMALL, USED, ADDRESS = "a place smaller than a state", "a place by how it is used", "stands in an address"
BEHIND_IN = "a place after 'in' or 'from'"
HOME = "a place where somebody lives"


class Around:
    """A text in which [a name] is asked about, and what is known of the text."""

    def __init__(
        self,
        marked: str,
        *,
        nouns: str = "",
        proper: Mapping[str, str] | None = None,
        known: str = "",
        beside: Mapping[str, str] | None = None,
        misspelt: bool = False,
    ) -> None:
        self.text = re.sub(r"[\[\]]", "", marked)
        start, end = marked.find("["), marked.find("]") - 1
        self.mention = mention(max(start, 0), max(end, 0), misspelt=misspelt)
        # Only the words that are said to be nouns go on with a phrase.
        tags = ["NN" if word in nouns.split() else "IN" for word in Document(self.text).words]
        self.document = document(self.text, " ".join(tags), proper or {})
        longest = [mention(*span(self.text, word)) for word in known.split()]
        if start >= 0:
            longest.append(self.mention)
        reading = SimpleNamespace(document=self.document, longest=sorted(longest, key=lambda one: (one.start, -one.end)))
        identified = [Identifier(*span(self.text, part), kind, "") for part, kind in (beside or {}).items()]
        self.asked = Surroundings(cast("Reading", reading), identified)
        self.first = self.document.token_at(self.mention.start)
        self.last = self.document.token_at(self.mention.end - 1)

    def why(self, sure: bool, region: str = "") -> str:
        regions = frozenset({span(self.text, region)[0]}) if region else frozenset()
        return self.asked._why(self.mention, sure, regions)


# --- a name that means nothing else --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "because"),
    [
        ("He was seen in [duluth] again", BEHIND_IN),
        ("He was seen near [duluth]", BEHIND_IN),
        ("He comes from [duluth]", BEHIND_IN),
        ("in [fargo]", BEHIND_IN),
        ("He was seen at [duluth]", ""),
        ("He was in or [duluth]", ""),
        ("[duluth] is in", ""),
        ("seen in [brno]", ""),  # four small letters are too few
        ("seen in [duluth2]", ""),
        ("seen in [reading]", ""),  # an everyday word
    ],
)
def test_in_small_letters_a_name_counts_where_something_may_be(marked: str, because: str) -> None:
    assert Around(marked).why(sure=True) == because
    assert Around(marked).why(sure=False) == ""


@pytest.mark.parametrize(
    ("marked", "nouns", "because"),
    [
        ("He likes [Brno] much", "", SMALL),
        ("[Brno] is far", "", SMALL),
        ("He likes [LIMA] much", "", ""),  # may be an acronym
        ("He likes [FARGO] much", "", SMALL),
        ("He likes [Ely] much", "", ""),  # three letters are not sure
        ("He had [Lyme] disease then", "disease", ""),
        ("He had [Lyme] disease then", "", SMALL),  # the phrase does not go on
        ("He saw the [Lyme] disease clinic", "disease clinic", SMALL),
        ("He drank a [Manhattan]", "", ""),
        ("He drank two [Manhattan] then", "", ""),
        ("He drank the [Manhattan] then", "", SMALL),
        ("He saw a [Manhattan] apartment", "apartment", SMALL),
        ("[Manhattan] was seen by a", "", SMALL),
        ("He works for McGraw-[Duluth] then", "", ""),
        ("M-[Duluth] works", "", ""),
        ("He works for McGraw/[Duluth] then", "", ""),
        ("He works for [Duluth]-Hill then", "", ""),
        ("He works for [Duluth]–Hill then", "", ""),
        ("He likes [Duluth]-based lawyers", "", SMALL),
        ("He took 9-[Duluth] home", "", SMALL),
        ("He took - [Duluth] - home", "", SMALL),
        ("He took it (-[Duluth]) home", "", SMALL),
        ("He likes [Reading] much", "", ""),
    ],
)
def test_a_name_that_means_nothing_else_counts_unless_it_is_part_of_something(marked: str, nouns: str, because: str) -> None:
    assert Around(marked, nouns=nouns).why(sure=True) == because


def test_a_misspelt_name_is_not_sure() -> None:
    assert Around("He likes [Dulluth] much", misspelt=True).why(sure=True) == ""
    assert Around("He likes [Dulluth] much").why(sure=True) == SMALL


@pytest.mark.parametrize(
    ("marked", "proper", "nouns", "because"),
    [
        ("He met [Houston] then", {"Houston": PERSON}, "", ""),
        ("He spoke to [Houston] then", {"Houston": PERSON}, "", SMALL),  # led by a word that says whither
        ("He stood in [Houston] then", {"Houston": PERSON}, "", SMALL),
        ("He called [Houston] police then", {"Houston": PERSON}, "police", SMALL),
        ("He met [Houston] then", {"Houston": PLACE}, "", SMALL),
        ("He met [Houston] then", {"Houston": ORGANISATION}, "", SMALL),
        ("He met Brown [Houston] then", {"Brown Houston": ORGANISATION}, "", ""),
        ("Brown [Houston] then", {"Brown Houston": ORGANISATION}, "", ""),
        ("He met Brown [Houston] then Marsh", {"Brown Houston": ORGANISATION, "Marsh": PERSON}, "", ""),
        ("He met Brown [Houston] then", {"Brown Houston": PLACE}, "", SMALL),
        ("He met brown [Houston] then", {"brown Houston": ORGANISATION}, "", SMALL),
        ("At Brown [Houston] then", {"Houston": ORGANISATION}, "", SMALL),
    ],
)
def test_it_does_not_count_where_it_names_somebody_unless_it_is_led_or_something_stands_there(
    marked: str, proper: dict[str, str], nouns: str, because: str
) -> None:
    assert Around(marked, proper=proper, nouns=nouns).why(sure=True) == because


# --- a name that is also a word ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "proper", "nouns", "because"),
    [
        ("He saw [Bath] then", {"Bath": PLACE}, "", USED),
        ("He saw [Bath] then", {}, "", ""),
        ("He saw [Bath] then", {"Bath": ORGANISATION}, "", ""),
        ("He saw [Bath] police then", {}, "police", USED),
        ("He saw [Bath] police then", {"Bath": PERSON}, "police", ""),
        ("[Bath] was fine", {"Bath": PLACE}, "", ""),  # any word has its capital there
        ("He saw [BATHS] then", {"BATHS": PLACE}, "", ""),
        ("He saw [River] then", {"River": PLACE}, "", ""),  # there are many
        ("He saw the [Bath] then", {"Bath": PLACE}, "", ""),
        ("He saw the [Bath] police then", {"Bath": PLACE}, "police", USED),
        ("He saw Lord [Bath] then", {"Bath": PLACE}, "", ""),
        ("He saw [Bath] Tub then", {"Bath": PLACE}, "", ""),
        ("He saw [Bath] Police then", {"Bath": PLACE}, "", USED),
    ],
)
def test_a_name_that_is_also_a_word_wants_a_sign(marked: str, proper: dict[str, str], nouns: str, because: str) -> None:
    assert Around(marked, proper=proper, nouns=nouns).why(sure=False) == because


# --- addresses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "region", "beside", "is_addressed"),
    [
        ("He saw [Gary], Indiana", "Indiana", {}, True),
        ("He saw [Gary],\nIndiana", "Indiana", {}, True),
        ("He saw [Gary],Indiana", "Indiana", {}, True),
        ("He saw [Gary] Indiana", "Indiana", {}, False),  # Gary Indiana may be somebody
        ("He saw [Gary],  Indiana", "Indiana", {}, False),
        ("He saw [Gary], Indiana", "", {}, False),
        ("He saw [Gary] 46402", "", {"46402": "zip"}, True),
        ("He saw [Gary], 46402", "", {"46402": "zip"}, True),
        ("He saw [Gary]\n46402", "", {"46402": "zip"}, True),
        ("He saw [Gary]46402", "", {"46402": "zip"}, False),
        ("He saw [Gary]. 46402", "", {"46402": "zip"}, False),
        ("He saw [Gary] 46402", "", {"46402": "phone"}, False),
        ("at 12 Oak Street, [Gary] then", "", {"12 Oak Street": "street"}, True),
        ("at 12 Oak Street,\n[Gary] then", "", {"12 Oak Street": "street"}, True),
        ("at Mercy Hospital, [Gary] then", "", {"Mercy Hospital": "geography"}, True),
        ("at 12 Oak Street, [Gary] then", "", {"12 Oak Street": "phone"}, False),
        ("at 12 Oak Street. [Gary] then", "", {"12 Oak Street": "street"}, False),
        ("at 12 Oak Street,,[Gary] then", "", {"12 Oak Street": "street"}, False),
        ("at 12 Oak Street, [Gary] then", "", {"12 Oak Street,": "street"}, False),
        ("[Gary] then", "", {}, False),
    ],
)
def test_a_street_before_or_a_region_or_postcode_behind_makes_an_address(
    marked: str, region: str, beside: dict[str, str], is_addressed: bool
) -> None:
    around = Around(marked, beside=beside)
    assert around.why(sure=False, region=region) == (ADDRESS if is_addressed else "")
    assert around.why(sure=True, region=region) == (ADDRESS if is_addressed else SMALL)


def test_in_an_address_a_name_that_may_be_another_counts_only_when_it_means_nothing_else() -> None:
    for proper in ({"Gary": PERSON}, {"Gary": PLACE}):
        around = Around("He saw [Gary], Indiana", proper=proper)
        assert around.why(sure=True, region="Indiana") == ADDRESS
        assert around.why(sure=False, region="Indiana") == ("" if PERSON in proper.values() else ADDRESS)
    assert Around("at [River], Indiana").why(sure=True, region="Indiana") == ""


# --- how far a place reaches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "proper", "place"),
    [
        ("He likes [Duluth, Minnesota] much", {}, "Duluth"),
        ("He likes [Duluth, Minnesota] much", {"Duluth, Minnesota": ORGANISATION}, "Duluth"),
        ("He likes, [Duluth], much", {}, "Duluth"),
        ("He likes [Duluth] General Hospital", {"Duluth General Hospital": ORGANISATION}, "Duluth General Hospital"),
        ("He likes [Duluth] General Hospital", {"Duluth General Hospital": PLACE}, "Duluth"),
        ("He likes [Duluth] General Hospital", {"likes Duluth General": ORGANISATION}, "Duluth"),
        ("He likes [Duluth Hospital] much", {"Duluth": ORGANISATION}, "Duluth Hospital"),
        ("He likes [Duluth] then Mercy Hospital", {"Mercy Hospital": ORGANISATION}, "Duluth"),
        ("Mercy Hospital likes [Duluth] Academy", {"Mercy Hospital": PLACE, "Duluth Academy": ORGANISATION}, "Duluth Academy"),
    ],
)
def test_a_place_ends_before_its_state_and_with_the_name_of_what_stands_there(
    marked: str, proper: dict[str, str], place: str
) -> None:
    around = Around(marked, proper=proper)
    found = around.asked.place(around.mention, True, frozenset())
    assert found is not None
    assert around.text[found.start : found.end] == place
    assert found.because == SMALL


def test_what_is_no_place_has_no_place() -> None:
    around = Around("He likes [Reading] much")
    assert around.asked.place(around.mention, True, frozenset()) is None


# --- names in longer ones --------------------------------------------------------------------------------------------------


def holding(asked: tuple[int, int], *spans: tuple[int, int]) -> list[tuple[int, int]]:
    reading = SimpleNamespace(document=document("x" * 40, "NN", {}), longest=[mention(*one) for one in sorted(spans)])
    return [(one.start, one.end) for one in Surroundings(cast("Reading", reading), ()).longer(mention(*asked))]


@pytest.mark.parametrize(
    ("asked", "others", "longer"),
    [
        ((6, 9), [(0, 10), (5, 20), (30, 35)], [(5, 20), (0, 10)]),
        ((6, 10), [(0, 10), (5, 20)], [(5, 20), (0, 10)]),
        ((6, 11), [(0, 10), (5, 20)], [(5, 20)]),
        ((5, 20), [(0, 10), (5, 20)], []),  # itself is no longer one
        ((5, 9), [(5, 20)], [(5, 20)]),
        ((5, 9), [(2, 8), (5, 9)], []),
        ((5, 9), [], []),
        ((2, 4), [(3, 9)], []),
    ],
)
def test_longer_names_are_those_that_hold_a_name_and_more(
    asked: tuple[int, int], others: list[tuple[int, int]], longer: list[tuple[int, int]]
) -> None:
    assert holding(asked, *others) == longer


# --- names that nobody knows ------------------------------------------------------------------------------------------------


def unheard(text: str, proper: dict[str, str], known: str = "") -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.because) for one in Around(text, proper=proper, known=known).asked.unheard_of()]


@pytest.mark.parametrize(
    ("text", "kind", "counts"),
    [
        ("He was happy in Quillonby again", PLACE, True),
        ("He was happy near Quillonby again", PLACE, True),
        ("He was happy outside Quillonby again", PLACE, True),
        ("He was happy at Quillonby again", PLACE, False),
        ("Quillonby was happy in", PLACE, False),
        ("He was happy in Quillonby again", ORGANISATION, False),
        ("He moved to Quillonby again", ORGANISATION, True),
        ("He moved to Quillonby again", PERSON, False),
        ("moved to Quillonby again", PLACE, True),
        ("He moved his home to Quillonby again", PLACE, True),
        ("He moved his old home to Quillonby again", PLACE, False),
        ("He sent it to Quillonby then moved", PLACE, False),
        ("He moved past Quillonby again", PLACE, False),
        ("Quillonby moved to", PLACE, False),
    ],
)
def test_a_name_that_nobody_knows_is_a_place_where_somebody_is_or_goes(text: str, kind: str, counts: bool) -> None:
    assert unheard(text, {"Quillonby": kind}) == ([("Quillonby", USED)] if counts else [])


def test_each_name_is_asked_for_itself() -> None:
    text = "Marsh, happy at Norrvik, was in Quillonby, then in Zellbach"
    proper = {"Marsh": PERSON, "Norrvik": PLACE, "Quillonby": PLACE, "Zellbach": PLACE}
    assert unheard(text, proper) == [("Quillonby", USED), ("Zellbach", USED)]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("Quillonby", True),
        ("Abcd", True),
        ("Abc", False),
        ("abcdefg", False),
        ("St. Quillonby", True),
        ("Quillonby the Old Small", True),
        ("Quillonby the Old Small One", True),
        ("Quillonby the Old Small One Two", False),  # no place has six words
        ("UKMX", False),
        ("Quill0nby", False),
        ("UKM Quillonby", False),
        ("Quillonby 2", False),
        ("Reading", False),
        ("Reading Quillonby", True),
    ],
)
def test_an_unknown_name_has_a_word_that_is_none_of_every_day(name: str, counts: bool) -> None:
    assert unheard(f"He was happy in {name}", {name: PLACE}) == ([(name, USED)] if counts else [])


@pytest.mark.parametrize(
    ("known", "counts"),
    [("", True), ("Quillonby", True), ("Norrvik", True), ("Quillonby Norrvik", False), ("happy again", True)],
)
def test_a_name_of_which_every_word_is_known_is_left_to_the_ontologies(known: str, counts: bool) -> None:
    found = unheard("He was happy in Quillonby Norrvik again", {"Quillonby Norrvik": PLACE}, known)
    assert found == ([("Quillonby Norrvik", USED)] if counts else [])


@pytest.mark.parametrize(
    ("text", "known", "home"),
    [
        ("He lives in Quillonby", "", "Quillonby"),
        ("He lives in Quillonby now", "", "Quillonby"),
        ("Lives near Quillonby", "", "Quillonby"),
        ("He works in Quillonby", "", ""),
        ("He lives at Quillonby", "", ""),
        ("He lives in old Quillonby", "", ""),
        ("He lives in Quillonby", "Quillonby", ""),
        ("He lives in", "", ""),
        ("Quillonby, where he lives", "", ""),
        ("Quillonby is where he lives in", "", ""),
    ],
)
def test_where_somebody_lives_is_a_place_even_if_nothing_tells_a_proper_name(text: str, known: str, home: str) -> None:
    assert unheard(text, {}, known) == ([(home, HOME)] if home else [])


# --- what stands right beside ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "nouns", "behind"),
    [
        ("the [Duluth] clinic called", "clinic", ["clinic"]),
        ("the [Duluth] Clinic called", "", ["clinic"]),  # a capital goes on whatever it is
        ("the [Duluth], clinic called", "clinic", []),
        ("the [Duluth]  clinic called", "clinic", []),
        ("the [Duluth] called clinic", "clinic", []),
        (
            "the [Duluth] old town clinic court city plant",
            "old town clinic court city plant",
            "old town clinic court city".split(),
        ),
        ("the [Duluth] old town", "old town", ["old", "town"]),
        ("the [Duluth] old  town", "old town", ["old"]),
        ("the [Duluth]", "", []),
        ("the [Duluth]based clinic", "clinic", ["based"]),
        ("the [Duluth]Based clinic", "clinic", ["based"]),
        ("the [Duluth]-born clinic", "clinic", ["born"]),
    ],
)
def test_the_phrase_behind_a_name_is_read_for_up_to_five_words(marked: str, nouns: str, behind: list[str]) -> None:
    around = Around(marked, nouns=nouns)
    assert around.asked._behind_it(around.mention, around.last) == behind


@pytest.mark.parametrize(
    ("marked", "stands", "is_part"),
    [
        ("He saw Lord [Howe] then", False, True),
        ("He saw lord [Howe] then", False, False),
        ("He saw Lord  [Howe] then", False, False),
        ("He saw Lord, [Howe] then", False, False),
        ("He saw [Howe] Island then", False, True),
        ("He saw [Howe] island then", False, False),
        ("He saw [Howe], Island then", False, False),
        ("[Howe] Island then", False, True),
        ("He saw [Howe] Police then", False, False),
        ("He saw Police [Howe] then", False, True),
        ("He saw the [Howe] then", False, True),
        ("He saw the [Howe] then", True, False),
        ("He saw a [Howe] then", False, False),
        ("He saw [Howe] the then", False, False),
        ("He saw the [Howe]", False, True),
        ("Island saw [Howe]", False, False),
        ("[Howe]", False, False),
        ("[Howe] went to the Island", False, False),
        ("The island of [Howe Bay] then", False, False),
    ],
)
def test_a_name_is_part_of_another_among_capitals_or_behind_the_article(marked: str, stands: bool, is_part: bool) -> None:
    around = Around(marked)
    assert around.asked._is_part(around.first, around.last, stands) is is_part


@pytest.mark.parametrize(
    ("marked", "opens"),
    [
        ("[Bath] was fine", True),
        ('"[Bath] was fine', True),
        ("He saw [Bath] then", False),
        ("I [Bath] then", False),
        ("He saw it. [Bath] was fine", True),
        ("for the street\n[Bath] was", True),
        ("from there to the,\n[Bath] was", True),  # which is one sentence
        ("from there to the,\nI [Bath] was", False),
        ("for the street\nI [Bath] was", False),
        ("for the street\n- [Bath] was", True),
        ("for the a(( [Bath] was", False),
        ("for the a((( [Bath] was", True),  # far enough from the last word
    ],
)
def test_a_name_opens_a_sentence_or_a_line_where_no_word_stands_before_it(marked: str, opens: bool) -> None:
    around = Around(marked)
    assert around.asked._opens(around.mention) is opens


@pytest.mark.parametrize(
    ("proper", "kind"),
    [((3, 9), PLACE), ((0, 9), PLACE), ((3, 4), PLACE), ((0, 3), ""), ((4, 9), ""), (None, "")],
)
def test_the_kind_of_a_name_is_that_of_the_proper_name_it_begins_in(proper: tuple[int, int] | None, kind: str) -> None:
    around = Around("xx [yyyyyy] zz")
    around.document.proper_names = [ProperName(*proper, PLACE)] if proper else []
    reading = cast("Reading", SimpleNamespace(document=around.document, longest=[]))
    assert Surroundings(reading, ())._kind(around.mention) == kind


@pytest.mark.parametrize(
    ("name", "everyday"),
    [("Reading", True), ("Red Cross", True), ("Saxon", True), ("Duluth", False), ("Red Duluth", False), ("Saxon Duluth", False)],
)
def test_a_name_of_everyday_words_is_one_of_them(name: str, everyday: bool) -> None:
    assert _is_everyday(name) is everyday


def test_words_for_what_is_called_after_a_place_are_read_without_remarks() -> None:
    listed = called_after_places.__wrapped__()
    assert {"disease", "boots", "beans", "scale"} <= listed
    assert not {"#", "tools", "scales,", "standing", "without"} & listed
    assert not {"clinic", "hospital", "court"} & listed


def test_mentions_that_touch_a_word_only_before_it_do_not_make_it_known() -> None:
    for known, unheard_of in (("", True), ("xx/", True), ("xx/Q", False), ("xx/Quillonby", False)):
        assert Around("xx/Quillonby", known=known).asked._is_unheard_of(2, 2) is unheard_of
    assert Around("UKM").asked._is_unheard_of(0, 0) is False
