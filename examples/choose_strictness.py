"""Which strictness fits texts of one's own, measured on a few that people marked: `python examples/choose_strictness.py`.

`gold.jsonl` is an example of the format; eight documents are too few to decide by. The same from the command line:
`kgsan evaluate examples/gold.jsonl --strictness 1,1.5,2,3`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import kgsan
from kgsan.evaluate.gold import read_gold
from kgsan.evaluate.sweep import at_strictness, knee, measure, own_policy
from kgsan.evaluate.truth import TruthCheck

GOLD = Path(__file__).with_name("gold.jsonl")
TRIED = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)]


def main() -> None:
    gold = read_gold(GOLD)
    ontology = kgsan.load_ontology()
    knowledge = kgsan.load_knowledge(ontology=ontology)

    @cache  # documents that protect the same share a sanitizer
    def sanitizer(policy: kgsan.Policy) -> kgsan.Sanitizer:
        return kgsan.Sanitizer(policy, ontology, knowledge)

    def check(made: kgsan.Sanitizer) -> TruthCheck:
        return TruthCheck(ontology, made.detector.marker.finder, made.policy)

    points = []
    for strictness in TRIED:
        measured = measure(
            gold, strictness, lambda one, value: sanitizer(at_strictness(own_policy(one, GOLD.name), value)), check
        )
        assert measured.risk is not None
        assert measured.mean_utility is not None
        points.append((measured.risk, measured.mean_utility))
        print(
            f"strictness {float(strictness):g}: {measured.risk:.0%} still shows, {measured.mean_utility:.0%} of the rest is kept"
        )
    best = knee(points)
    print("No strictness stands out." if best is None else f"Most for what it costs: {float(TRIED[best]):g}.")


if __name__ == "__main__":
    main()
