"""Columns of a pandas frame as a policy lets them stand: the same index, nulls where nulls were, each text worked on once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, overload

import pandas

from kgsan.plug import ready, sanitized, sanitized_block, wrong
from kgsan.sanitize.processes import side_by_side
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import blocks
from kgsan.sanitize.wordless import wordless

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.plug import Given
    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

    OnError = Literal["raise", "null"]

_FIRST_ASTYPE = "Turn it into text first, with .astype('string'), or name the columns that are text."


@overload
def sanitize(
    data: pandas.Series, policy: Given, columns: None = None, processes: int = 1, on_error: OnError = "raise"
) -> pandas.Series: ...
@overload
def sanitize(
    data: pandas.DataFrame,
    policy: Given,
    columns: Sequence[Any] | None = None,
    processes: int = 1,
    on_error: OnError = "raise",
) -> pandas.DataFrame: ...
@wordless
def sanitize(
    data: pandas.Series | pandas.DataFrame,
    policy: Given,
    columns: Sequence[Any] | None = None,
    processes: int = 1,
    on_error: OnError = "raise",
) -> pandas.Series | pandas.DataFrame:
    """A new series or frame; of a frame all columns, or only those that are named: the others are then taken over unchanged.

    A text that cannot be made safe raises `NotSafe`, or becomes null where `on_error` says so.
    """
    if on_error not in ("raise", "null"):
        raise wrong("V203", "on_error", "on_error is neither 'raise' nor 'null'.")
    if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
        raise wrong("V203", "processes", "processes is no whole number from 1 on.")
    parts = _parts(data, columns)
    _check(parts)
    worker = _Worker(ready(policy), is_kind=on_error == "null")
    texts = list(dict.fromkeys(text for _, part in parts for text in part[part.notna()]))
    written = dict(zip(texts, _written(worker, texts, processes), strict=True))
    replaced = [(at, _replaced(part, written)) for at, part in parts]
    if isinstance(data, pandas.Series):
        return replaced[0][1]
    frame = data.copy()
    for at, part in replaced:
        frame.isetitem(at, part)
    return frame


def _parts(data: pandas.Series | pandas.DataFrame, columns: Sequence[Any] | None) -> list[tuple[int, pandas.Series]]:
    """What is to be sanitized, with its place among the columns; names may stand twice, places do not."""
    if isinstance(data, pandas.Series):
        if columns is not None:
            raise wrong("V202", "columns", "A series has no columns.", "Leave columns out.")
        return [(0, data)]
    if not isinstance(data, pandas.DataFrame):
        raise wrong("V201", "data", "This is neither a series nor a frame of pandas.")
    if columns is None:
        return [(at, data.iloc[:, at]) for at in range(data.shape[1])]
    if isinstance(columns, str):
        raise wrong("V202", "columns", "columns is a text and not a list.", f"Write columns=[{columns!r}].")
    wanted, known = set(columns), set(data.columns)
    missing = [name for name in columns if name not in known]
    if missing:
        raise wrong("V202", "columns", f"There is no column {', '.join(map(repr, missing))}.")
    return [(at, data.iloc[:, at]) for at, name in enumerate(data.columns) if name in wanted]


def _check(parts: list[tuple[int, pandas.Series]]) -> None:
    """Refuse what is no text, all of it at once: a number that is passed over could be a patient's."""
    others = [f"{part.name!r} ({part.dtype})" for _, part in parts if not _is_text(part)]
    if others:
        said = f"Something else than text and nulls stands in {', '.join(others)}."
        raise wrong("V201", "data", said, _FIRST_ASTYPE)


def _is_text(part: pandas.Series) -> bool:
    if not (part.dtype == object or isinstance(part.dtype, pandas.StringDtype)):
        return False
    return all(isinstance(one, str) for one in part[part.notna()])


def _replaced(part: pandas.Series, written: dict[str, str | None]) -> pandas.Series:
    """The same index, name and type; a null stays the null that it was."""
    values = [written[one] if isinstance(one, str) else one for one in part]
    return pandas.Series(values, index=part.index, name=part.name, dtype=part.dtype)


# --- the texts ------------------------------------------------------------------------------------------------------------


class _Worker:
    """Blocks of texts; one that cannot be made safe is None where that is wanted."""

    def __init__(self, sanitizer: Sanitizer, *, is_kind: bool) -> None:
        self._sanitizer = sanitizer
        self._is_kind = is_kind

    def sanitize_block(self, texts: Sequence[str]) -> list[SanitizedDocument | None]:
        try:
            return [*sanitized_block(self._sanitizer, texts)]
        except NotSafe:
            if not self._is_kind:
                raise
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> SanitizedDocument | None:
        try:
            return sanitized(self._sanitizer, text)
        except NotSafe:
            return None


def _written(worker: _Worker, texts: list[str], processes: int) -> Iterator[str | None]:
    parts = blocks(texts)
    results = map(worker.sanitize_block, parts)
    if processes > 1:  # which ask for blocks only, as a sanitizer gives them
        results = cast("map[list[SanitizedDocument | None]]", side_by_side(cast("Sanitizer", worker), parts, processes))
    for block in results:
        yield from (None if one is None else one.text for one in block)
