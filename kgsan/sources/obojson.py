"""Ontologies as OBO graphs in JSON."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kgsan.errors import ontology_error
from kgsan.sources.files import SourceFile, decode
from kgsan.sources.owl import OBO_SCOPES, Predicate, Statements
from kgsan.sources.records import Scope, duplicate

if TYPE_CHECKING:
    from kgsan.sources.files import Source
    from kgsan.sources.records import Options, Records

_KINDS = {"CLASS": Predicate.CLASS, "INDIVIDUAL": Predicate.INDIVIDUAL, "PROPERTY": Predicate.OBJECT_PROPERTY}
_EDGES = {"is_a": Predicate.SUBCLASS, "type": Predicate.TYPE}
_SYNONYMS = {f"has{scope.title()}Synonym": number for scope, number in OBO_SCOPES.items()}
_VALUES = (Predicate.MATCH, Predicate.REPLACED)


def recognises(source: Source) -> bool:
    """Whether a file is JSON with a list of graphs."""
    return isinstance(source, SourceFile) and bool(
        re.match(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:graphs|@context"[^\0]{0,4000}"graphs)"', source.head())
    )


def read(source: Source, options: Options) -> Records:
    """The nodes of all graphs in the file."""
    assert isinstance(source, SourceFile)
    text = decode(source.read(), source.name)
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise ontology_error(
            "O103", source.name, f"The JSON is not well-formed: {error.msg}.", line=error.lineno, column=error.colno
        ) from None
    except (RecursionError, ValueError):
        raise ontology_error("O103", source.name, "The JSON is nested too deeply or holds a number too long.") from None
    statements = Statements()
    try:
        names: dict[str, str] = {}
        for graph in document["graphs"]:
            for node in graph.get("nodes", ()):
                _node(node, statements, names, source.name)
            for edge in graph.get("edges", ()):
                said = _iri(edge["pred"])
                statements.resource(_iri(edge["sub"]), _EDGES.get(said, said), _iri(edge["obj"]))
            _axioms(graph, statements)
    except (KeyError, TypeError, AttributeError, IndexError):
        raise ontology_error("O103", source.name, "The JSON does not follow the OBO graphs layout.") from None
    return statements.records("OBO graphs (JSON)", source.name, options)


def _node(node: dict[str, Any], statements: Statements, names: dict[str, str], file: str) -> None:
    iri = _iri(node["id"])
    label = node.get("lbl")
    if label is not None and names.setdefault(iri, label) != label:
        raise duplicate(iri, file, None, None)
    if (kind := _KINDS.get(node.get("type", ""))) is not None:
        statements.resource(iri, Predicate.TYPE, kind)
    if label is not None:
        statements.name(iri, Scope.PREFERRED, str(label))
    meta = node.get("meta") or {}
    if "definition" in meta:
        statements.literal(iri, Predicate.DEFINITION, str(meta["definition"]["val"]), "")
    for synonym in meta.get("synonyms", ()):
        statements.name(iri, _SYNONYMS.get(synonym["pred"], OBO_SCOPES["RELATED"]), str(synonym["val"]))
    for xref in meta.get("xrefs", ()):
        statements.literal(iri, Predicate.XREF, str(xref["val"]), "")
    for value in meta.get("basicPropertyValues", ()):
        if value["pred"] == Predicate.ALIAS:
            statements.literal(iri, Predicate.ALIAS, str(value["val"]), "")
        elif value["pred"] in _VALUES:
            statements.resource(iri, value["pred"], str(value["val"]))
    if meta.get("deprecated"):
        statements.literal(iri, Predicate.DEPRECATED, "true", "")


def _axioms(graph: dict[str, Any], statements: Statements) -> None:
    for same in graph.get("equivalentNodesSets", ()):
        first, *others = sorted(map(_iri, same["nodeIds"]))
        for other in others:
            statements.resource(first, Predicate.EQUIVALENT, other)
    for axiom in graph.get("logicalDefinitionAxioms", ()):
        for genus in axiom.get("genusIds", ()):
            statements.resource(_iri(axiom["definedClassId"]), Predicate.SUBCLASS, _iri(genus))
        for restriction in axiom.get("restrictions", ()):
            if restriction:
                relation = _iri(restriction["propertyId"])
                statements.resource(_iri(axiom["definedClassId"]), relation, _iri(restriction["fillerId"]))


def _iri(given: object) -> str:
    """What names a thing must be text; what it is else is no graph of this kind."""
    if not isinstance(given, str):
        raise TypeError
    return given
