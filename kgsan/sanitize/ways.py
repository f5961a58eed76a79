"""What may stand in place of a part of one text: by what it is known, and its rungs, the most specific first."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from kgsan.ontology import names
from kgsan.ontology.inflection import fold
from kgsan.risk.disclosures import Rule
from kgsan.risk.personal import MINOR
from kgsan.risk.terms import is_noun_phrase
from kgsan.sanitize.ladder import Rung
from kgsan.sources.records import Scope
from kgsan.text.phrases import reverses
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.risk.detecting import Found
    from kgsan.risk.disclosures import Disclosure
    from kgsan.risk.terms import Term
    from kgsan.sanitize.ladder import Ladders
    from kgsan.text.mentions import Mention, Mentions, Sense


#: Identifiers of which no part is generalized.
_PEOPLE = ("name", MINOR)


class Ways:
    """The ladders of one text. They know nothing of who climbs them: rungs not yet asked for would hold it in a circle."""

    def __init__(self, ladders: Ladders, found: Found) -> None:
        self._ladders = ladders
        self._found = found
        self._reading = found.reading
        self._text = found.reading.document.text

    @cached_property
    def _terms(self) -> dict[tuple[int, int], Term]:
        return {(term.start, term.end): term for term in self._found.terms}

    def ladder(self, span: tuple[int, int], disclosures: list[Disclosure]) -> tuple[object, Iterator[Rung]]:
        """What a part of the text is known by, and its rungs."""
        said = names.key(self._text[span[0] : span[1]])
        identified = [one for one in disclosures if one.rule in (Rule.IDENTIFIER, Rule.DENY)]
        if identified and not all(_is_within_a_name(one, disclosures) for one in identified):
            return (said, identified[0].entity, span), iter(())
        if not is_noun_phrase(self._reading.document, *span):
            return (said, ()), iter(())  # what is no noun has nothing more general that a sentence could take
        if (head := self._person_at_the_end(span)) is not None:
            return (said, "person"), chain([Rung(self._text[head[0] : head[1]])], self._rungs(None, *self._senses(head, [])))
        named = [one.sense for one in disclosures if one.sense is not None]
        senses, person = self._senses(span, named)
        return (said, tuple(senses[:1])), self._rungs(self._terms.get(span), senses, person)

    def _person_at_the_end(self, span: tuple[int, int]) -> tuple[int, int] | None:
        """Where the last of several words stands, if it is one for a person: of an "HIV-positive mother" the mother may stay."""
        document = self._reading.document
        first, last = document.token_at(span[0]), document.token_at(span[1] - 1)
        head = int(document.token_starts[last]), span[1]
        if first == last or any(map(reverses, document.words[first:last])) or self._is_no_person(span):
            return None
        return head if self._senses(head, [])[1] else None

    def _is_no_person(self, span: tuple[int, int]) -> bool:
        """Whether words name an organization or a place, whatever the last of them means by itself: an oncology ward."""
        mention = _mention_at(self._reading.every, span)
        return mention is not None and any(map(self._ladders.is_institution, mention.senses))

    def _rungs(self, term: Term | None, senses: list[tuple[int, int]], person: bool) -> Iterator[Rung]:
        yield from self._ladders.above(senses)
        if person:
            yield from self._ladders.person()
        if term is None or term.phrase is None or senses or person:
            return
        document = self._reading.document
        for shorter in document.shortened(term.phrase):
            yield Rung(document.text[shorter.start : shorter.end])
            if part := self._only_meaning((shorter.start, shorter.end)):
                yield from self._rungs(None, *part)
                return

    def _only_meaning(self, span: tuple[int, int]) -> tuple[list[tuple[int, int]], bool] | None:
        """The senses of a part of a phrase, if no dictionary has several: the ward of a hospital is no person."""
        mention = _mention_at(self._reading.every, span)
        if mention is None or sum(self._ladders.is_of_a_dictionary(sense) for sense in mention.senses) > 1:
            return None
        found = self._senses(span, [])
        return found if any(found) else None

    def rest(self, span: tuple[int, int]) -> tuple[tuple[int, int], Iterator[Rung]] | None:
        """The end of the noun phrase in which words stand, with them, and its rungs: at last what is left of it without them.

        Of an "antiretroviral drug" a medication is left, of a "Muslim child" the child, of "Father Murphy" Murphy; nothing of
        what a word before them makes untrue.
        """
        document = self._reading.document
        at = bisect_right(document.noun_phrases, span[0], key=lambda phrase: phrase.start) - 1
        if at < 0 or (phrase := document.noun_phrases[at]).end < span[1]:
            return None
        stays = span[1] < phrase.end
        behind = span[1] if stays else span[0] + 1
        left = [
            Rung(document.text[one.start : one.end], stays=stays) for one in document.shortened(phrase) if one.start >= behind
        ]
        wider = span[0], phrase.end
        return (wider, chain(self._rungs(None, *self._senses(wider, [])), left)) if left else None

    def is_before_a_name(self, span: tuple[int, int]) -> bool:
        """Whether words stand before a proper name as titles do: nothing but a name can be said there."""
        document = self._reading.document
        last = document.token_at(span[1] - 1)
        if last + 1 >= len(document.words) or not self._text[span[0] : span[1]].istitle():
            return False
        follows = TAGS[int(document.tags[last + 1])].startswith("NNP") and document.words[last + 1].istitle()
        return follows and self._text[span[1] : int(document.token_starts[last + 1])].isspace()

    def _senses(self, span: tuple[int, int], named: list[Sense]) -> tuple[list[tuple[int, int]], bool]:
        """The senses whose generalizations may stand for a part of the text, by ontology and number, and whether it is a person.

        A word for a person becomes a person, whatever it names besides.
        """
        reading = self._reading
        mention = _mention_at(reading.every, span)
        if mention is None:
            return [(sense.ontology, sense.concept.number) for sense in named], False
        first = min((s for s in mention.senses if self._ladders.is_dictionary(s)), key=_is_plural, default=None)
        person = first is not None and self._ladders.is_person(first)
        own = [sense for sense in mention.senses if sense in named] or sorted(
            (sense for sense in mention.senses if sense.name.scope <= Scope.EXACT and sense.name.rank == 0),
            key=lambda sense: (sense.concept.id.startswith("places:"), sense.ontology, _is_plural(sense)),
        )
        if not own:
            own = [sense for sense in mention.senses if reading.verdict(mention, sense).counts]
        alike = list(dict.fromkeys((*own[:1], *(reading.senses._meanings(own[0], mention)[0] if own else ()))))
        if person:
            alike = [sense for sense in alike if self._ladders.is_person(sense)]
        return [(sense.ontology, sense.concept.number) for sense in alike], person


def _is_within_a_name(identified: Disclosure, disclosures: list[Disclosure]) -> bool:
    """Whether what generalizes a named thing stands for an identifier too: for a town; for nobody who is called like one."""
    named = [one for one in disclosures if one.sense is not None]
    return identified.entity not in _PEOPLE and any(one.start <= identified.start and identified.end <= one.end for one in named)


def _mention_at(every: Mentions, span: tuple[int, int]) -> Mention | None:
    """The mention that stands exactly there."""
    start, end = span
    for number in range(int(every.starts.searchsorted(start)), int(every.starts.searchsorted(start, side="right"))):
        if every.ends[number] == end:
            return every[number]
    return None


def _is_plural(sense: Sense) -> bool:
    """Whether a dictionary has a word in the plural only: "effects" are belongings, not what causes have."""
    return fold(sense.name.text.casefold()) != sense.name.text.casefold()
