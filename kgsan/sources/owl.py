"""What statements in the words of OWL, RDFS, SKOS and the OBO annotations say about concepts."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from kgsan.sources.iris import Shortener, words
from kgsan.sources.records import Records, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.sources.records import Options

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_SKOSXL = "http://www.w3.org/2008/05/skos-xl#"
_ISO = "http://purl.org/iso25964/skos-thes#"
_OIO = "http://www.geneontology.org/formats/oboInOwl#"
_OBO = "http://purl.obolibrary.org/obo/"

#: Namespaces whose own words are never concepts and whose properties never relate concepts.
_GRAMMAR = (
    _RDF,
    _RDFS,
    _OWL,
    _SKOS,
    _SKOSXL,
    _OIO,
    "http://www.w3.org/2001/XMLSchema#",
    "http://purl.org/dc/",
    "http://xmlns.com/foaf/",
    "http://www.w3.org/ns/prov#",
    "http://protege.stanford.edu/",
)

#: So do the names of unnamed things.
_NO_CONCEPTS = ("_:", *_GRAMMAR)

# What a literal is about. Names carry their scope; the rest has numbers of its own.
_PREFERRED, _LAST_SCOPE = int(Scope.PREFERRED), int(Scope.AMBIGUOUS)
_DEFINITION, _DEPRECATED, _ALIAS, _REFERENCE, _LITERAL_FORM, _NOTHING = range(100, 106)
_LITERALS = {
    _SKOS + "prefLabel": int(Scope.PREFERRED),
    _RDFS + "label": int(Scope.PREFERRED),
    _SKOS + "altLabel": int(Scope.EXACT),
    _SKOS + "hiddenLabel": int(Scope.EXACT),
    _OIO + "hasExactSynonym": int(Scope.EXACT),
    _OIO + "hasNarrowSynonym": int(Scope.NARROW),
    _OIO + "hasRelatedSynonym": int(Scope.RELATED),
    _OIO + "hasSynonym": int(Scope.RELATED),
    _OIO + "hasBroadSynonym": int(Scope.BROAD),
    _OBO + "IAO_0000118": int(Scope.EXACT),  # alternative term
    _OBO + "IAO_0000115": _DEFINITION,
    _SKOS + "definition": _DEFINITION,
    _OWL + "deprecated": _DEPRECATED,
    _OIO + "hasAlternativeId": _ALIAS,
    _OIO + "hasDbXref": _REFERENCE,
    _SKOS + "exactMatch": _REFERENCE,
    _SKOSXL + "literalForm": _LITERAL_FORM,
}

# What a statement between two things is about.
(
    _TYPE,
    _SUBCLASS,
    _EQUIVALENT,
    _BROADER,
    _NARROWER,
    _ON_PROPERTY,
    _FILLER,
    _INTERSECTION,
    _UNION,
    _FIRST,
    _REST,
    _IMPORTS,
    _MATCH,
    _XL_LABEL,
    _RELATED,
    _REPLACED,
    _IGNORED,
    _OTHER,
) = range(18)
_RESOURCES = {
    _RDF + "type": _TYPE,
    _RDFS + "subClassOf": _SUBCLASS,
    _OWL + "equivalentClass": _EQUIVALENT,
    _OWL + "sameAs": _EQUIVALENT,
    _SKOS + "broader": _BROADER,
    _SKOS + "broaderTransitive": _BROADER,
    _ISO + "broaderGeneric": _BROADER,
    _ISO + "broaderInstantial": _BROADER,
    _SKOS + "narrower": _NARROWER,
    _SKOS + "narrowerTransitive": _NARROWER,
    _ISO + "narrowerGeneric": _NARROWER,
    _ISO + "narrowerInstantial": _NARROWER,
    _OWL + "onProperty": _ON_PROPERTY,
    _OWL + "someValuesFrom": _FILLER,
    _OWL + "hasValue": _FILLER,
    _OWL + "intersectionOf": _INTERSECTION,
    _OWL + "unionOf": _UNION,
    _RDF + "first": _FIRST,
    _RDF + "rest": _REST,
    _OWL + "imports": _IMPORTS,
    _SKOS + "exactMatch": _MATCH,
    _SKOSXL + "prefLabel": _XL_LABEL,
    _SKOSXL + "altLabel": _XL_LABEL,
    _SKOSXL + "hiddenLabel": _XL_LABEL,
    _SKOS + "related": _RELATED,
    _OBO + "IAO_0100001": _REPLACED,
}


class Predicate:
    """The words other readers of this package use to say the same things."""

    TYPE = _RDF + "type"
    CLASS = _OWL + "Class"
    INDIVIDUAL = _OWL + "NamedIndividual"
    OBJECT_PROPERTY = _OWL + "ObjectProperty"
    LABEL = _RDFS + "label"
    DEFINITION = _OBO + "IAO_0000115"
    SUBCLASS = _RDFS + "subClassOf"
    EQUIVALENT = _OWL + "equivalentClass"
    DEPRECATED = _OWL + "deprecated"
    REPLACED = _OBO + "IAO_0100001"
    ALIAS = _OIO + "hasAlternativeId"
    XREF = _OIO + "hasDbXref"
    MATCH = _SKOS + "exactMatch"


#: What the OBO formats call the scopes of synonyms.
OBO_SCOPES = {scope.name: int(scope) for scope in (Scope.EXACT, Scope.NARROW, Scope.RELATED, Scope.BROAD)}

_DEPRECATED_CLASS = _OWL + "DeprecatedClass"
_CLASS_TYPES = {_OWL + "Class", _RDFS + "Class", _DEPRECATED_CLASS}
_PROPERTY_TYPES = {
    _RDF + "Property",
    *(_OWL + kind for kind in ("AnnotationProperty", "DatatypeProperty", "OntologyProperty", "DeprecatedProperty")),
}


class Statements:
    """Everything said so far, sorted by what it is about; `records` draws the conclusions.

    The order of statements does not matter: a label may come before the type, a restriction before its property.
    """

    def __init__(self) -> None:
        self.imports: list[str] = []
        self.prefixes: dict[str, str] = {}
        self.ignored: set[str] = set()  #: predicates whose texts say nothing of use; grows as they are met
        self._literal_kinds: dict[str, int] = dict(_LITERALS)
        self._resource_kinds: dict[str, int] = dict(_RESOURCES)
        self._names: list[tuple[str, int, str, str]] = []  # subject, scope, text, language
        self._definitions: list[tuple[str, str, str]] = []  # subject, text, language
        self._references: list[tuple[str, str]] = []
        self._aliases: list[tuple[str, str]] = []  # alias, concept
        self._deprecated: set[str] = set()
        self._classes: dict[str, None] = {}
        self._concepts: dict[str, None] = {}  # SKOS
        self._individuals: dict[str, None] = {}
        self._properties: set[str] = set()  # relate nothing, or not concepts
        self._object_properties: set[str] = set()
        self._types: list[tuple[str, str]] = []
        self._below: list[tuple[str, str]] = []  # more special, more general; either may be an expression
        self._equivalent: list[tuple[str, str]] = []
        self._on_property: dict[str, str] = {}
        self._filler: dict[str, str] = {}
        self._lists: dict[str, str] = {}  # expression -> first cell of its intersection
        self._unions: dict[str, str] = {}
        self._first: dict[str, str] = {}
        self._rest: dict[str, str] = {}
        self._xl_labels: list[tuple[str, int, str]] = []
        self._literal_forms: dict[str, tuple[str, str]] = {}
        self._others: list[tuple[str, str, str]] = []
        self._scopes = 0

    def blank_scope(self) -> str:
        """A fresh word to keep the unnamed things of one file apart from those of the next."""
        self._scopes += 1
        return f"f{self._scopes}"

    def prefix(self, short: str, iri: str) -> None:
        """A file calls an IRI start by a short name."""
        self.prefixes.setdefault(short, iri)

    def name(self, subject: str, scope: int, text: str) -> None:
        """A name in no particular language."""
        self._names.append((subject, scope, text, ""))

    def below(self, special: str, general: str) -> None:
        """One thing specializes another."""
        self._below.append((special, general))

    def literal(self, subject: str, predicate: str, text: str, language: str) -> None:
        """A statement whose value is text. Unnamed things start with `_:`."""
        kind = self._literal_kinds.get(predicate)
        if kind is None:
            kind = (
                int(Scope.AMBIGUOUS) if predicate.endswith(("#ambiguousName", "/ambiguousName", ":ambiguousName")) else _NOTHING
            )
            self._literal_kinds[predicate] = kind
        if kind <= _LAST_SCOPE:
            self._names.append((subject, kind, text, language))
        elif kind == _NOTHING:
            self.ignored.add(predicate)
        elif kind == _DEFINITION:
            self._definitions.append((subject, text, language))
        elif kind == _DEPRECATED:
            if text.strip().lower() in ("true", "1"):
                self._deprecated.add(subject)
        elif kind == _ALIAS:
            self._aliases.append((text, subject))
        elif kind == _REFERENCE:
            self._references.append((subject, text))
        elif kind == _LITERAL_FORM:
            self._literal_forms[subject] = (text, language)

    def resource(self, subject: str, predicate: str, value: str) -> None:
        """A statement whose value is a thing, named or unnamed."""
        kind = self._resource_kinds.get(predicate)
        if kind is None:
            kind = _IGNORED if predicate.startswith(_GRAMMAR) else _OTHER
            self._resource_kinds[predicate] = kind
        if kind == _TYPE:
            self._typed(subject, value)
        elif kind == _SUBCLASS:
            self._below.append((subject, value))
        elif kind == _OTHER:
            self._others.append((subject, predicate, value))
        elif kind == _ON_PROPERTY:
            self._on_property[subject] = value
        elif kind == _FILLER:
            self._filler[subject] = value
        elif kind == _FIRST:
            self._first[subject] = value
        elif kind == _REST:
            self._rest[subject] = value
        elif kind == _EQUIVALENT:
            self._equivalent.append((subject, value))
        elif kind == _INTERSECTION:
            self._lists[subject] = value
        elif kind == _UNION:
            self._unions[subject] = value
        elif kind == _MATCH:
            self._references.append((subject, value))
        elif kind == _IGNORED:
            return
        elif kind == _IMPORTS:
            self.imports.append(value)
        elif kind == _XL_LABEL:
            self._xl_labels.append((subject, Scope.PREFERRED if predicate.endswith("prefLabel") else Scope.EXACT, value))
        elif kind == _REPLACED:
            self._aliases.append((subject, value))
        else:
            self._skos(subject, kind, predicate, value)

    def _typed(self, subject: str, kind: str) -> None:
        if kind in _CLASS_TYPES:
            self._classes[subject] = None
            if kind == _DEPRECATED_CLASS:
                self._deprecated.add(subject)
        elif kind == _OWL + "NamedIndividual":
            self._individuals[subject] = None
        elif kind == _OWL + "ObjectProperty":
            self._object_properties.add(subject)
        elif kind in _PROPERTY_TYPES:
            self._properties.add(subject)
        elif kind == _SKOS + "Concept":
            self._concepts[subject] = None
        elif not kind.startswith(_GRAMMAR):
            self._types.append((subject, kind))

    def _skos(self, subject: str, kind: int, predicate: str, value: str) -> None:
        self._concepts[subject] = self._concepts[value] = None
        if kind == _BROADER:
            self._below.append((subject, value))
        elif kind == _NARROWER:
            self._below.append((value, subject))
        else:
            self._others.append((subject, predicate, value))

    def inferred(self, below: Iterable[tuple[str, str]], equivalent: Iterable[tuple[str, str]]) -> None:
        """Add what a reasoner worked out."""
        self._below.extend(below)
        self._equivalent.extend(equivalent)

    # --- conclusions -------------------------------------------------------------------------------------

    def records(self, format_name: str, file: str, options: Options) -> Records:
        """The concepts, names, parents and relations that follow from all statements."""
        records = Records(format_name, prefixes=dict(self.prefixes))
        shorten = Shortener(self.prefixes)
        related = [(s, p, o) for s, p, o in self._others if p not in self._properties]
        below = self._unfold(related)
        kept = self._kept(below)
        same = self._representatives(kept, shorten)

        if same:
            number_of = {iri: records.concept(shorten(same.get(iri, iri))) for iri in kept}
        else:
            number_of = records.add_concepts(kept, list(map(shorten, kept)))
        for iri, other in same.items():
            if iri != other:
                records.aliases[shorten(iri)] = number_of[iri]

        children, parents = [], []
        for special, general in dict.fromkeys(below):
            child, parent = number_of.get(special), number_of.get(general)
            if child is not None and parent is not None and child != parent:
                children.append(child)
                parents.append(parent)
        records.parent_child, records.parent_parent = children, parents
        self._add_names(records, number_of, file, options)
        self._add_definitions(records, number_of, options)
        self._add_relations(records, number_of, related, options)
        records.references = [
            (number, shorten(reference))
            for subject, reference in self._references
            if (number := number_of.get(subject)) is not None
        ]
        for alias, subject in self._aliases:
            alias = shorten(alias)
            if (number := number_of.get(subject)) is not None and alias not in records.numbers:
                records.aliases[alias] = number
        return records

    def _members(self, cell: str) -> Iterator[str]:
        seen = set()
        while cell in self._first and cell not in seen:
            seen.add(cell)
            yield self._first[cell]
            cell = self._rest.get(cell, "")

    def _unfold(self, related: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
        """Parents between named things; restrictions met on the way become relations."""
        below: list[tuple[str, str]] = []
        pending: list[tuple[str, str, bool]] = []
        for pair in self._below:
            if pair[1].startswith("_:"):
                pending.append((*pair, False))
            else:
                below.append(pair)
        pending = [(special, general, equal) for special, general, equal in pending if not special.startswith("_:")]
        for one, other in self._equivalent:
            if one.startswith("_:"):
                one, other = other, one
            if not one.startswith("_:") and other.startswith("_:"):
                pending.append((one, other, True))
        for anonymous in (*self._lists, *self._unions):
            if not anonymous.startswith("_:"):  # <owl:Class rdf:about="..."><owl:intersectionOf> stands for equivalence
                pending.append((anonymous, anonymous, True))
        seen: set[tuple[str, str]] = set()
        while pending:
            special, general, equal = pending.pop()
            if not general.startswith("_:") and not (equal and special == general):
                below.append((special, general))
                continue
            if (special, general) in seen:
                continue
            seen.add((special, general))
            if general in self._lists:
                pending.extend((special, member, False) for member in self._members(self._lists[general]))
            if equal and general in self._unions:
                below.extend((member, special) for member in self._members(self._unions[general]) if not member.startswith("_:"))
            if general in self._filler and general in self._on_property:
                related.append((special, self._on_property[general], self._filler[general]))
        return below

    def _kept(self, below: list[tuple[str, str]]) -> dict[str, None]:
        """Every named thing that is a concept, in the order of first mention."""
        kept = dict.fromkeys(self._classes)
        kept.update(dict.fromkeys(self._concepts))
        for special, general in below:
            kept[special] = kept[general] = None
        for individual, kind in self._types:
            if kind in kept or individual in self._individuals:
                kept[individual] = None
                if kind in kept:
                    below.append((individual, kind))
        kept.update(dict.fromkeys(self._individuals))
        for iri in (*self._deprecated, *self._properties, *self._object_properties):
            kept.pop(iri, None)
        for iri in [iri for iri in kept if iri.startswith(_NO_CONCEPTS)]:
            del kept[iri]
        return kept

    def _representatives(self, kept: dict[str, None], shorten: Shortener) -> dict[str, str]:
        """For things said to be equivalent, the one that stands for all: the smallest id."""
        root: dict[str, str] = {}

        def find(iri: str) -> str:
            while (above := root.get(iri, iri)) != iri:
                root[iri] = root.get(above, above)
                iri = root[iri]
            return iri

        for one, other in self._equivalent:
            if one in kept and other in kept:
                first, second = sorted((find(one), find(other)), key=lambda iri: (shorten(iri), iri))
                root[second] = first
        return {iri: find(iri) for iri in list(root)}

    def _add_names(self, records: Records, number_of: dict[str, int], file: str, options: Options) -> None:
        names = [
            *self._names,
            *((s, scope, *self._literal_forms[label]) for s, scope, label in self._xl_labels if label in self._literal_forms),
        ]
        rows: list[tuple[int, str, int]] = []
        labelled: set[int] = set()
        several: set[int] = set()  # concepts with more than one label
        strangers: dict[int, list[tuple[str, str]]] = defaultdict(list)  # labels in another language
        for subject, scope, text, language in names:
            number = number_of.get(subject)
            if number is None:
                continue
            if language and not _speaks(language, options.language):
                if scope == _PREFERRED:
                    strangers[number].append((language, text))
                continue
            if scope == _PREFERRED:
                if number in labelled:
                    several.add(number)
                labelled.add(number)
            rows.append((number, text, scope))
        if several:
            rows = self._one_label(rows, several, names, number_of, options)
        without = [number for number in strangers if number not in labelled]
        rows += [(number, min(strangers[number])[1], Scope.PREFERRED) for number in without]
        records.add_names(rows)
        if without:
            records.notice(
                "O205",
                file,
                f"{len(without)} of {len(records.ids)} concepts have no label in the language '{options.language}'; "
                "their label in another language is used.",
                "Ask for another language, or for all of them.",
            )

    def _one_label(
        self,
        rows: list[tuple[int, str, int]],
        several: set[int],
        names: list[tuple[str, int, str, str]],
        number_of: dict[str, int],
        options: Options,
    ) -> list[tuple[int, str, int]]:
        """Of several labels one stays; the others are synonyms.

        The language as it was asked for comes first, then no language, then a regional form; then the order of the file.
        """
        wanted = (options.language or "").lower()
        best: dict[int, tuple[int, int, str]] = {}
        for place, (subject, scope, text, language) in enumerate(names):
            number = number_of.get(subject, -1)
            if number in several and scope == Scope.PREFERRED and _speaks(language, options.language):
                rank = 0 if language == wanted else 1 if not language else 2
                best[number] = min(best.get(number, (3, 0, "")), (rank, place, text))
        return [
            (number, text, Scope.EXACT if scope == Scope.PREFERRED and number in best and text != best[number][2] else scope)
            for number, text, scope in rows
        ]

    def _add_definitions(self, records: Records, number_of: dict[str, int], options: Options) -> None:
        for subject, text, language in self._definitions:
            number = number_of.get(subject)
            if number is not None and (not language or _speaks(language, options.language)):
                records.definitions.setdefault(number, text)

    def _add_relations(
        self, records: Records, number_of: dict[str, int], related: list[tuple[str, str, str]], options: Options
    ) -> None:
        if not related:
            return
        called: dict[str, str] = {}
        properties = {predicate for _, predicate, _ in related}
        for subject, scope, text, language in self._names:
            if subject in properties and scope == Scope.PREFERRED and _speaks(language, options.language):
                called.setdefault(subject, text.replace("_", " ").strip())
        for subject, predicate, value in dict.fromkeys(related):
            source, target = number_of.get(subject), number_of.get(value)
            if source is not None and target is not None:
                records.relation(source, called.get(predicate) or words(predicate), target)


def _speaks(language: str, wanted: str | None) -> bool:
    """Whether a text in one language serves a reader who asks for another."""
    return wanted is None or not language or language.partition("-")[0] == wanted.partition("-")[0].lower()
