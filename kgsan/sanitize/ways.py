"""What may stand in place of a part of one text: by what it is known, and its rungs, the most specific first."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import chain
from typing import TYPE_CHECKING

from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.ontology.inflection import fold
from kgsan.risk.disclosures import Rule
from kgsan.risk.personal import MINOR
from kgsan.risk.terms import is_noun_phrase
from kgsan.sanitize.first_meanings import means_the_first
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


#: A time that has passed, behind what happened then.
_TIME_AGO = re.compile(r"\b(?:years|months|weeks|days|hours) (?:ago|later|earlier|before|after)\b")
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
            return (said, "person"), chain(
                [Rung(self._text[head[0] : head[1]])], self._rungs(head, None, *self._senses(head, []))
            )
        named = [one.sense for one in disclosures if one.sense is not None]
        senses, person = self._senses(span, named)
        return (said, tuple(senses[:1])), self._rungs(span, self._terms.get(span), senses, person)

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

    def _rungs(self, span: tuple[int, int], term: Term | None, senses: list[tuple[int, int]], person: bool) -> Iterator[Rung]:
        said = self._text[span[0] : span[1]]
        yield from (rung for rung in self._ladders.above(senses) if self._ladders.is_true(rung, said))
        if person:
            yield from self._ladders.person()
        if term is None or term.phrase is None or senses or person:
            return
        document = self._reading.document
        for shorter in document.shortened(term.phrase):
            yield Rung(document.text[shorter.start : shorter.end])
            left = shorter.start, shorter.end
            if part := self._only_meaning(left):
                yield from self._rungs(left, None, *part)
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
        if stays and _goes_on_otherwise(document.text, span[1], phrase.end):
            return None
        behind = span[1] if stays else span[0] + 1
        left = [
            Rung(document.text[one.start : one.end], stays=stays) for one in document.shortened(phrase) if one.start >= behind
        ]
        wider = span[0], phrase.end
        above = self._rungs(wider, None, *self._senses(wider, [])) if stays else ()
        return (wider, chain(above, left)) if left else None

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

        A word for a person becomes a person, whatever it names besides. What is close to a concept is none of its kind.
        """
        named = [sense for sense in named if sense.name.scope is not Scope.RELATED]
        mention = _mention_at(self._reading.every, span)
        if mention is None:
            return list({sense.ontology: _where(sense) for sense in reversed(named)}.values()), False
        listed = self._listed(mention)
        people = [sense for sense in listed if self._ladders.means_person(sense)]
        person = bool(people) and people[0] is listed[0] and len(people) >= len(listed) / 2
        alike = self._meant(mention, set(map(_where, named)), listed)
        return [_where(sense) for sense in alike if not person or sense in people], person

    def _listed(self, mention: Mention) -> list[Sense]:
        """What a word may mean by a dictionary, the first first; that alone if it is nearly always meant."""
        listed = [sense for sense in mention.senses if self._ladders.is_of_a_dictionary(sense) and not _is_place(sense)]
        # Effects are belongings, but not what causes have.
        listed = [sense for sense in listed if not _is_plural(sense)] or listed
        listed.sort(key=lambda sense: sense.name.rank)
        return listed[:1] if listed and means_the_first(listed[0].name.text) else listed

    def _meant(self, mention: Mention, named: set[tuple[int, int]], listed: list[Sense]) -> list[Sense]:
        """The senses that are meant: one of an ontology, or all that a dictionary has where nothing tells them apart."""
        reading = self._reading
        if own := [sense for sense in mention.senses if _where(sense) in named]:
            return self._same(own[0], mention)
        sure = (sense for sense in mention.senses if sense.name.scope <= Scope.EXACT and sense.name.rank == 0)
        for sense in sorted(sure, key=lambda sense: (_is_place(sense), sense.ontology, _is_plural(sense))):
            if sense in listed:
                return listed
            if not _is_place(sense) or reading.verdict(mention, sense).counts:
                return self._same(sense, mention)
        others = (sense for sense in mention.senses if sense.name.scope is not Scope.RELATED)
        return next((self._same(sense, mention) for sense in others if reading.verdict(mention, sense).counts), [])

    def _same(self, own: Sense, mention: Mention) -> list[Sense]:
        """A sense and what means the same, one of each ontology."""
        found: dict[int, Sense] = {own.ontology: own}
        for sense in self._reading.senses.meanings(own, mention)[0]:
            found.setdefault(sense.ontology, sense)
        return list(found.values())


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


def _goes_on_otherwise(text: str, end: int, phrase_end: int) -> bool:
    """Whether what follows in a noun phrase is said of something else: "jaundice years ago", "has CF. Takes Creon"."""
    return text[end:phrase_end].lstrip(" )\"'")[:1] in ".,;:" or _TIME_AGO.search(text, end, phrase_end + 9) is not None


def _where(sense: Sense) -> tuple[int, int]:
    return sense.ontology, sense.concept.number


def _is_place(sense: Sense) -> bool:
    """Whether a sense comes from the list of places."""
    return sense.concept.id.startswith("places:")


def _is_plural(sense: Sense) -> bool:
    """Whether a dictionary has a word in the plural only: "effects" are belongings, not what causes have."""
    return fold(sense.name.text.casefold()) != sense.name.text.casefold()
