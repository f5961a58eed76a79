"""kgsan hides what the law says must be hidden in a text, and everything that would let a reader work it out."""

from kgsan.errors import KgsanError, KnowledgeError, OntologyError, Place, PolicyError, Problem, SpansError
from kgsan.knowledge.load import load_knowledge
from kgsan.ontology.load import compile_ontology, load_ontology
from kgsan.ontology.ontology import Concept, Name, Ontology, Relation
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Policy
from kgsan.policy.read import load_policy
from kgsan.report.sentences import explain
from kgsan.sanitize.result import Decision, NotSafe, SanitizedDocument
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sources.records import Options, Scope

__all__ = [
    "Concept",
    "Decision",
    "KgsanError",
    "KnowledgeError",
    "Name",
    "NotSafe",
    "Ontology",
    "OntologyError",
    "OntologyStack",
    "Options",
    "Place",
    "Policy",
    "PolicyError",
    "Problem",
    "Relation",
    "SanitizedDocument",
    "Sanitizer",
    "Scope",
    "SpansError",
    "compile_ontology",
    "explain",
    "load_knowledge",
    "load_ontology",
    "load_policy",
]
