"""Build `wordnet.tsv.xz`: the nouns of WordNet 3.0 with their lemmas, sense order, hypernyms and wholes; no glosses.

    python tools/build_wordnet.py --out ontologies/ [--wordnet /usr/share/wordnet] [--first kgsan/sanitize/first_meanings.txt]

And `first_meanings.txt`: the nouns of several meanings that have the first of them in most places where somebody counted.
Data: a WordNet 3.0 database folder (data.noun, index.noun, cntlist.rev), as in Debian's `wordnet-base`.
Licence: WordNet 3.0 Copyright 2006 by Princeton University, see NOTICE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipping import Row, arguments, write_table

from kgsan.sources import wndb
from kgsan.sources.files import open_source
from kgsan.sources.records import Options, Records, Scope

if TYPE_CHECKING:
    from pathlib import Path

_MOST = 0.6


def wordnet_records(folder: Path) -> Records:
    """The nouns of a WordNet database folder."""
    return wndb.read(open_source(folder), Options(parts_of_speech="n", prefix="wn"))


def rows(records: Records) -> list[Row]:
    """One row per synset, in the order of the ids."""
    made = [Row(identifier, "") for identifier in records.ids]
    names = zip(records.name_concept, records.name_text, records.name_scope, records.name_rank, strict=True)
    for concept, text, scope, rank in names:
        if scope == Scope.PREFERRED:
            made[concept].name = text
        else:
            made[concept].synonyms.append(text)
        made[concept].senses[text] = min(rank, made[concept].senses.get(text, rank))
    for child, parent in zip(records.parent_child, records.parent_parent, strict=True):
        made[child].parents.append(records.ids[parent])
    for subject, kind, target in zip(records.relation_subject, records.relation_kind, records.relation_object, strict=True):
        made[subject].relations.setdefault(records.relation_names[kind], []).append(records.ids[target])
    return sorted(made, key=lambda row: row.id)


def first_meanings(folder: Path) -> list[str]:
    """The nouns of several meanings whose first one has three fifths of the counts, if each is counted once more."""
    counts: dict[str, dict[int, int]] = {}
    for line in (folder / "cntlist.rev").read_text("ascii").splitlines():
        sense, number, times = line.split()
        lemma, _, rest = sense.partition("%")
        if rest.startswith("1:"):  # a noun
            counts.setdefault(lemma, {})[int(number)] = int(times)
    found = []
    for line in (folder / "index.noun").read_text("ascii").splitlines():
        lemma, _, meanings, *_ = line.split() if line[0] != " " else ("", "", "1")
        counted = counts.get(lemma, {})
        if int(meanings) > 1 and counted.get(1, 0) + 1 >= _MOST * (sum(counted.values()) + int(meanings)):
            found.append(lemma.replace("_", " "))
    return found


if __name__ == "__main__":
    given = arguments(__doc__, wordnet="/usr/share/wordnet", first="kgsan/sanitize/first_meanings.txt")
    write_table(given.out / "wordnet.tsv.xz", rows(wordnet_records(given.wordnet)))
    given.first.write_text("\n".join(first_meanings(given.wordnet)) + "\n", "ascii")
