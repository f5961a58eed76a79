"""kgsan hides what the law says must be hidden in a text, and everything that would let a reader work it out."""

from kgsan.errors import KgsanError, OntologyError, Place, Problem
from kgsan.ontology.load import compile_ontology, load_ontology
from kgsan.ontology.ontology import Concept, Name, Ontology, Relation
from kgsan.ontology.stack import OntologyStack
from kgsan.sources.records import Options, Scope

__all__ = [
    "Concept",
    "KgsanError",
    "Name",
    "Ontology",
    "OntologyError",
    "OntologyStack",
    "Options",
    "Place",
    "Problem",
    "Relation",
    "Scope",
    "compile_ontology",
    "load_ontology",
]
