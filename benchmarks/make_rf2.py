"""An invented release in the layout and of the size of SNOMED CT, to measure reading on.

    python benchmarks/make_rf2.py FOLDER

Shape (a DAG of 14 levels, a quarter of the concepts with several parents), widths and file sizes follow the
International edition; every word is made of random syllables and no check digit is right, so nothing in it
can be mistaken for SNOMED CT.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    Ints = np.ndarray[Any, np.dtype[np.int64]]

ROOT = 138875005
IS_A = 116680003
MODULE = 900000000000207008
INFERRED = 900000000000011006
FSN, SYNONYM = 900000000000003001, 900000000000013009
US, GB = 900000000000509007, 900000000000508004
PREFERRED, ACCEPTABLE = 900000000000548007, 900000000000549004
DATE = "20250101"
#: Share of the concepts on each level below the root; most of SNOMED CT lies six to nine steps down.
LEVELS = np.array([0.0001, 0.001, 0.008, 0.03, 0.08, 0.14, 0.19, 0.19, 0.15, 0.1, 0.06, 0.03, 0.015, 0.0059])
MULTI_PARENT = 0.27
ATTRIBUTE_TYPES = 60
TAGS = ["disorder", "procedure", "finding", "body structure", "substance", "qualifier value", "organism"]


def write_release(
    folder: Path,
    concepts: int = 370_000,
    isa: int = 580_298,
    descriptions: int = 1_356_250,
    seed: int = 1,
    attributes: int = 400_000,
) -> None:
    """Write a Snapshot release with so many active rows, and about 5 % inactive ones besides."""
    random = np.random.default_rng(seed)
    ids = _concept_ids(random, concepts)
    terminology, language = folder / "Snapshot" / "Terminology", folder / "Snapshot" / "Refset" / "Language"
    terminology.mkdir(parents=True, exist_ok=True)
    language.mkdir(parents=True, exist_ok=True)

    retired = ids[1:] + 1  # ids end in 5, these end in 6
    retired = retired[: max(1, concepts // 20)]
    rows = [f"{i}\t{DATE}\t1\t{MODULE}\t900000000000074008" for i in ids.tolist()]
    rows += [f"{i}\t{DATE}\t0\t{MODULE}\t900000000000074008" for i in retired.tolist()]
    _write(terminology / f"sct2_Concept_Snapshot_INT_{DATE}.txt", "id effectiveTime active moduleId definitionStatusId", rows)

    child, parent = _hierarchy(random, concepts, isa)
    types = ids[1 : 1 + ATTRIBUTE_TYPES]
    subject, target = random.integers(1, concepts, attributes), random.integers(1, concepts, attributes)
    source = np.concatenate([ids[child], ids[subject]])
    destination = np.concatenate([ids[parent], ids[target]])
    kind = np.concatenate([np.full(len(child), IS_A), random.choice(types, attributes)])
    group = np.concatenate([np.zeros(len(child), int), random.integers(0, 4, attributes)])
    active = (random.random(len(source)) >= 0.05).astype(int)
    active[: len(child)] = 1
    start = 10_000_000
    rows = [
        f"{n}02{n % 10}\t{DATE}\t{a}\t{MODULE}\t{s}\t{d}\t{g}\t{k}\t{INFERRED}\t900000000000451002"
        for n, a, s, d, g, k in zip(
            range(start, start + len(source)),
            active.tolist(),
            source.tolist(),
            destination.tolist(),
            group.tolist(),
            kind.tolist(),
            strict=True,
        )
    ]
    _write(
        terminology / f"sct2_Relationship_Snapshot_INT_{DATE}.txt",
        "id effectiveTime active moduleId sourceId destinationId relationshipGroup typeId characteristicTypeId modifierId",
        rows,
    )

    rows, members = _descriptions(random, ids, descriptions)
    _write(
        terminology / f"sct2_Description_Snapshot-en_INT_{DATE}.txt",
        "id effectiveTime active moduleId conceptId languageCode typeId term caseSignificanceId",
        rows,
    )
    _write(
        language / f"der2_cRefset_LanguageSnapshot-en_INT_{DATE}.txt",
        "id effectiveTime active moduleId refsetId referencedComponentId acceptabilityId",
        members,
    )


def _concept_ids(random: np.random.Generator, concepts: int) -> Ints:
    """Eight to ten digits for most, sixteen for some, as in a release with extensions; the root comes first."""
    short = random.choice(np.arange(100_000, 100_000 + 20 * concepts), int(concepts * 0.9), replace=False) * 1000 + 5
    long = (7_000_000 + np.arange(concepts - 1 - len(short))) * 1_000_000_000 + 1_000_105
    rest = np.concatenate([short, long])
    random.shuffle(rest)
    return np.concatenate([[ROOT], rest[rest != ROOT]])


def _hierarchy(random: np.random.Generator, concepts: int, isa: int) -> tuple[Ints, Ints]:
    """Child and parent positions: one parent on the level above, the others anywhere higher up."""
    sizes = np.maximum(1, (LEVELS / LEVELS.sum() * (concepts - 1)).astype(int))
    sizes[np.argmax(sizes)] += concepts - 1 - sizes.sum()
    starts = np.concatenate([[0], 1 + np.concatenate([[0], np.cumsum(sizes)])])
    child = np.arange(1, concepts)
    level = np.searchsorted(starts, child, side="right") - 1
    above, width = starts[level - 1], starts[level] - starts[level - 1]
    parent = above + (random.random(concepts - 1) ** 2 * width).astype(int)  # a few parents have most children
    extra = max(0, isa - len(child))
    multi = random.choice(child, max(1, int(concepts * MULTI_PARENT)), replace=False)
    more = multi[random.integers(0, len(multi), extra)]
    higher = (random.random(extra) * starts[level[more - 1]]).astype(int)
    return np.concatenate([child, more]), np.concatenate([parent, higher])


def _descriptions(random: np.random.Generator, ids: Ints, count: int) -> tuple[list[str], list[str]]:
    """Description rows and the language members that speak of them."""
    words = _words(random, 30_000)
    synonyms = count - 2 * len(ids)
    owner = np.concatenate([ids, ids, random.choice(ids, max(0, synonyms))])
    owner = np.concatenate([owner, random.choice(ids, count // 20)])  # the inactive ones
    length = random.integers(2, 8, len(owner))
    drawn = (random.random((len(owner), 7)) ** 2 * len(words)).astype(int)
    terms = [" ".join([words[w] for w in row[:n]]).capitalize() for row, n in zip(drawn.tolist(), length.tolist(), strict=True)]
    tags = random.integers(0, len(TAGS), len(ids)).tolist()
    same = (random.random(len(ids)) < 0.85).tolist()  # the preferred term is mostly the FSN without its tag
    for i, (tag, equal) in enumerate(zip(tags, same, strict=True)):
        if equal:
            terms[len(ids) + i] = terms[i]
        terms[i] += f" ({TAGS[tag]})"

    # Half of the concepts are old: their descriptions lie anywhere. Those of a newer concept follow each other.
    old = random.random(len(ids)) < 0.5
    by_concept = np.argsort(ids, kind="stable")
    at = by_concept[np.searchsorted(ids, owner, sorter=by_concept)]
    order = np.argsort(np.where(old[at], random.integers(0, len(ids), len(owner)), len(ids) + at), kind="stable")
    number = np.empty(len(owner), int)
    number[order] = np.arange(2_000_000, 2_000_000 + len(owner))
    numbers, owners = number.tolist(), owner.tolist()
    rows = [""] * len(owners)
    for place, i in enumerate(order.tolist()):
        kind = FSN if i < len(ids) else SYNONYM
        rows[place] = (
            f"{numbers[i]}01{numbers[i] % 10}\t{DATE}\t{int(i < count)}\t{MODULE}\t{owners[i]}\ten\t{kind}\t"
            f"{terms[i]}\t900000000000448009"
        )

    both = random.random((count, 2)) < 0.94
    both[: 2 * len(ids)] = True
    rest = np.concatenate([np.flatnonzero(both[:, 0]), np.flatnonzero(both[:, 1])])
    refsets = np.concatenate([np.full(both[:, 0].sum(), US), np.full(both[:, 1].sum(), GB)])
    shuffled = random.permutation(len(rest))
    names = random.bytes(16 * len(rest)).hex()
    members = [
        f"{names[at : at + 8]}-{names[at + 8 : at + 12]}-{names[at + 12 : at + 16]}-{names[at + 16 : at + 20]}-"
        f"{names[at + 20 : at + 32]}\t{DATE}\t1\t{MODULE}\t{refset}\t{numbers[i]}01{numbers[i] % 10}\t"
        f"{PREFERRED if i < 2 * len(ids) else ACCEPTABLE}"
        for at, i, refset in zip(range(0, 32 * len(rest), 32), rest[shuffled].tolist(), refsets[shuffled].tolist(), strict=True)
    ]
    return rows, members


def _words(random: np.random.Generator, count: int) -> list[str]:
    starts = ["b", "br", "c", "ch", "d", "dr", "f", "g", "gl", "h", "k", "l", "m", "n", "p", "ph", "r", "s", "st", "t", "v", "z"]
    middles = ["a", "e", "i", "o", "u", "ae", "ia", "ou"]
    ends = ["", "", "l", "n", "r", "s", "x", "m"]
    syllables = [a + b + c for a in starts for b in middles for c in ends]
    lengths = random.integers(1, 5, 2 * count).tolist()
    drawn = random.integers(0, len(syllables), (2 * count, 4)).tolist()
    made = dict.fromkeys("".join([syllables[s] for s in row[:n]]) for row, n in zip(drawn, lengths, strict=True))
    return list(made)[:count]


def _write(path: Path, header: str, rows: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write("\t".join(header.split()) + "\r\n")
        stream.write("\r\n".join(rows))
        stream.write("\r\n")


if __name__ == "__main__":
    write_release(Path(sys.argv[1]))
