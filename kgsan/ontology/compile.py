"""Records of one or several sources, turned into the arrays of a compiled ontology."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import Place, Problem, ontology_error
from kgsan.ontology import chains, names, subtrees
from kgsan.ontology.arrays import ArrayFile, narrow, pack
from kgsan.sources import no_collection
from kgsan.sources.records import Records, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kgsan.sources.records import Column

    Ints = NDArray[np.int64]

KIND = "ontology"
#: Raised whenever the meaning of the arrays changes; older files are refused with a hint to compile again.
VERSION = 3
_LONGEST_NAME = 1000
_UNTIDY = re.compile(rf"\s\s|[^\S\n ]|^ | $|.{{{_LONGEST_NAME + 1}}}", re.MULTILINE)


def compile_records(records: Records, sources: Sequence[dict[str, Any]] = ()) -> ArrayFile:
    """The compiled form of what a source says. The same records, in any order, give the same bytes."""
    with no_collection():
        return _compile(records, sources)


def _compile(records: Records, sources: Sequence[dict[str, Any]]) -> ArrayFile:
    from kgsan.ontology.graph import TooEntangled, cut_cycles, shape  # scipy takes long to import and is needed here only

    file = sources[0]["name"] if sources else records.format
    if not records.ids:
        raise ontology_error("O109", file, "No concept was found.", "Is this the file you meant?")
    problems = list(records.problems)
    by_id, rank = _sorted_ids(records.ids, file)
    count = len(by_id)

    child, parent = rank[_ints(records.parent_child)], rank[_ints(records.parent_parent)]
    try:
        child, parent, cycles, dropped = cut_cycles(count, child, parent)
        if cycles:
            problems += _cycle_problems(cycles, dropped, file, _called(records, by_id))
        form = shape(count, child, parent)
    except TooEntangled:
        raise ontology_error(
            "O110",
            file,
            "The concepts have so many generalizations in common that they do not fit in memory.",
            "Load a part with 'under'.",
        ) from None
    number = np.empty(count, dtype=np.int64)  # of a record's concept in the compiled order
    number[by_id[form.order]] = np.arange(count)
    ids = [records.ids[i] for i in by_id[form.order].tolist()]

    columns = _names(records, number)
    nameless = count - len(np.unique(columns.concept))
    if nameless and not any(problem.code in ("O204", "O205") for problem in problems):  # unless the reader said so
        problems.append(
            Problem("O204", Place(file), f"{nameless} of {count} concepts have no name and are found by their id only.")
        )
    arrays: dict[str, NDArray[Any]] = {
        "end": narrow(form.end),
        "parents_start": narrow(form.parents_start),
        "parents": narrow(form.parents),
        "children_start": narrow(_group(form.parents, count)[0]),
        "children": narrow(_children(form.parents_start, form.parents, count)),
        "extra_start": narrow(form.extra_start),
        "extra": narrow(form.extra),
        "extra_end": narrow(form.extra_end),
        "below": narrow(form.below),
        "leaves": narrow(form.leaves),
        "above": narrow(form.above),
        "depth": narrow(form.depth),
        "names_start": narrow(_group(columns.concept, count)[0]),
        "name_concept": narrow(columns.concept),
        "name_scope": columns.scope.astype(np.uint8),
        "name_rank": np.minimum(columns.rank, 65535).astype(np.uint16),
    }
    arrays["ids"], arrays["ids_at"] = pack(ids)
    arrays["special_at"], arrays["special"] = narrow(subtrees.places(arrays)), narrow(subtrees.lists(arrays))
    arrays["chain_at"], arrays["chain"] = narrow(chains.places(arrays)), chains.lists(arrays)
    arrays["names"], arrays["names_at"] = pack(columns.text)
    _add_index(
        arrays,
        "id",
        [*ids, *sorted(records.aliases)],
        [*range(count), *(number[records.aliases[a]] for a in sorted(records.aliases))],
    )
    _add_name_index(arrays, columns.text)
    kinds = _add_relations(arrays, records, number)
    _add_texts(arrays, "definition", ((int(number[c]), " ".join(t.split())) for c, t in records.definitions.items()), count)
    _add_texts(arrays, "reference", ((int(number[c]), t) for c, t in records.references), count)
    about = {
        "sources": list(sources),
        "format": records.format,
        "concepts": count,
        "names": len(columns.text),
        "parents": len(form.parents),
        "relations": len(arrays["relation_subject"]),
        "relation_names": kinds,
        "roots": int((np.diff(form.parents_start) == 0).sum()),
        "leaves": int((form.below == 0).sum()),
        "deepest": int(form.depth.max()),
        "prefixes": dict(sorted(records.prefixes.items())),
        "problems": [_problem(p) for p in problems],
    }
    return ArrayFile(KIND, VERSION, about, arrays)


def merge(all_records: Sequence[Records]) -> Records:
    """Several sources as one: concepts with the same id are the same concept, with the names and parents of all."""
    if len(all_records) == 1:
        return all_records[0]
    merged = Records(" + ".join(dict.fromkeys(r.format for r in all_records)))
    for records in all_records:
        number = [merged.concept(identifier) for identifier in records.ids]
        has_name = set(_ints(merged.name_concept)[_ints(merged.name_scope) == Scope.PREFERRED].tolist())
        for concept, text, scope, rank in zip(
            _ints(records.name_concept).tolist(),
            records.name_text,
            _ints(records.name_scope).tolist(),
            _ints(records.name_rank).tolist(),
            strict=True,
        ):
            demoted = scope == Scope.PREFERRED and number[concept] in has_name  # the first source names the concept
            merged.name(number[concept], text, Scope.EXACT if demoted else Scope(scope), rank)
        for child, parent in zip(_ints(records.parent_child).tolist(), _ints(records.parent_parent).tolist(), strict=True):
            merged.parent(number[child], number[parent])
        for subject, kind, target in zip(
            _ints(records.relation_subject).tolist(),
            _ints(records.relation_kind).tolist(),
            _ints(records.relation_object).tolist(),
            strict=True,
        ):
            merged.relation(number[subject], records.relation_names[kind], number[target])
        for concept, text in records.definitions.items():
            merged.definitions.setdefault(number[concept], text)
        merged.references += [(number[c], text) for c, text in records.references]
        for alias, concept in records.aliases.items():
            merged.aliases.setdefault(alias, number[concept])
        for short, iri in records.prefixes.items():
            merged.prefixes.setdefault(short, iri)
        merged.problems += records.problems
    merged.aliases = {alias: concept for alias, concept in merged.aliases.items() if alias not in merged.numbers}
    return merged


def subset(records: Records, under: str, file: str) -> Records:
    """The records of one concept and all its specializations; parents outside are forgotten."""
    numbers = {identifier: i for i, identifier in enumerate(records.ids)}
    top = numbers.get(under, records.aliases.get(under))
    if top is None and ":" not in under:
        top = next((i for identifier, i in numbers.items() if identifier.partition(":")[2] == under), None)
    if top is None:
        raise ontology_error("O113", file, f"There is no concept with the id '{under}' to start from.")
    child, parent = _ints(records.parent_child), _ints(records.parent_parent)
    starts, order = _group(parent, len(records.ids))
    below = child[order]
    keep = np.zeros(len(records.ids), dtype=bool)
    keep[top] = True
    frontier = np.array([top])
    while len(frontier):
        spans = [below[starts[i] : starts[i + 1]] for i in frontier.tolist()]
        reached = np.unique(np.concatenate(spans))
        frontier = reached[~keep[reached]]
        keep[frontier] = True
    number = np.cumsum(keep) - 1
    part = Records(records.format, ids=[records.ids[i] for i in np.flatnonzero(keep).tolist()], prefixes=records.prefixes)
    named = keep[_ints(records.name_concept)]
    part.name_concept = number[_ints(records.name_concept)[named]]
    part.name_text = [text for text, wanted in zip(records.name_text, named.tolist(), strict=True) if wanted]
    part.name_scope, part.name_rank = _ints(records.name_scope)[named], _ints(records.name_rank)[named]
    inside = keep[child] & keep[parent]
    part.parent_child, part.parent_parent = number[child[inside]], number[parent[inside]]
    subject, target = _ints(records.relation_subject), _ints(records.relation_object)
    related = keep[subject] & keep[target]
    part.relation_names = records.relation_names
    part.relation_subject, part.relation_object = number[subject[related]], number[target[related]]
    part.relation_kind = _ints(records.relation_kind)[related]
    part.definitions = {int(number[c]): text for c, text in records.definitions.items() if keep[c]}
    part.aliases = {alias: int(number[c]) for alias, c in records.aliases.items() if keep[c]}
    part.references = [(int(number[c]), text) for c, text in records.references if keep[c]]
    part.problems = records.problems
    return part


def _ints(column: Sequence[int] | Column) -> Ints:
    return np.asarray(column, dtype=np.int64)


def _sorted_ids(ids: list[str], file: str) -> tuple[Ints, Ints]:
    """The records' numbers in the order of their ids, and the place of each in that order."""
    by_id = np.asarray(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.int64)
    ordered = [ids[i] for i in by_id.tolist()]
    for one, other in pairwise(ordered):
        if one == other:
            raise ontology_error("O108", file, f"The id '{one}' belongs to two concepts.", "Give one of them another id.")
    rank = np.empty(len(ids), dtype=np.int64)
    rank[by_id] = np.arange(len(ids))
    return by_id, rank


