from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgsan
from kgsan.ontology import names
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sources.records import Records, Scope
from kgsan.text import scan
from kgsan.text.document import Document
from kgsan.text.everyday import FUNCTION_WORDS
from kgsan.text.index import LONGEST
from kgsan.text.mentions import Finder
from tests.conftest import seconds, within

NAMES = """HIV; HIV infection; HIV test; AIDS; aid; hearing aid; first aid; cancer; breast cancer; breast cancer screening; screening
    test; non-Hodgkin lymphoma; antiretroviral; Alzheimer's disease; tumor; St. John's wort; Type 2: late onset; Z20.6; CAN;
    vitamin B12; depression; ST depression; hepatitis C; a b a b a b a; Sjögren syndrome; HIV positive; COVID-19; gonorrhea"""


def stack_of(*texts: str) -> OntologyStack:
    records = Records("test")
    for text in texts:
        records.name(records.concept(f"t:{text}"), text, Scope.PREFERRED)
    return OntologyStack([Ontology.from_records(records)])


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder(stack_of(*map(str.strip, NAMES.split(";"))))


def found(finder: Finder, text: str, *, nested: bool = False) -> list[tuple[str, str]]:
    return [
        (text[mention.start : mention.end], "+".join(sense.concept.name for sense in mention.senses))
        for mention in finder.find(text, nested=nested)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HIV infections and hiv tests", [("HIV infections", "HIV infection"), ("hiv tests", "HIV test")]),
        ("AIDS, hearing aids, first aid", [("AIDS", "AIDS"), ("hearing aids", "hearing aid"), ("first aid", "first aid")]),
        ("it aids him", [("aids", "aid")]),
        ("HEARING AIDS", [("HEARING AIDS", "hearing aid")]),
        ("he can, yes he CAN", [("CAN", "CAN")]),
        ("Tumours, tumor's", [("Tumours", "tumor"), ("tumor", "tumor")]),
        ("anti-retrovirals", [("anti-retrovirals", "antiretroviral")]),
        ("nonHodgkin lymphoma; non Hodgkin lymphoma", [("non Hodgkin lymphoma", "non-Hodgkin lymphoma")]),
        ("non-Hodgkin's lymphomas", [("non-Hodgkin's lymphomas", "non-Hodgkin lymphoma")]),
        ("Alzheimer\u2019s disease", [("Alzheimer\u2019s disease", "Alzheimer's disease")]),
        ("H\u200bI\u00adV.", [("H\u200bI\u00adV", "HIV")]),
        ("HIV+ and HIV-positive", [("HIV+", "HIV positive"), ("HIV-positive", "HIV positive")]),
        (
            "Sj\u00f6gren syndrome, Sjo\u0308gren\u2019s syndrome",
            [("Sj\u00f6gren syndrome", "Sjögren syndrome"), ("Sjo\u0308gren\u2019s syndrome", "Sjögren syndrome")],
        ),
        ("breast cancer", [("breast cancer", "breast cancer")]),
        ("breast\ncancer and breast-\ncancer", [("breast\ncancer", "breast cancer"), ("breast-\ncancer", "breast cancer")]),
        ("breast\n\ncancer", [("cancer", "cancer")]),
        ("- breast\n- cancer", [("cancer", "cancer")]),
        ("the breast. Cancer", [("Cancer", "cancer")]),
        ("breast: cancer", [("cancer", "cancer")]),
        ("breast (cancer)", [("breast (cancer", "breast cancer")]),
        (
            "breast cancer screening test",
            [("breast cancer screening", "breast cancer screening"), ("screening test", "screening test")],
        ),
        (
            "St. John's wort and type 2: late onset",
            [("St. John's wort", "St. John's wort"), ("type 2: late onset", "Type 2: late onset")],
        ),
        ("type 2; late onset", [("type 2; late onset", "Type 2: late onset")]),
        ("Z20.6, z20.6", [("Z20.6", "Z20.6"), ("z20.6", "Z20.6")]),
        ("vitamin B-12 vitamin b12", [("vitamin B-12", "vitamin B12"), ("vitamin b12", "vitamin B12")]),
        ("\U0001f600HIV\U0001f600", [("HIV", "HIV")]),
        ("xHIV HIVx HIV_x", [("HIV", "HIV")]),
        (
            "a b a b a b a b a b a",
            [("a b a b a b a", "a b a b a b a"), ("a b a b a b a", "a b a b a b a"), ("a b a b a b a", "a b a b a b a")],
        ),
    ],
    ids=lambda value: ascii(value)[:30] if isinstance(value, str) else "",
)
def test_a_name_is_found_however_it_is_written(finder: Finder, text: str, expected: list[tuple[str, str]]) -> None:
    assert found(finder, text) == expected


