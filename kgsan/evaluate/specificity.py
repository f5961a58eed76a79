"""SPEC against people's marks: every noun phrase that says as much as a given word, by hits of a search engine.

D. Sánchez, M. Batet and A. Viejo, "Detecting sensitive information from textual documents: an information-theoretic approach",
MDAI 2012. A table of hits need not say how many pages there are: two amounts of information compare as the hits do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsan.errors import KnowledgeError
from kgsan.evaluate.marks import read_utf8
from kgsan.evaluate.problems import error
from kgsan.evaluate.scores import Measure
from kgsan.knowledge.information import information
from kgsan.knowledge.table import CountTable
from kgsan.ontology import names
from kgsan.sanitize.published.spec import too_specific
from kgsan.text.document import Document

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.evaluate.gold import Gold, GoldDocument
    from kgsan.evaluate.scores import Counts
    from kgsan.ontology.information import Bits

#: Precision, recall and F that the authors print for the articles on six actors, by the limit of what "actor" says.
PUBLISHED = {
    "Sylvester Stallone": (82.35, 93.33, 87.5),
    "Arnold Schwarzenegger": (72.0, 94.74, 81.82),
    "Audrey Hepburn": (81.13, 93.48, 86.87),
    "Antonio Banderas": (94.44, 100.0, 97.14),
    "Javier Bardem": (100.0, 100.0, 100.0),
    "Jordi Mollà": (83.33, 95.24, 88.89),
}
_NO_TOTAL = "K103"
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Specific:
    """SPEC on one document: with phrases never counted taken for too specific, as published, and without them."""

    name: str
    published: Counts
    known: Counts
    phrases: int
    unknown: int  #: phrases that the table does not list


def read_hits(path: Path) -> CountTable:
    """A table of counts, or one of hits that says no total: a term and a number in each row, blanks as underscores."""
    try:
        return CountTable.read(path)
    except KnowledgeError as failure:
        if failure.problems[0].code != _NO_TOTAL:
            raise
    hits: dict[str, tuple[bool, int, str]] = {}
    for line, row in enumerate(read_utf8(path).split("\n"), 1):
        term, tab, count = row.strip().rpartition("\t")
        digits = count.strip().removeprefix("-")
        if not row.strip():
            continue
        if not tab or not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
            raise error("E112", path.name, "The row is not a term and a whole number.", "Put one tab between them.", line)
        plain = term.replace("_", " ")
        key = names.key(plain)
        # The same phrase may be listed with and without marks around it; the plain spelling was counted as it stands.
        spelled = " ".join(names.words(plain))
        mine = (spelled == plain, int(digits), spelled)
        was_counted = not count.strip().startswith("-")  # a search engine that failed is noted as -1
        if key and was_counted and int(digits) and mine > hits.get(key, (False, 0, "")):
            hits[key] = mine
    if not hits:
        raise error("E112", path.name, "There is no count in it.")
    most = max(count for _, count, _ in hits.values())
    return CountTable.read("".join([f"contexts\t{most}\n", *(f"{term}\t{count}\n" for _, count, term in hits.values())]))


def limit_of(table: CountTable, word: str, file: str) -> Bits:
    """What the word says that is too much."""
    bits = information(table, word)
    if bits is None:
        raise error("E112", file, "The table does not list the term that is the limit.", "Take a term that it lists.")
    return bits


def measured(gold: Gold, table: CountTable, limit: Bits) -> list[Specific]:
    """Every document by itself."""
    return [_measured(document, table, limit) for document in gold.documents]


def _measured(document: GoldDocument, table: CountTable, limit: Bits) -> Specific:
    read = Document(document.text)
    known: list[tuple[int, int]] = []
    unknown: list[tuple[int, int]] = []
    phrases = read.noun_phrases
    for phrase in phrases:
        words = document.text[phrase.start : phrase.end]
        if not table.count(words):
            unknown.append((phrase.start, phrase.end))
        elif too_specific(table, words, limit):
            known.append((phrase.start, phrase.end))
    marked = [(span.start, span.end) for span in document.to_hide]
    disputed = [(span.start, span.end) for span in document.disputed]
    never = Measure(read, unknown)
    listed = [span for span in marked if not never.is_hidden(*span)]
    aside = [*disputed, *(span for span in marked if never.is_hidden(*span))]
    return Specific(
        document.name,
        Measure(read, [*known, *unknown]).scores(marked, disputed).term,
        Measure(read, known).scores(listed, aside).term,
        len(phrases),
        len(unknown),
    )