def _called(records: Records, by_id: Ints) -> Callable[[int], str]:
    """What to call the concept at a place in the order of ids."""
    preferred: dict[int, str] = {}
    for i in np.flatnonzero(_ints(records.name_scope) == Scope.PREFERRED).tolist():
        preferred.setdefault(int(records.name_concept[i]), records.name_text[i])
    return lambda place: preferred.get(int(by_id[place])) or records.ids[by_id[place]]


def _cycle_problems(cycles: list[list[int]], dropped: int, file: str, called: Callable[[int], str]) -> list[Problem]:
    problems = []
    for cycle in cycles:
        shown = cycle if len(cycle) <= 12 else [*cycle[:6], -1, *cycle[-5:]]
        path = " -> ".join("..." if i < 0 else called(i) for i in shown)
        message = f"Concepts generalize each other: {path}."
        problems.append(Problem("O202", Place(file), message, "The step that closes the circle was left out."))
    if dropped > len(cycles):
        problems.append(Problem("O202", Place(file), f"{dropped} steps that close circles were left out in all."))
    return problems


@dataclass(slots=True)
class _Names:
    """Every name once per concept, in the order of concepts, best scope first."""

    concept: Ints
    scope: Ints
    rank: Ints
    text: list[str] = field(default_factory=list)


