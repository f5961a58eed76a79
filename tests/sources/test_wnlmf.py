"""WN-LMF files: synsets, their words in order, and what the relations between them become."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from kgsan.errors import OntologyError
from kgsan.sources import wnlmf
from kgsan.sources.files import SourceFile
from kgsan.sources.records import Options, Records, Scope

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.0.dtd">
<LexicalResource xmlns:dc="http://purl.org/dc/elements/1.1/">
"""
LEXICON = '<Lexicon id="zoo" label="Zoo" language="en" email="a@b.c" license="none" version="1">\n'
END = "</Lexicon>\n</LexicalResource>\n"
ZOO = (
    HEAD
    + LEXICON
    + """\
<LexicalEntry id="zoo-beast-n"><Lemma writtenForm="beast" partOfSpeech="n"/><Form writtenForm="beasts"/>
  <Sense id="zoo-beast-1" synset="zoo-1-n"/></LexicalEntry>
<LexicalEntry id="zoo-gronk-n"><Lemma writtenForm="gronk" partOfSpeech="n"/>
  <Sense id="zoo-gronk-1" synset="zoo-2-n"><SenseRelation relType="derivation" target="zoo-v-1"/></Sense>
  <Sense id="zoo-gronk-2" synset="zoo-3-n"/></LexicalEntry>
<LexicalEntry id="zoo-gronk-v"><Lemma writtenForm="gronk" partOfSpeech="v"/><Sense id="zoo-v-1" synset="zoo-8-v"/></LexicalEntry>
<LexicalEntry id="zoo-tail-n"><Lemma writtenForm="my  tail" partOfSpeech="n"/><Sense id="tail-1" synset="zoo-3-n"/></LexicalEntry>
<LexicalEntry id="zoo-big-a"><Lemma writtenForm="gronkish" partOfSpeech="s"/><Sense id="big-1" synset="zoo-9-s"/></LexicalEntry>
<Synset id="zoo-1-n" ili="i1" partOfSpeech="n"><Definition>what
   roars &amp; runs</Definition><Definition>second</Definition>
  <SynsetRelation relType="hyponym" target="zoo-2-n"/><Example>a beast</Example></Synset>
<Synset id="zoo-2-n" ili="i2" partOfSpeech="n"><SynsetRelation relType="hypernym" target="zoo-1-n"/>
  <SynsetRelation relType="mero_part" target="zoo-3-n"/><SynsetRelation relType="similar" target="zoo-1-n"/>
  <SynsetRelation relType="hypernym" target="zoo-77-n"/></Synset>
<Synset id="zoo-3-n" ili="in" partOfSpeech="n" members="zoo-tail-n zoo-gronk-n">
  <SynsetRelation relType="holo_part" target="zoo-2-n"/><SynsetRelation relType="instance_hypernym" target="other-5-n"/></Synset>
<Synset id="herd" ili="" partOfSpeech="n"><SynsetRelation relType="mero_member" target="zoo-2-n"/>
  <SynsetRelation relType="holo_substance" target="zoo-1-n"/></Synset>
<Synset id="zoo-8-v" ili="" partOfSpeech="v"><SynsetRelation relType="hypernym" target="zoo-1-n"/></Synset>
<Synset id="zoo-9-s" ili="" partOfSpeech="s"/>
"""
    + END
)


def write(folder: Path, text: str | bytes) -> SourceFile:
    path = folder / "zoo.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return SourceFile(path.name, path)


def read(folder: Path, text: str | bytes, options: Options | None = None) -> Records:
    source = write(folder, text)
    assert wnlmf.recognises(source)
    return wnlmf.read(source, options or Options())


def names(records: Records) -> list[tuple[str, str, Scope, int]]:
    columns = zip(records.name_concept, records.name_text, records.name_scope, records.name_rank, strict=True)
    return [(records.ids[concept], text, Scope(scope), rank) for concept, text, scope, rank in columns]


def ranks(folder: Path, entries: str, synsets: int = 6) -> dict[str, int]:
    made = "".join(f'<Synset id="zoo-{n}-n" ili="" partOfSpeech="n"/>' for n in range(1, synsets + 1))
    return {identifier: rank for identifier, _, _, rank in names(read(folder, HEAD + LEXICON + entries + made + END))}


