"""A made-up release, written to a folder by the tests: the layout is SNOMED CT's, the concepts and terms are ours."""

from __future__ import annotations

import random
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgsan.errors import OntologyError
from kgsan.sources import rf2, tsv
from kgsan.sources.files import open_source
from kgsan.sources.records import Options, Records, Scope
from kgsan.sources.tsv import Numbering
from tests.conftest import mutated

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = {
    "Concept": "id effectiveTime active moduleId definitionStatusId",
    "Description": "id effectiveTime active moduleId conceptId languageCode typeId term caseSignificanceId",
    "Relationship": "id effectiveTime active moduleId sourceId destinationId relationshipGroup typeId characteristicTypeId"
    " modifierId",
    "Language": "id effectiveTime active moduleId refsetId referencedComponentId acceptabilityId",
}
MODULE, US, GB = "900000000000207008", "900000000000509007", "900000000000508004"
FSN, SYNONYM, DEFINITION = "900000000000003001", "900000000000013009", "900000000000550004"
PREFERRED, ACCEPTABLE = "900000000000548007", "900000000000549004"
IS_A, SITE = "116680003", "1000050"
INFERRED, ADDITIONAL, STATED = "900000000000011006", "900000000000227009", "900000000000010007"


def uuid(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-{number:012x}"


def concept(sctid, active=1, date="20200101"):
    return ("Concept", [sctid, date, active, MODULE, "900000000000074008"])


def term(number, sctid, text, kind=SYNONYM, active=1, date="20200101", language="en"):
    return ("Description", [number, date, active, MODULE, sctid, language, kind, text, "900000000000448009"])


def link(number, source, target, kind=IS_A, character=INFERRED, active=1, date="20200101"):
    return ("Relationship", [number, date, active, MODULE, source, target, 0, kind, character, "900000000000451002"])


def member(number, description, acceptability=PREFERRED, refset=US, active=1, date="20200101"):
    return ("Language", [uuid(number), date, active, MODULE, refset, description, acceptability])


#: Thing > illness > made-up disease; thing > place. The made-up disease has a site.
RELEASE = [
    *(concept(n) for n in (1000010, 1000020, 1000030, 1000040, 1000050)),
    concept(1000090, active=0),
    term(101, 1000010, "Thing (root)", FSN), term(102, 1000010, "Thing"),
    term(201, 1000020, "Illness (disorder)", FSN), term(202, 1000020, "Illness"), term(203, 1000020, "Ill health"),
    term(301, 1000030, "Made-up disease of colour (grey) (disorder)", FSN),
    term(302, 1000030, "Made-up disease of color"), term(303, 1000030, "Made-up disease of colour"),
    term(304, 1000030, 'So-called "grey" sickness'), term(305, 1000030, "Never released"),
    term(306, 1000030, "Withdrawn sickness", active=0), term(307, 1000030, "Maladie inventée", language="fr"),
    term(401, 1000040, "Place (structure)", FSN), term(402, 1000040, "Place"),
    term(501, 1000050, "Has site (attribute)", FSN), term(502, 1000050, "Has site"),
    term(901, 1000090, "Gone (disorder)", FSN),
    link(1, 1000020, 1000010), link(2, 1000030, 1000020), link(3, 1000040, 1000010),
    link(4, 1000030, 1000010, active=0), link(5, 1000030, 1000040, character=STATED),
    link(6, 1000030, 1000040, SITE), link(7, 1000030, 1000040, SITE), link(8, 1000020, 1000040, SITE, ADDITIONAL),
    link(9, 1000020, 1000040, character=ADDITIONAL), link(10, 1000030, 1000090, SITE), link(11, 1000030, 7777777),
    *(member(n, n) for n in (101, 102, 201, 202, 301, 302, 401, 402, 501, 502, 901)),
    member(1203, 203, ACCEPTABLE), member(1303, 303, ACCEPTABLE), member(1304, 304, ACCEPTABLE, GB),
    *(member(2000 + n, n, refset=GB) for n in (101, 102, 201, 202, 301, 303)),
    member(1305, 305, active=0), member(1306, 306), member(1307, 307, refset="777000"),
]  # fmt: skip


def write(
    folder: Path, rows=RELEASE, layout="Snapshot", owner="INT", end="\r\n", start="", without=(), beta="", columns=COLUMNS
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for table, header in columns.items():
        if table in without:
            continue
        name = f"der2_cRefset_Language{layout}-en" if table == "Language" else f"sct2_{table}_{layout}"
        wanted = COLUMNS[table].split()
        lines = [header.split()]
        lines += [[str(dict(zip(wanted, row, strict=True))[c]) for c in lines[0]] for kind, row in rows if kind == table]
        text = start + "".join("\t".join(line) + end for line in lines)
        (folder / f"{beta}{name}_{owner}_20240101.txt").write_bytes(text.encode())
    return folder


def read(folder: Path, **options) -> Records:
    return rf2.read(open_source(folder), Options(**options))


def names(records: Records) -> dict[str, dict[str, Scope]]:
    found: dict[str, dict[str, Scope]] = {identifier: {} for identifier in records.ids}
    for number, text, scope in zip(records.name_concept, records.name_text, records.name_scope, strict=True):
        assert text not in found[records.ids[number]]
        found[records.ids[number]][text] = Scope(scope)
    return found


def edges(records: Records) -> list[tuple[str, str]]:
    return [(records.ids[c], records.ids[p]) for c, p in zip(records.parent_child, records.parent_parent, strict=True)]


def relations(records: Records) -> list[tuple[str, str, str]]:
    columns = zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True)
    return [(records.ids[s], records.relation_names[k], records.ids[o]) for s, k, o in columns]


def content(records: Records) -> object:
    return records.ids, names(records), edges(records), relations(records), records.definitions


def problem(folder: Path, **options):
    with pytest.raises(OntologyError) as caught:
        read(folder, **options)
    (only,) = caught.value.problems
    return only


def test_a_release_is_recognised_by_the_names_of_its_files(tmp_path):
    assert rf2.recognises(open_source(write(tmp_path / "deep" / "down")))
    assert rf2.recognises(open_source(write(tmp_path / "beta", beta="x")))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "sct2_StatedRelationship_Snapshot_INT_20240101.txt").write_text("id\n")
    (tmp_path / "other" / "readme.txt").write_text("sct2_Concept_Snapshot")
    assert not rf2.recognises(open_source(tmp_path / "other"))
    assert not rf2.recognises(open_source(tmp_path / "other" / "readme.txt"))


