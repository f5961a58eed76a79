"""Tables of counts: what they answer, what is capped, and what is wrong with them told line by line."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

import pytest

from kgsan.errors import KnowledgeError
from kgsan.knowledge.table import CountTable
from kgsan.ontology.ontology import Concept

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """# hits, counted in an afternoon
contexts\t1000
cancer\t100
oncologist\t5
treatment\t50
#hashtag\t3

AIDS\t20
hearing aid\t40
cancer\toncologist\t7
cancer\ttreatment\t30
oncologist\ttreatment\t4
cancer\toncologist\ttreatment\t5
"""


@pytest.fixture(scope="module")
def table() -> CountTable:
    return CountTable.read(GOOD)


def test_terms_and_groups_are_counted_as_listed_in_any_order(table: CountTable) -> None:
    assert table.contexts == 1000
    assert (table.count("cancer"), table.count("treatment", "cancer"), table.count("cancer", "treatment")) == (100, 30, 30)
    assert not table.capped("cancer", "treatment")
    assert table.count() == 1000


def test_a_group_counts_at_most_as_much_as_its_rarest_part_and_says_so(table: CountTable) -> None:
    assert table.count("cancer", "oncologist") == 5
    assert table.capped("oncologist", "cancer")
    assert table.count("cancer", "oncologist", "treatment") == 4
    assert table.capped("cancer", "oncologist", "treatment")


def test_what_is_not_listed_cannot_be_said(table: CountTable) -> None:
    assert [table.count(*terms) for terms in (("surgery",), ("AIDS", "cancer"), ("surgery", "cancer"), ("",))] == [None] * 4
    assert not table.capped("surgery")


def test_a_term_twice_is_the_term(table: CountTable) -> None:
    assert table.count("cancer", "Cancers") == 100


def test_inflection_and_case_do_not_matter_but_an_acronym_is_itself(table: CountTable) -> None:
    assert (table.count("Oncologists"), table.count("HEARING AIDS"), table.count("AIDS")) == (5, 40, 20)
    assert CountTable.read("contexts\t9\nHIV\t3\n").count("hiv") == 3
    both = CountTable.read("contexts\t9\nMAT\t3\nmat\t5\n")
    assert (both.count("MAT"), both.count("mat"), both.count("Mats")) == (3, 5, 5)


def test_a_concept_is_counted_by_the_first_name_that_is_listed(table: CountTable) -> None:
    doctor = Concept("t:1", "cancer doctor", ("oncologist", "treatment"))
    assert table.count(doctor) == 5
    assert table.count(doctor, "treatment") == 4


def test_a_hash_begins_a_remark_only_where_no_count_would_be_lost(table: CountTable) -> None:
    assert table.count("hashtag") == 3


def test_a_table_is_read_from_a_file_with_any_line_ends(tmp_path: Path, table: CountTable) -> None:
    path = tmp_path / "hits.tsv"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    for source in (path, str(path)):
        read = CountTable.read(source)
        assert (read.name, read.contexts, read.count("cancer", "oncologist")) == ("hits.tsv", 1000, 5)


def test_a_summary_shows_no_terms(table: CountTable) -> None:
    assert repr(table) == "CountTable(name='counts', contexts=1000)"


def problems(source: str | Path) -> list[str]:
    with pytest.raises(KnowledgeError) as caught:
        CountTable.read(source)
    return [f"{problem.place.line} {problem.code}" for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\t", ["None K103"]),
        ("cancer\t100\n", ["1 K103"]),
        ("# hits\n\ncontexts\tmany\n", ["3 K103"]),
        ("contexts\t0\n", ["1 K103"]),
        ("contexts\t10\ncancer\n", ["2 K104"]),
        ("contexts\t10\n\t5\n", ["2 K104"]),
        ("contexts\t10\ncancer\tCancers\t5\n", ["2 K104"]),
        ("contexts\t10\n" + "a\t" * 9 + "1\n", ["2 K104"]),
        ("contexts\t10\ncancer\t1,000\n", ["2 K105"]),
        ("contexts\t10\ncancer\t-1\n", ["2 K105"]),
        ("contexts\t10\ncancer\t٣\n", ["2 K105"]),
        ("contexts\t10\ncancer\t" + "9" * 10_000 + "\n", ["2 K105"]),
        ("contexts\t10\ncancer\t11\n", ["2 K105"]),
        ("contexts\t10\ncancer\t5\ncancers\t6\n", ["3 K106"]),
        ("contexts\t10\ncancer\t5\ncancer\tscan\t2\n", ["3 K107"]),
        ("contexts\t10\ncancer\tx\nscan\nscan\tscar\t2\n", ["2 K105", "3 K104"]),
        ("contexts\t10\n" + "cancer\n" * 150, [f"{line} K104" for line in range(2, 102)] + ["None K108"]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, expected: list[str]) -> None:
    assert problems(text) == expected


def test_the_same_count_twice_is_no_problem() -> None:
    assert CountTable.read("contexts\t10\ntumour\t5\ntumors\t5\n").count("tumor") == 5


def test_a_file_that_is_not_there_or_not_text_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "latin.tsv"
    broken.write_bytes(b"contexts\t10\nna\xefve\t3\n")
    assert problems(broken) == ["2 K102"]
    assert problems(tmp_path / "missing.tsv") == ["None K101"]
    assert problems(tmp_path) == ["None K101"]
    assert problems("no\0file") == ["None K101"]


def test_messages_show_no_term() -> None:
    with pytest.raises(KnowledgeError) as caught:
        CountTable.read("contexts\t10\nsecret\tsecrets\t5\nsecret\t11\nhidden\tx\n")
    assert "secret" not in str(caught.value)
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("line", ["a" * 5_000_000, "\t" * 5_000_000, "a\t" * 2_500_000, "a " * 2_500_000, "'" * 5_000_000])
def test_a_hostile_line_is_refused_in_linear_time(line: str) -> None:
    begun = process_time()
    with pytest.raises(KnowledgeError):
        CountTable.read(f"contexts\t10\n{line}\tx\n")
    assert process_time() - begun < 20
