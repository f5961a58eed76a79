"""Turn a WordNet database folder (data.noun, index.noun, ...) into a WN-LMF file that the `wn` package can add.

    python tools/wndb_to_lmf.py /usr/share/wordnet pwn.xml --version 3.0
    python -c "import wn; wn.add('pwn.xml')"

The file is WN-LMF 1.4: earlier versions cannot say which of two case variants ("polish", "Polish") has which
sense number, nor in which order the words of a synset stand.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from kgsan.errors import OntologyError
from kgsan.sources.files import open_source
from kgsan.sources.records import Options, Records

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How a relation of the records is told by its subject and by its object.
RELATIONS = {
    "part of": ("holo_part", "mero_part"),
    "member of": ("holo_member", "mero_member"),
    "substance of": ("holo_substance", "mero_substance"),
}


def write_lmf(records: Records, out: IO[str], *, lexicon: str = "pwn", version: str = "3.0", language: str = "en") -> None:
    """Write the records of a WordNet as one WN-LMF lexicon; 'wn:00001740-n' becomes 'pwn-00001740-n'."""
    synset_ids = [f"{lexicon}-{identifier.partition(':')[2]}" for identifier in records.ids]
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    out.write('<!DOCTYPE LexicalResource SYSTEM "https://globalwordnet.github.io/schemas/WN-LMF-1.4.dtd">\n')
    out.write('<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">\n')
    out.write(f'<Lexicon id={quoteattr(lexicon)} label="WordNet" language={quoteattr(language)} email="wordnet@princeton.edu"')
    out.write(f' license="https://wordnet.princeton.edu/license-and-commercial-use" version={quoteattr(version)}>\n')
    members = _write_entries(records, synset_ids, lexicon, out)
    _write_synsets(records, synset_ids, members, out)
    out.write("</Lexicon>\n</LexicalResource>\n")


def _write_entries(records: Records, synset_ids: list[str], lexicon: str, out: IO[str]) -> list[list[str]]:
    entries: dict[tuple[str, str], list[tuple[int, int]]] = {}
    members: list[list[str]] = [[] for _ in synset_ids]
    columns = zip(records.name_concept, records.name_text, records.name_scope, records.name_rank, strict=True)
    for concept, text, _, rank in sorted(columns, key=lambda row: (row[0], row[2])):
        pos = _part_of_speech(synset_ids[concept])
        entries.setdefault((text, pos), []).append((rank, concept))
        members[concept].append(_entry_id(lexicon, text, pos))
    for (text, pos), senses in entries.items():
        entry = _entry_id(lexicon, text, pos)
        out.write(f'<LexicalEntry id="{entry}"><Lemma writtenForm={_attribute(text)} partOfSpeech="{pos}"/>')
        for rank, concept in sorted(senses):
            synset = synset_ids[concept]
            sense = f"{synset}-{members[concept].index(entry) + 1}"
            out.write(f'<Sense id="{sense}" synset="{synset}" n="{rank + 1}"/>')
        out.write("</LexicalEntry>\n")
    return members


def _write_synsets(records: Records, synset_ids: list[str], members: list[list[str]], out: IO[str]) -> None:
    relations: list[list[tuple[str, int]]] = [[] for _ in synset_ids]
    for child, parent in zip(records.parent_child, records.parent_parent, strict=True):
        relations[child].append(("hypernym", parent))
        relations[parent].append(("hyponym", child))
    for subject, kind, target in zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True):
        if (both := RELATIONS.get(records.relation_names[kind])) is not None:
            relations[subject].append((both[0], target))
            relations[target].append((both[1], subject))
    for number, synset in enumerate(synset_ids):
        words = f' members="{" ".join(members[number])}"' if members[number] else ""
        out.write(f'<Synset id="{synset}" ili="" partOfSpeech="{_part_of_speech(synset)}"{words}>')
        if (text := records.definitions.get(number)) is not None:
            out.write(f"<Definition>{escape(_legal(text))}</Definition>")
        for kind_of, other in relations[number]:
            out.write(f'<SynsetRelation relType="{kind_of}" target="{synset_ids[other]}"/>')
        out.write("</Synset>\n")


def _part_of_speech(synset: str) -> str:
    return synset.rpartition("-")[2]


def _entry_id(lexicon: str, text: str, pos: str) -> str:
    """An XML id that no other word shares: '_' for a space, '--' for a hyphen, the code point of any other sign."""
    signs = {" ": "_", "-": "--"}
    word = re.sub(r"[^A-Za-z0-9.]", lambda sign: signs.get(sign[0]) or f"-u{ord(sign[0]):x}-", text)
    return f"{lexicon}-{word}-{pos}"


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))


def _legal(text: str) -> str:
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the conversion; the exit code is 0, or 3 when the folder cannot be read."""
    from kgsan.sources import wndb

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder with data.noun and index.noun")
    parser.add_argument("output", type=Path, help="the WN-LMF file to write")
    parser.add_argument("--parts", default="n", help="word classes: any of n, v, a, r (default: n)")
    parser.add_argument("--lexicon", default="pwn", help="id of the lexicon (default: pwn)")
    parser.add_argument("--version", default="3.0", help="version of the lexicon (default: 3.0)")
    given = parser.parse_args(arguments)
    try:
        records = wndb.read(open_source(given.folder), Options(parts_of_speech=given.parts))
    except OntologyError as error:
        print(error, file=sys.stderr)
        return 3
    with given.output.open("w", encoding="utf-8", newline="\n") as out:
        write_lmf(records, out, lexicon=given.lexicon, version=given.version)
    return 0


if __name__ == "__main__":
    sys.exit(main())