def test_active_concepts_are_numbered_in_the_order_of_their_ids(tmp_path):
    records = read(write(tmp_path))
    assert records.ids == ["sct:1000010", "sct:1000020", "sct:1000030", "sct:1000040", "sct:1000050"]
    assert records.format == "SNOMED CT RF2"


def test_the_us_preferred_synonym_is_the_preferred_name(tmp_path):
    assert names(read(write(tmp_path)))["sct:1000030"] == {
        "Made-up disease of color": Scope.PREFERRED,
        "Made-up disease of colour": Scope.EXACT,
        "Made-up disease of colour (grey)": Scope.EXACT,
        'So-called "grey" sickness': Scope.EXACT,
    }


def test_the_british_preferred_synonym_comes_first_for_british_english(tmp_path):
    found = names(read(write(tmp_path), language="en-GB"))["sct:1000030"]
    assert found["Made-up disease of colour"] is Scope.PREFERRED
    assert found["Made-up disease of color"] is Scope.EXACT


def test_a_full_name_that_only_repeats_the_preferred_name_is_left_out(tmp_path):
    found = names(read(write(tmp_path)))
    assert found["sct:1000010"] == {"Thing": Scope.PREFERRED}
    assert found["sct:1000020"] == {"Illness": Scope.PREFERRED, "Ill health": Scope.EXACT}


def test_another_language_has_its_own_reference_set(tmp_path):
    records = read(write(tmp_path), language="fr")
    assert names(records)["sct:1000030"] == {"Maladie inventée": Scope.PREFERRED}
    assert [p.code for p in records.problems] == ["O204", "O203"]
    assert records.problems[0].message.startswith("4 active concepts")


