"""`kgsan knowledge info` and `query` as a user meets them; building is tried in tests/knowledge/test_build.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgsan import cli
from kgsan.knowledge.build import Builder
from kgsan.ontology.load import load_ontology
from kgsan.text.mentions import Finder

REPO = Path(__file__).parents[1]

TTL = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix e: <http://e/> . e:treats a owl:ObjectProperty ; rdfs:label "treats" .
e:Disease a owl:Class ; rdfs:label "disease" . e:Flu a owl:Class ; rdfs:subClassOf e:Disease ; rdfs:label "influenza" .
e:HIV a owl:Class ; rdfs:subClassOf e:Disease ; rdfs:label "HIV infection" . e:AIDS a owl:Class ; rdfs:subClassOf e:HIV ; rdfs:label "AIDS" .
e:Drug a owl:Class ; rdfs:label "drug" . e:AZT a owl:Class ; rdfs:subClassOf e:Drug ; rdfs:label "zidovudine" ; e:treats e:HIV .
e:Vitamin a owl:Class ; rdfs:subClassOf e:Drug ; rdfs:label "vitamin C" .
"""
TEXTS = [
    *["Zidovudine, a condom and HIV infection."] * 3,
    *["AIDS and a vitamin C pill and a headache."] * 3,
    *["Influenza, vitamin C and a headache."] * 30,
    *["A garden with a condom."] * 30,
    *["A river and a garden."] * 100,
]


@pytest.fixture
def diseases(tmp_path: Path) -> str:
    path = tmp_path / "diseases.ttl"
    path.write_text(TTL)
    return str(path)


