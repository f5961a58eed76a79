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
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"\s*+(.*)', re.DOTALL)
_END = re.compile(r"(?<!\s)\s++(?:!|\{[^{}]*+\}\s*+(?:!|$))")  # a comment, or trailing modifiers
_STANZAS = {"[Term]": Predicate.CLASS, "[Instance]": Predicate.INDIVIDUAL, "[Typedef]": Predicate.OBJECT_PROPERTY}
_MATCHES = ("skos:exactMatch ", Predicate.MATCH + " ")
_OLD_SYNONYMS = {f"{scope.lower()}_synonym": number for scope, number in OBO_SCOPES.items()}
#: Tags whose value is one id, and what the id is to the subject.
_LINKS = {"instance_of": Predicate.TYPE, "equivalent_to": Predicate.EQUIVALENT, "replaced_by": Predicate.REPLACED}
#: Tags whose value is one id or word, said as text.
_WORDS = {"alt_id": Predicate.ALIAS, "is_obsolete": Predicate.DEPRECATED}


def recognises(source: Source) -> bool:
    """Whether a file starts with an OBO header or stanza."""
    if not isinstance(source, SourceFile):
        return False
    return bool(re.match(rb"(?:\xef\xbb\xbf)?(?:\s|![^\n]*\n)*+(?:format-version:|\[(?:Term|Typedef|Instance)\])", source.head()))


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

    text = decode(source.read(), source.name)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    name, below, literal = say.name, say.below, say.literal
    # The commonest tags come first; what is not listed is passed over.
    for number, line in enumerate(text.split("\n"), 1):
        tag, colon, value = line.partition(": ")
        if tag == "synonym" and subject:
            quoted, rest = _quoted(value)
            if quoted is None:
                raise wrong("The synonym is not in quotes.", number)
            name(subject, OBO_SCOPES.get(rest[: rest.find(" ")], Scope.RELATED), quoted)
        elif tag == "is_a" and subject:
            below(subject, _word(value))
        elif tag == "name" and subject:
            label = _plain(value) if "\\" in value or " !" in value or "{" in value else value.strip()
            first = seen.setdefault(subject, (label, started))
            if first[0] != label:
                raise duplicate(subject, source.name, started, first[1])
            name(subject, Scope.PREFERRED, label)
        elif tag == "id" and kind:
            subject = _word(value)
            if not subject:
                raise wrong("The id is empty.", number)
            say.resource(subject, Predicate.TYPE, kind)
        elif tag == "xref" and subject:
            literal(subject, Predicate.XREF, _word(value), "")
        elif tag == "def" and subject:
            quoted, _ = _quoted(value)
            if quoted is None:
                raise wrong("The definition is not in quotes.", number)
            literal(subject, Predicate.DEFINITION, quoted, "")
        elif not colon:
            if line.startswith("["):
                if kind and not subject:
                    raise wrong("The stanza has no id.", started)
                head = line.strip()
                if not head.endswith("]"):
                    raise wrong("The stanza's name has no closing bracket.", number)
                kind, subject, started = _STANZAS.get(head), "", number
            elif line and not line.isspace() and line[0] != "!" and not line.rstrip().endswith(":"):
                raise wrong("The line is neither 'tag: value' nor the start of a stanza.", number)
        elif tag == "property_value":
            if subject and value.startswith(_MATCHES):
                say.resource(subject, Predicate.MATCH, _plain(value).split(" ")[1].strip('"'))
        elif not subject:
            continue  # the header; in a stanza the id comes first, and one without id is refused when it ends
        elif tag in _WORDS:
            literal(subject, _WORDS[tag], _word(value), "")
        elif tag in ("relationship", "intersection_of"):
            relation, _, target = _plain(value).partition(" ")
            if target:
                say.resource(subject, relation, target.strip())
            elif tag == "relationship":
                raise wrong("The relationship names no target.", number)
            else:
                below(subject, relation)
        elif tag == "union_of":
            below(_word(value), subject)
        elif tag in _LINKS:
            say.resource(subject, _LINKS[tag], _word(value))
        elif tag in _OLD_SYNONYMS and (quoted := _quoted(value)[0]) is not None:
            name(subject, _OLD_SYNONYMS[tag], quoted)
    if kind and not subject:
        raise wrong("The stanza has no id.", started)
    return say.records("OBO", source.name, options)


def _word(value: str) -> str:
    """The id at the start of a value; comments and modifiers follow after a space."""
    if " " in value:
        value = value.strip().partition(" ")[0]
    return _unescape(value) if "\\" in value else value


def _quoted(value: str) -> tuple[str | None, str]:
    """The quoted text at the start of a value, and what follows it."""
    if value[:1] == '"' and (end := value.find('"', 1)) > 0 and "\\" not in (text := value[1:end]):
        return text, value[end + 2 :]
    match = _QUOTED.match(value)
    return (_unescape(match[1]), match[2]) if match else (None, "")


def _plain(value: str) -> str:
    """A value without its trailing comment and modifiers, unescaped."""
    if " !" in value or "{" in value:
        value = _END.split(value, maxsplit=1)[0]
    return _unescape(value).strip()


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), text) if "\\" in text else text
