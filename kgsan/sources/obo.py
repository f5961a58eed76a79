"""Ontologies in the OBO flat file format, 1.2 and 1.4."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgsan.errors import ontology_error
from kgsan.sources.files import SourceFile, decode
from kgsan.sources.owl import OBO_SCOPES, Predicate, Statements
from kgsan.sources.records import Scope, duplicate

if TYPE_CHECKING:
    from kgsan.sources.files import Source
    from kgsan.sources.records import Options, Records

_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "W": " ", "t": "\t"}
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(.*)', re.DOTALL)
_END = re.compile(r"\s+(?:!|\{[^{}]*\}\s*(?:!|$))")  # a comment, or trailing modifiers
_STANZAS = {"[Term]": Predicate.CLASS, "[Instance]": Predicate.INDIVIDUAL, "[Typedef]": Predicate.OBJECT_PROPERTY}
_MATCHES = ("skos:exactMatch ", Predicate.MATCH + " ")
_OLD_SYNONYMS = {f"{scope.lower()}_synonym": number for scope, number in OBO_SCOPES.items()}
#: Tags whose value is one id, and what the id is to the subject.
_LINKS = {"instance_of": Predicate.TYPE, "equivalent_to": Predicate.EQUIVALENT, "replaced_by": Predicate.REPLACED}
#: Tags whose value is one id or word, said as text.
_WORDS = {"xref": Predicate.XREF, "alt_id": Predicate.ALIAS, "is_obsolete": Predicate.DEPRECATED}


def recognises(source: Source) -> bool:
    """Whether a file starts with an OBO header or stanza."""
    if not isinstance(source, SourceFile):
        return False
    return bool(re.match(rb"(?:\xef\xbb\xbf)?(?:\s|![^\n]*\n)*(?:format-version:|\[(?:Term|Typedef|Instance)\])", source.head()))


def read(source: Source, options: Options) -> Records:
    """The terms and instances of an OBO file."""
    assert isinstance(source, SourceFile)
    say = Statements()
    seen: dict[str, tuple[str, int]] = {}  # id -> name, line of its stanza
    kind: str | None = None  # of the stanza
    subject = ""
    started = number = 0

    def wrong(message: str, line: int) -> Exception:
        return ontology_error("O103", source.name, message, line=line)

    # The commonest tags come first; what is not listed is passed over.
    for number, line in enumerate(decode(source.read(), source.name).split("\n"), 1):
        tag, colon, value = line.partition(": ")
        if not colon:
            if line.startswith("["):
                if kind and not subject:
                    raise wrong("The stanza has no id.", started)
                head = line.strip()
                if not head.endswith("]"):
                    raise wrong("The stanza's name has no closing bracket.", number)
                kind, subject, started = _STANZAS.get(head), "", number
            elif line.strip() and not line.startswith("!") and not line.rstrip().endswith(":"):
                raise wrong("The line is neither 'tag: value' nor the start of a stanza.", number)
        elif kind is None:
            continue
        elif tag == "id":
            subject = _word(value)
            if not subject:
                raise wrong("The id is empty.", number)
            say.resource(subject, Predicate.TYPE, kind)
        elif not subject:
            continue  # an id comes first; without one the stanza is refused when it ends
        elif tag == "synonym":
            text, rest = _quoted(value)
            if text is None:
                raise wrong("The synonym is not in quotes.", number)
            say.name(subject, OBO_SCOPES.get(rest.partition(" ")[0], Scope.RELATED), text)
        elif tag == "is_a":
            say.below(subject, _word(value))
        elif tag == "name":
            name = _plain(value)
            known, line_of = seen.setdefault(subject, (name, started))
            if known != name:
                raise duplicate(subject, source.name, started, line_of)
            say.name(subject, Scope.PREFERRED, name)
        elif tag in _WORDS:
            say.literal(subject, _WORDS[tag], _word(value), "")
        elif tag == "def":
            text, _ = _quoted(value)
            if text is None:
                raise wrong("The definition is not in quotes.", number)
            say.literal(subject, Predicate.DEFINITION, text, "")
        elif tag == "property_value":
            if value.startswith(_MATCHES):
                say.resource(subject, Predicate.MATCH, _plain(value).split(" ")[1].strip('"'))
        elif tag in ("relationship", "intersection_of"):
            relation, _, target = _plain(value).partition(" ")
            if target:
                say.resource(subject, relation, target.strip())
            elif tag == "relationship":
                raise wrong("The relationship names no target.", number)
            else:
                say.below(subject, relation)
        elif tag == "union_of":
            say.below(_word(value), subject)
        elif tag in _LINKS:
            say.resource(subject, _LINKS[tag], _word(value))
        elif tag in _OLD_SYNONYMS and (text := _quoted(value)[0]) is not None:
            say.name(subject, _OLD_SYNONYMS[tag], text)
    if kind and not subject:
        raise wrong("The stanza has no id.", started)
    return say.records("OBO", source.name, options)


def _word(value: str) -> str:
    """The id at the start of a value; comments and modifiers follow after a space."""
    return _unescape(value.strip().partition(" ")[0])


def _quoted(value: str) -> tuple[str | None, str]:
    """The quoted text at the start of a value, and what follows it."""
    if "\\" not in value and value[:1] == '"' and (end := value.find('"', 1)) > 0:
        return value[1:end], value[end + 1 :].lstrip()
    match = _QUOTED.match(value)
    return (_unescape(match[1]), match[2]) if match else (None, "")


def _plain(value: str) -> str:
    """A value without its trailing comment and modifiers, unescaped."""
    if " !" in value or "{" in value:
        value = _END.split(value, maxsplit=1)[0]
    return _unescape(value).strip()


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), text) if "\\" in text else text
