"""The knowledge that ships, counted in encyclopedic and medical text: `python tools/build_knowledge.py CORPUS_FOLDER OUT.kgk`.

The folder holds `encyclopedia-*.jsonl.xz` and `health-qa.jsonl.xz`, one `{"title", "paragraphs"}` a line. No text leaves this
program, only which names and frequent phrases stand in the same window; the windows are renumbered at random. The same
folder gives the same bytes.
"""

from __future__ import annotations

import json
import lzma
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.cli.output import progress
from kgsan.knowledge.build import Builder
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.texts import windows
from kgsan.ontology.load import load_ontology
from kgsan.sources.files import digest, open_source
from kgsan.text.mentions import Finder
from kgsan.text.sentences import paragraph_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Words in a window; names and phrases in fewer windows are left out; and what ships is no larger than this.
_WORDS, _NAMES, _PHRASES = 120, 2, 8
_LARGEST = 40_000_000
#: Says that a paragraph is a list which was taken over from an ontology: what stands together there nobody wrote so.
_LISTED = "Human Phenotype Ontology"
#: Of a medical topic so many windows are counted at most, and none of a topic that the encyclopedia names in fewer: answers
#: about thousands of rare, mostly inherited diseases would make every symptom a sign of one.
_OF_A_TOPIC, _KNOWN = 8, 3
_ABOUT = {
    "name": "english",
    "window": f"{_WORDS} words",
    "newest": "2023",
    "licence": "CC BY-SA 4.0",
    "attribution": "Counted in articles of the English Wikipedia by its authors (articles of 2016-2023, CC BY-SA) and in "
    "MedQuAD, medical questions and answers from websites of the National Institutes of Health (CC BY 4.0).",
}


def main(arguments: list[str]) -> None:
    """Build the file, and refuse one that is too large to ship."""
    if len(arguments) != 2:
        sys.exit("Usage: python tools/build_knowledge.py CORPUS_FOLDER OUT.kgk")
    folder, out = map(Path, arguments)
    paths = [*sorted(folder.glob("encyclopedia-*.jsonl.xz")), *folder.glob("health-qa.jsonl.xz")]
    if len(paths) < 2:
        sys.exit(f"{folder}: There is no encyclopedia-*.jsonl.xz, or no health-qa.jsonl.xz.")
    stack = load_ontology()
    finder = Finder(stack)
    with progress("Counting", [str(path) for path in [*paths, *paths[:-1]]]) as watch:
        general = Builder(finder, watch)
        general.add(prose(paths[:-1]))
        known = CorpusKnowledge(general.finish(_ABOUT, least=_NAMES, phrases=_PHRASES), stack)
        builder = Builder(finder, watch)
        builder.add(prose(paths[:-1]))
        builder.add(answers(paths[-1], known))
        sources = [{"name": path.name, "sha256": digest(open_source(path))} for path in paths]
        file = builder.finish({**_ABOUT, "sources": sources}, least=_NAMES, phrases=_PHRASES, shuffle=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as beside:
        draft = Path(beside) / out.name
        file.save(draft)
        size = draft.stat().st_size
        if size > _LARGEST:
            sys.exit(f"{out}: The result has {size:,} bytes, more than the {_LARGEST:,} that may ship; nothing was written.")
        draft.replace(out)
    print(f"{out}: {file.about['contexts']:,} contexts, {file.about['names']:,} names, {size:,} bytes")


def prose(paths: Iterable[Path]) -> Iterator[str]:
    """The windows of all paragraphs of articles."""
    for path in paths:
        for _, paragraphs in articles(path):
            yield from cut(paragraphs)


def answers(path: Path, known: CorpusKnowledge) -> Iterator[str]:
    """The windows of medical answers, of topics that readers may have heard of, without lists."""
    for title, paragraphs in articles(path):
        if (known.count(title) or 0) >= _KNOWN:
            yield from islice(cut(paragraph for paragraph in paragraphs if _LISTED not in paragraph), _OF_A_TOPIC)


def articles(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The title and the paragraphs of every article in a file."""
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            article = json.loads(line)
            yield article["title"], article["paragraphs"]


def cut(paragraphs: Iterable[str]) -> Iterator[str]:
    """Paragraphs in windows of so many words."""
    for paragraph in paragraphs:
        for start, end in paragraph_spans(paragraph):
            yield from windows(paragraph[start:end], _WORDS)


if __name__ == "__main__":
    main(sys.argv[1:])