def test_every_language_is_read_when_none_is_asked_for(tmp_path):
    found = names(read(write(tmp_path), language=None))["sct:1000030"]
    assert found["Maladie inventée"] is Scope.EXACT
    assert found["Made-up disease of color"] is Scope.PREFERRED


def test_a_language_that_is_not_there_is_told(tmp_path):
    assert "O205" in [p.code for p in read(write(tmp_path), language="de").problems]


def test_without_any_language_reference_set_every_active_description_is_a_name(tmp_path):
    found = names(read(write(tmp_path, without=["Language"])))["sct:1000030"]
    assert found["Never released"] is Scope.EXACT
    assert found["Made-up disease of colour (grey)"] is Scope.PREFERRED
    assert "Withdrawn sickness" not in found


def test_only_inferred_is_a_relationships_are_parents(tmp_path):
    assert edges(read(write(tmp_path))) == [
        ("sct:1000020", "sct:1000010"),
        ("sct:1000030", "sct:1000020"),
        ("sct:1000040", "sct:1000010"),
    ]


def test_an_attribute_is_named_by_the_preferred_term_of_its_type(tmp_path):
    records = read(write(tmp_path))
    assert relations(records) == [("sct:1000020", "has site", "sct:1000040"), ("sct:1000030", "has site", "sct:1000040")]
    assert relations(read(tmp_path, language="fr"))[0][1] == "sct:1000050"


def test_relationships_to_concepts_that_are_not_there_are_counted_once(tmp_path):
    (notice,) = read(write(tmp_path)).problems
    assert notice.code == "O203"
    assert notice.message.startswith("2 active relationships")


def test_a_concept_without_a_name_is_kept_and_counted(tmp_path):
    records = read(write(tmp_path, [*RELEASE, concept(1000060), concept(1000070)]))
    assert "sct:1000060" in records.ids
    assert [(p.code, p.message[:17]) for p in records.problems] == [("O204", "2 active concepts"), ("O203", "2 active relation")]


def test_text_definitions_are_definitions(tmp_path):
    rows = [term(601, 1000020, "A state nobody likes.", DEFINITION), term(602, 1000040, "Old.", DEFINITION, active=0)]
    write(tmp_path)
    definition = write(tmp_path / "more", rows, columns={"Description": COLUMNS["Description"]})
    next(definition.iterdir()).rename(definition / "sct2_TextDefinition_Snapshot-en_INT_20240101.txt")
    records = read(tmp_path)
    assert records.definitions == {1: "A state nobody likes."}
    assert content(read(write(tmp_path / "one", [*RELEASE, *rows]))) == content(records)


def test_the_columns_are_numpy_and_the_texts_a_list(tmp_path):
    records = read(write(tmp_path))
    assert isinstance(records.name_text, list)
    for column in ("name_concept", "name_scope", "name_rank", "parent_child", "relation_kind", "relation_object"):
        assert getattr(records, column).dtype == np.int32


@pytest.mark.parametrize("change", [{"end": "\n"}, {"start": "\ufeff"}, {"end": "\n\n"}, {"end": "\r\n\r\n"}, {"beta": "x"}])
def test_line_ends_byte_order_mark_and_empty_lines_make_no_difference(tmp_path, change):
    assert content(read(write(tmp_path / "a"))) == content(read(write(tmp_path / "b", **change)))


def test_columns_are_found_by_name_not_by_place(tmp_path):
    turned = {table: " ".join(reversed(header.split())) for table, header in COLUMNS.items()}
    assert content(read(write(tmp_path / "a"))) == content(read(write(tmp_path / "b", columns=turned)))
    wider = {table: f"extra {header}".replace("extra", "moduleId") for table, header in COLUMNS.items()}
    assert content(read(tmp_path / "a")) == content(read(write(tmp_path / "c", columns=wider)))


def test_a_missing_last_line_end_makes_no_difference(tmp_path):
    expected = content(read(write(tmp_path)))
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes().rstrip())
    assert content(read(tmp_path)) == expected


