"""What other people's code may rely on."""

from __future__ import annotations

import kgsan


def test_the_public_names_are_these() -> None:
    assert sorted(kgsan.__all__) == [
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
    assert all(hasattr(kgsan, name) for name in kgsan.__all__)
