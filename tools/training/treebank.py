"""The annotated texts the models learn from: sentences with tags, trees and entities, as their files give them."""

from __future__ import annotations

import lzma
import re
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence; what a file does not say is empty. Heads count from 0, the root's is -1."""

    document: str
    words: list[str]
    tags: list[str]
    parts: list[str]  # universal parts of speech
    heads: list[int]
    relations: list[str]
    entities: list[str]  # GUM's bracketing, as written
    labels: list[str]  # Wikigold's


def conllu(path: Path) -> Iterator[Sentence]:
    """The sentences of a treebank in CoNLL-U."""
    document = ""
    rows: list[list[str]] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc id = "):
                document = line.removeprefix("# newdoc id = ").strip()
            elif line[:1].isdigit():
                fields = line.rstrip("\n").split("\t")
                if fields[0].isdecimal():
                    rows.append(fields)
            elif not line.strip() and rows:
                yield _sentence(document, rows)
                rows = []
    if rows:
        yield _sentence(document, rows)


def _sentence(document: str, rows: list[list[str]]) -> Sentence:
    entities = [next((part[7:] for part in row[9].split("|") if part.startswith("Entity=")), "") for row in rows]
    return Sentence(
        document,
        [row[1] for row in rows],
        [row[4] for row in rows],
        [row[3] for row in rows],
        [int(row[6]) - 1 for row in rows],
        [row[7] for row in rows],
        entities,
        [],
    )


_HYPHEN = re.compile(r"(?<=\w)(-)(?=\w)")


def wikigold(path: Path) -> Iterator[Sentence]:
    """The sentences of Wikigold, with hyphens inside words split off as in the treebanks."""
    document = 0
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for part in lines.read().strip().split("\n\n"):
            if part.startswith("-DOCSTART-"):
                document += 1
                continue
            pairs = [line.rsplit(" ", 1) for line in part.split("\n") if " " in line]
            pieces = [(piece, label) for word, label in pairs for piece in _HYPHEN.split(word)]
            if pieces:
                words, labels = [word for word, _ in pieces], [label for _, label in pieces]
                yield Sentence(f"wikigold-{document:03}", words, [], [], [], [], [], labels)


def masc(path: Path) -> Iterator[Sentence]:
    """The sentences of MASC: word_TAG pairs, one sentence a line."""
    with zipfile.ZipFile(path) as folder:
        for name in sorted(folder.namelist()):
            if not name.endswith(".txt"):
                continue
            for line in folder.read(name).decode("utf-8", "replace").splitlines():
                pairs = [part.rsplit("_", 1) for part in re.split(r"\s+", line.strip()) if "_" in part]
                if pairs:
                    yield Sentence(name, [word for word, _ in pairs], [tag for _, tag in pairs], [], [], [], [], [])


def flat(sentences: Iterable[Sentence]) -> tuple[list[str], NDArray[np.int64]]:
    """The words of all sentences in one list, and where each sentence starts."""
    words: list[str] = []
    starts = []
    for sentence in sentences:
        starts.append(len(words))
        words.extend(sentence.words)
    return words, np.array(starts, dtype=np.int64)
