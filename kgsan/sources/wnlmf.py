"""Wordnets as the Global WordNet Association exchanges them: WN-LMF, versions 1.0 to 1.4."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from kgsan.errors import ontology_error
from kgsan.sources import xml
from kgsan.sources.files import SourceFile
from kgsan.sources.records import Options, Records, Scope, duplicate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.errors import OntologyError
    from kgsan.sources.files import Source

#: What a relation says, and whether it is told by the part (or the child) or by the whole (or the parent).
_RELATIONS = {
    "hypernym": ("parent", False),
    "instance_hypernym": ("parent", False),
    "hyponym": ("parent", True),
    "instance_hyponym": ("parent", True),
    "holo_part": ("part of", False),
    "mero_part": ("part of", True),
    "holo_member": ("member of", False),
    "mero_member": ("member of", True),
    "holo_substance": ("substance of", False),
    "mero_substance": ("substance of", True),
}


def recognises(source: Source) -> bool:
    """Whether the file is XML whose first element is a LexicalResource with Lexicon elements of the WN-LMF kind."""
    if not isinstance(source, SourceFile):
        return False
    head = source.head()
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "ignore").encode()
    root = re.search(rb"<LexicalResource\b[^>]*>", head)
    if root is None or re.search(rb"<[A-Za-z]", head[: root.start()]) or not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return False
    # The older Kyoto LMF has the same root, but a GlobalInformation before its lexicons and other attributes.
    return b"<GlobalInformation" not in head[root.end() : root.end() + 1000]


def read(source: Source, options: Options) -> Records:
    """The synsets of the lexicons in the language that is asked for."""
    assert isinstance(source, SourceFile)
    reading = _Reading(source.name)
    with source.open() as stream:
        xml.feed(reading.parser, stream, source.name)
    return _records(reading.lexicons, source.name, options)


@dataclass(slots=True)
class _Lexicon:
    """What stands in one Lexicon element; synsets and senses in the order of the file."""

    id: str
    language: str
    line: int
    requires: list[str] = field(default_factory=list)
    synset: list[str] = field(default_factory=list)
    synset_line: list[int] = field(default_factory=list)
    synset_pos: list[str | None] = field(default_factory=list)
    members: dict[str, list[str]] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    senses: list[tuple[str, str, int, str, str]] = field(default_factory=list)  #: synset, name, rank, entry, sense id
    word_class: dict[str, str] = field(default_factory=dict)  #: of synsets that leave it to their words
    relations: list[tuple[str, str, bool, str]] = field(default_factory=list)  #: source, what it says, reversed, target
    nameless: int = 0


class _Reading:
    """The state between two tags."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lexicons: list[_Lexicon] = []
        self.parser = xml.parser(name)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.SkippedEntityHandler = self._skipped
        self._starts = {
            "Lexicon": self._start_lexicon,
            "LexiconExtension": self._start_lexicon,
            "Requires": self._start_requires,
            "Extends": self._start_requires,
            "LexicalEntry": self._start_entry,
            "ExternalLexicalEntry": self._start_entry,
            "Lemma": self._start_lemma,
            "Sense": self._start_sense,
            "ExternalSense": self._start_external_sense,
            "Synset": self._start_synset,
            "ExternalSynset": self._start_external_synset,
            "SynsetRelation": self._start_relation,
            "Definition": self._start_definition,
        }
        self.root_seen = False
        self._lexicon: _Lexicon | None = None
        self._entry: str | None = None
        self._indexed = False
        self._lemma = ""
        self._pos = ""
        self._entry_senses: list[tuple[str, int | None, str]] = []
        self._counted: dict[tuple[str, str], int] = {}
        self._synset: str | None = None
        self._text: list[str] | None = None

    def _broken(self, message: str, hint: str | None = None) -> OntologyError:
        return ontology_error("O103", self.name, message, hint, line=self.parser.CurrentLineNumber)

    def _need(self, attributes: dict[str, str], element: str, name: str) -> str:
        value = attributes.get(name)
        if not value:
            raise self._broken(f"A {element} element has no '{name}'.")
        return value

    def _start(self, element: str, attributes: list[str]) -> None:
        start = self._starts.get(element)
        if start is not None:
            start(dict(zip(attributes[::2], attributes[1::2], strict=True)))
        elif not self.root_seen and element != "LexicalResource":
            raise self._broken(f"The file starts with '{element[:40]}', where WN-LMF has 'LexicalResource'.")
        self.root_seen = True

    def _end(self, element: str) -> None:
        if element == "Definition":
            self._end_definition()
        elif element == "Synset" or element == "ExternalSynset":
            self._synset = None
        elif element == "LexicalEntry" or element == "ExternalLexicalEntry":
            self._end_entry()
        elif element == "Lexicon" or element == "LexiconExtension":
            self._lexicon = None

    def _skipped(self, entity: str, is_parameter: bool) -> None:
        # The DTD is not fetched, so expat takes an entity that nobody declared for one that the DTD declares.
        raise self._broken(f"The entity '&{entity[:40]};' is not declared.", "Write the character itself.")

    def _start_lexicon(self, attributes: dict[str, str]) -> None:
        if self._lexicon is not None:
            raise self._broken("A Lexicon element stands inside another one.")
        identifier = self._need(attributes, "Lexicon", "id")
        self._lexicon = _Lexicon(identifier, attributes.get("language", ""), self.parser.CurrentLineNumber)
        self.lexicons.append(self._lexicon)
        self._counted = {}
        self._entry = self._synset = None

    def _inside(self, element: str) -> _Lexicon:
        if self._lexicon is None:
            raise self._broken(f"A {element} element stands outside of every Lexicon.")
        return self._lexicon

    def _start_requires(self, attributes: dict[str, str]) -> None:
        other = attributes.get("ref") or self._need(attributes, "Requires", "id")
        self._inside("Requires").requires.append(other)

    def _start_entry(self, attributes: dict[str, str]) -> None:
        self._inside("LexicalEntry")
        if self._entry is not None:
            raise self._broken("A LexicalEntry element stands inside another one.")
        self._entry = self._need(attributes, "LexicalEntry", "id")
        self._indexed = bool(attributes.get("index"))
        self._lemma = self._pos = ""
        self._entry_senses.clear()

    def _start_lemma(self, attributes: dict[str, str]) -> None:
        self._lemma = " ".join(self._need(attributes, "Lemma", "writtenForm").split())
        self._pos = _word_class(attributes.get("partOfSpeech", ""))

    def _start_sense(self, attributes: dict[str, str]) -> None:
        if self._entry is None:
            raise self._broken("A Sense element stands outside of every LexicalEntry.")
        place = attributes.get("n")
        if place is not None and not (place.isascii() and place.isdigit() and len(place) < 8):
            raise self._broken("The place 'n' of a Sense is not a number.")
        number = None if place is None else int(place)
        self._entry_senses.append((self._need(attributes, "Sense", "synset"), number, attributes.get("id", "")))

    def _start_external_sense(self, attributes: dict[str, str]) -> None:
        """The sense belongs to the lexicon that is extended, and so does its name."""

    def _end_entry(self) -> None:
        lexicon, entry = self._inside("LexicalEntry"), self._entry
        if entry is None:
            raise self._broken("A Lexicon element stands inside a LexicalEntry.")
        if not self._lemma:
            lexicon.nameless += len(self._entry_senses)
        elif self._entry_senses:
            # With an index, n counts over all entries of the index. Without one it counts inside the entry,
            # and the next entry of the same word goes on from there. Early English WordNets count from 0.
            base = 0 if any(number == 0 for _, number, _ in self._entry_senses) else 1
            word = (self._lemma, self._pos)
            before = 0 if self._indexed else self._counted.get(word, 0)
            for position, (synset, number, sense) in enumerate(self._entry_senses):
                rank = before + (position if number is None else number - base)
                lexicon.senses.append((synset, self._lemma, rank, entry, sense))
                lexicon.word_class.setdefault(synset, self._pos)
            if not self._indexed:
                self._counted[word] = before + len(self._entry_senses)
        self._entry = None

    def _start_synset(self, attributes: dict[str, str]) -> None:
        lexicon = self._inside("Synset")
        self._synset = identifier = self._need(attributes, "Synset", "id")
        lexicon.synset.append(identifier)
        lexicon.synset_line.append(self.parser.CurrentLineNumber)
        pos = attributes.get("partOfSpeech")
        lexicon.synset_pos.append(None if pos is None else _word_class(pos))
        if members := attributes.get("members"):
            lexicon.members[identifier] = members.split()

    def _start_external_synset(self, attributes: dict[str, str]) -> None:
        self._inside("ExternalSynset")
        self._synset = self._need(attributes, "ExternalSynset", "id")

    def _start_relation(self, attributes: dict[str, str]) -> None:
        if self._synset is None:
            raise self._broken("A SynsetRelation element stands outside of every Synset.")
        target = self._need(attributes, "SynsetRelation", "target")
        meaning = _RELATIONS.get(self._need(attributes, "SynsetRelation", "relType"))
        if meaning is not None:
            self._inside("SynsetRelation").relations.append((self._synset, *meaning, target))

    def _start_definition(self, attributes: dict[str, str]) -> None:
        if self._synset is None:
            raise self._broken("A Definition element stands outside of every Synset.")
        if self._synset not in self._inside("Definition").definitions:
            self._text = []
            self.parser.CharacterDataHandler = self._text.append

    def _end_definition(self) -> None:
        if self._text is not None and self._synset is not None:
            text = " ".join("".join(self._text).split())
            if text:
                self._inside("Definition").definitions[self._synset] = text
        self._text = None
        self.parser.CharacterDataHandler = None


