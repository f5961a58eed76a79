"""The ontologies that ship with kgsan: what they hold, checked by hand against what is known."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

import kgsan
from kgsan.ontology import names
from kgsan.ontology.information import Measure
from kgsan.sources.records import Options, Scope

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.ontology.ontology import Ontology

SHIPPED = ["wordnet", "mesh", "icd10cm", "places"]
US_STATES = "akalarazcacoctdcdeflgahiiaidilinkskylamamdmemimnmomsmtncndnenhnjnmnvnyohokorpariscsdtntxutvavtwawiwvwy"
LARGEST_US_CITIES = {
    "us/ny/new-york-city": "New York City",
    "us/ca/los-angeles/los-angeles": "Los Angeles",
    "us/il/cook/chicago": "Chicago",
    "us/tx/harris/houston": "Houston",
    "us/az/maricopa/phoenix": "Phoenix",
    "us/pa/philadelphia/philadelphia": "Philadelphia",
    "us/tx/bexar/san-antonio": "San Antonio",
    "us/ca/san-diego/san-diego": "San Diego",
    "us/tx/dallas/dallas": "Dallas",
    "us/fl/duval/jacksonville": "Jacksonville",
}


@pytest.fixture(scope="module")
def wordnet() -> Ontology:
    return kgsan.load_ontology("wordnet")[0]


@pytest.fixture(scope="module")
def mesh() -> Ontology:
    return kgsan.load_ontology("mesh")[0]


@pytest.fixture(scope="module")
def icd10cm() -> Ontology:
    return kgsan.load_ontology("icd10cm")[0]


@pytest.fixture(scope="module")
def places() -> Ontology:
    return kgsan.load_ontology("places")[0]


def above(ontology: Ontology, name: str) -> list[str]:
    return [concept.name for concept in ontology.generalizations(ontology.find(name)[0])]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_ontology_loads_by_name_without_a_problem(name: str) -> None:
    ontology = kgsan.load_ontology(name)[0]
    assert ontology.problems == ()  # no circle was cut, no parent is missing, no concept is nameless
    assert all(concept.name for concept in ontology)


def test_all_shipped_tables_together_are_small() -> None:
    from kgsan.ontology.load import shipped

    assert sum(shipped()[name].stat().st_size for name in SHIPPED) < 4_000_000


# --- WordNet -----------------------------------------------------------------------------------------------------------


def told(ontology: Ontology) -> str:
    """A hash of every concept, parent, name with scope and sense order, relation and measure; not of how they are stored."""
    total = hashlib.sha256()
    for concept in sorted(ontology, key=lambda each: each.id):
        row = (
            concept.id,
            sorted(parent.id for parent in ontology.parents(concept)),
            [(name.text, name.scope.name, name.rank) for name in ontology.names(concept)],
            sorted((relation.name, relation.object.id) for relation in ontology.relations(concept)),
            [round(ontology.intrinsic_information(concept, measure), 9) for measure in Measure],
        )
        total.update(repr(row).encode())
    return total.hexdigest()


def write_database(wordnet: Ontology, folder: Path) -> None:
    """The shipped nouns as a `dict` folder: data.noun and index.noun in Princeton's layout, without glosses."""
    symbols = {"part of": "#p", "member of": "#m", "substance of": "#s"}
    senses: dict[str, dict[int, str]] = {}
    lines = []
    for concept in sorted(wordnet, key=lambda each: each.id):
        offset = concept.id[3:11]
        names = wordnet.names(concept)
        pointers = [f"@ {parent.id[3:11]} n 0000" for parent in wordnet.parents(concept)]
        pointers += [f"{symbols[relation.name]} {relation.object.id[3:11]} n 0000" for relation in wordnet.relations(concept)]
        lemmas = [name.text.replace(" ", "_") for name in names]
        words = " ".join(f"{lemma} 0" for lemma in lemmas)
        lines.append(f"{offset} 03 n {len(names):02x} {words} {len(pointers):03d} {''.join(f'{p} ' for p in pointers)}| \n")
        for lemma, name in zip(lemmas, names, strict=True):
            senses.setdefault(lemma.lower(), {})[name.rank] = offset
    (folder / "data.noun").write_text("".join(lines), encoding="utf-8")
    entries = (
        f"{lemma} n {len(ranks)} 1 @ {len(ranks)} 0 {' '.join(ranks[rank] for rank in sorted(ranks))}  \n"
        for lemma, ranks in sorted(senses.items())
    )
    (folder / "index.noun").write_text("".join(entries), encoding="utf-8")