@pytest.fixture
def built(tmp_path: Path, diseases: str) -> str:
    builder = Builder(Finder(load_ontology(diseases)))
    builder.add(TEXTS)
    about = {
        "name": "mine",
        "window": "paragraph",
        "newest": "2021-05-01",
        "licence": "CC0",
        "attribution": "Texts of the Toy Society",
    }
    path = tmp_path / "mine.kgk"
    builder.finish({**about, "sources": [{"name": "toy.txt", "sha256": "ab12"}]}, phrases=1).save(path)
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["knowledge", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


# --- query -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def ask(built: str, diseases: str, capsys: pytest.CaptureFixture[str]) -> Any:
    def asked(*arguments: str, knowledge: str = built) -> list[dict[str, Any]]:
        code, out, _ = run(capsys, "query", *arguments, "--knowledge", knowledge, "--in", diseases, "--format", "json")
        assert code == 0
        answers: list[dict[str, Any]] = json.loads(out)
        return answers

    return asked


def test_terms_are_counted(ask: Any) -> None:
    answers = ask("condom", "vitamin C", "umbrella")
    assert [(a["terms"], a["source"], a["contexts"]) for a in answers] == [
        (["condom"], "mine", 33),
        (["vitamin C"], "mine", 33),
        (["umbrella"], "mine", None),
    ]
    assert answers[0]["bits"] == pytest.approx(2.3307, abs=1e-4)  # 33 of 166
    assert all(a["share"] is None and not a["decides"] for a in answers)


def test_each_source_answers_and_the_deciding_one_is_marked(ask: Any) -> None:
    counted, stated = ask("zidovudine", "--entity", "HIV infection")
    assert (counted["source"], counted["contexts"], counted["together"], counted["share"]) == ("mine", 3, 3, 1)
    assert counted["at_least"] < 1
    assert (stated["source"], stated["share"], stated["at_least"]) == ("diseases.ttl: treats, 1 of 1 stated", 1, 1)
    assert (counted["decides"], stated["decides"]) == (False, True)


def test_an_entity_holds_what_specializes_it_and_may_be_given_by_its_id(ask: Any) -> None:
    for entity in ("HIV infection", "e:HIV"):
        [answer] = ask("headache", "--entity", entity)
        assert (answer["contexts"], answer["together"], answer["decides"]) == (33, 3, True)


def test_a_term_that_names_the_entity_is_told_so(ask: Any) -> None:
    named, counted = ask("AIDS", "--entity", "HIV infection")
    assert (named["source"], named["share"], named["decides"]) == ("diseases.ttl: names it", 1, True)
    assert (counted["source"], counted["contexts"], counted["decides"]) == ("mine", 3, False)


def test_a_longer_phrase_is_counted_by_its_last_words_and_told_so(ask: Any) -> None:
    [answer] = ask("terrible blue condom", "--entity", "HIV infection")
    assert (answer["counted_as"], answer["contexts"]) == ("condom", 33)


def test_a_group_is_counted_as_one(ask: Any) -> None:
    [answer] = ask("vitamin C", "headache", "--together", "--entity", "HIV infection")
    assert answer["terms"] == ["vitamin C", "headache"]
    assert (answer["contexts"], answer["together"], answer["bits"], answer["decides"]) == (33, 3, None, True)


def test_a_group_with_a_term_that_no_source_knows_is_nothing_found(
    built: str, diseases: str, capsys: pytest.CaptureFixture[str]
) -> None:
    terms = ("zidovudine", "umbrella", "--together", "--entity", "HIV infection", "--format", "json")
    code, out, _ = run(capsys, "query", built, *terms, "--in", diseases)
    [answer] = json.loads(out)
    assert code == 1
    assert (answer["contexts"], answer["share"], answer["decides"]) == (None, None, False)


def test_several_sources_answer_in_order(ask: Any, built: str, tmp_path: Path) -> None:
    table = tmp_path / "counts.tsv"
    table.write_text("contexts\t1000\ncondom\t40\nHIV infection\t10\ncondom\tHIV infection\t10\n")
    answers = ask("condom", built, "--entity", "HIV infection", knowledge=str(table))
    assert [(a["source"], a["contexts"], a["decides"]) for a in answers] == [("mine", 33, False), ("counts.tsv", 40, True)]


def test_without_texts_the_ontologies_answer(ask: Any) -> None:
    answers = ask("zidovudine", "--entity", "HIV infection", knowledge="taxonomy")
    assert [a["source"] for a in answers] == ["diseases.ttl", "diseases.ttl: treats, 1 of 1 stated"]
    assert sum(a["decides"] for a in answers) == 1


def test_people_read_a_table(built: str, diseases: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "query", built, "zidovudine", "blue condom", "umbrella", "--entity", "HIV infection", "--in", diseases
    )
    assert (code, err) == (0, "")
    assert out == (
        "HIV infection: 2 concepts, 4.79 bits in mine\n"
        "term          contexts   bits  together  share  at least   source\n"
        "zidovudine           3   5.79         3   1.00      0.81   mine\n"
        "                     -      -         -   1.00      1.00 * diseases.ttl: treats, 1 of 1 stated\n"
        'blue condom         33   2.33         3   0.28      0.01 * mine, counted as "condom"\n'
        "umbrella             -      -         -      -         -   mine\n"
        "* decides\n"
    )


def test_nothing_is_cut_out_of_a_long_term_but_what_is_shown(
    ask: Any, built: str, diseases: str, capsys: pytest.CaptureFixture[str]
) -> None:
    term = "very " * 20 + "blue condom"
    [answer] = ask(term)
    assert answer["terms"] == [term]
    _, out, _ = run(capsys, "query", built, term, "--in", diseases)
    assert max(map(len, out.splitlines())) < 130


def test_what_ships_answers_when_no_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "query", "zidovudine", "hospital", "--entity", "HIV", "--format", "json")
    answers = json.loads(out)
    assert code == 0
    [zidovudine] = [a for a in answers if a["terms"] == ["zidovudine"] and a["decides"]]
    assert zidovudine["at_least"] > 2 / 3
    assert {a["source"] for a in answers} >= {"english"}
    assert all(a["at_least"] < 1 / 2 for a in answers if a["terms"] == ["hospital"] and a["decides"])


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["zidovudine", "--entity", "HIV infectoin"], 1, "No ontology knows 'HIV infectoin'. Did you mean 'HIV infection'?\n"),
        (["zidovudine", "--entity", "e:Nothing"], 1, "No ontology knows 'e:Nothing'."),
        (["{built}"], 2, "No term was given, only knowledge files.\n"),
        (["zidovudine", "--knowledge", "missing.kgk"], 3, "missing.kgk: K101 No such file or directory.\n"),
        (["zidovudine", "--knowledge", "englisch"], 3, "englisch: K101 No such file or directory."),
        (["zidovudine", "--in", "missing.owl"], 3, "missing.owl"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    built: str, diseases: str, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, told: str
) -> None:
    source = [] if "--in" in arguments else ["--in", diseases]
    knowledge = [] if "--knowledge" in arguments or "{built}" in arguments else ["--knowledge", built]
    found, out, err = run(capsys, "query", *(argument.format(built=built) for argument in arguments), *source, *knowledge)
    assert (found, out) == (code, "")
    assert told in err


def test_terms_that_no_source_knows_are_nothing_found(built: str, diseases: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "query", "umbrella", "--knowledge", built, "--in", diseases)[0] == 1


# --- info ------------------------------------------------------------------------------------------------------------------


def test_a_file_tells_what_it_holds(built: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "info", built)
    assert code == 0
    assert out.splitlines()[0].startswith("mine: 166 contexts, ")
    assert out.splitlines()[1:] == [
        "  newest text: 2021-05-01",
        "  licence: CC0",
        "  attribution: Texts of the Toy Society",
        "  ab12  toy.txt",
    ]


def test_a_file_tells_programs_all_it_knows_about_itself(built: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "info", built, "--format", "json")
    about = json.loads(out)
    assert code == 0
    assert (about["contexts"], about["licence"], about["sources"][0]["name"]) == (166, "CC0", "toy.txt")


def test_what_ships_tells_its_sources_and_licence(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "info")
    assert code == 0
    assert out.startswith("english: ")
    assert "CC BY-SA 4.0" in out
    assert "Wikipedia" in out
    assert "MedQuAD" in out


@pytest.mark.parametrize("content", [None, b"", b"contexts\t5\n"])
def test_what_is_no_knowledge_file_has_no_information(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.kgk"
    if content is not None:
        path.write_bytes(content)
    code, out, err = run(capsys, "info", str(path))
    assert (code, out) == (3, "")
    assert err.startswith("some.kgk: K101 There is no such file." if content is None else "some.kgk: O112 ")
