"""What only owlready2 can do: let a reasoner work out a hierarchy, and read OWL/XML."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import pyoxigraph

from kgsan.errors import OntologyError, ontology_error
from kgsan.sources import xml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.sources.files import SourceFile

_IMPORTS = "http://www.w3.org/2002/07/owl#imports"


def _owlready2(file: str, what: str) -> Any:
    try:
        import owlready2
    except ImportError:
        raise ontology_error(
            "O111", file, f"{what} needs the package owlready2.", "Install it with: pip install 'kgsan[reason]'"
        ) from None
    return owlready2


def classify(file: str, files: Iterable[Iterable[pyoxigraph.Quad]]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Subclass and equivalence pairs that HermiT finds among the named classes of all files together."""
    owlready2 = _owlready2(file, "Reasoning")
    if shutil.which("java") is None:
        raise ontology_error(
            "O111", file, "Reasoning needs Java, which was not found.", "Install a Java runtime, or load without reasoning."
        )
    world = owlready2.World()
    with tempfile.NamedTemporaryFile(suffix=".nt") as plain:
        plain.writelines(_lines(files))
        plain.flush()
        ontology = world.get_ontology("http://kgsan.invalid/reasoned#")
        with open(plain.name, "rb") as stream:
            ontology.load(fileobj=stream, only_local=True)
    try:
        with ontology:
            owlready2.sync_reasoner_hermit(world, debug=0)
    except owlready2.OwlReadyInconsistentOntologyError:
        raise ontology_error(
            "O103", file, "The reasoner finds the ontology inconsistent: nothing can be concluded from it."
        ) from None
    except (owlready2.base.OwlReadyJavaError, subprocess.SubprocessError, OSError):
        raise ontology_error("O111", file, "The reasoner could not be run on this ontology.") from None
    below, equivalent = [], []
    for each in world.classes():
        below += [(each.iri, parent.iri) for parent in each.is_a if isinstance(parent, owlready2.ThingClass)]
        equivalent += [(each.iri, other.iri) for other in each.equivalent_to if isinstance(other, owlready2.ThingClass)]
    return sorted(below), sorted(equivalent)


def _lines(files: Iterable[Iterable[pyoxigraph.Quad]]) -> Iterable[bytes]:
    """N-Triples without imports (they are here already) and with the unnamed things of each file kept apart."""
    for number, quads in enumerate(files):
        for quad in quads:
            if quad.predicate.value != _IMPORTS:
                ends = (_apart(quad.subject, number), str(quad.predicate), _apart(quad.object, number))
                yield (" ".join(ends) + " .\n").encode()


def _apart(term: object, number: int) -> str:
    return f"_:f{number}x{term.value}" if isinstance(term, pyoxigraph.BlankNode) else str(term)


def from_owl_xml(file: SourceFile) -> IO[bytes]:
    """An OWL/XML file as N-Triples."""
    owlready2 = _owlready2(file.name, "Reading OWL/XML")
    data = file.read()
    xml.feed(xml.parser(file.name, namespaces=True), io.BytesIO(data), file.name)  # refuses what is unsafe or broken
    world, out = owlready2.World(), io.BytesIO()
    try:
        with _quiet():
            # A file with a name would be read by another process when it is large.
            world.get_ontology("http://kgsan.invalid/read#").load(fileobj=io.BytesIO(_without_imports(data)), only_local=True)
            world.as_rdflib_graph().serialize(out, format="nt", encoding="utf-8")
    except OntologyError:
        raise
    except Exception:  # owlready2 raises whatever its parser stumbles over
        raise ontology_error("O103", file.name, "The OWL/XML cannot be read.", "Save it as RDF/XML or Turtle.") from None
    out.seek(0)
    return out


@contextmanager
def _quiet() -> Iterator[None]:
    """owlready2 prints a traceback before it raises an error."""
    before = sys.excepthook
    sys.excepthook = lambda *_: None
    try:
        yield
    finally:
        sys.excepthook = before


def _without_imports(data: bytes) -> bytes:
    import re

    return re.sub(rb"<(\w+:)?Import>[^<]*</(\w+:)?Import>", b"", data)
