"""How well the sanitizer does on articles with terms that experts would hide: `python benchmarks/articles.py FOLDER [STRICTNESS...]`.

Recall runs over the experts' terms: one is found when at least half of its occurrences are hidden, an occurrence when half of
its letters are. Precision runs over distinct changed strings: right when one of its occurrences overlaps a term of the experts;
strings that touch only disputed terms are left out.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import kgsan


def main() -> None:
    """Print precision, recall, F and utility for each article and strictness."""
    folder, *given = sys.argv[1:]
    show = "--show" in given
    articles = json.loads((Path(folder) / "articles.json").read_text("utf-8"))
    stack = kgsan.load_ontology()
    knowledge = kgsan.load_knowledge(ontology=stack)
    for strictness in [float(one) for one in given if one != "--show"] or [1.5]:
        for title, article in articles.items():
            text = (Path(folder) / f"{title}.txt").read_text("utf-8")
            policy = {"policy": "evaluation", "law": "none", "strictness": strictness, "protect": [article["entity"]]}
            result = kgsan.Sanitizer(kgsan.load_policy(policy), stack, knowledge).sanitize(text)
            changed = [(one.start, one.end) for one in result.decisions]
            precision, recall, missed, wrong = _scores(text, article, changed)
            f_score = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
            print(
                f"{title} at {strictness}: precision {precision:.2f}, recall {recall:.2f}, F {f_score:.2f}, "
                f"utility kept {result.utility_kept:.2f}"
            )
            if show:
                print(f"  missed {missed}\n  wrong {wrong}\n{result.text}")


def _scores(text: str, article: dict[str, Any], changed: list[tuple[int, int]]) -> tuple[float, float, list[str], list[str]]:
    found = missed = 0
    told: list[str] = []
    gold: list[tuple[int, int]] = []
    for term in article["sensitive"]:
        spans = _places(text, term)
        gold += spans
        hidden = sum(_is_hidden(text, span, changed) for span in spans)
        if spans and 2 * hidden >= len(spans):
            found += 1
        elif spans:
            missed += 1
            told.append(term["term"])
    disputed = [span for term in article.get("disputed", ()) for span in _places(text, term)]
    strings: dict[str, str] = {}
    for start, end in changed:
        kind = "right" if _touches(gold, start, end) else "disputed" if _touches(disputed, start, end) else "wrong"
        name = text[start:end].lower()
        if strings.get(name) != "right":
            strings[name] = kind
    right = sum(kind == "right" for kind in strings.values())
    wrong = [name for name, kind in strings.items() if kind == "wrong"]
    return right / max(right + len(wrong), 1), found / max(found + missed, 1), told, wrong


def _places(text: str, term: dict[str, Any]) -> list[tuple[int, int]]:
    pattern = "|".join(sorted(map(re.escape, term["variants"]), key=len, reverse=True))
    return [match.span() for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text)]


def _touches(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(a < end and start < b for a, b in spans)


def _is_hidden(text: str, span: tuple[int, int], changed: list[tuple[int, int]]) -> bool:
    letters = [i for i in range(*span) if text[i].isalnum()]
    return 2 * sum(any(start <= i < end for start, end in changed) for i in letters) >= len(letters)


if __name__ == "__main__":
    main()