#: What the WNDB reader makes of the nouns of WordNet 3.0 as Debian's wordnet-base has them.
TOLD_BY_THE_DATABASE = "c960065303f11814db1b2ec7c07b6a810393492662bc8b0bdffc19179638920f"


def test_the_table_says_what_the_database_says(wordnet: Ontology) -> None:
    assert told(wordnet) == TOLD_BY_THE_DATABASE


def test_the_whole_of_wordnet_comes_back_from_the_layout_of_its_database(wordnet: Ontology, tmp_path: Path) -> None:
    write_database(wordnet, tmp_path)
    database = kgsan.compile_ontology(tmp_path, options=Options(prefix="wn"))
    assert database.about["format"] != wordnet.about["format"]
    assert database.problems == ()
    assert told(database) == TOLD_BY_THE_DATABASE
    assert database.about["relation_names"] == wordnet.about["relation_names"]
    left_out = {"definitions", "definitions_start", "definitions_at"}
    said = set(database._file._arrays) - left_out
    assert len(said) > 25
    for column in sorted(said):
        assert np.array_equal(database._file[column], wordnet._file[column]), column
    for measure in ("sanchez", "seco", "zhou"):
        for identifier in ("wn:14127782-n", "wn:00001740-n", "wn:02084071-n"):
            assert wordnet.intrinsic_information(identifier, measure) == database.intrinsic_information(identifier, measure)


def test_wordnet_has_all_nouns_and_no_glosses(wordnet: Ontology) -> None:
    assert (len(wordnet), wordnet.about["names"], wordnet.about["roots"]) == (82_115, 146_347, 1)
    assert wordnet.definition("wn:14127782-n") is None
    assert wordnet.about["relation_names"] == ["member of", "part of", "substance of"]


def test_aids_is_an_infection_and_an_immunodeficiency(wordnet: Ontology) -> None:
    assert {"infectious disease", "immunodeficiency", "disease", "entity"} <= set(above(wordnet, "AIDS"))


def test_the_first_sense_comes_first(wordnet: Ontology) -> None:
    senses = wordnet.senses("dog")
    assert senses[0][0].id == "wn:02084071-n"  # the animal
    assert [name.rank for _, name in senses] == list(range(7))


def test_a_city_is_an_instance_and_lies_somewhere(wordnet: Ontology) -> None:
    [chicago, *_] = wordnet.find("Chicago")
    assert "city" in above(wordnet, "Chicago")
    assert ("part of", "Illinois") in {(relation.name, relation.object.name) for relation in wordnet.relations(chicago)}


# --- MeSH --------------------------------------------------------------------------------------------------------------


def test_hiv_infections_are_virus_diseases_and_sexually_transmitted(mesh: Ontology) -> None:
    assert {
        *("Lentivirus Infections", "Retroviridae Infections", "Virus Diseases", "Infections", "Diseases"),
        *("Sexually Transmitted Diseases", "Immunologic Deficiency Syndromes"),
    } <= set(above(mesh, "HIV infection"))
    assert mesh["mesh:D015658"] == mesh["mesh:C01.925.782.815.616.400"] == mesh.find("HIV")[0]


