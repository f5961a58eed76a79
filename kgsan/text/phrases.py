"""Noun phrases: where they are, what is left without stop words, and how they get shorter."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from kgsan.text import model
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

#: How many tags to either side of a token are looked at.
TAG_REACH = 3
#: A sentence longer than this is cut before the best path is sought, so that no input makes the search slow.
_PIECE = 128

_STOP_TAGS = "DT PDT WDT PRP PRP$ WP WP$ IN TO RB RBR RBS WRB EX CC MD POS HYPH , . : `` '' -LRB- -RRB- NFP LS"
_CONTENT_TAGS = "NN NNS NNP NNPS JJ JJR JJS VBG VBN VBD CD FW AFX ADD GW SYM"
_STOP = np.array([name in _STOP_TAGS.split() for name in TAGS])
_CONTENT = np.array([name in _CONTENT_TAGS.split() for name in TAGS])
_HYPHENS = frozenset("-‐‑")
_POSSESSIVES = frozenset({"'s", "’s", "'", "’"})

#: A modifier after which the head is not, or not surely, what it says: a former smoker is no smoker.
_REVERSING_WORDS = """
    former formerly ex past previous erstwhile onetime late retired lapsed no not never neither nor without non anti un pseudo
    quasi counter negative absent denied excluded suspected suspicious possible probable potential presumed presumptive putative
    alleged supposed purported reputed claimed apparent ostensible questionable doubtful uncertain unlikely unconfirmed unproven
    disputed hypothetical theoretical imaginary imagined imminent impending prospective future aspiring intended planned attempted
    averted prevented fake false counterfeit imitation mock sham bogus dummy fictional fictitious mythical nonexistent virtual
    artificial synthetic simulated so-called would-be self-styled
"""
REVERSING = frozenset(_REVERSING_WORDS.split())
_REVERSING_STARTS = ("non-", "anti-", "ex-", "pseudo", "quasi-", "un-")


def noun_phrases(
    words: Sequence[str], tags: NDArray[np.uint8], sentences: NDArray[np.int64], stretches: Iterable[model.Stretch] = ()
) -> NDArray[np.int64]:
    """The noun phrases, determiners included: first token and token after the last of each, shape (n, 2).

    `stretches` are the windows of the words, where these are at hand.

    >>> from kgsan.text.tagger import tag
    >>> words, start = "The old man lives near a lake .".split(), np.array([0])
    >>> noun_phrases(words, tag(words, start), start).tolist()
    [[0, 3], [5, 7]]
    """
    found = [np.zeros((0, 2), dtype=np.int64)]
    for first, last, window in stretches or model.windows(words, sentences, model.lexicon()):
        scores = model.scores(
            model.network("phrases"), model.lexicon(), window, tags_around(tags, sentences, first, last, TAG_REACH)
        )
        starts, ends, _ = spans(best_path(scores, inside(sentences, first, last)))
        found.append(np.stack([starts, ends], axis=1) + first)
    return np.concatenate(found)


def tags_around(
    tags: NDArray[np.uint8], sentences: NDArray[np.int64], first: int, last: int, reach: int
) -> list[NDArray[np.int64]]:
    """The tags around each token as extra features: one number per position and tag, another beyond the sentence."""
    low, high = max(first - reach, 0), min(last + reach, len(tags))
    starts = np.zeros(high - low, dtype=np.int64)
    starts[_between(sentences, low, high) - low] = 1
    around = model.neighbours(tags[low:high].astype(np.int64) + 1, np.cumsum(starts), first - low, last - low, reach)
    return [values + position * (len(TAGS) + 1) for position, values in enumerate(around.values())]


def inside(sentences: NDArray[np.int64], first: int, last: int) -> NDArray[np.int64]:
    """Where sentences start in a stretch of the text; the stretch itself starts one."""
    starts = _between(sentences, first, last) - first
    return starts if len(starts) and starts[0] == 0 else np.append(0, starts)


def _between(sentences: NDArray[np.int64], first: int, last: int) -> NDArray[np.int64]:
    low, high = np.searchsorted(sentences, (first, last))
    return sentences[low:high]


@cache
def _order(kinds: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Which label may follow which, begin and end a sentence.

    Label 0 is outside; each kind of span has four more: its first, an inner, its last and its only token.
    """
    size = 1 + 4 * kinds
    first = np.array([label == 0 or label % 4 in {1, 0} for label in range(size)])
    last = np.array([label == 0 or label % 4 in {3, 0} for label in range(size)])
    follows = last[:, None] & first
    for begin in range(1, size, 4):
        follows[begin : begin + 2, begin + 1 : begin + 3] = True
    return follows, first, last