def test_an_archive_reads_like_the_folder(tmp_path):
    folder = write(tmp_path / "release")
    with zipfile.ZipFile(tmp_path / "release.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, f"SnomedCT/Snapshot/{file.name}")
    assert content(read(tmp_path / "release.zip")) == content(read(folder))


def test_small_blocks_give_the_same_as_one_block(tmp_path, monkeypatch):
    expected = content(read(write(tmp_path)))
    for size in (16, 100, 333, 1000):
        monkeypatch.setattr(tsv, "BLOCK_BYTES", size)
        assert content(read(tmp_path)) == expected


def test_in_a_full_release_the_newest_row_counts(tmp_path):
    old = [
        concept(1000020, active=0, date="20190101"),
        concept(1000090, active=1, date="20190101"),
        term(203, 1000020, "Sickness as it was once called", date="20190101"),
        term(306, 1000030, "Withdrawn sickness", date="20190101"),
        link(4, 1000030, 1000010, date="20190101"),
        member(1303, 303, PREFERRED, date="20190101"),
        member(1305, 305, PREFERRED, date="20190101"),
    ]
    assert content(read(write(tmp_path / "f", [*old, *RELEASE], "Full"))) == content(read(write(tmp_path / "s")))
    assert content(read(write(tmp_path / "g", [*RELEASE, *old], "Full"))) == content(read(tmp_path / "s"))


def test_a_member_that_replaced_a_withdrawn_one_still_counts(tmp_path):
    again = [member(5000, 203, ACCEPTABLE, date="20210101", active=0)]  # another UUID for the same description
    assert content(read(write(tmp_path / "f", [*RELEASE, *again], "Full"))) == content(read(write(tmp_path / "s")))


def test_an_unpublished_row_without_a_date_is_the_newest(tmp_path):
    found = names(read(write(tmp_path, [*RELEASE, term(203, 1000020, "Feeling bad", date="")], "Full")))
    assert found["sct:1000020"] == {"Illness": Scope.PREFERRED, "Feeling bad": Scope.EXACT}


def test_a_snapshot_is_preferred_to_a_full_release_and_a_delta_is_ignored(tmp_path):
    write(tmp_path)
    expected = content(read(tmp_path))
    write(tmp_path, [concept(1000099), term(999, 1000099, "Only in the full")], "Full")
    write(tmp_path, [concept(1000098)], "Delta")
    assert content(read(tmp_path)) == expected


def test_full_files_of_a_module_without_a_snapshot_are_told(tmp_path):
    write(tmp_path)
    write(tmp_path, [concept(1000099)], "Full", owner="XX1000001")
    assert "O206" in [p.code for p in read(tmp_path).problems]


def test_a_delta_alone_cannot_be_read(tmp_path):
    found = problem(write(tmp_path, layout="Delta"))
    assert found.code == "O107"
    assert "Delta" in found.message


def test_an_extension_is_read_together_with_the_international_edition(tmp_path):
    extension = [
        concept(9000001000107),
        term(77700001, 9000001000107, "Local illness (disorder)", FSN),
        term(77700002, 9000001000107, "Local illness"),
        link(88800001, 9000001000107, 1000020),
        member(7001, 77700001, refset="9000002000107"),
        member(7002, 77700002, refset="9000002000107"),
        concept(1000040, active=0, date="20230101"),  # the extension knows better
    ]
    write(tmp_path / "int")
    write(tmp_path / "ext", extension, owner="XX1000001")
    records = read(tmp_path)
    assert names(records)["sct:9000001000107"] == {"Local illness": Scope.PREFERRED}
    assert ("sct:9000001000107", "sct:1000020") in edges(records)
    assert "sct:1000040" not in records.ids


def test_rows_of_one_date_are_decided_the_same_whichever_file_comes_first(tmp_path):
    both = [concept(1000040, active=0)], RELEASE
    write(tmp_path / "a", both[0], owner="AA")
    write(tmp_path / "a", both[1], owner="ZZ")
    write(tmp_path / "b", both[1], owner="AA")
    write(tmp_path / "b", both[0], owner="ZZ")
    assert content(read(tmp_path / "a")) == content(read(tmp_path / "b"))


@pytest.mark.parametrize(
    ("table", "column"), [("Concept", "active"), ("Description", "term"), ("Relationship", "typeId"), ("Language", "refsetId")]
)
def test_a_missing_column_is_named_with_its_file(tmp_path, table, column):
    changed = COLUMNS | {table: " ".join(c for c in COLUMNS[table].split() if c != column)}
    found = problem(write(tmp_path, columns=changed))
    assert found.code == "O107"
    assert column in found.message
    assert table in found.place.file


@pytest.mark.parametrize("table", ["Concept", "Description", "Relationship"])
def test_a_missing_file_is_named(tmp_path, table):
    found = problem(write(tmp_path, without=[table]))
    assert (found.code, f"sct2_{table}_Snapshot" in found.message) == ("O107", True)


def spoil(folder: Path, table: str, line: int, change) -> None:
    (file,) = folder.glob(f"*{table}*")
    lines = file.read_bytes().split(b"\r\n")
    lines[line - 1] = change(lines[line - 1])
    file.write_bytes(b"\r\n".join(lines))


BROKEN = {
    "too few columns": ("Description", 7, lambda line: line.rpartition(b"\t")[0], "O103"),
    "too many columns": ("Concept", 3, lambda line: line + b"\tmore", "O103"),
    "an id with a letter": ("Concept", 4, lambda line: b"10x" + line, "O103"),
    "an id that is too long": ("Relationship", 2, lambda line: b"1234567890123" + line.replace(b"\t", b"\t", 1), "O103"),
    "an empty id": ("Description", 5, lambda line: line[line.index(b"\t") :], "O103"),
    "a minus": ("Language", 4, lambda line: line.replace(b"\t101\t", b"\t-101\t").replace(b"\t201\t", b"\t-201\t"), "O103"),
    "a flag that is no flag": ("Concept", 5, lambda line: line.replace(b"\t1\t", b"\tyes\t"), "O103"),
    "Latin-1": ("Description", 6, lambda line: line.replace(b"Ill", "Übel".encode("latin-1")), "O104"),
    "a date that is no date": ("Concept", 2, lambda line: line.replace(b"20200101", b"yesterday"), None),
}


@pytest.mark.parametrize("layout", ["Snapshot", "Full"])
@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_row_is_told_with_file_and_line(tmp_path, case, layout, monkeypatch):
    table, line, change, code = BROKEN[case]
    write(tmp_path, layout=layout)
    if case == "an id that is too long":
        rows = [link("1234567890123456789", 1000020, 1000010)] + [row for row in RELEASE if row[0] == "Relationship"]
        write(tmp_path, rows, layout, columns={"Relationship": COLUMNS["Relationship"]})
        if layout == "Snapshot":
            return  # there the id of a relationship is not needed
    else:
        spoil(tmp_path, table, line, change)
    if code is None and layout == "Snapshot":
        return  # nor is the date
    for size in (tsv.BLOCK_BYTES, 64):
        monkeypatch.setattr(tsv, "BLOCK_BYTES", size)
        found = problem(tmp_path)
        assert (found.code, found.place.line) == (code or "O103", line)
        assert table in found.place.file


def test_utf_16_is_told(tmp_path):
    write(tmp_path)
    (file,) = tmp_path.glob("*Concept*")
    file.write_bytes(file.read_text("utf-8").encode("utf-16"))
    assert problem(tmp_path).code == "O104"


def test_an_empty_file_has_no_columns(tmp_path):
    write(tmp_path)
    (file,) = tmp_path.glob("*Concept*")
    file.write_bytes(b"")
    assert problem(tmp_path).code == "O107"


def test_a_release_without_an_active_concept_is_refused(tmp_path):
    assert problem(write(tmp_path, [concept(1000010, active=0)])).code == "O109"


def test_an_endless_line_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tsv, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(tsv, "LONGEST_LINE", 5000)
    write(tmp_path)
    spoil(tmp_path, "Concept", 3, lambda line: line + b"x" * 20000)
    assert (problem(tmp_path).code, problem(tmp_path).place.line) == ("O103", 3)


@pytest.mark.parametrize(
    ("full", "text"),
    [
        ("Cold (disorder)", "Cold"),
        ("Cold (a) (disorder)", "Cold (a)"),
        ("Cold (disorder (old))", "Cold"),
        ("Cold (a tag that is much longer than any of those that are in use today)", "Cold"),
        ("Cold(disorder)", "Cold(disorder)"),
        ("(disorder)", "(disorder)"),
        ("Cold disorder)", "Cold disorder)"),
        ("Cold )", "Cold )"),
        (")", ")"),
        ("Rhüme (Störung)", "Rhüme"),
        ("Cold (", "Cold ("),
    ],
)
def test_the_tag_of_a_full_name_is_taken_off(tmp_path, full, text):
    found = names(read(write(tmp_path, [concept(1000010), term(1, 1000010, full, FSN)])))
    assert found == {"sct:1000010": {text: Scope.PREFERRED}}


def test_terms_beyond_ascii_and_of_every_length_come_through(tmp_path):
    texts = ["é" * n + "x" * (n // 3) for n in range(1, 200)] + ["日本" * n for n in range(300, 303)] + ["a\x01b", "a\x85b"]
    rows = [concept(1000010), *(term(n, 1000010, text) for n, text in enumerate(texts, 1))]
    assert read(write(tmp_path, rows)).name_text == texts


def test_ids_of_every_length_are_read(tmp_path):
    ids = [10**n + n for n in range(17)] + [999999999999999999]
    assert read(write(tmp_path, [concept(n) for n in ids])).ids == [f"sct:{n}" for n in sorted(ids)]


@given(st.lists(st.integers(0, 10**18 - 1), unique=True), st.lists(st.integers(0, 10**18 - 1)))
def test_numbering_finds_what_is_there_and_nothing_else(keys, others):
    wanted = keys + others
    found = Numbering(np.array(keys, np.int64)).find(np.array(wanted, np.int64)).tolist()
    assert found == [keys.index(number) if number in keys else -1 for number in wanted]


def test_numbering_copes_with_ids_that_are_made_to_collide():
    keys = np.arange(5000, dtype=np.int64)  # all but the last three digits are the same for a thousand of them
    same = np.zeros(5000, np.int64)
    assert (Numbering(keys).find(np.arange(-5, 6000)) == np.r_[[-1] * 5, keys, [-1] * 1000]).all()
    assert Numbering(same).find(np.array([0, 1])).tolist() == [0, -1]


PIECES = [b"\t", b"\n", b"\r", b"\0", b"\xff", b"(", b")", b"\r\n", b"9" * 30]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_spoilt_files_end_in_a_result_or_one_error(tmp_path, seed):
    dice = random.Random(seed)
    write(tmp_path, layout="Full" if seed % 2 else "Snapshot", end=dice.choice(["\n", "\r\n"]))
    for file in dice.sample(sorted(tmp_path.iterdir()), 2):
        file.write_bytes(mutated(file.read_bytes(), dice, PIECES))
    try:
        records = read(tmp_path, language=dice.choice(["en", "en-GB", "fr", None]))
    except OntologyError as error:
        assert len(error.problems) == 1
    else:
        assert len(records.name_text) == len(records.name_concept)
    for file in tmp_path.iterdir():
        file.unlink()


class TestSharedReleases:
    def test_full_and_snapshot_of_the_dummy_release_agree(self, shared):
        full, snapshot = read(shared / "rf2" / "dummy-release" / "Full"), read(shared / "rf2" / "dummy-release" / "Snapshot")
        only_there = set(snapshot.ids) - set(full.ids)  # its Full files were not brought up to date
        assert only_there == {"sct:762705008"}
        assert names(full).items() < names(snapshot).items()
        assert relations(full) == relations(snapshot)
        moved = {child for child, parent in edges(snapshot) if parent in only_there}
        assert [e for e in edges(full) if e[0] not in moved] == [e for e in edges(snapshot) if e[0] not in moved]
        assert len(full.parent_child) == len(snapshot.parent_child) > 50

    def test_the_example_snapshot_is_read(self, shared):
        records = read(shared / "rf2" / "example-snapshot")
        assert records.ids
        assert all(identifier.startswith("sct:") for identifier in records.ids)

    def test_the_delta_of_the_dummy_release_is_refused(self, shared):
        assert problem(shared / "rf2" / "dummy-release" / "Delta").code == "O107"
