"""The terms of a text that may give something away: names of concepts and noun phrases, where they stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import compress
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from kgsan.risk.reading import Taken
from kgsan.sources.records import Scope
from kgsan.text.everyday import everyday_words
from kgsan.text.identifiers.calendar import MONTHS, WEEKDAYS
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.risk.reading import Reading
    from kgsan.text.document import Document, NounPhrase
    from kgsan.text.mentions import Mention

_START, _END = itemgetter(0), itemgetter(1)
_NOUNS = frozenset(i for i, tag in enumerate(TAGS) if tag.startswith("NN") or tag == "FW")
#: Words that may be part of a name, and are no verb or word of grammar.
_NOMINAL = _NOUNS | frozenset(i for i, tag in enumerate(TAGS) if tag.startswith(("JJ", "VBN", "VBG", "CD", "ADD", "SYM")))


_TIMES = frozenset((*MONTHS, *WEEKDAYS))
#: A verb, a preposition or a pronoun: words that begin so are no noun phrase.
_NO_NOUN_BEGINS = frozenset("VB VBD VBN VBP VBZ MD IN TO PRP EX WP".split())


class Term(NamedTuple):
    """A name or a noun phrase, as it is read, and where it stands."""

    start: int
    end: int
    name: str
    mention: Mention | None = None  #: the concepts it names
    phrase: NounPhrase | None = None  #: the noun phrase it is, when it is one

    def __repr__(self) -> str:
        return f"<Term at {self.start}-{self.end}>"  # its name is in the text


def terms(reading: Reading, is_counted: Callable[[str], bool]) -> list[Term]:
    """The terms of a text, in order. Months and days of the week are none: they say when.

    Every longest name of a concept is one, if it is used as a noun. A noun phrase is one if it has been counted as it
    stands, or if none of the names inside it is its head; but no part of a fixed expression is: "takes pride in".
    """
    document = reading.document
    tokens = _Tokens(document)
    noun_ends, read = tokens.noun_ends, tokens.read
    phrases = {phrase[:2]: phrase for phrase in document.noun_phrases}
    found: list[Term] = []
    spans = set()
    for mention in reading.longest:
        start, end = span = mention.start, mention.end
        if end in noun_ends or _is_nominal(reading, tokens, mention):  # most are nouns
            spans.add(span)
            name = mention.senses[0].name.text if mention.misspelt else read(start, end)
            if name in _TIMES:
                continue
            found.append(Term(start, end, name, mention, phrases.get(span)))
    heads = {end for _, end in spans}
    expressions = reading.every.meaning(reading.guard.are_expression, longest=True)
    idioms = Taken([(one.start, one.end) for one in expressions])
    for span, phrase in phrases.items():
        if span not in spans and not idioms.holds(*span):
            name = read(*span)
            if span[1] not in heads or is_counted(name):
                found.append(Term(*span, name, None, phrase))
    # In the order of the text, the longer first.
    return sorted(sorted(found, key=_END, reverse=True), key=_START)


class _Tokens:
    """The tokens of a text, ready to be asked for one by one."""

    def __init__(self, document: Document) -> None:
        self.words, self.tags = document.words, document.tags.tolist()
        self._text, self._plain = document.text, document.plain
        self._is_moved = document.is_moved
        if self._is_moved:
            self._firsts, self._lasts = document.token_places.T.tolist()
            self._starts = document.token_starts.tolist()
        self.ends = document.token_ends.tolist() if self._is_moved else document.token_places[:, 1].tolist()
        self.noun_ends = set(compress(self.ends, map(_NOUNS.__contains__, self.tags)))

    def read(self, start: int, end: int) -> str:
        """A part of the text as it is read."""
        if not self._is_moved:
            return self._plain[start:end]
        ends = self.ends
        first, last = bisect_right(ends, start), bisect_left(ends, end)
        if last >= len(ends) or self._starts[first] < start or ends[last] > end:
            return self._text[start:end]  # a part of a token, such as a word in an address of the web
        return self._plain[self._firsts[first] : self._lasts[last]]


def _is_nominal(reading: Reading, tokens: _Tokens, mention: Mention) -> bool:
    """Whether a name is used as a noun, or may be: taggers know little of the names of special vocabularies."""
    first, last, tags = bisect_right(tokens.ends, mention.start), bisect_left(tokens.ends, mention.end), tokens.tags
    if last >= len(tags):
        return False
    if tags[last] in _NOUNS:
        return True
    if first < last and tags[first] in _NOUNS:
        return True  # a compound that begins with a noun is one, whatever it ends with: voice-over, passer-by
    special = reading.guard.special(mention.senses)
    if not special:
        return False
    if first < last or tags[last] in _NOMINAL:
        return True  # of several words together no other part of speech is made
    if any(sense.name.scope <= Scope.EXACT for sense in special) and tokens.words[last].lower() not in everyday_words():
        return True  # nobody uses "zidovudine" as a verb
    # Taggers take a noun behind a verb for another verb now and then: "smoked crack".
    behind_a_verb = first > 0 and TAGS[tags[first - 1]].startswith("VB")
    return behind_a_verb and any(reading.verdict(mention, sense).counts for sense in special)


def is_noun(document: Document, end: int) -> bool:
    """Whether the word that ends here is used as a noun; a rare word is unless it looks like an adjective, verb or adverb."""
    last = document.token_at(end - 1)
    if last >= len(document.words):
        return False
    tag, word = int(document.tags[last]), document.words[last]
    return tag in _NOUNS or (word.isalpha() and word.lower() not in everyday_words() and TAGS[tag][:2] not in ("JJ", "VB", "RB"))


def is_noun_phrase(document: Document, start: int, end: int) -> bool:
    """Whether a noun can stand for these words: not for "exposed to HIV", "in recovery" or "sober for a year"."""
    first, last = document.token_at(start), document.token_at(end - 1)
    tags = [TAGS[tag] for tag in document.tags[first : last + 1].tolist()]
    if len(tags) < 2:
        return is_noun(document, end)
    if tags[0] in _NO_NOUN_BEGINS:
        return False
    # What follows a preposition belongs to the word before it.
    head = next((at for at, tag in enumerate(tags) if tag in ("IN", "TO")), len(tags)) - 1
    return is_noun(document, int(document.token_ends[first + head]))