def test_aids_is_told_by_its_capitals_and_lies_below_hiv_infections(mesh: Ontology) -> None:
    assert mesh.find("AIDS")[0] == mesh["mesh:D000163"]
    assert mesh.generalizes(mesh.find("HIV infections")[0], mesh.find("AIDS")[0])
    assert mesh.find("aid") == ()


def test_zidovudine_is_a_nucleoside_against_hiv(mesh: Ontology) -> None:
    assert {"Dideoxynucleosides", "Thymidine", "Anti-HIV Agents", "Antiviral Agents", "Chemicals and Drugs"} <= set(
        above(mesh, "zidovudine")
    )
    assert mesh.find("AZT") == mesh.find("Retrovir") == mesh.find("zidovudine")
    treats = {relation.object.name for relation in mesh.relations(mesh.find("zidovudine")[0]) if relation.name == "treats"}
    assert treats == {"HIV Infections", "Acquired Immunodeficiency Syndrome"}


@pytest.mark.parametrize(
    ("name", "general"),
    [
        ("gonorrhea", "Bacterial Infections"),
        ("gonorrhea", "Sexually Transmitted Diseases"),
        ("type 2 diabetes", "Diabetes Mellitus"),
        ("alcoholism", "Substance-Related Disorders"),
        ("alcoholism", "Mental Disorders"),
        ("schizophrenia", "Mental Disorders"),
        ("PTSD", "Trauma and Stressor Related Disorders"),
        ("breast cancer", "Neoplasms"),
        ("back pain", "Signs and Symptoms"),
        ("onchocerciasis, ocular", "Parasitic Diseases"),
        ("suicide", "Self-Injurious Behavior"),
        ("Prozac", "Selective Serotonin Reuptake Inhibitors"),
        ("Truvada", "Anti-HIV Agents"),
        ("lisinopril", "Angiotensin-Converting Enzyme Inhibitors"),
        ("metformin", "Hypoglycemic Agents"),
        ("methadone", "Opioid Analgesics"),
        ("heroin", "Narcotics"),
        ("amoxicillin", "Anti-Bacterial Agents"),
        ("acyclovir", "Antiviral Agents"),
    ],
)
def test_a_disease_or_drug_lies_where_it_belongs(mesh: Ontology, name: str, general: str) -> None:
    assert general in above(mesh, name)


def test_a_combination_names_its_ingredients(mesh: Ontology) -> None:
    relations = mesh.relations(mesh.find("Suboxone")[0])
    assert {(relation.name, relation.object.name) for relation in relations} == {
        ("has ingredient", "Buprenorphine"),
        ("has ingredient", "Naloxone"),
    }


@pytest.mark.parametrize(
    "word", ["the", "a", "of", "today", "house", "Paris", "Chicago", "John", "Mary", "Smith", "sit", "did", "12", "x", "table"]
)
def test_no_everyday_word_or_name_is_a_disease_or_drug(mesh: Ontology, word: str) -> None:
    assert all(name.scope is Scope.AMBIGUOUS for _, name in mesh.senses(word))


def test_no_markup_of_wiki_pages_is_left(mesh: Ontology) -> None:
    texts = [name.text for concept in mesh for name in mesh.names(concept)]
    assert not [text for text in texts if any(sign in text for sign in ("{", "}", "&", "<", ">", "http", "ref name"))]
    assert not [text for text in texts if len(text) == 1 or text.isdigit()]


def test_a_word_with_another_meaning_first_is_ambiguous(mesh: Ontology) -> None:
    assert [name.scope for _, name in mesh.senses("shock")] == [Scope.AMBIGUOUS]
    assert [name.scope for _, name in mesh.senses("gold")] == [Scope.AMBIGUOUS]


# --- ICD-10-CM ---------------------------------------------------------------------------------------------------------


