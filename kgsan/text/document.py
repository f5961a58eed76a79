"""A document: the text as it was given, the text as it is read, and the way back from one to the other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kgsan.lazy import cached_property
from kgsan.ontology import letters
from kgsan.text import model, phrases, proper, tagger
from kgsan.text.sentences import paragraph_spans, sentence_starts
from kgsan.text.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray


#: Texts of so many characters are worked on together: no more than are looked through for names at once.
_TOGETHER = 1 << 17
#: What stands between texts that are read at once: over an empty line nothing goes on.
BETWEEN = "\n\n"


class Span(NamedTuple):
    """Where something stands in the original text: `text[start:end]`."""

    start: int
    end: int


class NounPhrase(NamedTuple):
    """A noun phrase without its stop words, in the original text and by its tokens."""

    start: int
    end: int
    first: int
    last: int


class ProperName(NamedTuple):
    """The name of a person, place or organisation."""

    start: int
    end: int
    kind: str


class _Grammar:
    """What the words of texts are in their sentences, worked out for several short texts at once when first asked for.

    The words stand one behind the other, but every text begins a sentence, and nothing is looked at beyond a sentence.
    """

    def __init__(self, words: list[str], places: NDArray[np.int64], sentences: NDArray[np.int64], bounds: Sequence[int]) -> None:
        self.words, self.sentences = words, sentences
        self.places = places  #: of the words, each in its text
        self.bounds = bounds  #: the number of the first token of each text, and that after the last

    @cached_property
    def _stretches(self) -> Sequence[model.Stretch]:
        """What surrounds the words, kept for all that ask where it is little."""
        return tuple(model.windows(self.words, self.sentences, model.lexicon())) if len(self.words) <= model.BLOCK else ()

    @cached_property
    def tags(self) -> NDArray[np.uint8]:
        return tagger.tag(self.words, self.sentences, self._stretches)

    @cached_property
    def _noun_phrases(self) -> tuple[list[NounPhrase], list[int]]:
        found = phrases.noun_phrases(self.words, self.tags, self.sentences, self._stretches)
        firsts, lasts = phrases.contents(self.tags, found).T
        bounds = np.searchsorted(firsts, self.bounds)
        before = np.repeat(self.bounds[:-1], np.diff(bounds))
        columns = self.places[firsts, 0], self.places[lasts - 1, 1], firsts - before, lasts - before
        return list(map(NounPhrase, *(column.tolist() for column in columns))), bounds.tolist()

    def noun_phrases(self, text: int) -> list[NounPhrase]:
        """The noun phrases of one of the texts, as it is read."""
        found, bounds = self._noun_phrases
        return found[bounds[text] : bounds[text + 1]]

    @cached_property
    def _proper_names(self) -> list[tuple[int, int, str]]:
        if len(self.bounds) == 2:
            return proper.proper_names(self.words, self.tags, self.sentences)
        found: list[tuple[int, int, str]] = []
        lexicon = model.lexicon()
        for first, last, window in self._stretches:
            around = phrases.tags_around(self.tags, self.sentences, first, last, proper.TAG_REACH)
            scores = model.scores(model.network("names"), lexicon, window, around)
            capital = np.fromiter((word[:1].isupper() for word in self.words[first:last]), dtype=bool, count=last - first)
            # The same name again is the same only within its text.
            texts = np.searchsorted(self.bounds, np.arange(first, last), side="right")
            scores = proper.agreed(scores, window.around[0] + texts * len(window.forms.rows), capital)
            starts, ends, kinds = phrases.spans(phrases.best_path(scores, phrases.inside(self.sentences, first, last)))
            found.extend(
                zip((starts + first).tolist(), (ends + first).tolist(), [proper.KINDS[kind] for kind in kinds], strict=True)
            )
        return found

    def proper_names(self, text: int) -> list[tuple[int, int, str]]:
        """The proper names of one of the texts, by the numbers of its tokens."""
        first, last = self.bounds[text], self.bounds[text + 1]
        low, high = bisect_left(self._proper_names, (first,)), bisect_left(self._proper_names, (last,))
        return [(start - first, end - first, kind) for start, end, kind in self._proper_names[low:high]]


class Document:
    """One text. Everything found in it is given by offsets into the original string.

    >>> note = Document("Seen by Dr. Okafor. Pt c/o fe\u200bver.")
    >>> [note.text[span.start : span.end] for span in note.sentences]
    ['Seen by Dr. Okafor.', 'Pt c/o fe\u200bver.']
    >>> note
    <Document of 34 characters>
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain, self._origins = letters.read_with_origins(text)

    @classmethod
    def many(cls, texts: Iterable[str]) -> list[Document]:
        """Documents of many short texts. Each is as if it were made alone, but their grammar is worked out together.

        >>> [len(note.noun_phrases) for note in Document.many(["He lost his", "hearing aid.", "He lost his hearing aid."])]
        [0, 1, 1]
        """
        made = [cls(text) for text in texts]
        for documents in together(made):
            _read_together(documents)
        return made

    def __repr__(self) -> str:
        return f"<Document of {len(self.text)} characters>"

    def __len__(self) -> int:
        return len(self.text)

    @property
    def is_moved(self) -> bool:
        """Whether places of the text as it is read are not those of the original."""
        return self._origins is not None

    def span(self, start: int, end: int) -> Span:
        """Where a part of the text as it is read stands in the original. Marks that belong to its last letter go with it."""
        if self._origins is None or start >= end:
            return Span(start, end) if self._origins is None else Span(int(self._origins[start]), int(self._origins[start]))
        return Span(int(self._origins[start]), max(int(self._origins[end - 1]) + 1, int(self._origins[end])))

    def spans(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """`span` for many parts at once, none of them empty."""
        if self._origins is None:
            return starts, ends
        return self._origins[starts].astype(np.int64), np.maximum(self._origins[ends - 1] + 1, self._origins[ends]).astype(
            np.int64
        )

    def place_read(self, place: int) -> int:
        """Where a place of the original stands in the text as it is read."""
        return place if self._origins is None else int(np.searchsorted(self._origins, place))

    # --- tokens ----------------------------------------------------------------------------------------------------------

    @cached_property
    def _tokens(self) -> tuple[NDArray[np.int64], list[str]]:
        return tokens(self.plain)

    @cached_property
    def token_places(self) -> NDArray[np.int64]:
        """First and last place of every token in the text as it is read."""
        return self._tokens[0]

    @cached_property
    def token_starts(self) -> NDArray[np.int64]:
        """Where each token begins in the original text."""
        return np.ascontiguousarray(self.spans(self.token_places[:, 0], self.token_places[:, 1])[0])

    @cached_property
    def token_ends(self) -> NDArray[np.int64]:
        """Where each token ends in the original text."""
        return np.ascontiguousarray(self.spans(self.token_places[:, 0], self.token_places[:, 1])[1])

    @cached_property
    def words(self) -> list[str]:
        """The tokens as they are read."""
        return self._tokens[1]

    @cached_property
    def tokens(self) -> list[Span]:
        """Where each token stands."""
        return list(map(Span, self.token_starts.tolist(), self.token_ends.tolist()))

    def token_at(self, place: int) -> int:
        """The number of the first token that ends behind a place of the original text."""
        return bisect_right(self._token_ends, place)

    @cached_property
    def _token_ends(self) -> memoryview:
        return self.token_ends.data  # single numbers of it are had faster than of the array

    # --- contexts --------------------------------------------------------------------------------------------------------

    @cached_property
    def sentence_starts(self) -> NDArray[np.int64]:
        """The number of the first token of every sentence."""
        return sentence_starts(self.plain, self.token_places, self.words)

    @cached_property
    def sentences(self) -> list[Span]:
        """The sentences, from their first to their last token."""
        if not len(self.token_places):
            return []
        firsts = self.sentence_starts
        lasts = np.append(firsts[1:], len(self.token_places)) - 1
        starts, ends = self.spans(self.token_places[firsts, 0], self.token_places[lasts, 1])
        return list(map(Span, starts.tolist(), ends.tolist()))

    @cached_property
    def paragraphs(self) -> list[Span]:
        """The paragraphs: what stands between empty lines."""
        return [self.span(start, end) for start, end in paragraph_spans(self.plain)]

    def contexts(self, kind: str) -> Sequence[Span]:
        """The parts of the text within which terms are read together: "sentence", "paragraph" or "document"."""
        match kind:
            case "sentence":
                return self.sentences
            case "paragraph":
                return self.paragraphs
            case "document":
                return [Span(0, len(self.text))]
        raise ValueError("a context is a sentence, a paragraph or the document")

    def windows(self, words: int) -> Sequence[Span]:
        """Stretches of so many words, each beginning in the middle of the one before, so that neighbours meet in one of them."""
        starts, ends = self.token_starts.tolist(), self.token_ends.tolist()
        step = max(1, words // 2)
        firsts = range(0, max(1, len(starts) - words + step), step) if starts else ()
        return [Span(starts[first], ends[min(first + words, len(ends)) - 1]) for first in firsts]

    # --- grammar ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _grammar(self) -> tuple[_Grammar, int]:
        """What the words are in their sentences, and which text of those that it is for this is."""
        return _Grammar(self.words, self.token_places, self.sentence_starts, (0, len(self.words))), 0

    @cached_property
    def tags(self) -> NDArray[np.uint8]:
        """The Penn tag of every token, as a number into `tagger.TAGS`."""
        grammar, number = self._grammar
        return grammar.tags[grammar.bounds[number] : grammar.bounds[number + 1]]

    @cached_property
    def noun_phrases(self) -> list[NounPhrase]:
        """The noun phrases, without determiners and other stop words at their edges."""
        grammar, number = self._grammar
        found = grammar.noun_phrases(number)
        return [NounPhrase(*self.span(start, end), *tokens) for start, end, *tokens in found] if self.is_moved else found

    def shortened(self, phrase: NounPhrase) -> list[NounPhrase]:
        """Shorter forms of a noun phrase, cut from the left: "curable breast cancer", "breast cancer", "cancer"."""
        return [
            NounPhrase(*self.span(int(self.token_places[first, 0]), int(self.token_places[last - 1, 1])), first, last)
            for first, last in phrases.shortened(self.words, self.tags, phrase.first, phrase.last)
        ]

    @cached_property
    def proper_names(self) -> list[ProperName]:
        """Names of persons, places and organisations, told by how they are used."""
        grammar, number = self._grammar
        return [
            ProperName(*self.span(int(self.token_places[first, 0]), int(self.token_places[last - 1, 1])), kind)
            for first, last, kind in grammar.proper_names(number)
        ]


def _read_together(documents: list[Document]) -> None:
    """Find the tokens and sentences of several texts in one pass: none goes on over the empty line between two of them."""
    whole = BETWEEN.join([document.plain for document in documents])
    begins = [0, *accumulate(len(document.plain) + len(BETWEEN) for document in documents)]
    places, words = tokens(whole)
    bounds = np.searchsorted(places[:, 0], begins).tolist()
    starts = sentence_starts(whole, places, words)
    sentences = np.searchsorted(starts, bounds).tolist()
    places -= np.repeat(begins[:-1], np.diff(bounds))[:, None]
    # Beyond this the models would cut the texts at other places than alone.
    grammar = _Grammar(words, places, starts, bounds) if bounds[-1] <= model.BLOCK else None
    for number, document in enumerate(documents):
        first, last = bounds[number], bounds[number + 1]
        document.token_places = places[first:last]
        document.words = words[first:last]
        document.sentence_starts = starts[sentences[number] : sentences[number + 1]] - first
        if grammar is not None:
            document._grammar = grammar, number


def together(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Neighbours that are worked on at once, a large text alone."""
    block: list[Document] = []
    size = 0
    for document in documents:
        room = len(document.plain) + 2  # even an empty text takes some
        if block and size + room > _TOGETHER:
            yield block
            block, size = [], 0
        block.append(document)
        size += room
    if block:
        yield block
