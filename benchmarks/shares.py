"""What single terms reveal in annotated documents, before any text is read as a whole: `python benchmarks/shares.py DOCUMENTS.jsonl`.

For each annotated span the share that the knowledge gives, by itself or by its longest known right part, and by the relations of
what it names; counted as reached from a half on. Entities that stand for a limit of specificity are left out.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import kgsan
from kgsan.knowledge.information import reaches
from kgsan.policy.policy import Policy, ProtectedEntity
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.sources.records import Scope
from kgsan.text.mentions import Finder

if TYPE_CHECKING:
    from kgsan.knowledge.combined import CombinedKnowledge
    from kgsan.knowledge.knowledge import Topic

_LIMIT, _HALF = "actor", 0.5


def main() -> None:
    """Print for each kind of span how many reach a half."""
    documents = [json.loads(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
    stack = kgsan.load_ontology()
    knowledge, finder = kgsan.load_knowledge(ontology=stack), Finder(stack)
    reached: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for document in documents:
        entities = [entity for entity in document["protect"] if entity != _LIMIT]
        sensitive = SensitiveTerms(Policy("evaluation", "none", protect=tuple(map(ProtectedEntity, entities))), stack)
        topics = [sensitive.topic(number) for number in range(len(entities))]
        spans = [(span["strength"], span["text"]) for span in document["related"] if span["entity"] != _LIMIT]
        for kind, text in spans + [(span["why"], span["text"]) for span in document["keep"]]:
            total[kind] += 1
            reached[kind] += any(_reveals(knowledge, finder, topic, text) for topic in topics)
    for kind in sorted(total):
        print(f"{kind}: {reached[kind]} of {total[kind]} = {reached[kind] / total[kind]:.2f}")


def _reveals(knowledge: CombinedKnowledge, finder: Finder, topic: Topic, text: str) -> bool:
    last = [mention for mention in finder.find(text) if mention.end >= len(text.rstrip())]
    senses = [sense.concept for mention in last for sense in mention.senses if sense.name.scope <= Scope.AMBIGUOUS]
    share = knowledge.disclosure(topic, text, senses)
    return share is not None and reaches(share.low, _HALF)


if __name__ == "__main__":
    main()
