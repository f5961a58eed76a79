"""kgsan hides what the law says must be hidden in a text, and everything that would let a reader work it out."""

from kgsan.errors import KgsanError, OntologyError, Place, PolicyError, Problem, SpansError
from kgsan.ontology.load import compile_ontology, load_ontology
from kgsan.ontology.ontology import Concept, Name, Ontology, Relation
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Policy
from kgsan.policy.read import load_policy
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
    "Policy",
    "PolicyError",
    "Problem",
    "Relation",
    "Scope",
    "SpansError",
    "compile_ontology",
    "load_ontology",
    "load_policy",
]