def _names(records: Records, number: Ints) -> _Names:
    concept = number[_ints(records.name_concept)]
    scope, rank = _ints(records.name_scope), _ints(records.name_rank)
    order = np.lexsort((scope, concept))
    texts = records.name_text
    together = "\n".join(texts)
    if together.count("\n") != len(texts) - 1 or _UNTIDY.search(together):
        texts = [" ".join(text.split())[:_LONGEST_NAME] for text in texts]
    tidy = [texts[i] for i in order.tolist()]
    concepts, scopes, ranks = concept[order].tolist(), scope[order].tolist(), rank[order].tolist()
    kept: list[tuple[int, int, int, str]] = []
    start = 0
    for stop in [*(np.flatnonzero(np.diff(concept[order])) + 1).tolist(), len(concepts)]:
        if stop - start == 1:
            if tidy[start]:
                kept.append((concepts[start], scopes[start], ranks[start], tidy[start]))
        else:
            seen: set[str] = set()
            for row in sorted(zip(scopes[start:stop], tidy[start:stop], ranks[start:stop], strict=True)):
                if row[1] and row[1] not in seen:
                    seen.add(row[1])
                    kept.append((concepts[start], row[0], row[2], row[1]))
        start = stop
    if not kept:
        empty = np.zeros(0, dtype=np.int64)
        return _Names(empty, empty, empty)
    columns = list(zip(*kept, strict=True))
    return _Names(_ints(columns[0]), _ints(columns[1]), _ints(columns[2]), list(columns[3]))


def _group(owner: Ints, count: int) -> tuple[Ints, Ints]:
    """Where the rows of each owner start once they are sorted by owner, and the order that sorts them."""
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(owner, minlength=count), out=starts[1:])
    return starts, np.argsort(owner, kind="stable")


