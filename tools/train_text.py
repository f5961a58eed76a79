"""Train the models that tag words and find noun phrases and names, write their weights, and print how well they read.

    OPENBLAS_NUM_THREADS=1 python tools/train_text.py --training training/ --corpus corpus/ [--evaluate]

Data:

    gum.conllu.xz        GUM (annotations CC BY 4.0): tags, trees, entities
    ewt-dev.conllu.xz    UD English EWT (CC BY-SA 4.0): tags, trees; ewt-test.conllu.xz only to measure
    wikigold.conll.xz    Wikigold (CC BY 4.0): names
    *.jsonl.xz           running text of an encyclopedia and of answers about health: which words keep the same company

The same data give the same bytes on the same machine. With --evaluate nothing is written; names are measured by training
anew, since each document must be read by a model that has not seen it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from training import measure, mining, models
from training.treebank import conllu, wikigold
from training.vectors import company, quantised, running_text

from kgsan.ontology.arrays import ArrayFile
from kgsan.text import model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kgsan.text.model import Lexicon, Network

DIMENSIONS = 64
ABOUT = {
    "license": "CC BY-SA 4.0",
    "sources": "GUM, UD English EWT (dev), Wikigold; word counts of English Wikipedia articles and of public health answers",
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--training", type=Path, required=True)
    arguments.add_argument("--corpus", type=Path, required=True)
    arguments.add_argument("--evaluate", action="store_true")
    given = arguments.parse_args()
    if given.evaluate:
        read_well(given.training)
    treebank = [*conllu(given.training / "gum.conllu.xz"), *conllu(given.training / "ewt-dev.conllu.xz")]
    names = [*conllu(given.training / "gum.conllu.xz"), *wikigold(given.training / "wikigold.conll.xz")]
    text = running_text(given.corpus)
    plain, arrays = quantised(company(text, DIMENSIONS))
    tags = models.jackknifed(
        treebank, models.FOLDS, lambda training, held: models.tagged(held, models.learn_tags(training, plain), plain)
    )
    tagger = models.learn_tags(treebank, plain)
    # Wikigold comes without tags; the tagger has never seen its sentences.
    labelled = [sentence for sentence in names if sentence.labels]
    ours = sum(len(sentence.words) for sentence in names if not sentence.labels)
    name_tags = np.concatenate([tags[:ours], models.tagged(labelled, tagger, plain)])

    def with_names(network: Network) -> Lexicon:
        return mining.with_names(plain, text, tagger, network)

    if not given.evaluate:
        lexicon = with_names(models.learn_names(names, name_tags, plain))
        save("words", arrays | {"named_keys": lexicon.named_keys, "named": lexicon.named})
        save("tagger", models.arrays(tagger))
        save("phrases", models.arrays(models.learn_phrases(treebank, tags, plain)))
        save("names", models.arrays(models.learn_names(names, name_tags, lexicon)))
        model.lexicon.cache_clear()
        model.network.cache_clear()
        read_well(given.training)
    for kind, score in measure.name_scores(names, name_tags, with_names, plain).items():
        print(f"{kind:12} {score}")


def read_well(training: Path) -> None:
    """Print how well and how fast the shipped weights read a text they have not seen."""
    test = list(conllu(training / "ewt-test.conllu.xz"))
    print(f"tags         accuracy {measure.tag_accuracy(test):.4f} (EWT test)")
    whole, bare = measure.phrase_scores(test)
    print(f"phrases      {whole} (EWT test)")
    print(f"  bare       {bare}")
    long = [*conllu(training / "gum.conllu.xz"), *test]
    for what, speed in measure.speeds(long).items():
        print(f"speed        {what}: {speed:,.1f}", flush=True)


def save(name: str, arrays: dict[str, NDArray[Any]]) -> None:
    """Write one file of weights."""
    ArrayFile(name, model.VERSION, ABOUT, arrays).save(model.WEIGHTS / f"{name}.arrays")


if __name__ == "__main__":
    main()
