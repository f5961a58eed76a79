"""Check the ontology of protected entities: one line per finding, exit code 1 when there is any.

    python tools/check_protected.py ontologies/protected.ttl

A finding starts with the file that declares the concept. What is checked: every concept that is spoken of is declared and
has one label; an exact name has one owner and is written once; no everyday word or two-letter acronym is an exact name;
the hierarchy has no cycle and ends in one of the few roots after at most nine steps; relations join the right kinds
of things; and a drug belongs to a class of drugs and says what it is for.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph

from kgsan.errors import OntologyError
from kgsan.lazy import cached_property
from kgsan.ontology.names import key
from kgsan.sources import read
from kgsan.sources.files import open_source
from kgsan.sources.records import Options, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kgsan.sources.records import Records

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_OWL = "http://www.w3.org/2002/07/owl#"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The only concepts that need no parent.
ROOTS = _words("""
    condition drug test symptom procedure organisation professional agent equipment place practice
    belief personal-characteristic personal-data language symbol object event person food
""")
LONGEST_CHAIN = 10
LONGEST_NAME = 80


class _Rule(NamedTuple):
    subjects: frozenset[str]
    objects: frozenset[str]


def _rule(subjects: str, objects: str) -> _Rule:
    return _Rule(_words(subjects) or ROOTS, _words(objects) or ROOTS)


#: What a relation joins: branches of the subject, branches of the object; none given means any.
RULES = {
    "treats": _rule("drug procedure", "condition"),
    "prevents": _rule("drug procedure equipment practice organisation", "condition"),
    "testsFor": _rule("test", "condition practice"),
    "causedBy": _rule("condition", "agent drug condition"),
    "symptomOf": _rule("symptom", "condition"),
    "complicationOf": _rule("condition", "condition"),
    "transmittedBy": _rule("condition", "transmission-route"),
    "riskFactorFor": _rule("condition practice agent", "condition"),
    "specialistFor": _rule("professional person", ""),
    "organisationFor": _rule("organisation", ""),
    "usedFor": _rule(
        "equipment object drug agent place procedure practice test food symbol",
        "condition practice procedure belief personal-characteristic personal-data organisation event",
    ),
    "locatedIn": _rule("organisation place equipment object condition", "place"),
    "placeOf": _rule("place", ""),
    "riteOf": _rule("event practice", "belief organisation"),
    "memberOf": _rule("person professional", "belief organisation personal-characteristic"),
    "associatedWith": _rule("", ""),
}

#: Common nouns, verbs and adjectives: alone they are no exact name of anything that must be hidden.
EVERYDAY = _words("""
    able accident act action active activity adult advance age agent agree air animal answer appear area arm art ask
    attack baby back bad bag ball bank bar base bear beat bed believe big birth black block blood blow blue board body
    bone book boy box break breakdown bring brother brown brush bug build burn business buy call cap car care carry case
    cast catch cause cell center chain chance change charge chase check chest child choice church city class clean
    clear close club coast cold color come common community company complaint cook cool corner cost count country
    couple course court cover crack crash cream crime cross cry culture cup cure current cut dance dark daughter day
    dead deal death deep deliver delivery device dirty dog dose down draw dream dress drink drip drive
    drop drug dry dust ear early earth east eat edge educate egg end energy escort event experience eye face fact fail
    fall family fast father feel feeling field fight file find finger fire first fish fit flat flower fly food
    foot force foundation free fresh friend front full game gas gear girl give glass go gold good grass great green
    ground group grow growth guest hair hand happy hard hat have head health hear heart heat heavy help high history hit
    hold hole home hope horse hot house hurt ice idea induced infusion institution insurance issue itch job
    joint jump junk key kid kill king kiss knife lady land language large late laugh law lead leader leave leg lesion
    letter level lie life light line liquid list live living local location long loop lose loss loud love low lump
    machine mad mail make man mark mass matter mean meat medicine meet member mind mirror mix model mole money monster
    month moon morning mother mouth move music nail name narrow nation nature neck need needle negative nerve net new
    night noise north nose number office oil old open operation order organ outbreak package page paint
    paper parent part party pass past patch patient pay peace penny people person pet picture piece pill pipe place
    plan plant play point poison police poor port positive pot power practice present press price problem
    procedure product professional program protection pull pump push queen question quick quiet radio rain raw reach
    read ready red reduction relapse relief remedy report rest rich right ring risk river road rock roll room rope round
    rubber run sad safe salt sand school science score scrape screen screening sea season seat section see sell send
    service set sex sharp sheet ship shirt shoe shop short shot show sick side sign silver simple sister sit size skin
    sleep slow small smell smoke snow soap social society soft son song sort sound south space spare special speed
    spirit split sponge spot spread spring square stable staff stage stand star start state stay steam step stick still
    stomach stone stop store storm story strange street strong student stuff substance subject sugar summer sun support
    surface surprise sweet swelling swim symbol system table take talk tall taste tea teacher tear term test thick
    thin thing think throw thrush tie time tired title toe tongue tool tooth top touch town trade train transfer travel
    treat treatment tree trial trip trouble true trust truth turn unit use value vessel view visit voice wait walk wall
    war ward warm wash waste watch water wave way weak wear weather week weight well west wet wheel white wide wife wild
    win wind window wing winter wire woman wood word work workup world worry worth wound write wrong year yellow
    young
