"""Lexicons installed in the wn package give what their files give."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import wn
from wn import config  # type: ignore[attr-defined]

from kgsan.errors import OntologyError
from kgsan.sources import wninstalled, wnlmf
from kgsan.sources.files import SourceFile, open_source
from kgsan.sources.records import Options, Records, Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

SYNSETS = {  # id: words with their sense numbers, parents, gloss
    "00000100-n": ([("being", 0)], [], "what is"),
    "00000200-n": ([("gronk", 0), ("garden gronk", 0)], ["00000100-n"], 'a "small" being & more'),
    "00000300-n": ([("Gronk", 1), ("Gronk-O'Hara", 0)], ["00000200-n", "00000100-n"], "a famous gronk"),
    "00000400-n": ([("gronk's tail", 0), ("gronk", 2)], [], "what a gronk wags"),
}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """A folder for wn's database, not made yet, for this test only."""
    folder = tmp_path / "wn"
    before = config.database_path.parent  # asking for config.data_directory would make the folder
    config.data_directory = folder
    yield folder
    wn._db.clear_connections()  # wn keeps connections open; the folder is about to go
    config.data_directory = before


def zoo() -> Records:
    records = Records("toy")
    for identifier in SYNSETS:
        records.concept(f"wn:{identifier}")
    for identifier, (words, parents, gloss) in SYNSETS.items():
        concept = records.concept(f"wn:{identifier}")
        for place, (word, rank) in enumerate(words):
            records.name(concept, word, Scope.EXACT if place else Scope.PREFERRED, rank)
        for parent in parents:
            records.parent(concept, records.concept(f"wn:{parent}"))
        records.definitions[concept] = gloss
    records.relation(3, "part of", 1)
    return records


def tool() -> Any:
    path = Path(__file__).parents[2] / "tools" / "wndb_to_lmf.py"
    spec = importlib.util.spec_from_file_location("wndb_to_lmf", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lmf(records: Records, folder: Path, **details: str) -> Path:
    out = io.StringIO()
    tool().write_lmf(records, out, **details)
    path = folder / "zoo.xml"
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def graph(records: Records) -> tuple[object, ...]:
    """What the records say, whatever the order in which they say it."""
    ids = records.ids
    relations = zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True)
    return (
        sorted(ids),
        sorted(
            (ids[concept], text, int(scope), int(rank))
            for concept, text, scope, rank in zip(
                records.name_concept, records.name_text, records.name_scope, records.name_rank, strict=True
            )
        ),
        sorted((ids[c], ids[p]) for c, p in zip(records.parent_child, records.parent_parent, strict=True)),
        sorted((ids[s], records.relation_names[k], ids[o]) for s, k, o in relations),
        {ids[number]: text for number, text in records.definitions.items()},
    )


def test_an_installed_lexicon_gives_what_its_file_gives(tmp_path: Path, database: Path) -> None:
    path = lmf(zoo(), tmp_path)
    wn.add(path, progress_handler=None)
    from_file = wnlmf.read(SourceFile("zoo.xml", path), Options())
    installed = wninstalled.read_lexicon("pwn:3.0", Options())
    assert installed == from_file
    assert wninstalled.read_lexicon("pwn", Options()) == from_file
    assert graph(wninstalled.read_lexicon("pwn:3.0", Options(prefix="wn"))) == graph(zoo())


def test_an_index_and_numbers_of_senses_survive(tmp_path: Path, database: Path) -> None:
    senses = '<Sense id="a{0}" synset="z-1-n" n="{1}"/><Sense id="b{0}" synset="z-2-n" n="{2}"/>'
    entry = '<LexicalEntry id="e{0}" {1}><Lemma writtenForm="{2}" partOfSpeech="n"/>{3}</LexicalEntry>'
    path = tmp_path / "z.xml"
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE LexicalResource SYSTEM "https://globalwordnet.github.io/schemas/WN-LMF-1.4.dtd">\n'
        '<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">'
        '<Lexicon id="z" label="z" language="en" email="e" license="l" version="1">'
        + entry.format(1, 'index="w"', "w", senses.format(1, 3, 1))
        + entry.format(2, 'index="w"', "W", senses.format(2, 2, 4))
        + entry.format(3, "", "v", senses.format(3, 2, 1))
        + entry.format(4, "", "v", senses.format(4, 1, 2))
        + '<Synset id="z-1-n" ili="" partOfSpeech="n" members="e3 a2 e1"/><Synset id="z-2-n" ili="" partOfSpeech="n"/>'
        "</Lexicon></LexicalResource>"
    )
    wn.add(path, progress_handler=None)
    records = wnlmf.read(SourceFile("z.xml", path), Options())
    assert records.name_text[:3] == ["v", "W", "w"]
    assert list(records.name_rank[:3]) == [1, 1, 2]
    assert wninstalled.read_lexicon("z:1", Options()) == records


