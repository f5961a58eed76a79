"""What kgsan knows about an entity before it reads a single text: `make demo`."""

from __future__ import annotations

import kgsan

ENTITY = "HIV"
WORDS = ("zidovudine", "Kaposi's sarcomas", "needle exchange", "AA meetings", "rosary")


def main() -> None:
    ontology = kgsan.load_ontology("protected")[0]
    [entity, *_] = ontology.find(ENTITY)
    below = ontology.specializations(entity)
    print(f"A policy that protects '{ENTITY}' protects the concept '{entity.name}' ({entity.id}).")
    print(
        f"It covers {len(below)} more special concepts and {len(ontology.names(entity)) + len(below.names())} names, for example:"
    )
    for concept in below[:6]:
        print(f"  - {concept.name}: {', '.join(concept.synonyms[:4])}")

    print("\nMore and more general words, each with the information it carries:")
    for word in (ENTITY, *WORDS):
        found = ontology.find(word)
        if found:
            chain = [
                f"{g.name} ({ontology.intrinsic_information(g):.1f} bits)"
                for g in (found[0], *ontology.generalizations(found[0]))
            ]
            print(f"  {word}: {' > '.join(chain)}")

    print("\nWhat gives it away, as the ontology states it:")
    by_relation: dict[str, list[str]] = {}
    for concept in (entity, *below):
        for relation in ontology.relations(concept, incoming=True):
            by_relation.setdefault(relation.name, []).append(relation.subject.name)
    for relation_name, subjects in sorted(by_relation.items(), key=lambda item: -len(item[1])):
        some = ", ".join(dict.fromkeys(subjects[:8]))
        print(f"  {relation_name}: {some}{' ...' if len(subjects) > 8 else ''} ({len(subjects)})")


if __name__ == "__main__":
    main()
