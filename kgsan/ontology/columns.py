"""What each column of a compiled ontology may hold, so that a file which does not fit together is an error and never an answer.

A checksum tells accidents, not files that were made wrongly or with intent. How long the columns are is compared when a file is
opened; what a column holds, when it is first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import CODES
from kgsan.ontology import chains, subtrees
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kgsan.ontology.arrays import ArrayFile

    Sizes = Mapping[str, int]

_WHOLE = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<i8")
_SCOPES = len(Scope)


@dataclass(frozen=True, slots=True)
class Column:
    """How many rows a column has and what its numbers stay below; both are told by what they count."""

    rows: str | None = None
    below: str | None = None
    least: int = 0
    is_starts: bool = False  #: numbers that rise from 0 to what they are places in, one more than there are rows
    dtypes: tuple[str, ...] = _WHOLE

    def fits(self, dtype: str, length: int, sizes: Sizes) -> bool:
        """Whether a column of this kind and length can be meant."""
        return dtype in self.dtypes and (self.rows is None or length == sizes[self.rows] + self.is_starts)

    def holds(self, array: NDArray[Any], sizes: Sizes) -> bool:
        """Whether every number of a column can be true."""
        if not len(array) or self.below is None:
            return True
        limit = sizes[self.below]
        if self.is_starts:
            return int(array[0]) == 0 and int(array[-1]) == limit and bool((array[1:] >= array[:-1]).all())
        return int(array.min()) >= self.least and int(array.max()) < limit


def _starts(of: str, over: str) -> Column:
    return Column(of, over, is_starts=True)


_BYTES = Column(dtypes=("|u1",))
_HASHES = ("<u8",)
COLUMNS = {
    "end": Column("concepts", "after concepts", least=1),
    "parents_start": _starts("concepts", "parents"),
    "parents": Column(None, "concepts"),
    "children_start": _starts("concepts", "children"),
    "children": Column("parents", "concepts"),
    "extra_start": _starts("concepts", "extra"),
    "extra": Column(None, "concepts"),
    "extra_end": Column("extra", "after concepts", least=1),
    "special_at": Column("concepts"),
    "special": Column(None, "concepts"),
    "chain_at": Column("concepts"),
    "chain": Column(None, "concepts"),
    "below": Column("concepts", "concepts"),
    "leaves": Column("concepts", "concepts"),
    "above": Column("concepts", "concepts"),
    "depth": Column("concepts", "after concepts", least=1),
    "names_start": _starts("concepts", "name_concept"),
    "name_concept": Column(None, "concepts"),
    "name_scope": Column("name_concept", "scopes"),
    "name_rank": Column("name_concept"),
    "ids": _BYTES,
    "ids_at": _starts("concepts", "ids"),
    "names": _BYTES,
    "names_at": _starts("name_concept", "names"),
    "id_hash": Column("id_row", dtypes=_HASHES),
    "id_row": Column(None, "concepts"),
    "key_hash": Column("key_row", dtypes=_HASHES),
    "key_row": Column(None, "name_concept"),
    "words": _BYTES,
    "words_at": _starts("different words", "words"),
    "word_names_start": _starts("different words", "word_names"),
    "word_names": Column(None, "name_concept"),
    "relation_subject": Column(None, "concepts"),
    "relation_kind": Column("relation_subject", "kinds"),
    "relation_object": Column("relation_subject", "concepts"),
    "relations_start": _starts("concepts", "relation_subject"),
    "relations_to_start": _starts("concepts", "relation_subject"),
    "relations_to": Column("relation_subject", "relation_subject"),
    **{f"{kind}_start": _starts("concepts", f"different {kind}") for kind in ("definitions", "references")},
    **{f"{kind}_at": _starts(f"different {kind}", kind) for kind in ("definitions", "references")},
    **dict.fromkeys(("definitions", "references"), _BYTES),
}
_COUNTED = ("concepts", "names", "parents", "relations", "roots", "leaves", "deepest")


def fits(about: dict[str, Any], columns: Mapping[str, tuple[str, int]]) -> bool:
    """Whether a file has all columns, as long as each other and the head tell."""
    if not COLUMNS.keys() <= columns.keys() or not _is_told(about):
        return False
    sizes = _sizes(about, {name: length for name, (_, length) in columns.items()})
    if (about["concepts"], about["names"], about["parents"]) != (sizes["end"], sizes["name_concept"], sizes["parents"]):
        return False
    return all(column.fits(*columns[name], sizes) for name, column in COLUMNS.items())


def holds(file: ArrayFile, name: str, array: NDArray[Any]) -> bool:
    """Whether what a column holds can be true, by itself and beside the columns that it goes with."""
    column = COLUMNS.get(name)
    if column is None:
        return True
    if not column.holds(array, _sizes(file.about, file.sizes)):
        return False
    if name == "end":
        return bool((array > np.arange(len(array))).all())
    if name == "extra_end":
        return bool((array > file["extra"]).all())
    if name == "below":  # what is counted there is listed by the intervals
        lengths = np.append(0, np.cumsum(file["extra_end"].astype(np.int64) - file["extra"]))
        extra = np.diff(lengths[file["extra_start"]])
        return bool((array == file["end"] - np.arange(1, len(array) + 1) + extra).all())
    if name == "special_at":
        return np.array_equal(array, subtrees.places(file))
    if name == "special":
        return subtrees.are_lists(file, array)
    if name == "chain_at":
        roots = np.count_nonzero(np.diff(file["parents_start"]) == 0)
        return roots == file.about["roots"] and chains.are_places(file, array)
    if name == "chain":
        return chains.are_lists(file, array)
    return name != "word_names_start" or bool((array[1:] > array[:-1]).all())


def _sizes(about: dict[str, Any], lengths: Sizes) -> Sizes:
    return {
        **lengths,
        "concepts": about["concepts"],
        "after concepts": about["concepts"] + 1,
        "scopes": _SCOPES,
        "kinds": len(about["relation_names"]),
        **{f"different {kind}": lengths[f"{kind}_at"] - 1 for kind in ("words", "definitions", "references")},
    }


def _is_told(about: object) -> bool:
    """Whether a head says about the ontology what it should."""
    if not isinstance(about, dict) or not all(type(about.get(name)) is int and about[name] >= 0 for name in _COUNTED):
        return False
    sources, problems = about.get("sources"), about.get("problems")
    return (
        0 < about["concepts"] >= about["deepest"] > 0
        and isinstance(about.get("format"), str)
        and _are_texts(about.get("relation_names"))
        and isinstance(about.get("prefixes"), dict)
        and _are_texts(list(about["prefixes"].values()))
        and isinstance(sources, list)
        and all(isinstance(one, dict) and isinstance(one.get("name"), str) and _are_imports(one) for one in sources)
        and isinstance(problems, list)
        and all(map(_is_problem, problems))
    )


def _are_texts(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(one, str) for one in found)


def _are_imports(source: dict[str, Any]) -> bool:
    found = source.get("imports", [])
    return isinstance(found, list) and all(
        isinstance(one, dict) and _are_texts([one.get("name"), one.get("sha256")]) and len(one) == 2 for one in found
    )


def _is_problem(row: object) -> bool:
    if not isinstance(row, dict) or row.keys() != {"code", "file", "line", "column", "message", "hint"}:
        return False
    texts = [row["code"], row["file"], row["message"], "" if row["hint"] is None else row["hint"]]
    places = [row["line"], row["column"]]
    return _are_texts(texts) and row["code"] in CODES and all(place is None or type(place) is int for place in places)
