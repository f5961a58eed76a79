"""Knowledge by name or path, and what is said of files that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import kgsan
from kgsan.knowledge.build import Builder
from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.load import load_knowledge
from kgsan.knowledge.table import CountTable
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Policy, ProtectedEntity
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.knowledge.knowledge import Topic

STACK = OntologyStack([Ontology.from_records(taxonomy(GOLDEN))])


@pytest.fixture
def built(tmp_path: Path) -> Path:
    builder = Builder(Finder(STACK))
    builder.add(["Zidovudine for HIV infection.", "Influenza."])
    path = tmp_path / "mine.kgk"
    builder.finish({"name": "mine"}).save(path)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "counts.tsv"
    path.write_text("contexts\t100\ncondom\t4\n")
    return path


def topic(stack: OntologyStack, entity: str) -> Topic:
    return SensitiveTerms(Policy("toy", "Toy Act", protect=(ProtectedEntity(entity),)), stack).topic(0)


# --- names and paths -------------------------------------------------------------------------------------------------------


def test_files_and_tables_are_told_apart_by_their_content_and_asked_in_order(built: Path, table: Path) -> None:
    known = load_knowledge(built, str(table), ontology=STACK)
    assert isinstance(known, CombinedKnowledge)
    assert known.stack is STACK
    assert [type(source) for source in known.sources] == [CorpusKnowledge, CountTable]
    assert [source.contexts for source in known.sources] == [2, 100]
    assert [source.count("zidovudine") for source in known.sources] == [1, None]


def test_the_name_of_a_file_decides_nothing(built: Path) -> None:
    renamed = built.rename(built.with_suffix(".txt"))
    [source] = load_knowledge(renamed, ontology=STACK).sources
    assert source.count("influenza") == 1


def test_taxonomy_is_the_ontologies_alone(built: Path) -> None:
    known = load_knowledge("taxonomy", ontology=STACK)
    assert (known.given, [source.name for source in known.sources]) == ((), ["test"])
    assert [source.name for source in load_knowledge("taxonomy", built, ontology=STACK).sources] == ["mine"]


def test_the_same_file_serves_other_ontologies(built: Path) -> None:
    mine = OntologyStack([Ontology.from_records(taxonomy({"my illness": "", "influenza": "my illness"}, "m"))])
    known = load_knowledge(built, ontology=STACK).over(mine)
    assert known.stack is mine
    assert [source.count(topic(mine, "my illness")) for source in known.sources] == [1]
    assert [source.count(mine.find("influenza")[0], "influenza") for source in known.sources] == [1]


# --- what ships ------------------------------------------------------------------------------------------------------------


def test_what_ships_is_the_default_and_knows_that_zidovudine_reveals_hiv() -> None:
    known = kgsan.load_knowledge()
    assert [source.name for source in known.sources] == ["english"]
    asked = topic(known.stack, "HIV")
    counted, *_ = known.shares(asked, "zidovudine")
    assert counted.source == "english"
    assert counted.low > 2 / 3
    innocent = known.disclosure(asked, "hospital")
    assert innocent is None or innocent.low < 1 / 2


def test_what_ships_joins_other_sources_by_its_name(table: Path) -> None:
    assert [source.name for source in load_knowledge(table, "english", ontology=STACK).sources] == ["counts.tsv", "english"]


# --- what is no knowledge --------------------------------------------------------------------------------------------------


def ask(path: Path | str) -> None:
    for source in load_knowledge(path, ontology=STACK).given:
        source.count("zidovudine", "influenza")


def complaint(path: Path | str) -> tuple[str, str | None, str]:
    with pytest.raises(kgsan.KgsanError) as caught:
        ask(path)
    [problem] = caught.value.problems
    return problem.code, problem.hint, str(problem)


def test_a_file_that_is_not_there_is_told_by_its_name(tmp_path: Path) -> None:
    code, hint, told = complaint(tmp_path / "missing.kgk")
    assert (code, hint) == ("K101", None)
    assert "missing.kgk" in told
    assert str(tmp_path) not in told


def test_a_word_that_is_no_file_is_told_which_words_need_none() -> None:
    code, hint, _ = complaint("englisch")
    assert code == "K101"
    assert hint == "'english' and 'taxonomy' need no file."


def test_a_folder_is_no_knowledge(tmp_path: Path) -> None:
    assert complaint(tmp_path)[0] == "K101"


def test_a_text_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("He was seen in March.\n")
    code, _, told = complaint(path)
    assert code == "K103"
    assert "March" not in told


def test_an_empty_file_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "empty.kgk"
    path.write_bytes(b"")
    assert complaint(path)[0] == "K103"


def test_an_ontology_is_no_knowledge(tmp_path: Path) -> None:
    path = tmp_path / "golden.kgo"
    STACK[0].save(path)
    code, _, told = complaint(path)
    assert code == "O112"
    assert "it holds ontology, not knowledge" in told


@pytest.mark.parametrize("kept", [0.1, 0.3, 0.6])
def test_a_file_that_was_cut_short_is_refused(built: Path, kept: float) -> None:
    data = built.read_bytes()
    built.write_bytes(data[: int(len(data) * kept)])
    assert complaint(built)[0] == "O112"
