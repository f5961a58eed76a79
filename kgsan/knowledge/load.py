"""Knowledge by name or path: the one that ships, files that `kgsan knowledge build` made, tables of counts."""

from __future__ import annotations

from contextlib import nullcontext
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.errors import KnowledgeError, Place, Problem, system_says
from kgsan.knowledge.combined import CombinedKnowledge
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.opened import open_counts
from kgsan.knowledge.table import CountTable
from kgsan.ontology.arrays import MAGIC, ArrayFile
from kgsan.ontology.load import load_ontology

if TYPE_CHECKING:
    from kgsan.knowledge.knowledge import Knowledge
    from kgsan.ontology.stack import OntologyStack

#: What ships, and what stands for the ontologies themselves.
ENGLISH, TAXONOMY = "english", "taxonomy"


def load_knowledge(*sources: str | Path, ontology: OntologyStack | None = None) -> CombinedKnowledge:
    """Knowledge for the concepts of some ontologies; by default what ships, for the ontologies that ship.

    A source is "english" (what ships), "taxonomy" (no texts: the ontologies alone), a file that `kgsan knowledge build`
    made, or a table of counts. Several are combined: the largest well-supported share decides.
    """
    stack = load_ontology() if ontology is None else ontology
    wanted = [source for source in sources or (ENGLISH,) if source != TAXONOMY]
    return CombinedKnowledge(stack, [_open(source, stack) for source in wanted])


def open_file(source: str | Path) -> ArrayFile:
    """The arrays of a knowledge file: what ships, or one that `kgsan knowledge build` made."""
    with as_file(files("kgsan.knowledge") / "english.kgk") if source == ENGLISH else nullcontext(Path(source)) as path:
        if not path.is_file():
            raise KnowledgeError(Problem("K101", Place(path.name), "There is no such file."))
        return open_counts(path)


def _open(source: str | Path, stack: OntologyStack) -> Knowledge:
    if source == ENGLISH:
        return CorpusKnowledge(open_file(source), stack)
    path = Path(source)
    try:
        with path.open("rb") as stream:
            compiled = stream.read(len(MAGIC)) == MAGIC
    except OSError as error:
        hint = f"'{ENGLISH}' and '{TAXONOMY}' need no file." if not path.suffix else None
        raise KnowledgeError(Problem("K101", Place(path.name), f"{system_says(error) or 'It cannot be read'}.", hint)) from None
    return CorpusKnowledge(open_file(path), stack) if compiled else CountTable.read(path)