def test_nested_names_are_found_when_asked_for(finder: Finder) -> None:
    assert [text for text, _ in found(finder, "breast cancer screening test", nested=True)] == [
        "breast cancer screening",
        "breast cancer",
        "cancer",
        "screening test",
    ]


def test_a_misspelt_long_word_is_found_when_asked_for(finder: Finder) -> None:
    corrector = Finder(finder.stack, misspelt=True)
    for wrong in ("gonorhea", "gonnorrhea", "gonorrhae", "gonorrhoea", "hepatitus C", "depresion"):
        assert found(corrector, f"had {wrong}, once"), wrong
    [mention] = corrector.find("had gonorhea")
    assert mention.misspelt
    assert found(finder, "had gonorhea") == []
    assert found(corrector, "a tumr; HVI; expression; possession") == []


def test_the_same_name_in_two_ontologies_has_both_senses_in_order() -> None:
    stack = OntologyStack([*stack_of("influenza", "cold"), *stack_of("Influenza")])
    [mention] = Finder(stack).find("influenzas")
    assert [(sense.ontology, sense.concept.name) for sense in mention.senses] == [(0, "influenza"), (1, "Influenza")]


def test_mentions_tell_places_and_no_words(finder: Finder) -> None:
    mentions = finder.find("HIV infection, AIDS")
    assert repr(mentions) == "<2 mentions>"
    assert repr(mentions[1]) == "<Mention at 15-19>"
    assert [mention.start for mention in mentions[:1]] == [0]


def test_nothing_is_found_where_nothing_is(finder: Finder) -> None:
    for text in ("", " ", "\n\n", "...", "\u200b", "zzz"):
        assert len(finder.find(text)) == 0


# --- against the plain way of doing it ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipped() -> Finder:
    return Finder(kgsan.load_ontology())


@pytest.mark.parametrize("place", range(5))
def test_every_shipped_name_is_found_in_a_text_that_says_it(shipped: Finder, place: int) -> None:
    ontology = shipped.stack[place]
    texts = ontology.name_texts()
    rows = random.Random(place).sample(range(len(texts)), 4000)
    document = "\n\n".join(texts[row] for row in rows)
    mentions = shipped.find(document)
    start = missed = 0
    for row in rows:
        end = start + len(texts[row])
        first, last = np.searchsorted(mentions.starts, [start, end]).tolist()
        concept = ontology.sense(row)[0]
        if not any(sense.concept == concept for i in range(first, last) for sense in mentions[i].senses):
            written = names.words(texts[row])
            assert not written or (len(written) == 1 and (len(written[0]) == 1 or written[0].casefold() in FUNCTION_WORDS))
            missed += 1
        start = end + 2
    assert missed < 50


