"""The Open Directory's dumps: their topics, their links, and their broken bytes."""

from __future__ import annotations

import io
import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from kgsan.errors import OntologyError
from kgsan.sources import odp
from kgsan.sources.files import SourceFile
from kgsan.sources.records import Options, Records, Scope

if TYPE_CHECKING:
    from pathlib import Path

START = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">\n'
)
DIRECTORY = (
    START
    + """\
<Topic r:id="Top"><catid>1</catid><narrow1 r:resource="Top/Garden"/><narrow r:resource="Top/Garden"/></Topic>
<Topic r:id="Top/Garden"><catid>2</catid><d:Title>Garden</d:Title>
  <narrow2 r:resource="Top/Garden/Garden_Gronks"/>
  <symbolic r:resource="Ponds:Top/Water/Ponds"/>
  <symbolic1 r:resource="Lakes: big:Top/Water/Lakes"/>
  <related r:resource="Top/Water"/>
  <narrow r:resource="Top/Nowhere"/>
</Topic>
<Topic r:id="Top/Garden/Garden_Gronks"><catid>3</catid><d:Title>Gronks &amp; Co</d:Title></Topic>
<Topic r:id="Top/Garden/Garden_Gronks/A"><catid>4</catid><d:Title>A</d:Title></Topic>
<Topic r:id="Top/Garden/Garden_Gronks/A/Alba"><catid>5</catid><d:Title>Alba</d:Title></Topic>
<Topic r:id="Top/Water"><catid>6</catid></Topic>
<Topic r:id="Top/Water/Missing/Ponds"><catid>7</catid></Topic>
<Alias r:id="Ponds:Top/Water/Ponds"><d:Title>Ponds</d:Title><Target r:resource="Top/Water/Missing/Ponds"/></Alias>
<Topic r:id="Top/World/Deutsch"><d:Title>Deutsch</d:Title><narrow r:resource="Top/World/Deutsch/Garten"/></Topic>
<Topic r:id="Top/World/Deutsch/Garten"><related r:resource="Top/Garden"/></Topic>
<Topic r:id="Top/Kids_and_Teens/International/Jardin"/>
</RDF>
"""
)


def write(folder: Path, text: str | bytes) -> SourceFile:
    path = folder / "structure.rdf.u8"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return SourceFile(path.name, path)


def read(folder: Path, text: str | bytes, options: Options | None = None) -> Records:
    source = write(folder, text)
    assert odp.recognises(source)
    return odp.read(source, options or Options())


def parents(records: Records) -> set[tuple[str, str]]:
    return {(records.ids[c], records.ids[p]) for c, p in zip(records.parent_child, records.parent_parent, strict=True)}


def test_topics_are_concepts_and_the_last_part_of_their_path_is_their_name(tmp_path: Path) -> None:
    records = read(tmp_path, DIRECTORY)
    names = dict[str, list[tuple[str, Scope]]]()
    for concept, text, scope in zip(records.name_concept, records.name_text, records.name_scope, strict=True):
        names.setdefault(records.ids[concept], []).append((text, Scope(scope)))
    assert names == {
        "odp:Top": [("Top", Scope.PREFERRED)],
        "odp:Top/Garden": [("Garden", Scope.PREFERRED)],
        "odp:Top/Garden/Garden_Gronks": [("Garden Gronks", Scope.PREFERRED), ("Gronks & Co", Scope.EXACT)],
        "odp:Top/Garden/Garden_Gronks/A/Alba": [("Alba", Scope.PREFERRED)],
        "odp:Top/Water": [("Water", Scope.PREFERRED)],
        "odp:Top/Water/Missing/Ponds": [("Ponds", Scope.PREFERRED)],
    }


def test_a_letter_has_no_name_and_stays_in_the_hierarchy(tmp_path: Path) -> None:
    records = read(tmp_path, DIRECTORY)
    assert ("odp:Top/Garden/Garden_Gronks/A/Alba", "odp:Top/Garden/Garden_Gronks/A") in parents(records)


def test_narrower_topics_and_paths_give_each_parent_once(tmp_path: Path) -> None:
    records = read(tmp_path, DIRECTORY)
    assert parents(records) == {
        ("odp:Top/Garden", "odp:Top"),
        ("odp:Top/Garden/Garden_Gronks", "odp:Top/Garden"),
        ("odp:Top/Garden/Garden_Gronks/A", "odp:Top/Garden/Garden_Gronks"),
        ("odp:Top/Garden/Garden_Gronks/A/Alba", "odp:Top/Garden/Garden_Gronks/A"),
        ("odp:Top/Water", "odp:Top"),
        ("odp:Top/Water/Missing/Ponds", "odp:Top/Water"),
    }
    assert len(records.parent_child) == 6


def test_symbolic_and_related_links_become_relations(tmp_path: Path) -> None:
    records = read(tmp_path, DIRECTORY)
    columns = zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True)
    assert [(records.ids[s], records.relation_names[k], records.ids[o]) for s, k, o in columns] == [
        ("odp:Top/Garden", "symbolic", "odp:Top/Water/Missing/Ponds"),
        ("odp:Top/Garden", "related", "odp:Top/Water"),
    ]


