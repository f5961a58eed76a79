"""The picture that `kgsan ontology draw` makes, in a file or on standard output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from kgsan.cli.output import DONE, WRONG_FILE
from kgsan.report.drawing.neighborhood import neighborhood
from kgsan.report.drawing.picture import picture
from kgsan.report.output import Drafts, FileError, write_out
from kgsan.report.sentences import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kgsan.ontology.ontology import Concept, Ontology


def draw(meanings: Sequence[tuple[Ontology, Concept]], output: Path | None) -> int:
    """Draw the first meaning of a name, and tell how to draw the others."""
    ontology, concept = meanings[0]
    if len(meanings) > 1:
        others = "; ".join(f"{other.name} ({other.id})" for _, other in meanings[1:])
        told = f"Drawn is {concept.name} ({concept.id}). The name means also, to be drawn by id: {others}."
        print(printable(told), file=sys.stderr)
    content = picture(neighborhood(ontology, concept))
    try:
        if output is None:
            write_out(content)
            return DONE
        with Drafts() as drafts:
            drafts.begin(output).write(content)
    except FileError as error:
        print(error, file=sys.stderr)
        return WRONG_FILE
    return DONE