@pytest.mark.parametrize("size", range(24, 60))
def test_where_the_text_is_cut_into_chunks_does_not_matter(finder: Finder, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(
        f"{first}{gap}{second} "
        for first, second in (("breast", "cancer"), ("HIV", "infection"), ("type 2", "late onset"), ("non-Hodgkin's", "lymphoma"))
        for gap in (
            " ",
            "  ",
            "\n",
            "\n\n",
            " \n \n",
            ". ",
            "; ",
            ": ",
            "-",
            "-\n",
            "\n- ",
            ", ",
            " \u200b",
            "+ ",
            "é ",
            " " * 250,
        )
    )
    expected = [(mention.start, mention.end) for mention in finder.find(text, nested=True)]
    monkeypatch.setattr(scan, "_CHUNK", size)
    assert [(mention.start, mention.end) for mention in finder.find(text, nested=True)] == expected
    assert len(expected) > 60


@pytest.mark.parametrize("mark", [",", "/", "|", "\t", "-", "\u00a0", "\r"])
def test_a_text_without_spaces_is_cut_between_words(finder: Finder, mark: str) -> None:
    count = scan._CHUNK // 2
    assert len(finder.find(mark.join(["HIV"] * count))) == count


@given(st.text(st.one_of(st.characters(codec=None, categories=None), st.sampled_from("HIVaidscn +'-.\n")), max_size=100))
def test_offsets_are_those_of_the_original(finder: Finder, text: str) -> None:
    before = -1
    for mention in finder.find(text):
        assert before <= mention.start < mention.end <= len(text)
        assert mention.senses
        written = text[mention.start : mention.end]
        assert {sense.concept for sense in mention.senses} <= {
            sense.concept for other in finder.find(written) for sense in other.senses
        }
        before = mention.start


def test_many_threads_find_the_same(finder: Finder) -> None:
    fresh = Finder(finder.stack)
    texts = [f"word{i} HIV infection w{i * 7} breast cancer {'x' * (i % 90)}" for i in range(400)]
    expected = [found(finder, text) for text in texts]
    wrong: list[int] = []

    def work(shift: int) -> None:
        for i in range(len(texts)):
            at = (i + shift) % len(texts)
            if found(fresh, texts[at]) != expected[at]:
                wrong.append(at)

    threads = [threading.Thread(target=work, args=(shift * 50,)) for shift in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_very_many_distinct_words_begin_a_new_table_and_lose_nothing(finder: Finder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "_MOST_WORDS", 5000)
    fresh = Finder(finder.stack)
    for part in range(6):
        text = " ".join(f"w{part}x{i}" for i in range(3000)) + " HIV infection " + " ".join(f"v{i}" for i in range(3000))
        assert found(fresh, text) == [("HIV infection", "HIV infection")]


@pytest.mark.parametrize("done", [0.0, 0.5, 1.0])
def test_words_that_could_not_be_learnt_are_taken_for_no_others(
    finder: Finder, monkeypatch: pytest.MonkeyPatch, done: float
) -> None:
    fresh, insert = Finder(finder.stack), scan.table.insert

    def failing(keys: scan.Hashes, numbers: Any, hashes: scan.Hashes, first: int = 0) -> None:
        insert(keys, numbers, hashes[: int(done * len(hashes))], first)
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(scan.table, "insert", failing)
        with pytest.raises(MemoryError):
            fresh.find("the quick brown fox and the lazy dog")
    text = "HIV infection, then breast cancer beside the quick brown fox"
    assert found(fresh, text) == found(finder, text) != []
    grown = f"{text} {' '.join(f'w{i}' for i in range(9000))} {text}"  # the table grows with what is left in it
    assert found(fresh, grown) == found(finder, grown)


def test_a_name_of_too_many_words_is_not_looked_for_and_harms_nothing() -> None:
    finder = Finder(stack_of(" ".join(["very"] * (LONGEST + 1)), "very long"))
    assert found(finder, "a " + "very " * 100 + "long name") == [("very long", "very long")]


HOSTILE = [
    "a b ",
    "HIV ",
    "HIV-",
    "A-",
    "a'",
    "+",
    "HIV+",
    "é",
    "\u200b",
    "- \n",
    "\n-a",
    "breast ",
    "x",
    "\U0001f600",
    "AIDS AIDS ",
    "1.",
]


@pytest.mark.parametrize("unit", HOSTILE, ids=ascii)
def test_finding_takes_time_that_grows_with_the_text_and_no_faster(finder: Finder, unit: str) -> None:
    def find(times: int) -> None:
        finder.find(Document(unit * times))

    find(1000)
    assert within(0.1 + 8 * 3 * seconds(find, 20_000), find, 160_000)


@pytest.mark.parametrize("written", ["H.I.V.", "H I V", "h-i-v", "H*I*V", "\u041d\u0406V", "\u0397IV", "HIV"])
def test_a_word_is_read_however_its_letters_are_set(shipped: Finder, written: str) -> None:
    text = f"She spoke of {written} in May."
    found = [one for one in shipped.find(text) if any(sense.concept.name == "HIV infection" for sense in one.senses)]
    assert [text[one.start : one.end] for one in found] == [written]


@pytest.mark.parametrize(("written", "meant"), [("adict", "addict"), ("panick attack", "panic attack"), ("musilm", "Muslim")])
def test_a_short_misspelt_word_is_read_if_letters_are_too_many_too_few_or_swapped(written: str, meant: str) -> None:
    finder = Finder(kgsan.load_ontology(), misspelt=True)
    [found] = [one for one in finder.find(f"the {written} said") if one.misspelt]
    assert {sense.concept.id for sense in found.senses} <= {
        s.concept.id for one in finder.find(f"the {meant} said") for s in one.senses
    }


@pytest.mark.parametrize("name", ["Adict", "ardict", "addixt"])
def test_a_short_word_that_may_be_another_is_left_alone(name: str) -> None:
    assert not any(one.misspelt for one in Finder(kgsan.load_ontology(), misspelt=True).find(f"Met {name} there."))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("chlamidya", "chlamydia"),
        ("schizofrenia", "schizophrenia"),
        ("gonnorea", "gonorrhea"),
        ("syfilis", "syphilis"),
        ("hepititus", "hepatitis"),
        ("alchaholic", "alcoholic"),
        ("Chlamidya", "chlamydia"),
        ("Schizofrenia", "schizophrenia"),
    ],
)
def test_a_long_word_that_is_written_as_it_sounds_is_read(written: str, meant: str) -> None:
    finder = Finder(kgsan.load_ontology(), misspelt=True)
    [found] = [one for one in finder.find(f"the {written} said") if one.misspelt]
    assert {sense.name.text.lower() for sense in found.senses} & {meant}


@pytest.mark.parametrize("word", ["Syfilis", "planner", "cardigan", "fettered"])
def test_names_and_words_that_only_sound_a_little_alike_are_not_read_so(word: str) -> None:
    assert not any(one.misspelt for one in Finder(kgsan.load_ontology(), misspelt=True).find(f"Met {word} there."))