def test_type_2_diabetes_lies_in_the_block_of_diabetes(icd10cm: Ontology) -> None:
    assert [concept.id for concept in icd10cm.generalizations("icd10cm:E11.9")] == [
        *("icd10cm:E11", "icd10cm:E08-E13", "icd10cm:chapter-4", "icd10cm:ICD-10-CM"),
    ]
    assert icd10cm["icd10cm:E08-E13"].name == "Diabetes mellitus"


def test_the_tabular_list_is_there_without_encounters_and_sides(icd10cm: Ontology) -> None:
    assert len(icd10cm.children("icd10cm:ICD-10-CM")) == 22
    identifiers = icd10cm.specializations("icd10cm:ICD-10-CM").ids()
    categories = {identifier for identifier in identifiers if len(identifier) == len("icd10cm:E11")}
    assert len(categories) > 1_900
    assert max(map(len, identifiers)) <= len("icd10cm:chapter-22")
    texts = {concept.name.lower() for concept in icd10cm}
    assert not [text for text in texts if text.endswith(("initial encounter", "subsequent encounter", "sequela"))]
    assert "fracture of unspecified part of neck of right femur" not in texts
    assert icd10cm["icd10cm:S72.001"].id == "icd10cm:S72.00"  # known by its id all the same


def test_what_a_poisoning_was_meant_for_is_kept(icd10cm: Ontology) -> None:
    assert icd10cm["icd10cm:T40.1X2"].name == "Poisoning by heroin, intentional self-harm"


def test_inclusion_terms_are_names_of_their_code(icd10cm: Ontology) -> None:
    assert icd10cm.find("HIV positive")[0].id == "icd10cm:Z21"
    assert {"hip", "fracture"} <= set(icd10cm.find("Fracture of hip")[0].synonyms[0].lower().split())
    scopes = {name.text: name.scope for name in icd10cm.names("icd10cm:B20")}
    assert scopes["acquired immune deficiency syndrome [AIDS]"] is Scope.NARROW
    assert scopes["B20"] is Scope.AMBIGUOUS


@pytest.mark.parametrize("word", ["other", "unspecified", "diabetes", "mild", "fall", "flood", "accident", "donor", "B12"])
def test_no_short_or_everyday_word_is_a_clear_name_of_a_code(icd10cm: Ontology, word: str) -> None:
    assert all(name.scope is Scope.AMBIGUOUS for _, name in icd10cm.senses(word))


# --- places ------------------------------------------------------------------------------------------------------------


def test_chicago_lies_in_cook_county_in_illinois_in_the_united_states(places: Ontology) -> None:
    assert above(places, "Chicago") == [
        *("Cook County", "Illinois", "Midwestern United States", "United States", "North America"),
        *("geographic subdivision smaller than a state", "Earth"),
    ]
    assert places.find("Chicago")[0].id == "places:us/il/cook/chicago"
    assert above(places, "Wrigleyville")[0] == "Chicago"


def test_springfield_is_many_cities_and_a_state_tells_which(places: Ontology) -> None:
    assert len(places.find("Springfield")) >= 25
    assert [concept.id for concept in places.find("Springfield, IL")] == ["places:us/il/sangamon/springfield"]
    ranks = [name.rank for _, name in places.senses("Springfield")]
    assert ranks == sorted(ranks)


def test_the_largest_place_of_a_name_is_meant_first(places: Ontology) -> None:
    first = {name: places.find(name)[0].id for name in ("Paris", "London", "New York", "Georgia", "Birmingham", "Moscow")}
    assert first == {
        "Paris": "places:fr/ile-de-france/paris",
        "London": "places:gb/england/greater-london/london",
        "New York": "places:us/ny/new-york-city",
        "Georgia": "places:us/ga",
        "Birmingham": first["Birmingham"],
        "Moscow": "places:ru/moscow/moscow",
    }
    assert first["Birmingham"].startswith("places:gb/england/")


