"""RDF/XML as a stream of statements, read in one pass without keeping the document.

A complete reader of the RDF/XML grammar on top of expat. General RDF libraries build a term object for
every statement; here the few predicates that matter are looked up by name and the rest is passed over,
which is what makes an ontology of 25 MB load in well under a second.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING
from urllib.parse import urljoin

from kgsan.errors import ontology_error
from kgsan.sources import xml

if TYPE_CHECKING:
    from kgsan.sources.owl import Statements

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_XML = "http://www.w3.org/XML/1998/namespace"
_OWL_AXIOM = "http://www.w3.org/2002/07/owl#Axiom"
_ABOUT, _RESOURCE, _NODE_ID, _ID = RDF + "about", RDF + "resource", RDF + "nodeID", RDF + "ID"
_PARSE_TYPE, _DATATYPE, _TYPE, _LI = RDF + "parseType", RDF + "datatype", RDF + "type", RDF + "li"
_LANG, _BASE = _XML + "lang", _XML + "base"
_FIRST, _REST, _NIL = RDF + "first", RDF + "rest", RDF + "nil"
_NEVER_A_NODE = frozenset(
    RDF + name for name in ("RDF", "ID", "about", "bagID", "parseType", "resource", "nodeID", "datatype", "li")
)
_UNUSUAL = _NEVER_A_NODE | {RDF + "Description"}
_USUAL = ("http://", "https://", "urn:")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")

# What may stand at this point of the document.
(
    _NODES,  # descriptions of things: at the top, or as the members of a list
    _PROPERTIES,  # properties, inside a description
    _VALUE,  # text or one description, inside a property
    _NOTHING,  # only the end: the property has its value
    _MARKUP,  # anything: the value is the markup itself
) = range(5)


def parse(stream: IO[bytes], name: str, base: str, into: Statements) -> None:
    """Hand every statement of an RDF/XML document to `into`, in the order of the document."""
    parser = xml.parser(name, namespaces=True)
    texts: list[str] = []
    say_resource, say_literal, ignored = into.resource, into.literal, into.ignored
    prefix = f"_:{into.blank_scope()}"
    blanks = 0
    was_skipping = False  # notes on statements have been passed over

    # Where the reader stands; what lies around a description waits on the stack until it ends.
    expect = _NODES
    subject = predicate = language = of_value = ""
    members: list[str] | None = None  # of the list being read
    counter = 0  # rdf:li met in a description; elements open inside markup
    seen_root = False
    stack: list[tuple[int, str, str, str, str, list[str] | None, int]] = []

    def wrong(message: str) -> Exception:
        return ontology_error("O103", name, message, line=parser.CurrentLineNumber, column=parser.CurrentColumnNumber + 1)

    def new_blank() -> str:
        nonlocal blanks
        blanks += 1
        return f"{prefix}-{blanks}"

    def absolute(reference: str) -> str:
        if reference.startswith(_USUAL) or _ABSOLUTE.match(reference):
            return reference
        if reference.startswith("#"):
            return base.partition("#")[0] + reference
        return urljoin(base, reference) if reference else base.partition("#")[0]

    def enter(new_subject: str, now: int) -> None:
        nonlocal subject, expect, counter, members
        stack.append((expect, subject, predicate, language, base, members, counter))
        subject, expect, counter, members = new_subject, now, 0, None

    def scope(attributes: list[str]) -> str:
        """The language that holds inside an element; its base is set at once."""
        nonlocal base
        inside = language
        for attribute, value in zip(attributes[::2], attributes[1::2], strict=True):
            if attribute == _LANG:
                inside = value.lower()
            elif attribute == _BASE:
                base = urljoin(base, value)
        return inside

    def start(element: str, attributes: list[str]) -> None:
        nonlocal expect, predicate, of_value, counter
        if expect == _PROPERTIES:
            texts.clear()
            if element == _LI:
                counter += 1
                element = f"{RDF}_{counter}"
            if not attributes:
                predicate, of_value, expect = element, language, _VALUE
            elif len(attributes) == 2 and attributes[0] == _RESOURCE:
                value = attributes[1]
                say_resource(subject, element, value if value.startswith(_USUAL) else absolute(value))
                expect = _NOTHING
            elif len(attributes) == 2 and attributes[0] == _LANG:
                predicate, of_value, expect = element, attributes[1].lower(), _VALUE
            elif len(attributes) == 2 and attributes[0] == _DATATYPE:
                predicate, of_value, expect = element, "", _VALUE
            else:
                start_property(element, attributes)
        elif expect == _MARKUP:
            counter += 1
        elif expect == _NOTHING:
            raise wrong("An element stands inside a property that already has its value.")
        elif element == _OWL_AXIOM and not subject:
            # Notes about a statement made elsewhere in the file: half of a large OBO ontology, none of it needed.
            skip()
        elif expect == _NODES and seen_root and len(attributes) == 2 and attributes[0] == _ABOUT and element not in _UNUSUAL:
            described = absolute(attributes[1])
            if members is not None:
                members.append(described)
            enter(described, _PROPERTIES)
            say_resource(described, _TYPE, element)
        else:
            start_node(element, attributes)

    def start_node(element: str, attributes: list[str]) -> None:
        nonlocal language, seen_root, expect
        if element == RDF + "RDF" and not seen_root and not stack:
            seen_root = True
            enter("", _NODES)
            language = scope(attributes)
            return
        seen_root = True
        if element in _NEVER_A_NODE:
            raise wrong("A word of RDF's own vocabulary stands where a thing is described.")
        outer_base = base
        inside = scope(attributes)
        described = ""
        said: list[tuple[str, str]] = []
        for attribute, value in zip(attributes[::2], attributes[1::2], strict=True):
            if attribute == _ABOUT:
                described = absolute(value)
            elif attribute == _NODE_ID:
                described = f"{prefix}:{value}"
            elif attribute == _ID:
                described = absolute("#" + value)
            elif not attribute.startswith(_XML):
                said.append((attribute, value))
        described = described or new_blank()
        if expect == _VALUE:
            say_resource(subject, predicate, described)
            expect = _NOTHING
        elif members is not None:
            members.append(described)
        enter_node(described, inside, outer_base)
        if element != RDF + "Description":
            say_resource(described, _TYPE, element)
        say_attributes(described, said)

    def enter_node(described: str, inside: str, outer_base: str) -> None:
        nonlocal language, base
        here, base = base, outer_base
        enter(described, _PROPERTIES)
        base, language = here, inside

    def say_attributes(about: str, said: list[tuple[str, str]]) -> None:
        for attribute, value in said:
            if attribute == _TYPE:
                say_resource(about, _TYPE, absolute(value))
            else:
                say_literal(about, attribute, value, language)

    def start_property(element: str, attributes: list[str]) -> None:
        nonlocal expect, predicate, of_value, members, counter, base
        outer_base = base
        inside = scope(attributes)
        value_of: str | None = None
        said: list[tuple[str, str]] = []
        parse_type, typed = None, False
        for attribute, value in zip(attributes[::2], attributes[1::2], strict=True):
            if attribute == _RESOURCE:
                value_of = absolute(value)
            elif attribute == _NODE_ID:
                value_of = f"{prefix}:{value}"
            elif attribute == _PARSE_TYPE:
                parse_type = value
            elif attribute == _DATATYPE:
                typed = True
            elif attribute != _ID and not attribute.startswith(_XML):
                said.append((attribute, value))
        predicate, of_value, expect = element, "" if typed else inside, _VALUE
        if parse_type == "Resource":
            inner = new_blank()
            say_resource(subject, element, inner)
            expect = _PROPERTIES
            enter_node(inner, inside, outer_base)
        elif parse_type == "Collection":
            expect = _PROPERTIES
            here, base = base, outer_base
            enter(subject, _NODES)
            base, members = here, []
        elif parse_type is not None:
            expect, counter = _MARKUP, 0
        elif value_of is not None or said:
            expect = _NOTHING
            value_of = value_of or new_blank()
            say_resource(subject, element, value_of)
            say_attributes(value_of, said)

    def end(element: str) -> None:
        nonlocal expect, subject, predicate, language, base, members, counter
        if expect == _VALUE:
            expect = _PROPERTIES
            if predicate not in ignored:
                say_literal(subject, predicate, "".join(texts), of_value)
        elif expect == _NOTHING:
            expect = _PROPERTIES
        elif expect == _MARKUP and counter:
            counter -= 1
        elif expect == _MARKUP:
            expect = _PROPERTIES
            say_literal(subject, predicate, "".join(texts), "")
        else:
            if len(stack) == 1 and element != RDF + "RDF" and was_skipping:
                skip()  # it was a note inside a note that ended
                return
            if members is not None:
                say_list(members)
            expect, subject, predicate, language, base, members, counter = stack.pop()

    def say_list(items: list[str]) -> None:
        about, link = subject, predicate
        for item in items:
            cell = new_blank()
            say_resource(about, link, cell)
            say_resource(cell, _FIRST, item)
            about, link = cell, _REST
        say_resource(about, link, _NIL)

    def skip() -> None:
        nonlocal was_skipping
        was_skipping = True
        parser.StartElementHandler = None
        parser.EndElementHandler = skipped_end
        parser.CharacterDataHandler = None

    def skipped_end(element: str) -> None:
        if element == _OWL_AXIOM:
            listen()

    def listen() -> None:
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = texts.append

    def namespace(short: str | None, iri: str) -> None:
        into.prefix(short or "", iri)

    parser.StartNamespaceDeclHandler = namespace
    listen()
    xml.feed(parser, stream, name)
