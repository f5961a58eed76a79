"""A tiny WordNet, written to a folder by the tests in the layout of Princeton's files."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgsan.errors import OntologyError
from kgsan.sources import wndb
from kgsan.sources.files import open_source
from kgsan.sources.records import Options, Records, Scope
from tests.conftest import mutated

if TYPE_CHECKING:
    from pathlib import Path

LICENCE = "  1 This made-up file has no licence to speak of.  \n  2 It is for tests.  \n"

#: Offset, words, pointers (symbol, offset, word class), gloss.
NOUNS = [
    ("00000010", "thing", "", "what there is"),
    ("00000020", "vehicle", "@ 00000010 n", 'what carries you; "the vehicle broke down"; "a fast one"'),
    ("00000030", "car auto motor_car", "@ 00000020 n|%p 00000040 n|%s 00000070 n", "a vehicle with an engine;  "),
    ("00000040", "wheel", "@ 00000010 n|#p 00000030 n|#m 00000030 n", "turns | and turns"),
    ("00000050", "Car", "@i 00000020 n|+ 00000010 v", "the one and only"),
    ("00000060", "fleet", "@ 00000010 n|%m 00000030 n", '"a fleet of cars"'),
    ("00000070", "steel", "@ 00000010 n", "a metal"),
]
VERBS = [
    ("00000010", "inhibit", "@ 00000020 v", "keep back"),
    ("00000020", "restrain hold_back", "@ 00000010 v|+ 00000030 n", "keep from going"),
]
ADJECTIVES = [
    ("00000010", "ready", "", "prepared"),
    ("00000020", "ready_to_hand(p) galore(ip) mere(a) odd(x)", "& 00000010 a", "near"),
]
INDEX = {
    "noun": "auto n 1 1 @ 1 0 00000030\ncar n 2 2 @ %p 2 0 00000050 00000030\nthing n 1 0 1 0 00000010\n",
    "verb": "restrain v 1 1 @ 1 0 00000020\n",
    "adj": "ready_to_hand a 2 1 & 2 0 00000010 00000020\n",
}


def line(synset, letter: str) -> str:
    offset, words, pointers, gloss = synset
    lemmas, targets = words.split(), [p for p in pointers.split("|") if p]
    kind = "s" if letter == "a" and targets else letter
    head = [offset, "03", kind, f"{len(lemmas):02x}", *(f"{lemma} 0" for lemma in lemmas)]
    head += [f"{len(targets):03d}", *(f"{target} 0000" for target in targets)]
    frames = " 01 + 08 00" if letter == "v" else ""
    return " ".join(head) + f"{frames} | {gloss}  "


def write(folder: Path, end: str = "\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, letter, synsets in (("noun", "n", NOUNS), ("verb", "v", VERBS), ("adj", "a", ADJECTIVES)):
        text = LICENCE + "".join(line(synset, letter) + "\n" for synset in synsets)
        (folder / f"data.{name}").write_bytes(text.replace("\n", end).encode())
        (folder / f"index.{name}").write_bytes((LICENCE + INDEX[name].replace("\n", "  \n")).replace("\n", end).encode())
    return folder


def read(folder: Path, **options) -> Records:
    return wndb.read(open_source(folder), Options(**options))


def names(records: Records) -> list[tuple[str, str, Scope, int]]:
    columns = zip(records.name_concept, records.name_text, records.name_scope, records.name_rank, strict=True)
    return [(records.ids[concept], text, Scope(scope), rank) for concept, text, scope, rank in columns]


def parents(records: Records) -> list[tuple[str, str]]:
    return [(records.ids[c], records.ids[p]) for c, p in zip(records.parent_child, records.parent_parent, strict=True)]


def relations(records: Records) -> set[tuple[str, str, str]]:
    columns = zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True)
    found = [(records.ids[s], records.relation_names[k], records.ids[o]) for s, k, o in columns]
    assert len(found) == len(set(found))
    return set(found)


def problem(folder: Path, **options):
    with pytest.raises(OntologyError) as caught:
        read(folder, **options)
    (only,) = caught.value.problems
    return only


def test_a_dict_folder_is_recognised_wherever_it_lies(tmp_path):
    assert wndb.recognises(open_source(write(tmp_path / "a" / "dict")))
    assert wndb.recognises(open_source(tmp_path / "a"))
    assert not wndb.recognises(open_source(tmp_path / "a" / "dict" / "data.noun"))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "data.csv").write_text("")
    assert not wndb.recognises(open_source(tmp_path / "b"))


def test_an_id_is_the_offset_and_the_word_class(tmp_path):
    write(tmp_path)
    assert read(tmp_path).ids[:2] == ["wn:00000010-n", "wn:00000020-n"]
    assert read(tmp_path, prefix="own", parts_of_speech="a").ids == ["own:00000010-a", "own:00000020-a"]


def test_the_first_lemma_is_preferred_and_sense_order_comes_from_the_index(tmp_path):
    found = names(read(write(tmp_path)))
    assert ("wn:00000030-n", "car", Scope.PREFERRED, 1) in found
    assert ("wn:00000030-n", "auto", Scope.EXACT, 0) in found
    assert ("wn:00000030-n", "motor car", Scope.EXACT, 0) in found


def test_capital_letters_are_kept(tmp_path):
    assert ("wn:00000050-n", "Car", Scope.PREFERRED, 0) in names(read(write(tmp_path)))


def test_markers_of_adjectives_are_taken_off(tmp_path):
    assert names(read(write(tmp_path), parts_of_speech="a"))[1:] == [
        ("wn:00000020-a", "ready to hand", Scope.PREFERRED, 1),
        ("wn:00000020-a", "galore", Scope.EXACT, 0),
        ("wn:00000020-a", "mere", Scope.EXACT, 0),
        ("wn:00000020-a", "odd(x)", Scope.EXACT, 0),
    ]


def test_hypernyms_of_classes_and_of_instances_are_parents(tmp_path):
    assert parents(read(write(tmp_path))) == [
        ("wn:00000020-n", "wn:00000010-n"),
        ("wn:00000030-n", "wn:00000020-n"),
        ("wn:00000040-n", "wn:00000010-n"),
        ("wn:00000050-n", "wn:00000020-n"),
        ("wn:00000060-n", "wn:00000010-n"),
        ("wn:00000070-n", "wn:00000010-n"),
    ]


def test_a_part_is_told_once_whichever_end_tells_of_it(tmp_path):
    assert relations(read(write(tmp_path))) == {
        ("wn:00000040-n", "part of", "wn:00000030-n"),
        ("wn:00000040-n", "member of", "wn:00000030-n"),
        ("wn:00000030-n", "member of", "wn:00000060-n"),
        ("wn:00000070-n", "substance of", "wn:00000030-n"),
    }


def test_a_definition_is_the_gloss_without_its_examples(tmp_path):
    assert read(write(tmp_path)).definitions == {
        0: "what there is",
        1: "what carries you",
        2: "a vehicle with an engine",
        3: "turns | and turns",
        4: "the one and only",
        6: "a metal",
    }


def test_several_parts_of_speech_are_numbered_one_after_the_other(tmp_path):
    records = read(write(tmp_path), parts_of_speech="avn")
    assert len(records.ids) == 11
    assert parents(records)[-2:] == [("wn:00000010-v", "wn:00000020-v"), ("wn:00000020-v", "wn:00000010-v")]
    assert records.problems == []


def test_letters_beyond_ascii_stand_in_lemmas_and_glosses(tmp_path):
    plain = read(write(tmp_path))
    for name in ("data.noun", "index.noun"):
        text = (tmp_path / name).read_text()
        text = text.replace("car ", "câr ").replace("Car ", "Câr ").replace("a metal", 'un métal 🝁; "d\'ici"')
        (tmp_path / name).write_text(text, encoding="utf-8-sig" if name == "data.noun" else "utf-8")
    found = read(tmp_path)
    assert found.name_text == [text.replace("car", "câr").replace("Car", "Câr") for text in plain.name_text]
    assert found.definitions == plain.definitions | {6: "un métal 🝁"}
    assert (found.ids, found.name_rank, parents(found)) == (plain.ids, plain.name_rank, parents(plain))


def test_a_lemma_without_a_letter_is_refused(tmp_path):
    file = write(tmp_path) / "data.noun"
    file.write_text(file.read_text().replace("01 vehicle 0", "01  0"))
    assert (problem(tmp_path).code, "lemma" in problem(tmp_path).message) == ("O103", True)


@pytest.mark.parametrize("end", ["", " ", "     "])
def test_blanks_at_the_end_of_a_line_of_the_index_do_not_matter(tmp_path, end):
    expected = read(write(tmp_path))
    (tmp_path / "index.noun").write_text(INDEX["noun"].replace("\n", f"{end}\n"))
    assert read(tmp_path) == expected


def test_changed_line_ends_make_no_difference(tmp_path):
    everything = {"parts_of_speech": "nva"}
    assert read(write(tmp_path / "a"), **everything) == read(write(tmp_path / "b", end="\r\n"), **everything)


def test_nouns_cut_in_two_are_joined_with_a_line_end(tmp_path):
    expected = read(write(tmp_path))
    whole = (tmp_path / "data.noun").read_text()
    at = whole.index("00000040 03")
    (tmp_path / "data.noun1").write_text(whole[: at - 1])
    (tmp_path / "data.noun2").write_text(whole[at:])
    (tmp_path / "data.noun").unlink()
    assert read(tmp_path) == expected


def test_pointers_to_synsets_that_are_not_there_are_counted_once(tmp_path):
    file = write(tmp_path) / "data.noun"
    file.write_text(file.read_text().replace("@ 00000010 n", "@ 00000011 n"))
    (notice,) = read(tmp_path).problems
    assert (notice.code, notice.message[:10]) == ("O203", "4 pointers")


def test_two_wordnets_in_one_folder_are_refused(tmp_path):
    write(tmp_path / "3.0")
    write(tmp_path / "3.1")
    found = problem(tmp_path)
    assert (found.code, "'3.0', '3.1'" in found.message) == ("O102", True)


@pytest.mark.parametrize("name", ["index.noun", "data.adv"])
def test_a_missing_file_is_named(tmp_path, name):
    write(tmp_path)
    (tmp_path / name).unlink(missing_ok=True)
    if name == "data.adv":
        (tmp_path / "index.adv").write_text("")
    found = problem(tmp_path, parts_of_speech="nr")
    assert (found.code, found.place.file) == ("O107", name)


def test_an_offset_given_twice_is_refused(tmp_path):
    file = write(tmp_path) / "data.noun"
    file.write_text(file.read_text().replace("00000070 03", "00000060 03"))
    assert problem(tmp_path).code == "O108"


@pytest.mark.parametrize("letters", ["", "x"])
def test_no_part_of_speech_is_no_concept(tmp_path, letters):
    assert problem(write(tmp_path), parts_of_speech=letters).code == "O109"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("data.noun", "03 n 01 vehicle 0 001", "03 n 02 vehicle 0 001"),
        ("data.noun", "03 n 01 vehicle 0 001", "03 n 01 vehicle 0 002"),
        ("data.noun", "03 n 01 vehicle 0 001", "03 v 01 vehicle 0 001"),
        ("data.noun", "03 n 01 vehicle 0 001", "03 n zz vehicle 0 001"),
        ("data.noun", "03 n 01 vehicle 0 001", "03 n 00 vehicle 0 001"),
        ("data.noun", "00000020 03", "0000002x 03"),
        ("data.noun", "00000020 03 n 01 vehicle 0 001 @ 00000010 n 0000 |", "00000020"),
        ("data.noun", "03 n 01 vehicle 0 001", "03xn 01 vehicle 0 001"),
        ("data.noun", "03 n 01 vehicle 0 001", "03 n 01 vehicle 0 001x"),
        ("data.noun", "@ 00000010 n 0000 | what carries", "@ 0000001x n 0000 | what carries"),
        ("data.noun", "@ 00000010 n 0000 | what carries", "#p 00000010 x 0000 | what carries"),
        ("data.noun", "@ 00000010 n 0000 | what carries", "@ 000000010 n 0000 | what carries"),
        ("index.noun", "00000050 00000030", "00000050 0000003x"),
        ("index.noun", "00000050 00000030", "0000005000000030"),
        ("index.noun", "car n 2", "car n 20000"),
        ("index.noun", "car n 2", "car  n 1"),
        ("index.noun", "car n 2", "car n x"),
        ("index.noun", "car n 2", "car n 200"),
        ("index.noun", "car n 2", "car"),
    ],
)
def test_a_broken_line_is_told_with_its_number(tmp_path, name, old, new):
    file = write(tmp_path) / name
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    found = problem(tmp_path)
    assert (found.code, found.place.file, found.place.line) == ("O103", name, 4)


def test_another_encoding_is_told_with_its_line(tmp_path):
    file = write(tmp_path) / "data.noun"
    file.write_bytes(file.read_bytes().replace(b"an engine", b"an \xe9ngine"))
    assert (problem(tmp_path).code, problem(tmp_path).place.line) == ("O104", 5)


PIECES = [b" ", b"\n", b"|", b"@ ", b"#p ", b"\0", b"9" * 20, b"\xc2\xb2", b"0", b"x", b"\xff", b"-"]


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_spoilt_files_end_in_a_result_or_one_error(tmp_path, seed):
    dice = random.Random(seed)
    write(tmp_path)
    for file in dice.sample(sorted(tmp_path.iterdir()), 3):
        file.write_bytes(mutated(file.read_bytes(), dice, PIECES))
    try:
        records = read(tmp_path, parts_of_speech="nva")
    except OntologyError as error:
        assert len(error.problems) == 1
    else:
        assert len(records.name_text) == len(records.name_concept) == len(records.name_rank) == len(records.name_scope)
        assert max([*records.name_concept, *records.parent_parent, *records.relation_object]) < len(records.ids)