def test_synsets_become_concepts_with_the_lexicon_as_prefix(tmp_path: Path) -> None:
    assert read(tmp_path, ZOO).ids == ["zoo:1-n", "zoo:2-n", "zoo:3-n", "zoo:herd"]
    assert read(tmp_path, ZOO, Options(prefix="my")).ids == ["my:1-n", "my:2-n", "my:3-n", "my:herd"]


def test_words_are_names_in_the_order_of_the_members_with_their_sense_number(tmp_path: Path) -> None:
    assert names(read(tmp_path, ZOO)) == [
        ("zoo:1-n", "beast", Scope.PREFERRED, 0),
        ("zoo:2-n", "gronk", Scope.PREFERRED, 0),
        ("zoo:3-n", "my tail", Scope.PREFERRED, 0),
        ("zoo:3-n", "gronk", Scope.EXACT, 1),
    ]


def test_members_may_be_named_by_their_senses(tmp_path: Path) -> None:
    records = read(tmp_path, ZOO.replace('members="zoo-tail-n zoo-gronk-n"', 'members="zoo-gronk-2 tail-1"'))
    assert records.name_text[2:] == ["gronk", "my tail"]


def test_relations_in_both_directions_are_told_once(tmp_path: Path) -> None:
    records = read(tmp_path, ZOO)
    assert list(zip(records.parent_child, records.parent_parent, strict=True)) == [(1, 0)]
    columns = zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True)
    assert [(records.ids[s], records.relation_names[k], records.ids[o]) for s, k, o in columns] == [
        ("zoo:3-n", "part of", "zoo:2-n"),
        ("zoo:2-n", "member of", "zoo:herd"),
        ("zoo:herd", "substance of", "zoo:1-n"),
    ]


def test_relations_to_synsets_that_are_not_there_are_counted_once(tmp_path: Path) -> None:
    (notice,) = read(tmp_path, ZOO).problems
    assert notice.code == "O203"
    assert "(2)" in notice.message


def test_the_first_definition_is_taken(tmp_path: Path) -> None:
    assert read(tmp_path, ZOO).definitions == {0: "what roars & runs"}


def test_a_satellite_is_an_adjective(tmp_path: Path) -> None:
    assert read(tmp_path, ZOO, Options(parts_of_speech="va")).ids == ["zoo:8-v", "zoo:9-s"]
    assert read(tmp_path, ZOO, Options(parts_of_speech="s")).ids == ["zoo:9-s"]
    with pytest.raises(OntologyError) as caught:
        read(tmp_path, ZOO, Options(parts_of_speech="r"))
    assert caught.value.problems[0].code == "O109"


def entry(identifier: str, lemma: str, *senses: str, index: str = "") -> str:
    elements = "".join(f'<Sense id="{identifier}-{n}" synset="zoo-{sense}/>' for n, sense in enumerate(senses))
    return f'<LexicalEntry id="{identifier}"{index}><Lemma writtenForm="{lemma}" partOfSpeech="n"/>{elements}</LexicalEntry>'


def test_entries_of_the_same_word_go_on_counting(tmp_path: Path) -> None:
    entries = entry("a", "bass", '1-n"', '2-n"') + entry("b", "other", '4-n"') + entry("c", "bass", '3-n"')
    assert ranks(tmp_path, entries) == {"zoo:1-n": 0, "zoo:2-n": 1, "zoo:4-n": 0, "zoo:3-n": 2}


def test_n_goes_before_the_order_of_the_elements(tmp_path: Path) -> None:
    assert ranks(tmp_path, entry("a", "bass", '1-n" n="2"', '2-n" n="1"')) == {"zoo:1-n": 1, "zoo:2-n": 0}
    assert ranks(tmp_path, entry("a", "polish", '1-n" n="2"', '2-n" n="5"')) == {"zoo:1-n": 1, "zoo:2-n": 4}


def test_n_may_count_from_zero(tmp_path: Path) -> None:
    assert ranks(tmp_path, entry("a", "bass", '1-n" n="1"', '2-n" n="0"')) == {"zoo:1-n": 1, "zoo:2-n": 0}


