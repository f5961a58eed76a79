"""Tagging: tokens a second on one core, against nltk's perceptron tagger."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from benchmarks.contest import OURS, Contest
from benchmarks.mentions import english
from kgsan.text.document import Document
from kgsan.text.phrases import noun_phrases
from kgsan.text.proper import proper_names
from kgsan.text.tagger import TAGS, tag

if TYPE_CHECKING:
    from pathlib import Path

WANTED = 300_000
CHARACTERS = 1_000_000


def run(_folder: Path) -> bool:
    """The contest, and the absolute figure that was asked for."""
    document = Document(english()[:CHARACTERS])
    words, sentences = document.words, document.sentence_starts
    contest = Contest(f"Tagging {len(words):,} tokens")
    tags = tag(words, sentences)
    contest.run(OURS, lambda: len(tag(words, sentences)))
    try:
        _nltk(contest, words, [TAGS[number] for number in tags.tolist()], sentences.tolist())
    except ImportError:
        contest.skip("nltk", "not installed")
    contest.report()
    phrases, names = Contest("phrases"), Contest("names")
    phrases.run(OURS, lambda: len(noun_phrases(words, tags, sentences)))
    names.run(OURS, lambda: len(proper_names(words, tags, sentences)))
    rate = len(words) / contest.seconds[OURS]
    print(
        f"  {rate:,.0f} tokens a second, wanted {WANTED:,}: {'met' if rate >= WANTED else 'MISSED'}; noun phrases "
        f"{len(words) / phrases.seconds[OURS]:,.0f}, names {len(words) / names.seconds[OURS]:,.0f}"
    )
    return rate >= WANTED


def _nltk(contest: Contest, words: list[str], tags: list[str], sentences: list[int]) -> None:
    """nltk's own code; its published weights cannot be had from PyPI, so it learns from our tags: speed is all that is asked."""
    from nltk.tag.perceptron import PerceptronTagger

    spans = list(pairwise([*sentences, len(words)]))
    tagger = PerceptronTagger(load=False)
    tagger.train([list(zip(words[a:b], tags[a:b], strict=True)) for a, b in spans[:1500]], nr_iter=2)
    contest.run("nltk PerceptronTagger", lambda: sum(len(tagger.tag(words[a:b])) for a, b in spans), repeat=1)
