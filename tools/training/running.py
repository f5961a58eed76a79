"""Places in running text that are taken for judged ones: what stands there is known, or told by signs that are sure.

Where a text surely names a concept, an ambiguous name of that concept is put in the place, which then is meant; put in the
place of any other noun it is not. Where an ambiguous name stands by itself, signs that are sure tell.
"""

from __future__ import annotations

import json
import lzma
import random
from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from kgsan.risk.meant import described
from kgsan.risk.signs import weigh
from kgsan.sources.records import Scope
from kgsan.text.document import Document
from kgsan.text.mentions import Finder
from training.judged import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kgsan.ontology.stack import OntologyStack
    from kgsan.risk.senses import SenseGuard
    from kgsan.text.mentions import Mention

RUNNING = "running text"
#: Every so many-th paragraph is read, of so many letters at least.
_EVERY, _SHORTEST = 8, 120
#: So many places for a concept, for an ambiguous name either way, and so many of a name that are looked at.
_OF_CONCEPT, _OF_NAME, _ASKED = 24, 6, 16
#: From here on signs are sure, either way.
_MEANT, _OTHERWISE = 1.5, -1.0
_BLOCK = 400


class Running:
    """Rows of running text, a fixed number of each concept and name."""

    def __init__(self, stack: OntologyStack, guard: SenseGuard) -> None:
        self._stack, self._ontology = stack, stack[0]
        self._finder, self._guard = Finder(stack), guard
        self._names: dict[int, list[str]] = defaultdict(list)
        for number in range(len(self._ontology)):
            for text, scope in zip(*self._ontology.scoped_names(number), strict=True):
                if scope == Scope.AMBIGUOUS:
                    self._names[number].append(text)
        self._chance = random.Random(0)
        self._seen: Counter[object] = Counter()

    def rows(self, paths: Sequence[Path]) -> Iterator[Row]:
        """The places of some files of articles."""
        waiting = _paragraphs(paths)
        while paragraphs := list(islice(waiting, _BLOCK)):
            documents = Document.many(paragraphs)
            for document, mentions in zip(documents, self._finder.find_many(documents), strict=True):
                reader = self._guard.read(document, mentions)
                for mention in mentions:
                    yield from self._placed(document, mention)
                    own = [sense for sense in mention.senses if sense.ontology == 0 and sense.name.scope == Scope.AMBIGUOUS]
                    name = document.text[mention.start : mention.end].lower()
                    if len(own) == 1 and self._counts(name, _ASKED):
                        signs = reader.verdict(mention, own[0]).signs
                        told = weigh(signs) if signs else 0.0
                        if not _OTHERWISE <= told <= _MEANT and self._counts((name, told > 0), _OF_NAME):
                            yield self._row(document.text, mention.start, mention.end, own[0].concept.number, told > 0)

    def _placed(self, document: Document, mention: Mention) -> Iterator[Row]:
        """An ambiguous name in the place of a sure one, and in that of another noun of the same text."""
        sure = [
            sense.concept.number
            for sense in mention.senses
            if sense.ontology == 0 and sense.name.scope <= Scope.EXACT and sense.name.rank == 0
        ]
        if len(mention.senses) != 1 and len({sense.ontology for sense in mention.senses}) < len(mention.senses):
            return
        for number in sure:
            near = [one for one in (number, *self._ontology.parent_numbers(number)) if one in self._names]
            if near and self._counts(number, _OF_CONCEPT):
                meant = self._chance.choice(near)
                yield self._put(document.text, (mention.start, mention.end), meant, True)
                others = [
                    phrase for phrase in document.noun_phrases if phrase.end <= mention.start or mention.end <= phrase.start
                ]
                if others:
                    other = self._chance.choice(others)
                    strange = self._chance.choice(list(self._names))
                    yield self._put(document.text, (other.start, other.end), strange, False)

    def _put(self, text: str, span: tuple[int, int], number: int, meant: bool) -> Row:
        start, end = span
        name = self._chance.choice(self._names[number])
        return self._row(f"{text[:start]}{name}{text[end:]}", start, start + len(name), number, meant)

    def _row(self, text: str, start: int, end: int, number: int, meant: bool) -> Row:
        name = text[start:end]
        return Row(
            RUNNING, name, meant, int(Scope.AMBIGUOUS), {}, ("", ""), 1.0, text, start, end, described(self._ontology, number)
        )

    def _counts(self, key: object, most: int) -> bool:
        self._seen[key] += 1
        return self._seen[key] <= most


def _paragraphs(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            paragraphs = (one for line in lines for one in json.loads(line)["paragraphs"] if len(one) >= _SHORTEST)
            yield from islice(paragraphs, 0, None, _EVERY)
