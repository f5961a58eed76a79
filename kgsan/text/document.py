"""A document: the text as it was given, the text as it is read, and the way back from one to the other."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kgsan.ontology import letters
from kgsan.text import phrases, proper, tagger
from kgsan.text.sentences import paragraph_spans, sentence_starts
from kgsan.text.tokens import token_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


#: So many tokens are worked on at once.
_BLOCK = 1 << 16


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

    def __repr__(self) -> str:
        return f"<Document of {len(self.text)} characters>"

    def __len__(self) -> int:
        return len(self.text)

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

    # --- tokens ----------------------------------------------------------------------------------------------------------

    @cached_property
    def token_places(self) -> NDArray[np.int64]:
        """First and last place of every token in the text as it is read."""
        return token_spans(self.plain)

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
        plain = self.plain
        known: dict[str, str] = {}  # a word is kept once, however often it stands
        found: list[str] = []
        for first in range(0, len(self.token_places), _BLOCK):
            words = [plain[start:end] for start, end in self.token_places[first : first + _BLOCK].tolist()]
            found += [known.setdefault(word, word) for word in words]
        return found

    @cached_property
    def tokens(self) -> list[Span]:
        """Where each token stands."""
        return list(map(Span, self.token_starts.tolist(), self.token_ends.tolist()))

    def token_at(self, place: int) -> int:
        """The number of the first token that ends behind a place of the original text."""
        return int(np.searchsorted(self.token_ends, place, side="right"))

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

    # --- grammar ---------------------------------------------------------------------------------------------------------

    @cached_property
    def tags(self) -> NDArray[np.uint8]:
        """The Penn tag of every token, as a number into `tagger.TAGS`."""
        return tagger.tag(self.words, self.sentence_starts)

    @cached_property
    def noun_phrases(self) -> list[NounPhrase]:
        """The noun phrases, without determiners and other stop words at their edges."""
        found = []
        for first, last in phrases.noun_phrases(self.words, self.tags, self.sentence_starts).tolist():
            first, last = phrases.content(self.words, self.tags, first, last)
            if first < last:
                start, end = self.span(int(self.token_places[first, 0]), int(self.token_places[last - 1, 1]))
                found.append(NounPhrase(start, end, first, last))
        return found

    def shortened(self, phrase: NounPhrase) -> list[NounPhrase]:
        """Shorter forms of a noun phrase, cut from the left: "curable breast cancer", "breast cancer", "cancer"."""
        return [
            NounPhrase(*self.span(int(self.token_places[first, 0]), int(self.token_places[last - 1, 1])), first, last)
            for first, last in phrases.shortened(self.words, self.tags, phrase.first, phrase.last)
        ]

    @cached_property
    def proper_names(self) -> list[ProperName]:
        """Names of persons, places and organisations, told by how they are used."""
        return [
            ProperName(*self.span(int(self.token_places[first, 0]), int(self.token_places[last - 1, 1])), kind)
            for first, last, kind in proper.proper_names(self.words, self.tags, self.sentence_starts)
        ]