def _word_class(pos: str) -> str:
    return "a" if pos == "s" else pos  # a satellite is an adjective


def _records(lexicons: list[_Lexicon], file: str, options: Options) -> Records:
    records = Records("WN-LMF")
    chosen = _in_language(lexicons, file, options, records)
    numbers = _number(chosen, file, options, records)
    if not records.ids:
        raise ontology_error(
            "O109",
            file,
            f"There is no synset of the word classes '{options.parts_of_speech}'.",
            "Ask for other word classes (n, v, a, r).",
        )
    named: set[int] = set()
    for lexicon in chosen:
        _name(lexicon, numbers, named, records)
        for synset, text in lexicon.definitions.items():
            if (number := numbers.get(synset)) is not None:
                records.definitions.setdefault(number, text)
    _relate(chosen, numbers, file, records)
    nameless = sum(lexicon.nameless for lexicon in chosen)
    if nameless:
        records.notice("O206", file, f"Senses of words that another lexicon spells were passed over ({nameless}).")
    return records


def _in_language(lexicons: list[_Lexicon], file: str, options: Options, records: Records) -> list[_Lexicon]:
    if options.language is None:
        return lexicons
    wanted = _primary(options.language)
    chosen = [lexicon for lexicon in lexicons if _primary(lexicon.language) == wanted]
    if chosen or not lexicons:
        return chosen
    found = ", ".join(sorted({lexicon.language or "none" for lexicon in lexicons}))
    records.notice(
        "O205", file, f"No lexicon is in the language '{options.language}'; those in {found} were read.", line=lexicons[0].line
    )
    return lexicons