def test_every_state_and_county_is_there(places: Ontology) -> None:
    counties = 0
    for state in map("".join, zip(*[iter(US_STATES)] * 2, strict=True)):
        assert "United States" in [concept.name for concept in places.generalizations(f"places:us/{state}")]
        codes = {name.text: name.scope for name in places.names(f"places:us/{state}")}
        assert codes[state.upper()] is Scope.AMBIGUOUS
        below = places.children(f"places:us/{state}")
        counties += sum(concept.id.count("/") == 2 and "/zip/" not in concept.id for concept in below)
    assert counties > 3_100
    assert len(places.children("places:us/il")) >= 102
    assert {"places:us/ny/kings", "places:us/ny/queens"} <= {c.id for c in places.children("places:us/ny/new-york-city")}


def test_the_ten_largest_cities_have_their_neighborhoods(places: Ontology) -> None:
    for identifier, name in LARGEST_US_CITIES.items():
        assert places[f"places:{identifier}"].name == name
        below = [inner for inner in places.specializations(f"places:{identifier}").ids() if "/zip/" not in inner]
        assert len(below) >= 25, name
    assert {"Manhattan", "New York City"} <= set(above(places, "Harlem"))


def test_the_world_is_there(places: Ontology) -> None:
    identifiers = [concept.id for concept in places]
    assert sum(len(identifier) == len("places:us") for identifier in identifiers) >= 245
    cities = [i for i in identifiers if not i.startswith("places:us/") and i.count("/") >= 2]
    assert len(cities) > 10_000
    for city, country in [
        ("Mumbai", "India"),
        ("Lagos", "Nigeria"),
        ("São Paulo", "Brazil"),
        ("Munich", "Germany"),
        ("Kyiv", "Ukraine"),
    ]:
        assert country in above(places, city)
    assert places.find("Bombay")[0] == places.find("Mumbai")[0]


def test_zip_codes_lie_in_their_area_their_city_and_their_state(places: Ontology) -> None:
    zips = [concept.id for concept in places.specializations("places:us") if concept.id.startswith("places:us/zip/")]
    assert sum(len(identifier) == len("places:us/zip/60614") for identifier in zips) > 40_000
    assert 850 < sum(len(identifier) == len("places:us/zip/606") for identifier in zips) < 1_000
    general = [concept.id for concept in places.generalizations("places:us/zip/60614")]
    assert {"places:us/zip/606", "places:us/il/cook/chicago", "places:us/il"} <= set(general)
    assert [name.scope for _, name in places.senses("60614")] == [Scope.AMBIGUOUS]
    assert places.find("IL 60614")[0].id == "places:us/zip/60614"


@pytest.mark.parametrize(
    "name", ["Reading", "Mobile", "Nice", "Orange", "Chelsea", "Austin", "Turkey", "Central", "US", "IL", "Brothers"]
)
def test_a_place_called_like_a_word_or_a_person_is_ambiguous(places: Ontology, name: str) -> None:
    assert {found.scope for _, found in places.senses(name)} == {Scope.AMBIGUOUS}


@pytest.mark.parametrize(
    "name", ["Paris", "Chicago", "Illinois", "Virginia", "Ontario", "Iowa", "Japan", "Boston", "Cook County"]
)
def test_a_place_that_is_only_a_place_is_not(places: Ontology, name: str) -> None:
    assert places.senses(name)[0][1].scope < Scope.AMBIGUOUS


def test_a_generalization_does_not_repeat_the_name_of_a_place(places: Ontology) -> None:
    """Or else a city could be replaced by a province of the same name, and nothing would be hidden."""
    repeated = []
    keys: dict[tuple[int, ...], set[str]] = {}  # of all that lies above places with the same parents
    for concept in places:
        if "/zip/" not in concept.id:
            parents = tuple(places.parent_numbers(concept.number))
            if parents not in keys:
                keys[parents] = {names.key(general.name) for general in places.generalizations(concept)}
            if names.key(concept.name) in keys[parents]:
                repeated.append(concept.id)
    assert repeated == []