def test_a_missing_lexicon_is_an_error_that_lists_those_that_are_there(tmp_path: Path, database: Path) -> None:
    wn.add(lmf(zoo(), tmp_path), progress_handler=None)
    with pytest.raises(OntologyError) as caught:
        wninstalled.read_lexicon("oewn:2024", Options())
    (problem,) = caught.value.problems
    assert problem.code == "O101"
    assert "pwn:3.0" in problem.message
    assert problem.hint is not None
    assert "python -m wn download oewn:2024" in problem.hint


def test_asking_creates_no_database(database: Path) -> None:
    with pytest.raises(OntologyError) as caught:
        wninstalled.read_lexicon("oewn:2024", Options())
    assert "installed: none" in caught.value.problems[0].message
    assert not database.exists()


def test_two_versions_of_a_lexicon_ask_for_a_choice(tmp_path: Path, database: Path) -> None:
    for version in ("3.0", "3.1"):
        wn.add(lmf(zoo(), tmp_path, version=version), progress_handler=None)
    with pytest.raises(OntologyError) as caught:
        wninstalled.read_lexicon("pwn", Options())
    assert caught.value.problems[0].hint == "Name one of them: pwn:3.0, pwn:3.1."
    assert len(wninstalled.read_lexicon("pwn:3.1", Options()).ids) == 4


@pytest.mark.parametrize("content", [b"not a database", b"SQLite format 3\0" + b"\0" * 200, b""])
def test_a_damaged_database_is_refused(database: Path, content: bytes) -> None:
    database.mkdir()
    (database / "wn.db").write_bytes(content)
    with pytest.raises(OntologyError) as caught:
        wninstalled.read_lexicon("pwn:3.0", Options())
    assert caught.value.problems[0].code == "O101"


def test_the_same_wordnet_as_a_folder_and_through_wn_is_the_same_graph(tmp_path: Path, database: Path) -> None:
    wndb = pytest.importorskip("kgsan.sources.wndb")
    folder = tmp_path / "dict"
    folder.mkdir()
    write_wndb(folder)
    from_folder = wndb.read(open_source(folder), Options())
    wn.add(lmf(from_folder, tmp_path), progress_handler=None)
    assert graph(from_folder) == graph(wninstalled.read_lexicon("pwn:3.0", Options(prefix="wn")))
    assert len(from_folder.name_text) == 7
    assert len(from_folder.parent_child) == 3


def write_wndb(folder: Path) -> None:
    """The synsets above as data.noun and index.noun, every synset at the byte that its id says."""
    ids = list(SYNSETS)
    pointers = {identifier: [("@", parent) for parent in parents] for identifier, (_, parents, _) in SYNSETS.items()}
    pointers[ids[3]].append(("#p", ids[1]))
    pointers[ids[1]].append(("%p", ids[3]))
    texts = []
    for identifier, (words, _, gloss) in SYNSETS.items():
        spelt = " ".join(f"{word.replace(' ', '_')} 0" for word, _ in words)
        links = "".join(f" {sign} {{{target}}} n 0000" for sign, target in pointers[identifier])
        texts.append(f"{{{identifier}}} 03 n {len(words):02x} {spelt} {len(pointers[identifier]):03}{links} | {gloss}  \n")
    licence = "  1 This is a toy.  \n"
    offsets, at = {}, len(licence)
    for identifier, text in zip(ids, texts, strict=True):
        offsets[identifier] = f"{at:08}"
        at += len(text.format_map(dict.fromkeys(ids, "00000000")))
    (folder / "data.noun").write_bytes((licence + "".join(text.format_map(offsets) for text in texts)).encode())
    senses: dict[str, list[tuple[int, str]]] = {}
    for identifier, (words, _, _) in SYNSETS.items():
        for word, rank in words:
            senses.setdefault(word.replace(" ", "_").lower(), []).append((rank, offsets[identifier]))
    lines = [
        f"{lemma} n {len(found)} 0 {len(found)} 0 {' '.join(offset for _, offset in sorted(found))}  \n"
        for lemma, found in sorted(senses.items())
    ]
    (folder / "index.noun").write_bytes((licence + "".join(lines)).encode())


def test_the_tool_turns_a_folder_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("kgsan.sources.wndb")
    folder = tmp_path / "dict"
    folder.mkdir()
    write_wndb(folder)
    assert tool().main([str(folder), str(tmp_path / "out.xml")]) == 0
    assert len(wnlmf.read(SourceFile("out.xml", tmp_path / "out.xml"), Options()).ids) == 4
    assert tool().main([str(tmp_path / "nothing"), str(tmp_path / "out.xml")]) == 3
    assert "O1" in capsys.readouterr().err