""")

_EVERYDAY_KEYS = frozenset(map(key, EVERYDAY))


@dataclass(slots=True)
class Checked:
    """The files as triples: what is declared where, labelled how and spoken of by whom."""

    declared: dict[str, str] = field(default_factory=dict)  #: concept -> first file that declares it
    properties: set[str] = field(default_factory=set)
    labels: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    spoken_of: dict[str, tuple[str, str]] = field(default_factory=dict)  #: concept -> file and subject that mention it
    namespace: str = ""

    def read(self, path: Path) -> None:
        triples = list(pyoxigraph.parse(path=path, format=pyoxigraph.RdfFormat.TURTLE))
        for triple in triples:
            subject, predicate, value = triple.subject, triple.predicate, triple.object
            if not isinstance(subject, pyoxigraph.NamedNode):
                continue
            if predicate.value == _TYPE and isinstance(value, pyoxigraph.NamedNode):
                if value.value == _OWL + "Class":
                    self.declared.setdefault(subject.value, path.name)
                    self.namespace = self.namespace or subject.value.rpartition("#")[0] + "#"
                elif value.value in (_OWL + "ObjectProperty", _OWL + "AnnotationProperty"):
                    self.properties.add(subject.value)
            elif predicate.value == _RDFS + "label" and isinstance(value, pyoxigraph.Literal):
                self.labels[subject.value].add(value.value)
            for term in (subject, predicate, value):
                if isinstance(term, pyoxigraph.NamedNode):
                    self.spoken_of.setdefault(term.value, (path.name, subject.value))


class Checker:
    """All checks over one ontology; each yields the concept it is about and what is wrong."""

    def __init__(self, main: Path) -> None:
        self.triples = Checked()
        for path in (main, *sorted(main.with_suffix("").glob("*.ttl"))):
            self.triples.read(path)
        self.prefix = f"{main.stem}:"
        self.records = read(open_source(main), Options())
        self.ids = [self._local(identifier) for identifier in self.records.ids]
        self.parents: dict[str, list[str]] = defaultdict(list)
        self.children: dict[str, list[str]] = defaultdict(list)
        for child, parent in zip(self.records.parent_child, self.records.parent_parent, strict=True):
            if self.ids[parent] not in self.parents[self.ids[child]]:
                self.parents[self.ids[child]].append(self.ids[parent])
                self.children[self.ids[parent]].append(self.ids[child])
        self.above: Callable[[str], frozenset[str]] = cache(self._above)

    def _local(self, identifier: str) -> str:
        return identifier.removeprefix(self.triples.namespace).removeprefix(self.prefix)

    def _above(self, concept: str) -> frozenset[str]:
        """A concept and everything that generalizes it."""
        seen = {concept}
        waiting = [concept]
        while waiting:
            for parent in self.parents.get(waiting.pop(), ()):
                if parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
        return frozenset(seen)

    def is_root(self, concept: str) -> bool:
        return concept in ROOTS and not self.parents.get(concept)

    @cached_property
    def names(self) -> list[tuple[str, str, Scope]]:
        """Concept, name, scope."""
        records: Records = self.records
        columns = zip(records.name_concept, records.name_text, records.name_scope, strict=True)
        return list(dict.fromkeys((self.ids[concept], text, Scope(scope)) for concept, text, scope in columns))

    def findings(self) -> Iterator[tuple[str, str]]:
        """Everything that is wrong: concept, message."""
        yield from self.declarations()
        yield from self.hierarchy()
        yield from self.relations()
        yield from self.drugs()
        yield from self.owners()
        yield from self.variants()
        yield from self.spelling()

    def declarations(self) -> Iterator[tuple[str, str]]:
        declared = self.triples.declared
        for iri, (file, subject) in self.triples.spoken_of.items():
            if iri.startswith(self.triples.namespace) and iri not in declared and iri not in self.triples.properties:
                yield self._local(iri), f"is not declared ({self._local(subject)} in {file} speaks of it)"
        for iri in declared:
            if (count := len(self.triples.labels.get(iri, ()))) != 1:
                yield self._local(iri), f"has {count} labels"
        described = {self.ids[concept] for concept in self.records.definitions}
        yield from ((self._local(iri), "has no definition") for iri in declared if self._local(iri) not in described)

    def hierarchy(self) -> Iterator[tuple[str, str]]:
        cyclic = {concept for concept in self.ids if any(concept in self.above(p) for p in self.parents.get(concept, ()))}
        yield from ((concept, "lies below itself") for concept in sorted(cyclic))
        for concept in self.ids:
            if concept in cyclic or not self._is_declared(concept):
                continue
            if not self.parents.get(concept):
                if concept not in ROOTS:
                    yield concept, "has no parent and is not one of the roots"
                continue
            tops = {top for top in self.above(concept) if not self.parents.get(top)}
            if tops <= cyclic:
                continue
            if not tops & ROOTS:
                yield concept, "does not lead to a root"
            if (steps := self._longest(concept, cyclic)) > LONGEST_CHAIN:
                yield concept, f"is the end of a chain of {steps} concepts; at most {LONGEST_CHAIN} are meant"
            doubled = [p for p in self.parents[concept] if any(p in self.above(q) for q in self.parents[concept] if q != p)]
            yield from ((concept, f"has the parent {parent} a second time through another parent") for parent in doubled)

    def _longest(self, concept: str, cyclic: set[str]) -> int:
        return 1 + max((self._longest(p, cyclic) for p in self.parents.get(concept, ()) if p not in cyclic), default=0)

    def relations(self) -> Iterator[tuple[str, str]]:
        records = self.records
        by_label = {label: self._local(iri) for iri in self.triples.properties for label in self.triples.labels.get(iri, {iri})}
        for subject, kind, target in zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True):
            relation = by_label.get(records.relation_names[kind], records.relation_names[kind])
            source, goal = self.ids[subject], self.ids[target]
            if (rule := RULES.get(relation)) is None:
                yield source, f"uses the relation {relation}, which is not in the vocabulary"
                continue
            if source == goal:
                yield source, f"{relation} itself"
            if not self.above(source) & rule.subjects:
                yield source, f"{relation} {goal}: the subject is not below {self._or(rule.subjects)}"
            if not self.above(goal) & rule.objects:
                yield source, f"{relation} {goal}: the object is not below {self._or(rule.objects)}"

    @staticmethod
    def _or(branches: frozenset[str]) -> str:
        return " or ".join(sorted(branches))

    def drugs(self) -> Iterator[tuple[str, str]]:
        related = {self.ids[subject] for subject in self.records.relation_subject}
        for concept in self.ids:
            if concept == "drug" or "drug" not in self.above(concept) or self.children.get(concept):
                continue
            if not any(parent != "drug" and "drug" in self.above(parent) for parent in self.parents[concept]):
                yield concept, "is a drug without a class of drugs above it"
            if concept not in related:
                yield concept, "is a drug without a relation"

    def owners(self) -> Iterator[tuple[str, str]]:
        owners: dict[str, dict[str, str]] = defaultdict(dict)
        for concept, text, scope in self.names:
            if scope <= Scope.EXACT:
                owners[key(text)].setdefault(concept, text)
        for claims in owners.values():
            concepts = list(claims)
            for place, first in enumerate(concepts):
                for second in concepts[place + 1 :]:
                    if first not in self.above(second) and second not in self.above(first):
                        yield second, f"the exact name '{claims[second]}' is also one of {first} ({self._file(first)})"

    def variants(self) -> Iterator[tuple[str, str]]:
        seen: dict[tuple[str, str], str] = {}
        for concept, text, _ in sorted(self.names, key=lambda row: row[2]):
            known = seen.setdefault((concept, key(text)), text)
            if known is not text:
                yield concept, f"'{text}' is the same name as '{known}'"

    def spelling(self) -> Iterator[tuple[str, str]]:
        for concept, text, scope in self.names:
            if not text.strip() or not key(text):
                yield concept, "has an empty name"
                continue
            if text != text.strip() or re.search(r"\s\s|[\t\r\n]", text):
                yield concept, f"'{text}' has spaces that are not meant"
            if len(text) >= LONGEST_NAME:
                yield concept, f"'{text}' is too long for a name"
            if scope > Scope.EXACT:
                continue
            if re.fullmatch(r"[^\W\d_]{1,2}|[A-Z]&[A-Z]|[A-Z]/[A-Z]", text):
                yield concept, f"'{text}' is too short for an exact name"
            if key(text) in _EVERYDAY_KEYS and not (scope == Scope.PREFERRED and self.is_root(concept)):
                yield concept, f"'{text}' is an everyday word and no exact name"

    def _is_declared(self, concept: str) -> bool:
        return self.triples.namespace + concept in self.triples.declared

    def _file(self, concept: str) -> str:
        return self.triples.declared.get(self.triples.namespace + concept, "nowhere")

    def report(self) -> list[str]:
        """One line per finding, sorted by file and concept."""
        found = sorted({(self._file(concept), concept, message) for concept, message in self.findings()})
        return [f"{file}: {concept}: {message}" for file, concept, message in found]

    def counts(self) -> list[str]:
        """How many concepts and names every file declares."""
        concepts = Counter(self.triples.declared.values())
        names = Counter(self._file(concept) for concept, _, _ in self.names)
        return [f"{file}: {concepts[file]} concepts, {names[file]} names" for file in sorted(concepts)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files named on the command line."""
    parser = argparse.ArgumentParser(description="Check the ontology of protected entities.")
    parser.add_argument("file", type=Path, help="the Turtle file; what it imports lies in the folder called like it")
    parser.add_argument("--counts", action="store_true", help="also print how much every file declares")
    parsed = parser.parse_args(arguments)
    try:
        checker = Checker(parsed.file)
    except (OntologyError, OSError, SyntaxError, ValueError) as error:
        print(error)
        return 1
    if not checker.triples.declared:
        print(f"no concept is declared in {parsed.file}")
        return 1
    report = checker.report()
    for line in (*(checker.counts() if parsed.counts else ()), *report):
        print(line)
    return 1 if report else 0


if __name__ == "__main__":
    sys.exit(main())
