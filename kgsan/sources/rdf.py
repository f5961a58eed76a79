"""OWL, RDFS and SKOS files in any RDF syntax, with the files they import."""

from __future__ import annotations

import io
import logging
import re
import warnings
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import quote, unquote
from xml.parsers.expat import ExpatError

import pyoxigraph

from kgsan.errors import OntologyError, ontology_error
from kgsan.sources import rdfxml, xml
from kgsan.sources.files import SourceFile, SourceTree, decode, digest, open_source
from kgsan.sources.owl import Statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.sources.files import Source
    from kgsan.sources.records import Options, Records

_OWL_XML = "OWL/XML"
_TURTLE = "Turtle or TriG"
#: What N3 has and Turtle has not: rules, and declarations about its formulas.
_ONLY_N3 = re.compile(rb"=>|@(?:forAll|forSome|keywords)\b")
_RDF_XML = "RDF/XML"
_FORMATS = {
    "N-Quads": pyoxigraph.RdfFormat.N_QUADS,
    _TURTLE: pyoxigraph.RdfFormat.TRIG,
    "JSON-LD": pyoxigraph.RdfFormat.JSON_LD,
}
_STATEMENT = re.compile(
    rb"\s*(?:<[^<>\s]*>|_:\S+)\s+<[^<>\s]*>\s+(?:<[^<>\s]*>|_:\S+|\"(?:[^\"\\]|\\.)*\"(?:@[\w-]+|\^\^<[^<>\s]*>)?)\s*"
)
_CATALOG = "catalog-v001.xml"
_MOST_IMPORTS = 1000


def recognises(source: Source) -> bool:
    """Whether a file is RDF in a syntax kgsan reads."""
    return isinstance(source, SourceFile) and syntax(source.head()) is not None


