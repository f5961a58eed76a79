"""An ontology of one's own, `clinic.ttl`, and a policy over it, `clinic.yaml`: `python examples/own_ontology.py`."""

from __future__ import annotations

from pathlib import Path

import kgsan

HERE = Path(__file__).parent
TEXT = "She caught Tolland fever on the coast and takes ostrapine. Her brother only had the flu."


def main() -> None:
    ontology = kgsan.load_ontology(HERE / "clinic.ttl", "protected", "wordnet")  # asked in this order
    [fever] = ontology.find("Tolland fever")
    print("It is known as", fever.name, "and is a kind of", ", ".join(one.name for one in ontology.generalizations(fever)))

    sanitizer = kgsan.Sanitizer(kgsan.load_policy(HERE / "clinic.yaml"), ontology)
    result = sanitizer.sanitize(TEXT)
    print(result.text)
    for decision in result.decisions:
        print("-", kgsan.explain(decision, sanitizer.policy, TEXT))


if __name__ == "__main__":
    main()