def _children(parents_start: Ints, parents: Ints, count: int) -> Ints:
    child = np.repeat(np.arange(count), np.diff(parents_start))
    ordered: Ints = child[_group(parents, count)[1]]
    return ordered


def _add_index(arrays: dict[str, NDArray[Any]], name: str, keys: Sequence[str], targets: Sequence[int]) -> None:
    """Two columns that answer "which rows have this key": sorted hashes, and the row of each."""
    hashes = np.fromiter(map(names.hash_key, keys), dtype=np.uint64, count=len(keys))
    order = np.lexsort((_ints(targets), hashes))
    arrays[f"{name}_hash"] = hashes[order]
    arrays[f"{name}_row"] = narrow(_ints(targets)[order])


class _Words(dict[str, tuple[str, str, int]]):
    """For each word as it is written: its key, its key in small letters, and the number of the latter."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}

    def __missing__(self, word: str) -> tuple[str, str, int]:
        key, loose = names.keys(word)
        made = self[word] = (key, loose, self.numbers.setdefault(loose, len(self.numbers)))
        return made


def _add_name_index(arrays: dict[str, NDArray[Any]], texts: list[str]) -> None:
    words = _Words()
    known = words.__getitem__
    keys: list[str] = []
    rows: list[int] = []
    tokens: list[int] = []
    token_rows: list[int] = []
    for row, text in enumerate(texts):
        found = list(map(known, names.words(text)))
        key = " ".join([exact for exact, _, _ in found])
        loose = " ".join([small for _, small, _ in found])
        keys.append(key)
        rows.append(row)
        if loose != key:
            keys.append(loose)
            rows.append(row)
        tokens += [number for _, _, number in found]
        token_rows += [row] * len(found)
    _add_index(arrays, "key", keys, rows)
    # For suggestions: every word that occurs in a name, and the names it occurs in.
    vocabulary = sorted(words.numbers)
    renumber = np.empty(len(vocabulary), dtype=np.int64)
    renumber[[words.numbers[word] for word in vocabulary]] = np.arange(len(vocabulary))
    pairs = np.sort(renumber[_ints(tokens)] * len(texts) + _ints(token_rows)) if tokens else _ints([])
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]  # a word may stand twice in a name
    arrays["words"], arrays["words_at"] = pack(vocabulary)
    arrays["word_names_start"] = narrow(_group(pairs // max(len(texts), 1), len(vocabulary))[0])
    arrays["word_names"] = narrow(pairs % max(len(texts), 1))


def _add_relations(arrays: dict[str, NDArray[Any]], records: Records, number: Ints) -> list[str]:
    kinds = sorted(set(records.relation_names))
    of_kind = _ints([kinds.index(name) for name in records.relation_names])
    subject, target = number[_ints(records.relation_subject)], number[_ints(records.relation_object)]
    kind = of_kind[_ints(records.relation_kind)] if len(of_kind) else _ints([])
    rows = np.unique(np.column_stack((subject, kind, target)), axis=0) if len(subject) else np.zeros((0, 3), dtype=np.int64)
    count = len(number)
    arrays["relation_subject"] = narrow(rows[:, 0])
    arrays["relation_kind"] = rows[:, 1].astype(np.uint16)
    arrays["relation_object"] = narrow(rows[:, 2])
    arrays["relations_start"] = narrow(_group(rows[:, 0], count)[0])
    starts, order = _group(rows[:, 2], count)
    arrays["relations_to_start"], arrays["relations_to"] = narrow(starts), narrow(order)
    return kinds


def _add_texts(arrays: dict[str, NDArray[Any]], name: str, pairs: Any, count: int) -> None:
    rows = sorted(set(pairs))
    arrays[f"{name}s_start"] = narrow(_group(_ints([concept for concept, _ in rows]), count)[0])
    arrays[f"{name}s"], arrays[f"{name}s_at"] = pack(text for _, text in rows)


def _problem(problem: Problem) -> dict[str, Any]:
    place = problem.place
    return {
        "code": problem.code,
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "message": problem.message,
        "hint": problem.hint,
    }