def syntax(head: bytes) -> str | None:
    """The RDF syntax that the first bytes of a file show, or None."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head[: len(head) // 2 * 2].decode("utf-16", "replace").replace('encoding="UTF-16"', "").encode("utf-8", "replace")
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"<") and not _STATEMENT.match(_first_line(text)):
        root = root_element(head)
        if root == rdfxml.RDF + "RDF":
            return _RDF_XML
        if root == "http://www.w3.org/2002/07/owl#Ontology":
            return _OWL_XML
        return None
    if text[:1] in (b"{", b"["):
        if re.search(rb'"@(?:context|id|graph|type)"', text):
            return "JSON-LD"
        return None
    line = _first_line(text)
    if match := _STATEMENT.match(line):
        return _TURTLE if line[match.end() :].strip().startswith((b".", b";", b",")) else "N-Quads"
    return _TURTLE if _declares(head) else None


def root_element(head: bytes) -> str | None:
    """The name of the first XML element, with its namespace before it."""
    found: list[str] = []
    parser = xml.parser("", namespaces=True)

    def start(element: str, attributes: list[str]) -> None:
        found.append(element)
        parser.StartElementHandler = None

    parser.StartElementHandler = start
    try:
        parser.Parse(head, False)
    except (ExpatError, OntologyError, LookupError, ValueError):  # an encoding may be none, or none for text
        if not found and (match := re.search(rb"<(?:\w+:)?RDF\b", head)):
            # Too broken for XML, still meant as RDF/XML: let the reader say what is wrong, and where.
            return rdfxml.RDF + "RDF" if b"dmoz.org" not in head[match.start() : match.start() + 500] else None
    return found[0] if found else None


def _first_line(text: bytes) -> bytes:
    return next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(b"#")), b"")


def _declares(head: bytes) -> bool:
    return bool(re.search(rb"^[ \t]*+(?:@prefix|@base|PREFIX|BASE)\s++[\w.-]*+:?\s*+<", head, re.MULTILINE | re.IGNORECASE))


def read(source: Source, options: Options) -> Records:
    """The concepts of an ontology and of everything it imports from its own folder."""
    assert isinstance(source, SourceFile)
    statements = Statements()
    problems: list[tuple[str, str]] = []
    name = syntax(source.head())
    assert name is not None
    files = [source, *_imported(source, statements, problems)]
    if options.reason:
        from kgsan.sources import reasoner

        statements.inferred(*reasoner.classify(source.name, (quads(file) for file in files)))
    records = statements.records(f"RDF ({name})", source.name, options)
    folder = source.path.parent.resolve()
    records.imported = [(file.path.resolve().relative_to(folder).as_posix(), digest(file)) for file in files[1:]]
    for iri, why in problems:
        records.notice(
            "O201", source.name, f"The import <{iri}> {why}.", f"Put the file beside this one or name it in {_CATALOG}."
        )
    return records


def _imported(source: SourceFile, statements: Statements, problems: list[tuple[str, str]]) -> Iterator[SourceFile]:
    """Read a file and then what it imports, each once."""
    _load(source, statements)
    folder = source.path.parent if source.member is None else None
    catalog = _catalog(folder) if folder else {}
    done = {source.path.resolve()}
    asked = 0
    while asked < len(statements.imports):
        iri = statements.imports[asked]
        asked += 1
        if asked > _MOST_IMPORTS:
            raise ontology_error("O110", source.name, f"More than {_MOST_IMPORTS} files are imported.")
        found = _beside(folder, source.path, catalog, iri) if folder else None
        if found is None:
            problems.append((iri, "was not found on this machine"))
            continue
        if found.resolve() in done:
            continue
        done.add(found.resolve())
        file = open_source(found)
        if isinstance(file, SourceTree) or syntax(file.head()) is None:
            problems.append((iri, f"leads to '{found.name}', which is not an RDF file"))
            continue
        _load(file, statements)
        yield file


def _beside(folder: Path, main: Path, catalog: dict[str, str], iri: str) -> Path | None:
    """The local file that an import means: by the catalog, else by its name.

    It lies beside the main file, or in the folder beside it that is called like the main file.
    """
    inside = folder.resolve()
    last = unquote(iri.rstrip("/#").rpartition("/")[2])
    own = main.name.partition(".")[0]
    called = [f"{place}{last}{end}" for place in ("", f"{own}/") for end in ("", ".owl", ".rdf", ".ttl", ".xml")]
    names = [catalog[iri]] if iri in catalog else called
    for name in names:
        path = (folder / name).resolve()
        if name and path.is_relative_to(inside) and path.is_file():
            return path
    return None


def _catalog(folder: Path) -> dict[str, str]:
    """Import IRI -> file, as ontology editors note it in a catalog file."""
    path = folder / _CATALOG
    if not path.is_file():
        return {}
    found: dict[str, str] = {}
    parser = xml.parser(_CATALOG)

    def start(element: str, attributes: list[str]) -> None:
        values = dict(zip(attributes[::2], attributes[1::2], strict=True))
        if element == "uri" and "name" in values and "uri" in values:
            found[values["name"]] = unquote(values["uri"])

    parser.StartElementHandler = start
    with path.open("rb") as stream:
        xml.feed(parser, stream, _CATALOG)
    return found


def _base(file: SourceFile) -> str:
    return "file:///" + quote(Path(file.name).name)


def _load(file: SourceFile, statements: Statements) -> None:
    _say(file, statements)
    # What a file leaves without a prefix is called by the name of the file.
    own = Path(file.name).name.partition(".")[0]
    statements.prefix(own, statements.prefixes.get("", _base(file) + "#"))


def _say(file: SourceFile, statements: Statements) -> None:
    kind = syntax(file.head())
    if kind == _RDF_XML:
        with file.open() as stream:
            rdfxml.parse(stream, file.name, _base(file), statements)
        return
    scope = f"_:{statements.blank_scope()}-"
    say_resource, say_literal = statements.resource, statements.literal
    for quad in quads(file, statements):
        subject, predicate, value = quad.subject, quad.predicate.value, quad.object
        if isinstance(subject, pyoxigraph.NamedNode):
            about = subject.value
        elif isinstance(subject, pyoxigraph.BlankNode):
            about = scope + subject.value
        else:
            continue  # a statement about a statement
        if isinstance(value, pyoxigraph.NamedNode):
            say_resource(about, predicate, value.value)
        elif isinstance(value, pyoxigraph.Literal):
            say_literal(about, predicate, value.value, (value.language or "").lower())
        elif isinstance(value, pyoxigraph.BlankNode):
            say_resource(about, predicate, scope + value.value)


def quads(file: SourceFile, statements: Statements | None = None) -> Iterator[pyoxigraph.Quad]:
    """The statements of a file in any syntax, as they come."""
    kind = syntax(file.head())
    stream: IO[bytes]
    if kind == _OWL_XML:
        from kgsan.sources import reasoner

        stream, form = reasoner.from_owl_xml(file), pyoxigraph.RdfFormat.N_TRIPLES
    elif kind == _RDF_XML:
        _refuse_entities(file)
        stream, form = file.open(), pyoxigraph.RdfFormat.RDF_XML
    else:
        assert kind is not None
        stream, form = file.open(), _FORMATS[kind]
    with stream:
        try:
            parser = pyoxigraph.parse(stream, format=form, base_iri=_base(file))
            yield from parser
            if statements is not None:
                for short, iri in parser.prefixes.items():
                    statements.prefix(short, iri)
        except SyntaxError as error:
            if kind != _TURTLE or not _ONLY_N3.search(file.head()):
                raise _malformed(error, file, kind) from None
            with _from_n3(file, statements) as plain:  # what was said already is said again, and counts once
                yield from _plain_quads(plain, file)
        except (ValueError, UnicodeError) as error:
            raise ontology_error("O103", file.name, f"The {kind} cannot be read: {_sentence(str(error))}") from None


def _plain_quads(plain: IO[bytes], file: SourceFile) -> Iterator[pyoxigraph.Quad]:
    """N-Triples that rdflib wrote, which takes names for IRIs that are none."""
    try:
        yield from pyoxigraph.parse(plain, format=pyoxigraph.RdfFormat.N_TRIPLES)
    except (SyntaxError, ValueError):
        raise ontology_error("O103", file.name, "The N3 is not well-formed.") from None


def _refuse_entities(file: SourceFile) -> None:
    """Let our own XML parser look at the declarations before another parser expands them."""
    parser = xml.parser(file.name, namespaces=True)
    with file.open() as stream:
        xml.feed(parser, stream, file.name)


def _malformed(error: SyntaxError, file: SourceFile, kind: str | None) -> OntologyError:
    line, column = error.lineno, error.offset
    message = _sentence(
        re.sub(r"^Parser error at line \d+(?: between columns? \d+ and column \d+| column \d+)?:? *", "", error.msg)
    )
    hint = None
    if "remote" in message.lower() or ("context" in message.lower() and kind == "JSON-LD"):
        hint = "A context is never fetched: write it into the file."
    elif "prefix" in message.lower():
        hint = "Declare the prefix with @prefix."
    elif "utf-8" in message.lower():
        return ontology_error("O104", file.name, "The text is not UTF-8.", "Save it as UTF-8.", line=line)
    return ontology_error("O103", file.name, f"The {kind} is not well-formed: {message}", hint, line=line, column=column)


def _sentence(text: str) -> str:
    text = " ".join(text.split())[:300].rstrip(".")
    return f"{text}."


def _from_n3(file: SourceFile, statements: Statements | None) -> IO[bytes]:
    """N3 through rdflib, the one library here that reads it, as N-Triples; rules and formulas are passed over."""
    import rdflib
    from rdflib.plugins.parsers.notation3 import BadSyntax

    log = logging.getLogger("rdflib")
    if not log.handlers:  # else it prints what it thinks of IRIs
        log.addHandler(logging.NullHandler())
    graph = rdflib.Graph(bind_namespaces="none")
    text = decode(file.read(), file.name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # rdflib's own, about itself
            graph.parse(data=text, format="n3", publicID=_base(file))
        lines = [
            f"{s.n3()} {p.n3()} {o.n3()} .\n"
            for s, p, o in graph
            if isinstance(s, (rdflib.URIRef, rdflib.BNode)) and isinstance(o, (rdflib.URIRef, rdflib.BNode, rdflib.Literal))
        ]
    except BadSyntax as error:
        raise ontology_error("O103", file.name, "The N3 is not well-formed.", line=error.lines + 1) from None
    except Exception:  # rdflib raises whatever its parser stumbles over, and for an IRI that it cannot write nothing else
        raise ontology_error("O103", file.name, "The N3 is not well-formed.") from None
    if statements is not None:
        for short, iri in graph.namespaces():
            statements.prefix(short, str(iri))
    return io.BytesIO("".join(sorted(lines)).encode())
