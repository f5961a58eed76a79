"""Hand-made tables: what they may hold, and what is said when they hold something else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgsan.errors import OntologyError
from kgsan.sources import table
from kgsan.sources.files import SourceFile
from kgsan.sources.records import Options, Records, Scope

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.errors import Problem


def write(folder: Path, text: str | bytes, name: str = "pets.csv") -> SourceFile:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return SourceFile(name, path)


def read(folder: Path, text: str | bytes, name: str = "pets.csv", **options: str) -> Records:
    source = write(folder, text, name)
    assert table.recognises(source)
    return table.read(source, Options(**options))  # type: ignore[arg-type]


def failure(folder: Path, text: str | bytes) -> list[tuple[str, int | None]]:
    with pytest.raises(OntologyError) as caught:
        table.read(write(folder, text), Options())
    return [(problem.code, problem.place.line) for problem in caught.value.problems]


def problems(source: SourceFile) -> tuple[Problem, ...]:
    try:
        table.read(source, Options())
    except OntologyError as error:
        return error.problems
    return ()


def parents(records: Records) -> set[tuple[str, str]]:
    return {(records.ids[c], records.ids[p]) for c, p in zip(records.parent_child, records.parent_parent, strict=True)}


def names(records: Records) -> list[tuple[str, str, Scope]]:
    columns = zip(records.name_concept, records.name_text, records.name_scope, strict=True)
    return [(records.ids[c], text, Scope(scope)) for c, text, scope in columns]


def test_a_table_gives_ids_names_parents_and_synonyms(tmp_path: Path) -> None:
    records = read(tmp_path, "id,name,parent,synonyms,definition\n1,pet,,,kept at home\n2,gronk,1,gronkling|small gronk,\n")
    assert records.ids == ["pets:1", "pets:2"]
    assert names(records) == [
        ("pets:1", "pet", Scope.PREFERRED),
        ("pets:2", "gronk", Scope.PREFERRED),
        ("pets:2", "gronkling", Scope.EXACT),
        ("pets:2", "small gronk", Scope.EXACT),
    ]
    assert parents(records) == {("pets:2", "pets:1")}
    assert records.definitions == {0: "kept at home"}
    assert records.problems == []


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_the_separator_is_found_from_the_header_in_any_order_and_case(tmp_path: Path, separator: str) -> None:
    rows = [["Parent", "NAME", "Id"], ["", "pet", "1"], ["pet", "gronk", "2"], ["1|2", "mini gronk", "3"]]
    records = read(tmp_path, "\n".join(separator.join(row) for row in rows))
    assert parents(records) == {("pets:2", "pets:1"), ("pets:3", "pets:1"), ("pets:3", "pets:2")}


def test_without_ids_the_name_becomes_the_id(tmp_path: Path) -> None:
    records = read(tmp_path, "name,parent\nPet,\nÉlan Gronk,Pet\nC,Pet\nC++,Pet\n", name="My pets.v2.csv")
    assert records.ids == ["My-pets:pet", "My-pets:elan-gronk", "My-pets:c", "My-pets:c-2"]


def test_a_prefix_can_be_asked_for_and_a_curie_keeps_its_own(tmp_path: Path) -> None:
    records = read(tmp_path, "id,name,parent\n1,pet,\nzoo:2,gronk,1\n", prefix="my")
    assert records.ids == ["my:1", "zoo:2"]
    assert parents(records) == {("zoo:2", "my:1")}


def test_two_rows_with_one_id_and_one_name_give_two_parents(tmp_path: Path) -> None:
    records = read(tmp_path, "id,name,parent,synonyms\n1,pet,,\n2,food,,\n3,snork,1,a\n3,snork,2,b\n")
    assert parents(records) == {("pets:3", "pets:1"), ("pets:3", "pets:2")}
    assert records.name_text == ["pet", "food", "snork", "a", "b"]


def test_one_id_for_two_names_is_an_error_with_both_lines(tmp_path: Path) -> None:
    with pytest.raises(OntologyError) as caught:
        read(tmp_path, "id,name\n1,pet\n2,food\n1,snork\n")
    (problem,) = caught.value.problems
    assert (problem.code, problem.place.line) == ("O108", 4)
    assert "line 2" in problem.message


def test_a_parent_name_of_two_concepts_asks_for_the_id(tmp_path: Path) -> None:
    with pytest.raises(OntologyError) as caught:
        read(tmp_path, "id,name,parent\n1,bank,\n2,bank,\n3,vault,bank\n")
    (problem,) = caught.value.problems
    assert (problem.code, problem.place.line) == ("O103", 4)
    assert problem.hint == "Write the id: pets:1 or pets:2."


def test_an_id_goes_before_a_name(tmp_path: Path) -> None:
    assert parents(read(tmp_path, "id,name,parent\npet,dog,\n2,pet,\n3,puppy,pet\n")) == {("pets:3", "pets:pet")}


def test_an_unknown_parent_is_noticed_with_line_and_guess_and_the_concept_stays(tmp_path: Path) -> None:
    records = read(tmp_path, "name,parent\nanimal,\ngronk,anmial\n")
    (notice,) = records.problems
    assert (notice.code, notice.place.line, notice.hint) == ("O203", 3, "Did you mean 'animal'?")
    assert len(records.ids) == 2
    assert not records.parent_child


def test_many_unknown_parents_end_in_one_count(tmp_path: Path) -> None:
    records = read(tmp_path, "name,parent\n" + "".join(f"n{n},nowhere {n}\n" for n in range(500)))
    assert len(records.problems) == 21
    assert "480" in records.problems[-1].message


def test_an_unknown_column_is_noticed_with_a_guess(tmp_path: Path) -> None:
    records = read(tmp_path, "name,parent,synonym,colour\npet,,x,red\n")
    assert [(notice.code, notice.hint) for notice in records.problems] == [("O206", "Did you mean 'synonyms'?"), ("O206", None)]
    assert records.name_text == ["pet"]


def test_relation_columns_name_their_targets(tmp_path: Path) -> None:
    records = read(tmp_path, "id,name,Relation: eats\n1,gronk,2;3\n2,leaf,\n3,twig,\n")
    assert records.relation_names == ["eats"]
    assert list(zip(records.relation_subject, records.relation_object, strict=True)) == [(0, 1), (0, 2)]


def test_names_may_have_any_scope_and_a_sense_order(tmp_path: Path) -> None:
    records = read(
        tmp_path,
        "id,name,synonyms,narrow,related,broad,ambiguous,senses\n1,gronk,gronkling|gron,baby gronk,den,beast,G,2|0|1|0|0|0|4\n2,pet,,,,,,\n",
    )
    assert names(records) == [
        ("pets:1", "gronk", Scope.PREFERRED),
        ("pets:1", "gronkling", Scope.EXACT),
        ("pets:1", "gron", Scope.EXACT),
        ("pets:1", "baby gronk", Scope.NARROW),
        ("pets:1", "den", Scope.RELATED),
        ("pets:1", "beast", Scope.BROAD),
        ("pets:1", "G", Scope.AMBIGUOUS),
        ("pets:2", "pet", Scope.PREFERRED),
    ]
    assert records.name_rank == [2, 0, 1, 0, 0, 0, 4, 0]
    assert records.problems == []


def test_a_sense_stays_with_its_name_when_a_name_is_said_twice(tmp_path: Path) -> None:
    records = read(tmp_path, "id,name,synonyms,senses\n1,a,a|b,1|2|3\n1,a,b|c,5|6|7\n")
    assert list(zip(records.name_text, records.name_rank, strict=True)) == [("a", 1), ("b", 3), ("c", 7)]


@pytest.mark.parametrize("senses", ["x", "-1", "1.5", "0|0|0", "99999", "²"])
def test_a_sense_that_is_none_is_told_with_its_line(tmp_path: Path, senses: str) -> None:
    assert failure(tmp_path, f"id,name,synonyms,senses\n1,a,b,{senses}\n") == [("O103", 2)]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_a_separator_of_values_may_be_part_of_one(tmp_path: Path, separator: str) -> None:
    rows = [["id", "name", "synonyms"], ["1", "a", r"b\|c|d\\|e\f|\;\|"]]
    records = read(tmp_path, "\n".join(separator.join(row) for row in rows).replace(r"\;", r"\|" if separator == ";" else r"\;"))
    assert records.name_text == ["a", "b|c", "d\\", "e\\f", "||" if separator == ";" else ";|"]


def test_references_and_other_ids_are_kept_and_another_id_may_be_a_parent(tmp_path: Path) -> None:
    records = read(tmp_path, "id,name,parent,references,aliases\n1,pet,,UMLS:7|MSH:8,one|old:1\n2,gronk,one,,\n")
    assert records.references == [(0, "UMLS:7"), (0, "MSH:8")]
    assert records.aliases == {"pets:one": 0, "old:1": 0}
    assert parents(records) == {("pets:2", "pets:1")}


@pytest.mark.parametrize("rows", ["1,pet,2\n2,gronk,\n", "1,pet,x\n2,gronk,x\n"])
def test_another_id_belongs_to_one_concept(tmp_path: Path, rows: str) -> None:
    assert [code for code, _ in failure(tmp_path, "id,name,aliases\n" + rows)] == ["O108"]


def content(source: SourceFile) -> tuple[object, ...]:
    records = table.read(source, Options())
    relations = zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True)
    return (
        *(records.ids, names(records), records.name_rank, parents(records), records.definitions, records.aliases),
        *(records.references, {(s, records.relation_names[k], o) for s, k, o in relations}, records.problems),
    )


TIDY = (
    "id\tname\tparent\tsynonyms\tambiguous\tsenses\tdefinition\treferences\taliases\trelation:eats\n"
    "z:1\tpet\t\t\t\t3\t\t\t\t\nz:2\tgronk\tz:1\tgron|gronkling\tG\t1|0|2\tit bites\tq:1|q:2\tz:02\tz:3|z:1\n"
    "z:3\tleaf\t\t\t\t\t\t\t\t\n"
)


@pytest.mark.parametrize(
    "change",
    [
        ("", ""),
        ("gron|", 'gron"|'),
        ("gron|", "  gron |"),
        ("gron|", "gron|gron|"),
        ("gron|", "|"),
        ("z:1\tgron", "pet\tgron"),
        ("z:1\tgron", "nowhere\tgron"),
        ("z:1\tgron", "z:2\tgron"),
        ("z:1\tgron", "z:1|z:1|z:3\tgron"),
        ("z:02", "02"),
        ("z:3\tleaf\t\t\t\t\t\t\t\t\n", "z:3\tleaf\n\n"),
        ("z:3\tleaf", "3\tleaf"),
        ("it bites", "it\\|bites; hard"),
        ("\n", "\r\n"),
        ("\t\tit", "\tit"),
        ("z:3\tleaf", "z:1\tpet"),
    ],
)
def test_a_table_says_the_same_read_all_at_once_or_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str]
) -> None:
    source = write(tmp_path, TIDY.replace(*change) if change[0] else TIDY, "pets.tsv")
    told = []
    for small in (0, 1 << 30):
        monkeypatch.setattr(table, "_SMALL", small)
        try:
            told.append(content(source))
        except OntologyError as error:
            told.append(error.problems)
    assert told[0] == told[1]


def test_a_hundred_thousand_rows_are_read_without_waiting(tmp_path: Path) -> None:
    rows = "".join(f"z:{n}\tname {n}\t{f'z:{n // 10}' if n else ''}\tfirst {n}|second {n}\n" for n in range(100_000))
    source = write(tmp_path, "id\tname\tparent\tsynonyms\n" + rows, "pets.tsv")
    start = time.process_time()
    assert len(table.read(source, Options()).name_text) == 300_000
    assert time.process_time() - start < 5  # measured: 0.5 s


def test_two_rows_for_each_of_many_concepts_are_read_without_waiting(tmp_path: Path) -> None:
    rows = "".join(f"{n},name {n},a{n}\n" for n in range(20_000))
    source = write(tmp_path, "id,name,synonyms\n" + rows + rows)
    start = time.process_time()
    assert len(table.read(source, Options()).name_text) == 40_000
    assert time.process_time() - start < 5


def test_a_concept_is_not_its_own_parent(tmp_path: Path) -> None:
    records = read(tmp_path, "name,parent\npet,pet\n")
    assert [notice.code for notice in records.problems] == ["O202"]
    assert not records.parent_child


def test_lines_are_counted_right_after_a_quoted_line_break(tmp_path: Path) -> None:
    text = 'id,name,definition\r\n1,pet,"two\r\nlines"\r\n\r\n2,"gronk, small",x\r\n3,,\r\n'
    assert failure(tmp_path, text) == [("O103", 6)]


def test_every_wrong_row_is_told_at_once(tmp_path: Path) -> None:
    assert failure(tmp_path, "id,name\n1,\n,pet\n3,a,b\n4,dog\n4,cat\n") == [
        ("O103", 2),
        ("O103", 3),
        ("O103", 4),
        ("O108", 6),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,nam\n1,pet\n", ("O107", 1)),
        ("", ("O107", 1)),
        ("\n\nname,parent,name\nx,,\n", ("O103", 3)),
        ("id,name\n", ("O109", 1)),
        ('id,name\n1,"pet\n2,dog\n', ("O103", 2)),
        ('id,name\n1,"pet"x\n', ("O103", 2)),
        (b"id,name\n1,p\0et\n", ("O103", 2)),
        (b"id,name\n1,pet\n2,\xff\n", ("O104", 3)),
        ("id,name" + "," * 100_000 + "\n", ("O103", 1)),
        ('id,name\n1,"' + "x" * (17 << 20) + '"\n', ("O103", 2)),
    ],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, text: str | bytes, expected: tuple[str, int]) -> None:
    assert failure(tmp_path, text) == [expected]


def test_a_byte_order_mark_and_utf16_do_no_harm(tmp_path: Path) -> None:
    text = "name,parent\nMénagerie,\n"
    assert read(tmp_path, text.encode("utf-8-sig")).ids == ["pets:menagerie"]
    assert read(tmp_path, text.encode("utf-16")).ids == ["pets:menagerie"]


def test_a_long_cell_is_read_and_the_limit_of_the_csv_module_is_put_back(tmp_path: Path) -> None:
    import csv

    before = csv.field_size_limit()
    assert len(read(tmp_path, f"id,name\n1,{'x' * 200_000}\n").name_text[0]) == 200_000
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    "text", ["", "just words\n", "a,b\n1,2\n", "<id,name>", b"\0id,name\n", b"\x89PNG\r\n", '{"id": 1, "name": 2}']
)
def test_other_files_are_not_taken_for_tables(tmp_path: Path, text: str | bytes) -> None:
    assert not table.recognises(write(tmp_path, text))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [*'",;|\t\n\r\0:= ', "id", "name", "parent", "relation:x", "synonyms", "senses", "\\", "1", "a", "é", "\ufeff"]
        ),
        max_size=60,
    )
)
def test_nothing_but_an_ontology_error_escapes(tmp_path: Path, pieces: list[str]) -> None:
    for start in ("", "id,name,parent\n"):
        source = write(tmp_path, start + "".join(pieces))
        table.recognises(source)
        assert all(problem.place.line for problem in problems(source))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_garbage_is_refused_politely(tmp_path: Path, data: bytes) -> None:
    source = write(tmp_path, b"id,name\n" + data)
    table.recognises(source)
    assert all(problem.place.line for problem in problems(source))
