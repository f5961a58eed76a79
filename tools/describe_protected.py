"""Describe the ontology of protected entities: what each entity covers, and the relations it speaks in.

python tools/describe_protected.py > docs/protected.md
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import kgsan

#: The entities that laws name, as they write them.
ENTITIES = {
    "Health": (
        "HIV",
        "sexually transmitted disease",
        "hepatitis",
        "mental disorder",
        "suicide",
        "alcohol abuse",
        "substance abuse",
        "cancer",
        "genetic disease",
        "sickle cell anemia",
        "pregnancy",
        "abortion",
        "disability",
    ),
    "Beliefs and society": ("religion", "philosophical belief", "political opinion", "trade union membership"),
    "Person": (
        "sexual orientation",
        "sex life",
        "gender identity",
        "ethnic origin",
        "immigration status",
        "biometric data",
        "criminal record",
    ),
}
HEAD = """# What ships for the entities that laws name

`ontologies/protected.ttl` and the topic files in `ontologies/protected/` are written by hand: OWL in Turtle, one block
a concept. They are also the example to copy for an ontology of your own.
`python tools/check_protected.py ontologies/protected.ttl` reviews them: names that two concepts claim, variants that need
not be listed, parents, relations between the wrong kinds of things. This page is written by `tools/describe_protected.py`.

Every name has a scope. An *exact* name is always taken for the concept; a *related* one is close; an *ambiguous* one ("clap",
"mass", "spice") means the concept only where the context says so.

"""


def main() -> None:
    """Print the page."""
    ontology = kgsan.compile_ontology(Path(__file__).parents[1] / "ontologies" / "protected.ttl")
    about = ontology.about
    print(HEAD, end="")
    print(f"In all: {about['concepts']:,} concepts, {about['names']:,} names, {about['relations']:,} relations.\n")
    print("| entity | concept | specializations | exact names | other names | relations that lead to it |")
    print("|---|---|---|---|---|---|")
    for group, entities in ENTITIES.items():
        print(f"| **{group}** | | | | | |")
        for entity in entities:
            concept = ontology.find(entity)[0]
            covered = [concept, *ontology.specializations(concept)]
            names = Counter(name.scope <= kgsan.Scope.EXACT for each in covered for name in ontology.names(each))
            leading = sum(len(ontology.relations(each, incoming=True)) for each in covered)
            cells = (entity, concept.name, f"{len(covered) - 1:,}", f"{names[True]:,}", f"{names[False]:,}", f"{leading:,}")
            print(f"| {' | '.join(cells)} |")
    print("\n## The relations\n")
    print("| relation | meaning | stated |")
    print("|---|---|---|")
    stated = Counter(relation.name for concept in ontology for relation in ontology.relations(concept))
    for name, meaning in _meanings().items():
        print(f"| {name} | {meaning} | {stated[name]:,} |")


def _meanings() -> dict[str, str]:
    """What the ontology itself says its relations mean."""
    import pyoxigraph

    path = Path(__file__).parents[1] / "ontologies" / "protected.ttl"
    kinds, labels, meanings = [], {}, {}
    for quad in pyoxigraph.parse(path=path, format=pyoxigraph.RdfFormat.TURTLE):
        subject, value = str(quad.subject), quad.object
        if (
            quad.predicate.value.endswith("#type")
            and isinstance(value, pyoxigraph.NamedNode)
            and value.value.endswith("#ObjectProperty")
        ):
            kinds.append(subject)
        elif isinstance(value, pyoxigraph.Literal) and quad.predicate.value.endswith("#label"):
            labels[subject] = value.value
        elif isinstance(value, pyoxigraph.Literal) and quad.predicate.value.endswith("#definition"):
            meanings[subject] = value.value
    return {labels[kind]: meanings[kind] for kind in kinds}


if __name__ == "__main__":
    main()