def spans(path: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The spans that labels make: first tokens, tokens after the last, kinds (from 0)."""
    opens = np.flatnonzero((path > 0) & ((path % 4 == 1) | (path % 4 == 0)))
    closes = np.flatnonzero((path > 0) & ((path % 4 == 3) | (path % 4 == 0)))
    return opens, closes + 1, (path[opens].astype(np.int64) - 1) // 4


def best_path(scores: NDArray[np.float32], sentences: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The labels with the highest sum of scores among those that make whole spans (Viterbi 1967)."""
    tokens, labels = scores.shape
    path: NDArray[np.uint8] = scores.argmax(axis=1).astype(np.uint8)
    if not tokens:
        return path
    follows, first, last = _order(labels // 4)
    starts = _pieces(sentences, tokens)
    behind = np.append(starts[1:], tokens)
    # Where the labels that score best make whole spans by themselves, no path is better.
    wrong = np.append(False, ~follows[path[:-1], path[1:]])
    wrong[starts] = ~first[path[starts]]
    wrong[behind - 1] |= ~last[path[behind - 1]]
    broken = np.logical_or.reduceat(wrong, starts)
    starts, lengths = starts[broken], (behind - starts)[broken]
    if not len(starts):
        return path
    order = np.argsort(-lengths, kind="stable")
    starts, lengths = starts[order], lengths[order]
    never = -1e15
    barred = np.where(follows, 0, never)
    back = np.zeros((tokens, labels), dtype=np.uint8)
    steps = int(lengths[0])
    alive = np.searchsorted(-lengths, -np.arange(steps), side="left").tolist()
    sums = np.where(first, scores[starts], never)
    closing = np.where(last, 0, never)
    ends = np.zeros(len(starts), dtype=np.uint8)
    for step in range(1, steps + 1):
        count = alive[step] if step < steps else 0
        if count < len(sums):
            ends[count : len(sums)] = (sums[count:] + closing).argmax(axis=1)
        if not count:
            break
        arrived = sums[:count, :, None] + barred
        at = starts[:count] + step
        back[at] = arrived.argmax(axis=1)
        sums = arrived.max(axis=1) + scores[at]
    here = ends
    for step in range(steps - 1, -1, -1):
        count = alive[step]
        at = starts[:count] + step
        path[at] = here[:count]
        here[:count] = back[at, here[:count]]
    return path


def _pieces(sentences: NDArray[np.int64], tokens: int) -> NDArray[np.int64]:
    """Where sentences start, and the pieces that long ones are cut into."""
    lengths = np.diff(np.append(sentences, tokens))
    if lengths.max() <= _PIECE:
        return sentences
    counts = -(-lengths // _PIECE)
    before = np.repeat(np.cumsum(counts) - counts, counts)
    starts: NDArray[np.int64] = np.repeat(sentences, counts) + (np.arange(len(before)) - before) * _PIECE
    return starts


def contents(tags: NDArray[np.uint8], spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """`content` for many phrases at once, without those of which nothing is left."""
    places = np.flatnonzero(~_STOP[tags])
    firsts, lasts = np.searchsorted(places, spans.T)
    left = firsts < lasts
    return np.stack([places[firsts[left]], places[lasts[left] - 1] + 1], axis=1)


def content(words: Sequence[str], tags: NDArray[np.uint8], start: int, end: int) -> tuple[int, int]:
    """The phrase without stop words at its edges: determiners, pronouns, prepositions, adverbs. May be empty."""
    while start < end and _STOP[tags[start]]:
        start += 1
    while start < end and _STOP[tags[end - 1]]:
        end -= 1
    return start, end


def shortened(words: Sequence[str], tags: NDArray[np.uint8], start: int, end: int) -> list[tuple[int, int]]:
    """The shorter forms of a phrase, from the left, one noun or adjective at a time, the longest first.

    "curable breast cancer" becomes "breast cancer", then "cancer". What hyphens join goes together. Never past a modifier
    that reverses or suspends the head: "long-time former smoker" becomes "former smoker" and no more.
    """
    low, high = content(words, tags, start, end)
    if any(reverses(word) for word in words[start:low]):
        return []
    forms = []
    while low < high:
        unit = low
        low = _after_unit(words, low, high)
        if low >= high or any(reverses(word) for word in words[unit:low]):
            break
        if _CONTENT[tags[low]]:
            forms.append((low, high))
    return forms


def reverses(word: str) -> bool:
    """Whether a modifier makes the head untrue or uncertain."""
    lower = word.lower()
    return lower in REVERSING or lower.startswith(_REVERSING_STARTS)


def _after_unit(words: Sequence[str], start: int, end: int) -> int:
    """The token after a word with what hyphens tie to it, and its possessive mark."""
    at = start + 1
    while at < end and words[at] in _HYPHENS:
        at += 2
    while at < end and words[at] in _POSSESSIVES:
        at += 1
    return at
