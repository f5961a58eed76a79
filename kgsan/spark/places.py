"""Files that the driver names and an executor must have too: at the same path, or shipped with the job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.errors import KnowledgeError, OntologyError, Place, Problem
from kgsan.knowledge.load import ENGLISH, TAXONOMY
from kgsan.ontology.load import LEXICON, shipped

if TYPE_CHECKING:
    from collections.abc import Iterable

_HINT = "Put it at this path on every machine, or ship it with SparkContext.addFile."


def ontology_names(sources: Iterable[str | Path]) -> tuple[str, ...]:
    """Ontologies as every machine understands them: shipped names and lexicons as they are, paths from the root."""
    known = shipped()
    return tuple(
        source if isinstance(source, str) and (source in known or source.startswith(LEXICON)) else str(Path(source).absolute())
        for source in sources
    )


def knowledge_names(sources: Iterable[str | Path]) -> tuple[str, ...]:
    """The same for knowledge."""
    return tuple(str(source) if source in (ENGLISH, TAXONOMY) else str(Path(source).absolute()) for source in sources)


def ontology_here(name: str) -> str:
    """The ontology on this executor."""
    found = _here(name)
    if found is None:
        raise OntologyError(Problem("O101", Place(name), "The executor has no such file or folder.", _HINT))
    return found


def knowledge_here(name: str) -> str:
    """The knowledge, or the file of texts, on this executor."""
    found = _here(name)
    if found is None:
        raise KnowledgeError(Problem("K101", Place(name), "The executor has no such file.", _HINT))
    return found


def _here(name: str) -> str | None:
    if not Path(name).is_absolute() or Path(name).exists():
        return name
    from pyspark import SparkFiles

    shipped_with_job = Path(SparkFiles.get(Path(name).name))
    return str(shipped_with_job) if shipped_with_job.exists() else None