def _primary(language: str) -> str:
    return re.split("[-_]", language.lower(), maxsplit=1)[0]


def _number(lexicons: list[_Lexicon], file: str, options: Options, records: Records) -> dict[str, int | None]:
    """The number of each synset; None for those of word classes that were not asked for."""
    wanted = set(map(_word_class, options.parts_of_speech))
    numbers: dict[str, int | None] = {}
    lines: dict[str, int] = {}
    line_of: list[int] = []
    for lexicon in lexicons:
        prefix = lexicon.id if options.prefix is None else options.prefix
        for synset, line, pos in zip(lexicon.synset, lexicon.synset_line, lexicon.synset_pos, strict=True):
            if synset in lines:
                raise duplicate(synset, file, line, lines[synset])
            lines[synset] = line
            if (pos or lexicon.word_class.get(synset, "")) not in wanted:
                numbers[synset] = None
                continue
            identifier = f"{prefix}:{synset.removeprefix(lexicon.id + '-')}"
            if identifier in records.numbers:
                raise duplicate(identifier, file, line, line_of[records.numbers[identifier]])
            numbers[synset] = records.concept(identifier)
            line_of.append(line)
    return numbers


def _name(lexicon: _Lexicon, numbers: dict[str, int | None], named: set[int], records: Records) -> None:
    names: dict[str, list[tuple[str, int, str, str]]] = {}
    for synset, text, rank, entry, sense in lexicon.senses:
        if numbers.get(synset) is not None:
            names.setdefault(synset, []).append((text, rank, entry, sense))
    for synset in chain(lexicon.synset, list(names)):  # the second for names that an extension gives to synsets of its base
        number = numbers.get(synset)
        if number is None or synset not in names:
            continue
        texts: dict[str, int] = {}
        for text, rank in _in_member_order(names.pop(synset), lexicon.members.get(synset)):
            texts[text] = min(rank, texts.get(text, rank))
        for text, rank in texts.items():
            records.name(number, text, Scope.EXACT if number in named else Scope.PREFERRED, rank)
            named.add(number)


def _in_member_order(names: list[tuple[str, int, str, str]], members: list[str] | None) -> Iterator[tuple[str, int]]:
    if members is not None and len(names) > 1:
        place = {member: n for n, member in reversed(list(enumerate(members)))}
        last = len(members)
        names.sort(key=lambda name: min(place.get(name[2], last), place.get(name[3], last)))
    return ((text, rank) for text, rank, _, _ in names)


def _relate(lexicons: list[_Lexicon], numbers: dict[str, int | None], file: str, records: Records) -> None:
    seen: set[tuple[str, int, int]] = set()
    unknown = 0
    for lexicon in lexicons:
        for source, says, is_reversed, target in lexicon.relations:
            subject, object_ = numbers.get(source), numbers.get(target)
            if subject is None or object_ is None:
                unknown += source not in numbers or target not in numbers
                continue
            if is_reversed:
                subject, object_ = object_, subject
            if (says, subject, object_) in seen:
                continue
            seen.add((says, subject, object_))
            if says == "parent":
                records.parent(subject, object_)
            else:
                records.relation(subject, says, object_)
    if unknown:
        records.notice("O203", file, f"Relations to synsets that are not in the source were left out ({unknown}).")
    _tell_of_missing_hierarchy(lexicons, file, records)


def _tell_of_missing_hierarchy(lexicons: Iterable[_Lexicon], file: str, records: Records) -> None:
    present = {lexicon.id for lexicon in lexicons}
    for lexicon in lexicons:
        absent = [other for other in lexicon.requires if other not in present]
        if absent and not any(says == "parent" for _, says, _, _ in lexicon.relations):
            records.notice(
                "O203",
                file,
                f"The lexicon '{lexicon.id}' has no hierarchy of its own: it borrows that of '{absent[0]}', which is not here.",
                "A word in it has no generalization.",
                line=lexicon.line,
            )
