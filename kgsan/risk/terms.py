"""The terms of a text that may give something away: names of concepts and noun phrases, where they stand."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.sources.records import Scope
from kgsan.text.everyday import everyday_words
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.risk.reading import Reading
    from kgsan.text.document import Document, NounPhrase
    from kgsan.text.mentions import Mention

_NOUNS = frozenset(i for i, tag in enumerate(TAGS) if tag.startswith("NN") or tag == "FW")
#: Words that may be part of a name, and are no verb or word of grammar.
_NOMINAL = _NOUNS | frozenset(i for i, tag in enumerate(TAGS) if tag.startswith(("JJ", "VBN", "VBG", "CD", "ADD", "SYM")))


@dataclass(frozen=True, slots=True)
class Term:
    """A name or a noun phrase, as it is read, and where it stands."""

    start: int
    end: int
    name: str = field(repr=False)
    mention: Mention | None = None  #: the concepts it names
    phrase: NounPhrase | None = None  #: the noun phrase it is, when it is one


def terms(reading: Reading, is_counted: Callable[[str], bool]) -> list[Term]:
    """The terms of a text, in order.

    Every longest name of a concept is one, if it is used as a noun. A noun phrase is one if it has been counted as it
    stands, or if none of the names inside it is its head.
    """
    document = reading.document
    tokens = _Tokens(document)
    found: list[Term] = []
    heads: set[int] = set()
    spans: dict[tuple[int, int], int] = {}
    for mention in reading.longest:
        if _is_nominal(reading, tokens, mention):
            spans[mention.start, mention.end] = len(found)
            heads.add(mention.end)
            name = mention.senses[0].name.text if mention.misspelt else tokens.read(mention.start, mention.end)
            found.append(Term(mention.start, mention.end, name, mention))
    for phrase in document.noun_phrases:
        at = spans.get((phrase.start, phrase.end))
        if at is not None:
            found[at] = Term(phrase.start, phrase.end, found[at].name, found[at].mention, phrase)
            continue
        name = tokens.read(phrase.start, phrase.end)
        if phrase.end not in heads or is_counted(name):
            found.append(Term(phrase.start, phrase.end, name, None, phrase))
    return sorted(found, key=lambda term: (term.start, -term.end))


class _Tokens:
    """The tokens of a text, ready to be asked for one by one."""

    def __init__(self, document: Document) -> None:
        self.words, self.tags = document.words, document.tags.tolist()
        self._text, self._plain = document.text, document.plain
        self._starts: list[int] = document.token_starts.tolist()
        self._ends: list[int] = document.token_ends.tolist()
        self._firsts: list[int] = document.token_places[:, 0].tolist()
        self._lasts: list[int] = document.token_places[:, 1].tolist()

    def at(self, place: int) -> int:
        """The first token that ends behind a place."""
        return bisect_right(self._ends, place)

    def read(self, start: int, end: int) -> str:
        """A part of the text as it is read."""
        first, last = self.at(start), self.at(end - 1)
        if last >= len(self.words) or self._starts[first] < start or self._ends[last] > end:
            return self._text[start:end]  # a part of a token, such as a word in an address of the web
        return self._plain[self._firsts[first] : self._lasts[last]]


def _is_nominal(reading: Reading, tokens: _Tokens, mention: Mention) -> bool:
    """Whether a name is used as a noun, or may be: taggers know little of the names of special vocabularies."""
    last = tokens.at(mention.end - 1)
    if last >= len(tokens.words):
        return False
    tag = tokens.tags[last]
    if tag in _NOUNS or (tokens.at(mention.start) < last and tokens.tags[tokens.at(mention.start)] in _NOUNS):
        return True  # a compound that begins with a noun is one, whatever it ends with: voice-over, passer-by
    special = [sense for sense in mention.senses if not reading.stack[sense.ontology].is_dictionary]
    if any(sense.name.scope <= Scope.EXACT for sense in special):
        word = tokens.words[last].lower()
        if tokens.at(mention.start) < last or word not in everyday_words():
            return True  # nobody uses "zidovudine" as a verb
    if tag in _NOMINAL and special:
        return True
    # Taggers take a noun behind a verb for another verb now and then: "smoked crack".
    before = tokens.at(mention.start) - 1
    behind_a_verb = before >= 0 and TAGS[tokens.tags[before]].startswith("VB")
    return behind_a_verb and any(reading.verdict(mention, sense).counts for sense in special)


def is_noun(document: Document, end: int) -> bool:
    """Whether the word that ends here is used as a noun; a rare word is unless it looks like an adjective, verb or adverb."""
    last = document.token_at(end - 1)
    if last >= len(document.words):
        return False
    tag, word = int(document.tags[last]), document.words[last]
    return tag in _NOUNS or (word.isalpha() and word.lower() not in everyday_words() and TAGS[tag][:2] not in ("JJ", "VB", "RB"))


def begins_with_a_verb(document: Document, start: int, end: int) -> bool:
    """Whether several words begin with a verb, so that no noun can stand for them: "exposed to HIV"."""
    first, last = document.token_at(start), document.token_at(end - 1)
    return first < last < len(document.words) and TAGS[int(document.tags[first])] in ("VB", "VBD", "VBN", "VBP", "VBZ")
