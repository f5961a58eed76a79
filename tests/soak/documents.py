"""Documents without end, made by recombining the sentences of the texts that ship with the project; the same for the same seed."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from kgsan.ontology.load import load_ontology

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
_SENTENCE = re.compile(r"[^.!?\n]{15,400}[.!?]")
_DIGIT = re.compile(r"\d")
#: Sentences into which any name of the shipped ontologies is put: what a stream of documents brings in its long tail.
_FRAMES = (
    "She was told about {}.",
    "History of {}, none recently.",
    "The file mentions {} and {}.",
    "He lived near {}; {} was ruled out.",
)
_HEADS = ("Subject: follow-up", "NOTE", "Dear colleague,", "Plan:", "- ")


@cache
def sentences() -> tuple[str, ...]:
    """Every sentence of the examples, the benchmark documents and the tables of the tests, each once."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").rglob("*.txt"))]
    with (ROOT / "benchmarks" / "documents.jsonl").open(encoding="utf-8") as lines:
        texts += [json.loads(line)["text"] for line in lines]
    for path in sorted((ROOT / "tests" / "data").glob("*.yaml")):
        texts += _strings(list(yaml.load_all(path.read_text(encoding="utf-8"), yaml.CSafeLoader)))
    found = (" ".join(one.split()) for text in texts for one in _SENTENCE.findall(text))
    return tuple(sorted({one for one in found if one.isascii()}))


@cache
def names() -> tuple[str, ...]:
    """Every seventh name of the ontologies that ship: some sixty thousand."""
    return tuple(name for ontology in load_ontology() for name in ontology.name_texts()[::7] if name.isascii())


def documents(seed: int = 0, *, tail: float = 0.2) -> Iterator[str]:
    """Documents of one to a dozen sentences: lines, notes, letters, lists; `tail` is the share with names nobody wrote here."""
    dice = random.Random(seed)
    known, rare = sentences(), names() if tail else ()
    while True:
        count = dice.choice((1, 1, 1, 2, 2, 3, 4, 12))
        parts = [
            _DIGIT.sub(lambda _: str(dice.randrange(10)), one) if dice.random() < 0.5 else one
            for one in dice.choices(known, k=count)
        ]
        if rare and dice.random() < tail:
            frame = dice.choice(_FRAMES)
            parts.append(frame.format(*dice.choices(rare, k=frame.count("{}"))))
        if dice.random() < 0.1:
            parts = [part.upper() for part in parts]
        if dice.random() < 0.3:
            parts.insert(0, dice.choice(_HEADS))
        yield dice.choice((" ", " ", "\n", "\n\n")).join(parts)


def _strings(given: Any) -> list[str]:
    if isinstance(given, str):
        return [given]
    if isinstance(given, dict):
        given = list(given.values())
    return [text for one in given for text in _strings(one)] if isinstance(given, list) else []
