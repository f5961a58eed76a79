"""A streaming XML parser that expands nothing dangerous and fetches nothing."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING
from xml.parsers import expat

from kgsan.errors import OntologyError, ontology_error

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

_CHUNK = 1 << 20
#: An internal entity is an abbreviation for an IRI; longer ones, or ones built from others, are not needed.
_LONGEST_ENTITY = 1000


def parser(name: str, *, namespaces: bool = False) -> XMLParserType:
    """A new expat parser. With `namespaces`, an element or attribute name is its whole IRI.

    Internal entities that abbreviate an IRI are expanded, as OWL editors write them. An external
    entity, an entity built from other entities and an overlong one end in an `OntologyError`.
    """
    made = expat.ParserCreate(namespace_separator="" if namespaces else None)
    made.buffer_text = True
    made.ordered_attributes = True

    def entity(
        entity_name: str,
        is_parameter: bool,
        value: str | None,
        base: str | None,
        system: str | None,
        public: str | None,
        notation: str | None,
    ) -> None:
        if value is None or system is not None or public is not None:
            what = "declares an entity that lies outside the file"
        elif is_parameter or re.search(r"&(?!#|amp;|lt;|gt;|quot;|apos;)", value) or ("%" in value and is_parameter):
            what = "declares an entity that is built from other entities"
        elif len(value) > _LONGEST_ENTITY:
            what = f"declares an entity longer than {_LONGEST_ENTITY} characters"
        else:
            return
        raise ontology_error(
            "O106", name, f"The XML {what}.", "Write the text out where it is used.", line=made.CurrentLineNumber
        )

    def outside(context: str, base: str | None, system: str | None, public: str | None) -> int:
        raise ontology_error(
            "O106", name, "The XML refers to a text outside the file, which is not fetched.", line=made.CurrentLineNumber
        )

    made.EntityDeclHandler = entity
    made.ExternalEntityRefHandler = outside
    return made


def feed(made: XMLParserType, stream: IO[bytes], name: str) -> None:
    """Run the parser over the stream to its end; what breaks XML's rules is told with line and column."""
    try:
        while chunk := stream.read(_CHUNK):
            made.Parse(chunk, False)
        made.Parse(b"", True)
    except expat.ExpatError as error:
        raise malformed(error, name) from None
    except (LookupError, ValueError):  # Python's codecs know the encoding, or claim to, and expat cannot use it
        raise ontology_error(
            "O104", name, "The XML declares an encoding that cannot be used.", "Save it as UTF-8.", line=1
        ) from None


def malformed(error: expat.ExpatError, name: str) -> OntologyError:
    """The error for XML that expat refuses."""
    text = expat.errors.messages[error.code]
    hint = None
    if text == expat.errors.XML_ERROR_NO_ELEMENTS:
        return ontology_error("O103", name, "The file ends before its first element.", line=error.lineno)
    if text in (expat.errors.XML_ERROR_UNCLOSED_TOKEN, expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION):
        hint = "The file may be cut short."
    elif text == expat.errors.XML_ERROR_UNBOUND_PREFIX:
        hint = "Declare the prefix with xmlns."
    elif text in (expat.errors.XML_ERROR_INVALID_TOKEN, expat.errors.XML_ERROR_UNKNOWN_ENCODING):
        hint = "The encoding may be another than the file says."
    elif "amplification" in text:
        return ontology_error("O106", name, "The XML's entities expand without measure.", line=error.lineno)
    return ontology_error("O103", name, f"The XML is not well-formed: {text}.", hint, line=error.lineno, column=error.offset + 1)