def test_with_an_index_n_counts_over_its_entries(tmp_path: Path) -> None:
    index = ' index="bass"'
    entries = entry("a", "bass", '1-n" n="1"', '2-n" n="3"', index=index) + entry("b", "bass", '3-n" n="2"', index=index)
    assert ranks(tmp_path, entries) == {"zoo:1-n": 0, "zoo:2-n": 2, "zoo:3-n": 1}


TWO = (
    HEAD
    + LEXICON
    + '<Synset id="zoo-1-n" ili="" partOfSpeech="n"/></Lexicon>'
    + LEXICON.replace("zoo", "tiere").replace('"en"', '"de-AT"')
    + '<Requires ref="zoo" version="1"/><Synset id="tiere-1-n" ili="" partOfSpeech="n"/>'
    + END
)


def test_lexicons_in_the_language_that_is_asked_for_are_read(tmp_path: Path) -> None:
    assert read(tmp_path, TWO).ids == ["zoo:1-n"]
    assert read(tmp_path, TWO, Options(language="en-GB")).problems == []
    assert read(tmp_path, TWO, Options(language="de")).ids == ["tiere:1-n"]
    assert read(tmp_path, TWO, Options(language=None)).ids == ["zoo:1-n", "tiere:1-n"]


def test_when_no_lexicon_is_in_the_language_all_are_read_and_it_is_said(tmp_path: Path) -> None:
    records = read(tmp_path, TWO, Options(language="fr"))
    assert records.ids == ["zoo:1-n", "tiere:1-n"]
    assert [notice.code for notice in records.problems] == ["O205"]


def test_a_lexicon_that_borrows_its_hierarchy_says_so(tmp_path: Path) -> None:
    (notice,) = read(tmp_path, TWO, Options(language="de")).problems
    assert notice.code == "O203"
    assert "'zoo'" in notice.message


def test_an_extension_adds_to_its_base_in_the_same_file(tmp_path: Path) -> None:
    extension = (
        LEXICON.replace("<Lexicon", "<LexiconExtension").replace('"zoo"', '"more"')
        + '<Extends ref="zoo" version="1"/>'
        + '<ExternalLexicalEntry id="zoo-beast-n"><ExternalSense id="zoo-beast-1"/>'
        + '<Sense id="more-1" synset="more-1-n"/></ExternalLexicalEntry>'
        + '<LexicalEntry id="more-x"><Lemma writtenForm="brute" partOfSpeech="n"/>'
        + '<Sense id="more-2" synset="zoo-1-n"/></LexicalEntry>'
        + '<Synset id="more-1-n" ili="" partOfSpeech="n"/>'
        + '<ExternalSynset id="zoo-2-n"><SynsetRelation relType="hypernym" target="more-1-n"/></ExternalSynset>'
        + "</LexiconExtension>"
    )
    records = read(tmp_path, ZOO.replace("</LexicalResource>", extension + "</LexicalResource>"))
    assert ("zoo:1-n", "brute", Scope.EXACT, 0) in names(records)
    assert (records.numbers["zoo:2-n"], records.numbers["more:1-n"]) in zip(
        records.parent_child, records.parent_parent, strict=True
    )
    assert [notice.code for notice in records.problems] == ["O203", "O206"]


def test_a_synset_without_a_word_class_takes_that_of_its_words(tmp_path: Path) -> None:
    records = read(tmp_path, ZOO.replace('partOfSpeech="n"><Definition', "><Definition"))
    assert records.ids[0] == "zoo:1-n"


