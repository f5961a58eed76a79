"""What a learner sees of a token: its letters, its shape, its part of speech and its neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kgsan.lazy import cached_property
from kgsan.sanitize.greedy.company import company
from kgsan.text.document import Document
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

#: How many neighbours to either side are looked at.
REACH = 2
OFFSETS = tuple(range(-REACH, REACH + 1))
#: A sentence is one sequence. Longer ones are cut, so that a text without a point needs no more room than another.
LONGEST_SEQUENCE = 256
#: Of a longer word only the beginning and the end are looked at.
_LONGEST_WORD = 40
_AFFIXES = (1, 2, 3, 4)
#: Forms that are no words: what stands before a sentence, behind it, and where a word was hidden.
BEFORE, BEHIND, HIDDEN = 0, 1, 2
_NO_WORDS = (("before",), ("behind",), ("hidden",))


@dataclass(frozen=True)
class Tokens:
    """Documents as a row of tokens, with the bounds of their sentences; shows no words when printed."""

    words: list[str] = field(repr=False)
    tags: list[str] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)  #: where each token begins in the text of its document
    ends: NDArray[np.int64] = field(repr=False)
    sequences: NDArray[np.int64] = field(repr=False)  #: the first token of each sentence, and the number of tokens
    documents: NDArray[np.int64] = field(repr=False)  #: the first token of each document, and the number of tokens

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def document_of(self) -> NDArray[np.int64]:
        """The number of the document of every token."""
        return np.repeat(np.arange(len(self.documents) - 1), np.diff(self.documents))

    @cached_property
    def sequence_of(self) -> NDArray[np.int64]:
        """The number of the sentence of every token."""
        return np.repeat(np.arange(len(self.sequences) - 1), np.diff(self.sequences))

    @cached_property
    def forms(self) -> Forms:
        """The distinct words, each with its tag."""
        known: dict[tuple[str, str], int] = {}
        shortened = (word if len(word) <= _LONGEST_WORD else word[:20] + word[-20:] for word in self.words)
        found = [known.setdefault(form, len(known) + len(_NO_WORDS)) for form in zip(shortened, self.tags, strict=True)]
        atoms = [(*_atoms(*form), *more) for form, more in zip(known, company([word for word, _ in known]), strict=True)]
        return Forms(np.asarray(found, dtype=np.int64), [*_NO_WORDS, *atoms])

    def block(self, first: int, last: int) -> Tokens:
        """The sequences from one number up to, not including, another, as if they were one document."""
        a, b = int(self.sequences[first]), int(self.sequences[last])
        bounds = np.asarray([0, b - a], dtype=np.int64)
        cut = self.sequences[first : last + 1] - a
        return Tokens(self.words[a:b], self.tags[a:b], self.starts[a:b], self.ends[a:b], cut, bounds)

    def blocks(self, size: int) -> Iterator[Tokens]:
        """The tokens in parts of about so many."""
        first, count = 0, len(self.sequences) - 1
        while first < count:
            last = int(np.searchsorted(self.sequences, self.sequences[first] + size, side="right")) - 1
            last = max(first + 1, last)
            yield self.block(first, last)
            first = last


@dataclass(frozen=True)
class Forms:
    """The distinct words of some tokens, and what a learner sees of each."""

    of_token: NDArray[np.int64] = field(repr=False)
    atoms: list[tuple[str, ...]] = field(repr=False)
    _named: dict[tuple[int, int], list[str]] = field(default_factory=dict, repr=False)

    def named(self, form: int, offset: int) -> list[str]:
        """What is seen of a form that stands so far from the token that is looked at."""
        found = self._named.get((form, offset))
        if found is None:
            found = self._named[form, offset] = [f"{offset}{atom}" for atom in self.atoms[form]]
        return found


@dataclass(frozen=True)
class Instances:
    """Tokens of which some are sensitive, and some are hidden already: those are context, and no instances any more."""

    tokens: Tokens
    sensitive: NDArray[np.bool_] = field(repr=False)
    hidden: NDArray[np.bool_] = field(repr=False)

    def hiding(self, marked: NDArray[np.bool_]) -> Instances:
        """The same with more tokens hidden."""
        return replace(self, hidden=self.hidden | marked)

    @cached_property
    def around(self) -> NDArray[np.int64]:
        """The forms of every token and of its neighbours in the sentence, a column for each of `OFFSETS`."""
        tokens = self.tokens
        forms = np.where(self.hidden, HIDDEN, tokens.forms.of_token)
        places = np.arange(len(tokens))
        firsts = tokens.sequences[:-1][tokens.sequence_of] if len(tokens) else places
        behind = tokens.sequences[1:][tokens.sequence_of] if len(tokens) else places
        made = np.empty((len(tokens), len(OFFSETS)), dtype=np.int64)
        for column, offset in enumerate(OFFSETS):
            at = places + offset
            inside = (at >= firsts) & (at < behind)
            made[:, column] = np.where(inside, forms[np.clip(at, 0, max(0, len(tokens) - 1))], BEFORE if offset < 0 else BEHIND)
        return made

    def items(self, first: int, last: int) -> list[list[str]]:
        """What a sequence learner sees of each token of one sentence."""
        forms, made = self.tokens.forms, []
        words = ["" if form < len(_NO_WORDS) else forms.atoms[form][0] for form in self.around[first:last, REACH].tolist()]
        for place, around in enumerate(self.around[first:last].tolist()):
            if around[REACH] == HIDDEN:
                made.append(["hidden"])
                continue
            seen: list[str] = []
            for offset, form in zip(OFFSETS, around, strict=True):
                seen += forms.named(form, offset)
            if place:
                seen.append(f"<{words[place - 1]}|{words[place]}")
            if place + 1 < len(words):
                seen.append(f">{words[place]}|{words[place + 1]}")
            made.append(seen)
        return made


def tokens_of(texts: Sequence[str]) -> Tokens:
    """The tokens of some documents, with their Penn tags.

    >>> found = tokens_of(["Seen by Dr. Okafor. Stable.", "Call Ann"])
    >>> found.words, found.sequences.tolist(), found.documents.tolist()
    (['Seen', 'by', 'Dr.', 'Okafor', '.', 'Stable', '.', 'Call', 'Ann'], [0, 5, 7, 9], [0, 7, 9])
    """
    words: list[str] = []
    tags: list[str] = []
    starts, ends, bounds, documents = [], [], [0], [0]
    for document in Document.many(texts):
        begun = len(words)
        words += document.words
        tags += [TAGS[number] for number in document.tags.tolist()]
        starts.append(document.token_starts)
        ends.append(document.token_ends)
        for first, last in pairwise([*document.sentence_starts.tolist(), len(document.words)]):
            bounds += [begun + min(at, last) for at in range(first + LONGEST_SEQUENCE, last + LONGEST_SEQUENCE, LONGEST_SEQUENCE)]
        documents.append(len(words))
    return Tokens(words, tags, _joined(starts), _joined(ends), np.asarray(bounds), np.asarray(documents))


def _joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


@lru_cache(maxsize=1 << 16)
def _atoms(word: str, tag: str) -> tuple[str, ...]:
    """What is seen of a word alone; its small letters come first.

    >>> _atoms("Rae", "NNP")
    ('w=rae', 'p1=r', 'p2=ra', 's1=e', 's2=ae', 'x=Xxx', 'y=Xx', 'l=3', 't=NNP', 'capital')
    """
    word = word.encode("utf-8", "replace").decode()  # halves of letters are no text to the library that learns
    lower = word.lower()
    seen = [f"w={lower}"]
    seen += [f"p{size}={lower[:size]}" for size in _AFFIXES if size < len(lower)]
    seen += [f"s{size}={lower[-size:]}" for size in _AFFIXES if size < len(lower)]
    seen += [f"x={_shape(word, 3)}", f"y={_shape(word, 1)}", f"l={len(word) if len(word) < 6 else 6 if len(word) < 10 else 10}"]
    seen.append(f"t={tag}")
    if word[0].isupper():
        seen.append("capital")
        if len(word) > 1 and word.isupper():
            seen.append("capitals")
    if any(letter.isdigit() for letter in word):
        seen.append("digit")
    if not any(letter.isalnum() for letter in word):
        seen.append("mark")
    return tuple(seen)


def _shape(word: str, longest_run: int) -> str:
    """The kinds of the letters, in runs that are cut short.

    >>> _shape("Okafor-42", 3), _shape("Okafor-42", 1)
    ('Xxxx-dd', 'Xx-d')
    """
    made, before, run = [], "", 0
    for letter in word:
        kind = "X" if letter.isupper() else "d" if letter.isdigit() else "x" if letter.isalpha() else letter
        run = run + 1 if kind == before else 1
        before = kind
        if run <= longest_run:
            made.append(kind)
    return "".join(made)