def test_links_into_nothing_are_counted_and_other_languages_are_left_out(tmp_path: Path) -> None:
    records = read(tmp_path, DIRECTORY)
    assert not any("World" in identifier or "International" in identifier for identifier in records.ids)
    assert [(notice.code, notice.message.rpartition("(")[2]) for notice in records.problems] == [("O203", "2)."), ("O206", "3).")]


def test_every_language_is_read_when_none_is_asked_for(tmp_path: Path) -> None:
    records = read(tmp_path, DIRECTORY, Options(language=None))
    assert ("odp:Top/World/Deutsch/Garten", "odp:Top/World/Deutsch") in parents(records)
    assert "odp:Top/Kids_and_Teens/International/Jardin" in records.ids
    assert [notice.code for notice in records.problems] == ["O203"]


def test_another_language_is_noticed_and_another_prefix_is_used(tmp_path: Path) -> None:
    records = read(tmp_path, DIRECTORY, Options(language="fr-CA", prefix="dmoz"))
    assert records.ids[0] == "dmoz:Top"
    assert records.problems[0].code == "O205"


def test_the_older_namespace_and_a_nameless_topic_are_known(tmp_path: Path) -> None:
    text = START.replace("dmoz.org", "directory.mozilla.org") + '<Topic r:id=""/><Topic r:id="Top/Arts"/></RDF>'
    assert read(tmp_path, text).ids == ["odp:Top/Arts"]


def test_broken_bytes_are_replaced_and_counted_once(tmp_path: Path) -> None:
    data = (
        START.encode()
        + b'<Topic r:id="Top/Caf\xe9s_\x01\xef\xbf\xbfX"><d:Title>\x0bna\xc3\xafve \xe2\x82\xac</d:Title></Topic></RDF>'
    )
    records = read(tmp_path, data)
    assert records.ids == ["odp:Top/Caf\ufffds_ \ufffdX"]
    assert records.name_text == ["Caf\ufffds \ufffdX", "naïve €"]
    (notice,) = records.problems
    assert notice.code == "O206"
    assert "(4)" in notice.message


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1000])
def test_a_sign_cut_by_the_end_of_a_chunk_is_not_broken(size: int) -> None:
    text = "aé€😀\ufffdz" * 20
    data = text.encode() + b"\xe2\x82" + b"|" + b"\xf0\x9f" + b"\xff" + "é".encode()[:1]
    clean = odp._CleanStream(io.BytesIO(data))
    chunks = iter(lambda: clean.read(size), b"")
    assert b"".join(chunks).decode() == text + "\ufffd|\ufffd\ufffd\ufffd"
    assert clean.replaced == 4


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "O103"),
        (START, "O103"),
        (START + "<Topic r:id='Top'></RDF>", "O103"),
        (START + "<Topic/></RDF>", "O103"),
        (START + "<Topic r:id='Top'><narrow/></Topic></RDF>", "O103"),
        (START + f"<Topic r:id='{'a/' * 4000}'/></RDF>", "O103"),
        (START + "</RDF>", "O109"),
        ("<html><Topic r:id='Top'/></html>", "O103"),
        (START.replace("UTF-8", "klingon") + "</RDF>", "O104"),
        (START.replace("UTF-8", "shift_jis") + "</RDF>", "O104"),
        ('<!DOCTYPE RDF [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><RDF>&c;</RDF>', "O106"),
        ('<!DOCTYPE RDF [<!ENTITY a SYSTEM "file:///etc/passwd">]><RDF>&a;</RDF>', "O106"),
    ],
)
def test_broken_xml_is_refused(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(OntologyError) as caught:
        odp.read(write(tmp_path, text), Options())
    (problem,) = caught.value.problems
    assert problem.code == code
    assert problem.place.line or code == "O109"


def test_elements_nested_without_measure_need_no_recursion(tmp_path: Path) -> None:
    nested = "<x>" * 200_000 + "</x>" * 200_000
    assert read(tmp_path, START + "<Topic r:id='Top'>" + nested + "</Topic></RDF>").ids == ["odp:Top"]


def test_other_files_are_not_taken_for_the_directory(tmp_path: Path) -> None:
    for text in (
        "",
        "<RDF/>",
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
        "dmoz.org/rdf",
        "x" + START,
        b"\x1f\x00",
    ):
        assert not odp.recognises(write(tmp_path, text))


def test_nothing_but_an_ontology_error_escapes(tmp_path: Path) -> None:
    chance = random.Random(11)
    for _ in range(300):
        data = bytearray(DIRECTORY.encode())
        for _ in range(chance.randint(1, 5)):
            place = chance.randrange(len(data))
            data[place : place + chance.randint(0, 8)] = chance.choice([b"", b"<", b'"', b"&", b"/", chance.randbytes(3)])
        source = write(tmp_path, bytes(data[: chance.randrange(len(data))] if chance.random() < 0.2 else data))
        odp.recognises(source)
        with suppress(OntologyError):
            odp.read(source, Options())