def broken(old: str, new: str) -> str:
    assert old in ZOO
    return ZOO.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "O103", 1),
        (ZOO[:900], "O103", 11),
        ("<html/>", "O103", 1),
        (HEAD + "</LexicalResource>", "O109", None),
        (broken(' id="zoo" label', " label"), "O103", 4),
        (broken('<Lemma writtenForm="beast"', "<Lemma"), "O103", 5),
        (broken(' synset="zoo-1-n"', ""), "O103", 6),
        (broken('id="zoo-gronk-1"', 'id="x" n="two"'), "O103", 8),
        (broken('<Synset id="zoo-9-s"', "<Synset"), "O103", 24),
        (broken('relType="mero_part"', ""), "O103", 17),
        (broken('<Synset id="zoo-2-n"', '<Synset id="zoo-1-n"'), "O108", 16),
        (broken('<Synset id="herd"', '<Synset id="3-n"'), "O108", 21),
        (broken("roars", "r&ouml;ars"), "O103", 14),
        (HEAD + '<Synset id="x"/>' + "</LexicalResource>", "O103", 4),
        (HEAD + LEXICON + "<Sense/>" + END, "O103", 5),
        (HEAD + LEXICON + "<SynsetRelation/>" + END, "O103", 5),
        (HEAD + LEXICON + "<Definition/>" + END, "O103", 5),
        (HEAD + LEXICON + LEXICON + END, "O103", 5),
        (HEAD + LEXICON + "<LexicalEntry id='a'><LexicalEntry id='b'/></LexicalEntry>" + END, "O103", 5),
        (HEAD.replace("UTF-8", "klingon"), "O104", 1),
        (HEAD.replace("UTF-8", "utf-7"), "O104", 1),
        ('<!DOCTYPE a [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><LexicalResource>&c;</LexicalResource>', "O106", 1),
        ('<!DOCTYPE a [<!ENTITY % p SYSTEM "http://x.invalid/"> %p;]><LexicalResource/>', "O106", 1),
        ('<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><LexicalResource>&a;</LexicalResource>', "O106", 1),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    with pytest.raises(OntologyError) as caught:
        wnlmf.read(write(tmp_path, text), Options())
    (problem,) = caught.value.problems
    assert (problem.code, problem.place.line) == (code, line)


def test_elements_nested_without_measure_need_no_recursion(tmp_path: Path) -> None:
    deep = HEAD + LEXICON + "<x>" * 100_000 + "</x>" * 100_000 + '<Synset id="zoo-1-n" ili="" partOfSpeech="n"/>' + END
    assert read(tmp_path, deep).ids == ["zoo:1-n"]


def test_other_files_are_not_taken_for_wordnets(tmp_path: Path) -> None:
    kyoto = '<?xml version="1.0"?><LexicalResource><GlobalInformation label="x"/><Lexicon/></LexicalResource>'
    for text in ("", "<html><LexicalResource></html>", "LexicalResource", "text <LexicalResource>", kyoto, b"\x00\xff"):
        assert not wnlmf.recognises(write(tmp_path, text))


def test_utf16_is_read_like_utf8(tmp_path: Path) -> None:
    assert read(tmp_path, ZOO.replace("UTF-8", "UTF-16").encode("utf-16")) == read(tmp_path, ZOO)


def test_nothing_but_an_ontology_error_escapes(tmp_path: Path) -> None:
    chance = random.Random(5)
    tags = [f"<{name}>".encode() for name in ("Lexicon", "Synset", "Sense", "Definition", "/LexicalEntry", "/Synset", "Lemma/")]
    for _ in range(500):
        data = bytearray(ZOO.encode())
        for _ in range(chance.randint(1, 5)):
            place = chance.randrange(len(data))
            data[place : place + chance.randint(0, 12)] = chance.choice([b"", b"<", b'"', b"&", *tags, chance.randbytes(3)])
        source = write(tmp_path, bytes(data[: chance.randrange(len(data))] if chance.random() < 0.2 else data))
        wnlmf.recognises(source)
        with suppress(OntologyError):
            wnlmf.read(source, Options())


def test_elements_in_any_order_do_no_harm(tmp_path: Path) -> None:
    """Well-formed, and otherwise as wrong as can be."""
    chance = random.Random(6)
    kinds = ["Lexicon", "LexicalEntry", "Lemma", "Sense", "Synset", "Definition", "SynsetRelation", "Requires", "ExternalSynset"]
    attributes = ' id="{0}" synset="{0}" writtenForm="w" partOfSpeech="n" target="{0}" relType="hypernym" members="{0}" ref="r"'
    for _ in range(500):
        text, unclosed = ["<LexicalResource>"], ["LexicalResource"]
        for _ in range(chance.randint(1, 25)):
            if len(unclosed) > 1 and chance.random() < 0.4:
                text.append(f"</{unclosed.pop()}>")
            else:
                unclosed.append(chance.choice(kinds))
                given = attributes.format(chance.randint(1, 3)) if chance.random() < 0.9 else ""
                text.append(f"<{unclosed[-1]}{given}>")
        text.extend(f"</{name}>" for name in reversed(unclosed))
        with suppress(OntologyError):
            wnlmf.read(write(tmp_path, "".join(text)), Options(language=None))
