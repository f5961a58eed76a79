"""What goes together in texts of one's own, counted and used: `python examples/own_corpus.py`.

No ontology says what reed has to do with an illness; the local news does.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import kgsan
from kgsan.knowledge.build import Builder
from kgsan.knowledge.texts import contexts
from kgsan.text.mentions import Finder

HERE = Path(__file__).parent
TEXT = "Mr. Aldous Finch of Sandry, a reed cutter, was seen today. He plays football on Sundays."


def main() -> None:
    ontology = kgsan.load_ontology(HERE / "clinic.ttl", "protected", "wordnet")
    policy = kgsan.load_policy(HERE / "clinic.yaml")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "local-news.kgk"
        builder = Builder(Finder(ontology))
        builder.add(contexts([HERE / "articles"]))
        builder.finish({"name": "local-news"}, least=5).save(file)  # names in fewer contexts might tell of one person

        for sources in ((), (file, "english")):
            sanitizer = kgsan.Sanitizer(policy, ontology, kgsan.load_knowledge(*sources, ontology=ontology))
            result = sanitizer.sanitize(TEXT)
            print("With the local news:" if sources else "With what ships:    ", result.text)
        for decision in result.decisions:
            print("-", kgsan.explain(decision, text=TEXT))


if __name__ == "__main__":
    main()
