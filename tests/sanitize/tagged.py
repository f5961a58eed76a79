"""Texts whose words, tags, phrases and sentences are given, so that a rule is tested and not the tagger.

    He/PRP has/VBZ { severe/JJ hepatitis/NN } ~./. ¶ She/PRP left/VBD

A word stands with its Penn tag; ~ ties it to the word before; { } enclose a noun phrase; ¶ begins a sentence; ↵ breaks the line,
→ is a tab and _ one more blank before the next word.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np

from kgsan.sanitize.repeats import Change, Surroundings
from kgsan.text.document import NounPhrase
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.text.document import Document


def document(source: str) -> Document:
    """The text that the source tells, with everything that would be read from it."""
    text, gap = "", ""
    words: list[str] = []
    tags: list[int] = []
    starts: list[int] = []
    sentences = [0]
    phrases: list[NounPhrase] = []
    opened = 0
    for item in source.split():
        if item == "{":
            opened = len(words)
        elif item == "}":
            phrases.append(NounPhrase(starts[opened], len(text), opened, len(words)))
        elif item == "¶":
            sentences.append(len(words))
        elif item in "↵→_":
            gap = (gap if item == "_" else "") + {"↵": "\n", "→": "\t", "_": " "}[item]
        else:
            word, tag = item.removeprefix("~").rsplit("/", 1)
            text += "" if item.startswith("~") else gap
            starts.append(len(text))
            words.append(word)
            tags.append(TAGS.index(tag))
            text, gap = text + word, " "
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    made = SimpleNamespace(
        text=text,
        words=words,
        tags=np.asarray(tags, dtype=np.int64),
        token_starts=np.asarray(starts, dtype=np.int64),
        token_ends=np.asarray(ends, dtype=np.int64),
        sentence_starts=np.asarray(sentences if words else [], dtype=np.int64),
        noun_phrases=phrases,
    )
    return cast("Document", made)


def around(source: str, *changed: str, name: str | None = "infection") -> Surroundings:
    """The text with these parts of it changed, each looked for behind the one before."""
    read = document(source)
    changes: list[Change] = []
    for part in changed:
        start = read.text.index(part, changes[-1].end if changes else 0)
        changes.append(Change(start, start + len(part), name))
    return Surroundings(read, changes)


def words(made: Surroundings, numbers: Sequence[int | None]) -> list[str | None]:
    """The words at some numbers."""
    return [None if number is None else made.words[number] for number in numbers]
