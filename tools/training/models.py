"""The three models: what each learns from, and how its labels are written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.text import model
from kgsan.text.phrases import TAG_REACH as PHRASE_REACH
from kgsan.text.phrases import tags_around
from kgsan.text.proper import KINDS
from kgsan.text.proper import TAG_REACH as NAME_REACH
from kgsan.text.tagger import TAGS
from training import gold
from training.network import Settings, examples, inventory, rounded, train
from training.treebank import Sentence, flat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kgsan.text.model import Lexicon, Network

TAGGER = Settings(hidden=128, least=10, least_around=50, epochs=12, batch=256, forget_hidden=0.3)
PHRASES = Settings(hidden=96, least=10, least_around=25, epochs=10, batch=256, forget_hidden=0.3)
NAMES = Settings(hidden=96, least=10, least_around=25, epochs=10, batch=256, forget_hidden=0.3)
#: A token of a name counts so much more than one outside: a name overlooked is a leak.
NAME_WEIGHT = 1.5
FOLDS = 5


def whole(sentences: Sequence[Sentence], lexicon: Lexicon) -> tuple[model.Window, NDArray[np.int64]]:
    """All sentences as one stretch of text, and where each starts."""
    words, starts = flat(sentences)
    numbers: dict[str, int] = {"": 0}
    text = np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)
    marks = np.zeros(len(words), dtype=np.int64)
    marks[starts] = 1
    around = model.neighbours(text, np.cumsum(marks), 0, len(words))
    return model.Window(model.forms(list(numbers), lexicon), around), starts


def recased(sentences: Sequence[Sentence], every: int = 12) -> tuple[list[Sentence], NDArray[np.int64]]:
    """The sentences, then a few in capitals and a few in small letters, so that such texts are read too.

    With them, for every token, the number of the token it was made of.
    """
    lengths = [len(sentence.words) for sentence in sentences]
    tokens = np.split(np.arange(sum(lengths)), np.cumsum(lengths)[:-1])
    made, origins = list(sentences), list(tokens)
    for turn, case in ((0, str.upper), (every // 2, str.lower)):
        for number in range(turn, len(sentences), every):
            made.append(replace(sentences[number], words=[case(word) for word in sentences[number].words]))
            origins.append(tokens[number])
    return made, np.concatenate(origins)


def tag_numbers(sentences: Iterable[Sentence]) -> NDArray[np.int64]:
    """The gold tags as numbers; a tag we do not know is -1."""
    numbers = {name: number for number, name in enumerate(TAGS)}
    return np.array([numbers.get(tag, -1) for sentence in sentences for tag in sentence.tags], dtype=np.int64)


def span_labels(sentences: Iterable[Sentence], read: Callable[[Sentence], Iterable[tuple[int, int, int]]]) -> NDArray[np.int64]:
    """One label per token, as `kgsan.text.phrases.best_path` writes them."""
    made = []
    for sentence in sentences:
        labels = np.zeros(len(sentence.words), dtype=np.int64)
        for start, end, kind in read(sentence):
            labels[start:end] = 4 * kind + 2
            labels[start] = 4 * kind + 1
            labels[end - 1] = 4 * kind + (3 if end - start > 1 else 4)
        made.append(labels)
    return np.concatenate(made)


def phrase_spans(sentence: Sentence) -> list[tuple[int, int, int]]:
    return [(start, end, 0) for start, end in gold.phrases(sentence)]


def name_spans(sentence: Sentence) -> list[tuple[int, int, int]]:
    return [(start, end, KINDS.index(kind)) for start, end, kind in gold.names(sentence)]


def learn_tags(sentences: Sequence[Sentence], lexicon: Lexicon, settings: Settings = TAGGER) -> Network:
    """A tagger."""
    everything, origins = recased(sentences)
    window, _ = whole(everything, lexicon)
    known = inventory(window, settings)
    return rounded(train(examples(window, known), tag_numbers(sentences)[origins], lexicon, len(TAGS), 0, settings), known)


def learn_spans(
    sentences: Sequence[Sentence],
    tags: NDArray[np.uint8],
    read: Callable[[Sentence], Iterable[tuple[int, int, int]]],
    kinds: int,
    lexicon: Lexicon,
    reach: int,
    settings: Settings,
    weight: float = 1,
) -> Network:
    """A finder of spans, taught with the tags a tagger would give and not the right ones."""
    everything, origins = recased(sentences)
    window, starts = whole(everything, lexicon)
    known = inventory(window, settings)
    data = examples(window, known, tags_around(tags[origins], starts, 0, len(origins), reach))
    labels = span_labels(sentences, read)[origins]
    weights = np.where(labels > 0, weight, 1).astype(np.float32)
    size = (2 * reach + 1) * (len(TAGS) + 1)
    return rounded(train(data, labels, lexicon, 1 + 4 * kinds, size, settings, weights), known)


def learn_phrases(sentences: Sequence[Sentence], tags: NDArray[np.uint8], lexicon: Lexicon) -> Network:
    """A finder of noun phrases."""
    return learn_spans(sentences, tags, phrase_spans, 1, lexicon, PHRASE_REACH, PHRASES)


def learn_names(sentences: Sequence[Sentence], tags: NDArray[np.uint8], lexicon: Lexicon) -> Network:
    """A finder of names."""
    return learn_spans(sentences, tags, name_spans, len(KINDS), lexicon, NAME_REACH, NAMES, NAME_WEIGHT)


def tagged(sentences: Sequence[Sentence], network: Network, lexicon: Lexicon) -> NDArray[np.uint8]:
    """The tags a tagger gives."""
    window, _ = whole(sentences, lexicon)
    tags: NDArray[np.uint8] = model.scores(network, lexicon, window).argmax(axis=1).astype(np.uint8)
    return tags


def folds(sentences: Sequence[Sentence], count: int) -> NDArray[np.int64]:
    """The fold of each sentence: whole documents, in turn."""
    documents = {name: number % count for number, name in enumerate(sorted({sentence.document for sentence in sentences}))}
    return np.array([documents[sentence.document] for sentence in sentences], dtype=np.int64)


def jackknifed(
    sentences: Sequence[Sentence], count: int, answer: Callable[[list[Sentence], list[Sentence]], NDArray[np.uint8]]
) -> NDArray[np.uint8]:
    """What a model says of each document that never saw it in training; `answer(training, held)` trains and speaks."""
    fold = folds(sentences, count)
    lengths = np.array([len(sentence.words) for sentence in sentences])
    made = np.zeros(lengths.sum(), dtype=np.uint8)
    by_token = np.repeat(fold, lengths)
    for number in range(count):
        training = [sentence for sentence, mine in zip(sentences, fold, strict=True) if mine != number]
        held = [sentence for sentence, mine in zip(sentences, fold, strict=True) if mine == number]
        made[by_token == number] = answer(training, held)
    return made


def arrays(network: Network) -> dict[str, NDArray[Any]]:
    """The weights as they are shipped: one row each, in as few bits as they need."""
    return {
        "keys": network.keys,
        "places": network.places.ravel(),
        "rows": network.rows.ravel(),
        "company": network.company.ravel().astype(np.int16),
        "extras": network.extras.ravel(),
        "bias": network.bias,
        "output": network.output.ravel().astype(np.int16),
        "output_bias": network.output_bias.astype(np.int32),
    }
