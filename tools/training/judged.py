"""Words that somebody judged, each in its text: whether it is meant in a sense, and what the guard sees of it."""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

import kgsan
from kgsan.ontology import names as spelling
from kgsan.risk.meant import described
from kgsan.risk.reading import Reading
from kgsan.risk.senses import SenseGuard
from kgsan.sources.records import Scope
from kgsan.text.document import Document
from kgsan.text.mentions import Finder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgsan.risk.signs import Sign
    from kgsan.text.mentions import Mention, Sense

ORDINARY = "ordinary"
#: Of the names in ordinary text that are asked about, one in so many is kept; so many sentences are read together.
_EVERY, _SENTENCES = 3, 6
#: What the rest of a text says can only be learned from whole documents: their rows count so many times.
_IN_DOCUMENTS, _IN_ORDINARY = 10.0, 4.0


@dataclass(frozen=True, slots=True)
class Row:
    """A judged word: its source, itself, whether it stands in the sense, and what was seen."""

    source: str
    name: str
    meant: bool
    scope: int
    signs: dict[str, Sign]
    key: tuple[str, str] = ("", "")  #: the name as it is compared, and the concept
    counts: float = 1.0  #: so many times
    text: str = ""  #: in which it stands from here to there
    start: int = 0
    end: int = 0
    described: str = ""  #: what the concept is, in words


class Judge:
    """The guard, asked for its signs."""

    def __init__(self) -> None:
        self.stack = kgsan.load_ontology()
        [knowledge] = kgsan.load_knowledge(ontology=self.stack).given
        self._finder, self.guard = Finder(self.stack), SenseGuard(self.stack, knowledge)

    def rows(self, path: Path) -> Iterator[Row]:
        """The judged words of a file that the guard has to ask about."""
        for row in [row for part in yaml.safe_load_all(path.read_text("utf-8")) for row in part]:
            for entities, name, meant in _judgements(row):
                reading = Reading(Document(row["text"]), self._finder, self.guard)
                found = self._mention(reading, row["text"], entities, name)
                if found is not None:
                    verdict = reading.verdict(*found)
                    if verdict.signs:
                        key = spelling.key(row["text"][found[0].start : found[0].end]), verdict.concept
                        counts = 1.0 if "name" in row else _IN_DOCUMENTS
                        yield Row(
                            path.stem,
                            name.partition("#")[0],
                            meant,
                            int(verdict.signs["scope"]),
                            verdict.signs,
                            key,
                            counts,
                            row["text"],
                            found[0].start,
                            found[0].end,
                            self._described(verdict.concept, found[1]),
                        )

    def ordinary(self, path: Path) -> Iterator[Row]:
        """Every so many names in the texts of a treebank that the guard would have to ask about."""
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            sentences = [line.removeprefix("# text = ").strip() for line in lines if line.startswith("# text = ")]
        asked = 0
        for at in range(0, len(sentences), _SENTENCES):
            reading = Reading(Document(" ".join(sentences[at : at + _SENTENCES])), self._finder, self.guard)
            for mention in reading.longest:
                for sense in [one for one in mention.senses if one.ontology == 0 and one.name.scope > Scope.EXACT][:1]:
                    asked += 1
                    if asked % _EVERY == 0 and (signs := reading.verdict(mention, sense).signs):
                        yield Row(
                            ORDINARY, mention.senses[0].name.text, False, int(signs["scope"]), signs, ("", ""), _IN_ORDINARY
                        )

    def _described(self, weighed: str, sense: Sense) -> str:
        """What the concept is that was weighed, which may be another one of the same meaning."""
        for ontology in self.stack:
            if weighed in ontology:
                return described(ontology, ontology.number(weighed))
        return described(self.stack[sense.ontology], sense.concept.number)

    def _mention(self, reading: Reading, text: str, entities: list[str], name: str) -> tuple[Mention, Sense] | None:
        """The mention at a name, and its sense that the row is about."""
        words, _, number = name.partition("#")
        start = -1
        for _ in range(int(number or 1)):
            start = text.index(words, start + 1)
        end = start + len(words)
        about = frozenset[tuple[int, int]]().union(*map(self._members, entities))
        near = [
            one for one in reading.every if (one.start <= start and end <= one.end) or (start <= one.start and one.end <= end)
        ]
        for mention in sorted(near, key=lambda one: one.start - one.end):
            senses = [one for one in mention.senses if (one.ontology, one.concept.number) in about]
            for sense in senses or [one for one in mention.senses if one.ontology == 0 and not about]:
                if reading.verdict(mention, sense).ambiguous:
                    return mention, sense
        return None

    def _members(self, entity: str) -> frozenset[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        for place, ontology in enumerate(self.stack):
            for concept, name in ontology.senses(entity):
                if name.scope <= Scope.EXACT and name.rank == 0:
                    found.update(
                        (place, number) for start, stop in ontology.ranges(concept.number) for number in range(start, stop)
                    )
        return frozenset(found)


def _judgements(row: dict[str, Any]) -> Iterator[tuple[list[str], str, bool]]:
    if "name" in row:
        yield row["entity"].split("; "), row["name"], bool(row["sense"])
    for key, meant in (("must_find", True), ("must_not_find", False)):
        for name in row.get(key) or []:
            yield row["protect"], str(name), meant
