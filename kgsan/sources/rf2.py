"""SNOMED CT as its publishers release it: folders or archives of RF2 files.

International edition and extensions may lie in one tree. Of a Full release the newest row of each component
counts; of a Snapshot every row does; a Delta says too little to be read.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import ontology_error
from kgsan.sources.files import SourceTree
from kgsan.sources.records import Options, Records, Scope
from kgsan.sources.tsv import ALL, Block, Numbering, blocks, mixed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgsan.sources.files import Source, SourceFile
    from kgsan.sources.tsv import Bools, Ints, Rows, Words

    _Taken = tuple[tuple[Any, ...], Sequence[str]]

FORMAT = "SNOMED CT RF2"

IS_A = 116680003
INFERRED, ADDITIONAL = 900000000000011006, 900000000000227009
FULL_NAME, SYNONYM, DEFINITION = 900000000000003001, 900000000000013009, 900000000000550004
PREFERRED, ACCEPTABLE = 900000000000548007, 900000000000549004
US_ENGLISH, GB_ENGLISH = 900000000000509007, 900000000000508004

#: Extensions put a name of their own before the release type ("UKEDSnapshot"); beta files begin with "x".
_FILE = re.compile(
    r"x?(?:sct2_(?P<table>Concept|Description|TextDefinition|Relationship)_|der2_cRefset_\w*?(?P<language>Language))"
    r"\w*?(?P<type>Snapshot|Full|Delta)(?:-[A-Za-z-]+)?(?:_(?P<owner>[^_.]+))?(?:_.*)?\.txt(?:\.gz|\.bz2|\.xz)?",
    re.IGNORECASE,
)
_COLUMNS = {
    "concept": ["id", "effectiveTime", "active"],
    "description": ["id", "effectiveTime", "active", "conceptId", "languageCode", "typeId", "term"],
    "relationship": ["id", "effectiveTime", "active", "sourceId", "destinationId", "typeId", "characteristicTypeId"],
    "language": ["id", "effectiveTime", "active", "refsetId", "referencedComponentId", "acceptabilityId"],
}
_NO_RANK = 255


def recognises(source: Source) -> bool:
    """Whether a folder or archive holds the files of a release."""
    return isinstance(source, SourceTree) and any(_match(path) for path in source)


def read(source: Source, options: Options) -> Records:
    """The active concepts of a release with their names in one language, their parents and their attributes."""
    assert isinstance(source, SourceTree)
    records = Records(FORMAT, prefixes={"sct": "http://snomed.info/id/"})
    release = _choose(source, records)
    sctids = _distinct(_concepts(release))
    if not len(sctids):
        raise ontology_error("O109", release.files["concept"][0].name, "No active concept was found.")
    concepts = Numbering(sctids)
    language = options.language.lower().replace("_", "-") if options.language else None
    with ThreadPoolExecutor(1) as beside:  # numpy lets threads run side by side
        members = beside.submit(_members, release)
        links = beside.submit(_links, release, concepts)
        ids = beside.submit(lambda: [f"sct:{sctid}" for sctid in sctids.tolist()])
        descriptions = _descriptions(release, language, concepts)
        preferred = _names(records, descriptions, members.result(), len(sctids), language, source.name)
        _relate(records, links.result(), concepts, preferred, source.name)
        records.ids = ids.result()
    return records


@dataclass(frozen=True, slots=True)
class _Release:
    files: dict[str, list[SourceFile]]
    versions: set[str]  #: tables in which several rows may speak of one component: the newest counts


def _match(path: str) -> re.Match[str] | None:
    return _FILE.fullmatch(path.rpartition("/")[2])


def _name(file: SourceFile) -> str:
    match = _match(file.name)
    assert match
    return (match["table"] or match["language"]).lower()


def _choose(source: SourceTree, records: Records) -> _Release:
    """The files to read: of Snapshot and Full the first that has concepts."""
    found: dict[str, dict[str, list[SourceFile]]] = {"snapshot": {}, "full": {}, "delta": {}}
    owners: dict[str, dict[str, str]] = {"snapshot": {}, "full": {}, "delta": {}}
    several: set[tuple[str, str]] = set()
    for path in sorted(source):
        match = _match(path)
        if match:
            name, kind = (match["table"] or match["language"]).lower(), match["type"].lower()
            table = "description" if name == "textdefinition" else name  # they are built alike
            if kind == "full" or any(_name(other) == name for other in found[kind].get(table, [])):
                several.add((kind, table))
            found[kind].setdefault(table, []).append(source[path])
            if table == "concept":
                owners[kind][match["owner"] or ""] = path
    kind = "snapshot" if "concept" in found["snapshot"] or "concept" not in found["full"] else "full"
    files = found[kind]
    if not files and found["delta"]:
        raise ontology_error(
            "O107",
            source.name,
            "Only a Delta release is here, which holds the latest changes and not the concepts.",
            "Take the Snapshot or the Full folder of the release.",
        )
    for table in ("concept", "description", "relationship"):
        if table not in files:
            raise ontology_error(
                "O107", source.name, f"The release has no file sct2_{table.capitalize()}_{kind.capitalize()}_... in it."
            )
    for owner in sorted(set(owners["full"]) - set(owners[kind])):
        records.notice(
            "O206",
            owners["full"][owner],
            f"The Full files of '{owner}' were passed over, because there are Snapshot files of others.",
            "Add the Snapshot files of every module, or of none.",
        )
    return _Release(files, {table for layout, table in several if layout == kind})


def _rows(
    release: _Release, table: str, take: Callable[[Block, Rows], _Taken], key: Callable[[Block], Ints]
) -> tuple[list[Any], list[str]]:
    """What `take` makes of the active rows of a table, as far as it is in force.

    `take` gets a block and the rows wanted of it, and gives arrays, of which the first says which rows it kept,
    and the texts of these rows.
    """
    texts: list[str] = []
    parts, versions, before = [], [], 0
    for file in release.files.get(table, []):
        for block in blocks(file, _COLUMNS[table]):
            active = block.flags("active")
            (kept, *columns), more = take(block, ALL if active.all() else np.flatnonzero(active))
            parts.append((kept + before, *columns))
            texts.extend(more)
            before += len(block)
            if table in release.versions:
                versions.append((key(block), block.dates("effectiveTime"), active))
    if not parts:
        return [], []
    positions, *parts_of = zip(*parts, strict=True)
    joined = [np.concatenate(column) for column in parts_of]
    if table in release.versions:
        keys, dates, actives = (np.concatenate(column) for column in zip(*versions, strict=True))
        in_force = _newest(keys, dates, actives)[np.concatenate(positions)]
        joined = [column[in_force] for column in joined]
        texts = list(compress(texts, in_force.tolist()))
    return joined, texts


def _newest(keys: Ints, dates: Ints, active: Bools) -> Bools:
    """Which rows are the newest of their component. Of two with one date the active one counts, then the later in the files."""
    order = np.lexsort((active, dates, keys))
    ordered = keys[order]
    last = np.ones(len(keys), np.bool_)
    last[:-1] = ordered[1:] != ordered[:-1]
    newest = np.zeros(len(keys), np.bool_)
    newest[order[last]] = True
    return newest


def _id(block: Block) -> Ints:
    return block.numbers("id", ALL)


def _positions(block: Block, rows: Rows) -> Ints:
    return np.arange(len(block))[rows]


def _concepts(release: _Release) -> Ints:
    def take(block: Block, rows: Rows) -> _Taken:
        return (_positions(block, rows), block.numbers("id", rows)), ()

    columns, _ = _rows(release, "concept", take, _id)
    return columns[0] if columns else np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class _Descriptions:
    """The names and definitions in the language wanted; full names come without their tag."""

    ids: Ints
    concept: Ints
    type: Ints
    digest: Words  #: the same for the same text; 0: not known
    texts: list[str]


def _descriptions(release: _Release, language: str | None, concepts: Numbering) -> _Descriptions:
    primary = language.partition("-")[0].encode("utf-8", "replace") if language else None

    def take(block: Block, rows: Rows) -> _Taken:
        positions = _positions(block, rows)
        if primary is not None:
            wanted = block.in_language("languageCode", rows, primary)
            if not wanted.all():
                rows = positions = positions[wanted]
        kind = block.numbers("typeId", rows, (SYNONYM, FULL_NAME))
        owner = concepts.find(block.numbers("conceptId", rows))
        starts, ends = block.cells("term", rows)
        kind[starts == ends] = 0  # an empty text is no name
        tagged = np.flatnonzero(kind == FULL_NAME)
        ends[tagged] = block.without_last_group(starts[tagged], ends[tagged])
        return (positions, block.numbers("id", rows), owner, kind, block.digests(starts, ends)), block.texts(starts, ends)

    columns, texts = _rows(release, "description", take, _id)
    if not columns:
        nothing = np.empty(0, np.int64)
        return _Descriptions(nothing, nothing, nothing, nothing.view(np.uint64), [])
    ids, owner, kind, digest = columns
    return _Descriptions(ids, owner, kind, digest, texts)


@dataclass(frozen=True, slots=True)
class _Members:
    """What the language reference sets say: this description is preferred or acceptable in that set."""

    description: Ints
    refset: Ints
    preferred: Bools


def _members(release: _Release) -> _Members:
    def take(block: Block, rows: Rows) -> _Taken:
        described = block.numbers("referencedComponentId", rows)
        refset = block.numbers("refsetId", rows, (US_ENGLISH, GB_ENGLISH))
        preferred = block.numbers("acceptabilityId", rows, (PREFERRED, ACCEPTABLE)) == PREFERRED
        return (_positions(block, rows), described, refset, preferred), ()

    def key(block: Block) -> Ints:
        # A member is known by a UUID. Component and set never change, so they help to tell members apart.
        made: Words = block.tails("id")
        for column in ("referencedComponentId", "refsetId"):
            made = mixed(made) + block.numbers(column, ALL).view(np.uint64)
        return made.view(np.int64)

    columns, _ = _rows(release, "language", take, key)
    if not columns:
        nothing = np.empty(0, np.int64)
        return _Members(nothing, nothing, np.empty(0, np.bool_))
    return _Members(*columns)


def _names(
    records: Records, found: _Descriptions, members: _Members, count: int, language: str | None, place: str
) -> Callable[[int], str | None]:
    """Fill in names and definitions; gives back how to ask for the preferred name of a concept."""
    place_of = Numbering(found.ids).find(members.description)
    known = place_of >= 0
    place_of, refset, prefers = place_of[known], members.refset[known], members.preferred[known]
    english = (refset == US_ENGLISH) | (refset == GB_ENGLISH)
    others = _distinct(refset[~english]).tolist()
    refsets = sorted([US_ENGLISH, GB_ENGLISH, *others], key=lambda number: _order(number, language))

    rank = np.full(len(found.ids), _NO_RANK, np.int64)
    for number in range(len(refsets) - 1, -1, -1):  # the best is written last
        rank[place_of[prefers & (refset == refsets[number])]] = min(number, _NO_RANK - 1)
    used = found.concept >= 0
    if len(place_of):
        member = np.zeros(len(found.ids), np.bool_)
        member[place_of] = True
        used &= member | (found.type == DEFINITION)

    synonym = used & (found.type == SYNONYM)
    best = _best(np.flatnonzero(synonym & (rank < _NO_RANK)), found, rank, count)
    full = np.flatnonzero(used & (found.type == FULL_NAME))
    # Without a preferred synonym the full name comes first.
    first_full = _best(full, found, rank, count)
    best = np.where(best < 0, first_full, best)

    texts = found.texts
    kept = synonym.copy()
    kept[_not_repeated(full, np.flatnonzero(synonym), best, found)] = True

    scope = np.full(len(found.ids), Scope.EXACT, np.int64)
    scope[best[best >= 0]] = Scope.PREFERRED
    records.name_text = list(compress(texts, kept.tolist()))
    records.name_concept, records.name_scope = _narrow(found.concept[kept]), _narrow(scope[kept])
    records.name_rank = _narrow(np.zeros(len(records.name_text), np.int64))

    defined = _best(np.flatnonzero(used & (found.type == DEFINITION)), found, rank, count)
    records.definitions = {concept: texts[defined[concept]] for concept in np.flatnonzero(defined >= 0).tolist()}

    nameless = count - int(np.count_nonzero(best >= 0))
    if nameless:
        named = np.zeros(count, np.bool_)
        named[records.name_concept] = True
        nameless = count - int(np.count_nonzero(named))
    if nameless == count and language:
        records.notice("O205", place, f"No name was found in the language '{language}'.", "Ask for a language of the release.")
    elif nameless:
        records.notice("O204", place, f"{nameless} active concepts have no name in the language that was asked for.")
    return lambda concept: texts[best[concept]] if best[concept] >= 0 else None


def _not_repeated(full: Ints, synonyms: Ints, best: Ints, found: _Descriptions) -> Ints:
    """The full names that say something else than the preferred name and the synonyms of their concept."""
    chosen = best[found.concept[full]]
    known = found.digest[full] != 0
    full = full[(found.digest[full] != found.digest[chosen]) | ~known | (full == chosen)]
    # Few are left, so the synonyms are looked through only where there is one.
    concerned = np.zeros(len(best), np.bool_)
    concerned[found.concept[full]] = True
    synonyms = synonyms[concerned[found.concept[synonyms]] & (found.digest[synonyms] != 0)]
    said = Numbering(_said(synonyms, found)).find(_said(full, found)) >= 0
    return full[~said]


def _said(rows: Ints, found: _Descriptions) -> Ints:
    """A number for what a description says of which concept."""
    return (mixed(found.digest[rows]) + found.concept[rows].view(np.uint64)).view(np.int64)


def _best(candidates: Ints, found: _Descriptions, rank: Ints, count: int) -> Ints:
    """For each concept the candidate of the best rank, of two the one with the lower id; -1 where there is none."""
    best = np.full(count, -1, np.int64)
    owner = found.concept[candidates]
    best[owner] = candidates
    if len(candidates) and np.bincount(owner).max() > 1:
        crowded = np.bincount(owner, minlength=count) > 1
        candidates = candidates[crowded[owner]]
        candidates = candidates[np.lexsort((found.ids[candidates], rank[candidates]))[::-1]]
        best[found.concept[candidates]] = candidates  # the best is written last
    return best


def _order(refset: int, language: str | None) -> tuple[bool, int]:
    """US English comes first, then British, then other sets; another order if that dialect was asked for."""
    known = [GB_ENGLISH, US_ENGLISH] if language == "en-gb" else [US_ENGLISH, GB_ENGLISH]
    other_dialect = language is not None and "-" in language and language not in ("en-us", "en-gb")
    return (refset in known) == other_dialect, known.index(refset) if refset in known else refset


def _distinct(values: Ints) -> Ints:
    """The different values in rising order. (np.unique is several times slower from numpy 2.3 on.)"""
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


@dataclass(frozen=True, slots=True)
class _Links:
    """Which concept is linked with which, without repetition, in rising order."""

    child: Ints
    parent: Ints
    types: Ints  #: the concepts that name the kinds of attribute
    subject: Ints
    kind: Ints  #: place in `types`
    object: Ints
    lost: int  #: how many links speak of concepts that are not there


def _links(release: _Release, concepts: Numbering) -> _Links:
    def take(block: Block, rows: Rows) -> _Taken:
        positions = _positions(block, rows)
        character = block.numbers("characteristicTypeId", rows, (INFERRED,))
        inferred = character == INFERRED
        if not inferred.all():
            wanted = inferred | (character == ADDITIONAL)
            rows = positions = positions[wanted]
            inferred = inferred[wanted]
        kind = block.numbers("typeId", rows)
        source, target = block.numbers("sourceId", rows), block.numbers("destinationId", rows)
        return (positions, concepts.find(source), kind, concepts.find(target), inferred), ()

    columns, _ = _rows(release, "relationship", take, _id)
    if not columns:
        columns = [np.empty(0, np.int64)] * 3 + [np.empty(0, np.bool_)]
    source, kind, target, inferred = columns
    count = len(concepts)
    hierarchy = kind == IS_A
    known = (source >= 0) & (target >= 0)
    wanted = inferred | ~hierarchy
    lost = int(np.count_nonzero(wanted & ~known))

    pair = source * count + target
    parents = _distinct(pair[wanted & known & hierarchy])
    attribute = wanted & known & ~hierarchy
    pair, kind = pair[attribute], kind[attribute]
    types = _distinct(kind)
    kind = np.searchsorted(types, kind)
    if len(types) * count**2 < 1 << 63:  # beyond, which no release reaches, repetitions stay
        kind, pair = np.divmod(_distinct(kind * count**2 + pair), count**2)
    return _Links(parents // count, parents % count, types, pair // count, kind, pair % count, lost)


def _relate(records: Records, links: _Links, concepts: Numbering, preferred: Callable[[int], str | None], place: str) -> None:
    """Fill in parents and relations; a kind of relation is called by the preferred name of its concept."""
    if links.lost:
        records.notice(
            "O203",
            place,
            f"{links.lost} active relationships speak of concepts that are inactive or missing, and were left out.",
            "An extension needs the International edition beside it.",
        )
    records.parent_child, records.parent_parent = _narrow(links.child), _narrow(links.parent)
    numbers: dict[str, int] = {}
    renumbered = np.zeros(len(links.types), np.int64)
    for number, (sctid, concept) in enumerate(zip(links.types.tolist(), concepts.find(links.types).tolist(), strict=True)):
        name = preferred(concept) if concept >= 0 else None
        renumbered[number] = numbers.setdefault(name.lower() if name else f"sct:{sctid}", len(numbers))
    records.relation_names = list(numbers)
    records.relation_subject, records.relation_object = _narrow(links.subject), _narrow(links.object)
    records.relation_kind = _narrow(renumbered[links.kind])


def _narrow(column: Ints) -> np.ndarray[Any, np.dtype[np.int32]]:
    return column.astype(np.int32)
