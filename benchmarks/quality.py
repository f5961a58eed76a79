"""How well the sanitizer does on annotated documents: `python benchmarks/quality.py DOCUMENTS.jsonl [STRICTNESS...]`.

A span counts as hidden when at least half of its letters and digits lie in changed parts of the text.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import kgsan
from kgsan.policy.read import load_policy
from kgsan.sanitize.sanitizer import Sanitizer

#: The entity that stands for a limit of specificity instead.
_LIMIT = "actor"


def main() -> None:
    """Print a table: for each strictness, the part of each kind of span that was hidden, or kept."""
    path, *given = sys.argv[1:]
    show = "--show" in given
    documents = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    stack = kgsan.load_ontology()
    knowledge = kgsan.load_knowledge(ontology=stack)
    for strictness in [float(one) for one in given if one != "--show"] or [1.5]:
        hidden: Counter[str] = Counter()
        total: Counter[str] = Counter()
        kept = 0.0
        for document in documents:
            sanitizer = Sanitizer(load_policy(_policy(document, strictness)), stack, knowledge)
            result = sanitizer.sanitize(document["text"])
            kept += result.utility_kept / len(documents)
            if show:
                print(f"\n=== {document['id']} {document['protect']}\n{result.text}\n")
            for kind, span in _spans(document):
                done = _is_hidden(document["text"], span, [(one.start, one.end) for one in result.decisions])
                hidden[kind] += done
                total[kind] += 1
                if show and done == (kind in ("decoy", "utility")):
                    why = [d.because for one in result.decisions if one.start < span["end"] > 0 and span["start"] < one.end
                           for d in one.disclosures]  # fmt: skip
                    print(f"  {'wrong' if done else 'MISSED':<7} {kind:<12} {span['text']!r}  {why[:1]}")
        told = ", ".join(f"{kind} {hidden[kind]}/{total[kind]} = {hidden[kind] / total[kind]:.2f}" for kind in sorted(total))
        print(f"strictness {strictness}: hidden {told}; utility kept {kept:.2f}")


def _policy(document: dict[str, Any], strictness: float) -> dict[str, Any]:
    entities = [entity for entity in document["protect"] if entity != _LIMIT]
    policy: dict[str, Any] = {"policy": "evaluation", "law": "none", "strictness": strictness, "protect": entities}
    if _LIMIT in document["protect"]:
        policy["too_specific_above"] = _LIMIT
    if document.get("identifiers"):
        policy["identifiers"] = "all"
    return policy


def _spans(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = [("direct", span) for span in document["direct"]]
    found += [(span["strength"], span) for span in document["related"]]
    found += [("identifier", span) for span in document.get("identifiers", ())]
    return found + [(span["why"], span) for span in document["keep"]]


def _is_hidden(text: str, span: dict[str, Any], changed: list[tuple[int, int]]) -> bool:
    letters = [i for i in range(span["start"], span["end"]) if text[i].isalnum()]
    return 2 * sum(any(start <= i < end for start, end in changed) for i in letters) >= len(letters)


if __name__ == "__main__":
    main()
