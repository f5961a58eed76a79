"""How well the models read: tags, phrases and names against what people marked, and tokens per second."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgsan.text import model, phrases, proper, tagger
from training import gold, models
from training.treebank import flat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kgsan.text.model import Lexicon, Network
    from training.treebank import Sentence


@dataclass(frozen=True, slots=True)
class Score:
    """How many spans there are, were found, and were found right."""

    gold: int
    found: int
    right: int

    def __str__(self) -> str:
        precision, recall = self.right / max(self.found, 1), self.right / max(self.gold, 1)
        both = 2 * self.right / max(self.gold + self.found, 1)
        return f"F1 {both:.3f} (precision {precision:.3f}, recall {recall:.3f}, {self.gold} spans)"


def tag_accuracy(sentences: Sequence[Sentence]) -> float:
    """The share of tokens whose tag is right."""
    return float((tagger.tag(*flat(sentences)) == models.tag_numbers(sentences)).mean())


def phrase_scores(sentences: Sequence[Sentence]) -> tuple[Score, Score]:
    """Noun phrases found on predicted tags: whole, and without stop words."""
    words, starts = flat(sentences)
    tags = tagger.tag(words, starts)
    found = {(start, end) for start, end in phrases.noun_phrases(words, tags, starts).tolist()}
    right = {
        (start + offset, end + offset)
        for sentence, offset in zip(sentences, starts.tolist(), strict=True)
        for start, end in gold.phrases(sentence)
    }
    true_tags = models.tag_numbers(sentences).astype(np.uint8)
    bare_found = {_bare(true_tags, *span) for span in found}
    bare_right = {_bare(true_tags, *span) for span in right}
    return Score(len(right), len(found), len(right & found)), Score(
        len(bare_right), len(bare_found), len(bare_right & bare_found)
    )


_DETERMINERS = frozenset(tagger.TAGS.index(name) for name in ("DT", "PDT", "WDT", "PRP$", "WP$"))


def _bare(tags: NDArray[np.uint8], start: int, end: int) -> tuple[int, int]:
    """A span without leading determiners and possessive pronouns, told by the same tags on both sides."""
    while start < end - 1 and int(tags[start]) in _DETERMINERS:
        start += 1
    return start, end


def name_scores(
    sentences: Sequence[Sentence], tags: NDArray[np.uint8], lexicon: Callable[[Network], Lexicon], plain: Lexicon, count: int = 10
) -> dict[str, Score]:
    """Names by cross-validation, folds of whole documents: each document is read by a model that never saw it.

    What the corpus says of words, which `lexicon` makes of a model of names, comes from a model trained on the other half
    of the folds, so that no document has a part in how it is read.
    """
    fold = models.folds(sentences, count)
    by_token = np.repeat(fold, [len(sentence.words) for sentence in sentences])

    def trained(chosen: NDArray[np.bool_], words: Lexicon) -> Network:
        return models.learn_names(
            [sentences[number] for number in np.flatnonzero(chosen[fold]).tolist()], tags[chosen[by_token]], words
        )

    numbers = np.arange(count)
    halves = [lexicon(trained(numbers % 2 != half, plain)) for half in range(2)]
    totals = {kind: [0, 0, 0] for kind in proper.KINDS}
    for number in range(count):
        words = halves[number % 2]
        network = trained(numbers != number, words)
        held = [sentence for sentence, mine in zip(sentences, fold, strict=True) if mine == number]
        _count(held, tags[by_token == number], network, words, totals)
    return {kind: Score(*total) for kind, total in totals.items()}


def _count(
    held: Sequence[Sentence], tags: NDArray[np.uint8], network: Network, lexicon: Lexicon, totals: dict[str, list[int]]
) -> None:
    offset = 0
    for document in _documents(held):
        words, starts = flat(document)
        found = set(proper.found(words, tags[offset : offset + len(words)], starts, network, lexicon))
        offset += len(words)
        right = {
            (first + start, first + end, kind)
            for sentence, first in zip(document, starts.tolist(), strict=True)
            for start, end, kind in gold.names(sentence)
        }
        for kind, total in totals.items():
            ours, theirs = {name for name in found if name[2] == kind}, {name for name in right if name[2] == kind}
            for place, amount in enumerate((len(theirs), len(ours), len(ours & theirs))):
                total[place] += amount


def _documents(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    made: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        made.setdefault(sentence.document, []).append(sentence)
    return list(made.values())


def speeds(sentences: Sequence[Sentence]) -> dict[str, float]:
    """Tokens a second on one long document, every form new, and milliseconds for its first hundred tokens; the best of five."""
    words, starts = flat(sentences)
    tags = tagger.tag(words, starts)
    note, begins = words[:100], starts[starts < 100]

    def all_three() -> None:
        short = tagger.tag(note, begins)
        phrases.noun_phrases(note, short, begins)
        proper.proper_names(note, short, begins)

    return {
        f"tags, {len(words):,} tokens": len(words) / _seconds(lambda: tagger.tag(words, starts)),
        "phrases": len(words) / _seconds(lambda: phrases.noun_phrases(words, tags, starts)),
        "names": len(words) / _seconds(lambda: proper.proper_names(words, tags, starts)),
        "note (ms)": 1000 * _seconds(all_three),
    }


def _seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(5):
        model.described.cache_clear()
        begin = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begin)
    return best
